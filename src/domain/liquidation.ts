/**
 * The central decision: given the current deposits and requests in order, what happens. No clock, no randomness, no
 * I/O.
 *
 * Guarantees: total = principal + interest − penal; 0 ≤ penal ≤ interest, so principal is never touched; from maturity
 * on the charge is zero and interest does not grow; a refusal changes nothing. Figures: settlement.ts.
 */
import assert from 'node:assert/strict'
import { addDays, type IsoDate } from './dates.ts'
import { type BreakableDeposit, type BrokenOnDay, elapsedDays } from './deposit.ts'
import { type Movement, settlementPostings, taxMovements } from './ledger.ts'
import type { Moment } from './moment.ts'
import { MINOR_MAX, type Minor, minor } from './money.ts'
import { assess, type BrokenEarlier, type Explanation } from './penal.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { RuleSet } from './rules.ts'
import { type Figures, figuresOf, taxOf, type Waiver, waivedOf } from './settlement.ts'
import {
  explainTax,
  type Taxation,
  type TaxExplanation,
  type Taxed,
  type TaxStatus,
  type TaxVersion,
  taxationOf,
  taxedBy,
} from './tax.ts'

export const LIQUIDATION_TYPES = ['FULL', 'PARTIAL'] as const

/** FULL may name the amount it expects to break; it must then be all that remains. */
export type Part = { type: 'FULL'; amount: Minor | null } | { type: 'PARTIAL'; amount: Minor }

/** The terms that a quote has too. */
export type Breaking = { part: Part; waiver?: Waiver | null }

export type LiquidationRequest = Breaking & {
  liquidationId: string
  depositId: string
  /** The net amount of the agreed quote: a different one is refused. */
  expectedNet?: Minor | null
  /** The caller's own reference, stored and shown. */
  reference?: string | null
  reason?: string | null
}

export const STATUSES_AFTER_LIQUIDATION = ['LIQUIDATED', 'ACTIVE'] as const
export type StatusAfterLiquidation = (typeof STATUSES_AFTER_LIQUIDATION)[number]

/** What breaking a part of a deposit on a date pays, and what is left. */
export type Settlement = Figures & {
  depositId: string
  type: Part['type']
  statusAfter: StatusAfterLiquidation
  waiver: Waiver | null
  remaining: Minor
  accountNumber: string
  currency: string
  businessDate: IsoDate
  earlierToday: BrokenEarlier | null
  taxed: Taxed | null
}

export type SettlementExplanation = Explanation & { tax: TaxExplanation | null }

/** A quote is exactly this. */
export type ExplainedSettlement = Settlement & { explanation: SettlementExplanation }

export type Liquidation = Settlement & {
  liquidationId: string
  reference: string | null
  reason: string | null
  at: Date
}

export type Decision =
  | { outcome: 'liquidated'; liquidation: Liquidation; explain: () => SettlementExplanation }
  | Refusal

/** What the locks protect. */
export type Known = {
  deposits: ReadonlyMap<string, BreakableDeposit>
  rules: ReadonlyMap<number, RuleSet>
  balances: ReadonlyMap<string, bigint>
  /** Of the book, in order; empty: there is no tax. */
  taxVersions: readonly TaxVersion[]
  /** Of the accounts. */
  taxStatuses: ReadonlyMap<string, TaxStatus>
}

/** Refuses a settlement that needs the approval of others. */
export type Hold = (settlement: Settlement) => Refusal | null

/** Decides one request after the other, each as if those before it had already been carried out. */
export function decideLiquidations(
  known: Known,
  moment: Moment,
  hold: Hold = () => null,
): (request: LiquidationRequest) => Decision {
  const deposits = new Map(known.deposits)
  const balances = new Map(known.balances)

  return (request) => {
    const deposit = deposits.get(request.depositId)
    if (deposit === undefined) return refuse('deposit_not_found')
    const rules = known.rules.get(deposit.rulesVersion)
    const balance = balances.get(deposit.accountNumber)
    assert(rules !== undefined, 'the rules a deposit is pinned to exist')
    assert(balance !== undefined, 'the account a deposit pays to exists')
    const status = known.taxStatuses.get(deposit.accountNumber) ?? { taxClass: null, taxValidUntil: null }
    const taxation = taxationOf(known.taxVersions, status, moment.today)
    const decided = settle({ ...request, deposit, rules, balance, taxation, on: moment.today })
    if (decided.outcome === 'refused') return decided

    const { settlement } = decided
    const held = hold(settlement)
    if (held !== null) return held
    const { liquidationId, expectedNet = null, reference = null, reason = null } = request
    if (expectedNet !== null && expectedNet !== settlement.net) {
      return refuse('figures_changed', { net_credited: settlement.net })
    }

    deposits.set(deposit.depositId, {
      ...deposit,
      remaining: settlement.remaining,
      status: settlement.statusAfter,
      lastBroken: brokenOnDay(settlement),
    })
    balances.set(deposit.accountNumber, balance + settlement.net)
    return {
      outcome: 'liquidated',
      liquidation: { ...settlement, liquidationId, reference, reason, at: moment.at },
      explain: decided.explain,
    }
  }
}

/** What a part earns and is charged on a date, together with what was broken of the deposit earlier on it. */
export function assessOn(
  on: IsoDate,
  { deposit, principal, rules }: { deposit: BreakableDeposit; principal: Minor; rules: RuleSet },
) {
  const earlierToday = deposit.lastBroken?.on === on ? deposit.lastBroken : null
  const { annualRatePpm, startDate, maturityDate, rulesVersion } = deposit
  const terms = { annualRatePpm, startDate, maturityDate, rulesVersion, rules, businessDate: on }
  return { earlierToday, ...assess({ principal, earlierToday, ...terms }) }
}

export function settle(
  known: Breaking & {
    deposit: BreakableDeposit
    rules: RuleSet
    balance: bigint
    taxation: Taxation | null
    on: IsoDate
  },
): { outcome: 'settled'; settlement: Settlement; explain: () => SettlementExplanation } | Refusal {
  const { deposit, rules, part, waiver = null, taxation, on } = known
  const { remaining } = deposit
  if (deposit.status !== 'ACTIVE') return refuse('deposit_not_active', { deposit_status: deposit.status })
  if (part.type === 'PARTIAL' && !rules.allowPartial) return refuse('partial_liquidation_not_allowed')
  const matured = on >= deposit.maturityDate
  const held = matured || elapsedDays(deposit, on) >= rules.minHoldingDays
  if (!held && waiver?.holdingPeriod !== true) {
    return refuse('liquidation_locked', { unlocks_on: unlocksOn(deposit, rules) })
  }
  if (part.type === 'FULL' && part.amount !== null && part.amount !== remaining) {
    return refuse('amount_conflicts_with_full', { remaining_principal: remaining })
  }
  if (part.type === 'PARTIAL') {
    const left = remaining - part.amount
    if (left < 0n) return refuse('amount_exceeds_principal', { remaining_principal: remaining })
    if (left === 0n) return refuse('amount_equals_principal', { remaining_principal: remaining })
    if (part.amount < rules.minPartialAmount) {
      return refuse('amount_below_minimum', { minimum: rules.minPartialAmount })
    }
    if (left < rules.minRemainingPrincipal) {
      return refuse('remaining_below_minimum', {
        minimum: rules.minRemainingPrincipal,
        maximum_amount: largestPartial(remaining, rules),
      })
    }
    if (left < deposit.lien) {
      return refuse('amount_under_lien', {
        lien_amount: deposit.lien,
        maximum_amount: remaining - deposit.lien,
      })
    }
  }
  if (part.type === 'FULL' && deposit.lien > 0n) {
    return refuse('deposit_under_lien', { lien_amount: deposit.lien })
  }
  const principal = part.type === 'FULL' ? remaining : part.amount
  const { interest, assessed, earlierToday, explain } = assessOn(on, { deposit, principal, rules })
  const waived = waivedOf(assessed, waiver, rules.rounding)
  const waivesCharge = waiver !== null && (waiver.percentPpm !== null || waiver.amount !== null)
  if (waiver !== null && (matured || (waivesCharge && assessed === 0n))) return refuse('nothing_to_waive')
  if (waived > assessed) return refuse('waiver_exceeds_charge', { charge: assessed })
  const figures = figuresOf({ principal, interest, assessed, waived }, taxation, earlierToday)
  if (known.balance + figures.total > MINOR_MAX) {
    return refuse('balance_limit_exceeded', { maximum: MINOR_MAX })
  }

  // After this point the liquidation succeeds.
  assert(!matured || figures.penal === 0n, 'nothing is charged from maturity on')
  const left = minor(remaining - principal)
  return {
    outcome: 'settled',
    settlement: {
      depositId: deposit.depositId,
      type: part.type,
      statusAfter: left === 0n ? 'LIQUIDATED' : 'ACTIVE',
      ...figures,
      waiver,
      remaining: left,
      accountNumber: deposit.accountNumber,
      currency: deposit.currency,
      businessDate: on,
      earlierToday,
      taxed: taxation && taxedBy(taxation),
    },
    explain: () => ({ ...explain(), tax: explainTax(taxation, figures, earlierToday ?? undefined) }),
  }
}

/** The entries of a liquidation, each with its postings. */
export function liquidationMovements(
  liquidation: Pick<Liquidation, keyof Figures | 'depositId' | 'accountNumber'>,
): Movement[] {
  const { accountNumber } = liquidation
  return [
    { kind: 'LIQUIDATION', postings: settlementPostings({ ...liquidation, paidTo: accountNumber }) },
    ...taxMovements({ takenFrom: accountNumber, tax: taxOf(liquidation) }),
  ]
}

/** What was broken on the day of a settlement, up to and including it. */
export function brokenOnDay(
  settlement: Pick<Settlement, keyof Figures | 'businessDate' | 'earlierToday'>,
): BrokenOnDay {
  const { businessDate: on, earlierToday, principal, interest, assessed, penal } = settlement
  return {
    on,
    principal: minor(principal + (earlierToday?.principal ?? 0n)),
    interest: minor(interest + (earlierToday?.interest ?? 0n)),
    assessed: minor(assessed + (earlierToday?.assessed ?? 0n)),
    penal: minor(penal + (earlierToday?.penal ?? 0n)),
    tax: minor(taxOf(settlement) + (earlierToday?.tax ?? 0n)),
  }
}

/** When the holding period ends, or the deposit matures, whichever is first. */
function unlocksOn(deposit: BreakableDeposit, rules: RuleSet): IsoDate {
  return addDays(deposit.startDate, Math.min(rules.minHoldingDays, deposit.tenorDays))
}

function largestPartial(remaining: Minor, rules: RuleSet): bigint {
  const largest = remaining - rules.minRemainingPrincipal
  return largest > 0n ? largest : 0n
}
