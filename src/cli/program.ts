import { Command } from 'commander'
import { addCallers } from './callers.ts'
import type { Environment } from './command.ts'
import { addCompletion } from './completion.ts'
import { type Config, readConfig } from './config.ts'
import { addDemo } from './demo.ts'
import { settingsHelp } from './help.ts'
import { addKeys } from './keys.ts'
import { addMature } from './mature.ts'
import { addMigrate } from './migrate.ts'
import { WIDTH_MAX } from './output.ts'
import { addPeople } from './people.ts'
import { addShard } from './shard.ts'
import { addStatus } from './status.ts'
import { addVerify } from './verify.ts'
import { VERSION } from './version.ts'

export function createProgram(options: {
  env: Environment
  serve: (config: Config) => Promise<void>
  /** Where help and usage errors are written; by default stdout and stderr. */
  output?: { writeOut: (text: string) => void; writeErr: (text: string) => void }
}): Command {
  const { env, serve, output = {} } = options
  const program = new Command('breakwater')
    .description('Breaks fixed deposits and keeps customer profiles for a bank’s back office.')
    .version(VERSION, '-V, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print help.')
    .helpCommand('help [command]', 'Print help on a command.')
    .configureOutput(output)
    .configureHelp({ helpWidth: WIDTH_MAX })
    .exitOverride()
    .addHelpText(
      'after',
      `
Settings come from the environment: see breakwater serve --help. Commands use the database of
DATABASE_URL, or else the embedded one in DATA_DIR. While a service runs on that, the commands
that read (callers list, keys list, people list, status, verify, demo) ask the service.
Exit codes: 0 done, 1 failed or a difference found, 2 wrong usage or a data directory in use.`,
    )

  program
    .command('serve')
    .description('Serve the API until SIGTERM or SIGINT.')
    .addHelpText('after', () => `\n${settingsHelp()}`)
    .action(() => serve(readConfig(env)))
  addCallers(program, env)
  addKeys(program, env)
  addPeople(program, env)
  addStatus(program, env)
  addMigrate(program, env)
  addShard(program, env)
  addDemo(program, env)
  addMature(program, env)
  addVerify(program, env)
  addCompletion(program)
  return program
}
