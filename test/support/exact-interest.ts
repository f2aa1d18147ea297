/**
 * Interest as an independent evaluator has it: exact fractions, dates as text, one rounding where money moves. It shares
 * no code with the service, and prefers the plain way to the fast one.
 */
export type Exact = { over: bigint; under: bigint }

export type ExactTerms = {
  method: string
  every: string | null
  ratePpm: bigint
  start: string
  agreed: string
  maturity: string
  dayCount: string
  rounding: string
  /** Cents of the smallest amount. */
  unit: bigint
}

/** What was paid before on a principal, and up to which boundary. */
export type Held = { principal: bigint; paid: bigint; paidTo: string | null }

export const WHOLE_UNIT_CURRENCIES = [
  ...['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW'],
  ...['PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'],
]

export function unitOf(currency: string): bigint {
  return WHOLE_UNIT_CURRENCIES.includes(currency) ? 100n : 1n
}

/** All boundaries after the start; the last is the maturity. */
export function boundariesOf({ every, start, agreed, maturity }: ExactTerms): string[] {
  if (every === null) return [maturity]
  const boundaries: string[] = []
  const step = { MONTH: 1, QUARTER: 3, HALF_YEAR: 6, YEAR: 12 }[every]
  for (let count = 1; ; count += 1) {
    const next = step === undefined ? daysAfter(start, count) : monthsAfter(start, step * count)
    if (next >= agreed) break
    boundaries.push(next)
  }
  return agreed < maturity ? [...boundaries, agreed, maturity] : [...boundaries, maturity]
}

/** Interest on 1 from the start, at a yearly rate in parts per million. */
export function growthOf(terms: ExactTerms, ratePpm: Exact, to: string): Exact {
  const end = to < terms.maturity ? to : terms.maturity
  const interests = periodsTo(terms, end, terms.start).map(([from, until]) =>
    times({ over: ratePpm.over, under: 1_000_000n * ratePpm.under }, yearsOf(terms, from, until)),
  )
  if (terms.method !== 'COMPOUND') return interests.reduce(plus, { over: 0n, under: 1n })
  const grown = interests.reduce((product, one) => times(product, plus(WHOLE, one)), WHOLE)
  return { over: grown.over - grown.under, under: grown.under }
}

/** As money, with what was paid before. */
export function earnedOf(terms: ExactTerms, held: Held, on: string): bigint {
  const { principal, paid, paidTo } = held
  const end = on < terms.maturity ? on : terms.maturity
  if (principal === 0n) return 0n
  if (terms.method === 'UPFRONT') {
    if (end === terms.maturity) return paid
    const [part, whole] = [end, terms.maturity].map((to) => yearsOf(terms, terms.start, to)) as [Exact, Exact]
    if (whole.over === 0n) return paid
    return round({ over: paid * part.over * whole.under, under: part.under * whole.over }, terms)
  }
  if (terms.method !== 'PAYOUT') return interestOn(terms, principal, growthOf(terms, rateOf(terms), end))
  return periodsTo(terms, end, paidTo ?? terms.start).reduce(
    (sum, [from, to]) => sum + periodInterest(terms, principal, from, to),
    paid,
  )
}

/** Of one period that is paid by itself. */
export function periodInterest(terms: ExactTerms, principal: bigint, from: string, to: string): bigint {
  const years = yearsOf(terms, from, to)
  return interestOn(terms, principal, times({ over: terms.ratePpm, under: 1_000_000n }, years))
}

export function rateOf({ ratePpm }: ExactTerms): Exact {
  return { over: ratePpm, under: 1n }
}

export function interestOn(terms: ExactTerms, principal: bigint, growth: Exact): bigint {
  return round({ over: principal * growth.over, under: growth.under }, terms)
}

/** The share of a part in the whole. */
export function shareOf(amount: bigint, part: bigint, whole: bigint, how: Rounds): bigint {
  return part === whole ? amount : round({ over: amount * part, under: whole }, how)
}

type Rounds = { rounding: string; unit: bigint }

/** To whole units; what is rounded is not negative. */
export function round({ over, under }: Exact, { rounding, unit }: Rounds): bigint {
  const divisor = under * unit
  const whole = over / divisor
  const rest = over % divisor
  const up =
    rounding !== 'DOWN' &&
    (2n * rest > divisor || (2n * rest === divisor && (rounding === 'HALF_UP' || whole % 2n === 1n)))
  return (up ? whole + 1n : whole) * unit
}

const WHOLE: Exact = { over: 1n, under: 1n }

function plus(left: Exact, right: Exact): Exact {
  return { over: left.over * right.under + right.over * left.under, under: left.under * right.under }
}

function times(left: Exact, right: Exact): Exact {
  return { over: left.over * right.over, under: left.under * right.under }
}

/** Whole periods from a boundary on, and the broken one up to a date. */
function periodsTo(terms: ExactTerms, end: string, after: string): [from: string, to: string][] {
  const edges = [terms.start, ...boundariesOf(terms)].filter((edge) => edge >= after && edge < end)
  return edges.map((edge, index) => [edge, edges[index + 1] ?? end])
}

function yearsOf({ dayCount, start }: ExactTerms, from: string, to: string): Exact {
  if (to <= from) return { over: 0n, under: 1n }
  switch (dayCount) {
    case 'ACT/365F':
      return { over: BigInt(daysFrom(from, to)), under: 365n }
    case 'ACT/360':
      return { over: BigInt(daysFrom(from, to)), under: 360n }
    case 'ACT/ACT':
      return { over: daysByYear(from, to), under: 365n * 366n }
    case 'MONTHS':
      return { over: monthsAndDays(start, to) - monthsAndDays(start, from), under: 12n * 365n }
    default:
      return { over: daysOfThirty(dayCount, from, to), under: 360n }
  }
}

/** Days of leap years count 365, others 366, of 365 × 366 a year. */
function daysByYear(from: string, to: string): bigint {
  let days = 0n
  for (let year = Number(from.slice(0, 4)); year <= Number(to.slice(0, 4)); year += 1) {
    const first = from > `${year}-01-01` ? from : `${year}-01-01`
    const last = to < `${year + 1}-01-01` ? to : `${year + 1}-01-01`
    const isLeap = daysFrom(`${year}-01-01`, `${year + 1}-01-01`) === 366
    days += BigInt(daysFrom(first, last)) * (isLeap ? 365n : 366n)
  }
  return days
}

/** A month is 365, a day after whole months 12, of 12 × 365 a year. */
function monthsAndDays(start: string, to: string): bigint {
  let months = 0
  while (monthsAfter(start, months + 1) <= to) months += 1
  return BigInt(365 * months + 12 * daysFrom(monthsAfter(start, months), to))
}

function daysOfThirty(dayCount: string, from: string, to: string): bigint {
  const [firstYear, firstMonth, firstDay] = from.split('-').map(Number) as [number, number, number]
  const [lastYear, lastMonth, lastDay] = to.split('-').map(Number) as [number, number, number]
  const startDay = firstDay === 31 ? 30 : firstDay
  const endDay = lastDay === 31 && (dayCount === '30E/360' || startDay === 30) ? 30 : lastDay
  return BigInt((lastYear - firstYear) * 360 + (lastMonth - firstMonth) * 30 + endDay - startDay)
}

/** The same day of the month, or its last one. */
export function monthsAfter(date: string, months: number): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDay))).toISOString().slice(0, 10)
}

export function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)
}

export function daysFrom(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000
}
