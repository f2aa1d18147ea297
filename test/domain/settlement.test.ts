/** Waivers by percent are rounded by the rules, to whole units of the currency; what is charged never exceeds what is there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { minor, type Rounding } from '../../src/domain/money.ts'
import { figuresOf, type Waiver, waivedOf } from '../../src/domain/settlement.ts'
import type { Taxation } from '../../src/domain/tax.ts'

const byPercent = (percentPpm: number): Waiver => ({
  percentPpm,
  amount: null,
  holdingPeriod: false,
  reason: 'GOODWILL',
  note: null,
})

const table: [assessed: bigint, percentPpm: number, unit: bigint, rounded: Record<Rounding, bigint>][] = [
  [101n, 500_000, 1n, { HALF_UP: 51n, HALF_EVEN: 50n, DOWN: 50n }],
  [103n, 500_000, 1n, { HALF_UP: 52n, HALF_EVEN: 52n, DOWN: 51n }],
  [100n, 999_999, 1n, { HALF_UP: 100n, HALF_EVEN: 100n, DOWN: 99n }],
  [300n, 500_000, 100n, { HALF_UP: 200n, HALF_EVEN: 200n, DOWN: 100n }],
  [500n, 500_000, 100n, { HALF_UP: 300n, HALF_EVEN: 200n, DOWN: 200n }],
]

test('a waiver by percent is rounded as the rules say, to whole units of the currency', () => {
  for (const [assessed, percentPpm, unit, rounded] of table) {
    for (const [rounding, waived] of Object.entries(rounded)) {
      const terms = { rules: { rounding: rounding as Rounding }, unit }
      const found = waivedOf(minor(assessed), byPercent(percentPpm), terms)
      assert.equal(found, waived, `${assessed} ${percentPpm} ${unit} ${rounding}`)
    }
  }
})

const amount = fc.bigInt({ min: 0n, max: 1_000_000n })

test('charges beyond the interest are recovered from what is left alone, and nothing becomes negative', () =>
  fc.assert(
    fc.property(amount, amount, amount, amount, amount, (principal, interest, paid, charge, unearnedPart) => {
      const paidShare = minor(paid)
      const unearned = minor(unearnedPart < paid ? unearnedPart : paid)
      const part = {
        principal: minor(principal + unearned + 1n),
        interest: minor(interest),
        assessed: minor(charge),
        waived: minor(0n),
        paidShare,
        taxShare: minor(0n),
        unearned,
      }
      const known = { taxation: null, earlierToday: null, taxedEarlier: null, unit: 1n }
      const { penal, recovered, net, total } = figuresOf(part, known)
      assert.equal(penal, charge < interest ? charge : interest)
      const left = total - unearned
      const beyond = charge - penal
      assert.equal(recovered, beyond < left ? beyond : left)
      assert.equal(net, left - recovered)
      assert(net >= 0n)
    }),
  ))

test('no more tax is withheld than is left after interest that goes back', () => {
  const part = {
    ...{ principal: minor(100n), interest: minor(50n), assessed: minor(0n), waived: minor(0n) },
    ...{ paidShare: minor(120n), taxShare: minor(0n), unearned: minor(120n) },
  }
  const taxation: Taxation = {
    ...{ version: 1, taxClass: 'STANDARD', ratePpm: 1_000_000 },
    ...{ base: 'NET', onRecovery: 'KEEP', rounding: 'HALF_UP' },
  }
  const { tax, net } = figuresOf(part, { taxation, earlierToday: null, taxedEarlier: null, unit: 1n })
  assert.deepEqual([tax, net], [30n, 0n])
})
