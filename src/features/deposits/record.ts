import { type Static, Type } from 'typebox'
import type { Approval } from '../../domain/approvals.ts'
import type { IsoDate } from '../../domain/dates.ts'
import {
  accruedInterest,
  agreedTenorOf,
  DEPOSIT_STATUSES,
  type Deposit,
  expectedInterest,
  MATURITY_INSTRUCTIONS,
  rollsOver,
} from '../../domain/deposit.ts'
import { RULES_SOURCES, type RuleSet, rulesSourceOf } from '../../domain/rules.ts'
import { type AgreedTenor, INTEREST_METHODS, INTEREST_PERIODS, TENOR_UNITS } from '../../domain/schedule.ts'
import { percent } from '../../wire/envelope.ts'
import { CalendarDate, Choice, Flag, Identifier, Money, Percent } from '../../wire/fields.ts'
import { ownFields, ownReference, ownReferenceFrom } from '../../wire/own-reference.ts'
import type { FieldError } from '../../wire/reader.ts'
import {
  accountNumber,
  actor,
  amount,
  approvalId,
  count,
  createdAt,
  currency,
  customerId,
  date,
  depositId,
  flag,
  instant,
  interestRate,
  kind,
  knownKind,
  listOf,
  type Members,
  maturityDate,
  oneOf,
  orNull,
  pinnedRules,
  productCode,
  record,
  remainingPrincipal,
  startDate,
  text,
  updatedAt,
} from '../../wire/record.ts'
import { refineWish, wishFields, wishFrom } from '../product-quotes/record.ts'

const TENOR = 'Days from start to maturity.'
const AUTO_ROLLOVER = 'Whether principal and interest open a successor at maturity; false if left out.'

const INSTRUCTION =
  'What becomes of the deposit at maturity; that of the product, or PAY_OUT without one, if left out.'

/** A deposit has its own terms, which need tenor and interest_rate, or those of a product. */
export const NewDeposit = Type.Object(
  {
    account_number: Identifier(accountNumber),
    amount: Money({ description: 'Principal, taken from the account.' }),
    product_code: Type.Optional(Identifier(productCode)),
    ...wishFields,
    auto_rollover: Type.Optional(Flag({ description: AUTO_ROLLOVER })),
    maturity_instruction: Type.Optional(
      Choice(MATURITY_INSTRUCTIONS, { title: 'MaturityInstruction', description: INSTRUCTION }),
    ),
    start_date: Type.Optional(
      CalendarDate({
        description:
          'Today or earlier; today if left out. An earlier day imports a deposit that began elsewhere.',
      }),
    ),
    expected_interest_rate: Type.Optional(
      Percent({
        min: 0,
        max: 100,
        exclusiveMin: true,
        description: 'The rate that the customer was shown: another one now is refused.',
      }),
    ),
    ...ownFields,
  },
  { refine: refineOpening },
)
export type NewDeposit = Static<typeof NewDeposit>

function refineOpening(body: Partial<NewDeposit>, sent: object): FieldError[] {
  const has = (name: keyof NewDeposit) => Object.hasOwn(sent, name)
  const required = (field: string, message: string): FieldError => ({ field, code: 'required', message })
  // Without a product the rate is no negotiated one, so it does not conflict with bonuses.
  const { interest_rate: _, ...withoutRate } = body
  return [
    ...refineWish(has('product_code') ? body : withoutRate, sent),
    ...(has('auto_rollover') && has('maturity_instruction')
      ? [
          {
            field: 'maturity_instruction',
            code: 'conflicting_field',
            message: 'Send one of auto_rollover and maturity_instruction.',
          } as const,
        ]
      : []),
    ...(!has('product_code') && (has('tenor_months') || has('bonuses'))
      ? [required('product_code', 'Send the product: only a product has tenors of months and bonuses.')]
      : []),
    ...(has('product_code') || has('interest_rate')
      ? []
      : [required('interest_rate', 'Send the rate, or a product that has one.')]),
  ]
}

export function openingRequest(body: NewDeposit) {
  const { auto_rollover: rollsOver, maturity_instruction: instruction, product_code: productCode } = body
  const said = instruction ?? (rollsOver === undefined ? null : rollsOver ? 'ROLL_OVER' : 'PAY_OUT')
  const shared = {
    accountNumber: body.account_number,
    amount: body.amount,
    startDate: body.start_date ?? null,
    expectedRatePpm: body.expected_interest_rate ?? null,
    ...ownReferenceFrom(body),
  }
  if (productCode !== undefined) return { ...shared, ...wishFrom(body), productCode, instruction: said }
  return {
    ...shared,
    tenorDays: body.tenor!,
    annualRatePpm: body.interest_rate!,
    instruction: said ?? 'PAY_OUT',
  }
}

/** A deposit with what is needed to show it: its pinned rules, the business date, and a pending approval. */
export type ShownDeposit = {
  deposit: Deposit
  rules: RuleSet
  today: IsoDate
  pending?: Pick<Approval, 'approvalId' | 'requestedBy'> | undefined
}

export const interestMethod = knownKind(
  'How interest is earned and paid.',
  oneOf('InterestMethod', INTEREST_METHODS),
)
export const interestEvery = oneOf('InterestPeriod', INTEREST_PERIODS)
export const maturityInstruction = knownKind(
  'What becomes of the deposit at maturity. ROLL_OVER_PRINCIPAL pays the interest to the account.',
  oneOf('MaturityInstruction', MATURITY_INSTRUCTIONS),
)

export const productVersion = knownKind(
  'The version of its product that a deposit keeps for life, or null.',
  orNull(count),
)
export const rateSheet = knownKind(
  'The number of the rate sheet in force at the start, or null.',
  orNull(count),
)

export const rulesSource = knownKind(
  "Whether the caller's rules of that version count, or those of the product.",
  oneOf('RulesSource', RULES_SOURCES),
)

/** Percentage points, from parts per million; a bonus may be negative. */
const points = kind<number>(Type.Number({ format: 'double', minimum: -100, maximum: 100 }), percent)

const AgreedTenorRecord = record<AgreedTenor>('AgreedTenor', {
  unit: oneOf('TenorUnit', TENOR_UNITS).as('Days or months.', ({ unit }) => unit),
  count: count.as('How many of them.', (tenor) => tenor.count),
})

export const agreedTenor = knownKind(
  'The tenor as it was agreed. A holiday may have moved the maturity beyond it.',
  AgreedTenorRecord,
)

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
    ({ deposit, rules }) => expectedInterest(deposit, rules),
  ),
  accrued_interest: amount.as(
    'Interest earned by the remaining principal up to today.',
    ({ deposit, rules, today }) => accruedInterest(deposit, rules, today),
  ),
  auto_rollover: flag.as(AUTO_ROLLOVER, ({ deposit }) => rollsOver(deposit)),
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
  product_code: orNull(text).as(
    'The product that the deposit was opened by, or null.',
    ({ deposit }) => deposit.productCode,
  ),
  product_version: productVersion.of(({ deposit }) => deposit.productVersion),
  rate_sheet: rateSheet.of(({ deposit }) => deposit.rateSheet),
  bonuses: orNull(listOf(text)).as('The codes of its bonuses, or null without a product.', ({ deposit }) =>
    deposit.productCode === null ? null : deposit.bonusCodes,
  ),
  bonus: orNull(points).as('Their points together, part of the interest rate, or null.', ({ deposit }) =>
    deposit.productCode === null ? null : deposit.bonusPpm,
  ),
  rules_source: rulesSource.of(({ rules }) => rulesSourceOf(rules)),
  agreed_tenor: agreedTenor.of(({ deposit }) => agreedTenorOf(deposit)),
  interest_method: interestMethod.of(({ deposit }) => deposit.method),
  interest_every: orNull(interestEvery).as(
    'How often interest is compounded or paid, or null.',
    ({ deposit }) => deposit.every,
  ),
  recover_paid_interest: flag.as(
    'Whether a penal charge also takes back interest that was paid before.',
    ({ deposit }) => deposit.recoverPaidInterest,
  ),
  interest_paid_out: amount.as(
    'Interest that was paid before maturity, on what remains.',
    ({ deposit }) => deposit.paid,
  ),
  interest_paid_to: orNull(date).as(
    'The day up to which interest was paid, where it is paid before maturity, or null.',
    ({ deposit }) => (deposit.status === 'ACTIVE' ? deposit.paidTo : null),
  ),
  next_interest_date: orNull(date).as(
    'The day of the next payment, the maturity for the last one, or null.',
    ({ deposit }) => deposit.nextInterestDate,
  ),
  maturity_instruction: maturityInstruction.of(({ deposit }) => deposit.instruction),
  rollovers: count.as(
    'How often it has rolled over, with the deposits before it.',
    ({ deposit }) => deposit.rollovers,
  ),
}

export const DepositRecord = record('FixedDeposit', depositMembers)

/** What subscribers can receive. */
export const depositEvents = {
  'fixed_deposit.created': DepositRecord,
}
