/** The tables of a run, for the terminal and for the documentation, and its goals. */
import type { Operation } from './load.ts'
import type { Machine } from './machine.ts'
import type { Measurement } from './measure.ts'
import {
  type Comparison,
  comparisonTable,
  type MeasuredOperation,
  operationsTable,
} from './operations-table.ts'
import type { PgbenchRun } from './pgbench.ts'
import { type Profile, profileMarkdown } from './profile-table.ts'
import type { CommandRun } from './service.ts'
import { aligned, cpu, markdown, micros, ratioInTurns, ratioOf, type Table, whole } from './table.ts'

/** CPU seconds per 1,000 requests. */
export type Floor = { perSecond: number; serverCpu: number | null; generatorCpu: number }
export type Growth = {
  deposits: number
  perSecond: number
  turns: readonly number[]
  serverCpu: number | null
  databaseCpu: number | null
  databaseMegabytes: number
}
export type Maturity = { deposits: number; matureSeconds: number; verifySeconds: number }
export type Verification = { liquidations: number } & CommandRun

export type Results = {
  date: string
  machine: Machine & { fsyncMicroseconds: number }
  postgresSettings: readonly string[]
  pgbench: PgbenchRun[]
  floor: Floor | null
  measurements: Measurement[]
  growth: Growth[]
  maturity: Maturity | null
  verification: Verification | null
  operations: MeasuredOperation[] | null
  comparison: Comparison | null
  profiles: Profile[] | null
}

export type Goal = {
  claim: string
  wanted: string
  ratio: number | null
  holds: boolean | null
  /** The explanation from the same run, for goals that are not met. */
  because: string | null
}

function goalsOf(results: Results): Goal[] {
  const pgbenchBest =
    results.pgbench.length === 0 ? null : Math.max(...results.pgbench.map((run) => run.perSecond))
  const full = (engine: Measurement['engine'], connections: number, batched: boolean) =>
    fullOf(results, engine, connections, batched)
  const busy = full('PostgreSQL', 64, true)
  const growth = results.growth
  const toBatchesOfOne = (engine: Measurement['engine'], bound: number, connections: number) =>
    atLeast(
      `${engine}: liquidations a second at ${connections} connections, to batches of one`,
      bound,
      ratioInTurns(full(engine, connections, true), full(engine, connections, false)),
      engine === 'embedded' ? engineBound(results, connections) : batchingCosts(results, connections),
    )
  return [
    atLeast(
      'liquidations a second at 64 connections, to TPC-B transactions of pgbench',
      2,
      ratioOf(busy?.perSecond, pgbenchBest),
      pgbenchBound(results),
    ),
    toBatchesOfOne('PostgreSQL', 5, 64),
    toBatchesOfOne('PostgreSQL', 5, 256),
    atLeast(
      'liquidations a second with 1,000,000 deposits, to 10,000',
      0.9,
      ratioInTurns(growth.at(-1), growth[0]),
      growthCosts(results),
    ),
    atMost('p99 to p50 at 64 connections', 10, ratioOf(busy?.p99Ms, busy?.p50Ms)),
    atMost(
      'latency of a single request (p50), to batches of one',
      1.2,
      ratioOf(full('PostgreSQL', 1, true)?.p50Ms, full('PostgreSQL', 1, false)?.p50Ms),
    ),
    toBatchesOfOne('embedded', 10, 64),
    toBatchesOfOne('embedded', 10, 256),
  ]
}

function atLeast(claim: string, bound: number, ratio: number | null, because: string | null): Goal {
  return { claim, wanted: `≥ ${bound}`, ratio, holds: ratio === null ? null : ratio >= bound, because }
}

function atMost(claim: string, bound: number, ratio: number | null): Goal {
  return { claim, wanted: `≤ ${bound}`, ratio, holds: ratio === null ? null : ratio <= bound, because: null }
}

const OPERATION_NAMES: Record<Operation, string> = {
  full: 'liquidate FULL, each another deposit',
  partial: 'liquidate PARTIAL, one hot deposit',
  quote: 'quote',
  customer: 'update customer',
  credit: 'credit account',
  open: 'open deposit',
  mixed: 'mixed',
}

function measurementsTable(results: Results): Table {
  const pgbench = results.pgbench.map((run) => [
    'PostgreSQL',
    'pgbench TPC-B-like',
    `${run.clients} clients`,
    '',
    '',
    '',
    whole(run.perSecond),
    run.latencyMs.toFixed(2),
    ...['', '', '', ''],
  ])
  const measured = results.measurements.map((one) => [
    one.engine,
    OPERATION_NAMES[one.operation],
    String(one.connections),
    whole(one.deposits),
    one.batchMean === null ? '' : String(one.batchMax),
    one.batchMean === null ? '' : one.batchMean.toFixed(1),
    whole(one.perSecond),
    one.p50Ms.toFixed(2),
    one.p99Ms.toFixed(2),
    cpu(one.serverCpu),
    cpu(one.databaseCpu),
    one.serverPeakMegabytes === null ? '' : String(one.serverPeakMegabytes),
  ])
  return {
    head: [
      'Engine',
      'Operation',
      'Connections',
      'Deposits',
      'Batch at most',
      'On average',
      'Per second',
      'p50 ms',
      'p99 ms',
      'Server CPU s / 1,000',
      'Database CPU s / 1,000',
      'Server peak MB',
    ],
    rows: [...pgbench, ...measured],
  }
}

function goalsTable(results: Results): Table {
  return {
    head: ['Ratio', 'Goal', 'Measured', ''],
    rows: goalsOf(results).map(({ claim, wanted, ratio, holds }) => [
      claim,
      wanted,
      ratio === null ? '' : ratio.toFixed(2),
      holds === null ? 'not measured' : holds ? 'holds' : 'does not hold',
    ]),
  }
}

function growthTable(results: Results): Table {
  return {
    head: [
      'Deposits in the book',
      'Liquidations per second',
      'To the smallest',
      'Server CPU s / 1,000',
      'Database CPU s / 1,000',
      'Database MB',
    ],
    rows: results.growth.map((one) => [
      whole(one.deposits),
      whole(one.perSecond),
      (ratioInTurns(one, results.growth[0]) ?? 1).toFixed(2),
      cpu(one.serverCpu),
      cpu(one.databaseCpu),
      whole(one.databaseMegabytes),
    ]),
  }
}

export function resultsText(results: Results): string {
  return [measurementsTable(results), growthTable(results), goalsTable(results)]
    .map(aligned)
    .concat(missedText(results), maturityText(results), verificationText(results))
    .join('\n\n')
}

export function resultsMarkdown(results: Results): string {
  const { machine } = results
  return `# Benchmarks

Written by \`npm run bench\`, which starts a private PostgreSQL, the service and a load generator as separate
processes on one machine, and measures everything that is compared in one run. Compare ratios, not absolute numbers: the
three processes share ${machine.cores} cores, so the service cannot use what the load generator and the database use.

Every liquidation is authenticated, has an \`Idempotency-Key\`, and is durable, with its ledger entry, event and
idempotency record, before it is answered. Each request is logged. Batches and batches of one are measured in turns, as are
books of different size: tables show the median turn, and ratios are the median of all pairs of turns. Of pgbench's runs the
best one counts.

Taken on ${results.date}: ${machine.processor}, ${machine.cores} cores, ${machine.memoryGigabytes} GB, ${machine.system};
Node ${machine.node}, PostgreSQL ${machine.postgres} (${results.postgresSettings.join(', ')}), PGlite ${machine.pglite};
writing one block durably takes ${machine.fsyncMicroseconds} µs.

## Goals

${markdown(goalsTable(results))}

${missedText(results)}
## Measurements

${markdown(measurementsTable(results))}

## Growth

The same load at 64 connections, in turns, on books of different size, with no checkpoint between loading and measuring.

${markdown(growthTable(results))}

${maturityText(results)}

${verificationText(results)}
${operationsText(results)}
Raw numbers: \`bench/results.json\`. What limits throughput, and what was tried: \`bench/NOTES.md\`.
`
}

function operationsText({ operations, comparison, profiles }: Results): string {
  const operationsPart = `
## Operations

Each operation in turns of a second, at 64 connections and in random order unless it says otherwise. CPU is µs per answer; the
cold turn is the first one after the start.

`
  const comparisonPart = `
## Compared with ${comparison?.other}

Both services, each with its own database on one server, measured in turns of a second; ratios are of this version to the other.

`
  const profilePart = `
## Where the time goes

`
  return [
    operations === null ? '' : `${operationsPart}${markdown(operationsTable(operations))}\n`,
    comparison === null ? '' : `${comparisonPart}${markdown(comparisonTable(comparison))}\n`,
    profiles === null ? '' : `${profilePart}${profiles.map(profileMarkdown).join('\n')}`,
  ].join('')
}

function missedText(results: Results): string {
  const missed = goalsOf(results).flatMap(({ holds, because }) => (holds === false ? (because ?? []) : []))
  return missed.length === 0
    ? ''
    : `### What the same run says of those that do not hold\n\n${missed.join('\n\n')}\n`
}

/**
 * All three processes share the CPU, so the cost of the database and of plain HTTP bounds the throughput of any service
 * here, even of one whose own work costs nothing.
 */
function pgbenchBound(results: Results): string | null {
  const { floor, machine, pgbench } = results
  const busy = fullOf(results, 'PostgreSQL', 64, true)
  if (floor === null || floor.serverCpu === null || busy === undefined || pgbench.length === 0) return null
  const { serverCpu, databaseCpu, generatorCpu } = busy
  if (serverCpu === null || databaseCpu === null) return null
  const best = Math.max(...pgbench.map((run) => run.perSecond))
  const least = databaseCpu + floor.serverCpu + floor.generatorCpu
  const bound = (machine.cores / least) * 1000
  return `A liquidation costs ${micros(databaseCpu)} of processor time in the database, ${micros(serverCpu)} in the service and ${micros(generatorCpu)} in the load
generator. An HTTP server that does nothing costs ${micros(floor.serverCpu)} and its load ${micros(floor.generatorCpu)} a request. So on these ${machine.cores} cores a
service whose own work cost nothing would do ${whole(bound)} a second, ${(bound / best).toFixed(2)} times pgbench. A transaction of pgbench costs
${micros((machine.cores / best) * 1000)} with its client; it changes three rows and inserts one into no index, where a liquidation changes two and inserts four
into ten.`
}

/** Where the disk is fast, batches only save work, not waiting. */
function batchingCosts(results: Results, connections: number): string | null {
  const [one, many] = [false, true].map((batched) => fullOf(results, 'PostgreSQL', connections, batched))
  if (one === undefined || !many?.batchMean) return null
  const cost = (run: Measurement) => (run.serverCpu ?? 0) + (run.databaseCpu ?? 0) + run.generatorCpu
  const cores = (run: Measurement) => ((cost(run) * run.perSecond) / 1000).toFixed(1)
  const { machine } = results
  const next = further(cost(one), cost(many), many.batchMean)
  return `On PostgreSQL a liquidation costs ${micros(cost(one))} of processor time alone and ${micros(cost(many))} in the batches of ${many.batchMean.toFixed(0)} that ${connections} callers
make, with ${cores(one)} and ${cores(many)} of ${machine.cores} cores busy, while a block is made durable in ${machine.fsyncMicroseconds} µs. Batches save waits for the disk, and there are
few to save here; of the work they save what these figures say, a factor of ${(cost(one) / cost(many)).toFixed(1)}. A further one costs a batch
${micros(next)}, so that endless batches would save a factor of ${(cost(one) / next).toFixed(1)}.`
}

/**
 * The cost of each additional liquidation in a batch, from the cost of a single one and of those in batches of this
 * size.
 */
function further(alone: number, each: number, batch: number): number {
  return (each * batch - alone) / (batch - 1)
}

/**
 * The embedded engine is one thread with one session, in which a batch is read, decided by the service, and written:
 * its own work and the wait for the decision bound its throughput, however fast everything else becomes.
 */
function engineBound(results: Results, connections: number): string | null {
  const [one, many] = [false, true].map((batched) => fullOf(results, 'embedded', connections, batched))
  if (!one?.databaseCpu || !many?.databaseCpu || !one.decisions || !many.decisions || !many.batchMean)
    return null
  const { batchMean } = many
  const allInOne = (alone: number, each: number) => {
    const next = further(alone, each, batchMean)
    return next + (alone - next) / connections
  }
  const work = allInOne(one.databaseCpu, many.databaseCpu)
  const decision = allInOne(one.decisions, many.decisions)
  const bound = (seconds: number) =>
    `${whole(1000 / seconds)} a second, ${(1000 / seconds / one.perSecond).toFixed(1)} times batches of one`
  return `The embedded engine is one thread with one session, in which a batch is read, waits to be decided, and is written. In the
batches of ${batchMean.toFixed(0)} that ${connections} callers make it works for ${micros(many.databaseCpu)} on a liquidation and waits for its decision for ${micros(many.decisions)}, so that it can
do ${bound(many.databaseCpu + many.decisions)}. With all ${connections} in one batch, which takes
${micros(work)} and ${micros(decision)} by what a further one costs, it could do ${bound(work + decision)}. A
liquidation alone takes ${micros(one.databaseCpu)} and ${micros(one.decisions)}.`
}

/** A larger book has deeper trees and pages outside the CPU cache; the service does the same work. */
function growthCosts({ growth }: Results): string | null {
  const [first, last] = [growth[0], growth.at(-1)]
  if (!first?.databaseCpu || !last?.databaseCpu || first.serverCpu === null || last.serverCpu === null)
    return null
  return `With ${whole(last.deposits)} deposits instead of ${whole(first.deposits)} a liquidation costs the database ${micros(last.databaseCpu)} instead of ${micros(first.databaseCpu)}, and
the service ${micros(last.serverCpu)} instead of ${micros(first.serverCpu)}. The smaller database has ${whole(first.databaseMegabytes)} MB and the larger one ${whole(last.databaseMegabytes)}, of which each
liquidation visits sixteen places: ten index entries, and six rows found by their keys.`
}

function fullOf(
  results: Results,
  engine: Measurement['engine'],
  connections: number,
  batched: boolean,
): Measurement | undefined {
  return results.measurements.find(
    (one) =>
      one.operation === 'full' &&
      one.engine === engine &&
      one.connections === connections &&
      one.batchMax > 1 === batched,
  )
}

function maturityText({ maturity }: Results): string {
  if (maturity === null) return ''
  const { deposits, matureSeconds, verifySeconds } = maturity
  return (
    `Maturity of ${whole(deposits)} deposits due on one day: ${matureSeconds.toFixed(1)} s, ` +
    `${whole(deposits / matureSeconds)} a second. \`breakwater verify\` over them: ${verifySeconds.toFixed(1)} s.`
  )
}

function verificationText({ verification }: Results): string {
  if (verification === null) return ''
  const { liquidations, seconds, peakMegabytes } = verification
  return (
    `\`breakwater verify\` over ${whole(liquidations)} liquidations, each computed again from its pinned rules: ` +
    `${seconds.toFixed(0)} s in one pass, ${peakMegabytes} MB at most.`
  )
}
