/**
 * The embedded engine: PostgreSQL in this process, by default in a directory.
 *
 * Guarantees: one process per directory (directory-lock.ts); queries and transactions queue and run one at a time,
 * in the order they were asked for; the rest as database.ts says.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { messages, PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { createTransactionFence, type Database, DatabaseError, type Queries } from './database.ts'
import { lockDirectory } from './directory-lock.ts'

export async function openPglite(options: { directory?: string; template?: Blob }): Promise<Database> {
  if (options.directory === undefined)
    return createDatabase(await startEngine(options.template), async () => {})
  const directory = resolve(options.directory)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const lock = await lockDirectory(directory)
  try {
    // Left behind by a killed process; safe to remove only because nobody else holds the lock.
    await rm(join(directory, 'postmaster.pid'), { force: true })
    return createDatabase(await startEngine(options.template, directory), lock.release)
  } catch (error) {
    await lock.release()
    throw error
  }
}

function startEngine(template?: Blob, directory?: string): Promise<PGlite> {
  // The optimizing compiler takes a second gigabyte of memory for this much WebAssembly and gains nothing here.
  setFlagsFromString('--liftoff-only')
  const options: PGliteOptions = { parsers }
  if (directory !== undefined) options.dataDir = directory
  if (template !== undefined) options.loadDataDir = template
  return PGlite.create(options)
}

const INT8 = 20
const JSON_TEXT = 114
const DATE = 1082
const JSONB = 3802
const asText = (text: string) => text
/** PGlite's own int8 parser answers number or bigint depending on the value: a trap for money. */
const parsers = { [INT8]: BigInt, [DATE]: asText, [JSON_TEXT]: asText, [JSONB]: asText }

function createDatabase(engine: PGlite, afterClose: () => Promise<void>): Database {
  const fence = createTransactionFence()
  return {
    async query<Row>(text: string, values?: readonly unknown[]) {
      fence.assertOutside()
      return queries(engine).query<Row>(text, values)
    },
    async transaction(work) {
      fence.assertOutside()
      try {
        return await engine.transaction((tx) => fence.inside(() => work(queries(tx))))
      } catch (error) {
        throw asDatabaseError(error)
      }
    },
    async script(text) {
      fence.assertOutside()
      try {
        await engine.exec(text)
      } catch (error) {
        throw asDatabaseError(error)
      }
    },
    async close() {
      await engine.close()
      await afterClose()
    },
  }
}

function queries(engine: Pick<PGlite, 'query'>): Queries {
  return {
    async query<Row>(text: string, values?: readonly unknown[]) {
      try {
        return (await engine.query<Row>(text, values as unknown[])).rows
      } catch (error) {
        throw asDatabaseError(error)
      }
    },
  }
}

/** What did not come from the engine is the caller's own error and passes through unchanged. */
function asDatabaseError(error: unknown): unknown {
  if (!(error instanceof messages.DatabaseError)) return error
  return new DatabaseError(error.message, { sqlState: error.code ?? null, cause: error })
}
