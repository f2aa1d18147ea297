import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DEVIATION_MAX, type Point, simplified } from '../../../src/features/liquidation/chart.ts'

const anyLine = fc
  .array(fc.double({ min: 0, max: 264, noNaN: true }), { minLength: 1, maxLength: 400 })
  .map((heights) => heights.map((y, x): Point => [x, y]))

test('the line that is drawn passes every day of the term as closely as a screen shows', () => {
  fc.assert(
    fc.property(anyLine, (points) => {
      const drawn = simplified(points)
      assert.deepEqual([drawn[0], drawn.at(-1)], [points[0], points.at(-1)])
      for (const [x, y] of points) {
        const after = drawn.findIndex((point) => point[0] >= x)
        const [[fromX, fromY], [toX, toY]] = [drawn[Math.max(0, after - 1)]!, drawn[after]!]
        const shown = toX === fromX ? toY : fromY + ((x - fromX) / (toX - fromX)) * (toY - fromY)
        assert(Math.abs(shown - y) <= DEVIATION_MAX + 1e-9, `${x}: ${shown} instead of ${y}`)
      }
    }),
  )
})

test('a straight term is one line', () => {
  const points = Array.from({ length: 366 }, (_, day): Point => [day, 234 - day / 2])
  assert.equal(simplified(points).length, 2)
})
