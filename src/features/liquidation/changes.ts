/**
 * Breaking deposits. A batch takes its locks in one statement, deposits by id and then accounts by number, and writes in
 * one statement: deposits, balances, liquidations, entries, events, deliveries and idempotency answers. A quote is the same
 * decision without carrying it out.
 */
import assert from 'node:assert/strict'
import type { Facts } from '../../domain/approvals.ts'
import { assessAgain } from '../../domain/assessment.ts'
import type { Book } from '../../domain/book.ts'
import type { IsoDate } from '../../domain/dates.ts'
import type { BreakableDeposit, Deposit, RulesOf } from '../../domain/deposit.ts'
import {
  type Breaking,
  decideLiquidations,
  type ExplainedSettlement,
  explainSettlement,
  type Liquidation,
  type LiquidationRequest,
  type Settlement,
  type SettlementExplanation,
  settlementOn,
} from '../../domain/liquidation.ts'
import { momentOf } from '../../domain/moment.ts'
import type { Minor } from '../../domain/money.ts'
import { type Foreseen, foreseeByDay } from '../../domain/outlook.ts'
import type { InterestPayment } from '../../domain/payments.ts'
import { type Refusal, refuse } from '../../domain/refusal.ts'
import type { StoredLiquidation } from '../../domain/reversal.ts'
import {
  explainTax,
  type Taxation,
  type TaxedAlike,
  type TaxStatus,
  type TaxVersion,
  taxationAgain,
  taxationOf,
  taxDaysOf,
} from '../../domain/tax.ts'
import type { AnswerWriter, Origin, Requester, Result } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { inTurns } from '../../engine/change/turns.ts'
import { newId } from '../../engine/database/ids.ts'
import { findBreakable, type LockedRows, lockBreakable } from '../deposits/store.ts'
import { held, readHolding } from '../holding/changes.ts'
import { paymentEvents } from '../interest-payments/changes.ts'
import { readRulesOf } from '../products/changes.ts'
import { readTaxRules, readTaxVersions } from '../tax/changes.ts'
import { waiverChanges } from '../waivers/record.ts'
import { LiquidationRecord } from './record.ts'
import { findTaxedParts, writeLiquidations } from './store.ts'

type Locked = {
  deposits: Map<string, BreakableDeposit>
  balances: Map<string, bigint>
  taxStatuses: Map<string, TaxStatus>
  rows: Map<string, LockedRows>
}
type Known = Locked & {
  rulesOf: RulesOf
  taxVersions: readonly TaxVersion[]
  taxedParts: ReadonlyMap<string, readonly TaxedAlike[]>
}

const NOTHING_TAXED: Known['taxedParts'] = new Map()

/** The answer and the event have the same data, so it is written once. */
export type LiquidationResult = {
  liquidation: Liquidation
  /** Interest that was due, and is paid first. */
  payments: readonly InterestPayment[]
  /** The deposit afterwards. */
  deposit: BreakableDeposit
  rows: LockedRows
  explain: () => SettlementExplanation
  data: string
}

export const liquidationChange = held<LiquidationRequest, Locked, Known, LiquidationResult>({
  operation: 'liquidateFixedDeposit',
  about: ({ balances, deposits }) => ({ accounts: balances.keys(), deposits: deposits.keys() }),
  lock: (tx, bookId, requests) =>
    lockBreakable(tx, bookId, [...new Set(requests.map(({ depositId }) => depositId))]),
  read: async (tx, at, locked) => {
    const { bookId } = at.book
    const taxVersions = await readTaxVersions(tx, at)
    return {
      ...locked,
      rulesOf: await readRulesOf(tx, at.versions, bookId, locked.deposits.values()),
      taxVersions,
      taxedParts:
        taxVersions.length === 0
          ? NOTHING_TAXED
          : await findTaxedParts(tx, bookId, locked.deposits.values(), taxVersions),
    }
  },
  decider(known, { moment }, hold) {
    const decide = decideLiquidations(known, moment, (settlement) =>
      hold(() => liquidationFacts(settlement), settlement),
    )
    return (request) => {
      const decision = decide(request)
      if (decision.outcome === 'refused') return decision
      const { liquidation, payments, deposit, explain } = decision
      const data = LiquidationRecord.json(liquidation)
      const rows = known.rows.get(request.depositId)!
      return { outcome: 'made', value: { liquidation, payments, deposit, rows, explain, data } }
    }
  },
  write: writeLiquidations,
  events: ({ liquidation, payments, data }) => [
    ...(payments.length === 0 ? [] : paymentEvents(payments)),
    {
      type: liquidation.type === 'FULL' ? 'fixed_deposit.liquidated' : 'fixed_deposit.partially_liquidated',
      announced: true,
      subjectId: liquidation.depositId,
      data,
      changes: liquidation.waiver && waiverChanges(liquidation.waiver),
    },
  ],
})

/** What the approval policy may depend on. */
export function liquidationFacts(settlement: Settlement): Facts {
  return {
    amount: settlement.principal,
    netCredited: settlement.net,
    waivedAmount: settlement.waived,
    waiver: settlement.waiver !== null,
    ...waivedShare(settlement),
  }
}

/** The share as sent, or the one of the resulting amount. */
function waivedShare({ waiver, waived, assessed }: Settlement): Pick<Facts, 'waivedShare'> {
  if (waiver === null || assessed === 0n) return {}
  return {
    waivedShare:
      waiver.percentPpm === null
        ? { numerator: waived, denominator: assessed }
        : { numerator: BigInt(waiver.percentPpm), denominator: 1_000_000n },
  }
}

export function liquidate(
  engine: Engine,
  origin: Origin,
  request: Omit<LiquidationRequest, 'liquidationId'>,
  answer?: AnswerWriter<LiquidationResult>,
): Promise<Result<LiquidationResult>> {
  return engine.submit(liquidationChange, origin, { liquidationId: newId('liq'), ...request }, answer)
}

export type Quote = { outcome: 'settled'; settlement: ExplainedSettlement; approvalsNeeded: number }

/** Figures on today's or another date, and how many others would have to approve it now. */
export async function quote(
  engine: Engine,
  book: Book,
  asked: Breaking & { depositId: string; asOf: IsoDate | null },
  by: Requester,
): Promise<Quote | Refusal> {
  const { db, versions } = engine
  const known = await readBreaking(engine, book, asked.depositId)
  if (known === undefined) return refuse('deposit_not_found')
  const { deposit, moment, snapshot } = known
  const on = asked.asOf ?? moment.today
  const settled = settlementOn(on, { ...asked, ...known })
  if (settled.outcome === 'refused') return settled
  const settlement = { ...settled.settlement, explanation: settled.explain() }
  const { accountNumber, depositId } = deposit
  const holding = await readHolding(
    db,
    { book, snapshot, versions, moment, requesters: [by] },
    {
      operation: 'liquidateFixedDeposit',
      subjects: { accounts: [accountNumber], deposits: [depositId] },
      locks: false,
    },
  )
  const { needed } = holding.count(() => liquidationFacts(settlement), { accountNumber, depositId }, by)
  return { outcome: 'settled', settlement, approvalsNeeded: needed }
}

/** All that a settlement of the deposit depends on, as it is now; nothing is locked. */
async function readBreaking(engine: Engine, book: Book, depositId: string) {
  const { db, versions } = engine
  const { bookId } = book
  const found = await findBreakable(db, bookId, depositId)
  if (found === undefined) return undefined
  const { deposit, balance, taxStatus, snapshot } = found
  const rulesOf = await readRulesOf(db, versions, bookId, [deposit])
  const taxVersions = await readTaxVersions(db, { book, snapshot, versions })
  const taxedParts = await findTaxedParts(db, bookId, [deposit], taxVersions)
  return {
    deposit,
    balance,
    snapshot,
    moment: momentOf(book, engine.clock(), snapshot.clockOffsetMs),
    rules: rulesOf(deposit),
    taxationOn: (day: IsoDate) => taxationOf(taxVersions, taxStatus, day),
    taxDays: taxDaysOf(taxVersions, taxStatus),
    taxedParts: taxedParts.get(depositId) ?? [],
  }
}

/** What breaking a part, or null: all of it, would pay on the days to come. */
export async function foresee(
  engine: Engine,
  book: Book,
  depositId: string,
  amount: Minor | null,
): Promise<Foreseen> {
  const known = await readBreaking(engine, book, depositId)
  if (known === undefined) return refuse('deposit_not_found')
  return inTurns(foreseeByDay(known.deposit, { ...known, amount }))
}

export type TaxOutlook = {
  /** Taxation by the rules that are known now. */
  taxationOn: (on: IsoDate) => Taxation | null
  /** The taxed parts of the last day on which something of the deposit was broken. */
  taxedParts: readonly TaxedAlike[]
}

/** How interest of a deposit is taxed, on any date. */
export async function readTaxOutlook(
  { db, versions }: Engine,
  book: Book,
  depositId: string,
): Promise<TaxOutlook> {
  const known = await findBreakable(db, book.bookId, depositId)
  assert(known !== undefined, 'the deposit exists')
  const { deposit, taxStatus, snapshot } = known
  const taxVersions = await readTaxVersions(db, { book, snapshot, versions })
  const taxedParts = await findTaxedParts(db, book.bookId, [deposit], taxVersions)
  return {
    taxationOn: (on) => taxationOf(taxVersions, taxStatus, on),
    taxedParts: taxedParts.get(depositId) ?? [],
  }
}

/** A deposit's terms and pinned rules never change, nor do tax rules: past liquidations can be explained again. */
export async function explain(
  engine: Engine,
  book: Book,
  deposit: Deposit,
  liquidations: readonly StoredLiquidation[],
) {
  const rulesOf = await readRulesOf(engine.db, engine.versions, book.bookId, [deposit])
  const taxVersions = liquidations.flatMap(({ taxed }) => taxed?.version ?? [])
  const taxRules = await readTaxRules(engine.db, engine.versions, book.bookId, taxVersions)
  return liquidations.map((liquidation) => {
    const { taxed, taxedEarlier } = liquidation
    const rules = rulesOf(deposit)
    const assessment = assessAgain(liquidation, deposit, rules)
    const tax = explainTax(taxationAgain(taxed, taxRules), liquidation, taxedEarlier)
    const explanation = explainSettlement(assessment.explain(), liquidation, { deposit, rules, tax })
    return { ...liquidation, explanation }
  })
}
