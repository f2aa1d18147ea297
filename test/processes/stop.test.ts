import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { demoPath } from '../../src/cli/demo.ts'
import type { Demo } from '../../src/cli/demo-bank.ts'
import { type Environment, forEachEnvironment, type RunningService, run, serve } from '../cli/program.ts'

forEachEnvironment(({ name, test }) => {
  test('SIGTERM finishes requests in flight, accepts no new connection, and ends with 0', async (t, env) => {
    const service = await serve(t, env)
    const demo = await demoOf(env)
    const request = await beginUpdate(service, demo)
    service.kill('SIGTERM')
    await logged(service, '"event":"stopping","signal":"SIGTERM"')
    await refusesConnections(service)
    // A request that follows a response that closes its connection has no answer, and is not carried out.
    request.write(BODY.slice(-1) + update(demo, '{"address":"2 New Road, Lagos"}'))
    const [, updated, ...more] = (await readAll(request)).split('HTTP/1.1 ')
    assert.match(updated!, /^200 OK\r\n[\s\S]*"address":"1 New Road, Lagos"/)
    assert.match(updated!, /^connection: close\r$/im)
    assert.deepEqual(more, [])
    const { code, stdout, stderr } = await service.end()
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.match(stdout, /"event":"stopped"\}\n$/)
  })

  // How long the service waits does not depend on the engine.
  if (name === 'PGlite') return

  test('after SIGTERM requests are accepted for DRAIN_MS while /readyz returns 503, and every answer closes', async (t, env) => {
    const demo = await demoOf(env)
    const service = await serve(t, { ...env, DRAIN_MS: '600000' })
    const headers = { authorization: `Bearer ${demo.test_key}`, 'content-type': 'application/json' }
    const ready = await fetch(`${service.url}/readyz`)
    assert.deepEqual([ready.status, ready.headers.get('connection')], [200, 'keep-alive'])
    const request = await beginUpdate(service, demo)
    service.kill('SIGTERM')
    await logged(service, '"event":"stopping","signal":"SIGTERM"')
    const leaving = await fetch(`${service.url}/readyz`)
    const { error } = (await leaving.json()) as { error: { code: string; retryable: boolean } }
    assert.deepEqual(
      [leaving.status, error.code, error.retryable, leaving.headers.get('retry-after')],
      [503, 'service_unavailable', true, '1'],
    )
    const answers = [
      leaving,
      await fetch(`${service.url}/healthz`),
      await fetch(`${service.url}/v2/nothing`),
      await fetch(`${service.url}/v2/customer`, { method: 'POST', headers, body: '{}' }),
      await fetch(`${service.url}/v2/customer/${demo.customer_id}`, { method: 'PUT', headers, body: BODY }),
    ]
    assert.deepEqual(
      answers.map((answer) => [answer.status, answer.headers.get('connection')]),
      [503, 200, 404, 400, 200].map((status) => [status, 'close']),
    )
    // Also the answer to a request that came before the signal.
    request.write(BODY.slice(-1))
    assert.match(await readAll(request), /^HTTP\/1\.1 200 OK\r\n[\s\S]*^connection: close\r$/im)
    // A second signal ends it immediately.
    await endBySignals(service)
  })

  test('the drain ends by itself, and SIGINT does without it', async (t, env) => {
    const drained = await serve(t, { ...env, DRAIN_MS: '300' })
    assert.equal((await drained.stop()).code, 0)
    await refusesConnections(drained)
    const interrupted = await serve(t, { ...env, DRAIN_MS: '600000' })
    interrupted.kill('SIGINT')
    assert.equal((await interrupted.end()).code, 0)
  })

  test('a request that does not end is cut off: by the timeout, or by a second signal', async (t, env) => {
    const demo = await demoOf(env)
    const limited = await serve(t, { ...env, SHUTDOWN_TIMEOUT_MS: '200' })
    await beginUpdate(limited, demo)
    limited.kill('SIGTERM')
    const ended = await limited.end()
    assert.equal(ended.code, 1)
    assert.match(ended.stdout, /"event":"stop_timed_out"\}\n$/)

    const urged = await serve(t, { ...env, SHUTDOWN_TIMEOUT_MS: '600000' })
    await beginUpdate(urged, demo)
    await endBySignals(urged)
  })
})

/** Copies of the first signal that come soon after it do not count, so it is sent until it does. */
async function endBySignals(service: RunningService): Promise<void> {
  let over = false
  const end = service.end().finally(() => {
    over = true
  })
  while (!over) {
    service.kill('SIGTERM')
    await sleep(50)
  }
  assert.equal((await end).code, 1)
}

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
  socket.write(update(demo, BODY, 'Expect: 100-continue\r\n').slice(0, -BODY.length))
  const [interim] = await once(socket, 'data')
  assert.match(String(interim), /^HTTP\/1\.1 100 Continue/)
  socket.write(BODY.slice(0, -1))
  return socket
}

function update(demo: Demo, body: string, more = ''): string {
  return (
    `PUT /v2/customer/${demo.customer_id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${demo.test_key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`
  )
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
