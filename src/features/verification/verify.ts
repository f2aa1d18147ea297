/**
 * Checks whole books for the first difference between what is stored and what should be: the ledger is added up again,
 * balances, deposits and liquidations are compared with their postings, every liquidation and every maturity is
 * computed again from its pinned rules, every change must have its event, and what was sealed must be as it was. Guarantees: it changes nothing, locks
 * nothing, and may run beside the service; it reads page by page, in bounded memory, and while the service computes one
 * page the database prepares the next.
 *
 * Claims that the database can check by itself are in store.ts. To add a claim that needs the service's arithmetic, add
 * one entry to the claims below.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Book } from '../../domain/book.ts'
import { businessDate } from '../../domain/dates.ts'
import { type Deposit, interestAtMaturity, type PinnedTo, type RulesOf } from '../../domain/deposit.ts'
import { interestOfPeriod } from '../../domain/interest.ts'
import { importPostings, openingPostings, type Posting, ROLLOVER_CLEARING } from '../../domain/ledger.ts'
import { assessAgain, liquidationMovements } from '../../domain/liquidation.ts'
import { valueAtMaturity, valueMovements } from '../../domain/maturity.ts'
import { type Minor, minor } from '../../domain/money.ts'
import { paymentMovements, type StoredPayment } from '../../domain/payments.ts'
import { successorOf } from '../../domain/rollover.ts'
import { boundaryAfter } from '../../domain/schedule.ts'
import { type Figures, figuresOf, waivedOf } from '../../domain/settlement.ts'
import { type Taxed, type TaxRules, taxationAgain, withholdingTax } from '../../domain/tax.ts'
import { termsOf } from '../../domain/terms.ts'
import type { VersionCache } from '../../engine/change/version-cache.ts'
import type { Database, Queries } from '../../engine/database/database.ts'
import { ACCRUAL_ENTRY, ACCRUAL_TARGET, findAccrualDifference } from '../accruals/claims.ts'
import { findPayments } from '../interest-payments/store.ts'
import { LiquidationRecord } from '../liquidation/record.ts'
import { readRulesOf } from '../products/changes.ts'
import { readTaxRules } from '../tax/changes.ts'
import { looksAtSeals, SEAL_CHAIN, SEAL_EVENTS, SEAL_ROOT, SEALED_IN_TIME } from './seals.ts'
import {
  AGREED_RATE,
  compareAgreed,
  compareShares,
  type KnownOfSold,
  PAID_SHARES,
  readKnownOfSold,
} from './sold.ts'
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
  LIQUIDATION_ADJUSTMENTS,
  LIQUIDATION_DEPOSIT,
  LIQUIDATION_ENTRY,
  LIQUIDATION_EVENT,
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
  checked: Record<SubjectName | 'liquidations' | 'seals', number>
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
    observe?: (book: Book, table: SubjectName | 'seals', checked: Verification['checked']) => void
  },
): Promise<Verification> {
  const { db, versions: cache, pageKeys, observe } = options
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
    yield { about: 'accruals', look: () => findAccrualDifference(db, cache, book) }
    for (const name of subjectNames) {
      const limit = pageKeys ?? subjects[name].pageKeys
      for (let after: string | null = ''; after !== null && !found.has(name); ) {
        const range: Range = await findRange(db, bookId, name, { after, limit })
        yield { about: name, look: () => findInRange(book, name, range) }
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
    const pinned: PinnedTo[] = []
    const taxVersions = new Set<number>()
    for (const { deposit, part } of posted) {
      pinned.push(deposit)
      if (part !== null && part.liquidation.taxed !== null) taxVersions.add(part.liquidation.taxed.version)
    }
    for (const deposit of deposits.values()) {
      const { maturityTaxed } = deposit
      pinned.push(deposit)
      if (maturityTaxed !== null) taxVersions.add(maturityTaxed.version)
    }
    const paying = posted.filter(({ deposit, isLast }) => isLast && paysEarly(deposit))
    const payments = await findPayments(
      queries,
      bookId,
      paying.map(({ deposit }) => deposit.depositId),
    )
    for (const { taxed } of [...payments.values()].flat()) if (taxed !== null) taxVersions.add(taxed.version)
    const last = posted.filter(({ isLast }) => isLast).map(({ deposit }) => deposit)
    return {
      book,
      payments,
      sold: await readKnownOfSold(queries, { bookId, cache }, last),
      deposits,
      rulesOf: await readRulesOf(queries, cache, bookId, pinned),
      taxRules: await readTaxRules(queries, cache, bookId, taxVersions),
    }
  }
}

/** What the figures of a batch are computed from, besides its rows. */
type Known = {
  book: Book
  rulesOf: RulesOf
  /** Those that were settled, and their successors. */
  deposits: ReadonlyMap<string, Deposit>
  taxRules: ReadonlyMap<number, TaxRules>
  /** By deposit, oldest first. */
  payments: ReadonlyMap<string, readonly StoredPayment[]>
  sold: KnownOfSold
}

type Compared = { found: readonly unknown[]; expected: readonly unknown[] }

/** null: there is no difference, or the claim is not about this record. */
type ComputedClaim<Item> = { claim: string; compare: (item: Item, known: Known) => Compared | null }

const depositClaims: ComputedClaim<PostedDeposit>[] = [
  {
    claim: 'a deposit has one entry for its opening, with its principal',
    compare: ({ deposit, predecessorId, imported, openingPostings: found }) => {
      if (imported !== null)
        return comparePostings(found, importPostings(deposit.depositId, imported.remaining))
      const fundedFrom = predecessorId === null ? deposit.accountNumber : ROLLOVER_CLEARING
      return comparePostings(found, openingPostings({ ...deposit, fundedFrom }))
    },
  },
  {
    claim: 'the expected interest of a deposit is what its pinned rules say',
    compare: ({ deposit }, known) => ({
      found: [deposit.expectedInterest],
      expected: [interestAtMaturity(deposit.principal, termsOf(deposit, known.rulesOf(deposit)))],
    }),
  },
  {
    claim: AGREED_RATE,
    compare: (posted, { sold }) => (posted.isLast ? compareAgreed(posted, sold) : null),
  },
  {
    claim: 'only payments of interest and a maturity have an entry for tax of their own',
    compare: ({ deposit, isLast, ownTaxPostings }, known) =>
      !isLast || isSettled(deposit)
        ? null
        : comparePostings(ownTaxPostings, paymentsOf(deposit, known).flatMap(taxPostingsOf)),
  },
  {
    claim: 'every payment of interest has an entry with what was paid',
    compare: ({ deposit, isLast, payoutPostings }, known) =>
      isLast
        ? comparePostings(
            payoutPostings,
            paymentsOf(deposit, known).flatMap((payment) => paymentMovements(payment)[0]?.postings ?? []),
          )
        : null,
  },
  {
    claim: 'payments of interest follow the schedule, with what their principal earned and the tax on it',
    compare: ({ deposit, imported, isLast }, known) =>
      isLast ? comparePayments(deposit, imported, known) : null,
  },
  {
    claim: PAID_SHARES,
    compare: (posted, known) => {
      const { deposit, isLast } = posted
      if (!isLast || !paysEarly(deposit)) return null
      const parts = known.sold.parts.get(deposit.depositId) ?? []
      const terms = termsOf(deposit, known.rulesOf(deposit))
      return compareShares(posted, { payments: paymentsOf(deposit, known), parts }, terms)
    },
  },
  {
    claim: 'a deposit carries the interest that was paid on what remains, and the tax on that',
    compare: ({ deposit, imported, isLast, sharesTaken }, known) => {
      if (!isLast) return null
      const payments = paymentsOf(deposit, known)
      const sum = (member: 'interest' | 'tax') => payments.reduce((total, one) => total + one[member], 0n)
      return {
        found: [deposit.paid, deposit.paidTax],
        expected: [
          (imported?.paid ?? 0n) + sum('interest') - sharesTaken.paid,
          (imported?.paidTax ?? 0n) + sum('tax') - sharesTaken.tax,
        ],
      }
    },
  },
]

type SettledDeposit = Pick<
  PostedDeposit,
  'imported' | 'liquidated' | 'maturityPostings' | 'ownTaxPostings'
> & {
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
      const [maturity] = valueMovements(worthAtMaturity(settled, known), settled.deposit)
      return comparePostings(settled.maturityPostings, maturity!.postings)
    },
  },
  {
    claim: 'a settled deposit has one entry for the tax withheld of its interest, if any',
    compare: (settled, known) => {
      const [, ...taxes] = valueMovements(worthAtMaturity(settled, known), settled.deposit)
      const ofPayments = paymentsOf(settled.deposit, known).flatMap(taxPostingsOf)
      const expected = [...ofPayments, ...taxes.flatMap(({ postings }) => postings)]
      return comparePostings(settled.ownTaxPostings, expected)
    },
  },
  {
    claim: 'a deposit that was rolled over has a successor with its terms and all that it was worth',
    compare: (settled, known) => {
      const { deposit } = settled
      const successor = known.deposits.get(deposit.rolledOverTo ?? '') ?? null
      const { rolled } = worthAtMaturity(settled, known)
      return {
        found: [successor && agreedOf(successor)],
        expected: [deposit.status === 'MATURED' ? null : successorTerms(deposit, rolled, known)],
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
      const rules = known.rulesOf(deposit)
      const { terms, ...assessment } = assessAgain(liquidation, deposit, rules)
      const { assessed } = assessment
      const waived = waivedOf(assessed, liquidation.waiver, terms)
      // A waiver of more than the charge would not have been accepted.
      if (waived > assessed) return { found: [`waived ${waived}`], expected: [`at most ${assessed}`] }
      const { principal, taxed, taxedWith, taxedEarlier, earlierToday } = liquidation
      const taxation = taxationAgain(taxed, known.taxRules, taxedWith === 'DAY' ? 'TOTAL' : undefined)
      const { unit } = terms
      const part = { principal, waived, ...assessment }
      const figures = figuresOf(part, { taxation, earlierToday, taxedEarlier, unit })
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
    claim: LIQUIDATION_ADJUSTMENTS,
    compare: ({ liquidation, adjustmentPostings }) => {
      const [, ...adjustments] = liquidationMovements(liquidation)
      return comparePostings(
        adjustmentPostings,
        adjustments.flatMap(({ postings }) => postings),
      )
    },
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
  ['unearned', ({ unearned }) => unearned],
  ['tax', ({ tax }) => tax],
  ['recovered', ({ recovered }) => recovered],
  ['tax returned', ({ taxReturned }) => taxReturned],
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
  { claim: ACCRUAL_ENTRY },
  { claim: ACCRUAL_TARGET },
  ...subjects.events.claims,
  { claim: SEAL_CHAIN },
  { claim: SEAL_ROOT },
  { claim: SEAL_EVENTS },
  { claim: SEALED_IN_TIME },
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

function paysEarly({ method }: DepositTerms): boolean {
  return method === 'PAYOUT' || method === 'UPFRONT'
}

function isSettled({ status }: DepositTerms): boolean {
  return status === 'MATURED' || status === 'ROLLED_OVER'
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
function worthAtMaturity({ deposit, imported, liquidated }: SettledDeposit, known: Known) {
  const remaining = minor((imported?.remaining ?? deposit.principal) - liquidated)
  const taxation = taxationAgain(deposit.maturityTaxed, known.taxRules)
  const status = deposit.status === 'MATURED' ? 'MATURED' : 'ROLLED_OVER'
  return valueAtMaturity({ ...deposit, remaining }, known.rulesOf(deposit), taxation, status)
}

function paymentsOf({ depositId }: DepositTerms, { payments }: Known): readonly StoredPayment[] {
  return payments.get(depositId) ?? []
}

function taxPostingsOf(payment: StoredPayment): Posting[] {
  return paymentMovements(payment)[1]?.postings ?? []
}

/** Period by period, each on its own principal; how the principal fell is claimed of the liquidations. */
function comparePayments(
  deposit: DepositTerms,
  imported: PostedDeposit['imported'],
  known: Known,
): Compared | null {
  const payments = paymentsOf(deposit, known)
  const terms = termsOf(deposit, known.rulesOf(deposit))
  let from = imported?.paidTo ?? terms.startDate
  const expected = payments.map(({ principal, taxed }) => {
    const period = { from, to: terms.method === 'UPFRONT' ? terms.maturityDate : boundaryAfter(terms, from) }
    from = period.to
    const interest = minor(interestOfPeriod(terms, principal, period))
    const taxation = taxationAgain(taxed, known.taxRules)
    const tax = withholdingTax(taxation, { interest, penal: 0n, total: interest, unit: terms.unit })
    return `${period.from} ${period.to} ${interest} ${tax}`
  })
  const found = payments.map((one) => `${one.from} ${one.to} ${one.interest} ${one.tax}`)
  const paidTo = terms.method === 'PAYOUT' ? (payments.at(-1)?.to ?? imported?.paidTo ?? null) : null
  return { found: [...found, deposit.paidTo], expected: [...expected, paidTo] }
}

/** The successor shows which rules were in force; everything else follows from the deposit. */
function successorTerms(deposit: Deposit, principal: Minor, known: Known): string {
  const successor = known.deposits.get(deposit.rolledOverTo ?? '')
  if (successor === undefined) return 'a successor'
  const { depositId, rulesVersion: version } = successor
  const inForce = { version, rules: known.rulesOf(successor) }
  if (deposit.productCode !== null) return agreedOf(renewedTerms(deposit, principal, successor))
  const expected = successorOf(deposit, { depositId, principal, inForce, at: deposit.updatedAt })
  return expected === null ? 'no rollover' : agreedOf(expected)
}

/** Its rate and dates are those of another opening by the product; its expected interest is claimed of every deposit. */
function renewedTerms(deposit: Deposit, principal: Minor, successor: Deposit): Deposit {
  const { customerId, accountNumber, currency, maturityDate: startDate, instruction, updatedAt } = deposit
  const owner = { customerId, accountNumber, currency, instruction }
  return { ...successor, ...owner, principal, startDate, createdAt: updatedAt }
}

function agreedOf(deposit: Deposit): string {
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
