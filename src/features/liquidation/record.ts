import { type Static, Type } from 'typebox'
import {
  LIQUIDATION_TYPES,
  type Liquidation,
  type Part,
  type Settlement,
  STATUSES_AFTER_LIQUIDATION,
} from '../../domain/liquidation.ts'
import type { Minor } from '../../domain/money.ts'
import {
  type AssessedTerm,
  type BrokenEarlier,
  type Explanation,
  NO_RULE_REASONS,
} from '../../domain/penal.ts'
import { TERM_KINDS } from '../../domain/rules.ts'
import { CalendarDate, Choice, Money, Nullable } from '../../wire/fields.ts'
import type { FieldError } from '../../wire/reader.ts'
import {
  accountNumber,
  amount,
  count,
  currency,
  date,
  decimal,
  depositId,
  instant,
  interestRate,
  knownKind,
  liquidationId,
  listOf,
  type Members,
  maturityDate,
  oneOf,
  orNull,
  pinnedRules,
  record,
  remainingPrincipal,
  startDate,
  text,
  uncappedAmount,
} from '../../wire/record.ts'
import { combination, dayCount, rounding } from '../rules/record.ts'

const LIQUIDATION_TYPE = 'FULL breaks the whole deposit, PARTIAL a part of it.'

const part = {
  liquidation_type: Choice(LIQUIDATION_TYPES, { title: 'LiquidationType', description: LIQUIDATION_TYPE }),
  amount: Type.Optional(
    Nullable(Money(), {
      description: 'Principal to withdraw. Needed for PARTIAL; FULL does not need it.',
    }),
  ),
}

export const LiquidateBody = Type.Object(part, { refine: partialNamesItsAmount })
export type LiquidateBody = Static<typeof LiquidateBody>

export const QuoteBody = Type.Object(
  {
    ...part,
    as_of: Type.Optional(CalendarDate({ description: 'The day to quote for; today if left out.' })),
  },
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

const statusAfter = oneOf('StatusAfterLiquidation', STATUSES_AFTER_LIQUIDATION)
const liquidationType = knownKind(LIQUIDATION_TYPE, oneOf('LiquidationType', LIQUIDATION_TYPES))
const penalCharge = knownKind('Charge deducted for early liquidation; never more than the interest.', amount)

type Figures = Pick<Settlement, 'principal' | 'interest' | 'penal' | 'total' | 'accountNumber'>

/** What a settlement pays, and to whom. */
export const figures: Members<Figures> = {
  principal_returned: amount.as('Principal paid back.', (paid) => paid.principal),
  interest_paid: amount.as('Interest earned by that principal, before the charge.', (paid) => paid.interest),
  penal_charge: penalCharge.of((paid) => paid.penal),
  total_credited: amount.as(
    'Paid to the account: principal_returned plus interest_paid minus penal_charge.',
    (paid) => paid.total,
  ),
  credited_account: accountNumber.as(
    'Number of the account that received the money.',
    (paid) => paid.accountNumber,
  ),
}

type ShownLiquidation = Omit<Liquidation, 'postings' | 'explanation'>

/** The contract's eight members first, then ours. */
const liquidation: Members<ShownLiquidation> = {
  deposit_id: depositId.of((liquidation) => liquidation.depositId),
  status: statusAfter.as(
    'State of the deposit after the operation: LIQUIDATED after FULL, ACTIVE after PARTIAL.',
    (liquidation) => liquidation.statusAfter,
  ),
  ...figures,
  liquidated_at: instant.as('Time of the liquidation.', (liquidation) => liquidation.at),
  liquidation_id: liquidationId.of((liquidation) => liquidation.liquidationId),
  liquidation_type: liquidationType.of((liquidation) => liquidation.type),
  remaining_principal: remainingPrincipal.of((liquidation) => liquidation.remaining),
  currency: currency.of((liquidation) => liquidation.currency),
}

const ExplainedTermRecord = record<AssessedTerm>('ExplainedTerm', {
  kind: oneOf('TermKind', TERM_KINDS).as('Kind of the term.', (term) => term.kind),
  amount: uncappedAmount.as('Amount of the term.', (term) => term.amount),
  sentence: text.as('The sum of the term in words.', (term) => term.sentence),
})

const BrokenEarlierRecord = record<BrokenEarlier>('BrokenEarlier', {
  principal: amount.as('Principal of the earlier parts.', (earlier) => earlier.principal),
  interest: amount.as('Interest paid on them.', (earlier) => earlier.interest),
  penal_assessed: amount.as('Charge that the rules gave for them.', (earlier) => earlier.assessed),
})

const ExplanationRecord = record<Explanation>('Explanation', {
  business_date: date.as(
    "Today's date in the caller's time zone; interest counts business dates.",
    (explanation) => explanation.businessDate,
  ),
  start_date: startDate.of((explanation) => explanation.startDate),
  maturity_date: maturityDate.of((explanation) => explanation.maturityDate),
  elapsed_days: count.as(
    'Calendar days from the start to the business date.',
    (explanation) => explanation.elapsedDays,
  ),
  term_days: count.as('Calendar days from the start to maturity.', (explanation) => explanation.termDays),
  day_count: dayCount.of((explanation) => explanation.dayCount),
  rounding: rounding.of((explanation) => explanation.rounding),
  interest_rate: interestRate.of((explanation) => explanation.annualRatePpm),
  principal: amount.as('Principal that the sum is about.', (explanation) => explanation.principal),
  unrounded_interest: decimal.as(
    'Interest of this part and of what was broken earlier that day, with ten decimals, cut off ' +
      'and not rounded.',
    (explanation) => explanation.unroundedInterest,
  ),
  interest: amount.as(
    'That interest, rounded, less the interest of the earlier parts.',
    (explanation) => explanation.interest,
  ),
  rules_version: pinnedRules.of((explanation) => explanation.rulesVersion),
  rule_index: orNull(count).as(
    'Which of the penal rules applied, counted from 0, or null.',
    (explanation) => explanation.ruleIndex,
  ),
  no_rule_reason: orNull(oneOf('NoRuleReason', NO_RULE_REASONS)).as(
    'Why none applied, or null.',
    (explanation) => explanation.noRuleReason,
  ),
  terms: listOf(ExplainedTermRecord).as(
    'The terms of the charge, each rounded once.',
    (explanation) => explanation.terms,
  ),
  combine: orNull(combination).of((explanation) => explanation.combine),
  combined: orNull(uncappedAmount).as('The terms combined, or null.', (explanation) => explanation.combined),
  limited: orNull(uncappedAmount).as(
    'That amount within min and max, or null.',
    (explanation) => explanation.limited,
  ),
  capped_from: orNull(uncappedAmount).as(
    'That amount less the charge of the earlier parts, where it was more than the interest of ' +
      'this part and so was capped, or null.',
    (explanation) => explanation.cappedFrom,
  ),
  penal_charge: penalCharge.of((explanation) => explanation.assessed),
  earlier_today: orNull(BrokenEarlierRecord).as(
    'What was broken of this deposit earlier on the business date, or null. Parts of one day ' +
      'are one withdrawal: a part earns the interest and bears the charge of them together, less ' +
      'what the earlier ones had.',
    (explanation) => explanation.earlierToday,
  ),
})

const explanation = knownKind(
  'How the figures came about, so that a person can redo the sum by hand.',
  ExplanationRecord,
)

/** What the liquidate call answers, and what its event carries. */
export const LiquidationRecord = record('Liquidation', liquidation)

export const ExplainedLiquidationRecord = record<Omit<Liquidation, 'postings'>>('ExplainedLiquidation', {
  ...liquidation,
  explanation: explanation.of((liquidation) => liquidation.explanation),
})

export const QuoteRecord = record<Settlement>('LiquidationQuote', {
  deposit_id: depositId.of((settlement) => settlement.depositId),
  liquidation_type: liquidationType.of((settlement) => settlement.type),
  status: statusAfter.as('State the deposit would have afterwards.', (settlement) => settlement.statusAfter),
  ...figures,
  remaining_principal: remainingPrincipal.of((settlement) => settlement.remaining),
  currency: currency.of((settlement) => settlement.currency),
  as_of: date.as('The day the quote is for.', (settlement) => settlement.businessDate),
  explanation: explanation.of((settlement) => settlement.explanation),
})
