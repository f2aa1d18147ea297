import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { createAdmission } from '../../src/http/admission.ts'

/** Requests are known by their url; a clock moves when the test says so. */
function startAdmission() {
  const seen = { handled: [] as string[], rejected: [] as string[] }
  let now = 0
  const enter = createAdmission({
    handle: ({ url }) => void seen.handled.push(url!),
    reject: ({ url }, _, waitedMs) => void seen.rejected.push(`${url} after ${waitedMs}`),
    passesAtOnce: ({ url }) => url === 'probe',
    isHopeless: ({ url }) => url === 'hopeless',
    nowMs: () => now,
  })
  return {
    ...seen,
    /** On a connection of its own, unless one is given. Returns a function that ends the response. */
    come: (url: string, request: Partial<IncomingMessage> = {}) => {
      const response = new EventEmitter()
      const socket = { writable: true } as Socket
      enter({ destroyed: false, socket, ...request, url } as IncomingMessage, response as ServerResponse)
      return () => void response.emit('close')
    },
    pass: (ms: number) => {
      now += ms
    },
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const names = (count: number) => Array.from({ length: count }, (_, index) => String(index))

test('a single request is admitted immediately', () => {
  const { come, handled } = startAdmission()
  come('alone')
  assert.deepEqual(handled, ['alone'])
})

test('pipelined requests wait for the response before them and do not delay other connections', async () => {
  const { come, handled } = startAdmission()
  const socket = { writable: true } as Socket
  const answers = names(40).map((name) => come(name, { socket }))
  const answerOther = come('other')
  assert.deepEqual(handled, ['0', 'other'])
  answers[0]!()
  answers[1]!()
  answerOther()
  assert.deepEqual(handled, ['0', 'other', '1', '2'])
  for (const answer of answers.slice(2)) {
    answer()
    await turn()
  }
  assert.deepEqual(handled.slice(3), names(40).slice(2))
  come('again', { socket })
  assert.equal(handled.at(-1), 'again')
})

test('sixty-four pipelined requests wait per connection, further ones join the queue', async () => {
  const { come, pass, handled, rejected } = startAdmission()
  const socket = { writable: true } as Socket
  for (const name of names(65)) come(name, { socket })
  assert.deepEqual(handled, ['0'])
  come('beyond', { socket })
  assert.deepEqual(handled, ['0', 'beyond'])
  for (const name of names(1700)) come(name, { socket })
  for (let turns = 0; turns < 101; turns += 1) {
    pass(6)
    await turn()
  }
  assert(rejected.length > 0)
})

test('behind a response that ends its connection nothing is executed', async () => {
  const { come, handled } = startAdmission()
  const socket = { writable: true }
  const on = { socket: socket as Socket }
  for (const name of names(15)) come(name)
  const end = come('last', on)
  for (const name of names(66)) come(`behind ${name}`, on)
  socket.writable = false
  end()
  come('late', on)
  await turn()
  assert.deepEqual(handled, [...names(15), 'last'])
})

test('sixteen requests are admitted per turn, in order, and probes immediately', async () => {
  const { come, handled } = startAdmission()
  const crowd = names(40)
  for (const name of crowd) come(name)
  come('probe')
  assert.deepEqual(handled, [...crowd.slice(0, 16), 'probe'])
  await turn()
  assert.equal(handled.length, 33)
  await turn()
  assert.deepEqual(handled, [...crowd.slice(0, 16), 'probe', ...crowd.slice(16)])
  await turn()
  await turn()
  come('later')
  assert.equal(handled.at(-1), 'later')
})

test('a hopeless request is rejected on arrival or at its turn', async () => {
  const { come, pass, handled, rejected } = startAdmission()
  come('hopeless')
  for (const name of names(15)) come(name)
  come('hopeless')
  pass(3)
  await turn()
  assert.deepEqual([handled.length, rejected], [15, ['hopeless after 0', 'hopeless after 3']])
})

test('a request whose connection closed does not take a turn', async () => {
  const { come, handled } = startAdmission()
  for (const name of names(16)) come(name)
  come('gone', { destroyed: true })
  for (const name of names(16)) come(`second ${name}`)
  await turn()
  assert.equal(handled.length, 32)
  assert(!handled.includes('gone'))
})

test('a burst is admitted whole, however long it takes', async () => {
  const { come, pass, handled, rejected } = startAdmission()
  for (const name of names(1600)) come(name)
  pass(10_000)
  for (let turns = 0; turns < 99; turns += 1) await turn()
  assert.deepEqual([handled.length, rejected.length], [1600, 0])
})

test('when no turn clears the queue, requests that waited half a second are rejected', async () => {
  const { come, pass, handled, rejected } = startAdmission()
  for (const name of names(1700)) come(name)
  for (let turns = 0; turns < 100; turns += 1) await turn()
  assert.equal(handled.length, 1616)
  pass(501)
  come('new')
  for (let turns = 0; turns < 7; turns += 1) await turn()
  assert.deepEqual([rejected.length, rejected[0], handled.at(-1)], [84, '1616 after 501', 'new'])
  for (const name of names(40)) come(name)
  pass(501)
  for (let turns = 0; turns < 3; turns += 1) await turn()
  assert.equal(rejected.length, 84)
})
