/** Two people for one payment, on each engine: who may decide, once, and with today's figures. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { OPERATOR } from '../../src/domain/actor.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { findBook } from '../../src/features/callers/store.ts'
import { clearApprovalPolicy } from '../../src/features/policies/changes.ts'
import { verify } from '../../src/features/verification/verify.ts'
import { audit } from '../support/auditor.ts'
import { browserAbsence, openBrowser } from '../support/browser.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { setPolicy } from '../support/policy.ts'
import { openDeposit, replaceRules } from '../support/service.ts'
import { askForEach } from './every-request.ts'
import { lend, type Office, openConsole, PASSWORD, type Visitor } from './office.ts'

const DAY_MS = 24 * 60 * 60_000

for (const engine of engines) {
  describe(`${engine.name}: approvals in the console`, { skip: engine.skip }, () => {
    let db: TestDatabase
    let office: Office
    let clerk: Visitor
    let supervisor: Visitor
    let emailOfClerk: string
    let emailOfSupervisor: string
    before(async () => {
      db = await engine.open()
      office = await openConsole(db)
      await replaceRules(office.ask, {
        penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 50 }] }],
      })
      emailOfClerk = await office.employ('CLERK')
      emailOfSupervisor = await office.employ('SUPERVISOR')
      await putPolicy(1)
      await signIn()
    })
    after(async () => {
      await office?.close()
      await db?.close()
    })

    const signIn = async () => {
      clerk = await office.visit(emailOfClerk)
      supervisor = await office.visit(emailOfSupervisor)
    }
    const putPolicy = async (approvals: number, deciders = 'PERSON') => {
      const rule = {
        operation: 'liquidateFixedDeposit',
        when: { amount: { gte: 1_000_000 } },
        approvals,
      }
      await setPolicy(office, { expires_after_hours: 72, deciders, rules: [rule] })
    }
    const askFor = async (who: Visitor) => {
      const { depositId } = await openDeposit(office.ask, {
        amount: '2000000.00',
        interest_rate: 12,
        start_date: '2026-03-23',
      })
      const page = await who.get(`/deposits/${depositId}`)
      const key = /name="key" value="([^"]+)"/.exec(page.text)![1]!
      const sent = await who.post(`/deposits/${depositId}/ask`, { key, type: 'FULL', reason: 'COURT_ORDER' })
      assert.equal(sent.status, 303, sent.text)
      const waiting = await office.ask('GET', `/v2/approvals?target_id=${depositId}`)
      return { depositId, approvalId: waiting.json.data[0].approval_id as string }
    }
    const stateOf = async (approvalId: string) =>
      (await office.ask('GET', `/v2/approvals/${approvalId}`)).json.data.status
    const decide = (who: Visitor, approvalId: string, form: Record<string, string>) =>
      who.post(`/approvals/${approvalId}/decide`, form)
    const expectedOf = async (approvalId: string, who = supervisor) =>
      /name="expected" value="(\d+)"/.exec((await who.get(`/approvals/${approvalId}`)).text)?.[1] ?? ''

    test('only a word decides, and only about the figure that was shown', async () => {
      const { approvalId } = await askFor(clerk)
      const expected = await expectedOf(approvalId)
      const forms: Record<string, string>[] = [
        {},
        { expected },
        { decision: '', expected },
        { decision: 'REFUSE', expected, note: 'No mandate' },
        { decision: 'Approve', expected },
        { decision: 'yes', expected },
        { decision: 'approve' },
        { decision: 'approve', expected: '' },
        { decision: 'approve', expected: '-1' },
        { decision: 'approve', expected: `${expected}.00` },
      ]
      for (const form of forms) {
        const answer = await decide(supervisor, approvalId, form)
        assert.equal(answer.status, 400, JSON.stringify(form))
        assert.match(answer.text, /Nothing was decided/)
        const { status, votes } = (await office.ask('GET', `/v2/approvals/${approvalId}`)).json.data
        assert.deepEqual([status, votes], ['PENDING', []])
      }
      await decide(supervisor, approvalId, { decision: 'refuse', note: 'No mandate' })
      assert.equal(await stateOf(approvalId), 'REJECTED')
      const { text } = await supervisor.get(`/approvals/${approvalId}`)
      assert.match(text, /Refused by<\/dt><dd>[^<]+, 1 Jul 2026/)
      assert.match(text, /href="\/console\/requests\?whose=all"/)
    })

    test('a request of another person shows its figures when requested and today, and approving pays once', async () => {
      const { depositId, approvalId } = await askFor(clerk)
      office.clock.now = new Date(office.clock.now.getTime() + DAY_MS)
      await signIn()
      const page = await supervisor.get('/approvals')
      assert.match(page.text, /1 waits for you/)
      assert.match(page.text, /If approved today/)
      assert.match(page.text, /A day passed since it was asked/)
      assert.match(page.text, /Amount ₦1,000,000.00 or more/)
      const expected = await expectedOf(approvalId)
      const stale = await decide(supervisor, approvalId, { decision: 'approve', expected: '1' })
      assert.equal(stale.status, 409)
      const two = await Promise.all([
        decide(supervisor, approvalId, { decision: 'approve', expected }),
        decide(await office.visit(await office.employ('SUPERVISOR')), approvalId, {
          decision: 'approve',
          expected,
        }),
      ])
      assert.deepEqual(two.map(({ status }) => status).sort(), [303, 409])
      assert.equal(await stateOf(approvalId), 'APPROVED')
      const paid = (await office.ask('GET', `/v2/fixed-deposits/${depositId}/liquidations`)).json.data
      assert.equal(paid.length, 1)
      assert.equal(Math.round(paid[0].net_credited * 100), Number(expected))
      const done = await supervisor.get(`/approvals/${approvalId}?done=yes`)
      assert.match(done.text, /Approved, and paid ₦/)
      assert.match(done.text, new RegExp(`href="/console/liquidations/${paid[0].liquidation_id}"`))
      assert.match(done.text, /1 of 1 approvals <small>[^<]+, 2 Jul 2026/)
    })

    test('nobody can approve their own request, by its page, its URL or another session', async () => {
      const { approvalId } = await askFor(supervisor)
      const page = await supervisor.get(`/approvals/${approvalId}`)
      assert.match(page.text, /You asked: somebody else decides/)
      assert.doesNotMatch(page.text, /value="approve"/)
      const again = await office.visit(emailOfSupervisor)
      for (const session of [supervisor, again]) {
        for (const decision of ['approve', 'refuse']) {
          const answer = await decide(session, approvalId, { decision, note: 'mine' })
          assert.equal(answer.status, 403)
          assert.match(answer.text, /somebody else has to decide/)
        }
      }
      assert.equal(await stateOf(approvalId), 'PENDING')
      const back = await supervisor.post(`/approvals/${approvalId}/cancel`, {})
      assert.match(back.location, /done=taken-back/)
      assert.equal(await stateOf(approvalId), 'CANCELLED')
    })

    test('refusing needs a note, and a clerk takes back only their own request', async () => {
      const { depositId, approvalId } = await askFor(clerk)
      const bare = await decide(supervisor, approvalId, { decision: 'refuse', note: '  ' })
      assert.equal(bare.status, 422)
      assert.match(bare.text, /Say in the note why/)
      const other = await office.visit(await office.employ('CLERK'))
      assert.equal((await other.post(`/approvals/${approvalId}/cancel`, {})).status, 404)
      assert.equal(await stateOf(approvalId), 'PENDING')
      assert.equal(
        (await decide(supervisor, approvalId, { decision: 'refuse', note: 'No mandate' })).status,
        303,
      )
      const after = await supervisor.get(`/approvals/${approvalId}`)
      assert.match(after.text, /No mandate/)
      assert.doesNotMatch((await clerk.get(`/deposits/${depositId}`)).text, /waits for approval/)
      const second = await askFor(clerk)
      const back = await clerk.post(`/approvals/${second.approvalId}/cancel`, {})
      assert.equal(back.location, `/console/deposits/${second.depositId}?done=taken-back`)
    })

    test('where the policy needs two, the first approval only counts', async () => {
      await office.employ('SUPERVISOR')
      await putPolicy(2)
      const { depositId, approvalId } = await askFor(clerk)
      const first = await decide(supervisor, approvalId, {
        decision: 'approve',
        expected: await expectedOf(approvalId),
      })
      assert.equal(first.status, 303)
      assert.match((await supervisor.get(first.location)).text, /nothing was done yet/)
      assert.equal(await stateOf(approvalId), 'PENDING')
      assert.equal((await decide(supervisor, approvalId, { decision: 'approve' })).status, 409)
      const second = await office.visit(await office.employ('SUPERVISOR'))
      const expected = await expectedOf(approvalId, second)
      assert.equal((await decide(second, approvalId, { decision: 'approve', expected })).status, 303)
      const { data } = (await office.ask('GET', `/v2/fixed-deposits/${depositId}`)).json
      assert.equal(data.status, 'LIQUIDATED')
      await putPolicy(1)
    })

    test('votes of keys do not count once only people decide, and are not shown as if they did', async () => {
      await putPolicy(2, 'ANY')
      const { depositId, approvalId } = await askFor(clerk)
      const { key } = (await office.ask('POST', '/v2/api-keys', { scopes: ['approvals:decide'] })).json.data
      const byKey = () => office.askWith(key)('POST', `/v2/approvals/${approvalId}/approve`, {})
      const shownNow = async () => {
        const one = (await office.ask('GET', `/v2/approvals/${approvalId}`)).json.data
        const [listed] = (await office.ask('GET', `/v2/approvals?target_id=${depositId}`)).json.data
        assert.deepEqual([listed.votes, listed.approvals_needed], [one.votes, one.approvals_needed])
        const page = (await supervisor.get(`/approvals/${approvalId}`)).text
        const kinds = one.votes.map(({ actor }: { actor: { kind: string } }) => actor.kind)
        return [one.status, one.approvals_needed, kinds, /\d of \d approvals/.exec(page)?.[0]]
      }
      assert.equal((await byKey()).json.data.status, 'PENDING')
      assert.deepEqual(await shownNow(), ['PENDING', 2, ['KEY'], '1 of 2 approvals'])
      await putPolicy(2)
      assert.deepEqual(await shownNow(), ['PENDING', 2, [], '0 of 2 approvals'])
      assert.equal((await byKey()).json.error.code, 'person_required')
      const voteOf = async (who: Visitor) =>
        decide(who, approvalId, { decision: 'approve', expected: await expectedOf(approvalId, who) })
      assert.equal((await voteOf(supervisor)).status, 303)
      assert.deepEqual(await shownNow(), ['PENDING', 2, ['PERSON'], '1 of 2 approvals'])
      const told = (await office.ask('GET', '/v2/events?type=approval.voted')).json.data[0].data
      assert.deepEqual([told.approvals_needed, told.votes], [2, 1])
      const book = (await findBook(db, { callerId: office.callerId, mode: 'test' }))!
      const differenceNow = async () => (await verify([book], office.service)).difference
      assert.equal(await differenceNow(), null)
      // Without a policy only people decide, as with this one.
      const operator = { book, actor: OPERATOR, requestId: null, idempotency: null }
      await clearApprovalPolicy(office.service, operator)
      assert.deepEqual(await shownNow(), ['PENDING', 2, ['PERSON'], '1 of 2 approvals'])
      assert.equal((await voteOf(await office.visit(await office.employ('SUPERVISOR')))).status, 303)
      const { status, votes } = (await office.ask('GET', `/v2/approvals/${approvalId}`)).json.data
      assert.deepEqual([status, votes.length], ['APPROVED', 3])
      assert.equal(await differenceNow(), null)
      await putPolicy(1)
    })

    test('fifteen minutes after the sign-in the password is needed to decide', async () => {
      const { approvalId } = await askFor(clerk)
      for (let minutes = 0; minutes < 16; minutes += 8) {
        office.clock.now = new Date(office.clock.now.getTime() + 8 * 60_000)
        await supervisor.get('/approvals')
        await clerk.get('/')
      }
      assert.match((await supervisor.get(`/approvals/${approvalId}`)).text, /Your password/)
      const form = { decision: 'refuse', note: 'Late' }
      assert.equal((await decide(supervisor, approvalId, form)).status, 422)
      assert.equal(
        (await decide(supervisor, approvalId, { ...form, password: 'not the password' })).status,
        422,
      )
      assert.equal(await stateOf(approvalId), 'PENDING')
      const before = supervisor.cookie
      assert.equal((await decide(supervisor, approvalId, { ...form, password: PASSWORD })).status, 303)
      assert.notEqual(supervisor.cookie, before)
      assert.equal(await stateOf(approvalId), 'REJECTED')

      for (const path of ['/', '/requests']) {
        const { text } = await clerk.get(path)
        assert.match(text, /<td data-name="Asked">1 Jul 2026[^<]*<\/td>/, 'one knows who one is')
        assert.match(text, /<td data-name="Decided by">[^<]+<small>1 Jul 2026/)
      }
      const { approvalId: open } = await askFor(clerk)
      const waiting = await clerk.get('/requests?status=PENDING')
      assert.match(waiting.text, /<td data-name="Decided by"><\/td>/, 'a phone hides a cell that is empty')
      await office.ask('POST', `/v2/approvals/${open}/cancel`)
      const all = await supervisor.get('/requests?whose=all')
      assert.match(all.text, /<td data-name="Asked">[A-Z][^<]+<small>1 Jul 2026/)
    })

    test('every other request says in words what it is about, and is approved by its amount', async () => {
      for (const [operation, expected] of await askForEach(office)) {
        const list = await office.ask('GET', `/v2/approvals?operation=${operation}&status=PENDING`)
        const { approval_id } = list.json.data[0]
        const page = await supervisor.get(`/approvals/${approval_id}`)
        assert.equal(page.status, 200, page.text)
        const said = page.text.replaceAll(/<details[^>]*>.*?<\/details>/gs, '')
        for (const text of expected) assert(said.includes(text), `${operation}: ${text}\n${said}`)
        assert.doesNotMatch(said, /<pre>/)
        const shown = await expectedOf(approval_id)
        const form = { decision: 'approve', ...(shown !== '' && { expected: shown }) }
        if (shown !== '') {
          assert.equal((await decide(supervisor, approval_id, { decision: 'approve' })).status, 400)
          const other = { ...form, expected: `1${shown}` }
          assert.equal((await decide(supervisor, approval_id, other)).status, 409)
        }
        const decided = await decide(supervisor, approval_id, form)
        assert.equal(decided.status, 303, decided.text)
      }
      await putPolicy(1)
    })

    test('a request whose figures are no longer kept is shown without them', async () => {
      await db.query(`update approvals set preview = '{}' where status <> 'PENDING'`)
      const all = (await office.ask('GET', '/v2/approvals?limit=100')).json.data
      const decided = all.filter(({ status }: { status: string }) => status !== 'PENDING')
      const operations = decided.map(({ operation }: { operation: string }) => operation)
      assert(new Set(operations).size > 8, operations.join())
      assert(operations.includes('liquidateFixedDeposit'))
      for (const { approval_id, operation } of decided) {
        const page = await supervisor.get(`/approvals/${approval_id}`)
        assert.equal(page.status, 200, `${operation}: ${page.text}`)
      }
      const list = await supervisor.get('/requests')
      assert.equal(list.status, 200, list.text)
    })

    test('requests of another bank are not found', async () => {
      const { approvalId } = await askFor(clerk)
      const { caller } = await createCaller(db, {
        name: 'Other',
        timeZone: 'UTC',
        currency: 'USD',
        at: office.clock.now,
      })
      const stranger = await office.visit(await office.employ('SUPERVISOR', ['test'], caller.callerId))
      assert.equal((await stranger.get(`/approvals/${approvalId}`)).status, 404)
      assert.equal((await decide(stranger, approvalId, { decision: 'approve' })).status, 404)
      assert.equal((await stranger.post(`/approvals/${approvalId}/cancel`, {})).status, 404)
      assert.doesNotMatch((await stranger.get('/approvals')).text, new RegExp(approvalId))
      assert.equal(await stateOf(approvalId), 'PENDING')
    })

    test('in a browser: ask as a clerk, approve as a supervisor', { skip: browserAbsence }, async () => {
      const { depositId } = await openDeposit(office.ask, {
        amount: '3000000.00',
        interest_rate: 12,
        start_date: '2026-03-23',
      })
      const origin = await office.listen()
      const browser = await openBrowser()
      try {
        const open = async (who: Visitor) => {
          const context = await browser.newContext({ reducedMotion: 'reduce' })
          await lend(context, origin, who)
          return context.newPage()
        }
        const desk = await open(clerk)
        await desk.goto(`${origin}/console/deposits/${depositId}`)
        await desk.getByLabel('Reason').selectOption('CUSTOMER_IN_WRITING')
        await desk.getByRole('button', { name: /^Ask for approval of ₦/ }).click()
        await desk.getByText('waits for approval').waitFor()
        const back = await open(supervisor)
        await back.goto(`${origin}/console/approvals`)
        await back.getByRole('link', { name: /₦3,/ }).click()
        await back.getByRole('button', { name: /^Approve and pay ₦/ }).click()
        assert.equal(await back.locator('dialog[open] :focus').textContent(), 'Back')
        await back.locator('dialog[open] .primary').click()
        await back.getByText('Approved, and paid').waitFor()
        const { data } = (await office.ask('GET', `/v2/fixed-deposits/${depositId}`)).json
        assert.equal(data.status, 'LIQUIDATED')
      } finally {
        await browser.close()
      }
    })

    test('the books are in order afterwards', () => audit(db))
  })
}
