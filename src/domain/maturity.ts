/**
 * What becomes of deposits that are due: paid out to their account, or rolled over into a successor.
 * Guarantees: a deposit earns its full interest and is charged nothing; what it held is paid, or opens the successor, to
 * the cent; one that cannot be settled is left as it is and does not stop the others.
 */
import assert from 'node:assert/strict'
import { addDays } from './dates.ts'
import { accruedInterest, type Deposit, expectedInterest, type RulesInForce } from './deposit.ts'
import { openingPostings, type Posting, ROLLOVER_CLEARING, settlementPostings } from './ledger.ts'
import type { Moment } from './moment.ts'
import { MINOR_MAX, type Minor, minor } from './money.ts'
import { NO_REFERENCE } from './own-reference.ts'
import type { RuleSet } from './rules.ts'

export type Maturity = {
  /** As it is afterwards: MATURED or ROLLED_OVER, with nothing left in it. */
  deposit: Deposit
  principal: Minor
  interest: Minor
  total: Minor
  /** As it is opened, even if it is due already and settled next. */
  successor: Deposit | null
  at: Date
}

export type Unsettled = {
  depositId: string
  code: 'balance_limit_exceeded' | 'maturity_value_out_of_range' | 'deposit_under_lien'
}

/** What the locks protect. As many rollovers are decided as there are successor ids; the rest waits for a next time. */
export type KnownAtMaturity = {
  rules: ReadonlyMap<number, RuleSet>
  inForce: RulesInForce
  balances: ReadonlyMap<string, bigint>
  successorIds: readonly string[]
}

/** Oldest maturity first. A successor that is due already, as after an import of the past, is settled after all others. */
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
    const decided = deposit.autoRollover
      ? rollOver(deposit, { rules, inForce: known.inForce, successorId: successorIds[0]!, at: moment.at })
      : payOut(deposit, { rules, balance: balances.get(deposit.accountNumber), at: moment.at })
    if ('code' in decided) {
      unsettled.push(decided)
      continue
    }
    maturities.push(decided)
    const { accountNumber } = deposit
    if (decided.successor === null) balances.set(accountNumber, balances.get(accountNumber)! + decided.total)
    else {
      successorIds.shift()
      if (isDue(decided.successor, moment)) due.push(decided.successor)
    }
  }
  return { maturities, unsettled }
}

/** Two movements for a rollover: out of the old deposit and into its successor, each an entry of its own. */
export function maturityPostings(maturity: Maturity): { closing: Posting[]; opening: Posting[] | null } {
  const { deposit, successor } = maturity
  return {
    closing: settlementPostings({
      ...maturity,
      depositId: deposit.depositId,
      paidTo: successor === null ? deposit.accountNumber : ROLLOVER_CLEARING,
      penal: minor(0n),
      waived: minor(0n),
    }),
    opening: successor && openingPostings({ ...successor, fundedFrom: ROLLOVER_CLEARING }),
  }
}

/**
 * The terms go on; the principal is what the deposit was worth, and the rules are those in force now. null: it would be
 * worth more at its own maturity than the service keeps.
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
  }
}

/** What a deposit is worth at maturity: all that remains of its principal, and the interest of its whole term on that. */
export function valueAtMaturity(
  deposit: Deposit,
  rules: RuleSet,
): Pick<Maturity, 'principal' | 'interest' | 'total'> {
  const principal = deposit.remaining
  const interest = accruedInterest(deposit, rules, deposit.maturityDate)
  return { principal, interest, total: minor(principal + interest) }
}

function payOut(
  deposit: Deposit,
  known: { rules: RuleSet; balance: bigint | undefined; at: Date },
): Maturity | Unsettled {
  assert(known.balance !== undefined, 'the account a deposit pays to exists')
  if (deposit.lien > 0n) return { depositId: deposit.depositId, code: 'deposit_under_lien' }
  const value = valueAtMaturity(deposit, known.rules)
  if (known.balance + value.total > MINOR_MAX) {
    return { depositId: deposit.depositId, code: 'balance_limit_exceeded' }
  }
  return { ...value, deposit: closed(deposit, 'MATURED', known.at), successor: null, at: known.at }
}

function rollOver(
  deposit: Deposit,
  known: { rules: RuleSet; inForce: RulesInForce; successorId: string; at: Date },
): Maturity | Unsettled {
  const { inForce, successorId, at } = known
  const value = valueAtMaturity(deposit, known.rules)
  const successor = successorOf(deposit, { depositId: successorId, principal: value.total, inForce, at })
  if (successor === null) return { depositId: deposit.depositId, code: 'maturity_value_out_of_range' }
  const left = { ...closed(deposit, 'ROLLED_OVER', at), rolledOverTo: successorId }
  return { ...value, deposit: left, successor, at }
}

function closed(deposit: Deposit, status: 'MATURED' | 'ROLLED_OVER', at: Date): Deposit {
  return { ...deposit, status, remaining: minor(0n), lien: minor(0n), updatedAt: at }
}

function isDue(deposit: Deposit, { today }: Moment): boolean {
  return deposit.status === 'ACTIVE' && deposit.maturityDate <= today
}

function byMaturity(left: Deposit, right: Deposit): number {
  if (left.maturityDate !== right.maturityDate) return left.maturityDate < right.maturityDate ? -1 : 1
  return left.depositId < right.depositId ? -1 : 1
}
