/** How the Go client names and types what openapi.json describes. */
import { isAmount, isDecimal, nameOf, pascal, type Schema, withoutNull } from './model.ts'

/** A member of a struct. `schema` is null where a union has several, so that it is left as JSON. */
export type Member = { name: string; type: string; optional: boolean; schema: Schema | null }

export type GoTypes = ReturnType<typeof createGoTypes>

/** `prefix` is the name of the package and a point, for code outside of it. */
export function createGoTypes(schemas: Record<string, Schema>, prefix = '') {
  return { membersOf, goType, fieldType }

  /** Of a union all members of its records. null: it is no record. */
  function membersOf(schema: Schema): Member[] | null {
    if (isMap(schema)) return null
    if (schema.properties !== undefined)
      return Object.entries(schema.properties).map(([name, member]) => ({
        name,
        type: goType(member),
        optional: !(schema.required ?? []).includes(name),
        schema: member,
      }))
    const choices = schema.anyOf ?? schema.oneOf
    const records = choices?.map((choice) =>
      choice.$ref === undefined ? null : membersOf(schemas[nameOf(choice.$ref)]!),
    )
    if (records === undefined || records.some((record) => record === null)) return null
    const merged = new Map<string, Member>()
    for (const member of records.flatMap((record) => record!)) {
      const earlier = merged.get(member.name)
      const isSame = earlier === undefined || earlier.type === member.type
      const everywhere = records.every((record) =>
        record!.some(({ name, optional }) => name === member.name && !optional),
      )
      merged.set(member.name, {
        name: member.name,
        type: isSame ? member.type : RAW,
        optional: !everywhere,
        schema: isSame ? member.schema : null,
      })
    }
    return [...merged.values()]
  }

  /** Whether the caller chooses names, beside those that are fixed. */
  function isMap({ properties = {}, additionalProperties: others }: Schema): boolean {
    if (typeof others !== 'object') return false
    return Object.values(properties).every((member) => goType(member) === goType(others))
  }

  /** What may be left out is a pointer, unless it can be nil already. */
  function fieldType({ type, optional }: Member): string {
    return optional && !CAN_BE_NIL.test(type) ? `*${type}` : type
  }

  function goType(given: Schema): string {
    const { schema, nullable } = withoutNull(given)
    const type = bareType(schema)
    return nullable && !CAN_BE_NIL.test(type) ? `*${type}` : type
  }

  function bareType(schema: Schema): string {
    if (isDecimal(schemas, schema)) return prefix + (isAmount(schemas, schema) ? 'Amount' : 'Decimal')
    if (schema.$ref !== undefined) {
      const name = nameOf(schema.$ref)
      return isPlain(schemas[name]!) ? bareType(schemas[name]!) : prefix + name
    }
    if (schema.type === 'array') return `[]${goType(schema.items!)}`
    if (schema.type === 'object' && typeof schema.additionalProperties === 'object')
      return `map[string]${goType(schema.additionalProperties)}`
    const plain: Record<string, string> = { string: 'string', integer: 'int64', boolean: 'bool' }
    return plain[String(schema.type)] ?? RAW
  }

  /** Neither an enumeration nor a record: it needs no name. */
  function isPlain(schema: Schema): boolean {
    return schema.enum === undefined && membersOf(schema) === null
  }
}

const RAW = 'json.RawMessage'
const CAN_BE_NIL = /^(?:\*|\[\]|map|json\.)/

export function goName(text: string): string {
  return pascal(text).replaceAll(/(Id|Api|Url|Json|Http)(?=[A-Z]|s?$)/g, (word) => word.toUpperCase())
}

export function lower(name: string): string {
  return name[0]!.toLowerCase() + name.slice(1)
}

/** The constant of a value of an enumeration, without the name of its type. */
export function valueName(value: string): string {
  if (value === '*') return 'All'
  return /[a-z]/.test(value)
    ? goName(value.replaceAll(/[^0-9A-Za-z]+/g, '_'))
    : goName(value.toLowerCase().replaceAll(/[^0-9a-z]+/g, '_'))
}

/** Columns as gofmt sets them: each as wide as its widest cell. */
export function aligned(rows: readonly (readonly string[])[], indent = '\t'): string {
  const widths = rows.reduce<number[]>(
    (all, row) => row.map((cell, column) => Math.max(all[column] ?? 0, cell.length)),
    [],
  )
  return rows
    .map(
      (row) =>
        `${indent}${row.map((cell, column) => (column < row.length - 1 ? cell.padEnd(widths[column]!) : cell)).join(' ')}`,
    )
    .join('\n')
}
