import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Actor, OPERATOR } from '../../src/domain/actor.ts'
import { MODES, type Mode } from '../../src/domain/book.ts'
import { COMMON_PASSWORDS, PASSWORD_MIN, passwordFault } from '../../src/domain/password.ts'
import {
  actorsOf,
  byOf,
  changeRole,
  confirm,
  decidesFrom,
  disable,
  invite,
  isResting,
  isSessionOver,
  PERSON_STATUSES,
  type Person,
  type Rest,
  ROLES,
  refuseConfirmation,
  restAfter,
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
  hadModes: [],
  status: 'ACTIVE',
  rest: null,
  factors: [],
  issuer: null,
  subject: null,
  breakGlass: false,
  disabledReason: null,
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
  otherAdministrators: fc.record({ test: fc.nat({ max: 2 }), live: fc.nat({ max: 2 }) }),
  modes: fc.constant(MODES),
  at: fc.constant(at),
})

test('roles are these sets of scopes', () => {
  const reads = [
    ...['customers:read', 'accounts:read', 'fixed_deposits:read', 'ledger:read', 'rules:read'],
    'products:read',
  ]
  const clerk = [
    ...reads,
    ...[
      'customers:write',
      'fixed_deposits:write',
      'fixed_deposits:liquidate',
      'batches:run',
      'test_clock:write',
    ],
  ]
  assert.deepEqual(SCOPES_OF_ROLE, {
    VIEWER: reads,
    CLERK: clerk,
    SUPERVISOR: [
      ...clerk,
      ...['accounts:write', 'rules:write', 'approvals:read', 'approvals:decide', 'approvals:policy'],
      ...[
        'penal_charges:waive',
        'liens:read',
        'liens:write',
        'liquidations:reverse',
        'tax:read',
        'tax:write',
      ],
      ...['reports:read', 'audit:read', 'events:read', 'products:write', 'batches:read', 'accounting:read'],
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
  const acting = { actor: OPERATOR, modes: MODES, at }
  const fresh = {
    ...{ ...terms, hadModes: [], status: 'INVITED', rest: null },
    ...{ factors: [], issuer: null, subject: null, breakGlass: false, disabledReason: null },
    ...{ lastSeenAt: null, createdAt: at },
  }
  assert.deepEqual(invite(undefined, terms, acting), { outcome: 'decided', person: fresh, changed: true })

  const earlier = {
    createdAt: new Date('2025-01-01T00:00:00Z'),
    lastSeenAt: new Date('2025-02-01T00:00:00Z'),
  }
  for (const status of ['INVITED', 'DISABLED'] as const) {
    assert.deepEqual(invite({ ...ada, ...earlier, status }, terms, acting), {
      outcome: 'decided',
      person: { ...fresh, ...earlier, personId: 'per_ada', hadModes: ['test', 'live'] },
      changed: true,
    })
  }
  assert.deepEqual(invite(ada, terms, acting), { outcome: 'refused', code: 'email_taken', details: {} })
})

test('nobody changes their own role', () => {
  fc.assert(
    fc.property(standings, people, (standing, asked) => {
      const decision = changeRole({ ...standing, actor: actorOf(standing.person) }, asked)
      assert.equal(decision.outcome, 'refused')
    }),
  )
})

test('an active administrator always remains in each book that had one', () => {
  fc.assert(
    fc.property(standings, people, (standing, asked) => {
      for (const decision of [disable(standing), changeRole(standing, asked)]) {
        if (decision.outcome === 'refused') continue
        for (const mode of MODES) {
          const others = standing.otherAdministrators[mode]
          const before = others + Number(administers(standing.person, mode))
          assert(before === 0 || others + Number(administers(decision.person, mode)) > 0)
        }
      }
    }),
  )
})

test('only the last active administrator of a book cannot be disabled', () => {
  fc.assert(
    fc.property(standings, (standing) => {
      const { person, otherAdministrators } = standing
      const decision = disable(standing)
      if (MODES.some((mode) => administers(person, mode) && otherAdministrators[mode] === 0)) {
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

test('somebody who does not work in every book of a person, now or earlier, does nothing to that person', () => {
  const table: [modes: Mode[], hadModes: Mode[], own: Mode[], allowed: boolean][] = [
    [['test'], [], ['test'], true],
    [['test'], [], ['test', 'live'], true],
    [['live'], [], ['test'], false],
    [['test', 'live'], [], ['test'], false],
    [['test'], ['live'], ['test'], false],
    [['test'], ['live'], ['test', 'live'], true],
    [['test'], [], ['live'], false],
  ]
  const others = { test: 1, live: 1 }
  for (const [modes, hadModes, own, allowed] of table) {
    const acting = { actor: actorOf({ ...ada, personId: 'per_other' }), modes: own, at }
    const person = { ...ada, modes, hadModes, rest: { until: new Date(at.getTime() + 1), actors: ['per_x'] } }
    const confirmer = { ...ada, personId: 'per_other' }
    const asked = { ...ada, modes: own.slice(0, 1), role: 'CLERK' as const }
    const decisions = {
      invite: invite({ ...person, status: 'INVITED' }, asked, acting),
      role: changeRole({ ...acting, person, otherAdministrators: others }, asked),
      disable: disable({ ...acting, person, otherAdministrators: others }),
      confirm: confirm(person, confirmer, { ...acting, shown: person.rest?.until ?? at }),
    }
    for (const [act, decision] of Object.entries(decisions)) {
      const code = decision.outcome === 'refused' ? decision.code : 'decided'
      // There is nothing to confirm of somebody who does not work in the live book.
      const expected = act === 'confirm' && !modes.includes('live') ? 'nothing_to_confirm' : 'decided'
      assert.equal(
        code,
        allowed ? expected : 'other_books',
        `${act} ${JSON.stringify({ modes, hadModes, own })}`,
      )
    }
  }
})

test('nobody gives access to a book that they do not work in', () => {
  const acting = { actor: actorOf({ ...ada, personId: 'per_other' }), modes: ['test'] as const, at }
  const refused = { outcome: 'refused', code: 'other_books', details: {} }
  assert.deepEqual(invite(undefined, { ...ada, modes: ['live'] }, acting), refused)
  const person = { ...ada, modes: ['test'] as const }
  const standing = { ...acting, person, otherAdministrators: { test: 1, live: 1 } }
  assert.deepEqual(changeRole(standing, { role: 'CLERK', modes: ['test', 'live'] }), refused)
})

test('what another person sets rests for 24 hours in the live book, and what the operator sets does not', () => {
  const until = new Date('2026-07-02T10:00:00.000Z')
  assert.deepEqual(restAfter(null, ['per_other'], at), { until, actors: ['per_other'] })
  assert.equal(restAfter(null, actorsOf(byOf(OPERATOR), undefined, at), at), null)
  const rest = { until, actors: ['per_other'] }
  assert.equal(isResting(rest, new Date(until.getTime() - 1)), true)
  assert.equal(isResting(rest, until), false)
  assert.equal(isResting(null, at), false)
  // Both have to be somebody else than the one who confirms; after the end of a rest only the new actor counts.
  assert.deepEqual(restAfter(rest, ['per_third'], at)?.actors, ['per_other', 'per_third'])
  assert.deepEqual(restAfter(rest, ['per_third'], until)?.actors, ['per_third'])
  // Who let the actor in is behind what the actor does while resting.
  assert.deepEqual(actorsOf('per_third', { rest }, at), ['per_third', 'per_other'])
  assert.deepEqual(actorsOf('per_third', { rest }, until), ['per_third'])
  assert.deepEqual(actorsOf('per_third', { rest: null }, at), ['per_third'])
  assert.deepEqual(decidesFrom({ rest }, 'live'), until)
  assert.equal(decidesFrom({ rest }, 'test'), null)
  assert.equal(decidesFrom({ rest: null }, 'live'), null)
})

test('a rest is ended by a second administrator who does not rest', () => {
  const later = new Date(at.getTime() + 1)
  const rest = { until: later, actors: ['per_actor'] }
  const other = { ...ada, personId: 'per_other' }
  const table: [Rest | null, Person | undefined, Date, string | null][] = [
    [rest, other, at, null],
    [rest, { ...ada, personId: 'per_actor' }, at, 'own_act'],
    [rest, undefined, at, 'own_act'],
    [rest, { ...other, rest }, at, 'confirmer_rests'],
    [rest, { ...other, rest: { ...rest, until: at } }, at, null],
    [rest, other, later, 'nothing_to_confirm'],
    [null, other, at, 'nothing_to_confirm'],
  ]
  for (const [given, confirmer, now, code] of table) {
    assert.equal(refuseConfirmation(given, confirmer, now)?.code ?? null, code)
  }
  const acting = { actor: actorOf(other), modes: MODES, at }
  assert.deepEqual(confirm({ ...ada, rest }, other, { ...acting, shown: rest.until }), {
    ...{ outcome: 'decided', changed: true },
    person: { ...ada, rest: null },
  })
  for (const ms of [-1, 1]) {
    const shown = new Date(rest.until.getTime() + ms)
    const unseen = confirm({ ...ada, rest }, other, { ...acting, shown })
    assert.equal(unseen.outcome === 'refused' && unseen.code, 'changed_meanwhile')
  }
  const invited = confirm({ ...ada, rest, status: 'INVITED' }, other, { ...acting, shown: rest.until })
  assert.equal(invited.outcome === 'refused' && invited.code, 'person_not_active')
})

test('a role that a person has already is no change, whatever the order of its modes', () => {
  const standing = {
    ...{ person: ada, actor: OPERATOR, modes: MODES, at },
    otherAdministrators: { test: 0, live: 1 },
  }
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

test('a session ends after 15 minutes without use, and after 10 hours in any case', () => {
  const later = (minutes: number, ms = 0) => new Date(at.getTime() + minutes * 60_000 + ms)
  const unused = { startedAt: at, lastSeenAt: at }
  assert.equal(isSessionOver(unused, later(15, -1)), false)
  assert.equal(isSessionOver(unused, later(15)), true)
  const used = (minutes: number) => ({ startedAt: at, lastSeenAt: later(minutes) })
  assert.equal(isSessionOver(used(599), later(600, -1)), false)
  assert.equal(isSessionOver(used(599), later(600)), true)
  assert.equal(isSessionOver(used(1), later(0)), false)
  assert.equal(isSessionOver(used(1), later(0, -1)), true, 'used last by a clock that was ahead')
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

function administers({ role, status, modes }: Person, mode: Mode): boolean {
  return role === 'ADMINISTRATOR' && status === 'ACTIVE' && modes.includes(mode)
}
