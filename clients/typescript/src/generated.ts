/** Generated from openapi.json by tools/clients.ts. */
import type { Decimal, Shapes } from './money.ts'
import type { Call, CallOptions, List, Operations } from './transport.ts'

export const VERSION = '0.3.0'

/** The codes of the catalogue; an unknown one is passed through. */
export type ErrorCode =
  | 'malformed_request'
  | 'malformed_json'
  | 'invalid_idempotency_key'
  | 'invalid_request'
  | 'missing_authorization'
  | 'malformed_authorization'
  | 'invalid_api_key'
  | 'api_key_revoked'
  | 'api_key_expired'
  | 'scope_escalation'
  | 'key_escalation'
  | 'maker_cannot_approve'
  | 'person_required'
  | 'decider_too_new'
  | 'key_too_new'
  | 'not_your_request'
  | 'insufficient_scope'
  | 'test_mode_only'
  | 'customer_not_found'
  | 'account_not_found'
  | 'deposit_not_found'
  | 'product_not_found'
  | 'rate_sheet_not_found'
  | 'approval_not_found'
  | 'lien_not_found'
  | 'liquidation_not_found'
  | 'batch_not_found'
  | 'event_not_found'
  | 'seal_not_found'
  | 'webhook_endpoint_not_found'
  | 'api_key_not_found'
  | 'route_not_found'
  | 'document_version_not_found'
  | 'rules_version_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'external_id_taken'
  | 'figures_changed'
  | 'product_closed'
  | 'liquidation_already_reversed'
  | 'not_latest_movement'
  | 'deposit_matured'
  | 'deposit_not_active'
  | 'approval_already_pending'
  | 'approval_not_pending'
  | 'event_not_sealed'
  | 'already_voted'
  | 'lien_not_active'
  | 'account_number_taken'
  | 'part_already_sent'
  | 'part_missing'
  | 'batch_not_uploading'
  | 'batch_finished'
  | 'api_key_not_active'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'partial_liquidation_not_allowed'
  | 'liquidation_locked'
  | 'amount_not_whole'
  | 'amount_conflicts_with_full'
  | 'amount_exceeds_principal'
  | 'amount_equals_principal'
  | 'amount_below_minimum'
  | 'remaining_below_minimum'
  | 'currency_mismatch'
  | 'amount_not_offered'
  | 'tenor_not_offered'
  | 'no_rate_sheet'
  | 'bonus_not_offered'
  | 'rate_not_negotiable'
  | 'rate_out_of_range'
  | 'party_is_holder'
  | 'upfront_interest_too_high'
  | 'effective_date_before_last'
  | 'effective_date_in_past'
  | 'too_many_products'
  | 'too_many_rate_sheets'
  | 'approval_required'
  | 'too_few_deciders'
  | 'interest_paid_to_invalid'
  | 'maturity_date_invalid'
  | 'too_many_batches'
  | 'control_totals_differ'
  | 'too_many_approvals'
  | 'amount_under_lien'
  | 'deposit_under_lien'
  | 'lien_exceeds_principal'
  | 'too_many_liens'
  | 'nothing_to_waive'
  | 'waiver_exceeds_charge'
  | 'balance_limit_exceeded'
  | 'reversal_window_closed'
  | 'insufficient_funds'
  | 'start_date_in_future'
  | 'start_date_too_early'
  | 'maturity_value_out_of_range'
  | 'as_of_before_start'
  | 'as_of_before_paid_interest'
  | 'expires_at_in_past'
  | 'clock_moves_forward_only'
  | 'clock_move_too_far'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'headers_too_large'
  | 'internal_error'
  | 'service_unavailable'
  | 'insufficient_storage'
  | 'clock_unsure'
  | 'outcome_unknown'

export type Liquidation = {
  /** Identifier of the fixed deposit. */
  deposit_id: string
  /** State of the deposit after the operation: LIQUIDATED after FULL, ACTIVE after PARTIAL. */
  status: StatusAfterLiquidation
  /** Principal paid back. */
  principal_returned: string
  /** Interest earned by that principal, before the charge. */
  interest_paid: string
  /** Charge deducted for early liquidation; never more than the interest. */
  penal_charge: string
  /** Paid to the account: principal_returned plus interest_paid minus penal_charge. */
  total_credited: string
  /** Number of the account that received the money. */
  credited_account: string
  /** Time of the liquidation. */
  liquidated_at: string
  /** Identifier of the liquidation. */
  liquidation_id: string
  /** FULL breaks the whole deposit, PARTIAL a part of it. */
  liquidation_type: LiquidationType
  /** Principal that is still invested. */
  remaining_principal: string
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** Charge that the rules gave, before a waiver. */
  penal_assessed: string
  /** What was waived of that charge. */
  penal_waived: string
  /** What was waived and why, or null. */
  waiver: Waiver | null
  /** What else happened to the money, each with a ledger entry of its own; none of 0.00 is listed. */
  adjustments: readonly Adjustment[]
  /** What the account received in the end: total_credited plus all adjustments. */
  net_credited: string
  /** Your own reference, stored as sent. */
  reference: string | null
  /** Your own code for why, such as CUSTOMER_REQUEST. */
  reason: string | null
}

export type StatusAfterLiquidation = 'LIQUIDATED' | 'ACTIVE'

/** Money: a number written with exactly two fractional digits. */
export type Amount = string

export type LiquidationType = 'FULL' | 'PARTIAL'

export type Waiver = {
  /** Percent of the charge that was waived, or null. */
  percent: string | null
  /** Amount of the charge that was waived, or null. */
  amount: string | null
  /** Whether the holding period of the rules was lifted. */
  holding_period: boolean
  /** A code of the caller's own, such as DEATH_OF_OWNER. */
  reason: string
}

export type Adjustment = {
  /** What adjusted the amount. */
  kind: AdjustmentKind
  /** What it added; what it took is negative. */
  amount: string
}

export type AdjustmentKind = 'UNEARNED_INTEREST' | 'WITHHOLDING_TAX' | 'PENAL_RECOVERY' | 'TAX_RETURNED'

/** Money: a number written with exactly two fractional digits; a debit is negative. */
export type SignedAmount = string

export type LiquidateFixedDepositRequest = {
  /** FULL breaks the whole deposit, PARTIAL a part of it. */
  liquidation_type: LiquidationType
  /** Principal to withdraw. Needed for PARTIAL; FULL does not need it. */
  amount?: Decimal | null
  /** What is waived of the charge or the holding period, and why. Liquidating with one needs the scope penal_charges:waive. */
  waiver?: NewWaiver | null
  /** net_credited of the quote that was agreed to. If it would be another now, nothing is done: figures_changed. */
  expected_net_credited?: Decimal | null
  /** Your own reference, stored as sent. */
  reference?: string | null
  /** Your own code for why, such as CUSTOMER_REQUEST. */
  reason?: string | null
}

export type NewWaiver = {
  /** Percent of the charge to waive; not together with amount. */
  percent?: Decimal
  /** Amount of the charge to waive; not together with percent. */
  amount?: Decimal
  /** Lifts the holding period of the rules; left out, it holds. */
  holding_period?: boolean
  /** A code of the caller's own, such as DEATH_OF_OWNER. */
  reason: string
  /** A line for people, stored in the record and the audit log; events do not contain it. */
  note?: string
}

export type LiquidationQuote = {
  /** Identifier of the fixed deposit. */
  deposit_id: string
  /** FULL breaks the whole deposit, PARTIAL a part of it. */
  liquidation_type: LiquidationType
  /** State the deposit would have afterwards. */
  status: StatusAfterLiquidation
  /** Principal paid back. */
  principal_returned: string
  /** Interest earned by that principal, before the charge. */
  interest_paid: string
  /** Charge deducted for early liquidation; never more than the interest. */
  penal_charge: string
  /** Paid to the account: principal_returned plus interest_paid minus penal_charge. */
  total_credited: string
  /** Number of the account that received the money. */
  credited_account: string
  /** Principal that is still invested. */
  remaining_principal: string
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** The day the quote is for. */
  as_of: string
  /** How the figures came about, so that a person can redo the sum by hand. */
  explanation: Explanation
  /** Charge that the rules gave, before a waiver. */
  penal_assessed: string
  /** What was waived of that charge. */
  penal_waived: string
  /** What was waived and why, or null. */
  waiver: Waiver | null
  /** What else happened to the money, each with a ledger entry of its own; none of 0.00 is listed. */
  adjustments: readonly Adjustment[]
  /** What the account received in the end: total_credited plus all adjustments. */
  net_credited: string
  /** Whether the liquidation would have to wait for the approval of others now. */
  approval_required: boolean
}

export type Explanation = {
  /** Today's date in the caller's time zone; interest counts business dates. */
  business_date: string
  /** The day the deposit began; interest counts from it. */
  start_date: string
  /** The day the deposit is due; interest stops there. */
  maturity_date: string
  /** Calendar days from the start to the business date. */
  elapsed_days: number
  /** Calendar days from the start to maturity. */
  term_days: number
  /** How days become a share of a year. */
  day_count: DayCount
  /** How an exact amount becomes whole cents. */
  rounding: Rounding
  /** Percent a year, with at most four decimals. */
  interest_rate: string
  /** Principal that the sum is about. */
  principal: string
  /** Interest of this part and of what was broken earlier that day, with ten decimals, cut off and not rounded. */
  unrounded_interest: string
  /** That interest, rounded, less the interest of the earlier parts. */
  interest: string
  /** Version of the liquidation rules the deposit is pinned to. */
  rules_version: number
  /** Which of the penal rules applied, counted from 0, or null. */
  rule_index: number | null
  /** Why none applied, or null. */
  no_rule_reason: NoRuleReason | null
  /** The terms of the charge, each rounded once. */
  terms: readonly ExplainedTerm[]
  /** Whether the terms are added, or the greatest or smallest counts; SUM if left out. */
  combine: Combination | null
  /** The terms combined, or null. */
  combined: string | null
  /** That amount within min and max, or null. */
  limited: string | null
  /** That amount less the charge of the earlier parts, where it was more than the interest of this part and so was capped, or null. */
  capped_from: string | null
  /** Charge deducted for early liquidation; never more than the interest. */
  penal_charge: string
  /** What was broken of this deposit earlier on the business date, or null. Parts of one day are one withdrawal: a part earns the interest and bears the charge of them together, less what the earlier ones had. */
  earlier_today: BrokenEarlier | null
  /** How the interest is taxed, or null where no tax rules are in force. */
  tax: TaxExplanation | null
  /** How interest is earned and paid. */
  interest_method: InterestMethod
  /** How often interest is compounded or paid, or null. */
  interest_every: InterestPeriod | null
  /** Periods of the schedule that ended by the business date. */
  whole_periods: number
  /** Interest of 1.00 up to the business date, with ten decimals, cut off and not rounded. */
  growth: string
  /** What this part earned, paid out or not. */
  earned: string
  /** Interest that had been paid on this part before. */
  paid_share: string
  /** Charge that is taken from the interest paid now: the penal_charge. */
  charged_to_accrued: string
  /** Charge that is taken back from interest paid before. */
  charged_to_paid: string
  /** Charge by the rules that is neither taken nor waived, because the interest does not suffice. */
  uncollected: string
  /** Whether the caller's rules of that version count, or those of the product. */
  rules_source: RulesSource
  /** The version of its product that a deposit keeps for life, or null. */
  product_version: number | null
  /** The number of the rate sheet in force at the start, or null. */
  rate_sheet: number | null
  /** The number of the rate sheet in force on the business date, where the rules start from those of the product, or null. */
  rate_sheet_now: number | null
}

export type DayCount = 'ACT/365F' | 'ACT/360' | 'ACT/ACT' | '30/360' | '30E/360' | 'MONTHS'

export type Rounding = 'HALF_UP' | 'HALF_EVEN' | 'DOWN'

export type NoRuleReason = 'MATURED' | 'NO_RULE_MATCHED'

export type ExplainedTerm = {
  /** Kind of the term. */
  kind: TermKind
  /** Amount of the term. */
  amount: string
  /** The sum of the term in words. */
  sentence: string
}

export type TermKind = 'FIXED' | 'PERCENT' | 'PERIOD_INTEREST' | 'RERATE'

/** Money before the cap: a number written with exactly two fractional digits. */
export type UncappedAmount = string

export type Combination = 'SUM' | 'MAX' | 'MIN'

export type BrokenEarlier = {
  /** Principal of the earlier parts. */
  principal: string
  /** Interest paid on them. */
  interest: string
  /** Charge that the rules gave for them. */
  penal_assessed: string
  /** Interest that had been paid on them before. */
  paid_share: string
  /** What of it went back, for days that they were not held. */
  unearned: string
  /** Charge that was taken from it. */
  recovered: string
}

export type TaxExplanation = {
  /** Version of the tax rules. */
  version: number
  /** Whether the penal charge is taken off before the interest is taxed. */
  base: TaxBase
  /** Percent that is withheld. */
  rate: string
  /** What is taxed: of this part, and of those broken earlier that day that the same version taxed in the same class. */
  taxable_interest: string
  /** What was withheld of those earlier parts; the tax of this part is the rest, up to its own taxable interest. */
  withheld_earlier: string
}

export type TaxBase = 'NET' | 'GROSS'

export type InterestMethod = 'AT_MATURITY' | 'COMPOUND' | 'PAYOUT' | 'UPFRONT'

export type InterestPeriod = 'DAY' | 'MONTH' | 'QUARTER' | 'HALF_YEAR' | 'YEAR'

export type RulesSource = 'CALLER' | 'PRODUCT'

export type QuoteLiquidationRequest = {
  /** FULL breaks the whole deposit, PARTIAL a part of it. */
  liquidation_type: LiquidationType
  /** Principal to withdraw. Needed for PARTIAL; FULL does not need it. */
  amount?: Decimal | null
  /** What is waived of the charge or the holding period, and why. Liquidating with one needs the scope penal_charges:waive. */
  waiver?: NewWaiver | null
  /** The day to quote for; today if left out. */
  as_of?: string
}

export type ExplainedLiquidation = {
  /** Identifier of the fixed deposit. */
  deposit_id: string
  /** State of the deposit after the operation: LIQUIDATED after FULL, ACTIVE after PARTIAL. */
  status: StatusAfterLiquidation
  /** Principal paid back. */
  principal_returned: string
  /** Interest earned by that principal, before the charge. */
  interest_paid: string
  /** Charge deducted for early liquidation; never more than the interest. */
  penal_charge: string
  /** Paid to the account: principal_returned plus interest_paid minus penal_charge. */
  total_credited: string
  /** Number of the account that received the money. */
  credited_account: string
  /** Time of the liquidation. */
  liquidated_at: string
  /** Identifier of the liquidation. */
  liquidation_id: string
  /** FULL breaks the whole deposit, PARTIAL a part of it. */
  liquidation_type: LiquidationType
  /** Principal that is still invested. */
  remaining_principal: string
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** How the figures came about, so that a person can redo the sum by hand. */
  explanation: Explanation
  /** Charge that the rules gave, before a waiver. */
  penal_assessed: string
  /** What was waived of that charge. */
  penal_waived: string
  /** What was waived and why, or null. */
  waiver: NotedWaiver | null
  /** What else happened to the money, each with a ledger entry of its own; none of 0.00 is listed. */
  adjustments: readonly Adjustment[]
  /** What the account received in the end: total_credited plus all adjustments. */
  net_credited: string
  /** Your own reference, stored as sent. */
  reference: string | null
  /** Your own code for why, such as CUSTOMER_REQUEST. */
  reason: string | null
  /** When the liquidation was taken back, or null. */
  reversed_at: string | null
}

export type NotedWaiver = {
  /** Percent of the charge that was waived, or null. */
  percent: string | null
  /** Amount of the charge that was waived, or null. */
  amount: string | null
  /** Whether the holding period of the rules was lifted. */
  holding_period: boolean
  /** A code of the caller's own, such as DEATH_OF_OWNER. */
  reason: string
  /** A line for people, or null. */
  note: string | null
}

export type LiquidationStatus = 'COMPLETED' | 'REVERSED'

export type Advice = {
  /** Name of the bank. */
  bank: string
  /** Who owns the deposit. */
  holder: Holder
  /** The business date on which it was requested. */
  issued_on: string
  /** The liquidation that the letter is about. */
  liquidation: ExplainedLiquidation
  /** How the sum came about, in sentences for the customer. */
  worked_out: readonly string[]
}

export type Holder = {
  /** Identifier of the customer. */
  customer_id: string
  /** Given name and family name. */
  name: string
  /** Where letters go. */
  address: string
}

export type Outlook = {
  /** Days on which something changes, in order: today, edges of the rules, payments of interest, other tax, month ends and maturity; at most 400. Days of the holding period are left out. */
  points: readonly OutlookPoint[]
  /** The first day on which more than the amount was received in all, payments counted and tax deducted; null: not before maturity, nor then. */
  break_even_on: string | null
  /** The next day on which the charge falls; null: there is none, or it cannot be broken today. */
  next_better_day: BetterDay | null
}

export type OutlookPoint = {
  /** The day on which it would be broken. */
  date: string
  /** What the account would receive: net_credited of a quote for the day. */
  net: string
  /** Interest up to the day, paid before or then, less all that the charge takes, before tax. */
  interest_kept: string
  /** Charge deducted from what is paid on the day. */
  penal_charge: string
  /** Tax withheld on the day. */
  tax: string
}

export type BetterDay = {
  /** The first day of the lower charge. */
  date: string
  /** How much more is received in all than by breaking it first. */
  gains: string
}

export type Impact = {
  /** Liquidations of the last 92 days, as if the proposal had been in force when their deposits were opened. */
  liquidations: LiquidationImpact
  /** Deposits that roll over within 92 days. */
  rollovers: RolloverImpact
  /** How many of the liquidations need approval, by their own figures: sums of several days and changed contacts do not count. */
  held: HeldImpact
  /** The ten deposits whose charge rises most. */
  worst: readonly WorstDeposit[]
  /** false: only the newest 100000 movements were looked at. */
  complete: boolean
}

export type LiquidationImpact = {
  /** Liquidations that were not reversed. */
  count: number
  /** What was charged for them. */
  charge_now: string
  /** What would be charged. */
  charge_proposed: string
  /** Interest that they paid. */
  interest_now: string
  /** Interest that they would pay. */
  interest_proposed: string
  /** Refused as things are: none, since they were made. */
  refused_now: number
  /** How many would be refused. */
  refused_proposed: number
}

/** Money summed up: a number written with exactly two fractional digits. It has no maximum; above 90071992547409.91 a double loses cents, so read it from its text. */
export type AmountSum = string

export type RolloverImpact = {
  /** Deposits that are to roll over. */
  count: number
  /** Interest of their successors. */
  interest_now: string
  /** Interest that they would have. */
  interest_proposed: string
  /** How many are paid out instead. */
  refused_now: number
  /** How many would be paid out instead. */
  refused_proposed: number
}

export type HeldImpact = {
  /** By the approval policy as it is. */
  now: number
  /** By the proposal. */
  proposed: number
}

export type WorstDeposit = {
  /** Identifier of the fixed deposit. */
  deposit_id: string
  /** What it was charged. */
  charge_now: string
  /** What it would be charged. */
  charge_proposed: string
}

export type ForeseeRulesRequest = {
  /** How days become a share of a year. */
  day_count: DayCount
  /** How an exact amount becomes whole cents. */
  rounding: Rounding
  /** Whether a part of a deposit may be broken. */
  allow_partial: boolean
  /** Least amount of a PARTIAL. */
  min_partial_amount: Decimal
  /** Least principal that a PARTIAL may leave. */
  min_remaining_principal: Decimal
  /** Days from the start before which nothing can be broken. */
  min_holding_days: number
  /** Tried in order; the first whose conditions hold makes the charge. None holds: no charge. */
  penal_rules: readonly NewPenalRule[]
}

export type NewPenalRule = {
  /** Conditions that must all hold; an empty object always holds. */
  when: PenalConditionsInput
  /** The terms of the charge, each rounded once. */
  terms: readonly (FixedTermInput | PercentTermInput | PeriodInterestTermInput | RerateTermInput)[]
  /** Whether the terms are added, or the greatest or smallest counts; SUM if left out. */
  combine?: Combination
  /** Least charge; 0.00 if left out. */
  min?: Decimal
  /** Greatest charge; null is none. */
  max?: Decimal | null
}

export type PenalConditions = {
  /** Calendar days from the start to the business date. */
  elapsed_days?: DaysRange
  /** Elapsed days as percent of the term. */
  elapsed_percent?: PercentRange
  /** Calendar days from the business date to maturity. */
  remaining_days?: DaysRange
  /** Remaining days as percent of the term. */
  remaining_percent?: PercentRange
  /** Calendar days from the start to maturity. */
  term_days?: DaysRange
  /** Principal that is broken on the business date, in all its parts. */
  amount?: AmountRange
  /** How often the deposit has rolled over, with those before it. */
  rollovers?: CountRange
  /** Earlier business dates on which a part of the deposit was broken and not reversed. */
  earlier_liquidations?: CountRange
}

export type PenalConditionsInput = {
  /** Calendar days from the start to the business date. */
  elapsed_days?: DaysRange
  /** Elapsed days as percent of the term. */
  elapsed_percent?: PercentRangeInput
  /** Calendar days from the business date to maturity. */
  remaining_days?: DaysRange
  /** Remaining days as percent of the term. */
  remaining_percent?: PercentRangeInput
  /** Calendar days from the start to maturity. */
  term_days?: DaysRange
  /** Principal that is broken on the business date, in all its parts. */
  amount?: AmountRangeInput
  /** How often the deposit has rolled over, with those before it. */
  rollovers?: CountRange
  /** Earlier business dates on which a part of the deposit was broken and not reversed. */
  earlier_liquidations?: CountRange
}

export type DaysRange = {
  /** At least this. */
  gte?: number
  /** Less than this. */
  lt?: number
}

export type PercentRange = {
  /** At least this. */
  gte?: string
  /** Less than this. */
  lt?: string
}

export type PercentRangeInput = {
  /** At least this. */
  gte?: Decimal
  /** Less than this. */
  lt?: Decimal
}

export type AmountRange = {
  /** At least this. */
  gte?: string
  /** Less than this. */
  lt?: string
}

export type AmountRangeInput = {
  /** At least this. */
  gte?: Decimal
  /** Less than this. */
  lt?: Decimal
}

export type CountRange = {
  /** At least this. */
  gte?: number
  /** Less than this. */
  lt?: number
}

export type FixedTerm = {
  /** FIXED is an amount, PERCENT a share of a base, PERIOD_INTEREST the interest of a period, RERATE what a lower rate would have earned less. */
  kind: 'FIXED'
  /** The amount to charge. */
  amount: string
}

export type FixedTermInput = {
  /** FIXED is an amount, PERCENT a share of a base, PERIOD_INTEREST the interest of a period, RERATE what a lower rate would have earned less. */
  kind: 'FIXED'
  /** The amount to charge. */
  amount: Decimal
}

export type PercentTerm = {
  /** FIXED is an amount, PERCENT a share of a base, PERIOD_INTEREST the interest of a period, RERATE what a lower rate would have earned less. */
  kind: 'PERCENT'
  /** What the percent is of; TERM_INTEREST is the interest up to maturity. */
  of: 'ACCRUED_INTEREST' | 'PRINCIPAL' | 'TERM_INTEREST'
  /** Percent of that base. */
  percent: string
}

export type PercentTermInput = {
  /** FIXED is an amount, PERCENT a share of a base, PERIOD_INTEREST the interest of a period, RERATE what a lower rate would have earned less. */
  kind: 'PERCENT'
  /** What the percent is of; TERM_INTEREST is the interest up to maturity. */
  of: 'ACCRUED_INTEREST' | 'PRINCIPAL' | 'TERM_INTEREST'
  /** Percent of that base. */
  percent: Decimal
}

export type PeriodInterestTerm = {
  /** FIXED is an amount, PERCENT a share of a base, PERIOD_INTEREST the interest of a period, RERATE what a lower rate would have earned less. */
  kind: 'PERIOD_INTEREST'
  /** Days, or REMAINING for those up to maturity. */
  period: 'REMAINING' | PenalPeriod
  /** Rate a year; the rate of the contract if left out. */
  rate?: PenalRate
}

export type PeriodInterestTermInput = {
  /** FIXED is an amount, PERCENT a share of a base, PERIOD_INTEREST the interest of a period, RERATE what a lower rate would have earned less. */
  kind: 'PERIOD_INTEREST'
  /** Days, or REMAINING for those up to maturity. */
  period: 'REMAINING' | PenalPeriod
  /** Rate a year; the rate of the contract if left out. */
  rate?: PenalRateInput
}

export type PenalPeriod = {
  /** Number of days. */
  days: number
}

export type PenalRate = {
  /** Where the rate starts from. In the rules of a product also CARD_AT_OPENING, the rate of its sheet for the time the deposit was held, and CARD_NOW, the same by the sheet in force on the day. */
  of: RateBase
  /** Percent a year; FIXED alone takes it. */
  value?: string
  /** Factor on the rate, or ELAPSED_FRACTION for the elapsed share of the term. */
  multiply?: 'ELAPSED_FRACTION' | string
  /** Percentage points on top, after multiplying; the rate never falls below 0. */
  add?: string
}

export type PenalRateInput = {
  /** Where the rate starts from. In the rules of a product also CARD_AT_OPENING, the rate of its sheet for the time the deposit was held, and CARD_NOW, the same by the sheet in force on the day. */
  of: RateBase
  /** Percent a year; FIXED alone takes it. */
  value?: Decimal
  /** Factor on the rate, or ELAPSED_FRACTION for the elapsed share of the term. */
  multiply?: 'ELAPSED_FRACTION' | Decimal
  /** Percentage points on top, after multiplying; the rate never falls below 0. */
  add?: Decimal
}

export type RateBase = 'CONTRACT' | 'FIXED' | 'CARD_AT_OPENING' | 'CARD_NOW'

export type RerateTerm = {
  /** FIXED is an amount, PERCENT a share of a base, PERIOD_INTEREST the interest of a period, RERATE what a lower rate would have earned less. */
  kind: 'RERATE'
  /** Rate a year; the rate of the contract if left out. */
  rate: PenalRate
}

export type RerateTermInput = {
  /** FIXED is an amount, PERCENT a share of a base, PERIOD_INTEREST the interest of a period, RERATE what a lower rate would have earned less. */
  kind: 'RERATE'
  /** Rate a year; the rate of the contract if left out. */
  rate: PenalRateInput
}

export type ForeseeProductRequest = {
  /** What the bank calls it. */
  name: string
  /** Its currency, which no later version can change. */
  currency: string
  /** CLOSED: no deposit is opened by it, and those that would roll over are paid out. What was opened continues. */
  status: ProductStatus
  /** Least principal at the opening. */
  min_amount: Decimal
  /** Greatest principal at the opening; null is none. */
  max_amount: Decimal | null
  /** The tenors it is offered for: those from min to max that multiple divides. */
  tenor: OfferedTenor
  /** How interest is earned and when it is paid. */
  interest: ProductInterest
  /** What happens at the end of the term. */
  maturity: ProductMaturity
  /** The rates that may be agreed instead of the one of the sheet, in percent a year; null: none. */
  negotiated_rate: NegotiatedRateInput | null
  /** Percentage points by code, added to the rate of the sheet. */
  bonuses: BonusesInput
  /** Rules of its own for breaking a deposit; null: the caller's, in force at the opening. */
  rules: ProductRules | null
}

export type ProductStatus = 'OPEN' | 'CLOSED'

export type OfferedTenor = {
  /** Whether tenors are days or months. */
  unit: TenorUnit
  /** The shortest. */
  min: number
  /** The longest: up to 36500 days or 1200 months. */
  max: number
  /** Divides every tenor; 1: any. */
  multiple: number
}

export type TenorUnit = 'DAY' | 'MONTH'

export type ProductInterest = {
  /** AT_MATURITY: simple interest at the end. COMPOUND: interest on interest, at the end. PAYOUT: paid to the account after each period. UPFRONT: paid to the account at the opening. */
  method: InterestMethod
  /** How often it is compounded or paid; null for AT_MATURITY and UPFRONT. */
  every: InterestPeriod | null
  /** Whether a charge may also take back interest that was already paid out; without effect where none is. */
  recover_paid_interest: boolean
}

export type ProductMaturity = {
  /** NEXT_BUSINESS_DAY: a maturity that falls on a closed day of the business calendar is moved to the next open day when the deposit is opened. */
  on_holiday: HolidayRule
  /** What becomes of a deposit at maturity where its opening says nothing. */
  instruction: MaturityInstruction
  /** How often a deposit may roll over; null: without limit. */
  rollover_limit: number | null
}

export type HolidayRule = 'SAME_DAY' | 'NEXT_BUSINESS_DAY'

export type MaturityInstruction = 'PAY_OUT' | 'ROLL_OVER' | 'ROLL_OVER_PRINCIPAL'

export type NegotiatedRate = {
  /** The lowest. */
  min: string
  /** The highest. */
  max: string
}

export type NegotiatedRateInput = {
  /** The lowest. */
  min: Decimal
  /** The highest. */
  max: Decimal
}

export type Bonuses = { readonly [name: string]: string }

export type BonusesInput = { readonly [name: string]: Decimal }

export type ProductRules = {
  /** How days become a share of a year. */
  day_count: DayCount
  /** How an exact amount becomes whole cents. */
  rounding: Rounding
  /** Whether a part of a deposit may be broken. */
  allow_partial: boolean
  /** Least amount of a PARTIAL. */
  min_partial_amount: Decimal
  /** Least principal that a PARTIAL may leave. */
  min_remaining_principal: Decimal
  /** Days from the start before which nothing can be broken. */
  min_holding_days: number
  /** Tried in order; the first whose conditions hold makes the charge. None holds: no charge. */
  penal_rules: readonly NewPenalRule[]
}

export type ForeseePolicyRequest = {
  /** Hours until a request that nobody decides expires. */
  expires_after_hours: number
  /** PERSON: only people decide; ANY: API keys too. PERSON if left out. */
  deciders?: Deciders
  /** What has to wait; the most that any matching rule asks for is needed. */
  rules: readonly ApprovalRuleInput[]
}

export type Deciders = 'PERSON' | 'ANY'

export type ApprovalRule = {
  /** The operationId of the operation. */
  operation: ApprovableOperation
  /** When the rule applies; all that it names must hold. */
  when: ApprovalConditions
  /** How many have to approve. */
  approvals: number
}

export type ApprovalRuleInput = {
  /** The operationId of the operation. */
  operation: ApprovableOperation
  /** When the rule applies; all that it names must hold. */
  when: ApprovalConditionsInput
  /** How many have to approve. */
  approvals: number
}

export type ApprovableOperation =
  | 'openFixedDeposit'
  | 'liquidateFixedDeposit'
  | 'reverseLiquidation'
  | 'placeLien'
  | 'releaseLien'
  | 'creditAccount'
  | 'replaceRules'
  | 'replaceTaxRules'
  | 'putTaxStatus'
  | 'replaceApprovalPolicy'
  | 'putProduct'
  | 'addRateSheet'
  | 'replaceCalendar'
  | 'replaceAccounting'
  | 'startBatch'

export type ApprovalConditions = {
  /** The principal part, opening amount, lien or credit. */
  amount?: AmountRange
  /** What a liquidation credits. */
  net_credited?: AmountRange
  /** What a liquidation waives of its charge. */
  waived_amount?: AmountRange
  /** The same, in percent of the charge. */
  waived_percent?: PercentRange
  /** How many percentage points a negotiated rate lies above that of the rate sheet. */
  negotiated_points?: PointsRange
  /** Hours since the e-mail address or the telephone number of the customer last changed. */
  contact_changed_hours?: HoursRange
  /** Whether something is waived at all. */
  waiver?: boolean
  /** The amounts of this operation on the last days together, so that parts count as one. */
  sum?: SumCondition
}

export type ApprovalConditionsInput = {
  /** The principal part, opening amount, lien or credit. */
  amount?: AmountRangeInput
  /** What a liquidation credits. */
  net_credited?: AmountRangeInput
  /** What a liquidation waives of its charge. */
  waived_amount?: AmountRangeInput
  /** The same, in percent of the charge. */
  waived_percent?: PercentRangeInput
  /** How many percentage points a negotiated rate lies above that of the rate sheet. */
  negotiated_points?: PointsRangeInput
  /** Hours since the e-mail address or the telephone number of the customer last changed. */
  contact_changed_hours?: HoursRange
  /** Whether something is waived at all. */
  waiver?: boolean
  /** The amounts of this operation on the last days together, so that parts count as one. */
  sum?: SumConditionInput
}

export type PointsRange = {
  /** At least this. */
  gte?: string
  /** Less than this. */
  lt?: string
}

export type PointsRangeInput = {
  /** At least this. */
  gte?: Decimal
  /** Less than this. */
  lt?: Decimal
}

export type HoursRange = {
  /** At least this. */
  gte?: number
  /** Less than this. */
  lt?: number
}

export type SumCondition = {
  /** What is added up: parts of this deposit, those of all deposits of this customer, or what this actor did. A rolled key and its successors are one actor. */
  of: SumOf
  /** Business dates, the present one included. */
  days: number
  /** The sum, with this request; what was reversed does not count. */
  amount: AmountRange
}

export type SumConditionInput = {
  /** What is added up: parts of this deposit, those of all deposits of this customer, or what this actor did. A rolled key and its successors are one actor. */
  of: SumOf
  /** Business dates, the present one included. */
  days: number
  /** The sum, with this request; what was reversed does not count. */
  amount: AmountRangeInput
}

export type SumOf = 'DEPOSIT' | 'CUSTOMER' | 'ACTOR'

export type LiquidationReversal = {
  /** Identifier of the liquidation. */
  liquidation_id: string
  /** When the liquidation was taken back. */
  reversed_at: string
  /** The deposit, as if it had not been broken. */
  deposit: FixedDeposit
}

export type FixedDeposit = {
  /** Identifier of the fixed deposit. */
  deposit_id: string
  /** Identifier of the customer. */
  customer_id: string
  /** The ten digits of the account. */
  account_number: string
  /** ACTIVE until it is broken whole, paid out at maturity or rolled over. */
  status: DepositStatus
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** Principal at the opening. */
  principal: string
  /** Principal that is still invested. */
  remaining_principal: string
  /** Percent a year, with at most four decimals. */
  interest_rate: string
  /** Days from start to maturity. */
  tenor: number
  /** The day the deposit began; interest counts from it. */
  start_date: string
  /** The day the deposit is due; interest stops there. */
  maturity_date: string
  /** Interest of the whole term on the remaining principal. */
  expected_interest: string
  /** Interest earned by the remaining principal up to today. */
  accrued_interest: string
  /** Whether principal and interest open a successor at maturity; false if left out. */
  auto_rollover: boolean
  /** Version of the liquidation rules the deposit is pinned to. */
  rules_version: number
  /** When it was made. */
  created_at: string
  /** When it was changed last. */
  updated_at: string
  /** Time of the liquidation that broke the deposit whole, or null. */
  liquidated_at: string | null
  /** The deposit that succeeded this one, or null. */
  rolled_over_to: string | null
  /** Sum of the active liens: principal that cannot be withdrawn. */
  lien_amount: string
  /** The approval that an operation on this deposit waits for, or null. */
  pending_approval_id: string | null
  /** Who requested it, or null. */
  pending_approval_requested_by: Actor | null
  /** Your own identifier of it, stored as sent; unique among records of a kind. */
  external_id: string | null
  /** Your own names and values, stored as sent: at most 20 names of up to 40 characters, values of up to 200. */
  metadata: Metadata
  /** The product that the deposit was opened by, or null. */
  product_code: string | null
  /** The version of its product that a deposit keeps for life, or null. */
  product_version: number | null
  /** The number of the rate sheet in force at the start, or null. */
  rate_sheet: number | null
  /** The codes of its bonuses, or null without a product. */
  bonuses: readonly string[] | null
  /** Their points together, part of the interest rate, or null. */
  bonus: string | null
  /** Whether the caller's rules of that version count, or those of the product. */
  rules_source: RulesSource
  /** The tenor as it was agreed. A holiday may have moved the maturity beyond it. */
  agreed_tenor: AgreedTenor
  /** How interest is earned and paid. */
  interest_method: InterestMethod
  /** How often interest is compounded or paid, or null. */
  interest_every: InterestPeriod | null
  /** Whether a penal charge also takes back interest that was paid before. */
  recover_paid_interest: boolean
  /** Interest that was paid before maturity, on what remains. */
  interest_paid_out: string
  /** The day up to which interest was paid, where it is paid before maturity, or null. */
  interest_paid_to: string | null
  /** The day of the next payment, the maturity for the last one, or null. */
  next_interest_date: string | null
  /** What becomes of the deposit at maturity. ROLL_OVER_PRINCIPAL pays the interest to the account. */
  maturity_instruction: MaturityInstruction
  /** How often it has rolled over, with the deposits before it. */
  rollovers: number
}

export type DepositStatus = 'ACTIVE' | 'LIQUIDATED' | 'MATURED' | 'ROLLED_OVER'

export type Actor = {
  /** An API key, a person at the console, the operator at the command line, or a job of the service. */
  kind: ActorKind
  /** Identifier of the key or the person, or the name of the job. */
  id: string
  /** What the key or the person is called now, or null. */
  name: string | null
}

export type ActorKind = 'KEY' | 'PERSON' | 'OPERATOR' | 'JOB'

export type Metadata = { readonly [name: string]: string }

export type AgreedTenor = {
  /** Days or months. */
  unit: TenorUnit
  /** How many of them. */
  count: number
}

export type ReverseLiquidationRequest = {
  /** Why the liquidation is taken back, for the audit log. */
  reason: string
  /** A line for the audit log. Events and answers do not carry it. */
  note?: string
}

export type InterestPayment = {
  /** The first day that the interest is for. */
  from: string
  /** The boundary up to which it is paid; that day is not counted. */
  to: string
  /** What the interest was paid on. */
  principal: string
  /** Interest of the period. */
  interest: string
  /** Tax that was withheld of it. */
  tax: string
  /** What the account received. */
  net: string
  /** The day on which it was paid. */
  business_date: string
  /** The ledger entry, or null where the interest is 0.00. */
  entry_id: string | null
}

export type PutMaturityInstructionRequest = {
  /** What becomes of the deposit at maturity. ROLL_OVER_PRINCIPAL pays the interest to the account. */
  maturity_instruction: MaturityInstruction
}

export type Parties = {
  /** Identifier of the fixed deposit. */
  deposit_id: string
  /** Whether any one of them may sign, or all have to. It is recorded and printed, and changes no right. */
  mandate: Mandate
  /** Customers besides the holder, in the order in which they are printed. */
  parties: readonly Party[]
}

export type Mandate = 'ANY' | 'ALL'

export type Party = {
  /** Identifier of the customer. */
  customer_id: string
  /** Given name and family name. */
  name: string
  /** What the customer is to the deposit. */
  role: PartyRole
}

export type PartyRole = 'JOINT' | 'NOMINEE' | 'GUARDIAN'

export type PutPartiesRequest = {
  /** Whether any one of them may sign, or all have to. It is recorded and printed, and changes no right. */
  mandate: Mandate
  /** Customers besides the holder, in the order in which they are printed. */
  parties: readonly NewParty[]
}

export type NewParty = {
  /** Identifier of the customer. */
  customer_id: string
  /** What the customer is to the deposit. */
  role: PartyRole
}

export type Customer = {
  /** Identifier of the customer. */
  customer_id: string
  /** Given name. */
  first_name: string
  /** Family name. */
  last_name: string
  /** E-mail address, stored as sent. */
  email: string
  /** Telephone number: 7 to 15 digits, with single spaces, hyphens, dots or brackets between. */
  phone_number: string
  /** Residential or business address; may have several lines. */
  address: string
  /** When it was made. */
  created_at: string
  /** When it was changed last. */
  updated_at: string
  /** Your own identifier of it, stored as sent; unique among records of a kind. */
  external_id: string | null
  /** Your own names and values, stored as sent: at most 20 names of up to 40 characters, values of up to 200. */
  metadata: Metadata
}

export type UpdateCustomerRequest = {
  /** E-mail address, stored as sent. */
  email?: string
  /** Telephone number: 7 to 15 digits, with single spaces, hyphens, dots or brackets between. */
  phone_number?: string
  /** Residential or business address; may have several lines. */
  address?: string
}

export type CreateCustomerRequest = {
  /** Given name. */
  first_name: string
  /** Family name. */
  last_name: string
  /** E-mail address, stored as sent. */
  email: string
  /** Telephone number: 7 to 15 digits, with single spaces, hyphens, dots or brackets between. */
  phone_number: string
  /** Residential or business address; may have several lines. */
  address: string
  /** Your own identifier of it, stored as sent; unique among records of a kind. */
  external_id?: string
  /** Your own names and values, stored as sent: at most 20 names of up to 40 characters, values of up to 200. */
  metadata?: Metadata
}

export type Account = {
  /** The ten digits of the account. */
  account_number: string
  /** Identifier of the customer. */
  customer_id: string
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** What the account holds. */
  balance: string
  /** When it was made. */
  created_at: string
  /** Your own identifier of it, stored as sent; unique among records of a kind. */
  external_id: string | null
  /** Your own names and values, stored as sent: at most 20 names of up to 40 characters, values of up to 200. */
  metadata: Metadata
}

export type OpenAccountRequest = {
  /** Identifier of the customer. */
  customer_id: string
  /** ISO 4217 code of a currency with two minor digits, or none; the caller's own if left out. */
  currency?: string
  /** Your own identifier of it, stored as sent; unique among records of a kind. */
  external_id?: string
  /** Your own names and values, stored as sent: at most 20 names of up to 40 characters, values of up to 200. */
  metadata?: Metadata
}

export type LedgerEntry = {
  /** Identifier of the ledger entry. */
  entry_id: string
  /** What moved the money. */
  kind: LedgerEntryKind
  /** The ten digits of the account. */
  account_number: string | null
  /** Identifier of the fixed deposit. */
  deposit_id: string | null
  /** Identifier of the liquidation. */
  liquidation_id: string | null
  /** A line about the credit, for people. Events do not carry it. */
  narration: string | null
  /** When it was made. */
  created_at: string
  /** Who gave and who got; the amounts sum to 0.00. */
  lines: readonly LedgerLine[]
  /** Of a REVERSAL: the entry that it posts again with opposite signs; null for all others. */
  reverses: string | null
  /** The business date it counts on: an accrual is made after the day that it closes. */
  business_date: string | null
}

export type LedgerEntryKind =
  | 'ACCOUNT_CREDIT'
  | 'DEPOSIT_OPENING'
  | 'LIQUIDATION'
  | 'MATURITY'
  | 'REVERSAL'
  | 'WITHHOLDING_TAX'
  | 'INTEREST_PAYOUT'
  | 'INTEREST_RECOVERY'
  | 'TAX_RETURN'
  | 'IMPORT'
  | 'ACCRUAL'

export type LedgerLine = {
  /** An account number, a deposit, or one of the bank's own accounts, such as interest_expense. */
  account: string
  /** What this account got; a debit is negative. */
  amount: string
}

export type CreditAccountRequest = {
  /** The amount to add to the balance. */
  amount: Decimal
  /** A line about the credit, for people. Events do not carry it. */
  narration?: string
}

export type OpenFixedDepositRequest = {
  /** The ten digits of the account. */
  account_number: string
  /** Principal, taken from the account. */
  amount: Decimal
  /** Code of the product. */
  product_code?: string
  /** Days from start to maturity. */
  tenor?: number
  /** Months from start to maturity; instead of tenor. */
  tenor_months?: number
  /** Percent a year, agreed instead of the rate of the sheet, where the product allows it. */
  interest_rate?: Decimal
  /** Codes of the bonuses that the customer has. */
  bonuses?: readonly string[]
  /** Whether principal and interest open a successor at maturity; false if left out. */
  auto_rollover?: boolean
  /** What becomes of the deposit at maturity; that of the product, or PAY_OUT without one, if left out. */
  maturity_instruction?: MaturityInstruction
  /** Today or earlier; today if left out. An earlier day imports a deposit that began elsewhere. */
  start_date?: string
  /** The rate that the customer was shown: another one now is refused. */
  expected_interest_rate?: Decimal
  /** Your own identifier of it, stored as sent; unique among records of a kind. */
  external_id?: string
  /** Your own names and values, stored as sent: at most 20 names of up to 40 characters, values of up to 200. */
  metadata?: Metadata
}

export type Product = {
  /** Code of the product. */
  product_code: string
  /** Version of the product. */
  version: number
  /** What the bank calls it. */
  name: string
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** CLOSED: no deposit is opened by it, and those that would roll over are paid out. What was opened continues. */
  status: ProductStatus
  /** Least principal at the opening. */
  min_amount: string
  /** Greatest principal at the opening; null is none. */
  max_amount: string | null
  /** The tenors it is offered for: those from min to max that multiple divides. */
  tenor: OfferedTenor
  /** How interest is earned and when it is paid. */
  interest: ProductInterest
  /** What happens at the end of the term. */
  maturity: ProductMaturity
  /** The rates that may be agreed instead of the one of the sheet, in percent a year; null: none. */
  negotiated_rate: NegotiatedRate | null
  /** Percentage points by code, added to the rate of the sheet. */
  bonuses: Bonuses
  /** Rules of its own for breaking a deposit; null: the caller's, in force at the opening. */
  rules: RuleSet | null
  /** When it was made. */
  created_at: string
}

export type RuleSet = {
  /** How days become a share of a year. */
  day_count: DayCount
  /** How an exact amount becomes whole cents. */
  rounding: Rounding
  /** Whether a part of a deposit may be broken. */
  allow_partial: boolean
  /** Least amount of a PARTIAL. */
  min_partial_amount: string
  /** Least principal that a PARTIAL may leave. */
  min_remaining_principal: string
  /** Days from the start before which nothing can be broken. */
  min_holding_days: number
  /** Tried in order; the first whose conditions hold makes the charge. None holds: no charge. */
  penal_rules: readonly PenalRule[]
}

export type PenalRule = {
  /** Conditions that must all hold; an empty object always holds. */
  when: PenalConditions
  /** The terms of the charge, each rounded once. */
  terms: readonly (FixedTerm | PercentTerm | PeriodInterestTerm | RerateTerm)[]
  /** Whether the terms are added, or the greatest or smallest counts; SUM if left out. */
  combine: Combination
  /** Least charge; 0.00 if left out. */
  min: string
  /** Greatest charge; null is none. */
  max: string | null
}

export type PutProductRequest = {
  /** What the bank calls it. */
  name: string
  /** Its currency, which no later version can change. */
  currency: string
  /** CLOSED: no deposit is opened by it, and those that would roll over are paid out. What was opened continues. */
  status: ProductStatus
  /** Least principal at the opening. */
  min_amount: Decimal
  /** Greatest principal at the opening; null is none. */
  max_amount: Decimal | null
  /** The tenors it is offered for: those from min to max that multiple divides. */
  tenor: OfferedTenor
  /** How interest is earned and when it is paid. */
  interest: ProductInterest
  /** What happens at the end of the term. */
  maturity: ProductMaturity
  /** The rates that may be agreed instead of the one of the sheet, in percent a year; null: none. */
  negotiated_rate: NegotiatedRateInput | null
  /** Percentage points by code, added to the rate of the sheet. */
  bonuses: BonusesInput
  /** Rules of its own for breaking a deposit; null: the caller's, in force at the opening. */
  rules: ProductRules | null
}

export type RateSheet = {
  /** Code of the product. */
  product_code: string
  /** Number of the rate sheet. */
  number: number
  /** The first day on which it is in force. */
  effective_from: string
  /** Whether its rows count days or completed months, whatever the unit of the product. */
  tenor_unit: TenorUnit
  /** Where each row begins; the first is 0. */
  tenor_from: readonly number[]
  /** Where each column begins; the first is 0.00. */
  amount_from: readonly string[]
  /** A row of rates for each tenor, in percent a year; 0 is not offered. */
  rates: readonly (readonly string[])[]
  /** When it was made. */
  created_at: string
}

export type AddRateSheetRequest = {
  /** The first day on which it is in force. */
  effective_from: string
  /** Whether its rows count days or completed months, whatever the unit of the product. */
  tenor_unit: TenorUnit
  /** Where each row begins; the first is 0. */
  tenor_from: readonly number[]
  /** Where each column begins; the first is 0.00. */
  amount_from: readonly Decimal[]
  /** A row of rates for each tenor, in percent a year; 0 is not offered. */
  rates: readonly (readonly Decimal[])[]
}

export type ProductQuote = {
  /** Percent a year, with at most four decimals. */
  interest_rate: string
  /** Number of the rate sheet. */
  rate_sheet: number
  /** The day the deposit began; interest counts from it. */
  start_date: string
  /** The day the deposit is due; interest stops there. */
  maturity_date: string
  /** When which interest is paid: one period for AT_MATURITY and UPFRONT, none for COMPOUND. */
  schedule: readonly InterestPeriodOfQuote[]
  /** Interest of the whole term. */
  expected_interest: string
  /** Tax on each payment, in the class STANDARD and by the tax rules of today. */
  estimated_tax: string
  /** What the interest is worth in percent a year, compounded yearly; for comparison. */
  effective_annual_rate: string
  /** What breaking would pay on the days to come, in the class STANDARD and by the rules of today. */
  outlook?: Outlook
}

export type InterestPeriodOfQuote = {
  /** The first day of the period. */
  from: string
  /** The day after its last day, on which its interest is paid. */
  to: string
  /** Interest of the period. */
  interest: string
}

export type QuoteProductRequest = {
  /** Principal. */
  amount: Decimal
  /** Days from start to maturity. */
  tenor?: number
  /** Months from start to maturity; instead of tenor. */
  tenor_months?: number
  /** Percent a year, agreed instead of the rate of the sheet, where the product allows it. */
  interest_rate?: Decimal
  /** Codes of the bonuses that the customer has. */
  bonuses?: readonly string[]
  /** Today or earlier; today if left out. */
  start_date?: string
  /** Whether to answer an outlook too; false if left out. */
  outlook?: boolean
}

export type BusinessCalendar = {
  /** Version of the calendar; 0 before the first one. */
  version: number
  /** The days of every week on which the bank is closed. */
  weekend: readonly Weekday[]
  /** Other days on which it is closed, in ascending order. */
  holidays: readonly string[]
  /** When it was made. */
  created_at: string | null
}

export type Weekday = 'MON' | 'TUE' | 'WED' | 'THU' | 'FRI' | 'SAT' | 'SUN'

export type ReplaceCalendarRequest = {
  /** The days of every week on which the bank is closed. */
  weekend: readonly Weekday[]
  /** Other days on which it is closed, in ascending order. */
  holidays: readonly string[]
}

export type LiquidationRules = {
  /** Version of the rule set. */
  version: number
  /** How days become a share of a year. */
  day_count: DayCount
  /** How an exact amount becomes whole cents. */
  rounding: Rounding
  /** Whether a part of a deposit may be broken. */
  allow_partial: boolean
  /** Least amount of a PARTIAL. */
  min_partial_amount: string
  /** Least principal that a PARTIAL may leave. */
  min_remaining_principal: string
  /** Days from the start before which nothing can be broken. */
  min_holding_days: number
  /** Tried in order; the first whose conditions hold makes the charge. None holds: no charge. */
  penal_rules: readonly PenalRule[]
  /** When it was made. */
  created_at: string
}

export type ReplaceRulesRequest = {
  /** How days become a share of a year. */
  day_count: DayCount
  /** How an exact amount becomes whole cents. */
  rounding: Rounding
  /** Whether a part of a deposit may be broken. */
  allow_partial: boolean
  /** Least amount of a PARTIAL. */
  min_partial_amount: Decimal
  /** Least principal that a PARTIAL may leave. */
  min_remaining_principal: Decimal
  /** Days from the start before which nothing can be broken. */
  min_holding_days: number
  /** Tried in order; the first whose conditions hold makes the charge. None holds: no charge. */
  penal_rules: readonly NewPenalRule[]
}

export type Certificate = {
  /** Name of the bank. */
  bank: string
  /** Who owns the deposit. */
  holder: Holder
  /** The business date on which it was requested. */
  issued_on: string
  /** Identifier of the fixed deposit. */
  deposit_id: string
  /** The ten digits of the account. */
  account_number: string
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** State of the deposit. */
  status: DepositStatus
  /** Principal at the opening. */
  principal: string
  /** Principal that is still invested. */
  remaining_principal: string
  /** Percent a year, with at most four decimals. */
  interest_rate: string
  /** Days from start to maturity. */
  tenor: number
  /** The day the deposit began; interest counts from it. */
  start_date: string
  /** The day the deposit is due; interest stops there. */
  maturity_date: string
  /** Interest of the whole term on the remaining principal. */
  expected_interest: string
  /** What maturity pays, before tax: the remaining principal, and the interest that was not paid before. */
  maturity_value: string
  /** Whether principal and interest open a successor at maturity. */
  auto_rollover: boolean
  /** Sum of the active liens. */
  lien_amount: string
  /** The product, or null. */
  product_code: string | null
  /** Its name in the version of the deposit, or null. */
  product_name: string | null
  /** How interest is earned and paid. */
  interest_method: InterestMethod
  /** How often interest is compounded or paid, or null. */
  interest_every: InterestPeriod | null
  /** The tenor as it was agreed. A holiday may have moved the maturity beyond it. */
  agreed_tenor: AgreedTenor
  /** What becomes of the deposit at maturity. ROLL_OVER_PRINCIPAL pays the interest to the account. */
  maturity_instruction: MaturityInstruction
  /** Who else it belongs to. */
  parties: readonly Party[]
}

export type Statement = {
  /** Name of the bank. */
  bank: string
  /** Who owns the deposit. */
  holder: Holder
  /** The business date on which it was requested. */
  issued_on: string
  /** Identifier of the fixed deposit. */
  deposit_id: string
  /** The ten digits of the account. */
  account_number: string
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** The first business date of the statement. */
  from: string
  /** The last business date of the statement. */
  to: string
  /** Oldest first. The last line proves the sums: its amount is the sum of the amounts above, and with its remaining principal comes to the interest less charges and tax. */
  lines: readonly StatementLine[]
}

export type StatementLine = {
  /** Business date. */
  date: string
  /** What the line is about. */
  kind: StatementLineKind
  /** The line for people. */
  text: string
  /** What the account, or a successor, got; what it gave is negative. 0.00 where no money moved. */
  amount: string
  /** Principal that remained after it. */
  remaining_principal: string
  /** Its ledger entry; null where no money moved. */
  entry_id: string | null
}

export type StatementLineKind =
  | 'ACCOUNT_CREDIT'
  | 'DEPOSIT_OPENING'
  | 'LIQUIDATION'
  | 'MATURITY'
  | 'REVERSAL'
  | 'WITHHOLDING_TAX'
  | 'INTEREST_PAYOUT'
  | 'INTEREST_RECOVERY'
  | 'TAX_RETURN'
  | 'IMPORT'
  | 'ACCRUAL'
  | 'BROUGHT_FORWARD'
  | 'WAIVER'
  | 'LIEN_PLACED'
  | 'LIEN_RELEASED'
  | 'SUMS'

export type InterestCertificate = {
  /** Name of the bank. */
  bank: string
  /** Who owns the deposit. */
  holder: Holder
  /** The business date on which it was requested. */
  issued_on: string
  /** The first business date. */
  from: string
  /** The last business date. */
  to: string
  /** Deposits with interest or tax in this time, by their first movement in it. */
  deposits: readonly InterestOfDeposit[]
  /** The sums of each currency. net_interest is the movement of the bank's own accounts in the ledger. */
  totals: readonly InterestOfCurrency[]
}

export type InterestOfDeposit = {
  /** Identifier of the fixed deposit. */
  deposit_id: string
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** Interest paid, before charges and tax. */
  gross_interest: string
  /** Penal charges deducted from it. */
  charges: string
  /** Interest paid before that went back: what was unearned, and charges taken from it. */
  interest_taken_back: string
  /** Tax withheld. */
  tax_withheld: string
  /** Tax returned on interest taken back. */
  tax_returned: string
  /** gross_interest − charges − interest_taken_back − tax_withheld + tax_returned. */
  net_interest: string
  /** The ledger entries that it was summed from. */
  entry_ids: readonly string[]
}

export type InterestOfCurrency = {
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** Interest paid, before charges and tax. */
  gross_interest: string
  /** Penal charges deducted from it. */
  charges: string
  /** Interest paid before that went back: what was unearned, and charges taken from it. */
  interest_taken_back: string
  /** Tax withheld. */
  tax_withheld: string
  /** Tax returned on interest taken back. */
  tax_returned: string
  /** gross_interest − charges − interest_taken_back − tax_withheld + tax_returned. */
  net_interest: string
}

export type TaxRules = {
  /** Version of the tax rules. */
  version: number
  /** The first business date on which the version counts. */
  effective_from: string
  /** What is taxed: NET is the interest less the penal charge deducted from it, GROSS the interest. */
  base: TaxBase
  /** What becomes of tax on interest that is taken back later: KEEP leaves it to the customer, RETURN gives it back. */
  on_recovery: TaxOnRecovery
  /** How an exact amount becomes whole cents. */
  rounding: Rounding
  /** Percent of each tax class. Customers without a class, or with an unknown one, are STANDARD. */
  classes: TaxClasses
  /** When it was made. */
  created_at: string
}

export type TaxOnRecovery = 'KEEP' | 'RETURN'

export type TaxClasses = {
  /** Percent for customers without another class. */
  STANDARD: string
  readonly [name: string]: string
}

export type TaxClassesInput = {
  /** Percent for customers without another class. */
  STANDARD: Decimal
  readonly [name: string]: Decimal
}

export type ReplaceTaxRulesRequest = {
  /** The first business date on which the version counts. */
  effective_from: string
  /** What is taxed: NET is the interest less the penal charge deducted from it, GROSS the interest. */
  base: TaxBase
  /** What becomes of tax on interest that is taken back later: KEEP leaves it to the customer, RETURN gives it back. */
  on_recovery: TaxOnRecovery
  /** How an exact amount becomes whole cents. */
  rounding: Rounding
  /** Percent of each tax class. Customers without a class, or with an unknown one, are STANDARD. */
  classes: TaxClassesInput
}

export type TaxStatus = {
  /** Identifier of the customer. */
  customer_id: string
  /** A class of the tax rules. */
  tax_class: string
  /** Your own reference, such as the number of an exemption certificate. */
  reference: string | null
  /** The last business date of the class; after it STANDARD counts again. null: no end. */
  valid_until: string | null
}

export type PutTaxStatusRequest = {
  /** A class of the tax rules. */
  tax_class: string
  /** Your own reference, such as the number of an exemption certificate. */
  reference?: string | null
  /** The last business date of the class; after it STANDARD counts again. null: no end. */
  valid_until?: string | null
}

export type Lien = {
  /** Identifier of the lien. */
  lien_id: string
  /** Identifier of the fixed deposit. */
  deposit_id: string
  /** Principal that the lien holds. */
  amount: string
  /** Why the principal is held. */
  reason: string
  /** Your own reference, stored as sent. */
  reference: string | null
  /** ACTIVE until it is released. */
  status: LienStatus
  /** When it was made. */
  created_at: string
  /** Time of the release. */
  released_at: string | null
  /** Why the lien was released. */
  release_reason: string | null
}

export type LienStatus = 'ACTIVE' | 'RELEASED'

export type PlaceLienRequest = {
  /** Principal to hold; at most what remains and is not held yet. */
  amount: Decimal
  /** Why the principal is held. */
  reason: string
  /** Your own reference, stored as sent. */
  reference?: string
  /** A line for the audit log. Events and answers do not carry it. */
  note?: string
}

export type ReleaseLienRequest = {
  /** Why the lien is released. */
  reason: string
}

export type Approval = {
  /** Identifier of the approval. */
  approval_id: string
  /** The operation that waits. */
  operation: ApprovableOperation
  /** What the operation is about; null where nothing. */
  target_id: string | null
  /** The body of the operation. */
  body: JsonObject
  /** A line for the approvers. Events do not contain it. */
  note: string | null
  /** PENDING until it is decided, cancelled or expired; then it stays as it is. */
  status: ApprovalStatus
  /** The expected result of the operation, or the impact of rules, a product or a policy: now, for a pending one; otherwise when it was requested, or {} where the bank no longer keeps it. */
  preview: JsonObject
  /** How many have to approve: by the policy and figures of now, and never fewer than when it was requested. */
  approvals_needed: number
  /** Who approved so far; while it is pending, those whose votes count by the policy of now. */
  votes: readonly ApprovalVoteCast[]
  /** Who did it. */
  requested_by: Actor
  /** When it was requested. */
  requested_at: string
  /** When it expires, unless it is decided before. */
  expires_at: string
  /** When it was decided. */
  decided_at: string | null
  /** What the operation answered. */
  result: JsonObject | null
  /** Why it was rejected. */
  decision_reason: string | null
}

export type JsonObject = { readonly [name: string]: unknown }

export type ApprovalStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'CANCELLED' | 'EXPIRED'

export type ApprovalVoteCast = {
  /** Who did it. */
  actor: Actor
  /** When. */
  at: string
}

export type RequestApprovalRequest = {
  /** The operationId of the operation that is to wait. One request at a time may wait for an operation and target, but any number of openFixedDeposit, because each is about a new deposit. */
  operation: ApprovableOperation
  /** What its path names; left out where its path names nothing. */
  target_id?: string | null
  /** The body of the operation, as in the direct call. */
  body: JsonObject
  /** A line for the approvers. Events do not contain it. */
  note?: string | null
}

export type ApproveApprovalRequest = {
  /** For a liquidation: what the approver agrees to; another figure is refused. */
  expected_net_credited?: Decimal | null
}

export type RejectApprovalRequest = {
  /** Why the request is rejected. */
  reason: string
}

export type ApprovalPolicy = {
  /** Version of the approval policy. */
  version: number
  /** Hours until a request that nobody decides expires. */
  expires_after_hours: number
  /** PERSON: only people decide; ANY: API keys too. */
  deciders: Deciders
  /** What has to wait; the most that any matching rule asks for is needed. */
  rules: readonly ApprovalRule[]
  /** When it was made. */
  created_at: string
}

export type ReplaceApprovalPolicyRequest = {
  /** Hours until a request that nobody decides expires. */
  expires_after_hours: number
  /** PERSON: only people decide; ANY: API keys too. PERSON if left out. */
  deciders?: Deciders
  /** What has to wait; the most that any matching rule asks for is needed. */
  rules: readonly ApprovalRuleInput[]
}

export type Batch = {
  /** Identifier of the batch. */
  batch_id: string
  /** The operationId of the operation that every line is. */
  operation: BatchOperation
  /** A name of yours, for people. */
  name: string | null
  /** UPLOADING until it is started, RUNNING until every line was tried, then DONE; or CANCELLED. */
  status: BatchStatus
  /** Parts sent so far. */
  parts: number
  /** Lines in all parts. */
  lines: number
  /** Sum of the amounts of the lines that can be read. */
  total_amount: string
  /** Lines that were carried out. */
  succeeded: number
  /** Lines that had been carried out before. */
  duplicates: number
  /** Lines that were refused. */
  failed: number
  /** Lines that a cancellation left out. */
  skipped: number
  /** Who started it, and made its changes. */
  started_by: Actor | null
  /** When it was made. */
  created_at: string
  /** When it was done or cancelled. */
  finished_at: string | null
}

export type BatchOperation =
  | 'createCustomer'
  | 'openAccount'
  | 'creditAccount'
  | 'openFixedDeposit'
  | 'liquidateFixedDeposit'
  | 'placeLien'
  | 'releaseLien'
  | 'importAccount'
  | 'importFixedDeposit'

export type BatchStatus = 'UPLOADING' | 'RUNNING' | 'DONE' | 'CANCELLED'

export type CreateBatchRequest = {
  /** The operationId of the operation that every line is. */
  operation: BatchOperation
  /** A name of yours, for people. */
  name?: string | null
  /** What the file contains; the batch does not start with anything else. */
  expected?: ControlTotals | null
}

export type ControlTotals = {
  /** How many lines. */
  lines: number
  /** The sum of their amounts; lines without one count 0. */
  total_amount: Decimal
}

export type StartBatchRequest = { readonly [name: string]: unknown }

export type BatchResult = {
  /** Its place in the batch, from 1 over all parts. */
  line: number
  /** Its name; null where it cannot be read. */
  external_id: string | null
  /** SUCCEEDED; DUPLICATE: it had been carried out before, with this answer; FAILED: refused; SKIPPED. */
  outcome: LineOutcome
  /** What it made or changed. */
  id: string | null
  /** What the operation answered. */
  data: JsonObject | null
  /** Code, fields and details of a refusal: a code of the operation, or of an import account_number_taken, interest_paid_to_invalid or maturity_date_invalid. */
  error: JsonObject | null
}

export type LineOutcome = 'SUCCEEDED' | 'DUPLICATE' | 'FAILED' | 'SKIPPED'

export type LiquidationReport = {
  /** The first business date. */
  from: string
  /** The last business date. */
  to: string
  /** What the figures are summed by. */
  group_by: ReportGroup
  /** One for each group and currency in which there was something. */
  groups: readonly LiquidationGroup[]
}

export type ReportGroup = 'day' | 'product' | 'waiver_reason'

export type LiquidationGroup = {
  /** The business date, where figures are summed by day. */
  day: string | null
  /** The code of the product, where figures are summed by it; null: without product. */
  product: string | null
  /** The reason of the waiver, where figures are summed by it; null: without waiver. */
  waiver_reason: string | null
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** Liquidations of type FULL. */
  full: number
  /** Liquidations of type PARTIAL. */
  partial: number
  /** Principal returned. */
  principal: string
  /** Interest paid. */
  interest: string
  /** Charges that the rules gave. */
  assessed: string
  /** What was waived of them. */
  waived: string
  /** What was charged. */
  charge: string
  /** Interest paid before that went back: what was unearned, and charges taken from it. */
  recovered: string
  /** Tax withheld, less tax returned. */
  tax: string
  /** What the accounts received. */
  net: string
  /** Net amounts of liquidations that were taken back, on the date of the reversal. */
  reversed: string
}

export type TaxReport = {
  /** The first business date. */
  from: string
  /** The last business date. */
  to: string
  /** One for each customer, class and currency. */
  groups: readonly TaxGroup[]
}

export type TaxGroup = {
  /** Identifier of the customer. */
  customer_id: string
  /** The customer's number at the tax office, as it is now, or null. */
  tax_reference: string | null
  /** The class that counted when the interest was paid. */
  tax_class: string
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** Interest paid, less what was taken back. */
  interest: string
  /** Penal charges deducted from it. */
  charge: string
  /** Tax withheld, less what was given back. */
  tax: string
}

export type CashFlow = {
  /** The first business date. */
  from: string
  /** The last business date. */
  to: string
  /** One for each day, instruction and currency on which something falls due, in order; if nothing is broken until then. */
  days: readonly DueMoney[]
}

export type DueMoney = {
  /** The business date on which it falls due. */
  date: string
  /** What becomes of it; null: interest that is paid before maturity. */
  maturity_instruction: MaturityInstruction | null
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** How many deposits. */
  deposits: number
  /** Remaining principal that matures. */
  principal: string
  /** Interest that is paid or rolled over, before tax. */
  interest: string
}

export type Accrual = {
  /** Identifier of the fixed deposit. */
  deposit_id: string
  /** The product that the deposit was opened by, or null. */
  product_code: string | null
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** Interest that was earned and not paid. */
  interest_payable: string
  /** Interest that was paid and not earned. */
  prepaid_interest: string
}

export type KeptLiquidation = {
  /** Identifier of the fixed deposit. */
  deposit_id: string
  /** State of the deposit after the operation: LIQUIDATED after FULL, ACTIVE after PARTIAL. */
  status: StatusAfterLiquidation
  /** Principal paid back. */
  principal_returned: string
  /** Interest earned by that principal, before the charge. */
  interest_paid: string
  /** Charge deducted for early liquidation; never more than the interest. */
  penal_charge: string
  /** Paid to the account: principal_returned plus interest_paid minus penal_charge. */
  total_credited: string
  /** Number of the account that received the money. */
  credited_account: string
  /** Time of the liquidation. */
  liquidated_at: string
  /** Identifier of the liquidation. */
  liquidation_id: string
  /** FULL breaks the whole deposit, PARTIAL a part of it. */
  liquidation_type: LiquidationType
  /** Principal that is still invested. */
  remaining_principal: string
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** Charge that the rules gave, before a waiver. */
  penal_assessed: string
  /** What was waived of that charge. */
  penal_waived: string
  /** What was waived and why, or null. */
  waiver: Waiver | null
  /** What else happened to the money, each with a ledger entry of its own; none of 0.00 is listed. */
  adjustments: readonly Adjustment[]
  /** What the account received in the end: total_credited plus all adjustments. */
  net_credited: string
  /** Your own reference, stored as sent. */
  reference: string | null
  /** Your own code for why, such as CUSTOMER_REQUEST. */
  reason: string | null
  /** The business date on which it was made. */
  business_date: string
  /** When the liquidation was taken back, or null. */
  reversed_at: string | null
}

export type ExportedLedgerEntry = {
  /** Identifier of the ledger entry. */
  entry_id: string
  /** What moved the money. */
  kind: LedgerEntryKind
  /** The ten digits of the account. */
  account_number: string | null
  /** Identifier of the fixed deposit. */
  deposit_id: string | null
  /** Identifier of the liquidation. */
  liquidation_id: string | null
  /** A line about the credit, for people. Events do not carry it. */
  narration: string | null
  /** When it was made. */
  created_at: string
  /** Who gave and who got; the amounts sum to 0.00. */
  lines: readonly ExportedLedgerLine[]
  /** Of a REVERSAL: the entry that it posts again with opposite signs; null for all others. */
  reverses: string | null
  /** The business date it counts on: an accrual is made after the day that it closes. */
  business_date: string | null
}

export type ExportedLedgerLine = {
  /** An account number, a deposit, or one of the bank's own accounts, such as interest_expense. */
  account: string
  /** What this account got; a debit is negative. */
  amount: string
  /** Its code in the bank's general ledger, or null. */
  gl_code: string | null
}

export type TaxedMovement = {
  /** The entry that paid the interest, or took it back. */
  entry_id: string
  /** When the interest was paid, or taken back. */
  business_date: string
  /** Identifier of the customer. */
  customer_id: string
  /** The customer's number at the tax office, as it is now, or null. */
  tax_reference: string | null
  /** Identifier of the fixed deposit. */
  deposit_id: string
  /** Its liquidation; null for payments of interest and at maturity. */
  liquidation_id: string | null
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** Interest paid; negative where it was taken back. */
  interest: string
  /** Penal charge deducted from it. */
  charge: string
  /** The class that counted when the interest was paid. */
  tax_class: string
  /** Percent that was withheld. */
  tax_rate: string
  /** Version of the tax rules. */
  tax_rules_version: number
  /** Tax withheld; negative where it was given back. */
  tax: string
}

export type ExportedInterestPayment = {
  /** Identifier of the fixed deposit. */
  deposit_id: string
  /** The product of the deposit, or null. */
  product_code: string | null
  /** The account that was paid. */
  credited_account: string
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** The first day that the interest is for. */
  from: string
  /** The boundary up to which it is paid; that day is not counted. */
  to: string
  /** What the interest was paid on. */
  principal: string
  /** Interest of the period. */
  interest: string
  /** Tax that was withheld of it. */
  tax: string
  /** What the account received. */
  net: string
  /** The day on which it was paid. */
  business_date: string
  /** The ledger entry, or null where the interest is 0.00. */
  entry_id: string | null
}

export type Accounting = {
  /** Version of the document; 0 before the first one. */
  version: number
  /** Whether interest is accrued, at the close of every day or of the last day of each month. */
  accruals: AccrualMode
  /** Codes of the bank's general ledger by account: its own accounts, and accounts and deposits for those of customers. */
  gl_codes: GlCodes
  /** When it was made. */
  created_at: string | null
}

export type AccrualMode = 'OFF' | 'DAILY' | 'MONTHLY'

export type GlCodes = {
  /** Code of cash. */
  cash?: string
  /** Code of interest_expense. */
  interest_expense?: string
  /** Code of penal_income. */
  penal_income?: string
  /** Code of penal_waived. */
  penal_waived?: string
  /** Code of tax_payable. */
  tax_payable?: string
  /** Code of rollover_clearing. */
  rollover_clearing?: string
  /** Code of migration_suspense. */
  migration_suspense?: string
  /** Code of interest_payable. */
  interest_payable?: string
  /** Code of prepaid_interest. */
  prepaid_interest?: string
  /** Code of accounts. */
  accounts?: string
  /** Code of deposits. */
  deposits?: string
}

export type ReplaceAccountingRequest = {
  /** Whether interest is accrued, at the close of every day or of the last day of each month. */
  accruals: AccrualMode
  /** Codes of the bank's general ledger by account: its own accounts, and accounts and deposits for those of customers. */
  gl_codes: GlCodes
}

export type Event =
  | CustomerCreatedEvent
  | CustomerUpdatedEvent
  | AccountCreditedEvent
  | FixedDepositCreatedEvent
  | FixedDepositInterestPaidEvent
  | FixedDepositLiquidatedEvent
  | FixedDepositPartiallyLiquidatedEvent
  | FixedDepositLiquidationReversedEvent
  | FixedDepositMaturedEvent
  | FixedDepositRolledOverEvent
  | FixedDepositMaturityInstructionChangedEvent
  | FixedDepositPartiesChangedEvent
  | BatchCompletedEvent
  | FixedDepositLienPlacedEvent
  | FixedDepositLienReleasedEvent
  | ProductUpdatedEvent
  | RateSheetAddedEvent
  | CalendarUpdatedEvent
  | AccountingUpdatedEvent
  | AccrualPostedEvent
  | LiquidationRulesUpdatedEvent
  | CustomerTaxStatusChangedEvent
  | TaxRulesUpdatedEvent
  | ApprovalPolicyUpdatedEvent
  | ApprovalRequestedEvent
  | ApprovalVotedEvent
  | ApprovalApprovedEvent
  | ApprovalRejectedEvent
  | ApprovalCancelledEvent
  | ApprovalExpiredEvent
  | PersonInvitedEvent
  | PersonRoleChangedEvent
  | PersonResetEvent
  | PersonDisabledEvent
  | PersonEnabledEvent
  | PersonConfirmedEvent
  | PersonFactorsRemovedEvent
  | PersonBreakGlassUsedEvent
  | BookSealedEvent

export type CustomerCreatedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'customer.created'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: CreatedCustomer
  /** Who did it. */
  actor: Actor
}

export type Mode = 'test' | 'live'

export type CreatedCustomer = {
  /** Identifier of the customer. */
  customer_id: string
  /** Your own identifier of it, stored as sent; unique among records of a kind. */
  external_id: string | null
}

export type CustomerUpdatedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'customer.updated'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: UpdatedCustomer
  /** Who did it. */
  actor: Actor
}

export type UpdatedCustomer = {
  /** Identifier of the customer. */
  customer_id: string
  /** Names of the fields that changed, without their values. */
  changed_fields: readonly ('email' | 'phone_number' | 'address')[]
}

export type AccountCreditedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'account.credited'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: AccountCredit
  /** Who did it. */
  actor: Actor
}

export type AccountCredit = {
  /** Identifier of the ledger entry. */
  entry_id: string
  /** What moved the money. */
  kind: LedgerEntryKind
  /** The ten digits of the account. */
  account_number: string | null
  /** Identifier of the fixed deposit. */
  deposit_id: string | null
  /** Identifier of the liquidation. */
  liquidation_id: string | null
  /** When it was made. */
  created_at: string
  /** Who gave and who got; the amounts sum to 0.00. */
  lines: readonly LedgerLine[]
}

export type FixedDepositCreatedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'fixed_deposit.created'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: FixedDeposit
  /** Who did it. */
  actor: Actor
}

export type FixedDepositInterestPaidEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'fixed_deposit.interest_paid'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: InterestPaid
  /** Who did it. */
  actor: Actor
}

export type InterestPaid = {
  /** Identifier of the fixed deposit. */
  deposit_id: string
  /** The first day that the interest is for. */
  from: string
  /** The boundary up to which it is paid; that day is not counted. */
  to: string
  /** Interest of the period. */
  interest: string
  /** Tax that was withheld of it. */
  tax: string
  /** What the account received. */
  net: string
  /** The account that was paid. */
  credited_account: string
}

export type FixedDepositLiquidatedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'fixed_deposit.liquidated'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: Liquidation
  /** Who did it. */
  actor: Actor
}

export type FixedDepositPartiallyLiquidatedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'fixed_deposit.partially_liquidated'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: Liquidation
  /** Who did it. */
  actor: Actor
}

export type FixedDepositLiquidationReversedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'fixed_deposit.liquidation_reversed'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: LiquidationReversal
  /** Who did it. */
  actor: Actor
}

export type FixedDepositMaturedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'fixed_deposit.matured'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: MaturedDeposit
  /** Who did it. */
  actor: Actor
}

export type MaturedDeposit = {
  /** Identifier of the fixed deposit. */
  deposit_id: string
  /** Identifier of the customer. */
  customer_id: string
  /** The ten digits of the account. */
  account_number: string
  /** ACTIVE until it is broken whole, paid out at maturity or rolled over. */
  status: DepositStatus
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** Principal at the opening. */
  principal: string
  /** Principal that is still invested. */
  remaining_principal: string
  /** Percent a year, with at most four decimals. */
  interest_rate: string
  /** Days from start to maturity. */
  tenor: number
  /** The day the deposit began; interest counts from it. */
  start_date: string
  /** The day the deposit is due; interest stops there. */
  maturity_date: string
  /** Interest of the whole term on the remaining principal. */
  expected_interest: string
  /** Interest earned by the remaining principal up to today. */
  accrued_interest: string
  /** Whether principal and interest open a successor at maturity; false if left out. */
  auto_rollover: boolean
  /** Version of the liquidation rules the deposit is pinned to. */
  rules_version: number
  /** When it was made. */
  created_at: string
  /** When it was changed last. */
  updated_at: string
  /** Time of the liquidation that broke the deposit whole, or null. */
  liquidated_at: string | null
  /** The deposit that succeeded this one, or null. */
  rolled_over_to: string | null
  /** Sum of the active liens: principal that cannot be withdrawn. */
  lien_amount: string
  /** The approval that an operation on this deposit waits for, or null. */
  pending_approval_id: string | null
  /** Who requested it, or null. */
  pending_approval_requested_by: Actor | null
  /** Your own identifier of it, stored as sent; unique among records of a kind. */
  external_id: string | null
  /** Your own names and values, stored as sent: at most 20 names of up to 40 characters, values of up to 200. */
  metadata: Metadata
  /** The product that the deposit was opened by, or null. */
  product_code: string | null
  /** The version of its product that a deposit keeps for life, or null. */
  product_version: number | null
  /** The number of the rate sheet in force at the start, or null. */
  rate_sheet: number | null
  /** The codes of its bonuses, or null without a product. */
  bonuses: readonly string[] | null
  /** Their points together, part of the interest rate, or null. */
  bonus: string | null
  /** Whether the caller's rules of that version count, or those of the product. */
  rules_source: RulesSource
  /** The tenor as it was agreed. A holiday may have moved the maturity beyond it. */
  agreed_tenor: AgreedTenor
  /** How interest is earned and paid. */
  interest_method: InterestMethod
  /** How often interest is compounded or paid, or null. */
  interest_every: InterestPeriod | null
  /** Whether a penal charge also takes back interest that was paid before. */
  recover_paid_interest: boolean
  /** Interest that was paid before maturity, on what remains. */
  interest_paid_out: string
  /** The day up to which interest was paid, where it is paid before maturity, or null. */
  interest_paid_to: string | null
  /** The day of the next payment, the maturity for the last one, or null. */
  next_interest_date: string | null
  /** What becomes of the deposit at maturity. ROLL_OVER_PRINCIPAL pays the interest to the account. */
  maturity_instruction: MaturityInstruction
  /** How often it has rolled over, with the deposits before it. */
  rollovers: number
  /** Principal paid back. */
  principal_returned: string
  /** Interest earned by that principal, before the charge. */
  interest_paid: string
  /** Charge deducted for early liquidation; never more than the interest. */
  penal_charge: string
  /** Paid to the account: principal_returned plus interest_paid minus penal_charge. */
  total_credited: string
  /** Number of the account that received the money. */
  credited_account: string
  /** Tax that was withheld of the interest. */
  tax_withheld: string
  /** What the account received: total_credited less the tax. */
  net_credited: string
  /** Why a product did not renew the deposit, so that it was paid out instead, or null. */
  rollover_refused: string | null
}

export type FixedDepositRolledOverEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'fixed_deposit.rolled_over'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: RolledOverDeposit
  /** Who did it. */
  actor: Actor
}

export type RolledOverDeposit = {
  /** Identifier of the fixed deposit. */
  deposit_id: string
  /** Identifier of the customer. */
  customer_id: string
  /** The ten digits of the account. */
  account_number: string
  /** ACTIVE until it is broken whole, paid out at maturity or rolled over. */
  status: DepositStatus
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** Principal at the opening. */
  principal: string
  /** Principal that is still invested. */
  remaining_principal: string
  /** Percent a year, with at most four decimals. */
  interest_rate: string
  /** Days from start to maturity. */
  tenor: number
  /** The day the deposit began; interest counts from it. */
  start_date: string
  /** The day the deposit is due; interest stops there. */
  maturity_date: string
  /** Interest of the whole term on the remaining principal. */
  expected_interest: string
  /** Interest earned by the remaining principal up to today. */
  accrued_interest: string
  /** Whether principal and interest open a successor at maturity; false if left out. */
  auto_rollover: boolean
  /** Version of the liquidation rules the deposit is pinned to. */
  rules_version: number
  /** When it was made. */
  created_at: string
  /** When it was changed last. */
  updated_at: string
  /** Time of the liquidation that broke the deposit whole, or null. */
  liquidated_at: string | null
  /** The deposit that succeeded this one, or null. */
  rolled_over_to: string | null
  /** Sum of the active liens: principal that cannot be withdrawn. */
  lien_amount: string
  /** The approval that an operation on this deposit waits for, or null. */
  pending_approval_id: string | null
  /** Who requested it, or null. */
  pending_approval_requested_by: Actor | null
  /** Your own identifier of it, stored as sent; unique among records of a kind. */
  external_id: string | null
  /** Your own names and values, stored as sent: at most 20 names of up to 40 characters, values of up to 200. */
  metadata: Metadata
  /** The product that the deposit was opened by, or null. */
  product_code: string | null
  /** The version of its product that a deposit keeps for life, or null. */
  product_version: number | null
  /** The number of the rate sheet in force at the start, or null. */
  rate_sheet: number | null
  /** The codes of its bonuses, or null without a product. */
  bonuses: readonly string[] | null
  /** Their points together, part of the interest rate, or null. */
  bonus: string | null
  /** Whether the caller's rules of that version count, or those of the product. */
  rules_source: RulesSource
  /** The tenor as it was agreed. A holiday may have moved the maturity beyond it. */
  agreed_tenor: AgreedTenor
  /** How interest is earned and paid. */
  interest_method: InterestMethod
  /** How often interest is compounded or paid, or null. */
  interest_every: InterestPeriod | null
  /** Whether a penal charge also takes back interest that was paid before. */
  recover_paid_interest: boolean
  /** Interest that was paid before maturity, on what remains. */
  interest_paid_out: string
  /** The day up to which interest was paid, where it is paid before maturity, or null. */
  interest_paid_to: string | null
  /** The day of the next payment, the maturity for the last one, or null. */
  next_interest_date: string | null
  /** What becomes of the deposit at maturity. ROLL_OVER_PRINCIPAL pays the interest to the account. */
  maturity_instruction: MaturityInstruction
  /** How often it has rolled over, with the deposits before it. */
  rollovers: number
  /** Principal that went into the successor. */
  principal_rolled_over: string
  /** Interest that went into the successor, before tax. */
  interest_rolled_over: string
  /** The deposit that was opened, as it was at its opening. */
  successor: FixedDeposit
  /** Tax that was withheld of the interest. */
  tax_withheld: string
  /** Interest that went to the account, before tax. */
  interest_paid: string
  /** The account of the deposit. */
  credited_account: string
  /** What the account received: 0.00 where everything rolled over. */
  net_credited: string
}

export type FixedDepositMaturityInstructionChangedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'fixed_deposit.maturity_instruction_changed'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: FixedDeposit
  /** Who did it. */
  actor: Actor
}

export type FixedDepositPartiesChangedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'fixed_deposit.parties_changed'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: ChangedParties
  /** Who did it. */
  actor: Actor
}

export type ChangedParties = {
  /** Identifier of the fixed deposit. */
  deposit_id: string
  /** Whether any one of them may sign, or all have to. It is recorded and printed, and changes no right. */
  mandate: Mandate
  /** Customers besides the holder, in the order in which they are printed. */
  parties: readonly UnnamedParty[]
}

export type UnnamedParty = {
  /** Identifier of the customer. */
  customer_id: string
  /** What the customer is to the deposit. */
  role: PartyRole
}

export type BatchCompletedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'batch.completed'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: Batch
  /** Who did it. */
  actor: Actor
}

export type FixedDepositLienPlacedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'fixed_deposit.lien_placed'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: Lien
  /** Who did it. */
  actor: Actor
}

export type FixedDepositLienReleasedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'fixed_deposit.lien_released'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: Lien
  /** Who did it. */
  actor: Actor
}

export type ProductUpdatedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'product.updated'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: Product
  /** Who did it. */
  actor: Actor
}

export type RateSheetAddedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'rate_sheet.added'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: RateSheet
  /** Who did it. */
  actor: Actor
}

export type CalendarUpdatedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'calendar.updated'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: BusinessCalendar
  /** Who did it. */
  actor: Actor
}

export type AccountingUpdatedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'accounting.updated'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: Accounting
  /** Who did it. */
  actor: Actor
}

export type AccrualPostedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'accrual.posted'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: AccrualPosted
  /** Who did it. */
  actor: Actor
}

export type AccrualPosted = {
  /** The business date that was closed. */
  date: string
  /** ISO 4217 code of a currency with two minor digits, or none. */
  currency: string
  /** Interest that was earned and not paid. What the account then holds. */
  interest_payable: string
  /** Interest that was paid and not earned. What the account then holds. */
  prepaid_interest: string
  /** Identifier of the ledger entry. */
  entry_id: string | null
}

export type LiquidationRulesUpdatedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'liquidation_rules.updated'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: LiquidationRules
  /** Who did it. */
  actor: Actor
}

export type CustomerTaxStatusChangedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'customer.tax_status_changed'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: ChangedTaxStatus
  /** Who did it. */
  actor: Actor
}

export type ChangedTaxStatus = {
  /** Identifier of the customer. */
  customer_id: string
  /** A class of the tax rules. */
  tax_class: string
  /** The last business date of the class; after it STANDARD counts again. null: no end. */
  valid_until: string | null
}

export type TaxRulesUpdatedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'tax_rules.updated'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: TaxRules
  /** Who did it. */
  actor: Actor
}

export type ApprovalPolicyUpdatedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'approval_policy.updated'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: ApprovalPolicy
  /** Who did it. */
  actor: Actor
}

export type ApprovalRequestedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'approval.requested'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: ApprovalEventData
  /** Who did it. */
  actor: Actor
}

export type ApprovalEventData = {
  /** Identifier of the approval. */
  approval_id: string
  /** The operation. */
  operation: ApprovableOperation
  /** What it is about. */
  target_id: string | null
  /** What became of it. */
  status: ApprovalStatus
  /** How many have to approve. */
  approvals_needed: number
  /** How many approved whose votes count. */
  votes: number
}

export type ApprovalVotedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'approval.voted'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: ApprovalEventData
  /** Who did it. */
  actor: Actor
}

export type ApprovalApprovedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'approval.approved'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: ApprovalEventData
  /** Who did it. */
  actor: Actor
}

export type ApprovalRejectedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'approval.rejected'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: ApprovalEventData
  /** Who did it. */
  actor: Actor
}

export type ApprovalCancelledEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'approval.cancelled'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: ApprovalEventData
  /** Who did it. */
  actor: Actor
}

export type ApprovalExpiredEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'approval.expired'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: ApprovalEventData
  /** Who did it. */
  actor: Actor
}

export type PersonInvitedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'person.invited'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: PersonEvent
  /** Who did it. */
  actor: Actor
}

export type PersonEvent = {
  /** Identifier of the person. */
  person_id: string
  /** What the person may do. */
  role: Role
  /** The books that the person works in. */
  modes: readonly Mode[]
  /** INVITED until a password is set, DISABLED when the person may no longer sign in. */
  status: PersonStatus
}

export type Role = 'VIEWER' | 'CLERK' | 'SUPERVISOR' | 'ADMINISTRATOR'

export type PersonStatus = 'INVITED' | 'ACTIVE' | 'DISABLED'

export type PersonRoleChangedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'person.role_changed'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: PersonEvent
  /** Who did it. */
  actor: Actor
}

export type PersonResetEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'person.reset'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: PersonEvent
  /** Who did it. */
  actor: Actor
}

export type PersonDisabledEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'person.disabled'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: PersonEvent
  /** Who did it. */
  actor: Actor
}

export type PersonEnabledEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'person.enabled'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: PersonEvent
  /** Who did it. */
  actor: Actor
}

export type PersonConfirmedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'person.confirmed'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: PersonEvent
  /** Who did it. */
  actor: Actor
}

export type PersonFactorsRemovedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'person.factors_removed'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: PersonEvent
  /** Who did it. */
  actor: Actor
}

export type PersonBreakGlassUsedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'person.break_glass_used'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: PersonEvent
  /** Who did it. */
  actor: Actor
}

export type BookSealedEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'book.sealed'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: Seal
  /** Who did it. */
  actor: Actor
}

export type Seal = {
  /** Number of the seal; the first is 1. */
  seal_no: number
  /** What happened up to this time is covered. */
  covers_to: string
  /** Events that it covers. */
  events: number
  /** Ledger entries that it covers. */
  ledger_entries: number
  /** The root of their Merkle tree by RFC 6962. */
  root: string
  /** Commits to everything that this seal and all seals before it cover. Keep it outside the database. */
  head: string
  /** When it was made. */
  sealed_at: string
}

export type EventType =
  | 'customer.created'
  | 'customer.updated'
  | 'account.credited'
  | 'fixed_deposit.created'
  | 'fixed_deposit.interest_paid'
  | 'fixed_deposit.liquidated'
  | 'fixed_deposit.partially_liquidated'
  | 'fixed_deposit.liquidation_reversed'
  | 'fixed_deposit.matured'
  | 'fixed_deposit.rolled_over'
  | 'fixed_deposit.maturity_instruction_changed'
  | 'fixed_deposit.parties_changed'
  | 'batch.completed'
  | 'fixed_deposit.lien_placed'
  | 'fixed_deposit.lien_released'
  | 'product.updated'
  | 'rate_sheet.added'
  | 'calendar.updated'
  | 'accounting.updated'
  | 'accrual.posted'
  | 'liquidation_rules.updated'
  | 'customer.tax_status_changed'
  | 'tax_rules.updated'
  | 'approval_policy.updated'
  | 'approval.requested'
  | 'approval.voted'
  | 'approval.approved'
  | 'approval.rejected'
  | 'approval.cancelled'
  | 'approval.expired'
  | 'person.invited'
  | 'person.role_changed'
  | 'person.reset'
  | 'person.disabled'
  | 'person.enabled'
  | 'person.confirmed'
  | 'person.factors_removed'
  | 'person.break_glass_used'
  | 'book.sealed'

export type RedeliveredEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: EventType
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: EventData
  /** How many endpoints it is sent to. */
  deliveries: number
  /** Who did it. */
  actor: Actor
}

export type EventData =
  | CreatedCustomer
  | UpdatedCustomer
  | AccountCredit
  | FixedDeposit
  | InterestPaid
  | Liquidation
  | LiquidationReversal
  | MaturedDeposit
  | RolledOverDeposit
  | ChangedParties
  | Batch
  | Lien
  | Product
  | RateSheet
  | BusinessCalendar
  | Accounting
  | AccrualPosted
  | LiquidationRules
  | ChangedTaxStatus
  | TaxRules
  | ApprovalPolicy
  | ApprovalEventData
  | PersonEvent
  | Seal

export type EventProof = {
  /** Identifier of the event. */
  event_id: string
  /** The stored event, as the text that was hashed. */
  leaf: string
  /** Its place among the leaves of its seal, from 0. */
  leaf_index: number
  /** The hashes beside the way to the root, the lowest first. */
  path: readonly string[]
  /** The seal that covers it. */
  seal: Seal
  /** That seal, as the text that was hashed. */
  seal_text: string
  /** From that seal to the requested one. */
  links: readonly SealLink[]
  /** Head of the requested seal: compare it with the one that was kept. */
  head: string
}

export type SealLink = {
  /** Number of the seal; the first is 1. */
  seal_no: number
  /** Head of the seal before, zeros for the first seal; null: the head of the link before. */
  previous_head: string | null
  /** Head of the seal whose number lacks the lowest bit, zeros if that is 0; null: the head of the link before. */
  earlier_head: string | null
  /** Leaf hash of the text of the seal. */
  text_hash: string
}

export type EndpointWithSecret = {
  /** Identifier of the webhook endpoint. */
  webhook_endpoint_id: string
  /** Where messages are sent. */
  url: string
  /** Types that are sent; * is all of them, now and later. */
  event_types: readonly SubscribedEventType[]
  /** A note for people. */
  description: string | null
  /** Messages are sent while it is ENABLED. */
  status: EndpointStatus
  /** Signs the messages; shown only in this answer. */
  secret: string
  /** When it was made. */
  created_at: string
}

export type SubscribedEventType =
  | '*'
  | 'customer.created'
  | 'customer.updated'
  | 'account.credited'
  | 'fixed_deposit.created'
  | 'fixed_deposit.interest_paid'
  | 'fixed_deposit.liquidated'
  | 'fixed_deposit.partially_liquidated'
  | 'fixed_deposit.liquidation_reversed'
  | 'fixed_deposit.matured'
  | 'fixed_deposit.rolled_over'
  | 'fixed_deposit.maturity_instruction_changed'
  | 'fixed_deposit.parties_changed'
  | 'batch.completed'
  | 'fixed_deposit.lien_placed'
  | 'fixed_deposit.lien_released'
  | 'product.updated'
  | 'rate_sheet.added'
  | 'calendar.updated'
  | 'accounting.updated'
  | 'accrual.posted'
  | 'liquidation_rules.updated'
  | 'customer.tax_status_changed'
  | 'tax_rules.updated'
  | 'approval_policy.updated'
  | 'approval.requested'
  | 'approval.voted'
  | 'approval.approved'
  | 'approval.rejected'
  | 'approval.cancelled'
  | 'approval.expired'
  | 'person.invited'
  | 'person.role_changed'
  | 'person.reset'
  | 'person.disabled'
  | 'person.enabled'
  | 'person.confirmed'
  | 'person.factors_removed'
  | 'person.break_glass_used'
  | 'book.sealed'

export type EndpointStatus = 'ENABLED' | 'DISABLED'

export type CreateWebhookEndpointRequest = {
  /** Where messages are sent. */
  url: string
  /** The types to send; "*" is every type, now and later. */
  event_types?: readonly SubscribedEventType[]
  /** A note for people. */
  description?: string | null
}

export type WebhookEndpoint = {
  /** Identifier of the webhook endpoint. */
  webhook_endpoint_id: string
  /** Where messages are sent. */
  url: string
  /** Types that are sent; * is all of them, now and later. */
  event_types: readonly SubscribedEventType[]
  /** A note for people. */
  description: string | null
  /** Messages are sent while it is ENABLED. */
  status: EndpointStatus
  /** When it was made. */
  created_at: string
}

export type UpdateWebhookEndpointRequest = {
  /** Where messages are sent. */
  url?: string
  /** The types to send; "*" is every type, now and later. */
  event_types?: readonly SubscribedEventType[]
  /** A note for people. */
  description?: string | null
  /** Messages are sent while it is ENABLED. */
  status?: EndpointStatus
}

export type RotateWebhookSecretRequest = {
  /** How long the old key still works after the new one was made; 0 if left out. */
  overlap_seconds?: number
}

export type PingEvent = {
  /** Identifier of the event; the same in every attempt to deliver it. */
  id: string
  /** What happened. */
  type: 'ping'
  /** When it happened. */
  timestamp: string
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** What it is about. */
  data: Ping
  /** Who did it. */
  actor: Actor
}

export type Ping = {
  /** Identifier of the webhook endpoint. */
  webhook_endpoint_id: string
}

export type WebhookDelivery = {
  /** Identifier of the event. */
  event_id: string
  /** Type of the event. */
  event_type: SentEventType
  /** PENDING while attempts are left, then DELIVERED or FAILED. */
  status: DeliveryStatus
  /** Attempts so far; there are at most 10. */
  attempts: number
  /** When it is tried next, or null. */
  next_attempt_at: string | null
  /** When it was tried last, or null. */
  last_attempt_at: string | null
  /** HTTP status of the last attempt, or null where there was none. */
  last_status_code: number | null
  /** Why the last attempt failed, in one word, or null. */
  last_error: string | null
  /** When it was made. */
  created_at: string
}

export type SentEventType =
  | 'customer.created'
  | 'customer.updated'
  | 'account.credited'
  | 'fixed_deposit.created'
  | 'fixed_deposit.interest_paid'
  | 'fixed_deposit.liquidated'
  | 'fixed_deposit.partially_liquidated'
  | 'fixed_deposit.liquidation_reversed'
  | 'fixed_deposit.matured'
  | 'fixed_deposit.rolled_over'
  | 'fixed_deposit.maturity_instruction_changed'
  | 'fixed_deposit.parties_changed'
  | 'batch.completed'
  | 'fixed_deposit.lien_placed'
  | 'fixed_deposit.lien_released'
  | 'product.updated'
  | 'rate_sheet.added'
  | 'calendar.updated'
  | 'accounting.updated'
  | 'accrual.posted'
  | 'liquidation_rules.updated'
  | 'customer.tax_status_changed'
  | 'tax_rules.updated'
  | 'approval_policy.updated'
  | 'approval.requested'
  | 'approval.voted'
  | 'approval.approved'
  | 'approval.rejected'
  | 'approval.cancelled'
  | 'approval.expired'
  | 'person.invited'
  | 'person.role_changed'
  | 'person.reset'
  | 'person.disabled'
  | 'person.enabled'
  | 'person.confirmed'
  | 'person.factors_removed'
  | 'person.break_glass_used'
  | 'book.sealed'
  | 'ping'

export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED'

export type IssuedApiKey = {
  /** Identifier of the API key; not the key itself. */
  api_key_id: string
  /** The key itself, shown only in this answer. */
  key: string
  /** Its first characters, to recognise it by. */
  key_prefix: string
  /** A name for people. */
  name: string | null
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** What the key may do. */
  scopes: readonly Scope[]
  /** Requests a minute; 0 is no limit, null the setting of the service. */
  rate_limit_per_minute: number | null
  /** When it stops working, or null. */
  expires_at: string | null
  /** When it was or will be revoked, or null. */
  revoked_at: string | null
  /** When it was used last, to the minute, or null. */
  last_used_at: string | null
  /** When it was made. */
  created_at: string
}

export type Scope =
  | 'customers:read'
  | 'customers:write'
  | 'accounts:read'
  | 'accounts:write'
  | 'fixed_deposits:read'
  | 'fixed_deposits:write'
  | 'fixed_deposits:liquidate'
  | 'liquidations:reverse'
  | 'liens:read'
  | 'liens:write'
  | 'approvals:read'
  | 'approvals:decide'
  | 'approvals:policy'
  | 'penal_charges:waive'
  | 'rules:read'
  | 'rules:write'
  | 'products:read'
  | 'products:write'
  | 'tax:read'
  | 'tax:write'
  | 'ledger:read'
  | 'events:read'
  | 'webhooks:read'
  | 'webhooks:write'
  | 'api_keys:read'
  | 'api_keys:write'
  | 'accounting:read'
  | 'accounting:write'
  | 'batches:read'
  | 'batches:write'
  | 'batches:import'
  | 'reports:read'
  | 'audit:read'
  | '*'

export type CreateApiKeyRequest = {
  /** A name for people. */
  name?: string
  /** What the key may do. */
  scopes: readonly Scope[]
  /** When it stops working; never if left out. */
  expires_at?: string
  /** Requests a minute; 0 is no limit, null the setting of the service. */
  rate_limit_per_minute?: number
}

export type ApiKey = {
  /** Identifier of the API key; not the key itself. */
  api_key_id: string
  /** Its first characters, to recognise it by. */
  key_prefix: string
  /** A name for people. */
  name: string | null
  /** The book it belongs to; the key decides it. */
  mode: Mode
  /** What the key may do. */
  scopes: readonly Scope[]
  /** Requests a minute; 0 is no limit, null the setting of the service. */
  rate_limit_per_minute: number | null
  /** When it stops working, or null. */
  expires_at: string | null
  /** When it was or will be revoked, or null. */
  revoked_at: string | null
  /** When it was used last, to the minute, or null. */
  last_used_at: string | null
  /** When it was made. */
  created_at: string
}

export type RollApiKeyRequest = {
  /** How long the old key still works after the new one was made; 0 if left out. */
  overlap_seconds?: number
}

export type TestClock = {
  /** The present of this book's clock. */
  now: string
}

export type MoveTestClockRequest = {
  /** The present of this book's clock. */
  now: string
}

export type AuditedChange = {
  /** Identifier of the event. */
  event_id: string
  /** What was done: the type of the event. */
  action: string
  /** When it was done. */
  at: string
  /** Identifier of the API key; not the key itself. */
  api_key_id: string | null
  /** Identifier of the request, as in its Request-Id header. Name it when you ask for help. */
  request_id: string | null
  /** Identifier of the record that was changed. */
  subject_id: string
  /** Old and new values where they are personal, or null. */
  changes: OldAndNew | null
  /** What it is about. */
  data: JsonObject
  /** Who did it. */
  actor: Actor
}

export type OldAndNew = {
  /** Values before the change, or null. */
  before: JsonObject | null
  /** Values after the change, or null. */
  after: JsonObject | null
}

export type Nothing = { readonly [name: string]: unknown }

export type FieldError = {
  /** Path of the field, such as penal_rules[1].terms[0].percent. */
  field: string
  /** What is wrong with it. */
  code:
    | 'required'
    | 'null_not_allowed'
    | 'invalid_type'
    | 'invalid_value'
    | 'invalid_format'
    | 'blank'
    | 'too_long'
    | 'too_short'
    | 'not_positive'
    | 'too_precise'
    | 'out_of_range'
    | 'conflicting_field'
    | 'unknown_field'
    | 'not_updatable'
    | 'too_many'
    | 'too_few'
    | 'forbidden_address'
  /** What to do about it. */
  message: string
}

/** Where decimals are. */
export const shapes: Shapes = {
  Account: { balance: 1 },
  AccountCredit: { lines: 'LedgerLine' },
  Accrual: { interest_payable: 1, prepaid_interest: 1 },
  AccrualPosted: { interest_payable: 1, prepaid_interest: 1 },
  Adjustment: { amount: 1 },
  Advice: { liquidation: 'ExplainedLiquidation' },
  AmountRange: { gte: 1, lt: 1 },
  ApprovalConditions: {
    amount: 'AmountRange',
    net_credited: 'AmountRange',
    waived_amount: 'AmountRange',
    waived_percent: 'PercentRange',
    negotiated_points: 'PointsRange',
    sum: 'SumCondition',
  },
  ApprovalPolicy: { rules: 'ApprovalRule' },
  ApprovalRule: { when: 'ApprovalConditions' },
  ApproveApprovalRequest: { expected_net_credited: 1 },
  Batch: { total_amount: 1 },
  BetterDay: { gains: 1 },
  Bonuses: { '*': 1 },
  BrokenEarlier: { principal: 1, interest: 1, penal_assessed: 1, paid_share: 1, unearned: 1, recovered: 1 },
  CashFlow: { days: 'DueMoney' },
  Certificate: {
    principal: 1,
    remaining_principal: 1,
    interest_rate: 1,
    expected_interest: 1,
    maturity_value: 1,
    lien_amount: 1,
  },
  ControlTotals: { total_amount: 1 },
  CreateBatchRequest: { expected: 'ControlTotals' },
  CreditAccountRequest: { amount: 1 },
  DueMoney: { principal: 1, interest: 1 },
  Event: {
    data: 'AccountCredit|FixedDeposit|InterestPaid|Liquidation|LiquidationReversal|MaturedDeposit|RolledOverDeposit|Batch|Lien|Product|AccrualPosted|LiquidationRules|TaxRules|ApprovalPolicy',
  },
  EventData: {
    lines: 'LedgerLine',
    principal: 1,
    remaining_principal: 1,
    interest_rate: 1,
    expected_interest: 1,
    accrued_interest: 1,
    lien_amount: 1,
    bonus: 1,
    interest_paid_out: 1,
    tax: 1,
    net: 1,
    principal_returned: 1,
    interest_paid: 1,
    penal_charge: 1,
    total_credited: 1,
    penal_assessed: 1,
    penal_waived: 1,
    waiver: 'Waiver',
    adjustments: 'Adjustment',
    net_credited: 1,
    deposit: 'FixedDeposit',
    tax_withheld: 1,
    principal_rolled_over: 1,
    interest_rolled_over: 1,
    successor: 'FixedDeposit',
    total_amount: 1,
    amount: 1,
    min_amount: 1,
    max_amount: 1,
    negotiated_rate: 'NegotiatedRate',
    bonuses: 'Bonuses',
    rules: 'RuleSet|ApprovalRule',
    interest_payable: 1,
    prepaid_interest: 1,
    min_partial_amount: 1,
    min_remaining_principal: 1,
    penal_rules: 'PenalRule',
    classes: 'TaxClasses',
  },
  ExplainedLiquidation: {
    principal_returned: 1,
    interest_paid: 1,
    penal_charge: 1,
    total_credited: 1,
    remaining_principal: 1,
    explanation: 'Explanation',
    penal_assessed: 1,
    penal_waived: 1,
    waiver: 'NotedWaiver',
    adjustments: 'Adjustment',
    net_credited: 1,
  },
  ExplainedTerm: { amount: 1 },
  Explanation: {
    interest_rate: 1,
    principal: 1,
    unrounded_interest: 1,
    interest: 1,
    terms: 'ExplainedTerm',
    combined: 1,
    limited: 1,
    capped_from: 1,
    penal_charge: 1,
    earlier_today: 'BrokenEarlier',
    tax: 'TaxExplanation',
    growth: 1,
    earned: 1,
    paid_share: 1,
    charged_to_accrued: 1,
    charged_to_paid: 1,
    uncollected: 1,
  },
  ExportedInterestPayment: { principal: 1, interest: 1, tax: 1, net: 1 },
  ExportedLedgerEntry: { lines: 'ExportedLedgerLine' },
  ExportedLedgerLine: { amount: 1 },
  FixedDeposit: {
    principal: 1,
    remaining_principal: 1,
    interest_rate: 1,
    expected_interest: 1,
    accrued_interest: 1,
    lien_amount: 1,
    bonus: 1,
    interest_paid_out: 1,
  },
  FixedTerm: { amount: 1 },
  ForeseePolicyRequest: { rules: 'ApprovalRule' },
  ForeseeProductRequest: {
    min_amount: 1,
    max_amount: 1,
    negotiated_rate: 'NegotiatedRate',
    bonuses: 'Bonuses',
    rules: 'ProductRules',
  },
  ForeseeRulesRequest: { min_partial_amount: 1, min_remaining_principal: 1, penal_rules: 'NewPenalRule' },
  Impact: { liquidations: 'LiquidationImpact', rollovers: 'RolloverImpact', worst: 'WorstDeposit' },
  InterestCertificate: { deposits: 'InterestOfDeposit', totals: 'InterestOfCurrency' },
  InterestOfCurrency: {
    gross_interest: 1,
    charges: 1,
    interest_taken_back: 1,
    tax_withheld: 1,
    tax_returned: 1,
    net_interest: 1,
  },
  InterestOfDeposit: {
    gross_interest: 1,
    charges: 1,
    interest_taken_back: 1,
    tax_withheld: 1,
    tax_returned: 1,
    net_interest: 1,
  },
  InterestPaid: { interest: 1, tax: 1, net: 1 },
  InterestPayment: { principal: 1, interest: 1, tax: 1, net: 1 },
  InterestPeriodOfQuote: { interest: 1 },
  KeptLiquidation: {
    principal_returned: 1,
    interest_paid: 1,
    penal_charge: 1,
    total_credited: 1,
    remaining_principal: 1,
    penal_assessed: 1,
    penal_waived: 1,
    waiver: 'Waiver',
    adjustments: 'Adjustment',
    net_credited: 1,
  },
  LedgerEntry: { lines: 'LedgerLine' },
  LedgerLine: { amount: 1 },
  Lien: { amount: 1 },
  LiquidateFixedDepositRequest: { amount: 1, waiver: 'NewWaiver', expected_net_credited: 1 },
  Liquidation: {
    principal_returned: 1,
    interest_paid: 1,
    penal_charge: 1,
    total_credited: 1,
    remaining_principal: 1,
    penal_assessed: 1,
    penal_waived: 1,
    waiver: 'Waiver',
    adjustments: 'Adjustment',
    net_credited: 1,
  },
  LiquidationGroup: {
    principal: 1,
    interest: 1,
    assessed: 1,
    waived: 1,
    charge: 1,
    recovered: 1,
    tax: 1,
    net: 1,
    reversed: 1,
  },
  LiquidationImpact: { charge_now: 1, charge_proposed: 1, interest_now: 1, interest_proposed: 1 },
  LiquidationQuote: {
    principal_returned: 1,
    interest_paid: 1,
    penal_charge: 1,
    total_credited: 1,
    remaining_principal: 1,
    explanation: 'Explanation',
    penal_assessed: 1,
    penal_waived: 1,
    waiver: 'Waiver',
    adjustments: 'Adjustment',
    net_credited: 1,
  },
  LiquidationReport: { groups: 'LiquidationGroup' },
  LiquidationReversal: { deposit: 'FixedDeposit' },
  LiquidationRules: { min_partial_amount: 1, min_remaining_principal: 1, penal_rules: 'PenalRule' },
  MaturedDeposit: {
    principal: 1,
    remaining_principal: 1,
    interest_rate: 1,
    expected_interest: 1,
    accrued_interest: 1,
    lien_amount: 1,
    bonus: 1,
    interest_paid_out: 1,
    principal_returned: 1,
    interest_paid: 1,
    penal_charge: 1,
    total_credited: 1,
    tax_withheld: 1,
    net_credited: 1,
  },
  NegotiatedRate: { min: 1, max: 1 },
  NewPenalRule: {
    when: 'PenalConditions',
    terms: 'FixedTerm|PercentTerm|PeriodInterestTerm|RerateTerm',
    min: 1,
    max: 1,
  },
  NewWaiver: { percent: 1, amount: 1 },
  NotedWaiver: { percent: 1, amount: 1 },
  OpenFixedDepositRequest: { amount: 1, interest_rate: 1, expected_interest_rate: 1 },
  Outlook: { points: 'OutlookPoint', next_better_day: 'BetterDay' },
  OutlookPoint: { net: 1, interest_kept: 1, penal_charge: 1, tax: 1 },
  PenalConditions: {
    elapsed_percent: 'PercentRange',
    remaining_percent: 'PercentRange',
    amount: 'AmountRange',
  },
  PenalRate: { value: 1, add: 1 },
  PenalRule: {
    when: 'PenalConditions',
    terms: 'FixedTerm|PercentTerm|PeriodInterestTerm|RerateTerm',
    min: 1,
    max: 1,
  },
  PercentRange: { gte: 1, lt: 1 },
  PercentTerm: { percent: 1 },
  PeriodInterestTerm: { rate: 'PenalRate' },
  PlaceLienRequest: { amount: 1 },
  PointsRange: { gte: 1, lt: 1 },
  Product: {
    min_amount: 1,
    max_amount: 1,
    negotiated_rate: 'NegotiatedRate',
    bonuses: 'Bonuses',
    rules: 'RuleSet',
  },
  ProductQuote: {
    interest_rate: 1,
    schedule: 'InterestPeriodOfQuote',
    expected_interest: 1,
    estimated_tax: 1,
    effective_annual_rate: 1,
    outlook: 'Outlook',
  },
  ProductRules: { min_partial_amount: 1, min_remaining_principal: 1, penal_rules: 'NewPenalRule' },
  PutProductRequest: {
    min_amount: 1,
    max_amount: 1,
    negotiated_rate: 'NegotiatedRate',
    bonuses: 'Bonuses',
    rules: 'ProductRules',
  },
  QuoteLiquidationRequest: { amount: 1, waiver: 'NewWaiver' },
  QuoteProductRequest: { amount: 1, interest_rate: 1 },
  RedeliveredEvent: { data: 'EventData' },
  ReplaceApprovalPolicyRequest: { rules: 'ApprovalRule' },
  ReplaceRulesRequest: { min_partial_amount: 1, min_remaining_principal: 1, penal_rules: 'NewPenalRule' },
  ReplaceTaxRulesRequest: { classes: 'TaxClasses' },
  RerateTerm: { rate: 'PenalRate' },
  RolledOverDeposit: {
    principal: 1,
    remaining_principal: 1,
    interest_rate: 1,
    expected_interest: 1,
    accrued_interest: 1,
    lien_amount: 1,
    bonus: 1,
    interest_paid_out: 1,
    principal_rolled_over: 1,
    interest_rolled_over: 1,
    successor: 'FixedDeposit',
    tax_withheld: 1,
    interest_paid: 1,
    net_credited: 1,
  },
  RolloverImpact: { interest_now: 1, interest_proposed: 1 },
  RuleSet: { min_partial_amount: 1, min_remaining_principal: 1, penal_rules: 'PenalRule' },
  Statement: { lines: 'StatementLine' },
  StatementLine: { amount: 1, remaining_principal: 1 },
  SumCondition: { amount: 'AmountRange' },
  TaxClasses: { STANDARD: 1, '*': 1 },
  TaxExplanation: { rate: 1, taxable_interest: 1, withheld_earlier: 1 },
  TaxGroup: { interest: 1, charge: 1, tax: 1 },
  TaxReport: { groups: 'TaxGroup' },
  TaxRules: { classes: 'TaxClasses' },
  TaxedMovement: { interest: 1, charge: 1, tax_rate: 1, tax: 1 },
  Waiver: { percent: 1, amount: 1 },
  WorstDeposit: { charge_now: 1, charge_proposed: 1 },
}

/** Member, method, path with {} for what it names, the record of the body and of the answer, how that is read, ? for a query. */
export const operations = {
  liquidateFixedDeposit: [
    'fixedDeposits.liquidate',
    'POST',
    '/v2/fixed-deposits/{}/liquidate',
    'LiquidateFixedDepositRequest',
    'Liquidation',
    'record',
  ],
  quoteLiquidation: [
    'fixedDeposits.quoteLiquidation',
    'POST',
    '/v2/fixed-deposits/{}/liquidation-quote',
    'QuoteLiquidationRequest',
    'LiquidationQuote',
    'record',
  ],
  listLiquidations: [
    'fixedDeposits.listLiquidations',
    'GET',
    '/v2/fixed-deposits/{}/liquidations',
    '',
    'ExplainedLiquidation',
    'page?',
  ],
  findLiquidations: ['liquidations.find', 'GET', '/v2/liquidations', '', 'ExplainedLiquidation', 'page?'],
  getLiquidation: ['liquidations.get', 'GET', '/v2/liquidations/{}', '', 'ExplainedLiquidation', 'record'],
  getAdvice: ['liquidations.getAdvice', 'GET', '/v2/liquidations/{}/advice', '', 'Advice', 'record'],
  getOutlook: ['fixedDeposits.getOutlook', 'GET', '/v2/fixed-deposits/{}/outlook', '', 'Outlook', 'record?'],
  foreseeRules: [
    'liquidationRules.foresee',
    'POST',
    '/v2/liquidation-rules/impact',
    'ForeseeRulesRequest',
    'Impact',
    'record',
  ],
  foreseeProduct: [
    'products.foresee',
    'POST',
    '/v2/products/{}/impact',
    'ForeseeProductRequest',
    'Impact',
    'record',
  ],
  foreseePolicy: [
    'approvalPolicy.foreseePolicy',
    'POST',
    '/v2/approval-policy/impact',
    'ForeseePolicyRequest',
    'Impact',
    'record',
  ],
  reverseLiquidation: [
    'liquidations.reverse',
    'POST',
    '/v2/liquidations/{}/reverse',
    'ReverseLiquidationRequest',
    'LiquidationReversal',
    'record',
  ],
  listInterestPayments: [
    'fixedDeposits.listInterestPayments',
    'GET',
    '/v2/fixed-deposits/{}/interest-payments',
    '',
    'InterestPayment',
    'page?',
  ],
  putMaturityInstruction: [
    'fixedDeposits.putMaturityInstruction',
    'PUT',
    '/v2/fixed-deposits/{}/maturity-instruction',
    'PutMaturityInstructionRequest',
    'FixedDeposit',
    'record',
  ],
  putParties: [
    'fixedDeposits.putParties',
    'PUT',
    '/v2/fixed-deposits/{}/parties',
    'PutPartiesRequest',
    'Parties',
    'record',
  ],
  getParties: ['fixedDeposits.getParties', 'GET', '/v2/fixed-deposits/{}/parties', '', 'Parties', 'record'],
  updateCustomer: [
    'customers.update',
    'PUT',
    '/v2/customer/{}',
    'UpdateCustomerRequest',
    'Customer',
    'record',
  ],
  getCustomer: ['customers.get', 'GET', '/v2/customer/{}', '', 'Customer', 'record'],
  createCustomer: ['customers.create', 'POST', '/v2/customer', 'CreateCustomerRequest', 'Customer', 'record'],
  listCustomers: ['customers.list', 'GET', '/v2/customer', '', 'Customer', 'page?'],
  openAccount: ['accounts.open', 'POST', '/v2/accounts', 'OpenAccountRequest', 'Account', 'record'],
  listAccounts: ['accounts.list', 'GET', '/v2/accounts', '', 'Account', 'page?'],
  getAccount: ['accounts.get', 'GET', '/v2/accounts/{}', '', 'Account', 'record'],
  creditAccount: [
    'accounts.credit',
    'POST',
    '/v2/accounts/{}/credits',
    'CreditAccountRequest',
    'LedgerEntry',
    'record',
  ],
  openFixedDeposit: [
    'fixedDeposits.open',
    'POST',
    '/v2/fixed-deposits',
    'OpenFixedDepositRequest',
    'FixedDeposit',
    'record',
  ],
  listFixedDeposits: ['fixedDeposits.list', 'GET', '/v2/fixed-deposits', '', 'FixedDeposit', 'page?'],
  getFixedDeposit: ['fixedDeposits.get', 'GET', '/v2/fixed-deposits/{}', '', 'FixedDeposit', 'record'],
  putProduct: ['products.put', 'PUT', '/v2/products/{}', 'PutProductRequest', 'Product', 'record'],
  getProduct: ['products.get', 'GET', '/v2/products/{}', '', 'Product', 'record'],
  listProducts: ['products.list', 'GET', '/v2/products', '', 'Product', 'page?'],
  getProductVersion: ['products.getVersion', 'GET', '/v2/products/{}/versions/{}', '', 'Product', 'record'],
  addRateSheet: [
    'products.addRateSheet',
    'POST',
    '/v2/products/{}/rate-sheets',
    'AddRateSheetRequest',
    'RateSheet',
    'record',
  ],
  listRateSheets: ['products.listRateSheets', 'GET', '/v2/products/{}/rate-sheets', '', 'RateSheet', 'page?'],
  getRateSheet: ['products.getRateSheet', 'GET', '/v2/products/{}/rate-sheets/{}', '', 'RateSheet', 'record'],
  quoteProduct: [
    'products.quote',
    'POST',
    '/v2/products/{}/quote',
    'QuoteProductRequest',
    'ProductQuote',
    'record',
  ],
  getCalendar: [
    'businessCalendar.getCalendar',
    'GET',
    '/v2/business-calendar',
    '',
    'BusinessCalendar',
    'record',
  ],
  replaceCalendar: [
    'businessCalendar.replaceCalendar',
    'PUT',
    '/v2/business-calendar',
    'ReplaceCalendarRequest',
    'BusinessCalendar',
    'record',
  ],
  getCalendarVersion: [
    'businessCalendar.getCalendarVersion',
    'GET',
    '/v2/business-calendar/{}',
    '',
    'BusinessCalendar',
    'record',
  ],
  getRules: ['liquidationRules.get', 'GET', '/v2/liquidation-rules', '', 'LiquidationRules', 'record'],
  replaceRules: [
    'liquidationRules.replace',
    'PUT',
    '/v2/liquidation-rules',
    'ReplaceRulesRequest',
    'LiquidationRules',
    'record',
  ],
  getRulesVersion: [
    'liquidationRules.getVersion',
    'GET',
    '/v2/liquidation-rules/{}',
    '',
    'LiquidationRules',
    'record',
  ],
  getCertificate: [
    'fixedDeposits.getCertificate',
    'GET',
    '/v2/fixed-deposits/{}/certificate',
    '',
    'Certificate',
    'record',
  ],
  getStatement: [
    'fixedDeposits.getStatement',
    'GET',
    '/v2/fixed-deposits/{}/statement',
    '',
    'Statement',
    'record?',
  ],
  getInterestCertificate: [
    'customers.getInterestCertificate',
    'GET',
    '/v2/customer/{}/interest-certificate',
    '',
    'InterestCertificate',
    'record?',
  ],
  getTaxRules: ['taxRules.get', 'GET', '/v2/tax-rules', '', 'TaxRules', 'record'],
  replaceTaxRules: [
    'taxRules.replace',
    'PUT',
    '/v2/tax-rules',
    'ReplaceTaxRulesRequest',
    'TaxRules',
    'record',
  ],
  getTaxRulesVersion: ['taxRules.getVersion', 'GET', '/v2/tax-rules/{}', '', 'TaxRules', 'record'],
  getTaxStatus: ['customers.getTaxStatus', 'GET', '/v2/customer/{}/tax-status', '', 'TaxStatus', 'record'],
  putTaxStatus: [
    'customers.putTaxStatus',
    'PUT',
    '/v2/customer/{}/tax-status',
    'PutTaxStatusRequest',
    'TaxStatus',
    'record',
  ],
  placeLien: [
    'fixedDeposits.placeLien',
    'POST',
    '/v2/fixed-deposits/{}/liens',
    'PlaceLienRequest',
    'Lien',
    'record',
  ],
  listLiens: ['fixedDeposits.listLiens', 'GET', '/v2/fixed-deposits/{}/liens', '', 'Lien', 'page?'],
  getLien: ['liens.get', 'GET', '/v2/liens/{}', '', 'Lien', 'record'],
  releaseLien: ['liens.release', 'POST', '/v2/liens/{}/release', 'ReleaseLienRequest', 'Lien', 'record'],
  requestApproval: [
    'approvals.request',
    'POST',
    '/v2/approvals',
    'RequestApprovalRequest',
    'Approval',
    'record',
  ],
  listApprovals: ['approvals.list', 'GET', '/v2/approvals', '', 'Approval', 'page?'],
  getApproval: ['approvals.get', 'GET', '/v2/approvals/{}', '', 'Approval', 'record'],
  approveApproval: [
    'approvals.approve',
    'POST',
    '/v2/approvals/{}/approve',
    'ApproveApprovalRequest',
    'Approval',
    'record',
  ],
  rejectApproval: [
    'approvals.reject',
    'POST',
    '/v2/approvals/{}/reject',
    'RejectApprovalRequest',
    'Approval',
    'record',
  ],
  cancelApproval: ['approvals.cancel', 'POST', '/v2/approvals/{}/cancel', '', 'Approval', 'record'],
  getApprovalPolicy: ['approvalPolicy.get', 'GET', '/v2/approval-policy', '', 'ApprovalPolicy', 'record'],
  replaceApprovalPolicy: [
    'approvalPolicy.replace',
    'PUT',
    '/v2/approval-policy',
    'ReplaceApprovalPolicyRequest',
    'ApprovalPolicy',
    'record',
  ],
  getApprovalPolicyVersion: [
    'approvalPolicy.getVersion',
    'GET',
    '/v2/approval-policy/{}',
    '',
    'ApprovalPolicy',
    'record',
  ],
  createBatch: ['batches.createBatch', 'POST', '/v2/batches', 'CreateBatchRequest', 'Batch', 'record'],
  listBatches: ['batches.list', 'GET', '/v2/batches', '', 'Batch', 'page?'],
  getBatch: ['batches.getBatch', 'GET', '/v2/batches/{}', '', 'Batch', 'record'],
  sendBatchPart: ['batches.sendBatchPart', 'POST', '/v2/batches/{}/parts/{}', 'lines', 'Batch', 'record'],
  startBatch: ['batches.startBatch', 'POST', '/v2/batches/{}/start', 'StartBatchRequest', 'Batch', 'record'],
  cancelBatch: ['batches.cancelBatch', 'POST', '/v2/batches/{}/cancel', '', 'Batch', 'record'],
  listBatchResults: ['batches.listBatchResults', 'GET', '/v2/batches/{}/results', '', 'BatchResult', 'page?'],
  reportLiquidations: [
    'reports.reportLiquidations',
    'GET',
    '/v2/reports/liquidations',
    '',
    'LiquidationReport',
    'record?',
  ],
  reportTax: ['reports.reportTax', 'GET', '/v2/reports/tax', '', 'TaxReport', 'record?'],
  reportCashFlow: ['reports.reportCashFlow', 'GET', '/v2/reports/cash-flow', '', 'CashFlow', 'record?'],
  reportAccruals: ['reports.reportAccruals', 'GET', '/v2/reports/accruals', '', 'Accrual', 'lines?'],
  exportDeposits: ['exports.exportDeposits', 'GET', '/v2/exports/deposits', '', 'FixedDeposit', 'lines?'],
  exportLiquidations: [
    'exports.exportLiquidations',
    'GET',
    '/v2/exports/liquidations',
    '',
    'KeptLiquidation',
    'lines?',
  ],
  exportLedgerEntries: [
    'exports.exportLedgerEntries',
    'GET',
    '/v2/exports/ledger-entries',
    '',
    'ExportedLedgerEntry',
    'lines?',
  ],
  exportTax: ['exports.exportTax', 'GET', '/v2/exports/tax', '', 'TaxedMovement', 'lines?'],
  exportInterestPayments: [
    'exports.exportInterestPayments',
    'GET',
    '/v2/exports/interest-payments',
    '',
    'ExportedInterestPayment',
    'lines?',
  ],
  exportApprovals: ['exports.exportApprovals', 'GET', '/v2/exports/approvals', '', 'Approval', 'lines?'],
  listLedgerEntries: ['ledgerEntries.list', 'GET', '/v2/ledger-entries', '', 'LedgerEntry', 'page?'],
  getAccounting: ['accounting.get', 'GET', '/v2/accounting', '', 'Accounting', 'record'],
  replaceAccounting: [
    'accounting.replace',
    'PUT',
    '/v2/accounting',
    'ReplaceAccountingRequest',
    'Accounting',
    'record',
  ],
  getAccountingVersion: ['accounting.getVersion', 'GET', '/v2/accounting/{}', '', 'Accounting', 'record'],
  listEvents: ['events.list', 'GET', '/v2/events', '', 'Event', 'page?'],
  getEvent: ['events.get', 'GET', '/v2/events/{}', '', 'Event', 'record'],
  redeliverEvent: ['events.redeliver', 'POST', '/v2/events/{}/redeliver', '', 'RedeliveredEvent', 'record'],
  listSeals: ['seals.list', 'GET', '/v2/seals', '', 'Seal', 'page?'],
  getEventProof: ['events.getProof', 'GET', '/v2/events/{}/proof', '', 'EventProof', 'record?'],
  createWebhookEndpoint: [
    'webhookEndpoints.create',
    'POST',
    '/v2/webhook-endpoints',
    'CreateWebhookEndpointRequest',
    'EndpointWithSecret',
    'record',
  ],
  listWebhookEndpoints: [
    'webhookEndpoints.list',
    'GET',
    '/v2/webhook-endpoints',
    '',
    'WebhookEndpoint',
    'page?',
  ],
  getWebhookEndpoint: [
    'webhookEndpoints.get',
    'GET',
    '/v2/webhook-endpoints/{}',
    '',
    'WebhookEndpoint',
    'record',
  ],
  updateWebhookEndpoint: [
    'webhookEndpoints.update',
    'PUT',
    '/v2/webhook-endpoints/{}',
    'UpdateWebhookEndpointRequest',
    'WebhookEndpoint',
    'record',
  ],
  deleteWebhookEndpoint: [
    'webhookEndpoints.delete',
    'DELETE',
    '/v2/webhook-endpoints/{}',
    '',
    'WebhookEndpoint',
    'record',
  ],
  rotateWebhookSecret: [
    'webhookEndpoints.rotateWebhookSecret',
    'POST',
    '/v2/webhook-endpoints/{}/rotate-secret',
    'RotateWebhookSecretRequest',
    'EndpointWithSecret',
    'record',
  ],
  pingWebhookEndpoint: [
    'webhookEndpoints.ping',
    'POST',
    '/v2/webhook-endpoints/{}/ping',
    '',
    'PingEvent',
    'record',
  ],
  listWebhookDeliveries: [
    'webhookEndpoints.listWebhookDeliveries',
    'GET',
    '/v2/webhook-endpoints/{}/deliveries',
    '',
    'WebhookDelivery',
    'page?',
  ],
  createApiKey: ['apiKeys.create', 'POST', '/v2/api-keys', 'CreateApiKeyRequest', 'IssuedApiKey', 'record'],
  listApiKeys: ['apiKeys.list', 'GET', '/v2/api-keys', '', 'ApiKey', 'page?'],
  getCurrentApiKey: ['apiKeys.getCurrent', 'GET', '/v2/api-keys/current', '', 'ApiKey', 'record'],
  revokeApiKey: ['apiKeys.revoke', 'DELETE', '/v2/api-keys/{}', '', 'ApiKey', 'record'],
  rollApiKey: ['apiKeys.roll', 'POST', '/v2/api-keys/{}/roll', 'RollApiKeyRequest', 'IssuedApiKey', 'record'],
  getTestClock: ['testClock.get', 'GET', '/v2/test-clock', '', 'TestClock', 'record'],
  moveTestClock: ['testClock.move', 'POST', '/v2/test-clock', 'MoveTestClockRequest', 'TestClock', 'record'],
  listAuditLog: ['auditLog.list', 'GET', '/v2/audit-log', '', 'AuditedChange', 'page?'],
  getOpenApi: ['service.getOpenApi', 'GET', '/v2/openapi.json', '', 'JsonObject', 'bare'],
  getReference: ['service.getReference', 'GET', '/docs', '', '', 'text'],
  getHealth: ['service.getHealth', 'GET', '/healthz', '', 'Nothing', 'record'],
  getReadiness: ['service.getReadiness', 'GET', '/readyz', '', 'Nothing', 'record'],
  getMetrics: ['service.getMetrics', 'GET', '/metrics', '', '', 'text'],
} as const satisfies Operations

export type FixedDepositsOperations = {
  /** Break an active fixed deposit, fully or partially, and pay it back to its source account */
  liquidate(depositId: string, body: LiquidateFixedDepositRequest, options?: CallOptions): Call<Liquidation>
  /** Tell what a liquidation would pay, on today or another date; changes nothing */
  quoteLiquidation(
    depositId: string,
    body: QuoteLiquidationRequest,
    options?: CallOptions,
  ): Call<LiquidationQuote>
  /** List the liquidations of a fixed deposit, newest first */
  listLiquidations(
    depositId: string,
    query?: { limit?: number },
    options?: CallOptions,
  ): List<ExplainedLiquidation>
  /** Get what breaking a fixed deposit would pay on the days to come */
  getOutlook(depositId: string, query?: { amount?: string }, options?: CallOptions): Call<Outlook>
  /** List the interest that a fixed deposit paid before maturity, newest first */
  listInterestPayments(
    depositId: string,
    query?: { limit?: number },
    options?: CallOptions,
  ): List<InterestPayment>
  /** Say what becomes of a fixed deposit at maturity, until the day before */
  putMaturityInstruction(
    depositId: string,
    body: PutMaturityInstructionRequest,
    options?: CallOptions,
  ): Call<FixedDeposit>
  /** Record who else a fixed deposit belongs to */
  putParties(depositId: string, body: PutPartiesRequest, options?: CallOptions): Call<Parties>
  /** Get who else a fixed deposit belongs to */
  getParties(depositId: string, options?: CallOptions): Call<Parties>
  /** Open a fixed deposit from an account */
  open(body: OpenFixedDepositRequest, options?: CallOptions): Call<FixedDeposit>
  /** List fixed deposits, newest first */
  list(
    query?: {
      limit?: number
      customer_id?: string
      account_number?: string
      status?: DepositStatus
      matures_before?: string
      matures_after?: string
      product_code?: string
      external_id?: string
    },
    options?: CallOptions,
  ): List<FixedDeposit>
  /** Get a fixed deposit */
  get(depositId: string, options?: CallOptions): Call<FixedDeposit>
  /** Get the certificate of a fixed deposit, as JSON or as a page to print */
  getCertificate(depositId: string, options?: CallOptions): Call<Certificate>
  /** Get the statement of a fixed deposit, as JSON or as a page to print */
  getStatement(
    depositId: string,
    query?: { from?: string; to?: string },
    options?: CallOptions,
  ): Call<Statement>
  /** Hold a part of the principal of a fixed deposit */
  placeLien(depositId: string, body: PlaceLienRequest, options?: CallOptions): Call<Lien>
  /** List the liens of a fixed deposit, newest first */
  listLiens(depositId: string, query?: { limit?: number }, options?: CallOptions): List<Lien>
}

export type LiquidationsOperations = {
  /** List the liquidations of all fixed deposits by business date, newest first */
  find(
    query?: {
      limit?: number
      from?: string
      to?: string
      type?: LiquidationType
      status?: LiquidationStatus
      account_number?: string
      reference?: string
    },
    options?: CallOptions,
  ): List<ExplainedLiquidation>
  /** Get a liquidation with its explanation */
  get(liquidationId: string, options?: CallOptions): Call<ExplainedLiquidation>
  /** Get the advice letter of a liquidation, as JSON or as a page to print */
  getAdvice(liquidationId: string, options?: CallOptions): Call<Advice>
  /** Take a mistaken liquidation back: opposite entries, and the deposit as if it had not been broken */
  reverse(
    liquidationId: string,
    body: ReverseLiquidationRequest,
    options?: CallOptions,
  ): Call<LiquidationReversal>
}

export type LiquidationRulesOperations = {
  /** Show what other liquidation rules would change; changes nothing */
  foresee(body: ForeseeRulesRequest, options?: CallOptions): Call<Impact>
  /** Get the rule set in force */
  get(options?: CallOptions): Call<LiquidationRules>
  /** Write the next version of the rule set; deposits opened earlier keep theirs */
  replace(body: ReplaceRulesRequest, options?: CallOptions): Call<LiquidationRules>
  /** Get one version of the rule set */
  getVersion(version: number, options?: CallOptions): Call<LiquidationRules>
}

export type ProductsOperations = {
  /** Show what another version of a product would change; changes nothing */
  foresee(productCode: string, body: ForeseeProductRequest, options?: CallOptions): Call<Impact>
  /** Write the next version of a product; deposits opened earlier keep theirs */
  put(productCode: string, body: PutProductRequest, options?: CallOptions): Call<Product>
  /** Get the newest version of a product */
  get(productCode: string, options?: CallOptions): Call<Product>
  /** List the newest version of each product, newest product first */
  list(query?: { limit?: number; status?: ProductStatus }, options?: CallOptions): List<Product>
  /** Get one version of a product */
  getVersion(productCode: string, version: number, options?: CallOptions): Call<Product>
  /** Add a rate sheet: rates by tenor and amount from a day on */
  addRateSheet(productCode: string, body: AddRateSheetRequest, options?: CallOptions): Call<RateSheet>
  /** List the rate sheets of a product, newest first */
  listRateSheets(productCode: string, query?: { limit?: number }, options?: CallOptions): List<RateSheet>
  /** Get a rate sheet */
  getRateSheet(productCode: string, number: number, options?: CallOptions): Call<RateSheet>
  /** What a product would pay, with its schedule; changes nothing */
  quote(productCode: string, body: QuoteProductRequest, options?: CallOptions): Call<ProductQuote>
}

export type ApprovalPolicyOperations = {
  /** Show what another approval policy would hold; changes nothing */
  foreseePolicy(body: ForeseePolicyRequest, options?: CallOptions): Call<Impact>
  /** Get the approval policy in force */
  get(options?: CallOptions): Call<ApprovalPolicy>
  /** Write the next version of the approval policy: which operations wait for other people */
  replace(body: ReplaceApprovalPolicyRequest, options?: CallOptions): Call<ApprovalPolicy>
  /** Get one version of the approval policy */
  getVersion(version: number, options?: CallOptions): Call<ApprovalPolicy>
}

export type CustomersOperations = {
  /** Change e-mail, phone number or address of a customer; omitted fields stay */
  update(customerId: string, body: UpdateCustomerRequest, options?: CallOptions): Call<Customer>
  /** Get a customer */
  get(customerId: string, options?: CallOptions): Call<Customer>
  /** Create a customer */
  create(body: CreateCustomerRequest, options?: CallOptions): Call<Customer>
  /** List customers, newest first, or find the best matches of a few letters or digits */
  list(
    query?: { limit?: number; q?: string; email?: string; phone_number?: string; external_id?: string },
    options?: CallOptions,
  ): List<Customer>
  /** Get the interest and tax of a customer in a span of business dates, as JSON or as a page to print */
  getInterestCertificate(
    customerId: string,
    query: { from: string; to: string },
    options?: CallOptions,
  ): Call<InterestCertificate>
  /** Get the tax status of a customer; STANDARD where none was set */
  getTaxStatus(customerId: string, options?: CallOptions): Call<TaxStatus>
  /** Set the tax class of a customer; what is left out becomes null */
  putTaxStatus(customerId: string, body: PutTaxStatusRequest, options?: CallOptions): Call<TaxStatus>
}

export type AccountsOperations = {
  /** Open an account for a customer */
  open(body: OpenAccountRequest, options?: CallOptions): Call<Account>
  /** List accounts, newest first */
  list(
    query?: { limit?: number; customer_id?: string; external_id?: string },
    options?: CallOptions,
  ): List<Account>
  /** Get an account with its balance */
  get(accountNumber: string, options?: CallOptions): Call<Account>
  /** Credit an account */
  credit(accountNumber: string, body: CreditAccountRequest, options?: CallOptions): Call<LedgerEntry>
}

export type BusinessCalendarOperations = {
  /** Get the business calendar; before the first one no day is closed */
  getCalendar(options?: CallOptions): Call<BusinessCalendar>
  /** Write the next version of the business calendar; deposits opened earlier keep their maturity */
  replaceCalendar(body: ReplaceCalendarRequest, options?: CallOptions): Call<BusinessCalendar>
  /** Get one version of the business calendar */
  getCalendarVersion(version: number, options?: CallOptions): Call<BusinessCalendar>
}

export type TaxRulesOperations = {
  /** Get the newest version of the tax rules */
  get(options?: CallOptions): Call<TaxRules>
  /** Write the next version of the tax rules: what is withheld of interest when it is paid */
  replace(body: ReplaceTaxRulesRequest, options?: CallOptions): Call<TaxRules>
  /** Get one version of the tax rules */
  getVersion(version: number, options?: CallOptions): Call<TaxRules>
}

export type LiensOperations = {
  /** Get a lien */
  get(lienId: string, options?: CallOptions): Call<Lien>
  /** Release a lien, so that the principal it held can be withdrawn */
  release(lienId: string, body: ReleaseLienRequest, options?: CallOptions): Call<Lien>
}

export type ApprovalsOperations = {
  /** Ask for the approval of an operation; it is tried, and carried out when others have approved */
  request(body: RequestApprovalRequest, options?: CallOptions): Call<Approval>
  /** List approvals, newest first */
  list(
    query?: { limit?: number; status?: ApprovalStatus; operation?: ApprovableOperation; target_id?: string },
    options?: CallOptions,
  ): List<Approval>
  /** Get an approval, with what the operation would come to now */
  get(approvalId: string, options?: CallOptions): Call<Approval>
  /** Approve; the last vote carries the operation out, with the figures of that moment */
  approve(approvalId: string, body: ApproveApprovalRequest, options?: CallOptions): Call<Approval>
  /** Reject; the operation is not carried out */
  reject(approvalId: string, body: RejectApprovalRequest, options?: CallOptions): Call<Approval>
  /** Take your own request back */
  cancel(approvalId: string, options?: CallOptions): Call<Approval>
}

export type BatchesOperations = {
  /** Create a batch, whose lines are sent next; also needs the scope of its operation */
  createBatch(body: CreateBatchRequest, options?: CallOptions): Call<Batch>
  /** List batches, newest first */
  list(
    query?: { limit?: number; status?: BatchStatus; operation?: BatchOperation },
    options?: CallOptions,
  ): List<Batch>
  /** Get a batch, with how far it has come */
  getBatch(batchId: string, options?: CallOptions): Call<Batch>
  /** Send the next part: up to 10,000 lines of JSON; the same part again changes nothing */
  sendBatchPart(batchId: string, part: number, lines: string, options?: CallOptions): Call<Batch>
  /** Start a batch: its lines are carried out in order, as if each was sent by itself */
  startBatch(batchId: string, body: StartBatchRequest, options?: CallOptions): Call<Batch>
  /** Cancel a batch: what is done stays, the other lines are skipped */
  cancelBatch(batchId: string, options?: CallOptions): Call<Batch>
  /** What became of the lines, in their order; with Accept: application/x-ndjson as a file */
  listBatchResults(
    batchId: string,
    query?: { limit?: number; outcome?: LineOutcome },
    options?: CallOptions,
  ): List<BatchResult>
}

export type ReportsOperations = {
  /** Sum the liquidations of a span of business dates */
  reportLiquidations(
    query: { from: string; to: string; group_by?: ReportGroup },
    options?: CallOptions,
  ): Call<LiquidationReport>
  /** Sum interest and withheld tax of a span of business dates by customer and class */
  reportTax(query: { from: string; to: string }, options?: CallOptions): Call<TaxReport>
  /** Sum the principal and interest that fall due in a span of business dates by day and instruction */
  reportCashFlow(query: { from: string; to: string }, options?: CallOptions): Call<CashFlow>
  /** Interest earned and not paid, and paid and not earned, of each deposit at the close of a business date */
  reportAccruals(query: { date: string }, options?: CallOptions): Call<Accrual[]>
}

export type ExportsOperations = {
  /** Export the fixed deposits that were opened in a span of business dates */
  exportDeposits(query: { from: string; to: string }, options?: CallOptions): Call<FixedDeposit[]>
  /** Export the liquidations of a span of business dates */
  exportLiquidations(query: { from: string; to: string }, options?: CallOptions): Call<KeptLiquidation[]>
  /** Export the ledger entries of a span of business dates */
  exportLedgerEntries(query: { from: string; to: string }, options?: CallOptions): Call<ExportedLedgerEntry[]>
  /** Export the taxed interest of a span of business dates, movement by movement */
  exportTax(query: { from: string; to: string }, options?: CallOptions): Call<TaxedMovement[]>
  /** Export the interest that was paid before maturity in a span of business dates */
  exportInterestPayments(
    query: { from: string; to: string },
    options?: CallOptions,
  ): Call<ExportedInterestPayment[]>
  /** Export the requests for approval that were made in a span of business dates */
  exportApprovals(query: { from: string; to: string }, options?: CallOptions): Call<Approval[]>
}

export type LedgerEntriesOperations = {
  /** List ledger entries, newest first; the lines of an entry sum to zero */
  list(
    query?: { limit?: number; account_number?: string; deposit_id?: string; liquidation_id?: string },
    options?: CallOptions,
  ): List<LedgerEntry>
}

export type AccountingOperations = {
  /** Get how interest is accrued, and the codes of the general ledger */
  get(options?: CallOptions): Call<Accounting>
  /** Write the next version of accruals and codes, in force from the close of this business date on */
  replace(body: ReplaceAccountingRequest, options?: CallOptions): Call<Accounting>
  /** Get one version of accruals and codes */
  getVersion(version: number, options?: CallOptions): Call<Accounting>
}

export type EventsOperations = {
  /** List events, newest first */
  list(query?: { limit?: number; type?: EventType }, options?: CallOptions): List<Event>
  /** Get an event */
  get(eventId: string, options?: CallOptions): Call<Event>
  /** Send an event again to every endpoint that is enabled and subscribed */
  redeliver(eventId: string, options?: CallOptions): Call<RedeliveredEvent>
  /** Prove that an event is covered by a seal, against the head of this or a later one */
  getProof(eventId: string, query?: { seal_no?: number }, options?: CallOptions): Call<EventProof>
}

export type SealsOperations = {
  /** List the seals of the book, newest first */
  list(query?: { limit?: number }, options?: CallOptions): List<Seal>
}

export type WebhookEndpointsOperations = {
  /** Create a webhook endpoint; its secret is shown once */
  create(body: CreateWebhookEndpointRequest, options?: CallOptions): Call<EndpointWithSecret>
  /** List webhook endpoints, newest first */
  list(query?: { limit?: number }, options?: CallOptions): List<WebhookEndpoint>
  /** Get a webhook endpoint */
  get(webhookEndpointId: string, options?: CallOptions): Call<WebhookEndpoint>
  /** Change a webhook endpoint, or disable or enable it; omitted fields stay */
  update(
    webhookEndpointId: string,
    body: UpdateWebhookEndpointRequest,
    options?: CallOptions,
  ): Call<WebhookEndpoint>
  /** Delete a webhook endpoint; nothing more is sent to it */
  delete(webhookEndpointId: string, options?: CallOptions): Call<WebhookEndpoint>
  /** Replace the secret; for the overlap messages are signed with both */
  rotateWebhookSecret(
    webhookEndpointId: string,
    body: RotateWebhookSecretRequest,
    options?: CallOptions,
  ): Call<EndpointWithSecret>
  /** Send a ping to a webhook endpoint */
  ping(webhookEndpointId: string, options?: CallOptions): Call<PingEvent>
  /** List what was sent to a webhook endpoint or is still to be sent, newest first */
  listWebhookDeliveries(
    webhookEndpointId: string,
    query?: { limit?: number },
    options?: CallOptions,
  ): List<WebhookDelivery>
}

export type ApiKeysOperations = {
  /** Create an API key that may do at most what yours may; it is shown once */
  create(body: CreateApiKeyRequest, options?: CallOptions): Call<IssuedApiKey>
  /** List API keys, newest first */
  list(query?: { limit?: number }, options?: CallOptions): List<ApiKey>
  /** Get the API key of this request */
  getCurrent(options?: CallOptions): Call<ApiKey>
  /** Revoke an API key; it stops within one second on every instance */
  revoke(apiKeyId: string, options?: CallOptions): Call<ApiKey>
  /** Replace an API key; the old one works until the overlap ends */
  roll(apiKeyId: string, body: RollApiKeyRequest, options?: CallOptions): Call<IssuedApiKey>
}

export type TestClockOperations = {
  /** Get the time of the test book's own clock */
  get(options?: CallOptions): Call<TestClock>
  /** Move the test book's clock forward and settle what becomes due, before it answers */
  move(body: MoveTestClockRequest, options?: CallOptions): Call<TestClock>
}

export type AuditLogOperations = {
  /** List every committed change, newest first: who, when, what, and old and new personal values */
  list(
    query?: {
      limit?: number
      subject_id?: string
      action?: string
      api_key_id?: string
      from?: string
      to?: string
    },
    options?: CallOptions,
  ): List<AuditedChange>
}

export type ServiceOperations = {
  /** Get this document */
  getOpenApi(options?: CallOptions): Call<JsonObject>
  /** Read this document as a page */
  getReference(options?: CallOptions): Call<string>
  /** Ask whether the process is alive */
  getHealth(options?: CallOptions): Call<Nothing>
  /** Ask whether the service takes requests */
  getReadiness(options?: CallOptions): Call<Nothing>
  /** Get figures for Prometheus */
  getMetrics(options?: CallOptions): Call<string>
}

/** The service: one member for each kind of record. */
export type Breakwater = {
  readonly fixedDeposits: FixedDepositsOperations
  readonly liquidations: LiquidationsOperations
  readonly liquidationRules: LiquidationRulesOperations
  readonly products: ProductsOperations
  readonly approvalPolicy: ApprovalPolicyOperations
  readonly customers: CustomersOperations
  readonly accounts: AccountsOperations
  readonly businessCalendar: BusinessCalendarOperations
  readonly taxRules: TaxRulesOperations
  readonly liens: LiensOperations
  readonly approvals: ApprovalsOperations
  readonly batches: BatchesOperations
  readonly reports: ReportsOperations
  readonly exports: ExportsOperations
  readonly ledgerEntries: LedgerEntriesOperations
  readonly accounting: AccountingOperations
  readonly events: EventsOperations
  readonly seals: SealsOperations
  readonly webhookEndpoints: WebhookEndpointsOperations
  readonly apiKeys: ApiKeysOperations
  readonly testClock: TestClockOperations
  readonly auditLog: AuditLogOperations
  readonly service: ServiceOperations
}
