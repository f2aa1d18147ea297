/** One administrator alone moves no money: each way that was tried ends in a refusal, and the audit log of each book shows it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Mode } from '../../src/domain/book.ts'
import type { Role } from '../../src/domain/people.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { type Ask, openDeposit } from '../support/service.ts'
import { type Answer, type Office, openConsole, PASSWORD, type Visitor } from './office.ts'

const DAY_MS = 24 * 60 * 60_000
const MINUTE_MS = 60_000
const BOTH: Mode[] = ['test', 'live']

for (const engine of engines) {
  describe(`${engine.name}: one administrator alone`, { skip: engine.skip }, () => {
    let db: TestDatabase
    let office: Office
    let live: Ask
    let first: Visitor
    let second: Visitor
    before(async () => {
      db = await engine.open()
      office = await openConsole(db)
      live = office.askWith(office.liveKey)
      first = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      second = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      await office.employ('SUPERVISOR', BOTH)
      const rule = { operation: 'liquidateFixedDeposit', when: { amount: { gte: 1_000_000 } }, approvals: 1 }
      const policy = { expires_after_hours: 720, deciders: 'PERSON', rules: [rule] }
      const put = await live('PUT', '/v2/approval-policy', policy)
      assert.equal(put.status, 200, put.text)
    })
    after(async () => {
      await office?.close()
      await db?.close()
    })

    let invited = 0
    const idOf = async (email: string) => {
      const [row] = await db.query<{ person_id: string }>('select person_id from people where email = $1', [
        email,
      ])
      return row!.person_id
    }
    const tokenIn = (answer: Answer) => /welcome#([\w-]+)/.exec(answer.text)![1]!
    const setPassword = async (token: string) =>
      assert.equal((await (await office.visit()).post('/welcome', { token, password: PASSWORD })).status, 200)
    /** Invited by an administrator who opens the link too. */
    const takeIn = async (by: Visitor, role: Role) => {
      invited += 1
      const email = `invited-${invited}@example.com`
      const terms = { name: `Invited ${invited}`, email, role, 'mode test': 'yes', 'mode live': 'yes' }
      await setPassword(tokenIn(await by.post('/access/people', terms)))
      return email
    }
    const askAs = async (who: Visitor, ask = live) => {
      const { depositId } = await openDeposit(ask, {
        amount: '2000000.00',
        interest_rate: 12,
        start_date: '2026-03-23',
      })
      const page = await who.get(`/deposits/${depositId}`)
      const key = /name="key" value="([^"]+)"/.exec(page.text)![1]!
      const sent = await who.post(`/deposits/${depositId}/ask`, { key, type: 'FULL', reason: 'COURT_ORDER' })
      assert.equal(sent.status, 303, sent.text)
      const waiting = await ask('GET', `/v2/approvals?target_id=${depositId}`)
      return waiting.json.data[0].approval_id as string
    }
    const decide = async (who: Visitor, approvalId: string, decision: 'approve' | 'refuse') => {
      const page = await who.get(`/approvals/${approvalId}`)
      const expected = /name="expected" value="(\d+)"/.exec(page.text)?.[1] ?? ''
      return who.post(`/approvals/${approvalId}/decide`, { decision, expected, note: 'Not now.' })
    }
    const statusOf = async (approvalId: string) =>
      (await live('GET', `/v2/approvals/${approvalId}`)).json.data.status
    /** The last actions on a person, newest first, in the audit log of each book. */
    const auditOf = async (subject: string) => {
      const read = async (ask: Ask) => {
        const { data } = (await ask('GET', `/v2/audit-log?subject_id=${subject}`)).json
        return data.map((line: { action: string }) => line.action)
      }
      return { test: await read(office.ask), live: await read(live) }
    }
    const pass = (ms: number) => {
      office.clock.now = new Date(office.clock.now.getTime() + ms)
    }

    test('who invites two people and decides as one what the other asked for is refused for a day', async () => {
      const clerk = await takeIn(first, 'CLERK')
      const supervisor = await takeIn(first, 'SUPERVISOR')
      const approvalId = await askAs(await office.visit(clerk))
      const from = office.clock.now.getTime() + DAY_MS
      for (const decision of ['approve', 'refuse'] as const) {
        const refused = await decide(await office.visit(supervisor), approvalId, decision)
        assert.equal(refused.status, 403)
        assert.match(refused.text, /Your access was set by somebody else/)
      }
      assert.equal(await statusOf(approvalId), 'PENDING')
      office.clock.now = new Date(from - 1)
      assert.equal((await decide(await office.visit(supervisor), approvalId, 'approve')).status, 403)
      office.clock.now = new Date(from)
      assert.equal((await decide(await office.visit(supervisor), approvalId, 'approve')).status, 303)
      assert.equal(await statusOf(approvalId), 'APPROVED')
      const lines = ['person.signed_in', 'person.signed_in', 'person.signed_in', 'person.signed_in']
      const expected = [...lines, 'person.activated', 'person.invited']
      assert.deepEqual(await auditOf(await idOf(supervisor)), { test: expected, live: expected })
    })

    test('the test book knows no rest', async () => {
      first = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      const supervisor = await takeIn(first, 'SUPERVISOR')
      const clerk = await office.visit(await office.employ('CLERK', ['test']))
      const rule = { operation: 'liquidateFixedDeposit', when: { amount: { gte: 1_000_000 } }, approvals: 1 }
      const policy = { expires_after_hours: 72, deciders: 'PERSON', rules: [rule] }
      assert.equal((await office.ask('PUT', '/v2/approval-policy', policy)).status, 200)
      const approvalId = await askAs(clerk, office.ask)
      const visitor = await office.visit(supervisor)
      await visitor.post('/book', { mode: 'test' })
      assert.equal((await decide(visitor, approvalId, 'approve')).status, 303)
    })

    test('who takes a supervisor over by a link for a new password is refused for a day', async () => {
      first = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      const email = await office.employ('SUPERVISOR', BOTH)
      const supervisor = await office.visit(email)
      const approvalId = await askAs(await office.visit(await office.employ('CLERK', BOTH)))
      const personId = await idOf(email)
      const reset = await first.post(`/access/people/${personId}/link`, {})
      const notified = await supervisor.get('/me')
      assert.match(notified.text, /Your password was reset by Amina Yusuf\./)
      assert.equal(
        (await decide(supervisor, approvalId, 'refuse')).status,
        303,
        'the link alone changes nothing',
      )
      const again = await askAs(await office.visit(await office.employ('CLERK', BOTH)))
      await setPassword(tokenIn(reset))
      const refused = await decide(await office.visit(email), again, 'approve')
      assert.equal(refused.status, 403)
      assert.equal(await statusOf(again), 'PENDING')
      for (const lines of Object.values(await auditOf(personId))) {
        assert.deepEqual(lines.slice(0, 3), ['person.signed_in', 'person.password_reset', 'person.reset'])
      }
    })

    test('another role, or another book, rests too', async () => {
      first = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      const email = await office.employ('CLERK', BOTH)
      const personId = await idOf(email)
      const role = { role: 'SUPERVISOR', 'mode test': 'yes', 'mode live': 'yes' }
      assert.equal((await first.post(`/access/people/${personId}/role`, role)).status, 303)
      const approvalId = await askAs(await office.visit(await office.employ('CLERK', BOTH)))
      assert.equal((await decide(await office.visit(email), approvalId, 'approve')).status, 403)
      const inTest = await office.employ('SUPERVISOR', ['test'])
      assert.equal((await first.post(`/access/people/${await idOf(inTest)}/role`, role)).status, 303)
      assert.equal((await decide(await office.visit(inTest), approvalId, 'approve')).status, 403)
    })

    test('who acted on somebody of the test book does not confirm their way into the live book', async () => {
      first = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      second = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      const third = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      const email = 'accomplice@example.com'
      const terms = { name: 'Accomplice', email, role: 'SUPERVISOR', 'mode test': 'yes' }
      await setPassword(tokenIn(await first.post('/access/people', terms)))
      const personId = await idOf(email)
      const restOf = async () => {
        const [row] = await db.query<{ rests_until: Date }>(
          'select rests_until from people where person_id = $1',
          [personId],
        )
        return { rests: String(row!.rests_until.getTime()) }
      }
      const confirmAs = async (who: Visitor) =>
        (await who.post(`/access/people/${personId}/confirm`, await restOf())).status
      // In the test book nothing rests, and nothing is offered for confirmation.
      assert(!(await third.get('/access')).text.includes(`/people/${personId}/confirm`))
      assert.equal(await confirmAs(third), 422)
      const both = { role: 'SUPERVISOR', 'mode test': 'yes', 'mode live': 'yes' }
      assert.equal((await second.post(`/access/people/${personId}/role`, both)).status, 303)
      assert(!(await first.get('/access')).text.includes(`/people/${personId}/confirm`))
      assert.deepEqual([await confirmAs(first), await confirmAs(second)], [422, 422])
      const approvalId = await askAs(await office.visit(await office.employ('CLERK', BOTH)))
      assert.equal((await decide(await office.visit(email), approvalId, 'approve')).status, 403)
      assert((await third.get('/access')).text.includes(`/people/${personId}/confirm`))
      assert.equal(await confirmAs(third), 303)
      assert.equal((await decide(await office.visit(email), approvalId, 'approve')).status, 303)
    })

    test('an administrator of the test book cannot invite again, reset or change who is or was in the live book', async () => {
      const email = await office.employ('SUPERVISOR', ['live'])
      const personId = await idOf(email)
      const tester = await office.visit(await office.employ('ADMINISTRATOR', ['test']))
      const refused = async (path: string, form: Record<string, string>) => {
        const answer = await tester.post(path, form)
        assert.equal(answer.status, 422, answer.text)
        assert.match(answer.text, /works, or worked, in a book that you do not work in/)
      }
      const terms = { name: 'Mallory', email, role: 'SUPERVISOR', 'mode test': 'yes', sure: 'yes' }
      for (const act of ['link', 'role', 'disable', 'confirm']) {
        await refused(`/access/people/${personId}/${act}`, terms)
      }
      first = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      await first.post(`/access/people/${personId}/role`, { role: 'SUPERVISOR', 'mode test': 'yes' })
      await refused(`/access/people/${personId}/link`, {})
      await first.post(`/access/people/${personId}/disable`, { sure: 'yes' })
      await refused('/access/people', terms)
      await refused(`/access/people/${personId}/link`, {})
      const enabled = await first.post(`/access/people/${personId}/link`, {})
      assert.match(enabled.text, /welcome#/)
      const { test: inTest, live: inLive } = await auditOf(personId)
      assert.deepEqual(inTest, ['person.enabled', 'person.disabled', 'person.role_changed'])
      assert.deepEqual(inLive, [...inTest, 'person.activated', 'person.invited'])
    })

    test('a second administrator ends the rest at once, but neither the actor nor one who rests', async () => {
      first = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      const accomplice = await office.visit(await takeIn(first, 'ADMINISTRATOR'))
      const email = await takeIn(first, 'SUPERVISOR')
      const personId = await idOf(email)
      const approvalId = await askAs(await office.visit(await office.employ('CLERK', BOTH)))
      assert.doesNotMatch((await first.get('/access')).text, new RegExp(`${personId}/confirm`))
      const rests = async () => {
        const [row] = await db.query<{ rests_until: Date }>(
          'select rests_until from people where person_id = $1',
          [personId],
        )
        return String(row!.rests_until.getTime())
      }
      const shown = await rests()
      const confirm = (by: Visitor) => by.post(`/access/people/${personId}/confirm`, { rests: shown })
      const own = await confirm(first)
      assert.deepEqual([own.status, /You cannot confirm what you did yourself/.test(own.text)], [422, true])
      const resting = await confirm(accomplice)
      assert.deepEqual([resting.status, /Your own access was changed/.test(resting.text)], [422, true])
      second = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      const home = await second.get('/')
      assert.match(home.text, /To be confirmed/)
      assert(home.text.includes(`action="/console/access/people/${personId}/confirm"`))
      assert(home.text.includes(`name="rests" value="${shown}"`))
      for (const other of ['', 'x', String(Number(shown) - 1)]) {
        const unseen = await second.post(`/access/people/${personId}/confirm`, { rests: other })
        assert.deepEqual([unseen.status, /changed meanwhile/.test(unseen.text)], [422, true])
      }
      const two = await Promise.all([confirm(second), confirm(second)])
      assert.deepEqual(two.map(({ status }) => status).sort(), [303, 422])
      assert.equal((await decide(await office.visit(email), approvalId, 'approve')).status, 303)
      for (const lines of Object.values(await auditOf(personId))) assert(lines.includes('person.confirmed'))
    })

    test('who let another administrator in confirms nothing that one does while resting', async () => {
      first = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      second = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      const accomplice = await office.visit(await takeIn(first, 'ADMINISTRATOR'))
      const deeper = await office.visit(await takeIn(accomplice, 'ADMINISTRATOR'))
      const refusesFirst = async (path: string, form: Record<string, string> = {}) => {
        assert(!(await first.get('/')).text.includes(`action="/console${path}/confirm"`), path)
        const refused = await first.post(`${path}/confirm`, form)
        assert.deepEqual(
          [refused.status, /You cannot confirm what you did yourself/.test(refused.text)],
          [422, true],
        )
        assert.equal((await second.post(`${path}/confirm`, form)).status, 303)
      }
      const refusesFirstOf = async (personId: string) => {
        const [row] = await db.query<{ rests_until: Date }>(
          'select rests_until from people where person_id = $1',
          [personId],
        )
        await refusesFirst(`/access/people/${personId}`, { rests: String(row!.rests_until.getTime()) })
      }
      // By invitation, by role, and by a key; also where the one who was let in lets another in.
      for (const by of [accomplice, deeper]) {
        await refusesFirstOf(await idOf(await takeIn(by, 'SUPERVISOR')))
        const clerk = await idOf(await office.employ('CLERK', BOTH))
        const role = { role: 'SUPERVISOR', 'mode test': 'yes', 'mode live': 'yes' }
        assert.equal((await by.post(`/access/people/${clerk}/role`, role)).status, 303)
        await refusesFirstOf(clerk)
        const made = await by.post('/access/keys', { name: 'Money', 'may accounts:write': 'yes' })
        const key = /bw_live_\w+/.exec(made.text)![0]
        const { data } = (await office.askWith(key)('GET', '/v2/api-keys/current')).json
        await refusesFirst(`/access/keys/${data.api_key_id}`)
      }
    })

    test('a key for the live book that could move money changes nothing for a day', async () => {
      first = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      const made = await first.post('/access/keys', {
        name: 'Mine',
        'may accounts:write': 'yes',
        'may accounts:read': 'yes',
      })
      const key = /bw_live_\w+/.exec(made.text)![0]
      const { accountNumber } = await openDeposit(live, { amount: '1.00' })
      const worksFrom = new Date(office.clock.now.getTime() + DAY_MS)
      const credit = () => office.askWith(key)('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 1 })
      const refused = await credit()
      assert.deepEqual([refused.status, refused.json.error.code], [403, 'key_too_new'])
      assert.deepEqual(refused.json.error.details, { works_from: worksFrom.toISOString() })
      const unknown = await office.askWith(key)('POST', '/v2/accounts/0000000000/credits', { amount: 1 })
      assert.equal(unknown.json.error.code, 'key_too_new', 'nothing shows what exists')
      assert.equal((await office.askWith(key)('GET', `/v2/accounts/${accountNumber}`)).status, 200)
      assert.match((await first.get('/access/keys')).text, /Changes nothing before/)
      office.clock.now = new Date(worksFrom.getTime() - 1)
      assert.equal((await credit()).status, 403)
      office.clock.now = worksFrom
      assert.equal((await credit()).status, 201)
    })

    test('such a key is confirmed by a second administrator, and replaced with a rest of its own', async () => {
      first = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      second = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      const { accountNumber } = await openDeposit(live, { amount: '1.00' })
      const statusWith = async (key: string) => {
        const answer = await office.askWith(key)('POST', `/v2/accounts/${accountNumber}/credits`, {
          amount: 1,
        })
        return answer.json.error?.code ?? answer.status
      }
      const keyIn = (answer: Answer) => /bw_live_\w+/.exec(answer.text)![0]
      const idOfKey = async (key: string) =>
        (await office.askWith(key)('GET', '/v2/api-keys/current')).json.data.api_key_id as string
      const key = keyIn(await first.post('/access/keys', { name: 'Desk', 'may accounts:write': 'yes' }))
      const path = `/access/keys/${await idOfKey(key)}`
      assert.equal((await first.post(`${path}/confirm`, {})).status, 422)
      assert((await second.get('/')).text.includes(`action="/console${path}/confirm"`))
      assert.equal((await second.post(`${path}/confirm`, {})).status, 303)
      pass(1000)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      assert.equal(await statusWith(key), 201)
      const successor = keyIn(await second.post(`${path}/roll`, { sure: 'yes' }))
      assert.equal(await statusWith(successor), 'key_too_new')
      assert.equal((await second.post(`/access/keys/${await idOfKey(successor)}/confirm`, {})).status, 422)
      const made = keyIn(await second.post('/access/keys', { name: 'Reader', 'may customers:read': 'yes' }))
      assert.equal((await second.post(`/access/keys/${await idOfKey(made)}/confirm`, {})).status, 422)
      const actions = (await auditOf(await idOfKey(key))).live
      assert.deepEqual(actions, ['api_key.confirmed', 'api_key.created'])
    })

    test('a scope that the policy guards is not offered, and not given', async () => {
      first = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      const page = await first.get('/access/keys')
      const offered = [...page.text.matchAll(/name="may ([^"]+)"/g)].map(([, scope]) => scope)
      for (const scope of ['fixed_deposits:liquidate', 'penal_charges:waive', 'approvals:policy', '*']) {
        assert(!offered.includes(scope), scope)
        const made = await first.post('/access/keys', { [`may ${scope}`]: 'yes' })
        assert.equal(made.status, 422, scope)
      }
      assert(offered.includes('fixed_deposits:write') && offered.includes('approvals:decide'))
    })

    test('what gives access asks for the password again after 15 minutes, and keeps the form', async () => {
      first = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      const email = 'kept-form@example.com'
      const terms = { name: 'Kept Form', email, role: 'CLERK', 'mode live': 'yes' }
      pass(15 * MINUTE_MS - 1)
      await first.get('/access')
      pass(1)
      const asked = await first.post('/access/people', terms)
      assert.equal(asked.status, 401)
      assert.match(asked.text, /name="email" value="kept-form@example.com"/)
      const wrong = await first.post('/access/people', { ...terms, own_password: 'wrong' })
      assert.equal(wrong.status, 401)
      assert.match(wrong.text, /E-mail or password is not right/)
      assert.equal((await db.query('select 1 from people where email = $1', [email])).length, 0)
      const before = first.cookie
      const done = await first.post('/access/people', { ...terms, own_password: PASSWORD })
      assert.match(done.text, /welcome#/)
      assert.notEqual(first.cookie, before)
      assert.equal(
        (await first.post('/access/people', { ...terms, email: `x${email}` })).status,
        200,
        'now it is recent',
      )
    })

    test('each act that gives access is one of these, and none that takes it away', async () => {
      first = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      const person = await idOf(await office.employ('CLERK', BOTH))
      pass(14 * MINUTE_MS)
      await first.get('/access')
      pass(MINUTE_MS)
      const table: [string, number][] = [
        ['/access/people', 401],
        [`/access/people/${person}/link`, 401],
        [`/access/people/${person}/role`, 401],
        [`/access/people/${person}/confirm`, 401],
        [`/access/people/${person}/factors`, 401],
        ['/me/factors/app', 401],
        ['/me/factors/app/confirm', 401],
        ['/me/factors/remove', 401],
        ['/me/factors/codes', 401],
        ['/access/keys', 401],
        ['/access/keys/key_x/roll', 401],
        ['/access/keys/key_x/revoke', 401],
        ['/access/keys/key_x/confirm', 401],
        ['/webhooks', 401],
        ['/webhooks/we_x/rotate', 401],
        ['/webhooks/we_x/ping', 404],
        [`/access/people/${person}/disable`, 303],
      ]
      for (const [path, status] of table)
        assert.equal((await first.post(path, { sure: 'yes' })).status, status, path)
    })

    test('the person and all administrators but the actor are notified, until they have read it', async () => {
      first = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      second = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      const email = await office.employ('CLERK', BOTH)
      const clerk = await office.visit(email)
      const role = { role: 'VIEWER', 'mode test': 'yes', 'mode live': 'yes' }
      await first.post(`/access/people/${await idOf(email)}/role`, role)
      assert.match((await clerk.get('/')).location, /^\/console\/sign-in/, 'the sessions have ended')
      const again = await office.visit(email)
      assert.match((await again.get('/')).text, /Your role or your books were changed by Amina Yusuf/)
      const seen = await second.get('/access')
      assert.match(seen.text, /Role or books of Amina Yusuf were changed by Amina Yusuf/)
      assert.doesNotMatch((await first.get('/')).text, /were changed by/)
      const read = /name="read" value="(\d+)"/.exec(seen.text)![1]!
      for (const wrong of ['x', '', '9'.repeat(19), '-1']) await second.post('/me/notices', { read: wrong })
      assert.match((await second.get('/')).text, /were changed by/)
      await second.post('/me/notices', { read })
      assert.doesNotMatch((await second.get('/')).text, /were changed by/)
    })

    test('who is let in again after having been disabled reads at the next page who did it', async () => {
      first = await office.visit(await office.employ('ADMINISTRATOR', BOTH))
      const email = await office.employ('CLERK', BOTH)
      const path = `/access/people/${await idOf(email)}`
      assert.equal((await first.post(`${path}/disable`, { sure: 'yes' })).status, 303)
      const enabled = await first.post(`${path}/link`, {})
      const role = { role: 'SUPERVISOR', 'mode test': 'yes', 'mode live': 'yes' }
      assert.equal((await first.post(`${path}/role`, role)).status, 303)
      await setPassword(tokenIn(enabled))
      const page = (await (await office.visit(email)).get('/')).text
      assert.match(page, /You were invited again by Amina Yusuf/)
      assert.match(page, /Your role or your books were changed by Amina Yusuf/)
      const invited = await office.visit(await takeIn(first, 'CLERK'))
      assert.doesNotMatch((await invited.get('/')).text, /You were invited/)
    })

    test('events of acts on people hold no name and no e-mail', async () => {
      const { data } = (await live('GET', '/v2/events?limit=100')).json
      const acts = data.filter(({ type }: { type: string }) => type.startsWith('person.'))
      assert(acts.length > 5)
      for (const { data: about } of acts) {
        assert.deepEqual(Object.keys(about), ['person_id', 'role', 'modes', 'status'])
      }
    })
  })
}
