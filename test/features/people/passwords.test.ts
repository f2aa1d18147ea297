import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnavailableError } from '../../../src/engine/change/faults.ts'
import { createPasswords } from '../../../src/features/people/passwords.ts'

const passwords = createPasswords()

test('a password is stored as argon2id of 19 MiB and 2 passes, with its own salt', async () => {
  const [first, second] = await Promise.all([
    passwords.hash('a long password'),
    passwords.hash('a long password'),
  ])
  assert.match(first!, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(first, second)
})

test('a hash made elsewhere, with other terms, is understood', async () => {
  const reference = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
  assert.equal(await passwords.matches('password', reference), true)
  assert.equal(await passwords.matches('Password', reference), false)
})

test('a password matches its own hash and no other, and nothing matches null', async () => {
  const kept = await passwords.hash('correct horse 42')
  assert.equal(await passwords.matches('correct horse 42', kept), true)
  assert.equal(await passwords.matches('correct horse 43', kept), false)
  assert.equal(await passwords.matches('', kept), false)
  assert.equal(await passwords.matches('correct horse 42', null), false)
})

test('the same password composed of other characters matches', async () => {
  const kept = await passwords.hash('une clé de caf\u00e9')
  assert.equal(await passwords.matches('une clé de cafe\u0301', kept), true)
})

test('two are computed at the same time and 64 wait, by default', async () => {
  const usual = createPasswords()
  const cheap = '$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
  const asked = Array.from({ length: 2 + 64 + 1 }, () => usual.matches('password', cheap))
  const statuses = (await Promise.allSettled(asked)).map(({ status }) => status)
  assert.deepEqual(statuses, [...Array(66).fill('fulfilled'), 'rejected'])
})

test('a few are computed at the same time, a few wait, and more are rejected', async () => {
  const few = createPasswords({ atOnceMax: 1, waitingMax: 2 })
  const asked = Array.from({ length: 4 }, () => few.matches('a long password', null))
  const settled = await Promise.allSettled(asked)
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
  )
  const turnedAway = settled.find((one) => one.status === 'rejected')
  assert(turnedAway?.reason instanceof UnavailableError)
  assert.equal(await few.matches('a long password', null), false)
})
