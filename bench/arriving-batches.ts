/** A large batch, single liquidations beside it, and an import that is interrupted by kills, over the API as a bank has it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../src/cli/config.ts'
import { withDatabase } from '../src/cli/database.ts'
import type { CrashingPostgres } from '../test/support/crashing-postgres.ts'
import type { Arrival } from './arrival-table.ts'
import { type LoadedBook, loadBook } from './books.ts'
import { ask, createDatabase, type Env, say } from './databases.ts'
import { accountNumberOf, type Targets } from './load.ts'
import { measure } from './measure.ts'
import { peakMemoryMegabytesOf } from './processes.ts'
import { type Running, runCommand, startService } from './service.ts'

type Place = { server: CrashingPostgres; logPath: string }

const PART_LINES = 10_000
/** Few enough that neither core is busy with them alone. */
const CONNECTIONS = 4
const TURN = { warmupMs: 1000, measuredMs: 10_000 }
/** More than all turns can break. */
const TARGETS_OF_A_TURN = 16_000
const POLL_MS = 100

/** The upload of a batch of credits, and what liquidations take without it and beside it. */
export async function measureBatches(
  place: Place,
  lines: number,
): Promise<Pick<Arrival, 'upload' | 'beside'>> {
  const { server, logPath } = place
  const { env, book } = await loadDatabase(server, 'arrive_batches', 3 * TARGETS_OF_A_TURN)
  const service = await startService(env, logPath)
  const call = callerOf(service, book)
  const { upload, path } = await sendLines(call, 'creditAccount', lines, (line) => ({
    ...{ external_id: `CREDIT-${line}`, account_number: accountNumberOf(line % book.customers), amount: 1 },
  }))
  say(`upload of ${lines} lines: ${upload.toFixed(1)} s`)
  await ask(server.url, 'checkpoint')
  const turn = (number: number) => liquidate({ server, service, book }, number)
  const quiet = [await turn(0)]
  await call('POST', `${path}/start`)
  await until(call, path, ({ tried }) => tried > 0)
  const [before, beganMs] = [await statusOf(call, path), performance.now()]
  const beside = await turn(1)
  const [after, endedMs] = [await statusOf(call, path), performance.now()]
  if (after.status !== 'RUNNING') say('The batch ended before the liquidations beside it: use more lines.')
  else await call('POST', `${path}/cancel`)
  quiet.push(await turn(2))
  await service.stop()
  await ask(server.url, 'drop database arrive_batches')
  const quietP99Ms = (quiet[0]! + quiet[1]!) / 2
  say(`p99 ${quietP99Ms.toFixed(2)} ms quiet, ${beside.toFixed(2)} ms beside a batch`)
  const linesPerSecond = ((after.tried - before.tried) / (endedMs - beganMs)) * 1000
  return {
    upload: { lines, seconds: upload },
    beside: { connections: CONNECTIONS, quietP99Ms, besideP99Ms: beside, linesPerSecond },
  }
}

async function liquidate(
  { server, service, book }: { server: CrashingPostgres; service: Running; book: LoadedBook },
  turn: number,
): Promise<number> {
  const last = book.deposits - 1
  const count = TARGETS_OF_A_TURN - 1
  const targets: Targets = { order: 'random', first: turn * count, count, last }
  const about = { engine: 'PostgreSQL', batchMax: 256, deposits: book.deposits } as const
  const { p99Ms } = await measure(
    { port: service.port, books: [book], operation: 'full', connections: CONNECTIONS, targets, ...TURN },
    { ...about, serverPid: service.pid, databasePid: server.pid },
  )
  return p99Ms
}

/** From the first part to the last line, through a kill −9 of the service and one of the database. */
export async function measureImport(place: Place, deposits: number): Promise<Arrival['imported']> {
  const { server, logPath } = place
  const { env, book } = await loadDatabase(server, 'arrive_import', Math.max(400, deposits / 4))
  let service = await startService(env, logPath)
  const call: Call = (...asked) => callerOf(service, book)(...asked)
  let peak: number | null = null
  const notePeak = () => {
    peak = Math.max(peak ?? 0, peakMemoryMegabytesOf(service.pid) ?? 0) || null
  }
  const startDate = new Date(Date.now() - 100 * 86_400_000).toISOString().slice(0, 10)
  await ask(server.url, 'checkpoint')
  const beganMs = performance.now()
  const { path } = await sendLines(call, 'importFixedDeposit', deposits, (line) => ({
    ...{ external_id: `FD-${line}`, account_number: accountNumberOf(line % book.customers) },
    ...{ principal: 1000 + (line % 9000), tenor: 365, interest_rate: 11.5, start_date: startDate },
  }))
  await call('POST', `${path}/start`)
  await until(call, path, ({ tried }) => tried >= deposits / 3)
  notePeak()
  say('kill of the service')
  process.kill(service.pid, 'SIGKILL')
  service = await startService(env, logPath)
  await until(call, path, ({ tried }) => tried >= (2 * deposits) / 3)
  say('kill of the database')
  await server.crash()
  await server.restart()
  await until(call, path, ({ status }) => status === 'DONE')
  const seconds = (performance.now() - beganMs) / 1000
  notePeak()
  await service.stop()
  say(`import of ${deposits} deposits: ${seconds.toFixed(1)} s, ${peak} MB`)
  const wrong = await countWrong(env, deposits)
  await runCommand(['verify'], env)
  await ask(server.url, 'drop database arrive_import')
  return { deposits, seconds, servicePeakMegabytes: peak, wrong }
}

/** Each line has one result, one deposit of its own and one entry; nothing else was made. */
async function countWrong(env: Env, deposits: number): Promise<number> {
  const [found] = await ask(
    env.DATABASE_URL!,
    `select count(*) filter (where outcome = 'SUCCEEDED') as succeeded, count(distinct made_id) as made,
            (select count(*) from deposits where external_id like 'FD-%') as deposits,
            (select count(*) from ledger_entries where kind = 'IMPORT') as entries
     from batch_lines`,
  )
  const apart = Object.values(found!).map((count) => Math.abs(Number(count) - deposits))
  return Math.max(...apart)
}

async function loadDatabase(
  server: CrashingPostgres,
  name: string,
  deposits: number,
): Promise<{ env: Env; book: LoadedBook }> {
  const env = await createDatabase(server, name)
  say(`loading ${deposits} deposits`)
  const book = await withDatabase(readConfig(env), (db) =>
    loadBook(db, { deposits, tenorDays: 365, elapsedDays: 100 }),
  )
  return { env, book }
}

type Call = (method: string, path: string, body?: object | string) => Promise<Record<string, unknown>>

function callerOf({ port }: Running, { key }: LoadedBook): Call {
  return async (method, path, body) => {
    const isFile = typeof body === 'string'
    const type = isFile ? 'application/x-ndjson' : 'application/json'
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
      ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text).data
  }
}

/** Seconds of all parts, without the time that it takes to write them here. */
async function sendLines(
  call: Call,
  operation: string,
  lines: number,
  lineOf: (line: number) => object,
): Promise<{ upload: number; path: string }> {
  const { batch_id } = await call('POST', '/v2/batches', { operation })
  const path = `/v2/batches/${batch_id}`
  let uploadMs = 0
  for (let first = 0, part = 1; first < lines; first += PART_LINES, part += 1) {
    const count = Math.min(PART_LINES, lines - first)
    const text = Array.from({ length: count }, (_, index) => JSON.stringify(lineOf(first + index))).join('\n')
    const sentMs = performance.now()
    await call('POST', `${path}/parts/${part}`, text)
    uploadMs += performance.now() - sentMs
  }
  return { upload: uploadMs / 1000, path }
}

type Status = { tried: number; status: string }

async function statusOf(call: Call, path: string): Promise<Status> {
  const { succeeded, duplicates, failed, status } = await call('GET', path)
  return { tried: Number(succeeded) + Number(duplicates) + Number(failed), status: String(status) }
}

/** The service may be away meanwhile. */
async function until(call: Call, path: string, isReached: (status: Status) => boolean): Promise<void> {
  for (;;) {
    const status = await statusOf(call, path).catch(() => null)
    if (status !== null && isReached(status)) return
    await sleep(POLL_MS)
  }
}
