/** The tables of a run, for the terminal and for the documentation, and its goals. */
import { isDeepStrictEqual } from 'node:util'
import { arrivalTable, arrivalText } from './arrival-table.ts'
import type { Part, Results } from './figures.ts'
import { goalsTable, missedText } from './goals.ts'
import type { Operation, PeerOperation } from './load.ts'
import { runText, takenOn } from './machine.ts'
import { comparisonTable, operationsTable } from './operations-table.ts'
import { peersMarkdown } from './peers-table.ts'
import { profileMarkdown } from './profile-table.ts'
import { aligned, cpu, markdown, ratioInTurns, type Table, whole, wrapped } from './table.ts'

const OPERATION_NAMES: Record<Exclude<Operation, PeerOperation>, string> = {
  full: 'liquidate FULL, each another deposit',
  partial: 'liquidate PARTIAL, one hot deposit',
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

The same load at 64 connections, in turns, on books of different size, with no checkpoint between loading and measuring.

${markdown(growthTable(results))}

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
  const { operations, comparison, profiles } = results
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
    operations === null
      ? ''
      : `${operationsPart}${runOfPart(results, 'operations')}${markdown(operationsTable(operations))}\n`,
    comparison === null
      ? ''
      : `${comparisonPart}${runOfPart(results, 'comparison')}${markdown(comparisonTable(comparison))}\n`,
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
