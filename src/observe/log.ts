/**
 * One JSON object a line on stdout: time, level, event and fields. Lines of one tick are written together, because a
 * busy service logs thousands of requests a second. Whoever logs keeps personal data, keys and bodies out of the fields.
 */

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type Log = (
  level: Exclude<LogLevel, 'silent'>,
  event: string,
  fields?: Record<string, string | number | boolean | null>,
) => void

export function createLog(options: {
  level: LogLevel
  write?: (lines: string) => void
  clock?: () => Date
}): Log {
  const { write = writeToStdout, clock = () => new Date() } = options
  const least = LOG_LEVELS.indexOf(options.level)
  let lines = ''
  // What was logged in the last tick of a process is what its operator will want to read.
  if (options.write === undefined) process.once('exit', flush)

  return function log(level, event, fields) {
    if (LOG_LEVELS.indexOf(level) < least) return
    if (lines === '') setImmediate(flush)
    lines += `${JSON.stringify({ time: clock().toISOString(), level, event, ...fields })}\n`
  }

  function flush(): void {
    if (lines === '') return
    const written = lines
    lines = ''
    write(written)
  }
}

function writeToStdout(lines: string): void {
  process.stdout.write(lines)
}
