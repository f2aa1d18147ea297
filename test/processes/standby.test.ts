/** DATABASE_URL_READONLY: what is read from a standby, and what happens while it is behind, down or not a standby. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ConfigError, readConfig } from '../../src/cli/config.ts'
import { openStandby } from '../../src/cli/database.ts'
import type { Standby } from '../../src/engine/database/standby.ts'
import { run } from '../cli/program.ts'
import { type Office, openConsole } from '../console/office.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { findFreePort, type PostgresServer, startStandby } from '../support/postgres-server.ts'
import { ada, fundedAccount } from '../support/service.ts'

const postgres = engines.find((engine) => engine.name === 'PostgreSQL')!

test('the embedded engine has no standby', () => {
  assert.throws(
    () => readConfig({ DATABASE_URL_READONLY: 'postgresql://host/database' }),
    new ConfigError('DATABASE_URL_READONLY needs DATABASE_URL: the embedded engine has no standby.'),
  )
})

describe('with a standby', { skip: postgres.skip }, () => {
  let db: TestDatabase
  let server: PostgresServer
  let readonlyUrl: string
  let office: Office
  let reads: Standby
  let failures: string[]
  before(async () => {
    db = await postgres.open()
    const started = await startStandby(db.url!)
    assert(typeof started !== 'string', String(started))
    server = started
    readonlyUrl = urlWith({ port: new URL(server.url).port })
    failures = []
    reads = (await openStandby(configOf(readonlyUrl), db, (reason) => failures.push(reason)))!
    office = await openConsole(db, { standby: reads })
  })
  after(async () => {
    await reads?.close()
    await office?.close()
    await server?.stop()
    await db?.close()
  })

  test('verify reads the standby, once it is current, and records its result in the primary', async () => {
    const created = await office.ask('POST', '/v2/customer', ada)
    assert.equal(created.status, 201, created.text)
    assert.equal((await verified()).customers, 1)
    assert(await wasRead('customers'), 'the standby was read')
    const [recorded] = await db.query<{ books: number }>(
      'select count(*)::int4 as books from books where verified_at is not null',
    )
    assert.equal(recorded!.books, 2)
  })

  test('a standby that is behind never certifies: verify ends, and the report and audit log read the primary', async () => {
    const supervisor = await office.visit(await office.employ('SUPERVISOR'))
    const { accountNumber } = await fundedAccount(office.ask, 1000)
    await caughtUp()
    await db.query('update books set verified_at = null')
    await replay('pause')
    try {
      await db.query('update accounts set balance_minor = balance_minor + 1 where account_number = $1', [
        accountNumber,
      ])
      const { code, stdout, stderr } = await run(['verify'], {
        ...envOf(readonlyUrl),
        STANDBY_WAIT_MS: '200',
      })
      assert.equal(code, 1, stdout)
      assert.equal(
        stderr,
        'The database of DATABASE_URL_READONLY cannot be opened: It has not replayed the position of the primary ' +
          'within 200 ms; see STANDBY_WAIT_MS.\n',
      )
      const [recorded] = await db.query<{ books: number }>(
        'select count(*)::int4 as books from books where verified_at is not null',
      )
      assert.equal(recorded!.books, 0)
      const id: string = (await office.ask('POST', '/v2/customer', ada)).json.data.customer_id
      assert.ok((await supervisor.get('/audit')).text.includes(id))
      assert.ok((await supervisor.get('/customers.csv')).text.includes(id))
      assert.equal(failures.splice(0).length, 1)
    } finally {
      await replay('resume')
    }
    const { stderr } = await run(['verify'], envOf(readonlyUrl))
    assert.match(stderr, /^Not so: /)
    await db.query('update accounts set balance_minor = balance_minor - 1 where account_number = $1', [
      accountNumber,
    ])
  })

  test('a list that is more than a second old says so', async () => {
    const clerk = await office.visit(await office.employ('CLERK'))
    await caughtUp()
    assert.doesNotMatch((await clerk.get('/customers')).text, /behind\./)
    await replay('pause')
    try {
      await office.ask('POST', '/v2/customer', ada)
      await sleep(1600)
      assert.match(
        (await clerk.get('/customers')).text,
        /This page is read from a copy of the database that is \d+ seconds? behind\./,
      )
    } finally {
      await replay('resume')
    }
  })

  test('verify does not read the primary instead of a standby that is down', async () => {
    const env = envOf(urlWith({ port: String(await findFreePort()) }))
    const { code, stderr } = await run(['verify'], env)
    assert.equal(code, 1)
    assert.match(stderr, /^The database of DATABASE_URL_READONLY cannot be opened: .*ECONNREFUSED.*\.\n$/)
  })

  test('lists are read from the standby, and the page of a record from the primary', async () => {
    const clerk = await office.visit(await office.employ('CLERK'))
    await caughtUp()
    await replay('pause')
    const created = await office.ask('POST', '/v2/customer', { ...ada, first_name: 'Bola' })
    const id: string = created.json.data.customer_id
    const search = await clerk.get('/search?q=Bola')
    assert.deepEqual([search.status, search.text.includes(id)], [200, false])
    assert.equal((await clerk.get(`/customers/${id}`)).status, 200)
    await replay('resume')
    await caughtUp()
    assert.ok((await clerk.get('/search?q=Bola')).text.includes(id))
    assert.deepEqual(failures, [])
  })

  test('what is not a standby of the database is refused with one sentence', async () => {
    const other = await postgres.open()
    try {
      await other.query(`update schema_migrations set applied_at = applied_at - interval '1 day'`)
      const refused = (readonly: string) => openStandby(configOf(readonly), db, () => {})
      const place = 'The database of DATABASE_URL_READONLY cannot be opened: '
      await assert.rejects(refused(db.url!), {
        message: `${place}It accepts changes; name a standby, or a role with default_transaction_read_only = on.`,
      })
      await assert.rejects(refused(`${other.url!}?options=-c%20default_transaction_read_only=on`), {
        message: `${place}It is not a standby of the database of DATABASE_URL.`,
      })
    } finally {
      await other.close()
    }
  })

  test('a standby that lacks a migration is not read until it has it', async () => {
    const added = `insert into schema_migrations (version, name, checksum, applied_at) values (9999, '', '', now())`
    await caughtUp()
    await replay('pause')
    await db.query(added)
    try {
      const reasons: string[] = []
      const behind = (await openStandby(configOf(readonlyUrl), db, (reason) => reasons.push(reason)))!
      const [row] = await behind.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
      assert.equal(row!.standby, false)
      assert.match(
        reasons.join(),
        /^It has (\d+) of the \d+ migrations of the database of DATABASE_URL: it is behind/,
      )
      await behind.close()
    } finally {
      await db.query('delete from schema_migrations where version = 9999')
      await replay('resume')
    }
  })

  test('while the standby is down, the primary is read', async () => {
    const clerk = await office.visit(await office.employ('CLERK'))
    await server.stop()
    const created = await office.ask('POST', '/v2/customer', { ...ada, first_name: 'Chidi' })
    assert.ok((await clerk.get('/search?q=Chidi')).text.includes(created.json.data.customer_id))
    assert.equal(failures.length, 1)
    const later = (await openStandby(configOf(readonlyUrl), db, (reason) => failures.push(reason)))!
    assert.deepEqual(await later.query('select 1::int4 as one'), [{ one: 1 }])
    assert.equal(failures.length, 2)
    await later.close()
  })

  test('a standby that was promoted is no longer read, on any connection', async () => {
    const started = await startStandby(db.url!)
    assert(typeof started !== 'string', String(started))
    const url = urlWith({ port: new URL(started.url).port })
    const reasons: string[] = []
    const promoted = (await openStandby(configOf(url), db, (reason) => reasons.push(reason)))!
    try {
      await withClient(url, (client) => client.query('select pg_promote()'))
      await office.ask('POST', '/v2/customer', { ...ada, first_name: 'Dayo' })
      assert.equal(await (await promoted.current()).query('select 1').then(() => reasons.length), 1)
      assert.match(reasons.join(), /^It is no longer a standby of the database of DATABASE_URL\.$/)
      const { code, stderr } = await run(['verify'], envOf(url))
      assert.equal(code, 1)
      assert.match(stderr, /cannot be opened: It (accepts changes|is no longer a standby)/)
    } finally {
      await promoted.close()
      await started.stop()
    }
  })

  function envOf(readonly: string) {
    return { DATABASE_URL: db.url!, DATABASE_URL_READONLY: readonly, DATABASE_DURABILITY_CHECK: '0' }
  }

  function configOf(readonly: string) {
    return readConfig(envOf(readonly))
  }

  function urlWith({ port }: { port: string }): string {
    const url = new URL(db.url!)
    url.port = port
    return url.href
  }

  async function verified(): Promise<Record<string, number>> {
    const { code, stdout, stderr } = await run(['verify', '--json'], envOf(readonlyUrl))
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout).checked
  }

  function replay(action: 'pause' | 'resume'): Promise<unknown> {
    return onStandby(`select pg_wal_replay_${action}()`)
  }

  async function caughtUp(): Promise<void> {
    const [row] = await db.query<{ position: string }>('select pg_current_wal_lsn()::text as position')
    const arrived = `select pg_last_wal_replay_lsn() >= '${row!.position}' as arrived`
    while (!(await onStandby(arrived))[0]!.arrived) await sleep(20)
  }

  async function onStandby(text: string): Promise<{ arrived?: boolean }[]> {
    return withClient(readonlyUrl, async (client) => (await client.query(text)).rows)
  }

  /** Whether the standby has returned rows of the table. */
  async function wasRead(table: string): Promise<boolean> {
    const text = `select coalesce(idx_scan, 0) + seq_scan > 0 as arrived from pg_stat_user_tables where relname = '${table}'`
    for (let attempts = 0; attempts < 50; attempts += 1) {
      if ((await onStandby(text))[0]?.arrived) return true
      await sleep(100)
    }
    return false
  }

  async function withClient<Result>(
    connectionString: string,
    work: (client: pg.Client) => Promise<Result>,
  ): Promise<Result> {
    const client = new pg.Client({ connectionString })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
})
