/**
 * Where the time of an operation goes: the CPU of the service by part, from a profile of V8, and what PostgreSQL counts:
 * statements, log, HOT updates and what its sessions wait for. Each operation has a database and a service of its own,
 * which is warmed up by one turn. No page is logged in full: there is no checkpoint after loading.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { PostgresServer } from '../test/support/postgres-server.ts'
import { ask, createDatabase, type Env, say, startServer } from './databases.ts'
import type { Targets } from './load.ts'
import { measure } from './measure.ts'
import { SCENARIOS } from './operations.ts'
import type { Profile } from './profile-table.ts'
import { startService } from './service.ts'
import { type Load, loadBooks, openTree, type Tree, untilSealed } from './trees.ts'

const TURN = { warmupMs: 0, measuredMs: 2500 }
const STATEMENTS_SHOWN = 8
const LOOK_EVERY_MS = 20

export async function profileOperations(asked: {
  names: readonly string[]
  folder: string
  path: string
}): Promise<Profile[]> {
  const { names, folder, path } = asked
  const tree = await openTree(path)
  const server = await startServer(['shared_preload_libraries=pg_stat_statements', 'track_io_timing=on'])
  const profiles: Profile[] = []
  for (const name of names) {
    const load = SCENARIOS[name]!
    if ('operation' in load) profiles.push(await profile(server, tree, { name, load, folder }))
  }
  await server.stop()
  return profiles
}

async function profile(
  server: PostgresServer,
  tree: Tree,
  asked: { name: string; load: Load; folder: string },
): Promise<Profile> {
  const { name, load, folder } = asked
  const env = await createDatabase(server, `profile_${name}`)
  await ask(env.DATABASE_URL, 'create extension pg_stat_statements')
  const { books, targetsOf } = await loadBooks(tree, env, { load, turns: 2 })
  const directory = join(folder, name)
  const flags = ['--cpu-prof', `--cpu-prof-dir=${directory}`, '--cpu-prof-interval=500']
  const before = await countsOf(env)
  const service = await startService(env, join(folder, 'service.log'), { tree: tree.path, flags })
  await untilSealed(env)
  const { label, operation, connections } = load
  const measureTurn = (targets: Targets) => {
    const plan = { port: service.port, books, operation, connections, targets, ...TURN }
    const about = { engine: 'PostgreSQL', batchMax: 256, deposits: books[0]!.deposits } as const
    return measure(plan, { ...about, serverPid: service.pid, databasePid: server.pid })
  }
  const cold = await measureTurn(targetsOf(0))
  await ask(env.DATABASE_URL, 'select pg_stat_statements_reset()')
  const looking = lookAtSessions(env)
  const beganAt = monotonicMicros()
  const { answers, perSecond, serverCpu, databaseCpu } = await measureTurn(targetsOf(1))
  const endedAt = monotonicMicros()
  const waits = await looking.stop()
  const statements = await statementsOf(env, answers)
  await service.stop()
  // Its sessions report what they counted when they end at the latest, so both turns are counted.
  const counted = countsBetween(before, await countsOf(env), cold.answers + answers)
  say(`${label}: ${perSecond.toFixed(0)}/s`)
  return {
    label,
    perSecond,
    service: { cpu: serverCpu, parts: partsOf(directory, { beganAt, endedAt }) },
    database: { cpu: databaseCpu, statements, ...counted, waits },
  }
}

type Counts = {
  log: { bytes: number; records: number; fullPages: number }
  tables: Map<string, { updates: number; hot: number }>
}

async function countsOf({ DATABASE_URL }: Env): Promise<Counts> {
  const [log] = await ask(DATABASE_URL!, 'select wal_bytes, wal_records, wal_fpi from pg_stat_wal')
  const tables = await ask(DATABASE_URL!, 'select relname, n_tup_upd, n_tup_hot_upd from pg_stat_user_tables')
  return {
    log: {
      bytes: Number(log!.wal_bytes),
      records: Number(log!.wal_records),
      fullPages: Number(log!.wal_fpi),
    },
    tables: new Map(
      tables.map((row) => [row.relname!, { updates: Number(row.n_tup_upd), hot: Number(row.n_tup_hot_upd) }]),
    ),
  }
}

function countsBetween(before: Counts, after: Counts, answers: number) {
  const updates = [...after.tables].flatMap(([table, counts]) => {
    const made = counts.updates - (before.tables.get(table)?.updates ?? 0)
    const hot = counts.hot - (before.tables.get(table)?.hot ?? 0)
    return made === 0 ? [] : [{ table, each: made / answers, hotShare: hot / made }]
  })
  return {
    walBytes: (after.log.bytes - before.log.bytes) / answers,
    walRecords: (after.log.records - before.log.records) / answers,
    fullPages: (after.log.fullPages - before.log.fullPages) / answers,
    updates,
  }
}

async function statementsOf(
  { DATABASE_URL }: Env,
  answers: number,
): Promise<Profile['database']['statements']> {
  const rows = await ask(
    DATABASE_URL!,
    `select query, calls, mean_exec_time * 1000 as micros, rows, wal_bytes
     from pg_stat_statements
     where dbid = (select oid from pg_database where datname = current_database())
       and query not like '%pg_stat_%'
     order by total_exec_time desc
     limit ${STATEMENTS_SHOWN}`,
  )
  return rows.map((row) => {
    const calls = Number(row.calls)
    return {
      text: summaryOf(row.query!),
      calls: calls / answers,
      micros: Number(row.micros),
      rows: Number(row.rows) / calls,
      walBytes: Number(row.wal_bytes) / calls,
    }
  })
}

/** Its verbs and tables, in order. */
function summaryOf(query: string): string {
  const parts = query.matchAll(
    /\b(insert into|update(?! of| skip|\s+nowait)|delete from|from|join)\s+([a-z_]+)/g,
  )
  const named = [...parts].flatMap(([, verb, table]) => {
    if (table === 'unnest' || table === 'lateral' || table === 'set') return []
    return verb === 'from' || verb === 'join' ? `read ${table}` : `${verb!.split(' ')[0]} ${table}`
  })
  const text = [...new Set(named)].join(', ')
  return (text === '' ? query.replace(/\s+/g, ' ') : text).slice(0, 140)
}

/** Looks at what the service's sessions do, again and again. A session that runs and waits for nothing uses a CPU. */
function lookAtSessions({ DATABASE_URL }: Env): { stop: () => Promise<Profile['database']['waits']> } {
  const seen = new Map<string, number>()
  let isOver = false
  const done = look()
  return {
    async stop() {
      isOver = true
      await done
      const total = [...seen.values()].reduce((sum, count) => sum + count, 0)
      return [...seen]
        .map(([wait, count]) => ({ wait, share: count / total }))
        .toSorted((left, right) => right.share - left.share)
    },
  }

  async function look(): Promise<void> {
    const client = new pg.Client({ connectionString: DATABASE_URL! })
    await client.connect()
    while (!isOver) {
      const { rows } = await client.query<{ wait: string; sessions: string }>(SESSIONS)
      for (const { wait, sessions } of rows) seen.set(wait, (seen.get(wait) ?? 0) + Number(sessions))
      await sleep(LOOK_EVERY_MS)
    }
    await client.end()
  }
}

const SESSIONS = `
  select case
           when state = 'active' and wait_event_type is null then 'running'
           when state = 'active' then 'waiting: ' || wait_event_type || ' ' || wait_event
           when state like 'idle in transaction%' then 'waiting for the service, in a transaction'
           else 'idle'
         end as wait,
         count(*) as sessions
  from pg_stat_activity
  where datname = current_database()
    and pid <> pg_backend_pid()
  group by 1`

type CpuProfile = {
  nodes: { id: number; callFrame: { functionName: string; url: string } }[]
  samples: number[]
  timeDeltas: number[]
  startTime: number
}

/** Of each sample the function on top counts, for as long as until the next one. */
function partsOf(
  directory: string,
  { beganAt, endedAt }: { beganAt: number; endedAt: number },
): Profile['service']['parts'] {
  const micros = new Map<string, number>()
  for (const file of readdirSync(directory)) {
    const { nodes, samples, timeDeltas, startTime }: CpuProfile = JSON.parse(
      readFileSync(join(directory, file), 'utf8'),
    )
    const partOfNode = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]))
    let at = startTime
    for (const [index, node] of samples.entries()) {
      at += timeDeltas[index]!
      const part = partOfNode.get(node)!
      const lasted = timeDeltas[index + 1] ?? 0
      if (part !== null && at >= beganAt && at < endedAt) micros.set(part, (micros.get(part) ?? 0) + lasted)
    }
  }
  const total = [...micros.values()].reduce((sum, one) => sum + one, 0)
  return [...micros]
    .map(([part, one]) => ({ part, share: one / total }))
    .toSorted((left, right) => right.share - left.share)
}

/** null: not at work. */
function partOf({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): string | null {
  if (functionName === '(idle)') return null
  if (functionName === '(garbage collector)') return 'garbage collection'
  if (url === '') return 'V8 and the system'
  const dependency = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  if (dependency !== undefined) return dependency
  const room = /\/src\/(features\/[^/]+|engine\/[^/]+|[^/]+)\//.exec(url)?.[1]
  if (room !== undefined) return `src/${room}`
  const library = /^node:(?:internal\/)?([^/]+)/.exec(url)?.[1] ?? ''
  if (/^_http/.test(library)) return 'Node: HTTP'
  return /^(?:net|stream|events|buffer)/.test(library) ? 'Node: streams, events and buffers' : 'Node: other'
}

/** The clock of V8's profiles. */
function monotonicMicros(): number {
  return Number(process.hrtime.bigint() / 1000n)
}
