import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSharedTake } from '../../src/cli/fellow.ts'
import { createRateLimiter } from '../../src/http/rate-limit.ts'

type Asked = { name: string; perMinute: number; wanted: number }

/** Processes that share one counter, and how often each asked it. */
function startFellows(processes: number) {
  const take = createRateLimiter(() => 0)
  let asked = 0
  const call = async (_: string, { name, perMinute, wanted }: Asked) => {
    asked += 1
    await Promise.resolve()
    return take(name, perMinute, wanted)
  }
  const fellows = Array.from({ length: processes }, () =>
    createSharedTake({ call } as never, { counted: 'keys', processes }),
  )
  return { fellows, asked: () => asked }
}

test('all together never allow more than the limit, and one alone may use all of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 20_000 }),
      fc.array(fc.nat(7), { maxLength: 200 }),
      async (processes, perMinute, order) => {
        const { fellows } = startFellows(processes)
        const taken = await Promise.all(order.map((at) => fellows[at % processes]!('key', perMinute)))
        const allowed = taken.filter((one) => one.allowed).length
        assert(allowed <= perMinute)
        if (processes === 1) assert.equal(allowed, Math.min(perMinute, order.length))
        for (const one of taken) assert(one.remaining >= 0 && one.remaining < perMinute)
      },
    ),
  )
})

test('a process asks once for many requests of a busy key', async () => {
  const { fellows, asked } = startFellows(2)
  for (let sent = 0; sent < 1000; sent += 1) await fellows[sent % 2]!('key', 60_000)
  assert.equal(asked(), 20)
})

test('names count separately', async () => {
  const { fellows } = startFellows(2)
  assert.equal((await fellows[0]!('one', 1)).allowed, true)
  assert.deepEqual(await fellows[1]!('one', 1), { allowed: false, remaining: 0, retryAfterSeconds: 60 })
  assert.equal((await fellows[1]!('other', 1)).allowed, true)
})
