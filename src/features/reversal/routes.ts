import { type Route, replyWith, route, success } from '../../route/route.ts'
import { reverseLiquidation } from './changes.ts'
import { NewReversal, ReversalRecord, reversalFrom } from './record.ts'

export const reversalRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v2/liquidations/:liquidation_id/reverse',
    operationId: 'reverseLiquidation',
    summary:
      'Take a mistaken liquidation back: opposite entries, and the deposit as if it had not been broken',
    tag: 'Liquidations',
    scope: 'liquidations:reverse',
    body: NewReversal,
    success: { status: 200, data: ReversalRecord },
    refusals: [
      'liquidation_not_found',
      'liquidation_already_reversed',
      'not_latest_movement',
      'reversal_window_closed',
      'insufficient_funds',
      'approval_required',
    ],
    answer: ({ service, origin, params, body }) =>
      replyWith(
        reverseLiquidation(
          service,
          origin,
          reversalFrom(params.liquidation_id!, body),
          success(200, 'The liquidation was reversed.', ReversalRecord.write),
        ),
      ),
  }),
]
