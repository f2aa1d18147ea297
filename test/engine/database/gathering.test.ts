/** Reads of one turn of the event loop share a statement, and nothing else. */
import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DatabaseError, type Queries } from '../../../src/engine/database/database.ts'
import { gathered, onceInTurn } from '../../../src/engine/database/gathering.ts'
import { forEachEngine } from '../../support/engines.ts'

const names = gathered(async (db, bookId, ids) => {
  const rows = await db.query<{ caller_id: string; name: string }>(
    'select caller_id, name from callers where caller_id = any($1::text[])',
    [ids.map((id) => bookId + id)],
  )
  return new Map(rows.map(({ caller_id, name }) => [caller_id.slice(bookId.length), name]))
})

async function insert(db: Queries, id: string, name = `name of ${id}`): Promise<void> {
  await db.query(
    `insert into callers (caller_id, name, time_zone, currency, created_at) values ($1, $2, 'UTC', 'NGN', $3)`,
    [id, name, new Date(0)],
  )
}

/** The same database, and the ids of each statement it was sent. */
function watched(db: Queries): { db: Queries; read: unknown[] } {
  const read: unknown[] = []
  const query: Queries['query'] = (text, values) => {
    read.push(values![0])
    return db.query(text, values)
  }
  return { db: { query }, read }
}

forEachEngine(({ test }) => {
  test('requests of one turn are read by one statement, and each gets its own row', async (db) => {
    for (const id of ['a1', 'a2']) await insert(db, id)
    const { db: shared, read } = watched(db)
    const found = await Promise.all(['1', '2', '3', '1'].map((id) => names(shared, 'a', id)))
    assert.deepEqual(found, ['name of a1', 'name of a2', undefined, 'name of a1'])
    assert.deepEqual(read, [['a1', 'a2', 'a3']])
  })

  test('what several parts of an answer read in one turn is read once, and again in the next', async (db) => {
    await insert(db, 'a1')
    const { db: shared, read } = watched(db)
    const name = onceInTurn(async (db, bookId, id) => (await names(db, bookId, id)) ?? null)
    const found = () => Promise.all(['1', '1', '2'].map((id) => name(shared, 'a', id)))
    assert.deepEqual(await found(), ['name of a1', 'name of a1', null])
    await insert(db, 'a2')
    assert.deepEqual(await found(), ['name of a1', 'name of a1', 'name of a2'])
    assert.deepEqual(read, [
      ['a1', 'a2'],
      ['a1', 'a2'],
    ])
  })

  test('each book has a statement of its own', async (db) => {
    for (const id of ['a1', 'b1']) await insert(db, id)
    const { db: shared, read } = watched(db)
    const found = await Promise.all(['a', 'b'].map((bookId) => names(shared, bookId, '1')))
    assert.deepEqual(found, ['name of a1', 'name of b1'])
    assert.deepEqual(read, [['a1'], ['b1']])
  })

  test('a request does not join a read that has started, so it sees everything committed before it', async (db) => {
    const { db: shared, read } = watched(db)
    const early = names(shared, 'a', '1')
    await nextTurn()
    await insert(db, 'a1')
    assert.equal(await names(shared, 'a', '1'), 'name of a1')
    assert.equal(read.length, 2)
    await early
  })

  test('a statement has at most a hundred rows', async (db) => {
    const { db: shared, read } = watched(db)
    await Promise.all(Array.from({ length: 250 }, (_, index) => names(shared, 'a', String(index))))
    assert.deepEqual(
      read.map((ids) => (ids as string[]).length),
      [100, 100, 50],
    )
  })

  test('an id that the database rejects fails alone', async (db) => {
    await insert(db, 'a1')
    const found = await Promise.allSettled(['1', '\0'].map((id) => names(db, 'a', id)))
    assert.deepEqual(
      found.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as DatabaseError).sqlState)),
      ['name of a1', '22021'],
    )
  })

  test('a database that is unavailable is asked once, and fails every request', async (db) => {
    const failure = new DatabaseError('The connection broke.', { sqlState: null })
    let asked = 0
    const broken: Queries = {
      query: async () => {
        asked += 1
        throw failure
      },
    }
    const found = await Promise.allSettled(['1', '2'].map((id) => names(broken, 'a', id)))
    assert.deepEqual(
      found.map((one) => one.status === 'rejected' && one.reason),
      [failure, failure],
    )
    assert.equal(asked, 1)
    assert.equal(await names(db, 'a', '1'), undefined)
  })
})
