import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { printSchema } from '../../../tools/schema.ts'
import { forEachEngine } from '../../support/engines.ts'

forEachEngine(({ name, test }) => {
  // Versions of PostgreSQL print expressions differently; PGlite's is pinned by the lock file.
  if (name !== 'PGlite') return

  test('schema.sql is the schema after all migrations; `npm run generate` writes it', async (db) => {
    const text = await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8')
    assert.equal(await printSchema(db), text)
  })

  test('a migration that adds a column, a check or an index changes the printed schema', async (db) => {
    const before = await printSchema(db)
    await db.script(`
      alter table callers add column branch text not null default 'Main', add check (length(branch) <= 64);
      create unique index callers_of_branch on callers (branch) where branch <> 'Main';`)
    const lines = (await printSchema(db)).split('\n').map((line) => line.replace(/,$/, ''))
    assert.deepEqual(
      lines.filter((line) => !before.includes(line)),
      [
        "  branch text not null default 'Main'",
        '  constraint callers_branch_check check (length(branch) <= 64)',
        "create unique index callers_of_branch on callers (branch) where branch <> 'Main';",
      ],
    )
  })
})
