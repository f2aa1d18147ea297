/**
 * Claims that the database checks by itself: one statement looks at a range of a table's keys, and returns the rows for
 * which a claim does not hold and those from which the service computes figures again.
 *
 * - A statement compares both sides in one snapshot, so a change that is committed meanwhile is seen whole or not at all.
 * - It reads each row it needs once. Related rows come in two ways that leave the planner no bad choice, with and without
 *   statistics: by a lateral subquery with an aggregate or a limit, which is one index lookup per row; or by a full join
 *   of two ranges, which is a hash or a merge join. (`exists` may become a hash of a whole table for each range, and an
 *   inner or left join of two ranges a loop over both; `is true` keeps a condition from being looked up in an index that
 *   reads all events of a type for each range.) So the cost grows with the number of rows, whatever their spread.
 */
import type { Failed } from '../../domain/claim.ts'
import { computed, type Field } from './row-map.ts'

/** SQL over the facts of a subject: when a row differs from the claim, the actual value, and the expected one. */
export type RowClaim = {
  claim: string
  /** The columns that name the record; left out: the key of the subject. */
  ids?: readonly string[]
  differs: string
  found: string
  expected: string
}

/** The condition that a column lies in the range. */
export type Within = (column: string) => string

export type Subject = {
  /** The column whose ranges are scanned. */
  key: string
  /** Keys of one range. */
  pageKeys: number
  /** $1 is the book. */
  facts: (within: Within) => string
  /** The first claim that fails of a row is reported. */
  claims: readonly RowClaim[]
  /** Which rows the service computes again, and which columns it needs. */
  rows?: { where: string; columns: readonly string[] }
}

/** Rows of another table with the same keys, joined to those of a subject. */
export type Relation = { as: string; rows: (within: Within) => string; on: string }

/** What is looked up for each row of a subject; at most one row. */
export type Lookup = { as: string; rows: string }

/** How the first record of which a claim does not hold is read: its ids, what was `found` and what was `expected`. */
export function failureOf(claim: string): Field<Failed> {
  return computed(({ found, expected, ...ids }) => ({ claim, ids, found, expected }) as Failed)
}

/** Claimed of the events of each kind of record. */
export const EVENT_SUBJECT = 'an event is about a record that exists'

/** The number of events of each type, as '1 0 2'. */
export function countEvents(types: readonly string[]): string {
  const counts = types.map((type) => `count(*) filter (where type = '${type}')`)
  return `concat_ws(' ', ${counts.join(', ')})`
}

export function eventsOf(subject: string, types: readonly string[]): string {
  return `(
          select ${countEvents(types)} as recorded
          from events
          where events.book_id = $1
            and events.subject_id = ${subject}
        )`
}

export function lookUp({ as, rows }: Lookup): string {
  return `left join lateral (${rows}) as ${as} on true`
}

export function fullJoin({ as, rows, on }: Relation, within: Within): string {
  return `full join (${rows(within)}) as ${as} on ${on}`
}

/** `offset 0` keeps the planner from computing an expression again wherever it is used. */
function pageStatement({ key, facts, claims, rows }: Subject, within: Within): string {
  const choose = (value: (claim: RowClaim) => string) =>
    `case failed ${claims.map((claim, index) => `when ${index} then ${value(claim)}`).join(' ')} end`
  const columns = new Set([...claims.flatMap(({ ids }) => ids ?? [key]), ...(rows?.columns ?? [])])
  return `
    select ${[...columns].join(', ')}, failed,
      ${choose(({ found }) => found)} as found,
      ${choose(({ expected }) => expected)} as expected
    from (
      select fact.*, case ${claims.map(({ differs }, index) => `when ${differs} then ${index}`).join(' ')} end as failed
      from (${facts(within)}
        offset 0
      ) as fact
      offset 0
    ) as examined
    where failed is not null${rows === undefined ? '' : ` or ${rows.where}`}`
}

/** The rows with the keys after $2 and up to $3. */
export function boundedStatement(subject: Subject): string {
  return pageStatement(subject, (column) => `${column} > $2 and ${column} <= $3`)
}

/** The last range has no end, so that it includes references to records after the last one. */
export function openStatement(subject: Subject): string {
  return pageStatement(subject, (column) => `${column} > $2`)
}

/** The end of the next range after $2, and its keys: as many as $3, and those equal to the last one. */
export function rangeStatement(table: string, { key }: Subject): string {
  return `
    select max(key) as up_to, count(*) as keys
    from (
      select ${key} as key
      from ${table}
      where book_id = $1
        and ${key} > $2
      order by ${key}
      fetch first ($3) rows with ties
    ) as page`
}
