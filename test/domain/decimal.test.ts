import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalNumber, formatPpm, formatUnits, readDecimal } from '../../src/domain/decimal.ts'
import { MINOR_MAX } from '../../src/domain/money.ts'

const MONEY = { digits: 2, max: MINOR_MAX }

test('amounts are read exactly, in every spelling', () => {
  const cases: [source: string, units: bigint][] = [
    ['0', 0n],
    ['-0', 0n],
    ['-0.00', 0n],
    ['0e999999999', 0n],
    ['0.000e-999999999', 0n],
    [`0e${'9'.repeat(5000)}`, 0n],
    ['100', 10_000n],
    ['100.1', 10_010n],
    ['100.10', 10_010n],
    ['100.100', 10_010n],
    ['1e2', 10_000n],
    ['1E+2', 10_000n],
    ['1e+002', 10_000n],
    ['10000e-2', 10_000n],
    ['0.0001e6', 10_000n],
    ['143.48', 14_348n],
    ['0.01', 1n],
    ['1e-2', 1n],
    ['-1', -100n],
    ['-12.34', -1234n],
    ['9999999999999.99', MINOR_MAX],
    ['-9999999999999.99', -MINOR_MAX],
    ['9999999999999.990000000', MINOR_MAX],
    [`1${'0'.repeat(5000)}e-5000`, 100n],
    [`0.${'0'.repeat(5000)}1e5001`, 100n],
  ]
  for (const [source, units] of cases) assert.deepEqual(readDecimal(source, MONEY), { units }, source)
})

test('a non-zero digit below the unit is too precise', () => {
  for (const source of [
    '100.001',
    '0.005',
    '-0.001',
    '1e-3',
    '1e-400',
    '1e-999999999',
    `1e-${'9'.repeat(5000)}`,
    '9999999999999.989',
    `1.${'0'.repeat(5000)}1`,
  ]) {
    assert.equal(readDecimal(source, MONEY), 'too_precise', source)
  }
})

test('a number beyond the limit is out of range, also when it is too precise as well', () => {
  for (const source of [
    '10000000000000',
    '10000000000000.00',
    '-10000000000000',
    '1e13',
    '1e400',
    '1e999999999',
    `1e${'9'.repeat(5000)}`,
    '9'.repeat(60_000),
    '9999999999999.991',
    '10000000000000.001',
    '-9999999999999.999',
  ]) {
    assert.equal(readDecimal(source, MONEY), 'out_of_range', source.slice(0, 40))
  }
})

test('the limit and the digits are the given ones', () => {
  const percent = { digits: 4, max: 1_000_000n }
  assert.deepEqual(readDecimal('12.5', percent), { units: 125_000n })
  assert.deepEqual(readDecimal('100.0000', percent), { units: 1_000_000n })
  assert.equal(readDecimal('100.0001', percent), 'out_of_range')
  assert.equal(readDecimal('0.00001', percent), 'too_precise')
  assert.deepEqual(readDecimal('7.0', { digits: 0, max: 7n }), { units: 7n })
  assert.equal(readDecimal('8', { digits: 0, max: 7n }), 'out_of_range')
  assert.equal(readDecimal('6.5', { digits: 0, max: 7n }), 'too_precise')
})

/** coefficient × 10^exponent, written with a point and an exponent that move against each other. */
const anySpelling = fc
  .record({
    coefficient: fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
    exponent: fc.integer({ min: -12, max: 12 }),
    pointAt: fc.integer({ min: 0, max: 25 }),
    zeros: fc.integer({ min: 0, max: 5 }),
    mark: fc.constantFrom('e', 'E'),
    plus: fc.constantFrom('', '+', '+0', '0'),
  })
  .map(({ coefficient, exponent, pointAt, zeros, mark, plus }) => {
    const digits = (coefficient < 0n ? -coefficient : coefficient).toString().padStart(pointAt + 1, '0')
    const split = digits.length - pointAt
    const fractional = digits.slice(split) + '0'.repeat(zeros)
    const shown = exponent + pointAt
    const source =
      `${coefficient < 0n ? '-' : ''}${digits.slice(0, split)}` +
      `${fractional === '' ? '' : `.${fractional}`}${mark}${shown < 0 ? shown : `${plus}${shown}`}`
    return { coefficient, exponent, source }
  })

test('reading agrees with whole-number arithmetic on random spellings', () => {
  fc.assert(
    fc.property(anySpelling, ({ coefficient, exponent, source }) => {
      // Everything in units of 10^-14, where every coefficient and every cent is whole.
      const scaled = coefficient * 10n ** BigInt(exponent + 14)
      const cent = 10n ** 12n
      const size = scaled < 0n ? -scaled : scaled
      const expected =
        size > MINOR_MAX * cent
          ? 'out_of_range'
          : scaled % cent !== 0n
            ? 'too_precise'
            : { units: scaled / cent }
      assert.deepEqual(readDecimal(source, MONEY), expected)
    }),
    { numRuns: 1000 },
  )
})

test('percent text has the fewest digits', () => {
  const texts = [125_000, 120_000, -10_000, 0, 1, 1_000_000, 10n, -1n, 123_456_789n].map(formatPpm)
  assert.deepEqual(texts, ['12.5', '12', '-1', '0', '0.0001', '100', '0.001', '-0.0001', '12345.6789'])
})

test('formatted units read back as themselves', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
      fc.integer({ min: 0, max: 8 }),
      (units, digits) => {
        const text = formatUnits(units, digits)
        assert.deepEqual(readDecimal(text, { digits, max: 10n ** 15n }), { units })
        assert.doesNotMatch(text, /\.\d*0$|\.$/)
      },
    ),
  )
})

test('one value has one canonical text', () => {
  const groups = [
    ['0', '-0', '0.000', '0e5', '-0.0E-999999999', `0e${'1'.repeat(50)}`],
    ['100', '1e2', '100.00', '1E+2', '0.1e3', '10000e-2'],
    ['-12.5', '-1.25e1', '-125e-1', '-12.500'],
    ['1e999999999', '10e999999998', '0.1e1000000000'],
    ['1e-999999999', '0.1e-999999998'],
  ]
  const texts = groups.map((spellings) => new Set(spellings.map(canonicalNumber)))
  assert.deepEqual(
    texts.map((spellings) => [...spellings]),
    [['0'], ['1e2'], ['-125e-1'], ['1e999999999'], ['1e-999999999']],
  )
})

test('exponents up to fifteen digits are read; longer ones are compared by their text', () => {
  const read = [`1e${'9'.repeat(15)}`, `10e${'9'.repeat(14)}8`, `-1e-${'9'.repeat(15)}`]
  assert.deepEqual(read.map(canonicalNumber), [read[0], read[0], read[2]])
  // As numbers both exponents are 10000000000000000.
  const longer = ['1e9999999999999999', '1e10000000000000000']
  assert.deepEqual(longer.map(canonicalNumber), longer)
  assert.equal(canonicalNumber('10e9999999999999998'), '10e9999999999999998')
})

test('canonical texts are equal exactly when the values are', () => {
  fc.assert(
    fc.property(anySpelling, anySpelling, (left, right) => {
      const scale = (value: typeof left) => value.coefficient * 10n ** BigInt(value.exponent + 12)
      assert.equal(
        canonicalNumber(left.source) === canonicalNumber(right.source),
        scale(left) === scale(right),
      )
      const respelt = `${left.coefficient}e${left.exponent}`
      assert.equal(canonicalNumber(left.source), canonicalNumber(respelt))
    }),
    { numRuns: 1000 },
  )
})

test('numbers of monstrous exponents keep different texts', () => {
  const long = '9'.repeat(60_000)
  const sources = [`1e${long}`, `1e${long}9`, `-1e${long}`, `1e-${long}`, `2e${long}`]
  assert.equal(new Set(sources.map(canonicalNumber)).size, sources.length)
})
