/**
 * The server analyzes every table while it is empty, a connection plans every statement then, and the tables grow without
 * being analyzed again. Every operation still reads about as few rows as with plans that know the tables.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadBook } from '../../bench/books.ts'
import type { Database } from '../../src/engine/database/database.ts'
import { openPostgres } from '../../src/engine/database/postgres.ts'
import { type Engine, forEachEngine, skipOnSeveralServers, type TestDatabase } from '../support/engines.ts'
import { type Answer, type Ask, fundedAccount, startService } from '../support/service.ts'
import { full } from './support/counts.ts'

/** In small tables other plans look cheap. */
const SIZES = [5_000, 50_000]
/** Joins rows by their addresses, for which reading small tables as a whole looks cheaper; it then does so once. */
const BATCH = 'a batch of FULL'
/** Keys are cached for a time, so two runs differ by a few. */
const FEW_ROWS = 50

/** How often the service looks whether tables have grown, and a time in which it has surely looked. */
const LOOK_MS = 50
const MANY_LOOKS_MS = 2_000

const skipOf = (engine: Engine) => (full ? skipOnSeveralServers(engine) : 'it is one of the long suites')

forEachEngine(({ test }) => {
  for (const size of SIZES)
    test(`no operation reads whole tables of ${size} deposits that were empty when they were analyzed`, async (engine) => {
      const db = await openAlone(engine)
      await db.script(STOP_AUTOVACUUM)
      await db.script(FORGET_STATISTICS)
      await db.script('vacuum analyze')
      const { ask, askWith } = await startService(db, { now: new Date().toISOString() })
      const small = await openSmallBook(ask)
      await rowsReadBy(db, ask, small)
      // From the sixth time on the server may keep one plan for a statement outside of transactions.
      for (let time = 1; time <= 7; time += 1) {
        for (const path of Object.values(readsOf(small))) dataOf(await ask('GET', path))
      }
      const { key, bookId } = await loadUnnoticed(db, size)
      if (db !== engine) await sleep(MANY_LOOKS_MS)
      const unnoticed = await rowsReadBy(db, askWith(key), await pick(db, bookId, 100))
      await db.script('analyze')
      const analyzed = await rowsReadBy(db, askWith(key), await pick(db, bookId, 200))
      assert(analyzed.size > 12)
      for (const [operation, ideal] of analyzed) {
        if (operation === BATCH && size === SIZES[0]) continue
        const read = unnoticed.get(operation)!
        assert(ideal < size / 10, `${operation} reads ${ideal} rows`)
        assert(
          read <= ideal * 2 + FEW_ROWS,
          `${operation} reads ${read} rows, and ${ideal} of analyzed tables`,
        )
      }
      if (db !== engine) await db.close()
    })
}, skipOf)

/** During the load, which is one transaction, it would count none of the loaded rows. */
const STOP_AUTOVACUUM = `
  do $$
  declare
    growing regclass;
  begin
    for growing in
      select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    loop
      execute format('alter table %s set (autovacuum_enabled = false)', growing);
    end loop;
  end
  $$`

/** Those of the rows of another test. */
const FORGET_STATISTICS = `
  delete from pg_statistic
  where starelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`

type Picked = { customerId: string; accountNumber: string; deposits: string[] }
const PICKED = 60

/** One connection, so that the plans are its own and what it read is counted at once. */
async function openAlone(db: TestDatabase): Promise<Database> {
  return db.url === null
    ? db
    : openPostgres({ url: db.url, connectionsMax: 1, durabilityChecked: false, planAgeCheckMs: LOOK_MS })
}

async function openSmallBook(ask: Ask): Promise<Picked> {
  const { customerId, accountNumber } = await fundedAccount(ask, 1_000_000)
  const deposits: string[] = []
  for (let made = 0; made < PICKED; made += 1) {
    const terms = { account_number: accountNumber, amount: 1000, tenor: 365, interest_rate: 12 }
    deposits.push(dataOf(await ask('POST', '/v2/fixed-deposits', terms)).deposit_id!)
  }
  return { customerId, accountNumber, deposits }
}

async function loadUnnoticed(db: Database, deposits: number) {
  const terms = { tenorDays: 365, elapsedDays: 30, analyzed: false }
  const loaded = await loadBook(db, { deposits, ...terms })
  await db.query(
    `insert into idempotency_keys (book_id, idempotency_key, fingerprint, status, answer, created_at)
     select $1, md5(n::text), '', 200, '', now()
     from generate_series(1, $2::int4) as n`,
    [loaded.bookId, deposits],
  )
  return loaded
}

async function pick(db: Database, bookId: string, from: number): Promise<Picked> {
  const rows = await db.query<{ deposit_id: string; customer_id: string; account_number: string }>(
    `select deposit_id, customer_id, account_number
     from deposits
     where book_id = $1 and status = 'ACTIVE'
     order by ordinal
     limit ${PICKED} offset $2`,
    [bookId, from],
  )
  const { customer_id, account_number } = rows[0]!
  const deposits = rows.map(({ deposit_id }) => deposit_id)
  return { customerId: customer_id, accountNumber: account_number, deposits }
}

type Asked = { method: 'GET' | 'POST' | 'PUT'; path: string; body?: object }

function readsOf({ customerId, deposits }: Picked): Record<string, string> {
  return {
    key: '/v2/api-keys/current',
    customer: `/v2/customer/${customerId}`,
    deposit: `/v2/fixed-deposits/${deposits[2]}`,
    deposits: '/v2/fixed-deposits?limit=20',
    'deposits of a customer': `/v2/fixed-deposits?customer_id=${customerId}`,
    liquidations: '/v2/liquidations',
    events: '/v2/events?limit=5',
  }
}

/** By operation. */
async function rowsReadBy(db: Database, ask: Ask, picked: Picked): Promise<Map<string, number>> {
  const { customerId, accountNumber, deposits } = picked
  const [first, second, third, ...others] = deposits
  const read = new Map<string, number>()
  const counted = async <Result>(operation: string, work: () => Promise<Result>): Promise<Result> => {
    const before = await rowsRead(db)
    const result = await work()
    read.set(operation, (await rowsRead(db)) - before)
    return result
  }
  const on = async (operation: string, { method, path, body }: Asked) => {
    const headers = method === 'GET' ? {} : { 'idempotency-key': `${operation} ${first}` }
    return dataOf(await counted(operation, () => ask(method, path, body, headers)))
  }
  const post = (operation: string, path: string, body: object) =>
    on(operation, { method: 'POST', path, body })
  const breakOne = (id: string | undefined) => `/v2/fixed-deposits/${id}/liquidate`
  const terms = { account_number: accountNumber, amount: 100, tenor: 30, interest_rate: 12 }
  await post('FULL', breakOne(first), FULL)
  const part = await post('PARTIAL', breakOne(second), { liquidation_type: 'PARTIAL', amount: 1 })
  await post('reversal', `/v2/liquidations/${part.liquidation_id}/reverse`, { reason: 'Mistake' })
  await on('update', {
    method: 'PUT',
    path: `/v2/customer/${customerId}`,
    body: { email: 'new@example.com' },
  })
  await post('credit', `/v2/accounts/${accountNumber}/credits`, { amount: 5000 })
  await post('opening', '/v2/fixed-deposits', terms)
  await post('lien', `/v2/fixed-deposits/${third}/liens`, { amount: 1, reason: 'Collateral' })
  const batch = () => Promise.all(others.slice(0, 40).map((id) => ask('POST', breakOne(id), FULL)))
  for (const answer of await counted(BATCH, batch)) dataOf(answer)
  for (const [operation, path] of Object.entries(readsOf(picked)))
    await on(operation, { method: 'GET', path })
  return read
}

const FULL = { liquidation_type: 'FULL' }

function dataOf({ status, json, text }: Answer): Record<string, string> {
  assert(status < 300, text)
  return json.data
}

async function rowsRead(db: Database): Promise<number> {
  await db.query('select pg_stat_force_next_flush()')
  const [row] = await db.query<{ rows: string }>(
    'select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::text as rows from pg_stat_user_tables',
  )
  return Number(row!.rows)
}
