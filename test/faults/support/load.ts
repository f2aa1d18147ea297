/**
 * Callers that never stop asking: each waits for one answer at a time and, where it hears none, asks again with the same
 * key until it does. What was heard is kept, to be held against the books.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Queries } from '../../../src/engine/database/database.ts'
import { type Answer, ada } from '../../support/service.ts'
import { createHttpAsk } from './client.ts'
import { createRandom, type Random } from './random.ts'

export type Load = {
  /** How many changes were acknowledged so far. */
  acknowledged: () => number
  /** Waits until every caller has heard an answer. */
  stop: () => Promise<Heard[]>
  /** Ends at once, because the test has failed. */
  abandon: () => void
}

export type Heard = { key: string; status: number; text: string; attempts: number }

type Asked = { method: 'POST' | 'PUT'; path: string; body: object }
type Subjects = { customerId: string; accountNumber: string; deposits: string[]; opened: string[] }

const CALLERS = 6
const PATIENCE_MS = 180_000
const PAUSE_MS = 25

/** `service` may be another one at every request; null while none is running. */
export async function startLoad(options: {
  service: () => { url: string } | null
  key: string
  seed: number
}): Promise<Load> {
  const heard: Heard[] = []
  let asked = 0
  let stopping = false
  let abandoned = false
  const subjects = await prepare()
  const callers = Promise.all(
    Array.from({ length: CALLERS }, (_, index) => call(createRandom(options.seed + index))),
  )
  // Whoever stops the load hears of it; nobody does where the test has failed before.
  callers.catch(() => undefined)

  return {
    acknowledged: () => heard.filter((one) => one.status < 300).length,
    async stop() {
      stopping = true
      await callers
      return heard
    },
    abandon() {
      abandoned = true
    },
  }

  async function call(random: Random): Promise<void> {
    while (!stopping) {
      const answer = await untilHeard(draw(random, subjects, asked + 1))
      if (answer.json.message === 'The fixed deposit was opened.') {
        subjects.opened.push(answer.json.data.deposit_id)
      }
    }
  }

  async function untilHeard({ method, path, body }: Asked): Promise<Answer> {
    asked += 1
    const key = `request ${asked}`
    const giveUpAt = Date.now() + PATIENCE_MS
    for (let attempts = 1; Date.now() < giveUpAt && !abandoned; attempts += 1) {
      const service = options.service()
      const ask = service && createHttpAsk(service.url, options.key)
      const answer = await ask?.(method, path, body, { 'idempotency-key': key }).catch(() => undefined)
      if (answer !== undefined && answer.status < 500) {
        heard.push({ key, status: answer.status, text: answer.text, attempts })
        return answer
      }
      await sleep(PAUSE_MS)
    }
    throw new Error(`No answer to ${key} in ${PATIENCE_MS} ms.`)
  }

  /** With keys too, so that in the end every change belongs to one. */
  async function prepare(): Promise<Subjects> {
    const make = async (path: string, body: object) => {
      const answer = await untilHeard({ method: 'POST', path, body })
      assert.equal(answer.status, 201, answer.text)
      return answer.json.data
    }
    const { customer_id: customerId } = await make('/v2/customer', ada)
    const { account_number: accountNumber } = await make('/v2/accounts', { customer_id: customerId })
    await make(`/v2/accounts/${accountNumber}/credits`, { amount: 5_000_000_000 })
    const deposits: string[] = []
    for (let count = 0; count < 4; count += 1) {
      const terms = { account_number: accountNumber, amount: 1_000_000_000, tenor: 365, interest_rate: 12.5 }
      deposits.push((await make('/v2/fixed-deposits', terms)).deposit_id)
    }
    return { customerId, accountNumber, deposits, opened: [] }
  }
}

function draw(random: Random, subjects: Subjects, n: number): Asked {
  const { customerId, accountNumber, deposits, opened } = subjects
  const dice = random.below(100)
  if (dice < 15)
    return { method: 'PUT', path: `/v2/customer/${customerId}`, body: { email: `name${n}@example.com` } }
  if (dice < 30) {
    return {
      method: 'POST',
      path: `/v2/accounts/${accountNumber}/credits`,
      body: { amount: 1 + random.below(500) },
    }
  }
  if (dice < 45) {
    const body = {
      account_number: accountNumber,
      amount: 100,
      tenor: 30 + random.below(60),
      interest_rate: 12,
    }
    return { method: 'POST', path: '/v2/fixed-deposits', body }
  }
  const liquidate = (depositId: string, body: object): Asked => ({
    method: 'POST',
    path: `/v2/fixed-deposits/${depositId}/liquidate`,
    body,
  })
  // Now and then a deposit that somebody else has broken already, or is about to.
  if (dice < 60 && opened.length > 0) return liquidate(random.pick(opened), { liquidation_type: 'FULL' })
  const amount = 1 + random.below(5000) / 100
  return liquidate(random.pick(deposits), { liquidation_type: 'PARTIAL', amount: Number(amount.toFixed(2)) })
}

export type Tally = {
  acknowledged: number
  refused: number
  /** Asked more than once before they were heard. */
  repeated: number
  lost: number
  doubled: number
  wrong: number
}

/** What was heard against what the books hold. Every request had a key, so every change belongs to one. */
export async function tally(db: Queries, callerId: string, heard: readonly Heard[]): Promise<Tally> {
  const [book] = await db.query<{ book_id: string; changes: number }>(
    `select book_id, (select count(*)::int4 from events where events.book_id = books.book_id) as changes
     from books
     where caller_id = $1
       and mode = 'test'`,
    [callerId],
  )
  const rows = await db.query<{ idempotency_key: string; status: number; answer: string }>(
    'select idempotency_key, status, answer from idempotency_keys where book_id = $1',
    [book!.book_id],
  )
  const kept = new Map(rows.map((row) => [row.idempotency_key, row]))
  const acknowledged = heard.filter((one) => one.status < 300)
  const refused = heard.filter((one) => one.status >= 300)
  const differs = (one: Heard) => {
    const row = kept.get(one.key)
    return row !== undefined && (row.answer !== one.text || row.status !== one.status)
  }
  return {
    acknowledged: acknowledged.length,
    refused: refused.length,
    repeated: heard.filter((one) => one.attempts > 1).length,
    lost: acknowledged.filter((one) => !kept.has(one.key)).length,
    doubled: book!.changes - kept.size,
    wrong: acknowledged.filter(differs).length + refused.filter((one) => kept.has(one.key)).length,
  }
}
