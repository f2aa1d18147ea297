import { type Static, Type } from 'typebox'
import type { IsoDate } from '../../domain/dates.ts'
import { accruedInterest, type Deposit, expectedInterest, type OpeningRequest } from '../../domain/deposit.ts'
import type { RuleSet } from '../../domain/rules.ts'
import { money, percent, timestamp } from '../../wire/envelope.ts'
import { CalendarDate, Flag, Money, Percent, Text, WholeNumber } from '../../wire/fields.ts'

export const NewDeposit = Type.Object({
  account_number: Text({ min: 1, max: 64 }),
  amount: Money(),
  tenor: WholeNumber({ min: 1, max: 36_500 }),
  interest_rate: Percent({ min: 0, max: 100, exclusiveMin: true }),
  auto_rollover: Type.Optional(Flag()),
  start_date: Type.Optional(CalendarDate()),
})
export type NewDeposit = Static<typeof NewDeposit>

export function openingRequest(body: NewDeposit): Omit<OpeningRequest, 'depositId'> {
  return {
    accountNumber: body.account_number,
    amount: body.amount,
    tenorDays: body.tenor,
    annualRatePpm: body.interest_rate,
    autoRollover: body.auto_rollover ?? false,
    startDate: body.start_date ?? null,
  }
}

/** Expected and accrued interest are computed: they are those of what remains, at maturity and by the business date. */
export function depositData(deposit: Deposit, rules: RuleSet, today: IsoDate) {
  return {
    deposit_id: deposit.depositId,
    customer_id: deposit.customerId,
    account_number: deposit.accountNumber,
    status: deposit.status,
    currency: deposit.currency,
    principal: money(deposit.principal),
    remaining_principal: money(deposit.remaining),
    interest_rate: percent(deposit.annualRatePpm),
    tenor: deposit.tenorDays,
    start_date: deposit.startDate,
    maturity_date: deposit.maturityDate,
    expected_interest: money(expectedInterest(deposit.remaining, deposit, rules)),
    accrued_interest: money(accruedInterest(deposit, rules, today)),
    auto_rollover: deposit.autoRollover,
    rules_version: deposit.rulesVersion,
    created_at: timestamp(deposit.createdAt),
    updated_at: timestamp(deposit.updatedAt),
    liquidated_at: deposit.liquidatedAt === null ? null : timestamp(deposit.liquidatedAt),
    rolled_over_to: deposit.rolledOverTo,
    lien_amount: money(deposit.lien),
  }
}
