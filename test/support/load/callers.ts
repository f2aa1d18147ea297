/**
 * Clients that repeat each request until it is answered: each waits for one answer at a time and, where it gets none or
 * a 5xx, retries with the same key. Every answer is recorded, to be compared with the books; the preparing requests
 * have keys too, so that in the end every change belongs to one.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHttpAsk } from '../http-ask.ts'
import { createRandom, type Random } from '../random.ts'
import { type Answer, ada } from '../service.ts'

/**
 * The result of one attempt. denied: 503, nothing was done. unknown: 503, it may have been done. unanswered: no answer.
 * broken: an answer that must never occur.
 */
type AttemptResult = 'done' | 'replayed' | 'refused' | 'denied' | 'unknown' | 'unanswered' | 'broken'

export type Kind = 'FULL' | 'PARTIAL' | 'update' | 'credit' | 'customer' | 'opening' | 'preparation'

/** A request with all its attempts; the last one got the answer. */
export type Heard = {
  key: string
  kind: Kind
  attempts: { result: AttemptResult; atMs: number }[]
  answer: Answer
}

export type Load = {
  heard: readonly Heard[]
  /** How many changes were acknowledged so far. */
  acknowledged: () => number
  /** Waits until every caller has its answer. */
  stop: () => Promise<void>
  /** Ends immediately, because the test has failed. */
  abandon: () => void
}

type Asked = { kind: Kind; method: 'POST' | 'PUT'; path: string; body: object }
type Subjects = { customers: string[]; accounts: string[]; deposits: string[]; opened: string[] }

const PATIENCE_MS = 180_000

/** Opened long ago, so that breaking it pays interest and costs a charge. */
const TERMS = { start_date: '2020-01-01', tenor: 36_500, interest_rate: 12.5 }
const RULES = {
  day_count: 'ACT/365F',
  rounding: 'HALF_UP',
  allow_partial: true,
  min_partial_amount: 0.01,
  min_remaining_principal: 0.01,
  min_holding_days: 0,
  penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 25 }] }],
}

export async function startCallers(options: {
  /** The instances that run at the moment: each attempt goes to one of them. */
  urls: () => readonly string[]
  key: string
  seed: number
  callers: number
  /** At most twice as long a caller waits after an answer. */
  thinkMs: number
  /** How long a client waits before it retries. */
  pauseMs: number
  /** How long it waits for an answer. */
  answerTimeoutMs?: number
  /** How often each kind is requested, in percent; the rest are PARTIAL. */
  shares: Partial<Record<Kind, number>>
}): Promise<Load> {
  const { urls, seed, thinkMs, pauseMs, shares } = options
  const heard: Heard[] = []
  let asked = 0
  let acknowledged = 0
  let stopping = false
  let abandoned = false
  const subjects = await prepare(createRandom(seed))
  const callers = Promise.all(
    Array.from({ length: options.callers }, (_, index) => call(createRandom(seed + 1 + index))),
  )
  // Where the test has failed before it stops the load, their errors are ignored.
  callers.catch(() => {})

  return {
    heard,
    acknowledged: () => acknowledged,
    async stop() {
      stopping = true
      await callers
    },
    abandon() {
      abandoned = true
    },
  }

  async function call(random: Random): Promise<void> {
    while (!stopping) {
      const request = draw(random, subjects, { shares, count: asked })
      const answer = await untilHeard(random, request)
      if (request.kind === 'opening' && answer.status < 300) {
        subjects.opened.push(answer.json.data.deposit_id)
      }
      await sleep(random.below(2 * thinkMs))
    }
  }

  async function untilHeard(random: Random, { kind, method, path, body }: Asked): Promise<Answer> {
    asked += 1
    const key = `request ${asked}`
    const attempts: Heard['attempts'] = []
    const giveUpAt = performance.now() + PATIENCE_MS
    while (performance.now() < giveUpAt && !abandoned) {
      const instances = urls()
      const ask =
        instances.length === 0
          ? null
          : createHttpAsk(random.pick(instances), options.key, options.answerTimeoutMs)
      const answer = await ask?.(method, path, body, { 'idempotency-key': key }).catch(() => null)
      const result = resultOf(answer ?? null)
      attempts.push({ result, atMs: performance.now() })
      if (answer && answer.status < 500) {
        heard.push({ key, kind, attempts, answer })
        if (answer.status < 300) acknowledged += 1
        return answer
      }
      await sleep(pauseMs)
    }
    throw new Error(`${key} was not answered: ${attempts.map((attempt) => attempt.result).join(', ')}`)
  }

  async function prepare(random: Random): Promise<Subjects> {
    const ask = async (request: Asked) => {
      const answer = await untilHeard(random, request)
      assert(answer.status < 300, answer.text)
      return answer.json.data
    }
    const make = (kind: Kind, path: string, body: object) => ask({ kind, method: 'POST', path, body })
    await ask({ kind: 'preparation', method: 'PUT', path: '/v2/liquidation-rules', body: RULES })
    const prepared: Subjects = { customers: [], accounts: [], deposits: [], opened: [] }
    const prepareOne = async () => {
      const { customer_id } = await make('customer', '/v2/customer', ada)
      const { account_number } = await make('preparation', '/v2/accounts', { customer_id })
      await make('preparation', `/v2/accounts/${account_number}/credits`, { amount: 5_000_000_000 })
      const terms = { ...TERMS, account_number, amount: 1_000_000_000 }
      const { deposit_id } = await make('opening', '/v2/fixed-deposits', terms)
      prepared.customers.push(customer_id)
      prepared.accounts.push(account_number)
      prepared.deposits.push(deposit_id)
    }
    await Promise.all(Array.from({ length: Math.max(4, options.callers / 4) }, prepareOne))
    return prepared
  }
}

export function isAcknowledged({ answer }: Heard): boolean {
  return answer.status < 300
}

function resultOf(answer: Answer | null): AttemptResult {
  if (answer === null) return 'unanswered'
  if (answer.status < 300) return answer.headers['idempotent-replayed'] === 'true' ? 'replayed' : 'done'
  if (answer.status < 500) return 'refused'
  const code: unknown = answer.json?.error?.code
  return code === 'service_unavailable' ? 'denied' : code === 'outcome_unknown' ? 'unknown' : 'broken'
}

function draw(
  random: Random,
  subjects: Subjects,
  asked: { shares: Partial<Record<Kind, number>>; count: number },
): Asked {
  let dice = random.below(100)
  const isDrawn = (kind: Kind) => {
    const share = asked.shares[kind] ?? 0
    dice -= share
    return dice < 0 && dice >= -share
  }
  if (isDrawn('update')) {
    // Every update has its own address, so that it can be found in the audit log.
    const body = { email: `name${asked.count}@example.com` }
    return { kind: 'update', method: 'PUT', path: `/v2/customer/${random.pick(subjects.customers)}`, body }
  }
  if (isDrawn('credit')) {
    const path = `/v2/accounts/${random.pick(subjects.accounts)}/credits`
    return { kind: 'credit', method: 'POST', path, body: { amount: 1 + random.below(500) } }
  }
  if (isDrawn('customer')) return { kind: 'customer', method: 'POST', path: '/v2/customer', body: ada }
  if (isDrawn('opening')) {
    const amount = (10_000 + random.below(10_000)) / 100
    const body = { ...TERMS, account_number: random.pick(subjects.accounts), amount }
    return { kind: 'opening', method: 'POST', path: '/v2/fixed-deposits', body }
  }
  const liquidate = (kind: 'FULL' | 'PARTIAL', depositId: string, amount?: number): Asked => ({
    kind,
    method: 'POST',
    path: `/v2/fixed-deposits/${depositId}/liquidate`,
    body: { liquidation_type: kind, ...(amount !== undefined && { amount }) },
  })
  // Now and then a deposit that another caller has broken already, or is about to.
  if (isDrawn('FULL') && subjects.opened.length > 0) {
    return liquidate('FULL', random.pick(subjects.opened.slice(-20)))
  }
  return liquidate('PARTIAL', random.pick(subjects.deposits), (100 + random.below(5000)) / 100)
}
