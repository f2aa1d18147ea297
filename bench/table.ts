/** Tables and numbers as text, for the terminal and for the documentation. */

export type Table = { head: string[]; rows: string[][] }

export function aligned({ head, rows }: Table): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]!.length)))
  return [head, ...rows]
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  '))
    .join('\n')
}

export function markdown({ head, rows }: Table): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

const LINE_CHARACTERS = 128

/** A paragraph in lines. */
export function wrapped(text: string): string {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)!
    if (last === '') lines[lines.length - 1] = word
    else if (last.length + 1 + word.length > LINE_CHARACTERS) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join('\n')
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

export function cpu(seconds: number | null): string {
  return seconds === null ? '' : seconds.toFixed(3)
}

export function micros(secondsPerThousand: number): string {
  return `${(secondsPerThousand * 1000).toFixed(0)} µs`
}

type Side = number | null | undefined

export function ratioOf(left: Side, right: Side): number | null {
  return left == null || right == null ? null : left / right
}

export type InTurns = { turns?: readonly number[] } | undefined

/** The median of all pairs of turns. */
export function ratioInTurns(left: InTurns, right: InTurns): number | null {
  const ratios = ratiosInTurns(left, right)
  if (ratios === null) return null
  return ratios.toSorted((one, other) => one - other)[Math.floor(ratios.length / 2)]!
}

/** Each turn is compared with the one next to it, which had similar conditions. */
export function ratiosInTurns(left: InTurns, right: InTurns): number[] | null {
  if (left?.turns === undefined || right?.turns === undefined) return null
  const others = right.turns
  return left.turns.map((perSecond, turn) => perSecond / others[turn]!)
}

/** The median, and the lowest and highest of all pairs of turns. */
export function spreadText(ratios: readonly number[] | null): string {
  if (ratios === null) return ''
  const sorted = ratios.toSorted((left, right) => left - right)
  const shown = [Math.floor(sorted.length / 2), 0, sorted.length - 1].map((place) =>
    sorted[place]!.toFixed(2),
  )
  return `${shown[0]} (${shown[1]} to ${shown[2]})`
}
