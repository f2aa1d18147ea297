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
  type RowClaim,
  rangeStatement,
  type Subject,
} from '../../engine/database/facts.ts'
import { accountSubject } from '../accounts/claims.ts'
import { customerSubject } from '../customers/claims.ts'
import {
  changesClaim,
  changesOfDeposits,
  depositRows,
  endingClaim,
  eventsClaim,
  ownerClaim,
  type PostedDeposit,
  remainingClaim,
  sumsOfDeposit,
  termsMap,
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
  type PostedLiquidation,
  type PostedRow,
  partClaims,
  partColumns,
  postedColumns,
  postedLiquidationOf,
} from '../liquidation/claims.ts'
import { sumsOfMaturity } from '../maturity/claims.ts'

const relations = [
  changesOfDeposits,
  heldOfDeposits,
  entriesOfDeposits([...sumsOfDeposit, ...sumsOfMaturity, ...sumsOfPayments]),
  eventsOfLiquidations,
]

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
    columns: [
      ...termsMap.columns.split(', '),
      'predecessor_id',
      ...importMap.columns.split(', '),
      'taken_minor',
      'opening_postings',
      'maturity_postings',
      'own_tax_postings',
      'payout_postings',
      'paid_shares_minor',
      'tax_shares_minor',
      'is_last',
      ...partColumns,
      ...postedColumns,
    ],
  },
}

export type SubjectName = 'ledger_entries' | 'accounts' | 'customers' | 'deposits' | 'events'

/** By table. */
export const subjects: Record<SubjectName, Subject> = {
  ledger_entries: entrySubject,
  accounts: accountSubject,
  customers: customerSubject,
  deposits: depositSubject,
  events: eventSubject,
}

export const subjectNames = Object.keys(subjects) as SubjectName[]
const rangeStatements = statementOf(rangeStatement)
const boundedStatements = statementOf((_, subject) => boundedStatement(subject))
const openStatements = statementOf((_, subject) => openStatement(subject))

function statementOf(write: (table: SubjectName, subject: Subject) => string): Record<SubjectName, string> {
  const written = subjectNames.map((name) => [name, write(name, subjects[name])])
  return Object.fromEntries(written)
}

function named(what: string, texts: Record<SubjectName, string>): Record<string, string> {
  return Object.fromEntries(subjectNames.map((name) => [`${what} ${name}`, texts[name]]))
}

export const statements = {
  ...named('range of', rangeStatements),
  ...named('examine', boundedStatements),
  ...named('examine the last', openStatements),
}

/** The keys after one and up to another, in the order of the database. null: up to the end. */
export type Range = { after: string; upTo: string | null; keys: number }

export async function findRange(
  db: Queries,
  bookId: string,
  name: SubjectName,
  asked: { after: string; limit: number },
): Promise<Range> {
  const { after, limit } = asked
  const [row] = await db.query<{ up_to: string | null; keys: bigint }>(rangeStatements[name], [
    bookId,
    after,
    limit,
  ])
  const keys = Number(row!.keys)
  return { after, upTo: keys < limit ? null : row!.up_to, keys }
}

/** What is found in a part of a range. */
export type Examined = { failed: Failed[]; deposits: ExaminedDeposit[] }

const BATCH_ROWS = 1_000
const cursor = {
  // JIT compilation of a statement takes longer than running it for a range: it was a third of the database's work.
  interpret: 'set local jit = off',
  bounded: statementOf((name) => `declare page no scroll cursor for ${boundedStatements[name]}`),
  open: statementOf((name) => `declare page no scroll cursor for ${openStatements[name]}`),
  fetch: `fetch ${BATCH_ROWS} from page`,
  close: 'close page',
}

/**
 * Yields the rows of a range, batch by batch, while the database prepares the next batch. The last batch is processed
 * after the transaction has ended, so that the one connection of an embedded engine is free for others.
 */
export async function examineRange(
  db: Pick<Database, 'query' | 'transaction'>,
  asked: { bookId: string; name: SubjectName; range: Range },
  look: (queries: Queries, examined: Examined) => Promise<void>,
): Promise<void> {
  const { bookId, name, range } = asked
  const { after, upTo } = range
  const last = await db.transaction(async (tx) => {
    await tx.query(cursor.interpret)
    if (upTo === null) await tx.query(cursor.open[name], [bookId, after])
    else await tx.query(cursor.bounded[name], [bookId, after, upTo])
    let rows = await tx.query<ExaminedRow>(cursor.fetch)
    while (rows.length === BATCH_ROWS) {
      const next = tx.query<ExaminedRow>(cursor.fetch)
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

type ExaminedRow = PostedRow & {
  failed: number | null
  found: string
  expected: string
  is_last: boolean
  predecessor_id: string | null
  taken_minor: bigint | null
  opening_postings: string | null
  maturity_postings: string | null
  own_tax_postings: string | null
  payout_postings: string | null
  paid_shares_minor: bigint | null
  tax_shares_minor: bigint | null
  part_liquidation_id: string | null
}

function examinedOf(name: SubjectName, rows: readonly ExaminedRow[]): Examined {
  const { claims } = subjects[name]
  return {
    failed: rows.flatMap((row) => (row.failed === null ? [] : failedOf(claims[row.failed]!, row))),
    deposits: rows.flatMap((row) => (row.failed === null ? examinedDepositOf(row) : [])),
  }
}

function failedOf({ claim, ids }: RowClaim, row: ExaminedRow): Failed {
  const values = row as unknown as Record<string, string>
  const idsOf = ids.map((column) => [column.replace(PART, ''), values[column]!])
  return { claim, ids: Object.fromEntries(idsOf), found: row.found, expected: row.expected }
}

/** A deposit is returned once with each of its liquidations, or once without. */
export type ExaminedDeposit = PostedDeposit & { part: PostedLiquidation | null }

function examinedDepositOf(row: ExaminedRow): ExaminedDeposit {
  return {
    deposit: termsMap.read(row),
    isLast: row.is_last,
    predecessorId: row.predecessor_id,
    imported: importMap.read(row).imported,
    liquidated: row.taken_minor ?? 0n,
    openingPostings: row.opening_postings ?? '',
    maturityPostings: row.maturity_postings ?? '',
    ownTaxPostings: row.own_tax_postings ?? '',
    payoutPostings: row.payout_postings ?? '',
    sharesTaken: { paid: row.paid_shares_minor ?? 0n, tax: row.tax_shares_minor ?? 0n },
    part: row.part_liquidation_id === null ? null : postedLiquidationOf(row),
  }
}
