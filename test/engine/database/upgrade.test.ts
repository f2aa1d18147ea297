/**
 * Books of an earlier version, migrated to the newest schema: old rows keep their meaning, and new ones continue from
 * them.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isoDate } from '../../../src/domain/dates.ts'
import { createVersionCache } from '../../../src/engine/change/version-cache.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import { migrate } from '../../../src/engine/database/migrations.ts'
import { hashSecret, newSecretKey } from '../../../src/engine/database/secrets.ts'
import { timeSpan } from '../../../src/engine/database/time-span.ts'
import { listBooks } from '../../../src/features/callers/store.ts'
import { readSums } from '../../../src/features/holding/store.ts'
import { verify } from '../../../src/features/verification/verify.ts'
import { audit } from '../../support/auditor.ts'
import { placeBooks, placeSchema, writeBooks } from '../../support/earlier-books.ts'
import { forEachEngine, migrationsFolder, skipOnSeveralServers } from '../../support/engines.ts'
import { actorOf, ada, openDeposit, startService } from '../../support/service.ts'

/** Of parts of a deposit that paid no interest before. */
const NOTHING_TAKEN_BACK = { paid_share: 0, unearned: 0, recovered: 0 }

/** Of the test book. */
const KEY = 'key_CZKJKrYZLj2OuXCS12eL4L2F'
/** Broken in three parts on 2026-07-01 and in one on 2026-08-01. */
const SPLIT = 'fd_snGTGL4iKT8cLaIVGR1i0Dvc'

/** Of the test book of 0.2.0. */
const MAKER_OF_0_2_0 = 'key_0mwknn3h7k63hLWtRhaz7pFY'
const CHECKER_OF_0_2_0 = 'key_0mwknn5ptdziZr0P24bVShFn'

forEachEngine(({ test }) => {
  test('what 0.1.0 writes and reads is still there, so its instances may run during an upgrade', async (db) => {
    const now = await columnsOf(db)
    await placeBooks(db, '0.1.0')
    assertKept(await columnsOf(db), now)
  })

  test('books of 0.1.0 verify after the upgrade, and so does what is broken afterwards', async (db) => {
    await placeBooks(db, '0.1.0')
    assert((await migrate(db, migrationsFolder)).applied.length > 0)
    await verifyAll(db)
    await audit(db)

    const { askWith, clock, close } = await startService(db)
    clock.now = new Date('2026-08-01T11:00:00.000Z')
    const key = newSecretKey('test')
    await db.query('update api_keys set key_hash = $1 where api_key_id = $2', [hashSecret(key), KEY])
    const ask = askWith(key)
    const kept = await ask('GET', `/v2/fixed-deposits/${SPLIT}/liquidations`)
    assert.deepEqual(
      kept.json.data.map((one: Record<string, any>) => [
        one.interest_paid,
        one.penal_charge,
        one.explanation.earlier_today,
      ]),
      [
        [179.45, 50, null],
        [26.85, 10.74, null],
        [136.99, 50, null],
        [136.99, 50, null],
      ],
    )

    const [oldest] = (await ask('GET', `/v2/audit-log?subject_id=${SPLIT}`)).json.data.reverse()
    assert.deepEqual(oldest.actor, await actorOf(ask))

    const broken = []
    for (const amount of [1_000, 2_000]) {
      const body = { liquidation_type: 'PARTIAL', amount }
      const { data } = (await ask('POST', `/v2/fixed-deposits/${SPLIT}/liquidate`, body)).json
      const { explanation } = (await ask('GET', `/v2/liquidations/${data.liquidation_id}`)).json.data
      broken.push([data.interest_paid, data.penal_charge, explanation.earlier_today])
    }
    // What 0.1.0 broke earlier on this day was assessed alone, and stays so.
    assert.deepEqual(broken, [
      [35.89, 35.89, null],
      [71.78, 14.11, { principal: 1000, interest: 35.89, penal_assessed: 35.89, ...NOTHING_TAKEN_BACK }],
    ])
    await close()
    await verifyAll(db)
    await audit(db)
  })

  test('what 0.2.0 writes and reads is still there, and what it writes beside a newer version is whole', async (db) => {
    const now = await columnsOf(db)
    await placeSchema(db, '0.2.0')
    assertKept(await columnsOf(db), now)
    await migrate(db, migrationsFolder)
    await writeBooks(db, '0.2.0')
    await verifyAll(db, 5)
    await audit(db)

    const book = (await listBooks(db)).find(({ mode }) => mode === 'test')!
    const span = timeSpan(book, { from: isoDate('2026-07-01'), to: isoDate('2026-08-01') })
    const subjects = [MAKER_OF_0_2_0, CHECKER_OF_0_2_0].map((id) => `KEY ${id}`)
    const asked = { of: 'ACTOR', kind: 'LIQUIDATION', subjects, span } as const
    // Three parts that stand, and what the other key approved.
    assert.deepEqual(await readSums(db, book.bookId, asked), new Map([[subjects[0], 210_000_000n]]))

    const { askWith, clock, close } = await startService(db)
    clock.now = new Date('2026-08-01T11:00:00.000Z')
    const key = newSecretKey('test')
    await db.query("update api_keys set key_hash = $1 where name = 'Checker'", [hashSecret(key)])
    const ask = askWith(key)
    const { data } = (await ask('GET', '/v2/fixed-deposits?status=ACTIVE')).json
    const [{ deposit_id }] = data
    const broken = await ask('POST', `/v2/fixed-deposits/${deposit_id}/liquidate`, {
      liquidation_type: 'FULL',
    })
    assert.equal(broken.status, 200, broken.text)
    const waiting = (await ask('GET', '/v2/approvals?status=APPROVED')).json.data
    assert.equal(waiting.length, 1)
    await close()
    await verifyAll(db, 6)
    await audit(db)
  })

  test('a liquidation without policy reads and writes what one of 0.2.0 did', async (db) => {
    const read: string[] = []
    const { ask, close } = await startService(listening(db, read))
    const broken: Record<string, Set<string>>[] = []
    for (const key of ['one', 'two']) {
      const { depositId } = await openDeposit(ask, { amount: 1000 })
      const before = await rowsOf(db)
      read.length = 0
      const headers = { 'idempotency-key': key }
      const body = { liquidation_type: 'FULL' }
      const answer = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body, headers)
      assert.equal(answer.status, 200, answer.text)
      broken.push(columnsWritten(before, await rowsOf(db), await columnsOf(db)))
    }
    await close()
    // By the second time the key and the rules are known.
    assert.deepEqual(tablesIn(read, await rowsOf(db)), ['accounts', 'books', 'deposits', 'idempotency_keys'])
    await placeSchema(db, '0.2.0')
    const known = await columnsOf(db)
    for (const written of broken) {
      const columns = Object.entries(written).flatMap(([table, names]) =>
        [...names].map((name) => `${table}.${name}`),
      )
      assert.deepEqual([...new Set(columns.map((name) => name.split('.')[0]))].sort(), [
        ...['accounts', 'deposits', 'events', 'idempotency_keys', 'ledger_entries', 'liquidations'],
      ])
      // Parts of a day are taxed together where they are taxed alike.
      assert.deepEqual(
        columns.filter((name) => !known.has(name)),
        ['liquidations.taxed_with'],
      )
    }
  })

  test('customers of 0.2.0 are found by the composed form of their address after the upgrade', async (db) => {
    const { ask, close } = await startService(db)
    const decomposed = 'zoe\u0301@example.com'
    await ask('POST', '/v2/customer', { ...ada, email: decomposed })
    // As 0.2.0 kept it.
    await db.query('update customers set email_key = $1', [decomposed])
    await db.query('update people set email_key = $1', [decomposed])
    const found = async () =>
      (await ask('GET', `/v2/customer?email=${encodeURIComponent('Zo\u00e9@example.com')}`)).json.data.length
    assert.equal(await found(), 0)
    await db.script(await readFile(join(migrationsFolder, '0028_email_keys.sql'), 'utf8'))
    assert.equal(await found(), 1)
    await close()
  })
}, skipOnSeveralServers)

type Column = {
  table_name: string
  column_name: string
  data_type: string
  is_nullable: string
  column_default: string | null
}

/** Notes the statements by which transactions read. */
function listening(db: Database, read: string[]): Database {
  return {
    ...db,
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          ...tx,
          query: (text, values) => {
            read.push(text)
            return tx.query(text, values)
          },
        }),
      ),
  }
}

function tablesIn(statements: readonly string[], tables: Rows): string[] {
  const named = statements.flatMap((text) => [...text.matchAll(/\b(?:from|join|into|update) ([a-z_]+)/g)])
  return [...new Set(named.map(([, name]) => name!))].filter((name) => tables.has(name)).sort()
}

type Row = Record<string, unknown>
/** By table, the rows as texts. */
type Rows = Map<string, Set<string>>

async function rowsOf(db: Database): Promise<Rows> {
  const tables = await db.query<{ name: string }>(
    `select tablename::text as name from pg_tables where schemaname = 'public'`,
  )
  const rows: Rows = new Map()
  for (const { name } of tables) {
    const found = await db.query<{ row: string }>(`select to_jsonb(${name})::text as row from ${name}`)
    rows.set(name, new Set(found.map(({ row }) => row)))
  }
  return rows
}

/** By table, the columns that rows which are new or changed have something in, other than their default. */
function columnsWritten(
  before: Rows,
  now: Rows,
  known: ReadonlyMap<string, Column>,
): Record<string, Set<string>> {
  const written: Record<string, Set<string>> = {}
  for (const [table, rows] of now) {
    for (const text of rows.difference(before.get(table)!)) {
      const row: Row = JSON.parse(text)
      const names = Object.keys(row).filter((name) => {
        const initial = known
          .get(`${table}.${name}`)!
          .column_default?.replace(/::.*$/, '')
          .replaceAll(/['{}]/g, '')
        return row[name] !== null && String(row[name]) !== initial
      })
      written[table] = (written[table] ?? new Set()).union(new Set(names))
    }
  }
  return written
}

/** Every column of before is as it was, and what a version of before inserts needs no new one. */
function assertKept(before: ReadonlyMap<string, Column>, now: ReadonlyMap<string, Column>): void {
  assert(before.size > 100)
  for (const [name, column] of before) assert.deepEqual(now.get(name), column, name)
  const tables = new Set([...before.values()].map(({ table_name }) => table_name))
  for (const [name, { table_name, is_nullable, column_default }] of now) {
    if (before.has(name) || !tables.has(table_name)) continue
    assert(is_nullable === 'YES' || column_default !== null, name)
  }
}

async function columnsOf(db: Database): Promise<Map<string, Column>> {
  const columns = await db.query<Column>(
    `select table_name, column_name, data_type, is_nullable, column_default
     from information_schema.columns
     where table_schema = 'public'`,
  )
  return new Map(columns.map((column) => [`${column.table_name}.${column.column_name}`, column]))
}

async function verifyAll(db: Database, liquidations = 12): Promise<void> {
  const { checked, difference } = await verify(await listBooks(db), { db, versions: createVersionCache() })
  assert.equal(difference, null)
  assert(checked.liquidations >= liquidations)
}
