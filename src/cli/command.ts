/**
 * The command line: a table of commands, read strictly. What is misspelt, missing or too much is refused before anything
 * is opened. Exit codes: 0 done, 1 failed, 2 wrong usage or a data directory in use.
 */
import { parseArgs } from 'node:util'
import { DirectoryInUseError } from '../engine/embedded/directory-lock.ts'
import { commandHelp, overview } from './help.ts'
import { print } from './output.ts'

export type Command = {
  /** One or two words: 'serve', 'keys create'. */
  name: string
  summary: string
  /** Names of what follows the command, all of it required. */
  operands?: readonly string[]
  options?: Record<string, Option>
  /** What --help adds below the options. */
  notes?: () => string
  run: (asked: Asked) => Promise<void>
}

/** An option with `value` takes one; without, it is a switch. */
export type Option = { value?: string; required?: boolean; help: string }

export type Asked = {
  env: NodeJS.ProcessEnv
  operands: readonly string[]
  /** What options were given; a switch is 'true'. */
  options: Readonly<Record<string, string>>
}

export class UsageError extends Error {}

export async function runCommandLine(
  commands: readonly Command[],
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<0 | 1 | 2> {
  try {
    const read = readCommandLine(commands, argv)
    if ('help' in read) print(read.help)
    else await read.command.run({ env, ...read.asked })
    return 0
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`)
    return error instanceof UsageError || error instanceof DirectoryInUseError ? 2 : 1
  }
}

export function readCommandLine(
  commands: readonly Command[],
  argv: readonly string[],
): { help: string } | { command: Command; asked: Omit<Asked, 'env'> } {
  const help = findHelp(commands, argv)
  if (help !== null) return { help }
  const command = findCommand(commands, argv)
  return { command, asked: readArguments(command, argv.slice(wordsOf(command).length)) }
}

/** Of an error only what it says, on one line: a stack trace tells an operator nothing. */
export function sentenceOf(error: unknown): string {
  const said = error instanceof Error ? error.message || error.name : String(error)
  return said.trim().replace(/\s*\n\s*/g, ' ')
}

function findHelp(commands: readonly Command[], argv: readonly string[]): string | null {
  const end = argv.indexOf('--')
  const read = end === -1 ? argv : argv.slice(0, end)
  const asksFirst = read.length === 0 || read[0] === 'help'
  if (!asksFirst && !read.includes('--help') && !read.includes('-h')) return null

  const words = read.filter((word) => !word.startsWith('-')).slice(read[0] === 'help' ? 1 : 0)
  if (words.length === 0) return overview(commands)
  const group = groupOf(commands, words[0]!)
  return words.length === 1 && group.length > 0 ? overview(group) : commandHelp(findCommand(commands, words))
}

function findCommand(commands: readonly Command[], argv: readonly string[]): Command {
  const found = commands.find((command) => wordsOf(command).every((word, index) => argv[index] === word))
  if (found !== undefined) return found
  const first = argv[0] ?? ''
  const group = groupOf(commands, first)
  if (group.length > 0) throw new UsageError(`Say which: ${group.map(({ name }) => name).join(', ')}.`)
  throw new UsageError(`There is no command ${JSON.stringify(first)}; see breakwater --help.`)
}

/** The commands of two words that begin with this one. */
function groupOf(commands: readonly Command[], first: string): Command[] {
  return commands.filter(({ name }) => name.startsWith(`${first} `))
}

function wordsOf(command: Command): string[] {
  return command.name.split(' ')
}

function readArguments(command: Command, args: readonly string[]): Omit<Asked, 'env'> {
  const known = command.options ?? {}
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(known).map(([name, option]) => [
        name,
        { type: option.value === undefined ? 'boolean' : 'string' } as const,
      ]),
    ),
    strict: false,
    tokens: true,
  })
  const operands: string[] = []
  const options: Record<string, string> = {}
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined
    if (option === undefined) {
      throw new UsageError(
        `${command.name} has no option ${token.rawName}; see breakwater ${command.name} --help.`,
      )
    }
    if (Object.hasOwn(options, token.name)) throw new UsageError(`--${token.name} was given twice.`)
    options[token.name] = readValue(token, option)
  }
  return { operands: checkOperands(command, operands), options: checkRequired(known, options) }
}

function readValue(
  token: { name: string; value?: string | undefined; inlineValue?: boolean | undefined },
  option: Option,
): string {
  const { name, value, inlineValue } = token
  if (option.value === undefined) {
    if (value !== undefined) throw new UsageError(`--${name} takes no value.`)
    return 'true'
  }
  // A value that looks like an option is more likely one whose own value was forgotten; --name=-x still works.
  const forgotten = value === undefined || value === '' || (inlineValue === false && value.startsWith('-'))
  if (forgotten) throw new UsageError(`--${name} needs a value: --${name} ${option.value}.`)
  return value
}

function checkOperands(command: Command, given: readonly string[]): readonly string[] {
  const wanted = command.operands ?? []
  const missing = wanted[given.length]
  if (missing !== undefined) throw new UsageError(`${command.name} needs ${missing}.`)
  const extra = given[wanted.length]
  if (extra !== undefined) throw new UsageError(`${command.name} does not know ${JSON.stringify(extra)}.`)
  return given
}

function checkRequired(
  known: Record<string, Option>,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  for (const [name, option] of Object.entries(known)) {
    if (option.required && given[name] === undefined)
      throw new UsageError(`--${name} ${option.value} is required.`)
  }
  return given
}
