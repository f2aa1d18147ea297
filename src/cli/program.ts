import { availableParallelism } from 'node:os'
import { Command, CommanderError } from 'commander'
import { release, releaseText } from '../observe/release.ts'
import { type Environment, UsageError } from './command.ts'
import { type Config, readConfig } from './config.ts'
import { settingsHelp } from './help.ts'
import { WIDTH_MAX } from './output.ts'

export type ServeOptions = { force: boolean; processes: number }

/** Commands in the order of the help. Each is loaded when it is asked for: a service needs none of them to start. */
const COMMANDS: Record<string, () => Promise<(program: Command, env: Environment) => void>> = {
  callers: async () => (await import('./callers.ts')).addCallers,
  clock: async () => (await import('./clock.ts')).addClock,
  keys: async () => (await import('./keys.ts')).addKeys,
  people: async () => (await import('./people.ts')).addPeople,
  policy: async () => (await import('./policy.ts')).addPolicy,
  status: async () => (await import('./status.ts')).addStatus,
  health: async () => (await import('./health.ts')).addHealth,
  events: async () => (await import('./events.ts')).addEvents,
  webhooks: async () => (await import('./webhooks.ts')).addWebhooks,
  import: async () => (await import('./import.ts')).addImport,
  migrate: async () => (await import('./migrate.ts')).addMigrate,
  move: async () => (await import('./move.ts')).addMove,
  backup: async () => (await import('./backup.ts')).addBackup,
  restore: async () => (await import('./backup.ts')).addRestore,
  shard: async () => (await import('./shard.ts')).addShard,
  demo: async () => (await import('./demo.ts')).addDemo,
  mature: async () => (await import('./mature.ts')).addMature,
  verify: async () => (await import('./verify.ts')).addVerify,
  completion: async () => (await import('./completion.ts')).addCompletion,
}

export async function createProgram(options: {
  env: Environment
  /** The first word of the command line, if it is known: the other commands are then left out. */
  asked?: string | undefined
  serve: (config: Config, options: ServeOptions) => Promise<void>
  /** The writers of help and usage errors; by default stdout and stderr. */
  output?: { writeOut: (text: string) => void; writeErr: (text: string) => void }
}): Promise<Command> {
  const { env, asked, serve, output = {} } = options
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
  for (const name of commandsFor(asked)) {
    const add = await COMMANDS[name]!()
    add(program, env)
  }
  return program
}

/** Help, completion and a word that is none of them need all. */
function commandsFor(asked: string | undefined): string[] {
  const names = Object.keys(COMMANDS)
  if (asked === 'serve') return []
  return asked !== undefined && asked !== 'completion' && names.includes(asked) ? [asked] : names
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
