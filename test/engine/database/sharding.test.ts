import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSchema, shardingScript, writeShardingScript } from '../../../src/engine/database/sharding.ts'
import { forEachEngine, migrationsFolder } from '../../support/engines.ts'

const books = { name: 'books', of_book: true }
const deposits = { name: 'deposits', of_book: true }
const liens = { name: 'liens', of_book: true }
const reference = {
  source: 'liens',
  target: 'deposits',
  name: 'liens_deposit',
  definition: 'foreign key (book_id, deposit_id) references deposits',
}

forEachEngine(({ test }) => {
  test('the script places every table but the migrations, and restores every foreign key', async (db) => {
    const schema = await readSchema(db)
    assert(schema.tables.length > 15 && schema.references.length > 10)
    const script = shardingScript(schema, [])!
    const matches = (pattern: RegExp) => [...script.matchAll(pattern)].map((match) => match[1]!)
    const expected = schema.tables.map(({ name }) => name).filter((name) => name !== 'schema_migrations')
    assert.deepEqual(
      [
        ...matches(/create_reference_table\('(\w+)'/g),
        ...matches(/create_distributed_table\('(\w+)', 'book_id'/g),
      ].sort(),
      expected,
    )
    const names = schema.references.map(({ name }) => name)
    assert.deepEqual(matches(/drop constraint (\w+);/g), names)
    assert.deepEqual(matches(/add constraint (\w+) foreign key/gi), names)
  })

  test('a script is written where Citus is, and once', async (db) => {
    if (db.isSharded) assert.equal(await writeShardingScript(db), null)
    else await assert.rejects(writeShardingScript(db), { message: /^This database does not have .*citus/ })
  })
})

test('a table of a book goes where its book is, the directory everywhere, and what is placed stays', () => {
  const schema = { tables: [books, deposits, liens], references: [reference] }
  assert.equal(
    shardingScript(schema, ['books', 'deposits']),
    `-- One shard after another: Citus adds no foreign key after parallel changes in the same transaction.
set local citus.multi_shard_modify_mode = 'sequential';
-- Citus accepts a foreign key only between tables that are both placed.
alter table liens drop constraint liens_deposit;
select create_distributed_table('liens', 'book_id', colocate_with => 'deposits');
-- The rows were copied to the workers.
select truncate_local_data_after_distributing_table('liens');
alter table liens add constraint liens_deposit foreign key (book_id, deposit_id) references deposits;
`,
  )
  assert.match(shardingScript(schema, [])!, /create_reference_table\('books'\)/)
  assert.match(shardingScript(schema, [])!, /create_distributed_table\('deposits', 'book_id'\);/)
  assert.equal(shardingScript(schema, ['books', 'deposits', 'liens']), null)
})

test('a table without a book needs a decision', () => {
  const tables = [deposits, { name: 'holidays', of_book: false }]
  assert.throws(
    () => shardingScript({ tables, references: [] }, []),
    /^Error: The table holidays has no book_id/,
  )
})

test('a migration can run on a sharded database: it adds a constraint in a statement of its own', () => {
  const later = readdirSync(migrationsFolder).filter((name) => name > '0018')
  for (const name of later) {
    for (const statement of readFileSync(join(migrationsFolder, name), 'utf8').split(/;\s*$/m)) {
      if (!/\badd constraint\b/.test(statement)) continue
      assert.equal(statement.match(/\b(?:add|drop|alter) (?:column|constraint)\b/g)!.length, 1, name)
    }
  }
})
