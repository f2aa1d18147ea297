import assert from 'node:assert/strict'
import {
  addressAs,
  expectRows,
  isAtAddress,
  type RowAddress,
} from '../../../src/engine/database/row-address.ts'
import { forEachEngine } from '../../support/engines.ts'

forEachEngine(({ test }) => {
  test('a locked row is written where it is, and a write that misses one fails in words', async (db) => {
    await db.script('create table shelf (item text primary key, books int4)')
    await db.query(`insert into shelf (item, books) values ('upper', 1), ('lower', 2)`)
    const write = `
      with changed as (
        update shelf set books = books + 10
        from unnest($1::text[]) as given(address)
        where ${isAtAddress('shelf', 'given.address')}
        returning 1
      )
      select ${expectRows(['changed'], 'select $2::int4')}`
    const lock = `select item, ${addressAs('address')} from shelf where item = 'upper' for update`
    const addressIn = async (tx: { query: typeof db.query }) =>
      (await tx.query<{ address: RowAddress }>(lock))[0]!.address

    await db.transaction(async (tx) => {
      await tx.query(write, [[await addressIn(tx)], 1])
    })
    await assert.rejects(
      db.transaction(async (tx) => {
        await tx.query(write, [[await addressIn(tx)], 2])
      }),
      /a locked row was not at its address/,
    )
    assert.deepEqual(
      (await db.query<object>('select item, books from shelf order by item')).map((row) => ({ ...row })),
      [
        { item: 'lower', books: 2 },
        { item: 'upper', books: 11 },
      ],
    )
  })
})
