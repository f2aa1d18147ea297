/**
 * `node bench/memory.ts`: the memory of a service on each engine, at the start, after a load of liquidations and at most,
 * with its largest parts. Linux only.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../src/cli/config.ts'
import { withDatabase } from '../src/cli/database.ts'
import { loadBook } from './books.ts'
import { createDatabase, type Env, startServer } from './databases.ts'
import { type Engine, measure } from './measure.ts'
import { startService } from './service.ts'
import { aligned } from './table.ts'

const DEPOSITS = 40_000
const LOAD_MS = 30_000
const MEBIBYTE = 2 ** 20

const folder = mkdtempSync(join(tmpdir(), 'breakwater-memory-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const server = await startServer()
const rows = [
  await measureMemory('PostgreSQL', await createDatabase(server, 'breakwater_memory')),
  await measureMemory('embedded', { DATA_DIR: join(folder, 'data') }),
]
await server.stop()
const columns = Object.keys(rows[0]!)
console.log(aligned({ head: columns, rows: rows.map((row) => columns.map((column) => String(row[column]))) }))

async function measureMemory(engine: Engine, env: Env): Promise<Record<string, string | number | null>> {
  // The book is written by statements that take longer than any of the service.
  const patience = { DATABASE_STATEMENT_TIMEOUT_MS: '600000', DATABASE_QUERY_TIMEOUT_MS: '600000' }
  const book = await withDatabase(readConfig({ ...env, ...patience }), (db) =>
    loadBook(db, { deposits: DEPOSITS, tenorDays: 365, elapsedDays: 100 }),
  )
  const service = await startService({ ...env, QUEUE_WAIT_MAX_MS: '600000' }, join(folder, `${engine}.log`))
  const started = residentMegabytesOf(service.pid)
  const last = DEPOSITS - 1
  const { serverPeakMegabytes } = await measure(
    {
      port: service.port,
      books: [book],
      operation: 'full',
      connections: 64,
      targets: { order: 'random', first: 0, count: last, last },
      warmupMs: 1000,
      measuredMs: LOAD_MS,
    },
    {
      engine,
      batchMax: 256,
      deposits: DEPOSITS,
      serverPid: service.pid,
      databasePid: engine === 'embedded' ? null : server.pid,
    },
  )
  const loaded = residentMegabytesOf(service.pid)
  const metrics = await (await fetch(`http://127.0.0.1:${service.port}/metrics`)).text()
  const spaceOf = (space: string) =>
    megabytes(metrics, `nodejs_heap_space_size_total_bytes\\{space="${space}"\\} (\\d+)`, MEBIBYTE)
  await service.stop()
  return {
    engine,
    'at the start': started.all,
    'after the load': loaded.all,
    'at most': serverPeakMegabytes,
    'program file': loaded.all - loaded.anonymous,
    'new objects': spaceOf('new'),
    'old objects': spaceOf('old'),
    // Wasm memory, compiled code and what the compiler and buffers used.
    others: loaded.anonymous - spaceOf('new') - spaceOf('old'),
  }
}

function residentMegabytesOf(pid: number): { all: number; anonymous: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return {
    all: megabytes(text, 'Rss: +(\\d+) kB', 1024),
    anonymous: megabytes(text, 'Anonymous: +(\\d+) kB', 1024),
  }
}

function megabytes(text: string, pattern: string, unitsInOne: number): number {
  return Math.round(Number(new RegExp(`^${pattern}`, 'm').exec(text)![1]) / unitsInOne)
}
