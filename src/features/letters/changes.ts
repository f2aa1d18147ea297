/** What the letters about a deposit say. */
import type { Book } from '../../domain/book.ts'
import { businessDate, type IsoDate } from '../../domain/dates.ts'
import { type Deposit, expectedInterest } from '../../domain/deposit.ts'
import type { LedgerEntry } from '../../domain/ledger.ts'
import { expectedAtMaturity } from '../../domain/maturity.ts'
import {
  openStatement,
  STATEMENT_LINES_MAX,
  type StatementEvent,
  type StatementLine,
} from '../../domain/statement.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { ordinalOf } from '../../engine/database/ids.ts'
import { letterheadOf } from '../letterhead/changes.ts'
import { findNamedParties } from '../parties/store.ts'
import { nameOf, productNameOf, readProducts, readRulesOf } from '../products/changes.ts'
import type { Certified, Stated } from './record.ts'
import { readCarriedLiens, readEntriesOfDeposit, readLienEvents } from './store.ts'

type Reads = Pick<Engine, 'db' | 'momentIn' | 'versions'>

export async function readCertified(service: Reads, book: Book, deposit: Deposit): Promise<Certified> {
  const rulesOf = await readRulesOf(service.db, service.versions, book.bookId, [deposit])
  return {
    ...(await letterheadOf(service, book, deposit.customerId)),
    deposit,
    expectedInterest: expectedInterest(deposit, rulesOf(deposit)),
    maturityValue: expectedAtMaturity(deposit, rulesOf(deposit)),
    productName: await readProductName(service, book, deposit),
    parties: await findNamedParties(service.db, book.bookId, deposit.depositId),
  }
}

/** The span is from the opening to today by default; null: it has more lines than a statement may have. */
export async function readStated(
  service: Reads,
  book: Book,
  deposit: Deposit,
  asked: { from?: IsoDate | undefined; to?: IsoDate | undefined },
): Promise<Stated | null> {
  const letterhead = await letterheadOf(service, book, deposit.customerId)
  const span = { from: asked.from ?? deposit.startDate, to: asked.to ?? letterhead.issuedOn }
  const lines = await readLines(service, book, deposit, span)
  return lines && { ...letterhead, deposit, ...span, lines }
}

async function readProductName({ db, versions }: Reads, { bookId }: Book, deposit: Deposit) {
  const name = productNameOf(deposit)
  if (name === null) return null
  return (await readProducts(db, versions, bookId, [name])).get(nameOf(name))!.name
}

/** null: the span has more lines than a statement may have. */
async function readLines(
  { db }: Reads,
  { bookId, timeZone }: Book,
  deposit: Deposit,
  span: { from: IsoDate; to: IsoDate },
): Promise<StatementLine[] | null> {
  const { depositId } = deposit
  const statement = openStatement(deposit, span)
  let isTooLong = false
  const add = (event: StatementEvent) => {
    if (statement.add(event)) return
    isTooLong = true
  }
  const dated = (at: Date) => businessDate(at, timeZone)
  const [liens, carried] = await Promise.all([
    readLienEvents(db, bookId, depositId, STATEMENT_LINES_MAX + 1),
    readCarriedLiens(db, bookId, depositId, STATEMENT_LINES_MAX + 1),
  ])
  for await (const page of readEntriesOfDeposit(db, bookId, depositId)) page.forEach(addEntry)
  while (liens.length > 0) addLien()
  return isTooLong ? null : statement.close()

  function addEntry(entry: LedgerEntry): void {
    const date = dated(entry.createdAt)
    while (liens[0] !== undefined && liens[0].ordinal < ordinalOf(entry.entryId)) addLien()
    add({ kind: 'ENTRY', date, entry })
    if (entry.kind === 'DEPOSIT_OPENING')
      for (const lien of carried) add({ kind: 'LIEN_PLACED', date, ...lien })
  }

  function addLien(): void {
    const { at, ordinal, ...lien } = liens.shift()!
    add({ ...lien, date: dated(at) })
  }
}
