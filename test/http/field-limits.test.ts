/**
 * Every field of every request takes what its limits say, and nothing beyond. openapi.json prints the same limits, and a
 * test compares it with the routes, so a limit that moves is seen there.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatUnits } from '../../src/domain/decimal.ts'
import { routes } from '../../src/http/routes.ts'
import { parseJson } from '../../src/wire/json.ts'
import { type FieldError, readField } from '../../src/wire/reader.ts'

type Schema = NonNullable<(typeof routes)[number]['body']> & {
  type?: string
  enum?: string[]
  pattern?: string
  format?: string
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
}

const fields = new Map<Schema, string>()
for (const { operationId, body, query } of routes) {
  for (const schema of [body, query]) if (schema !== null) collect(schema as Schema, operationId)
}

function collect(schema: Schema, path: string): void {
  if (fields.has(schema)) return
  fields.set(schema, path)
  for (const [name, member] of Object.entries(schema.properties ?? {})) collect(member, `${path} ${name}`)
  for (const variant of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) collect(variant, path)
  if (schema.items !== undefined) collect(schema.items, `${path}[]`)
}

/** The codes of the errors, none where the value is taken. */
function codesOf(schema: Schema, json: string): string[] {
  const errors: FieldError[] = []
  readField(schema, parseJson(json), { path: '', errors })
  return errors.map(({ code }) => code)
}

function fieldsWith(keyword: keyof Schema): [Schema, string][] {
  const found = [...fields].filter(([schema]) => schema[keyword] !== undefined)
  assert(found.length > 0, `there are fields with ${String(keyword)}`)
  return found
}

/** Fractional digits that the field reads: none, those of money, or those of percents. */
function digitsOf({ type, maximum }: Schema): number {
  if (type === 'integer') return 0
  return [9_999_999_999_999.99, 1e16].includes(maximum!) ? 2 : 4
}

/** A number that differs by this many of its last digits; a double would lose those of a large sum. */
function moved(value: number, by: number, digits: number): string {
  return formatUnits(BigInt(Math.round(value * 10 ** digits)) + BigInt(by), digits)
}

test('a number reaches its maximum and does not pass it', () => {
  for (const [schema, path] of fieldsWith('maximum')) {
    const digits = digitsOf(schema)
    assert.deepEqual(codesOf(schema, moved(schema.maximum!, 0, digits)), [], path)
    assert.deepEqual(codesOf(schema, moved(schema.maximum!, 1, digits)), ['out_of_range'], path)
  }
})

test('a number reaches its minimum and does not fall below it', () => {
  for (const [schema, path] of fieldsWith('minimum')) {
    assert.deepEqual(codesOf(schema, String(schema.minimum)), [], path)
    assert.deepEqual(codesOf(schema, moved(schema.minimum!, -1, digitsOf(schema))), ['out_of_range'], path)
  }
  for (const [schema, path] of fieldsWith('exclusiveMinimum')) {
    const digits = digitsOf(schema)
    assert.deepEqual(codesOf(schema, moved(schema.exclusiveMinimum!, 1, digits)), [], path)
    // An amount, or a percent of which something has to be given.
    const code = digits === 2 || path.endsWith('waiver percent') ? 'not_positive' : 'out_of_range'
    assert.deepEqual(codesOf(schema, String(schema.exclusiveMinimum)), [code], path)
  }
})

test('a text has as many characters as it may, and not one more', () => {
  for (const [schema, path] of fieldsWith('maxLength')) {
    const filled = (length: number) => JSON.stringify(textOf(schema, length))
    assert.deepEqual(codesOf(schema, filled(schema.maxLength!)), [], path)
    assert.deepEqual(codesOf(schema, filled(schema.maxLength! + 1)), ['too_long'], path)
  }
})

test('a list has as many items as it may, and neither more nor fewer', () => {
  for (const [schema, path] of fieldsWith('maxItems')) {
    const filled = (length: number) => `[${Array(length).fill(memberSample(schema.items!)).join(',')}]`
    const { minItems = 0, maxItems = 0 } = schema
    assert.deepEqual(codesOf(schema, filled(minItems)), [], path)
    assert.deepEqual(codesOf(schema, filled(maxItems)), [], path)
    assert.deepEqual(codesOf(schema, filled(maxItems + 1)), ['too_many'], path)
    if (minItems > 0) assert.deepEqual(codesOf(schema, filled(minItems - 1)), ['too_few'], path)
  }
})

/** Text of this length that the field takes as far as its form goes. */
function textOf({ format, pattern = '' }: Schema, length: number): string {
  if (format === 'date') return '2026-12-25'
  if (format === 'email') return `a@${labels(length - 2)}`
  if (format === 'uri') return `https://${'a'.repeat(length - 8)}`
  if (pattern.includes('\\d')) return `+${'(1)'.repeat(10)}`.padEnd(length, '1')
  return (pattern.startsWith('^[A-Z') ? 'A' : 'a').repeat(length)
}

/** A domain of this length whose labels have at most 63 characters. */
function labels(length: number): string {
  return Array.from({ length }, (_, index) => (index % 50 === 48 && index < length - 1 ? '.' : 'a')).join('')
}

/** JSON that the field takes. */
function sampleOf(schema: Schema): string {
  const variant = schema.oneOf?.[0] ?? schema.anyOf?.[0]
  if (variant !== undefined) return sampleOf(variant)
  if (schema.enum !== undefined) return JSON.stringify(schema.enum[0])
  if (schema.maximum !== undefined) return String(schema.maximum)
  if (schema.format === 'date') return '"2026-07-01"'
  if (schema.type === 'string') return JSON.stringify(textOf(schema, schema.minLength ?? 1))
  const members = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${memberSample(member)}`).join(',')}}`
}

function memberSample(schema: Schema): string {
  return schema.type === 'array' ? `[${memberSample(schema.items!)}]` : sampleOf(schema)
}
