import { type Static, Type } from 'typebox'
import type { IsoDate } from '../../domain/dates.ts'
import { type LiquidationGroup, REPORT_GROUPS, type ReportGroup } from '../../domain/report.ts'
import { beginsBeforeItEnds, dateRange } from '../../wire/date-range.ts'
import { Choice } from '../../wire/fields.ts'
import {
  count,
  currency,
  date,
  listOf,
  oneOf,
  orNull,
  record,
  sumOfAmounts,
  text,
} from '../../wire/record.ts'

const GROUP_BY =
  'What the figures are summed by; day if left out. No deposit has a product yet: product is one group.'

export const LiquidationReportQuery = Type.Object(
  {
    ...dateRange,
    group_by: Type.Optional(Choice(REPORT_GROUPS, { title: 'ReportGroup', description: GROUP_BY })),
  },
  { refine: beginsBeforeItEnds },
)
export type LiquidationReportQuery = Static<typeof LiquidationReportQuery>

const LiquidationGroupRecord = record<LiquidationGroup>('LiquidationGroup', {
  day: orNull(date).as('The business date, where figures are summed by day.', (group) => group.day),
  product: orNull(text).as('The product, or null.', (group) => group.product),
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
  recovered: sumOfAmounts.as('Charges taken from interest paid before.', (group) => group.recovered),
  tax: sumOfAmounts.as('Tax withheld.', (group) => group.tax),
  net: sumOfAmounts.as('What the accounts received.', (group) => group.net),
  reversed: sumOfAmounts.as(
    'Net amounts of liquidations that were taken back, on the date of the reversal.',
    (group) => group.reversed,
  ),
})

export type LiquidationReport = {
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
