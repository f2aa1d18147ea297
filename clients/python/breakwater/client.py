"""Generated from openapi.json by tools/clients.ts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal, TypeAlias, TypedDict

from .transport import Pages, Response, Transport

ErrorCode: TypeAlias = Literal[
    "malformed_request",
    "malformed_json",
    "invalid_idempotency_key",
    "invalid_request",
    "missing_authorization",
    "malformed_authorization",
    "invalid_api_key",
    "api_key_revoked",
    "api_key_expired",
    "scope_escalation",
    "key_escalation",
    "maker_cannot_approve",
    "person_required",
    "decider_too_new",
    "key_too_new",
    "not_your_request",
    "insufficient_scope",
    "test_mode_only",
    "customer_not_found",
    "account_not_found",
    "deposit_not_found",
    "product_not_found",
    "rate_sheet_not_found",
    "approval_not_found",
    "lien_not_found",
    "liquidation_not_found",
    "batch_not_found",
    "event_not_found",
    "seal_not_found",
    "webhook_endpoint_not_found",
    "api_key_not_found",
    "route_not_found",
    "document_version_not_found",
    "rules_version_not_found",
    "method_not_allowed",
    "request_timeout",
    "external_id_taken",
    "figures_changed",
    "product_closed",
    "liquidation_already_reversed",
    "not_latest_movement",
    "deposit_matured",
    "deposit_not_active",
    "approval_already_pending",
    "approval_not_pending",
    "event_not_sealed",
    "already_voted",
    "lien_not_active",
    "account_number_taken",
    "part_already_sent",
    "part_missing",
    "batch_not_uploading",
    "batch_finished",
    "api_key_not_active",
    "body_too_large",
    "unsupported_media_type",
    "partial_liquidation_not_allowed",
    "liquidation_locked",
    "amount_not_whole",
    "amount_conflicts_with_full",
    "amount_exceeds_principal",
    "amount_equals_principal",
    "amount_below_minimum",
    "remaining_below_minimum",
    "currency_mismatch",
    "amount_not_offered",
    "tenor_not_offered",
    "no_rate_sheet",
    "bonus_not_offered",
    "rate_not_negotiable",
    "rate_out_of_range",
    "party_is_holder",
    "upfront_interest_too_high",
    "effective_date_before_last",
    "effective_date_in_past",
    "too_many_products",
    "too_many_rate_sheets",
    "approval_required",
    "too_few_deciders",
    "interest_paid_to_invalid",
    "maturity_date_invalid",
    "too_many_batches",
    "control_totals_differ",
    "too_many_approvals",
    "amount_under_lien",
    "deposit_under_lien",
    "lien_exceeds_principal",
    "too_many_liens",
    "nothing_to_waive",
    "waiver_exceeds_charge",
    "balance_limit_exceeded",
    "reversal_window_closed",
    "insufficient_funds",
    "start_date_in_future",
    "start_date_too_early",
    "maturity_value_out_of_range",
    "as_of_before_start",
    "as_of_before_paid_interest",
    "expires_at_in_past",
    "clock_moves_forward_only",
    "clock_move_too_far",
    "idempotency_key_reused",
    "rate_limited",
    "headers_too_large",
    "internal_error",
    "service_unavailable",
    "insufficient_storage",
    "clock_unsure",
    "outcome_unknown",
]


class Liquidation(TypedDict):
    deposit_id: str
    status: StatusAfterLiquidation
    principal_returned: Decimal
    interest_paid: Decimal
    penal_charge: Decimal
    total_credited: Decimal
    credited_account: str
    liquidated_at: str
    liquidation_id: str
    liquidation_type: LiquidationType
    remaining_principal: Decimal
    currency: str
    penal_assessed: Decimal
    penal_waived: Decimal
    waiver: Waiver | None
    adjustments: list[Adjustment]
    net_credited: Decimal
    reference: str | None
    reason: str | None

StatusAfterLiquidation: TypeAlias = "Literal['LIQUIDATED', 'ACTIVE']"

Amount: TypeAlias = "Decimal"

LiquidationType: TypeAlias = "Literal['FULL', 'PARTIAL']"


class Waiver(TypedDict):
    percent: Decimal | None
    amount: Decimal | None
    holding_period: bool
    reason: str


class Adjustment(TypedDict):
    kind: AdjustmentKind
    amount: Decimal

AdjustmentKind: TypeAlias = "Literal['UNEARNED_INTEREST', 'WITHHOLDING_TAX', 'PENAL_RECOVERY', 'TAX_RETURNED']"

SignedAmount: TypeAlias = "Decimal"


class _LiquidateFixedDepositRequest(TypedDict):
    liquidation_type: LiquidationType


class LiquidateFixedDepositRequest(_LiquidateFixedDepositRequest, total=False):
    amount: Decimal | str | None
    waiver: NewWaiver | None
    expected_net_credited: Decimal | str | None
    reference: str | None
    reason: str | None


class _NewWaiver(TypedDict):
    reason: str


class NewWaiver(_NewWaiver, total=False):
    percent: Decimal | str
    amount: Decimal | str
    holding_period: bool
    note: str


class LiquidationQuote(TypedDict):
    deposit_id: str
    liquidation_type: LiquidationType
    status: StatusAfterLiquidation
    principal_returned: Decimal
    interest_paid: Decimal
    penal_charge: Decimal
    total_credited: Decimal
    credited_account: str
    remaining_principal: Decimal
    currency: str
    as_of: str
    explanation: Explanation
    penal_assessed: Decimal
    penal_waived: Decimal
    waiver: Waiver | None
    adjustments: list[Adjustment]
    net_credited: Decimal
    approval_required: bool


class Explanation(TypedDict):
    business_date: str
    start_date: str
    maturity_date: str
    elapsed_days: int
    term_days: int
    day_count: DayCount
    rounding: Rounding
    interest_rate: Decimal
    principal: Decimal
    unrounded_interest: Decimal
    interest: Decimal
    rules_version: int
    rule_index: int | None
    no_rule_reason: NoRuleReason | None
    terms: list[ExplainedTerm]
    combine: Combination | None
    combined: Decimal | None
    limited: Decimal | None
    capped_from: Decimal | None
    penal_charge: Decimal
    earlier_today: BrokenEarlier | None
    tax: TaxExplanation | None
    interest_method: InterestMethod
    interest_every: InterestPeriod | None
    whole_periods: int
    growth: Decimal
    earned: Decimal
    paid_share: Decimal
    charged_to_accrued: Decimal
    charged_to_paid: Decimal
    uncollected: Decimal
    rules_source: RulesSource
    product_version: int | None
    rate_sheet: int | None
    rate_sheet_now: int | None

DayCount: TypeAlias = "Literal['ACT/365F', 'ACT/360', 'ACT/ACT', '30/360', '30E/360', 'MONTHS']"

Rounding: TypeAlias = "Literal['HALF_UP', 'HALF_EVEN', 'DOWN']"

NoRuleReason: TypeAlias = "Literal['MATURED', 'NO_RULE_MATCHED']"


class ExplainedTerm(TypedDict):
    kind: TermKind
    amount: Decimal
    sentence: str

TermKind: TypeAlias = "Literal['FIXED', 'PERCENT', 'PERIOD_INTEREST', 'RERATE']"

UncappedAmount: TypeAlias = "Decimal"

Combination: TypeAlias = "Literal['SUM', 'MAX', 'MIN']"


class BrokenEarlier(TypedDict):
    principal: Decimal
    interest: Decimal
    penal_assessed: Decimal
    paid_share: Decimal
    unearned: Decimal
    recovered: Decimal


class TaxExplanation(TypedDict):
    version: int
    base: TaxBase
    rate: Decimal
    taxable_interest: Decimal
    withheld_earlier: Decimal

TaxBase: TypeAlias = "Literal['NET', 'GROSS']"

InterestMethod: TypeAlias = "Literal['AT_MATURITY', 'COMPOUND', 'PAYOUT', 'UPFRONT']"

InterestPeriod: TypeAlias = "Literal['DAY', 'MONTH', 'QUARTER', 'HALF_YEAR', 'YEAR']"

RulesSource: TypeAlias = "Literal['CALLER', 'PRODUCT']"


class _QuoteLiquidationRequest(TypedDict):
    liquidation_type: LiquidationType


class QuoteLiquidationRequest(_QuoteLiquidationRequest, total=False):
    amount: Decimal | str | None
    waiver: NewWaiver | None
    as_of: str


class ExplainedLiquidation(TypedDict):
    deposit_id: str
    status: StatusAfterLiquidation
    principal_returned: Decimal
    interest_paid: Decimal
    penal_charge: Decimal
    total_credited: Decimal
    credited_account: str
    liquidated_at: str
    liquidation_id: str
    liquidation_type: LiquidationType
    remaining_principal: Decimal
    currency: str
    explanation: Explanation
    penal_assessed: Decimal
    penal_waived: Decimal
    waiver: NotedWaiver | None
    adjustments: list[Adjustment]
    net_credited: Decimal
    reference: str | None
    reason: str | None
    reversed_at: str | None


class NotedWaiver(TypedDict):
    percent: Decimal | None
    amount: Decimal | None
    holding_period: bool
    reason: str
    note: str | None

LiquidationStatus: TypeAlias = "Literal['COMPLETED', 'REVERSED']"


class Advice(TypedDict):
    bank: str
    holder: Holder
    issued_on: str
    liquidation: ExplainedLiquidation
    worked_out: list[str]


class Holder(TypedDict):
    customer_id: str
    name: str
    address: str


class Outlook(TypedDict):
    points: list[OutlookPoint]
    break_even_on: str | None
    next_better_day: BetterDay | None


class OutlookPoint(TypedDict):
    date: str
    net: Decimal
    interest_kept: Decimal
    penal_charge: Decimal
    tax: Decimal


class BetterDay(TypedDict):
    date: str
    gains: Decimal


class Impact(TypedDict):
    liquidations: LiquidationImpact
    rollovers: RolloverImpact
    held: HeldImpact
    worst: list[WorstDeposit]
    complete: bool


class LiquidationImpact(TypedDict):
    count: int
    charge_now: Decimal
    charge_proposed: Decimal
    interest_now: Decimal
    interest_proposed: Decimal
    refused_now: int
    refused_proposed: int

AmountSum: TypeAlias = "Decimal"


class RolloverImpact(TypedDict):
    count: int
    interest_now: Decimal
    interest_proposed: Decimal
    refused_now: int
    refused_proposed: int


class HeldImpact(TypedDict):
    now: int
    proposed: int


class WorstDeposit(TypedDict):
    deposit_id: str
    charge_now: Decimal
    charge_proposed: Decimal


class ForeseeRulesRequest(TypedDict):
    day_count: DayCount
    rounding: Rounding
    allow_partial: bool
    min_partial_amount: Decimal | str
    min_remaining_principal: Decimal | str
    min_holding_days: int
    penal_rules: Sequence[NewPenalRule]


class _NewPenalRule(TypedDict):
    when: PenalConditionsInput
    terms: Sequence[FixedTermInput | PercentTermInput | PeriodInterestTermInput | RerateTermInput]


class NewPenalRule(_NewPenalRule, total=False):
    combine: Combination
    min: Decimal | str
    max: Decimal | str | None


class PenalConditions(TypedDict, total=False):
    elapsed_days: DaysRange
    elapsed_percent: PercentRange
    remaining_days: DaysRange
    remaining_percent: PercentRange
    term_days: DaysRange
    amount: AmountRange
    rollovers: CountRange
    earlier_liquidations: CountRange


class PenalConditionsInput(TypedDict, total=False):
    elapsed_days: DaysRange
    elapsed_percent: PercentRangeInput
    remaining_days: DaysRange
    remaining_percent: PercentRangeInput
    term_days: DaysRange
    amount: AmountRangeInput
    rollovers: CountRange
    earlier_liquidations: CountRange


class DaysRange(TypedDict, total=False):
    gte: int
    lt: int


class PercentRange(TypedDict, total=False):
    gte: Decimal
    lt: Decimal


class PercentRangeInput(TypedDict, total=False):
    gte: Decimal | str
    lt: Decimal | str


class AmountRange(TypedDict, total=False):
    gte: Decimal
    lt: Decimal


class AmountRangeInput(TypedDict, total=False):
    gte: Decimal | str
    lt: Decimal | str


class CountRange(TypedDict, total=False):
    gte: int
    lt: int


class FixedTerm(TypedDict):
    kind: Literal["FIXED"]
    amount: Decimal


class FixedTermInput(TypedDict):
    kind: Literal["FIXED"]
    amount: Decimal | str


class PercentTerm(TypedDict):
    kind: Literal["PERCENT"]
    of: Literal["ACCRUED_INTEREST", "PRINCIPAL", "TERM_INTEREST"]
    percent: Decimal


class PercentTermInput(TypedDict):
    kind: Literal["PERCENT"]
    of: Literal["ACCRUED_INTEREST", "PRINCIPAL", "TERM_INTEREST"]
    percent: Decimal | str


class _PeriodInterestTerm(TypedDict):
    kind: Literal["PERIOD_INTEREST"]
    period: Literal["REMAINING"] | PenalPeriod


class PeriodInterestTerm(_PeriodInterestTerm, total=False):
    rate: PenalRate


class _PeriodInterestTermInput(TypedDict):
    kind: Literal["PERIOD_INTEREST"]
    period: Literal["REMAINING"] | PenalPeriod


class PeriodInterestTermInput(_PeriodInterestTermInput, total=False):
    rate: PenalRateInput


class PenalPeriod(TypedDict):
    days: int


class _PenalRate(TypedDict):
    of: RateBase


class PenalRate(_PenalRate, total=False):
    value: Decimal
    multiply: Literal["ELAPSED_FRACTION"] | Decimal
    add: Decimal


class _PenalRateInput(TypedDict):
    of: RateBase


class PenalRateInput(_PenalRateInput, total=False):
    value: Decimal | str
    multiply: Literal["ELAPSED_FRACTION"] | Decimal | str
    add: Decimal | str

RateBase: TypeAlias = "Literal['CONTRACT', 'FIXED', 'CARD_AT_OPENING', 'CARD_NOW']"


class RerateTerm(TypedDict):
    kind: Literal["RERATE"]
    rate: PenalRate


class RerateTermInput(TypedDict):
    kind: Literal["RERATE"]
    rate: PenalRateInput


class ForeseeProductRequest(TypedDict):
    name: str
    currency: str
    status: ProductStatus
    min_amount: Decimal | str
    max_amount: Decimal | str | None
    tenor: OfferedTenor
    interest: ProductInterest
    maturity: ProductMaturity
    negotiated_rate: NegotiatedRateInput | None
    bonuses: BonusesInput
    rules: ProductRules | None

ProductStatus: TypeAlias = "Literal['OPEN', 'CLOSED']"


class OfferedTenor(TypedDict):
    unit: TenorUnit
    min: int
    max: int
    multiple: int

TenorUnit: TypeAlias = "Literal['DAY', 'MONTH']"


class ProductInterest(TypedDict):
    method: InterestMethod
    every: InterestPeriod | None
    recover_paid_interest: bool


class ProductMaturity(TypedDict):
    on_holiday: HolidayRule
    instruction: MaturityInstruction
    rollover_limit: int | None

HolidayRule: TypeAlias = "Literal['SAME_DAY', 'NEXT_BUSINESS_DAY']"

MaturityInstruction: TypeAlias = "Literal['PAY_OUT', 'ROLL_OVER', 'ROLL_OVER_PRINCIPAL']"


class NegotiatedRate(TypedDict):
    min: Decimal
    max: Decimal


class NegotiatedRateInput(TypedDict):
    min: Decimal | str
    max: Decimal | str


class Bonuses(TypedDict):
    pass


class BonusesInput(TypedDict):
    pass


class ProductRules(TypedDict):
    day_count: DayCount
    rounding: Rounding
    allow_partial: bool
    min_partial_amount: Decimal | str
    min_remaining_principal: Decimal | str
    min_holding_days: int
    penal_rules: Sequence[NewPenalRule]


class _ForeseePolicyRequest(TypedDict):
    expires_after_hours: int
    rules: Sequence[ApprovalRuleInput]


class ForeseePolicyRequest(_ForeseePolicyRequest, total=False):
    deciders: Deciders

Deciders: TypeAlias = "Literal['PERSON', 'ANY']"


class ApprovalRule(TypedDict):
    operation: ApprovableOperation
    when: ApprovalConditions
    approvals: int


class ApprovalRuleInput(TypedDict):
    operation: ApprovableOperation
    when: ApprovalConditionsInput
    approvals: int

ApprovableOperation: TypeAlias = "Literal['openFixedDeposit', 'liquidateFixedDeposit', 'reverseLiquidation', 'placeLien', 'releaseLien', 'creditAccount', 'replaceRules', 'replaceTaxRules', 'putTaxStatus', 'replaceApprovalPolicy', 'putProduct', 'addRateSheet', 'replaceCalendar', 'replaceAccounting', 'startBatch']"


class ApprovalConditions(TypedDict, total=False):
    amount: AmountRange
    net_credited: AmountRange
    waived_amount: AmountRange
    waived_percent: PercentRange
    negotiated_points: PointsRange
    contact_changed_hours: HoursRange
    waiver: bool
    sum: SumCondition


class ApprovalConditionsInput(TypedDict, total=False):
    amount: AmountRangeInput
    net_credited: AmountRangeInput
    waived_amount: AmountRangeInput
    waived_percent: PercentRangeInput
    negotiated_points: PointsRangeInput
    contact_changed_hours: HoursRange
    waiver: bool
    sum: SumConditionInput


class PointsRange(TypedDict, total=False):
    gte: Decimal
    lt: Decimal


class PointsRangeInput(TypedDict, total=False):
    gte: Decimal | str
    lt: Decimal | str


class HoursRange(TypedDict, total=False):
    gte: int
    lt: int


class SumCondition(TypedDict):
    of: SumOf
    days: int
    amount: AmountRange


class SumConditionInput(TypedDict):
    of: SumOf
    days: int
    amount: AmountRangeInput

SumOf: TypeAlias = "Literal['DEPOSIT', 'CUSTOMER', 'ACTOR']"


class LiquidationReversal(TypedDict):
    liquidation_id: str
    reversed_at: str
    deposit: FixedDeposit


class FixedDeposit(TypedDict):
    deposit_id: str
    customer_id: str
    account_number: str
    status: DepositStatus
    currency: str
    principal: Decimal
    remaining_principal: Decimal
    interest_rate: Decimal
    tenor: int
    start_date: str
    maturity_date: str
    expected_interest: Decimal
    accrued_interest: Decimal
    auto_rollover: bool
    rules_version: int
    created_at: str
    updated_at: str
    liquidated_at: str | None
    rolled_over_to: str | None
    lien_amount: Decimal
    pending_approval_id: str | None
    pending_approval_requested_by: Actor | None
    external_id: str | None
    metadata: Metadata
    product_code: str | None
    product_version: int | None
    rate_sheet: int | None
    bonuses: list[str] | None
    bonus: Decimal | None
    rules_source: RulesSource
    agreed_tenor: AgreedTenor
    interest_method: InterestMethod
    interest_every: InterestPeriod | None
    recover_paid_interest: bool
    interest_paid_out: Decimal
    interest_paid_to: str | None
    next_interest_date: str | None
    maturity_instruction: MaturityInstruction
    rollovers: int

DepositStatus: TypeAlias = "Literal['ACTIVE', 'LIQUIDATED', 'MATURED', 'ROLLED_OVER']"


class Actor(TypedDict):
    kind: ActorKind
    id: str
    name: str | None

ActorKind: TypeAlias = "Literal['KEY', 'PERSON', 'OPERATOR', 'JOB']"

Metadata: TypeAlias = "Mapping[str, str]"


class AgreedTenor(TypedDict):
    unit: TenorUnit
    count: int


class _ReverseLiquidationRequest(TypedDict):
    reason: str


class ReverseLiquidationRequest(_ReverseLiquidationRequest, total=False):
    note: str

InterestPayment = TypedDict("InterestPayment", {
    "from": "str",
    "to": "str",
    "principal": "Decimal",
    "interest": "Decimal",
    "tax": "Decimal",
    "net": "Decimal",
    "business_date": "str",
    "entry_id": "str | None",
})


class PutMaturityInstructionRequest(TypedDict):
    maturity_instruction: MaturityInstruction


class Parties(TypedDict):
    deposit_id: str
    mandate: Mandate
    parties: list[Party]

Mandate: TypeAlias = "Literal['ANY', 'ALL']"


class Party(TypedDict):
    customer_id: str
    name: str
    role: PartyRole

PartyRole: TypeAlias = "Literal['JOINT', 'NOMINEE', 'GUARDIAN']"


class PutPartiesRequest(TypedDict):
    mandate: Mandate
    parties: Sequence[NewParty]


class NewParty(TypedDict):
    customer_id: str
    role: PartyRole


class Customer(TypedDict):
    customer_id: str
    first_name: str
    last_name: str
    email: str
    phone_number: str
    address: str
    created_at: str
    updated_at: str
    external_id: str | None
    metadata: Metadata


class UpdateCustomerRequest(TypedDict, total=False):
    email: str
    phone_number: str
    address: str


class _CreateCustomerRequest(TypedDict):
    first_name: str
    last_name: str
    email: str
    phone_number: str
    address: str


class CreateCustomerRequest(_CreateCustomerRequest, total=False):
    external_id: str
    metadata: Metadata


class Account(TypedDict):
    account_number: str
    customer_id: str
    currency: str
    balance: Decimal
    created_at: str
    external_id: str | None
    metadata: Metadata


class _OpenAccountRequest(TypedDict):
    customer_id: str


class OpenAccountRequest(_OpenAccountRequest, total=False):
    currency: str
    external_id: str
    metadata: Metadata


class LedgerEntry(TypedDict):
    entry_id: str
    kind: LedgerEntryKind
    account_number: str | None
    deposit_id: str | None
    liquidation_id: str | None
    narration: str | None
    created_at: str
    lines: list[LedgerLine]
    reverses: str | None
    business_date: str | None

LedgerEntryKind: TypeAlias = "Literal['ACCOUNT_CREDIT', 'DEPOSIT_OPENING', 'LIQUIDATION', 'MATURITY', 'REVERSAL', 'WITHHOLDING_TAX', 'INTEREST_PAYOUT', 'INTEREST_RECOVERY', 'TAX_RETURN', 'IMPORT', 'ACCRUAL']"


class LedgerLine(TypedDict):
    account: str
    amount: Decimal


class _CreditAccountRequest(TypedDict):
    amount: Decimal | str


class CreditAccountRequest(_CreditAccountRequest, total=False):
    narration: str


class _OpenFixedDepositRequest(TypedDict):
    account_number: str
    amount: Decimal | str


class OpenFixedDepositRequest(_OpenFixedDepositRequest, total=False):
    product_code: str
    tenor: int
    tenor_months: int
    interest_rate: Decimal | str
    bonuses: Sequence[str]
    auto_rollover: bool
    maturity_instruction: MaturityInstruction
    start_date: str
    expected_interest_rate: Decimal | str
    external_id: str
    metadata: Metadata


class Product(TypedDict):
    product_code: str
    version: int
    name: str
    currency: str
    status: ProductStatus
    min_amount: Decimal
    max_amount: Decimal | None
    tenor: OfferedTenor
    interest: ProductInterest
    maturity: ProductMaturity
    negotiated_rate: NegotiatedRate | None
    bonuses: Bonuses
    rules: RuleSet | None
    created_at: str


class RuleSet(TypedDict):
    day_count: DayCount
    rounding: Rounding
    allow_partial: bool
    min_partial_amount: Decimal
    min_remaining_principal: Decimal
    min_holding_days: int
    penal_rules: list[PenalRule]


class PenalRule(TypedDict):
    when: PenalConditions
    terms: list[FixedTerm | PercentTerm | PeriodInterestTerm | RerateTerm]
    combine: Combination
    min: Decimal
    max: Decimal | None


class PutProductRequest(TypedDict):
    name: str
    currency: str
    status: ProductStatus
    min_amount: Decimal | str
    max_amount: Decimal | str | None
    tenor: OfferedTenor
    interest: ProductInterest
    maturity: ProductMaturity
    negotiated_rate: NegotiatedRateInput | None
    bonuses: BonusesInput
    rules: ProductRules | None


class RateSheet(TypedDict):
    product_code: str
    number: int
    effective_from: str
    tenor_unit: TenorUnit
    tenor_from: list[int]
    amount_from: list[Decimal]
    rates: list[list[Decimal]]
    created_at: str


class AddRateSheetRequest(TypedDict):
    effective_from: str
    tenor_unit: TenorUnit
    tenor_from: Sequence[int]
    amount_from: Sequence[Decimal | str]
    rates: Sequence[Sequence[Decimal | str]]


class _ProductQuote(TypedDict):
    interest_rate: Decimal
    rate_sheet: int
    start_date: str
    maturity_date: str
    schedule: list[InterestPeriodOfQuote]
    expected_interest: Decimal
    estimated_tax: Decimal
    effective_annual_rate: Decimal


class ProductQuote(_ProductQuote, total=False):
    outlook: Outlook

InterestPeriodOfQuote = TypedDict("InterestPeriodOfQuote", {
    "from": "str",
    "to": "str",
    "interest": "Decimal",
})


class _QuoteProductRequest(TypedDict):
    amount: Decimal | str


class QuoteProductRequest(_QuoteProductRequest, total=False):
    tenor: int
    tenor_months: int
    interest_rate: Decimal | str
    bonuses: Sequence[str]
    start_date: str
    outlook: bool


class BusinessCalendar(TypedDict):
    version: int
    weekend: list[Weekday]
    holidays: list[str]
    created_at: str | None

Weekday: TypeAlias = "Literal['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']"


class ReplaceCalendarRequest(TypedDict):
    weekend: Sequence[Weekday]
    holidays: Sequence[str]


class LiquidationRules(TypedDict):
    version: int
    day_count: DayCount
    rounding: Rounding
    allow_partial: bool
    min_partial_amount: Decimal
    min_remaining_principal: Decimal
    min_holding_days: int
    penal_rules: list[PenalRule]
    created_at: str


class ReplaceRulesRequest(TypedDict):
    day_count: DayCount
    rounding: Rounding
    allow_partial: bool
    min_partial_amount: Decimal | str
    min_remaining_principal: Decimal | str
    min_holding_days: int
    penal_rules: Sequence[NewPenalRule]


class Certificate(TypedDict):
    bank: str
    holder: Holder
    issued_on: str
    deposit_id: str
    account_number: str
    currency: str
    status: DepositStatus
    principal: Decimal
    remaining_principal: Decimal
    interest_rate: Decimal
    tenor: int
    start_date: str
    maturity_date: str
    expected_interest: Decimal
    maturity_value: Decimal
    auto_rollover: bool
    lien_amount: Decimal
    product_code: str | None
    product_name: str | None
    interest_method: InterestMethod
    interest_every: InterestPeriod | None
    agreed_tenor: AgreedTenor
    maturity_instruction: MaturityInstruction
    parties: list[Party]

Statement = TypedDict("Statement", {
    "bank": "str",
    "holder": "Holder",
    "issued_on": "str",
    "deposit_id": "str",
    "account_number": "str",
    "currency": "str",
    "from": "str",
    "to": "str",
    "lines": "list[StatementLine]",
})


class StatementLine(TypedDict):
    date: str
    kind: StatementLineKind
    text: str
    amount: Decimal
    remaining_principal: Decimal
    entry_id: str | None

StatementLineKind: TypeAlias = "Literal['ACCOUNT_CREDIT', 'DEPOSIT_OPENING', 'LIQUIDATION', 'MATURITY', 'REVERSAL', 'WITHHOLDING_TAX', 'INTEREST_PAYOUT', 'INTEREST_RECOVERY', 'TAX_RETURN', 'IMPORT', 'ACCRUAL', 'BROUGHT_FORWARD', 'WAIVER', 'LIEN_PLACED', 'LIEN_RELEASED', 'SUMS']"

InterestCertificate = TypedDict("InterestCertificate", {
    "bank": "str",
    "holder": "Holder",
    "issued_on": "str",
    "from": "str",
    "to": "str",
    "deposits": "list[InterestOfDeposit]",
    "totals": "list[InterestOfCurrency]",
})


class InterestOfDeposit(TypedDict):
    deposit_id: str
    currency: str
    gross_interest: Decimal
    charges: Decimal
    interest_taken_back: Decimal
    tax_withheld: Decimal
    tax_returned: Decimal
    net_interest: Decimal
    entry_ids: list[str]


class InterestOfCurrency(TypedDict):
    currency: str
    gross_interest: Decimal
    charges: Decimal
    interest_taken_back: Decimal
    tax_withheld: Decimal
    tax_returned: Decimal
    net_interest: Decimal


class TaxRules(TypedDict):
    version: int
    effective_from: str
    base: TaxBase
    on_recovery: TaxOnRecovery
    rounding: Rounding
    classes: TaxClasses
    created_at: str

TaxOnRecovery: TypeAlias = "Literal['KEEP', 'RETURN']"


class TaxClasses(TypedDict):
    STANDARD: Decimal


class TaxClassesInput(TypedDict):
    STANDARD: Decimal | str


class ReplaceTaxRulesRequest(TypedDict):
    effective_from: str
    base: TaxBase
    on_recovery: TaxOnRecovery
    rounding: Rounding
    classes: TaxClassesInput


class TaxStatus(TypedDict):
    customer_id: str
    tax_class: str
    reference: str | None
    valid_until: str | None


class _PutTaxStatusRequest(TypedDict):
    tax_class: str


class PutTaxStatusRequest(_PutTaxStatusRequest, total=False):
    reference: str | None
    valid_until: str | None


class Lien(TypedDict):
    lien_id: str
    deposit_id: str
    amount: Decimal
    reason: str
    reference: str | None
    status: LienStatus
    created_at: str
    released_at: str | None
    release_reason: str | None

LienStatus: TypeAlias = "Literal['ACTIVE', 'RELEASED']"


class _PlaceLienRequest(TypedDict):
    amount: Decimal | str
    reason: str


class PlaceLienRequest(_PlaceLienRequest, total=False):
    reference: str
    note: str


class ReleaseLienRequest(TypedDict):
    reason: str


class Approval(TypedDict):
    approval_id: str
    operation: ApprovableOperation
    target_id: str | None
    body: JsonObject
    note: str | None
    status: ApprovalStatus
    preview: JsonObject
    approvals_needed: int
    votes: list[ApprovalVoteCast]
    requested_by: Actor
    requested_at: str
    expires_at: str
    decided_at: str | None
    result: JsonObject | None
    decision_reason: str | None

JsonObject: TypeAlias = "Mapping[str, Any]"

ApprovalStatus: TypeAlias = "Literal['PENDING', 'APPROVED', 'REJECTED', 'CANCELLED', 'EXPIRED']"


class ApprovalVoteCast(TypedDict):
    actor: Actor
    at: str


class _RequestApprovalRequest(TypedDict):
    operation: ApprovableOperation
    body: JsonObject


class RequestApprovalRequest(_RequestApprovalRequest, total=False):
    target_id: str | None
    note: str | None


class ApproveApprovalRequest(TypedDict, total=False):
    expected_net_credited: Decimal | str | None


class RejectApprovalRequest(TypedDict):
    reason: str


class ApprovalPolicy(TypedDict):
    version: int
    expires_after_hours: int
    deciders: Deciders
    rules: list[ApprovalRule]
    created_at: str


class _ReplaceApprovalPolicyRequest(TypedDict):
    expires_after_hours: int
    rules: Sequence[ApprovalRuleInput]


class ReplaceApprovalPolicyRequest(_ReplaceApprovalPolicyRequest, total=False):
    deciders: Deciders


class Batch(TypedDict):
    batch_id: str
    operation: BatchOperation
    name: str | None
    status: BatchStatus
    parts: int
    lines: int
    total_amount: Decimal
    succeeded: int
    duplicates: int
    failed: int
    skipped: int
    started_by: Actor | None
    created_at: str
    finished_at: str | None

BatchOperation: TypeAlias = "Literal['createCustomer', 'openAccount', 'creditAccount', 'openFixedDeposit', 'liquidateFixedDeposit', 'placeLien', 'releaseLien', 'importAccount', 'importFixedDeposit']"

BatchStatus: TypeAlias = "Literal['UPLOADING', 'RUNNING', 'DONE', 'CANCELLED']"


class _CreateBatchRequest(TypedDict):
    operation: BatchOperation


class CreateBatchRequest(_CreateBatchRequest, total=False):
    name: str | None
    expected: ControlTotals | None


class ControlTotals(TypedDict):
    lines: int
    total_amount: Decimal | str


class StartBatchRequest(TypedDict):
    pass


class BatchResult(TypedDict):
    line: int
    external_id: str | None
    outcome: LineOutcome
    id: str | None
    data: JsonObject | None
    error: JsonObject | None

LineOutcome: TypeAlias = "Literal['SUCCEEDED', 'DUPLICATE', 'FAILED', 'SKIPPED']"

LiquidationReport = TypedDict("LiquidationReport", {
    "from": "str",
    "to": "str",
    "group_by": "ReportGroup",
    "groups": "list[LiquidationGroup]",
})

ReportGroup: TypeAlias = "Literal['day', 'product', 'waiver_reason']"


class LiquidationGroup(TypedDict):
    day: str | None
    product: str | None
    waiver_reason: str | None
    currency: str
    full: int
    partial: int
    principal: Decimal
    interest: Decimal
    assessed: Decimal
    waived: Decimal
    charge: Decimal
    recovered: Decimal
    tax: Decimal
    net: Decimal
    reversed: Decimal

TaxReport = TypedDict("TaxReport", {
    "from": "str",
    "to": "str",
    "groups": "list[TaxGroup]",
})


class TaxGroup(TypedDict):
    customer_id: str
    tax_reference: str | None
    tax_class: str
    currency: str
    interest: Decimal
    charge: Decimal
    tax: Decimal

CashFlow = TypedDict("CashFlow", {
    "from": "str",
    "to": "str",
    "days": "list[DueMoney]",
})


class DueMoney(TypedDict):
    date: str
    maturity_instruction: MaturityInstruction | None
    currency: str
    deposits: int
    principal: Decimal
    interest: Decimal


class Accrual(TypedDict):
    deposit_id: str
    product_code: str | None
    currency: str
    interest_payable: Decimal
    prepaid_interest: Decimal


class KeptLiquidation(TypedDict):
    deposit_id: str
    status: StatusAfterLiquidation
    principal_returned: Decimal
    interest_paid: Decimal
    penal_charge: Decimal
    total_credited: Decimal
    credited_account: str
    liquidated_at: str
    liquidation_id: str
    liquidation_type: LiquidationType
    remaining_principal: Decimal
    currency: str
    penal_assessed: Decimal
    penal_waived: Decimal
    waiver: Waiver | None
    adjustments: list[Adjustment]
    net_credited: Decimal
    reference: str | None
    reason: str | None
    business_date: str
    reversed_at: str | None


class ExportedLedgerEntry(TypedDict):
    entry_id: str
    kind: LedgerEntryKind
    account_number: str | None
    deposit_id: str | None
    liquidation_id: str | None
    narration: str | None
    created_at: str
    lines: list[ExportedLedgerLine]
    reverses: str | None
    business_date: str | None


class ExportedLedgerLine(TypedDict):
    account: str
    amount: Decimal
    gl_code: str | None


class TaxedMovement(TypedDict):
    entry_id: str
    business_date: str
    customer_id: str
    tax_reference: str | None
    deposit_id: str
    liquidation_id: str | None
    currency: str
    interest: Decimal
    charge: Decimal
    tax_class: str
    tax_rate: Decimal
    tax_rules_version: int
    tax: Decimal

ExportedInterestPayment = TypedDict("ExportedInterestPayment", {
    "deposit_id": "str",
    "product_code": "str | None",
    "credited_account": "str",
    "currency": "str",
    "from": "str",
    "to": "str",
    "principal": "Decimal",
    "interest": "Decimal",
    "tax": "Decimal",
    "net": "Decimal",
    "business_date": "str",
    "entry_id": "str | None",
})


class Accounting(TypedDict):
    version: int
    accruals: AccrualMode
    gl_codes: GlCodes
    created_at: str | None

AccrualMode: TypeAlias = "Literal['OFF', 'DAILY', 'MONTHLY']"


class GlCodes(TypedDict, total=False):
    cash: str
    interest_expense: str
    penal_income: str
    penal_waived: str
    tax_payable: str
    rollover_clearing: str
    migration_suspense: str
    interest_payable: str
    prepaid_interest: str
    accounts: str
    deposits: str


class ReplaceAccountingRequest(TypedDict):
    accruals: AccrualMode
    gl_codes: GlCodes

Event: TypeAlias = "CustomerCreatedEvent | CustomerUpdatedEvent | AccountCreditedEvent | FixedDepositCreatedEvent | FixedDepositInterestPaidEvent | FixedDepositLiquidatedEvent | FixedDepositPartiallyLiquidatedEvent | FixedDepositLiquidationReversedEvent | FixedDepositMaturedEvent | FixedDepositRolledOverEvent | FixedDepositMaturityInstructionChangedEvent | FixedDepositPartiesChangedEvent | BatchCompletedEvent | FixedDepositLienPlacedEvent | FixedDepositLienReleasedEvent | ProductUpdatedEvent | RateSheetAddedEvent | CalendarUpdatedEvent | AccountingUpdatedEvent | AccrualPostedEvent | LiquidationRulesUpdatedEvent | CustomerTaxStatusChangedEvent | TaxRulesUpdatedEvent | ApprovalPolicyUpdatedEvent | ApprovalRequestedEvent | ApprovalVotedEvent | ApprovalApprovedEvent | ApprovalRejectedEvent | ApprovalCancelledEvent | ApprovalExpiredEvent | PersonInvitedEvent | PersonRoleChangedEvent | PersonResetEvent | PersonDisabledEvent | PersonEnabledEvent | PersonConfirmedEvent | PersonFactorsRemovedEvent | PersonBreakGlassUsedEvent | BookSealedEvent"


class CustomerCreatedEvent(TypedDict):
    id: str
    type: Literal["customer.created"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: CreatedCustomer
    actor: Actor

Mode: TypeAlias = "Literal['test', 'live']"


class CreatedCustomer(TypedDict):
    customer_id: str
    external_id: str | None


class CustomerUpdatedEvent(TypedDict):
    id: str
    type: Literal["customer.updated"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: UpdatedCustomer
    actor: Actor


class UpdatedCustomer(TypedDict):
    customer_id: str
    changed_fields: list[Literal["email", "phone_number", "address"]]


class AccountCreditedEvent(TypedDict):
    id: str
    type: Literal["account.credited"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: AccountCredit
    actor: Actor


class AccountCredit(TypedDict):
    entry_id: str
    kind: LedgerEntryKind
    account_number: str | None
    deposit_id: str | None
    liquidation_id: str | None
    created_at: str
    lines: list[LedgerLine]


class FixedDepositCreatedEvent(TypedDict):
    id: str
    type: Literal["fixed_deposit.created"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: FixedDeposit
    actor: Actor


class FixedDepositInterestPaidEvent(TypedDict):
    id: str
    type: Literal["fixed_deposit.interest_paid"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: InterestPaid
    actor: Actor

InterestPaid = TypedDict("InterestPaid", {
    "deposit_id": "str",
    "from": "str",
    "to": "str",
    "interest": "Decimal",
    "tax": "Decimal",
    "net": "Decimal",
    "credited_account": "str",
})


class FixedDepositLiquidatedEvent(TypedDict):
    id: str
    type: Literal["fixed_deposit.liquidated"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: Liquidation
    actor: Actor


class FixedDepositPartiallyLiquidatedEvent(TypedDict):
    id: str
    type: Literal["fixed_deposit.partially_liquidated"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: Liquidation
    actor: Actor


class FixedDepositLiquidationReversedEvent(TypedDict):
    id: str
    type: Literal["fixed_deposit.liquidation_reversed"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: LiquidationReversal
    actor: Actor


class FixedDepositMaturedEvent(TypedDict):
    id: str
    type: Literal["fixed_deposit.matured"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: MaturedDeposit
    actor: Actor


class MaturedDeposit(TypedDict):
    deposit_id: str
    customer_id: str
    account_number: str
    status: DepositStatus
    currency: str
    principal: Decimal
    remaining_principal: Decimal
    interest_rate: Decimal
    tenor: int
    start_date: str
    maturity_date: str
    expected_interest: Decimal
    accrued_interest: Decimal
    auto_rollover: bool
    rules_version: int
    created_at: str
    updated_at: str
    liquidated_at: str | None
    rolled_over_to: str | None
    lien_amount: Decimal
    pending_approval_id: str | None
    pending_approval_requested_by: Actor | None
    external_id: str | None
    metadata: Metadata
    product_code: str | None
    product_version: int | None
    rate_sheet: int | None
    bonuses: list[str] | None
    bonus: Decimal | None
    rules_source: RulesSource
    agreed_tenor: AgreedTenor
    interest_method: InterestMethod
    interest_every: InterestPeriod | None
    recover_paid_interest: bool
    interest_paid_out: Decimal
    interest_paid_to: str | None
    next_interest_date: str | None
    maturity_instruction: MaturityInstruction
    rollovers: int
    principal_returned: Decimal
    interest_paid: Decimal
    penal_charge: Decimal
    total_credited: Decimal
    credited_account: str
    tax_withheld: Decimal
    net_credited: Decimal
    rollover_refused: str | None


class FixedDepositRolledOverEvent(TypedDict):
    id: str
    type: Literal["fixed_deposit.rolled_over"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: RolledOverDeposit
    actor: Actor


class RolledOverDeposit(TypedDict):
    deposit_id: str
    customer_id: str
    account_number: str
    status: DepositStatus
    currency: str
    principal: Decimal
    remaining_principal: Decimal
    interest_rate: Decimal
    tenor: int
    start_date: str
    maturity_date: str
    expected_interest: Decimal
    accrued_interest: Decimal
    auto_rollover: bool
    rules_version: int
    created_at: str
    updated_at: str
    liquidated_at: str | None
    rolled_over_to: str | None
    lien_amount: Decimal
    pending_approval_id: str | None
    pending_approval_requested_by: Actor | None
    external_id: str | None
    metadata: Metadata
    product_code: str | None
    product_version: int | None
    rate_sheet: int | None
    bonuses: list[str] | None
    bonus: Decimal | None
    rules_source: RulesSource
    agreed_tenor: AgreedTenor
    interest_method: InterestMethod
    interest_every: InterestPeriod | None
    recover_paid_interest: bool
    interest_paid_out: Decimal
    interest_paid_to: str | None
    next_interest_date: str | None
    maturity_instruction: MaturityInstruction
    rollovers: int
    principal_rolled_over: Decimal
    interest_rolled_over: Decimal
    successor: FixedDeposit
    tax_withheld: Decimal
    interest_paid: Decimal
    credited_account: str
    net_credited: Decimal


class FixedDepositMaturityInstructionChangedEvent(TypedDict):
    id: str
    type: Literal["fixed_deposit.maturity_instruction_changed"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: FixedDeposit
    actor: Actor


class FixedDepositPartiesChangedEvent(TypedDict):
    id: str
    type: Literal["fixed_deposit.parties_changed"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: ChangedParties
    actor: Actor


class ChangedParties(TypedDict):
    deposit_id: str
    mandate: Mandate
    parties: list[UnnamedParty]


class UnnamedParty(TypedDict):
    customer_id: str
    role: PartyRole


class BatchCompletedEvent(TypedDict):
    id: str
    type: Literal["batch.completed"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: Batch
    actor: Actor


class FixedDepositLienPlacedEvent(TypedDict):
    id: str
    type: Literal["fixed_deposit.lien_placed"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: Lien
    actor: Actor


class FixedDepositLienReleasedEvent(TypedDict):
    id: str
    type: Literal["fixed_deposit.lien_released"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: Lien
    actor: Actor


class ProductUpdatedEvent(TypedDict):
    id: str
    type: Literal["product.updated"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: Product
    actor: Actor


class RateSheetAddedEvent(TypedDict):
    id: str
    type: Literal["rate_sheet.added"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: RateSheet
    actor: Actor


class CalendarUpdatedEvent(TypedDict):
    id: str
    type: Literal["calendar.updated"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: BusinessCalendar
    actor: Actor


class AccountingUpdatedEvent(TypedDict):
    id: str
    type: Literal["accounting.updated"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: Accounting
    actor: Actor


class AccrualPostedEvent(TypedDict):
    id: str
    type: Literal["accrual.posted"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: AccrualPosted
    actor: Actor


class AccrualPosted(TypedDict):
    date: str
    currency: str
    interest_payable: Decimal
    prepaid_interest: Decimal
    entry_id: str | None


class LiquidationRulesUpdatedEvent(TypedDict):
    id: str
    type: Literal["liquidation_rules.updated"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: LiquidationRules
    actor: Actor


class CustomerTaxStatusChangedEvent(TypedDict):
    id: str
    type: Literal["customer.tax_status_changed"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: ChangedTaxStatus
    actor: Actor


class ChangedTaxStatus(TypedDict):
    customer_id: str
    tax_class: str
    valid_until: str | None


class TaxRulesUpdatedEvent(TypedDict):
    id: str
    type: Literal["tax_rules.updated"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: TaxRules
    actor: Actor


class ApprovalPolicyUpdatedEvent(TypedDict):
    id: str
    type: Literal["approval_policy.updated"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: ApprovalPolicy
    actor: Actor


class ApprovalRequestedEvent(TypedDict):
    id: str
    type: Literal["approval.requested"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: ApprovalEventData
    actor: Actor


class ApprovalEventData(TypedDict):
    approval_id: str
    operation: ApprovableOperation
    target_id: str | None
    status: ApprovalStatus
    approvals_needed: int
    votes: int


class ApprovalVotedEvent(TypedDict):
    id: str
    type: Literal["approval.voted"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: ApprovalEventData
    actor: Actor


class ApprovalApprovedEvent(TypedDict):
    id: str
    type: Literal["approval.approved"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: ApprovalEventData
    actor: Actor


class ApprovalRejectedEvent(TypedDict):
    id: str
    type: Literal["approval.rejected"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: ApprovalEventData
    actor: Actor


class ApprovalCancelledEvent(TypedDict):
    id: str
    type: Literal["approval.cancelled"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: ApprovalEventData
    actor: Actor


class ApprovalExpiredEvent(TypedDict):
    id: str
    type: Literal["approval.expired"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: ApprovalEventData
    actor: Actor


class PersonInvitedEvent(TypedDict):
    id: str
    type: Literal["person.invited"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: PersonEvent
    actor: Actor


class PersonEvent(TypedDict):
    person_id: str
    role: Role
    modes: list[Mode]
    status: PersonStatus

Role: TypeAlias = "Literal['VIEWER', 'CLERK', 'SUPERVISOR', 'ADMINISTRATOR']"

PersonStatus: TypeAlias = "Literal['INVITED', 'ACTIVE', 'DISABLED']"


class PersonRoleChangedEvent(TypedDict):
    id: str
    type: Literal["person.role_changed"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: PersonEvent
    actor: Actor


class PersonResetEvent(TypedDict):
    id: str
    type: Literal["person.reset"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: PersonEvent
    actor: Actor


class PersonDisabledEvent(TypedDict):
    id: str
    type: Literal["person.disabled"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: PersonEvent
    actor: Actor


class PersonEnabledEvent(TypedDict):
    id: str
    type: Literal["person.enabled"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: PersonEvent
    actor: Actor


class PersonConfirmedEvent(TypedDict):
    id: str
    type: Literal["person.confirmed"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: PersonEvent
    actor: Actor


class PersonFactorsRemovedEvent(TypedDict):
    id: str
    type: Literal["person.factors_removed"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: PersonEvent
    actor: Actor


class PersonBreakGlassUsedEvent(TypedDict):
    id: str
    type: Literal["person.break_glass_used"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: PersonEvent
    actor: Actor


class BookSealedEvent(TypedDict):
    id: str
    type: Literal["book.sealed"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: Seal
    actor: Actor


class Seal(TypedDict):
    seal_no: int
    covers_to: str
    events: int
    ledger_entries: int
    root: str
    head: str
    sealed_at: str

EventType: TypeAlias = "Literal['customer.created', 'customer.updated', 'account.credited', 'fixed_deposit.created', 'fixed_deposit.interest_paid', 'fixed_deposit.liquidated', 'fixed_deposit.partially_liquidated', 'fixed_deposit.liquidation_reversed', 'fixed_deposit.matured', 'fixed_deposit.rolled_over', 'fixed_deposit.maturity_instruction_changed', 'fixed_deposit.parties_changed', 'batch.completed', 'fixed_deposit.lien_placed', 'fixed_deposit.lien_released', 'product.updated', 'rate_sheet.added', 'calendar.updated', 'accounting.updated', 'accrual.posted', 'liquidation_rules.updated', 'customer.tax_status_changed', 'tax_rules.updated', 'approval_policy.updated', 'approval.requested', 'approval.voted', 'approval.approved', 'approval.rejected', 'approval.cancelled', 'approval.expired', 'person.invited', 'person.role_changed', 'person.reset', 'person.disabled', 'person.enabled', 'person.confirmed', 'person.factors_removed', 'person.break_glass_used', 'book.sealed']"


class RedeliveredEvent(TypedDict):
    id: str
    type: EventType
    timestamp: str
    mode: Mode
    request_id: str | None
    data: EventData
    deliveries: int
    actor: Actor

EventData: TypeAlias = "CreatedCustomer | UpdatedCustomer | AccountCredit | FixedDeposit | InterestPaid | Liquidation | LiquidationReversal | MaturedDeposit | RolledOverDeposit | ChangedParties | Batch | Lien | Product | RateSheet | BusinessCalendar | Accounting | AccrualPosted | LiquidationRules | ChangedTaxStatus | TaxRules | ApprovalPolicy | ApprovalEventData | PersonEvent | Seal"


class EventProof(TypedDict):
    event_id: str
    leaf: str
    leaf_index: int
    path: list[str]
    seal: Seal
    seal_text: str
    links: list[SealLink]
    head: str


class SealLink(TypedDict):
    seal_no: int
    previous_head: str | None
    earlier_head: str | None
    text_hash: str


class EndpointWithSecret(TypedDict):
    webhook_endpoint_id: str
    url: str
    event_types: list[SubscribedEventType]
    description: str | None
    status: EndpointStatus
    secret: str
    created_at: str

SubscribedEventType: TypeAlias = "Literal['*', 'customer.created', 'customer.updated', 'account.credited', 'fixed_deposit.created', 'fixed_deposit.interest_paid', 'fixed_deposit.liquidated', 'fixed_deposit.partially_liquidated', 'fixed_deposit.liquidation_reversed', 'fixed_deposit.matured', 'fixed_deposit.rolled_over', 'fixed_deposit.maturity_instruction_changed', 'fixed_deposit.parties_changed', 'batch.completed', 'fixed_deposit.lien_placed', 'fixed_deposit.lien_released', 'product.updated', 'rate_sheet.added', 'calendar.updated', 'accounting.updated', 'accrual.posted', 'liquidation_rules.updated', 'customer.tax_status_changed', 'tax_rules.updated', 'approval_policy.updated', 'approval.requested', 'approval.voted', 'approval.approved', 'approval.rejected', 'approval.cancelled', 'approval.expired', 'person.invited', 'person.role_changed', 'person.reset', 'person.disabled', 'person.enabled', 'person.confirmed', 'person.factors_removed', 'person.break_glass_used', 'book.sealed']"

EndpointStatus: TypeAlias = "Literal['ENABLED', 'DISABLED']"


class _CreateWebhookEndpointRequest(TypedDict):
    url: str


class CreateWebhookEndpointRequest(_CreateWebhookEndpointRequest, total=False):
    event_types: Sequence[SubscribedEventType]
    description: str | None


class WebhookEndpoint(TypedDict):
    webhook_endpoint_id: str
    url: str
    event_types: list[SubscribedEventType]
    description: str | None
    status: EndpointStatus
    created_at: str


class UpdateWebhookEndpointRequest(TypedDict, total=False):
    url: str
    event_types: Sequence[SubscribedEventType]
    description: str | None
    status: EndpointStatus


class RotateWebhookSecretRequest(TypedDict, total=False):
    overlap_seconds: int


class PingEvent(TypedDict):
    id: str
    type: Literal["ping"]
    timestamp: str
    mode: Mode
    request_id: str | None
    data: Ping
    actor: Actor


class Ping(TypedDict):
    webhook_endpoint_id: str


class WebhookDelivery(TypedDict):
    event_id: str
    event_type: SentEventType
    status: DeliveryStatus
    attempts: int
    next_attempt_at: str | None
    last_attempt_at: str | None
    last_status_code: int | None
    last_error: str | None
    created_at: str

SentEventType: TypeAlias = "Literal['customer.created', 'customer.updated', 'account.credited', 'fixed_deposit.created', 'fixed_deposit.interest_paid', 'fixed_deposit.liquidated', 'fixed_deposit.partially_liquidated', 'fixed_deposit.liquidation_reversed', 'fixed_deposit.matured', 'fixed_deposit.rolled_over', 'fixed_deposit.maturity_instruction_changed', 'fixed_deposit.parties_changed', 'batch.completed', 'fixed_deposit.lien_placed', 'fixed_deposit.lien_released', 'product.updated', 'rate_sheet.added', 'calendar.updated', 'accounting.updated', 'accrual.posted', 'liquidation_rules.updated', 'customer.tax_status_changed', 'tax_rules.updated', 'approval_policy.updated', 'approval.requested', 'approval.voted', 'approval.approved', 'approval.rejected', 'approval.cancelled', 'approval.expired', 'person.invited', 'person.role_changed', 'person.reset', 'person.disabled', 'person.enabled', 'person.confirmed', 'person.factors_removed', 'person.break_glass_used', 'book.sealed', 'ping']"

DeliveryStatus: TypeAlias = "Literal['PENDING', 'DELIVERED', 'FAILED']"


class IssuedApiKey(TypedDict):
    api_key_id: str
    key: str
    key_prefix: str
    name: str | None
    mode: Mode
    scopes: list[Scope]
    rate_limit_per_minute: int | None
    expires_at: str | None
    revoked_at: str | None
    last_used_at: str | None
    created_at: str

Scope: TypeAlias = "Literal['customers:read', 'customers:write', 'accounts:read', 'accounts:write', 'fixed_deposits:read', 'fixed_deposits:write', 'fixed_deposits:liquidate', 'liquidations:reverse', 'liens:read', 'liens:write', 'approvals:read', 'approvals:decide', 'approvals:policy', 'penal_charges:waive', 'rules:read', 'rules:write', 'products:read', 'products:write', 'tax:read', 'tax:write', 'ledger:read', 'events:read', 'webhooks:read', 'webhooks:write', 'api_keys:read', 'api_keys:write', 'accounting:read', 'accounting:write', 'batches:read', 'batches:write', 'batches:import', 'reports:read', 'audit:read', '*']"


class _CreateApiKeyRequest(TypedDict):
    scopes: Sequence[Scope]


class CreateApiKeyRequest(_CreateApiKeyRequest, total=False):
    name: str
    expires_at: str
    rate_limit_per_minute: int


class ApiKey(TypedDict):
    api_key_id: str
    key_prefix: str
    name: str | None
    mode: Mode
    scopes: list[Scope]
    rate_limit_per_minute: int | None
    expires_at: str | None
    revoked_at: str | None
    last_used_at: str | None
    created_at: str


class RollApiKeyRequest(TypedDict, total=False):
    overlap_seconds: int


class TestClock(TypedDict):
    now: str


class MoveTestClockRequest(TypedDict):
    now: str


class AuditedChange(TypedDict):
    event_id: str
    action: str
    at: str
    api_key_id: str | None
    request_id: str | None
    subject_id: str
    changes: OldAndNew | None
    data: JsonObject
    actor: Actor


class OldAndNew(TypedDict):
    before: JsonObject | None
    after: JsonObject | None


class Nothing(TypedDict):
    pass


class FieldError(TypedDict):
    field: str
    code: Literal["required"] | Literal["null_not_allowed"] | Literal["invalid_type"] | Literal["invalid_value"] | Literal["invalid_format"] | Literal["blank"] | Literal["too_long"] | Literal["too_short"] | Literal["not_positive"] | Literal["too_precise"] | Literal["out_of_range"] | Literal["conflicting_field"] | Literal["unknown_field"] | Literal["not_updatable"] | Literal["too_many"] | Literal["too_few"] | Literal["forbidden_address"]
    message: str


class FixedDeposits:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def liquidate(self, deposit_id: str, body: LiquidateFixedDepositRequest, *, idempotency_key: str | None = None) -> Liquidation:
        """Break an active fixed deposit, fully or partially, and pay it back to its source account"""
        answer: Liquidation = self._transport.call("liquidateFixedDeposit", [deposit_id], body=body, idempotency_key=idempotency_key).data
        return answer

    def quote_liquidation(self, deposit_id: str, body: QuoteLiquidationRequest, *, idempotency_key: str | None = None) -> LiquidationQuote:
        """Tell what a liquidation would pay, on today or another date; changes nothing"""
        answer: LiquidationQuote = self._transport.call("quoteLiquidation", [deposit_id], body=body, idempotency_key=idempotency_key).data
        return answer

    def list_liquidations(self, deposit_id: str, *, limit: int | None = None) -> Pages[ExplainedLiquidation]:
        """List the liquidations of a fixed deposit, newest first"""
        pages: Pages[ExplainedLiquidation] = self._transport.pages("listLiquidations", [deposit_id], {"limit": limit})
        return pages

    def get_outlook(self, deposit_id: str, *, amount: Decimal | None = None) -> Outlook:
        """Get what breaking a fixed deposit would pay on the days to come"""
        answer: Outlook = self._transport.call("getOutlook", [deposit_id], query={"amount": amount}).data
        return answer

    def list_interest_payments(self, deposit_id: str, *, limit: int | None = None) -> Pages[InterestPayment]:
        """List the interest that a fixed deposit paid before maturity, newest first"""
        pages: Pages[InterestPayment] = self._transport.pages("listInterestPayments", [deposit_id], {"limit": limit})
        return pages

    def put_maturity_instruction(self, deposit_id: str, body: PutMaturityInstructionRequest, *, idempotency_key: str | None = None) -> FixedDeposit:
        """Say what becomes of a fixed deposit at maturity, until the day before"""
        answer: FixedDeposit = self._transport.call("putMaturityInstruction", [deposit_id], body=body, idempotency_key=idempotency_key).data
        return answer

    def put_parties(self, deposit_id: str, body: PutPartiesRequest, *, idempotency_key: str | None = None) -> Parties:
        """Record who else a fixed deposit belongs to"""
        answer: Parties = self._transport.call("putParties", [deposit_id], body=body, idempotency_key=idempotency_key).data
        return answer

    def get_parties(self, deposit_id: str) -> Parties:
        """Get who else a fixed deposit belongs to"""
        answer: Parties = self._transport.call("getParties", [deposit_id]).data
        return answer

    def open(self, body: OpenFixedDepositRequest, *, idempotency_key: str | None = None) -> FixedDeposit:
        """Open a fixed deposit from an account"""
        answer: FixedDeposit = self._transport.call("openFixedDeposit", [], body=body, idempotency_key=idempotency_key).data
        return answer

    def list(self, *, limit: int | None = None, customer_id: str | None = None, account_number: str | None = None, status: DepositStatus | None = None, matures_before: str | None = None, matures_after: str | None = None, product_code: str | None = None, external_id: str | None = None) -> Pages[FixedDeposit]:
        """List fixed deposits, newest first"""
        pages: Pages[FixedDeposit] = self._transport.pages("listFixedDeposits", [], {"limit": limit, "customer_id": customer_id, "account_number": account_number, "status": status, "matures_before": matures_before, "matures_after": matures_after, "product_code": product_code, "external_id": external_id})
        return pages

    def get(self, deposit_id: str) -> FixedDeposit:
        """Get a fixed deposit"""
        answer: FixedDeposit = self._transport.call("getFixedDeposit", [deposit_id]).data
        return answer

    def get_certificate(self, deposit_id: str) -> Certificate:
        """Get the certificate of a fixed deposit, as JSON or as a page to print"""
        answer: Certificate = self._transport.call("getCertificate", [deposit_id]).data
        return answer

    def get_statement(self, deposit_id: str, *, from_: str | None = None, to: str | None = None) -> Statement:
        """Get the statement of a fixed deposit, as JSON or as a page to print"""
        answer: Statement = self._transport.call("getStatement", [deposit_id], query={"from": from_, "to": to}).data
        return answer

    def place_lien(self, deposit_id: str, body: PlaceLienRequest, *, idempotency_key: str | None = None) -> Lien:
        """Hold a part of the principal of a fixed deposit"""
        answer: Lien = self._transport.call("placeLien", [deposit_id], body=body, idempotency_key=idempotency_key).data
        return answer

    def list_liens(self, deposit_id: str, *, limit: int | None = None) -> Pages[Lien]:
        """List the liens of a fixed deposit, newest first"""
        pages: Pages[Lien] = self._transport.pages("listLiens", [deposit_id], {"limit": limit})
        return pages


class Liquidations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def find(self, *, limit: int | None = None, from_: str | None = None, to: str | None = None, type: LiquidationType | None = None, status: LiquidationStatus | None = None, account_number: str | None = None, reference: str | None = None) -> Pages[ExplainedLiquidation]:
        """List the liquidations of all fixed deposits by business date, newest first"""
        pages: Pages[ExplainedLiquidation] = self._transport.pages("findLiquidations", [], {"limit": limit, "from": from_, "to": to, "type": type, "status": status, "account_number": account_number, "reference": reference})
        return pages

    def get(self, liquidation_id: str) -> ExplainedLiquidation:
        """Get a liquidation with its explanation"""
        answer: ExplainedLiquidation = self._transport.call("getLiquidation", [liquidation_id]).data
        return answer

    def get_advice(self, liquidation_id: str) -> Advice:
        """Get the advice letter of a liquidation, as JSON or as a page to print"""
        answer: Advice = self._transport.call("getAdvice", [liquidation_id]).data
        return answer

    def reverse(self, liquidation_id: str, body: ReverseLiquidationRequest, *, idempotency_key: str | None = None) -> LiquidationReversal:
        """Take a mistaken liquidation back: opposite entries, and the deposit as if it had not been broken"""
        answer: LiquidationReversal = self._transport.call("reverseLiquidation", [liquidation_id], body=body, idempotency_key=idempotency_key).data
        return answer


class LiquidationRules:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def foresee(self, body: ForeseeRulesRequest, *, idempotency_key: str | None = None) -> Impact:
        """Show what other liquidation rules would change; changes nothing"""
        answer: Impact = self._transport.call("foreseeRules", [], body=body, idempotency_key=idempotency_key).data
        return answer

    def get(self) -> LiquidationRules:
        """Get the rule set in force"""
        answer: LiquidationRules = self._transport.call("getRules", []).data
        return answer

    def replace(self, body: ReplaceRulesRequest, *, idempotency_key: str | None = None) -> LiquidationRules:
        """Write the next version of the rule set; deposits opened earlier keep theirs"""
        answer: LiquidationRules = self._transport.call("replaceRules", [], body=body, idempotency_key=idempotency_key).data
        return answer

    def get_version(self, version: int) -> LiquidationRules:
        """Get one version of the rule set"""
        answer: LiquidationRules = self._transport.call("getRulesVersion", [version]).data
        return answer


class Products:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def foresee(self, product_code: str, body: ForeseeProductRequest, *, idempotency_key: str | None = None) -> Impact:
        """Show what another version of a product would change; changes nothing"""
        answer: Impact = self._transport.call("foreseeProduct", [product_code], body=body, idempotency_key=idempotency_key).data
        return answer

    def put(self, product_code: str, body: PutProductRequest, *, idempotency_key: str | None = None) -> Product:
        """Write the next version of a product; deposits opened earlier keep theirs"""
        answer: Product = self._transport.call("putProduct", [product_code], body=body, idempotency_key=idempotency_key).data
        return answer

    def get(self, product_code: str) -> Product:
        """Get the newest version of a product"""
        answer: Product = self._transport.call("getProduct", [product_code]).data
        return answer

    def list(self, *, limit: int | None = None, status: ProductStatus | None = None) -> Pages[Product]:
        """List the newest version of each product, newest product first"""
        pages: Pages[Product] = self._transport.pages("listProducts", [], {"limit": limit, "status": status})
        return pages

    def get_version(self, product_code: str, version: int) -> Product:
        """Get one version of a product"""
        answer: Product = self._transport.call("getProductVersion", [product_code, version]).data
        return answer

    def add_rate_sheet(self, product_code: str, body: AddRateSheetRequest, *, idempotency_key: str | None = None) -> RateSheet:
        """Add a rate sheet: rates by tenor and amount from a day on"""
        answer: RateSheet = self._transport.call("addRateSheet", [product_code], body=body, idempotency_key=idempotency_key).data
        return answer

    def list_rate_sheets(self, product_code: str, *, limit: int | None = None) -> Pages[RateSheet]:
        """List the rate sheets of a product, newest first"""
        pages: Pages[RateSheet] = self._transport.pages("listRateSheets", [product_code], {"limit": limit})
        return pages

    def get_rate_sheet(self, product_code: str, number: int) -> RateSheet:
        """Get a rate sheet"""
        answer: RateSheet = self._transport.call("getRateSheet", [product_code, number]).data
        return answer

    def quote(self, product_code: str, body: QuoteProductRequest, *, idempotency_key: str | None = None) -> ProductQuote:
        """What a product would pay, with its schedule; changes nothing"""
        answer: ProductQuote = self._transport.call("quoteProduct", [product_code], body=body, idempotency_key=idempotency_key).data
        return answer


class ApprovalPolicy:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def foresee_policy(self, body: ForeseePolicyRequest, *, idempotency_key: str | None = None) -> Impact:
        """Show what another approval policy would hold; changes nothing"""
        answer: Impact = self._transport.call("foreseePolicy", [], body=body, idempotency_key=idempotency_key).data
        return answer

    def get(self) -> ApprovalPolicy:
        """Get the approval policy in force"""
        answer: ApprovalPolicy = self._transport.call("getApprovalPolicy", []).data
        return answer

    def replace(self, body: ReplaceApprovalPolicyRequest, *, idempotency_key: str | None = None) -> ApprovalPolicy:
        """Write the next version of the approval policy: which operations wait for other people"""
        answer: ApprovalPolicy = self._transport.call("replaceApprovalPolicy", [], body=body, idempotency_key=idempotency_key).data
        return answer

    def get_version(self, version: int) -> ApprovalPolicy:
        """Get one version of the approval policy"""
        answer: ApprovalPolicy = self._transport.call("getApprovalPolicyVersion", [version]).data
        return answer


class Customers:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def update(self, customer_id: str, body: UpdateCustomerRequest, *, idempotency_key: str | None = None) -> Customer:
        """Change e-mail, phone number or address of a customer; omitted fields stay"""
        answer: Customer = self._transport.call("updateCustomer", [customer_id], body=body, idempotency_key=idempotency_key).data
        return answer

    def get(self, customer_id: str) -> Customer:
        """Get a customer"""
        answer: Customer = self._transport.call("getCustomer", [customer_id]).data
        return answer

    def create(self, body: CreateCustomerRequest, *, idempotency_key: str | None = None) -> Customer:
        """Create a customer"""
        answer: Customer = self._transport.call("createCustomer", [], body=body, idempotency_key=idempotency_key).data
        return answer

    def list(self, *, limit: int | None = None, q: str | None = None, email: str | None = None, phone_number: str | None = None, external_id: str | None = None) -> Pages[Customer]:
        """List customers, newest first, or find the best matches of a few letters or digits"""
        pages: Pages[Customer] = self._transport.pages("listCustomers", [], {"limit": limit, "q": q, "email": email, "phone_number": phone_number, "external_id": external_id})
        return pages

    def get_interest_certificate(self, customer_id: str, *, from_: str, to: str) -> InterestCertificate:
        """Get the interest and tax of a customer in a span of business dates, as JSON or as a page to print"""
        answer: InterestCertificate = self._transport.call("getInterestCertificate", [customer_id], query={"from": from_, "to": to}).data
        return answer

    def get_tax_status(self, customer_id: str) -> TaxStatus:
        """Get the tax status of a customer; STANDARD where none was set"""
        answer: TaxStatus = self._transport.call("getTaxStatus", [customer_id]).data
        return answer

    def put_tax_status(self, customer_id: str, body: PutTaxStatusRequest, *, idempotency_key: str | None = None) -> TaxStatus:
        """Set the tax class of a customer; what is left out becomes null"""
        answer: TaxStatus = self._transport.call("putTaxStatus", [customer_id], body=body, idempotency_key=idempotency_key).data
        return answer


class Accounts:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def open(self, body: OpenAccountRequest, *, idempotency_key: str | None = None) -> Account:
        """Open an account for a customer"""
        answer: Account = self._transport.call("openAccount", [], body=body, idempotency_key=idempotency_key).data
        return answer

    def list(self, *, limit: int | None = None, customer_id: str | None = None, external_id: str | None = None) -> Pages[Account]:
        """List accounts, newest first"""
        pages: Pages[Account] = self._transport.pages("listAccounts", [], {"limit": limit, "customer_id": customer_id, "external_id": external_id})
        return pages

    def get(self, account_number: str) -> Account:
        """Get an account with its balance"""
        answer: Account = self._transport.call("getAccount", [account_number]).data
        return answer

    def credit(self, account_number: str, body: CreditAccountRequest, *, idempotency_key: str | None = None) -> LedgerEntry:
        """Credit an account"""
        answer: LedgerEntry = self._transport.call("creditAccount", [account_number], body=body, idempotency_key=idempotency_key).data
        return answer


class BusinessCalendar:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get_calendar(self) -> BusinessCalendar:
        """Get the business calendar; before the first one no day is closed"""
        answer: BusinessCalendar = self._transport.call("getCalendar", []).data
        return answer

    def replace_calendar(self, body: ReplaceCalendarRequest, *, idempotency_key: str | None = None) -> BusinessCalendar:
        """Write the next version of the business calendar; deposits opened earlier keep their maturity"""
        answer: BusinessCalendar = self._transport.call("replaceCalendar", [], body=body, idempotency_key=idempotency_key).data
        return answer

    def get_calendar_version(self, version: int) -> BusinessCalendar:
        """Get one version of the business calendar"""
        answer: BusinessCalendar = self._transport.call("getCalendarVersion", [version]).data
        return answer


class TaxRules:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self) -> TaxRules:
        """Get the newest version of the tax rules"""
        answer: TaxRules = self._transport.call("getTaxRules", []).data
        return answer

    def replace(self, body: ReplaceTaxRulesRequest, *, idempotency_key: str | None = None) -> TaxRules:
        """Write the next version of the tax rules: what is withheld of interest when it is paid"""
        answer: TaxRules = self._transport.call("replaceTaxRules", [], body=body, idempotency_key=idempotency_key).data
        return answer

    def get_version(self, version: int) -> TaxRules:
        """Get one version of the tax rules"""
        answer: TaxRules = self._transport.call("getTaxRulesVersion", [version]).data
        return answer


class Liens:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, lien_id: str) -> Lien:
        """Get a lien"""
        answer: Lien = self._transport.call("getLien", [lien_id]).data
        return answer

    def release(self, lien_id: str, body: ReleaseLienRequest, *, idempotency_key: str | None = None) -> Lien:
        """Release a lien, so that the principal it held can be withdrawn"""
        answer: Lien = self._transport.call("releaseLien", [lien_id], body=body, idempotency_key=idempotency_key).data
        return answer


class Approvals:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def request(self, body: RequestApprovalRequest, *, idempotency_key: str | None = None) -> Approval:
        """Ask for the approval of an operation; it is tried, and carried out when others have approved"""
        answer: Approval = self._transport.call("requestApproval", [], body=body, idempotency_key=idempotency_key).data
        return answer

    def list(self, *, limit: int | None = None, status: ApprovalStatus | None = None, operation: ApprovableOperation | None = None, target_id: str | None = None) -> Pages[Approval]:
        """List approvals, newest first"""
        pages: Pages[Approval] = self._transport.pages("listApprovals", [], {"limit": limit, "status": status, "operation": operation, "target_id": target_id})
        return pages

    def get(self, approval_id: str) -> Approval:
        """Get an approval, with what the operation would come to now"""
        answer: Approval = self._transport.call("getApproval", [approval_id]).data
        return answer

    def approve(self, approval_id: str, body: ApproveApprovalRequest, *, idempotency_key: str | None = None) -> Approval:
        """Approve; the last vote carries the operation out, with the figures of that moment"""
        answer: Approval = self._transport.call("approveApproval", [approval_id], body=body, idempotency_key=idempotency_key).data
        return answer

    def reject(self, approval_id: str, body: RejectApprovalRequest, *, idempotency_key: str | None = None) -> Approval:
        """Reject; the operation is not carried out"""
        answer: Approval = self._transport.call("rejectApproval", [approval_id], body=body, idempotency_key=idempotency_key).data
        return answer

    def cancel(self, approval_id: str, *, idempotency_key: str | None = None) -> Approval:
        """Take your own request back"""
        answer: Approval = self._transport.call("cancelApproval", [approval_id], idempotency_key=idempotency_key).data
        return answer


class Batches:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create_batch(self, body: CreateBatchRequest, *, idempotency_key: str | None = None) -> Batch:
        """Create a batch, whose lines are sent next; also needs the scope of its operation"""
        answer: Batch = self._transport.call("createBatch", [], body=body, idempotency_key=idempotency_key).data
        return answer

    def list(self, *, limit: int | None = None, status: BatchStatus | None = None, operation: BatchOperation | None = None) -> Pages[Batch]:
        """List batches, newest first"""
        pages: Pages[Batch] = self._transport.pages("listBatches", [], {"limit": limit, "status": status, "operation": operation})
        return pages

    def get_batch(self, batch_id: str) -> Batch:
        """Get a batch, with how far it has come"""
        answer: Batch = self._transport.call("getBatch", [batch_id]).data
        return answer

    def send_batch_part(self, batch_id: str, part: int, lines: str, *, idempotency_key: str | None = None) -> Batch:
        """Send the next part: up to 10,000 lines of JSON; the same part again changes nothing"""
        answer: Batch = self._transport.call("sendBatchPart", [batch_id, part], text=lines, idempotency_key=idempotency_key).data
        return answer

    def start_batch(self, batch_id: str, body: StartBatchRequest, *, idempotency_key: str | None = None) -> Batch:
        """Start a batch: its lines are carried out in order, as if each was sent by itself"""
        answer: Batch = self._transport.call("startBatch", [batch_id], body=body, idempotency_key=idempotency_key).data
        return answer

    def cancel_batch(self, batch_id: str, *, idempotency_key: str | None = None) -> Batch:
        """Cancel a batch: what is done stays, the other lines are skipped"""
        answer: Batch = self._transport.call("cancelBatch", [batch_id], idempotency_key=idempotency_key).data
        return answer

    def list_batch_results(self, batch_id: str, *, limit: int | None = None, outcome: LineOutcome | None = None) -> Pages[BatchResult]:
        """What became of the lines, in their order; with Accept: application/x-ndjson as a file"""
        pages: Pages[BatchResult] = self._transport.pages("listBatchResults", [batch_id], {"limit": limit, "outcome": outcome})
        return pages


class Reports:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def report_liquidations(self, *, from_: str, to: str, group_by: ReportGroup | None = None) -> LiquidationReport:
        """Sum the liquidations of a span of business dates"""
        answer: LiquidationReport = self._transport.call("reportLiquidations", [], query={"from": from_, "to": to, "group_by": group_by}).data
        return answer

    def report_tax(self, *, from_: str, to: str) -> TaxReport:
        """Sum interest and withheld tax of a span of business dates by customer and class"""
        answer: TaxReport = self._transport.call("reportTax", [], query={"from": from_, "to": to}).data
        return answer

    def report_cash_flow(self, *, from_: str, to: str) -> CashFlow:
        """Sum the principal and interest that fall due in a span of business dates by day and instruction"""
        answer: CashFlow = self._transport.call("reportCashFlow", [], query={"from": from_, "to": to}).data
        return answer

    def report_accruals(self, *, date: str) -> list[Accrual]:
        """Interest earned and not paid, and paid and not earned, of each deposit at the close of a business date"""
        answer: list[Accrual] = self._transport.call("reportAccruals", [], query={"date": date}).data
        return answer


class Exports:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def export_deposits(self, *, from_: str, to: str) -> list[FixedDeposit]:
        """Export the fixed deposits that were opened in a span of business dates"""
        answer: list[FixedDeposit] = self._transport.call("exportDeposits", [], query={"from": from_, "to": to}).data
        return answer

    def export_liquidations(self, *, from_: str, to: str) -> list[KeptLiquidation]:
        """Export the liquidations of a span of business dates"""
        answer: list[KeptLiquidation] = self._transport.call("exportLiquidations", [], query={"from": from_, "to": to}).data
        return answer

    def export_ledger_entries(self, *, from_: str, to: str) -> list[ExportedLedgerEntry]:
        """Export the ledger entries of a span of business dates"""
        answer: list[ExportedLedgerEntry] = self._transport.call("exportLedgerEntries", [], query={"from": from_, "to": to}).data
        return answer

    def export_tax(self, *, from_: str, to: str) -> list[TaxedMovement]:
        """Export the taxed interest of a span of business dates, movement by movement"""
        answer: list[TaxedMovement] = self._transport.call("exportTax", [], query={"from": from_, "to": to}).data
        return answer

    def export_interest_payments(self, *, from_: str, to: str) -> list[ExportedInterestPayment]:
        """Export the interest that was paid before maturity in a span of business dates"""
        answer: list[ExportedInterestPayment] = self._transport.call("exportInterestPayments", [], query={"from": from_, "to": to}).data
        return answer

    def export_approvals(self, *, from_: str, to: str) -> list[Approval]:
        """Export the requests for approval that were made in a span of business dates"""
        answer: list[Approval] = self._transport.call("exportApprovals", [], query={"from": from_, "to": to}).data
        return answer


class LedgerEntries:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, limit: int | None = None, account_number: str | None = None, deposit_id: str | None = None, liquidation_id: str | None = None) -> Pages[LedgerEntry]:
        """List ledger entries, newest first; the lines of an entry sum to zero"""
        pages: Pages[LedgerEntry] = self._transport.pages("listLedgerEntries", [], {"limit": limit, "account_number": account_number, "deposit_id": deposit_id, "liquidation_id": liquidation_id})
        return pages


class Accounting:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self) -> Accounting:
        """Get how interest is accrued, and the codes of the general ledger"""
        answer: Accounting = self._transport.call("getAccounting", []).data
        return answer

    def replace(self, body: ReplaceAccountingRequest, *, idempotency_key: str | None = None) -> Accounting:
        """Write the next version of accruals and codes, in force from the close of this business date on"""
        answer: Accounting = self._transport.call("replaceAccounting", [], body=body, idempotency_key=idempotency_key).data
        return answer

    def get_version(self, version: int) -> Accounting:
        """Get one version of accruals and codes"""
        answer: Accounting = self._transport.call("getAccountingVersion", [version]).data
        return answer


class Events:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, limit: int | None = None, type: EventType | None = None) -> Pages[Event]:
        """List events, newest first"""
        pages: Pages[Event] = self._transport.pages("listEvents", [], {"limit": limit, "type": type})
        return pages

    def get(self, event_id: str) -> Event:
        """Get an event"""
        answer: Event = self._transport.call("getEvent", [event_id]).data
        return answer

    def redeliver(self, event_id: str, *, idempotency_key: str | None = None) -> RedeliveredEvent:
        """Send an event again to every endpoint that is enabled and subscribed"""
        answer: RedeliveredEvent = self._transport.call("redeliverEvent", [event_id], idempotency_key=idempotency_key).data
        return answer

    def get_proof(self, event_id: str, *, seal_no: int | None = None) -> EventProof:
        """Prove that an event is covered by a seal, against the head of this or a later one"""
        answer: EventProof = self._transport.call("getEventProof", [event_id], query={"seal_no": seal_no}).data
        return answer


class Seals:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, limit: int | None = None) -> Pages[Seal]:
        """List the seals of the book, newest first"""
        pages: Pages[Seal] = self._transport.pages("listSeals", [], {"limit": limit})
        return pages


class WebhookEndpoints:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: CreateWebhookEndpointRequest, *, idempotency_key: str | None = None) -> EndpointWithSecret:
        """Create a webhook endpoint; its secret is shown once"""
        answer: EndpointWithSecret = self._transport.call("createWebhookEndpoint", [], body=body, idempotency_key=idempotency_key).data
        return answer

    def list(self, *, limit: int | None = None) -> Pages[WebhookEndpoint]:
        """List webhook endpoints, newest first"""
        pages: Pages[WebhookEndpoint] = self._transport.pages("listWebhookEndpoints", [], {"limit": limit})
        return pages

    def get(self, webhook_endpoint_id: str) -> WebhookEndpoint:
        """Get a webhook endpoint"""
        answer: WebhookEndpoint = self._transport.call("getWebhookEndpoint", [webhook_endpoint_id]).data
        return answer

    def update(self, webhook_endpoint_id: str, body: UpdateWebhookEndpointRequest, *, idempotency_key: str | None = None) -> WebhookEndpoint:
        """Change a webhook endpoint, or disable or enable it; omitted fields stay"""
        answer: WebhookEndpoint = self._transport.call("updateWebhookEndpoint", [webhook_endpoint_id], body=body, idempotency_key=idempotency_key).data
        return answer

    def delete_(self, webhook_endpoint_id: str) -> WebhookEndpoint:
        """Delete a webhook endpoint; nothing more is sent to it"""
        answer: WebhookEndpoint = self._transport.call("deleteWebhookEndpoint", [webhook_endpoint_id]).data
        return answer

    def rotate_webhook_secret(self, webhook_endpoint_id: str, body: RotateWebhookSecretRequest, *, idempotency_key: str | None = None) -> EndpointWithSecret:
        """Replace the secret; for the overlap messages are signed with both"""
        answer: EndpointWithSecret = self._transport.call("rotateWebhookSecret", [webhook_endpoint_id], body=body, idempotency_key=idempotency_key).data
        return answer

    def ping(self, webhook_endpoint_id: str, *, idempotency_key: str | None = None) -> PingEvent:
        """Send a ping to a webhook endpoint"""
        answer: PingEvent = self._transport.call("pingWebhookEndpoint", [webhook_endpoint_id], idempotency_key=idempotency_key).data
        return answer

    def list_webhook_deliveries(self, webhook_endpoint_id: str, *, limit: int | None = None) -> Pages[WebhookDelivery]:
        """List what was sent to a webhook endpoint or is still to be sent, newest first"""
        pages: Pages[WebhookDelivery] = self._transport.pages("listWebhookDeliveries", [webhook_endpoint_id], {"limit": limit})
        return pages


class ApiKeys:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: CreateApiKeyRequest, *, idempotency_key: str | None = None) -> IssuedApiKey:
        """Create an API key that may do at most what yours may; it is shown once"""
        answer: IssuedApiKey = self._transport.call("createApiKey", [], body=body, idempotency_key=idempotency_key).data
        return answer

    def list(self, *, limit: int | None = None) -> Pages[ApiKey]:
        """List API keys, newest first"""
        pages: Pages[ApiKey] = self._transport.pages("listApiKeys", [], {"limit": limit})
        return pages

    def get_current(self) -> ApiKey:
        """Get the API key of this request"""
        answer: ApiKey = self._transport.call("getCurrentApiKey", []).data
        return answer

    def revoke(self, api_key_id: str) -> ApiKey:
        """Revoke an API key; it stops within one second on every instance"""
        answer: ApiKey = self._transport.call("revokeApiKey", [api_key_id]).data
        return answer

    def roll(self, api_key_id: str, body: RollApiKeyRequest, *, idempotency_key: str | None = None) -> IssuedApiKey:
        """Replace an API key; the old one works until the overlap ends"""
        answer: IssuedApiKey = self._transport.call("rollApiKey", [api_key_id], body=body, idempotency_key=idempotency_key).data
        return answer


class TestClock:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self) -> TestClock:
        """Get the time of the test book's own clock"""
        answer: TestClock = self._transport.call("getTestClock", []).data
        return answer

    def move(self, body: MoveTestClockRequest, *, idempotency_key: str | None = None) -> TestClock:
        """Move the test book's clock forward and settle what becomes due, before it answers"""
        answer: TestClock = self._transport.call("moveTestClock", [], body=body, idempotency_key=idempotency_key).data
        return answer


class AuditLog:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, limit: int | None = None, subject_id: str | None = None, action: str | None = None, api_key_id: str | None = None, from_: str | None = None, to: str | None = None) -> Pages[AuditedChange]:
        """List every committed change, newest first: who, when, what, and old and new personal values"""
        pages: Pages[AuditedChange] = self._transport.pages("listAuditLog", [], {"limit": limit, "subject_id": subject_id, "action": action, "api_key_id": api_key_id, "from": from_, "to": to})
        return pages


class Service:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get_open_api(self) -> JsonObject:
        """Get this document"""
        answer: JsonObject = self._transport.call("getOpenApi", []).data
        return answer

    def get_reference(self) -> str:
        """Read this document as a page"""
        answer: str = self._transport.call("getReference", []).data
        return answer

    def get_health(self) -> Nothing:
        """Ask whether the process is alive"""
        answer: Nothing = self._transport.call("getHealth", []).data
        return answer

    def get_readiness(self) -> Nothing:
        """Ask whether the service takes requests"""
        answer: Nothing = self._transport.call("getReadiness", []).data
        return answer

    def get_metrics(self) -> str:
        """Get figures for Prometheus"""
        answer: str = self._transport.call("getMetrics", []).data
        return answer


class Breakwater:
    """The service, by its URL and a key: one member for each kind of record."""

    def __init__(self, url: str, key: str, *, retries: int = 2, timeout: float = 30.0) -> None:
        transport = Transport(url, key, retries=retries, timeout=timeout)
        self._transport = transport
        self.fixed_deposits = FixedDeposits(transport)
        self.liquidations = Liquidations(transport)
        self.liquidation_rules = LiquidationRules(transport)
        self.products = Products(transport)
        self.approval_policy = ApprovalPolicy(transport)
        self.customers = Customers(transport)
        self.accounts = Accounts(transport)
        self.business_calendar = BusinessCalendar(transport)
        self.tax_rules = TaxRules(transport)
        self.liens = Liens(transport)
        self.approvals = Approvals(transport)
        self.batches = Batches(transport)
        self.reports = Reports(transport)
        self.exports = Exports(transport)
        self.ledger_entries = LedgerEntries(transport)
        self.accounting = Accounting(transport)
        self.events = Events(transport)
        self.seals = Seals(transport)
        self.webhook_endpoints = WebhookEndpoints(transport)
        self.api_keys = ApiKeys(transport)
        self.test_clock = TestClock(transport)
        self.audit_log = AuditLog(transport)
        self.service = Service(transport)

    def __repr__(self) -> str:
        return repr(self._transport)

    def call(
        self,
        operation: str,
        target: str | Sequence[str] | None = None,
        *,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Response[Any]:
        """An operation by its operationId, with what the answer says about itself: request_id and replayed. `target` is
        what its path names."""
        targets = [target] if isinstance(target, str) else list(target or [])
        return self._transport.call(operation, targets, body=body, query=query, idempotency_key=idempotency_key)
