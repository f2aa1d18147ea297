import type { Command } from 'commander'
import { writeShardingScript } from '../engine/database/sharding.ts'
import type { Environment } from './command.ts'
import { readConfig } from './config.ts'
import { withDatabase } from './database.ts'
import { print } from './output.ts'

export function addShard(program: Command, env: Environment): void {
  program
    .command('shard')
    .description('Print the script that spreads the books over the workers of Citus.')
    .option('--run', 'Run it instead, in one transaction. Stop the service before.')
    .action(({ run }: { run?: true }) =>
      withDatabase(readConfig(env), async (db) => {
        const script = await writeShardingScript(db)
        if (script === null) return print('-- Every table is where it belongs.')
        if (!run) return print(`begin;\n${script}commit;`)
        await db.script(script)
        print('The books are spread over the workers.')
      }),
    )
}
