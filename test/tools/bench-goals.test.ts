import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Growth, Results } from '../../bench/figures.ts'
import { goalsTable, missedText } from '../../bench/goals.ts'
import { growthText } from '../../bench/growth-table.ts'
import type { Measurement } from '../../bench/measure.ts'
import type { MeasuredOperation } from '../../bench/operations-table.ts'
import { aligned } from '../../bench/table.ts'

/** `serverCpu` and `databaseCpu` are in seconds per 1,000 requests. */
function operation(name: string, turns: number[], serverCpu = 0.1, databaseCpu = 0.1): MeasuredOperation {
  const rate = turns.toSorted((left, right) => left - right)[Math.floor(turns.length / 2)]!
  return {
    ...{ name, label: name, perSecond: rate, turns, coldPerSecond: rate, serverCpu, databaseCpu },
    ...{ generatorCpu: 0.02, p50Ms: 5, p99Ms: 90, batchMean: 30 },
  }
}

function measurement(
  engine: Measurement['engine'],
  { connections, batchMax, p50Ms }: { connections: number; batchMax: number; p50Ms: number },
): Measurement {
  return {
    ...{
      engine,
      operation: 'full',
      connections,
      batchMax,
      batchMean: batchMax === 1 ? 1 : 30,
      decisions: 0.03,
    },
    ...{ deposits: 1, serverCpu: 0.1, databaseCpu: 0.1, generatorCpu: 0.02, serverPeakMegabytes: 300 },
    ...{ turns: [100], answers: 1, perSecond: 100, p50Ms, p99Ms: 90, maxMs: 99, failures: {}, requests: 1 },
  }
}

function grown(deposits: number, turns: number[], databaseCpu: number): Growth {
  return {
    deposits,
    perSecond: turns[0]!,
    turns,
    serverCpu: 0.1,
    databaseCpu,
    databaseMegabytes: deposits / 300,
  }
}

const SLOW_GROWTH = [grown(10_000, [1000], 0.1), grown(1_000_000, [800], 0.15), grown(5_000_000, [700], 0.2)]

/** Every goal is measured, and none is met. */
const MISSED: Results = {
  date: '2026-11-19',
  machine: {
    ...{ program: '0.3.0', processor: 'x', cores: 2, memoryGigabytes: 24, system: 'x', node: '24' },
    ...{ postgres: '15', pglite: '0.5', fsyncMicroseconds: 30 },
  },
  postgresSettings: [],
  floor: null,
  measurements: (['PostgreSQL', 'embedded'] as const).flatMap((engine) =>
    [1, 64, 256].flatMap((connections) =>
      [256, 1].map((batchMax) =>
        measurement(engine, { connections, batchMax, p50Ms: batchMax === 1 ? 1 : 5 }),
      ),
    ),
  ),
  growth: SLOW_GROWTH,
  growingBooks: null,
  growingParts: null,
  maturity: null,
  verification: { liquidations: 1, seconds: 99, cpuSeconds: 50, databaseCpuSeconds: 40, peakMegabytes: 300 },
  operations: ['full', 'full8', 'full40', 'customer', 'full1'].map((name, place) =>
    operation(name, [place === 0 ? 1000 : 100]),
  ),
  besidePgbench: ['full', 'full256', 'pgbench'].map((name, place) =>
    operation(name, [place === 2 ? 1000 : 100]),
  ),
  comparison: comparisonWith('version 0.1.0 (e15a5ba)'),
  besideLast: comparisonWith('version 0.2.0 (7fb4fa7)'),
  mixed: ['mixed', 'full', 'customer', 'open', 'credit', 'quote'].map((name, place) =>
    operation(name, [place === 0 ? 100 : 1000]),
  ),
  processes: [1, 2, 3, 4, 5].map((place) =>
    operation(String(place), [place === 3 ? 100 : 1000], place < 3 ? 0.1 : 0.2),
  ),
  fresh: [operation('fresh', [100]), operation('warm', [1000])],
  profiles: null,
  arrival: null,
  peers: null,
  runs: {},
}

function comparisonWith(other: string) {
  const names = ['full', 'full1', 'customer', 'open', 'credit', 'quote', 'mature', 'embedded', 'embedded256']
  return {
    other,
    own: names.map((name) => operation(name, [100])),
    others: names.map((name) => operation(name, [1000])),
  }
}

test('each goal that is not met says what was measured of its bound', () => {
  const own = MISSED.operations!.map((one) => (one.name === 'full1' ? { ...one, p50Ms: 9 } : one))
  const results = { ...MISSED, operations: own }
  const { rows } = goalsTable(results)
  const text = missedText(results).replace(/\s+/g, ' ')
  assert.deepEqual(
    rows.filter((row) => row.at(-1) !== 'does not hold').map(([claim]) => claim),
    [],
  )
  assert.deepEqual(
    rows.map(([claim]) => claim!).filter((claim) => !text.includes(`**${claim}**: `)),
    [],
  )
})

test('a goal of turns shows the median of all pairs, and the lowest and the highest', () => {
  const fresh = [operation('fresh', [90, 95, 20]), operation('warm', [100, 100, 100])]
  const row = goalsTable({ ...MISSED, fresh }).rows.find(([claim]) => claim!.startsWith('the first minute'))
  assert.deepEqual(row, [
    'the first minute of a new database, to a warm one beside it',
    ...['≥ 0.9', '0.90', '0.20 to 0.95', 'holds'],
  ])
})

test('the mixed load is compared with the time of its parts in the same turn', () => {
  // Of nine requests, three liquidate, three change a customer, and one each opens, credits and quotes.
  const rates = { mixed: [300, 450], full: [400, 400], customer: [400, 400], open: [400, 400] }
  const mixed = Object.entries({ ...rates, credit: [400, 400], quote: [800, 800] }).map(([name, turns]) =>
    operation(name, turns),
  )
  const row = goalsTable({ ...MISSED, mixed }).rows.find(([claim]) =>
    claim!.startsWith('all operations mixed'),
  )
  const predicted = 9 / (8 / 400 + 1 / 800)
  assert.equal(row![3], `${(300 / predicted).toFixed(2)} to ${(450 / predicted).toFixed(2)}`)
})

test('what was not measured is no goal that is missed', () => {
  const nothing = { operations: null, besidePgbench: null, comparison: null, besideLast: null, mixed: null }
  const results: Results = {
    ...{ ...MISSED, ...nothing, processes: null, fresh: null },
    ...{ verification: null, growth: [], measurements: [] },
  }
  assert.deepEqual(
    goalsTable(results).rows.filter((row) => row.at(-1) !== 'not measured'),
    [],
  )
  assert.equal(missedText(results), '')
})

test('a table of growth gives the reason of each ratio below 0.9', () => {
  const text = growthText({ growth: SLOW_GROWTH, growingBooks: null, growingParts: null }, aligned)
  assert.match(text, /^1,000,000 deposits +800 +0\.80 \(0\.80 to 0\.80\) /m)
  assert.match(
    text.replace(/\s+/g, ' '),
    /\*\*5,000,000 deposits: 0\.70\.\*\* .* the ratio is 0\.67; the rest/,
  )
  const books = [operation('1 book', [1000]), operation('8 books', [900])]
  assert.doesNotMatch(growthText({ growth: [], growingBooks: books, growingParts: null }, aligned), /\*\*/)
})
