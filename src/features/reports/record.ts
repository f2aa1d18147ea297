import { Type } from 'typebox'
import type { DueMoney } from '../../domain/cash-flow.ts'
import type { IsoDate } from '../../domain/dates.ts'
import { MATURITY_INSTRUCTIONS } from '../../domain/deposit.ts'
import {
  type LiquidationGroup,
  REPORT_GROUPS,
  type ReportGroup,
  type TaxedMovement,
  type TaxGroup,
} from '../../domain/report.ts'
import { beginsBeforeItEnds, dateRange, hasAtMostDays } from '../../wire/date-range.ts'
import { Choice } from '../../wire/fields.ts'
import {
  count,
  currency,
  customerId,
  date,
  depositId,
  entryId,
  liquidationId,
  listOf,
  oneOf,
  orNull,
  rate,
  record,
  signedAmount,
  sumOfAmounts,
  text,
} from '../../wire/record.ts'

const GROUP_BY = 'What the figures are summed by; day if left out.'

export const LiquidationReportQuery = Type.Object(
  {
    ...dateRange,
    group_by: Type.Optional(Choice(REPORT_GROUPS, { title: 'ReportGroup', description: GROUP_BY })),
  },
  { refine: beginsBeforeItEnds },
)

const LiquidationGroupRecord = record<LiquidationGroup>('LiquidationGroup', {
  day: orNull(date).as('The business date, where figures are summed by day.', (group) => group.day),
  product: orNull(text).as(
    'The code of the product, where figures are summed by it; null: without product.',
    (group) => group.product,
  ),
  waiver_reason: orNull(text).as(
    'The reason of the waiver, where figures are summed by it; null: without waiver.',
    (group) => group.waiverReason,
  ),
  currency: currency.of((group) => group.currency),
  full: count.as('Liquidations of type FULL.', (group) => group.full),
  partial: count.as('Liquidations of type PARTIAL.', (group) => group.partial),
  principal: sumOfAmounts.as('Principal returned.', (group) => group.principal),
  interest: sumOfAmounts.as('Interest paid.', (group) => group.interest),
  assessed: sumOfAmounts.as('Charges that the rules gave.', (group) => group.assessed),
  waived: sumOfAmounts.as('What was waived of them.', (group) => group.waived),
  charge: sumOfAmounts.as('What was charged.', (group) => group.charge),
  recovered: sumOfAmounts.as(
    'Interest paid before that went back: what was unearned, and charges taken from it.',
    (group) => group.recovered,
  ),
  tax: sumOfAmounts.as('Tax withheld, less tax returned.', (group) => group.tax),
  net: sumOfAmounts.as('What the accounts received.', (group) => group.net),
  reversed: sumOfAmounts.as(
    'Net amounts of liquidations that were taken back, on the date of the reversal.',
    (group) => group.reversed,
  ),
})

type LiquidationReport = {
  from: IsoDate
  to: IsoDate
  groupBy: ReportGroup
  groups: readonly LiquidationGroup[]
}

export const LiquidationReportRecord = record<LiquidationReport>('LiquidationReport', {
  from: date.as('The first business date.', (report) => report.from),
  to: date.as('The last business date.', (report) => report.to),
  group_by: oneOf('ReportGroup', REPORT_GROUPS).as(
    'What the figures are summed by.',
    ({ groupBy }) => groupBy,
  ),
  groups: listOf(LiquidationGroupRecord).as(
    'One for each group and currency in which there was something.',
    (report) => report.groups,
  ),
})

export const TaxReportQuery = Type.Object(dateRange, { refine: beginsBeforeItEnds })

const TAX_CLASS = 'The class that counted when the interest was paid.'
const TAX_REFERENCE = "The customer's number at the tax office, as it is now, or null."

const TaxGroupRecord = record<TaxGroup>('TaxGroup', {
  customer_id: customerId.of((group) => group.customerId),
  tax_reference: orNull(text).as(TAX_REFERENCE, (group) => group.taxReference),
  tax_class: text.as(TAX_CLASS, (group) => group.taxClass),
  currency: currency.of((group) => group.currency),
  interest: sumOfAmounts.as('Interest paid, less what was taken back.', (group) => group.interest),
  charge: sumOfAmounts.as('Penal charges deducted from it.', (group) => group.charge),
  tax: sumOfAmounts.as('Tax withheld, less what was given back.', (group) => group.tax),
})

type TaxReport = { from: IsoDate; to: IsoDate; groups: readonly TaxGroup[] }

export const TaxReportRecord = record<TaxReport>('TaxReport', {
  from: date.as('The first business date.', (report) => report.from),
  to: date.as('The last business date.', (report) => report.to),
  groups: listOf(TaxGroupRecord).as('One for each customer, class and currency.', (report) => report.groups),
})

const CASH_FLOW_DAYS_MAX = 366

export const CashFlowQuery = Type.Object(dateRange, { refine: hasAtMostDays(CASH_FLOW_DAYS_MAX) })

const DueMoneyRecord = record<DueMoney>('DueMoney', {
  date: date.as('The business date on which it falls due.', (due) => due.on),
  maturity_instruction: orNull(oneOf('MaturityInstruction', MATURITY_INSTRUCTIONS)).as(
    'What becomes of it; null: interest that is paid before maturity.',
    (due) => due.instruction,
  ),
  currency: currency.of((due) => due.currency),
  deposits: count.as('How many deposits.', (due) => due.deposits),
  principal: sumOfAmounts.as('Remaining principal that matures.', (due) => due.principal),
  interest: sumOfAmounts.as('Interest that is paid or rolled over, before tax.', (due) => due.interest),
})

type CashFlow = { from: IsoDate; to: IsoDate; days: readonly DueMoney[] }

export const CashFlowRecord = record<CashFlow>('CashFlow', {
  from: date.as('The first business date.', (report) => report.from),
  to: date.as('The last business date.', (report) => report.to),
  days: listOf(DueMoneyRecord).as(
    'One for each day, instruction and currency on which something falls due, in order; if nothing is broken until then.',
    (report) => report.days,
  ),
})

/** A taxed movement in an export. */
export const TaxedMovementRecord = record<{ movement: TaxedMovement; on: IsoDate }>('TaxedMovement', {
  entry_id: entryId.as(
    'The entry that paid the interest, or took it back.',
    ({ movement }) => movement.entryId,
  ),
  business_date: date.as('When the interest was paid, or taken back.', ({ on }) => on),
  customer_id: customerId.of(({ movement }) => movement.customerId),
  tax_reference: orNull(text).as(TAX_REFERENCE, ({ movement }) => movement.taxReference),
  deposit_id: depositId.of(({ movement }) => movement.depositId),
  liquidation_id: orNull(liquidationId).as(
    'Its liquidation; null for payments of interest and at maturity.',
    (one) => one.movement.liquidationId,
  ),
  currency: currency.of(({ movement }) => movement.currency),
  interest: signedAmount.as(
    'Interest paid; negative where it was taken back.',
    (one) => one.movement.interest,
  ),
  charge: signedAmount.as('Penal charge deducted from it.', ({ movement }) => movement.charge),
  tax_class: text.as(TAX_CLASS, ({ movement }) => movement.taxed.taxClass),
  tax_rate: rate.as('Percent that was withheld.', ({ movement }) => movement.taxed.ratePpm),
  tax_rules_version: count.as('Version of the tax rules.', ({ movement }) => movement.taxed.version),
  tax: signedAmount.as('Tax withheld; negative where it was given back.', ({ movement }) => movement.tax),
})
