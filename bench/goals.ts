/** What is wanted, and what the measurements say of the goals that are not met. */

import type { Results } from './figures.ts'
import type { Measurement } from './measure.ts'
import type { MeasuredOperation } from './operations-table.ts'
import { micros, ratioInTurns, ratioOf, type Table, whole, wrapped } from './table.ts'

type Goal = {
  claim: string
  wanted: string
  measured: number | null
  holds: boolean | null
  /** What was measured with it, for goals that are not met. */
  because: string | null
}

function goalsOf(results: Results): Goal[] {
  const { growth, verification } = results
  const full = (engine: Measurement['engine'], connections: number, batched: boolean) =>
    fullOf(results, engine, connections, batched)
  const busy = full('PostgreSQL', 64, true)
  const toBatchesOfOne = (engine: Measurement['engine'], bound: number, connections: number) =>
    atLeast(
      `${engine}: liquidations a second at ${connections} connections, to batches of one`,
      bound,
      ratioInTurns(full(engine, connections, true), full(engine, connections, false)),
      engine === 'embedded' ? engineBound(results, connections) : batchingCosts(results, connections),
    )
  const own = (name: string) => results.operations?.find((one) => one.name === name)
  const toOne = (name: string, label: string, bound: number) =>
    atLeast(
      `${label}, to liquidations of one book`,
      bound,
      ratioInTurns(own(name), own('full')),
      costsBeside(own(name), own('full')),
    )
  const toPgbench = (name: string, connections: number, bound: number) => {
    const [liquidations, pgbench] = [name, 'pgbench'].map((asked) =>
      results.besidePgbench?.find((one) => one.name === asked),
    )
    return atLeast(
      `liquidations a second at ${connections} connections, to TPC-B transactions of pgbench`,
      bound,
      ratioInTurns(liquidations, pgbench),
      pgbenchBound(results, liquidations, pgbench),
    )
  }
  const toOther = (name: string, bound: number) => {
    const [this_, other] = [results.comparison?.own, results.comparison?.others].map((side) =>
      side?.find((one) => one.name === name),
    )
    return atLeast(
      `${this_?.label ?? name}, to ${results.comparison?.other ?? 'another version'}`,
      bound,
      ratioInTurns(this_, other),
      costsBeside(this_, other),
    )
  }
  return [
    toPgbench('full', 64, 0.9),
    toPgbench('full256', 256, 1.1),
    toOne('full8', 'liquidations a second over 8 books', 0.7),
    toOne('full40', 'liquidations a second over 40 books', 0.7),
    toOne('customer', 'updates of customers a second', 0.8),
    toOther('full', 1),
    toOther('customer', 3),
    toOther('open', 3),
    toOther('credit', 3),
    toOther('quote', 2.5),
    toOther('mature', 2),
    atMost('a single liquidation, p50 in ms', 1.2, own('full1')?.p50Ms ?? null, singleCosts(own('full1'))),
    atMost(
      '`verify` of 1,000,000 liquidations, in seconds',
      60,
      verification?.seconds ?? null,
      verificationCosts(results),
    ),
    toBatchesOfOne('PostgreSQL', 5, 64),
    toBatchesOfOne('PostgreSQL', 5, 256),
    atLeast(
      'liquidations a second with 1,000,000 deposits, to 10,000',
      0.9,
      ratioInTurns(growth.at(-1), growth[0]),
      growthCosts(results),
    ),
    atMost('p99 to p50 at 64 connections', 10, ratioOf(busy?.p99Ms, busy?.p50Ms), null),
    atMost(
      'latency of a single request (p50), to batches of one',
      1.2,
      ratioOf(full('PostgreSQL', 1, true)?.p50Ms, full('PostgreSQL', 1, false)?.p50Ms),
      null,
    ),
    toBatchesOfOne('embedded', 10, 64),
    toBatchesOfOne('embedded', 10, 256),
  ]
}

function atLeast(claim: string, bound: number, measured: number | null, because: string | null): Goal {
  return {
    claim,
    wanted: `≥ ${bound}`,
    measured,
    holds: measured === null ? null : measured >= bound,
    because,
  }
}

function atMost(claim: string, bound: number, measured: number | null, because: string | null): Goal {
  return {
    claim,
    wanted: `≤ ${bound}`,
    measured,
    holds: measured === null ? null : measured <= bound,
    because,
  }
}

export function goalsTable(results: Results): Table {
  return {
    head: ['', 'Goal', 'Measured', ''],
    rows: goalsOf(results).map(({ claim, wanted, measured, holds }) => [
      claim,
      wanted,
      measured === null ? '' : measured.toFixed(2),
      holds === null ? 'not measured' : holds ? 'holds' : 'does not hold',
    ]),
  }
}

export function missedText(results: Results): string {
  const missed = goalsOf(results).flatMap(({ claim, holds, because }) =>
    holds === false && because !== null ? wrapped(`**${claim}**: ${because}`) : [],
  )
  return missed.length === 0
    ? ''
    : `### What was measured with those that do not hold\n\n${missed.join('\n\n')}\n`
}

/** Service, database and load generator share the processors, so their work bounds the throughput. */
function pgbenchBound(
  { machine }: Results,
  liquidations: MeasuredOperation | undefined,
  pgbench: MeasuredOperation | undefined,
): string | null {
  if (!liquidations?.serverCpu || !liquidations.databaseCpu || !liquidations.generatorCpu || !pgbench)
    return null
  const { serverCpu, databaseCpu, generatorCpu, perSecond } = liquidations
  const each = serverCpu + databaseCpu + generatorCpu
  const bound = (machine.cores / each) * 1000
  return `a liquidation costs ${micros(serverCpu)} of processor time in the service, ${micros(databaseCpu)} in the database and
${micros(generatorCpu)} in the load generator; a transaction of pgbench ${micros((machine.cores / pgbench.perSecond) * 1000)} with its client. It changes three rows and
inserts one into no index, where a liquidation changes two and inserts four into ten. With ${machine.cores} processors always busy that
is ${whole(bound)} liquidations a second, ${(bound / pgbench.perSecond).toFixed(2)} times pgbench. They were busy for ${((perSecond / bound) * 100).toFixed(0)} percent of the time: the service is one
thread, and while both batches wait for it, the database waits too.`
}

function costsBeside(
  one: MeasuredOperation | undefined,
  other: MeasuredOperation | undefined,
): string | null {
  if (!one?.serverCpu || !one.databaseCpu || !other?.serverCpu || !other.databaseCpu) return null
  const ratio = (other.serverCpu + other.databaseCpu) / (one.serverCpu + one.databaseCpu)
  const busy = (side: MeasuredOperation) => ((side.serverCpu! * side.perSecond) / 10).toFixed(0)
  return `it costs the service ${micros(one.serverCpu)} instead of ${micros(other.serverCpu)}, and the database ${micros(one.databaseCpu)} instead of ${micros(other.databaseCpu)}. By that
alone the ratio is ${ratio.toFixed(2)}. The service, nearly all of it one thread, was busy for ${busy(one)} instead of ${busy(other)} percent of the time.`
}

function singleCosts(one: MeasuredOperation | undefined): string | null {
  if (!one?.serverCpu || !one.databaseCpu) return null
  return `it takes ${micros(one.serverCpu)} of the service's processor time and ${micros(one.databaseCpu)} of the database's, nearly all of it one after the other.`
}

function verificationCosts({ verification, machine }: Results): string | null {
  if (!verification?.cpuSeconds || !verification.databaseCpuSeconds) return null
  const { cpuSeconds, databaseCpuSeconds } = verification
  return `it took ${whole(cpuSeconds)} seconds of processor time in the service and ${whole(databaseCpuSeconds)} in the database. On ${machine.cores} processors that is at least
${whole((cpuSeconds + databaseCpuSeconds) / machine.cores)} seconds.`
}

/** Where the disk is fast, batches only save work, not waiting. */
function batchingCosts(results: Results, connections: number): string | null {
  const [one, many] = [false, true].map((batched) => fullOf(results, 'PostgreSQL', connections, batched))
  if (one === undefined || !many?.batchMean) return null
  const cost = (run: Measurement) => (run.serverCpu ?? 0) + (run.databaseCpu ?? 0) + run.generatorCpu
  const cores = (run: Measurement) => ((cost(run) * run.perSecond) / 1000).toFixed(1)
  const { machine } = results
  const next = further(cost(one), cost(many), many.batchMean)
  return `a liquidation costs ${micros(cost(one))} of processor time alone and ${micros(cost(many))} in the batches of ${many.batchMean.toFixed(0)} that ${connections} callers
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
  return `the engine is one thread with one session, in which a batch is read, waits to be decided, and is written. In the
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
  return `with ${whole(last.deposits)} deposits instead of ${whole(first.deposits)} a liquidation costs the database ${micros(last.databaseCpu)} instead of ${micros(first.databaseCpu)}, and
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
