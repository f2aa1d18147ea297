import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Arrival, arrivalTable, arrivalText } from '../../bench/arrival-table.ts'

const RUN = { seconds: 10, cpuSeconds: 8, databaseCpuSeconds: 9, peakMegabytes: 400 }

function arrivalWith(moved?: Arrival['moved']): Arrival {
  return {
    date: '2026-11-18',
    share: { loadBefore: 0.5, stealPercent: 0 },
    upload: { lines: 1, seconds: 1 },
    beside: { connections: 4, quietP99Ms: 1, besideP99Ms: 1, linesPerSecond: 1 },
    imported: { deposits: 1, seconds: 1, servicePeakMegabytes: 1, wrong: 0 },
    accruals: { deposits: 1, seconds: 1, entries: 1, currencies: 1 },
    verified: { payments: 1, ...RUN },
    due: { deposits: 1, paymentsPerSecond: 1, ratios: [1] },
    ...(moved && { moved }),
  }
}

test('a move is measured by its rows a second and its memory, against the goals of both', () => {
  const rowsOf = (moved?: Arrival['moved']) =>
    arrivalTable(arrivalWith(moved)).rows.filter(([claim]) => claim!.includes('move'))
  const claim = (rows: string) =>
    `move of ${rows} rows into PostgreSQL, read back and verified, in rows a second`
  assert.deepEqual(rowsOf({ rows: 200_000, ...RUN, peakMegabytes: 500 }), [
    [claim('200,000'), '≥ 20,000', '20,000', 'holds'],
    ['memory of the move, in MB', '≤ 500', '500', 'holds'],
  ])
  assert.deepEqual(rowsOf({ rows: 199_990, ...RUN, peakMegabytes: 501 }), [
    [claim('199,990'), '≥ 20,000', '19,999', 'does not hold'],
    ['memory of the move, in MB', '≤ 500', '501', 'does not hold'],
  ])
  // Results that were saved before there was this part.
  assert.deepEqual(rowsOf(), [])
  assert.match(
    arrivalText(arrivalWith({ rows: 1, ...RUN })),
    / The move took 8\.0 s of CPU of the command and 9\.0 s/,
  )
})
