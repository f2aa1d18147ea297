import { type Route, reply, replyWith, route, success } from '../../route/route.ts'
import { depositNamed } from '../deposits/routes.ts'
import { putParties } from './changes.ts'
import { PartiesBody, PartiesRecord, partiesFrom } from './record.ts'
import { findNamedParties } from './store.ts'

export const partyRoutes: Route[] = [
  route({
    method: 'PUT',
    path: '/v2/fixed-deposits/:deposit_id/parties',
    operationId: 'putParties',
    summary: 'Record who else a fixed deposit belongs to',
    tag: 'Fixed deposits',
    scope: 'fixed_deposits:write',
    body: PartiesBody,
    success: { status: 200, data: PartiesRecord },
    refusals: ['deposit_not_found', 'customer_not_found', 'party_is_holder'],
    answer: ({ service, origin, params, body }) =>
      replyWith(
        putParties(
          service,
          origin,
          partiesFrom(params.deposit_id!, body),
          success(200, 'The parties were recorded.', PartiesRecord.write),
        ),
      ),
  }),
  route({
    method: 'GET',
    path: '/v2/fixed-deposits/:deposit_id/parties',
    operationId: 'getParties',
    summary: 'Get who else a fixed deposit belongs to',
    tag: 'Fixed deposits',
    scope: 'fixed_deposits:read',
    success: { status: 200, data: PartiesRecord },
    refusals: ['deposit_not_found'],
    answer: async (asked) => {
      const { service, book } = asked
      const { depositId } = await depositNamed(asked)
      return reply(
        'The parties.',
        PartiesRecord.write(await findNamedParties(service.db, book.bookId, depositId)),
      )
    },
  }),
]
