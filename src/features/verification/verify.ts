/**
 * Checks whole books for the first difference between what is stored and what should be: the ledger is added up again,
 * balances, deposits and liquidations are compared with their postings, every liquidation and every maturity is
 * computed again from its pinned rules, every change must have its event, batches must have a result of each line, and
 * what was sealed must be as it was.
 * Guarantees: it changes nothing, locks nothing, and may run beside the service; it reads page by page, in bounded
 * memory, and while the service computes one page the database prepares the next.
 *
 * What is claimed of a noun is in its claims.ts; here the claims are run, and the order is in which they are reported.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Book } from '../../domain/book.ts'
import { type Failed, firstFailed } from '../../domain/claim.ts'
import type { VersionCache } from '../../engine/change/version-cache.ts'
import type { Database } from '../../engine/database/database.ts'
import { ACCRUAL_ENTRY, ACCRUAL_TARGET, findAccrualDifference } from '../accruals/claims.ts'
import { APPROVAL_RESULT, APPROVAL_STATE, findApprovalDifference } from '../approvals/claims.ts'
import { BATCH_ANSWER, BATCH_COUNTS, BATCH_PARTS, findBatchDifference } from '../batches/claims.ts'
import { depositClaims, isSettled } from '../deposits/claims.ts'
import { paymentClaims } from '../interest-payments/claims.ts'
import { findUnpostedLiquidation, LIQUIDATION_DEPOSIT, liquidationClaims } from '../liquidation/claims.ts'
import { settledClaims } from '../maturity/claims.ts'
import { findReversalDifference, REVERSAL_ENTRY, REVERSAL_WHOLE } from '../reversal/claims.ts'
import { findRuleDifference, RULE_VERSIONS } from '../rules/claims.ts'
import { looksAtSeals, SEAL_CHAIN, SEAL_EVENTS, SEAL_ROOT, SEALED_IN_TIME } from '../seals/claims.ts'
import {
  type ExaminedDeposit,
  examineRange,
  findRange,
  type Range,
  type SubjectName,
  subjectNames,
  subjects,
} from './claims.ts'
import { type Known, readKnown } from './known.ts'

/** Where several claims fail, the first of these is reported. */
export const claimsInOrder: readonly string[] = [
  { claim: RULE_VERSIONS },
  ...subjects.ledger_entries.claims,
  ...subjects.accounts.claims,
  ...subjects.customers.claims,
  ...subjects.deposits.claims,
  ...depositClaims,
  ...paymentClaims,
  ...settledClaims,
  { claim: LIQUIDATION_DEPOSIT },
  ...liquidationClaims,
  { claim: REVERSAL_ENTRY },
  { claim: REVERSAL_WHOLE },
  { claim: APPROVAL_STATE },
  { claim: APPROVAL_RESULT },
  { claim: ACCRUAL_ENTRY },
  { claim: ACCRUAL_TARGET },
  { claim: BATCH_PARTS },
  { claim: BATCH_ANSWER },
  { claim: BATCH_COUNTS },
  ...subjects.events.claims,
  { claim: SEAL_CHAIN },
  { claim: SEAL_ROOT },
  { claim: SEAL_EVENTS },
  { claim: SEALED_IN_TIME },
].map(({ claim }) => claim)

/** The claim that fails, and for which record. */
export type Difference = Failed & { callerId: string; mode: Book['mode'] }

/** The number of records checked. */
export type Verification = {
  checked: Record<SubjectName | 'liquidations' | 'seals', number>
  difference: Difference | null
}

type Options = {
  db: Pick<Database, 'query' | 'transaction'>
  versions: VersionCache
  pageKeys?: number
  observe?: (book: Book, table: SubjectName | 'seals', checked: Verification['checked']) => void
}

type Run = Options & Pick<Verification, 'checked'>

/** Something to look at; of two differences in one table, that of the first look counts. */
type Look = { about: string; look: () => Promise<Failed | null | undefined> }

/** While the service computes one range, the database prepares others. */
export const LOOKS_TOGETHER = 3

export async function verify(books: readonly Book[], options: Options): Promise<Verification> {
  const checked = {
    ledger_entries: 0,
    accounts: 0,
    customers: 0,
    deposits: 0,
    liquidations: 0,
    events: 0,
    seals: 0,
  }
  for (const book of books) {
    const difference = await findInBook(book, { ...options, checked })
    if (difference !== null) {
      return { checked, difference: { callerId: book.callerId, mode: book.mode, ...difference } }
    }
  }
  return { checked, difference: null }
}

/** The first range of a subject with a difference counts, so that the report does not depend on timing. */
async function findInBook(book: Book, run: Run): Promise<Failed | null> {
  const found = new Map<string, { order: number; failed: Failed }>()
  const looks = looksAt(book, run, found)
  let started = 0
  const ended = await Promise.allSettled(Array.from({ length: LOOKS_TOGETHER }, takeLooks))
  for (const taken of ended) if (taken.status === 'rejected') throw taken.reason
  return firstInOrder([...found.values()].map(({ failed }) => failed))

  async function takeLooks(): Promise<void> {
    for await (const { about, look } of looks) {
      const order = started++
      const failed = await look()
      const earlier = found.get(about)
      if (failed && (earlier === undefined || order < earlier.order)) {
        found.set(about, { order, failed })
      }
    }
  }
}

async function* looksAt(book: Book, run: Run, found: ReadonlyMap<string, unknown>): AsyncGenerator<Look> {
  const { db, versions, pageKeys, checked, observe } = run
  const { bookId } = book
  yield { about: 'rule_sets', look: () => findRuleDifference(db, bookId) }
  yield { about: 'liquidations', look: () => findUnpostedLiquidation(db, bookId) }
  yield { about: 'reversals', look: () => findReversalDifference(db, bookId) }
  yield { about: 'approvals', look: () => findApprovalDifference(db, bookId) }
  yield { about: 'accruals', look: () => findAccrualDifference(db, versions, book) }
  yield { about: 'batches', look: () => findBatchDifference(db, bookId) }
  for (const name of subjectNames) {
    const limit = pageKeys ?? subjects[name].pageKeys
    for (let after: string | null = ''; after !== null && !found.has(name); ) {
      const range: Range = await findRange(db, bookId, name, { after, limit })
      yield { about: name, look: () => findInRange(book, run, name, range) }
      after = range.upTo
    }
  }
  for await (const { seals, look } of looksAtSeals(db, bookId, pageKeys)) {
    if (found.has('seals')) return
    yield {
      about: 'seals',
      look: async () => {
        const failed = await look()
        checked.seals += seals
        if (seals > 0) observe?.(book, 'seals', checked)
        return failed
      },
    }
  }
}

async function findInRange(book: Book, run: Run, name: SubjectName, range: Range): Promise<Failed | null> {
  const { db, versions: cache, checked, observe } = run
  const found: Failed[] = []
  await examineRange(db, { bookId: book.bookId, name, range }, async (queries, { failed, deposits }) => {
    const known = await readKnown(queries, { book, cache }, deposits)
    // The next work of the database is sent before the service computes.
    await nextTurn()
    for (const failure of [...failed, ...deposits.flatMap((examined) => computeAgain(examined, known))]) {
      found[0] = firstInOrder([...found, failure])!
    }
    checked.liquidations += deposits.filter(({ part }) => part !== null).length
  })
  checked[name] += range.keys
  if (range.keys > 0) observe?.(book, name, checked)
  return found[0] ?? null
}

function computeAgain(examined: ExaminedDeposit, known: Known): Failed[] {
  const { deposit, part } = examined
  const { depositId } = deposit
  const ofDeposit = examined.isLast ? findInDeposit(examined, known) : null
  if (ofDeposit !== null) return [{ ...ofDeposit, ids: { deposit_id: depositId } }]
  const ofLiquidation = part && firstFailed({ ...part, deposit }, liquidationClaims, known)
  if (ofLiquidation === null) return []
  const ids = { liquidation_id: part!.liquidation.liquidationId, deposit_id: depositId }
  return [{ ...ofLiquidation, ids }]
}

function findInDeposit(examined: ExaminedDeposit, known: Known): Omit<Failed, 'ids'> | null {
  const { deposit } = examined
  const failed = firstFailed(examined, depositClaims, known) ?? firstFailed(examined, paymentClaims, known)
  if (failed !== null || !isSettled(deposit)) return failed
  const settled = known.deposits.get(deposit.depositId)!
  return firstFailed({ ...examined, deposit: settled }, settledClaims, known)
}

/** Where a claim fails for several records, the first of them counts. */
function firstInOrder(failures: readonly Failed[]): Failed | null {
  const rankOf = ({ claim, ids }: Failed) =>
    `${String(claimsInOrder.indexOf(claim)).padStart(3, '0')} ${Object.values(ids).join(' ')}`
  return failures.toSorted((left, right) => (rankOf(left) < rankOf(right) ? -1 : 1))[0] ?? null
}
