/**
 * One book as a bank would keep it by hand: deposits, their parts, waivers, tax, liens, reversals and maturities. It shares
 * no code with the service. Amounts are cents; days are counted from the first of July 2026, on which every life begins.
 */
export const FIRST_DAY = '2026-07-01'
const DAY_MS = 86_400_000

export type Rounding = 'HALF_UP' | 'HALF_EVEN' | 'DOWN'
export type Charge = { kind: 'PERCENT'; percent: number } | { kind: 'FIXED'; amount: bigint } | null
export type LifeRules = { rounding: Rounding; charge: Charge }
export type LifeTax = {
  from: number
  base: 'NET' | 'GROSS'
  rounding: Rounding
  classes: Record<string, number>
}

/** What was broken of a deposit on one day. */
type Day = {
  on: number
  principal: bigint
  interest: bigint
  assessed: bigint
  penal: bigint
  /** What was taxed on it, by rules and class. */
  taxed: Record<string, Taxed>
}

type Taxed = { interest: bigint; penal: bigint; tax: bigint }

export type LifeDeposit = {
  principal: bigint
  remaining: bigint
  status: 'ACTIVE' | 'LIQUIDATED' | 'MATURED' | 'ROLLED_OVER'
  rate: number
  start: number
  tenor: number
  rollsOver: boolean
  rules: LifeRules
  owner: number
  broken: Day | null
  successor: LifeDeposit | null
  /** Those that were not reversed, oldest first, with the deposit as it was before each. */
  liquidations: LifeLiquidation[]
}

export type LifeLiquidation = Figures & {
  deposit: LifeDeposit
  on: number
  before: Pick<LifeDeposit, 'remaining' | 'status' | 'broken'>
  reversed: boolean
}

export type Figures = {
  principal: bigint
  interest: bigint
  assessed: bigint
  waived: bigint
  penal: bigint
  total: bigint
  tax: bigint
  net: bigint
}

export type LifeLien = { deposit: LifeDeposit; amount: bigint; active: boolean }
type LifeOwner = { balance: bigint; taxClass: string; validUntil: number | null }

type Life = {
  today: number
  rules: LifeRules
  taxes: LifeTax[]
  /** Parts from this principal on wait for approval. */
  limit: bigint | null
  owners: LifeOwner[]
  deposits: LifeDeposit[]
  liens: LifeLien[]
  /** What the bank's own accounts hold. */
  bank: Record<'interest_expense' | 'penal_income' | 'penal_waived' | 'tax_payable', bigint>
}

export function newLife(owners: number, balance: bigint): Life {
  return {
    today: 0,
    rules: { rounding: 'HALF_UP', charge: null },
    taxes: [],
    limit: null,
    owners: Array.from({ length: owners }, () => ({ balance, taxClass: 'STANDARD', validUntil: null })),
    deposits: [],
    liens: [],
    bank: { interest_expense: 0n, penal_income: 0n, penal_waived: 0n, tax_payable: 0n },
  }
}

export function dateOf(day: number): string {
  return new Date(Date.parse(FIRST_DAY) + day * DAY_MS).toISOString().slice(0, 10)
}

export function maturityOf({ start, tenor }: LifeDeposit): number {
  return start + tenor
}

export function heldOf(life: Life, deposit: LifeDeposit): bigint {
  return life.liens
    .filter((lien) => lien.active && lien.deposit === deposit)
    .reduce((sum, { amount }) => sum + amount, 0n)
}

/** Of this principal, from the start of the deposit to a day. */
export function interestOn(deposit: LifeDeposit, principal: bigint, day: number): bigint {
  const { dividend, divisor } = exactInterest(deposit, principal, day)
  return round(dividend, divisor, deposit.rules.rounding)
}

function exactInterest({ rate, start, tenor }: LifeDeposit, principal: bigint, day: number) {
  const days = Math.min(day - start, tenor)
  return { dividend: principal * ppm(rate) * BigInt(days), divisor: 365_000_000n }
}

type LifeWaiver = { percent: number } | null

/** The code of the refusal, or the figures; `null` amount is the whole. */
export function breakable(
  life: Life,
  deposit: LifeDeposit,
  asked: { amount: bigint | null; waiver: LifeWaiver },
): string | Figures {
  const { amount, waiver } = asked
  const { remaining, rules } = deposit
  const held = heldOf(life, deposit)
  if (deposit.status !== 'ACTIVE') return 'deposit_not_active'
  if (amount !== null && amount > remaining) return 'amount_exceeds_principal'
  if (amount === remaining) return 'amount_equals_principal'
  if (amount !== null && remaining - amount < held) return 'amount_under_lien'
  if (amount === null && held > 0n) return 'deposit_under_lien'

  const principal = amount ?? remaining
  const isMature = life.today >= maturityOf(deposit)
  const day = earlierOn(deposit, life.today)
  const together = day.principal + principal
  const interest = interestOn(deposit, together, life.today) - day.interest
  const charge = isMature ? 0n : chargeOn(deposit, together, life.today)
  const assessed = least(most(charge - day.assessed, 0n), interest)
  if (waiver !== null && (isMature || assessed === 0n)) return 'nothing_to_waive'
  const waived = waiver === null ? 0n : round(assessed * ppm(waiver.percent), 1_000_000n, rules.rounding)
  const penal = assessed - waived
  const total = principal + interest - penal
  const taxedBefore = day.taxed[taxingOn(life, deposit.owner, life.today)?.name ?? ''] ?? UNTAXED
  const taxed = taxOn(life, deposit.owner, life.today, {
    interest: taxedBefore.interest + interest,
    penal: taxedBefore.penal + penal,
  })
  const tax = least(most(taxed - taxedBefore.tax, 0n), total)
  return { principal, interest, assessed, waived, penal, total, tax, net: total - tax }
}

function chargeOn(deposit: LifeDeposit, principal: bigint, day: number): bigint {
  const { charge, rounding } = deposit.rules
  if (charge === null) return 0n
  if (charge.kind === 'FIXED') return charge.amount
  const { dividend, divisor } = exactInterest(deposit, principal, day)
  return round(dividend * ppm(charge.percent), divisor * 1_000_000n, rounding)
}

function earlierOn({ broken }: LifeDeposit, on: number): Day {
  if (broken?.on === on) return broken
  return { on, principal: 0n, interest: 0n, assessed: 0n, penal: 0n, taxed: {} }
}

const UNTAXED: Taxed = { interest: 0n, penal: 0n, tax: 0n }

/** The last rules that had begun on the day, and the class that the owner had on it. */
function taxingOn(life: Life, owner: number, day: number) {
  const version = life.taxes.findLastIndex(({ from }) => from <= day)
  const rules = life.taxes[version]
  if (rules === undefined) return null
  const { taxClass, validUntil } = life.owners[owner]!
  const isValid = validUntil === null || day <= validUntil
  const inForce = isValid && rules.classes[taxClass] !== undefined ? taxClass : 'STANDARD'
  return { rules, rate: rules.classes[inForce]!, name: `${version} ${inForce}` }
}

function taxOn(life: Life, owner: number, day: number, paid: { interest: bigint; penal: bigint }): bigint {
  const taxing = taxingOn(life, owner, day)
  if (taxing === null) return 0n
  const { rules, rate } = taxing
  const taxable = rules.base === 'NET' ? paid.interest - paid.penal : paid.interest
  return round(taxable * ppm(rate), 1_000_000n, rules.rounding)
}

/** What was taxed on a day, with one part more. */
function taxedAfter(life: Life, { owner }: LifeDeposit, day: Day, part: Taxed): Day['taxed'] {
  const taxing = taxingOn(life, owner, life.today)
  if (taxing === null) return day.taxed
  const { interest, penal, tax } = day.taxed[taxing.name] ?? UNTAXED
  const sums = { interest: interest + part.interest, penal: penal + part.penal, tax: tax + part.tax }
  return { ...day.taxed, [taxing.name]: sums }
}

export function breakDeposit(life: Life, deposit: LifeDeposit, figures: Figures): LifeLiquidation {
  const { remaining, status, broken } = deposit
  const { principal, interest, assessed, penal } = figures
  const day = earlierOn(deposit, life.today)
  const liquidation: LifeLiquidation = {
    ...figures,
    deposit,
    on: life.today,
    before: { remaining, status, broken },
    reversed: false,
  }
  deposit.remaining -= principal
  if (deposit.remaining === 0n) deposit.status = 'LIQUIDATED'
  deposit.broken = {
    on: life.today,
    principal: day.principal + principal,
    interest: day.interest + interest,
    assessed: day.assessed + assessed,
    penal: day.penal + penal,
    taxed: taxedAfter(life, deposit, day, figures),
  }
  deposit.liquidations.push(liquidation)
  book(life, deposit, figures, 1n)
  return liquidation
}

function book(life: Life, { owner }: LifeDeposit, figures: Figures, sign: 1n | -1n): void {
  life.owners[owner]!.balance += sign * figures.net
  life.bank.interest_expense -= sign * figures.interest
  life.bank.penal_income += sign * figures.assessed
  life.bank.penal_waived -= sign * figures.waived
  life.bank.tax_payable += sign * figures.tax
}

/** The code of the refusal, or null where it is reversed. */
export function reverse(life: Life, liquidation: LifeLiquidation): string | null {
  const { deposit } = liquidation
  const settled = deposit.status === 'MATURED' || deposit.status === 'ROLLED_OVER'
  if (liquidation.reversed) return 'liquidation_already_reversed'
  if (settled || deposit.liquidations.at(-1) !== liquidation) return 'not_latest_movement'
  if (life.today - liquidation.on > 30) return 'reversal_window_closed'
  if (life.owners[deposit.owner]!.balance < liquidation.net) return 'insufficient_funds'
  Object.assign(deposit, liquidation.before)
  deposit.liquidations.pop()
  liquidation.reversed = true
  book(life, deposit, liquidation, -1n)
  return null
}

/** Moves the clock. What falls due is paid on its day, and a deposit that rolls over may fall due again. */
export function passDays(life: Life, days: number): void {
  const from = life.today
  life.today += days
  for (;;) {
    const due = life.deposits.filter(
      (deposit) => deposit.status === 'ACTIVE' && maturityOf(deposit) <= life.today,
    )
    const settled = due.filter((deposit) => deposit.rollsOver || heldOf(life, deposit) === 0n)
    if (settled.length === 0) return
    for (const deposit of settled) settle(life, deposit, Math.max(from, maturityOf(deposit)))
  }
}

function settle(life: Life, deposit: LifeDeposit, paidOn: number): void {
  const principal = deposit.remaining
  const interest = interestOn(deposit, principal, maturityOf(deposit))
  const tax = taxOn(life, deposit.owner, paidOn, { interest, penal: 0n })
  const net = principal + interest - tax
  life.bank.interest_expense -= interest
  life.bank.tax_payable += tax
  deposit.remaining = 0n
  deposit.status = deposit.rollsOver ? 'ROLLED_OVER' : 'MATURED'
  if (!deposit.rollsOver) {
    life.owners[deposit.owner]!.balance += net
    return
  }
  const successor: LifeDeposit = {
    ...deposit,
    principal: net,
    remaining: net,
    status: 'ACTIVE',
    start: maturityOf(deposit),
    rules: life.rules,
    broken: null,
    liquidations: [],
  }
  deposit.successor = successor
  life.deposits.push(successor)
  for (const lien of life.liens) if (lien.active && lien.deposit === deposit) lien.deposit = successor
}

function round(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const whole = dividend / divisor
  const rest = 2n * (dividend % divisor)
  if (rounding === 'DOWN' || rest < divisor) return whole
  return rest === divisor && rounding === 'HALF_EVEN' && whole % 2n === 0n ? whole : whole + 1n
}

/** Of a percent with at most four decimals. */
function ppm(percent: number): bigint {
  return BigInt(Math.round(percent * 10_000))
}

function least(left: bigint, right: bigint): bigint {
  return left < right ? left : right
}

function most(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}
