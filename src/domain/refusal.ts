/**
 * A refusal is an expected answer, not an error: nothing was changed. Each is declared once; its code is the contract,
 * its message says why and what to do.
 */
export const REFUSALS = {
  forbidden: {
    scope_escalation:
      'A key cannot make, roll or revoke a key with more scopes than its own. Use a key that has them.',
    key_escalation:
      'A key cannot make, roll or revoke a key that ends later than itself or has a higher rate limit: see details.',
    maker_cannot_approve: 'You requested this approval, so you cannot give it. Somebody else has to decide.',
    person_required: 'The approval policy lets only people decide. Decide in the console.',
    not_your_request: 'Only the requester of an approval can cancel it. Reject it instead.',
  },
  notFound: {
    customer_not_found: 'No customer has this identifier.',
    account_not_found: 'No account has this number.',
    deposit_not_found: 'No fixed deposit has this identifier.',
    approval_not_found: 'No approval has this identifier.',
    lien_not_found: 'No lien has this identifier.',
    liquidation_not_found: 'No liquidation has this identifier.',
    event_not_found: 'No event has this identifier.',
    webhook_endpoint_not_found: 'No webhook endpoint has this identifier.',
    api_key_not_found: 'No API key has this identifier.',
  },
  conflict: {
    external_id_taken:
      'Another record of this kind has this external_id. Find it with the filter of the list.',
    figures_changed: 'The amount that would be paid is no longer the expected one. Request a new quote.',
    liquidation_already_reversed: 'The liquidation was already reversed.',
    not_latest_movement: 'The deposit has had later movements. Only its last movement can be reversed.',
    deposit_not_active: 'The fixed deposit is not active any more, so it cannot be liquidated.',
    approval_already_pending:
      'The same operation on the same target is already waiting for approval. See details.approval_id.',
    approval_not_pending: 'The approval is no longer pending. See details.approval_status.',
    already_voted: 'You have already voted on this approval.',
    lien_not_active: 'The lien was already released.',
    api_key_not_active: 'The API key was revoked or has expired, so it cannot be rolled. Create a new key.',
  },
  unprocessable: {
    partial_liquidation_not_allowed: 'The rules of this deposit do not allow partial liquidation. Use FULL.',
    liquidation_locked: 'The deposit is in its holding period. Liquidate it on or after details.unlocks_on.',
    amount_conflicts_with_full:
      'FULL breaks all that remains, but amount says otherwise. Omit amount, or use PARTIAL.',
    amount_exceeds_principal:
      'The amount is more than the principal that remains. Send less than details.remaining_principal.',
    amount_equals_principal:
      'The amount is all the principal that remains. To break the whole deposit use FULL.',
    amount_below_minimum:
      'The amount is below the minimum of a partial liquidation. Send at least details.minimum.',
    remaining_below_minimum:
      'Too little principal would remain. Send at most details.maximum_amount, or use FULL.',
    approval_required:
      'This operation needs the approval of somebody else. Request it with POST /v2/approvals.',
    too_many_approvals:
      'This book has the maximum number of pending approvals. Have some of them decided first.',
    amount_under_lien:
      'What would remain is less than the liens on the deposit. Withdraw at most details.maximum_amount.',
    deposit_under_lien: 'The deposit is held by liens. Release them before you break it whole.',
    lien_exceeds_principal: 'The lien is more than what is left to hold. Hold at most details.available.',
    too_many_liens: 'The deposit has the maximum number of active liens. Release one first.',
    nothing_to_waive: 'There is no charge to waive. Send the request without the waiver.',
    waiver_exceeds_charge: 'The amount to waive is more than the charge. Waive at most details.charge.',
    balance_limit_exceeded: 'The balance of the account would pass the largest amount the service keeps.',
    reversal_window_closed: 'A liquidation can be reversed within 30 days. Correct it by a new operation.',
    insufficient_funds:
      'The balance of the account is too small. Credit the account first, or send a smaller amount.',
    start_date_in_future:
      'A deposit cannot start in the future. Send a start_date up to details.business_date.',
    start_date_too_early:
      'The start date lies too far back, or auto_rollover would renew the deposit too often. Send a start_date from details.earliest on.',
    maturity_value_out_of_range:
      'Principal and interest at maturity would pass the largest amount the service keeps.',
    as_of_before_start:
      'The deposit had not started on that date. Send an as_of on or after details.start_date.',
    expires_at_in_past: 'A key cannot expire in the past. Send a later expires_at, or none.',
    clock_moves_forward_only:
      'The clock of a test book never goes back. Send a time on or after details.now.',
    clock_move_too_far:
      'One move of the clock cannot go so far: see details. Move the clock in smaller steps.',
    idempotency_key_reused:
      'This Idempotency-Key already belongs to another request. Use a new key for a new request.',
  },
}

export type RefusalCode = {
  [Reason in keyof typeof REFUSALS]: keyof (typeof REFUSALS)[Reason]
}[keyof typeof REFUSALS]

/** Amounts are minor units (bigint); counts and text are shown unchanged. */
export type RefusalDetails = Record<string, bigint | number | string>

export type Refusal = { outcome: 'refused'; code: RefusalCode; details: RefusalDetails }

export function refuse(code: RefusalCode, details: RefusalDetails = {}): Refusal {
  return { outcome: 'refused', code, details }
}
