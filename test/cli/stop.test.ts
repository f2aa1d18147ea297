import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { demoPath } from '../../src/cli/demo.ts'
import type { Demo } from '../../src/cli/demo-bank.ts'
import { type Environment, forEachEnvironment, type RunningService, run, serve } from './program.ts'

forEachEnvironment(({ name, test }) => {
  test('SIGTERM finishes what comes over open connections, takes no new one, and ends with 0', async (t, env) => {
    const service = await serve(t, env)
    const demo = await demoOf(env)
    const request = await beginUpdate(service, demo)
    service.kill('SIGTERM')
    await logged(service, '"event":"stopping","signal":"SIGTERM"')
    await refusesConnections(service)
    const next = `GET /v2/customer/${demo.customer_id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${demo.test_key}\r\n\r\n`
    request.write(BODY.slice(-1) + next)
    const [, updated, read] = (await readAll(request)).split('HTTP/1.1 200 OK')
    assert.match(updated!, /"address":"1 New Road, Lagos"/)
    assert.match(read!, /^connection: close\r$/im)
    assert.match(read!, /"message":"The customer\."/)
    const { code, stdout, stderr } = await service.end()
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.match(stdout, /"event":"stopped"\}\n$/)
  })

  // How long the service waits does not depend on the engine.
  if (name === 'PGlite') return

  test('a request that does not end is cut off: by the time limit, or by a second signal', async (t, env) => {
    const demo = await demoOf(env)
    const limited = await serve(t, { ...env, SHUTDOWN_TIMEOUT_MS: '200' })
    await beginUpdate(limited, demo)
    limited.kill('SIGTERM')
    const ended = await limited.end()
    assert.equal(ended.code, 1)
    assert.match(ended.stdout, /"event":"stop_timed_out"\}\n$/)

    const urged = await serve(t, { ...env, SHUTDOWN_TIMEOUT_MS: '600000' })
    await beginUpdate(urged, demo)
    let over = false
    const end = urged.end().finally(() => {
      over = true
    })
    while (!over) {
      urged.kill('SIGTERM')
      await sleep(50)
    }
    assert.equal((await end).code, 1)
  })
})

/** The service makes the demo bank itself only on the embedded engine. */
async function demoOf(env: Environment): Promise<Demo> {
  if (env.DATA_DIR !== undefined) return JSON.parse(await readFile(demoPath(env.DATA_DIR), 'utf8'))
  return JSON.parse((await run(['demo', '--json'], env)).stdout)
}

const BODY = '{"address":"1 New Road, Lagos"}'

/** Sends all of a request but its last byte; the interim answer shows that it is in flight. */
async function beginUpdate(service: RunningService, demo: Demo): Promise<Socket> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => socket.destroy())
  socket.write(
    [
      `PUT /v2/customer/${demo.customer_id} HTTP/1.1`,
      `Host: ${hostname}`,
      `Authorization: Bearer ${demo.test_key}`,
      'Content-Type: application/json',
      `Content-Length: ${BODY.length}`,
      'Expect: 100-continue',
      '\r\n',
    ].join('\r\n'),
  )
  const [interim] = await once(socket, 'data')
  assert.match(String(interim), /^HTTP\/1\.1 100 Continue/)
  socket.write(BODY.slice(0, -1))
  return socket
}

async function readAll(socket: Socket): Promise<string> {
  let text = ''
  for await (const part of socket) text += part
  return text
}

async function logged(service: RunningService, text: string): Promise<void> {
  while (!service.stdout().includes(text)) await sleep(10)
}

async function refusesConnections(service: RunningService): Promise<void> {
  const { hostname, port } = new URL(service.url)
  for (;;) {
    const socket = connect(Number(port), hostname)
    try {
      await once(socket, 'connect')
    } catch {
      return
    } finally {
      socket.destroy()
    }
    await sleep(10)
  }
}
