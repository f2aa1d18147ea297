/**
 * A second account of what a deposit pays in its life: payments, parts, tax and maturity. It is written from the words of
 * the rules alone and shares no code with the service.
 */
import {
  boundariesOf,
  type Exact,
  type ExactTerms,
  earnedOf,
  growthOf,
  interestOn,
  periodInterest,
  rateOf,
  round,
  shareOf,
} from '../support/exact-interest.ts'

export type ModelCharge =
  | { kind: 'FIXED'; amount: bigint }
  | { kind: 'PERCENT'; of: 'ACCRUED_INTEREST' | 'PRINCIPAL' | 'TERM_INTEREST'; ppm: bigint }
  | { kind: 'RERATE'; addPpm: bigint }

export type ModelRules = {
  charges: ModelCharge[]
  combine: 'SUM' | 'MAX' | 'MIN'
  min: bigint
  max: bigint | null
}

export type ModelTax = { base: 'NET' | 'GROSS'; onRecovery: 'KEEP' | 'RETURN'; rounding: string; ppm: bigint }

export type ModelDeposit = {
  terms: ExactTerms
  rules: ModelRules
  tax: ModelTax | null
  recover: boolean
}

/** What the parts of one day had together. */
type Sums = {
  principal: bigint
  interest: bigint
  assessed: bigint
  penal: bigint
  tax: bigint
  paidShare: bigint
  taxShare: bigint
  unearned: bigint
  recovered: bigint
  taxReturned: bigint
}

export type Taxed = Pick<Sums, 'interest' | 'penal' | 'tax'>

export type ModelState = {
  remaining: bigint
  paid: bigint
  paidTax: bigint
  paidTo: string | null
  day: (Sums & { on: string }) | null
}

export type ModelFigures = Sums & { waived: bigint; total: bigint; net: bigint; earned: bigint }

const NOTHING: Sums = {
  ...{ principal: 0n, interest: 0n, assessed: 0n, penal: 0n, tax: 0n },
  ...{ paidShare: 0n, taxShare: 0n, unearned: 0n, recovered: 0n, taxReturned: 0n },
}

export type ModelPayment = { from: string; to: string; interest: bigint; tax: bigint }

export function openModel({ terms, tax }: ModelDeposit, principal: bigint): ModelState {
  const state: ModelState = { remaining: principal, paid: 0n, paidTax: 0n, paidTo: null, day: null }
  if (terms.method !== 'UPFRONT') return state
  const interest = periodInterest(terms, principal, terms.start, terms.maturity)
  return { ...state, paid: interest, paidTax: taxOn(tax, interest, terms.unit) }
}

/** Boundaries before maturity that have come, each paid by itself on what remains. */
export function payModel(
  { terms, tax }: ModelDeposit,
  before: ModelState,
  on: string,
): { state: ModelState; payments: ModelPayment[] } {
  const payments: ModelPayment[] = []
  let state = before
  if (terms.method !== 'PAYOUT' || state.remaining === 0n) return { state, payments }
  for (const to of boundariesOf(terms)) {
    if (to > on || to === terms.maturity) break
    if (state.paidTo !== null && to <= state.paidTo) continue
    const from = state.paidTo ?? terms.start
    const interest = periodInterest(terms, state.remaining, from, to)
    const withheld = taxOn(tax, interest, terms.unit)
    payments.push({ from, to, interest, tax: withheld })
    state = { ...state, paid: state.paid + interest, paidTax: state.paidTax + withheld, paidTo: to }
  }
  return { state, payments }
}

/** A part, together with what was broken earlier on the day; payments have been made. */
export function breakModel(
  deposit: ModelDeposit,
  state: ModelState,
  asked: {
    part: bigint
    on: string
    waivedPpm: bigint | null
    /** Of the earlier parts of the day, those that were taxed alike; absent: all of them. */
    taxedEarlier?: Taxed
  },
): { state: ModelState; figures: ModelFigures } {
  const { terms, tax, recover } = deposit
  const { part, on } = asked
  const earlier: Sums = state.day?.on === on ? state.day : NOTHING
  const x = earlier.principal + part
  const whole = earlier.principal + state.remaining
  const paidOfX = shareOf(state.paid + earlier.paidShare, x, whole, terms)
  const taxOfX = shareOf(state.paidTax + earlier.taxShare, x, whole, terms)
  const earnedOfX = earnedOf(terms, { principal: x, paid: paidOfX, paidTo: state.paidTo }, on)
  const earnedEarlier = earlier.interest + earlier.paidShare - earlier.unearned
  const interest = atLeastZero(earnedOfX - paidOfX) - earlier.interest
  const unearned = atLeastZero(paidOfX - earnedOfX) - earlier.unearned
  const charged = on >= terms.maturity ? 0n : chargeOf(deposit, { x, earned: earnedOfX, on })
  const bearable = recover ? earnedOfX - earnedEarlier : interest
  const assessed = smaller(atLeastZero(charged - earlier.assessed), bearable)
  const waived =
    asked.waivedPpm === null ? 0n : round({ over: assessed * asked.waivedPpm, under: 1_000_000n }, terms)
  const left = assessed - waived
  const penal = smaller(left, interest)
  const total = part + interest - penal
  const withheld =
    tax === null
      ? 0n
      : taxOfPart(tax, { interest, penal, left: total - unearned }, asked.taxedEarlier ?? earlier, terms)
  const recovered = smaller(left - penal, total - unearned - withheld)
  const paidShare = paidOfX - earlier.paidShare
  const taxShare = taxOfX - earlier.taxShare
  const takenBack = unearned + earlier.unearned + recovered + earlier.recovered
  const returned =
    tax === null || tax.onRecovery === 'KEEP' || paidOfX === 0n
      ? 0n
      : atLeastZero(
          round({ over: taxOfX * takenBack, under: paidOfX }, { rounding: tax.rounding, unit: terms.unit }) -
            earlier.taxReturned,
        )
  const own: Sums = {
    ...{
      principal: part,
      interest,
      assessed,
      penal,
      tax: withheld,
      paidShare,
      taxShare,
      unearned,
      recovered,
    },
    taxReturned: returned,
  }
  const names = Object.keys(NOTHING) as (keyof Sums)[]
  const day = Object.fromEntries(names.map((name) => [name, earlier[name] + own[name]])) as Sums
  return {
    figures: {
      ...own,
      waived,
      total,
      earned: earnedOfX - earnedEarlier,
      net: total - unearned - withheld - recovered + returned,
    },
    state: {
      remaining: state.remaining - part,
      paid: state.paid - paidShare,
      paidTax: state.paidTax - taxShare,
      paidTo: state.paidTo,
      day: { on, ...day },
    },
  }
}

/** What maturity pays besides the principal. */
export function matureModel(
  { terms, tax }: ModelDeposit,
  state: ModelState,
): { interest: bigint; tax: bigint } {
  const held = { principal: state.remaining, paid: state.paid, paidTo: state.paidTo }
  const interest = atLeastZero(earnedOf(terms, held, terms.maturity) - state.paid)
  return { interest, tax: taxOn(tax, interest, terms.unit) }
}

function chargeOf(
  { terms, rules }: ModelDeposit,
  { x, earned, on }: { x: bigint; earned: bigint; on: string },
): bigint {
  const percentOf = (base: Exact, ppm: bigint) =>
    round({ over: x * base.over * ppm, under: base.under * 1_000_000n }, terms)
  const amounts = rules.charges.map((charge): bigint => {
    if (charge.kind === 'FIXED') return round({ over: charge.amount, under: 1n }, terms)
    if (charge.kind === 'RERATE') {
      const ppm = atLeastZero(terms.ratePpm + charge.addPpm)
      return atLeastZero(earned - interestOn(terms, x, growthOf(terms, { over: ppm, under: 1n }, on)))
    }
    if (charge.of === 'PRINCIPAL') return percentOf({ over: 1n, under: 1n }, charge.ppm)
    const to = charge.of === 'TERM_INTEREST' ? terms.maturity : on
    return percentOf(growthOf(terms, rateOf(terms), to), charge.ppm)
  })
  if (amounts.length === 0) return 0n
  const combined = amounts.reduce((left, right) => {
    if (rules.combine === 'SUM') return left + right
    return rules.combine === 'MIN' ? smaller(left, right) : left > right ? left : right
  })
  const min = round({ over: rules.min, under: 1n }, terms)
  const raised = combined > min ? combined : min
  return rules.max === null ? raised : smaller(raised, round({ over: rules.max, under: 1n }, terms))
}

function taxOfPart(
  tax: ModelTax,
  paid: { interest: bigint; penal: bigint; left: bigint },
  earlier: Taxed,
  { unit }: ExactTerms,
): bigint {
  const baseOf = (interest: bigint, penal: bigint) => (tax.base === 'NET' ? interest - penal : interest)
  const ofDay = baseOf(paid.interest + earlier.interest, paid.penal + earlier.penal)
  const due = atLeastZero(taxOn(tax, ofDay, unit) - earlier.tax)
  return smaller(due, smaller(baseOf(paid.interest, paid.penal), paid.left))
}

export function taxOn(tax: ModelTax | null, interest: bigint, unit: bigint): bigint {
  return tax === null
    ? 0n
    : round({ over: interest * tax.ppm, under: 1_000_000n }, { rounding: tax.rounding, unit })
}

function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n
}

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right
}
