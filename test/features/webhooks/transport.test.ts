import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { createSecureContext, createServer as createTlsServer } from 'node:tls'
import { createAddressGuard, type Resolve } from '../../../src/features/webhooks/address-guard.ts'
import { createPost, type Message } from '../../../src/features/webhooks/transport.ts'
import { type AnswerAs, never, type Receiver, startReceiver, withStatus } from './receiver.ts'

const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' }

test('a message arrives as it was given, and the answer comes back', () =>
  withReceiver(withStatus(202, { 'retry-after': '9' }), async (receiver) => {
    const body = '{"amount":500000.00,"note":"Ọlá €"}'
    const outcome = await post({ url: `${receiver.url}?a=b`, body })
    assert.deepEqual(outcome, { kind: 'answered', statusCode: 202, retryAfter: '9' })
    assert.deepEqual(receiver.received, [
      {
        path: '/hook?a=b',
        headers: {
          host: `127.0.0.1:${receiver.port}`,
          connection: 'close',
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          'user-agent': 'Breakwater',
          ...headers,
        },
        body,
      },
    ])
  }))

test('a redirect is an answer and is not followed', () =>
  withReceiver(withStatus(307, { location: '/elsewhere' }), async (receiver) => {
    const outcome = await post({ url: receiver.url })
    assert.deepEqual(outcome, { kind: 'answered', statusCode: 307, retryAfter: null })
    assert.equal(receiver.received.length, 1)
  }))

test('only a bounded part of a long answer is read', () =>
  withReceiver(
    (response) => void response.writeHead(200).write('x'.repeat(8192)),
    async ({ url }) => {
      assert.deepEqual(await post({ url }), { kind: 'answered', statusCode: 200, retryAfter: null })
    },
  ))

test('the timeout covers the whole exchange', async () => {
  const silences: AnswerAs[] = [
    never,
    (response) => void response.writeHead(200).flushHeaders(),
    (response) => void response.writeHead(200, { 'content-length': '3' }).write('ab'),
  ]
  for (const silence of silences) {
    await withReceiver(silence, async ({ url }) => {
      assert.deepEqual(await post({ url, timeoutMs: 200 }), { kind: 'unanswered', error: 'timed_out' })
    })
  }
})

test('looking a name up counts towards the timeout', async () => {
  const outcome = await post({
    url: 'http://receiver.example',
    timeoutMs: 50,
    resolve: () => new Promise(() => {}),
  })
  assert.deepEqual(outcome, { kind: 'unanswered', error: 'timed_out' })
})

test('a receiver that closes without an answer did not answer', async () => {
  const rude = createServer((socket) => socket.on('data', () => socket.destroy()))
  await withServer(rude, async (port) => {
    const outcome = await post({ url: `http://127.0.0.1:${port}` })
    assert.deepEqual(outcome, { kind: 'unanswered', error: 'connection_failed' })
  })
})

test('an answer that breaks off, is not HTTP or switches protocols is not an answer', async () => {
  const answers = [
    'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc',
    'Bonjour\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: tea\r\n\r\n',
  ]
  for (const answer of answers) {
    const server = createServer((socket) => socket.once('data', () => socket.end(answer)))
    await withServer(server, async (port) => {
      const outcome = await post({ url: `http://127.0.0.1:${port}` })
      assert.deepEqual(outcome, { kind: 'unanswered', error: 'connection_failed' }, answer)
    })
  }
})

test('no listener, no such name, no trust: each has its own error', () =>
  withReceiver(withStatus(204), async (receiver) => {
    const closed = await startReceiver()
    await closed.close()
    const cases: [asked: Partial<Message> & { resolve?: Resolve }, error: string][] = [
      [{ url: closed.url }, 'connection_failed'],
      [{ url: 'http://receiver.example', resolve: async () => [] }, 'name_not_resolved'],
      [{ url: receiver.url.replace('http:', 'https:') }, 'tls_failed'],
      [{ url: 'http://10.0.0.1' }, 'forbidden_address'],
      [{ url: receiver.url.replace('http:', 'https:'), mode: 'live' }, 'forbidden_address'],
    ]
    for (const [asked, error] of cases) {
      assert.deepEqual(await post(asked), { kind: 'unanswered', error }, asked.url)
    }
    assert.deepEqual(receiver.received, [])
  }))

test('the server name of a certificate has no final dot', async () => {
  const asked: string[] = []
  const server = createTlsServer({
    SNICallback: (name, done) => {
      asked.push(name)
      done(null, createSecureContext())
    },
  })
  server.on('tlsClientError', () => {})
  await withServer(server, async (port) => {
    for (const host of ['receiver.example', 'receiver.example.']) {
      const url = `https://${host}:${port}`
      assert.equal((await post({ url, resolve: async () => ['127.0.0.1'] })).kind, 'unanswered')
    }
  })
  assert.deepEqual(asked, ['receiver.example', 'receiver.example'])
})

test('a name is looked up once, and exactly the checked addresses are connected to', () =>
  withReceiver(withStatus(204), async (receiver) => {
    const answers = [['127.0.0.1'], ['10.0.0.1']]
    const url = `http://receiver.example:${receiver.port}/`
    const resolve: Resolve = async () => answers.shift() ?? []
    assert.deepEqual(await post({ url, resolve }), { kind: 'answered', statusCode: 204, retryAfter: null })
    assert.equal(receiver.received[0]!.headers.host, `receiver.example:${receiver.port}`)

    assert.deepEqual(await post({ url, resolve }), { kind: 'unanswered', error: 'forbidden_address' })
    assert.equal(receiver.received.length, 1)
    assert.deepEqual(answers, [])
  }))

function post(asked: Partial<Message> & { resolve?: Resolve; timeoutMs?: number }) {
  const { resolve = async () => [], timeoutMs = 10_000, ...message } = asked
  const addressGuard = createAddressGuard({ loopbackAllowed: true, resolve })
  return createPost({ addressGuard, timeoutMs })({ url: '', mode: 'test', headers, body: '{}', ...message })
}

async function withReceiver(answer: AnswerAs, run: (receiver: Receiver) => Promise<void>): Promise<void> {
  const receiver = await startReceiver()
  receiver.answer = answer
  try {
    await run(receiver)
  } finally {
    await receiver.close()
  }
}

async function withServer(
  server: ReturnType<typeof createServer>,
  run: (port: number) => Promise<void>,
): Promise<void> {
  server.on('connection', (socket: Socket) => socket.on('error', () => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert(address !== null && typeof address === 'object')
  try {
    await run(address.port)
  } finally {
    server.close()
  }
}
