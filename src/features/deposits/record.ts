import { type Static, Type } from 'typebox'
import type { Approval } from '../../domain/approvals.ts'
import type { IsoDate } from '../../domain/dates.ts'
import {
  accruedInterest,
  DEPOSIT_STATUSES,
  type Deposit,
  expectedInterest,
  type OpeningRequest,
} from '../../domain/deposit.ts'
import type { RuleSet } from '../../domain/rules.ts'
import { CalendarDate, Flag, Identifier, Money, Percent, WholeNumber } from '../../wire/fields.ts'
import { ownFields, ownReference, ownReferenceFrom } from '../../wire/own-reference.ts'
import {
  accountNumber,
  actor,
  amount,
  approvalId,
  count,
  createdAt,
  currency,
  customerId,
  depositId,
  flag,
  instant,
  interestRate,
  type Members,
  maturityDate,
  oneOf,
  orNull,
  pinnedRules,
  record,
  remainingPrincipal,
  startDate,
  updatedAt,
} from '../../wire/record.ts'

const TENOR = 'Days from start to maturity.'
const AUTO_ROLLOVER = 'Whether principal and interest open a successor at maturity; false if left out.'

export const NewDeposit = Type.Object({
  account_number: Identifier(accountNumber),
  amount: Money({ description: 'Principal, taken from the account.' }),
  tenor: WholeNumber({ min: 1, max: 36_500, description: TENOR }),
  interest_rate: Percent({ min: 0, max: 100, exclusiveMin: true, description: interestRate.description }),
  auto_rollover: Type.Optional(Flag({ description: AUTO_ROLLOVER })),
  start_date: Type.Optional(
    CalendarDate({
      description:
        'Today or earlier; today if left out. An earlier day imports a deposit that began elsewhere.',
    }),
  ),
  ...ownFields,
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
    ...ownReferenceFrom(body),
  }
}

/** A deposit with what is needed to show it: its pinned rules, the business date, and a pending approval. */
export type ShownDeposit = {
  deposit: Deposit
  rules: RuleSet
  today: IsoDate
  pending?: Pick<Approval, 'approvalId' | 'requestedBy'> | undefined
}

export const depositStatus = oneOf('DepositStatus', DEPOSIT_STATUSES)

/** Expected and accrued interest are computed for the remaining principal, at maturity and by the business date. */
export const depositMembers: Members<ShownDeposit> = {
  deposit_id: depositId.of(({ deposit }) => deposit.depositId),
  customer_id: customerId.of(({ deposit }) => deposit.customerId),
  account_number: accountNumber.of(({ deposit }) => deposit.accountNumber),
  status: depositStatus.as(
    'ACTIVE until it is broken whole, paid out at maturity or rolled over.',
    ({ deposit }) => deposit.status,
  ),
  currency: currency.of(({ deposit }) => deposit.currency),
  principal: amount.as('Principal at the opening.', ({ deposit }) => deposit.principal),
  remaining_principal: remainingPrincipal.of(({ deposit }) => deposit.remaining),
  interest_rate: interestRate.of(({ deposit }) => deposit.annualRatePpm),
  tenor: count.as(TENOR, ({ deposit }) => deposit.tenorDays),
  start_date: startDate.of(({ deposit }) => deposit.startDate),
  maturity_date: maturityDate.of(({ deposit }) => deposit.maturityDate),
  expected_interest: amount.as(
    'Interest of the whole term on the remaining principal.',
    ({ deposit, rules }) => expectedInterest(deposit.remaining, deposit, rules),
  ),
  accrued_interest: amount.as(
    'Interest earned by the remaining principal up to today.',
    ({ deposit, rules, today }) => accruedInterest(deposit, rules, today),
  ),
  auto_rollover: flag.as(AUTO_ROLLOVER, ({ deposit }) => deposit.autoRollover),
  rules_version: pinnedRules.of(({ deposit }) => deposit.rulesVersion),
  created_at: createdAt.of(({ deposit }) => deposit.createdAt),
  updated_at: updatedAt.of(({ deposit }) => deposit.updatedAt),
  liquidated_at: orNull(instant).as(
    'Time of the liquidation that broke the deposit whole, or null.',
    ({ deposit }) => deposit.liquidatedAt,
  ),
  rolled_over_to: orNull(depositId).as(
    'The deposit that succeeded this one, or null.',
    ({ deposit }) => deposit.rolledOverTo,
  ),
  lien_amount: amount.as(
    'Sum of the active liens: principal that cannot be withdrawn.',
    ({ deposit }) => deposit.lien,
  ),
  pending_approval_id: orNull(approvalId).as(
    'The approval that an operation on this deposit waits for, or null.',
    ({ pending }) => pending?.approvalId ?? null,
  ),
  pending_approval_requested_by: orNull(actor).as(
    'Who requested it, or null.',
    ({ pending }) => pending?.requestedBy ?? null,
  ),
  ...ownReference(({ deposit }) => deposit),
}

export const DepositRecord = record('FixedDeposit', depositMembers)

/** What subscribers can receive. */
export const depositEvents = {
  'fixed_deposit.created': DepositRecord,
}
