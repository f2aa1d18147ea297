import type { Command } from './command.ts'
import { readConfig } from './config.ts'
import { openDatabase } from './database.ts'
import { print } from './output.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Bring the schema of the database up to date. Every other command does so too, before its work.',
  options: { json: { help: 'Print the applied migrations as JSON.' } },
  run: async ({ env, options }) => {
    const { db, applied } = await openDatabase(readConfig(env))
    await db.close()
    if (options.json !== undefined) print(JSON.stringify({ applied }, null, 2))
    else print(applied.length === 0 ? 'The schema is up to date.' : `Applied: ${applied.join(', ')}.`)
  },
}
