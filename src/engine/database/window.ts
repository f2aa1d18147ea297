/**
 * The newest rows of a list in another order, and their totals. Only WINDOW_MAX rows are sorted and added up, so the work
 * of a page is bounded without an index for each column; somebody who wants all of them asks for that. The statement of
 * the list stays as it is, with its filters and its book; here it becomes a part of another one.
 */
import type { Queries } from './database.ts'
import type { PageRequest } from './pages.ts'

export const WINDOW_MAX = 10_000
/** The page of the newest rows; a page reads one row more than it has. */
export const NEWEST_ROWS: PageRequest<never> = { limit: WINDOW_MAX - 1, before: null }
/** The most rows where somebody asks for all: what a database adds up in about a second. */
export const WHOLE_MAX = 1_000_000
export const ALL_ROWS: PageRequest<never> = { limit: WHOLE_MAX - 1, before: null }

/** The statement of a list for its newest rows, with its parameters; cut: it looks for them only in a part of the list. */
export type ListWindow = { text: string; values: readonly unknown[]; isCut?: boolean }

/** SQL over a row of the list, which is named `newest`, by the keys of the columns that people see. */
export type ListSql = {
  /** The text that identifies a row. */
  id: string
  order: Readonly<Record<string, string>>
  sums: Readonly<Record<string, string>>
  /** Amounts that a row has in several currencies: a statement for each, of `currency` and `amount_minor`. */
  amounts?: Readonly<Record<string, string>>
  /** Left out: its rows have no currency of their own. */
  currency?: string
  /** Which rows the sums include; left out: all. */
  isCounted?: string
}

/** The key of the column that sorts, and the direction. */
export type ListOrder = { key: string; isDown: boolean }

/** `parameters`: how many the list has itself; the place and the number of rows come after them. */
export function orderStatement(list: string, sql: ListSql, by: ListOrder & { parameters: number }): string {
  const direction = by.isDown ? 'desc' : 'asc'
  return `
    with listed as materialized (
      select newest.*,
             row_number() over (
               order by ${sql.order[by.key]} ${direction} nulls last, ${sql.id} ${direction}) as row_no
      from (${list}) newest
    )
    select listed.*
    from listed
    where row_no > coalesce((select row_no from listed where ${sql.id} = $${by.parameters + 1}), 0)
    order by row_no
    limit $${by.parameters + 2}`
}

export function totalsStatement(list: string, sql: ListSql): string {
  const counted = `filter (where ${sql.isCounted ?? 'true'})`
  const sums = Object.values(sql.sums).map((sum) => `coalesce(sum(${sum}) ${counted}, 0)::bigint`)
  return `
    select ${sql.currency ?? 'null::text'} as currency,
           count(*)::int4 as listed,
           count(*) ${counted}::int4 as counted,
           array[${sums.join(', ')}]::bigint[] as sums
    from (${list}) newest
    group by 1
    order by 1`
}

export function amountsStatement(list: string, amounts: string): string {
  return `
    select own.currency, sum(own.amount_minor)::bigint as amount
    from (${list}) newest
    cross join lateral (${amounts}) own
    group by 1
    order by 1`
}

/** The rows of the list itself. */
export function readWindow<Found>(db: Queries, { text, values }: ListWindow): Promise<Found[]> {
  return db.query<Found>(text, values)
}

/** The rows that follow a row, and one more that says whether others follow; a place that is not known is the start. */
export function readInOrder(
  db: Queries,
  { text, values }: ListWindow,
  asked: { sql: ListSql; by: ListOrder; place: string; limit: number },
): Promise<object[]> {
  const { sql, by, place, limit } = asked
  const statement = orderStatement(text, sql, { ...by, parameters: values.length })
  return db.query<object>(statement, [...values, place, limit + 1])
}

/** `listed` counts every row, `counted` those that the sums include; sums by the keys of the columns. */
export type ListTotal = {
  currency: string | null
  listed: number
  counted: number
  sums: ReadonlyMap<string, bigint>
}

export type CurrencyAmount = { currency: string; amount: bigint }

export function readAmounts(
  db: Queries,
  { text, values }: ListWindow,
  amounts: string,
): Promise<CurrencyAmount[]> {
  const statement = amountsStatement(text, amounts)
  return db.query<CurrencyAmount>(statement, values)
}

export async function readTotals(
  db: Queries,
  { text, values }: ListWindow,
  sql: ListSql,
): Promise<ListTotal[]> {
  const statement = totalsStatement(text, sql)
  const rows = await db.query<Omit<ListTotal, 'sums'> & { sums: bigint[] }>(statement, values)
  const keys = Object.keys(sql.sums)
  return rows.map(({ sums, ...total }) => ({
    ...total,
    sums: new Map(keys.map((key, index) => [key, sums[index]!])),
  }))
}
