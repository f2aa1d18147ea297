/**
 * The central decision: given the current deposits and requests in order, what happens. No clock, no randomness, no
 * I/O.
 *
 * Guarantees: total = principal + interest − penal; 0 ≤ penal ≤ interest, so principal is never touched; from maturity
 * on the charge is zero and interest does not grow; a refusal changes nothing. Figures: settlement.ts.
 */
import assert from 'node:assert/strict'
import { assessOn, isSheetMissing, type LookedUp } from './assessment.ts'
import { addDays, type IsoDate } from './dates.ts'
import { type DaySums, withPart } from './day-sums.ts'
import {
  type BreakableDeposit,
  type BrokenOnDay,
  type Deposit,
  elapsedDays,
  type RulesOf,
} from './deposit.ts'
import { type Movement, settlementPostings } from './ledger.ts'
import type { Moment } from './moment.ts'
import { existsIn, MINOR_MAX, type Minor, minor } from './money.ts'
import { bringForward, type InterestPayment } from './payments.ts'
import type { Explanation } from './penal.ts'
import { type Refusal, refuse } from './refusal.ts'
import { type RuleSet, type RulesSource, rulesSourceOf } from './rules.ts'
import { adjustmentMovements, type Figures, figuresOf, type Waiver, waivedOf } from './settlement.ts'
import {
  explainTax,
  type Taxation,
  type TaxExplanation,
  type Taxed,
  type TaxedAlike,
  type TaxedSums,
  type TaxStatus,
  type TaxVersion,
  taxationOf,
  taxedAlike,
  taxedBy,
} from './tax.ts'
import { type Terms, termsOf } from './terms.ts'

export const LIQUIDATION_TYPES = ['FULL', 'PARTIAL'] as const

/** FULL may name the amount it expects to break; it must then be all that remains. */
export type Part = { type: 'FULL'; amount: Minor | null } | { type: 'PARTIAL'; amount: Minor }

/** What a quote asks for too. */
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
export type Settlement = Figures &
  LookedUp & {
    depositId: string
    type: Part['type']
    statusAfter: StatusAfterLiquidation
    waiver: Waiver | null
    remaining: Minor
    accountNumber: string
    currency: string
    businessDate: IsoDate
    earlierToday: DaySums | null
    taxed: Taxed | null
    /** The earlier parts of the day that were taxed together with this one. */
    taxedEarlier: TaxedSums | null
    /** The last boundary up to which the deposit had paid interest. */
    paidTo: IsoDate | null
  }

export type SettlementExplanation = Explanation & {
  tax: TaxExplanation | null
  chargedToAccrued: Minor
  chargedToPaid: Minor
  /** What was neither taken nor waived of the charge by the rules. */
  uncollected: bigint
  rulesSource: RulesSource
} & Pick<Deposit, 'productVersion' | 'rateSheet'> &
  Pick<LookedUp, 'sheetNow'>

/** A quote is exactly this. */
export type ExplainedSettlement = Settlement & { explanation: SettlementExplanation }

export type Liquidation = Settlement & {
  liquidationId: string
  reference: string | null
  reason: string | null
  at: Date
}

export type Decision =
  | {
      outcome: 'liquidated'
      /** Interest that was due, and is paid first. */
      payments: readonly InterestPayment[]
      liquidation: Liquidation
      /** The deposit afterwards. */
      deposit: BreakableDeposit
      explain: () => SettlementExplanation
    }
  | Refusal

/** What the locks protect. */
export type Known = {
  deposits: ReadonlyMap<string, BreakableDeposit>
  rulesOf: RulesOf
  balances: ReadonlyMap<string, bigint>
  /** The versions of the book, in order; empty: there is no tax. */
  taxVersions: readonly TaxVersion[]
  /** By account number. */
  taxStatuses: ReadonlyMap<string, TaxStatus>
  /** By deposit: the taxed parts of the last day on which something of it was broken. */
  taxedParts: ReadonlyMap<string, readonly TaxedAlike[]>
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
  const taxedParts = new Map(known.taxedParts)

  return (request) => {
    const deposit = deposits.get(request.depositId)
    if (deposit === undefined) return refuse('deposit_not_found')
    const rules = known.rulesOf(deposit)
    const balance = balances.get(deposit.accountNumber)
    assert(balance !== undefined, 'the account a deposit pays to exists')
    const status = known.taxStatuses.get(deposit.accountNumber) ?? { taxClass: null, taxValidUntil: null }
    const taxation = taxationOf(known.taxVersions, status, moment.today)
    const taxed = taxedParts.get(deposit.depositId) ?? []
    const terms = termsOf(deposit, rules)
    const forward = bringForward(deposit, { terms, moment, taxationOn: () => taxation, balance })
    const decided = settlementOf({
      ...request,
      deposit: forward.deposit,
      rules,
      balance: forward.balance,
      taxation,
      taxedParts: taxed,
      on: moment.today,
    })
    if (decided.outcome === 'refused') return decided
    if (forward.blocked) return refuse('balance_limit_exceeded', { maximum: MINOR_MAX })

    const { settlement } = decided
    const held = hold(settlement)
    if (held !== null) return held
    const { liquidationId, expectedNet = null, reference = null, reason = null } = request
    if (expectedNet !== null && expectedNet !== settlement.net) {
      return refuse('figures_changed', { net_credited: settlement.net })
    }

    const after = afterwards(forward.deposit, settlement)
    deposits.set(deposit.depositId, after)
    taxedParts.set(deposit.depositId, taxedOnDay(settlement, taxed))
    balances.set(deposit.accountNumber, forward.balance + settlement.net)
    return {
      outcome: 'liquidated',
      payments: forward.payments,
      liquidation: { ...settlement, liquidationId, reference, reason, at: moment.at },
      deposit: after,
      explain: decided.explain,
    }
  }
}

/** What was paid on the part leaves with it. */
export function afterwards(deposit: BreakableDeposit, settlement: Settlement): BreakableDeposit {
  const { remaining, statusAfter: status, paidShare, taxShare } = settlement
  return {
    ...deposit,
    remaining,
    status,
    paid: minor(deposit.paid - paidShare),
    paidTax: minor(deposit.paidTax - taxShare),
    nextInterestDate: status === 'ACTIVE' ? deposit.nextInterestDate : null,
    lastBroken: brokenOnDay(settlement),
    brokenDays: settlement.earlierLiquidations,
  }
}

/**
 * What breaking a part would pay on today's or another day: on a later one, the interest due by then counts as paid. The
 * day before a payment cannot be shown any more.
 */
export function settlementOn(
  on: IsoDate,
  known: Omit<SettlementRequest, 'taxation' | 'on'> & {
    taxationOn: (day: IsoDate) => Taxation | null
    moment: Moment
  },
): ReturnType<typeof settlementOf> {
  const { deposit, rules, taxationOn, moment } = known
  const { paidTo, status, startDate } = deposit
  if (status !== 'ACTIVE') return refuse('deposit_not_active', { deposit_status: status })
  if (on < startDate) return refuse('as_of_before_start', { start_date: startDate })
  if (paidTo !== null && on < paidTo) return refuse('as_of_before_paid_interest', { earliest: paidTo })
  if (isSheetMissing(on, deposit, rules)) return refuse('no_rate_sheet')
  const forward = bringForward(deposit, {
    terms: termsOf(deposit, rules),
    moment: { ...moment, today: on },
    taxationOn: (due) => taxationOn(due > moment.today ? due : moment.today),
    balance: known.balance,
  })
  const { deposit: paying, balance } = forward
  const settled = settlementOf({ ...known, deposit: paying, balance, taxation: taxationOn(on), on })
  if (settled.outcome === 'refused' || !forward.blocked) return settled
  return refuse('balance_limit_exceeded', { maximum: MINOR_MAX })
}

type SettlementRequest = Breaking & {
  deposit: BreakableDeposit
  rules: RuleSet
  balance: bigint
  taxation: Taxation | null
  /** The taxed parts of the last day on which something of the deposit was broken. */
  taxedParts: readonly TaxedAlike[]
  on: IsoDate
  /** Where they are known: those of the deposit and its rules. */
  terms?: Terms
}

export function settlementOf(
  known: SettlementRequest,
): { outcome: 'settled'; settlement: Settlement; explain: () => SettlementExplanation } | Refusal {
  const { deposit, rules, part: asked, waiver = null, taxation, on } = known
  const { remaining, currency } = deposit
  if (deposit.status !== 'ACTIVE') return refuse('deposit_not_active', { deposit_status: deposit.status })
  if (asked.type === 'PARTIAL' && !rules.allowPartial) return refuse('partial_liquidation_not_allowed')
  const matured = on >= deposit.maturityDate
  const held = matured || elapsedDays(deposit, on) >= rules.minHoldingDays
  if (!held && waiver?.holdingPeriod !== true) {
    return refuse('liquidation_locked', { unlocks_on: unlocksOn(deposit, rules) })
  }
  const wrongAmount = refuseAmount(asked, deposit, rules)
  if (wrongAmount !== null) return wrongAmount
  const principal = asked.type === 'FULL' ? remaining : asked.amount
  const terms = known.terms ?? termsOf(deposit, rules)
  const assessment = assessOn(on, { deposit, principal, rules, terms })
  const { earlierToday, looked, assessed } = assessment
  const waived = waivedOf(assessed, waiver, terms)
  const wrongWaiver = refuseWaiver(waiver, { matured, assessed, waived, currency })
  if (wrongWaiver !== null) return wrongWaiver
  const taxedEarlier = earlierToday && taxedAlike(taxation, known.taxedParts)
  const { unit } = terms
  const part = { ...assessment, principal, waived }
  const figures = figuresOf(part, { taxation, earlierToday, taxedEarlier, unit })
  if (known.balance + figures.total > MINOR_MAX) {
    return refuse('balance_limit_exceeded', { maximum: MINOR_MAX })
  }

  // After this point the liquidation succeeds.
  assert(!matured || figures.penal === 0n, 'nothing is charged from maturity on')
  const left = minor(remaining - principal)
  return {
    outcome: 'settled',
    settlement: {
      ...figures,
      depositId: deposit.depositId,
      type: asked.type,
      statusAfter: left === 0n ? 'LIQUIDATED' : 'ACTIVE',
      waiver,
      remaining: left,
      accountNumber: deposit.accountNumber,
      currency,
      businessDate: on,
      earlierToday,
      taxed: taxation && taxedBy(taxation),
      taxedEarlier,
      earlierLiquidations: looked.earlierLiquidations,
      sheetNow: looked.sheetNow,
      paidTo: deposit.paidTo,
    },
    explain: () =>
      explainSettlement(
        assessment.explain(),
        { ...figures, ...looked },
        { deposit, rules, tax: explainTax(taxation, figures, taxedEarlier) },
      ),
  }
}

function refuseWaiver(
  waiver: Waiver | null,
  charge: { matured: boolean; assessed: Minor; waived: Minor; currency: string },
): Refusal | null {
  const { matured, assessed, waived, currency } = charge
  const waivesCharge = waiver !== null && (waiver.percentPpm !== null || waiver.amount !== null)
  if (waiver !== null && (matured || (waivesCharge && assessed === 0n))) return refuse('nothing_to_waive')
  if (!existsIn(currency, waiver?.amount ?? minor(0n))) return refuse('amount_not_whole', { currency })
  if (waived > assessed) return refuse('waiver_exceeds_charge', { charge: assessed })
  return null
}

function refuseAmount(
  part: Part,
  { remaining, currency, lien }: BreakableDeposit,
  rules: RuleSet,
): Refusal | null {
  if (part.amount !== null && !existsIn(currency, part.amount))
    return refuse('amount_not_whole', { currency })
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
    if (left < lien) {
      return refuse('amount_under_lien', {
        lien_amount: lien,
        maximum_amount: remaining - lien,
      })
    }
  }
  if (part.type === 'FULL' && lien > 0n) {
    return refuse('deposit_under_lien', { lien_amount: lien })
  }
  return null
}

export function explainSettlement(
  explanation: Explanation,
  { assessed, waived, penal, recovered, sheetNow }: Figures & Pick<LookedUp, 'sheetNow'>,
  known: {
    deposit: Pick<Deposit, 'productVersion' | 'rateSheet'>
    rules: RuleSet
    tax: TaxExplanation | null
  },
): SettlementExplanation {
  const { deposit, rules, tax } = known
  return {
    ...explanation,
    tax,
    chargedToAccrued: penal,
    chargedToPaid: recovered,
    uncollected: (explanation.cappedFrom ?? assessed) - waived - penal - recovered,
    rulesSource: rulesSourceOf(rules),
    productVersion: deposit.productVersion,
    rateSheet: deposit.rateSheet,
    sheetNow,
  }
}

/** The entries of a liquidation, each with its postings. */
export function liquidationMovements(
  liquidation: Pick<Liquidation, keyof Figures | 'depositId' | 'accountNumber'>,
): Movement[] {
  return [
    { kind: 'LIQUIDATION', postings: settlementPostings(liquidation) },
    ...adjustmentMovements(liquidation.adjustments, liquidation.accountNumber),
  ]
}

/** What was broken on the day of a settlement, up to and including it. */
export function brokenOnDay(
  settlement: Pick<Settlement, keyof Figures | 'businessDate' | 'earlierToday'>,
): BrokenOnDay {
  const { businessDate: on, earlierToday } = settlement
  return { ...withPart(earlierToday, settlement), on }
}

/** The taxed parts of the day of a settlement, up to and including it. */
function taxedOnDay(settlement: Settlement, before: readonly TaxedAlike[]): readonly TaxedAlike[] {
  const { taxed, interest, penal, earlierToday } = settlement
  const earlier = earlierToday === null ? [] : before
  if (taxed === null) return earlier
  const { version, taxClass } = taxed
  return [...earlier, { version, taxClass, interest, penal, tax: settlement.tax }]
}

/** When the holding period ends, or the deposit matures, whichever is first. */
function unlocksOn(deposit: BreakableDeposit, rules: RuleSet): IsoDate {
  return addDays(deposit.startDate, Math.min(rules.minHoldingDays, deposit.tenorDays))
}

function largestPartial(remaining: Minor, rules: RuleSet): bigint {
  const largest = remaining - rules.minRemainingPrincipal
  return largest > 0n ? largest : 0n
}
