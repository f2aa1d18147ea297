/**
 * What a proposed document would have changed: recent liquidations and coming rollovers under it, as if it had been in
 * force when their deposits were opened. Method and rate of a deposit stay as they were agreed.
 */

import { assessAgain, isSheetMissing } from './assessment.ts'
import { type DaySums, withPart } from './day-sums.ts'
import { type Deposit, elapsedDays } from './deposit.ts'
import type { Liquidation } from './liquidation.ts'
import { type Minor, minor } from './money.ts'
import { sheetInForce } from './rate-sheet.ts'
import type { RuleSet } from './rules.ts'
import { figuresOf, waivedOf } from './settlement.ts'

/** The last business dates that are looked at, and the next ones. */
export const IMPACT_DAYS = 92
export const IMPACT_MOVEMENTS_MAX = 100_000
const WORST = 10

export type Compared = { now: bigint; proposed: bigint }

export type Impact = {
  liquidations: { count: number; charge: Compared; interest: Compared; refused: Counted }
  rollovers: { count: number; interest: Compared; refused: Counted }
  /** How many liquidations have to wait for approval. */
  held: Counted
  /** The deposits whose charge rises most. */
  worst: { depositId: string; charge: Compared }[]
  /** false: there were more movements than are looked at. */
  complete: boolean
}

export type Counted = { now: number; proposed: number }

/** What a proposal makes of one liquidation; null: it would have been refused. */
export type Reassessed = DaySums & { waived: Minor }

/** `earlier` are the parts of the day before it, under the same proposal. */
export function reassess(
  liquidation: Liquidation,
  deposit: Deposit,
  { rules, earlier }: { rules: RuleSet; earlier: DaySums | null },
): Reassessed | null {
  if (isRefused(liquidation, deposit, rules)) return null
  const sheetNow = (rules.sheets && sheetInForce(rules.sheets, liquidation.businessDate)?.number) ?? null
  const { terms, explain, ruleIndex, ...assessment } = assessAgain(
    { ...liquidation, earlierToday: earlier, sheetNow },
    deposit,
    rules,
  )
  const wanted = waivedOf(assessment.assessed, liquidation.waiver, terms)
  const waived = wanted > assessment.assessed ? assessment.assessed : wanted
  const part = { principal: liquidation.principal, waived, ...assessment }
  return figuresOf(part, { taxation: null, earlierToday: earlier, taxedEarlier: null, unit: terms.unit })
}

function isRefused({ type, waiver, ...liquidation }: Liquidation, deposit: Deposit, rules: RuleSet): boolean {
  const { businessDate: on, principal, remaining } = liquidation
  if (isSheetMissing(on, deposit, rules)) return true
  const isHeld = on < deposit.maturityDate && elapsedDays(deposit, on) < rules.minHoldingDays
  if (isHeld && waiver?.holdingPeriod !== true) return true
  if (type === 'FULL') return false
  return !rules.allowPartial || principal < rules.minPartialAmount || remaining < rules.minRemainingPrincipal
}

/** Takes the liquidations of one day after the other, those of a day in their order. */
export function openImpact() {
  const liquidations = { count: 0, charge: nothing(), interest: nothing(), refused: { now: 0, proposed: 0 } }
  const rollovers = { count: 0, interest: nothing(), refused: { now: 0, proposed: 0 } }
  const held = { now: 0, proposed: 0 }
  const charges = new Map<string, Compared>()
  let ofDay = { on: '', sums: new Map<string, DaySums>() }

  return {
    /** Under the rules of the proposal; null: they would not have applied to this deposit. */
    addLiquidation(liquidation: Liquidation, deposit: Deposit, rules: RuleSet | null): Reassessed | null {
      const { depositId, businessDate: on } = liquidation
      if (ofDay.on !== on) ofDay = { on, sums: new Map() }
      const earlier = ofDay.sums.get(depositId) ?? null
      const proposed = rules === null ? liquidation : reassess(liquidation, deposit, { rules, earlier })
      liquidations.count += 1
      liquidations.charge.now += chargeOf(liquidation)
      liquidations.interest.now += liquidation.interest
      if (proposed === null) liquidations.refused.proposed += 1
      else {
        ofDay.sums.set(depositId, withPart(earlier, proposed))
        liquidations.charge.proposed += chargeOf(proposed)
        liquidations.interest.proposed += proposed.interest
        const known = charges.get(depositId) ?? nothing()
        known.now += chargeOf(liquidation)
        known.proposed += chargeOf(proposed)
        charges.set(depositId, known)
      }
      return proposed
    },
    addHeld(waits: { now: boolean; proposed: boolean }): void {
      if (waits.now) held.now += 1
      if (waits.proposed) held.proposed += 1
    },
    /** The interest of the successor; null: the deposit would be paid out instead. */
    addRollover(interest: { now: bigint | null; proposed: bigint | null }): void {
      rollovers.count += 1
      for (const side of ['now', 'proposed'] as const) {
        const earned = interest[side]
        if (earned === null) rollovers.refused[side] += 1
        else rollovers.interest[side] += earned
      }
    },
    close(complete: boolean): Impact {
      const rises = ({ now, proposed }: Compared) => proposed - now
      const worst = [...charges]
        .map(([depositId, charge]) => ({ depositId, charge }))
        .filter(({ charge }) => rises(charge) > 0n)
        .sort((left, right) => (rises(left.charge) > rises(right.charge) ? -1 : 1))
        .slice(0, WORST)
      return { liquidations, rollovers, held, worst, complete }
    },
  }
}

function nothing(): Compared {
  return { now: 0n, proposed: 0n }
}

function chargeOf({ penal, recovered }: Pick<DaySums, 'penal' | 'recovered'>): bigint {
  return minor(penal + recovered)
}
