/** Writes openapi.json and schema.sql. Tests compare both with what would be written, so that neither is left behind. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Database } from '../src/engine/database/database.ts'
import { migrate } from '../src/engine/database/migrations.ts'
import { openPglite } from '../src/engine/embedded/pglite.ts'
import { routes } from '../src/http/routes.ts'
import { printOpenApi } from '../src/reference/openapi.ts'
import { recordExamples } from './examples.ts'
import { printSchema } from './schema.ts'

const root = new URL('../', import.meta.url)

/** The database must be migrated and empty. */
export async function generateOpenApi(db: Database): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'))
  const guide = await readFile(new URL('docs/api.md', root), 'utf8')
  const document = printOpenApi({ version, guide, operations: routes, examples: await recordExamples(db) })
  return `${JSON.stringify(document, null, 2)}\n`
}

if (import.meta.main) {
  const db = await openPglite({})
  await migrate(db, fileURLToPath(new URL('migrations', root)))
  await writeFile(new URL('schema.sql', root), await printSchema(db))
  await writeFile(new URL('openapi.json', root), await generateOpenApi(db))
  await db.close()
}
