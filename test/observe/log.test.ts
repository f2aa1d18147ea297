import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTick } from 'node:timers/promises'
import { createLog, type LogFormat, type LogLevel } from '../../src/observe/log.ts'

function startLog(level: LogLevel, format: LogFormat = 'json', faultsShown?: boolean) {
  const written: string[] = []
  const log = createLog({
    level,
    format,
    ...(faultsShown === undefined ? {} : { faultsShown }),
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

test('pretty lines are text in the time of the machine, without what is missing, ids last', async () => {
  const { log, written } = startLog('info', 'pretty')
  log('info', 'request', { request_id: 'req_1', book_id: null, method: 'GET', route: '/docs', status: 200 })
  log('warn', 'fault', { error: 'two words\u001b[31m' })
  await nextTick()
  const time = new Date('2026-07-01T10:00:00.000Z').toTimeString().slice(0, 8)
  assert.deepEqual(written.join('').split('\n'), [
    `${time} info  request method=GET route=/docs status=200 request_id=req_1`,
    `${time} warn  fault error="two words\\u001b[31m"`,
    '',
  ])
})

test('a fault is left out unless faults are shown; then it has its message, stack and cause', async () => {
  const fault = new Error('Failing row contains (Ada).', { cause: new Error('connection reset') })
  for (const format of ['json', 'pretty'] as const) {
    const hidden = startLog('info', format)
    hidden.log('error', 'fault', { error: fault.name }, fault)
    await nextTick()
    assert.doesNotMatch(hidden.written.join(''), /Ada|reset|at /)
    assert.match(hidden.written.join(''), /error"?[=:]"?Error/)

    const shown = startLog('info', format, true)
    shown.log('error', 'fault', { error: fault.name }, fault)
    shown.log('info', 'request', { status: 500 })
    await nextTick()
    const [line] = shown.written
    assert.match(
      line!,
      /Failing row contains \(Ada\)\.[\s\S]+at .*log\.test\.ts[\s\S]+cause.*connection reset/,
    )
    assert.equal(line!.match(/Failing row/g)!.length, 1)
  }
})
