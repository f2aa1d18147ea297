/**
 * docs/reliability.md: an introduction that is written by hand, and sections that are made from what suites counted. A
 * section is replaced alone, so a figure stays, with its version and commit, until its suite has run again.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type Machine, takenOn } from '../bench/machine.ts'
import { releaseText } from '../src/observe/release.ts'

const PAGE = new URL('../docs/reliability.md', import.meta.url)
const RECORD = new URL('../docs/record.ndjson', import.meta.url)

/** Replaces the sections with these titles on the page. */
export function writeSections(sections: readonly string[]): void {
  writeFileSync(PAGE, withSections(readFileSync(PAGE, 'utf8'), sections))
}

export function withSections(page: string, sections: readonly string[]): string {
  const titleOf = (section: string) => section.slice(0, section.indexOf('\n'))
  const replaced = new Map(sections.map((section) => [titleOf(section), `${section.trimEnd()}\n`]))
  const parts = page.trimEnd().split(/\n(?=## )/)
  const missing = [...replaced.keys()].filter((title) => !parts.some((part) => titleOf(part) === title))
  if (missing.length > 0) throw new Error(`The page has no section "${missing}".`)
  return parts.map((part) => replaced.get(titleOf(part)) ?? `${part.trimEnd()}\n`).join('\n')
}

type Counted = { title: string; file: string; says: string }

/** The long runs of the tests, with their description on the page. */
export const SUITES: Record<string, readonly Counted[]> = {
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
      title: 'Tampering',
      file: 'test/hostile/tampering.test.ts',
      says: 'Random single changes of stored rows by hand, all of which the seals of the book show.',
    },
    {
      title: 'Webhook addresses',
      file: 'test/features/webhooks/address-guard.test.ts',
      says: 'Every spelling of addresses that must never be connected to.',
    },
  ],
  rolling: [
    {
      title: 'Behind nginx and HAProxy',
      file: 'test/rolling/restarts.ts',
      says: 'Two deployments of two instances are restarted in turn under load: no request fails or is sent again.',
    },
  ],
}
const TITLES: Record<string, string> = {
  power: 'Power loss',
  faults: 'Faults',
  hostile: 'Hostile input',
  rolling: 'Rolling restarts',
}

export type FileCounts = {
  file: string
  passed: number
  failed: number
  skipped: number
  diagnostics: string[]
}
export type SuiteResult = { suite: string; date: string; machine: Machine; files: FileCounts[] }
export type Mutants = { date: string; machine: Machine; lines: string[] }

export type RecordLine = Record<'acknowledged' | 'lost' | 'doubled' | 'wrong', number> & {
  version: string
  commit: string | null
  engine: string
  faults: Record<string, number>
}

/** The lines of `npm run record`, oldest first. */
export function readRecord(): RecordLine[] {
  const lines = readFileSync(RECORD, 'utf8').trimEnd().split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as RecordLine)
}

/** Its rounds, summed by engine and program. */
export function recordSection(rounds: readonly RecordLine[]): string {
  const engines = Map.groupBy(rounds, ({ engine }) => engine)
  const rows = [...engines]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([engine, ofEngine]) => {
      const programs = Map.groupBy(ofEngine, (round) => releaseText(round))
      return [
        ...[...programs].map(([program, ofProgram]) => recordRow(engine, program, ofProgram)),
        recordRow(engine, '**all**', ofEngine),
      ]
    })
  const faults = Object.entries(sumOfFaults(rounds)).toSorted(([, left], [, right]) => right - left)
  return [
    '## The record',
    '',
    'Rounds of mixed load with random faults, each ended by an audit and by `verify`: `npm run record` appends a line to',
    '[record.ndjson](record.ndjson) for each, with its seed and machine.',
    '',
    '| Engine | Version (commit) | Rounds | Acknowledged | Faults | Lost | Doubled | Wrong |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    `Faults by kind: ${faults.map(([kind, count]) => `${kind} ${whole(count)}`).join(', ')}.`,
    '',
  ].join('\n')
}

function recordRow(engine: string, program: string, rounds: readonly RecordLine[]): string {
  const sum = (member: 'acknowledged' | 'lost' | 'doubled' | 'wrong') =>
    rounds.reduce((total, round) => total + round[member], 0)
  const faults = Object.values(sumOfFaults(rounds)).reduce((total, count) => total + count, 0)
  const counts = [rounds.length, sum('acknowledged'), faults, sum('lost'), sum('doubled'), sum('wrong')]
  return `| ${[engine, program, ...counts.map(whole)].join(' | ')} |`
}

function sumOfFaults(rounds: readonly RecordLine[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { faults } of rounds) {
    for (const [kind, count] of Object.entries(faults)) sums[kind] = (sums[kind] ?? 0) + count
  }
  return sums
}

export function suiteSection(result: SuiteResult): string {
  const { suite } = result
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

export type Overload = {
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

export function overloadSection(result: Overload): string {
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

export function mutantsSection(result: Mutants): string {
  const unseen = result.lines.filter((line) => line.startsWith('UNSEEN')).length
  const rows = result.lines.map((line) => `| ${line.replace(/^(\S+)\s+/, '$1 | ').replace(' · ', ' | ')} |`)
  return `## Mutants

${takenWith(result)} Broken variants of the service, each of which a suite must detect: ${result.lines.length} were tried,
${unseen} were not detected.

| | Variant | Detected by |
|---|---|---|
${rows.join('\n')}
`
}

export type Cluster = {
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

export function clusterSection(result: Cluster): string {
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
