/**
 * `npm run scoreboard`: runs the suites that check the guarantees, stores their counts in results/, and writes
 * docs/reliability.md from them, with the machine they ran on.
 *
 *   --only power,faults,hostile,overload,mutants   some of them; for the others the last counts are used
 *   --only none                                    only write the page
 *
 * The cluster has its own command, `npm run test:cluster`; its last counts are included.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { describeMachine, type Machine, takenOn } from '../bench/machine.ts'
import { startPostgresServer } from '../test/support/postgres-server.ts'

const root = new URL('../', import.meta.url)
const inRoot = (path: string) => fileURLToPath(new URL(path, root))

type Counted = { title: string; file: string; says: string }

/** The long runs of the tests, with their description on the page. */
const SUITES: Record<string, readonly Counted[]> = {
  power: [
    {
      title: 'Power cuts',
      file: 'test/faults/power-loss.test.ts',
      says: 'The disk of the embedded engine is stopped at any write; what was not synced is dropped or torn.',
    },
  ],
  faults: [
    {
      title: 'Crash points',
      file: 'test/faults/crash-points.test.ts',
      says: 'The process is killed at every point between request and response, and the request is retried with the same key.',
    },
    {
      title: 'Kills under load',
      file: 'test/faults/kills.test.ts',
      says: 'Service and database are killed at random moments while clients retry until they are answered.',
    },
    {
      title: 'Unknown commits',
      file: 'test/faults/unknown-commits.test.ts',
      says: 'The connection to PostgreSQL is cut at every message, including between COMMIT and its response.',
    },
    {
      title: 'Simulation',
      file: 'test/faults/simulation.test.ts',
      says: 'Many instances, overlapping requests, errors at every statement; one order must explain all responses.',
    },
    {
      title: 'Further simulation',
      file: 'test/faults/simulation-further.test.ts',
      says: 'Other worlds, and those on PostgreSQL.',
    },
    {
      title: 'Lock order',
      file: 'test/faults/lock-order.test.ts',
      says: 'All changes of the same accounts and deposits at the same time, without a deadlock.',
    },
  ],
  hostile: [
    {
      title: 'Fuzz',
      file: 'test/hostile/fuzz.test.ts',
      says: 'Requests generated from grammars, valid to hostile: no fault, no echo of the input, no effect of a refused request.',
    },
    {
      title: 'Tenants',
      file: 'test/hostile/tenants.test.ts',
      says: 'Every route with identifiers of other callers and the other mode, under every scope, answers as if they did not exist.',
    },
    {
      title: 'Smuggling',
      file: 'test/hostile/smuggling.test.ts',
      says: 'Requests whose end is ambiguous: rejected, or answered once and in order.',
    },
    {
      title: 'Canaries',
      file: 'test/hostile/canaries.test.ts',
      says: 'Personal values and secrets are searched for in logs, refusals, events, webhooks, metrics and stored answers.',
    },
    {
      title: 'Connections',
      file: 'test/hostile/connections.ts',
      says: 'Hundreds of slow, silent, half-closed and non-reading connections, while normal clients are served.',
    },
    {
      title: 'Webhook addresses',
      file: 'test/features/webhooks/address-guard.test.ts',
      says: 'Every spelling of addresses that must never be connected to.',
    },
  ],
}
const TITLES: Record<string, string> = { power: 'Power loss', faults: 'Faults', hostile: 'Hostile input' }
const PROGRAMS = { overload: 'test/overload/main.ts', mutants: 'test/mutants/main.ts' }

type FileCounts = { file: string; passed: number; failed: number; skipped: number; diagnostics: string[] }
type SuiteResult = { suite: string; date: string; seconds: number; machine: Machine; files: FileCounts[] }
type Mutants = {
  suite: 'mutants'
  date: string
  machine: Machine
  lines: string[]
  mutants: number
  unseen: number
}

const { values: options } = parseArgs({ options: { only: { type: 'string' } } })
const all = [...Object.keys(SUITES), ...Object.keys(PROGRAMS)]
const wanted = options.only === undefined ? all : options.only.split(',').filter((name) => all.includes(name))
// The counts of the long run, in every process that is started from here.
process.env.FAULTS = 'ci'

mkdirSync(inRoot('results'), { recursive: true })
if (wanted.length > 0) await runAll()
writeFileSync(inRoot('docs/reliability.md'), page())

async function runAll(): Promise<void> {
  const server = await startPostgresServer()
  if (typeof server === 'string') throw new Error(`The scoreboard needs PostgreSQL: ${server}.`)
  process.env.DATABASE_URL_TEST = server.url
  const machine = describeMachine(server)
  try {
    for (const suite of wanted) {
      say(suite)
      if (suite === 'overload') runProgram(PROGRAMS.overload)
      else if (suite === 'mutants') keep('mutants', await countMutants(machine))
      else keep(suite, await countTests(suite, machine))
    }
  } finally {
    await server.stop()
  }
}

async function countTests(suite: string, machine: Machine): Promise<SuiteResult> {
  const startedMs = performance.now()
  const files: FileCounts[] = []
  for (const { file } of SUITES[suite]!) files.push(await countFile(inRoot(file)))
  const date = new Date().toISOString().slice(0, 10)
  const seconds = Math.round((performance.now() - startedMs) / 1000)
  return { suite, date, seconds, machine, files }
}

async function countFile(path: string): Promise<FileCounts> {
  const counts: FileCounts = { file: basename(path), passed: 0, failed: 0, skipped: 0, diagnostics: [] }
  const tests = run({ files: [path], concurrency: 1 })
  tests.on('test:pass', ({ skip, details }) => {
    if (details.type === 'suite') return
    if (skip === undefined) counts.passed += 1
    else counts.skipped += 1
  })
  tests.on('test:fail', ({ name }) => {
    counts.failed += 1
    say(`  failed: ${name}`)
  })
  tests.on('test:diagnostic', ({ message }) => {
    // The runner's own summary at the end is plain text.
    if (message.includes('{')) counts.diagnostics.push(message)
  })
  for await (const _ of tests);
  return counts
}

async function countMutants(machine: Machine): Promise<Mutants> {
  const { stdout } = runProgram(PROGRAMS.mutants)
  const lines = stdout.split('\n').filter((line) => /^(?:seen|UNSEEN) /.test(line))
  const unseen = lines.filter((line) => line.startsWith('UNSEEN')).length
  const date = new Date().toISOString().slice(0, 10)
  return { suite: 'mutants', date, machine, lines, mutants: lines.length, unseen }
}

function runProgram(path: string): { stdout: string } {
  return spawnSync(process.execPath, [inRoot(path)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
  })
}

function keep(suite: string, result: object): void {
  writeFileSync(inRoot(`results/${suite}.json`), `${JSON.stringify(result, null, 2)}\n`)
}

function kept<Result>(suite: string): Result | null {
  const path = inRoot(`results/${suite}.json`)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Result) : null
}

function page(): string {
  return `# Reliability

Written by \`npm run scoreboard\` from the counts of its suites. Every suite ends with the same independent checker of the
books, which shares no code with the service, and every failure can be replayed from its seed.

## Guarantees

- An acknowledged change is durable. A change without a response happened once or not at all, and a retry with its
  Idempotency-Key shows which. A refused request changed nothing.
- Money is never created, lost, paid twice or moved between books.
- After any crash the service starts again without manual repair.
- Any input, from any client, is answered as documented; no client can access another caller's book; no log, error, event or
  metric contains a personal value or a key.
- Under overload, accepted requests are answered quickly, and the rest are rejected immediately.

## Limits

- **Loss of the disk of the embedded engine** loses its data: there is one copy. Back up the directory, or use PostgreSQL with
  standbys.
- **Disks that confirm writes too early.** Both engines rely on fsync: what the hardware has not really written may be lost.
- **Asynchronous replication.** With asynchronous standbys, or when PostgreSQL may fall back to them, a failover loses what
  only the old primary had. \`docs/cluster.md\` describes a cluster that does not.
- **A response in every case.** When the database does not recover within seconds of a COMMIT, the client gets
  \`outcome_unknown\` and has to retry with the same key.
- **Exactly-once messages.** Webhooks arrive at least once; \`webhook-id\` identifies duplicates.
- **Floods of connections from many addresses** have to be stopped by a proxy or a firewall in front of the service.

${recordSection()}
${Object.keys(SUITES).map(suiteSection).join('\n')}
${overloadSection()}
${mutantsSection()}
${clusterSection()}
`
}

type RecordLine = Record<'acknowledged' | 'lost' | 'doubled' | 'wrong' | 'seconds', number> & {
  version: string
  commit: string | null
  engine: string
  faults: Record<string, number>
}

/** The lines of `npm run record`, summed by engine, version and commit. */
function recordSection(): string {
  const path = inRoot('docs/record.ndjson')
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []
  const rounds = lines.map((line) => JSON.parse(line) as RecordLine)
  const groups = Map.groupBy(rounds, (one) => `${one.engine} | ${one.version}, ${one.commit?.slice(0, 12)}`)
  const rows = [...groups].map(([name, ofGroup]) => {
    const sum = (member: keyof RecordLine & ('acknowledged' | 'lost' | 'doubled' | 'wrong')) =>
      ofGroup.reduce((total, one) => total + one[member], 0).toLocaleString('en')
    const faults = ofGroup.flatMap((one) => Object.values(one.faults)).reduce((total, one) => total + one, 0)
    const sums = [sum('acknowledged'), faults.toLocaleString('en'), sum('lost'), sum('doubled'), sum('wrong')]
    return `| ${name} | ${ofGroup.length} | ${sums.join(' | ')} |`
  })
  return [
    '## The record',
    '',
    'Rounds of mixed load with random faults, each ended by an audit and by `verify`: `npm run record` appends a line to',
    '[record.ndjson](record.ndjson) for each.',
    '',
    '| Engine | Version, commit | Rounds | Acknowledged | Faults | Lost | Doubled | Wrong |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function suiteSection(suite: string): string {
  const result = kept<SuiteResult>(suite)
  if (result === null)
    return `## ${TITLES[suite]}\n\nNot counted yet: \`npm run scoreboard -- --only ${suite}\`.\n`
  const rows = SUITES[suite]!.flatMap(({ title, file, says }) => {
    const counts = result.files.find((one) => one.file === basename(file))
    if (counts === undefined) return []
    const { passed, failed, skipped } = counts
    const left = skipped === 0 ? '' : `, ${skipped} left out`
    return [`| ${title} | ${says} | ${passed} passed, ${failed} failed${left} |`]
  })
  const details = result.files.flatMap(({ file, diagnostics }) => {
    const title = SUITES[suite]!.find((one) => basename(one.file) === file)?.title
    return diagnostics.map((text) => `- ${title}: ${plain(text)}`)
  })
  return [
    `## ${TITLES[suite]}`,
    '',
    takenWith(result),
    '',
    '| | What is done | Tests |',
    '|---|---|---|',
    ...rows,
    '',
    ...details,
    '',
  ].join('\n')
}

/** {"lost":0,"doubled":0} reads as lost 0, doubled 0. */
function plain(text: string): string {
  const at = text.indexOf('{')
  const end = text.lastIndexOf('}')
  const counts = JSON.parse(text.slice(at, end + 1)) as Record<string, unknown>
  return `${text.slice(0, at)}${flat(counts)}${text.slice(end + 1)}`
}

function flat(counts: Record<string, unknown>): string {
  return Object.entries(counts)
    .map(([name, value]) =>
      typeof value === 'object' && value !== null
        ? `${name} (${flat(value as Record<string, unknown>)})`
        : `${name} ${typeof value === 'number' ? value.toLocaleString('en') : value}`,
    )
    .join(', ')
}

type Overload = {
  seconds: number
  turns: number
  machine: Machine
  date: string
  reports: {
    engine: string
    capacityPerSecond: number
    loads: {
      times: number
      acceptedPerSecond: number
      acceptedP99Ms: number
      statuses: Record<string, number>
      unsent: number
      memoryPeakMegabytes: number
      health: { asked: number; failed: number; maxMs: number }
    }[]
    goals: { name: string; wanted: string; measured: number; holds: boolean }[]
  }[]
}

function overloadSection(): string {
  const result = kept<Overload>('overload')
  if (result === null) return '## Overload\n\nNot counted yet: `npm run test:overload`.\n'
  const loads = result.reports.flatMap(({ engine, capacityPerSecond, loads }) =>
    loads.map((load) =>
      [
        engine,
        `${load.times} × ${whole(capacityPerSecond)}`,
        whole(load.acceptedPerSecond),
        whole(load.acceptedP99Ms),
        whole(load.statuses['503'] ?? 0),
        whole(load.unsent),
        String(load.memoryPeakMegabytes),
        `${load.health.asked - load.health.failed} of ${load.health.asked}, at most ${whole(load.health.maxMs)} ms`,
      ].join(' | '),
    ),
  )
  const goals = result.reports.flatMap(({ engine, goals }) =>
    goals.map((goal) =>
      [engine, goal.name, goal.wanted, goal.measured, goal.holds ? 'holds' : 'does not hold'].join(' | '),
    ),
  )
  return `## Overload

${takenWith(result)} Requests are sent when they are due, whether or not those before them were answered, over at
most 2,000 connections from a process on the same machine; a request that finds none free is counted as not sent. The loads
take turns, ${result.turns} times ${result.seconds} seconds each, and each round begins with measuring the capacity: rates are averages of all
turns, latencies medians, memory is that of the first turn, and the rest is counted in all.

| Engine | Offered per second | Accepted per second | p99 of accepted, ms | 503 | Not sent | Memory, MB | /healthz |
|---|---|---|---|---|---|---|---|
${loads.map((row) => `| ${row} |`).join('\n')}

| Engine | Goal | Wanted | Measured | |
|---|---|---|---|---|
${goals.map((row) => `| ${row} |`).join('\n')}
`
}

function mutantsSection(): string {
  const result = kept<Mutants>('mutants')
  if (result === null) return '## Mutants\n\nNot counted yet: `npm run scoreboard -- --only mutants`.\n'
  const rows = result.lines.map((line) => `| ${line.replace(/^(\S+)\s+/, '$1 | ').replace(' · ', ' | ')} |`)
  return `## Mutants

${takenWith(result)} Broken variants of the service, each of which a suite must detect: ${result.mutants} were tried,
${result.unseen} were not detected.

| | Variant | Detected by |
|---|---|---|
${rows.join('\n')}
`
}

type Cluster = {
  run: {
    date: string
    rounds: number
    seed: number
    versions: Record<string, string>
    machine: { cores: number }
  }
  answered: number
  lost: number
  doubled: number
  wrong: number
  unknown: { asked: number; hadBeenDone: number; hadNotBeenDone: number }
  longestGapSeconds: number
  episodes: {
    fault: string
    seconds: number
    answered: number
    denied: number
    unknown: number
    gapSeconds: number
  }[]
}

function clusterSection(): string {
  const result = kept<Cluster>('cluster')
  if (result === null) return '## Cluster\n\nNot counted yet: `npm run test:cluster`.\n'
  const { run: about, unknown } = result
  const rows = result.episodes.map(({ fault, seconds, answered, denied, unknown, gapSeconds }) =>
    [fault, seconds, answered, denied, unknown, gapSeconds].join(' | '),
  )
  return `## Cluster

Taken on ${about.date}, seed ${about.seed}, ${about.rounds} rounds, ${about.machine.cores} cores; ${flat(about.versions)}.
Three PostgreSQL nodes in strict synchronous mode, two instances of the service under load. Of ${whole(result.answered)}
acknowledged changes ${result.lost} were lost, ${result.doubled} doubled and ${result.wrong} answered wrongly. Of ${unknown.asked}
requests with an unknown outcome ${unknown.hadBeenDone} had been carried out, ${unknown.hadNotBeenDone} had not. The longest time
without a response was ${result.longestGapSeconds} seconds.

| Fault | Seconds | Answered | Rejected with 503 | Unknown | Longest gap, s |
|---|---|---|---|---|---|
${rows.map((row) => `| ${row} |`).join('\n')}
`
}

function takenWith(result: { date: string; machine: Machine }): string {
  const { processor, cores, memoryGigabytes, system, node, postgres, pglite } = result.machine
  return (
    `${takenOn(result)}: ${processor}, ${cores} cores, ${memoryGigabytes} GB, ${system}; ` +
    `Node ${node}, PostgreSQL ${postgres}, PGlite ${pglite}.`
  )
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
