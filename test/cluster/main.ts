/**
 * `npm run test:cluster`: two instances of the service on a cluster of three PostgreSQL nodes, under load, while primaries
 * are killed, frozen, crashed and switched. It leaves nothing behind but a file in results/, and ends with 1 if a change
 * that was acknowledged is not in the books exactly once, as answered.
 *
 *   --rounds N       how often each fault is caused (2)
 *   --seed N         requests and their order (1)
 *   --only NAME      one fault alone, named as in the table
 *   --asynchronous   the control: without synchronous replication the same faults do lose changes, and it is seen
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readConfig } from '../../src/cli/config.ts'
import { withDatabase } from '../../src/cli/database.ts'
import { openPostgres } from '../../src/engine/database/postgres.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { release, releaseText } from '../../src/observe/release.ts'
import { differences, digest } from '../support/auditor.ts'
import { type Heard, type Load, startCallers } from '../support/load/callers.ts'
import { findFreePort } from '../support/postgres-server.ts'
import { compare } from './books.ts'
import {
  ASYNCHRONOUS_SETTINGS,
  type Cluster,
  type Node,
  SAFE_SETTINGS,
  startCluster,
  until,
} from './cluster.ts'
import { launch } from './processes.ts'
import { type CheckedBooks, type Episode, reportOf, reportText } from './report.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    asynchronous: { type: 'boolean', default: false },
  },
})
const rounds = Number(options.rounds)
const seed = Number(options.seed)
const settings = options.asynchronous ? ASYNCHRONOUS_SETTINGS : SAFE_SETTINGS

/** Leaves the machine time for the cluster: one that is too busy to answer Patroni in time fails over without a fault. */
const CALLERS = {
  callers: 16,
  thinkMs: 15,
  pauseMs: 100,
  shares: { update: 25, customer: 5, opening: 10, FULL: 15 },
}

/** Each causes the fault, and repairs what the cluster cannot repair itself. */
const faults: Record<string, (cluster: Cluster, primary: Node, load: Load) => Promise<void>> = {
  'node killed': async (cluster, primary, load) => {
    await cluster.kill(primary)
    await untilTakenOver(cluster, primary, load)
    cluster.start(primary)
  },
  // The primary writes what no standby will ever have; the service stops waiting and looks for it; then it is gone.
  'node killed, standbys behind': async (cluster, primary, load) => {
    cluster.holdBack(primary)
    await sleep(BEHIND_MS)
    await cluster.kill(primary)
    await untilTakenOver(cluster, primary, load)
    cluster.start(primary)
  },
  'node frozen': async (cluster, primary, load) => {
    cluster.freeze(primary)
    await untilTakenOver(cluster, primary, load)
    // It wakes up believing that it is still the primary.
    cluster.thaw(primary)
  },
  'server killed': async (cluster, primary) => {
    await cluster.killServer(primary)
  },
  switchover: async (cluster, primary) => {
    cluster.switchOver(primary)
  },
}

/** Longer than the 3 s that the service waits for the answer to a commit. */
const BEHIND_MS = 4000

const startedMs = performance.now()
const cluster = await startCluster(settings)
if (typeof cluster === 'string') {
  process.stderr.write(`The cluster cannot be started: ${cluster}.\n`)
  process.exit(1)
}
try {
  process.exitCode = (await run(cluster)) ? 0 : 1
} catch (error) {
  process.stderr.write(`${cluster.lastWords()}\n`)
  throw error
} finally {
  await cluster.stop()
}

/** Returns whether every guarantee held. */
async function run(cluster: Cluster): Promise<boolean> {
  say(`a cluster of ${cluster.nodes.length} nodes stands`)
  const terms = { name: 'Cluster Bank', timeZone: 'Africa/Lagos', currency: 'NGN', at: new Date() }
  const config = readConfig({ DATABASE_URL: cluster.url })
  const { keys } = await withDatabase(config, (db) => createCaller(db, terms))
  const services = [await startService(cluster, 1), await startService(cluster, 2)]
  const load = await startCallers({
    ...CALLERS,
    urls: () => services.map((service) => service.url),
    key: keys[0]!.key,
    seed,
  })
  const episodes: Episode[] = []
  const quiet = await watch('none', async () => {
    await sleep(5000)
    return null
  })
  episodes.push(quiet)
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, cause] of Object.entries(faults)) {
      if (name !== (options.only ?? name)) continue
      episodes.push(await watch(name, () => strike(cluster, load, cause)))
      say(`round ${round}: ${name}`)
    }
  }
  await load.stop()
  const alive = services.filter((service) => service.isRunning()).length
  say(`${load.heard.length} requests were answered; the books are checked`)
  const books = await checkBooks(cluster, load.heard)
  const report = reportOf({
    heard: load.heard,
    episodes,
    books,
    services: { started: services.length, alive },
    run: {
      date: new Date().toISOString().slice(0, 10),
      seed,
      rounds,
      seconds: Math.round((performance.now() - startedMs) / 1000),
      machine: { cores: cpus().length, memoryGigabytes: Math.round(totalmem() / 2 ** 30) },
      versions: { breakwater: releaseText(release()), node: process.versions.node, ...cluster.versions },
      settings,
    },
  })
  const folder = fileURLToPath(new URL('../../results', import.meta.url))
  mkdirSync(folder, { recursive: true })
  const file = options.asynchronous ? 'cluster-asynchronous.json' : 'cluster.json'
  writeFileSync(join(folder, file), `${JSON.stringify(report, null, 2)}\n`)
  process.stdout.write(`\n${reportText(report)}\n`)
  return report.holds
}

/** A fault is useful only while changes are being made, and is over when the cluster is complete again. */
async function strike(
  cluster: Cluster,
  load: Load,
  cause: (typeof faults)[string],
): Promise<{ before: string; after: string }> {
  const primary = await cluster.findPrimary()
  if (primary === null) throw new Error('A whole cluster has a primary.')
  await untilProgress(load)
  await cause(cluster, primary, load)
  await untilProgress(load)
  await cluster.untilWhole()
  await untilProgress(load)
  return { before: primary.name, after: (await cluster.findPrimary())?.name ?? 'none' }
}

async function watch(fault: string, work: () => Promise<Episode['primaries']>): Promise<Episode> {
  const fromMs = performance.now()
  const primaries = await work()
  return { fault, fromMs, toMs: performance.now(), primaries }
}

async function untilTakenOver(cluster: Cluster, fallen: Node, load: Load): Promise<void> {
  await until(async () => {
    const primary = await cluster.findPrimary()
    return primary !== null && primary !== fallen
  }, `another node takes over from ${fallen.name}`)
  await untilProgress(load)
}

async function untilProgress(load: Load): Promise<void> {
  const before = load.acknowledged()
  await until(() => load.acknowledged() >= before + 20, 'changes are being made')
}

type RunningService = { url: string; isRunning: () => boolean }

async function startService(cluster: Cluster, number: number): Promise<RunningService> {
  const port = await findFreePort()
  const program = fileURLToPath(new URL('../../bin/breakwater.js', import.meta.url))
  const child = launch([process.execPath, program, 'serve'], {
    directory: cluster.directory,
    log: join(cluster.directory, `service${number}.log`),
    env: {
      PORT: String(port),
      DATABASE_URL: cluster.url,
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'warn',
    },
  })
  const url = `http://127.0.0.1:${port}`
  const isRunning = () => child.exitCode === null && child.signalCode === null
  await until(async () => {
    if (!isRunning()) throw new Error('The service ended at its start.')
    return fetch(`${url}/readyz`).then(
      (answer) => answer.status === 200,
      () => false,
    )
  }, 'the service is ready')
  return { url, isRunning }
}

/** On the primary against the answers and by the auditor; then all nodes against each other. */
async function checkBooks(cluster: Cluster, heard: readonly Heard[]): Promise<CheckedBooks> {
  // The auditor joins whole tables that are minutes old; without statistics the planner would loop over them.
  const hashing = '-c enable_nestloop=off -c enable_mergejoin=off'
  const url = `${cluster.url}?options=${encodeURIComponent(hashing)}`
  const patient = { connectionsMax: 2, statementTimeoutMs: 120_000, queryTimeoutMs: 120_000 }
  const db = await openPostgres({ url, ...patient })
  try {
    return {
      ...(await compare(db, heard)),
      differences: await Array.fromAsync(differences(db)),
      nodesAlike: await untilAlike(cluster),
    }
  } finally {
    await db.close()
  }
}

/** A standby applies a change a moment after it has it, so the first check may come too early. */
async function untilAlike(cluster: Cluster): Promise<boolean> {
  for (let looks = 0; looks < 10; looks += 1) {
    const digests = await Promise.all(cluster.nodes.map((node) => digestOf(cluster.urlOf(node))))
    if (new Set(digests).size === 1) return true
    await sleep(1000)
  }
  return false
}

async function digestOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return JSON.stringify(await digest({ query: async (text) => (await client.query(text)).rows }))
  } finally {
    await client.end()
  }
}

function say(sentence: string): void {
  const seconds = Math.round((performance.now() - startedMs) / 1000)
  process.stdout.write(`${String(seconds).padStart(4)} s  ${sentence}\n`)
}
