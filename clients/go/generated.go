// Generated from openapi.json by tools/clients.ts. DO NOT EDIT.

package breakwater

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
)

const Version = "0.3.0"

// The codes of the catalogue; an unknown one is passed through.
const (
	CodeMalformedRequest             = "malformed_request"
	CodeMalformedJSON                = "malformed_json"
	CodeInvalidIdempotencyKey        = "invalid_idempotency_key"
	CodeInvalidRequest               = "invalid_request"
	CodeMissingAuthorization         = "missing_authorization"
	CodeMalformedAuthorization       = "malformed_authorization"
	CodeInvalidAPIKey                = "invalid_api_key"
	CodeAPIKeyRevoked                = "api_key_revoked"
	CodeAPIKeyExpired                = "api_key_expired"
	CodeScopeEscalation              = "scope_escalation"
	CodeKeyEscalation                = "key_escalation"
	CodeMakerCannotApprove           = "maker_cannot_approve"
	CodePersonRequired               = "person_required"
	CodeDeciderTooNew                = "decider_too_new"
	CodeKeyTooNew                    = "key_too_new"
	CodeNotYourRequest               = "not_your_request"
	CodeInsufficientScope            = "insufficient_scope"
	CodeTestModeOnly                 = "test_mode_only"
	CodeCustomerNotFound             = "customer_not_found"
	CodeAccountNotFound              = "account_not_found"
	CodeDepositNotFound              = "deposit_not_found"
	CodeProductNotFound              = "product_not_found"
	CodeRateSheetNotFound            = "rate_sheet_not_found"
	CodeApprovalNotFound             = "approval_not_found"
	CodeLienNotFound                 = "lien_not_found"
	CodeLiquidationNotFound          = "liquidation_not_found"
	CodeBatchNotFound                = "batch_not_found"
	CodeEventNotFound                = "event_not_found"
	CodeSealNotFound                 = "seal_not_found"
	CodeWebhookEndpointNotFound      = "webhook_endpoint_not_found"
	CodeAPIKeyNotFound               = "api_key_not_found"
	CodeRouteNotFound                = "route_not_found"
	CodeDocumentVersionNotFound      = "document_version_not_found"
	CodeRulesVersionNotFound         = "rules_version_not_found"
	CodeMethodNotAllowed             = "method_not_allowed"
	CodeRequestTimeout               = "request_timeout"
	CodeExternalIDTaken              = "external_id_taken"
	CodeFiguresChanged               = "figures_changed"
	CodeProductClosed                = "product_closed"
	CodeLiquidationAlreadyReversed   = "liquidation_already_reversed"
	CodeNotLatestMovement            = "not_latest_movement"
	CodeDepositMatured               = "deposit_matured"
	CodeDepositNotActive             = "deposit_not_active"
	CodeApprovalAlreadyPending       = "approval_already_pending"
	CodeApprovalNotPending           = "approval_not_pending"
	CodeEventNotSealed               = "event_not_sealed"
	CodeAlreadyVoted                 = "already_voted"
	CodeLienNotActive                = "lien_not_active"
	CodeAccountNumberTaken           = "account_number_taken"
	CodePartAlreadySent              = "part_already_sent"
	CodePartMissing                  = "part_missing"
	CodeBatchNotUploading            = "batch_not_uploading"
	CodeBatchFinished                = "batch_finished"
	CodeAPIKeyNotActive              = "api_key_not_active"
	CodeBodyTooLarge                 = "body_too_large"
	CodeUnsupportedMediaType         = "unsupported_media_type"
	CodePartialLiquidationNotAllowed = "partial_liquidation_not_allowed"
	CodeLiquidationLocked            = "liquidation_locked"
	CodeAmountNotWhole               = "amount_not_whole"
	CodeAmountConflictsWithFull      = "amount_conflicts_with_full"
	CodeAmountExceedsPrincipal       = "amount_exceeds_principal"
	CodeAmountEqualsPrincipal        = "amount_equals_principal"
	CodeAmountBelowMinimum           = "amount_below_minimum"
	CodeRemainingBelowMinimum        = "remaining_below_minimum"
	CodeCurrencyMismatch             = "currency_mismatch"
	CodeAmountNotOffered             = "amount_not_offered"
	CodeTenorNotOffered              = "tenor_not_offered"
	CodeNoRateSheet                  = "no_rate_sheet"
	CodeBonusNotOffered              = "bonus_not_offered"
	CodeRateNotNegotiable            = "rate_not_negotiable"
	CodeRateOutOfRange               = "rate_out_of_range"
	CodePartyIsHolder                = "party_is_holder"
	CodeUpfrontInterestTooHigh       = "upfront_interest_too_high"
	CodeEffectiveDateBeforeLast      = "effective_date_before_last"
	CodeEffectiveDateInPast          = "effective_date_in_past"
	CodeTooManyProducts              = "too_many_products"
	CodeTooManyRateSheets            = "too_many_rate_sheets"
	CodeApprovalRequired             = "approval_required"
	CodeTooFewDeciders               = "too_few_deciders"
	CodeInterestPaidToInvalid        = "interest_paid_to_invalid"
	CodeMaturityDateInvalid          = "maturity_date_invalid"
	CodeTooManyBatches               = "too_many_batches"
	CodeControlTotalsDiffer          = "control_totals_differ"
	CodeTooManyApprovals             = "too_many_approvals"
	CodeAmountUnderLien              = "amount_under_lien"
	CodeDepositUnderLien             = "deposit_under_lien"
	CodeLienExceedsPrincipal         = "lien_exceeds_principal"
	CodeTooManyLiens                 = "too_many_liens"
	CodeNothingToWaive               = "nothing_to_waive"
	CodeWaiverExceedsCharge          = "waiver_exceeds_charge"
	CodeBalanceLimitExceeded         = "balance_limit_exceeded"
	CodeReversalWindowClosed         = "reversal_window_closed"
	CodeInsufficientFunds            = "insufficient_funds"
	CodeStartDateInFuture            = "start_date_in_future"
	CodeStartDateTooEarly            = "start_date_too_early"
	CodeMaturityValueOutOfRange      = "maturity_value_out_of_range"
	CodeAsOfBeforeStart              = "as_of_before_start"
	CodeAsOfBeforePaidInterest       = "as_of_before_paid_interest"
	CodeExpiresAtInPast              = "expires_at_in_past"
	CodeClockMovesForwardOnly        = "clock_moves_forward_only"
	CodeClockMoveTooFar              = "clock_move_too_far"
	CodeIdempotencyKeyReused         = "idempotency_key_reused"
	CodeRateLimited                  = "rate_limited"
	CodeHeadersTooLarge              = "headers_too_large"
	CodeInternalError                = "internal_error"
	CodeServiceUnavailable           = "service_unavailable"
	CodeInsufficientStorage          = "insufficient_storage"
	CodeClockUnsure                  = "clock_unsure"
	CodeOutcomeUnknown               = "outcome_unknown"
)

type Liquidation struct {
	DepositID          string                 `json:"deposit_id"`
	Status             StatusAfterLiquidation `json:"status"`
	PrincipalReturned  Amount                 `json:"principal_returned"`
	InterestPaid       Amount                 `json:"interest_paid"`
	PenalCharge        Amount                 `json:"penal_charge"`
	TotalCredited      Amount                 `json:"total_credited"`
	CreditedAccount    string                 `json:"credited_account"`
	LiquidatedAt       string                 `json:"liquidated_at"`
	LiquidationID      string                 `json:"liquidation_id"`
	LiquidationType    LiquidationType        `json:"liquidation_type"`
	RemainingPrincipal Amount                 `json:"remaining_principal"`
	Currency           string                 `json:"currency"`
	PenalAssessed      Amount                 `json:"penal_assessed"`
	PenalWaived        Amount                 `json:"penal_waived"`
	Waiver             *Waiver                `json:"waiver"`
	Adjustments        []Adjustment           `json:"adjustments"`
	NetCredited        Amount                 `json:"net_credited"`
	Reference          *string                `json:"reference"`
	Reason             *string                `json:"reason"`
}

type StatusAfterLiquidation string

const (
	StatusAfterLiquidationLiquidated StatusAfterLiquidation = "LIQUIDATED"
	StatusAfterLiquidationActive     StatusAfterLiquidation = "ACTIVE"
)

type LiquidationType string

const (
	LiquidationTypeFull    LiquidationType = "FULL"
	LiquidationTypePartial LiquidationType = "PARTIAL"
)

type Waiver struct {
	Percent       *Decimal `json:"percent"`
	Amount        *Amount  `json:"amount"`
	HoldingPeriod bool     `json:"holding_period"`
	Reason        string   `json:"reason"`
}

type Adjustment struct {
	Kind   AdjustmentKind `json:"kind"`
	Amount Amount         `json:"amount"`
}

type AdjustmentKind string

const (
	AdjustmentKindUnearnedInterest AdjustmentKind = "UNEARNED_INTEREST"
	AdjustmentKindWithholdingTax   AdjustmentKind = "WITHHOLDING_TAX"
	AdjustmentKindPenalRecovery    AdjustmentKind = "PENAL_RECOVERY"
	AdjustmentKindTaxReturned      AdjustmentKind = "TAX_RETURNED"
)

type LiquidateFixedDepositRequest struct {
	LiquidationType     LiquidationType `json:"liquidation_type"`
	Amount              *Amount         `json:"amount,omitempty"`
	Waiver              *NewWaiver      `json:"waiver,omitempty"`
	ExpectedNetCredited *Amount         `json:"expected_net_credited,omitempty"`
	Reference           *string         `json:"reference,omitempty"`
	Reason              *string         `json:"reason,omitempty"`
}

type NewWaiver struct {
	Percent       *Decimal `json:"percent,omitempty"`
	Amount        *Amount  `json:"amount,omitempty"`
	HoldingPeriod *bool    `json:"holding_period,omitempty"`
	Reason        string   `json:"reason"`
	Note          *string  `json:"note,omitempty"`
}

type LiquidationQuote struct {
	DepositID          string                 `json:"deposit_id"`
	LiquidationType    LiquidationType        `json:"liquidation_type"`
	Status             StatusAfterLiquidation `json:"status"`
	PrincipalReturned  Amount                 `json:"principal_returned"`
	InterestPaid       Amount                 `json:"interest_paid"`
	PenalCharge        Amount                 `json:"penal_charge"`
	TotalCredited      Amount                 `json:"total_credited"`
	CreditedAccount    string                 `json:"credited_account"`
	RemainingPrincipal Amount                 `json:"remaining_principal"`
	Currency           string                 `json:"currency"`
	AsOf               string                 `json:"as_of"`
	Explanation        Explanation            `json:"explanation"`
	PenalAssessed      Amount                 `json:"penal_assessed"`
	PenalWaived        Amount                 `json:"penal_waived"`
	Waiver             *Waiver                `json:"waiver"`
	Adjustments        []Adjustment           `json:"adjustments"`
	NetCredited        Amount                 `json:"net_credited"`
	ApprovalRequired   bool                   `json:"approval_required"`
}

type Explanation struct {
	BusinessDate      string          `json:"business_date"`
	StartDate         string          `json:"start_date"`
	MaturityDate      string          `json:"maturity_date"`
	ElapsedDays       int64           `json:"elapsed_days"`
	TermDays          int64           `json:"term_days"`
	DayCount          DayCount        `json:"day_count"`
	Rounding          Rounding        `json:"rounding"`
	InterestRate      Decimal         `json:"interest_rate"`
	Principal         Amount          `json:"principal"`
	UnroundedInterest Decimal         `json:"unrounded_interest"`
	Interest          Amount          `json:"interest"`
	RulesVersion      int64           `json:"rules_version"`
	RuleIndex         *int64          `json:"rule_index"`
	NoRuleReason      *NoRuleReason   `json:"no_rule_reason"`
	Terms             []ExplainedTerm `json:"terms"`
	Combine           *Combination    `json:"combine"`
	Combined          *Decimal        `json:"combined"`
	Limited           *Decimal        `json:"limited"`
	CappedFrom        *Decimal        `json:"capped_from"`
	PenalCharge       Amount          `json:"penal_charge"`
	EarlierToday      *BrokenEarlier  `json:"earlier_today"`
	Tax               *TaxExplanation `json:"tax"`
	InterestMethod    InterestMethod  `json:"interest_method"`
	InterestEvery     *InterestPeriod `json:"interest_every"`
	WholePeriods      int64           `json:"whole_periods"`
	Growth            Decimal         `json:"growth"`
	Earned            Amount          `json:"earned"`
	PaidShare         Amount          `json:"paid_share"`
	ChargedToAccrued  Amount          `json:"charged_to_accrued"`
	ChargedToPaid     Amount          `json:"charged_to_paid"`
	Uncollected       Decimal         `json:"uncollected"`
	RulesSource       RulesSource     `json:"rules_source"`
	ProductVersion    *int64          `json:"product_version"`
	RateSheet         *int64          `json:"rate_sheet"`
	RateSheetNow      *int64          `json:"rate_sheet_now"`
}

type DayCount string

const (
	DayCountAct365f DayCount = "ACT/365F"
	DayCountAct360  DayCount = "ACT/360"
	DayCountActAct  DayCount = "ACT/ACT"
	DayCount30360   DayCount = "30/360"
	DayCount30e360  DayCount = "30E/360"
	DayCountMonths  DayCount = "MONTHS"
)

type Rounding string

const (
	RoundingHalfUp   Rounding = "HALF_UP"
	RoundingHalfEven Rounding = "HALF_EVEN"
	RoundingDown     Rounding = "DOWN"
)

type NoRuleReason string

const (
	NoRuleReasonMatured       NoRuleReason = "MATURED"
	NoRuleReasonNoRuleMatched NoRuleReason = "NO_RULE_MATCHED"
)

type ExplainedTerm struct {
	Kind     TermKind `json:"kind"`
	Amount   Decimal  `json:"amount"`
	Sentence string   `json:"sentence"`
}

type TermKind string

const (
	TermKindFixed          TermKind = "FIXED"
	TermKindPercent        TermKind = "PERCENT"
	TermKindPeriodInterest TermKind = "PERIOD_INTEREST"
	TermKindRerate         TermKind = "RERATE"
)

type Combination string

const (
	CombinationSum Combination = "SUM"
	CombinationMax Combination = "MAX"
	CombinationMin Combination = "MIN"
)

type BrokenEarlier struct {
	Principal     Amount `json:"principal"`
	Interest      Amount `json:"interest"`
	PenalAssessed Amount `json:"penal_assessed"`
	PaidShare     Amount `json:"paid_share"`
	Unearned      Amount `json:"unearned"`
	Recovered     Amount `json:"recovered"`
}

type TaxExplanation struct {
	Version         int64   `json:"version"`
	Base            TaxBase `json:"base"`
	Rate            Decimal `json:"rate"`
	TaxableInterest Amount  `json:"taxable_interest"`
	WithheldEarlier Amount  `json:"withheld_earlier"`
}

type TaxBase string

const (
	TaxBaseNet   TaxBase = "NET"
	TaxBaseGross TaxBase = "GROSS"
)

type InterestMethod string

const (
	InterestMethodAtMaturity InterestMethod = "AT_MATURITY"
	InterestMethodCompound   InterestMethod = "COMPOUND"
	InterestMethodPayout     InterestMethod = "PAYOUT"
	InterestMethodUpfront    InterestMethod = "UPFRONT"
)

type InterestPeriod string

const (
	InterestPeriodDay      InterestPeriod = "DAY"
	InterestPeriodMonth    InterestPeriod = "MONTH"
	InterestPeriodQuarter  InterestPeriod = "QUARTER"
	InterestPeriodHalfYear InterestPeriod = "HALF_YEAR"
	InterestPeriodYear     InterestPeriod = "YEAR"
)

type RulesSource string

const (
	RulesSourceCaller  RulesSource = "CALLER"
	RulesSourceProduct RulesSource = "PRODUCT"
)

type QuoteLiquidationRequest struct {
	LiquidationType LiquidationType `json:"liquidation_type"`
	Amount          *Amount         `json:"amount,omitempty"`
	Waiver          *NewWaiver      `json:"waiver,omitempty"`
	AsOf            *string         `json:"as_of,omitempty"`
}

type ExplainedLiquidation struct {
	DepositID          string                 `json:"deposit_id"`
	Status             StatusAfterLiquidation `json:"status"`
	PrincipalReturned  Amount                 `json:"principal_returned"`
	InterestPaid       Amount                 `json:"interest_paid"`
	PenalCharge        Amount                 `json:"penal_charge"`
	TotalCredited      Amount                 `json:"total_credited"`
	CreditedAccount    string                 `json:"credited_account"`
	LiquidatedAt       string                 `json:"liquidated_at"`
	LiquidationID      string                 `json:"liquidation_id"`
	LiquidationType    LiquidationType        `json:"liquidation_type"`
	RemainingPrincipal Amount                 `json:"remaining_principal"`
	Currency           string                 `json:"currency"`
	Explanation        Explanation            `json:"explanation"`
	PenalAssessed      Amount                 `json:"penal_assessed"`
	PenalWaived        Amount                 `json:"penal_waived"`
	Waiver             *NotedWaiver           `json:"waiver"`
	Adjustments        []Adjustment           `json:"adjustments"`
	NetCredited        Amount                 `json:"net_credited"`
	Reference          *string                `json:"reference"`
	Reason             *string                `json:"reason"`
	ReversedAt         *string                `json:"reversed_at"`
}

type NotedWaiver struct {
	Percent       *Decimal `json:"percent"`
	Amount        *Amount  `json:"amount"`
	HoldingPeriod bool     `json:"holding_period"`
	Reason        string   `json:"reason"`
	Note          *string  `json:"note"`
}

type LiquidationStatus string

const (
	LiquidationStatusCompleted LiquidationStatus = "COMPLETED"
	LiquidationStatusReversed  LiquidationStatus = "REVERSED"
)

type Advice struct {
	Bank        string               `json:"bank"`
	Holder      Holder               `json:"holder"`
	IssuedOn    string               `json:"issued_on"`
	Liquidation ExplainedLiquidation `json:"liquidation"`
	WorkedOut   []string             `json:"worked_out"`
}

type Holder struct {
	CustomerID string `json:"customer_id"`
	Name       string `json:"name"`
	Address    string `json:"address"`
}

type Outlook struct {
	Points        []OutlookPoint `json:"points"`
	BreakEvenOn   *string        `json:"break_even_on"`
	NextBetterDay *BetterDay     `json:"next_better_day"`
}

type OutlookPoint struct {
	Date         string `json:"date"`
	Net          Amount `json:"net"`
	InterestKept Amount `json:"interest_kept"`
	PenalCharge  Amount `json:"penal_charge"`
	Tax          Amount `json:"tax"`
}

type BetterDay struct {
	Date  string `json:"date"`
	Gains Amount `json:"gains"`
}

type Impact struct {
	Liquidations LiquidationImpact `json:"liquidations"`
	Rollovers    RolloverImpact    `json:"rollovers"`
	Held         HeldImpact        `json:"held"`
	Worst        []WorstDeposit    `json:"worst"`
	Complete     bool              `json:"complete"`
}

type LiquidationImpact struct {
	Count            int64   `json:"count"`
	ChargeNow        Decimal `json:"charge_now"`
	ChargeProposed   Decimal `json:"charge_proposed"`
	InterestNow      Decimal `json:"interest_now"`
	InterestProposed Decimal `json:"interest_proposed"`
	RefusedNow       int64   `json:"refused_now"`
	RefusedProposed  int64   `json:"refused_proposed"`
}

type RolloverImpact struct {
	Count            int64   `json:"count"`
	InterestNow      Decimal `json:"interest_now"`
	InterestProposed Decimal `json:"interest_proposed"`
	RefusedNow       int64   `json:"refused_now"`
	RefusedProposed  int64   `json:"refused_proposed"`
}

type HeldImpact struct {
	Now      int64 `json:"now"`
	Proposed int64 `json:"proposed"`
}

type WorstDeposit struct {
	DepositID      string  `json:"deposit_id"`
	ChargeNow      Decimal `json:"charge_now"`
	ChargeProposed Decimal `json:"charge_proposed"`
}

type ForeseeRulesRequest struct {
	DayCount              DayCount       `json:"day_count"`
	Rounding              Rounding       `json:"rounding"`
	AllowPartial          bool           `json:"allow_partial"`
	MinPartialAmount      Amount         `json:"min_partial_amount"`
	MinRemainingPrincipal Amount         `json:"min_remaining_principal"`
	MinHoldingDays        int64          `json:"min_holding_days"`
	PenalRules            []NewPenalRule `json:"penal_rules"`
}

type NewPenalRule struct {
	When    PenalConditions   `json:"when"`
	Terms   []json.RawMessage `json:"terms"`
	Combine *Combination      `json:"combine,omitempty"`
	Min     *Amount           `json:"min,omitempty"`
	Max     *Amount           `json:"max,omitempty"`
}

type PenalConditions struct {
	ElapsedDays         *DaysRange    `json:"elapsed_days,omitempty"`
	ElapsedPercent      *PercentRange `json:"elapsed_percent,omitempty"`
	RemainingDays       *DaysRange    `json:"remaining_days,omitempty"`
	RemainingPercent    *PercentRange `json:"remaining_percent,omitempty"`
	TermDays            *DaysRange    `json:"term_days,omitempty"`
	Amount              *AmountRange  `json:"amount,omitempty"`
	Rollovers           *CountRange   `json:"rollovers,omitempty"`
	EarlierLiquidations *CountRange   `json:"earlier_liquidations,omitempty"`
}

type DaysRange struct {
	Gte *int64 `json:"gte,omitempty"`
	Lt  *int64 `json:"lt,omitempty"`
}

type PercentRange struct {
	Gte *Decimal `json:"gte,omitempty"`
	Lt  *Decimal `json:"lt,omitempty"`
}

type AmountRange struct {
	Gte *Amount `json:"gte,omitempty"`
	Lt  *Amount `json:"lt,omitempty"`
}

type CountRange struct {
	Gte *int64 `json:"gte,omitempty"`
	Lt  *int64 `json:"lt,omitempty"`
}

type FixedTerm struct {
	Kind   string `json:"kind"`
	Amount Amount `json:"amount"`
}

type PercentTerm struct {
	Kind    string  `json:"kind"`
	Of      string  `json:"of"`
	Percent Decimal `json:"percent"`
}

type PeriodInterestTerm struct {
	Kind   string          `json:"kind"`
	Period json.RawMessage `json:"period"`
	Rate   *PenalRate      `json:"rate,omitempty"`
}

type PenalPeriod struct {
	Days int64 `json:"days"`
}

type PenalRate struct {
	Of       RateBase        `json:"of"`
	Value    *Decimal        `json:"value,omitempty"`
	Multiply json.RawMessage `json:"multiply,omitempty"`
	Add      *Decimal        `json:"add,omitempty"`
}

type RateBase string

const (
	RateBaseContract      RateBase = "CONTRACT"
	RateBaseFixed         RateBase = "FIXED"
	RateBaseCardAtOpening RateBase = "CARD_AT_OPENING"
	RateBaseCardNow       RateBase = "CARD_NOW"
)

type RerateTerm struct {
	Kind string    `json:"kind"`
	Rate PenalRate `json:"rate"`
}

type ForeseeProductRequest struct {
	Name           string             `json:"name"`
	Currency       string             `json:"currency"`
	Status         ProductStatus      `json:"status"`
	MinAmount      Amount             `json:"min_amount"`
	MaxAmount      *Amount            `json:"max_amount"`
	Tenor          OfferedTenor       `json:"tenor"`
	Interest       ProductInterest    `json:"interest"`
	Maturity       ProductMaturity    `json:"maturity"`
	NegotiatedRate *NegotiatedRate    `json:"negotiated_rate"`
	Bonuses        map[string]Decimal `json:"bonuses"`
	Rules          *ProductRules      `json:"rules"`
}

type ProductStatus string

const (
	ProductStatusOpen   ProductStatus = "OPEN"
	ProductStatusClosed ProductStatus = "CLOSED"
)

type OfferedTenor struct {
	Unit     TenorUnit `json:"unit"`
	Min      int64     `json:"min"`
	Max      int64     `json:"max"`
	Multiple int64     `json:"multiple"`
}

type TenorUnit string

const (
	TenorUnitDay   TenorUnit = "DAY"
	TenorUnitMonth TenorUnit = "MONTH"
)

type ProductInterest struct {
	Method              InterestMethod  `json:"method"`
	Every               *InterestPeriod `json:"every"`
	RecoverPaidInterest bool            `json:"recover_paid_interest"`
}

type ProductMaturity struct {
	OnHoliday     HolidayRule         `json:"on_holiday"`
	Instruction   MaturityInstruction `json:"instruction"`
	RolloverLimit *int64              `json:"rollover_limit"`
}

type HolidayRule string

const (
	HolidayRuleSameDay         HolidayRule = "SAME_DAY"
	HolidayRuleNextBusinessDay HolidayRule = "NEXT_BUSINESS_DAY"
)

type MaturityInstruction string

const (
	MaturityInstructionPayOut            MaturityInstruction = "PAY_OUT"
	MaturityInstructionRollOver          MaturityInstruction = "ROLL_OVER"
	MaturityInstructionRollOverPrincipal MaturityInstruction = "ROLL_OVER_PRINCIPAL"
)

type NegotiatedRate struct {
	Min Decimal `json:"min"`
	Max Decimal `json:"max"`
}

type Bonuses = map[string]Decimal

type ProductRules struct {
	DayCount              DayCount       `json:"day_count"`
	Rounding              Rounding       `json:"rounding"`
	AllowPartial          bool           `json:"allow_partial"`
	MinPartialAmount      Amount         `json:"min_partial_amount"`
	MinRemainingPrincipal Amount         `json:"min_remaining_principal"`
	MinHoldingDays        int64          `json:"min_holding_days"`
	PenalRules            []NewPenalRule `json:"penal_rules"`
}

type ForeseePolicyRequest struct {
	ExpiresAfterHours int64          `json:"expires_after_hours"`
	Deciders          *Deciders      `json:"deciders,omitempty"`
	Rules             []ApprovalRule `json:"rules"`
}

type Deciders string

const (
	DecidersPerson Deciders = "PERSON"
	DecidersAny    Deciders = "ANY"
)

type ApprovalRule struct {
	Operation ApprovableOperation `json:"operation"`
	When      ApprovalConditions  `json:"when"`
	Approvals int64               `json:"approvals"`
}

type ApprovableOperation string

const (
	ApprovableOperationOpenFixedDeposit      ApprovableOperation = "openFixedDeposit"
	ApprovableOperationLiquidateFixedDeposit ApprovableOperation = "liquidateFixedDeposit"
	ApprovableOperationReverseLiquidation    ApprovableOperation = "reverseLiquidation"
	ApprovableOperationPlaceLien             ApprovableOperation = "placeLien"
	ApprovableOperationReleaseLien           ApprovableOperation = "releaseLien"
	ApprovableOperationCreditAccount         ApprovableOperation = "creditAccount"
	ApprovableOperationReplaceRules          ApprovableOperation = "replaceRules"
	ApprovableOperationReplaceTaxRules       ApprovableOperation = "replaceTaxRules"
	ApprovableOperationPutTaxStatus          ApprovableOperation = "putTaxStatus"
	ApprovableOperationReplaceApprovalPolicy ApprovableOperation = "replaceApprovalPolicy"
	ApprovableOperationPutProduct            ApprovableOperation = "putProduct"
	ApprovableOperationAddRateSheet          ApprovableOperation = "addRateSheet"
	ApprovableOperationReplaceCalendar       ApprovableOperation = "replaceCalendar"
	ApprovableOperationReplaceAccounting     ApprovableOperation = "replaceAccounting"
	ApprovableOperationStartBatch            ApprovableOperation = "startBatch"
)

type ApprovalConditions struct {
	Amount              *AmountRange  `json:"amount,omitempty"`
	NetCredited         *AmountRange  `json:"net_credited,omitempty"`
	WaivedAmount        *AmountRange  `json:"waived_amount,omitempty"`
	WaivedPercent       *PercentRange `json:"waived_percent,omitempty"`
	NegotiatedPoints    *PointsRange  `json:"negotiated_points,omitempty"`
	ContactChangedHours *HoursRange   `json:"contact_changed_hours,omitempty"`
	Waiver              *bool         `json:"waiver,omitempty"`
	Sum                 *SumCondition `json:"sum,omitempty"`
}

type PointsRange struct {
	Gte *Decimal `json:"gte,omitempty"`
	Lt  *Decimal `json:"lt,omitempty"`
}

type HoursRange struct {
	Gte *int64 `json:"gte,omitempty"`
	Lt  *int64 `json:"lt,omitempty"`
}

type SumCondition struct {
	Of     SumOf       `json:"of"`
	Days   int64       `json:"days"`
	Amount AmountRange `json:"amount"`
}

type SumOf string

const (
	SumOfDeposit  SumOf = "DEPOSIT"
	SumOfCustomer SumOf = "CUSTOMER"
	SumOfActor    SumOf = "ACTOR"
)

type LiquidationReversal struct {
	LiquidationID string       `json:"liquidation_id"`
	ReversedAt    string       `json:"reversed_at"`
	Deposit       FixedDeposit `json:"deposit"`
}

type FixedDeposit struct {
	DepositID                  string              `json:"deposit_id"`
	CustomerID                 string              `json:"customer_id"`
	AccountNumber              string              `json:"account_number"`
	Status                     DepositStatus       `json:"status"`
	Currency                   string              `json:"currency"`
	Principal                  Amount              `json:"principal"`
	RemainingPrincipal         Amount              `json:"remaining_principal"`
	InterestRate               Decimal             `json:"interest_rate"`
	Tenor                      int64               `json:"tenor"`
	StartDate                  string              `json:"start_date"`
	MaturityDate               string              `json:"maturity_date"`
	ExpectedInterest           Amount              `json:"expected_interest"`
	AccruedInterest            Amount              `json:"accrued_interest"`
	AutoRollover               bool                `json:"auto_rollover"`
	RulesVersion               int64               `json:"rules_version"`
	CreatedAt                  string              `json:"created_at"`
	UpdatedAt                  string              `json:"updated_at"`
	LiquidatedAt               *string             `json:"liquidated_at"`
	RolledOverTo               *string             `json:"rolled_over_to"`
	LienAmount                 Amount              `json:"lien_amount"`
	PendingApprovalID          *string             `json:"pending_approval_id"`
	PendingApprovalRequestedBy *Actor              `json:"pending_approval_requested_by"`
	ExternalID                 *string             `json:"external_id"`
	Metadata                   map[string]string   `json:"metadata"`
	ProductCode                *string             `json:"product_code"`
	ProductVersion             *int64              `json:"product_version"`
	RateSheet                  *int64              `json:"rate_sheet"`
	Bonuses                    []string            `json:"bonuses"`
	Bonus                      *Decimal            `json:"bonus"`
	RulesSource                RulesSource         `json:"rules_source"`
	AgreedTenor                AgreedTenor         `json:"agreed_tenor"`
	InterestMethod             InterestMethod      `json:"interest_method"`
	InterestEvery              *InterestPeriod     `json:"interest_every"`
	RecoverPaidInterest        bool                `json:"recover_paid_interest"`
	InterestPaidOut            Amount              `json:"interest_paid_out"`
	InterestPaidTo             *string             `json:"interest_paid_to"`
	NextInterestDate           *string             `json:"next_interest_date"`
	MaturityInstruction        MaturityInstruction `json:"maturity_instruction"`
	Rollovers                  int64               `json:"rollovers"`
}

type DepositStatus string

const (
	DepositStatusActive     DepositStatus = "ACTIVE"
	DepositStatusLiquidated DepositStatus = "LIQUIDATED"
	DepositStatusMatured    DepositStatus = "MATURED"
	DepositStatusRolledOver DepositStatus = "ROLLED_OVER"
)

type Actor struct {
	Kind ActorKind `json:"kind"`
	ID   string    `json:"id"`
	Name *string   `json:"name"`
}

type ActorKind string

const (
	ActorKindKey      ActorKind = "KEY"
	ActorKindPerson   ActorKind = "PERSON"
	ActorKindOperator ActorKind = "OPERATOR"
	ActorKindJob      ActorKind = "JOB"
)

type Metadata = map[string]string

type AgreedTenor struct {
	Unit  TenorUnit `json:"unit"`
	Count int64     `json:"count"`
}

type ReverseLiquidationRequest struct {
	Reason string  `json:"reason"`
	Note   *string `json:"note,omitempty"`
}

type InterestPayment struct {
	From         string  `json:"from"`
	To           string  `json:"to"`
	Principal    Amount  `json:"principal"`
	Interest     Amount  `json:"interest"`
	Tax          Amount  `json:"tax"`
	Net          Amount  `json:"net"`
	BusinessDate string  `json:"business_date"`
	EntryID      *string `json:"entry_id"`
}

type PutMaturityInstructionRequest struct {
	MaturityInstruction MaturityInstruction `json:"maturity_instruction"`
}

type Parties struct {
	DepositID string  `json:"deposit_id"`
	Mandate   Mandate `json:"mandate"`
	Parties   []Party `json:"parties"`
}

type Mandate string

const (
	MandateAny Mandate = "ANY"
	MandateAll Mandate = "ALL"
)

type Party struct {
	CustomerID string    `json:"customer_id"`
	Name       string    `json:"name"`
	Role       PartyRole `json:"role"`
}

type PartyRole string

const (
	PartyRoleJoint    PartyRole = "JOINT"
	PartyRoleNominee  PartyRole = "NOMINEE"
	PartyRoleGuardian PartyRole = "GUARDIAN"
)

type PutPartiesRequest struct {
	Mandate Mandate    `json:"mandate"`
	Parties []NewParty `json:"parties"`
}

type NewParty struct {
	CustomerID string    `json:"customer_id"`
	Role       PartyRole `json:"role"`
}

type Customer struct {
	CustomerID  string            `json:"customer_id"`
	FirstName   string            `json:"first_name"`
	LastName    string            `json:"last_name"`
	Email       string            `json:"email"`
	PhoneNumber string            `json:"phone_number"`
	Address     string            `json:"address"`
	CreatedAt   string            `json:"created_at"`
	UpdatedAt   string            `json:"updated_at"`
	ExternalID  *string           `json:"external_id"`
	Metadata    map[string]string `json:"metadata"`
}

type UpdateCustomerRequest struct {
	Email       *string `json:"email,omitempty"`
	PhoneNumber *string `json:"phone_number,omitempty"`
	Address     *string `json:"address,omitempty"`
}

type CreateCustomerRequest struct {
	FirstName   string            `json:"first_name"`
	LastName    string            `json:"last_name"`
	Email       string            `json:"email"`
	PhoneNumber string            `json:"phone_number"`
	Address     string            `json:"address"`
	ExternalID  *string           `json:"external_id,omitempty"`
	Metadata    map[string]string `json:"metadata,omitempty"`
}

type Account struct {
	AccountNumber string            `json:"account_number"`
	CustomerID    string            `json:"customer_id"`
	Currency      string            `json:"currency"`
	Balance       Amount            `json:"balance"`
	CreatedAt     string            `json:"created_at"`
	ExternalID    *string           `json:"external_id"`
	Metadata      map[string]string `json:"metadata"`
}

type OpenAccountRequest struct {
	CustomerID string            `json:"customer_id"`
	Currency   *string           `json:"currency,omitempty"`
	ExternalID *string           `json:"external_id,omitempty"`
	Metadata   map[string]string `json:"metadata,omitempty"`
}

type LedgerEntry struct {
	EntryID       string          `json:"entry_id"`
	Kind          LedgerEntryKind `json:"kind"`
	AccountNumber *string         `json:"account_number"`
	DepositID     *string         `json:"deposit_id"`
	LiquidationID *string         `json:"liquidation_id"`
	Narration     *string         `json:"narration"`
	CreatedAt     string          `json:"created_at"`
	Lines         []LedgerLine    `json:"lines"`
	Reverses      *string         `json:"reverses"`
	BusinessDate  *string         `json:"business_date"`
}

type LedgerEntryKind string

const (
	LedgerEntryKindAccountCredit    LedgerEntryKind = "ACCOUNT_CREDIT"
	LedgerEntryKindDepositOpening   LedgerEntryKind = "DEPOSIT_OPENING"
	LedgerEntryKindLiquidation      LedgerEntryKind = "LIQUIDATION"
	LedgerEntryKindMaturity         LedgerEntryKind = "MATURITY"
	LedgerEntryKindReversal         LedgerEntryKind = "REVERSAL"
	LedgerEntryKindWithholdingTax   LedgerEntryKind = "WITHHOLDING_TAX"
	LedgerEntryKindInterestPayout   LedgerEntryKind = "INTEREST_PAYOUT"
	LedgerEntryKindInterestRecovery LedgerEntryKind = "INTEREST_RECOVERY"
	LedgerEntryKindTaxReturn        LedgerEntryKind = "TAX_RETURN"
	LedgerEntryKindImport           LedgerEntryKind = "IMPORT"
	LedgerEntryKindAccrual          LedgerEntryKind = "ACCRUAL"
)

type LedgerLine struct {
	Account string `json:"account"`
	Amount  Amount `json:"amount"`
}

type CreditAccountRequest struct {
	Amount    Amount  `json:"amount"`
	Narration *string `json:"narration,omitempty"`
}

type OpenFixedDepositRequest struct {
	AccountNumber        string               `json:"account_number"`
	Amount               Amount               `json:"amount"`
	ProductCode          *string              `json:"product_code,omitempty"`
	Tenor                *int64               `json:"tenor,omitempty"`
	TenorMonths          *int64               `json:"tenor_months,omitempty"`
	InterestRate         *Decimal             `json:"interest_rate,omitempty"`
	Bonuses              []string             `json:"bonuses,omitempty"`
	AutoRollover         *bool                `json:"auto_rollover,omitempty"`
	MaturityInstruction  *MaturityInstruction `json:"maturity_instruction,omitempty"`
	StartDate            *string              `json:"start_date,omitempty"`
	ExpectedInterestRate *Decimal             `json:"expected_interest_rate,omitempty"`
	ExternalID           *string              `json:"external_id,omitempty"`
	Metadata             map[string]string    `json:"metadata,omitempty"`
}

type Product struct {
	ProductCode    string             `json:"product_code"`
	Version        int64              `json:"version"`
	Name           string             `json:"name"`
	Currency       string             `json:"currency"`
	Status         ProductStatus      `json:"status"`
	MinAmount      Amount             `json:"min_amount"`
	MaxAmount      *Amount            `json:"max_amount"`
	Tenor          OfferedTenor       `json:"tenor"`
	Interest       ProductInterest    `json:"interest"`
	Maturity       ProductMaturity    `json:"maturity"`
	NegotiatedRate *NegotiatedRate    `json:"negotiated_rate"`
	Bonuses        map[string]Decimal `json:"bonuses"`
	Rules          *RuleSet           `json:"rules"`
	CreatedAt      string             `json:"created_at"`
}

type RuleSet struct {
	DayCount              DayCount    `json:"day_count"`
	Rounding              Rounding    `json:"rounding"`
	AllowPartial          bool        `json:"allow_partial"`
	MinPartialAmount      Amount      `json:"min_partial_amount"`
	MinRemainingPrincipal Amount      `json:"min_remaining_principal"`
	MinHoldingDays        int64       `json:"min_holding_days"`
	PenalRules            []PenalRule `json:"penal_rules"`
}

type PenalRule struct {
	When    PenalConditions   `json:"when"`
	Terms   []json.RawMessage `json:"terms"`
	Combine Combination       `json:"combine"`
	Min     Amount            `json:"min"`
	Max     *Amount           `json:"max"`
}

type PutProductRequest struct {
	Name           string             `json:"name"`
	Currency       string             `json:"currency"`
	Status         ProductStatus      `json:"status"`
	MinAmount      Amount             `json:"min_amount"`
	MaxAmount      *Amount            `json:"max_amount"`
	Tenor          OfferedTenor       `json:"tenor"`
	Interest       ProductInterest    `json:"interest"`
	Maturity       ProductMaturity    `json:"maturity"`
	NegotiatedRate *NegotiatedRate    `json:"negotiated_rate"`
	Bonuses        map[string]Decimal `json:"bonuses"`
	Rules          *ProductRules      `json:"rules"`
}

type RateSheet struct {
	ProductCode   string      `json:"product_code"`
	Number        int64       `json:"number"`
	EffectiveFrom string      `json:"effective_from"`
	TenorUnit     TenorUnit   `json:"tenor_unit"`
	TenorFrom     []int64     `json:"tenor_from"`
	AmountFrom    []Amount    `json:"amount_from"`
	Rates         [][]Decimal `json:"rates"`
	CreatedAt     string      `json:"created_at"`
}

type AddRateSheetRequest struct {
	EffectiveFrom string      `json:"effective_from"`
	TenorUnit     TenorUnit   `json:"tenor_unit"`
	TenorFrom     []int64     `json:"tenor_from"`
	AmountFrom    []Amount    `json:"amount_from"`
	Rates         [][]Decimal `json:"rates"`
}

type ProductQuote struct {
	InterestRate        Decimal                 `json:"interest_rate"`
	RateSheet           int64                   `json:"rate_sheet"`
	StartDate           string                  `json:"start_date"`
	MaturityDate        string                  `json:"maturity_date"`
	Schedule            []InterestPeriodOfQuote `json:"schedule"`
	ExpectedInterest    Amount                  `json:"expected_interest"`
	EstimatedTax        Amount                  `json:"estimated_tax"`
	EffectiveAnnualRate Decimal                 `json:"effective_annual_rate"`
	Outlook             *Outlook                `json:"outlook,omitempty"`
}

type InterestPeriodOfQuote struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Interest Amount `json:"interest"`
}

type QuoteProductRequest struct {
	Amount       Amount   `json:"amount"`
	Tenor        *int64   `json:"tenor,omitempty"`
	TenorMonths  *int64   `json:"tenor_months,omitempty"`
	InterestRate *Decimal `json:"interest_rate,omitempty"`
	Bonuses      []string `json:"bonuses,omitempty"`
	StartDate    *string  `json:"start_date,omitempty"`
	Outlook      *bool    `json:"outlook,omitempty"`
}

type BusinessCalendar struct {
	Version   int64     `json:"version"`
	Weekend   []Weekday `json:"weekend"`
	Holidays  []string  `json:"holidays"`
	CreatedAt *string   `json:"created_at"`
}

type Weekday string

const (
	WeekdayMon Weekday = "MON"
	WeekdayTue Weekday = "TUE"
	WeekdayWed Weekday = "WED"
	WeekdayThu Weekday = "THU"
	WeekdayFri Weekday = "FRI"
	WeekdaySat Weekday = "SAT"
	WeekdaySun Weekday = "SUN"
)

type ReplaceCalendarRequest struct {
	Weekend  []Weekday `json:"weekend"`
	Holidays []string  `json:"holidays"`
}

type LiquidationRules struct {
	Version               int64       `json:"version"`
	DayCount              DayCount    `json:"day_count"`
	Rounding              Rounding    `json:"rounding"`
	AllowPartial          bool        `json:"allow_partial"`
	MinPartialAmount      Amount      `json:"min_partial_amount"`
	MinRemainingPrincipal Amount      `json:"min_remaining_principal"`
	MinHoldingDays        int64       `json:"min_holding_days"`
	PenalRules            []PenalRule `json:"penal_rules"`
	CreatedAt             string      `json:"created_at"`
}

type ReplaceRulesRequest struct {
	DayCount              DayCount       `json:"day_count"`
	Rounding              Rounding       `json:"rounding"`
	AllowPartial          bool           `json:"allow_partial"`
	MinPartialAmount      Amount         `json:"min_partial_amount"`
	MinRemainingPrincipal Amount         `json:"min_remaining_principal"`
	MinHoldingDays        int64          `json:"min_holding_days"`
	PenalRules            []NewPenalRule `json:"penal_rules"`
}

type Certificate struct {
	Bank                string              `json:"bank"`
	Holder              Holder              `json:"holder"`
	IssuedOn            string              `json:"issued_on"`
	DepositID           string              `json:"deposit_id"`
	AccountNumber       string              `json:"account_number"`
	Currency            string              `json:"currency"`
	Status              DepositStatus       `json:"status"`
	Principal           Amount              `json:"principal"`
	RemainingPrincipal  Amount              `json:"remaining_principal"`
	InterestRate        Decimal             `json:"interest_rate"`
	Tenor               int64               `json:"tenor"`
	StartDate           string              `json:"start_date"`
	MaturityDate        string              `json:"maturity_date"`
	ExpectedInterest    Amount              `json:"expected_interest"`
	MaturityValue       Amount              `json:"maturity_value"`
	AutoRollover        bool                `json:"auto_rollover"`
	LienAmount          Amount              `json:"lien_amount"`
	ProductCode         *string             `json:"product_code"`
	ProductName         *string             `json:"product_name"`
	InterestMethod      InterestMethod      `json:"interest_method"`
	InterestEvery       *InterestPeriod     `json:"interest_every"`
	AgreedTenor         AgreedTenor         `json:"agreed_tenor"`
	MaturityInstruction MaturityInstruction `json:"maturity_instruction"`
	Parties             []Party             `json:"parties"`
}

type Statement struct {
	Bank          string          `json:"bank"`
	Holder        Holder          `json:"holder"`
	IssuedOn      string          `json:"issued_on"`
	DepositID     string          `json:"deposit_id"`
	AccountNumber string          `json:"account_number"`
	Currency      string          `json:"currency"`
	From          string          `json:"from"`
	To            string          `json:"to"`
	Lines         []StatementLine `json:"lines"`
}

type StatementLine struct {
	Date               string            `json:"date"`
	Kind               StatementLineKind `json:"kind"`
	Text               string            `json:"text"`
	Amount             Amount            `json:"amount"`
	RemainingPrincipal Amount            `json:"remaining_principal"`
	EntryID            *string           `json:"entry_id"`
}

type StatementLineKind string

const (
	StatementLineKindAccountCredit    StatementLineKind = "ACCOUNT_CREDIT"
	StatementLineKindDepositOpening   StatementLineKind = "DEPOSIT_OPENING"
	StatementLineKindLiquidation      StatementLineKind = "LIQUIDATION"
	StatementLineKindMaturity         StatementLineKind = "MATURITY"
	StatementLineKindReversal         StatementLineKind = "REVERSAL"
	StatementLineKindWithholdingTax   StatementLineKind = "WITHHOLDING_TAX"
	StatementLineKindInterestPayout   StatementLineKind = "INTEREST_PAYOUT"
	StatementLineKindInterestRecovery StatementLineKind = "INTEREST_RECOVERY"
	StatementLineKindTaxReturn        StatementLineKind = "TAX_RETURN"
	StatementLineKindImport           StatementLineKind = "IMPORT"
	StatementLineKindAccrual          StatementLineKind = "ACCRUAL"
	StatementLineKindBroughtForward   StatementLineKind = "BROUGHT_FORWARD"
	StatementLineKindWaiver           StatementLineKind = "WAIVER"
	StatementLineKindLienPlaced       StatementLineKind = "LIEN_PLACED"
	StatementLineKindLienReleased     StatementLineKind = "LIEN_RELEASED"
	StatementLineKindSums             StatementLineKind = "SUMS"
)

type InterestCertificate struct {
	Bank     string               `json:"bank"`
	Holder   Holder               `json:"holder"`
	IssuedOn string               `json:"issued_on"`
	From     string               `json:"from"`
	To       string               `json:"to"`
	Deposits []InterestOfDeposit  `json:"deposits"`
	Totals   []InterestOfCurrency `json:"totals"`
}

type InterestOfDeposit struct {
	DepositID         string   `json:"deposit_id"`
	Currency          string   `json:"currency"`
	GrossInterest     Decimal  `json:"gross_interest"`
	Charges           Decimal  `json:"charges"`
	InterestTakenBack Decimal  `json:"interest_taken_back"`
	TaxWithheld       Decimal  `json:"tax_withheld"`
	TaxReturned       Decimal  `json:"tax_returned"`
	NetInterest       Decimal  `json:"net_interest"`
	EntryIDs          []string `json:"entry_ids"`
}

type InterestOfCurrency struct {
	Currency          string  `json:"currency"`
	GrossInterest     Decimal `json:"gross_interest"`
	Charges           Decimal `json:"charges"`
	InterestTakenBack Decimal `json:"interest_taken_back"`
	TaxWithheld       Decimal `json:"tax_withheld"`
	TaxReturned       Decimal `json:"tax_returned"`
	NetInterest       Decimal `json:"net_interest"`
}

type TaxRules struct {
	Version       int64              `json:"version"`
	EffectiveFrom string             `json:"effective_from"`
	Base          TaxBase            `json:"base"`
	OnRecovery    TaxOnRecovery      `json:"on_recovery"`
	Rounding      Rounding           `json:"rounding"`
	Classes       map[string]Decimal `json:"classes"`
	CreatedAt     string             `json:"created_at"`
}

type TaxOnRecovery string

const (
	TaxOnRecoveryKeep   TaxOnRecovery = "KEEP"
	TaxOnRecoveryReturn TaxOnRecovery = "RETURN"
)

type TaxClasses = map[string]Decimal

type ReplaceTaxRulesRequest struct {
	EffectiveFrom string             `json:"effective_from"`
	Base          TaxBase            `json:"base"`
	OnRecovery    TaxOnRecovery      `json:"on_recovery"`
	Rounding      Rounding           `json:"rounding"`
	Classes       map[string]Decimal `json:"classes"`
}

type TaxStatus struct {
	CustomerID string  `json:"customer_id"`
	TaxClass   string  `json:"tax_class"`
	Reference  *string `json:"reference"`
	ValidUntil *string `json:"valid_until"`
}

type PutTaxStatusRequest struct {
	TaxClass   string  `json:"tax_class"`
	Reference  *string `json:"reference,omitempty"`
	ValidUntil *string `json:"valid_until,omitempty"`
}

type Lien struct {
	LienID        string     `json:"lien_id"`
	DepositID     string     `json:"deposit_id"`
	Amount        Amount     `json:"amount"`
	Reason        string     `json:"reason"`
	Reference     *string    `json:"reference"`
	Status        LienStatus `json:"status"`
	CreatedAt     string     `json:"created_at"`
	ReleasedAt    *string    `json:"released_at"`
	ReleaseReason *string    `json:"release_reason"`
}

type LienStatus string

const (
	LienStatusActive   LienStatus = "ACTIVE"
	LienStatusReleased LienStatus = "RELEASED"
)

type PlaceLienRequest struct {
	Amount    Amount  `json:"amount"`
	Reason    string  `json:"reason"`
	Reference *string `json:"reference,omitempty"`
	Note      *string `json:"note,omitempty"`
}

type ReleaseLienRequest struct {
	Reason string `json:"reason"`
}

type Approval struct {
	ApprovalID      string              `json:"approval_id"`
	Operation       ApprovableOperation `json:"operation"`
	TargetID        *string             `json:"target_id"`
	Body            json.RawMessage     `json:"body"`
	Note            *string             `json:"note"`
	Status          ApprovalStatus      `json:"status"`
	Preview         json.RawMessage     `json:"preview"`
	ApprovalsNeeded int64               `json:"approvals_needed"`
	Votes           []ApprovalVoteCast  `json:"votes"`
	RequestedBy     Actor               `json:"requested_by"`
	RequestedAt     string              `json:"requested_at"`
	ExpiresAt       string              `json:"expires_at"`
	DecidedAt       *string             `json:"decided_at"`
	Result          json.RawMessage     `json:"result"`
	DecisionReason  *string             `json:"decision_reason"`
}

type JsonObject = json.RawMessage

type ApprovalStatus string

const (
	ApprovalStatusPending   ApprovalStatus = "PENDING"
	ApprovalStatusApproved  ApprovalStatus = "APPROVED"
	ApprovalStatusRejected  ApprovalStatus = "REJECTED"
	ApprovalStatusCancelled ApprovalStatus = "CANCELLED"
	ApprovalStatusExpired   ApprovalStatus = "EXPIRED"
)

type ApprovalVoteCast struct {
	Actor Actor  `json:"actor"`
	At    string `json:"at"`
}

type RequestApprovalRequest struct {
	Operation ApprovableOperation `json:"operation"`
	TargetID  *string             `json:"target_id,omitempty"`
	Body      json.RawMessage     `json:"body"`
	Note      *string             `json:"note,omitempty"`
}

type ApproveApprovalRequest struct {
	ExpectedNetCredited *Amount `json:"expected_net_credited,omitempty"`
}

type RejectApprovalRequest struct {
	Reason string `json:"reason"`
}

type ApprovalPolicy struct {
	Version           int64          `json:"version"`
	ExpiresAfterHours int64          `json:"expires_after_hours"`
	Deciders          Deciders       `json:"deciders"`
	Rules             []ApprovalRule `json:"rules"`
	CreatedAt         string         `json:"created_at"`
}

type ReplaceApprovalPolicyRequest struct {
	ExpiresAfterHours int64          `json:"expires_after_hours"`
	Deciders          *Deciders      `json:"deciders,omitempty"`
	Rules             []ApprovalRule `json:"rules"`
}

type Batch struct {
	BatchID     string         `json:"batch_id"`
	Operation   BatchOperation `json:"operation"`
	Name        *string        `json:"name"`
	Status      BatchStatus    `json:"status"`
	Parts       int64          `json:"parts"`
	Lines       int64          `json:"lines"`
	TotalAmount Decimal        `json:"total_amount"`
	Succeeded   int64          `json:"succeeded"`
	Duplicates  int64          `json:"duplicates"`
	Failed      int64          `json:"failed"`
	Skipped     int64          `json:"skipped"`
	StartedBy   *Actor         `json:"started_by"`
	CreatedAt   string         `json:"created_at"`
	FinishedAt  *string        `json:"finished_at"`
}

type BatchOperation string

const (
	BatchOperationCreateCustomer        BatchOperation = "createCustomer"
	BatchOperationOpenAccount           BatchOperation = "openAccount"
	BatchOperationCreditAccount         BatchOperation = "creditAccount"
	BatchOperationOpenFixedDeposit      BatchOperation = "openFixedDeposit"
	BatchOperationLiquidateFixedDeposit BatchOperation = "liquidateFixedDeposit"
	BatchOperationPlaceLien             BatchOperation = "placeLien"
	BatchOperationReleaseLien           BatchOperation = "releaseLien"
	BatchOperationImportAccount         BatchOperation = "importAccount"
	BatchOperationImportFixedDeposit    BatchOperation = "importFixedDeposit"
)

type BatchStatus string

const (
	BatchStatusUploading BatchStatus = "UPLOADING"
	BatchStatusRunning   BatchStatus = "RUNNING"
	BatchStatusDone      BatchStatus = "DONE"
	BatchStatusCancelled BatchStatus = "CANCELLED"
)

type CreateBatchRequest struct {
	Operation BatchOperation `json:"operation"`
	Name      *string        `json:"name,omitempty"`
	Expected  *ControlTotals `json:"expected,omitempty"`
}

type ControlTotals struct {
	Lines       int64  `json:"lines"`
	TotalAmount Amount `json:"total_amount"`
}

type StartBatchRequest struct{}

type BatchResult struct {
	Line       int64           `json:"line"`
	ExternalID *string         `json:"external_id"`
	Outcome    LineOutcome     `json:"outcome"`
	ID         *string         `json:"id"`
	Data       json.RawMessage `json:"data"`
	Error      json.RawMessage `json:"error"`
}

type LineOutcome string

const (
	LineOutcomeSucceeded LineOutcome = "SUCCEEDED"
	LineOutcomeDuplicate LineOutcome = "DUPLICATE"
	LineOutcomeFailed    LineOutcome = "FAILED"
	LineOutcomeSkipped   LineOutcome = "SKIPPED"
)

type LiquidationReport struct {
	From    string             `json:"from"`
	To      string             `json:"to"`
	GroupBy ReportGroup        `json:"group_by"`
	Groups  []LiquidationGroup `json:"groups"`
}

type ReportGroup string

const (
	ReportGroupDay          ReportGroup = "day"
	ReportGroupProduct      ReportGroup = "product"
	ReportGroupWaiverReason ReportGroup = "waiver_reason"
)

type LiquidationGroup struct {
	Day          *string `json:"day"`
	Product      *string `json:"product"`
	WaiverReason *string `json:"waiver_reason"`
	Currency     string  `json:"currency"`
	Full         int64   `json:"full"`
	Partial      int64   `json:"partial"`
	Principal    Decimal `json:"principal"`
	Interest     Decimal `json:"interest"`
	Assessed     Decimal `json:"assessed"`
	Waived       Decimal `json:"waived"`
	Charge       Decimal `json:"charge"`
	Recovered    Decimal `json:"recovered"`
	Tax          Decimal `json:"tax"`
	Net          Decimal `json:"net"`
	Reversed     Decimal `json:"reversed"`
}

type TaxReport struct {
	From   string     `json:"from"`
	To     string     `json:"to"`
	Groups []TaxGroup `json:"groups"`
}

type TaxGroup struct {
	CustomerID   string  `json:"customer_id"`
	TaxReference *string `json:"tax_reference"`
	TaxClass     string  `json:"tax_class"`
	Currency     string  `json:"currency"`
	Interest     Decimal `json:"interest"`
	Charge       Decimal `json:"charge"`
	Tax          Decimal `json:"tax"`
}

type CashFlow struct {
	From string     `json:"from"`
	To   string     `json:"to"`
	Days []DueMoney `json:"days"`
}

type DueMoney struct {
	Date                string               `json:"date"`
	MaturityInstruction *MaturityInstruction `json:"maturity_instruction"`
	Currency            string               `json:"currency"`
	Deposits            int64                `json:"deposits"`
	Principal           Decimal              `json:"principal"`
	Interest            Decimal              `json:"interest"`
}

type Accrual struct {
	DepositID       string  `json:"deposit_id"`
	ProductCode     *string `json:"product_code"`
	Currency        string  `json:"currency"`
	InterestPayable Amount  `json:"interest_payable"`
	PrepaidInterest Amount  `json:"prepaid_interest"`
}

type KeptLiquidation struct {
	DepositID          string                 `json:"deposit_id"`
	Status             StatusAfterLiquidation `json:"status"`
	PrincipalReturned  Amount                 `json:"principal_returned"`
	InterestPaid       Amount                 `json:"interest_paid"`
	PenalCharge        Amount                 `json:"penal_charge"`
	TotalCredited      Amount                 `json:"total_credited"`
	CreditedAccount    string                 `json:"credited_account"`
	LiquidatedAt       string                 `json:"liquidated_at"`
	LiquidationID      string                 `json:"liquidation_id"`
	LiquidationType    LiquidationType        `json:"liquidation_type"`
	RemainingPrincipal Amount                 `json:"remaining_principal"`
	Currency           string                 `json:"currency"`
	PenalAssessed      Amount                 `json:"penal_assessed"`
	PenalWaived        Amount                 `json:"penal_waived"`
	Waiver             *Waiver                `json:"waiver"`
	Adjustments        []Adjustment           `json:"adjustments"`
	NetCredited        Amount                 `json:"net_credited"`
	Reference          *string                `json:"reference"`
	Reason             *string                `json:"reason"`
	BusinessDate       string                 `json:"business_date"`
	ReversedAt         *string                `json:"reversed_at"`
}

type ExportedLedgerEntry struct {
	EntryID       string               `json:"entry_id"`
	Kind          LedgerEntryKind      `json:"kind"`
	AccountNumber *string              `json:"account_number"`
	DepositID     *string              `json:"deposit_id"`
	LiquidationID *string              `json:"liquidation_id"`
	Narration     *string              `json:"narration"`
	CreatedAt     string               `json:"created_at"`
	Lines         []ExportedLedgerLine `json:"lines"`
	Reverses      *string              `json:"reverses"`
	BusinessDate  *string              `json:"business_date"`
}

type ExportedLedgerLine struct {
	Account string  `json:"account"`
	Amount  Amount  `json:"amount"`
	GlCode  *string `json:"gl_code"`
}

type TaxedMovement struct {
	EntryID         string  `json:"entry_id"`
	BusinessDate    string  `json:"business_date"`
	CustomerID      string  `json:"customer_id"`
	TaxReference    *string `json:"tax_reference"`
	DepositID       string  `json:"deposit_id"`
	LiquidationID   *string `json:"liquidation_id"`
	Currency        string  `json:"currency"`
	Interest        Amount  `json:"interest"`
	Charge          Amount  `json:"charge"`
	TaxClass        string  `json:"tax_class"`
	TaxRate         Decimal `json:"tax_rate"`
	TaxRulesVersion int64   `json:"tax_rules_version"`
	Tax             Amount  `json:"tax"`
}

type ExportedInterestPayment struct {
	DepositID       string  `json:"deposit_id"`
	ProductCode     *string `json:"product_code"`
	CreditedAccount string  `json:"credited_account"`
	Currency        string  `json:"currency"`
	From            string  `json:"from"`
	To              string  `json:"to"`
	Principal       Amount  `json:"principal"`
	Interest        Amount  `json:"interest"`
	Tax             Amount  `json:"tax"`
	Net             Amount  `json:"net"`
	BusinessDate    string  `json:"business_date"`
	EntryID         *string `json:"entry_id"`
}

type Accounting struct {
	Version   int64       `json:"version"`
	Accruals  AccrualMode `json:"accruals"`
	GlCodes   GlCodes     `json:"gl_codes"`
	CreatedAt *string     `json:"created_at"`
}

type AccrualMode string

const (
	AccrualModeOff     AccrualMode = "OFF"
	AccrualModeDaily   AccrualMode = "DAILY"
	AccrualModeMonthly AccrualMode = "MONTHLY"
)

type GlCodes struct {
	Cash              *string `json:"cash,omitempty"`
	InterestExpense   *string `json:"interest_expense,omitempty"`
	PenalIncome       *string `json:"penal_income,omitempty"`
	PenalWaived       *string `json:"penal_waived,omitempty"`
	TaxPayable        *string `json:"tax_payable,omitempty"`
	RolloverClearing  *string `json:"rollover_clearing,omitempty"`
	MigrationSuspense *string `json:"migration_suspense,omitempty"`
	InterestPayable   *string `json:"interest_payable,omitempty"`
	PrepaidInterest   *string `json:"prepaid_interest,omitempty"`
	Accounts          *string `json:"accounts,omitempty"`
	Deposits          *string `json:"deposits,omitempty"`
}

type ReplaceAccountingRequest struct {
	Accruals AccrualMode `json:"accruals"`
	GlCodes  GlCodes     `json:"gl_codes"`
}

type Event struct {
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	Timestamp string          `json:"timestamp"`
	Mode      Mode            `json:"mode"`
	RequestID *string         `json:"request_id"`
	Data      json.RawMessage `json:"data"`
	Actor     Actor           `json:"actor"`
}

type CustomerCreatedEvent struct {
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	Timestamp string          `json:"timestamp"`
	Mode      Mode            `json:"mode"`
	RequestID *string         `json:"request_id"`
	Data      CreatedCustomer `json:"data"`
	Actor     Actor           `json:"actor"`
}

type Mode string

const (
	ModeTest Mode = "test"
	ModeLive Mode = "live"
)

type CreatedCustomer struct {
	CustomerID string  `json:"customer_id"`
	ExternalID *string `json:"external_id"`
}

type CustomerUpdatedEvent struct {
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	Timestamp string          `json:"timestamp"`
	Mode      Mode            `json:"mode"`
	RequestID *string         `json:"request_id"`
	Data      UpdatedCustomer `json:"data"`
	Actor     Actor           `json:"actor"`
}

type UpdatedCustomer struct {
	CustomerID    string   `json:"customer_id"`
	ChangedFields []string `json:"changed_fields"`
}

type AccountCreditedEvent struct {
	ID        string        `json:"id"`
	Type      string        `json:"type"`
	Timestamp string        `json:"timestamp"`
	Mode      Mode          `json:"mode"`
	RequestID *string       `json:"request_id"`
	Data      AccountCredit `json:"data"`
	Actor     Actor         `json:"actor"`
}

type AccountCredit struct {
	EntryID       string          `json:"entry_id"`
	Kind          LedgerEntryKind `json:"kind"`
	AccountNumber *string         `json:"account_number"`
	DepositID     *string         `json:"deposit_id"`
	LiquidationID *string         `json:"liquidation_id"`
	CreatedAt     string          `json:"created_at"`
	Lines         []LedgerLine    `json:"lines"`
}

type FixedDepositCreatedEvent struct {
	ID        string       `json:"id"`
	Type      string       `json:"type"`
	Timestamp string       `json:"timestamp"`
	Mode      Mode         `json:"mode"`
	RequestID *string      `json:"request_id"`
	Data      FixedDeposit `json:"data"`
	Actor     Actor        `json:"actor"`
}

type FixedDepositInterestPaidEvent struct {
	ID        string       `json:"id"`
	Type      string       `json:"type"`
	Timestamp string       `json:"timestamp"`
	Mode      Mode         `json:"mode"`
	RequestID *string      `json:"request_id"`
	Data      InterestPaid `json:"data"`
	Actor     Actor        `json:"actor"`
}

type InterestPaid struct {
	DepositID       string `json:"deposit_id"`
	From            string `json:"from"`
	To              string `json:"to"`
	Interest        Amount `json:"interest"`
	Tax             Amount `json:"tax"`
	Net             Amount `json:"net"`
	CreditedAccount string `json:"credited_account"`
}

type FixedDepositLiquidatedEvent struct {
	ID        string      `json:"id"`
	Type      string      `json:"type"`
	Timestamp string      `json:"timestamp"`
	Mode      Mode        `json:"mode"`
	RequestID *string     `json:"request_id"`
	Data      Liquidation `json:"data"`
	Actor     Actor       `json:"actor"`
}

type FixedDepositPartiallyLiquidatedEvent struct {
	ID        string      `json:"id"`
	Type      string      `json:"type"`
	Timestamp string      `json:"timestamp"`
	Mode      Mode        `json:"mode"`
	RequestID *string     `json:"request_id"`
	Data      Liquidation `json:"data"`
	Actor     Actor       `json:"actor"`
}

type FixedDepositLiquidationReversedEvent struct {
	ID        string              `json:"id"`
	Type      string              `json:"type"`
	Timestamp string              `json:"timestamp"`
	Mode      Mode                `json:"mode"`
	RequestID *string             `json:"request_id"`
	Data      LiquidationReversal `json:"data"`
	Actor     Actor               `json:"actor"`
}

type FixedDepositMaturedEvent struct {
	ID        string         `json:"id"`
	Type      string         `json:"type"`
	Timestamp string         `json:"timestamp"`
	Mode      Mode           `json:"mode"`
	RequestID *string        `json:"request_id"`
	Data      MaturedDeposit `json:"data"`
	Actor     Actor          `json:"actor"`
}

type MaturedDeposit struct {
	DepositID                  string              `json:"deposit_id"`
	CustomerID                 string              `json:"customer_id"`
	AccountNumber              string              `json:"account_number"`
	Status                     DepositStatus       `json:"status"`
	Currency                   string              `json:"currency"`
	Principal                  Amount              `json:"principal"`
	RemainingPrincipal         Amount              `json:"remaining_principal"`
	InterestRate               Decimal             `json:"interest_rate"`
	Tenor                      int64               `json:"tenor"`
	StartDate                  string              `json:"start_date"`
	MaturityDate               string              `json:"maturity_date"`
	ExpectedInterest           Amount              `json:"expected_interest"`
	AccruedInterest            Amount              `json:"accrued_interest"`
	AutoRollover               bool                `json:"auto_rollover"`
	RulesVersion               int64               `json:"rules_version"`
	CreatedAt                  string              `json:"created_at"`
	UpdatedAt                  string              `json:"updated_at"`
	LiquidatedAt               *string             `json:"liquidated_at"`
	RolledOverTo               *string             `json:"rolled_over_to"`
	LienAmount                 Amount              `json:"lien_amount"`
	PendingApprovalID          *string             `json:"pending_approval_id"`
	PendingApprovalRequestedBy *Actor              `json:"pending_approval_requested_by"`
	ExternalID                 *string             `json:"external_id"`
	Metadata                   map[string]string   `json:"metadata"`
	ProductCode                *string             `json:"product_code"`
	ProductVersion             *int64              `json:"product_version"`
	RateSheet                  *int64              `json:"rate_sheet"`
	Bonuses                    []string            `json:"bonuses"`
	Bonus                      *Decimal            `json:"bonus"`
	RulesSource                RulesSource         `json:"rules_source"`
	AgreedTenor                AgreedTenor         `json:"agreed_tenor"`
	InterestMethod             InterestMethod      `json:"interest_method"`
	InterestEvery              *InterestPeriod     `json:"interest_every"`
	RecoverPaidInterest        bool                `json:"recover_paid_interest"`
	InterestPaidOut            Amount              `json:"interest_paid_out"`
	InterestPaidTo             *string             `json:"interest_paid_to"`
	NextInterestDate           *string             `json:"next_interest_date"`
	MaturityInstruction        MaturityInstruction `json:"maturity_instruction"`
	Rollovers                  int64               `json:"rollovers"`
	PrincipalReturned          Amount              `json:"principal_returned"`
	InterestPaid               Amount              `json:"interest_paid"`
	PenalCharge                Amount              `json:"penal_charge"`
	TotalCredited              Amount              `json:"total_credited"`
	CreditedAccount            string              `json:"credited_account"`
	TaxWithheld                Amount              `json:"tax_withheld"`
	NetCredited                Amount              `json:"net_credited"`
	RolloverRefused            *string             `json:"rollover_refused"`
}

type FixedDepositRolledOverEvent struct {
	ID        string            `json:"id"`
	Type      string            `json:"type"`
	Timestamp string            `json:"timestamp"`
	Mode      Mode              `json:"mode"`
	RequestID *string           `json:"request_id"`
	Data      RolledOverDeposit `json:"data"`
	Actor     Actor             `json:"actor"`
}

type RolledOverDeposit struct {
	DepositID                  string              `json:"deposit_id"`
	CustomerID                 string              `json:"customer_id"`
	AccountNumber              string              `json:"account_number"`
	Status                     DepositStatus       `json:"status"`
	Currency                   string              `json:"currency"`
	Principal                  Amount              `json:"principal"`
	RemainingPrincipal         Amount              `json:"remaining_principal"`
	InterestRate               Decimal             `json:"interest_rate"`
	Tenor                      int64               `json:"tenor"`
	StartDate                  string              `json:"start_date"`
	MaturityDate               string              `json:"maturity_date"`
	ExpectedInterest           Amount              `json:"expected_interest"`
	AccruedInterest            Amount              `json:"accrued_interest"`
	AutoRollover               bool                `json:"auto_rollover"`
	RulesVersion               int64               `json:"rules_version"`
	CreatedAt                  string              `json:"created_at"`
	UpdatedAt                  string              `json:"updated_at"`
	LiquidatedAt               *string             `json:"liquidated_at"`
	RolledOverTo               *string             `json:"rolled_over_to"`
	LienAmount                 Amount              `json:"lien_amount"`
	PendingApprovalID          *string             `json:"pending_approval_id"`
	PendingApprovalRequestedBy *Actor              `json:"pending_approval_requested_by"`
	ExternalID                 *string             `json:"external_id"`
	Metadata                   map[string]string   `json:"metadata"`
	ProductCode                *string             `json:"product_code"`
	ProductVersion             *int64              `json:"product_version"`
	RateSheet                  *int64              `json:"rate_sheet"`
	Bonuses                    []string            `json:"bonuses"`
	Bonus                      *Decimal            `json:"bonus"`
	RulesSource                RulesSource         `json:"rules_source"`
	AgreedTenor                AgreedTenor         `json:"agreed_tenor"`
	InterestMethod             InterestMethod      `json:"interest_method"`
	InterestEvery              *InterestPeriod     `json:"interest_every"`
	RecoverPaidInterest        bool                `json:"recover_paid_interest"`
	InterestPaidOut            Amount              `json:"interest_paid_out"`
	InterestPaidTo             *string             `json:"interest_paid_to"`
	NextInterestDate           *string             `json:"next_interest_date"`
	MaturityInstruction        MaturityInstruction `json:"maturity_instruction"`
	Rollovers                  int64               `json:"rollovers"`
	PrincipalRolledOver        Amount              `json:"principal_rolled_over"`
	InterestRolledOver         Amount              `json:"interest_rolled_over"`
	Successor                  FixedDeposit        `json:"successor"`
	TaxWithheld                Amount              `json:"tax_withheld"`
	InterestPaid               Amount              `json:"interest_paid"`
	CreditedAccount            string              `json:"credited_account"`
	NetCredited                Amount              `json:"net_credited"`
}

type FixedDepositMaturityInstructionChangedEvent struct {
	ID        string       `json:"id"`
	Type      string       `json:"type"`
	Timestamp string       `json:"timestamp"`
	Mode      Mode         `json:"mode"`
	RequestID *string      `json:"request_id"`
	Data      FixedDeposit `json:"data"`
	Actor     Actor        `json:"actor"`
}

type FixedDepositPartiesChangedEvent struct {
	ID        string         `json:"id"`
	Type      string         `json:"type"`
	Timestamp string         `json:"timestamp"`
	Mode      Mode           `json:"mode"`
	RequestID *string        `json:"request_id"`
	Data      ChangedParties `json:"data"`
	Actor     Actor          `json:"actor"`
}

type ChangedParties struct {
	DepositID string         `json:"deposit_id"`
	Mandate   Mandate        `json:"mandate"`
	Parties   []UnnamedParty `json:"parties"`
}

type UnnamedParty struct {
	CustomerID string    `json:"customer_id"`
	Role       PartyRole `json:"role"`
}

type BatchCompletedEvent struct {
	ID        string  `json:"id"`
	Type      string  `json:"type"`
	Timestamp string  `json:"timestamp"`
	Mode      Mode    `json:"mode"`
	RequestID *string `json:"request_id"`
	Data      Batch   `json:"data"`
	Actor     Actor   `json:"actor"`
}

type FixedDepositLienPlacedEvent struct {
	ID        string  `json:"id"`
	Type      string  `json:"type"`
	Timestamp string  `json:"timestamp"`
	Mode      Mode    `json:"mode"`
	RequestID *string `json:"request_id"`
	Data      Lien    `json:"data"`
	Actor     Actor   `json:"actor"`
}

type FixedDepositLienReleasedEvent struct {
	ID        string  `json:"id"`
	Type      string  `json:"type"`
	Timestamp string  `json:"timestamp"`
	Mode      Mode    `json:"mode"`
	RequestID *string `json:"request_id"`
	Data      Lien    `json:"data"`
	Actor     Actor   `json:"actor"`
}

type ProductUpdatedEvent struct {
	ID        string  `json:"id"`
	Type      string  `json:"type"`
	Timestamp string  `json:"timestamp"`
	Mode      Mode    `json:"mode"`
	RequestID *string `json:"request_id"`
	Data      Product `json:"data"`
	Actor     Actor   `json:"actor"`
}

type RateSheetAddedEvent struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	Timestamp string    `json:"timestamp"`
	Mode      Mode      `json:"mode"`
	RequestID *string   `json:"request_id"`
	Data      RateSheet `json:"data"`
	Actor     Actor     `json:"actor"`
}

type CalendarUpdatedEvent struct {
	ID        string           `json:"id"`
	Type      string           `json:"type"`
	Timestamp string           `json:"timestamp"`
	Mode      Mode             `json:"mode"`
	RequestID *string          `json:"request_id"`
	Data      BusinessCalendar `json:"data"`
	Actor     Actor            `json:"actor"`
}

type AccountingUpdatedEvent struct {
	ID        string     `json:"id"`
	Type      string     `json:"type"`
	Timestamp string     `json:"timestamp"`
	Mode      Mode       `json:"mode"`
	RequestID *string    `json:"request_id"`
	Data      Accounting `json:"data"`
	Actor     Actor      `json:"actor"`
}

type AccrualPostedEvent struct {
	ID        string        `json:"id"`
	Type      string        `json:"type"`
	Timestamp string        `json:"timestamp"`
	Mode      Mode          `json:"mode"`
	RequestID *string       `json:"request_id"`
	Data      AccrualPosted `json:"data"`
	Actor     Actor         `json:"actor"`
}

type AccrualPosted struct {
	Date            string  `json:"date"`
	Currency        string  `json:"currency"`
	InterestPayable Amount  `json:"interest_payable"`
	PrepaidInterest Amount  `json:"prepaid_interest"`
	EntryID         *string `json:"entry_id"`
}

type LiquidationRulesUpdatedEvent struct {
	ID        string           `json:"id"`
	Type      string           `json:"type"`
	Timestamp string           `json:"timestamp"`
	Mode      Mode             `json:"mode"`
	RequestID *string          `json:"request_id"`
	Data      LiquidationRules `json:"data"`
	Actor     Actor            `json:"actor"`
}

type CustomerTaxStatusChangedEvent struct {
	ID        string           `json:"id"`
	Type      string           `json:"type"`
	Timestamp string           `json:"timestamp"`
	Mode      Mode             `json:"mode"`
	RequestID *string          `json:"request_id"`
	Data      ChangedTaxStatus `json:"data"`
	Actor     Actor            `json:"actor"`
}

type ChangedTaxStatus struct {
	CustomerID string  `json:"customer_id"`
	TaxClass   string  `json:"tax_class"`
	ValidUntil *string `json:"valid_until"`
}

type TaxRulesUpdatedEvent struct {
	ID        string   `json:"id"`
	Type      string   `json:"type"`
	Timestamp string   `json:"timestamp"`
	Mode      Mode     `json:"mode"`
	RequestID *string  `json:"request_id"`
	Data      TaxRules `json:"data"`
	Actor     Actor    `json:"actor"`
}

type ApprovalPolicyUpdatedEvent struct {
	ID        string         `json:"id"`
	Type      string         `json:"type"`
	Timestamp string         `json:"timestamp"`
	Mode      Mode           `json:"mode"`
	RequestID *string        `json:"request_id"`
	Data      ApprovalPolicy `json:"data"`
	Actor     Actor          `json:"actor"`
}

type ApprovalRequestedEvent struct {
	ID        string            `json:"id"`
	Type      string            `json:"type"`
	Timestamp string            `json:"timestamp"`
	Mode      Mode              `json:"mode"`
	RequestID *string           `json:"request_id"`
	Data      ApprovalEventData `json:"data"`
	Actor     Actor             `json:"actor"`
}

type ApprovalEventData struct {
	ApprovalID      string              `json:"approval_id"`
	Operation       ApprovableOperation `json:"operation"`
	TargetID        *string             `json:"target_id"`
	Status          ApprovalStatus      `json:"status"`
	ApprovalsNeeded int64               `json:"approvals_needed"`
	Votes           int64               `json:"votes"`
}

type ApprovalVotedEvent struct {
	ID        string            `json:"id"`
	Type      string            `json:"type"`
	Timestamp string            `json:"timestamp"`
	Mode      Mode              `json:"mode"`
	RequestID *string           `json:"request_id"`
	Data      ApprovalEventData `json:"data"`
	Actor     Actor             `json:"actor"`
}

type ApprovalApprovedEvent struct {
	ID        string            `json:"id"`
	Type      string            `json:"type"`
	Timestamp string            `json:"timestamp"`
	Mode      Mode              `json:"mode"`
	RequestID *string           `json:"request_id"`
	Data      ApprovalEventData `json:"data"`
	Actor     Actor             `json:"actor"`
}

type ApprovalRejectedEvent struct {
	ID        string            `json:"id"`
	Type      string            `json:"type"`
	Timestamp string            `json:"timestamp"`
	Mode      Mode              `json:"mode"`
	RequestID *string           `json:"request_id"`
	Data      ApprovalEventData `json:"data"`
	Actor     Actor             `json:"actor"`
}

type ApprovalCancelledEvent struct {
	ID        string            `json:"id"`
	Type      string            `json:"type"`
	Timestamp string            `json:"timestamp"`
	Mode      Mode              `json:"mode"`
	RequestID *string           `json:"request_id"`
	Data      ApprovalEventData `json:"data"`
	Actor     Actor             `json:"actor"`
}

type ApprovalExpiredEvent struct {
	ID        string            `json:"id"`
	Type      string            `json:"type"`
	Timestamp string            `json:"timestamp"`
	Mode      Mode              `json:"mode"`
	RequestID *string           `json:"request_id"`
	Data      ApprovalEventData `json:"data"`
	Actor     Actor             `json:"actor"`
}

type PersonInvitedEvent struct {
	ID        string      `json:"id"`
	Type      string      `json:"type"`
	Timestamp string      `json:"timestamp"`
	Mode      Mode        `json:"mode"`
	RequestID *string     `json:"request_id"`
	Data      PersonEvent `json:"data"`
	Actor     Actor       `json:"actor"`
}

type PersonEvent struct {
	PersonID string       `json:"person_id"`
	Role     Role         `json:"role"`
	Modes    []Mode       `json:"modes"`
	Status   PersonStatus `json:"status"`
}

type Role string

const (
	RoleViewer        Role = "VIEWER"
	RoleClerk         Role = "CLERK"
	RoleSupervisor    Role = "SUPERVISOR"
	RoleAdministrator Role = "ADMINISTRATOR"
)

type PersonStatus string

const (
	PersonStatusInvited  PersonStatus = "INVITED"
	PersonStatusActive   PersonStatus = "ACTIVE"
	PersonStatusDisabled PersonStatus = "DISABLED"
)

type PersonRoleChangedEvent struct {
	ID        string      `json:"id"`
	Type      string      `json:"type"`
	Timestamp string      `json:"timestamp"`
	Mode      Mode        `json:"mode"`
	RequestID *string     `json:"request_id"`
	Data      PersonEvent `json:"data"`
	Actor     Actor       `json:"actor"`
}

type PersonResetEvent struct {
	ID        string      `json:"id"`
	Type      string      `json:"type"`
	Timestamp string      `json:"timestamp"`
	Mode      Mode        `json:"mode"`
	RequestID *string     `json:"request_id"`
	Data      PersonEvent `json:"data"`
	Actor     Actor       `json:"actor"`
}

type PersonDisabledEvent struct {
	ID        string      `json:"id"`
	Type      string      `json:"type"`
	Timestamp string      `json:"timestamp"`
	Mode      Mode        `json:"mode"`
	RequestID *string     `json:"request_id"`
	Data      PersonEvent `json:"data"`
	Actor     Actor       `json:"actor"`
}

type PersonEnabledEvent struct {
	ID        string      `json:"id"`
	Type      string      `json:"type"`
	Timestamp string      `json:"timestamp"`
	Mode      Mode        `json:"mode"`
	RequestID *string     `json:"request_id"`
	Data      PersonEvent `json:"data"`
	Actor     Actor       `json:"actor"`
}

type PersonConfirmedEvent struct {
	ID        string      `json:"id"`
	Type      string      `json:"type"`
	Timestamp string      `json:"timestamp"`
	Mode      Mode        `json:"mode"`
	RequestID *string     `json:"request_id"`
	Data      PersonEvent `json:"data"`
	Actor     Actor       `json:"actor"`
}

type PersonFactorsRemovedEvent struct {
	ID        string      `json:"id"`
	Type      string      `json:"type"`
	Timestamp string      `json:"timestamp"`
	Mode      Mode        `json:"mode"`
	RequestID *string     `json:"request_id"`
	Data      PersonEvent `json:"data"`
	Actor     Actor       `json:"actor"`
}

type PersonBreakGlassUsedEvent struct {
	ID        string      `json:"id"`
	Type      string      `json:"type"`
	Timestamp string      `json:"timestamp"`
	Mode      Mode        `json:"mode"`
	RequestID *string     `json:"request_id"`
	Data      PersonEvent `json:"data"`
	Actor     Actor       `json:"actor"`
}

type BookSealedEvent struct {
	ID        string  `json:"id"`
	Type      string  `json:"type"`
	Timestamp string  `json:"timestamp"`
	Mode      Mode    `json:"mode"`
	RequestID *string `json:"request_id"`
	Data      Seal    `json:"data"`
	Actor     Actor   `json:"actor"`
}

type Seal struct {
	SealNo        int64  `json:"seal_no"`
	CoversTo      string `json:"covers_to"`
	Events        int64  `json:"events"`
	LedgerEntries int64  `json:"ledger_entries"`
	Root          string `json:"root"`
	Head          string `json:"head"`
	SealedAt      string `json:"sealed_at"`
}

type EventType string

const (
	EventTypeCustomerCreated                        EventType = "customer.created"
	EventTypeCustomerUpdated                        EventType = "customer.updated"
	EventTypeAccountCredited                        EventType = "account.credited"
	EventTypeFixedDepositCreated                    EventType = "fixed_deposit.created"
	EventTypeFixedDepositInterestPaid               EventType = "fixed_deposit.interest_paid"
	EventTypeFixedDepositLiquidated                 EventType = "fixed_deposit.liquidated"
	EventTypeFixedDepositPartiallyLiquidated        EventType = "fixed_deposit.partially_liquidated"
	EventTypeFixedDepositLiquidationReversed        EventType = "fixed_deposit.liquidation_reversed"
	EventTypeFixedDepositMatured                    EventType = "fixed_deposit.matured"
	EventTypeFixedDepositRolledOver                 EventType = "fixed_deposit.rolled_over"
	EventTypeFixedDepositMaturityInstructionChanged EventType = "fixed_deposit.maturity_instruction_changed"
	EventTypeFixedDepositPartiesChanged             EventType = "fixed_deposit.parties_changed"
	EventTypeBatchCompleted                         EventType = "batch.completed"
	EventTypeFixedDepositLienPlaced                 EventType = "fixed_deposit.lien_placed"
	EventTypeFixedDepositLienReleased               EventType = "fixed_deposit.lien_released"
	EventTypeProductUpdated                         EventType = "product.updated"
	EventTypeRateSheetAdded                         EventType = "rate_sheet.added"
	EventTypeCalendarUpdated                        EventType = "calendar.updated"
	EventTypeAccountingUpdated                      EventType = "accounting.updated"
	EventTypeAccrualPosted                          EventType = "accrual.posted"
	EventTypeLiquidationRulesUpdated                EventType = "liquidation_rules.updated"
	EventTypeCustomerTaxStatusChanged               EventType = "customer.tax_status_changed"
	EventTypeTaxRulesUpdated                        EventType = "tax_rules.updated"
	EventTypeApprovalPolicyUpdated                  EventType = "approval_policy.updated"
	EventTypeApprovalRequested                      EventType = "approval.requested"
	EventTypeApprovalVoted                          EventType = "approval.voted"
	EventTypeApprovalApproved                       EventType = "approval.approved"
	EventTypeApprovalRejected                       EventType = "approval.rejected"
	EventTypeApprovalCancelled                      EventType = "approval.cancelled"
	EventTypeApprovalExpired                        EventType = "approval.expired"
	EventTypePersonInvited                          EventType = "person.invited"
	EventTypePersonRoleChanged                      EventType = "person.role_changed"
	EventTypePersonReset                            EventType = "person.reset"
	EventTypePersonDisabled                         EventType = "person.disabled"
	EventTypePersonEnabled                          EventType = "person.enabled"
	EventTypePersonConfirmed                        EventType = "person.confirmed"
	EventTypePersonFactorsRemoved                   EventType = "person.factors_removed"
	EventTypePersonBreakGlassUsed                   EventType = "person.break_glass_used"
	EventTypeBookSealed                             EventType = "book.sealed"
)

type RedeliveredEvent struct {
	ID         string    `json:"id"`
	Type       EventType `json:"type"`
	Timestamp  string    `json:"timestamp"`
	Mode       Mode      `json:"mode"`
	RequestID  *string   `json:"request_id"`
	Data       EventData `json:"data"`
	Deliveries int64     `json:"deliveries"`
	Actor      Actor     `json:"actor"`
}

type EventData struct {
	CustomerID                 *string              `json:"customer_id,omitempty"`
	ExternalID                 *string              `json:"external_id,omitempty"`
	ChangedFields              []string             `json:"changed_fields,omitempty"`
	EntryID                    json.RawMessage      `json:"entry_id,omitempty"`
	Kind                       *LedgerEntryKind     `json:"kind,omitempty"`
	AccountNumber              json.RawMessage      `json:"account_number,omitempty"`
	DepositID                  json.RawMessage      `json:"deposit_id,omitempty"`
	LiquidationID              json.RawMessage      `json:"liquidation_id,omitempty"`
	CreatedAt                  json.RawMessage      `json:"created_at,omitempty"`
	Lines                      json.RawMessage      `json:"lines,omitempty"`
	Status                     json.RawMessage      `json:"status,omitempty"`
	Currency                   *string              `json:"currency,omitempty"`
	Principal                  *Amount              `json:"principal,omitempty"`
	RemainingPrincipal         *Amount              `json:"remaining_principal,omitempty"`
	InterestRate               *Decimal             `json:"interest_rate,omitempty"`
	Tenor                      json.RawMessage      `json:"tenor,omitempty"`
	StartDate                  *string              `json:"start_date,omitempty"`
	MaturityDate               *string              `json:"maturity_date,omitempty"`
	ExpectedInterest           *Amount              `json:"expected_interest,omitempty"`
	AccruedInterest            *Amount              `json:"accrued_interest,omitempty"`
	AutoRollover               *bool                `json:"auto_rollover,omitempty"`
	RulesVersion               *int64               `json:"rules_version,omitempty"`
	UpdatedAt                  *string              `json:"updated_at,omitempty"`
	LiquidatedAt               json.RawMessage      `json:"liquidated_at,omitempty"`
	RolledOverTo               *string              `json:"rolled_over_to,omitempty"`
	LienAmount                 *Amount              `json:"lien_amount,omitempty"`
	PendingApprovalID          *string              `json:"pending_approval_id,omitempty"`
	PendingApprovalRequestedBy *Actor               `json:"pending_approval_requested_by,omitempty"`
	Metadata                   map[string]string    `json:"metadata,omitempty"`
	ProductCode                json.RawMessage      `json:"product_code,omitempty"`
	ProductVersion             *int64               `json:"product_version,omitempty"`
	RateSheet                  *int64               `json:"rate_sheet,omitempty"`
	Bonuses                    json.RawMessage      `json:"bonuses,omitempty"`
	Bonus                      *Decimal             `json:"bonus,omitempty"`
	RulesSource                *RulesSource         `json:"rules_source,omitempty"`
	AgreedTenor                *AgreedTenor         `json:"agreed_tenor,omitempty"`
	InterestMethod             *InterestMethod      `json:"interest_method,omitempty"`
	InterestEvery              *InterestPeriod      `json:"interest_every,omitempty"`
	RecoverPaidInterest        *bool                `json:"recover_paid_interest,omitempty"`
	InterestPaidOut            *Amount              `json:"interest_paid_out,omitempty"`
	InterestPaidTo             *string              `json:"interest_paid_to,omitempty"`
	NextInterestDate           *string              `json:"next_interest_date,omitempty"`
	MaturityInstruction        *MaturityInstruction `json:"maturity_instruction,omitempty"`
	Rollovers                  *int64               `json:"rollovers,omitempty"`
	From                       *string              `json:"from,omitempty"`
	To                         *string              `json:"to,omitempty"`
	Interest                   json.RawMessage      `json:"interest,omitempty"`
	Tax                        *Amount              `json:"tax,omitempty"`
	Net                        *Amount              `json:"net,omitempty"`
	CreditedAccount            *string              `json:"credited_account,omitempty"`
	PrincipalReturned          *Amount              `json:"principal_returned,omitempty"`
	InterestPaid               *Amount              `json:"interest_paid,omitempty"`
	PenalCharge                *Amount              `json:"penal_charge,omitempty"`
	TotalCredited              *Amount              `json:"total_credited,omitempty"`
	LiquidationType            *LiquidationType     `json:"liquidation_type,omitempty"`
	PenalAssessed              *Amount              `json:"penal_assessed,omitempty"`
	PenalWaived                *Amount              `json:"penal_waived,omitempty"`
	Waiver                     *Waiver              `json:"waiver,omitempty"`
	Adjustments                []Adjustment         `json:"adjustments,omitempty"`
	NetCredited                *Amount              `json:"net_credited,omitempty"`
	Reference                  *string              `json:"reference,omitempty"`
	Reason                     json.RawMessage      `json:"reason,omitempty"`
	ReversedAt                 *string              `json:"reversed_at,omitempty"`
	Deposit                    *FixedDeposit        `json:"deposit,omitempty"`
	TaxWithheld                *Amount              `json:"tax_withheld,omitempty"`
	RolloverRefused            *string              `json:"rollover_refused,omitempty"`
	PrincipalRolledOver        *Amount              `json:"principal_rolled_over,omitempty"`
	InterestRolledOver         *Amount              `json:"interest_rolled_over,omitempty"`
	Successor                  *FixedDeposit        `json:"successor,omitempty"`
	Mandate                    *Mandate             `json:"mandate,omitempty"`
	Parties                    []UnnamedParty       `json:"parties,omitempty"`
	BatchID                    *string              `json:"batch_id,omitempty"`
	Operation                  json.RawMessage      `json:"operation,omitempty"`
	Name                       json.RawMessage      `json:"name,omitempty"`
	Parts                      *int64               `json:"parts,omitempty"`
	TotalAmount                *Decimal             `json:"total_amount,omitempty"`
	Succeeded                  *int64               `json:"succeeded,omitempty"`
	Duplicates                 *int64               `json:"duplicates,omitempty"`
	Failed                     *int64               `json:"failed,omitempty"`
	Skipped                    *int64               `json:"skipped,omitempty"`
	StartedBy                  *Actor               `json:"started_by,omitempty"`
	FinishedAt                 *string              `json:"finished_at,omitempty"`
	LienID                     *string              `json:"lien_id,omitempty"`
	Amount                     *Amount              `json:"amount,omitempty"`
	ReleasedAt                 *string              `json:"released_at,omitempty"`
	ReleaseReason              *string              `json:"release_reason,omitempty"`
	Version                    *int64               `json:"version,omitempty"`
	MinAmount                  *Amount              `json:"min_amount,omitempty"`
	MaxAmount                  *Amount              `json:"max_amount,omitempty"`
	Maturity                   *ProductMaturity     `json:"maturity,omitempty"`
	NegotiatedRate             *NegotiatedRate      `json:"negotiated_rate,omitempty"`
	Rules                      json.RawMessage      `json:"rules,omitempty"`
	Number                     *int64               `json:"number,omitempty"`
	EffectiveFrom              *string              `json:"effective_from,omitempty"`
	TenorUnit                  *TenorUnit           `json:"tenor_unit,omitempty"`
	TenorFrom                  []int64              `json:"tenor_from,omitempty"`
	AmountFrom                 []Amount             `json:"amount_from,omitempty"`
	Rates                      [][]Decimal          `json:"rates,omitempty"`
	Weekend                    []Weekday            `json:"weekend,omitempty"`
	Holidays                   []string             `json:"holidays,omitempty"`
	Accruals                   *AccrualMode         `json:"accruals,omitempty"`
	GlCodes                    *GlCodes             `json:"gl_codes,omitempty"`
	Date                       *string              `json:"date,omitempty"`
	InterestPayable            *Amount              `json:"interest_payable,omitempty"`
	PrepaidInterest            *Amount              `json:"prepaid_interest,omitempty"`
	DayCount                   *DayCount            `json:"day_count,omitempty"`
	Rounding                   *Rounding            `json:"rounding,omitempty"`
	AllowPartial               *bool                `json:"allow_partial,omitempty"`
	MinPartialAmount           *Amount              `json:"min_partial_amount,omitempty"`
	MinRemainingPrincipal      *Amount              `json:"min_remaining_principal,omitempty"`
	MinHoldingDays             *int64               `json:"min_holding_days,omitempty"`
	PenalRules                 []PenalRule          `json:"penal_rules,omitempty"`
	TaxClass                   *string              `json:"tax_class,omitempty"`
	ValidUntil                 *string              `json:"valid_until,omitempty"`
	Base                       *TaxBase             `json:"base,omitempty"`
	OnRecovery                 *TaxOnRecovery       `json:"on_recovery,omitempty"`
	Classes                    map[string]Decimal   `json:"classes,omitempty"`
	ExpiresAfterHours          *int64               `json:"expires_after_hours,omitempty"`
	Deciders                   *Deciders            `json:"deciders,omitempty"`
	ApprovalID                 *string              `json:"approval_id,omitempty"`
	TargetID                   *string              `json:"target_id,omitempty"`
	ApprovalsNeeded            *int64               `json:"approvals_needed,omitempty"`
	Votes                      *int64               `json:"votes,omitempty"`
	PersonID                   *string              `json:"person_id,omitempty"`
	Role                       *Role                `json:"role,omitempty"`
	Modes                      []Mode               `json:"modes,omitempty"`
	SealNo                     *int64               `json:"seal_no,omitempty"`
	CoversTo                   *string              `json:"covers_to,omitempty"`
	Events                     *int64               `json:"events,omitempty"`
	LedgerEntries              *int64               `json:"ledger_entries,omitempty"`
	Root                       *string              `json:"root,omitempty"`
	Head                       *string              `json:"head,omitempty"`
	SealedAt                   *string              `json:"sealed_at,omitempty"`
}

type EventProof struct {
	EventID   string     `json:"event_id"`
	Leaf      string     `json:"leaf"`
	LeafIndex int64      `json:"leaf_index"`
	Path      []string   `json:"path"`
	Seal      Seal       `json:"seal"`
	SealText  string     `json:"seal_text"`
	Links     []SealLink `json:"links"`
	Head      string     `json:"head"`
}

type SealLink struct {
	SealNo       int64   `json:"seal_no"`
	PreviousHead *string `json:"previous_head"`
	EarlierHead  *string `json:"earlier_head"`
	TextHash     string  `json:"text_hash"`
}

type EndpointWithSecret struct {
	WebhookEndpointID string                `json:"webhook_endpoint_id"`
	URL               string                `json:"url"`
	EventTypes        []SubscribedEventType `json:"event_types"`
	Description       *string               `json:"description"`
	Status            EndpointStatus        `json:"status"`
	Secret            string                `json:"secret"`
	CreatedAt         string                `json:"created_at"`
}

type SubscribedEventType string

const (
	SubscribedEventTypeAll                                    SubscribedEventType = "*"
	SubscribedEventTypeCustomerCreated                        SubscribedEventType = "customer.created"
	SubscribedEventTypeCustomerUpdated                        SubscribedEventType = "customer.updated"
	SubscribedEventTypeAccountCredited                        SubscribedEventType = "account.credited"
	SubscribedEventTypeFixedDepositCreated                    SubscribedEventType = "fixed_deposit.created"
	SubscribedEventTypeFixedDepositInterestPaid               SubscribedEventType = "fixed_deposit.interest_paid"
	SubscribedEventTypeFixedDepositLiquidated                 SubscribedEventType = "fixed_deposit.liquidated"
	SubscribedEventTypeFixedDepositPartiallyLiquidated        SubscribedEventType = "fixed_deposit.partially_liquidated"
	SubscribedEventTypeFixedDepositLiquidationReversed        SubscribedEventType = "fixed_deposit.liquidation_reversed"
	SubscribedEventTypeFixedDepositMatured                    SubscribedEventType = "fixed_deposit.matured"
	SubscribedEventTypeFixedDepositRolledOver                 SubscribedEventType = "fixed_deposit.rolled_over"
	SubscribedEventTypeFixedDepositMaturityInstructionChanged SubscribedEventType = "fixed_deposit.maturity_instruction_changed"
	SubscribedEventTypeFixedDepositPartiesChanged             SubscribedEventType = "fixed_deposit.parties_changed"
	SubscribedEventTypeBatchCompleted                         SubscribedEventType = "batch.completed"
	SubscribedEventTypeFixedDepositLienPlaced                 SubscribedEventType = "fixed_deposit.lien_placed"
	SubscribedEventTypeFixedDepositLienReleased               SubscribedEventType = "fixed_deposit.lien_released"
	SubscribedEventTypeProductUpdated                         SubscribedEventType = "product.updated"
	SubscribedEventTypeRateSheetAdded                         SubscribedEventType = "rate_sheet.added"
	SubscribedEventTypeCalendarUpdated                        SubscribedEventType = "calendar.updated"
	SubscribedEventTypeAccountingUpdated                      SubscribedEventType = "accounting.updated"
	SubscribedEventTypeAccrualPosted                          SubscribedEventType = "accrual.posted"
	SubscribedEventTypeLiquidationRulesUpdated                SubscribedEventType = "liquidation_rules.updated"
	SubscribedEventTypeCustomerTaxStatusChanged               SubscribedEventType = "customer.tax_status_changed"
	SubscribedEventTypeTaxRulesUpdated                        SubscribedEventType = "tax_rules.updated"
	SubscribedEventTypeApprovalPolicyUpdated                  SubscribedEventType = "approval_policy.updated"
	SubscribedEventTypeApprovalRequested                      SubscribedEventType = "approval.requested"
	SubscribedEventTypeApprovalVoted                          SubscribedEventType = "approval.voted"
	SubscribedEventTypeApprovalApproved                       SubscribedEventType = "approval.approved"
	SubscribedEventTypeApprovalRejected                       SubscribedEventType = "approval.rejected"
	SubscribedEventTypeApprovalCancelled                      SubscribedEventType = "approval.cancelled"
	SubscribedEventTypeApprovalExpired                        SubscribedEventType = "approval.expired"
	SubscribedEventTypePersonInvited                          SubscribedEventType = "person.invited"
	SubscribedEventTypePersonRoleChanged                      SubscribedEventType = "person.role_changed"
	SubscribedEventTypePersonReset                            SubscribedEventType = "person.reset"
	SubscribedEventTypePersonDisabled                         SubscribedEventType = "person.disabled"
	SubscribedEventTypePersonEnabled                          SubscribedEventType = "person.enabled"
	SubscribedEventTypePersonConfirmed                        SubscribedEventType = "person.confirmed"
	SubscribedEventTypePersonFactorsRemoved                   SubscribedEventType = "person.factors_removed"
	SubscribedEventTypePersonBreakGlassUsed                   SubscribedEventType = "person.break_glass_used"
	SubscribedEventTypeBookSealed                             SubscribedEventType = "book.sealed"
)

type EndpointStatus string

const (
	EndpointStatusEnabled  EndpointStatus = "ENABLED"
	EndpointStatusDisabled EndpointStatus = "DISABLED"
)

type CreateWebhookEndpointRequest struct {
	URL         string                `json:"url"`
	EventTypes  []SubscribedEventType `json:"event_types,omitempty"`
	Description *string               `json:"description,omitempty"`
}

type WebhookEndpoint struct {
	WebhookEndpointID string                `json:"webhook_endpoint_id"`
	URL               string                `json:"url"`
	EventTypes        []SubscribedEventType `json:"event_types"`
	Description       *string               `json:"description"`
	Status            EndpointStatus        `json:"status"`
	CreatedAt         string                `json:"created_at"`
}

type UpdateWebhookEndpointRequest struct {
	URL         *string               `json:"url,omitempty"`
	EventTypes  []SubscribedEventType `json:"event_types,omitempty"`
	Description *string               `json:"description,omitempty"`
	Status      *EndpointStatus       `json:"status,omitempty"`
}

type RotateWebhookSecretRequest struct {
	OverlapSeconds *int64 `json:"overlap_seconds,omitempty"`
}

type PingEvent struct {
	ID        string  `json:"id"`
	Type      string  `json:"type"`
	Timestamp string  `json:"timestamp"`
	Mode      Mode    `json:"mode"`
	RequestID *string `json:"request_id"`
	Data      Ping    `json:"data"`
	Actor     Actor   `json:"actor"`
}

type Ping struct {
	WebhookEndpointID string `json:"webhook_endpoint_id"`
}

type WebhookDelivery struct {
	EventID        string         `json:"event_id"`
	EventType      SentEventType  `json:"event_type"`
	Status         DeliveryStatus `json:"status"`
	Attempts       int64          `json:"attempts"`
	NextAttemptAt  *string        `json:"next_attempt_at"`
	LastAttemptAt  *string        `json:"last_attempt_at"`
	LastStatusCode *int64         `json:"last_status_code"`
	LastError      *string        `json:"last_error"`
	CreatedAt      string         `json:"created_at"`
}

type SentEventType string

const (
	SentEventTypeCustomerCreated                        SentEventType = "customer.created"
	SentEventTypeCustomerUpdated                        SentEventType = "customer.updated"
	SentEventTypeAccountCredited                        SentEventType = "account.credited"
	SentEventTypeFixedDepositCreated                    SentEventType = "fixed_deposit.created"
	SentEventTypeFixedDepositInterestPaid               SentEventType = "fixed_deposit.interest_paid"
	SentEventTypeFixedDepositLiquidated                 SentEventType = "fixed_deposit.liquidated"
	SentEventTypeFixedDepositPartiallyLiquidated        SentEventType = "fixed_deposit.partially_liquidated"
	SentEventTypeFixedDepositLiquidationReversed        SentEventType = "fixed_deposit.liquidation_reversed"
	SentEventTypeFixedDepositMatured                    SentEventType = "fixed_deposit.matured"
	SentEventTypeFixedDepositRolledOver                 SentEventType = "fixed_deposit.rolled_over"
	SentEventTypeFixedDepositMaturityInstructionChanged SentEventType = "fixed_deposit.maturity_instruction_changed"
	SentEventTypeFixedDepositPartiesChanged             SentEventType = "fixed_deposit.parties_changed"
	SentEventTypeBatchCompleted                         SentEventType = "batch.completed"
	SentEventTypeFixedDepositLienPlaced                 SentEventType = "fixed_deposit.lien_placed"
	SentEventTypeFixedDepositLienReleased               SentEventType = "fixed_deposit.lien_released"
	SentEventTypeProductUpdated                         SentEventType = "product.updated"
	SentEventTypeRateSheetAdded                         SentEventType = "rate_sheet.added"
	SentEventTypeCalendarUpdated                        SentEventType = "calendar.updated"
	SentEventTypeAccountingUpdated                      SentEventType = "accounting.updated"
	SentEventTypeAccrualPosted                          SentEventType = "accrual.posted"
	SentEventTypeLiquidationRulesUpdated                SentEventType = "liquidation_rules.updated"
	SentEventTypeCustomerTaxStatusChanged               SentEventType = "customer.tax_status_changed"
	SentEventTypeTaxRulesUpdated                        SentEventType = "tax_rules.updated"
	SentEventTypeApprovalPolicyUpdated                  SentEventType = "approval_policy.updated"
	SentEventTypeApprovalRequested                      SentEventType = "approval.requested"
	SentEventTypeApprovalVoted                          SentEventType = "approval.voted"
	SentEventTypeApprovalApproved                       SentEventType = "approval.approved"
	SentEventTypeApprovalRejected                       SentEventType = "approval.rejected"
	SentEventTypeApprovalCancelled                      SentEventType = "approval.cancelled"
	SentEventTypeApprovalExpired                        SentEventType = "approval.expired"
	SentEventTypePersonInvited                          SentEventType = "person.invited"
	SentEventTypePersonRoleChanged                      SentEventType = "person.role_changed"
	SentEventTypePersonReset                            SentEventType = "person.reset"
	SentEventTypePersonDisabled                         SentEventType = "person.disabled"
	SentEventTypePersonEnabled                          SentEventType = "person.enabled"
	SentEventTypePersonConfirmed                        SentEventType = "person.confirmed"
	SentEventTypePersonFactorsRemoved                   SentEventType = "person.factors_removed"
	SentEventTypePersonBreakGlassUsed                   SentEventType = "person.break_glass_used"
	SentEventTypeBookSealed                             SentEventType = "book.sealed"
	SentEventTypePing                                   SentEventType = "ping"
)

type DeliveryStatus string

const (
	DeliveryStatusPending   DeliveryStatus = "PENDING"
	DeliveryStatusDelivered DeliveryStatus = "DELIVERED"
	DeliveryStatusFailed    DeliveryStatus = "FAILED"
)

type IssuedApiKey struct {
	APIKeyID           string  `json:"api_key_id"`
	Key                string  `json:"key"`
	KeyPrefix          string  `json:"key_prefix"`
	Name               *string `json:"name"`
	Mode               Mode    `json:"mode"`
	Scopes             []Scope `json:"scopes"`
	RateLimitPerMinute *int64  `json:"rate_limit_per_minute"`
	ExpiresAt          *string `json:"expires_at"`
	RevokedAt          *string `json:"revoked_at"`
	LastUsedAt         *string `json:"last_used_at"`
	CreatedAt          string  `json:"created_at"`
}

type Scope string

const (
	ScopeCustomersRead          Scope = "customers:read"
	ScopeCustomersWrite         Scope = "customers:write"
	ScopeAccountsRead           Scope = "accounts:read"
	ScopeAccountsWrite          Scope = "accounts:write"
	ScopeFixedDepositsRead      Scope = "fixed_deposits:read"
	ScopeFixedDepositsWrite     Scope = "fixed_deposits:write"
	ScopeFixedDepositsLiquidate Scope = "fixed_deposits:liquidate"
	ScopeLiquidationsReverse    Scope = "liquidations:reverse"
	ScopeLiensRead              Scope = "liens:read"
	ScopeLiensWrite             Scope = "liens:write"
	ScopeApprovalsRead          Scope = "approvals:read"
	ScopeApprovalsDecide        Scope = "approvals:decide"
	ScopeApprovalsPolicy        Scope = "approvals:policy"
	ScopePenalChargesWaive      Scope = "penal_charges:waive"
	ScopeRulesRead              Scope = "rules:read"
	ScopeRulesWrite             Scope = "rules:write"
	ScopeProductsRead           Scope = "products:read"
	ScopeProductsWrite          Scope = "products:write"
	ScopeTaxRead                Scope = "tax:read"
	ScopeTaxWrite               Scope = "tax:write"
	ScopeLedgerRead             Scope = "ledger:read"
	ScopeEventsRead             Scope = "events:read"
	ScopeWebhooksRead           Scope = "webhooks:read"
	ScopeWebhooksWrite          Scope = "webhooks:write"
	ScopeAPIKeysRead            Scope = "api_keys:read"
	ScopeAPIKeysWrite           Scope = "api_keys:write"
	ScopeAccountingRead         Scope = "accounting:read"
	ScopeAccountingWrite        Scope = "accounting:write"
	ScopeBatchesRead            Scope = "batches:read"
	ScopeBatchesWrite           Scope = "batches:write"
	ScopeBatchesImport          Scope = "batches:import"
	ScopeReportsRead            Scope = "reports:read"
	ScopeAuditRead              Scope = "audit:read"
	ScopeAll                    Scope = "*"
)

type CreateApiKeyRequest struct {
	Name               *string `json:"name,omitempty"`
	Scopes             []Scope `json:"scopes"`
	ExpiresAt          *string `json:"expires_at,omitempty"`
	RateLimitPerMinute *int64  `json:"rate_limit_per_minute,omitempty"`
}

type ApiKey struct {
	APIKeyID           string  `json:"api_key_id"`
	KeyPrefix          string  `json:"key_prefix"`
	Name               *string `json:"name"`
	Mode               Mode    `json:"mode"`
	Scopes             []Scope `json:"scopes"`
	RateLimitPerMinute *int64  `json:"rate_limit_per_minute"`
	ExpiresAt          *string `json:"expires_at"`
	RevokedAt          *string `json:"revoked_at"`
	LastUsedAt         *string `json:"last_used_at"`
	CreatedAt          string  `json:"created_at"`
}

type RollApiKeyRequest struct {
	OverlapSeconds *int64 `json:"overlap_seconds,omitempty"`
}

type TestClock struct {
	Now string `json:"now"`
}

type MoveTestClockRequest struct {
	Now string `json:"now"`
}

type AuditedChange struct {
	EventID   string          `json:"event_id"`
	Action    string          `json:"action"`
	At        string          `json:"at"`
	APIKeyID  *string         `json:"api_key_id"`
	RequestID *string         `json:"request_id"`
	SubjectID string          `json:"subject_id"`
	Changes   *OldAndNew      `json:"changes"`
	Data      json.RawMessage `json:"data"`
	Actor     Actor           `json:"actor"`
}

type OldAndNew struct {
	Before json.RawMessage `json:"before"`
	After  json.RawMessage `json:"after"`
}

type Nothing struct{}

type FieldError struct {
	Field   string `json:"field"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// ListLiquidationsQuery narrows listLiquidations; what is zero is left out.
type ListLiquidationsQuery struct {
	Limit int64
}

func (query ListLiquidationsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	return values
}

// FindLiquidationsQuery narrows findLiquidations; what is zero is left out.
type FindLiquidationsQuery struct {
	Limit         int64
	From          string
	To            string
	Type          LiquidationType
	Status        LiquidationStatus
	AccountNumber string
	Reference     string
}

func (query FindLiquidationsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "from", string(query.From))
	setText(values, "to", string(query.To))
	setText(values, "type", string(query.Type))
	setText(values, "status", string(query.Status))
	setText(values, "account_number", string(query.AccountNumber))
	setText(values, "reference", string(query.Reference))
	return values
}

// GetOutlookQuery narrows getOutlook; what is zero is left out.
type GetOutlookQuery struct {
	Amount Amount
}

func (query GetOutlookQuery) values() url.Values {
	values := url.Values{}
	setAmount(values, "amount", query.Amount)
	return values
}

// ListInterestPaymentsQuery narrows listInterestPayments; what is zero is left out.
type ListInterestPaymentsQuery struct {
	Limit int64
}

func (query ListInterestPaymentsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	return values
}

// ListCustomersQuery narrows listCustomers; what is zero is left out.
type ListCustomersQuery struct {
	Limit       int64
	Q           string
	Email       string
	PhoneNumber string
	ExternalID  string
}

func (query ListCustomersQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "q", string(query.Q))
	setText(values, "email", string(query.Email))
	setText(values, "phone_number", string(query.PhoneNumber))
	setText(values, "external_id", string(query.ExternalID))
	return values
}

// ListAccountsQuery narrows listAccounts; what is zero is left out.
type ListAccountsQuery struct {
	Limit      int64
	CustomerID string
	ExternalID string
}

func (query ListAccountsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "customer_id", string(query.CustomerID))
	setText(values, "external_id", string(query.ExternalID))
	return values
}

// ListFixedDepositsQuery narrows listFixedDeposits; what is zero is left out.
type ListFixedDepositsQuery struct {
	Limit         int64
	CustomerID    string
	AccountNumber string
	Status        DepositStatus
	MaturesBefore string
	MaturesAfter  string
	ProductCode   string
	ExternalID    string
}

func (query ListFixedDepositsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "customer_id", string(query.CustomerID))
	setText(values, "account_number", string(query.AccountNumber))
	setText(values, "status", string(query.Status))
	setText(values, "matures_before", string(query.MaturesBefore))
	setText(values, "matures_after", string(query.MaturesAfter))
	setText(values, "product_code", string(query.ProductCode))
	setText(values, "external_id", string(query.ExternalID))
	return values
}

// ListProductsQuery narrows listProducts; what is zero is left out.
type ListProductsQuery struct {
	Limit  int64
	Status ProductStatus
}

func (query ListProductsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "status", string(query.Status))
	return values
}

// ListRateSheetsQuery narrows listRateSheets; what is zero is left out.
type ListRateSheetsQuery struct {
	Limit int64
}

func (query ListRateSheetsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	return values
}

// GetStatementQuery narrows getStatement; what is zero is left out.
type GetStatementQuery struct {
	From string
	To   string
}

func (query GetStatementQuery) values() url.Values {
	values := url.Values{}
	setText(values, "from", string(query.From))
	setText(values, "to", string(query.To))
	return values
}

// GetInterestCertificateQuery narrows getInterestCertificate; what is zero is left out.
type GetInterestCertificateQuery struct {
	From string
	To   string
}

func (query GetInterestCertificateQuery) values() url.Values {
	values := url.Values{}
	setText(values, "from", string(query.From))
	setText(values, "to", string(query.To))
	return values
}

// ListLiensQuery narrows listLiens; what is zero is left out.
type ListLiensQuery struct {
	Limit int64
}

func (query ListLiensQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	return values
}

// ListApprovalsQuery narrows listApprovals; what is zero is left out.
type ListApprovalsQuery struct {
	Limit     int64
	Status    ApprovalStatus
	Operation ApprovableOperation
	TargetID  string
}

func (query ListApprovalsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "status", string(query.Status))
	setText(values, "operation", string(query.Operation))
	setText(values, "target_id", string(query.TargetID))
	return values
}

// ListBatchesQuery narrows listBatches; what is zero is left out.
type ListBatchesQuery struct {
	Limit     int64
	Status    BatchStatus
	Operation BatchOperation
}

func (query ListBatchesQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "status", string(query.Status))
	setText(values, "operation", string(query.Operation))
	return values
}

// ListBatchResultsQuery narrows listBatchResults; what is zero is left out.
type ListBatchResultsQuery struct {
	Limit   int64
	Outcome LineOutcome
}

func (query ListBatchResultsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "outcome", string(query.Outcome))
	return values
}

// ReportLiquidationsQuery narrows reportLiquidations; what is zero is left out.
type ReportLiquidationsQuery struct {
	From    string
	To      string
	GroupBy ReportGroup
}

func (query ReportLiquidationsQuery) values() url.Values {
	values := url.Values{}
	setText(values, "from", string(query.From))
	setText(values, "to", string(query.To))
	setText(values, "group_by", string(query.GroupBy))
	return values
}

// ReportTaxQuery narrows reportTax; what is zero is left out.
type ReportTaxQuery struct {
	From string
	To   string
}

func (query ReportTaxQuery) values() url.Values {
	values := url.Values{}
	setText(values, "from", string(query.From))
	setText(values, "to", string(query.To))
	return values
}

// ReportCashFlowQuery narrows reportCashFlow; what is zero is left out.
type ReportCashFlowQuery struct {
	From string
	To   string
}

func (query ReportCashFlowQuery) values() url.Values {
	values := url.Values{}
	setText(values, "from", string(query.From))
	setText(values, "to", string(query.To))
	return values
}

// ReportAccrualsQuery narrows reportAccruals; what is zero is left out.
type ReportAccrualsQuery struct {
	Date string
}

func (query ReportAccrualsQuery) values() url.Values {
	values := url.Values{}
	setText(values, "date", string(query.Date))
	return values
}

// ExportDepositsQuery narrows exportDeposits; what is zero is left out.
type ExportDepositsQuery struct {
	From string
	To   string
}

func (query ExportDepositsQuery) values() url.Values {
	values := url.Values{}
	setText(values, "from", string(query.From))
	setText(values, "to", string(query.To))
	return values
}

// ExportLiquidationsQuery narrows exportLiquidations; what is zero is left out.
type ExportLiquidationsQuery struct {
	From string
	To   string
}

func (query ExportLiquidationsQuery) values() url.Values {
	values := url.Values{}
	setText(values, "from", string(query.From))
	setText(values, "to", string(query.To))
	return values
}

// ExportLedgerEntriesQuery narrows exportLedgerEntries; what is zero is left out.
type ExportLedgerEntriesQuery struct {
	From string
	To   string
}

func (query ExportLedgerEntriesQuery) values() url.Values {
	values := url.Values{}
	setText(values, "from", string(query.From))
	setText(values, "to", string(query.To))
	return values
}

// ExportTaxQuery narrows exportTax; what is zero is left out.
type ExportTaxQuery struct {
	From string
	To   string
}

func (query ExportTaxQuery) values() url.Values {
	values := url.Values{}
	setText(values, "from", string(query.From))
	setText(values, "to", string(query.To))
	return values
}

// ExportInterestPaymentsQuery narrows exportInterestPayments; what is zero is left out.
type ExportInterestPaymentsQuery struct {
	From string
	To   string
}

func (query ExportInterestPaymentsQuery) values() url.Values {
	values := url.Values{}
	setText(values, "from", string(query.From))
	setText(values, "to", string(query.To))
	return values
}

// ExportApprovalsQuery narrows exportApprovals; what is zero is left out.
type ExportApprovalsQuery struct {
	From string
	To   string
}

func (query ExportApprovalsQuery) values() url.Values {
	values := url.Values{}
	setText(values, "from", string(query.From))
	setText(values, "to", string(query.To))
	return values
}

// ListLedgerEntriesQuery narrows listLedgerEntries; what is zero is left out.
type ListLedgerEntriesQuery struct {
	Limit         int64
	AccountNumber string
	DepositID     string
	LiquidationID string
}

func (query ListLedgerEntriesQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "account_number", string(query.AccountNumber))
	setText(values, "deposit_id", string(query.DepositID))
	setText(values, "liquidation_id", string(query.LiquidationID))
	return values
}

// ListEventsQuery narrows listEvents; what is zero is left out.
type ListEventsQuery struct {
	Limit int64
	Type  EventType
}

func (query ListEventsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "type", string(query.Type))
	return values
}

// ListSealsQuery narrows listSeals; what is zero is left out.
type ListSealsQuery struct {
	Limit int64
}

func (query ListSealsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	return values
}

// GetEventProofQuery narrows getEventProof; what is zero is left out.
type GetEventProofQuery struct {
	SealNo int64
}

func (query GetEventProofQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "seal_no", query.SealNo)
	return values
}

// ListWebhookEndpointsQuery narrows listWebhookEndpoints; what is zero is left out.
type ListWebhookEndpointsQuery struct {
	Limit int64
}

func (query ListWebhookEndpointsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	return values
}

// ListWebhookDeliveriesQuery narrows listWebhookDeliveries; what is zero is left out.
type ListWebhookDeliveriesQuery struct {
	Limit int64
}

func (query ListWebhookDeliveriesQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	return values
}

// ListAPIKeysQuery narrows listApiKeys; what is zero is left out.
type ListAPIKeysQuery struct {
	Limit int64
}

func (query ListAPIKeysQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	return values
}

// ListAuditLogQuery narrows listAuditLog; what is zero is left out.
type ListAuditLogQuery struct {
	Limit     int64
	SubjectID string
	Action    string
	APIKeyID  string
	From      string
	To        string
}

func (query ListAuditLogQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", query.Limit)
	setText(values, "subject_id", string(query.SubjectID))
	setText(values, "action", string(query.Action))
	setText(values, "api_key_id", string(query.APIKeyID))
	setText(values, "from", string(query.From))
	setText(values, "to", string(query.To))
	return values
}

func setText(values url.Values, name, value string) {
	if value != "" {
		values.Set(name, value)
	}
}

func setAmount(values url.Values, name string, value Amount) {
	if value.minor != 0 {
		values.Set(name, value.String())
	}
}

func setInt(values url.Values, name string, value int64) {
	if value != 0 {
		values.Set(name, wholeText(value))
	}
}

// Ptr makes a pointer to a value, for a member that may be left out.
func Ptr[Value any](value Value) *Value { return &value }

func wholeText(value int64) string { return strconv.FormatInt(value, 10) }

// Client is the service, by its URL and a key: one member for each kind of record.
type Client struct {
	transport        *transport
	FixedDeposits    *FixedDepositsOperations
	Liquidations     *LiquidationsOperations
	LiquidationRules *LiquidationRulesOperations
	Products         *ProductsOperations
	ApprovalPolicy   *ApprovalPolicyOperations
	Customers        *CustomersOperations
	Accounts         *AccountsOperations
	BusinessCalendar *BusinessCalendarOperations
	TaxRules         *TaxRulesOperations
	Liens            *LiensOperations
	Approvals        *ApprovalsOperations
	Batches          *BatchesOperations
	Reports          *ReportsOperations
	Exports          *ExportsOperations
	LedgerEntries    *LedgerEntriesOperations
	Accounting       *AccountingOperations
	Events           *EventsOperations
	Seals            *SealsOperations
	WebhookEndpoints *WebhookEndpointsOperations
	APIKeys          *APIKeysOperations
	TestClock        *TestClockOperations
	AuditLog         *AuditLogOperations
	Service          *ServiceOperations
}

func (client *Client) bind() *Client {
	client.FixedDeposits = &FixedDepositsOperations{client.transport}
	client.Liquidations = &LiquidationsOperations{client.transport}
	client.LiquidationRules = &LiquidationRulesOperations{client.transport}
	client.Products = &ProductsOperations{client.transport}
	client.ApprovalPolicy = &ApprovalPolicyOperations{client.transport}
	client.Customers = &CustomersOperations{client.transport}
	client.Accounts = &AccountsOperations{client.transport}
	client.BusinessCalendar = &BusinessCalendarOperations{client.transport}
	client.TaxRules = &TaxRulesOperations{client.transport}
	client.Liens = &LiensOperations{client.transport}
	client.Approvals = &ApprovalsOperations{client.transport}
	client.Batches = &BatchesOperations{client.transport}
	client.Reports = &ReportsOperations{client.transport}
	client.Exports = &ExportsOperations{client.transport}
	client.LedgerEntries = &LedgerEntriesOperations{client.transport}
	client.Accounting = &AccountingOperations{client.transport}
	client.Events = &EventsOperations{client.transport}
	client.Seals = &SealsOperations{client.transport}
	client.WebhookEndpoints = &WebhookEndpointsOperations{client.transport}
	client.APIKeys = &APIKeysOperations{client.transport}
	client.TestClock = &TestClockOperations{client.transport}
	client.AuditLog = &AuditLogOperations{client.transport}
	client.Service = &ServiceOperations{client.transport}
	return client
}

type FixedDepositsOperations struct{ transport *transport }

// Liquidate: Break an active fixed deposit, fully or partially, and pay it back to its source account
func (group *FixedDepositsOperations) Liquidate(ctx context.Context, depositID string, body LiquidateFixedDepositRequest, options ...CallOption) (*Liquidation, error) {
	return record[Liquidation](ctx, group.transport, operation{id: "liquidateFixedDeposit", method: "POST", path: "/v2/fixed-deposits/" + url.PathEscape(depositID) + "/liquidate", target: depositID, body: body}, options)
}

// QuoteLiquidation: Tell what a liquidation would pay, on today or another date; changes nothing
func (group *FixedDepositsOperations) QuoteLiquidation(ctx context.Context, depositID string, body QuoteLiquidationRequest, options ...CallOption) (*LiquidationQuote, error) {
	return record[LiquidationQuote](ctx, group.transport, operation{id: "quoteLiquidation", method: "POST", path: "/v2/fixed-deposits/" + url.PathEscape(depositID) + "/liquidation-quote", target: depositID, body: body}, options)
}

// ListLiquidations: List the liquidations of a fixed deposit, newest first
func (group *FixedDepositsOperations) ListLiquidations(depositID string, query ListLiquidationsQuery, options ...CallOption) *Pages[ExplainedLiquidation] {
	return pages[ExplainedLiquidation](group.transport, operation{id: "listLiquidations", method: "GET", path: "/v2/fixed-deposits/" + url.PathEscape(depositID) + "/liquidations", target: depositID, query: query.values()}, options)
}

// GetOutlook: Get what breaking a fixed deposit would pay on the days to come
func (group *FixedDepositsOperations) GetOutlook(ctx context.Context, depositID string, query GetOutlookQuery, options ...CallOption) (*Outlook, error) {
	return record[Outlook](ctx, group.transport, operation{id: "getOutlook", method: "GET", path: "/v2/fixed-deposits/" + url.PathEscape(depositID) + "/outlook", target: depositID, query: query.values()}, options)
}

// ListInterestPayments: List the interest that a fixed deposit paid before maturity, newest first
func (group *FixedDepositsOperations) ListInterestPayments(depositID string, query ListInterestPaymentsQuery, options ...CallOption) *Pages[InterestPayment] {
	return pages[InterestPayment](group.transport, operation{id: "listInterestPayments", method: "GET", path: "/v2/fixed-deposits/" + url.PathEscape(depositID) + "/interest-payments", target: depositID, query: query.values()}, options)
}

// PutMaturityInstruction: Say what becomes of a fixed deposit at maturity, until the day before
func (group *FixedDepositsOperations) PutMaturityInstruction(ctx context.Context, depositID string, body PutMaturityInstructionRequest, options ...CallOption) (*FixedDeposit, error) {
	return record[FixedDeposit](ctx, group.transport, operation{id: "putMaturityInstruction", method: "PUT", path: "/v2/fixed-deposits/" + url.PathEscape(depositID) + "/maturity-instruction", target: depositID, body: body}, options)
}

// PutParties: Record who else a fixed deposit belongs to
func (group *FixedDepositsOperations) PutParties(ctx context.Context, depositID string, body PutPartiesRequest, options ...CallOption) (*Parties, error) {
	return record[Parties](ctx, group.transport, operation{id: "putParties", method: "PUT", path: "/v2/fixed-deposits/" + url.PathEscape(depositID) + "/parties", target: depositID, body: body}, options)
}

// GetParties: Get who else a fixed deposit belongs to
func (group *FixedDepositsOperations) GetParties(ctx context.Context, depositID string, options ...CallOption) (*Parties, error) {
	return record[Parties](ctx, group.transport, operation{id: "getParties", method: "GET", path: "/v2/fixed-deposits/" + url.PathEscape(depositID) + "/parties", target: depositID}, options)
}

// Open: Open a fixed deposit from an account
func (group *FixedDepositsOperations) Open(ctx context.Context, body OpenFixedDepositRequest, options ...CallOption) (*FixedDeposit, error) {
	return record[FixedDeposit](ctx, group.transport, operation{id: "openFixedDeposit", method: "POST", path: "/v2/fixed-deposits", body: body}, options)
}

// List: List fixed deposits, newest first
func (group *FixedDepositsOperations) List(query ListFixedDepositsQuery, options ...CallOption) *Pages[FixedDeposit] {
	return pages[FixedDeposit](group.transport, operation{id: "listFixedDeposits", method: "GET", path: "/v2/fixed-deposits", query: query.values()}, options)
}

// Get: Get a fixed deposit
func (group *FixedDepositsOperations) Get(ctx context.Context, depositID string, options ...CallOption) (*FixedDeposit, error) {
	return record[FixedDeposit](ctx, group.transport, operation{id: "getFixedDeposit", method: "GET", path: "/v2/fixed-deposits/" + url.PathEscape(depositID), target: depositID}, options)
}

// GetCertificate: Get the certificate of a fixed deposit, as JSON or as a page to print
func (group *FixedDepositsOperations) GetCertificate(ctx context.Context, depositID string, options ...CallOption) (*Certificate, error) {
	return record[Certificate](ctx, group.transport, operation{id: "getCertificate", method: "GET", path: "/v2/fixed-deposits/" + url.PathEscape(depositID) + "/certificate", target: depositID}, options)
}

// GetStatement: Get the statement of a fixed deposit, as JSON or as a page to print
func (group *FixedDepositsOperations) GetStatement(ctx context.Context, depositID string, query GetStatementQuery, options ...CallOption) (*Statement, error) {
	return record[Statement](ctx, group.transport, operation{id: "getStatement", method: "GET", path: "/v2/fixed-deposits/" + url.PathEscape(depositID) + "/statement", target: depositID, query: query.values()}, options)
}

// PlaceLien: Hold a part of the principal of a fixed deposit
func (group *FixedDepositsOperations) PlaceLien(ctx context.Context, depositID string, body PlaceLienRequest, options ...CallOption) (*Lien, error) {
	return record[Lien](ctx, group.transport, operation{id: "placeLien", method: "POST", path: "/v2/fixed-deposits/" + url.PathEscape(depositID) + "/liens", target: depositID, body: body}, options)
}

// ListLiens: List the liens of a fixed deposit, newest first
func (group *FixedDepositsOperations) ListLiens(depositID string, query ListLiensQuery, options ...CallOption) *Pages[Lien] {
	return pages[Lien](group.transport, operation{id: "listLiens", method: "GET", path: "/v2/fixed-deposits/" + url.PathEscape(depositID) + "/liens", target: depositID, query: query.values()}, options)
}

type LiquidationsOperations struct{ transport *transport }

// Find: List the liquidations of all fixed deposits by business date, newest first
func (group *LiquidationsOperations) Find(query FindLiquidationsQuery, options ...CallOption) *Pages[ExplainedLiquidation] {
	return pages[ExplainedLiquidation](group.transport, operation{id: "findLiquidations", method: "GET", path: "/v2/liquidations", query: query.values()}, options)
}

// Get: Get a liquidation with its explanation
func (group *LiquidationsOperations) Get(ctx context.Context, liquidationID string, options ...CallOption) (*ExplainedLiquidation, error) {
	return record[ExplainedLiquidation](ctx, group.transport, operation{id: "getLiquidation", method: "GET", path: "/v2/liquidations/" + url.PathEscape(liquidationID), target: liquidationID}, options)
}

// GetAdvice: Get the advice letter of a liquidation, as JSON or as a page to print
func (group *LiquidationsOperations) GetAdvice(ctx context.Context, liquidationID string, options ...CallOption) (*Advice, error) {
	return record[Advice](ctx, group.transport, operation{id: "getAdvice", method: "GET", path: "/v2/liquidations/" + url.PathEscape(liquidationID) + "/advice", target: liquidationID}, options)
}

// Reverse: Take a mistaken liquidation back: opposite entries, and the deposit as if it had not been broken
func (group *LiquidationsOperations) Reverse(ctx context.Context, liquidationID string, body ReverseLiquidationRequest, options ...CallOption) (*LiquidationReversal, error) {
	return record[LiquidationReversal](ctx, group.transport, operation{id: "reverseLiquidation", method: "POST", path: "/v2/liquidations/" + url.PathEscape(liquidationID) + "/reverse", target: liquidationID, body: body}, options)
}

type LiquidationRulesOperations struct{ transport *transport }

// Foresee: Show what other liquidation rules would change; changes nothing
func (group *LiquidationRulesOperations) Foresee(ctx context.Context, body ForeseeRulesRequest, options ...CallOption) (*Impact, error) {
	return record[Impact](ctx, group.transport, operation{id: "foreseeRules", method: "POST", path: "/v2/liquidation-rules/impact", body: body}, options)
}

// Get: Get the rule set in force
func (group *LiquidationRulesOperations) Get(ctx context.Context, options ...CallOption) (*LiquidationRules, error) {
	return record[LiquidationRules](ctx, group.transport, operation{id: "getRules", method: "GET", path: "/v2/liquidation-rules"}, options)
}

// Replace: Write the next version of the rule set; deposits opened earlier keep theirs
func (group *LiquidationRulesOperations) Replace(ctx context.Context, body ReplaceRulesRequest, options ...CallOption) (*LiquidationRules, error) {
	return record[LiquidationRules](ctx, group.transport, operation{id: "replaceRules", method: "PUT", path: "/v2/liquidation-rules", body: body}, options)
}

// GetVersion: Get one version of the rule set
func (group *LiquidationRulesOperations) GetVersion(ctx context.Context, version int64, options ...CallOption) (*LiquidationRules, error) {
	return record[LiquidationRules](ctx, group.transport, operation{id: "getRulesVersion", method: "GET", path: "/v2/liquidation-rules/" + wholeText(version), target: wholeText(version)}, options)
}

type ProductsOperations struct{ transport *transport }

// Foresee: Show what another version of a product would change; changes nothing
func (group *ProductsOperations) Foresee(ctx context.Context, productCode string, body ForeseeProductRequest, options ...CallOption) (*Impact, error) {
	return record[Impact](ctx, group.transport, operation{id: "foreseeProduct", method: "POST", path: "/v2/products/" + url.PathEscape(productCode) + "/impact", target: productCode, body: body}, options)
}

// Put: Write the next version of a product; deposits opened earlier keep theirs
func (group *ProductsOperations) Put(ctx context.Context, productCode string, body PutProductRequest, options ...CallOption) (*Product, error) {
	return record[Product](ctx, group.transport, operation{id: "putProduct", method: "PUT", path: "/v2/products/" + url.PathEscape(productCode), target: productCode, body: body}, options)
}

// Get: Get the newest version of a product
func (group *ProductsOperations) Get(ctx context.Context, productCode string, options ...CallOption) (*Product, error) {
	return record[Product](ctx, group.transport, operation{id: "getProduct", method: "GET", path: "/v2/products/" + url.PathEscape(productCode), target: productCode}, options)
}

// List: List the newest version of each product, newest product first
func (group *ProductsOperations) List(query ListProductsQuery, options ...CallOption) *Pages[Product] {
	return pages[Product](group.transport, operation{id: "listProducts", method: "GET", path: "/v2/products", query: query.values()}, options)
}

// GetVersion: Get one version of a product
func (group *ProductsOperations) GetVersion(ctx context.Context, productCode string, version int64, options ...CallOption) (*Product, error) {
	return record[Product](ctx, group.transport, operation{id: "getProductVersion", method: "GET", path: "/v2/products/" + url.PathEscape(productCode) + "/versions/" + wholeText(version), target: productCode}, options)
}

// AddRateSheet: Add a rate sheet: rates by tenor and amount from a day on
func (group *ProductsOperations) AddRateSheet(ctx context.Context, productCode string, body AddRateSheetRequest, options ...CallOption) (*RateSheet, error) {
	return record[RateSheet](ctx, group.transport, operation{id: "addRateSheet", method: "POST", path: "/v2/products/" + url.PathEscape(productCode) + "/rate-sheets", target: productCode, body: body}, options)
}

// ListRateSheets: List the rate sheets of a product, newest first
func (group *ProductsOperations) ListRateSheets(productCode string, query ListRateSheetsQuery, options ...CallOption) *Pages[RateSheet] {
	return pages[RateSheet](group.transport, operation{id: "listRateSheets", method: "GET", path: "/v2/products/" + url.PathEscape(productCode) + "/rate-sheets", target: productCode, query: query.values()}, options)
}

// GetRateSheet: Get a rate sheet
func (group *ProductsOperations) GetRateSheet(ctx context.Context, productCode string, number int64, options ...CallOption) (*RateSheet, error) {
	return record[RateSheet](ctx, group.transport, operation{id: "getRateSheet", method: "GET", path: "/v2/products/" + url.PathEscape(productCode) + "/rate-sheets/" + wholeText(number), target: productCode}, options)
}

// Quote: What a product would pay, with its schedule; changes nothing
func (group *ProductsOperations) Quote(ctx context.Context, productCode string, body QuoteProductRequest, options ...CallOption) (*ProductQuote, error) {
	return record[ProductQuote](ctx, group.transport, operation{id: "quoteProduct", method: "POST", path: "/v2/products/" + url.PathEscape(productCode) + "/quote", target: productCode, body: body}, options)
}

type ApprovalPolicyOperations struct{ transport *transport }

// ForeseePolicy: Show what another approval policy would hold; changes nothing
func (group *ApprovalPolicyOperations) ForeseePolicy(ctx context.Context, body ForeseePolicyRequest, options ...CallOption) (*Impact, error) {
	return record[Impact](ctx, group.transport, operation{id: "foreseePolicy", method: "POST", path: "/v2/approval-policy/impact", body: body}, options)
}

// Get: Get the approval policy in force
func (group *ApprovalPolicyOperations) Get(ctx context.Context, options ...CallOption) (*ApprovalPolicy, error) {
	return record[ApprovalPolicy](ctx, group.transport, operation{id: "getApprovalPolicy", method: "GET", path: "/v2/approval-policy"}, options)
}

// Replace: Write the next version of the approval policy: which operations wait for other people
func (group *ApprovalPolicyOperations) Replace(ctx context.Context, body ReplaceApprovalPolicyRequest, options ...CallOption) (*ApprovalPolicy, error) {
	return record[ApprovalPolicy](ctx, group.transport, operation{id: "replaceApprovalPolicy", method: "PUT", path: "/v2/approval-policy", body: body}, options)
}

// GetVersion: Get one version of the approval policy
func (group *ApprovalPolicyOperations) GetVersion(ctx context.Context, version int64, options ...CallOption) (*ApprovalPolicy, error) {
	return record[ApprovalPolicy](ctx, group.transport, operation{id: "getApprovalPolicyVersion", method: "GET", path: "/v2/approval-policy/" + wholeText(version), target: wholeText(version)}, options)
}

type CustomersOperations struct{ transport *transport }

// Update: Change e-mail, phone number or address of a customer; omitted fields stay
func (group *CustomersOperations) Update(ctx context.Context, customerID string, body UpdateCustomerRequest, options ...CallOption) (*Customer, error) {
	return record[Customer](ctx, group.transport, operation{id: "updateCustomer", method: "PUT", path: "/v2/customer/" + url.PathEscape(customerID), target: customerID, body: body}, options)
}

// Get: Get a customer
func (group *CustomersOperations) Get(ctx context.Context, customerID string, options ...CallOption) (*Customer, error) {
	return record[Customer](ctx, group.transport, operation{id: "getCustomer", method: "GET", path: "/v2/customer/" + url.PathEscape(customerID), target: customerID}, options)
}

// Create: Create a customer
func (group *CustomersOperations) Create(ctx context.Context, body CreateCustomerRequest, options ...CallOption) (*Customer, error) {
	return record[Customer](ctx, group.transport, operation{id: "createCustomer", method: "POST", path: "/v2/customer", body: body}, options)
}

// List: List customers, newest first, or find the best matches of a few letters or digits
func (group *CustomersOperations) List(query ListCustomersQuery, options ...CallOption) *Pages[Customer] {
	return pages[Customer](group.transport, operation{id: "listCustomers", method: "GET", path: "/v2/customer", query: query.values()}, options)
}

// GetInterestCertificate: Get the interest and tax of a customer in a span of business dates, as JSON or as a page to print
func (group *CustomersOperations) GetInterestCertificate(ctx context.Context, customerID string, query GetInterestCertificateQuery, options ...CallOption) (*InterestCertificate, error) {
	return record[InterestCertificate](ctx, group.transport, operation{id: "getInterestCertificate", method: "GET", path: "/v2/customer/" + url.PathEscape(customerID) + "/interest-certificate", target: customerID, query: query.values()}, options)
}

// GetTaxStatus: Get the tax status of a customer; STANDARD where none was set
func (group *CustomersOperations) GetTaxStatus(ctx context.Context, customerID string, options ...CallOption) (*TaxStatus, error) {
	return record[TaxStatus](ctx, group.transport, operation{id: "getTaxStatus", method: "GET", path: "/v2/customer/" + url.PathEscape(customerID) + "/tax-status", target: customerID}, options)
}

// PutTaxStatus: Set the tax class of a customer; what is left out becomes null
func (group *CustomersOperations) PutTaxStatus(ctx context.Context, customerID string, body PutTaxStatusRequest, options ...CallOption) (*TaxStatus, error) {
	return record[TaxStatus](ctx, group.transport, operation{id: "putTaxStatus", method: "PUT", path: "/v2/customer/" + url.PathEscape(customerID) + "/tax-status", target: customerID, body: body}, options)
}

type AccountsOperations struct{ transport *transport }

// Open: Open an account for a customer
func (group *AccountsOperations) Open(ctx context.Context, body OpenAccountRequest, options ...CallOption) (*Account, error) {
	return record[Account](ctx, group.transport, operation{id: "openAccount", method: "POST", path: "/v2/accounts", body: body}, options)
}

// List: List accounts, newest first
func (group *AccountsOperations) List(query ListAccountsQuery, options ...CallOption) *Pages[Account] {
	return pages[Account](group.transport, operation{id: "listAccounts", method: "GET", path: "/v2/accounts", query: query.values()}, options)
}

// Get: Get an account with its balance
func (group *AccountsOperations) Get(ctx context.Context, accountNumber string, options ...CallOption) (*Account, error) {
	return record[Account](ctx, group.transport, operation{id: "getAccount", method: "GET", path: "/v2/accounts/" + url.PathEscape(accountNumber), target: accountNumber}, options)
}

// Credit: Credit an account
func (group *AccountsOperations) Credit(ctx context.Context, accountNumber string, body CreditAccountRequest, options ...CallOption) (*LedgerEntry, error) {
	return record[LedgerEntry](ctx, group.transport, operation{id: "creditAccount", method: "POST", path: "/v2/accounts/" + url.PathEscape(accountNumber) + "/credits", target: accountNumber, body: body}, options)
}

type BusinessCalendarOperations struct{ transport *transport }

// GetCalendar: Get the business calendar; before the first one no day is closed
func (group *BusinessCalendarOperations) GetCalendar(ctx context.Context, options ...CallOption) (*BusinessCalendar, error) {
	return record[BusinessCalendar](ctx, group.transport, operation{id: "getCalendar", method: "GET", path: "/v2/business-calendar"}, options)
}

// ReplaceCalendar: Write the next version of the business calendar; deposits opened earlier keep their maturity
func (group *BusinessCalendarOperations) ReplaceCalendar(ctx context.Context, body ReplaceCalendarRequest, options ...CallOption) (*BusinessCalendar, error) {
	return record[BusinessCalendar](ctx, group.transport, operation{id: "replaceCalendar", method: "PUT", path: "/v2/business-calendar", body: body}, options)
}

// GetCalendarVersion: Get one version of the business calendar
func (group *BusinessCalendarOperations) GetCalendarVersion(ctx context.Context, version int64, options ...CallOption) (*BusinessCalendar, error) {
	return record[BusinessCalendar](ctx, group.transport, operation{id: "getCalendarVersion", method: "GET", path: "/v2/business-calendar/" + wholeText(version), target: wholeText(version)}, options)
}

type TaxRulesOperations struct{ transport *transport }

// Get: Get the newest version of the tax rules
func (group *TaxRulesOperations) Get(ctx context.Context, options ...CallOption) (*TaxRules, error) {
	return record[TaxRules](ctx, group.transport, operation{id: "getTaxRules", method: "GET", path: "/v2/tax-rules"}, options)
}

// Replace: Write the next version of the tax rules: what is withheld of interest when it is paid
func (group *TaxRulesOperations) Replace(ctx context.Context, body ReplaceTaxRulesRequest, options ...CallOption) (*TaxRules, error) {
	return record[TaxRules](ctx, group.transport, operation{id: "replaceTaxRules", method: "PUT", path: "/v2/tax-rules", body: body}, options)
}

// GetVersion: Get one version of the tax rules
func (group *TaxRulesOperations) GetVersion(ctx context.Context, version int64, options ...CallOption) (*TaxRules, error) {
	return record[TaxRules](ctx, group.transport, operation{id: "getTaxRulesVersion", method: "GET", path: "/v2/tax-rules/" + wholeText(version), target: wholeText(version)}, options)
}

type LiensOperations struct{ transport *transport }

// Get: Get a lien
func (group *LiensOperations) Get(ctx context.Context, lienID string, options ...CallOption) (*Lien, error) {
	return record[Lien](ctx, group.transport, operation{id: "getLien", method: "GET", path: "/v2/liens/" + url.PathEscape(lienID), target: lienID}, options)
}

// Release: Release a lien, so that the principal it held can be withdrawn
func (group *LiensOperations) Release(ctx context.Context, lienID string, body ReleaseLienRequest, options ...CallOption) (*Lien, error) {
	return record[Lien](ctx, group.transport, operation{id: "releaseLien", method: "POST", path: "/v2/liens/" + url.PathEscape(lienID) + "/release", target: lienID, body: body}, options)
}

type ApprovalsOperations struct{ transport *transport }

// Request: Ask for the approval of an operation; it is tried, and carried out when others have approved
func (group *ApprovalsOperations) Request(ctx context.Context, body RequestApprovalRequest, options ...CallOption) (*Approval, error) {
	return record[Approval](ctx, group.transport, operation{id: "requestApproval", method: "POST", path: "/v2/approvals", body: body}, options)
}

// List: List approvals, newest first
func (group *ApprovalsOperations) List(query ListApprovalsQuery, options ...CallOption) *Pages[Approval] {
	return pages[Approval](group.transport, operation{id: "listApprovals", method: "GET", path: "/v2/approvals", query: query.values()}, options)
}

// Get: Get an approval, with what the operation would come to now
func (group *ApprovalsOperations) Get(ctx context.Context, approvalID string, options ...CallOption) (*Approval, error) {
	return record[Approval](ctx, group.transport, operation{id: "getApproval", method: "GET", path: "/v2/approvals/" + url.PathEscape(approvalID), target: approvalID}, options)
}

// Approve: Approve; the last vote carries the operation out, with the figures of that moment
func (group *ApprovalsOperations) Approve(ctx context.Context, approvalID string, body ApproveApprovalRequest, options ...CallOption) (*Approval, error) {
	return record[Approval](ctx, group.transport, operation{id: "approveApproval", method: "POST", path: "/v2/approvals/" + url.PathEscape(approvalID) + "/approve", target: approvalID, body: body}, options)
}

// Reject: Reject; the operation is not carried out
func (group *ApprovalsOperations) Reject(ctx context.Context, approvalID string, body RejectApprovalRequest, options ...CallOption) (*Approval, error) {
	return record[Approval](ctx, group.transport, operation{id: "rejectApproval", method: "POST", path: "/v2/approvals/" + url.PathEscape(approvalID) + "/reject", target: approvalID, body: body}, options)
}

// Cancel: Take your own request back
func (group *ApprovalsOperations) Cancel(ctx context.Context, approvalID string, options ...CallOption) (*Approval, error) {
	return record[Approval](ctx, group.transport, operation{id: "cancelApproval", method: "POST", path: "/v2/approvals/" + url.PathEscape(approvalID) + "/cancel", target: approvalID}, options)
}

type BatchesOperations struct{ transport *transport }

// CreateBatch: Create a batch, whose lines are sent next; also needs the scope of its operation
func (group *BatchesOperations) CreateBatch(ctx context.Context, body CreateBatchRequest, options ...CallOption) (*Batch, error) {
	return record[Batch](ctx, group.transport, operation{id: "createBatch", method: "POST", path: "/v2/batches", body: body}, options)
}

// List: List batches, newest first
func (group *BatchesOperations) List(query ListBatchesQuery, options ...CallOption) *Pages[Batch] {
	return pages[Batch](group.transport, operation{id: "listBatches", method: "GET", path: "/v2/batches", query: query.values()}, options)
}

// GetBatch: Get a batch, with how far it has come
func (group *BatchesOperations) GetBatch(ctx context.Context, batchID string, options ...CallOption) (*Batch, error) {
	return record[Batch](ctx, group.transport, operation{id: "getBatch", method: "GET", path: "/v2/batches/" + url.PathEscape(batchID), target: batchID}, options)
}

// SendBatchPart: Send the next part: up to 10,000 lines of JSON; the same part again changes nothing
func (group *BatchesOperations) SendBatchPart(ctx context.Context, batchID string, part int64, lines []byte, options ...CallOption) (*Batch, error) {
	return record[Batch](ctx, group.transport, operation{id: "sendBatchPart", method: "POST", path: "/v2/batches/" + url.PathEscape(batchID) + "/parts/" + wholeText(part), target: batchID, lines: lines}, options)
}

// StartBatch: Start a batch: its lines are carried out in order, as if each was sent by itself
func (group *BatchesOperations) StartBatch(ctx context.Context, batchID string, body StartBatchRequest, options ...CallOption) (*Batch, error) {
	return record[Batch](ctx, group.transport, operation{id: "startBatch", method: "POST", path: "/v2/batches/" + url.PathEscape(batchID) + "/start", target: batchID, body: body}, options)
}

// CancelBatch: Cancel a batch: what is done stays, the other lines are skipped
func (group *BatchesOperations) CancelBatch(ctx context.Context, batchID string, options ...CallOption) (*Batch, error) {
	return record[Batch](ctx, group.transport, operation{id: "cancelBatch", method: "POST", path: "/v2/batches/" + url.PathEscape(batchID) + "/cancel", target: batchID}, options)
}

// ListBatchResults: What became of the lines, in their order; with Accept: application/x-ndjson as a file
func (group *BatchesOperations) ListBatchResults(batchID string, query ListBatchResultsQuery, options ...CallOption) *Pages[BatchResult] {
	return pages[BatchResult](group.transport, operation{id: "listBatchResults", method: "GET", path: "/v2/batches/" + url.PathEscape(batchID) + "/results", target: batchID, query: query.values()}, options)
}

type ReportsOperations struct{ transport *transport }

// ReportLiquidations: Sum the liquidations of a span of business dates
func (group *ReportsOperations) ReportLiquidations(ctx context.Context, query ReportLiquidationsQuery, options ...CallOption) (*LiquidationReport, error) {
	return record[LiquidationReport](ctx, group.transport, operation{id: "reportLiquidations", method: "GET", path: "/v2/reports/liquidations", query: query.values()}, options)
}

// ReportTax: Sum interest and withheld tax of a span of business dates by customer and class
func (group *ReportsOperations) ReportTax(ctx context.Context, query ReportTaxQuery, options ...CallOption) (*TaxReport, error) {
	return record[TaxReport](ctx, group.transport, operation{id: "reportTax", method: "GET", path: "/v2/reports/tax", query: query.values()}, options)
}

// ReportCashFlow: Sum the principal and interest that fall due in a span of business dates by day and instruction
func (group *ReportsOperations) ReportCashFlow(ctx context.Context, query ReportCashFlowQuery, options ...CallOption) (*CashFlow, error) {
	return record[CashFlow](ctx, group.transport, operation{id: "reportCashFlow", method: "GET", path: "/v2/reports/cash-flow", query: query.values()}, options)
}

// ReportAccruals: Interest earned and not paid, and paid and not earned, of each deposit at the close of a business date
func (group *ReportsOperations) ReportAccruals(ctx context.Context, query ReportAccrualsQuery, options ...CallOption) ([]Accrual, error) {
	return lines[Accrual](ctx, group.transport, operation{id: "reportAccruals", method: "GET", path: "/v2/reports/accruals", query: query.values()}, options)
}

type ExportsOperations struct{ transport *transport }

// ExportDeposits: Export the fixed deposits that were opened in a span of business dates
func (group *ExportsOperations) ExportDeposits(ctx context.Context, query ExportDepositsQuery, options ...CallOption) ([]FixedDeposit, error) {
	return lines[FixedDeposit](ctx, group.transport, operation{id: "exportDeposits", method: "GET", path: "/v2/exports/deposits", query: query.values()}, options)
}

// ExportLiquidations: Export the liquidations of a span of business dates
func (group *ExportsOperations) ExportLiquidations(ctx context.Context, query ExportLiquidationsQuery, options ...CallOption) ([]KeptLiquidation, error) {
	return lines[KeptLiquidation](ctx, group.transport, operation{id: "exportLiquidations", method: "GET", path: "/v2/exports/liquidations", query: query.values()}, options)
}

// ExportLedgerEntries: Export the ledger entries of a span of business dates
func (group *ExportsOperations) ExportLedgerEntries(ctx context.Context, query ExportLedgerEntriesQuery, options ...CallOption) ([]ExportedLedgerEntry, error) {
	return lines[ExportedLedgerEntry](ctx, group.transport, operation{id: "exportLedgerEntries", method: "GET", path: "/v2/exports/ledger-entries", query: query.values()}, options)
}

// ExportTax: Export the taxed interest of a span of business dates, movement by movement
func (group *ExportsOperations) ExportTax(ctx context.Context, query ExportTaxQuery, options ...CallOption) ([]TaxedMovement, error) {
	return lines[TaxedMovement](ctx, group.transport, operation{id: "exportTax", method: "GET", path: "/v2/exports/tax", query: query.values()}, options)
}

// ExportInterestPayments: Export the interest that was paid before maturity in a span of business dates
func (group *ExportsOperations) ExportInterestPayments(ctx context.Context, query ExportInterestPaymentsQuery, options ...CallOption) ([]ExportedInterestPayment, error) {
	return lines[ExportedInterestPayment](ctx, group.transport, operation{id: "exportInterestPayments", method: "GET", path: "/v2/exports/interest-payments", query: query.values()}, options)
}

// ExportApprovals: Export the requests for approval that were made in a span of business dates
func (group *ExportsOperations) ExportApprovals(ctx context.Context, query ExportApprovalsQuery, options ...CallOption) ([]Approval, error) {
	return lines[Approval](ctx, group.transport, operation{id: "exportApprovals", method: "GET", path: "/v2/exports/approvals", query: query.values()}, options)
}

type LedgerEntriesOperations struct{ transport *transport }

// List: List ledger entries, newest first; the lines of an entry sum to zero
func (group *LedgerEntriesOperations) List(query ListLedgerEntriesQuery, options ...CallOption) *Pages[LedgerEntry] {
	return pages[LedgerEntry](group.transport, operation{id: "listLedgerEntries", method: "GET", path: "/v2/ledger-entries", query: query.values()}, options)
}

type AccountingOperations struct{ transport *transport }

// Get: Get how interest is accrued, and the codes of the general ledger
func (group *AccountingOperations) Get(ctx context.Context, options ...CallOption) (*Accounting, error) {
	return record[Accounting](ctx, group.transport, operation{id: "getAccounting", method: "GET", path: "/v2/accounting"}, options)
}

// Replace: Write the next version of accruals and codes, in force from the close of this business date on
func (group *AccountingOperations) Replace(ctx context.Context, body ReplaceAccountingRequest, options ...CallOption) (*Accounting, error) {
	return record[Accounting](ctx, group.transport, operation{id: "replaceAccounting", method: "PUT", path: "/v2/accounting", body: body}, options)
}

// GetVersion: Get one version of accruals and codes
func (group *AccountingOperations) GetVersion(ctx context.Context, version int64, options ...CallOption) (*Accounting, error) {
	return record[Accounting](ctx, group.transport, operation{id: "getAccountingVersion", method: "GET", path: "/v2/accounting/" + wholeText(version), target: wholeText(version)}, options)
}

type EventsOperations struct{ transport *transport }

// List: List events, newest first
func (group *EventsOperations) List(query ListEventsQuery, options ...CallOption) *Pages[Event] {
	return pages[Event](group.transport, operation{id: "listEvents", method: "GET", path: "/v2/events", query: query.values()}, options)
}

// Get: Get an event
func (group *EventsOperations) Get(ctx context.Context, eventID string, options ...CallOption) (*Event, error) {
	return record[Event](ctx, group.transport, operation{id: "getEvent", method: "GET", path: "/v2/events/" + url.PathEscape(eventID), target: eventID}, options)
}

// Redeliver: Send an event again to every endpoint that is enabled and subscribed
func (group *EventsOperations) Redeliver(ctx context.Context, eventID string, options ...CallOption) (*RedeliveredEvent, error) {
	return record[RedeliveredEvent](ctx, group.transport, operation{id: "redeliverEvent", method: "POST", path: "/v2/events/" + url.PathEscape(eventID) + "/redeliver", target: eventID}, options)
}

// GetProof: Prove that an event is covered by a seal, against the head of this or a later one
func (group *EventsOperations) GetProof(ctx context.Context, eventID string, query GetEventProofQuery, options ...CallOption) (*EventProof, error) {
	return record[EventProof](ctx, group.transport, operation{id: "getEventProof", method: "GET", path: "/v2/events/" + url.PathEscape(eventID) + "/proof", target: eventID, query: query.values()}, options)
}

type SealsOperations struct{ transport *transport }

// List: List the seals of the book, newest first
func (group *SealsOperations) List(query ListSealsQuery, options ...CallOption) *Pages[Seal] {
	return pages[Seal](group.transport, operation{id: "listSeals", method: "GET", path: "/v2/seals", query: query.values()}, options)
}

type WebhookEndpointsOperations struct{ transport *transport }

// Create: Create a webhook endpoint; its secret is shown once
func (group *WebhookEndpointsOperations) Create(ctx context.Context, body CreateWebhookEndpointRequest, options ...CallOption) (*EndpointWithSecret, error) {
	return record[EndpointWithSecret](ctx, group.transport, operation{id: "createWebhookEndpoint", method: "POST", path: "/v2/webhook-endpoints", body: body}, options)
}

// List: List webhook endpoints, newest first
func (group *WebhookEndpointsOperations) List(query ListWebhookEndpointsQuery, options ...CallOption) *Pages[WebhookEndpoint] {
	return pages[WebhookEndpoint](group.transport, operation{id: "listWebhookEndpoints", method: "GET", path: "/v2/webhook-endpoints", query: query.values()}, options)
}

// Get: Get a webhook endpoint
func (group *WebhookEndpointsOperations) Get(ctx context.Context, webhookEndpointID string, options ...CallOption) (*WebhookEndpoint, error) {
	return record[WebhookEndpoint](ctx, group.transport, operation{id: "getWebhookEndpoint", method: "GET", path: "/v2/webhook-endpoints/" + url.PathEscape(webhookEndpointID), target: webhookEndpointID}, options)
}

// Update: Change a webhook endpoint, or disable or enable it; omitted fields stay
func (group *WebhookEndpointsOperations) Update(ctx context.Context, webhookEndpointID string, body UpdateWebhookEndpointRequest, options ...CallOption) (*WebhookEndpoint, error) {
	return record[WebhookEndpoint](ctx, group.transport, operation{id: "updateWebhookEndpoint", method: "PUT", path: "/v2/webhook-endpoints/" + url.PathEscape(webhookEndpointID), target: webhookEndpointID, body: body}, options)
}

// Delete: Delete a webhook endpoint; nothing more is sent to it
func (group *WebhookEndpointsOperations) Delete(ctx context.Context, webhookEndpointID string, options ...CallOption) (*WebhookEndpoint, error) {
	return record[WebhookEndpoint](ctx, group.transport, operation{id: "deleteWebhookEndpoint", method: "DELETE", path: "/v2/webhook-endpoints/" + url.PathEscape(webhookEndpointID), target: webhookEndpointID}, options)
}

// RotateWebhookSecret: Replace the secret; for the overlap messages are signed with both
func (group *WebhookEndpointsOperations) RotateWebhookSecret(ctx context.Context, webhookEndpointID string, body RotateWebhookSecretRequest, options ...CallOption) (*EndpointWithSecret, error) {
	return record[EndpointWithSecret](ctx, group.transport, operation{id: "rotateWebhookSecret", method: "POST", path: "/v2/webhook-endpoints/" + url.PathEscape(webhookEndpointID) + "/rotate-secret", target: webhookEndpointID, body: body}, options)
}

// Ping: Send a ping to a webhook endpoint
func (group *WebhookEndpointsOperations) Ping(ctx context.Context, webhookEndpointID string, options ...CallOption) (*PingEvent, error) {
	return record[PingEvent](ctx, group.transport, operation{id: "pingWebhookEndpoint", method: "POST", path: "/v2/webhook-endpoints/" + url.PathEscape(webhookEndpointID) + "/ping", target: webhookEndpointID}, options)
}

// ListWebhookDeliveries: List what was sent to a webhook endpoint or is still to be sent, newest first
func (group *WebhookEndpointsOperations) ListWebhookDeliveries(webhookEndpointID string, query ListWebhookDeliveriesQuery, options ...CallOption) *Pages[WebhookDelivery] {
	return pages[WebhookDelivery](group.transport, operation{id: "listWebhookDeliveries", method: "GET", path: "/v2/webhook-endpoints/" + url.PathEscape(webhookEndpointID) + "/deliveries", target: webhookEndpointID, query: query.values()}, options)
}

type APIKeysOperations struct{ transport *transport }

// Create: Create an API key that may do at most what yours may; it is shown once
func (group *APIKeysOperations) Create(ctx context.Context, body CreateApiKeyRequest, options ...CallOption) (*IssuedApiKey, error) {
	return record[IssuedApiKey](ctx, group.transport, operation{id: "createApiKey", method: "POST", path: "/v2/api-keys", body: body}, options)
}

// List: List API keys, newest first
func (group *APIKeysOperations) List(query ListAPIKeysQuery, options ...CallOption) *Pages[ApiKey] {
	return pages[ApiKey](group.transport, operation{id: "listApiKeys", method: "GET", path: "/v2/api-keys", query: query.values()}, options)
}

// GetCurrent: Get the API key of this request
func (group *APIKeysOperations) GetCurrent(ctx context.Context, options ...CallOption) (*ApiKey, error) {
	return record[ApiKey](ctx, group.transport, operation{id: "getCurrentApiKey", method: "GET", path: "/v2/api-keys/current"}, options)
}

// Revoke: Revoke an API key; it stops within one second on every instance
func (group *APIKeysOperations) Revoke(ctx context.Context, aPIKeyID string, options ...CallOption) (*ApiKey, error) {
	return record[ApiKey](ctx, group.transport, operation{id: "revokeApiKey", method: "DELETE", path: "/v2/api-keys/" + url.PathEscape(aPIKeyID), target: aPIKeyID}, options)
}

// Roll: Replace an API key; the old one works until the overlap ends
func (group *APIKeysOperations) Roll(ctx context.Context, aPIKeyID string, body RollApiKeyRequest, options ...CallOption) (*IssuedApiKey, error) {
	return record[IssuedApiKey](ctx, group.transport, operation{id: "rollApiKey", method: "POST", path: "/v2/api-keys/" + url.PathEscape(aPIKeyID) + "/roll", target: aPIKeyID, body: body}, options)
}

type TestClockOperations struct{ transport *transport }

// Get: Get the time of the test book's own clock
func (group *TestClockOperations) Get(ctx context.Context, options ...CallOption) (*TestClock, error) {
	return record[TestClock](ctx, group.transport, operation{id: "getTestClock", method: "GET", path: "/v2/test-clock"}, options)
}

// Move: Move the test book's clock forward and settle what becomes due, before it answers
func (group *TestClockOperations) Move(ctx context.Context, body MoveTestClockRequest, options ...CallOption) (*TestClock, error) {
	return record[TestClock](ctx, group.transport, operation{id: "moveTestClock", method: "POST", path: "/v2/test-clock", body: body}, options)
}

type AuditLogOperations struct{ transport *transport }

// List: List every committed change, newest first: who, when, what, and old and new personal values
func (group *AuditLogOperations) List(query ListAuditLogQuery, options ...CallOption) *Pages[AuditedChange] {
	return pages[AuditedChange](group.transport, operation{id: "listAuditLog", method: "GET", path: "/v2/audit-log", query: query.values()}, options)
}

type ServiceOperations struct{ transport *transport }

// GetOpenAPI: Get this document
func (group *ServiceOperations) GetOpenAPI(ctx context.Context, options ...CallOption) (json.RawMessage, error) {
	return bare(ctx, group.transport, operation{id: "getOpenApi", method: "GET", path: "/v2/openapi.json"}, options)
}

// GetReference: Read this document as a page
func (group *ServiceOperations) GetReference(ctx context.Context, options ...CallOption) (string, error) {
	return text(ctx, group.transport, operation{id: "getReference", method: "GET", path: "/docs"}, options)
}

// GetHealth: Ask whether the process is alive
func (group *ServiceOperations) GetHealth(ctx context.Context, options ...CallOption) (*Nothing, error) {
	return record[Nothing](ctx, group.transport, operation{id: "getHealth", method: "GET", path: "/healthz"}, options)
}

// GetReadiness: Ask whether the service takes requests
func (group *ServiceOperations) GetReadiness(ctx context.Context, options ...CallOption) (*Nothing, error) {
	return record[Nothing](ctx, group.transport, operation{id: "getReadiness", method: "GET", path: "/readyz"}, options)
}

// GetMetrics: Get figures for Prometheus
func (group *ServiceOperations) GetMetrics(ctx context.Context, options ...CallOption) (string, error) {
	return text(ctx, group.transport, operation{id: "getMetrics", method: "GET", path: "/metrics"}, options)
}
