import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Actor, OPERATOR } from '../../src/domain/actor.ts'
import { MODES } from '../../src/domain/book.ts'
import { COMMON_PASSWORDS, PASSWORD_MIN, passwordFault } from '../../src/domain/password.ts'
import {
  changeRole,
  disable,
  emailKey,
  invite,
  isSessionOver,
  PERSON_STATUSES,
  type Person,
  ROLES,
  SCOPES_OF_ROLE,
  signedInRecently,
} from '../../src/domain/people.ts'

const at = new Date('2026-07-01T10:00:00.000Z')

const ada: Person = {
  callerId: 'cal_1',
  personId: 'per_ada',
  name: 'Ada Obi',
  email: 'ada.obi@example.com',
  role: 'ADMINISTRATOR',
  modes: ['test', 'live'],
  status: 'ACTIVE',
  lastSeenAt: null,
  createdAt: at,
}

const actorOf = ({ personId, name }: Person): Actor => ({ kind: 'PERSON', id: personId, name })

const people = fc.record({
  role: fc.constantFrom(...ROLES),
  status: fc.constantFrom(...PERSON_STATUSES),
  modes: fc.subarray([...MODES], { minLength: 1 }),
})
const standings = fc.record({
  person: people.map((terms): Person => ({ ...ada, ...terms })),
  actor: fc.constantFrom(actorOf(ada), actorOf({ ...ada, personId: 'per_other' }), OPERATOR),
  otherAdministrators: fc.nat({ max: 2 }),
})

test('roles are these sets of scopes', () => {
  const reads = ['customers:read', 'accounts:read', 'fixed_deposits:read', 'ledger:read', 'rules:read']
  const clerk = [...reads, 'customers:write', 'fixed_deposits:liquidate', 'test_clock:write']
  assert.deepEqual(SCOPES_OF_ROLE, {
    VIEWER: reads,
    CLERK: clerk,
    SUPERVISOR: [
      ...clerk,
      ...['rules:write', 'approvals:read', 'approvals:decide', 'penal_charges:waive'],
      ...['liens:read', 'liens:write', 'liquidations:reverse', 'tax:read'],
      ...['reports:read', 'audit:read', 'events:read'],
    ],
    ADMINISTRATOR: [
      ...[
        'people:read',
        'people:write',
        'api_keys:read',
        'api_keys:write',
        'webhooks:read',
        'webhooks:write',
      ],
      'audit:read',
    ],
  })
})

test('an invitation makes a person, and keeps who that is where it is known', () => {
  const terms = {
    callerId: 'cal_1',
    personId: 'per_new',
    name: 'Ada',
    email: 'ADA.obi@example.com',
    role: 'CLERK',
    modes: ['test'],
  } as const
  const asked = { ...terms, at }
  const fresh = { ...terms, status: 'INVITED', lastSeenAt: null, createdAt: at }
  assert.deepEqual(invite(undefined, asked), { outcome: 'decided', person: fresh, changed: true })

  const earlier = {
    createdAt: new Date('2025-01-01T00:00:00Z'),
    lastSeenAt: new Date('2025-02-01T00:00:00Z'),
  }
  for (const status of ['INVITED', 'DISABLED'] as const) {
    assert.deepEqual(invite({ ...ada, ...earlier, status }, asked), {
      outcome: 'decided',
      person: { ...fresh, ...earlier, personId: 'per_ada' },
      changed: true,
    })
  }
  assert.deepEqual(invite(ada, asked), { outcome: 'refused', code: 'email_taken', details: {} })
})

test('nobody changes their own role', () => {
  fc.assert(
    fc.property(standings, people, (standing, asked) => {
      const decision = changeRole({ ...standing, actor: actorOf(standing.person) }, asked)
      assert.equal(decision.outcome, 'refused')
    }),
  )
})

test('an active administrator always remains where there was one', () => {
  fc.assert(
    fc.property(standings, people, (standing, asked) => {
      const before = standing.otherAdministrators + Number(isActiveAdministrator(standing.person))
      for (const decision of [disable(standing), changeRole(standing, asked)]) {
        if (decision.outcome === 'refused') continue
        const after = standing.otherAdministrators + Number(isActiveAdministrator(decision.person))
        assert(before === 0 || after > 0)
      }
    }),
  )
})

test('only the last active administrator cannot be disabled', () => {
  fc.assert(
    fc.property(standings, (standing) => {
      const { person, otherAdministrators } = standing
      const decision = disable(standing)
      if (isActiveAdministrator(person) && otherAdministrators === 0) {
        assert.deepEqual(decision, { outcome: 'refused', code: 'last_administrator', details: {} })
      } else {
        assert.deepEqual(decision, {
          outcome: 'decided',
          person: { ...person, status: 'DISABLED' },
          changed: person.status !== 'DISABLED',
        })
      }
    }),
  )
})

test('a role that a person has already is no change, whatever the order of its modes', () => {
  const standing = { person: ada, actor: OPERATOR, otherAdministrators: 0 }
  const same = changeRole(standing, { role: 'ADMINISTRATOR', modes: ['live', 'test'] })
  assert.equal(same.outcome === 'decided' && same.changed, false)
  const fewer = changeRole(standing, { role: 'ADMINISTRATOR', modes: ['test'] })
  assert.equal(fewer.outcome === 'decided' && fewer.changed, true)
  const disabled = { ...standing, person: { ...ada, status: 'DISABLED' as const } }
  assert.deepEqual(changeRole(disabled, { role: 'CLERK', modes: ['test'] }), {
    outcome: 'refused',
    code: 'person_not_active',
    details: {},
  })
})

test('addresses that differ in case or in how a letter is composed are the same', () => {
  assert.equal(emailKey('Ada.OBI@Example.COM'), emailKey('ada.obi@example.com'))
  assert.equal(emailKey('ad\u00e9@example.com'), emailKey('AD\u0045\u0301@example.com'))
  assert.notEqual(emailKey('ada@example.com'), emailKey('ade@example.com'))
})

test('a session ends after 15 minutes without use, and after 10 hours in any case', () => {
  const later = (minutes: number, ms = 0) => new Date(at.getTime() + minutes * 60_000 + ms)
  const unused = { startedAt: at, lastSeenAt: at }
  assert.equal(isSessionOver(unused, later(15, -1)), false)
  assert.equal(isSessionOver(unused, later(15)), true)
  const used = (minutes: number) => ({ startedAt: at, lastSeenAt: later(minutes) })
  assert.equal(isSessionOver(used(599), later(600, -1)), false)
  assert.equal(isSessionOver(used(599), later(600)), true)
  assert.equal(signedInRecently(at, later(15, -1)), true)
  assert.equal(signedInRecently(at, later(15)), false)
})

test('a password has at least 12 characters and is not among the most common', () => {
  const table: [string, ReturnType<typeof passwordFault>][] = [
    ['elevenchars', 'password_too_short'],
    ['twelve chars', null],
    ['aaaaaaaaaaab', null],
    ['éééééééééééé', null],
    ['\u{1f9ea}'.repeat(11), 'password_too_short'],
    ['\u{1f9ea}'.repeat(12), null],
    ['x'.repeat(255).concat('y'), null],
    ['x'.repeat(256).concat('y'), 'password_too_long'],
    ['password1234', 'password_too_common'],
    ['PassWord1234', 'password_too_common'],
    ['aaaaaaaaaaaa', 'password_too_common'],
  ]
  for (const [password, fault] of table) assert.equal(passwordFault(password), fault, password)
})

test('the common passwords are all long enough to be refused for being common', () => {
  assert(COMMON_PASSWORDS.size > 200)
  for (const password of COMMON_PASSWORDS) {
    assert(password.length >= PASSWORD_MIN && password === password.toLowerCase(), password)
  }
})

function isActiveAdministrator({ role, status }: Person): boolean {
  return role === 'ADMINISTRATOR' && status === 'ACTIVE'
}
