import assert from 'node:assert/strict'
import { test } from 'node:test'
import { all, full } from '../faults/support/counts.ts'
import { engines } from '../support/engines.ts'
import { fuzzSeeds } from './support/fuzz.ts'

const [pglite] = engines
const counts = full ? { count: all ? 20 : 4, requests: 10_000 } : { count: 1, requests: 2000 }
const range = { first: 1, ...counts }
const requests = range.count * range.requests

/** What never came up was not tested. */
const EXPECTED = [
  ...['200', '201', 'malformed_json', 'malformed_request', 'invalid_request', 'invalid_idempotency_key'],
  ...[
    'missing_authorization',
    'malformed_authorization',
    'invalid_api_key',
    'api_key_revoked',
    'insufficient_scope',
  ],
  ...[
    'route_not_found',
    'method_not_allowed',
    'unsupported_media_type',
    'body_too_large',
    'idempotency_key_reused',
  ],
  ...['deposit_not_found', 'customer_not_found', 'deposit_not_active', 'amount_exceeds_principal'],
]

test(`any input gets a documented answer that reveals nothing, and a refusal changes nothing: ${requests} requests`, async (context) => {
  const tally = await fuzzSeeds(pglite!, range)
  context.diagnostic(`fuzz ${JSON.stringify(tally)}`)
  assert(tally.comparisons > 0, 'the rows were compared')
  const missing = EXPECTED.filter((code) => tally.codes[code] === undefined)
  assert.deepEqual(missing, [])
})
