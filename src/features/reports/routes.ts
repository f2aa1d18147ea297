import { openCashFlow } from '../../domain/cash-flow.ts'
import { openTaxReport, TAX_GROUPS_MAX } from '../../domain/report.ts'
import { timeSpan } from '../../engine/database/time-span.ts'
import { type Route, reply, route } from '../../route/route.ts'
import { FailureError } from '../../wire/failure.ts'
import { readRulesOf } from '../products/changes.ts'
import {
  CashFlowQuery,
  CashFlowRecord,
  LiquidationReportQuery,
  LiquidationReportRecord,
  TaxReportQuery,
  TaxReportRecord,
} from './record.ts'
import { readMaturing, readPaying, readTaxedMovements, reportLiquidations } from './store.ts'

export const reportRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v2/reports/liquidations',
    operationId: 'reportLiquidations',
    summary: 'Sum the liquidations of a span of business dates',
    tag: 'Reports',
    scope: 'reports:read',
    query: LiquidationReportQuery,
    success: { status: 200, data: LiquidationReportRecord },
    answer: async ({ service, book, query }) => {
      const { from, to, group_by: groupBy = 'day' } = query
      const groups = await reportLiquidations(service.db, book, { from, to, groupBy })
      return reply('The report.', LiquidationReportRecord.write({ from, to, groupBy, groups }))
    },
  }),
  route({
    method: 'GET',
    path: '/v2/reports/tax',
    operationId: 'reportTax',
    summary: 'Sum interest and withheld tax of a span of business dates by customer and class',
    tag: 'Reports',
    scope: 'reports:read',
    query: TaxReportQuery,
    success: { status: 200, data: TaxReportRecord },
    answer: async ({ service, book, query }) => {
      const report = openTaxReport()
      for await (const page of readTaxedMovements(service.db, book.bookId, timeSpan(book, query))) {
        if (page.every(report.add)) continue
        const message = `Send a shorter span, or use the export: a report has at most ${TAX_GROUPS_MAX} groups.`
        const fields = [{ field: 'to', code: 'out_of_range', message } as const]
        throw new FailureError({ code: 'invalid_request', fields })
      }
      return reply('The report.', TaxReportRecord.write({ ...query, groups: report.close() }))
    },
  }),
  route({
    method: 'GET',
    path: '/v2/reports/cash-flow',
    operationId: 'reportCashFlow',
    summary:
      'Sum the principal and interest that fall due in a span of business dates by day and instruction',
    tag: 'Reports',
    scope: 'reports:read',
    query: CashFlowQuery,
    success: { status: 200, data: CashFlowRecord },
    answer: async ({ service, book, query }) => {
      const { db, versions } = service
      const flow = openCashFlow(query)
      for await (const page of readMaturing(db, book.bookId, query)) {
        const rulesOf = await readRulesOf(db, versions, book.bookId, page)
        for (const deposit of page) flow.addMaturity(deposit, rulesOf(deposit))
      }
      for await (const page of readPaying(db, book.bookId, { to: query.to })) {
        const rulesOf = await readRulesOf(db, versions, book.bookId, page)
        for (const deposit of page) flow.addPayments(deposit, rulesOf(deposit))
      }
      return reply('The report.', CashFlowRecord.write({ ...query, days: flow.close() }))
    },
  }),
]
