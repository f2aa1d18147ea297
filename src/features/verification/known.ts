/** What the figures of a batch of rows are computed again from, read together. */
import type { Book } from '../../domain/book.ts'
import type { PinnedVersions } from '../../domain/claim.ts'
import type { Deposit, PinnedTo } from '../../domain/deposit.ts'
import type { VersionCache } from '../../engine/change/version-cache.ts'
import type { Queries } from '../../engine/database/database.ts'
import { isSettled, readSoldBy, type SoldBy } from '../deposits/claims.ts'
import { findDeposits } from '../deposits/store.ts'
import { type KnownPayments, readKnownPayments } from '../interest-payments/claims.ts'
import { readRulesOf } from '../products/changes.ts'
import { readTaxRules } from '../tax/changes.ts'
import type { ExaminedDeposit } from './claims.ts'

export type Known = PinnedVersions &
  SoldBy &
  KnownPayments & {
    /** Those that were settled, and their successors. */
    deposits: ReadonlyMap<string, Deposit>
  }

export async function readKnown(
  queries: Queries,
  { book, cache }: { book: Book; cache: VersionCache },
  examined: readonly ExaminedDeposit[],
): Promise<Known> {
  const { bookId } = book
  const settled = examined.map(({ deposit }) => deposit).filter(isSettled)
  const ids = settled.flatMap(({ depositId, rolledOverTo }) => [depositId, rolledOverTo ?? []].flat())
  // Their terms never change, so it does not matter when they are read.
  const deposits = ids.length === 0 ? new Map<string, Deposit>() : await findDeposits(queries, bookId, ids)
  const last = examined.filter(({ isLast }) => isLast).map(({ deposit }) => deposit)
  const paid = await readKnownPayments(queries, bookId, last)
  const pinned: PinnedTo[] = [...examined.map(({ deposit }) => deposit), ...deposits.values()]
  const taxed = [
    ...examined.map(({ part }) => part?.liquidation.taxed ?? null),
    ...[...deposits.values()].map(({ maturityTaxed }) => maturityTaxed),
    ...[...paid.payments.values()].flat().map((payment) => payment.taxed),
  ]
  const taxVersions = new Set(taxed.flatMap((one) => one?.version ?? []))
  return {
    book,
    deposits,
    ...paid,
    ...(await readSoldBy(queries, { bookId, cache }, last)),
    rulesOf: await readRulesOf(queries, cache, bookId, pinned),
    taxRules: await readTaxRules(queries, cache, bookId, taxVersions),
  }
}
