/** How often a wrong password may be tried: the limits, both sides of each, and what one network can do to a person. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  FORGOTTEN_MS,
  giveBack,
  KNOWN_LIMIT,
  NETWORK_LIMIT,
  PERSON_LIMIT,
  type Tries,
  type TryLimit,
  takeTry,
} from '../../src/domain/tries.ts'

const start = new Date('2026-07-01T10:00:00.000Z')
const after = (ms: number) => new Date(start.getTime() + ms)

function exhausted({ free }: TryLimit): Tries {
  return { count: free, at: start }
}

test('some tries are free, and each further one waits until one is forgotten', () => {
  const table: [string, TryLimit, number, number][] = [
    ['network', NETWORK_LIMIT, 5, 360_000],
    ['known', KNOWN_LIMIT, 10, 120_000],
  ]
  for (const [name, limit, free, waitMs] of table) {
    let tries: Tries | undefined
    for (let number = 1; number <= free; number += 1) {
      const taken = takeTry(tries, limit, start)
      assert(taken.allowed, `${name} ${number}`)
      tries = taken.tries
    }
    assert.deepEqual(takeTry(tries, limit, start), { allowed: false, retryAfterMs: waitMs }, name)
    assert.equal(takeTry(tries, limit, after(waitMs - 1)).allowed, false)
    assert.equal(takeTry(tries, limit, after(waitMs)).allowed, true)
  }
})

test('of unknown browsers the wait doubles from 2 seconds up to 15 minutes', () => {
  let tries = exhausted(PERSON_LIMIT)
  const waits: number[] = []
  while (waits.length < 12) {
    const refused = takeTry(tries, PERSON_LIMIT, tries.at)
    assert(!refused.allowed)
    waits.push(refused.retryAfterMs)
    const now = new Date(tries.at.getTime() + refused.retryAfterMs)
    assert.equal(takeTry(tries, PERSON_LIMIT, new Date(now.getTime() - 1)).allowed, false)
    const taken = takeTry(tries, PERSON_LIMIT, now)
    assert(taken.allowed)
    // Without forgetting, to see the largest wait.
    tries = { count: PERSON_LIMIT.free + waits.length, at: now }
  }
  assert.deepEqual(waits.slice(0, 4), [2_000, 4_000, 8_000, 16_000])
  assert.equal(waits.at(-1), 900_000)
})

test('one network alone never makes others wait, whatever it does', () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 600_000 }), { minLength: 50, maxLength: 200 })
  fc.assert(
    fc.property(pauses, (gaps) => {
      let network: Tries | undefined
      let person: Tries | undefined
      let now = start
      for (const gap of gaps) {
        now = new Date(now.getTime() + gap)
        const [ofNetwork, ofPerson] = [
          takeTry(network, NETWORK_LIMIT, now),
          takeTry(person, PERSON_LIMIT, now),
        ]
        assert(ofPerson.allowed, 'another network could try')
        if (!ofNetwork.allowed) continue
        network = ofNetwork.tries
        person = ofPerson.tries
      }
    }),
  )
})

test('tries of a clock that was ahead are forgotten, and those of one a little ahead count', () => {
  for (const limit of [NETWORK_LIMIT, PERSON_LIMIT, KNOWN_LIMIT]) {
    const tries = { count: limit.free + 1, at: after(60_000) }
    assert.equal(takeTry(tries, limit, start).allowed, false)
    const later = { ...tries, at: after(60_001) }
    assert.deepEqual(takeTry(later, limit, start), { allowed: true, tries: { count: 1, at: start } })
  }
})

test('a right password is given back, and nothing is left of a count after a day', () => {
  assert.deepEqual(giveBack({ count: 3, at: start }), { count: 2, at: start })
  assert.deepEqual(giveBack({ count: 0.5, at: start }), { count: 0, at: start })
  for (const limit of [NETWORK_LIMIT, PERSON_LIMIT, KNOWN_LIMIT]) {
    const fresh = takeTry({ count: limit.free + 15, at: start }, limit, after(FORGOTTEN_MS))
    assert.deepEqual(fresh, { allowed: true, tries: { count: 1, at: after(FORGOTTEN_MS) } })
  }
})
