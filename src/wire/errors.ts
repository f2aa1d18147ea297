/** Every error the service can return: one row each. Codes are the contract; messages say what to do. */
import { REFUSALS } from '../domain/refusal.ts'

type ErrorRow = { http: number; retryable: boolean; message: string }

export const errors = {
  ...withStatus(400, {
    malformed_request: 'The request is not valid HTTP. Check the request line and the headers.',
    malformed_json: 'The body is not a JSON object. Send one JSON object in UTF-8.',
    invalid_idempotency_key:
      'The Idempotency-Key header must be one value of 1 to 255 printable ASCII characters.',
    invalid_request: 'The request is not valid. Correct the fields listed in error.fields.',
  }),
  ...withStatus(401, {
    missing_authorization: 'The Authorization header is missing. Send "Authorization: Bearer <API_KEY>".',
    malformed_authorization: 'The Authorization header is malformed. Send "Authorization: Bearer <API_KEY>".',
    invalid_api_key: 'The API key is not valid. Check the key you send.',
    api_key_revoked: 'The API key was revoked. Use another key.',
    api_key_expired: 'The API key has expired. Use another key.',
  }),
  ...withStatus(403, {
    ...REFUSALS.forbidden,
    insufficient_scope: 'The API key lacks the scope this operation needs. Use a key that has it.',
    test_mode_only: 'This operation exists in test mode only. Use a test key.',
  }),
  ...withStatus(404, {
    ...REFUSALS.notFound,
    route_not_found: 'There is nothing at this path. Check the path against the reference.',
    document_version_not_found: 'There is no such version.',
    rules_version_not_found: 'No rule set has this version.',
  }),
  ...withStatus(405, {
    method_not_allowed: 'This path does not take this method. The Allow header lists the ones it takes.',
  }),
  ...withStatus(408, {
    request_timeout: 'The request did not arrive in time. Send it again.',
  }),
  ...withStatus(409, REFUSALS.conflict),
  ...withStatus(413, {
    body_too_large: 'The body is larger than 64 KiB. Send a smaller one.',
  }),
  ...withStatus(415, {
    unsupported_media_type: 'The body must be JSON. Send "Content-Type: application/json".',
  }),
  ...withStatus(422, REFUSALS.unprocessable),
  ...withStatus(429, {
    rate_limited: 'Too many requests. Wait as long as the Retry-After header says, then try again.',
  }),
  ...withStatus(431, {
    headers_too_large: 'The headers of the request are too large. Send fewer or shorter ones.',
  }),
  ...withStatus(500, {
    internal_error: 'Something went wrong on our side. Try again with the same Idempotency-Key.',
  }),
  ...withStatus(503, {
    service_unavailable: 'The service cannot take the request now and nothing was done. Try again shortly.',
    insufficient_storage: 'The service is short of storage and takes no changes now. Nothing was done.',
    clock_unsure:
      'The clock cannot be trusted now, so no changes are made and nothing was done. Try again; an operator has to check it.',
    outcome_unknown:
      'It is not known whether the change was made. Retry with the same Idempotency-Key, or look the record up.',
  }),
}

export type ErrorCode = keyof typeof errors

/** Only a request that can succeed later unchanged may be retried. */
function withStatus<Code extends string>(
  http: number,
  messages: Record<Code, string>,
): Record<Code, ErrorRow> {
  const retryable = http === 408 || http === 429 || http >= 500
  const rows = Object.entries<string>(messages).map(([code, message]) => [code, { http, retryable, message }])
  return Object.fromEntries(rows)
}
