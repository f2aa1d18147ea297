/** Tables for people, at most WIDTH_MAX columns wide, and the same records as JSON for scripts. */
import { Help } from 'commander'

export const WIDTH_MAX = 100

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

/** One record, a line for each member. */
export function recordText(record: Readonly<Record<string, unknown>>, members: readonly string[]): string {
  return listText(members.map((member) => [member, cellOf(record[member])]))
}

/** Two columns, indented; the second is wrapped. */
export function listText(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  const indent = `\n${' '.repeat(width + 4)}`
  return rows
    .map(([name, text]) => `  ${name.padEnd(width)}  ${wrap(text, WIDTH_MAX - width - 4, indent)}`.trimEnd())
    .join('\n')
}

/** A column that `shrinks` is cut short where the table would be too wide. */
export type Column = { name: string; shrinks?: true }

export function tableText(
  columns: readonly Column[],
  records: readonly Readonly<Record<string, unknown>>[],
): string {
  const cells = [columns.map(({ name }) => name)].concat(
    records.map((record) => columns.map(({ name }) => cellOf(record[name]))),
  )
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  for (let excess = totalOf(widths) - WIDTH_MAX; excess > 0; excess -= 1) {
    const widest = Math.max(...widths.filter((_, column) => columns[column]!.shrinks))
    const shrunk = widths.findIndex((width, column) => columns[column]!.shrinks && width === widest)
    if (shrunk === -1) break
    widths[shrunk]! -= 1
  }
  return cells
    .map((row) =>
      row
        .map((cell, column) => cut(cell, widths[column]!).padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width + 2, -2)
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}

function wrap(text: string, width: number, lineBreak: string): string {
  return new Help().boxWrap(text, width).replaceAll('\n', lineBreak)
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return Array.isArray(value) ? value.join(', ') : String(value)
}
