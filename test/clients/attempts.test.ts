/** An attempt of the client for Python ends in time as a whole, however its answer is delayed. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { openDirectory, runProgram } from '../install/installed.ts'
import { findProgram } from '../support/programs.ts'
import { clientEnv } from './placed.ts'

const TIMEOUT_S = 1
const python = findProgram('python3')
const absent = ['python3', 'openssl'].filter((name) => findProgram(name) === undefined)
const skip = absent.length > 0 && `there is no ${absent.join(' and no ')} on this machine`

const folder = await openDirectory({ after })
const [certPath, keyPath] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
before(() => (skip === false ? createCertificate() : undefined))

/** How an attempt ended, and how long it took. */
const PROGRAM = `
import json, sys, time
from breakwater import Breakwater, BreakwaterError
bank = Breakwater(sys.argv[1], "bw_test_x", retries=0, timeout=float(sys.argv[2]))
started = time.monotonic()
try:
    answer = bank.call("createCustomer", body={"address": "x" * int(sys.argv[3])}).data
    print(json.dumps([answer, None, time.monotonic() - started]))
except BreakwaterError as error:
    print(json.dumps([error.code, repr(error.__cause__), time.monotonic() - started]))
`

const HEAD = 'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n'
const ANSWERS: Record<string, (socket: Socket) => void> = {
  'never begins': (socket) => socket.resume(),
  'has a head that comes byte by byte': (socket) => drip(socket.resume(), `${HEAD}x-long: `),
  'has a body that comes byte by byte': (socket) => drip(socket.resume(), `${HEAD}\r\n`),
  'waits for a request that it never reads': (socket) => socket.pause(),
}

for (const scheme of ['http', 'https']) {
  for (const [delay, answer] of Object.entries(ANSWERS)) {
    test(`an answer over ${scheme} that ${delay} ends the attempt`, { skip }, async (t) => {
      const server = scheme === 'http' ? createServer(answer) : await createSecure(answer)
      assertEnded(await attempt(t, server, scheme))
    })
  }
}

test('a TLS handshake that never ends is ended', { skip }, async (t) => {
  const server = createServer((socket) => socket.resume())
  assertEnded(await attempt(t, server, 'https'))
})

test('an answer over https that comes in time is read', { skip }, async (t) => {
  const body = '{"status":true,"message":"","data":{"customer_id":"cus_1"}}'
  const server = await createSecure((socket) => {
    socket.resume().write(`HTTP/1.1 201 Created\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  })
  const [answer] = await attempt(t, server, 'https')
  assert.deepEqual(answer, { customer_id: 'cus_1' })
})

type Context = { after: (end: () => void) => void }

type Ended = [answer: unknown, cause: string | null, tookS: number]

async function attempt(t: Context, server: Server, scheme: string): Promise<Ended> {
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket.on('error', () => {})))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  const url = `${scheme}://localhost:${port}`
  const env = { ...clientEnv('bw_test_x'), SSL_CERT_FILE: certPath }
  // More than the sockets of both sides hold.
  const given = [url, String(TIMEOUT_S), String(16 * 1024 * 1024)]
  return JSON.parse(await runProgram(python!, ['-W', 'error', '-c', PROGRAM, ...given], { env }))
}

function assertEnded([code, cause, tookS]: Ended): void {
  assert.equal(code, 'connection_failed')
  assert.match(cause!, /timed out|took too long/)
  // Without a limit for the whole it would be minutes.
  assert(tookS >= TIMEOUT_S && tookS < TIMEOUT_S + 10, `${tookS} s`)
}

function drip(socket: Socket, beginning: string): void {
  socket.write(beginning)
  const timer = setInterval(() => socket.write(' '), 100)
  socket.on('close', () => clearInterval(timer))
}

async function createCertificate(): Promise<void> {
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  await runProgram('openssl', [...request, ...names, '-keyout', keyPath, '-out', certPath])
}

async function createSecure(answer: (socket: Socket) => void): Promise<Server> {
  const [cert, key] = await Promise.all([readFile(certPath), readFile(keyPath)])
  return createTlsServer({ cert, key }, (socket) => answer(socket.on('error', () => {})))
}
