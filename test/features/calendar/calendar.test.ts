/** The business calendar over HTTP, and what it does to a maturity. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, isoDate } from '../../../src/domain/dates.ts'
import { harbourFix, harbourSheet } from '../../support/products.ts'
import { assertRefused, assertRefusedWithoutTrace, type ExpectedRefusal } from '../../support/refusals.ts'
import { describeService } from '../../support/service.ts'

const PATH = '/v2/business-calendar'
const lagos = { weekend: ['SAT', 'SUN'], holidays: ['2026-12-25', '2026-12-28'] }
const days = (count: number) =>
  Array.from({ length: count }, (_, index) => addDays(isoDate('2026-11-16'), index))

const bad: [changes: object, ...fields: [string, string][]][] = [
  [{ weekend: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] }, ['weekend', 'too_many']],
  [{ weekend: ['SAT', 'SAT'] }, ['weekend[1]', 'invalid_value']],
  [{ weekend: ['Sat'] }, ['weekend[0]', 'invalid_value']],
  [{ weekend: 'SAT' }, ['weekend', 'invalid_type']],
  [{ holidays: ['2026-02-30'] }, ['holidays[0]', 'invalid_format']],
  [{ holidays: ['2026-12-26', '2026-12-25'] }, ['holidays[1]', 'invalid_value']],
  [{ holidays: ['2026-12-25', '2026-12-25'] }, ['holidays[1]', 'invalid_value']],
  [{ weekend: [], holidays: days(31) }, ['holidays', 'invalid_value']],
  [{ weekend: [], holidays: Array.from({ length: 2_001 }, () => '2026-12-25') }, ['holidays', 'too_many']],
  [{ weekend: null }, ['weekend', 'null_not_allowed']],
  [{ closed: [] }, ['closed', 'unknown_field']],
]

describeService('the business calendar', (running) => {
  test('no day is closed at first, and each PUT writes the next version', async () => {
    const { ask, db } = running()
    const first = { version: 0, weekend: [], holidays: [], created_at: null }
    assert.deepEqual((await ask('GET', PATH)).json.data, first)
    const missing: ExpectedRefusal = { status: 404, code: 'document_version_not_found' }
    for (const version of ['0', '1', 'x']) assertRefused(await ask('GET', `${PATH}/${version}`), missing)
    const written = await ask('PUT', PATH, lagos)
    assert.equal(written.status, 200, written.text)
    const created_at = '2026-07-01T10:00:00.000Z'
    assert.deepEqual(written.json.data, { version: 1, ...lagos, created_at })
    assert.deepEqual((await ask('GET', PATH)).json.data, written.json.data)
    assert.deepEqual((await ask('GET', `${PATH}/1`)).json.data, written.json.data)
    const [event] = (await ask('GET', '/v2/events?type=calendar.updated')).json.data
    assert.deepEqual(event.data, written.json.data)
    for (const [changes, ...fields] of bad) {
      const refused = { status: 400, code: 'invalid_request', fields }
      await assertRefusedWithoutTrace(db, () => ask('PUT', PATH, { ...lagos, ...changes }), refused)
    }
    assert.equal((await ask('PUT', PATH, { weekend: [], holidays: days(30) })).status, 200)
  })

  test('a maturity on a closed day is moved to the next open one, where the product says so', async () => {
    const { ask } = running()
    assert.equal((await ask('PUT', PATH, lagos)).status, 200)
    const sheet = { ...harbourSheet, tenor_from: [0], amount_from: [0], rates: [[12]] }
    const sell = async (code: string, changes: object) => {
      const put = await ask('PUT', `/v2/products/${code}`, { ...harbourFix, ...changes })
      assert.equal(put.status, 200, put.text)
      await ask('POST', `/v2/products/${code}/rate-sheets`, sheet)
      await ask('POST', `/v2/products/${code}/rate-sheets`, sheet)
    }
    const periods = async (code: string, wish: object) => {
      const answer = await ask('POST', `/v2/products/${code}/quote`, { amount: 100_000, ...wish })
      assert.equal(answer.status, 200, answer.text)
      const { maturity_date, schedule, expected_interest } = answer.json.data
      const paid = schedule.map(({ to, interest }: { to: string; interest: number }) => `${to} ${interest}`)
      return { maturity_date, paid, expected_interest }
    }
    const start_date = '2026-03-25'
    const holidays = ['2026-06-25', '2026-06-26']
    assert.equal((await ask('PUT', PATH, { ...lagos, holidays })).status, 200)
    await sell('MOVES', {})
    assert.deepEqual(await periods('MOVES', { tenor_months: 3, start_date }), {
      maturity_date: '2026-06-29',
      paid: ['2026-04-25 1019.18', '2026-05-25 986.3', '2026-06-25 1019.18', '2026-06-29 131.51'],
      expected_interest: 3_156.17,
    })
    await sell('STAYS', { maturity: { ...harbourFix.maturity, on_holiday: 'SAME_DAY' } })
    const stays = await periods('STAYS', { tenor_months: 3, start_date })
    assert.equal(stays.maturity_date, '2026-06-25')
  })
})
