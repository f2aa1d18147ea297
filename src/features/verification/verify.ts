/**
 * Goes through whole books and looks for the first difference between what is kept and what should be: the ledger is
 * added up again, balances, deposits and liquidations are held against their postings, every liquidation and every
 * maturity is computed again from the rules it was pinned to, and every change is looked for among the events.
 * Guarantees: one pass, page by page, in bounded memory; it changes nothing, locks nothing, and may run beside the service.
 */

import type { Book } from '../../domain/book.ts'
import { businessDate } from '../../domain/dates.ts'
import { type Deposit, expectedInterest } from '../../domain/deposit.ts'
import { openingPostings, type Posting, ROLLOVER_CLEARING, settlementPostings } from '../../domain/ledger.ts'
import { successorOf, valueAtMaturity } from '../../domain/maturity.ts'
import { type Minor, minor } from '../../domain/money.ts'
import { assess } from '../../domain/penal.ts'
import type { RuleSet } from '../../domain/rules.ts'
import type { VersionCache } from '../../engine/change/version-cache.ts'
import type { Queries } from '../../engine/database/database.ts'
import { liquidationData } from '../liquidation/record.ts'
import { readRules } from '../rules/changes.ts'
import {
  claims,
  findDeposits,
  findFirstDifference,
  findRange,
  findRuleDifference,
  type KeyRange,
  keys,
  type PostedDeposit,
  type PostedLiquidation,
  readDeposits,
  readLiquidations,
  type Table,
} from './store.ts'

/** Keys of one look. An account may have any number of lines, so few accounts are looked at together. */
const PAGE_KEYS: Record<Table, number> = {
  ledger_entries: 2_000,
  accounts: 100,
  customers: 2_000,
  deposits: 2_000,
  liquidations: 2_000,
  events: 2_000,
}

/** What does not hold, and for which record. */
export type Difference = {
  callerId: string
  mode: Book['mode']
  claim: string
  ids: Record<string, string>
  found: string
  expected: string
}

/** How many keys were looked at. */
export type Verification = { checked: Record<Table, number>; difference: Difference | null }

export async function verify(
  books: readonly Book[],
  options: {
    db: Queries
    versions: VersionCache
    pageKeys?: number
    observe?: (book: Book, table: Table, checked: Verification['checked']) => void
  },
): Promise<Verification> {
  const { db, versions: cache, pageKeys, observe } = options
  const checked = Object.fromEntries(Object.keys(keys).map((table) => [table, 0])) as Verification['checked']
  for (const book of books) {
    const difference = await findInBook(book)
    if (difference !== null) return { checked, difference }
  }
  return { checked, difference: null }

  async function findInBook(book: Book): Promise<Difference | null> {
    const { bookId } = book
    const wrongRules = await findRuleDifference(db, bookId)
    if (wrongRules !== undefined) {
      const { id, ...values } = wrongRules
      const claim = 'versions of rules are numbered without a gap, with one event for each after the first'
      return differenceIn(book, { claim, ids: { version: id }, ...values })
    }
    for (const table of Object.keys(keys) as Table[]) {
      const limit = pageKeys ?? PAGE_KEYS[table]
      for (let after = ''; ; ) {
        const page = await findRange(db, bookId, table, { after, limit })
        if (page === null) break
        const difference = await findInRange(book, table, page.range)
        if (difference !== undefined) return differenceIn(book, difference)
        checked[table] += page.keys
        observe?.(book, table, checked)
        after = page.range.upTo
      }
    }
    return null
  }

  async function findInRange(book: Book, table: Table, range: KeyRange): Promise<Found | undefined> {
    for (const claim of Object.keys(claims)) {
      if (claims[claim]!.table !== table) continue
      const found = await findFirstDifference(db, book.bookId, claim, range)
      if (found !== undefined) {
        const { id, ...values } = found
        return { claim, ids: { [keys[table]]: id }, ...values }
      }
    }
    if (table === 'deposits') return recomputeDeposits(book, range)
    if (table === 'liquidations') return recomputeLiquidations(book, range)
  }

  async function recomputeDeposits(book: Book, range: KeyRange): Promise<Found | undefined> {
    const { bookId } = book
    const posted = await readDeposits(db, bookId, range)
    const successorIds = posted.flatMap(({ deposit }) => deposit.rolledOverTo ?? [])
    const successors = await findDeposits(db, bookId, successorIds)
    const versions = [...posted.map(({ deposit }) => deposit), ...successors.values()]
    const ruleSets = await readRules(
      db,
      cache,
      bookId,
      versions.map((deposit) => deposit.rulesVersion),
    )
    for (const one of posted) {
      const difference = differenceOfDeposit(one, { book, successors, ruleSets })
      if (difference !== undefined) return { ids: { deposit_id: one.deposit.depositId }, ...difference }
    }
  }

  async function recomputeLiquidations(book: Book, range: KeyRange): Promise<Found | undefined> {
    const { bookId } = book
    const posted = await readLiquidations(db, bookId, range)
    const depositIds = new Set(posted.map(({ liquidation }) => liquidation.depositId))
    const deposits = await findDeposits(db, bookId, [...depositIds])
    const versions = [...deposits.values()].map((deposit) => deposit.rulesVersion)
    const ruleSets = await readRules(db, cache, bookId, versions)
    for (const one of posted) {
      const { liquidationId, depositId } = one.liquidation
      const deposit = deposits.get(depositId)!
      const ruleSet = ruleSets.get(deposit.rulesVersion)!
      const difference = differenceOfLiquidation(one, { book, deposit, rules: ruleSet })
      if (difference !== undefined) {
        return { ids: { liquidation_id: liquidationId, deposit_id: depositId }, ...difference }
      }
    }
  }
}

type Found = Omit<Difference, 'callerId' | 'mode'>
type Unequal = Pick<Difference, 'claim' | 'found' | 'expected'>

function differenceIn(book: Book, found: Found): Difference {
  return { callerId: book.callerId, mode: book.mode, ...found }
}

function differenceOfLiquidation(
  { liquidation, lines, events }: PostedLiquidation,
  known: { book: Book; deposit: Deposit; rules: RuleSet },
): Unequal | undefined {
  const { deposit, rules, book } = known
  const { principal, businessDate: date } = liquidation
  const { interest, penal } = assess({ ...deposit, principal, rules, businessDate: date })
  const total = minor(principal + interest - penal)
  const eventType = `fixed_deposit.${liquidation.type === 'FULL' ? '' : 'partially_'}liquidated`
  return (
    unequal('a liquidation pays what its pinned rules say: interest, charge and total', {
      found: [liquidation.interest, liquidation.penal, liquidation.total],
      expected: [interest, penal, total],
    }) ??
    unequal('a liquidation is dated by the business date of its time', {
      found: [date],
      expected: [businessDate(liquidation.at, book.timeZone)],
    }) ??
    unequal('a liquidation credits the account of its deposit', {
      found: [liquidation.accountNumber, liquidation.currency],
      expected: [deposit.accountNumber, deposit.currency],
    }) ??
    unequal('a liquidation has one entry, with the figures it paid', {
      found: lines.sort(),
      expected: linesOf(
        settlementPostings({ ...liquidation, paidTo: liquidation.accountNumber, interest, penal, total }),
      ),
    }) ??
    unequal('a liquidation has one event, which tells what it paid', {
      found: events.map(toldMembers),
      expected: [toldMembers(`${eventType} ${JSON.stringify(liquidationData(liquidation))}`)],
    })
  )
}

/** The members that every version of the event has had: an event keeps the form of its day. */
function toldMembers(event: string): string {
  const space = event.indexOf(' ')
  const told = JSON.parse(event.slice(space)) as ReturnType<typeof liquidationData>
  const { deposit_id, status, credited_account, liquidated_at, liquidation_id } = told
  const { principal_returned, interest_paid, penal_charge, total_credited, remaining_principal } = told
  return JSON.stringify([
    event.slice(0, space),
    [deposit_id, liquidation_id, status, credited_account, liquidated_at],
    [principal_returned, interest_paid, penal_charge, total_credited, remaining_principal],
  ])
}

function differenceOfDeposit(
  { deposit, predecessorId, liquidated, openingLines, maturityLines }: PostedDeposit,
  known: { book: Book; successors: ReadonlyMap<string, Deposit>; ruleSets: ReadonlyMap<number, RuleSet> },
): Unequal | undefined {
  const { principal, status } = deposit
  const rules = known.ruleSets.get(deposit.rulesVersion)!
  const fundedFrom = predecessorId === null ? deposit.accountNumber : ROLLOVER_CLEARING
  const opened =
    unequal('a deposit has one entry for its opening, with its principal', {
      found: openingLines.sort(),
      expected: linesOf(openingPostings({ ...deposit, fundedFrom })),
    }) ??
    unequal('the expected interest of a deposit is what its pinned rules say', {
      found: [deposit.expectedInterest],
      expected: [expectedInterest(principal, deposit, rules)],
    })
  if (opened !== undefined || (status !== 'MATURED' && status !== 'ROLLED_OVER')) return opened

  const value = valueAtMaturity({ ...deposit, remaining: minor(principal - liquidated) }, rules)
  const successor =
    deposit.rolledOverTo === null ? null : (known.successors.get(deposit.rolledOverTo) ?? null)
  const settledOn = businessDate(deposit.updatedAt, known.book.timeZone)
  const paidTo = status === 'MATURED' ? deposit.accountNumber : ROLLOVER_CLEARING
  return (
    unequal('a deposit is settled on its maturity date or later', {
      found: [settledOn],
      expected: [settledOn < deposit.maturityDate ? deposit.maturityDate : settledOn],
    }) ??
    unequal('a settled deposit has one maturity entry, with all that it was worth by its pinned rules', {
      found: maturityLines.sort(),
      expected: linesOf(
        settlementPostings({ ...value, depositId: deposit.depositId, paidTo, penal: minor(0n) }),
      ),
    }) ??
    unequal('a deposit that was rolled over has a successor with its terms and all that it was worth', {
      found: [successor && termsOf(successor)],
      expected: [status === 'MATURED' ? null : successorTerms(deposit, value.total, known)],
    })
  )
}

/** The successor tells which rules were in force; everything else follows from the deposit. */
function successorTerms(
  deposit: Deposit,
  principal: Minor,
  known: { successors: ReadonlyMap<string, Deposit>; ruleSets: ReadonlyMap<number, RuleSet> },
): string {
  const successor = known.successors.get(deposit.rolledOverTo ?? '')
  if (successor === undefined) return 'a successor'
  const { depositId, rulesVersion: version } = successor
  const inForce = { version, rules: known.ruleSets.get(version)! }
  const expected = successorOf(deposit, { depositId, principal, inForce, at: deposit.updatedAt })
  return expected === null ? 'no rollover' : termsOf(expected)
}

function termsOf(deposit: Deposit): string {
  return [
    deposit.depositId,
    deposit.customerId,
    deposit.accountNumber,
    deposit.currency,
    deposit.principal,
    deposit.expectedInterest,
    deposit.annualRatePpm,
    deposit.tenorDays,
    deposit.startDate,
    deposit.maturityDate,
    deposit.autoRollover,
    deposit.createdAt.toISOString(),
  ].join(' ')
}

function unequal(
  claim: string,
  compared: { found: readonly unknown[]; expected: readonly unknown[] },
): Unequal | undefined {
  const found = compared.found.join(', ')
  const expected = compared.expected.join(', ')
  if (found !== expected) return { claim, found: found === '' ? 'nothing' : found, expected }
}

/** As the database spells them, sorted. */
function linesOf(postings: readonly Posting[]): string[] {
  return postings.map(({ account, amount }) => `${account} ${amount}`).sort()
}
