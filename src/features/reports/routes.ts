import { businessDate } from '../../domain/dates.ts'
import { openLiquidationReport } from '../../domain/report.ts'
import { timeSpan } from '../../engine/database/time-span.ts'
import { type Route, reply, route } from '../../wire/route.ts'
import { LiquidationReportQuery, LiquidationReportRecord } from './record.ts'
import { readLiquidations, readReversed } from './store.ts'

export const reportRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v2/reports/liquidations',
    operationId: 'reportLiquidations',
    summary: 'Sum the liquidations of a span of business dates',
    tag: 'Reports',
    scope: 'reports:read',
    body: null,
    query: LiquidationReportQuery,
    success: { status: 200, data: LiquidationReportRecord },
    refusals: [],
    answer: async ({ service, book, query }) => {
      const { from, to, group_by: groupBy = 'day' } = query
      const span = timeSpan(book, { from, to })
      const report = openLiquidationReport(groupBy)
      for await (const page of readLiquidations(service.db, book.bookId, { from, to }))
        page.forEach(report.add)
      for await (const page of readReversed(service.db, book.bookId, span)) {
        for (const one of page) report.addReversed(one, businessDate(one.reversedAt!, book.timeZone))
      }
      const groups = report.close()
      return reply('The report.', LiquidationReportRecord.write({ from, to, groupBy, groups }))
    },
  }),
]
