/**
 * What a bank needs when it arrives, in one run on PostgreSQL: a large batch and single liquidations beside it, an import
 * that goes on after kills, the close of a day, payments of interest, and a move from the embedded engine. Deposits are
 * written by the database itself, as for all benchmarks; what is measured is done by the service.
 */
import { join } from 'node:path'
import { createService } from '../src/cli/compose.ts'
import { readConfig } from '../src/cli/config.ts'
import { openDatabase, withDatabase } from '../src/cli/database.ts'
import { OPERATOR } from '../src/domain/actor.ts'
import type { Queries } from '../src/engine/database/database.ts'
import { hashSecret } from '../src/engine/database/secrets.ts'
import { listTables } from '../src/engine/database/table-copy.ts'
import { accounting } from '../src/features/accounting/document.ts'
import { closeDays } from '../src/features/accruals/changes.ts'
import { findByHash } from '../src/features/api-keys/store.ts'
import { documentOf } from '../src/features/documents/changes.ts'
import { startCrashingPostgres } from '../test/support/crashing-postgres.ts'
import type { PostgresServer } from '../test/support/postgres-server.ts'
import { type Arrival, medianOf } from './arrival-table.ts'
import { measureBatches, measureImport } from './arriving-batches.ts'
import { loadBook } from './books.ts'
import { ask, createDatabase, type Env, POSTGRES_SETTINGS, say } from './databases.ts'
import { watchMachine } from './machine.ts'
import { loadPayingBook } from './paying-books.ts'
import { cpuSecondsOf } from './processes.ts'
import { runCommand } from './service.ts'

export const ARRIVAL_PARTS = ['batches', 'import', 'accruals', 'payments', 'move'] as const
type Part = (typeof ARRIVAL_PARTS)[number]

/** Rounds of a day of payments and of one of maturities, in turns. */
const ROUNDS = 3
const PAYMENTS_OF_A_DEPOSIT = 10
/** A smaller batch would end before the liquidations beside it. */
const BESIDE_LINES = 60_000

/** `share` is of the full size; parts that were left out are missing. */
export async function measureArrival(asked: {
  folder: string
  share: number
  parts: readonly Part[]
}): Promise<Partial<Arrival>> {
  const server = await startCrashingPostgres(POSTGRES_SETTINGS)
  if (typeof server === 'string') throw new Error(`The benchmark needs PostgreSQL: ${server}.`)
  const logPath = join(asked.folder, 'service.log')
  const sized = (count: number) => Math.max(400, Math.round((count * asked.share) / 400) * 400)
  const wants = (part: Part) => asked.parts.includes(part)
  const shareOfMachine = watchMachine()
  try {
    return {
      date: new Date().toISOString().slice(0, 10),
      ...(wants('batches') &&
        (await measureBatches({ server, logPath }, Math.max(BESIDE_LINES, sized(1_000_000))))),
      ...(wants('import') && { imported: await measureImport({ server, logPath }, sized(400_000)) }),
      ...(wants('accruals') && { accruals: await measureAccruals(server, sized(1_000_000)) }),
      ...(wants('payments') && {
        due: await measureDueDay(server, sized(100_000)),
        verified: await measureVerified(server, sized(1_000_000)),
      }),
      ...(wants('move') && { moved: await measureMove(server, join(asked.folder, 'data'), sized(200_000)) }),
      share: shareOfMachine(),
    }
  } finally {
    await server.stop()
  }
}

/** The close of yesterday, with the code and the pages of the job. */
async function measureAccruals(server: PostgresServer, deposits: number): Promise<Arrival['accruals']> {
  const env = await createDatabase(server, 'arrive_accruals')
  const { db } = await openDatabase(readConfig(env))
  say(`loading ${deposits} deposits`)
  const { key } = await loadBook(db, { deposits, tenorDays: 365, elapsedDays: 100 })
  const { book } = (await findByHash(db, hashSecret(key)))!
  const limits = { workers: 1, batchMax: 1, queueMax: 1 }
  const service = createService({ db, clock: () => new Date(), limits })
  const origin = { book, actor: OPERATOR, requestId: null, idempotency: null }
  await documentOf(accounting).replace(service, origin, { accruals: 'DAILY', glCodes: new Map() })
  // Accruals begin on the day on which they were switched on, which is closed on the next.
  await ask(env.DATABASE_URL, `update documents set created_at = created_at - interval '1 day'`)
  const startedMs = performance.now()
  const closed = await closeDays(service, book)
  const seconds = (performance.now() - startedMs) / 1000
  await db.close()
  if (closed !== 1) throw new Error(`${closed} days were closed.`)
  const [found] = await ask(
    env.DATABASE_URL,
    `select (select count(*) from ledger_entries where kind = 'ACCRUAL') as entries,
            (select count(distinct currency) from deposits) as currencies`,
  )
  await ask(server.url, 'drop database arrive_accruals')
  say(`accruals of ${deposits} deposits: ${seconds.toFixed(1)} s`)
  return { deposits, seconds, entries: Number(found!.entries), currencies: Number(found!.currencies) }
}

/** One payment of each deposit, and one maturity of each, each round with fresh copies. */
async function measureDueDay(server: PostgresServer, deposits: number): Promise<Arrival['due']> {
  const paying = await load(server, 'arrive_due', (db) => loadPayingBook(db, { deposits, elapsedDays: 35 }))
  const maturing = await load(server, 'arrive_maturing', (db) =>
    loadBook(db, { deposits, tenorDays: 90, elapsedDays: 90, idsInOrder: true }),
  )
  const turns: { payments: number; maturities: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const payments = deposits / (await matureCopy(server, paying))
    const maturities = deposits / (await matureCopy(server, maturing))
    say(`${payments.toFixed(0)} payments, ${maturities.toFixed(0)} maturities a second`)
    turns.push({ payments, maturities })
  }
  for (const name of [paying, maturing]) await ask(server.url, `drop database ${name}`)
  return {
    deposits,
    paymentsPerSecond: medianOf(turns.map(({ payments }) => payments)),
    ratios: turns.map(({ payments, maturities }) => payments / maturities),
  }
}

async function matureCopy(server: PostgresServer, template: string): Promise<number> {
  const name = `${template}_copy`
  const env = await createDatabase(server, name, template)
  await ask(server.url, 'checkpoint')
  const { seconds } = await runCommand(['mature'], env)
  await ask(server.url, `drop database ${name}`)
  return seconds
}

async function measureVerified(server: PostgresServer, payments: number): Promise<Arrival['verified']> {
  const deposits = payments / PAYMENTS_OF_A_DEPOSIT
  // Ten months, and a few days of the eleventh.
  const elapsedDays = 310
  const name = await load(server, 'arrive_payments', (db) => loadPayingBook(db, { deposits, elapsedDays }))
  const env = envOf(server, name)
  say(`making ${payments} payments`)
  await runCommand(['mature'], env)
  for (const table of ['deposits', 'interest_payments', 'ledger_entries', 'events', 'accounts']) {
    await ask(env.DATABASE_URL!, `vacuum analyze ${table}`)
  }
  const [made] = await ask(env.DATABASE_URL!, 'select count(*) as payments from interest_payments')
  if (Number(made!.payments) !== payments) throw new Error(`${made!.payments} payments were made.`)
  const before = cpuSecondsOf(server.pid)
  const run = await runCommand(['verify'], env)
  const databaseCpuSeconds = before === null ? null : cpuSecondsOf(server.pid)! - before
  await ask(server.url, `drop database ${name}`)
  say(`verify of ${payments} payments: ${run.seconds.toFixed(1)} s`)
  return { payments, ...run, databaseCpuSeconds }
}

/** The whole command: reading, writing, reading back, and `verify`. */
async function measureMove(
  server: PostgresServer,
  directory: string,
  deposits: number,
): Promise<NonNullable<Arrival['moved']>> {
  say(`loading ${directory}`)
  await withDatabase(readConfig({ DATA_DIR: directory }), (db) =>
    loadBook(db, { deposits, tenorDays: 365, elapsedDays: 100 }),
  )
  const env = await createDatabase(server, 'arrive_moved')
  const before = cpuSecondsOf(server.pid)
  const run = await runCommand(['move', '--from', directory, '--to', env.DATABASE_URL], {})
  const databaseCpuSeconds = before === null ? null : cpuSecondsOf(server.pid)! - before
  const rows = await withDatabase(readConfig(env), countRows)
  await ask(server.url, 'drop database arrive_moved')
  say(`move of ${rows} rows: ${run.seconds.toFixed(1)} s`)
  return { rows, ...run, databaseCpuSeconds }
}

async function countRows(db: Queries): Promise<number> {
  let rows = 0
  for (const { name } of await listTables(db)) {
    const [counted] = await db.query<{ count: bigint }>(`select count(*) as count from ${name}`)
    rows += Number(counted!.count)
  }
  return rows
}

type Loading = Parameters<typeof withDatabase<unknown>>[1]

async function load(server: PostgresServer, name: string, work: Loading): Promise<string> {
  say(`loading ${name}`)
  await withDatabase(readConfig(await createDatabase(server, name)), work)
  return name
}

function envOf(server: PostgresServer, database: string): Env {
  const url = new URL(server.url)
  url.pathname = `/${database}`
  return { DATABASE_URL: url.href }
}
