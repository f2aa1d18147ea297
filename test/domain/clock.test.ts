import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDateSure } from '../../src/domain/clock.ts'
import { isoDate } from '../../src/domain/dates.ts'

const book = { timeZone: 'Africa/Lagos' }
const latest = isoDate('2026-07-01')

for (const [now, sure, name] of [
  ['2026-07-01T10:00:00Z', true, 'the day itself'],
  ['2026-07-01T23:00:00Z', true, 'the first instant of the next day'],
  ['2026-07-02T22:59:59.999Z', true, 'the last instant of the next day'],
  ['2026-07-02T23:00:00Z', false, 'the first instant of the day after the next'],
  ['2028-12-31T10:00:00Z', false, 'years ahead'],
  ['2026-06-30T22:59:59.999Z', true, 'the instant before the day, on an instance that is behind'],
  ['2026-06-30T22:59:00Z', true, 'a minute before the day'],
  ['2026-06-30T22:58:59.999Z', false, 'more than a minute before the day'],
  ['2020-01-01T00:00:00Z', false, 'years back'],
] as const) {
  test(`after a book has used 2026-07-01, ${name} is ${sure ? 'accepted' : 'in doubt'}`, () => {
    assert.equal(isDateSure(book, new Date(now), latest), sure)
  })
}

test('a book that has used no date accepts any', () => {
  assert.equal(isDateSure(book, new Date('1970-01-01T00:00:00Z'), null), true)
})
