/** What a bank that arrives was measured with, and the goals of it. */
import type { MachineShare } from './machine.ts'
import type { CommandRun } from './service.ts'
import { type Table, whole } from './table.ts'

export type Arrival = {
  date: string
  share: MachineShare
  upload: { lines: number; seconds: number }
  /** Single liquidations without a batch, and beside one. */
  beside: { connections: number; quietP99Ms: number; besideP99Ms: number; linesPerSecond: number }
  imported: {
    deposits: number
    seconds: number
    servicePeakMegabytes: number | null
    /** Lines without exactly one deposit, entry and result. */
    wrong: number
  }
  accruals: { deposits: number; seconds: number; entries: number; currencies: number }
  verified: { payments: number; databaseCpuSeconds: number | null } & CommandRun
  /** Of each pair of turns: payments a second, to maturities a second. */
  due: { deposits: number; paymentsPerSecond: number; ratios: readonly number[] }
  /** The whole command, from an embedded directory into PostgreSQL. Absent in results of earlier versions. */
  moved?: Moved
}

type Moved = { rows: number; databaseCpuSeconds: number | null } & CommandRun

export function arrivalTable(arrival: Arrival): Table {
  const { upload, imported, beside, accruals, verified, due, moved } = arrival
  const peak = imported.servicePeakMegabytes
  const ratio = medianOf(due.ratios)
  return {
    head: ['', 'Goal', 'Measured', ''],
    rows: [
      atMost(`upload of ${whole(upload.lines)} lines, in seconds`, 60, upload.seconds),
      atMost(
        `import of ${whole(imported.deposits)} deposits, through a kill of the service and one of the database, in minutes`,
        10,
        imported.seconds / 60,
      ),
      atMost('memory of the service meanwhile, in MB', 400, peak),
      atMost('lines of it that were lost or doubled', 0, imported.wrong),
      atMost(
        'p99 of a single liquidation beside a running batch, to without one',
        2,
        beside.besideP99Ms / beside.quietP99Ms,
      ),
      atMost(`accruals of ${whole(accruals.deposits)} deposits, in seconds`, 60, accruals.seconds),
      atMost('their entries, to currencies', 1, accruals.entries / accruals.currencies),
      atMost(
        `\`verify\` of ${whole(verified.payments)} payments of interest, in seconds`,
        60,
        verified.seconds,
      ),
      row(
        `${whole(due.deposits)} payments due on a day, a second, to as many maturities`,
        '≥ 0.7',
        ratio,
        ratio >= 0.7,
      ),
      ...(moved === undefined ? [] : moveRows(moved)),
    ],
  }
}

export function arrivalText(arrival: Arrival): string {
  const { beside, imported, verified, due, moved, share, date } = arrival
  const steal =
    share.stealPercent === null ? '' : `, ${share.stealPercent.toFixed(1)} percent of the CPU time stolen`
  return (
    `Taken on ${date}, load ${share.loadBefore.toFixed(2)} before it${steal}. ` +
    `Imports: ${whole(imported.deposits / imported.seconds)} deposits a second over all, kills included. ` +
    `Beside ${beside.connections} connections a batch carries out ${whole(beside.linesPerSecond)} lines a second, and a ` +
    `liquidation takes ${beside.besideP99Ms.toFixed(1)} instead of ${beside.quietP99Ms.toFixed(1)} ms (p99). ` +
    `Payments of interest: ${whole(due.paymentsPerSecond)} a second. Their \`verify\` took ` +
    `${cpuOf(verified.cpuSeconds)} of the command and ${cpuOf(verified.databaseCpuSeconds)} of the database.` +
    (moved === undefined ? '' : movedText(moved))
  )
}

function moveRows({ rows, seconds, peakMegabytes }: Moved): string[][] {
  const perSecond = Math.round(rows / seconds)
  const claim = `move of ${whole(rows)} rows into PostgreSQL, read back and verified, in rows a second`
  return [
    row(claim, '≥ 20,000', perSecond, perSecond >= 20_000),
    atMost('memory of the move, in MB', 500, peakMegabytes),
  ]
}

function movedText({ cpuSeconds, databaseCpuSeconds }: Moved): string {
  return ` The move took ${cpuOf(cpuSeconds)} of the command and ${cpuOf(databaseCpuSeconds)} of the database.`
}

function cpuOf(seconds: number | null): string {
  return seconds === null ? 'an unknown CPU time' : `${seconds.toFixed(1)} s of CPU`
}

function atMost(claim: string, bound: number, measured: number | null): string[] {
  return row(claim, `≤ ${bound}`, measured, measured !== null && measured <= bound)
}

function row(claim: string, wanted: string, measured: number | null, holds: boolean): string[] {
  const shown = measured === null ? '' : Number.isInteger(measured) ? whole(measured) : measured.toFixed(2)
  return [claim, wanted, shown, measured === null ? 'not measured' : holds ? 'holds' : 'does not hold']
}

export function medianOf(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!
}
