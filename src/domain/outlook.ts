/**
 * What breaking a part of a deposit would pay on the days to come, by the rules and tax rules that are known today. Each
 * point is the settlement of that day, as a quote gives it.
 */
import assert from 'node:assert/strict'
import { assessOn, isSheetMissing } from './assessment.ts'
import { addDays, addMonths, daysBetween, type IsoDate } from './dates.ts'
import type { BreakableDeposit } from './deposit.ts'
import { walking } from './interest.ts'
import { type Settlement, settlementOf } from './liquidation.ts'
import type { Moment } from './moment.ts'
import { type Minor, minor } from './money.ts'
import { beforePayments, bringForward, paidUpTo } from './payments.ts'
import type { Refusal } from './refusal.ts'
import { type Conditions, cardRatesIn, type Range, type RuleSet } from './rules.ts'
import { boundaryAfter } from './schedule.ts'
import { figuresOf, type Waiver, waivedOf } from './settlement.ts'
import { type Taxation, type TaxedAlike, taxedAlike } from './tax.ts'
import { type Terms, termsOf } from './terms.ts'

export type OutlookPoint = {
  on: IsoDate
  net: Minor
  /** What the charge and unearned interest leave of all interest up to the day, paid before or now. */
  interestKept: Minor
  penal: Minor
  tax: Minor
}

export type Outlook = {
  points: OutlookPoint[]
  /** The first day on which more than the amount was received in all, payments counted and tax deducted. */
  breakEvenOn: IsoDate | null
  /** The next day on which the charge falls, and how much more is received by then. */
  nextBetter: { on: IsoDate; gains: Minor } | null
}

export type OutlookContext = {
  rules: RuleSet
  /** null: all that remains. */
  amount: Minor | null
  balance: bigint
  /** By the rules that are known now. */
  taxationOn: (day: IsoDate) => Taxation | null
  /** Days on which other tax rules, or another class, begin. */
  taxDays: readonly IsoDate[]
  taxedParts: readonly TaxedAlike[]
  moment: Moment
}

export const OUTLOOK_POINTS_MAX = 400

export type Foreseen = { outcome: 'foreseen'; outlook: Outlook } | Refusal

/** A step for each day, so that a term of a hundred years need not be looked at in one go. */
export function* foreseeByDay(
  deposit: BreakableDeposit,
  context: OutlookContext,
): Generator<void, Foreseen, void> {
  const first = later(context.moment.today, deposit.startDate)
  const days = changeDays(deposit, context, first)
  const look = lookAhead(deposit, context)
  const now = look(first)
  if (now.outcome === 'refused' && now.code !== 'liquidation_locked') return now
  const shown = new Set(thinned(days))
  const outlook: Outlook = { points: [], breakEvenOn: null, nextBetter: null }
  let before: Settlement | null = null
  for (const [index, { on, isEdge }] of days.entries()) {
    const next = days[index + 1]
    const seeksBetter = (day: ChangeDay) => day.isEdge && outlook.nextBetter === null
    const isNeeded = shown.has(on) || outlook.breakEvenOn === null || isEdge || (next && seeksBetter(next))
    if (!isNeeded) continue
    yield
    const settled = look(on)
    if (settled.outcome === 'refused') continue
    const { settlement } = settled
    if (shown.has(on)) outlook.points.push(pointOf(settlement))
    if (outlook.nextBetter === null && isEdge && before !== null && chargeOf(settlement) < chargeOf(before)) {
      assert(now.outcome === 'settled', 'there is a charge only where a part can be broken')
      const gains = receivedOf(settlement) - receivedOf(now.settlement)
      if (gains > 0n) outlook.nextBetter = { on, gains: minor(gains) }
    }
    if (outlook.breakEvenOn === null && isAhead(settlement)) outlook.breakEvenOn = on
    if (next === undefined || (outlook.breakEvenOn !== null && !seeksBetter(next))) continue
    const last = look(addDays(next.on, -1))
    if (last.outcome === 'refused') continue
    before = now.outcome === 'settled' ? last.settlement : null
    if (outlook.breakEvenOn === null && isAhead(last.settlement)) {
      outlook.breakEvenOn = firstAhead(look, on, addDays(next.on, -1))
    }
  }
  return { outcome: 'foreseen', outlook }
}

/** A day with all that was earned by then, paid before or then, and what the charge takes of it. */
export type OutlookDay = {
  on: IsoDate
  earned: bigint
  charge: bigint
  /** Withheld from what is paid on this day, less what is returned. */
  tax: bigint
  /** Interest that was paid before. */
  paid: bigint
  ruleIndex: number | null
}

/**
 * The whole term, also the days that have passed, with the waiver that is being considered: on a day it removes at most the
 * charge. Days to come follow from the deposit as it is, earlier ones from its schedule.
 */
export function daysOfTerm(
  deposit: BreakableDeposit,
  known: Pick<OutlookContext, 'rules' | 'taxationOn' | 'taxedParts'> & {
    principal: Minor
    waiver: Waiver | null
    today: IsoDate
    stepDays: number
  },
): OutlookDay[] {
  const { rules, principal, waiver, today, stepDays, taxationOn, taxedParts } = known
  const terms = walking(termsOf(deposit, rules))
  const termDays = daysBetween(deposit.startDate, deposit.maturityDate)
  let paying = terms.method === 'PAYOUT' ? { ...deposit, ...beforePayments(terms) } : deposit
  const at = (on: IsoDate): OutlookDay => {
    if (on >= today && (paying.paidTo ?? '') <= (deposit.paidTo ?? '')) paying = deposit
    paying = paidUpTo(paying, terms, on, taxationOn)
    const assessment = assessOn(on, { deposit: paying, principal, rules, terms })
    const { earlierToday, assessed, ruleIndex } = assessment
    const wanted = waivedOf(assessed, waiver, terms)
    const part = { ...assessment, principal, waived: wanted > assessed ? assessed : wanted }
    const taxation = taxationOn(on)
    const taxedEarlier = earlierToday && taxedAlike(taxation, taxedParts)
    const figures = figuresOf(part, { taxation, earlierToday, taxedEarlier, unit: terms.unit })
    return {
      on,
      earned: figures.interest + figures.paidShare - figures.unearned,
      charge: figures.penal + figures.recovered,
      tax: figures.tax - figures.taxReturned,
      paid: figures.paidShare,
      ruleIndex,
    }
  }
  const days: OutlookDay[] = []
  for (let day = 0; day < termDays; day += stepDays) {
    const on = addDays(deposit.startDate, day)
    if (!isSheetMissing(on, deposit, rules)) days.push(at(on))
  }
  return [...days, at(deposit.maturityDate)]
}

type Look = (on: IsoDate) => ReturnType<typeof settlementOf>

/** Days are asked for in order, but for those since the last payment: what was due by then is paid once. */
function lookAhead(deposit: BreakableDeposit, context: OutlookContext): Look {
  const { rules, amount, taxationOn, taxedParts, moment } = context
  const terms = walking(termsOf(deposit, rules))
  const part = amount === null ? ({ type: 'FULL', amount } as const) : ({ type: 'PARTIAL', amount } as const)
  let paying = { deposit, balance: context.balance }
  return (on) => {
    const forward = bringForward(paying.deposit, {
      terms,
      moment: { ...moment, today: on },
      taxationOn: (due) => taxationOn(later(due, moment.today)),
      balance: paying.balance,
    })
    paying = forward
    return settlementOf({ ...paying, part, rules, terms, taxation: taxationOn(on), taxedParts, on })
  }
}

function pointOf(settlement: Settlement): OutlookPoint {
  const { businessDate: on, net, penal, tax } = settlement
  return { on, net, interestKept: minor(earnedOf(settlement) - chargeOf(settlement)), penal, tax }
}

/** Paid before or now, without what was unearned. */
function earnedOf({ interest, paidShare, unearned }: Settlement): bigint {
  return interest + paidShare - unearned
}

function chargeOf({ penal, recovered }: Settlement): bigint {
  return penal + recovered
}

/** In all, after tax. */
function receivedOf({ net, paidShare, taxShare }: Settlement): bigint {
  return net + paidShare - taxShare
}

function isAhead(settlement: Settlement): boolean {
  return receivedOf(settlement) > settlement.principal
}

/** Between two changes what is received only grows. */
function firstAhead(look: Look, from: IsoDate, to: IsoDate): IsoDate {
  let [low, high] = [0, daysBetween(from, to)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const settled = look(addDays(from, middle))
    if (settled.outcome === 'settled' && isAhead(settled.settlement)) high = middle
    else low = middle
  }
  return addDays(from, high)
}

type ChangeDay = { on: IsoDate; isEdge: boolean; weight: number }

/** From the first day to maturity, in order; edges are those of the rules and of the sheets they start from. */
function changeDays(deposit: BreakableDeposit, context: OutlookContext, first: IsoDate): ChangeDay[] {
  const terms = termsOf(deposit, context.rules)
  const { maturityDate: maturity } = terms
  const days = new Map<IsoDate, ChangeDay>()
  const add = (on: IsoDate, weight: number, isEdge = false) => {
    if (on < first || on > maturity) return
    const known = days.get(on)
    const heavier = known === undefined || known.weight < weight ? weight : known.weight
    days.set(on, { on, isEdge: isEdge || known?.isEdge === true, weight: heavier })
  }
  add(first, 4)
  if (first < maturity) add(maturity, 4, true)
  const tomorrow = addDays(first, 1)
  if (deposit.lastBroken?.on === first) add(tomorrow, 4)
  for (const day of ruleEdges(terms)) add(day, 3, true)
  for (const day of context.taxDays) add(day, 3)
  for (let due = deposit.nextInterestDate; due !== null && due < maturity; due = boundaryAfter(terms, due)) {
    add(due, 2)
  }
  for (let month = monthEnd(first); month < maturity; month = monthEnd(addDays(month, 1))) add(month, 1)
  return [...days.values()].sort((left, right) => (left.on < right.on ? -1 : 1))
}

/** The most important days, and of the last kind that does not fit, evenly some. */
function thinned(days: readonly ChangeDay[]): IsoDate[] {
  const chosen: IsoDate[] = []
  for (const weight of [4, 3, 2, 1]) {
    const alike = days.filter((day) => day.weight === weight)
    const every = Math.max(1, Math.ceil(alike.length / Math.max(1, OUTLOOK_POINTS_MAX - chosen.length)))
    chosen.push(...alike.filter((_, index) => index % every === 0).map(({ on }) => on))
  }
  return chosen.slice(0, OUTLOOK_POINTS_MAX)
}

/** Where another rule may begin to apply, a row of a sheet that rules start from, or the end of the holding period. */
function ruleEdges({ rules, startDate, maturityDate }: Terms): IsoDate[] {
  const termDays = daysBetween(startDate, maturityDate)
  const elapsed = [
    rules.minHoldingDays,
    ...rules.penalRules.flatMap(({ when }) => elapsedEdges(when, termDays)),
  ]
  const sheets = cardRatesIn(rules).length > 0 ? (rules.sheets ?? []) : []
  const rows = sheets.flatMap(({ tenorUnit, tenorFrom, effectiveFrom }) => [
    effectiveFrom,
    ...tenorFrom.map((from) => (tenorUnit === 'DAY' ? addDays(startDate, from) : addMonths(startDate, from))),
  ])
  return [...elapsed.map((days) => addDays(startDate, days)), ...rows]
}

/** As days since the start; a share of the term begins on the first day that reaches it. */
function elapsedEdges(when: Conditions, termDays: number): number[] {
  const daysOf = (ppm: number) => (ppm * termDays) / 1_000_000
  return [
    ...boundsOf(when.elapsedDays),
    ...boundsOf(when.elapsedPercent).map((ppm) => Math.ceil(daysOf(ppm))),
    ...boundsOf(when.remainingDays).map((days) => termDays - days + 1),
    ...boundsOf(when.remainingPercent).map((ppm) => Math.floor(termDays - daysOf(ppm)) + 1),
  ].filter((days) => days > 0 && days <= termDays)
}

function boundsOf(range: Range<number> | undefined): number[] {
  return [range?.gte, range?.lt].filter((bound) => bound !== undefined)
}

/** The last day of its month. */
function monthEnd(day: IsoDate): IsoDate {
  const firstOfMonth = `${day.slice(0, 8)}01` as IsoDate
  return addDays(addMonths(firstOfMonth, 1), -1)
}

function later(left: IsoDate, right: IsoDate): IsoDate {
  return left > right ? left : right
}
