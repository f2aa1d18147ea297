import type { Book } from '../../domain/book.ts'
import type { Deposit } from '../../domain/deposit.ts'
import { STATEMENT_LINES_MAX } from '../../domain/statement.ts'
import { letterPage } from '../../page/letter.ts'
import { documentReply, type Route, route } from '../../route/route.ts'
import { FailureError } from '../../wire/failure.ts'
import { wordsFor } from '../../words/words.ts'
import { depositNamed } from '../deposits/routes.ts'
import { readCertified, readStated } from './changes.ts'
import { certificateLetter, statementLetter } from './letter.ts'
import { CertificateRecord, StatementQuery, StatementRecord } from './record.ts'
import { letterWords } from './words.ts'

export const letterRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v2/fixed-deposits/:deposit_id/certificate',
    operationId: 'getCertificate',
    summary: 'Get the certificate of a fixed deposit, as JSON or as a page to print',
    tag: 'Fixed deposits',
    scope: 'fixed_deposits:read',
    success: { status: 200, data: CertificateRecord, page: true },
    refusals: ['deposit_not_found'],
    answer: async (asked) => {
      const { service, book } = asked
      const deposit = await depositNamed(asked)
      const certified = await readCertified(service, book, deposit)
      return documentReply(asked, 'The certificate.', {
        logo: certified.logo,
        data: () => CertificateRecord.write(certified),
        page: () => {
          const words = wordsOf(book, deposit).speaking(certified.language)
          const letter = certificateLetter(certified, words)
          return letterPage(words.of(letterWords).certificate.title, certified, letter, words)
        },
      })
    },
  }),
  route({
    method: 'GET',
    path: '/v2/fixed-deposits/:deposit_id/statement',
    operationId: 'getStatement',
    summary: 'Get the statement of a fixed deposit, as JSON or as a page to print',
    tag: 'Fixed deposits',
    scope: 'fixed_deposits:read',
    query: StatementQuery,
    success: { status: 200, data: StatementRecord, page: true },
    refusals: ['deposit_not_found'],
    answer: async (asked) => {
      const { service, book, query } = asked
      const deposit = await depositNamed(asked)
      const stated = await readStated(service, book, deposit, query)
      if (stated === null) {
        const message = `Send a shorter span: a statement has at most ${STATEMENT_LINES_MAX} lines.`
        const fields = [{ field: 'to', code: 'out_of_range', message } as const]
        throw new FailureError({ code: 'invalid_request', fields })
      }
      const words = wordsOf(book, deposit)
      return documentReply(asked, 'The statement.', {
        logo: stated.logo,
        data: () => StatementRecord.write({ letter: stated, words }),
        page: () => {
          const spoken = words.speaking(stated.language)
          const letter = statementLetter(stated, spoken)
          return letterPage(spoken.of(letterWords).statement.title, stated, letter, spoken)
        },
      })
    },
  }),
]

export function wordsOf({ timeZone }: Book, { currency }: Deposit) {
  return wordsFor({ timeZone, currency })
}
