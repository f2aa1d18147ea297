import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Mode } from '../../src/domain/book.ts'
import { acceptedSteps, FACTOR_POLICIES, mustAddFactor, stepAt } from '../../src/domain/factors.ts'
import { ROLES } from '../../src/domain/people.ts'

test('who must add a second factor: nobody, deciders of the live book, or everyone', () => {
  const asked = FACTOR_POLICIES.map((policy) =>
    ROLES.flatMap((role) =>
      ([['test'], ['live'], ['test', 'live']] as Mode[][])
        .filter((modes) => mustAddFactor({ role, modes, factors: [] }, policy))
        .map((modes) => `${role} ${modes.join('+')}`),
    ),
  )
  const deciders = ['SUPERVISOR', 'ADMINISTRATOR'].flatMap((role) => [`${role} live`, `${role} test+live`])
  assert.deepEqual(asked[0], [])
  assert.deepEqual(asked[1], deciders)
  assert.equal(asked[2]!.length, 12)
  for (const policy of FACTOR_POLICIES) {
    assert.equal(mustAddFactor({ role: 'SUPERVISOR', modes: ['live'], factors: ['TOTP'] }, policy), false)
  }
})

test('the codes of the present step and of one on either side are good', () => {
  assert.equal(stepAt(new Date(59_999)), 1)
  assert.equal(stepAt(new Date(60_000)), 2)
  assert.deepEqual(acceptedSteps(new Date(60_000)), [1, 2, 3])
})
