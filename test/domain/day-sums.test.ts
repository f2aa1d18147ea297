import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DaySums, SUM_NAMES, withPart } from '../../src/domain/day-sums.ts'
import { minor } from '../../src/domain/money.ts'

test('each sum of a day has every part of it once', () => {
  const part = (times: bigint) =>
    Object.fromEntries(SUM_NAMES.map((name, index) => [name, minor(times * 10n ** BigInt(index))])) as DaySums
  const parts = [1n, 3n, 5n].map(part)
  assert.deepEqual(
    parts.reduce<DaySums | null>((sums, one) => withPart(sums, one), null),
    part(9n),
  )
})
