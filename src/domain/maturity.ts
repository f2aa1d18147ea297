/**
 * What happens to due deposits: paid out to their account, or rolled over into a successor.
 *
 * Guarantees: a deposit earns its full interest and is charged nothing; its value is paid, or opens the successor, to
 * the cent; interest that was due before is paid first; a deposit that cannot be settled is left unchanged and does not
 * block the others.
 */
import assert from 'node:assert/strict'
import type { IsoDate } from './dates.ts'
import {
  accruedInterest,
  type Deposit,
  type PinnedTo,
  type RulesInForce,
  type RulesOf,
  rollsOver,
} from './deposit.ts'
import {
  type Movement,
  maturityPostings,
  openingPostings,
  type Posting,
  ROLLOVER_CLEARING,
  taxMovements,
} from './ledger.ts'
import type { Moment } from './moment.ts'
import { MINOR_MAX, type Minor, minor } from './money.ts'
import {
  type BroughtForward,
  bringForward,
  type InterestPayment,
  paidUpTo,
  payAtOpening,
} from './payments.ts'
import { type RenewingProduct, type RolloverRefusal, renewByProduct, successorOf } from './rollover.ts'
import type { RuleSet } from './rules.ts'
import { type Taxation, type TaxKnown, taxationAt, taxedBy, withholdingTax } from './tax.ts'
import { termsOf } from './terms.ts'

export type Maturity = Value & {
  /** The final state: MATURED or ROLLED_OVER, with nothing left in it. */
  deposit: Deposit
  /** Interest that was due before, and is paid first. */
  payments: readonly InterestPayment[]
  /** As opened, even if it is already due and settled next. */
  successor: Deposit | null
  /** Interest that the successor pays at its start. */
  successorPayments: readonly InterestPayment[]
  /** Why a product did not renew the deposit, which was paid out instead. */
  rolloverRefused: RolloverRefusal | null
  at: Date
}

/** What a deposit comes to at maturity, and where it goes. */
export type Value = {
  principal: Minor
  /** Not paid before. */
  interest: Minor
  total: Minor
  tax: Minor
  net: Minor
  /** What of the total goes to the account, and what of the net amount opens a successor. */
  paidOut: Minor
  rolled: Minor
}

export type Unsettled = {
  depositId: string
  code: 'balance_limit_exceeded' | 'maturity_value_out_of_range' | 'deposit_under_lien'
}

/**
 * What the locks protect. As many rollovers are decided as there are successor ids; the rest is left for the next run.
 */
export type KnownAtMaturity = TaxKnown & {
  rulesOf: RulesOf
  inForce: RulesInForce
  /** What may renew a deposit; undefined: without product. */
  productOf: (deposit: PinnedTo) => RenewingProduct | undefined
  balances: ReadonlyMap<string, bigint>
  successorIds: readonly string[]
}

/**
 * Oldest maturity first. A successor that is already due, as after an import of old deposits, is settled after all
 * others.
 */
export function decideMaturities(
  known: KnownAtMaturity,
  deposits: readonly Deposit[],
  moment: Moment,
): { maturities: Maturity[]; unsettled: Unsettled[] } {
  const balances = new Map(known.balances)
  const successorIds = [...known.successorIds]
  const maturities: Maturity[] = []
  const unsettled: Unsettled[] = []
  const due = deposits.filter((deposit) => isDue(deposit, moment)).sort(byMaturity)

  for (const deposit of due) {
    if (rollsOver(deposit) && successorIds.length === 0) continue
    const forward = broughtForward(deposit)
    if (forward.blocked) {
      unsettled.push({ depositId: deposit.depositId, code: 'balance_limit_exceeded' })
      continue
    }
    const taxation = taxationOn(deposit, deposit.maturityDate)
    const context: SettlingContext = {
      rules: known.rulesOf(deposit),
      taxation,
      balance: forward.balance,
      moment,
      inForce: known.inForce,
      product: known.productOf(deposit),
      taxationOn: (day) => taxationOn(deposit, day),
    }
    const decided = rollsOver(deposit)
      ? rollOver(forward.deposit, successorIds[0]!, context)
      : payOut(forward.deposit, context)
    if ('code' in decided) {
      unsettled.push(decided)
      continue
    }
    maturities.push({ ...decided, payments: forward.payments })
    if (paysToAccount(deposit)) {
      const upfront = decided.successorPayments.reduce((sum, { net }) => sum + net, 0n)
      balances.set(deposit.accountNumber, forward.balance + creditedAtMaturity(decided) + upfront)
    }
    if (decided.successor === null) continue
    successorIds.shift()
    if (isDue(decided.successor, moment)) due.push(decided.successor)
  }
  return { maturities, unsettled }

  function broughtForward(deposit: Deposit) {
    const balance = balances.get(deposit.accountNumber) ?? 0n
    assert(
      balances.has(deposit.accountNumber) || !paysToAccount(deposit),
      'the account a deposit pays to exists',
    )
    const terms = termsOf(deposit, known.rulesOf(deposit))
    return bringForward(deposit, { terms, moment, balance, taxationOn: (day) => taxationOn(deposit, day) })
  }

  function taxationOn({ accountNumber }: Deposit, due: IsoDate): Taxation | null {
    return taxationAt(due, accountNumber, known, moment)
  }
}

/** A rollover of everything does not change the account; by a product, it may be refused and paid out instead. */
export function paysToAccount({ instruction, productCode }: Deposit): boolean {
  return instruction !== 'ROLL_OVER' || productCode !== null
}

/** For a rollover out of the old deposit and into its successor: each movement is a separate entry. */
export function maturityMovements(maturity: Maturity): { closing: Movement[]; opening: Posting[] | null } {
  const { deposit, successor } = maturity
  return {
    closing: valueMovements(maturity, deposit),
    opening: successor && openingPostings({ ...successor, fundedFrom: ROLLOVER_CLEARING }),
  }
}

/** Interest is taxed where it goes. */
export function valueMovements(
  value: Value,
  { depositId, accountNumber }: Pick<Deposit, 'depositId' | 'accountNumber'>,
): Movement[] {
  const { tax } = value
  const isTaxedAtAccount = value.interest <= value.paidOut
  const rolled = minor(value.total - value.paidOut)
  const postings = maturityPostings({ ...value, rolled, depositId, accountNumber })
  const takenFrom = isTaxedAtAccount ? accountNumber : ROLLOVER_CLEARING
  return [{ kind: 'MATURITY', postings }, ...taxMovements({ takenFrom, tax })]
}

/** What the account keeps of it. */
export function creditedAtMaturity({ net, rolled }: Pick<Value, 'net' | 'rolled'>): Minor {
  return minor(net - rolled)
}

/** The value of a deposit at maturity: its remaining principal, and the interest on that which was not paid before. */
export function valueAtMaturity(
  deposit: Deposit,
  rules: RuleSet,
  taxation: Taxation | null,
  status: 'MATURED' | 'ROLLED_OVER' = rollsOver(deposit) ? 'ROLLED_OVER' : 'MATURED',
): Value {
  const principal = deposit.remaining
  const interest = accruedInterest(deposit, rules, deposit.maturityDate)
  const total = minor(principal + interest)
  const { unit } = termsOf(deposit, rules)
  const tax = withholdingTax(taxation, { interest, penal: 0n, total, unit })
  const net = minor(total - tax)
  if (status === 'MATURED') return { principal, interest, total, tax, net, paidOut: total, rolled: minor(0n) }
  return interestRolls(deposit)
    ? { principal, interest, total, tax, net, paidOut: minor(0n), rolled: net }
    : { principal, interest, total, tax, net, paidOut: interest, rolled: principal }
}

/** Interest that is paid before maturity is not added to the principal, nor is that of its last period. */
function interestRolls({ instruction, method }: Deposit): boolean {
  return instruction === 'ROLL_OVER' && (method === 'AT_MATURITY' || method === 'COMPOUND')
}

/** What maturity will pay before tax, when the payments before it were made. */
export function expectedAtMaturity(deposit: Deposit, rules: RuleSet): Minor {
  const terms = termsOf(deposit, rules)
  return valueAtMaturity(paidUpTo(deposit, terms, deposit.maturityDate), rules, null).total
}

type Settled = Omit<Maturity, 'payments'>
type SettlingContext = {
  rules: RuleSet
  taxation: Taxation | null
  balance: bigint
  moment: Moment
  inForce: RulesInForce
  product: RenewingProduct | undefined
  taxationOn: (day: IsoDate) => Taxation | null
}

function payOut(
  deposit: Deposit,
  known: SettlingContext,
  rolloverRefused: RolloverRefusal | null = null,
): Settled | Unsettled {
  if (deposit.lien > 0n) return { depositId: deposit.depositId, code: 'deposit_under_lien' }
  const { at } = known.moment
  const value = valueAtMaturity(deposit, known.rules, known.taxation, 'MATURED')
  if (known.balance + value.paidOut > MINOR_MAX) {
    return { depositId: deposit.depositId, code: 'balance_limit_exceeded' }
  }
  const left = closed(deposit, { status: 'MATURED', ...known, at })
  return { ...value, deposit: left, successor: null, successorPayments: [], rolloverRefused, at }
}

function rollOver(deposit: Deposit, successorId: string, known: SettlingContext): Settled | Unsettled {
  const { inForce, product, moment, balance } = known
  const { at } = moment
  const value = valueAtMaturity(deposit, known.rules, known.taxation)
  const renewal = { depositId: successorId, principal: value.rolled, inForce, at }
  if (deposit.productCode !== null) {
    assert(product !== undefined, 'the product of a deposit exists')
    const renewed = renewByProduct(deposit, product, renewal)
    if ('refused' in renewed) return payOut(deposit, known, renewed.refused)
    return rolled(renewed.successor, (paid) =>
      renewed.terms.method === 'UPFRONT'
        ? payAtOpening(renewed.successor, { ...known, terms: renewed.terms, balance: paid })
        : null,
    )
  }
  const successor = successorOf(deposit, renewal)
  if (successor === null) return { depositId: deposit.depositId, code: 'maturity_value_out_of_range' }
  return rolled(successor, () => null)

  function rolled(
    successor: Deposit,
    pay: (balance: bigint) => BroughtForward<Deposit> | null,
  ): Settled | Unsettled {
    const paid = pay(balance + creditedAtMaturity(value))
    if (balance + value.paidOut > MINOR_MAX || paid?.blocked) {
      return { depositId: deposit.depositId, code: 'balance_limit_exceeded' }
    }
    const left = { ...closed(deposit, { status: 'ROLLED_OVER', ...known, at }), rolledOverTo: successorId }
    const opened = { successor: paid?.deposit ?? successor, successorPayments: paid?.payments ?? [] }
    return { ...value, deposit: left, ...opened, rolloverRefused: null, at }
  }
}

function closed(
  deposit: Deposit,
  how: { status: 'MATURED' | 'ROLLED_OVER'; taxation: Taxation | null; at: Date },
): Deposit {
  const { status, taxation, at } = how
  const maturityTaxed = taxation && taxedBy(taxation)
  const nothing = { remaining: minor(0n), lien: minor(0n), nextInterestDate: null }
  return { ...deposit, ...nothing, status, updatedAt: at, maturityTaxed }
}

function isDue(deposit: Deposit, { today }: Moment): boolean {
  return deposit.status === 'ACTIVE' && deposit.maturityDate <= today
}

function byMaturity(left: Deposit, right: Deposit): number {
  if (left.maturityDate !== right.maturityDate) return left.maturityDate < right.maturityDate ? -1 : 1
  return left.depositId < right.depositId ? -1 : 1
}

/** A successor that is settled immediately is inserted in its final state. */
export function depositsAfter(maturities: readonly Maturity[]): { opened: Deposit[]; settled: Deposit[] } {
  const opened = new Map<string, Deposit>()
  const settled: Deposit[] = []
  for (const { deposit, successor } of maturities) {
    if (opened.has(deposit.depositId)) opened.set(deposit.depositId, deposit)
    else settled.push(deposit)
    if (successor !== null) opened.set(successor.depositId, successor)
  }
  return { opened: [...opened.values()], settled }
}

/** A deposit and one that follows it. */
export type Succession = { from: string; to: string }

/** Each successor with the deposit that its chain began with in this transaction. */
export function successionsOf(maturities: readonly Maturity[]): Succession[] {
  const origins = new Map<string, string>()
  for (const { deposit, successor } of maturities) {
    if (successor === null) continue
    origins.set(successor.depositId, origins.get(deposit.depositId) ?? deposit.depositId)
  }
  return [...origins].map(([to, from]) => ({ from, to }))
}

/** Liens of a deposit move to the last of its successors, where some of those are settled immediately. */
export function lienMoves(maturities: readonly Maturity[]): Succession[] {
  const successors = new Map(
    maturities.flatMap(({ deposit, successor }) =>
      successor === null || successor.lien === 0n ? [] : [[deposit.depositId, successor.depositId] as const],
    ),
  )
  const opened = new Set(successors.values())
  return [...successors.keys()]
    .filter((depositId) => !opened.has(depositId))
    .map((from) => {
      let to = from
      for (let next = successors.get(to); next !== undefined; next = successors.get(to)) to = next
      return { from, to }
    })
}
