/**
 * Callers that never stop asking: each waits for one answer at a time and, where it hears none or hears 503, asks again
 * with the same key, of either instance, until it is told. Every answer is kept, to be held against the books.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHttpAsk } from '../faults/support/client.ts'
import { createRandom, type Random } from '../faults/support/random.ts'
import { type Answer, ada } from '../support/service.ts'

/**
 * What one attempt told its caller. denied: 503, nothing was done. unknown: 503, it may have been done. unheard: no answer.
 * broken: an answer that nobody should ever see.
 */
export type Told = 'done' | 'replayed' | 'refused' | 'denied' | 'unknown' | 'unheard' | 'broken'

export type Kind = 'FULL' | 'PARTIAL' | 'update' | 'customer' | 'opening' | 'preparation'

/** A request with all that was heard of it; the last attempt is the answer. */
export type Heard = {
  key: string
  kind: Kind
  attempts: { told: Told; atMs: number }[]
  answer: Answer
}

export type Load = {
  heard: readonly Heard[]
  acknowledged: () => number
  /** Waits until every caller was told. */
  stop: () => Promise<void>
}

type Asked = { kind: Kind; method: 'POST' | 'PUT'; path: string; body: object }
type Subjects = { customers: string[]; accounts: string[]; deposits: string[]; opened: string[] }

const CALLERS = 16
/** Leaves the machine time for the cluster: one that is too busy to answer Patroni in time fails over without a fault. */
const THINK_MS = 15
const PAUSE_MS = 100
const PATIENCE_MS = 180_000

/** Begun long ago, so that breaking it pays interest and costs a charge. */
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

export async function startLoad(options: {
  urls: readonly string[]
  key: string
  seed: number
}): Promise<Load> {
  const instances = options.urls.map((url) => createHttpAsk(url, options.key))
  const heard: Heard[] = []
  let asked = 0
  let acknowledged = 0
  let stopping = false
  const subjects = await prepare(createRandom(options.seed))
  const callers = Promise.all(
    Array.from({ length: CALLERS }, (_, index) => call(createRandom(options.seed + 1 + index))),
  )
  // Whoever stops the load hears of a caller that gave up; until then nobody is listening.
  callers.catch(() => {})

  return {
    heard,
    acknowledged: () => acknowledged,
    async stop() {
      stopping = true
      await callers
    },
  }

  async function call(random: Random): Promise<void> {
    while (!stopping) {
      const request = draw(random, subjects, asked)
      const answer = await untilTold(random, request)
      if (request.kind === 'opening') subjects.opened.push(answer.json.data.deposit_id)
      await sleep(random.below(2 * THINK_MS))
    }
  }

  async function untilTold(random: Random, { kind, method, path, body }: Asked): Promise<Answer> {
    asked += 1
    const key = `request ${asked}`
    const attempts: Heard['attempts'] = []
    const giveUpAt = performance.now() + PATIENCE_MS
    while (performance.now() < giveUpAt) {
      const ask = random.pick(instances)
      const answer = await ask(method, path, body, { 'idempotency-key': key }).catch(() => null)
      const told = toldBy(answer)
      attempts.push({ told, atMs: performance.now() })
      if (answer !== null && answer.status < 500) {
        heard.push({ key, kind, attempts, answer })
        if (told !== 'refused') acknowledged += 1
        return answer
      }
      await sleep(PAUSE_MS)
    }
    throw new Error(`${key} was not answered: ${attempts.map((attempt) => attempt.told).join(', ')}`)
  }

  async function prepare(random: Random): Promise<Subjects> {
    const ask = async (request: Asked) => {
      const answer = await untilTold(random, request)
      assert(answer.status < 300, answer.text)
      return answer.json.data
    }
    const make = (kind: Kind, path: string, body: object) => ask({ kind, method: 'POST', path, body })
    await ask({ kind: 'preparation', method: 'PUT', path: '/v2/liquidation-rules', body: RULES })
    const prepared: Subjects = { customers: [], accounts: [], deposits: [], opened: [] }
    for (let count = 0; count < 4; count += 1) {
      const { customer_id } = await make('customer', '/v2/customer', ada)
      const { account_number } = await make('preparation', '/v2/accounts', { customer_id })
      await make('preparation', `/v2/accounts/${account_number}/credits`, { amount: 5_000_000_000 })
      const terms = { ...TERMS, account_number, amount: 1_000_000_000 }
      const { deposit_id } = await make('opening', '/v2/fixed-deposits', terms)
      prepared.customers.push(customer_id)
      prepared.accounts.push(account_number)
      prepared.deposits.push(deposit_id)
    }
    return prepared
  }
}

export function isAcknowledged({ answer }: Heard): boolean {
  return answer.status < 300
}

function toldBy(answer: Answer | null): Told {
  if (answer === null) return 'unheard'
  if (answer.status < 300) return answer.headers['idempotent-replayed'] === 'true' ? 'replayed' : 'done'
  if (answer.status < 500) return 'refused'
  const code: unknown = answer.json?.error?.code
  return code === 'service_unavailable' ? 'denied' : code === 'outcome_unknown' ? 'unknown' : 'broken'
}

function draw(random: Random, subjects: Subjects, count: number): Asked {
  const dice = random.below(100)
  if (dice < 25) {
    // Every update names an address of its own, so that it can be told from all the others in the audit trail.
    const body = { email: `name${count}@example.com` }
    return { kind: 'update', method: 'PUT', path: `/v2/customer/${random.pick(subjects.customers)}`, body }
  }
  if (dice < 30) return { kind: 'customer', method: 'POST', path: '/v2/customer', body: ada }
  if (dice < 40) {
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
  // Now and then a deposit that somebody else has broken already, or is about to.
  if (dice < 55 && subjects.opened.length > 0)
    return liquidate('FULL', random.pick(subjects.opened.slice(-20)))
  return liquidate('PARTIAL', random.pick(subjects.deposits), (100 + random.below(5000)) / 100)
}
