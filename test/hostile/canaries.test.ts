/**
 * Every personal field and every secret holds something that is found nowhere else. After a day in which everything is
 * done and everything goes wrong once, it is looked for wherever it does not belong.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Queries } from '../../src/engine/database/database.ts'
import { createAddressGuard } from '../../src/features/webhooks/address-guard.ts'
import { createSender } from '../../src/features/webhooks/sender.ts'
import { createPost } from '../../src/features/webhooks/transport.ts'
import { type Receiver, startReceiver, withStatus } from '../features/webhooks/receiver.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { type Answer, firstRules } from '../support/service.ts'
import { type Bank, NOW, startBank } from './support/bank.ts'

const personal = {
  first_name: 'Kanarifirst',
  last_name: 'Kanarilast',
  email: 'kanari.mail@example.com',
  phone_number: '+999 000 111 2222',
  address: '7 Kanari Street',
}
const changed = {
  email: 'kanari.other@example.com',
  phone_number: '+999 000 111 3333',
  address: '8 Kanari Lane',
}
const TAX_REFERENCE = 'TIN Kanari 4711'
const PERSONAL = [...Object.values(personal), ...Object.values(changed), TAX_REFERENCE]
/** Not of a person, and shown where it belongs, but nothing for a log or a refusal. */
const FREE_TEXT = [
  'Kanari narration',
  'Kanari description',
  'Kanari key name',
  'Kanari-idempotency',
  'kanari-path',
]
const KANARI = /kanari|000 111/i

for (const engine of engines) {
  describe(`${engine.name}: what a person or a secret is called`, { skip: engine.skip }, () => {
    test('reaches only its intended recipients', async () => {
      const db = await engine.open()
      const receiver = await startReceiver()
      const bank = await startBank(db, { loopbackAllowed: true })
      try {
        const day = await liveThroughADay(db, bank, receiver)
        const { refusals, secrets } = day
        assert(refusals.length > 40, 'everything went wrong once')
        assert.equal(secrets.length, 7)

        const log = bank.takeLog()
        assert(log.split('\n').length > 60, 'every request was logged')
        assertSilent('the log', log, secrets)
        for (const { text, headers } of refusals)
          assertSilent('a refusal', text + JSON.stringify(headers), secrets)

        for (const path of ['/metrics', '/docs', '/v2/openapi.json', '/healthz', '/readyz']) {
          const { statusCode, body } = await bank.app.inject({ url: path })
          assert.equal(statusCode, 200, path)
          assertSilent(path, body, secrets)
        }

        assert(receiver.received.length > 8, 'webhooks were sent')
        for (const { headers, body } of receiver.received) {
          assertHidesPeople('a webhook', JSON.stringify(headers) + body)
          assertHidesSecrets('a webhook', JSON.stringify(headers) + body, secrets)
        }

        for (const [path, { text }] of day.answers) {
          assertHidesSecrets(path, text, secrets)
          if (!/^\/v2\/(?:customer|audit-log)/.test(path)) assertHidesPeople(path, text)
        }
        await assertKeptWell(db, secrets)
      } finally {
        await bank.app.close()
        await receiver.close()
        await db.close()
      }
    })
  })
}

type Day = { refusals: Answer[]; secrets: string[]; answers: [path: string, answer: Answer][] }

async function liveThroughADay(db: TestDatabase, bank: Bank, receiver: Receiver): Promise<Day> {
  const { test: book, live } = await bank.newCaller('Kept Bank')
  const { test: foreign } = await bank.newCaller('Other Bank')
  const refusals: Answer[] = []
  const secrets = [book.key, live.key, foreign.key]
  const kept = { 'idempotency-key': 'Kanari-idempotency' }
  const succeed = async (asking: Promise<Answer>) => {
    const answer = await asking
    assert(answer.status < 300, answer.text)
    return answer.json.data
  }
  const refuse = async (asking: Promise<Answer>) => {
    const answer = await asking
    assert(answer.status >= 400, answer.text)
    refusals.push(answer)
  }
  const { ask } = book

  // First a subscriber that receives everything.
  const endpoint = await succeed(
    ask(
      'POST',
      '/v2/webhook-endpoints',
      { url: receiver.url, description: 'Kanari description' },
      {
        'idempotency-key': 'Kanari-idempotency-endpoint',
      },
    ),
  )
  secrets.push(endpoint.secret)

  // People.
  const { customer_id } = await succeed(ask('POST', '/v2/customer', personal, kept))
  await succeed(ask('POST', '/v2/customer', personal, kept))
  const customer = `/v2/customer/${customer_id}`
  await refuse(ask('PUT', customer, changed, kept))
  await succeed(ask('PUT', customer, changed))
  await succeed(ask('PUT', customer, { email: personal.email }))
  const taxStatus = { tax_class: 'EXEMPT', reference: TAX_REFERENCE }
  await succeed(ask('PUT', `${customer}/tax-status`, taxStatus))
  await refuse(ask('PUT', `${customer}/tax-status`, { ...taxStatus, tax_class: TAX_REFERENCE }))
  for (const value of [...PERSONAL, ...FREE_TEXT, ...secrets]) {
    await refuse(ask('PUT', customer, { email: [value] }))
    await refuse(
      ask('PUT', customer, { phone_number: value, email: `${value}@`, address: ` \u0000${value}` }),
    )
    await refuse(ask('PUT', customer, `{"email": "${value}",}`))
    await refuse(ask('GET', `/v2/customer/${encodeURIComponent(value)}?kanari=${encodeURIComponent(value)}`))
    await refuse(ask('GET', `/v2/kanari-path/${encodeURIComponent(value)}`))
    await refuse(ask('GET', `/v2/customer?cursor=${encodeURIComponent(value)}`))
    await refuse(ask('PUT', customer, {}, { 'idempotency-key': `"${value}` }))
    await refuse(ask('GET', customer, undefined, { authorization: `Kanari ${value}` }))
    await refuse(
      ask('GET', customer, undefined, { authorization: `Bearer kanari${value.replaceAll(' ', '')}` }),
    )
  }
  await refuse(ask('PUT', customer, { ...personal, first_name: 7 }))
  await refuse(ask('POST', '/v2/customer', { ...personal, middle_name: personal.first_name, email: null }))
  await refuse(ask('PUT', customer, `{"address": "${'Kanari'.repeat(12_000)}"}`))
  await refuse(ask('PUT', customer, 'Kanari', { 'content-type': 'text/kanari' }))
  await refuse(ask('PATCH', `${customer}?kanari`, changed))
  await refuse(foreign.ask('PUT', customer, changed))
  await refuse(live.ask('GET', customer))

  // Money.
  const { account_number } = await succeed(ask('POST', '/v2/accounts', { customer_id }))
  const credits = `/v2/accounts/${account_number}/credits`
  await succeed(ask('POST', credits, { amount: 1_000_000, narration: 'Kanari narration' }))
  await refuse(ask('POST', credits, { amount: 1, narration: 'Kanari narration\u0000' }))
  const open = { account_number, amount: 10_000, tenor: 90, interest_rate: 12 }
  const { deposit_id } = await succeed(ask('POST', '/v2/fixed-deposits', open))
  const deposit = `/v2/fixed-deposits/${deposit_id}`
  await refuse(ask('POST', '/v2/fixed-deposits', { ...open, amount: 9_000_000 }))
  const part = { liquidation_type: 'PARTIAL', amount: 100 }
  await succeed(ask('POST', `${deposit}/liquidation-quote`, part))
  const { liquidation_id } = await succeed(ask('POST', `${deposit}/liquidate`, part))
  await refuse(ask('POST', `${deposit}/liquidate`, { liquidation_type: 'Kanari', amount: 'Kanari' }))
  await succeed(ask('POST', `${deposit}/liquidate`, { liquidation_type: 'FULL' }))
  await refuse(ask('POST', `${deposit}/liquidate`, { liquidation_type: 'FULL' }))
  await succeed(ask('PUT', '/v2/liquidation-rules', firstRules))
  await refuse(ask('PUT', '/v2/liquidation-rules', { ...firstRules, rounding: 'Kanari', kanari: 'Kanari' }))
  await succeed(ask('PUT', customer, changed))

  // Secrets.
  const issued = await succeed(
    ask(
      'POST',
      '/v2/api-keys',
      { name: 'Kanari key name', scopes: ['customers:read'] },
      {
        'idempotency-key': 'Kanari-idempotency-key',
      },
    ),
  )
  const rolled = await succeed(ask('POST', `/v2/api-keys/${issued.api_key_id}/roll`, { overlap_seconds: 60 }))
  secrets.push(issued.key, rolled.key)
  await refuse(bank.askWith(rolled.key)('PUT', customer, changed))
  await succeed(ask('DELETE', `/v2/api-keys/${rolled.api_key_id}`))
  await refuse(bank.askWith(rolled.key)('GET', customer))
  await refuse(bank.askWith(issued.key.slice(0, -1))('GET', customer))
  const hook = `/v2/webhook-endpoints/${endpoint.webhook_endpoint_id}`
  const rotated = await succeed(ask('POST', `${hook}/rotate-secret`, { overlap_seconds: 60 }))
  secrets.push(rotated.secret)
  await succeed(ask('POST', `${hook}/ping`))
  await refuse(ask('PUT', hook, { secret: 'Kanari', url: 'http://kanari:kanari@127.0.0.1/' }))
  await sendAll(db, bank, receiver)

  const paths = [
    ...[
      customer,
      `${customer}/tax-status`,
      '/v2/customer',
      '/v2/accounts',
      `/v2/accounts/${account_number}`,
      '/v2/fixed-deposits',
      deposit,
    ],
    ...[
      `${deposit}/liquidations`,
      `/v2/liquidations/${liquidation_id}`,
      '/v2/liquidation-rules',
      '/v2/events?limit=100',
    ],
    ...[
      '/v2/ledger-entries',
      '/v2/webhook-endpoints',
      hook,
      `${hook}/deliveries`,
      '/v2/api-keys',
      '/v2/api-keys/current',
    ],
    '/v2/audit-log?limit=100',
  ]
  const answers: Day['answers'] = []
  for (const path of paths) {
    const answer = await ask('GET', path)
    assert.equal(answer.status, 200, answer.text)
    answers.push([path, answer])
  }
  assert(answers[0]![1].text.includes(changed.email), 'the values are there to be found')
  // What is made known once is part of what must stay hidden, in any part that would help to guess it.
  return { refusals, answers, secrets: secrets.map((secret) => secret.slice(12)) }
}

/** To a receiver that fails, and says something of its own. */
async function sendAll(db: TestDatabase, { log }: Bank, receiver: Receiver): Promise<void> {
  const addressGuard = createAddressGuard({ loopbackAllowed: true })
  const sender = createSender({
    db,
    clock: () => NOW,
    post: createPost({ addressGuard, timeoutMs: 5000 }),
    log,
    limits: { inFlightMax: 50, inFlightPerEndpointMax: 50, leaseMs: 60_000, pollMs: 5, stopMs: 1000 },
  })
  receiver.answer = withStatus(500, { 'x-kanari': 'Kanari' })
  await sender.sendDue()
}

function assertSilent(where: string, text: string, secrets: readonly string[]): void {
  // An unknown member is reported by its name, which its sender chose.
  const checked = text.replaceAll('"field":"kanari"', '')
  assert(!KANARI.test(checked), `${where} contains ${KANARI.exec(checked)?.[0]}: ${checked.slice(0, 500)}`)
  assertHidesSecrets(where, text, secrets)
}

function assertHidesPeople(where: string, text: string): void {
  for (const value of PERSONAL) assert(!text.includes(value), `${where} contains ${value}`)
}

function assertHidesSecrets(where: string, text: string, secrets: readonly string[]): void {
  for (const secret of secrets) assert(!text.includes(secret), `${where} contains a secret`)
}

/** In the database a key is a hash, an answer that showed a secret is sealed, and only signing secrets are stored. */
async function assertKeptWell(db: Queries, secrets: readonly string[]): Promise<void> {
  const tables = await db.query<{ name: string }>(
    `select table_name::text as name from information_schema.tables where table_schema = 'public' order by 1`,
  )
  const found: Record<string, string[]> = { people: [], secrets: [] }
  for (const { name } of tables) {
    const rows = await db.query<{ text: string }>(`select t::text as text from ${name} t`)
    const text = rows.map((row) => row.text).join('\n')
    if (PERSONAL.some((value) => text.includes(value))) found.people!.push(name)
    if (secrets.some((secret) => text.includes(secret))) found.secrets!.push(name)
  }
  assert.deepEqual(found, {
    // The profile, its history, and the answers that can be replayed.
    people: ['customers', 'events', 'idempotency_keys'],
    secrets: ['webhook_endpoints'],
  })
  const announced = await db.query<{ data: string }>('select data from events')
  assertHidesPeople('an event', announced.map((row) => row.data).join('\n'))
}
