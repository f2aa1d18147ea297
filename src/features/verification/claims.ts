/**
 * The claims of all nouns by the table whose ranges they are checked in, and the reads of such a range. Its rows are
 * fetched in batches, so memory is bounded even if a deposit has a million liquidations.
 *
 * To add a claim over what the facts of a subject hold, add one entry to the claims of its noun. If it needs more, add a
 * column to the facts. If it needs the service's arithmetic, name the columns in `rows` and add a computed claim.
 */
import type { Failed } from '../../domain/claim.ts'
import type { Database, Queries } from '../../engine/database/database.ts'
import {
  boundedStatement,
  fullJoin,
  openStatement,
  rangeStatement,
  type Subject,
} from '../../engine/database/facts.ts'
import { computed, count, type ItemOf, type Row, rowMap, text } from '../../engine/database/row-map.ts'
import { accountSubject } from '../accounts/claims.ts'
import { customerSubject } from '../customers/claims.ts'
import {
  changesClaim,
  changesOfDeposits,
  depositRows,
  endingClaim,
  eventsClaim,
  ownerClaim,
  postedMap,
  remainingClaim,
  sumsOfDeposit,
} from '../deposits/claims.ts'
import { eventSubject } from '../events/claims.ts'
import { importMap, importOfDeposit } from '../imports/claims.ts'
import { paymentsOfDeposit, sumsOfPayments } from '../interest-payments/claims.ts'
import { entrySubject } from '../ledger/claims.ts'
import { heldClaim, heldOfDeposits } from '../liens/claims.ts'
import {
  creditedClaim,
  entriesOfDeposits,
  eventsOfLiquidations,
  namesClaim,
  PART,
  partClaims,
  partColumns,
  postedLiquidationOf,
} from '../liquidation/claims.ts'
import { sumsOfMaturity } from '../maturity/claims.ts'

const relations = [
  changesOfDeposits,
  heldOfDeposits,
  entriesOfDeposits([...sumsOfDeposit, ...sumsOfMaturity, ...sumsOfPayments]),
  eventsOfLiquidations,
]

/** A deposit is returned once with each of its liquidations, or once without. */
const examinedMap = rowMap({
  ...postedMap.fields,
  ...importMap.fields,
  part: computed((row) => (row.part_liquidation_id === null ? null : postedLiquidationOf(row))),
})
export type ExaminedDeposit = ItemOf<typeof examinedMap>

/** A row is a deposit and one of its entries, with the liquidation that the entry is of and its event. */
const depositSubject: Subject = {
  key: 'deposit_id',
  pageKeys: 5_000,
  facts: (within) => `
    select deposit.*, ${relations.map(({ as }) => `${as}.*`).join(', ')},
      deposit_id is not null and is_followed is not true as is_last
    from (${depositRows(within, [paymentsOfDeposit, importOfDeposit])}) as deposit
    ${relations.map((relation) => fullJoin(relation, within)).join('\n      ')}`,
  claims: [
    ...[namesClaim, remainingClaim, heldClaim, ownerClaim, endingClaim],
    ...partClaims,
    ...[changesClaim, creditedClaim, eventsClaim],
  ],
  rows: {
    where: 'is_last or part_liquidation_id is not null',
    columns: [...examinedMap.columns.split(', '), ...partColumns],
  },
}

/** What is checked, by table. */
export const subjects = {
  ledger_entries: entrySubject,
  accounts: accountSubject,
  customers: customerSubject,
  deposits: depositSubject,
  events: eventSubject,
}
export type SubjectName = keyof typeof subjects
export const subjectNames = Object.keys(subjects) as SubjectName[]
const ofEach = (what: string, write: (name: SubjectName) => string) =>
  Object.fromEntries(subjectNames.map((name) => [`${what} ${name}`, write(name)]))

export const statements = {
  ...ofEach('range of', (name) => rangeStatement(name, subjects[name])),
  ...ofEach('examine', (name) => boundedStatement(subjects[name])),
  ...ofEach('examine the last', (name) => openStatement(subjects[name])),
}

/** The keys after one and up to another, in the order of the database. null: up to the end. */
export type Range = { after: string; upTo: string | null; keys: number }

export async function findRange(
  db: Queries,
  bookId: string,
  name: SubjectName,
  { after, limit }: { after: string; limit: number },
): Promise<Range> {
  const [row] = await db.query<Row>(statements[`range of ${name}`]!, [bookId, after, limit])
  const { upTo, keys } = rangeMap.read(row!)
  return { after, upTo: keys < limit ? null : upTo, keys }
}

const rangeMap = rowMap({ upTo: text<string | null>('up_to'), keys: count('keys') })

/** What is found in a part of a range. */
export type Examined = { failed: Failed[]; deposits: ExaminedDeposit[] }

const BATCH_ROWS = 1_000
const cursor = {
  // JIT compilation of a statement takes longer than running it for a range: it was a third of the database's work.
  interpret: 'set local jit = off',
  over: (statement: string) => `declare page no scroll cursor for ${statement}`,
  fetch: `fetch ${BATCH_ROWS} from page`,
  close: 'close page',
}

/**
 * Yields the rows of a range, batch by batch, while the database prepares the next batch. The last batch is processed
 * after the transaction has ended, so that the one connection of an embedded engine is free for others.
 */
export async function examineRange(
  db: Pick<Database, 'query' | 'transaction'>,
  { bookId, name, range: { after, upTo } }: { bookId: string; name: SubjectName; range: Range },
  look: (queries: Queries, examined: Examined) => Promise<void>,
): Promise<void> {
  const last = await db.transaction(async (tx) => {
    await tx.query(cursor.interpret)
    if (upTo === null) await tx.query(cursor.over(statements[`examine the last ${name}`]!), [bookId, after])
    else await tx.query(cursor.over(statements[`examine ${name}`]!), [bookId, after, upTo])
    let rows = await tx.query<Row>(cursor.fetch)
    while (rows.length === BATCH_ROWS) {
      const next = tx.query<Row>(cursor.fetch)
      // A failure is kept until the promise is awaited.
      next.catch(() => {})
      await look(tx, examinedOf(name, rows))
      rows = await next
    }
    await tx.query(cursor.close)
    return rows
  })
  await look(db, examinedOf(name, last))
}

function examinedOf(name: SubjectName, rows: readonly Row[]): Examined {
  return {
    failed: rows.flatMap((row) => (row.failed === null ? [] : failedOf(subjects[name], row))),
    deposits: rows.flatMap((row) => (row.failed === null ? examinedMap.read(row) : [])),
  }
}

function failedOf({ key, claims }: Subject, row: Row): Failed {
  const { claim, ids = [key] } = claims[row.failed as number]!
  const values = row as Record<string, string>
  const named = Object.fromEntries(ids.map((column) => [column.replace(PART, ''), values[column]!]))
  return { claim, ids: named, found: values.found!, expected: values.expected! }
}
