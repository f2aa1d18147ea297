/** Statements as the functions that run them, over a table that the statements make up themselves. */
import assert from 'node:assert/strict'
import type { Queries } from '../../../src/engine/database/database.ts'
import { listInOrder, listOf, where } from '../../../src/engine/database/list.ts'
import {
  count,
  instant,
  integer,
  nested,
  ordinal,
  rowMap,
  text,
} from '../../../src/engine/database/row-map.ts'
import { membersInBook, membersOf, sql, writeRows } from '../../../src/engine/database/sql.ts'
import { assignOne, insertOne, table } from '../../../src/engine/database/table.ts'
import { NEWEST_ROWS } from '../../../src/engine/database/window.ts'
import { forEachEngine } from '../../support/engines.ts'

/** a1, a2, … up to a number: every third is blue. */
const NUMBERED = `
    select number::bigint as ordinal, 'a' || number as name, case when number % 3 = 0 then 'blue' else 'red' end as colour
    from generate_series(1, 1200) as number`

type Item = { name: string; colour: string }
const itemMap = rowMap<Item>({ name: text('name'), colour: text('colour') })

const upTo = (last: number) => [last]
const some = `select * from (${NUMBERED}) as numbered where ordinal <= $1::int4 order by ordinal`

const firstOf = sql`${some}`.first(itemMap, upTo)
const allOf = sql`${some}`.all(itemMap, upTo)
const coloursOf = sql`${some}`.map(text('name'), text('colour'), upTo)
const namesOf = sql`${some}`.groups(text('colour'), text('name'), upTo)
const hasSome = sql`${some}`.some(upTo)
const countOf = sql`select count(*)::int4 as items from (${NUMBERED}) as numbered`.only(integer('items'))

const newestOf = sql`
    select *
    from (${NUMBERED}) as numbered
    where name <> $1
      and ordinal < $2
    order by ordinal desc
    limit $3`.page(text('name'))

const inPages = sql`
    select *
    from (${NUMBERED}) as numbered
    where ordinal > $1
      and ordinal <= $3
    order by ordinal
    limit $2`.pages(text('name'), ordinal('ordinal'), (after, limit, last: number) => [
  after ?? 0n,
  limit,
  last,
])

const listed = listOf(
  (clauses) => `
    select *
    from (${NUMBERED}) as numbered
    where name <> $1
      and ordinal < $2${clauses}
    order by ordinal desc
    limit $3`,
  {
    colour: where<string | null>('colour = ?'),
    except: where('name <> ?', (name: string) => name.toLowerCase()),
  },
  text('name'),
)

forEachEngine(({ test }) => {
  test('rows of no keys are not asked for', async (db) => {
    const items = table('items', itemMap, { key: 'name' })
    const query = async () => assert.fail('a statement was sent')
    assert.deepEqual(await items.find({ ...db, query }, 'bk_1', []), new Map())
  })

  test('a statement reads the first row, all rows, or nothing', async (db) => {
    assert.deepEqual(await firstOf(db, 3), { name: 'a1', colour: 'red' })
    assert.equal(await firstOf(db, 0), undefined)
    assert.deepEqual(await allOf(db, 3), [
      { name: 'a1', colour: 'red' },
      { name: 'a2', colour: 'red' },
      { name: 'a3', colour: 'blue' },
    ])
    assert.deepEqual(await allOf(db, 0), [])
    assert.equal(await countOf(db), 1200)
    assert.deepEqual([await hasSome(db, 1), await hasSome(db, 0)], [true, false])
  })

  test('one row is inserted, and some members of it are changed, from the map of the table', async (db) => {
    const naming = rowMap({ callerId: text('caller_id'), name: text('name') })
    const caller = rowMap({
      naming: nested(naming),
      timeZone: text('time_zone'),
      currency: text('currency'),
      createdAt: instant('created_at'),
    })
    const bank = { timeZone: 'Africa/Lagos', currency: 'NGN', createdAt: new Date('2026-07-01T00:00:00Z') }
    const given = { naming: { callerId: 'cal_1', name: 'Bank' }, ...bank }
    await insertOne('callers', caller).run(db, given)
    const find = sql`select ${caller.columns} from callers where caller_id = $1 and name = $2`
    assert.deepEqual(
      await find.all(caller, membersOf<{ id: string; name: string }>('id', 'name'))(db, {
        id: 'cal_1',
        name: 'Bank',
      }),
      [given],
    )
    assert.deepEqual(
      await find.all(caller, membersInBook<{ name: string }>('name'))(db, 'cal_1', { name: 'Other' }),
      [],
    )
    await db.query(`insert into books (book_id, caller_id, mode, clock_offset_ms)
      values ('bk_1', 'cal_1', 'test', 0), ('bk_2', 'cal_1', 'live', 0)`)
    const book = rowMap({ mode: text('mode'), clockOffsetMs: count('clock_offset_ms') })
    await assignOne('books', book).run(db, 'bk_1', { mode: 'test', clockOffsetMs: 7 })
    await assignOne('books', book).run(db, 'bk_2', { mode: 'test', clockOffsetMs: 9 })
    const read = sql`select mode, clock_offset_ms from books order by book_id`.all(book)
    assert.deepEqual(await read(db), [
      { mode: 'test', clockOffsetMs: 7 },
      { mode: 'live', clockOffsetMs: 0 },
    ])
  })

  test('a statement reads rows by a key, one of each or several', async (db) => {
    const colours = await coloursOf(db, 3)
    assert.deepEqual([...colours], [...Object.entries({ a1: 'red', a2: 'red', a3: 'blue' })])
    const names = await namesOf(db, 4)
    assert.deepEqual([...names], [...Object.entries({ red: ['a1', 'a2', 'a4'], blue: ['a3'] })])
  })

  test('a page of a list ends where the next one begins, and the last one has no next', async (db) => {
    const first = await newestOf(db, 'nobody', { limit: 2, before: null })
    assert.deepEqual(first, { items: ['a1200', 'a1199'], next: 1199n })
    assert.deepEqual(await newestOf(db, 'nobody', { limit: 2, before: first.next }), {
      items: ['a1198', 'a1197'],
      next: 1197n,
    })
    assert.deepEqual(await newestOf(db, 'nobody', { limit: 2, before: 3n }), {
      items: ['a2', 'a1'],
      next: null,
    })
  })

  test('all rows are read page by page, each once, and no page is empty', async (db) => {
    for (const last of [0, 1, 500, 501, 1200]) {
      const pages: string[][] = []
      for await (const page of inPages(db, last)) pages.push(page)
      const names = Array.from({ length: last }, (_, index) => `a${index + 1}`)
      assert.deepEqual(pages.flat(), names)
      assert.equal(pages.length, Math.ceil(last / 500))
    }
  })

  test('a list is read with the filters that have a value, and its window has the newest of them', async (db) => {
    const page = { limit: 2, before: null }
    assert.deepEqual(await listed(db, 'nobody', {}, page), { items: ['a1200', 'a1199'], next: 1199n })
    const blue = await listed(db, 'nobody', { colour: 'blue', except: 'A1200' }, page)
    assert.deepEqual(blue, { items: ['a1197', 'a1194'], next: 1194n })
    const end = await listed(db, 'nobody', { colour: 'blue' }, { limit: 2, before: 6n })
    assert.deepEqual(end, { items: ['a3'], next: null })
    const { text, values } = listed.window('nobody', { colour: null, except: 'a1200' }, NEWEST_ROWS)
    const rows = await db.query<{ name: string }>(text, values)
    assert.deepEqual([rows.length, rows[0]!.name], [1199, 'a1199'])
  })

  test('a list may be in the order of something else than its ordinals', async (db) => {
    const byName = listInOrder(listed.statement, listed.clauses, text('name'), {
      parameter: (name: string) => Number(name.slice(1)),
      behindAll: 4,
      of: text('name').read,
    })
    assert.deepEqual(await byName(db, 'nobody', {}, { limit: 2, before: null }), {
      items: ['a3', 'a2'],
      next: 'a2',
    })
    assert.deepEqual(await byName(db, 'nobody', {}, { limit: 2, before: 'a2' }), {
      items: ['a1'],
      next: null,
    })
  })

  test('a statement that changes is waited for, or sent with the commit, as are rows', async (db) => {
    const rename = 'update books set mode = $2 where book_id = $1'
    const values = (bookId: string, mode: string) => [bookId, mode]
    await insertBooks(db)
    await sql`${rename}`.run(values)(db, 'bk_1', 'live')
    assert.deepEqual(await modes(db), ['bk_1 live'])
    await db.transaction(async (tx) => {
      await modes(tx)
      sql`${rename}`.write(values)(tx, 'bk_1', 'test')
      moveClocks(tx, 'bk_1', [7, 9])
    })
    assert.deepEqual(await modes(db), ['bk_1 test'])
    const [row] = await db.query<{ moved: bigint }>('select clock_offset_ms as moved from books')
    assert.equal(row!.moved, 9n)
  })
})

const moveClocks = writeRows<number>(
  'moved',
  { by_ms: ['int4', (ms) => ms] },
  (from, book) => `
    update books
    set clock_offset_ms = (select max(by_ms) from ${from})
    where book_id = ${book}`,
)

async function insertBooks(db: Queries): Promise<void> {
  await db.query(
    `insert into callers (caller_id, name, time_zone, currency, created_at)
     values ('cal_1', 'Bank', 'Africa/Lagos', 'NGN', '2026-07-01')`,
  )
  await db.query(
    `insert into books (book_id, caller_id, mode, clock_offset_ms) values ('bk_1', 'cal_1', 'test', 0)`,
  )
}

async function modes(db: Queries): Promise<string[]> {
  const rows = await db.query<{ book_id: string; mode: string }>('select book_id, mode from books order by 1')
  return rows.map(({ book_id, mode }) => `${book_id} ${mode}`)
}
