import { type Static, Type } from 'typebox'
import type { Liquidation, Part, Settlement } from '../../domain/liquidation.ts'
import type { Minor } from '../../domain/money.ts'
import type { BrokenEarlier, Explanation } from '../../domain/penal.ts'
import { money, numeral, percent, timestamp } from '../../wire/envelope.ts'
import { CalendarDate, Choice, Money, Nullable } from '../../wire/fields.ts'
import type { FieldError } from '../../wire/reader.ts'

const part = {
  liquidation_type: Choice(['FULL', 'PARTIAL'], { title: 'LiquidationType' }),
  amount: Type.Optional(Nullable(Money())),
}

export const LiquidateBody = Type.Object(part, { refine: partialNamesItsAmount })
export type LiquidateBody = Static<typeof LiquidateBody>

export const QuoteBody = Type.Object(
  { ...part, as_of: Type.Optional(CalendarDate()) },
  { refine: partialNamesItsAmount },
)
export type QuoteBody = Static<typeof QuoteBody>

function partialNamesItsAmount(body: Partial<LiquidateBody>): FieldError[] {
  if (body.liquidation_type !== 'PARTIAL' || (body.amount ?? null) !== null) return []
  return [{ field: 'amount', code: 'required', message: 'Send the amount to withdraw: PARTIAL needs it.' }]
}

export function partFrom(body: LiquidateBody): Part {
  if (body.liquidation_type === 'FULL') return { type: 'FULL', amount: body.amount ?? null }
  return { type: 'PARTIAL', amount: body.amount as Minor }
}

/** The contract's eight fields first, then ours. */
export function liquidationData(liquidation: Omit<Liquidation, 'postings' | 'explanation'>) {
  return {
    deposit_id: liquidation.depositId,
    status: liquidation.statusAfter,
    ...figures(liquidation),
    credited_account: liquidation.accountNumber,
    liquidated_at: timestamp(liquidation.at),
    liquidation_id: liquidation.liquidationId,
    liquidation_type: liquidation.type,
    remaining_principal: money(liquidation.remaining),
    currency: liquidation.currency,
  }
}

export function liquidationRecord(liquidation: Omit<Liquidation, 'postings'>) {
  return { ...liquidationData(liquidation), explanation: explanationData(liquidation.explanation) }
}

export function quoteData(settlement: Settlement) {
  return {
    deposit_id: settlement.depositId,
    liquidation_type: settlement.type,
    status: settlement.statusAfter,
    ...figures(settlement),
    credited_account: settlement.accountNumber,
    remaining_principal: money(settlement.remaining),
    currency: settlement.currency,
    as_of: settlement.businessDate,
    explanation: explanationData(settlement.explanation),
  }
}

function figures(settled: { principal: Minor; interest: Minor; penal: Minor; total: Minor }) {
  return {
    principal_returned: money(settled.principal),
    interest_paid: money(settled.interest),
    penal_charge: money(settled.penal),
    total_credited: money(settled.total),
  }
}

function explanationData(explanation: Explanation) {
  return {
    business_date: explanation.businessDate,
    start_date: explanation.startDate,
    maturity_date: explanation.maturityDate,
    elapsed_days: explanation.elapsedDays,
    term_days: explanation.termDays,
    day_count: explanation.dayCount,
    rounding: explanation.rounding,
    interest_rate: percent(explanation.annualRatePpm),
    principal: money(explanation.principal),
    unrounded_interest: numeral(explanation.unroundedInterest),
    interest: money(explanation.interest),
    rules_version: explanation.rulesVersion,
    rule_index: explanation.ruleIndex,
    no_rule_reason: explanation.noRuleReason,
    terms: explanation.terms.map((term) => ({
      kind: term.kind,
      amount: money(term.amount),
      sentence: term.sentence,
    })),
    combine: explanation.combine,
    combined: moneyOrNull(explanation.combined),
    limited: moneyOrNull(explanation.limited),
    capped_from: moneyOrNull(explanation.cappedFrom),
    penal_charge: money(explanation.assessed),
    earlier_today: explanation.earlierToday && earlierData(explanation.earlierToday),
  }
}

function earlierData({ principal, interest, assessed }: BrokenEarlier) {
  return {
    principal: money(principal),
    interest: money(interest),
    penal_assessed: money(assessed),
  }
}

function moneyOrNull(amount: bigint | null) {
  return amount === null ? null : money(amount)
}
