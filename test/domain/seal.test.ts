import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { earlierSeal, sealsBetween } from '../../src/domain/seal.ts'

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
