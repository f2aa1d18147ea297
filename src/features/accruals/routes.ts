import { Type } from 'typebox'
import { accrualOf } from '../../domain/accrual.ts'
import { addDays } from '../../domain/dates.ts'
import { exportReply, type Route, route } from '../../route/route.ts'
import { FailureError } from '../../wire/failure.ts'
import { CalendarDate } from '../../wire/fields.ts'
import { columnsOf } from '../exports/record.ts'
import { readRulesOf } from '../products/changes.ts'
import { AccrualRecord } from './record.ts'
import { readClosed } from './store.ts'

const AccrualsQuery = Type.Object({
  date: CalendarDate({ description: 'A business date that is closed: yesterday or earlier.' }),
})

export const accrualRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v2/reports/accruals',
    operationId: 'reportAccruals',
    summary:
      'Interest earned and not paid, and paid and not earned, of each deposit at the close of a business date',
    tag: 'Reports',
    scope: 'reports:read',
    query: AccrualsQuery,
    success: { status: 200, data: AccrualRecord, file: true },
    answer: async (asked) => {
      const { service, book, query } = asked
      const { date } = query
      const { today } = await service.momentIn(book)
      if (date >= today) {
        const message = `Send a day up to ${addDays(today, -1)}: later ones are not closed.`
        throw new FailureError({
          code: 'invalid_request',
          fields: [{ field: 'date', code: 'out_of_range', message }],
        })
      }
      async function* pages() {
        for await (const page of readClosed(service.db, book, date)) {
          const rulesOf = await readRulesOf(service.db, service.versions, book.bookId, page)
          yield page.map((deposit) =>
            AccrualRecord.write({ deposit, accrual: accrualOf(deposit, rulesOf(deposit), date) }),
          )
        }
      }
      return exportReply(asked, {
        name: `accruals-${date}`,
        pages: pages(),
        columns: columnsOf(AccrualRecord),
      })
    },
  }),
]
