/**
 * A record and its row, declared once: which member is which column, and how values are converted in both directions.
 * Column lists, inserts and reads all come from the one map, so a new column is one line.
 */
import { type IsoDate, isoDate } from '../../domain/dates.ts'
import { type Minor, minor } from '../../domain/money.ts'
import type { Metadata } from '../../domain/own-reference.ts'
import { compileLiteral } from './literal.ts'
import type { ColumnType, Rows } from './rows.ts'

/** A row as a query returns it. */
export type Row = Record<string, unknown>

/** A member: its columns, each with its type and how its value is written, and how the member is read from a row. */
export type Field<Value> = {
  columns: Record<string, readonly [type: ColumnType, write: (value: Value) => unknown]>
  read: Read<Value>
}
type Read<Value> = {
  (row: Row): Value
  /** The column and its conversion, where the field is read from one column alone. */
  of?: { column: string; convert: (raw: never) => Value }
}
export type Fields<Item> = { [Member in keyof Item]-?: Field<Item[Member]> }

export type RowMap<Item> = {
  /** The fields, for a map with further members. */
  fields: Fields<Item>
  /** Columns for select and insert, in the order of declaration. */
  columns: string
  /** The same of a table under another name. */
  columnsOf: (table: string) => string
  rows: Rows<Item>
  read: (row: object) => Item
  /** The map of some of the members. */
  pick: <Member extends keyof Item>(...members: Member[]) => RowMap<Pick<Item, Member>>
}

/** What a map reads, where no other type says it. */
export type ItemOf<Map extends { read: (row: never) => unknown }> = ReturnType<Map['read']>

export function rowMap<Item extends object>(fields: Fields<Item>): RowMap<Item> {
  const members = Object.entries(fields) as [keyof Item & string, Field<unknown>][]
  const rows = Object.fromEntries(
    members.flatMap(([member, { columns }]) =>
      Object.entries(columns).map(([column, [type, write]]) => [
        column,
        [type, (item: Item) => write(item[member])],
      ]),
    ),
  )
  return {
    fields,
    columns: Object.keys(rows).join(', '),
    columnsOf: (table) =>
      Object.keys(rows)
        .map((column) => `${table}.${column}`)
        .join(', '),
    rows: rows as unknown as Rows<Item>,
    read: readerOf(members),
    pick: (...picked) =>
      rowMap(Object.fromEntries(picked.map((member) => [member, fields[member]])) as never),
  }
}

/** Compiled when it is first used: most maps are not needed at the start. */
function readerOf<Item>(members: readonly [string, Field<unknown>][]): (row: object) => Item {
  let compiled: ((row: object) => Item) | undefined
  return (row) => {
    compiled ??= compileLiteral(
      members.map(([member, { read }], index) => {
        if (read.of === undefined) return [member, `read${index}(source)`]
        const raw = `source[${JSON.stringify(read.of.column)}]`
        return [member, read.of.convert === asItIs ? raw : `read${index}(${raw})`]
      }),
      Object.fromEntries(members.map(([, { read }], index) => [`read${index}`, read.of?.convert ?? read])),
    )
    return compiled(row)
  }
}

/** A record inside a record, or null. Its columns are null together; the first one decides. */
export function group<Value extends object>(fields: Fields<Value>): Field<Value | null> {
  const { rows, read } = rowMap(fields)
  const columns = Object.entries(rows).map(([column, [type, write]]) => [
    column,
    [type, (value: Value | null) => value && write(value)],
  ])
  const first = Object.keys(rows)[0]!
  return { columns: Object.fromEntries(columns), read: (row) => (row[first] === null ? null : read(row)) }
}

/** A record inside a record. */
export function nested<Value>({ rows, read }: RowMap<Value>): Field<Value> {
  return { columns: rows as Field<Value>['columns'], read }
}

const asItIs = <Value>(raw: Value) => raw

function field<Value>(
  column: string,
  type: ColumnType,
  convert: (raw: never) => Value = asItIs,
  write: (value: Value) => unknown = asItIs,
): Field<Value> {
  const columns = { [column]: [type, write] as const }
  const read = (row: Row) => convert(row[column] as never)
  return { columns, read: Object.assign(read, { of: { column, convert } }) }
}

export function text<Value extends string | null = string>(column: string): Field<Value> {
  return field(column, 'text')
}

/** `missing` stands for null. */
export function textOr(column: string, missing: string): Field<string> {
  return field(column, 'text', (raw: string | null) => raw ?? missing)
}

export function integer<Value extends number | null = number>(column: string): Field<Value> {
  return field(column, 'int4')
}

/** A bigint that is small enough for a number, such as a count of rows. */
export function count(column: string): Field<number> {
  return field(column, 'bigint', Number, BigInt)
}

export function ordinal(column: string): Field<bigint> {
  return field(column, 'bigint')
}

export function flag<Value extends boolean | null = boolean>(column: string): Field<Value> {
  return field(column, 'boolean')
}

export function instant<Value extends Date | null = Date>(column: string): Field<Value> {
  return field(column, 'timestamptz')
}

export function calendarDate(column: string): Field<IsoDate> {
  return field(column, 'date', (raw: string) => isoDate(raw))
}

export function calendarDateOrNull(column: string): Field<IsoDate | null> {
  return field(column, 'date', (raw: string | null) => (raw === null ? null : isoDate(raw)))
}

/** An amount in minor units. */
export function amount(column: string): Field<Minor> {
  return field(column, 'bigint', (raw: bigint) => minor(raw))
}

/** Rows of an early version have the second column alone. */
export function amountOrThat(column: string, earlier: string): Field<Minor> {
  return { ...amount(column), read: (row) => minor((row[column] ?? row[earlier]) as bigint) }
}

/** A sum of amounts, which may be negative; without any it is zero. */
export function sumOf(column: string): Field<bigint> {
  return field(column, 'bigint', (raw: bigint | null) => raw ?? 0n)
}

/** A member without a column of its own. */
export function computed<Value>(read: (row: Row) => Value): Field<Value> {
  return { columns: {}, read }
}

/**
 * Zero is written as null, which is also what an older version leaves there: a row that needs few of these columns stays
 * as short as it was.
 */
export function amountOrZero(column: string): Field<Minor> {
  return field(
    column,
    'bigint',
    (raw: bigint | null) => minor(raw ?? 0n),
    (value) => (value === 0n ? null : value),
  )
}

export function texts<Value extends readonly string[] = string[]>(column: string): Field<Value> {
  return field(column, 'text[]')
}

/** JSON text; null where there is none. */
export function metadata(column: string): Field<Metadata> {
  return field(column, 'text', metadataOf, metadataText)
}

function metadataOf(text: string | null): Metadata {
  return text === null ? {} : JSON.parse(text)
}

function metadataText(given: Metadata): string | null {
  return Object.keys(given).length === 0 ? null : JSON.stringify(given)
}
