/**
 * One line per event on stdout: a JSON object with time, level, event and fields, or the same as text for people. Lines of
 * one tick are written together, because a busy service logs thousands of requests a second. Fields hold no personal data,
 * keys or bodies; callers of the log see to that. A fault may hold all of them, so it is written only with LOG_FAULTS=1.
 */
import { inspect } from 'node:util'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export const LOG_FORMATS = ['auto', 'pretty', 'json'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

export type Fields = Record<string, string | number | boolean | null>
export type Log = (
  level: Exclude<LogLevel, 'silent'>,
  event: string,
  fields?: Fields,
  /** What was caught; its message may repeat what was sent. */
  fault?: unknown,
) => void

export function createLog(options: {
  level: LogLevel
  /** auto: pretty on a terminal, json elsewhere. */
  format?: LogFormat
  /** Faults are logged with message, stack and cause, for development. */
  faultsShown?: boolean
  write?: (lines: string) => void
  clock?: () => Date
}): Log {
  const { write = writeToStdout, clock = () => new Date() } = options
  const lineOf = isPretty(options.format ?? 'json') ? prettyLine : jsonLine
  const least = LOG_LEVELS.indexOf(options.level)
  let lines = ''
  // The lines of the last tick of a process are the ones its operator needs most.
  if (options.write === undefined) process.once('exit', flush)

  return function log(level, event, fields, fault) {
    if (LOG_LEVELS.indexOf(level) < least) return
    if (lines === '') setImmediate(flush)
    const shown = options.faultsShown && fault !== undefined ? inspect(fault) : undefined
    lines += `${lineOf(clock(), level, event, fields, shown)}\n`
  }

  function flush(): void {
    if (lines === '') return
    const written = lines
    lines = ''
    write(written)
  }
}

function isPretty(format: LogFormat): boolean {
  return format === 'pretty' || (format === 'auto' && process.stdout.isTTY === true)
}

function jsonLine(time: Date, level: string, event: string, fields?: Fields, fault?: string): string {
  const head = `{"time":"${time.toISOString()}","level":"${level}","event":${JSON.stringify(event)}`
  const rest = JSON.stringify(fault === undefined ? (fields ?? {}) : { ...fields, fault })
  return rest === '{}' ? `${head}}` : `${head},${rest.slice(1)}`
}

/** Times are local, and ids come last because they are long. A fault follows on separate lines. */
function prettyLine(time: Date, level: string, event: string, fields: Fields = {}, fault?: string): string {
  const known = Object.entries(fields).filter(([, value]) => value !== null)
  const isId = ([name]: [string, unknown]) => name.endsWith('_id')
  const texts = [...known.filter((field) => !isId(field)), ...known.filter(isId)].map(
    ([name, value]) => `${name}=${PLAIN.test(String(value)) ? value : JSON.stringify(value)}`,
  )
  const line = [time.toTimeString().slice(0, 8), level.padEnd(5), event, ...texts].join(' ')
  return fault === undefined ? line : `${line}\n${fault}`
}

/** Values that need no quotes; control characters would otherwise reach the terminal. */
const PLAIN = /^[\w:/.,*@+-]+$/

function writeToStdout(lines: string): void {
  process.stdout.write(lines)
}
