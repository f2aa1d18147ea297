/** A whole service over a fresh database, called through inject(); the clock is a function that the test may move. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { createService, type Service } from '../../src/cli/compose.ts'
import type { Database } from '../../src/engine/database/database.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import type { ClockWatch } from '../../src/features/clock/watch.ts'
import type { ClientAddresses } from '../../src/http/client-address.ts'
import { buildServer, type FurtherDoor, type HttpLimits } from '../../src/http/server.ts'
import type { Log } from '../../src/observe/log.ts'
import { assertDocumented } from './answers.ts'
import { audit } from './auditor.ts'
import { type Engine, engines, type TestDatabase } from './engines.ts'

/**
 * The tests of a subject on each engine. They share one database, and one service with its own caller and book, which
 * exist when a test runs; the last test is the audit.
 */
export function describeService(
  subject: string,
  declare: (running: () => TestService & { db: TestDatabase }) => void,
  options: ServiceOptions = {},
): void {
  for (const engine of engines) {
    const { skipOf = ({ skip }) => skip } = options
    describe(`${engine.name}: ${subject}`, { skip: skipOf(engine) }, () => {
      let db: TestDatabase
      let started: TestService
      before(async () => {
        db = await engine.open()
        started = await startService(db, options)
      })
      after(async () => {
        await started?.close()
        await db?.close()
      })
      declare(() => ({ ...started, db }))
      test('the books are in order afterwards', () => audit(db))
    })
  }
}

export const testLimits: HttpLimits = {
  bodyMaxBytes: 65_536,
  requestTimeoutMs: 15_000,
  headersTimeoutMs: 10_000,
  keepAliveTimeoutMs: 5_000,
  answerTimeoutMs: 10_000,
  connectionsMax: 1_000,
  inFlightMax: 10_000,
  rateLimitPerMinute: 0,
  failedAuthenticationsPerMinute: 0,
}

export type Answer = {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  /** The body as it was sent: amounts keep both decimals here. */
  text: string
  json: any
}

export type Ask = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS',
  url: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>

export type TestService = {
  app: FastifyInstance
  service: Service
  callerId: string
  testKey: string
  liveKey: string
  clock: { now: Date }
  ask: Ask
  askWith: (key: string) => Ask
  close: () => Promise<void>
}

type ServiceOptions = {
  skipOf?: (engine: Engine) => string | false
  clients?: ClientAddresses
  log?: Log
  limits?: Partial<HttpLimits>
  publicUrl?: string | null
  now?: string
  workers?: number
  batchMax?: number
  queueMax?: number
  testClockRolloversMax?: number
  clockWatch?: ClockWatch
  doors?: (service: Service) => readonly FurtherDoor[]
}

export async function startService(db: Database, options: ServiceOptions = {}): Promise<TestService> {
  const clock = { now: new Date(options.now ?? '2026-07-01T10:00:00.000Z') }
  const service = createService({
    db,
    clock: () => clock.now,
    limits: {
      workers: options.workers ?? 2,
      batchMax: options.batchMax ?? 256,
      queueMax: options.queueMax ?? 5_000,
    },
    ...(options.clockWatch && { clockWatch: options.clockWatch }),
    ...(options.testClockRolloversMax && { testClockRolloversMax: options.testClockRolloversMax }),
  })
  const limits = { ...testLimits, ...options.limits }
  const doors = options.doors?.(service) ?? []
  const { clients, publicUrl } = options
  const app = await buildServer({
    service,
    limits,
    log: options.log ?? logFaults,
    doors,
    ...(clients && { clients }),
    ...(publicUrl !== undefined && { publicUrl }),
  })
  const { caller, keys } = await createCaller(db, {
    name: 'Test Bank',
    timeZone: 'Africa/Lagos',
    currency: 'NGN',
    at: clock.now,
  })
  const [testKey, liveKey] = keys.map((key) => key.key)
  const askWith = createAsk(app)
  return {
    app,
    service,
    callerId: caller.callerId,
    testKey: testKey!,
    liveKey: liveKey!,
    clock,
    ask: askWith(testKey!),
    askWith,
    close: () => app.close(),
  }
}

/** A body of text or bytes is sent as it is, anything else as JSON. */
export function createAsk(app: FastifyInstance): (key: string) => Ask {
  return (key) => async (method, url, body, headers) => {
    const answer = await app.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: isSentAsItIs(body) ? body : JSON.stringify(body) }),
    })
    assertDocumented(method, url, answer.statusCode, answer.body)
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      json: isJson(answer) ? JSON.parse(answer.body) : null,
    }
  }
}

export const ada = {
  first_name: 'Ada',
  last_name: 'Obi',
  email: 'ada.obi@example.com',
  phone_number: '+234 801 234 5678',
  address: '12 Marina Road, Lagos',
}

/** A customer with an account that holds the amount. */
export async function fundedAccount(
  ask: Ask,
  amount: number | string,
): Promise<{ customerId: string; accountNumber: string }> {
  const customer = await ask('POST', '/v2/customer', ada)
  assert.equal(customer.status, 201, customer.text)
  const customerId: string = customer.json.data.customer_id
  const account = await ask('POST', '/v2/accounts', { customer_id: customerId })
  assert.equal(account.status, 201, account.text)
  const accountNumber: string = account.json.data.account_number
  const credit = await ask('POST', `/v2/accounts/${accountNumber}/credits`, `{"amount": ${amount}}`)
  assert.equal(credit.status, 201, credit.text)
  return { customerId, accountNumber }
}

/** A deposit of its own customer and account. */
export async function openDeposit(
  ask: Ask,
  terms: {
    amount: number | string
    tenor?: number
    interest_rate?: number
    start_date?: string
    auto_rollover?: boolean
  },
): Promise<{ depositId: string; customerId: string; accountNumber: string }> {
  const { amount, ...rest } = terms
  const owner = await fundedAccount(ask, amount)
  const body = { account_number: owner.accountNumber, tenor: 365, interest_rate: 10, ...rest }
  const opened = await ask(
    'POST',
    '/v2/fixed-deposits',
    `${JSON.stringify(body).slice(0, -1)},"amount":${amount}}`,
  )
  assert.equal(opened.status, 201, opened.text)
  return { ...owner, depositId: opened.json.data.deposit_id }
}

function isJson({ body, headers }: { body: string; headers: Answer['headers'] }): boolean {
  return body !== '' && String(headers['content-type']).startsWith('application/json')
}

function isSentAsItIs(body: unknown): body is string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body)
}

/** Version 1 of a new book, as it is sent; `changes` replaces members. */
export const firstRules = {
  day_count: 'ACT/365F',
  rounding: 'HALF_UP',
  allow_partial: true,
  min_partial_amount: 0.01,
  min_remaining_principal: 0.01,
  min_holding_days: 0,
  penal_rules: [],
}

export async function replaceRules(
  ask: Ask,
  changes: { [Name in keyof typeof firstRules]?: unknown },
): Promise<Answer> {
  const answer = await ask('PUT', '/v2/liquidation-rules', { ...firstRules, ...changes })
  assert.equal(answer.status, 200, answer.text)
  return answer
}

/** Ten percent of the net interest, or nothing for EXEMPT, since always; `changes` replaces members. */
export const tenPercent = {
  effective_from: '2000-01-01',
  base: 'NET',
  on_recovery: 'KEEP',
  rounding: 'HALF_UP',
  classes: { STANDARD: 10, EXEMPT: 0 } as Record<string, unknown>,
}

export async function replaceTaxRules(
  ask: Ask,
  changes: { [Name in keyof typeof tenPercent]?: unknown } = {},
): Promise<Answer> {
  const answer = await ask('PUT', '/v2/tax-rules', { ...tenPercent, ...changes })
  assert.equal(answer.status, 200, answer.text)
  return answer
}

/** A fault on our side is never expected: it shows in the test's output. */
function logFaults(level: string, event: string, fields?: object): void {
  if (level === 'error') console.error(event, fields)
}

/** As if every live book had used no date yet, so that its clock may be moved. */
export async function forgetDates(db: Database): Promise<void> {
  await db.query('update books set latest_business_date = null')
}

/** How events and the audit log show the key that is used. */
export async function actorOf(ask: Ask): Promise<{ kind: string; id: string; name: string | null }> {
  const { api_key_id, name } = (await ask('GET', '/v2/api-keys/current')).json.data
  return { kind: 'KEY', id: api_key_id, name }
}

/** For requests that need no database, such as the reference. */
export function buildWithoutDatabase(): Promise<FastifyInstance> {
  const refuse = () => Promise.reject(new Error('The reference does not need the database.'))
  const db: Database = {
    isSharded: false,
    query: refuse,
    transaction: refuse,
    script: refuse,
    close: async () => {},
  }
  const service = createService({
    db,
    clock: () => new Date(),
    limits: { workers: 1, batchMax: 1, queueMax: 1 },
  })
  return buildServer({ service, limits: testLimits, log: () => {} })
}
