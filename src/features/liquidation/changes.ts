/**
 * Breaking deposits. A batch takes its locks in one statement, deposits by id and then accounts by number, and writes in
 * one statement: deposits, balances, liquidations, entries, events, deliveries and idempotency answers. A quote is the same
 * decision without carrying it out.
 */
import assert from 'node:assert/strict'
import { type ApprovalPolicy, approvalsNeeded, type Facts, heldForApproval } from '../../domain/approvals.ts'
import type { Book } from '../../domain/book.ts'
import type { IsoDate } from '../../domain/dates.ts'
import type { BreakableDeposit, Deposit } from '../../domain/deposit.ts'
import {
  type Breaking,
  decideLiquidations,
  type ExplainedSettlement,
  type Liquidation,
  type LiquidationRequest,
  type Settlement,
  type SettlementExplanation,
  settle,
} from '../../domain/liquidation.ts'
import { momentOf } from '../../domain/moment.ts'
import { assess } from '../../domain/penal.ts'
import { type Refusal, refuse } from '../../domain/refusal.ts'
import type { RuleSet } from '../../domain/rules.ts'
import {
  explainTax,
  type Taxation,
  type TaxStatus,
  type TaxVersion,
  taxationAgain,
  taxationOf,
} from '../../domain/tax.ts'
import type { AnswerWriter, Change, Origin, Result } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import type { Queries } from '../../engine/database/database.ts'
import { newId } from '../../engine/database/ids.ts'
import { readPolicy } from '../approval-policy/changes.ts'
import { findContactChanges } from '../customers/store.ts'
import { findBreakable, type LockedPlaces, lockBreakable } from '../deposits/store.ts'
import { readRules } from '../rules/changes.ts'
import { readTaxRules, readTaxVersions } from '../tax/changes.ts'
import { LiquidationRecord, waiverChanges } from './record.ts'
import { type KeptLiquidation, writeLiquidations } from './store.ts'

type Locked = {
  deposits: Map<string, BreakableDeposit>
  balances: Map<string, bigint>
  taxStatuses: Map<string, TaxStatus>
  places: Map<string, LockedPlaces>
}
type Known = Locked & {
  rules: Map<number, RuleSet>
  taxVersions: readonly TaxVersion[]
  policy: ApprovalPolicy | null
  /** By account: when the owner's e-mail or telephone number last changed, where the policy depends on it. */
  contactChanges: ReadonlyMap<string, Date>
}

/** The answer and the event have the same data, so it is written once. */
export type LiquidationMade = {
  liquidation: Liquidation
  places: LockedPlaces
  explain: () => SettlementExplanation
  data: string
  facts: () => Facts
}

export const liquidationChange: Change<LiquidationRequest, Locked, Known, LiquidationMade> = {
  lock: (tx, bookId, requests) =>
    lockBreakable(tx, bookId, [...new Set(requests.map(({ depositId }) => depositId))]),
  read: async (tx, at, locked) => {
    const { bookId } = at.book
    const versions = [...locked.deposits.values()].map(({ rulesVersion }) => rulesVersion)
    const policy = await readPolicy(tx, at)
    return {
      ...locked,
      policy,
      rules: await readRules(tx, at.versions, bookId, versions),
      taxVersions: await readTaxVersions(tx, at),
      contactChanges: await readContactChanges(tx, bookId, policy, [...locked.balances.keys()]),
    }
  },
  decider(known, { moment }) {
    const factsOf = (settlement: Settlement) => liquidationFacts(settlement, known, moment.at)
    const { policy } = known
    const decide = decideLiquidations(known, moment, (settlement) =>
      policy === null ? null : heldForApproval(policy, 'liquidateFixedDeposit', factsOf(settlement)),
    )
    return (request) => {
      const decision = decide(request)
      if (decision.outcome === 'refused') return decision
      const { liquidation, explain } = decision
      const data = LiquidationRecord.json(liquidation)
      const places = known.places.get(request.depositId)!
      const facts = () => factsOf(liquidation)
      return { outcome: 'made', value: { liquidation, places, explain, data, facts } }
    }
  },
  write: writeLiquidations,
  events: ({ liquidation, data }) => [
    {
      type: liquidation.type === 'FULL' ? 'fixed_deposit.liquidated' : 'fixed_deposit.partially_liquidated',
      announced: true,
      subjectId: liquidation.depositId,
      data,
      changes: waiverChanges(liquidation.waiver),
    },
  ],
}

/** What the approval policy may depend on. */
function liquidationFacts(
  settlement: Settlement,
  { contactChanges }: Pick<Known, 'contactChanges'>,
  at: Date,
): Facts {
  const changedAt = contactChanges.get(settlement.accountNumber)
  return {
    amount: settlement.principal,
    netCredited: settlement.net,
    waivedAmount: settlement.waived,
    waiver: settlement.waiver !== null,
    ...waivedShare(settlement),
    ...(changedAt !== undefined && { contactChangedMs: at.getTime() - changedAt.getTime() }),
  }
}

/** As sent, or the resulting amount. */
function waivedShare({ waiver, waived, assessed }: Settlement): Pick<Facts, 'waivedShare'> {
  if (waiver === null || assessed === 0n) return {}
  return {
    waivedShare:
      waiver.percentPpm === null
        ? { numerator: waived, denominator: assessed }
        : { numerator: BigInt(waiver.percentPpm), denominator: 1_000_000n },
  }
}

/** Only where the policy depends on them. */
async function readContactChanges(
  db: Queries,
  bookId: string,
  policy: ApprovalPolicy | null,
  accountNumbers: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const matter = policy?.rules.some(({ when }) => when.contactChangedHours !== undefined) ?? false
  return matter ? findContactChanges(db, bookId, accountNumbers) : new Map()
}

export function liquidate(
  engine: Engine,
  origin: Origin,
  request: Omit<LiquidationRequest, 'liquidationId'>,
  answer?: AnswerWriter<LiquidationMade>,
): Promise<Result<LiquidationMade>> {
  return engine.submit(liquidationChange, origin, { liquidationId: newId('liq'), ...request }, answer)
}

export type Quote = { outcome: 'settled'; settlement: ExplainedSettlement; approvalsNeeded: number }

/** On today's or another date; and how many others would have to approve it now. */
export async function quote(
  engine: Engine,
  book: Book,
  asked: Breaking & { depositId: string; asOf: IsoDate | null },
): Promise<Quote | Refusal> {
  const { db, versions } = engine
  const { bookId } = book
  const known = await findBreakable(db, bookId, asked.depositId)
  if (known === undefined) return refuse('deposit_not_found')
  const { deposit, balance, taxStatus, snapshot } = known
  const moment = momentOf(book, engine.clock(), snapshot.clockOffsetMs)
  const on = asked.asOf ?? moment.today
  if (on < deposit.startDate) return refuse('as_of_before_start', { start_date: deposit.startDate })
  const rules = await readRules(db, versions, bookId, [deposit.rulesVersion])
  const taxVersions = await readTaxVersions(db, { book, snapshot, versions })
  const settled = settle({
    ...asked,
    deposit,
    rules: rules.get(deposit.rulesVersion)!,
    balance,
    taxation: taxationOf(taxVersions, taxStatus, on),
    on,
  })
  if (settled.outcome === 'refused') return settled
  const settlement = { ...settled.settlement, explanation: settled.explain() }
  const policy = await readPolicy(db, { book, snapshot, versions })
  const contactChanges = await readContactChanges(db, bookId, policy, [deposit.accountNumber])
  const facts = liquidationFacts(settlement, { contactChanges }, moment.at)
  const needed = approvalsNeeded(policy, 'liquidateFixedDeposit', facts)
  return { outcome: 'settled', settlement, approvalsNeeded: needed }
}

/** How interest of a deposit is taxed on a date, by the rules that are known now. */
export async function readTaxation(
  { db, versions }: Engine,
  book: Book,
  depositId: string,
): Promise<(on: IsoDate) => Taxation | null> {
  const known = await findBreakable(db, book.bookId, depositId)
  assert(known !== undefined, 'the deposit exists')
  const { taxStatus, snapshot } = known
  const taxVersions = await readTaxVersions(db, { book, snapshot, versions })
  return (on) => taxationOf(taxVersions, taxStatus, on)
}

/** A deposit's terms and pinned rules never change, nor do tax rules: past liquidations can be explained again. */
export async function explain(
  engine: Engine,
  book: Book,
  deposit: Deposit,
  liquidations: readonly KeptLiquidation[],
) {
  const rules = await readRules(engine.db, engine.versions, book.bookId, [deposit.rulesVersion])
  const taxVersions = liquidations.flatMap(({ taxed }) => taxed?.version ?? [])
  const taxRules = await readTaxRules(engine.db, engine.versions, book.bookId, taxVersions)
  return liquidations.map((liquidation) => {
    const { principal, earlierToday, businessDate, taxed } = liquidation
    const pinned = rules.get(deposit.rulesVersion)!
    const assessment = assess({ ...deposit, principal, earlierToday, rules: pinned, businessDate })
    const tax = explainTax(taxationAgain(taxed, taxRules), liquidation, earlierToday ?? undefined)
    return { ...liquidation, explanation: { ...assessment.explain(), tax } }
  })
}
