/**
 * Ledgers of others beside this one, on one PostgreSQL, in turns: a movement of money that is durable, idempotent and has
 * its entries. Theirs is called as their documentation says; ours is a liquidation. Their programs are built by Go's
 * ordinary client into a folder outside the repository, which holds none of their code.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { release, releaseText } from '../src/observe/release.ts'
import type { PostgresServer } from '../test/support/postgres-server.ts'
import { ask, createDatabase, say } from './databases.ts'
import { type GoProgram, installGoProgram } from './go-programs.ts'
import { blnkBody, type Operation, type PeerOperation, type Targets } from './load.ts'
import { measure } from './measure.ts'
import { SCENARIOS, summaryOf, type Turn } from './operations.ts'
import type { Peer, PeerName, Peers } from './peers-table.ts'
import { cpuSecondsOf } from './processes.ts'
import { answersOk, type Running, startProgram, startService, THIS_TREE } from './service.ts'
import { type Load, loadBooks, openTree, untilSealed } from './trees.ts'

/** The commit of a release: tags of its second version do not fit the path of its module. */
const FORMANCE: GoProgram = {
  name: 'formance',
  module: 'github.com/formancehq/ledger',
  package: 'github.com/formancehq/ledger',
  version: 'v0.0.0-20251204132242-3d438e4b28ef',
}
const BLNK: GoProgram = {
  name: 'blnk',
  module: 'github.com/blnkfinance/blnk',
  package: 'github.com/blnkfinance/blnk/cmd',
  version: 'latest',
}

const CONNECTIONS = 64
/** Longer than those of one service alone: the slowest party makes a few hundred movements a second. */
const TURN = { warmupMs: 0, measuredMs: 2000 }
const COLD_TURNS = 1
const PAIRS = 1_000

type Party = {
  name: PeerName
  label: string
  version: string
  port: number
  pid: number
  /** Of processes that work for it beside its service. */
  furtherPids: readonly number[]
  operation: Operation
  book: { bookId: string; key: string }
  targetsOf: (turn: number) => Targets
  stop: () => Promise<void>
}

type PeerTurn = Turn & { requests: number; walBytes: number }

export async function measurePeers(
  server: PostgresServer,
  asked: { rounds: number; folder: string; programs: string },
): Promise<Peers> {
  const { rounds, folder, programs } = asked
  const missing: string[] = []
  const parties: Party[] = [await startOwn(server, { folder, turns: rounds + COLD_TURNS })]
  const leaveOut = (label: string, reason: string) => {
    say(`${label} is not in the table: ${reason}`)
    missing.push(
      `${label} is not in the table: it could not be installed, started or measured on this machine.`,
    )
  }
  for (const [label, begin] of [
    ['Formance', startFormance],
    ['Blnk', startBlnk],
  ] as const) {
    const started = await begin(server, { folder, programs }).catch((error: Error) => error.message)
    if (typeof started === 'string') leaveOut(label, started)
    else parties.push(started)
  }
  const turns = new Map(parties.map(({ name }) => [name, [] as PeerTurn[]]))
  for (let round = 0; round < rounds + COLD_TURNS; round += 1) {
    // No party is always first.
    for (const party of round % 2 === 0 ? [...parties] : parties.toReversed()) {
      const turn = await take(server, party, round).catch(async (error: Error) => {
        if (party.name === 'breakwater') throw error
        leaveOut(party.label, error.message)
        parties.splice(parties.indexOf(party), 1)
        await party.stop()
      })
      if (turn === undefined) continue
      turns.get(party.name)!.push(turn)
      say(`${party.name} ${round}: ${turn.perSecond.toFixed(0)}/s, ${turn.walBytes.toFixed(0)} bytes of log`)
    }
  }
  for (const { stop } of parties) await stop()
  const tigerbeetle = runTigerBeetle(folder, programs)
  if (typeof tigerbeetle === 'string') {
    say(`TigerBeetle is not shown: ${tigerbeetle}.`)
    missing.push('TigerBeetle, the limit, is not shown: its program was not on this machine.')
  }
  return {
    peers: parties.map((party) => peerOf(party, turns.get(party.name)!)),
    tigerbeetle: typeof tigerbeetle === 'string' ? null : tigerbeetle,
    missing,
  }
}

function peerOf({ name, label, version }: Party, turns: readonly PeerTurn[]): Peer {
  const counted = turns.slice(COLD_TURNS)
  const sum = (figure: (turn: PeerTurn) => number) => counted.reduce((total, turn) => total + figure(turn), 0)
  const walBytes = sum((turn) => turn.walBytes * turn.requests) / sum(({ requests }) => requests)
  return { ...summaryOf({ name, label }, turns), name, version, walBytes }
}

async function take(server: PostgresServer, party: Party, round: number): Promise<PeerTurn> {
  const { port, pid, furtherPids, operation, book, targetsOf } = party
  const furtherCpu = () => furtherPids.reduce((sum, one) => sum + (cpuSecondsOf(one) ?? 0), 0)
  const before = { wal: await walPosition(server), cpu: furtherCpu() }
  const turn = await measure(
    { port, books: [book], operation, connections: CONNECTIONS, targets: targetsOf(round), ...TURN },
    { engine: 'PostgreSQL', batchMax: 256, deposits: 0, serverPid: pid, databasePid: server.pid },
  )
  const { requests, serverCpu } = turn
  return {
    ...turn,
    serverCpu: serverCpu === null ? null : serverCpu + ((furtherCpu() - before.cpu) / requests) * 1000,
    walBytes: ((await walPosition(server)) - before.wal) / requests,
  }
}

async function walPosition(server: PostgresServer): Promise<number> {
  const [row] = await ask(server.url, `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`)
  return Number(row!.bytes)
}

async function startOwn(
  server: PostgresServer,
  { folder, turns }: { folder: string; turns: number },
): Promise<Party> {
  const load = SCENARIOS.full as Load
  const env = await createDatabase(server, 'peers_breakwater')
  const { books, targetsOf } = await loadBooks(await openTree(THIS_TREE), env, { load, turns })
  const { port, pid, stop } = await startService(env, join(folder, 'service.log'))
  await untilSealed(env)
  return {
    ...{ name: 'breakwater', label: 'Breakwater', version: releaseText(release()), operation: 'full' },
    ...{ port, pid, furtherPids: [], book: books[0]!, targetsOf, stop },
  }
}

type Begin = (server: PostgresServer, asked: { folder: string; programs: string }) => Promise<Party | string>

/** Their pairs of accounts are visited again in each turn. */
function theirs(name: PeerOperation) {
  const targets: Targets = { order: 'random', first: 0, count: PAIRS, last: PAIRS }
  return { name, operation: name, book: { bookId: 'bench', key: 'none' }, targetsOf: () => targets } as const
}

const startFormance: Begin = async (server, { folder, programs }) => {
  const installed = installGoProgram(FORMANCE, programs)
  if (typeof installed === 'string') return installed
  const { DATABASE_URL } = await createDatabase(server, 'peers_formance')
  const { port, pid, stop } = await startProgram({
    file: installed.path,
    args: (port) => [
      ...['serve', '--auto-upgrade', '--bind', `127.0.0.1:${port}`],
      ...['--postgres-uri', `${DATABASE_URL}?sslmode=disable`],
    ],
    env: () => ({}),
    logPath: join(folder, 'formance.log'),
    isReady: (port) => answersOk(port, '/_healthcheck'),
  })
  await post(port, '/v2/bench', {})
  for (let first = 1; first <= PAIRS; first += 100) {
    const postings = Array.from({ length: 100 }, (_, index) => ({
      ...{ source: 'world', destination: `deposits:${first + index}` },
      ...{ asset: 'NGN/2', amount: 1_000_000_000 },
    }))
    await post(port, '/v2/bench/transactions', { postings, metadata: {} })
  }
  const { version } = installed
  return { ...theirs('formance'), label: 'Formance', version, port, pid, furtherPids: [], stop }
}

const startBlnk: Begin = async (server, { folder, programs }) => {
  const file = findProgram(['redis-server', 'valkey-server'], programs)
  if (file === null) return 'it needs a Redis, and there is none on this machine'
  const installed = installGoProgram(BLNK, programs)
  if (typeof installed === 'string') return installed
  const cwd = join(folder, 'blnk')
  mkdirSync(cwd)
  const redis = await startProgram({
    ...{ file, cwd, env: () => ({}), logPath: join(folder, 'redis.log'), isReady: isListening },
    args: (port) => [...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']],
  })
  const { DATABASE_URL } = await createDatabase(server, 'peers_blnk')
  const env = {
    BLNK_DATA_SOURCE_DNS: `${DATABASE_URL}?sslmode=disable`,
    BLNK_REDIS_DNS: `127.0.0.1:${redis.port}`,
    ...{ BLNK_ENABLE_TELEMETRY: 'false', BLNK_ENABLE_OBSERVABILITY: 'false' },
  }
  const migrated = spawnSync(installed.path, ['migrate', 'up'], {
    ...{ cwd, encoding: 'utf8', env: { PATH: process.env.PATH, ...env } },
  })
  const service = await startProgram({
    ...{ file: installed.path, cwd, logPath: join(folder, 'blnk.log'), isReady: isListening },
    args: () => ['start'],
    env: (port) => ({ ...env, BLNK_SERVER_PORT: String(port) }),
  }).catch(async (error: Error) => {
    await redis.stop()
    throw new Error(`${error.message}${migrated.status === 0 ? '' : migrated.stderr}`)
  })
  await createBalances(service.port)
  return {
    ...{ ...theirs('blnk'), label: 'Blnk', version: installed.version },
    ...{ port: service.port, pid: service.pid, furtherPids: [redis.pid] },
    stop: () => stopBoth(service, redis),
  }
}

/** A balance is created by the first movement that names it. */
async function createBalances(port: number): Promise<void> {
  const numbers = Array.from({ length: PAIRS }, (_, index) => index + 1)
  while (numbers.length > 0) {
    const next = numbers.splice(0, 16)
    await Promise.all(
      next.map((number) => post(port, '/transactions', JSON.parse(blnkBody(number, `first-${number}`)))),
    )
  }
}

async function stopBoth(service: Running, redis: Running): Promise<void> {
  await service.stop()
  await redis.stop()
}

async function post(port: number, path: string, body: unknown): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`)
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** One replica, with its own client: no PostgreSQL, no HTTP. */
function runTigerBeetle(folder: string, programs: string): Exclude<Peers['tigerbeetle'], null> | string {
  const file = findProgram(['tigerbeetle'], programs)
  if (file === null) return 'its program is not on this machine'
  const run = (args: readonly string[]) => {
    const { stdout, stderr } = spawnSync(file, args, { cwd: folder, encoding: 'utf8', timeout: 300_000 })
    return `${stdout}${stderr}`
  }
  const perSecond = /([\d,]+) tx\/s/.exec(run(['benchmark']))?.[1]
  const version = /\d+\.\d+\.\d+/.exec(run(['version']))?.[0] ?? ''
  if (perSecond === undefined) return 'its benchmark did not say how many transfers it made a second'
  return { version, perSecond: Number(perSecond.replaceAll(',', '')) }
}

/** In the folder of the peers, or where the system looks for programs. */
function findProgram(names: readonly string[], programs: string): string | null {
  const folders = [programs, ...(process.env.PATH ?? '').split(delimiter)]
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  return paths.find((path) => existsSync(path)) ?? null
}
