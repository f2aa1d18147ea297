import { type Static, Type } from 'typebox'
import type { ExplainedTerm } from '../../domain/charge-term.ts'
import type { DaySums } from '../../domain/day-sums.ts'
import type { Deposit } from '../../domain/deposit.ts'
import type { Holder, Letterhead } from '../../domain/letterhead.ts'
import {
  type Breaking,
  type ExplainedSettlement,
  LIQUIDATION_TYPES,
  type Liquidation,
  type LiquidationRequest,
  type Part,
  type Settlement,
  type SettlementExplanation,
  STATUSES_AFTER_LIQUIDATION,
} from '../../domain/liquidation.ts'
import type { Minor } from '../../domain/money.ts'
import { type Explanation, NO_RULE_REASONS } from '../../domain/penal.ts'
import type { StoredLiquidation } from '../../domain/reversal.ts'
import type { RuleSet } from '../../domain/rules.ts'
import { TERM_KINDS } from '../../domain/rules.ts'
import { ADJUSTMENT_KINDS, type Adjustment, type Figures } from '../../domain/settlement.ts'
import type { TaxExplanation } from '../../domain/tax.ts'
import { CalendarDate, Choice, Code, Money, Nullable, PlainText } from '../../wire/fields.ts'
import type { FieldError } from '../../wire/reader.ts'
import {
  accountNumber,
  amount,
  count,
  currency,
  date,
  decimal,
  depositId,
  flag,
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
  rate,
  record,
  remainingPrincipal,
  signedAmount,
  startDate,
  text,
  uncappedAmount,
  within,
} from '../../wire/record.ts'
import { interestEvery, interestMethod, productVersion, rateSheet, rulesSource } from '../deposits/record.ts'
import { letterhead, type Worded } from '../letters/record.ts'
import { combination, dayCount, rounding } from '../rules/record.ts'
import { taxBase } from '../tax/record.ts'
import { NotedWaiverRecord, WaiverBody, WaiverRecord, waiverFrom } from '../waivers/record.ts'
import { workedOut } from './words.ts'

const REFERENCE = 'Your own reference, stored as sent.'
const REASON = 'Your own code for why, such as CUSTOMER_REQUEST.'
const LIQUIDATION_TYPE = 'FULL breaks the whole deposit, PARTIAL a part of it.'

const breaking = {
  liquidation_type: Choice(LIQUIDATION_TYPES, { title: 'LiquidationType', description: LIQUIDATION_TYPE }),
  amount: Type.Optional(
    Nullable(Money(), {
      description: 'Principal to withdraw. Needed for PARTIAL; FULL does not need it.',
    }),
  ),
  waiver: Type.Optional(
    Nullable(WaiverBody, {
      description:
        'What is waived of the charge or the holding period, and why. Liquidating with one needs the scope penal_charges:waive.',
    }),
  ),
}

export const LiquidateBody = Type.Object(
  {
    ...breaking,
    expected_net_credited: Type.Optional(
      Nullable(Money(), {
        description:
          'net_credited of the quote that was agreed to. If it would be another now, nothing is done: figures_changed.',
      }),
    ),
    reference: Type.Optional(Nullable(PlainText({ max: 64 }), { description: REFERENCE })),
    reason: Type.Optional(Nullable(Code(), { description: REASON })),
  },
  { refine: partialNamesItsAmount },
)
export type LiquidateBody = Static<typeof LiquidateBody>

export const QuoteBody = Type.Object(
  {
    ...breaking,
    as_of: Type.Optional(CalendarDate({ description: 'The day to quote for; today if left out.' })),
  },
  { refine: partialNamesItsAmount },
)
export type QuoteBody = Static<typeof QuoteBody>

function partialNamesItsAmount(body: Partial<LiquidateBody>): FieldError[] {
  if (body.liquidation_type !== 'PARTIAL' || (body.amount ?? null) !== null) return []
  return [{ field: 'amount', code: 'required', message: 'Send the amount to withdraw: PARTIAL needs it.' }]
}

export function breakingFrom(body: QuoteBody | LiquidateBody): Breaking {
  return { part: partFrom(body), waiver: body.waiver ? waiverFrom(body.waiver) : null }
}

export function liquidationFrom(
  body: LiquidateBody,
): Omit<LiquidationRequest, 'liquidationId' | 'depositId'> {
  return {
    ...breakingFrom(body),
    expectedNet: body.expected_net_credited ?? null,
    reference: body.reference ?? null,
    reason: body.reason ?? null,
  }
}

function partFrom(body: Pick<LiquidateBody, 'liquidation_type' | 'amount'>): Part {
  if (body.liquidation_type === 'FULL') return { type: 'FULL', amount: body.amount ?? null }
  return { type: 'PARTIAL', amount: body.amount as Minor }
}

const statusAfter = oneOf('StatusAfterLiquidation', STATUSES_AFTER_LIQUIDATION)
const liquidationType = knownKind(LIQUIDATION_TYPE, oneOf('LiquidationType', LIQUIDATION_TYPES))
const penalCharge = knownKind('Charge deducted for early liquidation; never more than the interest.', amount)

type Paid = Pick<Settlement, 'principal' | 'interest' | 'penal' | 'total' | 'accountNumber'>

/** What a settlement pays, and to which account. */
export const figures: Members<Paid> = {
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

const AdjustmentRecord = record<Adjustment>('Adjustment', {
  kind: oneOf('AdjustmentKind', ADJUSTMENT_KINDS).as('What adjusted the amount.', ({ kind }) => kind),
  amount: signedAmount.as('What it added; what it took is negative.', ({ amount }) => amount),
})

/** The charge and its waiver, and all adjustments. */
const settlement: Members<Figures & Pick<Settlement, 'waiver'>> = {
  penal_assessed: amount.as('Charge that the rules gave, before a waiver.', (settled) => settled.assessed),
  penal_waived: amount.as('What was waived of that charge.', (settled) => settled.waived),
  waiver: orNull(WaiverRecord).as('What was waived and why, or null.', (settled) => settled.waiver),
  adjustments: listOf(AdjustmentRecord).as(
    'What else happened to the money, each with a ledger entry of its own; none of 0.00 is listed.',
    (settled) => settled.adjustments,
  ),
  net_credited: amount.as(
    'What the account received in the end: total_credited plus all adjustments.',
    (settled) => settled.net,
  ),
}

const references: Members<Pick<Liquidation, 'reference' | 'reason'>> = {
  reference: orNull(text).as(REFERENCE, (liquidation) => liquidation.reference),
  reason: orNull(text).as(REASON, (liquidation) => liquidation.reason),
}

/** The contract's eight members first, then ours. */
const liquidation: Members<Liquidation> = {
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

const ExplainedTermRecord = record<ExplainedTerm>('ExplainedTerm', {
  kind: oneOf('TermKind', TERM_KINDS).as('Kind of the term.', (term) => term.kind),
  amount: uncappedAmount.as('Amount of the term.', (term) => term.amount),
  sentence: text.as('The sum of the term in words.', (term) => term.sentence),
})

const TaxExplanationRecord = record<TaxExplanation>('TaxExplanation', {
  version: count.as('Version of the tax rules.', (tax) => tax.version),
  base: taxBase.as('Whether the penal charge is taken off before the interest is taxed.', (tax) => tax.base),
  rate: rate.as('Percent that is withheld.', (tax) => tax.ratePpm),
  taxable_interest: amount.as(
    'What is taxed: of this part, and of those broken earlier that day that the same version taxed in the same class.',
    (tax) => tax.taxable,
  ),
  withheld_earlier: amount.as(
    'What was withheld of those earlier parts; the tax of this part is the rest, up to its own taxable interest.',
    (tax) => tax.withheldEarlier,
  ),
})

const BrokenEarlierRecord = record<DaySums>('BrokenEarlier', {
  principal: amount.as('Principal of the earlier parts.', (earlier) => earlier.principal),
  interest: amount.as('Interest paid on them.', (earlier) => earlier.interest),
  penal_assessed: amount.as('Charge that the rules gave for them.', (earlier) => earlier.assessed),
  paid_share: amount.as('Interest that had been paid on them before.', (earlier) => earlier.paidShare),
  unearned: amount.as(
    'What of it went back, for days that they were not held.',
    (earlier) => earlier.unearned,
  ),
  recovered: amount.as('Charge that was taken from it.', (earlier) => earlier.recovered),
})

type Explained = { explanation: SettlementExplanation; penal: Minor }

const explanationMembers: Members<Explanation> = {
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
}

const ExplanationRecord = record<Explained>('Explanation', {
  ...within(({ explanation }) => explanation, explanationMembers),
  penal_charge: penalCharge.of(({ penal }) => penal),
  earlier_today: orNull(BrokenEarlierRecord).as(
    'What was broken of this deposit earlier on the business date, or null. Parts of one day ' +
      'are one withdrawal: a part earns the interest and bears the charge of them together, less ' +
      'what the earlier ones had.',
    ({ explanation }) => explanation.earlierToday,
  ),
  tax: orNull(TaxExplanationRecord).as(
    'How the interest is taxed, or null where no tax rules are in force.',
    ({ explanation }) => explanation.tax,
  ),
  interest_method: interestMethod.of(({ explanation }) => explanation.method),
  interest_every: orNull(interestEvery).as(
    'How often interest is compounded or paid, or null.',
    ({ explanation }) => explanation.every,
  ),
  whole_periods: count.as(
    'Periods of the schedule that ended by the business date.',
    ({ explanation }) => explanation.wholePeriods,
  ),
  growth: decimal.as(
    'Interest of 1.00 up to the business date, with ten decimals, cut off and not rounded.',
    ({ explanation }) => explanation.growth,
  ),
  earned: amount.as('What this part earned, paid out or not.', ({ explanation }) => explanation.earned),
  paid_share: amount.as(
    'Interest that had been paid on this part before.',
    ({ explanation }) => explanation.paidShare,
  ),
  charged_to_accrued: amount.as(
    'Charge that is taken from the interest paid now: the penal_charge.',
    ({ explanation }) => explanation.chargedToAccrued,
  ),
  charged_to_paid: amount.as(
    'Charge that is taken back from interest paid before.',
    ({ explanation }) => explanation.chargedToPaid,
  ),
  uncollected: uncappedAmount.as(
    'Charge by the rules that is neither taken nor waived, because the interest does not suffice.',
    ({ explanation }) => explanation.uncollected,
  ),
  rules_source: rulesSource.of(({ explanation }) => explanation.rulesSource),
  product_version: productVersion.of(({ explanation }) => explanation.productVersion),
  rate_sheet: rateSheet.of(({ explanation }) => explanation.rateSheet),
  rate_sheet_now: orNull(count).as(
    'The number of the rate sheet in force on the business date, where the rules start from those of the product, or null.',
    ({ explanation }) => explanation.sheetNow,
  ),
})

const explanation = knownKind(
  'How the figures came about, so that a person can redo the sum by hand.',
  ExplanationRecord,
)

/** The data of the liquidate call's answer and of its event. */
export const LiquidationRecord = record<Liquidation>('Liquidation', {
  ...liquidation,
  ...settlement,
  ...references,
})

type Reversible = Liquidation & Pick<StoredLiquidation, 'reversedAt'>

const reversedAt: Members<Pick<Reversible, 'reversedAt'>> = {
  reversed_at: orNull(instant).as(
    'When the liquidation was taken back, or null.',
    (liquidation) => liquidation.reversedAt,
  ),
}

export const ExplainedLiquidationRecord = record<Reversible & ExplainedSettlement>('ExplainedLiquidation', {
  ...liquidation,
  explanation: explanation.of((liquidation) => liquidation),
  ...settlement,
  waiver: orNull(NotedWaiverRecord).as('What was waived and why, or null.', ({ waiver }) => waiver),
  ...references,
  ...reversedAt,
})

/** A liquidation as stored, without the explanation, which the rules can produce again. */
export const StoredLiquidationRecord = record<Reversible>('KeptLiquidation', {
  ...liquidation,
  ...settlement,
  ...references,
  business_date: date.as('The business date on which it was made.', (kept) => kept.businessDate),
  ...reversedAt,
})

const quoteMembers: Members<ExplainedSettlement> = {
  deposit_id: depositId.of((settlement) => settlement.depositId),
  liquidation_type: liquidationType.of((settlement) => settlement.type),
  status: statusAfter.as('State the deposit would have afterwards.', (settlement) => settlement.statusAfter),
  ...figures,
  remaining_principal: remainingPrincipal.of((settlement) => settlement.remaining),
  currency: currency.of((settlement) => settlement.currency),
  as_of: date.as('The day the quote is for.', (settlement) => settlement.businessDate),
  explanation: explanation.of((settlement) => settlement),
  ...settlement,
}

export const QuoteRecord = record<ExplainedSettlement & { approvalRequired: boolean }>('LiquidationQuote', {
  ...quoteMembers,
  approval_required: flag.as(
    'Whether the liquidation would have to wait for the approval of others now.',
    ({ approvalRequired }) => approvalRequired,
  ),
})

/** The expected result of a liquidation that waits for approval. */
export const LiquidationPreviewRecord = record('LiquidationPreview', quoteMembers)

/** What subscribers can receive. */
export const liquidationEvents = {
  'fixed_deposit.liquidated': LiquidationRecord,
  'fixed_deposit.partially_liquidated': LiquidationRecord,
}

export type Advised = {
  holder: Holder
  liquidation: Liquidation & ExplainedSettlement & { reversedAt: Date | null }
  deposit: Deposit
  rules: RuleSet
}

export const AdviceRecord = record<Worded<Letterhead & Advised>>('Advice', {
  ...within(({ letter }) => letter, letterhead),
  liquidation: ExplainedLiquidationRecord.as(
    'The liquidation that the letter is about.',
    ({ letter }) => letter.liquidation,
  ),
  worked_out: listOf(text).as('How the sum came about, in sentences for the customer.', ({ letter, words }) =>
    workedOut(letter.liquidation, letter.rules, words),
  ),
})
