import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatUnits } from '../../src/domain/decimal.ts'
import {
  amount,
  count,
  decimal,
  flag,
  instant,
  listOf,
  type Members,
  oneOf,
  orNull,
  rate,
  record,
  signedAmount,
  text,
  within,
} from '../../src/wire/record.ts'

type Inner = { words: string; at: Date | null }
type Source = {
  amount: bigint
  change: bigint
  rate: number
  share: string
  count: number
  flag: boolean
  letter: 'A' | 'B'
  inner: Inner
  list: Inner[]
}

const inner: Members<Inner> = {
  words: text.as('Any text.', ({ words }) => words),
  at: orNull(instant).as('A time or null.', ({ at }) => at),
}

const Sample = record<Source>('Sample', {
  amount: amount.as('An amount.', (source) => source.amount),
  change: signedAmount.as('A change.', (source) => source.change),
  rate: rate.as('A rate.', (source) => source.rate),
  share: decimal.as('A decimal.', (source) => source.share),
  count: count.as('A count.', (source) => source.count),
  flag: flag.as('A flag.', (source) => source.flag),
  letter: oneOf('Letter', ['A', 'B']).as('A letter.', (source) => source.letter),
  '"quoted"': record('Inner', inner).as('A record.', (source) => source.inner),
  list: listOf(orNull(record('Inner', inner))).as('A list.', (source) => [...source.list, null]),
  ...within((source) => source.inner, inner),
})

const anyInner = fc.record({
  words: fc.string({ unit: 'binary' }),
  at: fc.option(fc.date({ noInvalidDate: true })),
})

const anySource: fc.Arbitrary<Source> = fc.record({
  amount: fc.bigInt({ min: 0n, max: 999_999_999_999_999n }),
  change: fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n }),
  rate: fc.integer({ min: 0, max: 1_000_000 }),
  share: fc.bigInt({ min: 0n, max: 10n ** 30n }).map((units) => formatUnits(units, 10)),
  count: fc.nat(),
  flag: fc.boolean(),
  letter: fc.constantFrom('A' as const, 'B' as const),
  inner: anyInner,
  list: fc.array(anyInner, { maxLength: 3 }),
})

test('the JSON of a record is that of what it writes', () => {
  fc.assert(
    fc.property(anySource, (source) => {
      assert.equal(Sample.json(source), JSON.stringify(Sample.write(source)))
    }),
  )
})

test('a record without members is an empty object', () => {
  assert.equal(record('Empty', {}).json({}), '{}')
})
