/** The tables of what grows with a bank, with the reason of each ratio that is low. */
import type { Growth, Results } from './figures.ts'
import type { MeasuredOperation } from './operations-table.ts'
import { micros, ratioInTurns, ratiosInTurns, spreadText, type Table, whole, wrapped } from './table.ts'

export type Growing = Pick<Results, 'growth' | 'growingBooks' | 'growingParts'>

type Size = Pick<MeasuredOperation, 'label' | 'perSecond' | 'turns' | 'serverCpu' | 'databaseCpu'> & {
  batchMean?: number | null
  databaseMegabytes?: number
}

const LOW = 0.9

export function growthText(
  { growth, growingBooks, growingParts }: Growing,
  show: (table: Table) => string,
): string {
  const deposits = growth.map((one): Size => ({ ...one, label: `${whole(one.deposits)} deposits` }))
  return [
    ...(growth.length === 0 ? [] : [sizesText('Deposits in the book', deposits, show)]),
    ...(growingBooks === null ? [] : [sizesText('Books, in random order', growingBooks, show)]),
    ...(growingParts === null ? [] : [sizesText('Parts of a deposit', growingParts, show)]),
  ].join('\n\n')
}

function sizesText(title: string, sizes: readonly Size[], show: (table: Table) => string): string {
  const reasons = sizes.slice(1).flatMap((size) => reasonOf(size, sizes[0]!) ?? [])
  return [show(sizesTable(title, sizes)), ...reasons.map(wrapped)].join('\n\n')
}

function sizesTable(title: string, sizes: readonly Size[]): Table {
  const hasSize = sizes.some(({ databaseMegabytes }) => databaseMegabytes !== undefined)
  return {
    head: [
      ...[title, 'Liquidations a second', 'To the first', 'Batch', 'Service CPU', 'Database CPU'],
      ...(hasSize ? ['Database MB'] : []),
    ],
    rows: sizes.map((size, place) => [
      size.label,
      whole(size.perSecond),
      place === 0 ? '' : spreadText(ratiosInTurns(size, sizes[0])),
      size.batchMean?.toFixed(1) ?? '',
      cost(size.serverCpu),
      cost(size.databaseCpu),
      ...(hasSize ? [whole(size.databaseMegabytes ?? 0)] : []),
    ]),
  }
}

/** What a low ratio comes from: work, which the figures of the same turns show, or waiting. */
function reasonOf(size: Size, first: Size): string | null {
  const ratio = ratioInTurns(size, first)
  if (ratio === null || ratio >= LOW) return null
  const { serverCpu, databaseCpu, label } = size
  if (!serverCpu || !databaseCpu || !first.serverCpu || !first.databaseCpu) return null
  const byWork = (first.serverCpu + first.databaseCpu) / (serverCpu + databaseCpu)
  return `**${label}: ${ratio.toFixed(2)}.** A liquidation costs the service ${micros(serverCpu)} instead of ${micros(first.serverCpu)}, and the database
${micros(databaseCpu)} instead of ${micros(first.databaseCpu)}. By that work alone the ratio is ${byWork.toFixed(2)}; the rest is waiting.`
}

function cost(secondsPerThousand: number | null): string {
  return secondsPerThousand === null ? '' : micros(secondsPerThousand)
}

/** The largest of the books, beside the smallest. */
export function growthGoalsOf(growth: readonly Growth[]): { claim: string; first: Growth; size: Growth }[] {
  const [first, ...larger] = growth
  const named = (deposits: number) =>
    `liquidations a second with ${whole(deposits)} deposits, to ${whole(first!.deposits)}`
  return larger
    .filter(({ deposits }) => deposits >= 1_000_000)
    .map((size) => ({ claim: named(size.deposits), first: first!, size }))
}
