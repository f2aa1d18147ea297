/** JSON values as programs write them. */
import { isJsonObject, type Json, Numeral } from '../../src/wire/json.ts'

/** How a language writes the values that JSON has. */
export type Literals = {
  indent: string
  name: (name: string) => string
  text: (text: string) => string
  constants: Record<'true' | 'false' | 'null', string>
  /** Whether braces are separated by spaces, and lines end in a comma. */
  spaced: boolean
  trailingComma: boolean
}

export const JSON_LITERALS: Literals = {
  indent: '  ',
  name: JSON.stringify,
  text: JSON.stringify,
  constants: { true: 'true', false: 'false', null: 'null' },
  spaced: false,
  trailingComma: false,
}
export const TYPESCRIPT_LITERALS: Literals = {
  ...JSON_LITERALS,
  name: (name) => (/^[a-z_]\w*$/i.test(name) ? name : singleQuoted(name)),
  text: singleQuoted,
  spaced: true,
  trailingComma: true,
}
export const PYTHON_LITERALS: Literals = {
  ...JSON_LITERALS,
  indent: '    ',
  constants: { true: 'True', false: 'False', null: 'None' },
  trailingComma: true,
}

function singleQuoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** What is longer has each member on its own line. */
export const LINE_MAX_CHARACTERS = 60

/**
 * On one line if that is short, otherwise with each member on its own line; `margin` goes before the lines after the
 * first.
 */
export function printLiteral(
  value: Json,
  literals: Literals,
  { margin = '', lineMax = LINE_MAX_CHARACTERS }: { margin?: string; lineMax?: number } = {},
): string {
  if (value instanceof Numeral) return value.source
  if (typeof value === 'string') return literals.text(value)
  if (value === null || typeof value === 'boolean') return literals.constants[`${value}`]
  const members = isJsonObject(value)
    ? Object.entries(value).map(([name, member]) => [`${literals.name(name)}: `, member] as const)
    : value.map((member) => ['', member] as const)
  const [open, close] = isJsonObject(value) ? ['{', '}'] : ['[', ']']
  if (members.length === 0) return open + close
  const inOneLine = members.map(([name, member]) => name + printLiteral(member, literals)).join(', ')
  const gap = literals.spaced && open === '{' ? ' ' : ''
  if (inOneLine.length + margin.length <= lineMax && !inOneLine.includes('\n')) {
    return open + gap + inOneLine + gap + close
  }
  const inner = margin + literals.indent
  const spread = members.map(
    ([name, member]) => inner + name + printLiteral(member, literals, { margin: inner }),
  )
  return `${open}\n${spread.join(',\n')}${literals.trailingComma ? ',' : ''}\n${margin}${close}`
}
