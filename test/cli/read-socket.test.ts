import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type AnswerRead, askReadSocket, openReadSocket } from '../../src/cli/read-socket.ts'
import { temporaryDirectory } from './program.ts'

const echo: AnswerRead = (name, asked) => (name === 'echo' ? Promise.resolve(asked) : undefined)

async function open(context: TestContext, directory: string, answer: AnswerRead = echo) {
  const events: string[] = []
  const socket = await openReadSocket({ directory, answer, log: (_level, event) => events.push(event) })
  context.after(socket.stop)
  return { ...socket, events }
}

function ask(directory: string, read: string, asked: Record<string, string> = {}) {
  return askReadSocket(directory, { read, asked }, () => {})
}

test('a read is answered, logged by its name, and refused when it is not known', async (t) => {
  const directory = await temporaryDirectory(t)
  const { events } = await open(t, directory)
  assert.deepEqual(await ask(directory, 'echo', { caller: 'cal_1' }), { answer: { caller: 'cal_1' } })
  await assert.rejects(ask(directory, 'keys create'), {
    message: 'The running service does not know this command: it is of another version.',
  })
  assert.deepEqual(events, ['command'])
})

test('progress comes before the answer, and a failure comes as its sentence', async (t) => {
  const directory = await temporaryDirectory(t)
  await open(t, directory, async (name, _asked, { progress }) => {
    progress('one')
    progress('two')
    if (name === 'fail') throw new Error('There is no caller.')
    return null
  })
  const shown: string[] = []
  const reply = await askReadSocket(directory, { read: 'verify', asked: {} }, (text) => shown.push(text))
  assert.deepEqual([reply, shown], [{ answer: null }, ['one', 'two']])
  await assert.rejects(ask(directory, 'fail'), { message: 'There is no caller.' })
})

test('only the owner can reach the socket, also where its folder was open to others', async (t) => {
  const directory = await temporaryDirectory(t)
  await chmod(directory, 0o755)
  await mkdir(join(directory, 'run'))
  await chmod(join(directory, 'run'), 0o777)
  await open(t, directory)
  assert.equal((await stat(join(directory, 'run'))).mode & 0o777, 0o700)
  assert.equal((await stat(join(directory, 'run', 'breakwater.sock'))).mode & 0o777, 0o600)
})

test('a file that a dead process left behind is replaced, and none is left at the end', async (t) => {
  const directory = await temporaryDirectory(t)
  await mkdir(join(directory, 'run'))
  await writeFile(join(directory, 'run', 'breakwater.sock'), '')
  assert.equal(await ask(directory, 'echo'), null)
  const { stop } = await open(t, directory)
  assert.deepEqual(await ask(directory, 'echo'), { answer: {} })
  await stop()
  assert.deepEqual(await readdir(join(directory, 'run')), [])
  assert.equal(await ask(directory, 'echo'), null)
})

test('a directory whose path is longer than a socket address is served too', async (t) => {
  const directory = join(await temporaryDirectory(t), 'd'.repeat(100), 'd'.repeat(100))
  await mkdir(directory, { recursive: true })
  const { stop, events } = await open(t, directory)
  assert.deepEqual(await ask(directory, 'echo'), { answer: {} })
  await stop()
  assert.deepEqual([await readdir(join(directory, 'run')), events], [[], ['command']])
})

test('a socket that cannot be made is reported and does not prevent the service from running', async (t) => {
  const directory = await temporaryDirectory(t)
  await writeFile(join(directory, 'run'), '')
  const { events, stop } = await open(t, directory)
  assert.deepEqual(events, ['read_socket_failed'])
  await stop()
})

test('a stop ends a running read, and its client gets an error', async (t) => {
  const directory = await temporaryDirectory(t)
  const started = Promise.withResolvers<void>()
  const { stop } = await open(t, directory, async (_name, _asked, { signal }) => {
    started.resolve()
    await once(signal, 'abort')
    signal.throwIfAborted()
  })
  const asked = assert.rejects(ask(directory, 'verify'), {
    message: 'The running service stopped before it answered.',
  })
  await started.promise
  await stop()
  await asked
})

test('a client that disconnects ends its read', async (t) => {
  const directory = await temporaryDirectory(t)
  const ended = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  await open(t, directory, async (_name, _asked, { signal }) => {
    started.resolve()
    await once(signal, 'abort')
    ended.resolve()
  })
  const socket = connect(join(directory, 'run', 'breakwater.sock'))
  socket.write('{"read":"verify","asked":{}}\n')
  await started.promise
  socket.destroy()
  await ended.promise
})

const malformed = [
  '\n',
  'null\n',
  '{}\n',
  '{"read":"echo"}\n',
  '{"read":"echo","asked":{"a":1}}\n',
  '['.repeat(70_000),
]

test('an invalid request is refused, and the next one is answered', async (t) => {
  const directory = await temporaryDirectory(t)
  await open(t, directory)
  for (const request of malformed) {
    const socket = connect(join(directory, 'run', 'breakwater.sock'))
    socket.on('error', () => {})
    socket.end(request)
    let text = ''
    for await (const part of socket.setEncoding('utf8')) text += part
    assert.match(
      text,
      /^(?:\{"error":"The running service does not know this command[^"]+"\}\n)?$/,
      request.slice(0, 40),
    )
  }
  assert.deepEqual(await ask(directory, 'echo'), { answer: {} })
})
