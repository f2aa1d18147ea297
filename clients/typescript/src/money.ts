/**
 * Decimals never become a float. An answer's number is read from the text of the answer and given as a string, such as
 * "8071013.70"; a request takes such a string or an Amount and sends it as a number with at least two digits.
 */

/** An exact number of cents. */
export class Amount {
  readonly minor: bigint
  constructor(minor: bigint) {
    this.minor = minor
  }
  toString(): string {
    const digits = (this.minor < 0n ? -this.minor : this.minor).toString().padStart(3, '0')
    return `${this.minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
  }
  toJSON(): string {
    return this.toString()
  }
}

/** An amount, a rate or a percent in a request. A float is not one: 0.1 + 0.2 is not 0.3. */
export type Decimal = string | Amount

/** minor(50000000n) is 500000.00. */
export function minor(units: bigint): Amount {
  return new Amount(units)
}

/**
 * Where decimals are in a record: 1 for a decimal, and the names of records, separated by |, for what is one of them.
 * Arrays are not mentioned; * is any other name.
 */
export type Shape = Readonly<Record<string, 1 | string>>
export type Shapes = Readonly<Record<string, Shape>>

/** JSON text of a value, in which the decimals of the shape are numbers. */
export function encode(value: unknown, shapes: Shapes, name: string, field = 'the body'): string | undefined {
  if (value === undefined || typeof value === 'function') return undefined
  if (value instanceof Amount) return value.toString()
  if (Array.isArray(value))
    return `[${value.map((item) => encode(item, shapes, name, field) ?? 'null').join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).flatMap(([key, member]) => {
    const kind = kindOf(shapes, name, key)
    const text = kind === 1 ? decimalText(member, key) : encode(member, shapes, kind ?? '', key)
    return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`]
  })
  return `{${members.join(',')}}`
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

function decimalText(value: unknown, field: string): string | undefined {
  if (value === undefined || value === null) return value === null ? 'null' : undefined
  const parts = typeof value === 'string' || value instanceof Amount ? DECIMAL.exec(String(value)) : null
  if (parts === null)
    throw new TypeError(`${field} must be a string such as "500000.00", or minor(50000000n).`)
  const [, sign, whole = '', fraction = ''] = parts
  return `${sign}${whole.replace(/^0+(?=\d)/, '')}.${fraction.padEnd(2, '0')}`
}

function kindOf(shapes: Shapes, names: string, key: string): 1 | string | undefined {
  for (const name of names.split('|')) {
    const shape = shapes[name]
    if (shape !== undefined && Object.hasOwn(shape, key)) return shape[key]
    if (shape?.['*'] !== undefined) return shape['*']
  }
  return undefined
}

/** A number of an answer as it was written. */
class Written {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** The value of JSON text, with decimals as strings. A number that the shape does not know is one where it has a point. */
export function decode(text: string, shapes: Shapes, name: string): unknown {
  return settle(parseExactly(text), shapes, name, undefined)
}

function settle(value: unknown, shapes: Shapes, name: string, kind: 1 | string | undefined): unknown {
  if (value instanceof Written)
    return kind === 1 || /[.e]/i.test(value.text) ? value.text : Number(value.text)
  if (Array.isArray(value)) return value.map((item) => settle(item, shapes, name, kind))
  if (typeof value !== 'object' || value === null) return value
  const own = typeof kind === 'string' ? kind : name
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const found = kindOf(shapes, own, key)
      return [key, settle(member, shapes, typeof found === 'string' ? found : '', found)]
    }),
  )
}

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown
const HAS_SOURCE = parse('1', (_key, value, context) => context?.source ?? value) === '1'
/** No text of the service begins with it: control characters are rejected everywhere. */
const MARK = '\u0000'

function parseExactly(text: string): unknown {
  if (HAS_SOURCE)
    return parse(text, (_key, value, context) =>
      typeof value === 'number' ? new Written(context!.source!) : value,
    )
  const marked = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? token : `"\\u0000${token}"`,
  )
  return parse(marked, (_key, value) =>
    typeof value === 'string' && value.startsWith(MARK) ? new Written(value.slice(1)) : value,
  )
}
