/**
 * Goes through whole books and looks for the first difference between what is kept and what should be: the ledger is
 * added up again, balances, deposits and liquidations are held against their postings, every liquidation and every
 * maturity is computed again from the rules it was pinned to, and every change is looked for among the events.
 * Guarantees: it changes nothing, locks nothing, and may run beside the service; it reads page by page, in bounded memory,
 * and while the service computes one page the database prepares the next.
 *
 * What the database can compare by itself is claimed in store.ts. To add a claim that needs the service's arithmetic, add
 * one entry to the claims below.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
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
import { LiquidationRecord } from '../liquidation/record.ts'
import { readRules } from '../rules/changes.ts'
import {
  type Failed,
  findDeposits,
  findRange,
  findRuleDifference,
  findUnmatchedLiquidation,
  type Items,
  LIQUIDATION_DEPOSIT,
  LIQUIDATION_ENTRY,
  LIQUIDATION_EVENT,
  type PostedDeposit,
  type PostedLiquidation,
  type Range,
  RULE_VERSIONS,
  readRange,
  type SubjectName,
  subjects,
  type ToldLiquidation,
} from './store.ts'

/** What does not hold, and for which record. */
export type Difference = Failed & { callerId: string; mode: Book['mode'] }

/** How many records were looked at. */
export type Verification = {
  checked: Record<SubjectName | 'liquidations', number>
  difference: Difference | null
}

/** How many subjects are gone through at the same time: two keep the database at work while the service computes. */
const LANES = 2

const subjectNames = Object.keys(subjects) as SubjectName[]

export async function verify(
  books: readonly Book[],
  options: {
    db: Queries
    versions: VersionCache
    pageKeys?: number
    observe?: (book: Book, table: SubjectName, checked: Verification['checked']) => void
  },
): Promise<Verification> {
  const { db, versions: cache, pageKeys, observe } = options
  const checked = { ledger_entries: 0, accounts: 0, customers: 0, deposits: 0, liquidations: 0, events: 0 }
  for (const book of books) {
    const difference = await findInBook(book)
    if (difference !== null) {
      return { checked, difference: { callerId: book.callerId, mode: book.mode, ...difference } }
    }
  }
  return { checked, difference: null }

  /** All subjects are looked at even after a difference, so that which one is reported does not depend on timing. */
  async function findInBook(book: Book): Promise<Failed | null> {
    const { bookId } = book
    const looks = [
      () => findRuleDifference(db, bookId),
      ...subjectNames.map((name) => () => findInSubject(book, name)),
      () => findUnmatchedLiquidation(db, bookId),
    ]
    const found: Failed[] = []
    await Promise.all(
      Array.from({ length: LANES }, async () => {
        for (let look = looks.shift(); look !== undefined; look = looks.shift()) {
          const failed = await look()
          if (failed !== null) found.push(failed)
        }
      }),
    )
    return found.sort((left, right) => rankOf(left) - rankOf(right))[0] ?? null
  }

  async function findInSubject<Name extends SubjectName>(book: Book, name: Name): Promise<Failed | null> {
    const computation: Computation<Items[Name]> = computations[name]
    for await (const { range, examined } of pagesOf(book, name)) {
      if (!Array.isArray(examined)) return examined
      const failed = firstFailed(examined, computation, await readKnown(book, examined, computation))
      if (failed !== null) return failed
      checked[name] += range.keys
      if (name === 'ledger_entries') checked.liquidations += examined.length
      observe?.(book, name, checked)
    }
    return null
  }

  /** When a page is given out, the database is already at work on the next one. */
  async function* pagesOf<Name extends SubjectName>({ bookId }: Book, name: Name) {
    const limit = pageKeys ?? subjects[name].pageKeys
    const findAfter = (after: Range['upTo']) => findRange(db, bookId, name, { after, limit })
    const prepare = (range: Range) => {
      const prepared = Promise.all([range, readRange(db, bookId, name, range), findAfter(range.upTo)])
      // It is awaited only after the page before it: until then a failure waits with it.
      prepared.catch(() => {})
      return prepared
    }
    const first = await findAfter(subjects[name].start)
    let prepared = first && prepare(first)
    try {
      while (prepared !== null) {
        const [range, examined, next] = await prepared
        prepared = next && prepare(next)
        // The statements leave before the service begins to compute.
        await nextTurn()
        yield { range, examined }
      }
    } finally {
      await prepared?.catch(() => {})
    }
  }

  async function readKnown<Item>(
    book: Book,
    items: readonly Item[],
    { depositOf }: Computation<Item>,
  ): Promise<Known> {
    const { bookId } = book
    const deposits = depositOf === undefined ? [] : items.map(depositOf)
    const successorIds = deposits.flatMap((deposit) => deposit.rolledOverTo ?? [])
    const successors = await findDeposits(db, bookId, successorIds)
    const versions = [...deposits, ...successors.values()].map((deposit) => deposit.rulesVersion)
    return { book, successors, ruleSets: await readRules(db, cache, bookId, versions) }
  }
}

/** What the figures of a page are computed from, besides its rows. */
type Known = {
  book: Book
  ruleSets: ReadonlyMap<number, RuleSet>
  successors: ReadonlyMap<string, Deposit>
}

type Compared = { found: readonly unknown[]; expected: readonly unknown[] }

/** Of a record the first claim that does not hold is reported. null: the claim is not about this record. */
type ComputedClaim<Item> = { claim: string; compare: (item: Item, known: Known) => Compared | null }

type Computation<Item> = {
  idsOf: (item: Item) => Record<string, string>
  /** Whose rules, and whose successor, the claims need. */
  depositOf?: (item: Item) => { rulesVersion: number; rolledOverTo?: string | null }
  claims: readonly ComputedClaim<Item>[]
}

const liquidationClaims: ComputedClaim<PostedLiquidation>[] = [
  {
    claim: 'a liquidation pays what its pinned rules say: interest, charge and total',
    compare: ({ liquidation, deposit }, { ruleSets }) => {
      const { principal, earlierToday, businessDate } = liquidation
      const rules = ruleSets.get(deposit.rulesVersion)!
      const { interest, assessed } = assess({ ...deposit, principal, earlierToday, rules, businessDate })
      return {
        found: [liquidation.interest, liquidation.penal, liquidation.total],
        expected: [interest, assessed, principal + interest - assessed],
      }
    },
  },
  {
    claim: 'a liquidation is dated by the business date of its time',
    compare: ({ liquidation }, { book }) => ({
      found: [liquidation.businessDate],
      expected: [businessDate(liquidation.at, book.timeZone)],
    }),
  },
  {
    claim: 'a liquidation credits the account of its deposit',
    compare: ({ liquidation, deposit }) => ({
      found: [liquidation.accountNumber, liquidation.currency],
      expected: [deposit.accountNumber, deposit.currency],
    }),
  },
  {
    claim: LIQUIDATION_ENTRY,
    compare: ({ liquidation, postings }) =>
      comparePostings(postings, settlementPostings({ ...liquidation, paidTo: liquidation.accountNumber })),
  },
]

const eventClaims: ComputedClaim<ToldLiquidation>[] = [
  {
    claim: LIQUIDATION_EVENT,
    compare: ({ liquidation, eventType, data }) => {
      const type = `fixed_deposit.${liquidation.type === 'FULL' ? '' : 'partially_'}liquidated`
      const expected = JSON.stringify(LiquidationRecord.write(liquidation))
      if (eventType === type && data === expected) return null
      return { found: [toldMembers(eventType, data)], expected: [toldMembers(type, expected)] }
    },
  },
]

/** The members that every version of the event has had: an event keeps the form of its day. */
function toldMembers(type: string, data: string): string {
  const told = JSON.parse(data) as Record<string, unknown>
  const { deposit_id, status, credited_account, liquidated_at, liquidation_id } = told
  const { principal_returned, interest_paid, penal_charge, total_credited, remaining_principal } = told
  return JSON.stringify([
    type,
    [deposit_id, liquidation_id, status, credited_account, liquidated_at],
    [principal_returned, interest_paid, penal_charge, total_credited, remaining_principal],
  ])
}

const depositClaims: ComputedClaim<PostedDeposit>[] = [
  {
    claim: 'a deposit has one entry for its opening, with its principal',
    compare: ({ deposit, predecessorId, openingPostings: found }) => {
      const fundedFrom = predecessorId === null ? deposit.accountNumber : ROLLOVER_CLEARING
      return comparePostings(found, openingPostings({ ...deposit, fundedFrom }))
    },
  },
  {
    claim: 'the expected interest of a deposit is what its pinned rules say',
    compare: ({ deposit }, known) => ({
      found: [deposit.expectedInterest],
      expected: [expectedInterest(deposit.principal, deposit, rulesOf(deposit, known))],
    }),
  },
  {
    claim: 'a deposit is settled on its maturity date or later',
    compare: ({ deposit }, { book }) => {
      if (!isSettled(deposit)) return null
      const settledOn = businessDate(deposit.updatedAt, book.timeZone)
      const { maturityDate } = deposit
      return { found: [settledOn], expected: [settledOn < maturityDate ? maturityDate : settledOn] }
    },
  },
  {
    claim: 'a settled deposit has one maturity entry, with all that it was worth by its pinned rules',
    compare: (posted, known) => {
      const { deposit, maturityPostings } = posted
      if (!isSettled(deposit)) return null
      const { depositId } = deposit
      const paidTo = deposit.status === 'MATURED' ? deposit.accountNumber : ROLLOVER_CLEARING
      const worth = { ...worthAtMaturity(posted, known), depositId, paidTo, penal: minor(0n) }
      return comparePostings(maturityPostings, settlementPostings(worth))
    },
  },
  {
    claim: 'a deposit that was rolled over has a successor with its terms and all that it was worth',
    compare: (posted, known) => {
      const { deposit } = posted
      if (!isSettled(deposit)) return null
      const successor = known.successors.get(deposit.rolledOverTo ?? '') ?? null
      const { total } = worthAtMaturity(posted, known)
      return {
        found: [successor && termsOf(successor)],
        expected: [deposit.status === 'MATURED' ? null : successorTerms(deposit, total, known)],
      }
    },
  },
]

const computations: { [Name in SubjectName]: Computation<Items[Name]> } = {
  ledger_entries: {
    idsOf: ({ liquidation }) => ({
      liquidation_id: liquidation.liquidationId,
      deposit_id: liquidation.depositId,
    }),
    depositOf: ({ deposit }) => deposit,
    claims: liquidationClaims,
  },
  deposits: {
    idsOf: ({ deposit }) => ({ deposit_id: deposit.depositId }),
    depositOf: ({ deposit }) => deposit,
    claims: depositClaims,
  },
  events: {
    idsOf: ({ liquidation }) => ({
      liquidation_id: liquidation.liquidationId,
      deposit_id: liquidation.depositId,
    }),
    claims: eventClaims,
  },
  accounts: { idsOf: () => ({}), claims: [] },
  customers: { idsOf: () => ({}), claims: [] },
}

/** Where several do not hold, the first of these is reported. */
export const claimsInOrder: readonly string[] = [
  RULE_VERSIONS,
  ...[subjects.ledger_entries, subjects.accounts, subjects.customers, subjects.deposits].flatMap(namesOf),
  ...namesOf({ claims: depositClaims }),
  LIQUIDATION_DEPOSIT,
  ...namesOf({ claims: liquidationClaims }),
  ...namesOf({ claims: eventClaims }),
  ...namesOf(subjects.events),
]

function namesOf({ claims }: { claims: readonly { claim: string }[] }): string[] {
  return claims.map(({ claim }) => claim)
}

function rankOf({ claim }: Failed): number {
  return claimsInOrder.indexOf(claim)
}

function firstFailed<Item>(
  items: readonly Item[],
  { idsOf, claims }: Computation<Item>,
  known: Known,
): Failed | null {
  for (const item of items) {
    for (const { claim, compare } of claims) {
      const compared = compare(item, known)
      if (compared === null) continue
      const [found, expected] = [compared.found.join(', '), compared.expected.join(', ')]
      if (found !== expected)
        return { claim, ids: idsOf(item), found: found === '' ? 'nothing' : found, expected }
    }
  }
  return null
}

function isSettled({ status }: Deposit): boolean {
  return status === 'MATURED' || status === 'ROLLED_OVER'
}

function rulesOf({ rulesVersion }: Deposit, { ruleSets }: Known): RuleSet {
  return ruleSets.get(rulesVersion)!
}

/** A settled deposit has nothing left; what it was worth is what its liquidations did not take. */
function worthAtMaturity({ deposit, liquidated }: PostedDeposit, known: Known) {
  const remaining = minor(deposit.principal - liquidated)
  return valueAtMaturity({ ...deposit, remaining }, rulesOf(deposit, known))
}

/** The successor tells which rules were in force; everything else follows from the deposit. */
function successorTerms(deposit: Deposit, principal: Minor, known: Known): string {
  const successor = known.successors.get(deposit.rolledOverTo ?? '')
  if (successor === undefined) return 'a successor'
  const { depositId, rulesVersion: version } = successor
  const inForce = { version, rules: rulesOf(successor, known) }
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

/** Lines may stand in any order; usually they stand in ours, and the texts are equal. */
function comparePostings(found: string, postings: readonly Posting[]): Compared | null {
  const accounts = postings.map(({ account }) => account)
  const amounts = postings.map(({ amount }) => amount)
  if (found === `{${accounts.join(',')}}{${amounts.join(',')}}`) return null
  return { found: linesIn(found), expected: linesOf(accounts, amounts) }
}

/** Of all entries of a text such as '{cash,1234567890}{-100,100}'. */
function linesIn(postings: string): string[] {
  const lists = [...postings.matchAll(/\{(.*?)\}/g)].map(([, list]) => list!.split(','))
  return linesOf(
    lists.filter((_, index) => index % 2 === 0).flat(),
    lists.filter((_, index) => index % 2 === 1).flat(),
  )
}

function linesOf(accounts: readonly string[], amounts: readonly unknown[]): string[] {
  return accounts.map((account, index) => `${account} ${amounts[index]}`).sort()
}
