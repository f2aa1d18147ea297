import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isoDate } from '../../../src/domain/dates.ts'
import { nextOrdinal } from '../../../src/engine/database/ids.ts'
import { timeSpan } from '../../../src/engine/database/time-span.ts'

const book = { bookId: 'bk_1', callerId: 'cal_1', currency: 'NGN', timeZone: 'Africa/Lagos' }
const day = (text: string) => isoDate(text)

test('a span begins and ends with business dates of the bank', () => {
  const span = timeSpan({ ...book, mode: 'live' }, { from: day('2026-07-01'), to: day('2026-07-02') })
  assert.equal(span.start.toISOString(), '2026-06-30T23:00:00.000Z')
  assert.equal(span.end.toISOString(), '2026-07-02T23:00:00.000Z')
})

test('where clocks change, a day has 23 or 25 hours, and some days begin after midnight', () => {
  for (const [timeZone, date, start, end] of [
    ['Europe/London', '2026-03-29', '2026-03-29T00:00:00.000Z', '2026-03-29T23:00:00.000Z'],
    ['Europe/London', '2026-10-25', '2026-10-24T23:00:00.000Z', '2026-10-26T00:00:00.000Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z', '2026-01-01T10:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-01-01', '2026-01-01T11:00:00.000Z', '2026-01-02T11:00:00.000Z'],
  ] as const) {
    const span = timeSpan({ ...book, timeZone, mode: 'live' }, { from: day(date), to: day(date) })
    assert.deepEqual([span.start.toISOString(), span.end.toISOString()], [start, end], `${timeZone} ${date}`)
  }
})

test('the ordinals of a live book follow its span; those of a test book, whose clock moves, do not', () => {
  const today = day(new Date().toISOString().slice(0, 10))
  const now = nextOrdinal()
  const live = timeSpan({ ...book, mode: 'live' }, { from: today, to: today })
  assert(live.above < now && now < live.below)
  const past = timeSpan({ ...book, mode: 'live' }, { from: day('2020-01-01'), to: day('2020-01-31') })
  assert(past.below < now)
  const moved = timeSpan({ ...book, mode: 'test' }, { from: day('2090-01-01'), to: day('2090-01-31') })
  assert(moved.above < now && now < moved.below)
})

test('the first and the last day that can be written are a span as well', () => {
  const all = timeSpan({ ...book, mode: 'live' }, { from: day('0001-01-01'), to: day('9999-12-31') })
  assert(all.start < new Date('1971-01-01') && all.end > new Date('8999-12-31'))
})
