import { availableParallelism } from 'node:os'
import { Command, CommanderError } from 'commander'
import { release, releaseText } from '../observe/release.ts'
import { addBackup, addRestore } from './backup.ts'
import { addCallers } from './callers.ts'
import { addClock } from './clock.ts'
import { type Environment, UsageError } from './command.ts'
import { addCompletion } from './completion.ts'
import { type Config, readConfig } from './config.ts'
import { addDemo } from './demo.ts'
import { addEvents } from './events.ts'
import { addHealth } from './health.ts'
import { settingsHelp } from './help.ts'
import { addImport } from './import.ts'
import { addKeys } from './keys.ts'
import { addMature } from './mature.ts'
import { addMigrate } from './migrate.ts'
import { addMove } from './move.ts'
import { WIDTH_MAX } from './output.ts'
import { addPeople } from './people.ts'
import { addPolicy } from './policy.ts'
import { addShard } from './shard.ts'
import { addStatus } from './status.ts'
import { addVerify } from './verify.ts'
import { addWebhooks } from './webhooks.ts'

export type ServeOptions = { force: boolean; processes: number }

export function createProgram(options: {
  env: Environment
  serve: (config: Config, options: ServeOptions) => Promise<void>
  /** Where help and usage errors are written; by default stdout and stderr. */
  output?: { writeOut: (text: string) => void; writeErr: (text: string) => void }
}): Command {
  const { env, serve, output = {} } = options
  const program = new Command('breakwater')
    .description('Breaks fixed deposits and keeps customer profiles for a bank’s back office.')
    .option('-V, --version', 'Print version and commit.')
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
that read (callers list, keys list, people list, status, verify, demo, backup) ask the service.
Exit codes: 0 done, 1 failed or a difference found, 2 wrong usage or a data directory in use.`,
    )

  // Read only when it is asked for, because a checkout asks git.
  program.on('option:version', () => {
    const text = releaseText(release())
    program.configureOutput().writeOut!(`${text}\n`)
    throw new CommanderError(0, 'commander.version', text)
  })
  program
    .command('serve')
    .description('Serve the API until SIGTERM or SIGINT.')
    .option('--force', 'Serve an embedded database although its books were moved elsewhere.')
    .option('--processes <n>', 'Serve by so many processes; auto: one for each core.', readProcesses, 1)
    .addHelpText('after', () => `\n${settingsHelp()}`)
    .action(({ force = false, processes }: { force?: boolean; processes: number | 'auto' }) => {
      const config = readConfig(env)
      return serve(config, { force, processes: processes === 'auto' ? coresFor(config) : processes })
    })
  addCallers(program, env)
  addClock(program, env)
  addKeys(program, env)
  addPeople(program, env)
  addPolicy(program, env)
  addStatus(program, env)
  addHealth(program, env)
  addEvents(program, env)
  addWebhooks(program, env)
  addImport(program, env)
  addMigrate(program, env)
  addMove(program, env)
  addBackup(program, env)
  addRestore(program, env)
  addShard(program, env)
  addDemo(program, env)
  addMature(program, env)
  addVerify(program, env)
  addCompletion(program)
  return program
}

const PROCESSES_MAX = 256

function readProcesses(text: string): number | 'auto' {
  const count = Number(text)
  if (text === 'auto') return text
  if (/^\d+$/.test(text) && count >= 1 && count <= PROCESSES_MAX) return count
  throw new UsageError(`--processes must be auto or a number from 1 to ${PROCESSES_MAX}.`)
}

/** The embedded engine is used by one process. */
function coresFor({ databaseUrl }: Config): number {
  return databaseUrl === null ? 1 : availableParallelism()
}
