import type { Command } from 'commander'
import type { Environment } from './command.ts'
import { readConfig } from './config.ts'
import { openDatabase } from './database.ts'
import { print, printJson } from './output.ts'

export function addMigrate(program: Command, env: Environment): void {
  program
    .command('migrate')
    .description(
      'Bring the schema of the database up to date. Every other command does so too, before its work.',
    )
    .option('--json', 'Print the applied migrations as JSON.')
    .action(async (options: { json?: true }) => {
      const { db, applied } = await openDatabase(readConfig(env))
      await db.close()
      if (options.json) return printJson({ applied })
      print(applied.length === 0 ? 'The schema is up to date.' : `Applied: ${applied.join(', ')}.`)
    })
}
