import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { add, compare, decimalText, fraction, multiply, roundFraction } from '../../src/domain/fraction.ts'

const anyFraction = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.bigInt({ min: 1n, max: 10n ** 20n }))
  .map(([numerator, denominator]) => fraction(numerator, denominator))

test('a denominator is positive', () => {
  assert.throws(() => fraction(1n, 0n), /positive/)
  assert.throws(() => fraction(1n, -2n), /positive/)
})

test('sums and products are exact', () => {
  const third = fraction(1n, 3n)
  const sixth = fraction(1n, 6n)
  assert.equal(compare(add(third, sixth), fraction(1n, 2n)), 0)
  assert.equal(compare(add(sixth, fraction(-1n, 3n)), fraction(-1n, 6n)), 0)
  assert.equal(compare(multiply(third, sixth), fraction(1n, 18n)), 0)
})

test('fractions compare by value, not by spelling', () => {
  assert.equal(compare(fraction(1n, 3n), fraction(2n, 6n)), 0)
  assert.equal(compare(fraction(1n, 3n), fraction(333n, 1000n)), 1)
  assert.equal(compare(fraction(-1n, 3n), fraction(0n, 1n)), -1)
})

test('adding a fraction and its opposite gives the same value back, and products distribute over sums', () => {
  fc.assert(
    fc.property(anyFraction, anyFraction, anyFraction, (left, middle, right) => {
      assert.equal(compare(add(add(left, middle), fraction(-middle.numerator, middle.denominator)), left), 0)
      const together = multiply(left, add(middle, right))
      const apart = add(multiply(left, middle), multiply(left, right))
      assert.equal(compare(together, apart), 0)
    }),
  )
})

test('a fraction rounds once, by the named rounding', () => {
  assert.equal(roundFraction(fraction(5n, 2n), 'HALF_UP'), 3n)
  assert.equal(roundFraction(fraction(5n, 2n), 'HALF_EVEN'), 2n)
  assert.equal(roundFraction(fraction(5n, 2n), 'DOWN'), 2n)
  assert.throws(() => roundFraction(fraction(-1n, 2n), 'DOWN'), /not negative/)
})

test('decimal text is cut off, not rounded, and shows no sign on nothing', () => {
  assert.equal(decimalText(fraction(2n, 3n), 4), '0.6666')
  assert.equal(decimalText(fraction(-2n, 3n), 4), '-0.6666')
  assert.equal(decimalText(fraction(5n, 2n), 3), '2.500')
  assert.equal(decimalText(fraction(999n, 100n), 0), '9')
  assert.equal(decimalText(fraction(-1n, 1000n), 2), '0.00')
  assert.equal(decimalText(fraction(12345n, 1n), 1), '12345.0')
})
