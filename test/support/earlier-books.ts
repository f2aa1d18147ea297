/** Books as earlier versions kept them, with the schema of their time. */
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../src/engine/database/database.ts'
import { migrate } from '../../src/engine/database/migrations.ts'
import { migrationsFolder } from './engines.ts'

/** Where the migrations of the next version begin. */
const NEXT = { '0.1.0': '0004', '0.2.0': '0022' } as const

type Version = keyof typeof NEXT

export async function placeBooks(db: Database, version: Version): Promise<void> {
  await placeSchema(db, version)
  await writeBooks(db, version)
}

/** By the migrations of that version alone. */
export async function placeSchema(db: Database, version: Version): Promise<void> {
  await db.script('drop schema public cascade; create schema public;')
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-upgrade-'))
  for (const name of (await readdir(migrationsFolder)).filter((one) => one < NEXT[version])) {
    await cp(join(migrationsFolder, name), join(folder, name))
  }
  await migrate(db, folder)
  await rm(folder, { recursive: true })
}

export async function writeBooks(db: Database, version: Version): Promise<void> {
  await db.script(await readFile(new URL(`./books-of-${version}.sql`, import.meta.url), 'utf8'))
}
