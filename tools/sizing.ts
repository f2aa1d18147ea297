/** The table of the handbook that says what one core does, from the results of the benchmark. */
import { readResults } from '../bench/results.ts'

const TABLE_HEAD = '| A second of one core does | of the service | of PostgreSQL |\n|---|---|---|\n'

/** What the handbook calls the operations of the benchmark. */
const ROWS = {
  full: 'liquidations',
  full1: 'liquidations that arrive one at a time',
  customer: 'updates of customers',
  open: 'openings',
  quote: 'quotes',
  mature: 'maturities',
}

/** The handbook with this table replaced. */
export function setSizingTable(handbook: string): string {
  const start = handbook.indexOf(TABLE_HEAD)
  const end = handbook.indexOf('\n\n', start)
  if (start < 0 || end < 0) throw new Error('The handbook has no table of sizes.')
  return handbook.slice(0, start) + printSizingTable() + handbook.slice(end)
}

export function printSizingTable(): string {
  const { operations } = readResults()
  const rows = Object.entries(ROWS).map(([name, title]) => {
    const measured = operations!.find((operation) => operation.name === name)!
    return `| ${title} | ${perCoreSecond(measured.serverCpu!)} | ${perCoreSecond(measured.databaseCpu!)} |`
  })
  return TABLE_HEAD + rows.join('\n')
}

/** More than three digits would not be repeatable. */
function perCoreSecond(cpuSecondsPerThousand: number): string {
  return Number((1000 / cpuSecondsPerThousand).toPrecision(3)).toLocaleString('en')
}
