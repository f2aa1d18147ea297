import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTick } from 'node:timers/promises'
import { createLog, type LogLevel } from '../../src/observe/log.ts'

function startLog(level: LogLevel) {
  const written: string[] = []
  const log = createLog({
    level,
    write: (lines) => written.push(lines),
    clock: () => new Date('2026-07-01T10:00:00.000Z'),
  })
  return { log, written }
}

test('each call is one line of JSON, and the lines of one tick are written together', async () => {
  const { log, written } = startLog('debug')
  log('info', 'request', { status: 200, route: null, replayed: false })
  log('error', 'fault', { error: 'line\nbreak' })
  assert.deepEqual(written, [])
  await nextTick()
  log('debug', 'later')
  await nextTick()
  assert.deepEqual(written, [
    '{"time":"2026-07-01T10:00:00.000Z","level":"info","event":"request","status":200,"route":null,"replayed":false}\n' +
      '{"time":"2026-07-01T10:00:00.000Z","level":"error","event":"fault","error":"line\\nbreak"}\n',
    '{"time":"2026-07-01T10:00:00.000Z","level":"debug","event":"later"}\n',
  ])
})

test('what is below the level is not logged, and silent logs nothing', async () => {
  const levels = ['debug', 'info', 'warn', 'error'] as const
  const logged: Record<string, string[]> = {}
  for (const least of [...levels, 'silent'] as const) {
    const { log, written } = startLog(least)
    for (const level of levels) log(level, 'event')
    await nextTick()
    logged[least] = [...written.join('').matchAll(/"level":"(\w+)"/g)].map((match) => match[1]!)
  }
  assert.deepEqual(logged, {
    debug: ['debug', 'info', 'warn', 'error'],
    info: ['info', 'warn', 'error'],
    warn: ['warn', 'error'],
    error: ['error'],
    silent: [],
  })
})
