/** What was measured of each operation, of one checkout or of two side by side. */
import { micros, ratioInTurns, ratioOf, type Table, whole } from './table.ts'

/** The median turn. CPU seconds per 1,000 answers are of all turns together, because the kernel counts in 10 ms. */
export type MeasuredOperation = {
  name: string
  label: string
  perSecond: number
  turns: readonly number[]
  /** The first turn: the service has just started, and has run nothing of this kind. */
  coldPerSecond: number
  serverCpu: number | null
  databaseCpu: number | null
  generatorCpu: number | null
  p50Ms: number | null
  p99Ms: number | null
  batchMean: number | null
}

/** `other` says which version the other checkout has. */
export type Comparison = { other: string; own: MeasuredOperation[]; others: MeasuredOperation[] }

/** The first operation is what the others are compared with. */
export function operationsTable(operations: readonly MeasuredOperation[]): Table {
  const [first] = operations
  return {
    head: [
      'Operation',
      'Per second',
      `To ${first!.label}`,
      'Cold turn',
      'p50 ms',
      'p99 ms',
      'Batch',
      'Service CPU',
      'Database CPU',
    ],
    rows: operations.map((one) => [
      one.label,
      whole(one.perSecond),
      // A command is one run over many records, not comparable with requests.
      one.p50Ms === null ? '' : ratio(ratioInTurns(one, first)),
      whole(one.coldPerSecond),
      one.p50Ms?.toFixed(2) ?? '',
      one.p99Ms?.toFixed(2) ?? '',
      one.batchMean?.toFixed(1) ?? '',
      cost(one.serverCpu),
      cost(one.databaseCpu),
    ]),
  }
}

export function comparisonTable({ own, others }: Comparison): Table {
  return {
    head: [
      'Operation',
      'Per second',
      'Ratio',
      'p50 ms',
      'Service CPU',
      'Ratio',
      'Database CPU',
      'Ratio',
      'Cold',
    ],
    rows: own.flatMap((one) => {
      const other = others.find(({ name }) => name === one.name)
      if (other === undefined) return []
      const both = (show: (operation: MeasuredOperation) => string) => `${show(one)} / ${show(other)}`
      return [
        [
          one.label,
          both(({ perSecond }) => whole(perSecond)),
          ratio(ratioInTurns(one, other)),
          both(({ p50Ms }) => p50Ms?.toFixed(2) ?? ''),
          both(({ serverCpu }) => cost(serverCpu)),
          ratio(ratioOf(one.serverCpu, other.serverCpu)),
          both(({ databaseCpu }) => cost(databaseCpu)),
          ratio(ratioOf(one.databaseCpu, other.databaseCpu)),
          ratio(ratioOf(one.coldPerSecond, other.coldPerSecond)),
        ],
      ]
    }),
  }
}

function ratio(value: number | null): string {
  return value?.toFixed(2) ?? ''
}

function cost(secondsPerThousand: number | null): string {
  return secondsPerThousand === null ? '' : micros(secondsPerThousand)
}
