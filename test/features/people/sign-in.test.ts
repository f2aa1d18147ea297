/** How people come in, stay in and are put out. */
import assert from 'node:assert/strict'
import { test as plainTest } from 'node:test'
import { createService } from '../../../src/cli/compose.ts'
import { endDevice, findDevices, listDevices } from '../../../src/features/devices/store.ts'
import { changePersonRole, disablePerson, issueResetLink } from '../../../src/features/people/changes.ts'
import { createPasswords } from '../../../src/features/people/passwords.ts'
import { findPeopleByEmail } from '../../../src/features/people/store.ts'
import { startSession } from '../../../src/features/sessions/changes.ts'
import { endSession, listOpenSessions } from '../../../src/features/sessions/store.ts'
import { createSignIn, networkOf, wideNetworkOf } from '../../../src/features/sign-in/sign-in.ts'
import { createRateLimiter } from '../../../src/http/rate-limit.ts'
import { forEachEngine } from '../../support/engines.ts'
import { forgetDates } from '../../support/service.ts'
import { asOperator, browser, type Office, openOffice, PASSWORD } from './office.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const email = 'ada@example.com'

forEachEngine(({ test }) => {
  test('a person who signs in has a name, scopes and books, like a key', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email, role: 'CLERK' })
    const secret = await office.enter('ADA@example.com')
    assert.match(secret, /^[\w-]{43}$/)
    const identity = await office.findSession(secret)
    assert.deepEqual(identity?.actor, { kind: 'PERSON', id: ada.personId, name: 'Ada Obi' })
    assert(identity.scopes.includes('fixed_deposits:liquidate') && !identity.scopes.includes('rules:write'))
    assert.deepEqual(
      identity.books.map(({ mode, callerId, currency }) => [mode, callerId, currency]),
      [
        ['test', office.callerId, 'NGN'],
        ['live', office.callerId, 'NGN'],
      ],
    )
    assert.deepEqual(identity.person, { ...ada, lastSeenAt: office.clock.now })
    assert.deepEqual(identity.session, {
      callerId: office.callerId,
      personId: ada.personId,
      sessionId: identity.session.sessionId,
      address: '192.0.2.1',
      userAgent: 'Test',
      startedAt: office.clock.now,
      method: 'PASSWORD',
      providerSession: null,
      signedInAt: office.clock.now,
      lastSeenAt: office.clock.now,
    })
    for (const unknown of ['', 'x', secret.slice(1), identity.session.sessionId]) {
      assert.equal(await office.findSession(unknown), undefined)
    }
  })

  test('a person of the test book alone has no other', async (db) => {
    const office = await openOffice(db)
    await office.employ({ email, modes: ['test'] })
    const identity = await office.findSession(await office.enter(email))
    assert.deepEqual(
      identity?.books.map(({ mode }) => mode),
      ['test'],
    )
  })

  test('a wrong password, an unknown address, an invited and a disabled person get one answer', async (db) => {
    const office = await openOffice(db)
    await office.employ({ email })
    await office.invite({ email: 'invited@example.com' })
    await disablePerson(office.service, asOperator, await office.employ({ email: 'disabled@example.com' }))
    const table = [
      [email, 'another harbour'],
      [email, ''],
      ['unknown@example.com', PASSWORD],
      ['', PASSWORD],
      ['invited@example.com', PASSWORD],
      ['disabled@example.com', PASSWORD],
    ] as const
    for (const [given, password] of table) {
      assert.deepEqual(await office.signIn({ email: given, password, browser }), {
        outcome: 'refused',
        code: 'sign_in_refused',
        details: {},
      })
    }
  })

  test('each sign-in has a new secret, also where the browser brings one along', async (db) => {
    const office = await openOffice(db)
    await office.employ({ email })
    const first = await office.enter(email)
    const device = await office.settleIn(email)
    const second = await office.enter(email, { browser: { ...browser, devices: [device] } })
    const planted = 'x'.repeat(43)
    const third = await office.enter(email, { browser: { ...browser, devices: [planted] } })
    assert.equal(new Set([first, second, third, planted, device]).size, 5)
    assert.equal(await office.isIn(planted), false)
    assert.equal(await office.isIn(first), true)
  })

  test('a session ends after 15 minutes without use', async (db) => {
    const office = await openOffice(db)
    await office.employ({ email })
    const [used, idle] = [await office.enter(email), await office.enter(email)]
    pass(office, 15 * MINUTE_MS - 1)
    assert.equal(await office.isIn(used), true)
    pass(office, 1)
    assert.equal(await office.isIn(idle), false)
    pass(office, 15 * MINUTE_MS - 2)
    assert.equal(await office.isIn(used), true)
    pass(office, 15 * MINUTE_MS)
    assert.equal(await office.isIn(used), false)
  })

  test('a session ends after 10 hours, however much it is used, and whether or not the password is given again', async (db) => {
    const office = await openOffice(db)
    await office.employ({ email })
    let secret = await office.enter(email)
    for (let minutes = 0; minutes < 590; minutes += 10) {
      pass(office, 10 * MINUTE_MS)
      assert.equal(await office.isIn(secret), true)
    }
    const confirmed = await office.confirmPassword({ secret, password: PASSWORD })
    assert(confirmed.outcome === 'signed_in')
    secret = confirmed.secret
    pass(office, 10 * MINUTE_MS - 1)
    assert.equal(await office.isIn(secret), true)
    pass(office, 1)
    assert.equal(await office.isIn(secret), false)
    assert.equal(codeOf(await office.confirmPassword({ secret, password: PASSWORD })), 'session_ended')
  })

  test('every session ends when the person is disabled, gets another role or resets the password', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email })
    // Another instance: nothing is cached, so it notices immediately.
    const elsewhere = createSignIn({
      engine: office.service,
      take: createRateLimiter(),
      limits: { triesPerAddressPerMinute: 0 },
    })
    const bystander = await office.employ({ email: 'bystander@example.com' })
    const undisturbed = await office.enter(bystander.email)
    const endings: [string, () => Promise<unknown>][] = [
      ['role', () => changePersonRole(office.service, asOperator, { ...ada, role: 'VIEWER' })],
      [
        'modes',
        () => changePersonRole(office.service, asOperator, { ...ada, role: 'VIEWER', modes: ['test'] }),
      ],
      [
        'reset',
        async () => {
          const reset = await issueResetLink(office.service, asOperator, ada)
          assert(reset.outcome === 'linked')
          await office.setPassword({ token: reset.link.token, password: PASSWORD })
        },
      ],
      ['disabled', () => disablePerson(office.service, asOperator, ada)],
    ]
    for (const [what, end] of endings) {
      const secrets = [await office.enter(email), await office.enter(email)]
      for (const secret of secrets) assert.equal(await office.isIn(secret), true)
      await end()
      for (const secret of secrets) {
        assert.equal(await office.isIn(secret), false, what)
        assert.equal(await elsewhere.findSession(secret), undefined, what)
      }
    }
    assert.equal(await office.isIn(undisturbed), true)
  })

  test('a link that was only issued ends no session, and the old password works until it is used', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email })
    const secret = await office.enter(email)
    const reset = await issueResetLink(office.service, asOperator, ada)
    assert(reset.outcome === 'linked')
    assert.equal(await office.isIn(secret), true)
    await office.enter(email)
    await office.setPassword({ token: reset.link.token, password: 'another harbour' })
    assert.equal(codeOf(await office.signIn({ email, password: PASSWORD, browser })), 'sign_in_refused')
    await office.enter(email, { password: 'another harbour' })
  })

  test('a person who is disabled, or whose password changes, during the check cannot sign in', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email })
    const [checked] = await findPeopleByEmail(db, { email, callerId: null })
    const start = async () =>
      codeOf(await startSession(office.service, checked!, { ...browser, device: null }))
    assert.equal(await start(), 'signed_in')
    const secret = await office.enter(email)
    await office.changePassword({ secret, password: PASSWORD, newPassword: 'another harbour' })
    assert.equal(await start(), 'sign_in_refused')
    await disablePerson(office.service, asOperator, ada)
    assert.equal(await start(), 'sign_in_refused')
    assert.deepEqual(await listOpenSessions(db, ada, office.clock.now), [])
  })

  test('sessions are listed, and each can be ended by itself', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email })
    const stranger = await office.employ({ email: 'stranger@example.com' })
    const first = await office.enter(email)
    pass(office, MINUTE_MS)
    const second = await office.enter(email)
    const third = await office.enter(email)
    const list = () => listOpenSessions(db, ada, office.clock.now)
    const sessionOf = async (secret: string) => (await office.findSession(secret))!.session
    const { sessionId } = await sessionOf(first)
    assert.equal((await list()).length, 3)
    const oldest = (await list()).at(-1)!
    assert.equal(oldest.sessionId, sessionId)
    assert.equal(await endSession(db, { ...oldest, personId: stranger.personId }, office.clock.now), false)
    assert.equal(await endSession(db, oldest, office.clock.now), true)
    assert.equal(await endSession(db, oldest, office.clock.now), false)
    await office.signOut(second)
    await office.signOut(second)
    await office.signOut('unknown')
    assert.deepEqual([await office.isIn(first), await office.isIn(second)], [false, false])
    assert.deepEqual(await list(), [await sessionOf(third)])
    pass(office, 15 * MINUTE_MS)
    assert.deepEqual(await list(), [], 'nor is one that idled')
  })

  test('the password given again makes the sign-in recent, under a new secret', async (db) => {
    const office = await openOffice(db)
    await office.employ({ email })
    const secret = await office.enter(email)
    pass(office, 14 * MINUTE_MS)
    assert.equal(codeOf(await office.confirmPassword({ secret, password: 'wrong' })), 'sign_in_refused')
    assert.equal(
      (await office.findSession(secret))?.session.signedInAt.toISOString(),
      '2026-07-01T10:00:00.000Z',
    )
    const confirmed = await office.confirmPassword({ secret, password: PASSWORD })
    assert(confirmed.outcome === 'signed_in')
    assert.equal(await office.isIn(secret), false)
    const renewed = await office.findSession(confirmed.secret)
    assert.deepEqual(
      [renewed?.session.startedAt.toISOString(), renewed?.session.signedInAt.toISOString()],
      ['2026-07-01T10:00:00.000Z', '2026-07-01T10:14:00.000Z'],
    )
  })

  test('a changed password ends the other sessions and continues under a new secret', async (db) => {
    const office = await openOffice(db)
    await office.employ({ email })
    const [own, other] = [await office.enter(email), await office.enter(email)]
    const change = (asked: { password?: string; newPassword: string }) =>
      office.changePassword({ secret: own, password: PASSWORD, ...asked })
    const newPassword = 'another harbour'
    assert.equal(codeOf(await change({ password: 'wrong', newPassword })), 'sign_in_refused')
    assert.equal(codeOf(await change({ newPassword: 'short' })), 'password_too_short')
    assert.equal(codeOf(await change({ newPassword: 'qwertyuiop123' })), 'password_too_common')
    assert.deepEqual([await office.isIn(own), await office.isIn(other)], [true, true])
    const changed = await change({ newPassword })
    assert(changed.outcome === 'signed_in')
    assert.deepEqual(
      [await office.isIn(own), await office.isIn(other), await office.isIn(changed.secret)],
      [false, false, true],
    )
    assert.equal(codeOf(await office.signIn({ email, password: PASSWORD, browser })), 'sign_in_refused')
    await office.enter(email, { password: newPassword })
  })

  test('a stranger who tries passwords does not lock out a browser in which the person signed in', async (db) => {
    const office = await openOffice(db)
    await office.employ({ email })
    const device = await office.settleIn(email)
    const someone = await office.employ({ email: 'someone@example.com' })
    const foreign = await office.settleIn(someone.email)
    assert.equal(await exhaust(office, { email }), 5, 'of one network')
    const attempt = (devices: string[]) => attemptFrom(office, '192.0.2.77', { devices })
    assert.equal(await attempt([]), 'too_many_sign_ins')
    assert.equal(await attempt(['x'.repeat(43)]), 'too_many_sign_ins')
    assert.equal(await attempt([foreign]), 'too_many_sign_ins')
    assert.equal(await attempt([device]), 'signed_in')
    assert.equal(await attempt([foreign, device]), 'signed_in')
    pass(office, 6 * MINUTE_MS - 1)
    assert.equal(await attempt([]), 'too_many_sign_ins')
    pass(office, 1)
    assert.equal(await attempt([]), 'signed_in', 'no lock outlasts the trying')
  })

  test('one network alone never exhausts the tries of a person, many networks wait longer and longer', async (db) => {
    const office = await openOffice(db)
    await office.employ({ email })
    for (let minute = 0; minute < 120; minute += 1) {
      await attemptFrom(office, '198.51.100.9', { password: 'wrong' })
      pass(office, MINUTE_MS)
    }
    assert.equal(await attemptFrom(office, '203.0.113.5', {}), 'signed_in')
    for (let network = 0; network < 20; network += 1) {
      const address = `10.0.${network}.1`
      assert.equal(await attemptFrom(office, address, { password: 'wrong' }), 'sign_in_refused', address)
    }
    const waits: string[] = []
    for (let network = 20; network < 24; network += 1) {
      const asked = { email, password: 'wrong', browser: { ...browser, address: `10.0.${network}.1` } }
      const refused = await office.signIn(asked)
      assert(refused.outcome === 'refused')
      const seconds = Number(refused.details.retry_after_seconds)
      waits.push(`${refused.code} ${seconds}`)
      pass(office, seconds * 1000)
      assert.equal(await attemptFrom(office, `10.0.${network}.1`, { password: 'wrong' }), 'sign_in_refused')
    }
    assert.deepEqual(
      waits,
      [2, 4, 8, 16].map((seconds) => `too_many_sign_ins ${seconds}`),
    )
  })

  test('instances count together, also at the same moment', async (db) => {
    const office = await openOffice(db)
    await office.employ({ email })
    const elsewhere = createSignIn({
      engine: createService({
        db,
        clock: office.service.clock,
        limits: { workers: 2, batchMax: 8, queueMax: 100 },
      }),
      take: createRateLimiter(),
      limits: { triesPerAddressPerMinute: 0 },
      passwords: createPasswords({ memoryKib: 8, passes: 1 }),
    })
    const wrong = { email, password: 'wrong', browser }
    const tries = Array.from({ length: 12 }, (_, index) =>
      (index % 2 === 0 ? office : elsewhere).signIn(wrong),
    )
    const codes = (await Promise.all(tries)).map(codeOf)
    assert.equal(codes.filter((code) => code === 'sign_in_refused').length, 5)
    assert.equal(codes.filter((code) => code === 'too_many_sign_ins').length, 7)
    const right = { email, password: PASSWORD, browser }
    for (const { signIn } of [office, elsewhere])
      assert.equal(codeOf(await signIn(right)), 'too_many_sign_ins')
  })

  test('an unknown address is limited like a known one', async (db) => {
    const office = await openOffice(db)
    await office.employ({ email })
    assert.equal(await exhaust(office, { email: 'nobody@example.com' }), await exhaust(office, { email }))
  })

  test('right passwords do not use up tries', async (db) => {
    const office = await openOffice(db)
    await office.employ({ email })
    for (let times = 0; times < 30; times += 1) await office.enter(email)
    assert.equal(await exhaust(office, { email }), 5)
  })

  test('tries are limited in a known browser and in a session too', async (db) => {
    const office = await openOffice(db)
    await office.employ({ email })
    const device = await office.settleIn(email)
    const secret = await office.enter(email, { browser: { ...browser, devices: [device] } })
    assert.equal(await exhaust(office, { email, devices: [device] }), 10)
    assert.equal(await attemptFrom(office, '192.0.2.1', {}), 'signed_in', 'nor does it count for others')
    const wrong = { secret, password: 'wrong' }
    for (let tries = 0; tries < 10; tries += 1) {
      assert.equal(codeOf(await office.confirmPassword(wrong)), 'sign_in_refused')
    }
    assert.deepEqual(await office.confirmPassword({ secret, password: PASSWORD }), {
      outcome: 'refused',
      code: 'too_many_sign_ins',
      details: { retry_after_seconds: '120' },
    })
  })

  test('being invited by another bank gives no tries here', async (db) => {
    const [here, there] = [await openOffice(db), await openOffice(db)]
    await here.employ({ email })
    const invited = await there.invite({ email })
    await there.setPassword({ token: invited.token, password: 'the own password' })
    const own = await there.signIn({ email, password: 'the own password', browser })
    assert(own.outcome === 'signed_in')
    const devices = [own.device!]
    let wrong = 0
    for (let tries = 0; tries < 15; tries += 1) {
      const asked = { email, password: `guess ${tries}`, browser: { ...browser, devices } }
      if (codeOf(await here.signIn(asked)) === 'sign_in_refused') wrong += 1
    }
    assert.equal(wrong, 5 + 5, 'five for both, and the rest of ten for the own bank alone')
    const callerId = here.callerId
    const asked = { email, password: PASSWORD, browser: { ...browser, devices } }
    assert.equal(codeOf(await here.signIn({ ...asked, callerId })), 'too_many_sign_ins')
    pass(here, 20 * MINUTE_MS)
    pass(there, 20 * MINUTE_MS)
    const again = await here.signIn({ ...asked, password: 'the own password' })
    assert(again.outcome === 'signed_in')
    assert.equal(again.person.callerId, there.callerId)
  })

  test('a bank that invites an address does not learn the password of another by changing its own', async (db) => {
    const [here, there] = [await openOffice(db), await openOffice(db)]
    await here.employ({ email })
    const person = await there.employ({ email })
    const answers: string[] = []
    // Each guess is made the right password there: once it is right here too, the answer names both banks.
    for (let tries = 0; tries < 6; tries += 1) {
      const reset = await issueResetLink(there.service, asOperator, person)
      assert(reset.outcome === 'linked')
      const password = `the guess of number ${tries}`
      await there.setPassword({ token: reset.link.token, password })
      answers.push(codeOf(await there.signIn({ email, password, browser })))
    }
    assert.deepEqual(answers, [...Array(5).fill('signed_in'), 'too_many_sign_ins'])
  })

  test('an invitation of another bank that nobody has accepted uses up no tries', async (db) => {
    const [here, there] = [await openOffice(db), await openOffice(db)]
    await here.employ({ email })
    await there.invite({ email })
    for (let tries = 0; tries < 8; tries += 1) {
      assert.equal((await here.signIn({ email, password: PASSWORD, browser })).outcome, 'signed_in')
    }
    const devices = [await here.settleIn(email)]
    for (let tries = 0; tries < 8; tries += 1) {
      const known = { ...browser, devices }
      assert.equal((await here.signIn({ email, password: PASSWORD, browser: known })).outcome, 'signed_in')
    }
    assert.equal(await exhaust(here, { email }), 5)
  })

  test('banks that invite an address do not keep the person of another bank out', async (db) => {
    const here = await openOffice(db)
    await here.employ({ email })
    const device = await here.settleIn(email)
    for (let bank = 0; bank < 5; bank += 1) await (await openOffice(db)).employ({ email })
    const later = `update people set last_seen_at = '2027-01-01' where caller_id <> $1`
    await db.query(later, [here.callerId])
    const devices = [device]
    const several = await here.signIn({ email, password: PASSWORD, browser: { ...browser, devices } })
    assert(several.outcome === 'several_callers')
    assert(several.callers.some(({ callerId }) => callerId === here.callerId))
  })

  test('a browser is known for 180 days after the last sign-in, until it is forgotten, disabled or reset', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email })
    const isKnown = async (device: string) => (await findDevices(db, [device], office.clock.now)).length === 1
    const device = await office.settleIn(email)
    const again = await office.signIn({
      email,
      password: PASSWORD,
      browser: { ...browser, devices: [device] },
    })
    assert.equal(again.outcome === 'signed_in' && again.device, undefined, 'it stays the same')
    pass(office, 180 * DAY_MS - 1)
    assert.equal(await isKnown(device), true)
    pass(office, 1)
    assert.equal(await isKnown(device), false)
    await forgetDates(db)
    const [one, other] = [await office.settleIn(email), await office.settleIn(email)]
    const listed = await listDevices(db, ada, office.clock.now)
    assert.equal(listed.length, 2)
    const [found] = await findDevices(db, [one], office.clock.now)
    const stranger = await office.employ({ email: 'stranger@example.com' })
    await endDevice(db, { ...found!, personId: stranger.personId }, office.clock.now)
    assert.equal(await isKnown(one), true)
    await endDevice(db, found!, office.clock.now)
    assert.deepEqual([await isKnown(one), await isKnown(other)], [false, true])
    const reset = await issueResetLink(office.service, asOperator, ada)
    assert(reset.outcome === 'linked')
    await office.setPassword({ token: reset.link.token, password: PASSWORD })
    assert.equal(await isKnown(other), false)
    const last = await office.settleIn(email)
    await disablePerson(office.service, asOperator, ada)
    assert.equal(await isKnown(last), false)
  })

  test('tries are limited by address, for whatever people', async (db) => {
    const office = await openOffice(db, { triesPerAddressPerMinute: 3 })
    await office.employ({ email })
    const attempt = async (address: string | null, given: string) =>
      codeOf(await office.signIn({ email: given, password: PASSWORD, browser: { ...browser, address } }))
    for (const given of ['a@example.com', 'b@example.com', 'c@example.com']) {
      assert.equal(await attempt('2001:db8::1', given), 'sign_in_refused')
    }
    assert.equal(await attempt('2001:db8::2', email), 'too_many_sign_ins')
    assert.equal(await attempt('2001:db8:0:1::2', email), 'signed_in')
    assert.equal(await attempt(null, email), 'signed_in')
    pass(office, MINUTE_MS / 3)
    assert.equal(await attempt('2001:db8::2', email), 'signed_in')
  })

  test('where several callers have an address, the password decides, and then the person', async (db) => {
    const [here, there, elsewhere] = [await openOffice(db), await openOffice(db), await openOffice(db)]
    await here.employ({ email })
    await there.employ({ email: 'ADA@example.com' })
    const invited = await elsewhere.invite({ email })
    await elsewhere.setPassword({ token: invited.token, password: 'a third harbour' })
    const alone = await here.findSession(await here.enter(email, { password: 'a third harbour' }))
    assert.equal(alone?.person.callerId, elsewhere.callerId)
    const several = await here.signIn({ email, password: PASSWORD, browser })
    assert(several.outcome === 'several_callers')
    assert.deepEqual(
      several.callers.map(({ callerId, name }) => `${callerId} ${name}`).sort(),
      [`${here.callerId} Test Bank`, `${there.callerId} Test Bank`].sort(),
    )
    for (const { callerId } of several.callers) {
      const chosen = await here.signIn({ email, password: PASSWORD, browser, callerId })
      assert(chosen.outcome === 'signed_in')
      assert.equal(chosen.person.callerId, callerId)
    }
    const { callerId } = elsewhere
    assert.equal(
      codeOf(await here.signIn({ email, password: PASSWORD, browser, callerId })),
      'sign_in_refused',
    )
  })

  test('while the date is in doubt people come in and are put out, but nobody gets new access', async (db) => {
    const office = await openOffice(db)
    const ada = await office.employ({ email })
    const { token } = await office.invite({ email: 'invited@example.com' })
    const key = { callerId: office.callerId, personId: ada.personId }
    const start = office.clock.now
    for (const days of [2, 900, -2]) {
      office.clock.now = new Date(start.getTime() + days * DAY_MS)
      const secret = await office.enter(email)
      const renewed = await office.confirmPassword({ secret, password: PASSWORD })
      assert(renewed.outcome === 'signed_in', JSON.stringify(renewed))
      const changes = [
        () => office.setPassword({ token, password: PASSWORD }),
        () => office.invite({ email: 'another@example.com' }),
        () => issueResetLink(office.service, asOperator, key),
        () => changePersonRole(office.service, asOperator, { ...key, role: 'VIEWER', modes: ['live'] }),
      ]
      // The link has expired two days and more later, which shows first.
      for (const change of days > 0 ? changes.slice(1) : changes) {
        await assert.rejects(change, { message: 'The business date would jump.' }, `${days} days: ${change}`)
      }
    }
    const secret = await office.enter(email)
    assert.equal((await disablePerson(office.service, asOperator, key)).outcome, 'changed')
    assert.equal(await office.isIn(secret), false)
    office.clock.now = start
    const set = await office.setPassword({ token, password: PASSWORD })
    assert.equal(set.outcome, 'changed', 'the date of the book is what it was')
  })

  test('sessions that ended a month ago are deleted', async (db) => {
    const office = await openOffice(db)
    await office.employ({ email })
    await office.enter(email)
    pass(office, 31 * 24 * 60 * MINUTE_MS)
    await office.enter(email)
    assert.equal((await db.query('select 1 from person_sessions')).length, 1)
  })
})

plainTest('addresses of one network are one address', () => {
  const table = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2'],
    ['2001:db8::5', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['1::2:3:4:5:6:7', '1:0:2:3'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['not an address', 'not an address'],
  ] as const
  for (const [address, network] of table) assert.equal(networkOf(address), network)
  const wide = [
    ['192.0.2.1', '192.0.2'],
    ['::ffff:192.0.2.9', '192.0.2'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    [null, ''],
  ] as const
  for (const [address, network] of wide) assert.equal(wideNetworkOf(address), network)
})

function pass({ clock }: Office, ms: number): void {
  clock.now = new Date(clock.now.getTime() + ms)
}

/** How many wrong passwords are looked at. */
async function exhaust(
  office: Office,
  { email: given, devices = [] }: { email: string; devices?: string[] },
): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const asked = { email: given, password: 'wrong', browser: { ...browser, devices } }
    if (codeOf(await office.signIn(asked)) === 'too_many_sign_ins') return tries
  }
}

async function attemptFrom(
  office: Office,
  address: string,
  { password = PASSWORD, devices = [] }: { password?: string; devices?: string[] },
): Promise<string> {
  return codeOf(await office.signIn({ email, password, browser: { ...browser, address, devices } }))
}

function codeOf(result: { outcome: string; code?: string }): string {
  return result.outcome === 'refused' ? result.code! : result.outcome
}
