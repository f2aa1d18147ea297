/**
 * A record and its row, declared once: which member is which column, and how values are converted in both directions.
 * Column lists, inserts and reads all come from the one map, so a new column is one line.
 */
import { type IsoDate, isoDate } from '../../domain/dates.ts'
import { type Minor, minor } from '../../domain/money.ts'
import type { Metadata } from '../../domain/own-reference.ts'
import type { ColumnType, Rows } from './rows.ts'

type Field<Value> = {
  column: string
  type: ColumnType
  /** Converts the value of the driver. */
  read: (raw: never) => Value
  /** Converts to the value of the column; left out: no conversion. */
  write?: (value: Value) => unknown
}

type RowMap<Item> = {
  /** For select and insert, in the order of declaration. */
  columns: string
  rows: Rows<Item>
  read: (row: object) => Item
}

export function rowMap<Item extends object>(
  fields: { [Member in keyof Item]-?: Field<Item[Member]> },
): RowMap<Item> {
  const members = Object.entries(fields) as [keyof Item & string, Field<unknown>][]
  return {
    columns: members.map(([, { column }]) => column).join(', '),
    rows: Object.fromEntries(
      members.map(([member, { column, type, write = asItIs }]) => [
        column,
        [type, (item: Item) => write(item[member])],
      ]),
    ) as unknown as Rows<Item>,
    read(row) {
      const item: Record<string, unknown> = {}
      for (const [member, { column, read }] of members) {
        item[member] = read((row as Record<string, unknown>)[column] as never)
      }
      return item as Item
    },
  }
}

const asItIs = <Value>(raw: Value) => raw

export function text<Value extends string | null = string>(column: string): Field<Value> {
  return { column, type: 'text', read: asItIs<Value> }
}

export function integer<Value extends number | null = number>(column: string): Field<Value> {
  return { column, type: 'int4', read: asItIs<Value> }
}

export function flag(column: string): Field<boolean> {
  return { column, type: 'boolean', read: asItIs<boolean> }
}

export function instant<Value extends Date | null = Date>(column: string): Field<Value> {
  return { column, type: 'timestamptz', read: asItIs<Value> }
}

export function calendarDateOrNull(column: string): Field<IsoDate | null> {
  return { column, type: 'date', read: (raw: string | null) => (raw === null ? null : isoDate(raw)) }
}

/** An amount in minor units. */
export function amount(column: string): Field<Minor> {
  return { column, type: 'bigint', read: (raw: bigint) => minor(raw) }
}

export function texts<Value extends readonly string[] = string[]>(column: string): Field<Value> {
  return { column, type: 'text[]', read: asItIs<Value> }
}

/** JSON text; null where there is none. */
export function metadata(column: string): Field<Metadata> {
  return { column, type: 'text', read: metadataOf, write: metadataText }
}

export function metadataOf(text: string | null): Metadata {
  return text === null ? {} : JSON.parse(text)
}

export function metadataText(given: Metadata): string | null {
  return Object.keys(given).length === 0 ? null : JSON.stringify(given)
}
