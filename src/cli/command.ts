/**
 * The command line, read strictly: unknown, missing and superfluous arguments are rejected before anything is opened,
 * with a suggestion where a known word is close. Exit codes: 0 done, 1 failed or a difference found, 2 wrong usage or a
 * data directory in use, or a copy of one.
 */
import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { DirectoryInUseError } from '../engine/embedded/directory-lock.ts'
import { DirectoryCopiedError } from '../engine/embedded/directory-mark.ts'

export class UsageError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>

export async function runCommandLine(program: Command, argv: readonly string[]): Promise<0 | 1 | 2> {
  try {
    await program.parseAsync(argv.length === 0 ? ['--help'] : [...argv], { from: 'user' })
    return 0
  } catch (error) {
    // commander has already printed its help or its error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    process.stderr.write(`${sentenceOf(error)}\n`)
    const isAvoidable = [UsageError, DirectoryInUseError, DirectoryCopiedError].some(
      (kind) => error instanceof kind,
    )
    return isAvoidable ? 2 : 1
  }
}

/** An option with a value, which may be given once and must not be empty. */
export function valueOption(flags: string, help: string, choices?: readonly string[]): Option {
  const option = new Option(flags, help)
  if (choices !== undefined) option.choices(choices)
  const parse = option.parseArg
  return option.argParser<string | undefined>((given, previous) => {
    if (previous !== undefined) throw new InvalidArgumentError('It was given twice.')
    // A value that looks like an option is more likely an option whose own value was forgotten.
    if (given === '' || given.startsWith('--')) throw new InvalidArgumentError('It needs a value.')
    return parse === undefined ? given : parse(given, previous)
  })
}

export function requiredOption(flags: string, help: string, choices?: readonly string[]): Option {
  return valueOption(flags, help, choices).makeOptionMandatory()
}

/** The message of an error, on one line, without the stack trace. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error)
  return message.trim().replace(/\s*\n\s*/g, ' ')
}
