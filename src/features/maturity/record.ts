/** What subscribers are told when a deposit is settled at maturity: its record as it is afterwards, and the amounts. */
import type { IsoDate } from '../../domain/dates.ts'
import type { Deposit } from '../../domain/deposit.ts'
import type { Maturity } from '../../domain/maturity.ts'
import type { RuleSet } from '../../domain/rules.ts'
import { money } from '../../wire/envelope.ts'
import { depositData } from '../deposits/record.ts'

/** fixed_deposit.matured: the four figures and the account have the names they have in a liquidation. */
export function maturedData(maturity: Maturity, rules: RuleSet, today: IsoDate) {
  const { deposit, principal, interest, total } = maturity
  return {
    ...depositData(deposit, rules, today),
    principal_returned: money(principal),
    interest_paid: money(interest),
    penal_charge: money(0n),
    total_credited: money(total),
    credited_account: deposit.accountNumber,
  }
}

/** fixed_deposit.rolled_over: no other event tells of the successor, so its record as it was opened is part of this one. */
export function rolledOverData(
  maturity: Maturity & { successor: Deposit },
  rules: { deposit: RuleSet; successor: RuleSet },
  today: IsoDate,
) {
  const { deposit, principal, interest, successor } = maturity
  return {
    ...depositData(deposit, rules.deposit, today),
    principal_rolled_over: money(principal),
    interest_rolled_over: money(interest),
    successor: depositData(successor, rules.successor, today),
  }
}
