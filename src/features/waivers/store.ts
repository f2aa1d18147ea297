import { minor } from '../../domain/money.ts'
import type { Waiver } from '../../domain/settlement.ts'

/** A waiver is stored as JSON: reports only read its reason. */
export function waiverText(waiver: Waiver): string {
  return JSON.stringify({
    percent_ppm: waiver.percentPpm,
    amount_minor: waiver.amount?.toString() ?? null,
    holding_period: waiver.holdingPeriod,
    reason: waiver.reason,
    note: waiver.note,
  })
}

export function waiverOf(text: string): Waiver {
  const stored = JSON.parse(text)
  return {
    percentPpm: stored.percent_ppm,
    amount: stored.amount_minor === null ? null : minor(BigInt(stored.amount_minor)),
    holdingPeriod: stored.holding_period,
    reason: stored.reason,
    note: stored.note,
  }
}
