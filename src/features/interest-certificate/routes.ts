import { openInterestCertificate } from '../../domain/interest-certificate.ts'
import { holderOf } from '../../domain/letterhead.ts'
import { timeSpan } from '../../engine/database/time-span.ts'
import { letterPage } from '../../page/letter.ts'
import { documentReply, type Route, route } from '../../route/route.ts'
import { found } from '../../wire/failure.ts'
import { wordsFor } from '../../words/words.ts'
import { findCallerName } from '../callers/store.ts'
import { findCustomer } from '../customers/store.ts'
import { findLastSeal } from '../seals/store.ts'
import { interestLetter } from './letter.ts'
import { InterestCertificateQuery, InterestCertificateRecord } from './record.ts'
import { readInterestEntries } from './store.ts'
import { interestCertificateWords } from './words.ts'

export const interestCertificateRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v2/customer/:customer_id/interest-certificate',
    operationId: 'getInterestCertificate',
    summary:
      'Get the interest and tax of a customer in a span of business dates, as JSON or as a page to print',
    tag: 'Customers',
    scope: 'fixed_deposits:read',
    query: InterestCertificateQuery,
    success: { status: 200, data: InterestCertificateRecord, page: true },
    refusals: ['customer_not_found'],
    answer: async (asked) => {
      const { service, book, params, query } = asked
      const { db } = service
      const customer = found(await findCustomer(db, book.bookId, params.customer_id!), 'customer_not_found')
      const open = openInterestCertificate()
      const entries = readInterestEntries(db, book.bookId, customer.customerId, timeSpan(book, query))
      for await (const entry of entries) open.add(entry)
      const [bank, { today }, seal] = await Promise.all([
        findCallerName(db, book.callerId),
        service.momentIn(book),
        findLastSeal(db, book.bookId),
      ])
      const head = { bank, holder: holderOf(customer), issuedOn: today, seal }
      const certificate = { ...head, ...query, ...open.close() }
      return documentReply(asked, 'The certificate of interest.', {
        data: () => InterestCertificateRecord.write(certificate),
        page: () => {
          const { timeZone, currency } = book
          const words = wordsFor({ timeZone, currency })
          const { title } = words.of(interestCertificateWords)
          return letterPage(title, certificate, interestLetter(certificate, words), words)
        },
      })
    },
  }),
]
