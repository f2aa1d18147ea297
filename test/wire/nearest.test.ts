import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nearest, nearestPath } from '../../src/wire/nearest.ts'

const FIELDS = ['amount', 'liquidation_type', 'expected_net_credited', 'note', 'id']

const MEANT: readonly (readonly [string, string | null])[] = [
  ['ammount', 'amount'],
  ['amuont', 'amount'],
  ['Amount', 'amount'],
  ['liquidationType', 'liquidation_type'],
  ['liquidation-type', 'liquidation_type'],
  ['liqidation_typ', 'liquidation_type'],
  ['expected_net_credit', 'expected_net_credited'],
  ['notes', 'note'],
  ['ID', 'id'],
  ['ix', null],
  ['principal', null],
  ['', null],
  ['__proto__', null],
  ['amount'.repeat(100), null],
]

for (const [sent, meant] of MEANT) {
  test(`${sent.slice(0, 30) || 'nothing'} means ${meant ?? 'nothing that is known'}`, () => {
    assert.equal(nearest(sent, FIELDS), meant)
  })
}

test('a name is nearest to itself', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{4,12}$/), { minLength: 1 }), (names) => {
      for (const name of names) assert.equal(nearest(name, names), name)
    }),
  )
})

const PATHS = [
  '/v2/customer/{customer_id}',
  '/v2/customers',
  '/v2/api-keys/{api_key_id}',
  '/v2/api-keys/current',
  '/v2/fixed-deposits/{deposit_id}/liquidate',
  '/docs',
]

const PATHS_MEANT: readonly (readonly [string, string | null])[] = [
  ['/v2/customers/cus_1', '/v2/customer/{customer_id}'],
  ['/fixed-deposits/fd_1/liquidate', '/v2/fixed-deposits/{deposit_id}/liquidate'],
  ['/v1/fixed_deposits/fd_1/liquidate', '/v2/fixed-deposits/{deposit_id}/liquidate'],
  ['/v2/fixed-deposits/fd_1/liquidat/', '/v2/fixed-deposits/{deposit_id}/liquidate'],
  ['/v2/api-key/curent', '/v2/api-keys/current'],
  ['/doc', '/docs'],
  ['/v2', null],
  ['/v2/loans', null],
  [`/v2/customers/${'1'.repeat(200)}`, null],
]

for (const [sent, meant] of PATHS_MEANT) {
  test(`${sent.slice(0, 40)} means ${meant ?? 'nothing that is known'}`, () => {
    assert.equal(nearestPath(sent, PATHS), meant)
  })
}
