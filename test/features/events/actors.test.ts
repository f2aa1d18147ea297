/** The actor of a change is shown wherever the change is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, OPERATOR } from '../../../src/domain/actor.ts'
import { DatabaseError } from '../../../src/engine/database/database.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { createCustomer } from '../../../src/features/customers/changes.ts'
import { actorOf as eventActorOf } from '../../../src/features/events/store.ts'
import { invitePerson } from '../../../src/features/people/changes.ts'
import { type Ask, actorOf, describeService, openDeposit } from '../../support/service.ts'

const profile = {
  firstName: 'Ada',
  lastName: 'Obi',
  email: 'ada@example.com',
  phoneNumber: '+234 801 234 5678',
  address: '12 Marina Road, Lagos',
}

describeService('actors', (running) => {
  test('keys, people, the operator and jobs are named in events and in the audit log', async () => {
    const { ask, askWith, service, callerId, clock, db } = running()
    const book = (await findBook(db, { callerId, mode: 'test' }))!
    const origin = { book, requestId: null, idempotency: null }
    const asOperator = { actor: OPERATOR, requestId: null }
    const terms = { callerId, name: 'Bola Ade', email: 'bola@example.com', role: 'CLERK' } as const
    const invited = await invitePerson(service, asOperator, { ...terms, modes: ['test'] })
    assert(invited.outcome === 'linked')
    const { personId, name } = invited.person
    const nameless = askWith((await ask('POST', '/v2/api-keys', { scopes: ['*'] })).json.data.key)

    const subjectOf = async (asking: Ask) =>
      (await asking('POST', '/v2/customer', wireProfile)).json.data.customer_id
    const submit = async (actor: Actor) => {
      const created = await createCustomer(service, { ...origin, actor }, profile)
      assert(created.outcome === 'done')
      return created.value.customerId
    }
    const { depositId } = await openDeposit(ask, { amount: 1_000, tenor: 1 })
    clock.now = new Date('2026-07-02T10:00:00.000Z')
    await service.maturity.settleAll()

    const table = [
      [await subjectOf(ask), await actorOf(ask)],
      [await subjectOf(nameless), { ...(await actorOf(nameless)), name: null }],
      [
        await submit({ kind: 'PERSON', id: personId, name }),
        { kind: 'PERSON', id: personId, name: 'Bola Ade' },
      ],
      [await submit(OPERATOR), { kind: 'OPERATOR', id: 'operator', name: null }],
      [depositId, { kind: 'JOB', id: 'maturity', name: null }],
    ] as const
    const events = (await ask('GET', '/v2/events')).json.data
    for (const [subject, actor] of table) {
      const [line] = (await ask('GET', `/v2/audit-log?subject_id=${subject}`)).json.data
      assert.deepEqual(line.actor, actor)
      assert.equal(line.api_key_id, actor.kind === 'KEY' ? actor.id : null)
      const event = events.find((one: { id: string }) => one.id === line.event_id)
      assert.deepEqual(event.actor, actor)
    }

    await db.query(`update people set name = 'Bola Eze' where person_id = $1`, [personId])
    const [line] = (await ask('GET', `/v2/audit-log?subject_id=${table[2][0]}`)).json.data
    assert.equal(line.actor.name, 'Bola Eze', 'a name is the present one')
  })

  test('the database takes one actor for a change, or a key', async () => {
    const { db } = running()
    const refused = [
      `update events set actor_kind = 'JOB'`,
      `update events set actor_id = 'maturity'`,
      `update events set actor_kind = 'OWNER', actor_id = 'x', api_key_id = null`,
      `update events set actor_kind = 'JOB', actor_id = 'maturity', api_key_id = 'key'`,
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

test('changes from before actors were recorded get their actor from their keys and types', () => {
  const nobody = { api_key_id: null, actor_kind: null, actor_id: null, actor_name: null }
  const job = (id: string) => ({ kind: 'JOB', id, name: null })
  assert.deepEqual(eventActorOf({ ...nobody, type: 'fixed_deposit.matured' }), job('maturity'))
  assert.deepEqual(eventActorOf({ ...nobody, type: 'fixed_deposit.rolled_over' }), job('maturity'))
  assert.deepEqual(eventActorOf({ ...nobody, type: 'webhook_endpoint.disabled' }), job('webhooks'))
  assert.deepEqual(eventActorOf({ ...nobody, type: 'api_key.created' }), OPERATOR)
  const keyed = { ...nobody, api_key_id: 'key_1', type: 'fixed_deposit.matured' }
  assert.deepEqual(eventActorOf(keyed), { kind: 'KEY', id: 'key_1', name: null })
})

const wireProfile = {
  first_name: profile.firstName,
  last_name: profile.lastName,
  email: profile.email,
  phone_number: profile.phoneNumber,
  address: profile.address,
}
