/** What must hold for concurrent requests: in one process, and in several on one PostgreSQL. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { OPERATOR } from '../../../src/domain/actor.ts'
import { type Database, DatabaseError } from '../../../src/engine/database/database.ts'
import { openPostgres } from '../../../src/engine/database/postgres.ts'
import { createCaller } from '../../../src/features/callers/changes.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { statements } from '../../../src/features/deposits/store.ts'
import { liquidate } from '../../../src/features/liquidation/changes.ts'
import { liquidated } from '../../../src/features/liquidation/routes.ts'
import { audit } from '../../support/auditor.ts'
import { engines, type TestDatabase } from '../../support/engines.ts'
import { countLockWaits } from '../../support/lock-waits.ts'
import { plantDeposits } from '../../support/planted-deposits.ts'
import {
  type Answer,
  type Ask,
  describeService,
  openDeposit,
  replaceRules,
  startService,
} from '../../support/service.ts'

describeService('concurrency', (running) => {
  proofs(() => [running().ask])

  test('liquidations of many deposits into one account all count', async () => {
    const { ask } = running()
    await manyIntoOneAccount([ask])
  })

  test('a batch leaves deposits on their pages, so that no index has to be written', async () => {
    const { ask, db } = running()
    const { depositId } = await openDeposit(ask, { amount: 1_000 })
    await plantDeposits(db, depositId, { from: 1, to: 50 })
    const readPages = () =>
      db.query<{ deposit_id: string; page: number }>(
        `select deposit_id, (ctid::text::point)[0]::int4 as page
         from deposits
         where account_number = (select account_number from deposits where deposit_id = $1)
         order by deposit_id`,
        [depositId],
      )
    const pages = await readPages()
    const answers = await Promise.all(
      pages.map(({ deposit_id }) =>
        ask('POST', `/v2/fixed-deposits/${deposit_id}/liquidate`, { liquidation_type: 'FULL' }),
      ),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.deepEqual(await readPages(), pages)
  })

  for (const [table, column] of [
    ['deposits', 'deposit_id'],
    ['accounts', 'account_number'],
  ] as const) {
    test(`a liquidation fails as a whole when its row of ${table} is not where it was locked`, async () => {
      const move = `update ${table} set ${column} = ${column} where book_id = $1`
      const { ask, close } = await startService(movingRows(running().db, move))
      const { depositId, accountNumber } = await openDeposit(ask, { amount: 1_000 })
      const path = `/v2/fixed-deposits/${depositId}`
      const { status } = await ask('POST', `${path}/liquidate`, { liquidation_type: 'FULL' })
      const deposit = await ask('GET', path)
      const account = await ask('GET', `/v2/accounts/${accountNumber}`)
      const liquidations = await ask('GET', `${path}/liquidations`)
      await close()
      assert.equal(status, 500)
      assert.equal(deposit.json.data.status, 'ACTIVE')
      assert.equal(account.json.data.balance, 0)
      assert.deepEqual(liquidations.json.data, [])
    })
  }
})

/** The same database, in which each transaction moves rows after it has locked them. */
function movingRows(db: Database, move: string): Database {
  return {
    ...db,
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          ...tx,
          async query<Row>(text: string, values?: readonly unknown[]) {
            const rows = await tx.query<Row>(text, values)
            if (text === statements.lockBreakable.text) await tx.query(move, [values![0]])
            return rows
          },
        }),
      ),
  }
}

/** The same guarantees through two processes that share only the database. */
const postgres = engines.find((engine) => engine.name === 'PostgreSQL')!
describe('two processes on one PostgreSQL', { skip: postgres.skip }, () => {
  let db: TestDatabase
  let processes: Process[]
  let asks: Ask[]

  before(async () => {
    db = await postgres.open()
    const { keys } = await createCaller(db, {
      name: 'Test Bank',
      timeZone: 'Africa/Lagos',
      currency: 'NGN',
      at: new Date(),
    })
    processes = await Promise.all([startProcess(db.url!), startProcess(db.url!)])
    asks = processes.map(({ port }) => askOver(port, keys[0]!.key))
  })
  after(async () => {
    for (const { stop } of processes ?? []) await stop()
    await db?.close()
  })

  proofs(() => asks)
  test('liquidations of many deposits into one account all count', () => manyIntoOneAccount(asks))

  test('a key revoked by one process is refused by the other a second later', async () => {
    const { key, api_key_id } = (await asks[0]!('POST', '/v2/api-keys', { scopes: ['*'] })).json.data
    const there = askOver(processes[1]!.port, key)
    assert.equal((await there('GET', '/v2/customer')).status, 200)
    assert.equal((await asks[0]!('DELETE', `/v2/api-keys/${api_key_id}`)).status, 200)
    await setTimeout(1000)
    const refused = await there('GET', '/v2/customer')
    assert.deepEqual([refused.status, refused.json.error.code], [401, 'api_key_revoked'])
  })

  test('the books are in order afterwards', () => audit(db))
})

test('batches that name the same keys in another order queue and do not deadlock', {
  skip: postgres.skip,
  timeout: 30_000,
}, async () => {
  const db = await postgres.open()
  // Longer than the server takes to find a deadlock, so that there would be one to see.
  const waitMs = 20_000
  const patient = await openPostgres({
    url: db.url!,
    connectionsMax: 4,
    durabilityChecked: false,
    lockTimeoutMs: waitMs,
    statementTimeoutMs: waitMs,
    queryTimeoutMs: waitMs,
  })
  const { db: watched, sqlStates } = watching(patient)
  const { ask, service, close, callerId } = await startService(watched, { workers: 2, batchMax: 3 })
  const book = (await findBook(db, { callerId, mode: 'test' }))!
  const deposits = await Promise.all(Array.from({ length: 6 }, () => openDeposit(ask, { amount: 100 })))
  const blocker = new pg.Client({ connectionString: db.url! })
  await blocker.connect()

  // A third transaction holds the key in the middle, until both batches have taken what they can and wait.
  await blocker.query('begin')
  await blocker.query(
    `insert into idempotency_keys (book_id, idempotency_key, fingerprint, status, answer, created_at)
     values ($1, 'm', '', 200, '{}', now())`,
    [book.bookId],
  )
  const answering = ['a', 'm', 'z', 'z', 'm', 'a'].map((key, index) => {
    const { depositId } = deposits[index]!
    const idempotency = { key, fingerprint: depositId }
    const origin = { book, actor: OPERATOR, requestId: null, idempotency }
    const part = { type: 'FULL', amount: null } as const
    return liquidate(service, origin, { depositId, part }, liquidated)
  })
  await untilWaiting(blocker, 2)
  await blocker.query('rollback')
  await blocker.end()

  const outcomes = (await Promise.all(answering)).map((answer) => answer.outcome).sort()
  assert.deepEqual(outcomes, ['done', 'done', 'done', 'refused', 'refused', 'refused'])
  assert(!sqlStates.includes('40P01'), sqlStates.join())
  await close()
  await patient.close()
  await audit(db)
  await db.close()
})

/** Each of these goes to all of the processes in turn. */
function proofs(asks: () => Ask[]): void {
  test('50 parallel FULLs on one deposit: one is carried out, one credit is made', async () => {
    const [ask] = asks()
    const { depositId, accountNumber } = await openDeposit(ask!, { amount: '500000.00' })
    const url = `/v2/fixed-deposits/${depositId}/liquidate`
    const answers = await inTurn(asks(), 50, (one) => one('POST', url, { liquidation_type: 'FULL' }))
    assert.deepEqual(countBy(answers, outcome), { '200 ': 1, '409 deposit_not_active': 49 })
    assert.match((await ask!('GET', `/v2/accounts/${accountNumber}`)).text, /"balance":500000\.00,/)
    const entries = await ask!('GET', `/v2/ledger-entries?deposit_id=${depositId}`)
    assert.deepEqual(
      entries.json.data.map((entry: { kind: string }) => entry.kind),
      ['LIQUIDATION', 'DEPOSIT_OPENING'],
    )
  })

  test('20 parallel PARTIALs of 40,000 on 500,000, of which 10,000 must remain: exactly 12 succeed', async () => {
    const [ask] = asks()
    await replaceRules(ask!, { min_remaining_principal: 10_000 })
    const { depositId, accountNumber } = await openDeposit(ask!, { amount: '500000.00' })
    await replaceRules(ask!, {})
    const url = `/v2/fixed-deposits/${depositId}/liquidate`
    const body = { liquidation_type: 'PARTIAL', amount: 40_000 }
    const answers = await inTurn(asks(), 20, (one) => one('POST', url, body))
    assert.deepEqual(countBy(answers, outcome), { '200 ': 12, '422 amount_exceeds_principal': 8 })
    // Each saw what the one before it had left.
    const left = answers
      .filter(({ status }) => status === 200)
      .map(({ json }) => json.data.remaining_principal)
    assert.deepEqual(
      left.sort((one, other) => one - other),
      Array.from({ length: 12 }, (_, index) => 20_000 + 40_000 * index),
    )
    const deposit = await ask!('GET', `/v2/fixed-deposits/${depositId}`)
    assert.match(deposit.text, /"status":"ACTIVE",.*"remaining_principal":20000\.00,/)
    assert.match((await ask!('GET', `/v2/accounts/${accountNumber}`)).text, /"balance":480000\.00,/)
  })

  test('50 parallel requests with one key: one liquidation, 50 equal answers', async () => {
    const [ask] = asks()
    const { depositId } = await openDeposit(ask!, { amount: '500000.00' })
    const url = `/v2/fixed-deposits/${depositId}/liquidate`
    const body = { liquidation_type: 'PARTIAL', amount: 40_000 }
    const headers = { 'idempotency-key': depositId }
    const answers = await inTurn(asks(), 50, (one) => one('POST', url, body, headers))
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
    assert.deepEqual(
      countBy(answers, (answer) => `${answer.status} ${answer.headers['idempotent-replayed'] ?? 'made'}`),
      { '200 made': 1, '200 true': 49 },
    )
    const list = await ask!('GET', `/v2/fixed-deposits/${depositId}/liquidations`)
    assert.equal(list.json.data.length, 1)
  })

  test('one key on two deposits at the same time: one is liquidated, the other request is refused', async () => {
    const [ask] = asks()
    for (let round = 0; round < 5; round += 1) {
      const deposits = [await openDeposit(ask!, { amount: 100 }), await openDeposit(ask!, { amount: 100 })]
      const headers = { 'idempotency-key': deposits[0]!.depositId }
      let index = 0
      const answers = await inTurn(asks(), 10, (one) =>
        one(
          'POST',
          `/v2/fixed-deposits/${deposits[index++ % 2]!.depositId}/liquidate`,
          { liquidation_type: 'FULL' },
          headers,
        ),
      )
      assert.deepEqual(countBy(answers, outcome), { '200 ': 5, '422 idempotency_key_reused': 5 })
    }
  })

  test('batches that overlap in any order all end, with each deposit liquidated once', async () => {
    const [ask] = asks()
    const deposits = await Promise.all(Array.from({ length: 12 }, () => openDeposit(ask!, { amount: 100 })))
    let index = 0
    const answers = await inTurn(asks(), 96, (one) => {
      // Forwards and backwards, so that each process meets the deposits in another order.
      const position = index++ % 24
      const { depositId } = deposits[position < 12 ? position : 23 - position]!
      return one('POST', `/v2/fixed-deposits/${depositId}/liquidate`, { liquidation_type: 'FULL' })
    })
    assert.deepEqual(countBy(answers, outcome), { '200 ': 12, '409 deposit_not_active': 84 })
  })
}

async function manyIntoOneAccount(asks: Ask[]): Promise<void> {
  const [ask] = asks
  const { accountNumber } = await openDeposit(ask!, { amount: 1 })
  await ask!('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 1000 })
  const opening = { account_number: accountNumber, amount: 10, tenor: 30, interest_rate: 5 }
  const opened = await Promise.all(
    Array.from({ length: 30 }, () => ask!('POST', '/v2/fixed-deposits', opening)),
  )
  const ids = opened.map((answer) => answer.json.data.deposit_id)
  let index = 0
  const answers = await inTurn(asks, 60, (one) => {
    // Credits of the account compete with the liquidations that pay into it.
    const position = index++
    return position < 30
      ? one('POST', `/v2/fixed-deposits/${ids[position]}/liquidate`, { liquidation_type: 'FULL' })
      : one('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 1 })
  })
  assert.deepEqual(countBy(answers, outcome), { '200 ': 30, '201 ': 30 })
  const { balance } = (await ask!('GET', `/v2/accounts/${accountNumber}`)).json.data
  assert.equal(balance, 700 + 300 + 30)
}

function inTurn(asks: Ask[], count: number, asking: (ask: Ask) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => asking(asks[index % asks.length]!)))
}

function outcome(answer: Answer): string {
  return `${answer.status} ${answer.json.error?.code ?? ''}`
}

function countBy(answers: Answer[], name: (answer: Answer) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const answer of answers) counts[name(answer)] = (counts[name(answer)] ?? 0) + 1
  return counts
}

type Process = { port: number; stop: () => Promise<void> }

async function startProcess(url: string): Promise<Process> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../support/serve.ts', import.meta.url))], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  return {
    port: Number(line),
    async stop() {
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

/** Over a real connection. */
function askOver(port: number, key: string): Ask {
  return async (method, path, body, headers) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      text,
      json: JSON.parse(text),
    }
  }
}

/** Keeps the state of every error that a transaction ended with, also of those that were tried again. */
function watching(db: Database): { db: Database; sqlStates: (string | null)[] } {
  const sqlStates: (string | null)[] = []
  return {
    sqlStates,
    db: {
      ...db,
      transaction: (work) =>
        db.transaction(work).catch((error) => {
          if (error instanceof DatabaseError) sqlStates.push(error.sqlState)
          throw error
        }),
    },
  }
}

/** Returns when that many transactions of this database wait for a lock. */
async function untilWaiting(client: pg.Client, count: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ waiting: number }>(countLockWaits)
    if (rows[0]!.waiting >= count) return
  }
}
