import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  ATTEMPTS_MAX,
  judgeAttempt,
  type Outcome,
  RETRY_DELAYS_MS,
} from '../../../src/features/webhooks/schedule.ts'

const HOUR_MS = 3_600_000
const now = new Date('2026-07-01T10:00:00.000Z')

test('ten attempts take about 75 hours', () => {
  const totalMs = RETRY_DELAYS_MS.reduce((sum, delayMs) => sum + delayMs, 0)
  assert.equal(ATTEMPTS_MAX, 10)
  assert.equal(totalMs, 75 * HOUR_MS + 35 * 60_000 + 5_000)
})

test('every 2xx is a success and nothing else is', () => {
  for (const statusCode of [100, 199, 300, 304, 307, 400, 404, 500, 599]) {
    assert.notEqual(judge(answer(statusCode)).status, 'DELIVERED', String(statusCode))
  }
  for (const statusCode of [200, 201, 202, 204, 299]) {
    assert.deepEqual(judge(answer(statusCode)), {
      status: 'DELIVERED',
      lastStatusCode: statusCode,
      lastError: null,
      retryInMs: null,
      heldForMs: 0,
      gone: false,
    })
  }
})

test('a failure says what went wrong and when the next attempt is', () => {
  const pending = { status: 'PENDING', retryInMs: 5000, heldForMs: 0, gone: false }
  const cases: [Outcome, { lastStatusCode: number | null; lastError: string }][] = [
    [answer(500), { lastStatusCode: 500, lastError: 'refused_by_receiver' }],
    [answer(404), { lastStatusCode: 404, lastError: 'refused_by_receiver' }],
    [answer(400), { lastStatusCode: 400, lastError: 'refused_by_receiver' }],
    [answer(300), { lastStatusCode: 300, lastError: 'redirect_not_followed' }],
    [answer(399), { lastStatusCode: 399, lastError: 'redirect_not_followed' }],
    [answer(199), { lastStatusCode: 199, lastError: 'refused_by_receiver' }],
    [
      { kind: 'unanswered', error: 'timed_out' },
      { lastStatusCode: null, lastError: 'timed_out' },
    ],
    [
      { kind: 'unanswered', error: 'forbidden_address' },
      { lastStatusCode: null, lastError: 'forbidden_address' },
    ],
  ]
  for (const [outcome, shown] of cases) assert.deepEqual(judge(outcome), { ...pending, ...shown })
})

test('each failed attempt waits as long as the table says, a tenth more or less', () => {
  RETRY_DELAYS_MS.forEach((delayMs, index) => {
    const attempts = index + 1
    const retries = [0, 0.5, 1].map((random) => judge(answer(500), { attempts, random }).retryInMs)
    assert.deepEqual(retries, [(delayMs * 9) / 10, delayMs, (delayMs * 11) / 10])
  })
})

test('the tenth failure is the last', () => {
  assert.equal(judge(answer(500), { attempts: 9 }).status, 'PENDING')
  for (const attempts of [10, 11]) {
    const judged = judge(answer(500), { attempts })
    assert.deepEqual([judged.status, judged.retryInMs], ['FAILED', null])
  }
})

test('410 ends it at the first attempt and says that the endpoint is gone', () => {
  assert.deepEqual(judge(answer(410)), {
    status: 'FAILED',
    lastStatusCode: 410,
    lastError: 'endpoint_gone',
    retryInMs: null,
    heldForMs: 0,
    gone: true,
  })
})

test('Retry-After postpones the next attempt, never brings it forward, and is bounded', () => {
  const cases: [statusCode: number, retryAfter: string, heldForMs: number, retryInMs: number][] = [
    [429, '120', 120_000, 120_000],
    [503, '120', 120_000, 120_000],
    [429, '1', 1000, 5000],
    [429, ' 7 ', 7000, 7000],
    [429, 'Wed, 01 Jul 2026 10:02:00 GMT', 120_000, 120_000],
    [429, 'Wed, 01 Jul 2026 09:59:00 GMT', 0, 5000],
    [429, '0', 0, 5000],
    [429, '-5', 0, 5000],
    [429, 'soon', 0, 5000],
    [429, '', 0, 5000],
    [429, '86401', 24 * HOUR_MS, 24 * HOUR_MS],
    [429, '9'.repeat(400), 24 * HOUR_MS, 24 * HOUR_MS],
    [429, 'Thu, 01 Jul 2100 10:00:00 GMT', 24 * HOUR_MS, 24 * HOUR_MS],
    [500, '120', 0, 5000],
    [301, '120', 0, 5000],
  ]
  for (const [statusCode, retryAfter, heldForMs, retryInMs] of cases) {
    const judged = judge({ kind: 'answered', statusCode, retryAfter })
    assert.deepEqual([judged.heldForMs, judged.retryInMs], [heldForMs, retryInMs], retryAfter)
  }
})

test('whatever a receiver answers, the next attempt is in the future and within 27 hours', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 100, max: 599 }),
      fc.option(fc.oneof(fc.string(), fc.bigInt().map(String), fc.date().map(String)), { nil: null }),
      fc.integer({ min: 1, max: 12 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (statusCode, retryAfter, attempts, random) => {
        const judged = judge({ kind: 'answered', statusCode, retryAfter }, { attempts, random })
        assert.equal(judged.status === 'PENDING', judged.retryInMs !== null)
        if (judged.retryInMs === null) return
        assert.ok(Number.isInteger(judged.retryInMs))
        assert.ok(judged.retryInMs >= 4500 && judged.retryInMs <= 27 * HOUR_MS)
      },
    ),
  )
})

function judge(outcome: Outcome, { attempts = 1, random = 0.5 } = {}) {
  return judgeAttempt({ attempts, outcome, now, random })
}

function answer(statusCode: number): Outcome {
  return { kind: 'answered', statusCode, retryAfter: null }
}
