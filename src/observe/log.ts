/**
 * One line per event on stdout: a JSON object with time, level, event and fields, or the same as text for people. Lines of
 * one tick are written together, because a busy service logs thousands of requests a second. Fields hold no personal data,
 * keys or bodies; callers of the log see to that.
 */

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export const LOG_FORMATS = ['auto', 'pretty', 'json'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

type Fields = Record<string, string | number | boolean | null>
export type Log = (level: Exclude<LogLevel, 'silent'>, event: string, fields?: Fields) => void

export function createLog(options: {
  level: LogLevel
  /** auto: pretty on a terminal, json elsewhere. */
  format?: LogFormat
  write?: (lines: string) => void
  clock?: () => Date
}): Log {
  const { write = writeToStdout, clock = () => new Date() } = options
  const lineOf = isPretty(options.format ?? 'json') ? prettyLine : jsonLine
  const least = LOG_LEVELS.indexOf(options.level)
  let lines = ''
  // What was logged in the last tick of a process is what its operator will want to read.
  if (options.write === undefined) process.once('exit', flush)

  return function log(level, event, fields) {
    if (LOG_LEVELS.indexOf(level) < least) return
    if (lines === '') setImmediate(flush)
    lines += `${lineOf(clock(), level, event, fields)}\n`
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

function jsonLine(time: Date, level: string, event: string, fields?: Fields): string {
  return JSON.stringify({ time: time.toISOString(), level, event, ...fields })
}

/** In the time of the machine, with ids last: they are long. */
function prettyLine(time: Date, level: string, event: string, fields: Fields = {}): string {
  const known = Object.entries(fields).filter(([, value]) => value !== null)
  const isId = ([name]: [string, unknown]) => name.endsWith('_id')
  const texts = [...known.filter((field) => !isId(field)), ...known.filter(isId)].map(
    ([name, value]) => `${name}=${PLAIN.test(String(value)) ? value : JSON.stringify(value)}`,
  )
  return [time.toTimeString().slice(0, 8), level.padEnd(5), event, ...texts].join(' ')
}

/** What needs no quotes; control characters would reach the terminal otherwise. */
const PLAIN = /^[\w:/.,*@+-]+$/

function writeToStdout(lines: string): void {
  process.stdout.write(lines)
}
