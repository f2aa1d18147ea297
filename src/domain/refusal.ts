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
    decider_too_new:
      'Your access was set by somebody else. You decide from details.decides_from on, or when a second administrator confirms it.',
    key_too_new:
      'The key was made by an administrator. It changes things from details.works_from on, or when a second administrator confirms it.',
    not_your_request: 'Only the requester of an approval can cancel it. Reject it instead.',
  },
  notFound: {
    customer_not_found: 'No customer has this identifier.',
    account_not_found: 'No account has this number.',
    deposit_not_found: 'No fixed deposit has this identifier.',
    product_not_found: 'No product has this code.',
    rate_sheet_not_found: 'The product has no rate sheet of this number.',
    approval_not_found: 'No approval has this identifier.',
    lien_not_found: 'No lien has this identifier.',
    liquidation_not_found: 'No liquidation has this identifier.',
    batch_not_found: 'No batch has this identifier.',
    event_not_found: 'No event has this identifier.',
    seal_not_found: 'No seal of this number covers the event.',
    webhook_endpoint_not_found: 'No webhook endpoint has this identifier.',
    api_key_not_found: 'No API key has this identifier.',
  },
  conflict: {
    external_id_taken:
      'Another record of this kind has this external_id. Find it with the filter of the list.',
    figures_changed: 'The figure is no longer the expected one. Request a new quote: see details.',
    product_closed: 'The product is closed: no deposit can be opened by it. Choose another one.',
    liquidation_already_reversed: 'The liquidation was already reversed.',
    not_latest_movement: 'The deposit has had later movements. Only its last movement can be reversed.',
    deposit_matured: 'The fixed deposit has matured, so its instruction cannot be changed any more.',
    deposit_not_active: 'The fixed deposit is not active any more, so it cannot be liquidated.',
    approval_already_pending:
      'The same operation on the same target is already waiting for approval. See details.approval_id.',
    approval_not_pending: 'The approval is no longer pending. See details.approval_status.',
    event_not_sealed: 'No seal covers the event yet. A seal is made every minute: try again in two minutes.',
    already_voted: 'You have already voted on this approval.',
    lien_not_active: 'The lien was already released.',
    account_number_taken: 'Another account has this number.',
    part_already_sent: 'This part was sent before, with other content. Send the next part.',
    part_missing: 'A part before this one is missing. Send details.expected_part first.',
    batch_not_uploading: 'The batch was already started or cancelled. Create another one.',
    batch_finished: 'The batch is finished, so it cannot be cancelled.',
    api_key_not_active: 'The API key was revoked or has expired, so it cannot be rolled. Create a new key.',
  },
  unprocessable: {
    partial_liquidation_not_allowed: 'The rules of this deposit do not allow partial liquidation. Use FULL.',
    liquidation_locked: 'The deposit is in its holding period. Liquidate it on or after details.unlocks_on.',
    amount_not_whole: 'The currency has no minor units. Send an amount without cents, such as 1500.00.',
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
    currency_mismatch: 'The currency is not that of the product: see details.currency.',
    amount_not_offered:
      'The product does not take this amount. Send one from details.minimum to details.maximum.',
    tenor_not_offered: 'The product does not offer this tenor for this amount. See details for those it has.',
    no_rate_sheet: 'The product has no rate sheet in force on the start date. Add one first.',
    bonus_not_offered: 'The product has no such bonus: see details.bonus.',
    rate_not_negotiable: 'The rate of this product cannot be negotiated. Leave interest_rate out.',
    rate_out_of_range: 'The rate is not within details.minimum and details.maximum.',
    party_is_holder: 'The holder of the deposit is no other party of it. Leave the holder out.',
    upfront_interest_too_high: 'Interest paid at the start would be as much as the principal, or more.',
    effective_date_before_last:
      'A rate sheet cannot begin before the last one. Send an effective_from on or after details.effective_from.',
    effective_date_in_past:
      'Deposits were opened by this product, so a rate sheet cannot begin before details.business_date.',
    too_many_products: 'This book has the maximum number of products.',
    too_many_rate_sheets: 'The product has the maximum number of rate sheets.',
    approval_required:
      'This operation needs the approval of somebody else. Request it with POST /v2/approvals.',
    too_few_deciders:
      'The policy asks for more people than can decide in this book. Invite more, or ask for at most details.deciders.',
    interest_paid_to_invalid:
      'Interest is not paid up to that day. Send details.previous, or details.next once it has come.',
    maturity_date_invalid:
      'A holiday moves a maturity by at most ten days. Send a date from details.earliest to details.latest.',
    too_many_batches: 'Too many batches are uploading or running. Finish or cancel one of them first.',
    control_totals_differ:
      'What was sent is not what was expected. Compare details with your file, and send a new batch.',
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
    as_of_before_paid_interest:
      'Interest was paid after that date. Send an as_of on or after details.earliest.',
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
export type RefusalDetails = Record<string, bigint | number | string | null>

export type Refusal = {
  outcome: 'refused'
  code: RefusalCode | 'invalid_request'
  details: RefusalDetails
  /** The fields of a request that is invalid by what is stored. */
  fields?: readonly RefusedField[]
}

export type RefusedField = {
  field: string
  code: 'required' | 'conflicting_field' | 'too_many'
  message: string
}

export function refuse(code: RefusalCode, details: RefusalDetails = {}): Refusal {
  return { outcome: 'refused', code, details }
}

/** Where only what is stored shows that a field is missing, too long, or must not be sent. */
export function refuseFields(fields: readonly RefusedField[]): Refusal {
  return { outcome: 'refused', code: 'invalid_request', details: {}, fields }
}
