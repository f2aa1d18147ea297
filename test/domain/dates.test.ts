import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, businessDate, daysBetween, isIsoDate, isoDate } from '../../src/domain/dates.ts'
import { anyDate } from './arbitraries.ts'

test('real calendar days from 0001 to 9999 are dates', () => {
  for (const text of ['0001-01-01', '2024-02-29', '2000-02-29', '2026-04-30', '2026-12-31', '9999-12-31']) {
    assert.equal(isIsoDate(text), true, text)
    assert.equal(isoDate(text), text)
  }
})

test('days that do not exist and other spellings are not dates', () => {
  const wrong = [
    '0000-12-31',
    '2026-02-29',
    '2026-02-30',
    '1900-02-29',
    '2026-04-31',
    '2026-00-10',
    '2026-13-01',
    '2026-01-00',
    '2026-01-32',
    '2026-1-01',
    '2026-01-1',
    '20260101',
    '2026/01/01',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '2026-01-01\n',
    '+226-01-01',
    '-026-01-01',
    '12026-01-01',
    '２０26-01-01',
    '2026-01- 1',
    '',
  ]
  for (const text of wrong) {
    assert.equal(isIsoDate(text), false, JSON.stringify(text))
    assert.throws(() => isoDate(text), /real calendar day/)
  }
})

test('days between two dates follow the calendar, in both directions', () => {
  const cases: [from: string, to: string, days: number][] = [
    ['2026-01-01', '2026-01-01', 0],
    ['2026-01-01', '2026-01-02', 1],
    ['2026-01-02', '2026-01-01', -1],
    ['2024-02-28', '2024-03-01', 2],
    ['2025-02-28', '2025-03-01', 1],
    ['1900-02-28', '1900-03-01', 1],
    ['2000-02-28', '2000-03-01', 2],
    ['2015-06-01', '2015-09-01', 92],
    ['0001-01-01', '9999-12-31', 3_652_058],
    ['0099-12-31', '0100-01-01', 1],
  ]
  for (const [from, to, days] of cases) {
    assert.equal(daysBetween(isoDate(from), isoDate(to)), days, `${from} to ${to}`)
  }
})

test('adding days agrees with the platform calendar and is undone by counting them', () => {
  fc.assert(
    fc.property(anyDate, fc.integer({ min: -40_000, max: 40_000 }), (date, days) => {
      const later = addDays(date, days)
      const expected = new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000)
        .toISOString()
        .slice(0, 10)
      assert.equal(later, expected)
      assert.equal(daysBetween(date, later), days)
    }),
  )
})

test('dates sort as text in the order of the days', () => {
  fc.assert(
    fc.property(anyDate, anyDate, (left, right) => {
      assert.equal(left < right, daysBetween(left, right) > 0)
    }),
  )
})

test('a sum that leaves the years 0001 to 9999 is refused', () => {
  assert.equal(addDays(isoDate('9999-12-30'), 1), '9999-12-31')
  assert.equal(addDays(isoDate('0001-01-02'), -1), '0001-01-01')
  assert.throws(() => addDays(isoDate('9999-12-31'), 1), /years 0001 to 9999/)
  assert.throws(() => addDays(isoDate('0001-01-01'), -1), /years 0001 to 9999/)
  assert.throws(() => addDays(isoDate('2026-01-01'), 0.5), /whole/)
})

test('the business date is the day in the time zone of the caller', () => {
  const instant = new Date('2026-03-01T23:30:00.000Z')
  assert.equal(businessDate(instant, 'UTC'), '2026-03-01')
  assert.equal(businessDate(instant, 'Africa/Lagos'), '2026-03-02')
  assert.equal(businessDate(instant, 'America/New_York'), '2026-03-01')
  assert.equal(businessDate(instant, 'Pacific/Kiritimati'), '2026-03-02')
  assert.equal(businessDate(new Date('2026-01-01T00:00:00.000Z'), 'America/New_York'), '2025-12-31')
})

test('the business date turns at midnight, to the millisecond', () => {
  assert.equal(businessDate(new Date('2026-02-28T22:59:59.999Z'), 'Africa/Lagos'), '2026-02-28')
  assert.equal(businessDate(new Date('2026-02-28T23:00:00.000Z'), 'Africa/Lagos'), '2026-03-01')
  // Liberia was 44 minutes and 30 seconds behind.
  assert.equal(businessDate(new Date('1970-06-01T00:44:29.999Z'), 'Africa/Monrovia'), '1970-05-31')
  assert.equal(businessDate(new Date('1970-06-01T00:44:30.000Z'), 'Africa/Monrovia'), '1970-06-01')
})

test('a business date has a year of four digits, or is refused', () => {
  assert.equal(businessDate(new Date('0001-01-01T00:00:00.000Z'), 'UTC'), '0001-01-01')
  assert.equal(businessDate(new Date('0987-06-05T00:00:00.000Z'), 'UTC'), '0987-06-05')
  assert.throws(() => businessDate(new Date('+010000-01-01T00:00:00.000Z'), 'UTC'), /real calendar day/)
  assert.throws(() => businessDate(new Date(Number.NaN), 'UTC'), RangeError)
})
