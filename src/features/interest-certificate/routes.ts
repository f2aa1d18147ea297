import { letterPage } from '../../page/letter.ts'
import { documentReply, type Route, route } from '../../route/route.ts'
import { found } from '../../wire/failure.ts'
import { wordsFor } from '../../words/words.ts'
import { findCustomer } from '../customers/store.ts'
import { readInterestCertificate } from './changes.ts'
import { interestLetter } from './letter.ts'
import { InterestCertificateQuery, InterestCertificateRecord } from './record.ts'
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
      const customer = found(
        await findCustomer(service.db, book.bookId, params.customer_id!),
        'customer_not_found',
      )
      const certificate = await readInterestCertificate(service, book, customer, query)
      return documentReply(asked, 'The certificate of interest.', {
        logo: certificate.logo,
        data: () => InterestCertificateRecord.write(certificate),
        page: () => {
          const { timeZone, currency } = book
          const words = wordsFor({ timeZone, currency }).speaking(certificate.language)
          const { title } = words.of(interestCertificateWords)
          return letterPage(title, certificate, interestLetter(certificate, words), words)
        },
      })
    },
  }),
]
