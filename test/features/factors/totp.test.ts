import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepAt } from '../../../src/domain/factors.ts'
import { codeAt, newTotpSecret, stepOfCode, toBase32, totpUri } from '../../../src/features/factors/totp.ts'

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test('the codes are those of RFC 6238', () => {
  assert.equal(toBase32(Buffer.from('12345678901234567890')), SECRET)
  const table: [seconds: number, code: string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ]
  for (const [seconds, code] of table) assert.equal(codeAt(SECRET, stepAt(new Date(seconds * 1000))), code)
})

test('a code is good for its own step and one on either side, and no other', () => {
  const now = new Date(1_234_567_890_000)
  const present = stepAt(now)
  const found = [-2, -1, 0, 1, 2].map((aside) => stepOfCode(SECRET, codeAt(SECRET, present + aside), now))
  assert.deepEqual(found, [null, present - 1, present, present + 1, null])
  for (const wrong of ['', '00592', '0059240', 'abcdef', '００５９２４', '005925']) {
    assert.equal(stepOfCode(SECRET, wrong, now), null, wrong)
  }
})

test('a secret has 160 random bits, and its address holds what apps read', () => {
  const secret = newTotpSecret()
  assert.match(secret, /^[A-Z2-7]{32}$/)
  assert.notEqual(secret, newTotpSecret())
  assert.equal(
    totpUri(SECRET, { issuer: 'Break water', account: 'ada+x@example.com' }),
    `otpauth://totp/Break%20water:ada%2Bx%40example.com?secret=${SECRET}&issuer=Break%20water&digits=6&period=30`,
  )
})
