import { type Route, reply, route } from '../../wire/route.ts'
import { LiquidationReportQuery, LiquidationReportRecord } from './record.ts'
import { reportLiquidations } from './store.ts'

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
]
