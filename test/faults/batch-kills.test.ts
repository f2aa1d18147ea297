/**
 * The service, and the server of its database, are killed again and again while a batch runs, also one that takes deposits
 * over from another system. The batch goes on by itself after each start: every line takes effect once, and its result
 * says so.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/cli/config.ts'
import { withDatabase } from '../../src/cli/database.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { type Environment, forEachEnvironment, type RunningService, serve } from '../cli/program.ts'
import { audit } from '../support/auditor.ts'
import { startCrashingPostgres } from '../support/crashing-postgres.ts'
import { createRandom } from '../support/random.ts'
import { all, compileCache, PATIENCE } from './support/counts.ts'

const SEED = 1
const LINES = all ? 6_000 : 1_500
const KILLS = all ? 4 : 2
const POLL_MS = 20

/** What a line of a batch is, the entry that it makes, and what then shows its effect. */
type Lines = {
  operation: string
  entry: string
  lineOf: (line: number, accountNumber: string) => object
  effectOf: (ask: Ask, accountNumber: string) => Promise<number>
}

const credits: Lines = {
  ...{ operation: 'creditAccount', entry: 'ACCOUNT_CREDIT' },
  lineOf: (line, account_number) => ({ account_number, amount: amountOf(line) }),
  effectOf: async (ask, account) => (await ask('GET', `/v2/accounts/${account}`)).data.balance,
}

const imports: Lines = {
  ...{ operation: 'importFixedDeposit', entry: 'IMPORT' },
  lineOf: (line, account_number) => ({
    ...{ account_number, principal: amountOf(line), interest_rate: 10, tenor: 36_500 },
    start_date: '2026-01-15',
  }),
  async effectOf(ask, account) {
    let sum = 0
    for (let cursor = ''; ; ) {
      const page = await ask('GET', `/v2/fixed-deposits?account_number=${account}&limit=100${cursor}`)
      for (const { remaining_principal } of page.data) sum += remaining_principal
      if (page.meta.next_cursor === null) return sum
      cursor = `&cursor=${page.meta.next_cursor}`
    }
  },
}

forEachEnvironment(({ test }) => {
  for (const lines of [credits, imports]) {
    test(`${KILLS} kills of the service in a batch of ${lines.operation} lose no line and double none`, (context, env) =>
      survive(context, env, lines, (service) => async () => {
        service.current().kill('SIGKILL')
        await service.restart()
      }))
  }
})

for (const lines of [credits, imports]) {
  const name = `${KILLS} kills of the server in a batch of ${lines.operation} lose no line and double none`
  test(`PostgreSQL: ${name}`, async (context) => {
    const server = await startCrashingPostgres()
    if (typeof server === 'string') return context.skip(server)
    try {
      await survive(context, { DATABASE_URL: server.url }, lines, () => async () => {
        await server.crash()
        await server.restart()
      })
    } finally {
      await server.stop()
    }
  })
}

type Service = { current: () => RunningService; restart: () => Promise<void> }
type Ask = (method: string, path: string, body?: object | string) => Promise<any>

async function survive(
  context: TestContext,
  env: Environment,
  lines: Lines,
  createKill: (service: Service) => () => Promise<void>,
): Promise<void> {
  const settings = { ...env, RATE_LIMIT_PER_MINUTE: '0', NODE_COMPILE_CACHE: compileCache }
  const terms = { name: 'Test Bank', timeZone: 'Africa/Lagos', currency: 'NGN', at: new Date() }
  const { keys } = await withDatabase(readConfig(settings), (db) => createCaller(db, terms))
  let running = await serve(context, settings)
  const restart = async () => {
    await running.end()
    running = await serve(context, settings)
  }
  const kill = createKill({ current: () => running, restart })
  const ask = createAsk(() => running.url, keys[0]!.key)
  const accounts = await openAccounts(ask, 5)
  const batchId = await startBatch(ask, accounts, lines)

  const random = createRandom(SEED)
  for (let count = 0; count < KILLS; count += 1) {
    // Each after further lines, so that every kill finds the batch at work.
    await until(ask, batchId, (tried) => tried > (LINES / (KILLS + 2)) * count)
    await sleep(random.below(100))
    await kill()
  }
  await until(ask, batchId, (_, status) => status === 'DONE')

  const { data: batch } = await ask('GET', `/v2/batches/${batchId}`)
  assert.deepEqual([batch.succeeded, batch.duplicates, batch.failed], [LINES, 0, 0])
  const effects = await Promise.all(accounts.map((account) => lines.effectOf(ask, account)))
  assert.deepEqual(
    effects,
    accounts.map((_, index) => sumOfLines(index, accounts.length)),
  )
  await running.stop()
  await withDatabase(readConfig({ ...settings, ...PATIENCE }), async (db) => {
    const [row] = await db.query<{ lines: number; entries: number; made: number }>(
      `select count(*)::int4 as lines, count(distinct made_id)::int4 as made,
         (select count(*)::int4 from ledger_entries where kind = $1) as entries
       from batch_lines
       where outcome = 'SUCCEEDED'`,
      [lines.entry],
    )
    assert.deepEqual(row, { lines: LINES, made: LINES, entries: LINES })
    // A server that was killed has no statistics of the rows that it took.
    await db.script('analyze')
    await audit(db)
  })
}

const amountOf = (line: number) => 100 + (line % 7)

function sumOfLines(account: number, accounts: number): number {
  let sum = 0
  for (let line = 0; line < LINES; line += 1) if (line % accounts === account) sum += amountOf(line)
  return sum
}

async function startBatch(
  ask: Ask,
  accounts: readonly string[],
  { operation, lineOf }: Lines,
): Promise<string> {
  const { data } = await ask('POST', '/v2/batches', { operation })
  const file = Array.from({ length: LINES }, (_, line) =>
    JSON.stringify({ ...lineOf(line, accounts[line % accounts.length]!), external_id: `L-${line}` }),
  )
  await ask('POST', `/v2/batches/${data.batch_id}/parts/1`, file.join('\n'))
  await ask('POST', `/v2/batches/${data.batch_id}/start`)
  return data.batch_id
}

async function openAccounts(ask: Ask, count: number): Promise<string[]> {
  const person = { first_name: 'Ada', last_name: 'Obi', email: 'ada@example.com', address: '1 Marina Road' }
  const { data: customer } = await ask('POST', '/v2/customer', {
    ...person,
    phone_number: '+234 800 555 0100',
  })
  const numbers: string[] = []
  for (let opened = 0; opened < count; opened += 1)
    numbers.push(
      (await ask('POST', '/v2/accounts', { customer_id: customer.customer_id })).data.account_number,
    )
  return numbers
}

/** The batch may be unreachable meanwhile. */
async function until(
  ask: Ask,
  batchId: string,
  isReached: (tried: number, status: string) => boolean,
): Promise<void> {
  for (;;) {
    const batch = await ask('GET', `/v2/batches/${batchId}`).then(
      ({ data }) => data,
      () => null,
    )
    if (batch !== null && isReached(batch.succeeded + batch.duplicates + batch.failed, batch.status)) return
    await sleep(POLL_MS)
  }
}

function createAsk(url: () => string, key: string): Ask {
  return async (method, path, body) => {
    const isFile = typeof body === 'string'
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': isFile ? 'application/x-ndjson' : 'application/json',
    }
    const answer = await fetch(url() + path, {
      ...{ method, headers },
      ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert(answer.ok, text)
    return JSON.parse(text)
  }
}
