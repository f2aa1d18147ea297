import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { forEachEnvironment, launch, serve } from '../cli/program.ts'
import { findFreePort } from '../support/postgres-server.ts'

forEachEnvironment(({ name, test }) => {
  if (name === 'PGlite') return

  test('a start waits for a server that is starting, and logs that once', async (t, env) => {
    const server = await startServer(new URL(env.DATABASE_URL!), { refusals: 3 })
    t.after(() => server.close())
    const service = await serve(t, { ...env, DATABASE_URL: server.url })
    assert.deepEqual(waits(service.stdout()), [
      'The database of DATABASE_URL cannot be opened: the database system is starting up.',
    ])
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
  })

  test('a start waits for a server that does not listen yet, and logs that once', async (t, env) => {
    const port = await findFreePort()
    const { child, ended } = launch(['serve'], {
      ...env,
      DATABASE_URL: at(env.DATABASE_URL!, port),
      PORT: '0',
    })
    t.after(() => child.kill('SIGKILL'))
    while (waits(ended().stdout).length === 0) await once(child.stdout!, 'data')
    const server = await startServer(new URL(env.DATABASE_URL!), { refusals: 0, port })
    t.after(() => server.close())
    while (!ended().stdout.includes('"event":"listening"')) await once(child.stdout!, 'data')
    assert.deepEqual(waits(ended().stdout), [
      `The database of DATABASE_URL cannot be opened: connect ECONNREFUSED 127.0.0.1:${port}.`,
    ])
  })

  test('the wait ends after DATABASE_WAIT_S, or with a signal, and the error says why', async (t, env) => {
    const DATABASE_URL = at(env.DATABASE_URL!, await findFreePort())
    for (const wait of ['1', '600']) {
      const { child, ended } = launch(['serve'], { ...env, DATABASE_URL, PORT: '0', DATABASE_WAIT_S: wait })
      t.after(() => child.kill('SIGKILL'))
      const closed = once(child, 'close')
      while (waits(ended().stdout).length === 0) await once(child.stdout!, 'data')
      if (wait === '600') child.kill('SIGTERM')
      await closed
      const { code, stderr } = ended()
      assert.equal(code, 1)
      assert.match(stderr, /^The database of DATABASE_URL cannot be opened: connect ECONNREFUSED [^\n]+\.\n$/)
    }
  })
})

function waits(stdout: string): string[] {
  return stdout
    .split('\n')
    .filter((line) => line.includes('"event":"database_waiting"'))
    .map((line) => JSON.parse(line).reason)
}

function at(url: string, port: number): string {
  const moved = new URL(url)
  moved.host = `127.0.0.1:${port}`
  return moved.href
}

/**
 * Passes everything on to the real server, after a number of connections to which it answers like a server that is
 * starting.
 */
async function startServer(
  real: URL,
  options: { refusals: number; port?: number },
): Promise<Pick<Server, 'close'> & { url: string }> {
  let refused = 0
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    if (refused < options.refusals) {
      refused += 1
      socket.once('data', () => socket.end(CANNOT_CONNECT_NOW))
      return
    }
    const behind = connect(Number(real.port), real.hostname)
    behind.on('error', () => socket.destroy())
    socket.on('close', () => behind.destroy())
    socket.pipe(behind).pipe(socket)
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: at(real.href, port), close: () => server.close() }
}

/** An ErrorResponse of the wire protocol: a letter, the length of the rest, and fields that end with a NUL. */
const FIELDS = ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up', '', ''].join('\0')
const length = Buffer.alloc(4)
length.writeUInt32BE(FIELDS.length + length.length)
const CANNOT_CONNECT_NOW = Buffer.concat([Buffer.from('E'), length, Buffer.from(FIELDS)])
