/**
 * `npm run record`: rounds of mixed load with random faults, for as long as it is left running. Every round ends by an
 * audit, and appends one line to docs/record.ndjson. A round that lost, doubled or falsified anything ends the program.
 *
 *   --rounds 3          that many, instead of without end
 *   --seconds 120       of load in each round
 *   --callers 192       at the same time
 *   --engine PGlite     or PostgreSQL alone; without it they take turns
 *   --seed 7            the seed of the first round; by default it continues after the last line
 *
 * The seed determines what callers request and which faults come when; how they interleave depends on the machine.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readConfig } from '../../src/cli/config.ts'
import { withDatabase } from '../../src/cli/database.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { release } from '../../src/observe/release.ts'
import { type Environment, type RunningService, run, serve } from '../cli/program.ts'
import { PATIENCE } from '../faults/support/counts.ts'
import { audit } from '../support/auditor.ts'
import { startCrashingPostgres } from '../support/crashing-postgres.ts'
import { startCallers } from '../support/load/callers.ts'
import { type Tally, tally } from '../support/load/tally.ts'
import { createRandom, type Random } from '../support/random.ts'

const RECORD = fileURLToPath(new URL('../../docs/record.ndjson', import.meta.url))
/** Many callers, because the service carries out together what comes together. One that waits for a frozen service gives up. */
const LOAD = {
  thinkMs: 0,
  pauseMs: 25,
  answerTimeoutMs: 2_000,
  shares: { update: 15, credit: 15, opening: 15, FULL: 15 },
}
const TABLES = ['deposits', 'accounts', 'events', 'idempotency_keys', 'ledger_entries']
const END_CONNECTIONS = `
  select pg_terminate_backend(pid)
  from pg_stat_activity
  where datname = current_database()
    and pid <> pg_backend_pid()`
const ENGINES = ['PGlite', 'PostgreSQL'] as const
type EngineName = (typeof ENGINES)[number]

type Line = {
  at: string
  version: string
  commit: string | null
  machine: string
  engine: EngineName
  seed: number
  seconds: number
  faults: Record<string, number>
} & Tally

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string', default: '120' },
    callers: { type: 'string', default: '192' },
    engine: { type: 'string' },
    seed: { type: 'string' },
  },
})
const rounds = Number(options.rounds ?? Number.POSITIVE_INFINITY)
const seconds = Number(options.seconds)
const callers = Number(options.callers)
const earlier = existsSync(RECORD) ? readFileSync(RECORD, 'utf8').trimEnd().split('\n').length : 0
const firstSeed = Number(options.seed ?? earlier + 1)

for (let round = 0; round < rounds; round += 1) {
  const engine = ENGINES.find((name) => name === options.engine) ?? ENGINES[round % ENGINES.length]!
  const line = await playRound(engine, firstSeed + round)
  console.log(JSON.stringify(line))
  appendFileSync(RECORD, `${JSON.stringify(line)}\n`)
  if (line.lost + line.doubled + line.wrong > 0) process.exit(1)
}
// The process that runs commands would wait for more of them.
process.exit(0)

async function playRound(engine: EngineName, seed: number): Promise<Line> {
  const directory = await mkdtemp(join(tmpdir(), 'breakwater-record-'))
  const server = engine === 'PostgreSQL' ? await startCrashingPostgres() : null
  if (typeof server === 'string') throw new Error(server)
  const cleaning: (() => void)[] = []
  const context = { after: (stop: () => void) => void cleaning.push(stop) }
  try {
    const env = server === null ? { DATA_DIR: directory } : { DATABASE_URL: server.url }
    const settings = { ...env, RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'info', DRAIN_MS: '0' }
    const terms = { name: 'Record Bank', timeZone: 'Africa/Lagos', currency: 'NGN', at: new Date() }
    const { caller, keys } = await withDatabase(readConfig(settings), (db) => createCaller(db, terms))
    const instances = await startInstances(context, settings, server === null ? 1 : 2)
    const load = await startCallers({ ...LOAD, callers, urls: instances.urls, key: keys[0]!.key, seed })
    const faults = await disturb(createRandom(seed), faultsOf(instances, server))
    await load.stop()
    await instances.stop()
    const counts = await withDatabase(readConfig({ ...settings, ...PATIENCE }), async (db) => {
      const found = await tally(db, caller.callerId, load.heard)
      await audit(db)
      return found
    })
    const { code, stdout, stderr } = await run(['verify'], { ...env, ...PATIENCE })
    if (code !== 0) throw new Error(`verify: ${stdout}${stderr}`)
    const { version, commit } = release()
    const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`
    const at = new Date().toISOString()
    return { at, version, commit, machine, engine, seed, seconds, faults, ...counts }
  } finally {
    for (const stop of cleaning) stop()
    await server?.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

type Instances = {
  urls: () => string[]
  /** Of one that runs. */
  pick: (random: Random) => number
  /** Ends one by a signal and starts it again. */
  restart: (index: number, signal: NodeJS.Signals) => Promise<void>
  freeze: (index: number, ms: number) => Promise<void>
  stop: () => Promise<void>
}

async function startInstances(
  context: Parameters<typeof serve>[0],
  settings: Environment,
  count: number,
): Promise<Instances> {
  const running: (RunningService | null)[] = []
  for (let index = 0; index < count; index += 1) running.push(await serve(context, settings))
  return {
    urls: () => running.flatMap((one) => one?.url ?? []),
    pick: (random) => random.below(count),
    async restart(index, signal) {
      const ending = running[index]!
      running[index] = null
      ending.kill(signal)
      await ending.end()
      running[index] = await serve(context, settings)
    },
    async freeze(index, ms) {
      const { pid } = running[index]!
      process.kill(pid, 'SIGSTOP')
      await sleep(ms)
      process.kill(pid, 'SIGCONT')
    },
    async stop() {
      for (const one of running) await one?.stop()
    },
  }
}

type Fault = { name: string; strike: (random: Random) => Promise<void> }

function faultsOf(
  instances: Instances,
  server: Exclude<Awaited<ReturnType<typeof startCrashingPostgres>>, string> | null,
): Fault[] {
  const ofService: Fault[] = [
    { name: 'service killed', strike: (random) => instances.restart(instances.pick(random), 'SIGKILL') },
    { name: 'service stopped', strike: (random) => instances.restart(instances.pick(random), 'SIGTERM') },
    {
      name: 'service frozen',
      strike: (random) => instances.freeze(instances.pick(random), freezeMs(random)),
    },
  ]
  if (server === null) return ofService
  return [
    ...ofService,
    {
      name: 'server killed',
      async strike(random) {
        await server.crash()
        await sleep(random.below(500))
        await server.restart()
      },
    },
    { name: 'connections ended', strike: () => inServer(server.url, END_CONNECTIONS) },
    {
      name: 'table locked',
      strike: (random) =>
        inServer(server.url, `begin; lock table ${random.pick(TABLES)}; select pg_sleep(1); commit`),
    },
  ]
}

/** One in four is longer than a server waits for a transaction that does nothing. */
function freezeMs(random: Random): number {
  return random.chance(0.25) ? 5_500 : 200 + random.below(1_500)
}

async function inServer(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** One fault after the other, with pauses in which changes are made. */
async function disturb(random: Random, faults: readonly Fault[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const endMs = performance.now() + seconds * 1000
  await sleep(500)
  while (performance.now() < endMs) {
    const { name, strike } = random.pick(faults)
    await strike(random)
    counts[name] = (counts[name] ?? 0) + 1
    await sleep(1_000 + random.below(6_000))
  }
  return counts
}
