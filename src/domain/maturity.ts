/**
 * What happens to due deposits: paid out to their account, or rolled over into a successor.
 *
 * Guarantees: a deposit earns its full interest and is charged nothing; its value is paid, or opens the successor, to
 * the cent; a deposit that cannot be settled is left unchanged and does not block the others.
 */
import assert from 'node:assert/strict'
import { addDays, type IsoDate } from './dates.ts'
import { accruedInterest, type Deposit, expectedInterest, type RulesInForce } from './deposit.ts'
import {
  type Movement,
  openingPostings,
  type Posting,
  ROLLOVER_CLEARING,
  settlementPostings,
  taxMovements,
} from './ledger.ts'
import type { Moment } from './moment.ts'
import { MINOR_MAX, type Minor, minor } from './money.ts'
import { NO_REFERENCE } from './own-reference.ts'
import type { RuleSet } from './rules.ts'
import { type Taxation, type TaxStatus, type TaxVersion, taxationOf, taxedBy, withholdingTax } from './tax.ts'

export type Maturity = {
  /** The final state: MATURED or ROLLED_OVER, with nothing left in it. */
  deposit: Deposit
  principal: Minor
  interest: Minor
  total: Minor
  /** Withheld from the total; the rest is paid, or opens the successor. */
  tax: Minor
  net: Minor
  /** As opened, even if it is already due and settled next. */
  successor: Deposit | null
  at: Date
}

export type Unsettled = {
  depositId: string
  code: 'balance_limit_exceeded' | 'maturity_value_out_of_range' | 'deposit_under_lien'
}

/**
 * What the locks protect. As many rollovers are decided as there are successor ids; the rest is left for the next run.
 */
export type KnownAtMaturity = {
  rules: ReadonlyMap<number, RuleSet>
  inForce: RulesInForce
  balances: ReadonlyMap<string, bigint>
  successorIds: readonly string[]
  taxVersions: readonly TaxVersion[]
  /** Of the accounts. */
  taxStatuses: ReadonlyMap<string, TaxStatus>
  /** The day from which a test clock was moved: each day in between has its own tax rules. */
  movedFrom: IsoDate | null
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
    if (deposit.autoRollover && successorIds.length === 0) continue
    const rules = known.rules.get(deposit.rulesVersion)
    assert(rules !== undefined, 'the rules a deposit is pinned to exist')
    const status = known.taxStatuses.get(deposit.accountNumber) ?? { taxClass: null, taxValidUntil: null }
    const taxation = taxationOf(known.taxVersions, status, paidOn(deposit, known, moment))
    const { at } = moment
    const decided = deposit.autoRollover
      ? rollOver(deposit, { rules, inForce: known.inForce, taxation, successorId: successorIds[0]!, at })
      : payOut(deposit, { rules, taxation, balance: balances.get(deposit.accountNumber), at })
    if ('code' in decided) {
      unsettled.push(decided)
      continue
    }
    maturities.push(decided)
    const { accountNumber } = deposit
    if (decided.successor === null) balances.set(accountNumber, balances.get(accountNumber)! + decided.net)
    else {
      successorIds.shift()
      if (isDue(decided.successor, moment)) due.push(decided.successor)
    }
  }
  return { maturities, unsettled }
}

/** For a rollover out of the old deposit and into its successor: each movement is a separate entry. */
export function maturityMovements(maturity: Maturity): { closing: Movement[]; opening: Posting[] | null } {
  const { deposit, successor, tax } = maturity
  const paidTo = successor === null ? deposit.accountNumber : ROLLOVER_CLEARING
  const uncharged = { penal: minor(0n), waived: minor(0n) }
  const { depositId } = deposit
  const postings = settlementPostings({ ...maturity, ...uncharged, depositId, paidTo })
  return {
    closing: [{ kind: 'MATURITY', postings }, ...taxMovements({ takenFrom: paidTo, tax })],
    opening: successor && openingPostings({ ...successor, fundedFrom: ROLLOVER_CLEARING }),
  }
}

/**
 * The terms stay the same; the principal is the value of the deposit, and the rules are those in force now. null: its
 * value at its own maturity would exceed the largest amount the service supports.
 */
export function successorOf(
  deposit: Deposit,
  opened: { depositId: string; principal: Minor; inForce: RulesInForce; at: Date },
): Deposit | null {
  const { depositId, principal, inForce, at } = opened
  const startDate = deposit.maturityDate
  const terms = { ...deposit, startDate, maturityDate: addDays(startDate, deposit.tenorDays) }
  const expected = expectedInterest(principal, terms, inForce.rules)
  if (principal + expected > MINOR_MAX) return null
  return {
    ...terms,
    depositId,
    status: 'ACTIVE',
    principal,
    remaining: principal,
    expectedInterest: minor(expected),
    rolledOverTo: null,
    rulesVersion: inForce.version,
    createdAt: at,
    updatedAt: at,
    liquidatedAt: null,
    lastBroken: null,
    ...NO_REFERENCE,
    maturityTaxed: null,
  }
}

/** The value of a deposit at maturity: its remaining principal, and the interest of its whole term on that. */
export function valueAtMaturity(
  deposit: Deposit,
  rules: RuleSet,
  taxation: Taxation | null,
): Pick<Maturity, 'principal' | 'interest' | 'total' | 'tax' | 'net'> {
  const principal = deposit.remaining
  const interest = accruedInterest(deposit, rules, deposit.maturityDate)
  const total = minor(principal + interest)
  const tax = withholdingTax(taxation, { interest, penal: 0n, total })
  return { principal, interest, total, tax, net: minor(total - tax) }
}

/** Today, or, where a test clock passed the maturity, the day on which it would have been paid. */
function paidOn(deposit: Deposit, { movedFrom }: KnownAtMaturity, { today }: Moment): IsoDate {
  if (movedFrom === null) return today
  return deposit.maturityDate > movedFrom ? deposit.maturityDate : movedFrom
}

function payOut(
  deposit: Deposit,
  known: { rules: RuleSet; taxation: Taxation | null; balance: bigint | undefined; at: Date },
): Maturity | Unsettled {
  assert(known.balance !== undefined, 'the account a deposit pays to exists')
  if (deposit.lien > 0n) return { depositId: deposit.depositId, code: 'deposit_under_lien' }
  const { at } = known
  const value = valueAtMaturity(deposit, known.rules, known.taxation)
  if (known.balance + value.total > MINOR_MAX) {
    return { depositId: deposit.depositId, code: 'balance_limit_exceeded' }
  }
  return { ...value, deposit: closed(deposit, { status: 'MATURED', ...known }), successor: null, at }
}

function rollOver(
  deposit: Deposit,
  known: {
    rules: RuleSet
    inForce: RulesInForce
    taxation: Taxation | null
    successorId: string
    at: Date
  },
): Maturity | Unsettled {
  const { inForce, successorId, at } = known
  const value = valueAtMaturity(deposit, known.rules, known.taxation)
  const successor = successorOf(deposit, { depositId: successorId, principal: value.net, inForce, at })
  if (successor === null) return { depositId: deposit.depositId, code: 'maturity_value_out_of_range' }
  const left = { ...closed(deposit, { status: 'ROLLED_OVER', ...known }), rolledOverTo: successorId }
  return { ...value, deposit: left, successor, at }
}

function closed(
  deposit: Deposit,
  how: { status: 'MATURED' | 'ROLLED_OVER'; taxation: Taxation | null; at: Date },
): Deposit {
  const { status, taxation, at } = how
  const maturityTaxed = taxation && taxedBy(taxation)
  return { ...deposit, status, remaining: minor(0n), lien: minor(0n), updatedAt: at, maturityTaxed }
}

function isDue(deposit: Deposit, { today }: Moment): boolean {
  return deposit.status === 'ACTIVE' && deposit.maturityDate <= today
}

function byMaturity(left: Deposit, right: Deposit): number {
  if (left.maturityDate !== right.maturityDate) return left.maturityDate < right.maturityDate ? -1 : 1
  return left.depositId < right.depositId ? -1 : 1
}
