import { type Route, reply, route } from '../../route/route.ts'
import { orRefused } from '../../wire/failure.ts'
import { foresee } from '../liquidation/changes.ts'
import { OutlookQuery, OutlookRecord } from './record.ts'

export const outlookRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v2/fixed-deposits/:deposit_id/outlook',
    operationId: 'getOutlook',
    summary: 'Get what breaking a fixed deposit would pay on the days to come',
    tag: 'Liquidations',
    scope: 'fixed_deposits:read',
    query: OutlookQuery,
    success: { status: 200, data: OutlookRecord },
    refusals: [
      'deposit_not_found',
      'deposit_not_active',
      'partial_liquidation_not_allowed',
      'amount_not_whole',
      'amount_exceeds_principal',
      'amount_equals_principal',
      'amount_below_minimum',
      'remaining_below_minimum',
      'amount_under_lien',
      'deposit_under_lien',
      'balance_limit_exceeded',
    ],
    answer: async ({ service, book, params, query }) => {
      const foreseen = orRefused(await foresee(service, book, params.deposit_id!, query.amount ?? null))
      return reply('The outlook.', OutlookRecord.write(foreseen.outlook))
    },
  }),
]
