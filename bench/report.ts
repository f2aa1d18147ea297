/** The tables of a run, for the terminal and for the documentation, and its goals. */
import { isDeepStrictEqual } from 'node:util'
import { arrivalTable, arrivalText } from './arrival-table.ts'
import type { Part, Results } from './figures.ts'
import { goalsTable, missedText } from './goals.ts'
import { growthText } from './growth-table.ts'
import type { Operation, PeerOperation } from './load.ts'
import { runText, takenOn } from './machine.ts'
import { comparisonTable, operationsTable } from './operations-table.ts'
import { peersMarkdown } from './peers-table.ts'
import { profileMarkdown } from './profile-table.ts'
import { aligned, cpu, markdown, type Table, whole, wrapped } from './table.ts'

const OPERATION_NAMES: Record<Exclude<Operation, PeerOperation>, string> = {
  full: 'liquidate FULL, each another deposit',
  partial: 'liquidate PARTIAL, one hot deposit',
  part: 'liquidate PARTIAL',
  quote: 'quote',
  customer: 'update customer',
  credit: 'credit account',
  open: 'open deposit',
  mixed: 'mixed',
}

function measurementsTable(results: Results): Table {
  const measured = results.measurements.map((one) => [
    one.engine,
    OPERATION_NAMES[one.operation as keyof typeof OPERATION_NAMES],
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
    rows: measured,
  }
}

export function resultsText(results: Results): string {
  return [
    aligned(measurementsTable(results)),
    growthText(results, aligned),
    aligned(goalsTable(results)),
    missedText(results),
    maturityText(results),
    verificationText(results),
  ].join('\n\n')
}

export function resultsMarkdown(results: Results): string {
  const { machine } = results
  return `# Benchmarks

Written by \`npm run bench\`, which starts a private PostgreSQL, the service and a load generator as separate
processes on one machine. What is compared is measured in one run; the comparisons with another version and with pgbench may be
runs of their own (\`compare --save\`, \`pgbench --save\`), so their absolute numbers differ from those below. Compare ratios:
the three processes share ${machine.cores} cores, so the service cannot use what the load generator and the database use.

Every liquidation is authenticated, has an \`Idempotency-Key\`, and is durable, with its ledger entry, event and
idempotency record, before it is answered. Each request is logged. What is compared is measured in
turns: tables show the median turn, and ratios are the median of all pairs of turns.

${takenText(results)} ${machine.processor}, ${machine.cores} cores, ${machine.memoryGigabytes} GB, ${machine.system};
Node ${machine.node}, PostgreSQL ${machine.postgres} (${results.postgresSettings.join(', ')}), PGlite ${machine.pglite};
writing one block durably takes ${machine.fsyncMicroseconds} µs.

## Goals

${markdown(goalsTable(results))}

${missedText(results)}
## Measurements

${markdown(measurementsTable(results))}

## Growth

The same load at 64 connections, in turns: on books of different size with no checkpoint between loading and measuring, on one
to many books, and on deposits of which parts were taken before. CPU is µs per liquidation; ratios are the median of all pairs of
turns, with the lowest and the highest.

${runOfPart(results, 'growth')}${growthText(results, markdown)}

${maturityText(results)}

${verificationText(results)}
${operationsText(results)}${peersSection(results)}${arrivingText(results)}
Raw numbers: \`bench/results.json\`. What limits throughput, and what was tried: \`bench/NOTES.md\`.
`
}

/** Of the run of the measurements; other parts say their own. */
function takenText(results: Results): string {
  const { measurements } = results.runs
  return measurements === undefined ? `${takenOn(results)}:` : `${runText(measurements)} The machine:`
}

/** Of a part that may be measured in a run of its own; nothing where an earlier version saved it. */
function runOfPart({ runs }: Results, part: Part): string {
  const run = runs[part]
  return run === undefined || isDeepStrictEqual(run, runs.measurements) ? '' : `${runText(run)}\n\n`
}

function operationsText(results: Results): string {
  const { operations, comparison, besideLast, mixed, processes, fresh, profiles } = results
  const operationsPart = `
## Operations

Each operation in turns of a second, at 64 connections and in random order unless it says otherwise. CPU is µs per answer; the
cold turn is the first one after the start.

`
  const mixedPart = `
## Mixed and alone

All operations mixed in one service, and each of them in a service and a database of its own, in turns.

`
  const processesPart = `
## Several processes

Liquidations by \`serve --processes\`, with 64 connections for each process, so that batches are as large; the second line is what two
processes are compared with. CPU is that of all processes.

`
  const freshPart = `
## The first minute

A database whose tables were analyzed while they were empty, filled and not analyzed again, with a service that has just started; in
turns of 2.5 seconds beside one that is warm.

`
  const comparisonPart = (other: string) => `
## Compared with ${other}

Both services, each with its own database on one server, measured in turns of a second; ratios are of this version to the other.

`
  const profilePart = `
## Where the time goes

`
  return [
    operations === null
      ? ''
      : `${operationsPart}${runOfPart(results, 'operations')}${markdown(operationsTable(operations))}\n`,
    mixed === null ? '' : `${mixedPart}${runOfPart(results, 'mixed')}${markdown(operationsTable(mixed))}\n`,
    processes === null
      ? ''
      : `${processesPart}${runOfPart(results, 'processes')}${markdown(operationsTable(processes))}\n`,
    fresh === null ? '' : `${freshPart}${runOfPart(results, 'fresh')}${markdown(operationsTable(fresh))}\n`,
    ...(['comparison', 'besideLast'] as const).map((part) => {
      const compared = part === 'comparison' ? comparison : besideLast
      if (compared === null) return ''
      return `${comparisonPart(compared.other)}${runOfPart(results, part)}${markdown(comparisonTable(compared))}\n`
    }),
    profiles === null
      ? ''
      : `${profilePart}${runOfPart(results, 'profiles')}${profiles.map(profileMarkdown).join('\n')}`,
  ].join('')
}

function peersSection(results: Results): string {
  if (results.peers === null) return ''
  return `
## Beside ledgers of others

\`npm run bench -- peers\`: a movement of money that is durable, idempotent and has its entries, at 64 connections on one
PostgreSQL, in turns. CPU is µs per movement; ratios are the median of all pairs of turns, with the lowest and the highest.

${runOfPart(results, 'peers')}${peersMarkdown(results.peers)}`
}

function arrivingText({ arrival }: Results): string {
  if (arrival === null) return ''
  return `
## Arriving

\`npm run bench -- arrive\`: a batch of credits, an import that is interrupted by kills, accruals, payments of interest,
and a move of an embedded directory to PostgreSQL.

${markdown(arrivalTable(arrival))}

${wrapped(arrivalText(arrival))}
`
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
