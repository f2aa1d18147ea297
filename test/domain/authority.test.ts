import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Authority, FULL_AUTHORITY, refuseEscalation } from '../../src/domain/authority.ts'
import { SCOPES } from '../../src/domain/scopes.ts'

const EARLY = new Date('2026-07-01T10:00:00.000Z')
const LATE = new Date('2026-07-01T10:00:00.001Z')

const authorities: fc.Arbitrary<Authority> = fc.record({
  scopes: fc.subarray([...SCOPES.slice(0, 4), '*'], { minLength: 1 }),
  endsAt: fc.constantFrom(null, EARLY, LATE),
  rateLimitPerMinute: fc.constantFrom(null, 0, 1, 2, 1_000_000),
})

const isWithin = (held: Authority, other: Authority) => refuseEscalation(held, other) === null

test('what may do no more than another is an order: everything is within itself and within full authority', () => {
  fc.assert(
    fc.property(authorities, authorities, authorities, (first, second, third) => {
      assert(isWithin(first, first))
      assert(isWithin(FULL_AUTHORITY, first))
      if (isWithin(first, second) && isWithin(second, third)) assert(isWithin(first, third))
    }),
  )
})

test('more is a further scope, a later end or a higher limit; the refusal names what is held', () => {
  const held: Authority = {
    scopes: ['api_keys:write', 'customers:read'],
    endsAt: EARLY,
    rateLimitPerMinute: 10,
  }
  const scopes = { code: 'scope_escalation', details: {} }
  const end = { code: 'key_escalation', details: { expires_at: '2026-07-01T10:00:00.000Z' } }
  const limit = { code: 'key_escalation', details: { rate_limit_per_minute: '10' } }
  const table: [Partial<Authority>, object | null][] = [
    [{}, null],
    [{ scopes: ['customers:read'] }, null],
    [{ scopes: ['customers:read', 'customers:write'] }, scopes],
    [{ scopes: ['*'], endsAt: null, rateLimitPerMinute: 0 }, scopes],
    [{ endsAt: new Date(EARLY.getTime() - 1) }, null],
    [{ endsAt: LATE }, end],
    [{ endsAt: null, rateLimitPerMinute: 11 }, end],
    [{ rateLimitPerMinute: 9 }, null],
    [{ rateLimitPerMinute: 11 }, limit],
    [{ rateLimitPerMinute: 0 }, limit],
    [{ rateLimitPerMinute: null }, limit],
  ]
  for (const [other, refusal] of table) {
    assert.deepEqual(
      refuseEscalation(held, { ...held, ...other }),
      refusal && { outcome: 'refused', ...refusal },
    )
  }
})
