import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { installGoProgram, reasonIn } from '../../bench/go-programs.ts'
import { type Peer, peersTable, peersText } from '../../bench/peers-table.ts'
import { temporaryDirectory } from '../cli/program.ts'
import { openConnection, requestText } from '../support/load/connection.ts'

const OWN: Peer = {
  name: 'breakwater',
  label: 'Breakwater',
  version: '0.3.0',
  perSecond: 6000,
  turns: [5000, 6000, 8000],
  coldPerSecond: 1000,
  serverCpu: 0.08,
  databaseCpu: 0.12,
  generatorCpu: 0.02,
  p50Ms: 8,
  p99Ms: 20,
  batchMean: 30,
  walBytes: 4000,
}
const OTHER: Peer = {
  ...OWN,
  ...{ name: 'formance', label: 'Formance', version: '2.3.0' },
  ...{
    turns: [500, 300, 200],
    perSecond: 300,
    serverCpu: 1,
    databaseCpu: 2,
    walBytes: 9000.4,
    p50Ms: 200,
    p99Ms: null,
  },
}

test('ledgers are compared by pairs of turns, by CPU of service and database together, and by log', () => {
  const { rows } = peersTable({ peers: [OWN, OTHER], tigerbeetle: null, missing: [] })
  assert.deepEqual(rows, [
    ['Breakwater 0.3.0', '6,000', '', '8.00', '20.00', '80 µs', '120 µs', '200 µs', '1.00', '4,000'],
    [
      ...['Formance 2.3.0', '300', '20.00 (10.00 to 40.00)', '200.00', ''],
      ...['1000 µs', '2000 µs', '3000 µs', '15.00', '9,000'],
    ],
  ])
})

test('a table of ledgers says what each promises, what is not equal and what is missing', () => {
  const missing = ['Blnk is not in the table: it could not be installed or started on this machine.']
  const text = peersText({ peers: [OWN, OTHER], tigerbeetle: null, missing })
  assert.match(text, /\*\*Breakwater\*\* answers when this holds: /)
  assert.match(text, /\*\*Formance\*\* answers when this holds: /)
  assert.match(text, /Not equal: /)
  assert(text.endsWith(missing[0]!))
  const limit = { version: '0.16.0', perSecond: 200_000 }
  assert.match(
    peersText({ peers: [OWN], tigerbeetle: limit, missing: [] }),
    /\*\*TigerBeetle 0\.16\.0\*\* made 200,000 transfers/,
  )
})

test('why a program cannot be built is one line without addresses', () => {
  const stderr = `go: downloading example.org/a v1.0.0
go: example.org/b@v2: reading https://proxy.example.org/b/@v/v2.info: 403 Forbidden
\tserver response: This module version is not available.
`
  assert.equal(
    reasonIn(stderr),
    'go: example.org/b@v2: 403 Forbidden server response: This module version is not available.',
  )
})

test('a program that Go cannot find is not installed, which is no failure of the run', async (t) => {
  if (spawnSync('go', ['version']).status !== 0) return t.skip('Go is not installed')
  const folder = await temporaryDirectory(t)
  const proxy = process.env.GOPROXY
  t.after(() => {
    if (proxy === undefined) delete process.env.GOPROXY
    else process.env.GOPROXY = proxy
  })
  process.env.GOPROXY = 'off'
  const missing = {
    name: 'missing',
    module: 'example.org/missing',
    package: 'example.org/missing',
    version: 'v1.0.0',
  }
  assert.equal(
    installGoProgram(missing, folder),
    'go: example.org/missing@v1.0.0: module lookup disabled by GOPROXY=off',
  )
})

test('the load generator reads answers that are sent in chunks', async (t) => {
  const server = createServer((_, response) => {
    response.writeHead(201)
    response.write('{"of no known length":')
    setImmediate(() => response.end('1}'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const statuses: number[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const request = requestText({ method: 'POST', path: '/', key: 'x', body: '{}', idempotencyKey: null })
  const socket = openConnection((server.address() as AddressInfo).port, (status) => {
    statuses.push(status)
    if (statuses.length < 3) return void socket.write(request)
    socket.end()
    resolve()
  })
  socket.once('connect', () => socket.write(request))
  await promise
  assert.deepEqual(statuses, [201, 201, 201])
})
