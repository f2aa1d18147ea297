import {
  certificateLetter,
  holderOf,
  type Letterhead,
  letterPage,
  statementLetter,
} from '../../console/letter.ts'
import { wordsFor } from '../../console/words.ts'
import type { Book } from '../../domain/book.ts'
import { businessDate, type IsoDate } from '../../domain/dates.ts'
import { type Deposit, expectedInterest } from '../../domain/deposit.ts'
import {
  openStatement,
  STATEMENT_LINES_MAX,
  type StatementEvent,
  type StatementLine,
} from '../../domain/statement.ts'
import { ordinalOf } from '../../engine/database/ids.ts'
import { FailureError, found } from '../../wire/failure.ts'
import { documentReply, type Route, route, type Service } from '../../wire/route.ts'
import { findCallerName } from '../callers/store.ts'
import { findCustomer } from '../customers/store.ts'
import { findDeposit } from '../deposits/store.ts'
import { readRules } from '../rules/changes.ts'
import { CertificateRecord, StatementQuery, StatementRecord } from './record.ts'
import { readCarriedLiens, readEntriesOfDeposit, readLienEvents } from './store.ts'

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
      const { service, book, params } = asked
      const deposit = found(
        await findDeposit(service.db, book.bookId, params.deposit_id!),
        'deposit_not_found',
      )
      const rules = await readRules(service.db, service.versions, book.bookId, [deposit.rulesVersion])
      const certified = {
        ...(await letterheadOf(service, book, deposit)),
        deposit,
        expectedInterest: expectedInterest(deposit.remaining, deposit, rules.get(deposit.rulesVersion)!),
      }
      return documentReply(asked, 'The certificate.', {
        data: () => CertificateRecord.write(certified),
        page: () => {
          const words = wordsOf(book, deposit)
          const letter = certificateLetter(certified, words)
          return letterPage(words.say.certificate.title, certified, letter, words)
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
      const { service, book, params, query } = asked
      const deposit = found(
        await findDeposit(service.db, book.bookId, params.deposit_id!),
        'deposit_not_found',
      )
      const letterhead = await letterheadOf(service, book, deposit)
      const span = { from: query.from ?? deposit.startDate, to: query.to ?? letterhead.issuedOn }
      const lines = await readLines(service, book, deposit, span)
      const stated = { ...letterhead, deposit, ...span, lines }
      const words = wordsOf(book, deposit)
      return documentReply(asked, 'The statement.', {
        data: () => StatementRecord.write({ letter: stated, words }),
        page: () => letterPage(words.say.statement.title, stated, statementLetter(stated, words), words),
      })
    },
  }),
]

export function wordsOf({ timeZone }: Book, { currency }: Deposit) {
  return wordsFor({ timeZone, currency })
}

export async function letterheadOf(
  { db, momentIn }: Service,
  book: Book,
  deposit: Deposit,
): Promise<Letterhead> {
  const [bank, customer, { today }] = await Promise.all([
    findCallerName(db, book.callerId),
    findCustomer(db, book.bookId, deposit.customerId),
    momentIn(book),
  ])
  return { bank, holder: holderOf(customer!), issuedOn: today }
}

async function readLines(
  { db }: Service,
  { bookId, timeZone }: Book,
  deposit: Deposit,
  span: { from: IsoDate; to: IsoDate },
): Promise<StatementLine[]> {
  const { depositId } = deposit
  const statement = openStatement(deposit, span)
  const add = (event: StatementEvent) => {
    if (statement.add(event)) return
    const message = `Send a shorter span: a statement has at most ${STATEMENT_LINES_MAX} lines.`
    const fields = [{ field: 'to', code: 'out_of_range', message } as const]
    throw new FailureError({ code: 'invalid_request', fields })
  }
  const dated = (at: Date) => businessDate(at, timeZone)
  const [liens, carried] = await Promise.all([
    readLienEvents(db, bookId, depositId, STATEMENT_LINES_MAX + 1),
    readCarriedLiens(db, bookId, depositId, STATEMENT_LINES_MAX + 1),
  ])
  for await (const entry of readEntriesOfDeposit(db, bookId, depositId)) {
    const date = dated(entry.createdAt)
    while (liens[0] !== undefined && liens[0].ordinal < ordinalOf(entry.entryId)) addLien()
    add({ kind: 'ENTRY', date, entry })
    if (entry.kind === 'DEPOSIT_OPENING')
      for (const lien of carried) add({ kind: 'LIEN_PLACED', date, ...lien })
  }
  while (liens.length > 0) addLien()
  return statement.close()

  function addLien(): void {
    const { at, ordinal, ...lien } = liens.shift()!
    add({ ...lien, date: dated(at) })
  }
}
