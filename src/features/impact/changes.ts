/** What a document would change, before it is published. Nothing is locked or written. */
import { type ApprovalPolicy, countApprovals, type Facts } from '../../domain/approvals.ts'
import type { Book } from '../../domain/book.ts'
import { addDays } from '../../domain/dates.ts'
import { type Deposit, type RulesInForce, rollsOver } from '../../domain/deposit.ts'
import { IMPACT_DAYS, IMPACT_MOVEMENTS_MAX, type Impact, openImpact } from '../../domain/impact.ts'
import type { Settlement } from '../../domain/liquidation.ts'
import { valueAtMaturity } from '../../domain/maturity.ts'
import { paidUpTo } from '../../domain/payments.ts'
import type { Product, ProductVersion } from '../../domain/product.ts'
import { type Refusal, refuse } from '../../domain/refusal.ts'
import type { StoredLiquidation } from '../../domain/reversal.ts'
import { renewByProduct, successorOf } from '../../domain/rollover.ts'
import { type RuleSet, rulesSourceOf } from '../../domain/rules.ts'
import { termsOf } from '../../domain/terms.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { readBookSnapshot } from '../../engine/change/recording.ts'
import { readCalendar } from '../calendar/changes.ts'
import { findDeposits } from '../deposits/store.ts'
import { policyReader } from '../holding/changes.ts'
import { liquidationFacts } from '../liquidation/changes.ts'
import {
  nameOf,
  productNameOf,
  readNewestProducts,
  readProducts,
  readRulesOf,
  readSheets,
} from '../products/changes.ts'
import { readMaturing } from '../reports/store.ts'
import { readRulesInForce } from '../rules/changes.ts'
import { readRecent } from './store.ts'

/** How a proposal reads a deposit. */
type Proposal = {
  /** Whether the figures of the deposit count. */
  counts: (deposit: Deposit, rules: RuleSet) => boolean
  /** The rules that would have applied; null: those that did. */
  rules: RuleSet | null
  recovers?: boolean
  policy?: ApprovalPolicy
  /** The interest of a successor now and by the proposal; null: it would be paid out. */
  renew: (
    deposit: Deposit,
    rules: RuleSet,
    pinned: Product | null,
  ) => { now: bigint | null; proposed: bigint | null } | null
}

export async function impactOfRules(engine: Engine, book: Book, rules: RuleSet): Promise<Impact> {
  const inForce = await readRulesInForce(engine.db, engine.versions, book.bookId)
  const isCallers = (deposit: Deposit, own: RuleSet) =>
    deposit.currency === book.currency && rulesSourceOf(own) === 'CALLER'
  const successorBy = (deposit: Deposit, own: RuleSet, version: RulesInForce) => {
    const principal = rolledOf(deposit, own)
    const successor = successorOf(deposit, { depositId: '', principal, inForce: version, at: new Date(0) })
    return successor?.expectedInterest ?? null
  }
  return impactOf(engine, book, {
    counts: isCallers,
    rules,
    renew: (deposit, own) =>
      deposit.productCode === null && isCallers(deposit, own)
        ? {
            now: successorBy(deposit, own, inForce),
            proposed: successorBy(deposit, own, { version: 0, rules }),
          }
        : null,
  })
}

export async function impactOfProduct(
  engine: Engine,
  book: Book,
  { productCode, product }: { productCode: string; product: Product },
): Promise<Impact | Refusal> {
  const { db, versions } = engine
  const { bookId } = book
  const newest = (await readNewestProducts(db, versions, bookId, [productCode])).get(productCode)
  if (newest === undefined) return refuse('product_not_found')
  const { currency } = newest.product
  if (product.currency !== currency) return refuse('currency_mismatch', { currency })
  const sheets = (await readSheets(db, versions, bookId, [productCode])).get(productCode) ?? []
  const inForce = await readRulesInForce(db, versions, bookId)
  const snapshot = await readBookSnapshot(db, bookId, [])
  const calendar = await readCalendar(db, { book, snapshot, versions })
  const isOurs = (deposit: Deposit) => deposit.productCode === productCode
  const renewedBy = (deposit: Deposit, own: RuleSet, version: ProductVersion, limits: Product) => {
    const renewal = { depositId: '', principal: rolledOf(deposit, own), inForce, at: new Date(0) }
    const { rolloverLimit } = limits.maturity
    const renewed = renewByProduct(deposit, { version, rolloverLimit, sheets, calendar }, renewal)
    return 'refused' in renewed ? null : renewed.successor.expectedInterest
  }
  return impactOf(engine, book, {
    counts: isOurs,
    rules: product.rules === null ? inForce.rules : { ...product.rules, sheets },
    recovers: product.interest.recoverPaidInterest,
    renew: (deposit, own, pinned) =>
      isOurs(deposit)
        ? {
            now: renewedBy(deposit, own, newest, pinned!),
            proposed: renewedBy(deposit, own, { ...newest, product }, product),
          }
        : null,
  })
}

export function impactOfPolicy(engine: Engine, book: Book, policy: ApprovalPolicy): Promise<Impact> {
  const counts = (deposit: Deposit) => deposit.currency === book.currency
  return impactOf(engine, book, { counts, rules: null, policy, renew: () => null })
}

/** What of a deposit opens its successor, before tax. */
function rolledOf(deposit: Deposit, rules: RuleSet) {
  const paid = paidUpTo(deposit, termsOf(deposit, rules), deposit.maturityDate)
  return valueAtMaturity(paid, rules, null).rolled
}

async function impactOf(engine: Engine, book: Book, proposal: Proposal): Promise<Impact> {
  const { db, versions } = engine
  const { bookId } = book
  const { today } = await engine.momentIn(book)
  const policy = (await policyReader.readNewest(db, versions, bookId))?.document ?? null
  const impact = openImpact()
  let movements = 0

  const addDay = async (day: readonly StoredLiquidation[]) => {
    const deposits = await findDeposits(db, bookId, [...new Set(day.map(({ depositId }) => depositId))])
    const rulesOf = await readRulesOf(db, versions, bookId, deposits.values())
    for (const liquidation of day) {
      const deposit = deposits.get(liquidation.depositId)!
      if (liquidation.reversedAt !== null || !proposal.counts(deposit, rulesOf(deposit))) continue
      const terms = { ...deposit, recoverPaidInterest: proposal.recovers ?? deposit.recoverPaidInterest }
      const proposed = impact.addLiquidation(liquidation, terms, proposal.rules)
      const waits = (by: ApprovalPolicy | null, facts: () => Facts) =>
        countApprovals(by, 'liquidateFixedDeposit', facts).needed > 0
      const settled: Settlement = { ...liquidation, ...proposed }
      impact.addHeld({
        now: waits(policy, () => liquidationFacts(liquidation)),
        proposed: proposed !== null && waits(proposal.policy ?? policy, () => liquidationFacts(settled)),
      })
    }
  }

  let day: StoredLiquidation[] = []
  for await (const page of readRecent(db, bookId, addDays(today, 1 - IMPACT_DAYS))) {
    for (const liquidation of page) {
      movements += 1
      if (movements > IMPACT_MOVEMENTS_MAX) break
      if (day.length > 0 && day[0]!.businessDate !== liquidation.businessDate) {
        await addDay(day.toReversed())
        day = []
      }
      day.push(liquidation)
    }
    if (movements > IMPACT_MOVEMENTS_MAX) break
  }
  await addDay(day.toReversed())
  const span = { from: addDays(today, 1), to: addDays(today, IMPACT_DAYS) }
  for await (const page of readMaturing(db, bookId, span)) {
    const rolling = page.filter(rollsOver)
    const rulesOf = await readRulesOf(db, versions, bookId, rolling)
    const names = rolling.flatMap((deposit) => productNameOf(deposit) ?? [])
    const products = await readProducts(db, versions, bookId, names)
    for (const deposit of rolling) {
      const name = productNameOf(deposit)
      const pinned = name === null ? null : products.get(nameOf(name))!
      const renewed = proposal.renew(deposit, rulesOf(deposit), pinned)
      if (renewed !== null) impact.addRollover(renewed)
    }
  }
  return impact.close(movements <= IMPACT_MOVEMENTS_MAX)
}
