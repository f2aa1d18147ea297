/**
 * Checks whole books for the first difference between what is stored and what should be: the ledger is added up again,
 * balances, deposits and liquidations are compared with their postings, every liquidation and every maturity is
 * computed again from its pinned rules, and every change must have its event. Guarantees: it changes nothing, locks
 * nothing, and may run beside the service; it reads page by page, in bounded memory, and while the service computes one
 * page the database prepares the next.
 *
 * Claims that the database can check by itself are in store.ts. To add a claim that needs the service's arithmetic, add
 * one entry to the claims below.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Book } from '../../domain/book.ts'
import { businessDate } from '../../domain/dates.ts'
import { type Deposit, expectedInterest } from '../../domain/deposit.ts'
import {
  openingPostings,
  type Posting,
  ROLLOVER_CLEARING,
  settlementPostings,
  taxPostings,
} from '../../domain/ledger.ts'
import { liquidationMovements } from '../../domain/liquidation.ts'
import { successorOf, valueAtMaturity } from '../../domain/maturity.ts'
import { type Minor, minor } from '../../domain/money.ts'
import { assess } from '../../domain/penal.ts'
import type { RuleSet } from '../../domain/rules.ts'
import { type Figures, figuresOf, taxOf, waivedOf } from '../../domain/settlement.ts'
import { type Taxed, type TaxRules, taxationAgain } from '../../domain/tax.ts'
import type { VersionCache } from '../../engine/change/version-cache.ts'
import type { Database, Queries } from '../../engine/database/database.ts'
import { LiquidationRecord } from '../liquidation/record.ts'
import { readRules } from '../rules/changes.ts'
import { readTaxRules } from '../tax/changes.ts'
import {
  APPROVAL_RESULT,
  APPROVAL_STATE,
  type DepositTerms,
  examineRange,
  type Failed,
  findApprovalDifference,
  findDeposits,
  findRange,
  findReversalDifference,
  findRuleDifference,
  findUnpostedLiquidation,
  LIQUIDATION_DEPOSIT,
  LIQUIDATION_ENTRY,
  LIQUIDATION_EVENT,
  LIQUIDATION_TAX_ENTRY,
  type PostedDeposit,
  type PostedLiquidation,
  type Range,
  REVERSAL_ENTRY,
  REVERSAL_WHOLE,
  RULE_VERSIONS,
  type SubjectName,
  subjects,
} from './store.ts'

/** The claim that fails, and for which record. */
export type Difference = Failed & { callerId: string; mode: Book['mode'] }

/** The number of records checked. */
export type Verification = {
  checked: Record<SubjectName | 'liquidations', number>
  difference: Difference | null
}

/** While the service computes one range, the database prepares others. */
const LOOKS_TOGETHER = 3

const subjectNames = Object.keys(subjects) as SubjectName[]

export async function verify(
  books: readonly Book[],
  options: {
    db: Pick<Database, 'query' | 'transaction'>
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

  /** The first range of a subject with a difference counts, so that the report does not depend on timing. */
  async function findInBook(book: Book): Promise<Failed | null> {
    const found = new Map<string, { order: number; failed: Failed }>()
    const looks = looksAt(book, found)
    let started = 0
    const ended = await Promise.allSettled(Array.from({ length: LOOKS_TOGETHER }, takeLooks))
    for (const one of ended) if (one.status === 'rejected') throw one.reason
    return firstInOrder([...found.values()].map(({ failed }) => failed))

    async function takeLooks(): Promise<void> {
      for await (const { about, look } of looks) {
        const order = started++
        const failed = await look()
        const earlier = found.get(about)
        if (failed !== null && (earlier === undefined || order < earlier.order)) {
          found.set(about, { order, failed })
        }
      }
    }
  }

  async function* looksAt(book: Book, found: ReadonlyMap<string, unknown>) {
    const { bookId } = book
    yield { about: 'rule_sets', look: () => findRuleDifference(db, bookId) }
    yield { about: 'liquidations', look: () => findUnpostedLiquidation(db, bookId) }
    yield { about: 'reversals', look: () => findReversalDifference(db, bookId) }
    yield { about: 'approvals', look: () => findApprovalDifference(db, bookId) }
    for (const name of subjectNames) {
      const limit = pageKeys ?? subjects[name].pageKeys
      for (let after: string | null = ''; after !== null && !found.has(name); ) {
        const range: Range = await findRange(db, bookId, name, { after, limit })
        yield { about: name, look: () => findInRange(book, name, range) }
        after = range.upTo
      }
    }
  }

  async function findInRange(book: Book, name: SubjectName, range: Range): Promise<Failed | null> {
    const found: Failed[] = []
    await examineRange(db, { bookId: book.bookId, name, range }, async (queries, { failed, deposits }) => {
      const known = await readKnown(queries, book, deposits)
      // The next work of the database is sent before the service computes.
      await nextTurn()
      for (const failure of [...failed, ...deposits.flatMap((posted) => computeAgain(posted, known))]) {
        found[0] = firstInOrder([...found, failure])!
      }
      checked.liquidations += deposits.filter(({ part }) => part !== null).length
    })
    checked[name] += range.keys
    if (range.keys > 0) observe?.(book, name, checked)
    return found[0] ?? null
  }

  async function readKnown(queries: Queries, book: Book, posted: readonly PostedDeposit[]): Promise<Known> {
    const { bookId } = book
    const settled = posted.map(({ deposit }) => deposit).filter(isSettled)
    const ids = settled.flatMap(({ depositId, rolledOverTo }) => [depositId, rolledOverTo ?? []].flat())
    const deposits = await findDeposits(queries, bookId, ids)
    const versions = new Set<number>()
    const taxVersions = new Set<number>()
    for (const { deposit, part } of posted) {
      versions.add(deposit.rulesVersion)
      if (part !== null && part.liquidation.taxed !== null) taxVersions.add(part.liquidation.taxed.version)
    }
    for (const { rulesVersion, maturityTaxed } of deposits.values()) {
      versions.add(rulesVersion)
      if (maturityTaxed !== null) taxVersions.add(maturityTaxed.version)
    }
    return {
      book,
      deposits,
      ruleSets: await readRules(queries, cache, bookId, versions),
      taxRules: await readTaxRules(queries, cache, bookId, taxVersions),
    }
  }
}

/** What the figures of a batch are computed from, besides its rows. */
type Known = {
  book: Book
  ruleSets: ReadonlyMap<number, RuleSet>
  /** Those that were settled, and their successors. */
  deposits: ReadonlyMap<string, Deposit>
  taxRules: ReadonlyMap<number, TaxRules>
}

type Compared = { found: readonly unknown[]; expected: readonly unknown[] }

/** null: there is no difference, or the claim is not about this record. */
type ComputedClaim<Item> = { claim: string; compare: (item: Item, known: Known) => Compared | null }

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
    claim: 'only a settled deposit has an entry for tax of its own',
    compare: ({ deposit, maturityTaxPostings }) =>
      isSettled(deposit) ? null : comparePostings(maturityTaxPostings, []),
  },
]

type SettledDeposit = Pick<PostedDeposit, 'liquidated' | 'maturityPostings' | 'maturityTaxPostings'> & {
  deposit: Deposit
}

const settledClaims: ComputedClaim<SettledDeposit>[] = [
  {
    claim: 'a deposit is settled on its maturity date or later',
    compare: ({ deposit }, { book }) => {
      const settledOn = businessDate(deposit.updatedAt, book.timeZone)
      const { maturityDate } = deposit
      return { found: [settledOn], expected: [settledOn < maturityDate ? maturityDate : settledOn] }
    },
  },
  {
    claim: 'the interest of a settled deposit was taxed by a version and at a rate of the tax rules',
    compare: ({ deposit }, known) => compareRate(deposit.maturityTaxed, known),
  },
  {
    claim: 'a settled deposit has one maturity entry, with all that it was worth by its pinned rules',
    compare: (settled, known) => {
      const { depositId, status, accountNumber } = settled.deposit
      const paidTo = status === 'MATURED' ? accountNumber : ROLLOVER_CLEARING
      const uncharged = { penal: minor(0n), waived: minor(0n) }
      const worth = { ...worthAtMaturity(settled, known), ...uncharged, depositId, paidTo }
      return comparePostings(settled.maturityPostings, settlementPostings(worth))
    },
  },
  {
    claim: 'a settled deposit has one entry for the tax withheld of its interest, if any',
    compare: (settled, known) => {
      const { status, accountNumber } = settled.deposit
      const takenFrom = status === 'MATURED' ? accountNumber : ROLLOVER_CLEARING
      const { tax } = worthAtMaturity(settled, known)
      return comparePostings(settled.maturityTaxPostings, taxPostings({ takenFrom, tax }))
    },
  },
  {
    claim: 'a deposit that was rolled over has a successor with its terms and all that it was worth',
    compare: (settled, known) => {
      const { deposit } = settled
      const successor = known.deposits.get(deposit.rolledOverTo ?? '') ?? null
      const { net } = worthAtMaturity(settled, known)
      return {
        found: [successor && termsOf(successor)],
        expected: [deposit.status === 'MATURED' ? null : successorTerms(deposit, net, known)],
      }
    },
  },
]

type BrokenDeposit = PostedLiquidation & { deposit: DepositTerms }

const liquidationClaims: ComputedClaim<BrokenDeposit>[] = [
  {
    claim: 'a liquidation was taxed by a version and at a rate of the tax rules',
    compare: ({ liquidation }, known) => compareRate(liquidation.taxed, known),
  },
  {
    claim: 'a liquidation pays what its pinned rules, its waiver and the tax rules say',
    compare: ({ liquidation, deposit }, known) => {
      const rules = rulesOf(deposit, known)
      const { interest, assessed } = assess({ ...deposit, ...liquidation, rules })
      const waived = waivedOf(assessed, liquidation.waiver, rules.rounding)
      // A waiver of more than the charge would not have been accepted.
      if (waived > assessed) return { found: [`waived ${waived}`], expected: [`at most ${assessed}`] }
      const { principal, taxed, earlierToday } = liquidation
      const taxation = taxationAgain(taxed, known.taxRules)
      const figures = figuresOf({ principal, interest, assessed, waived }, taxation, earlierToday)
      return hasFigures(liquidation, figures)
        ? null
        : { found: shownFigures(liquidation), expected: shownFigures(figures) }
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
    claim: LIQUIDATION_ENTRY,
    compare: ({ liquidation, postings }) =>
      comparePostings(postings, liquidationMovements(liquidation)[0]!.postings),
  },
  {
    claim: LIQUIDATION_TAX_ENTRY,
    compare: ({ liquidation, taxPostings }) =>
      comparePostings(taxPostings, liquidationMovements(liquidation)[1]?.postings ?? []),
  },
  {
    claim: LIQUIDATION_EVENT,
    compare: ({ liquidation, event }) => {
      const type = `fixed_deposit.${liquidation.type === 'FULL' ? '' : 'partially_'}liquidated`
      const data = LiquidationRecord.json(liquidation)
      if (event?.type === type && event.data === data) return null
      return event === null ? { found: [], expected: [type] } : compareEvents(event, { type, data })
    },
  },
]

/** The compared figures, as a report names them. */
const FIGURES: readonly [name: string, read: (figures: Figures) => Minor][] = [
  ['interest', ({ interest }) => interest],
  ['assessed', ({ assessed }) => assessed],
  ['waived', ({ waived }) => waived],
  ['charge', ({ penal }) => penal],
  ['total', ({ total }) => total],
  ['tax', taxOf],
  ['net', ({ net }) => net],
]

function hasFigures(found: Figures, expected: Figures): boolean {
  return FIGURES.every(([, read]) => read(found) === read(expected))
}

function shownFigures(figures: Figures): string[] {
  return FIGURES.map(([name, read]) => `${name} ${read(figures)}`)
}

/** The members that every version of the event has had. */
const FIRST_MEMBERS = [
  'deposit_id',
  'status',
  'principal_returned',
  'interest_paid',
  'penal_charge',
  'total_credited',
  'credited_account',
  'liquidated_at',
  'liquidation_id',
  'remaining_principal',
]

type Event = { type: string; data: string }

/**
 * An event keeps the format in which it was written: those of 0.1.0 lack later members. Every member it has is
 * compared.
 */
function compareEvents(stored: Event, computed: Event): Compared {
  const [found, expected] = [JSON.parse(stored.data), JSON.parse(computed.data)] as Record<string, unknown>[]
  const names = [...new Set([...FIRST_MEMBERS, ...Object.keys(found!)])]
  const members = (event: Event, data: Record<string, unknown>) => [
    event.type,
    ...names.map((name) => `${name} ${JSON.stringify(data[name])}`),
  ]
  return { found: members(stored, found!), expected: members(computed, expected!) }
}

/** Where several claims fail, the first of these is reported. */
export const claimsInOrder: readonly string[] = [
  { claim: RULE_VERSIONS },
  ...subjects.ledger_entries.claims,
  ...subjects.accounts.claims,
  ...subjects.customers.claims,
  ...subjects.deposits.claims,
  ...depositClaims,
  ...settledClaims,
  { claim: LIQUIDATION_DEPOSIT },
  ...liquidationClaims,
  { claim: REVERSAL_ENTRY },
  { claim: REVERSAL_WHOLE },
  { claim: APPROVAL_STATE },
  { claim: APPROVAL_RESULT },
  ...subjects.events.claims,
].map(({ claim }) => claim)

/** Of equal claims, the one about the first record. */
function firstInOrder(failures: readonly Failed[]): Failed | null {
  const rankOf = ({ claim, ids }: Failed) =>
    `${String(claimsInOrder.indexOf(claim)).padStart(3, '0')} ${Object.values(ids).join(' ')}`
  return failures.toSorted((left, right) => (rankOf(left) < rankOf(right) ? -1 : 1))[0] ?? null
}

function computeAgain(posted: PostedDeposit, known: Known): Failed[] {
  const { deposit, isLast, part } = posted
  const { depositId } = deposit
  const settled = isSettled(deposit) ? known.deposits.get(depositId)! : null
  const ofDeposit =
    (isLast ? firstFailed(posted, depositClaims, known) : null) ??
    (isLast && settled ? firstFailed({ ...posted, deposit: settled }, settledClaims, known) : null)
  if (ofDeposit !== null) return [{ ...ofDeposit, ids: { deposit_id: depositId } }]
  const ofLiquidation = part && firstFailed({ ...part, deposit }, liquidationClaims, known)
  if (ofLiquidation === null) return []
  const ids = { liquidation_id: part!.liquidation.liquidationId, deposit_id: depositId }
  return [{ ...ofLiquidation, ids }]
}

function firstFailed<Item>(
  item: Item,
  claims: readonly ComputedClaim<Item>[],
  known: Known,
): Omit<Failed, 'ids'> | null {
  for (const { claim, compare } of claims) {
    const compared = compare(item, known)
    if (compared === null || isEqual(compared)) continue
    const [found, expected] = [compared.found.join(', '), compared.expected.join(', ')]
    return { claim, found: found === '' ? 'nothing' : found, expected }
  }
  return null
}

function isEqual({ found, expected }: Compared): boolean {
  return found.length === expected.length && found.every((value, index) => value === expected[index])
}

function isSettled({ status }: DepositTerms): boolean {
  return status === 'MATURED' || status === 'ROLLED_OVER'
}

function rulesOf({ rulesVersion }: DepositTerms, { ruleSets }: Known): RuleSet {
  return ruleSets.get(rulesVersion)!
}

function compareRate(taxed: Taxed | null, { taxRules }: Known): Compared | null {
  if (taxed === null) return null
  const rate = taxRules.get(taxed.version)?.classes.get(taxed.taxClass)
  return rate === taxed.ratePpm
    ? null
    : {
        found: [`version ${taxed.version}, ${taxed.taxClass} ${taxed.ratePpm}`],
        expected: [`${taxed.taxClass} ${rate ?? 'unknown'}`],
      }
}

/** A settled deposit has nothing left; its value is what its liquidations did not take. */
function worthAtMaturity({ deposit, liquidated }: SettledDeposit, known: Known) {
  const remaining = minor(deposit.principal - liquidated)
  const taxation = taxationAgain(deposit.maturityTaxed, known.taxRules)
  return valueAtMaturity({ ...deposit, remaining }, rulesOf(deposit, known), taxation)
}

/** The successor shows which rules were in force; everything else follows from the deposit. */
function successorTerms(deposit: Deposit, principal: Minor, known: Known): string {
  const successor = known.deposits.get(deposit.rolledOverTo ?? '')
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

/** Lines may be in any order; usually they are in ours, and the texts are equal. */
function comparePostings(found: string, postings: readonly Posting[]): Compared | null {
  if (found === '' && postings.length === 0) return null
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
