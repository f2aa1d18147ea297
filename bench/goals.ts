/** What is wanted, and what the measurements say of the goals that are not met. */

import type { Growth, Results } from './figures.ts'
import { growthGoalsOf } from './growth-table.ts'
import { MIXED } from './load.ts'
import type { Measurement } from './measure.ts'
import type { Comparison, MeasuredOperation } from './operations-table.ts'
import { micros, ratioOf, ratiosInTurns, type Table, whole, wrapped } from './table.ts'

type Goal = {
  claim: string
  wanted: string
  measured: number | null
  /** The lowest and the highest of all pairs of turns; null where there is one figure. */
  spread: { lowest: number; highest: number } | null
  holds: boolean | null
  /** What was measured with it, for goals that are not met. */
  because: string | null
}

/** A figure, or those of all pairs of turns, of which the median counts. */
type Measured = number | readonly number[] | null

function goalsOf(results: Results): Goal[] {
  return [
    ...sideBySideGoals(results),
    ...firstReleaseGoals(results),
    ...lastReleaseGoals(results),
    ...batchGoals(results),
  ]
}

/** Of the operations of this version, and of PostgreSQL's own benchmark. */
function sideBySideGoals(results: Results): Goal[] {
  const own = (name: string) => findIn(results.operations, name)
  const toOne = (name: string, label: string, bound: number) =>
    atLeast(
      `${label}, to liquidations of one book`,
      bound,
      ratiosInTurns(own(name), own('full')),
      costsBeside(own(name), own('full')),
    )
  const toPgbench = (name: string, connections: number, bound: number) => {
    const [liquidations, pgbench] = [name, 'pgbench'].map((asked) => findIn(results.besidePgbench, asked))
    return atLeast(
      `liquidations a second at ${connections} connections, to TPC-B transactions of pgbench`,
      bound,
      ratiosInTurns(liquidations, pgbench),
      pgbenchBound(results, liquidations, pgbench),
    )
  }
  const [fresh, warm] = ['fresh', 'warm'].map((name) => findIn(results.fresh, name))
  return [
    toPgbench('full', 64, 1),
    toPgbench('full256', 256, 1.3),
    toOne('full8', 'liquidations a second over 8 books', 0.7),
    toOne('full40', 'liquidations a second over 40 books', 0.85),
    toOne('customer', 'updates of customers a second', 0.8),
    atLeast(
      'all operations mixed, to what each of them in a service of its own predicts',
      0.9,
      mixedRatios(results.mixed),
      mixedCosts(results.mixed),
    ),
    atLeast(
      'the first minute of a new database, to a warm one beside it',
      0.9,
      ratiosInTurns(fresh, warm),
      costsBeside(fresh, warm),
    ),
    ...processesGoals(results),
    atMost('a single liquidation, p50 in ms', 1.2, own('full1')?.p50Ms ?? null, singleCosts(own('full1'))),
  ]
}

/** Each number of processes has as many callers for each process, so that batches are as large. */
function processesGoals(results: Results): Goal[] {
  const [one, oneForTwo, two, ...more] = results.processes ?? []
  return [
    atLeast(
      `liquidations a second of 2 processes on ${results.machine.cores} cores, to one with the same callers`,
      0.97,
      ratiosInTurns(two, oneForTwo),
      costsBeside(two, oneForTwo),
    ),
    ...[2, 4, 8].map((count, place) =>
      atMost(
        `CPU of a liquidation in ${count} processes, to one with as many callers each`,
        1.1,
        ratioOf(cpuOf([two, ...more][place]), cpuOf(one)),
        costsBeside([two, ...more][place], one),
      ),
    ),
  ]
}

function firstReleaseGoals({ comparison }: Results): Goal[] {
  const toOther = (name: string, bound: number) => rateGoal(comparison, name, bound)
  return [
    toOther('full', 1),
    toOther('customer', 3),
    toOther('open', 3),
    toOther('credit', 3),
    toOther('quote', 2.5),
    toOther('mature', 2),
  ]
}

function lastReleaseGoals({ besideLast }: Results): Goal[] {
  const other = besideLast?.other ?? 'the last release'
  const [batched, single] = ['full', 'full1'].map((name) => sidesOf(besideLast, name))
  return [
    atMost(
      `CPU of a liquidation, service and database together, to ${other}`,
      0.8,
      ratioOf(cpuOf(batched!.own), cpuOf(batched!.other)),
      costsBeside(batched!.own, batched!.other),
    ),
    atMost(
      `time of a single liquidation, to ${other}`,
      0.85,
      ratiosInTurns(single!.other, single!.own),
      costsBeside(single!.own, single!.other),
    ),
    rateGoal(besideLast, 'mature', 1.5),
    rateGoal(besideLast, 'embedded', 1.3),
    rateGoal(besideLast, 'embedded256', 1.3),
  ]
}

/** Of what was not measured yet. */
const LABELS: Record<string, string> = {
  mature: 'breakwater mature',
  embedded: 'embedded: liquidate FULL',
  embedded256: 'embedded: liquidate FULL, 256 connections',
}

function rateGoal(comparison: Comparison | null, name: string, bound: number): Goal {
  const { own, other } = sidesOf(comparison, name)
  return atLeast(
    `${own?.label ?? LABELS[name] ?? name}, to ${comparison?.other ?? 'the last release'}`,
    bound,
    ratiosInTurns(own, other),
    costsBeside(own, other),
  )
}

function sidesOf(comparison: Comparison | null, name: string) {
  return { own: findIn(comparison?.own, name), other: findIn(comparison?.others, name) }
}

function findIn(
  operations: readonly MeasuredOperation[] | null | undefined,
  name: string,
): MeasuredOperation | undefined {
  return operations?.find((one) => one.name === name)
}

function batchGoals(results: Results): Goal[] {
  const { growth, verification } = results
  const full = (engine: Measurement['engine'], connections: number, batched: boolean) =>
    fullOf(results, engine, connections, batched)
  const busy = full('PostgreSQL', 64, true)
  const [single, unbatched] = [true, false].map((batched) => full('PostgreSQL', 1, batched))
  const toBatchesOfOne = (engine: Measurement['engine'], bound: number, connections: number) =>
    atLeast(
      `${engine}: liquidations a second at ${connections} connections, to batches of one`,
      bound,
      ratiosInTurns(full(engine, connections, true), full(engine, connections, false)),
      engine === 'embedded' ? engineBound(results, connections) : batchingCosts(results, connections),
    )
  return [
    atMost(
      '`verify` of 1,000,000 liquidations, in seconds',
      60,
      verification?.seconds ?? null,
      verificationCosts(results),
    ),
    toBatchesOfOne('PostgreSQL', 5, 64),
    toBatchesOfOne('PostgreSQL', 5, 256),
    ...growthGoalsOf(growth).map(({ claim, first, size }) =>
      atLeast(claim, 0.9, ratiosInTurns(size, first), growthCosts(first, size)),
    ),
    atMost('p99 to p50 at 64 connections', 10, ratioOf(busy?.p99Ms, busy?.p50Ms), waitsOf(busy)),
    atMost(
      'latency of a single request (p50), to batches of one',
      1.2,
      ratioOf(single?.p50Ms, unbatched?.p50Ms),
      costsBeside(single, unbatched),
    ),
    toBatchesOfOne('embedded', 10, 64),
    toBatchesOfOne('embedded', 10, 256),
  ]
}

function atLeast(claim: string, bound: number, measured: Measured, because: string | null): Goal {
  const value = medianOf(measured)
  const holds = value === null ? null : value >= bound
  return { claim, wanted: `≥ ${bound}`, measured: value, spread: spreadOf(measured), holds, because }
}

function atMost(claim: string, bound: number, measured: Measured, because: string | null): Goal {
  const value = medianOf(measured)
  const holds = value === null ? null : value <= bound
  return { claim, wanted: `≤ ${bound}`, measured: value, spread: spreadOf(measured), holds, because }
}

function medianOf(measured: Measured): number | null {
  if (measured === null || typeof measured === 'number') return measured
  return measured.toSorted((left, right) => left - right)[Math.floor(measured.length / 2)]!
}

function spreadOf(measured: Measured): Goal['spread'] {
  if (measured === null || typeof measured === 'number') return null
  return { lowest: Math.min(...measured), highest: Math.max(...measured) }
}

export function goalsTable(results: Results): Table {
  return {
    head: ['', 'Goal', 'Measured', 'Lowest and highest pair', ''],
    rows: goalsOf(results).map(({ claim, wanted, measured, spread, holds }) => [
      claim,
      wanted,
      measured === null ? '' : measured.toFixed(2),
      spread === null ? '' : `${spread.lowest.toFixed(2)} to ${spread.highest.toFixed(2)}`,
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

/** Of each turn, what the parts alone predict: the time of the mixed load is the sum of their times. */
function mixedRatios(operations: readonly MeasuredOperation[] | null): number[] | null {
  const mixed = findIn(operations, 'mixed')
  if (mixed === undefined) return null
  return mixed.turns.map((perSecond, turn) => {
    const seconds = MIXED.reduce((sum, name) => sum + 1 / findIn(operations, name)!.turns[turn]!, 0)
    return perSecond / (MIXED.length / seconds)
  })
}

function mixedCosts(operations: readonly MeasuredOperation[] | null): string | null {
  const mixed = findIn(operations, 'mixed')
  if (!mixed?.serverCpu || !mixed.databaseCpu) return null
  const mean = (figure: 'serverCpu' | 'databaseCpu') =>
    MIXED.reduce((sum, name) => sum + (findIn(operations, name)?.[figure] ?? 0), 0) / MIXED.length
  const [server, database] = [mean('serverCpu'), mean('databaseCpu')]
  const ratio = (server + database) / (mixed.serverCpu + mixed.databaseCpu)
  return `a request of the mixed load costs the service ${micros(mixed.serverCpu)} and the database ${micros(mixed.databaseCpu)}; its parts alone cost
${micros(server)} and ${micros(database)} on average. By that alone the ratio is ${ratio.toFixed(2)}. Requests of one kind share a transaction, and there are fewer
of a kind: batches have ${mixed.batchMean?.toFixed(1) ?? 'an unknown number of'} liquidations instead of ${findIn(operations, 'full')?.batchMean?.toFixed(1) ?? 'more'}.`
}

/** A request waits for the batch in progress and for its own. */
function waitsOf(run: Measurement | undefined): string | null {
  if (!run?.batchMean) return null
  return `half of the requests took ${run.p50Ms.toFixed(1)} ms, one of a hundred ${run.p99Ms.toFixed(1)} and the slowest ${run.maxMs.toFixed(1)}, in batches of ${run.batchMean.toFixed(0)}.`
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

type Costs = Pick<MeasuredOperation, 'serverCpu' | 'databaseCpu' | 'perSecond'>

function cpuOf(one: Costs | undefined): number | null {
  return one?.serverCpu && one.databaseCpu ? one.serverCpu + one.databaseCpu : null
}

function costsBeside(one: Costs | undefined, other: Costs | undefined): string | null {
  if (!one?.serverCpu || !one.databaseCpu || !other?.serverCpu || !other.databaseCpu) return null
  const ratio = (other.serverCpu + other.databaseCpu) / (one.serverCpu + one.databaseCpu)
  const busy = (side: Costs) => ((side.serverCpu! * side.perSecond) / 10).toFixed(0)
  return `it costs the service ${micros(one.serverCpu)} instead of ${micros(other.serverCpu)}, and the database ${micros(one.databaseCpu)} instead of ${micros(other.databaseCpu)}. By that
alone the ratio is ${ratio.toFixed(2)}. The service was busy for ${busy(one)} instead of ${busy(other)} percent of one core's time; a process of it is nearly one thread.`
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
function growthCosts(first: Growth, last: Growth): string | null {
  if (!first.databaseCpu || !last.databaseCpu || first.serverCpu === null || last.serverCpu === null)
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
