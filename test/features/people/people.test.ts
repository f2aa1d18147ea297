/** What is done to people: invitations, one-time links, roles, and their lines in the audit log. */
import assert from 'node:assert/strict'
import { createService } from '../../../src/cli/compose.ts'
import type { Person } from '../../../src/domain/people.ts'
import { type Database, DatabaseError } from '../../../src/engine/database/database.ts'
import { listChanges } from '../../../src/features/audit/store.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import {
  type Asker,
  changePersonRole,
  disablePerson,
  invitePerson,
  issueResetLink,
  linkPath,
} from '../../../src/features/people/changes.ts'
import { PersonRecord } from '../../../src/features/people/record.ts'
import { findPerson, listPeople } from '../../../src/features/people/store.ts'
import { findLink } from '../../../src/features/sessions/changes.ts'
import { forEachEngine } from '../../support/engines.ts'
import { asOperator, type Office, openOffice, PASSWORD } from './office.ts'

const HALF_AN_HOUR_MS = 30 * 60_000

forEachEngine(({ test }) => {
  test('an invited person sets a password by the link and is active', async (db) => {
    const office = await openOffice(db)
    const { person, token } = await office.invite({ email: 'ada@example.com', role: 'SUPERVISOR' })
    assert.deepEqual(PersonRecord.write(person), {
      person_id: person.personId,
      name: 'Ada Obi',
      email: 'ada@example.com',
      role: 'SUPERVISOR',
      modes: ['test', 'live'],
      status: 'INVITED',
      last_seen_at: null,
    })
    assert.match(person.personId, /^per_[0-9A-Za-z]{24}$/)
    assert.match(linkPath(token), /^\/console\/welcome#[\w-]{43}$/)
    const link = await findLink(office.service, token)
    assert.deepEqual([link?.purpose, link?.person], ['INVITE', person])

    const active = await office.setPassword({ token, password: PASSWORD })
    assert.deepEqual(active, { outcome: 'changed', person: { ...person, status: 'ACTIVE' } })
    const listed = await listPeople(db, office.callerId, { limit: 10, before: null })
    assert.deepEqual(listed.items, [{ ...person, status: 'ACTIVE' }])
  })

  test('a link works once, for half an hour, until it is replaced', async (db) => {
    const office = await openOffice(db)
    const use = async (token: string) => codeOf(await office.setPassword({ token, password: PASSWORD }))
    const started = office.clock.now.getTime()

    const used = await office.invite({ email: 'used@example.com' })
    assert.equal(await use(used.token), 'changed')
    assert.equal(await use(used.token), 'link_not_valid')

    const old = await office.invite({ email: 'old@example.com' })
    office.clock.now = new Date(started + HALF_AN_HOUR_MS)
    assert.equal(await use(old.token), 'link_not_valid')
    assert.equal(await findLink(office.service, old.token), undefined)
    office.clock.now = new Date(started + HALF_AN_HOUR_MS - 1)
    assert.equal(await use(old.token), 'changed')

    const replaced = await office.invite({ email: 'replaced@example.com' })
    const newer = await office.invite({ email: 'replaced@example.com' })
    assert.equal(newer.person.personId, replaced.person.personId)
    assert.equal(await use(replaced.token), 'link_not_valid')
    assert.equal(await use(newer.token), 'changed')
    for (const unknown of ['', 'x', 'x'.repeat(43), newer.token.slice(0, -1)]) {
      assert.equal(await use(unknown), 'link_not_valid')
    }
  })

  test('a link that is used twice at the same time works once', async (db) => {
    const office = await openOffice(db)
    const { token } = await office.invite({ email: 'ada@example.com' })
    const asked = ['the first password', 'the other password'].map((password) =>
      office.setPassword({ token, password }),
    )
    const codes = (await Promise.all(asked)).map(codeOf)
    assert.deepEqual(codes.sort(), ['changed', 'link_not_valid'])
  })

  test('a password that is too short or too common leaves the link open', async (db) => {
    const office = await openOffice(db)
    const { token } = await office.invite({ email: 'ada@example.com' })
    const table = [
      ['short', 'password_too_short'],
      ['x'.repeat(257), 'password_too_long'],
      ['Password1234', 'password_too_common'],
      [PASSWORD, 'changed'],
    ] as const
    for (const [password, code] of table) {
      assert.equal(codeOf(await office.setPassword({ token, password })), code)
    }
  })

  test('an address is used once in a caller, whatever its case, and freely in another', async (db) => {
    const office = await openOffice(db)
    const other = await openOffice(db)
    const ada = await office.employ({ email: 'ada@example.com' })
    const taken = await invitePerson(office.service, asOperator, { ...ada, email: 'ADA@Example.com' })
    assert.equal(codeOf(taken), 'email_taken')
    const there = await other.employ({ email: 'ada@example.com' })
    assert.notEqual(there.personId, ada.personId)
  })

  test('a disabled person comes back by an invitation, with another role and no password', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email: 'ada@example.com' })
    const disabled = await disablePerson(office.service, asOperator, ada)
    assert.deepEqual(disabled, { outcome: 'changed', person: { ...ada, status: 'DISABLED' } })
    assert.equal(codeOf(await disablePerson(office.service, asOperator, ada)), 'changed')
    assert.equal(codeOf(await issueResetLink(office.service, asOperator, ada)), 'person_not_active')
    assert.equal(
      codeOf(await changePersonRole(office.service, asOperator, { ...ada, role: 'VIEWER' })),
      'person_not_active',
    )
    const back = await office.invite({ email: 'Ada@example.com', role: 'VIEWER', modes: ['test'] })
    assert.deepEqual(back.person, {
      ...ada,
      ...{ email: 'Ada@example.com', role: 'VIEWER', modes: ['test'], status: 'INVITED' },
      hadModes: ['test', 'live'],
    })
    assert.equal((await findPerson(db, ada))?.passwordHash, null)
    assert.equal(codeOf(await office.setPassword({ token: back.token, password: PASSWORD })), 'changed')
    await office.enter('ada@example.com')
  })

  test('a link of a disabled person opens nothing', async (db) => {
    const office = await openOffice(db)
    const invited = await office.invite({ email: 'ada@example.com' })
    await disablePerson(office.service, asOperator, invited.person)
    const asked = { token: invited.token, password: PASSWORD }
    assert.equal(codeOf(await office.setPassword(asked)), 'link_not_valid')

    const chidi = await office.employ({ email: 'chidi@example.com' })
    const reset = await issueResetLink(office.service, asOperator, chidi)
    assert(reset.outcome === 'linked')
    await disablePerson(office.service, asOperator, chidi)
    const again = { token: reset.link.token, password: PASSWORD }
    assert.equal(codeOf(await office.setPassword(again)), 'link_not_valid')
  })

  test('nobody changes their own role, and an administrator remains', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email: 'ada@example.com', role: 'ADMINISTRATOR' })
    const change = async (by: Person, terms: Pick<Person, 'personId' | 'role'>) =>
      codeOf(await changePersonRole(office.service, as(by), { ...ada, ...terms }))
    const disable = async (by: Person, { personId }: Person) =>
      codeOf(await disablePerson(office.service, as(by), { callerId: office.callerId, personId }))

    assert.equal(await change(ada, { personId: ada.personId, role: 'SUPERVISOR' }), 'own_role')
    assert.equal(await disable(ada, ada), 'last_administrator')
    const asked = { ...ada, role: 'CLERK' } as const
    assert.equal(codeOf(await changePersonRole(office.service, asOperator, asked)), 'last_administrator')
    const bola = await office.invite({ email: 'bola@example.com', role: 'ADMINISTRATOR' })
    assert.equal(await disable(ada, ada), 'last_administrator', 'who has not accepted yet does not count')
    await office.setPassword({ token: bola.token, password: PASSWORD })
    assert.equal(await disable(bola.person, ada), 'changed')
    assert.equal(await disable(bola.person, bola.person), 'last_administrator')
  })

  test('two administrators who disable each other at the same time do not both succeed', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email: 'ada@example.com', role: 'ADMINISTRATOR' })
    const bola = await office.employ({ email: 'bola@example.com', role: 'ADMINISTRATOR' })
    const results = await Promise.all([
      disablePerson(office.service, as(ada), bola),
      disablePerson(office.service, as(bola), ada),
    ])
    assert.deepEqual(results.map(codeOf).sort(), ['changed', 'last_administrator'])
  })

  test('people of another caller are not found', async (db) => {
    const office = await openOffice(db)
    const other = await openOffice(db)
    const ada = await office.employ({ email: 'ada@example.com' })
    const foreign = { ...ada, callerId: other.callerId }
    assert.equal(codeOf(await disablePerson(other.service, asOperator, foreign)), 'person_not_found')
    assert.equal(codeOf(await issueResetLink(other.service, asOperator, foreign)), 'person_not_found')
    assert.equal(codeOf(await changePersonRole(other.service, asOperator, foreign)), 'person_not_found')
    assert.deepEqual((await listPeople(db, other.callerId, { limit: 10, before: null })).items, [])
  })

  test('each change is one line of the audit log, with names and addresses among the old and new values only', async (db) => {
    const office = await openOffice(db)
    const boss = await office.employ({ email: 'boss@example.com', name: 'Bola Boss', role: 'ADMINISTRATOR' })
    const ada = await office.employ({ email: 'ada@example.com' })
    await changePersonRole(office.service, as(boss), { ...ada, role: 'SUPERVISOR' })
    await changePersonRole(office.service, as(boss), { ...ada, role: 'SUPERVISOR' })
    const reset = await issueResetLink(office.service, as(boss), ada)
    assert(reset.outcome === 'linked')
    await office.setPassword({ token: reset.link.token, password: 'another harbour' })
    const secret = await office.enter('ada@example.com', { password: 'another harbour' })
    const changing = { secret, password: 'another harbour', newPassword: PASSWORD }
    assert.equal(codeOf(await office.changePassword(changing)), 'signed_in')
    await disablePerson(office.service, as(boss), ada)

    const lines = (await auditOf(office, 'live')).filter(({ subjectId }) => subjectId === ada.personId)
    assert.deepEqual(
      lines.map(({ action }) => action),
      [
        'person.invited',
        'person.activated',
        'person.role_changed',
        'person.reset',
        'person.password_reset',
        'person.signed_in',
        'person.password_changed',
        'person.disabled',
      ],
    )
    const shown = { name: 'Ada Obi', email: 'ada@example.com', modes: ['test', 'live'] }
    const [, , roleChanged, , , , passwordChanged] = lines
    assert.deepEqual(JSON.parse(roleChanged!.changes!), {
      before: { ...shown, role: 'CLERK', status: 'ACTIVE' },
      after: { ...shown, role: 'SUPERVISOR', status: 'ACTIVE' },
    })
    assert.equal(passwordChanged!.changes, null)
    assert.deepEqual(JSON.parse(roleChanged!.data), {
      person_id: ada.personId,
      role: 'SUPERVISOR',
      modes: ['test', 'live'],
      status: 'ACTIVE',
    })
    for (const { data } of lines) assert.doesNotMatch(data, /Ada|example/)
    const shape = ({ action, data, changes }: (typeof lines)[number]) => [action, data, changes]
    const inTest = (await auditOf(office, 'test')).filter(({ subjectId }) => subjectId === ada.personId)
    assert.deepEqual(inTest.map(shape), lines.map(shape), 'in the audit log of each book')
    const announced = await db.query<{ type: string }>(
      `select distinct type from events where announced order by type`,
    )
    assert.deepEqual(
      announced.map(({ type }) => type),
      ['person.disabled', 'person.invited', 'person.reset', 'person.role_changed'],
      'subscribers hear of acts, not of what people do themselves',
    )
  })

  test('what is done to people of the test book alone is in its own audit log', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email: 'ada@example.com', modes: ['test'] })
    assert.equal((await auditOf(office, 'test')).length, 2)
    assert.equal((await auditOf(office, 'live')).length, 0)
    await changePersonRole(office.service, asOperator, { ...ada, modes: ['live'] })
    await changePersonRole(office.service, asOperator, { ...ada, role: 'VIEWER', modes: ['live'] })
    for (const [mode, earlier] of [
      ['test', 2],
      ['live', 0],
    ] as const) {
      const lines = await auditOf(office, mode)
      assert.deepEqual(
        lines.slice(earlier).map(({ action }) => action),
        ['person.role_changed', 'person.role_changed'],
        'also where the person worked before',
      )
    }
  })

  test('a line in a test book has the time of its clock, the link that of the world', async (db) => {
    const office = await openOffice(db)
    await db.query(`update books set clock_offset_ms = 86400000 where mode = 'test'`)
    await office.employ({ email: 'ada@example.com' })
    const [inTest, inLive] = [await auditOf(office, 'test'), await auditOf(office, 'live')]
    assert.equal(inLive[0]!.at.getTime(), office.clock.now.getTime())
    assert.equal(inTest[0]!.at.getTime(), office.clock.now.getTime() + 86_400_000)
  })

  test('the database holds no token, no secret of a session and no password', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email: 'ada@example.com' })
    const secret = await office.enter('ada@example.com')
    const reset = await issueResetLink(office.service, asOperator, ada)
    assert(reset.outcome === 'linked')
    for (const table of ['people', 'person_sessions', 'events', 'idempotency_keys']) {
      const rows = JSON.stringify(await db.query(`select * from ${table}`), (_, value) =>
        typeof value === 'bigint' ? String(value) : value,
      )
      for (const hidden of [secret, reset.link.token, PASSWORD]) assert(!rows.includes(hidden), table)
    }
  })

  test('a change whose response to COMMIT was lost is made once and reported', async (db) => {
    const office = await openOffice(db)
    const losing = createService({
      db: losingFirstCommit(db),
      clock: office.service.clock,
      limits: { workers: 1, batchMax: 1, queueMax: 1 },
    })
    const { callerId } = office
    const terms = { name: 'Ada Obi', email: 'ada@example.com', role: 'CLERK', modes: ['test'] } as const
    const invited = await invitePerson(losing, asOperator, { callerId, ...terms })
    assert(invited.outcome === 'linked')
    const set = await office.setPassword({ token: invited.link.token, password: PASSWORD })
    assert.equal(codeOf(set), 'changed')
    const lines = await auditOf(office, 'test')
    assert.deepEqual(
      lines.map(({ action }) => action),
      ['person.invited', 'person.activated'],
    )
  })

  test('the database refuses people that cannot be', async (db) => {
    const office = await openOffice(db)
    await office.employ({ email: 'ada@example.com' })
    const refused = [
      `update people set role = 'OWNER'`,
      `update people set modes = '{}'`,
      `update people set modes = '{test,other}'`,
      `update people set status = 'GONE'`,
      `update people set password_hash = null`,
      `update people set status = 'DISABLED'`,
      `update people set link_hash = 'x'`,
      `update people set link_hash = 'x', link_purpose = 'INVITE', link_expires_at = created_at`,
      `insert into person_sessions select caller_id, person_id, 'ses', 'x', null, null, created_at,
         created_at - interval '1 second', created_at from people`,
    ]
    for (const statement of refused) {
      await assert.rejects(
        db.query(statement),
        (error) => error instanceof DatabaseError && error.sqlState === '23514',
        statement,
      )
    }
  })
})

function codeOf(result: { outcome: string; code?: string }): string {
  return result.outcome === 'refused' ? result.code! : result.outcome
}

function as({ personId, name, modes }: Person): Asker {
  return { actor: { kind: 'PERSON', id: personId, name }, requestId: null, modes }
}

/** The oldest line first. */
async function auditOf({ db, callerId }: Office, mode: 'test' | 'live') {
  const book = await findBook(db, { callerId, mode })
  return (await listChanges(db, book!.bookId, {}, { limit: 100, before: null })).items.reverse()
}

/** Commits the first transaction, and says that it is not known. */
function losingFirstCommit(db: Database): Database {
  let lost = false
  return {
    ...db,
    async transaction(work) {
      const result = await db.transaction(work)
      if (lost) return result
      lost = true
      throw new DatabaseError('The connection was lost.', { sqlState: null, outcomeUnknown: true })
    },
  }
}
