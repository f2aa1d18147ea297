/**
 * Random single changes of sealed rows, made by hand in the database: one column of one row, a row less, a row more. Each is
 * rolled back, so that the next one starts from the same books.
 */
import assert from 'node:assert/strict'
import type { Book } from '../../src/domain/book.ts'
import type { Failed } from '../../src/domain/claim.ts'
import type { Database, Queries } from '../../src/engine/database/database.ts'
import { looksAtSeals } from '../../src/features/seals/claims.ts'
import type { Random } from './random.ts'

const KEYS: Record<string, string> = { events: 'event_id', ledger_entries: 'entry_id', seals: 'seal_no' }

type Column = { column_name: string; data_type: string }

/** The first difference of the seals alone: other claims must not be what detects it. */
export async function findInSeals(db: Queries, { bookId }: Book): Promise<Failed | null> {
  for await (const { look } of looksAtSeals(db, bookId)) {
    const failed = await look()
    if (failed !== null) return failed
  }
  return null
}

type Tried = { statement: string; failed: Failed | null }

/** Makes one change, returns what is found of it and what it was. Constraints are dropped before. */
export async function tamper(db: Database, book: Book, random: Random): Promise<Tried> {
  return tryByHand(db, book, await drawStatement(db, book.bookId, random))
}

export async function tryByHand(db: Database, book: Book, statement: string): Promise<Tried> {
  let failed: Failed | null = null
  const undone = new Error('undone')
  await db
    .transaction(async (tx) => {
      const rows = await tx.query(`${statement} returning 1`)
      assert.equal(rows.length, 1, statement)
      failed = await findInSeals(tx, book)
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw new Error(statement, { cause: error })
    })
  return { statement, failed }
}

async function drawStatement(db: Queries, bookId: string, random: Random): Promise<string> {
  const table = random.pick(Object.keys(KEYS))
  const key = KEYS[table]!
  const keys = await db.query<{ key: string }>(`
    select ${key}::text as key
    from ${table}
    where book_id = '${bookId}' ${table === 'events' ? 'and ordinal <= (select max(to_ordinal) from seals)' : ''}
    order by ${key}`)
  const where = `book_id = '${bookId}' and ${key}::text = '${random.pick(keys).key}'`
  const columns = await db.query<Column>(`
    select column_name, data_type
    from information_schema.columns
    where table_schema = 'public'
      and table_name = '${table}'
    order by ordinal_position`)
  const chosen = random.pick(columns)
  switch (random.below(8)) {
    case 0:
      return `delete from ${table} where ${where}`
    case 1: {
      const added: Record<string, string> = { events: `'evt_added'`, ledger_entries: `entry_id || '0'` }
      const values: Record<string, string> = {
        [key]: added[table] ?? '1000',
        ...(table === 'seals' && { to_ordinal: 'to_ordinal + 1' }),
      }
      const names = columns.map(({ column_name: name }) => name)
      return `insert into ${table} (${names.join(', ')})
        select ${names.map((name) => values[name] ?? name).join(', ')} from ${table} where ${where}`
    }
    default:
      return `update ${table} set ${chosen.column_name} = ${otherValue(chosen, random)} where ${where}`
  }
}

/** Never the same as before, and not null where it must not be. */
function otherValue({ column_name: name, data_type: type }: Column, random: Random): string {
  switch (type) {
    case 'bigint':
    case 'integer':
      // Another seal has the next number.
      return name === 'seal_no' ? 'seal_no + 1000' : `${name} + ${random.pick([1, 2, 1_000])}`
    case 'boolean':
      return `not ${name}`
    case 'timestamp with time zone':
      return `${name} + interval '${random.pick([1, 1_000, 1_000_000])} microseconds'`
    case 'date':
      return `coalesce(${name} + 1, '2026-01-01')`
    case 'ARRAY':
      return name === 'accounts' ? `${name} || 'cash'::text` : `${name} || 1::bigint`
    default:
      return random.pick([`coalesce(${name} || ' ', '')`, `coalesce(reverse(${name}) || 'x', 'x')`])
  }
}
