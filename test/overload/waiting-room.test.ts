import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createWaitingRoom } from '../../src/http/waiting-room.ts'

type Connection = { name: string; destroyed: boolean; pause: () => void; resume: () => void }

/** Time passes when the test says so; `listening` names the connections that are listened to again, in order. */
function openRoom(context: TestContext) {
  context.mock.timers.enable({ apis: ['setInterval'] })
  let now = 0
  const listening: string[] = []
  const room = createWaitingRoom({ holdMaxMs: 800, nowMs: () => now })
  const connect = (name: string): Connection => ({
    name,
    destroyed: false,
    pause: () => {},
    resume: () => void listening.push(name),
  })
  const pass = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 50) {
      now += 50
      context.mock.timers.tick(50)
    }
  }
  return { ...room, listening, connect, pass }
}

test('the last to come is listened to first, a little more than one for each work that is finished', (context) => {
  const { hold, releaseSome, listening, connect } = openRoom(context)
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) hold(connect(name))
  releaseSome()
  assert.deepEqual(listening, ['g'])
  for (let works = 0; works < 3; works += 1) releaseSome()
  assert.deepEqual(listening, ['g', 'f', 'e', 'd', 'c'])
})

test('work that nobody waited for makes no room for those to come', (context) => {
  const { hold, releaseSome, listening, connect } = openRoom(context)
  for (let works = 0; works < 10; works += 1) releaseSome()
  for (const name of ['a', 'b', 'c']) hold(connect(name))
  releaseSome()
  assert.deepEqual(listening, ['c'])
})

test('nobody waits longer than the time', (context) => {
  const { hold, listening, connect, pass } = openRoom(context)
  const [first, second] = [connect('first'), connect('second')]
  hold(first)
  pass(400)
  hold(second)
  pass(350)
  assert.deepEqual(listening, [])
  pass(50)
  assert.deepEqual(listening, ['first'])
  pass(400)
  assert.deepEqual(listening, ['first', 'second'])
})

test('only what had arrived before the time was over is late', (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] })
  let now = 0
  const room = createWaitingRoom({ holdMaxMs: 800, nowMs: () => now })
  const connection = { destroyed: false, pause: () => {}, resume: () => {} }
  room.hold(connection)
  assert.equal(room.isLate(connection), false)
  now = 800
  context.mock.timers.tick(50)
  assert.equal(room.isLate(connection), true)
  const { promise, resolve } = Promise.withResolvers<void>()
  setImmediate(() => {
    assert.equal(room.isLate(connection), false)
    resolve()
  })
  return promise
})

test('a connection that is gone is not held', (context) => {
  const { hold, releaseSome, listening, connect } = openRoom(context)
  hold({ ...connect('gone'), destroyed: true })
  releaseSome()
  assert.deepEqual(listening, [])
})
