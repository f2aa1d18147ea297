import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { earlierSeal, restMs, sealsBetween } from '../../src/domain/seal.ts'

const numbers = fc.tuple(fc.integer({ min: 1, max: 2_000_000 }), fc.integer({ min: 1, max: 2_000_000 }))

test('the way between two seals is short, and each step contains the head of the one before', () =>
  fc.assert(
    fc.property(numbers, (pair) => {
      const [from, to] = pair.toSorted((left, right) => left - right) as [number, number]
      const way = [from, ...sealsBetween({ from, to })]
      assert.equal(way.at(-1), to)
      assert(way.length <= 1 + (21 * 22) / 2)
      way.slice(1).forEach((sealNo, index) => {
        assert([sealNo - 1, earlierSeal(sealNo)].includes(way[index]!), `${way[index]} before ${sealNo}`)
      })
    }),
  ))

test('sealing rests twenty times as long as it worked, at most a second, and shortly in a book that is behind', () => {
  const rests: [workedMs: number, behindMs: number, restsMs: number][] = [
    [0, 0, 0],
    [17, 0, 340],
    [50, 300_000, 1_000],
    [51, 0, 1_000],
    [17, 300_001, 50],
    [500, 300_001, 50],
  ]
  for (const [workedMs, behindMs, restsMs] of rests) assert.equal(restMs({ workedMs, behindMs }), restsMs)
})
