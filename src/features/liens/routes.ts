import { ListQuery, listReply, type Route, reply, replyWith, route, success } from '../../route/route.ts'
import { found } from '../../wire/failure.ts'
import { depositNamed } from '../deposits/routes.ts'
import { placeLien, releaseLien } from './changes.ts'
import { LienRecord, LienRelease, lienFrom, NewLien } from './record.ts'
import { findLien, listLiens } from './store.ts'

export const lienRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v2/fixed-deposits/:deposit_id/liens',
    operationId: 'placeLien',
    summary: 'Hold a part of the principal of a fixed deposit',
    tag: 'Liens',
    scope: 'liens:write',
    body: NewLien,
    success: { status: 201, data: LienRecord },
    refusals: [
      'deposit_not_found',
      'deposit_not_active',
      'amount_not_whole',
      'lien_exceeds_principal',
      'too_many_liens',
      'approval_required',
    ],
    answer: ({ service, origin, params, body }) =>
      replyWith(
        placeLien(
          service,
          origin,
          lienFrom(params.deposit_id!, body),
          success(201, 'The lien was placed.', ({ lien }) => LienRecord.write(lien)),
        ),
      ),
  }),
  route({
    method: 'GET',
    path: '/v2/fixed-deposits/:deposit_id/liens',
    operationId: 'listLiens',
    summary: 'List the liens of a fixed deposit, newest first',
    tag: 'Liens',
    scope: 'liens:read',
    query: ListQuery,
    success: { status: 200, data: LienRecord, list: true },
    refusals: ['deposit_not_found'],
    answer: async (asked) => {
      const { service, book } = asked
      const { depositId } = await depositNamed(asked)
      return listReply(asked, {
        operationId: 'listLiens',
        message: 'The liens of the fixed deposit.',
        read: (page) => listLiens(service.db, book.bookId, { depositId }, page),
        show: LienRecord.write,
      })
    },
  }),
  route({
    method: 'GET',
    path: '/v2/liens/:lien_id',
    operationId: 'getLien',
    summary: 'Get a lien',
    tag: 'Liens',
    scope: 'liens:read',
    success: { status: 200, data: LienRecord },
    refusals: ['lien_not_found'],
    answer: async ({ service, book, params }) => {
      const lien = await findLien(service.db, book.bookId, params.lien_id!)
      return reply('The lien.', LienRecord.write(found(lien, 'lien_not_found')))
    },
  }),
  route({
    method: 'POST',
    path: '/v2/liens/:lien_id/release',
    operationId: 'releaseLien',
    summary: 'Release a lien, so that the principal it held can be withdrawn',
    tag: 'Liens',
    scope: 'liens:write',
    body: LienRelease,
    success: { status: 200, data: LienRecord },
    refusals: ['lien_not_found', 'lien_not_active', 'approval_required'],
    answer: ({ service, origin, params, body }) =>
      replyWith(
        releaseLien(
          service,
          origin,
          { lienId: params.lien_id!, reason: body.reason },
          success(200, 'The lien was released.', ({ lien }) => LienRecord.write(lien)),
        ),
      ),
  }),
]
