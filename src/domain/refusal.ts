/** A refusal is an expected answer, not an error: nothing was changed, and the code says why. */
export type RefusalCode =
  | 'customer_not_found'
  | 'account_not_found'
  | 'deposit_not_found'
  | 'deposit_not_active'
  | 'external_id_taken'
  | 'figures_changed'
  | 'partial_liquidation_not_allowed'
  | 'liquidation_locked'
  | 'amount_conflicts_with_full'
  | 'amount_exceeds_principal'
  | 'amount_equals_principal'
  | 'amount_below_minimum'
  | 'remaining_below_minimum'
  | 'nothing_to_waive'
  | 'waiver_exceeds_charge'
  | 'balance_limit_exceeded'
  | 'insufficient_funds'
  | 'amount_under_lien'
  | 'deposit_under_lien'
  | 'lien_exceeds_principal'
  | 'too_many_liens'
  | 'lien_not_found'
  | 'lien_not_active'
  | 'start_date_in_future'
  | 'start_date_too_early'
  | 'maturity_value_out_of_range'
  | 'as_of_before_start'
  | 'scope_escalation'
  | 'key_escalation'
  | 'expires_at_in_past'
  | 'api_key_not_found'
  | 'event_not_found'
  | 'webhook_endpoint_not_found'
  | 'api_key_not_active'
  | 'clock_moves_forward_only'
  | 'clock_move_too_far'
  | 'approval_required'
  | 'approval_not_found'
  | 'approval_not_pending'
  | 'approval_already_pending'
  | 'too_many_approvals'
  | 'already_voted'
  | 'maker_cannot_approve'
  | 'person_required'
  | 'not_your_request'
  | 'idempotency_key_reused'

/** Amounts are minor units (bigint); counts and text are shown as they are. */
export type RefusalDetails = Record<string, bigint | number | string>

export type Refusal = { outcome: 'refused'; code: RefusalCode; details: RefusalDetails }

export function refuse(code: RefusalCode, details: RefusalDetails = {}): Refusal {
  return { outcome: 'refused', code, details }
}
