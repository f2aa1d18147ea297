import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { createTurnstile } from '../../src/http/admission.ts'

/** Requests are known by their url; a clock moves when the test says so. */
function standAt() {
  const seen = { handled: [] as string[], refused: [] as string[] }
  let now = 0
  const enter = createTurnstile({
    handle: ({ url }) => void seen.handled.push(url!),
    refuse: ({ url }, _, waitedMs) => void seen.refused.push(`${url} after ${waitedMs}`),
    passesAtOnce: ({ url }) => url === 'probe',
    isHopeless: ({ url }) => url === 'hopeless',
    nowMs: () => now,
  })
  return {
    ...seen,
    /** Over a connection of its own, unless one is named; what it answers ends the answer. */
    come: (url: string, request: Partial<IncomingMessage> = {}) => {
      const response = new EventEmitter()
      const socket = {} as Socket
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

test('who comes alone is let in at once', () => {
  const { come, handled } = standAt()
  come('alone')
  assert.deepEqual(handled, ['alone'])
})

test('what a connection asks before it has its answer waits behind that, and is no crowd for others', async () => {
  const { come, handled } = standAt()
  const socket = {} as Socket
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

test('of one connection sixty-four wait behind its answer, and what comes then stands in the crowd', async () => {
  const { come, pass, handled, refused } = standAt()
  const socket = {} as Socket
  for (const name of names(65)) come(name, { socket })
  assert.deepEqual(handled, ['0'])
  come('beyond', { socket })
  assert.deepEqual(handled, ['0', 'beyond'])
  for (const name of names(1700)) come(name, { socket })
  for (let turns = 0; turns < 101; turns += 1) {
    pass(6)
    await turn()
  }
  assert(refused.length > 0)
})

test('of a crowd sixteen are let in a turn, in order, and probes at once', async () => {
  const { come, handled } = standAt()
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

test('who has nothing to hope for is refused at once, at the door or at its turn', async () => {
  const { come, pass, handled, refused } = standAt()
  come('hopeless')
  for (const name of names(15)) come(name)
  come('hopeless')
  pass(3)
  await turn()
  assert.deepEqual([handled.length, refused], [15, ['hopeless after 0', 'hopeless after 3']])
})

test('who hung up while waiting takes nobody else’s turn', async () => {
  const { come, handled } = standAt()
  for (const name of names(16)) come(name)
  come('gone', { destroyed: true })
  for (const name of names(16)) come(`second ${name}`)
  await turn()
  assert.equal(handled.length, 32)
  assert(!handled.includes('gone'))
})

test('a crowd of a moment is let in whole, however long the moment was', async () => {
  const { come, pass, handled, refused } = standAt()
  for (const name of names(1600)) come(name)
  pass(10_000)
  for (let turns = 0; turns < 99; turns += 1) await turn()
  assert.deepEqual([handled.length, refused.length], [1600, 0])
})

test('of a crowd that no turn clears, whoever waited for half a second is refused', async () => {
  const { come, pass, handled, refused } = standAt()
  for (const name of names(1700)) come(name)
  for (let turns = 0; turns < 100; turns += 1) await turn()
  assert.equal(handled.length, 1616)
  pass(501)
  come('new')
  for (let turns = 0; turns < 7; turns += 1) await turn()
  assert.deepEqual([refused.length, refused[0], handled.at(-1)], [84, '1616 after 501', 'new'])
  for (const name of names(40)) come(name)
  pass(501)
  for (let turns = 0; turns < 3; turns += 1) await turn()
  assert.equal(refused.length, 84)
})
