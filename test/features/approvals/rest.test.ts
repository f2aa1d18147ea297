/** Who rests decides nothing, whatever the session said when the request came in: the decision reads it again. */
import assert from 'node:assert/strict'
import { OPERATOR } from '../../../src/domain/actor.ts'
import { MODES } from '../../../src/domain/book.ts'
import { findApproval } from '../../../src/features/approval-requests/store.ts'
import { approve, reject } from '../../../src/features/approvals/changes.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { changePersonRole, confirmPerson, invitePerson } from '../../../src/features/people/changes.ts'
import { setPasswordByLink } from '../../../src/features/sessions/changes.ts'
import { forEachEngine } from '../../support/engines.ts'
import { openDeposit, startService } from '../../support/service.ts'

const FULL = { liquidation_type: 'FULL' }

forEachEngine(({ test }) => {
  test('an act on a person holds for a decision that is already on its way', async (db) => {
    const { service, callerId, clock, askWith, liveKey, close } = await startService(db)
    const live = askWith(liveKey)
    const employ = async (role: 'ADMINISTRATOR' | 'CLERK') => {
      const terms = {
        callerId,
        name: 'Ada',
        email: `${role}${Math.random()}@example.com`,
        role,
        modes: MODES,
      }
      const invited = await invitePerson(service, { actor: OPERATOR, requestId: null }, terms)
      assert.equal(invited.outcome, 'linked')
      await setPasswordByLink(service, { token: invited.link.token, passwordHash: 'a hash' })
      return { kind: 'PERSON', id: invited.person.personId, name: null } as const
    }
    const [first, second, decider] = [
      await employ('ADMINISTRATOR'),
      await employ('ADMINISTRATOR'),
      await employ('CLERK'),
    ]
    const { depositId } = await openDeposit(live, { amount: 1_000 })
    const asked = { operation: 'liquidateFixedDeposit', target_id: depositId, body: FULL }
    const { approval_id: approvalId } = (await live('POST', '/v2/approvals', asked)).json.data
    const book = (await findBook(db, { callerId, mode: 'live' }))!
    const kept = (await findApproval(db, book.bookId, approvalId))!
    const origin = { book, actor: decider, requestId: null, idempotency: null }
    const vote = () => approve(service, origin, { kept, value: FULL, expectedNet: null })

    const key = { callerId, personId: decider.id }
    const made = { ...key, role: 'SUPERVISOR', modes: MODES } as const
    const acted = await changePersonRole(service, { actor: first, requestId: null, modes: MODES }, made)
    assert.equal(acted.outcome, 'changed')
    const shown = new Date(clock.now.getTime() + 24 * 3_600_000)
    const refusal = {
      outcome: 'refused',
      code: 'decider_too_new',
      details: { decides_from: shown.toISOString() },
    }
    assert.deepEqual(await vote(), refusal)
    assert.deepEqual(await reject(service, origin, { approvalId, reason: 'No' }), refusal)
    const by = { actor: second, requestId: null, modes: MODES }
    assert.equal((await confirmPerson(service, by, { ...key, shown })).outcome, 'changed')
    assert.equal((await vote()).outcome, 'done')
    await close()
  })
})
