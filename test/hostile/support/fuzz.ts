/**
 * One seed is one bank and a long sequence of requests, each checked against the guarantees of every answer: it is
 * documented, it is never a fault, it repeats nothing of what was sent, and a refusal leaves every row unchanged.
 */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { assertDocumented } from '../../support/answers.ts'
import { audit, digest } from '../../support/auditor.ts'
import type { Engine, TestDatabase } from '../../support/engines.ts'
import { createRandom } from '../../support/random.ts'
import { assertStandardHeaders } from '../../support/refusals.ts'
import { type Answer, fundedAccount, openDeposit } from '../../support/service.ts'
import { type Bank, NOW, startBank } from './bank.ts'
import { CANARY } from './grammar.ts'
import { drawRequest, type Sent, type Subjects } from './requests.ts'
import { exchange } from './wire.ts'

export type Tally = {
  requests: number
  /** Of them over a socket, as bytes of our own. */
  overSockets: number
  /** How often a row of refused requests was sent again and every row compared. */
  comparisons: number
  codes: Record<string, number>
}

/** Often enough to find the culprit, seldom enough that most of the time goes into requests. */
const COMPARED_EVERY = 1000
const COMPARED_REFUSALS = 100
const OVER_SOCKETS = 0.03
const AT_ONCE = 16
/** While the engine of one is at work, the requests of the other are drawn and judged. */
const SEEDS_AT_ONCE = 2

export async function fuzzSeeds(
  engine: Engine,
  range: { first: number; count: number; requests: number },
): Promise<Tally & { seeds: number }> {
  const total = { seeds: 0, requests: 0, overSockets: 0, comparisons: 0, codes: {} as Record<string, number> }
  const seeds = Array.from({ length: range.count }, (_, index) => range.first + index)
  await Promise.all(
    Array.from({ length: SEEDS_AT_ONCE }, async () => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        add(await fuzzSeed(engine, seed, range.requests))
      }
    }),
  )
  return total

  function add({ codes, ...counts }: Tally): void {
    total.seeds += 1
    total.requests += counts.requests
    total.overSockets += counts.overSockets
    total.comparisons += counts.comparisons
    for (const [code, times] of Object.entries(codes)) total.codes[code] = (total.codes[code] ?? 0) + times
  }
}

async function fuzzSeed(engine: Engine, seed: number, requests: number): Promise<Tally> {
  const db = await engine.open()
  const bank = await openBank(db)
  const random = createRandom(seed)
  const tally: Tally = { requests: 0, overSockets: 0, comparisons: 0, codes: {} }
  const refused: Sent[] = []
  const prototype = describePrototypes()
  try {
    for (let compareAt = COMPARED_EVERY; tally.requests < requests; ) {
      const row = Array.from({ length: AT_ONCE }, () => {
        const sent = drawRequest(random, bank.subjects)
        // An answer to HEAD says how long a body would be that does not come.
        return { sent, overSocket: random.chance(OVER_SOCKETS) && sent.method !== 'HEAD' }
      })
      const answers = await Promise.all(row.map((one) => send(bank, one.sent, one.overSocket)))
      checkLog(bank)
      row.forEach(({ sent, overSocket }, index) => {
        const answer = answers[index]!
        tally.requests += 1
        tally.overSockets += overSocket ? 1 : 0
        count(tally.codes, answer)
        if (answer.status >= 400) refused.push(sent)
        else noteOpened(bank, sent, answer)
      })
      if (tally.requests < compareAt) continue
      compareAt += COMPARED_EVERY
      tally.comparisons += await compare(bank, refused.splice(0).slice(-COMPARED_REFUSALS))
      assert.deepEqual(describePrototypes(), prototype, 'a prototype was polluted')
    }
    await audit(db)
    return tally
  } catch (error) {
    const command = `npm run fuzz -- --seed ${seed} --seeds 1 --requests ${requests}`
    throw new Error(`Seed ${seed}, after ${tally.requests} requests; replay: ${command}`, { cause: error })
  } finally {
    await bank.app.close()
    await db.close()
  }
}

type FuzzedBank = Bank & { db: TestDatabase; port: number; subjects: Subjects }

async function openBank(db: TestDatabase): Promise<FuzzedBank> {
  const bank = await startBank(db)
  await bank.app.listen({ host: '127.0.0.1', port: 0 })
  const { test, live } = await bank.newCaller('Fuzzed Bank')
  const foreign = (await bank.newCaller('Other Bank')).test
  const [narrow, revoked] = [await test.issue(['customers:read']), await test.issue(['*'])]
  await db.query('update api_keys set revoked_at = $1 where api_key_id = $2', [NOW, revoked.apiKeyId])
  const subjects: Subjects = {
    keys: { test: test.key, live: live.key, narrow: narrow.key, revoked: revoked.key, foreign: foreign.key },
    deposits: [],
    customers: [],
    accounts: [],
    strangers: [],
  }
  for (const { ask } of [live, foreign]) {
    const { depositId, customerId } = await openDeposit(ask, { amount: 1000 })
    subjects.strangers.push(depositId, customerId)
  }
  for (const amount of [1, 1_000_000, 1_000_000_000]) {
    const { customerId, accountNumber } = await fundedAccount(test.ask, amount * 100)
    subjects.customers.push(customerId)
    subjects.accounts.push(accountNumber)
    for (const start_date of ['2026-07-01', '2026-01-31', '2024-02-29']) {
      const terms = { account_number: accountNumber, amount: amount * 10, tenor: 366, interest_rate: 12.5 }
      const opened = await test.ask('POST', '/v2/fixed-deposits', { ...terms, start_date })
      assert.equal(opened.status, 201, opened.text)
      subjects.deposits.push(opened.json.data.deposit_id)
    }
  }
  const { port } = bank.app.server.address() as AddressInfo
  return { ...bank, db, port, subjects }
}

async function send(bank: FuzzedBank, sent: Sent, overSocket: boolean): Promise<Answer> {
  const answer = overSocket ? await exchange(bank.port, bytesOf(sent)) : await inject(bank.app, sent)
  try {
    check(overSocket ? sent.path : injectedPath(sent.path), sent, answer)
  } catch (error) {
    throw new Error(`${describe(sent)}\nwas answered ${answer.status} ${answer.text}`, { cause: error })
  }
  return answer
}

async function inject(app: FastifyInstance, sent: Sent): Promise<Answer> {
  const answer = await app.inject({
    method: sent.method as 'GET',
    url: sent.path,
    headers: sent.headers,
    ...(sent.body === undefined ? {} : { payload: sent.body }),
  })
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.body,
    json: answer.body === '' ? null : JSON.parse(answer.body),
  }
}

function bytesOf({ method, path, headers, body = '' }: Sent): Buffer {
  // A request with a false length would be waited for; smuggling.test.ts sends those.
  const { 'transfer-encoding': _, ...others } = headers
  const framed = {
    host: 'localhost',
    ...others,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const head = Object.entries(framed).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n`, 'latin1'),
    Buffer.from(body),
  ])
}

/** Injected requests pass through a URL parser, which walks up and down paths before the service sees them. */
function injectedPath(path: string): string {
  return new URL(`http://localhost${path}`).pathname
}

function check(path: string, sent: Sent, answer: Answer): void {
  const { status, text, json, headers } = answer
  assert(status < 500, 'a fault of ours')
  assertStandardHeaders(answer)
  // A page, which the document does not list.
  if (path === '/') return
  assertDocumented(sent.method, documentedPath(path), status, text)
  assert(text.length < ANSWER_MAX_CHARACTERS, 'an answer many times the size of its question')
  assert(!JSON.stringify(headers).includes(CANARY), 'a header repeats what was sent')
  if (status >= 400 && text.includes(CANARY)) {
    // A field keeps the name its sender gave it; no sentence repeats it, and no value is shown.
    const fields = json.error.fields.map((field: object) => ({ ...field, field: '' }))
    const rest = JSON.stringify({ ...json, error: { ...json.error, fields } })
    assert(!rest.includes(CANARY), 'a refusal repeats what was sent')
  }
  if (status < 400 && text.includes(CANARY))
    assert.match(documentedPath(path), PERSONAL, 'a personal value is shown elsewhere')
}

function checkLog({ takeLog, subjects }: FuzzedBank): void {
  const log = takeLog()
  assert(!log.includes('"level":"error"'), log)
  assert(!log.includes(CANARY), 'the log repeats what was sent')
  assert(!Object.values(subjects.keys).some((key) => log.includes(key)), 'the log contains a key')
}

const ANSWER_MAX_CHARACTERS = 400_000
/** Where the values of a customer, or the name of something, are expected. */
const PERSONAL =
  /^\/v2\/(?:customer|audit-log|api-keys|accounts|ledger-entries|webhook-endpoints|.*\/(?:certificate|statement|advice)$)/

/** The router decodes a path before it looks it up. */
function documentedPath(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** Returns 1 where the rows could be compared: a change in between may have made room for what was refused before. */
async function compare(bank: FuzzedBank, refused: readonly Sent[]): Promise<number> {
  const before = await digest(bank.db)
  for (const sent of refused) {
    const answer = await send(bank, sent, false)
    if (answer.status < 400) return 0
  }
  assert.deepEqual(await digest(bank.db), before, 'a refusal changed the books')
  return 1
}

/** New deposits come under the newest rules, however odd; old ones go, so that there is always something to break. */
function noteOpened({ subjects }: FuzzedBank, sent: Sent, { status, json }: Answer): void {
  const id = status === 201 ? json?.data?.deposit_id : undefined
  if (typeof id !== 'string' || sent.method !== 'POST') return
  subjects.deposits.push(id)
  if (subjects.deposits.length > 40) subjects.deposits.shift()
}

function count(codes: Record<string, number>, { status, json }: Answer): void {
  const code: string = json?.error?.code ?? String(status)
  codes[code] = (codes[code] ?? 0) + 1
}

function describePrototypes(): string[][] {
  return [Object, Array, String, Number, Function, Promise, RegExp, Error, Map].map((kind) =>
    Object.getOwnPropertyNames(kind.prototype),
  )
}

function describe({ method, path, headers, body }: Sent): string {
  const shown = Buffer.isBuffer(body) ? `bytes ${body.toString('hex')}` : body
  return `${method} ${path}\n${JSON.stringify(headers)}\n${shown}`.slice(0, 6000)
}
