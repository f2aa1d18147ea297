import { Type } from 'typebox'
import { type IsoDate, isIsoDate } from '../../domain/dates.ts'
import { listReply, pageQuery, type Route, route } from '../../route/route.ts'
import type { Places } from '../../wire/cursor.ts'
import { depositNamed } from '../deposits/routes.ts'
import { InterestPaymentRecord } from './record.ts'
import { listPayments } from './store.ts'

/** No two payments of a deposit are for the same period. */
const places: Places<IsoDate> = {
  write: (date) => date,
  read: (text) => (isIsoDate(text) ? text : null),
}

export const interestPaymentRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v2/fixed-deposits/:deposit_id/interest-payments',
    operationId: 'listInterestPayments',
    summary: 'List the interest that a fixed deposit paid before maturity, newest first',
    tag: 'Fixed deposits',
    scope: 'fixed_deposits:read',
    query: Type.Object(pageQuery),
    success: { status: 200, data: InterestPaymentRecord, list: true },
    refusals: ['deposit_not_found'],
    answer: async (asked) => {
      const { service, book } = asked
      const deposit = await depositNamed(asked)
      return listReply(asked, {
        operationId: 'listInterestPayments',
        message: 'The interest payments.',
        places,
        read: (page) => listPayments(service.db, book.bookId, deposit.depositId, page),
        show: InterestPaymentRecord.write,
      })
    },
  }),
]
