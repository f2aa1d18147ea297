/**
 * What cannot be undone asks once more, also in a browser without script, which opens no dialog: the first button leads to
 * a page with the same words, and only that page acts. What may have to wait takes a note to those who decide.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { APPROVABLE_OPERATIONS } from '../../src/features/document-kinds/document.ts'
import { accessibilityFindings } from '../support/axe.ts'
import { create, send } from '../support/batches.ts'
import { browserAbsence, openBrowser } from '../support/browser.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { setPolicy } from '../support/policy.ts'
import { harbourFix, harbourSheet } from '../support/products.ts'
import { openDeposit, replaceRules } from '../support/service.ts'
import { type Answer, lend, type Office, openConsole, type Visitor } from './office.ts'

const FREE = { expires_after_hours: 72, deciders: 'PERSON', rules: [] }
const DAY_MS = 86_400_000

const BACK = /<(?:a|button) class="button"[^>]* autofocus>Back<\/(?:a|button)>/

/** What the page of a second look sends by its last button. */
function sentBy(text: string): Record<string, string> {
  const form = /<section class="card confirm">[\s\S]*?(<form[\s\S]*?<\/form>)/.exec(text)![1]!
  const others = form.replace(BACK, '')
  const named = [...others.matchAll(/<(?:input type="hidden"|button[^>]*?) name="([^"]+)" value="([^"]*)"/g)]
  return Object.fromEntries(named.map(([, name, value]) => [name, value]))
}

for (const engine of engines) {
  describe(`${engine.name}: a second look without script`, { skip: engine.skip }, () => {
    let db: TestDatabase
    let office: Office
    let supervisor: Visitor
    let administrator: Visitor
    before(async () => {
      db = await engine.open()
      office = await openConsole(db)
      await replaceRules(office.ask, { penal_rules: [] })
      supervisor = await office.visit(await office.employ('SUPERVISOR'))
      administrator = await office.visit(await office.employ('ADMINISTRATOR'))
    })
    after(async () => {
      await office?.close()
      await db?.close()
    })

    /** Sends what the first button sends, and then what the page that answers it does. */
    async function lookTwice(
      visitor: Visitor,
      { path, form, title }: { path: string; form: Record<string, string>; title: RegExp },
      isDone: () => Promise<boolean>,
    ): Promise<Answer> {
      const looked = await visitor.post(path, form)
      assert.equal(looked.status, 200, looked.text)
      assert.match(looked.text, title)
      assert.match(looked.text, BACK)
      assert.equal(await isDone(), false, `${path}: nothing is done yet`)
      const answer = await visitor.post(path, sentBy(looked.text))
      assert.equal(await isDone(), true, `${path}: ${answer.status}`)
      return answer
    }

    test('an approval is given by the second page alone, for the figure that it names', async () => {
      const { depositId } = await openDeposit(office.ask, { amount: '5000.00' })
      const request = { operation: 'liquidateFixedDeposit', target_id: depositId }
      const body = { liquidation_type: 'FULL' }
      const asked = await office.ask('POST', '/v2/approvals', { ...request, body })
      const path = `/approvals/${asked.json.data.approval_id}`
      const expected = /name="expected" value="(\d+)"/.exec((await supervisor.get(path)).text)![1]!
      const form = { decision: 'look', expected, note: 'Seen' }
      assert.equal((await supervisor.post(`${path}/decide`, { ...form, expected: '1' })).status, 409)
      const status = async () => (await office.ask('GET', `/v2${path}`)).json.data.status
      const title = /<h1>Approve and pay ₦5,[\d.]+\?<\/h1>[\s\S]*Ada Obi/
      await lookTwice(
        supervisor,
        { path: `${path}/decide`, form, title },
        async () => (await status()) === 'APPROVED',
      )
    })

    test('a payment is taken back by the second page alone, for the reason that was typed', async () => {
      const { depositId } = await openDeposit(office.ask, { amount: '5000.00' })
      const body = { liquidation_type: 'FULL' }
      const paid = await office.ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
      const path = `/liquidations/${paid.json.data.liquidation_id}`
      const form = { reason: 'Wrong <customer>', key: randomUUID() }
      const title = /<h1>Take back ₦5,[\d.]+\?<\/h1>[\s\S]*Wrong &#60;customer&#62;/
      await lookTwice(
        supervisor,
        { path: `${path}/reverse`, form, title },
        async () => (await office.ask('GET', `/v2${path}`)).json.data.reversed_at !== null,
      )
    })

    test('new penal rules, a key, a person, an address and a batch end or begin by the second page alone', async () => {
      const versionOf = async () => (await office.ask('GET', '/v2/liquidation-rules')).json.data.version
      const version = await versionOf()
      const tiers = { until0: '30', share0: '90', share1: '10', look: 'sure' }
      const isNext = async () => (await versionOf()) === version + 1
      await lookTwice(supervisor, { path: '/rules', form: tiers, title: /in force\?<\/h1>/ }, isNext)

      const { api_key_id } = (
        await office.ask('POST', '/v2/api-keys', { name: 'Old job', scopes: ['customers:read'] })
      ).json.data
      const keys = `/access/keys/${api_key_id}`
      const rolled = await lookTwice(
        administrator,
        { path: `${keys}/roll`, form: {}, title: /<h1>Replace Old job\?<\/h1>/ },
        async () => {
          const { data } = (await office.ask('GET', '/v2/api-keys?limit=100')).json
          return data.find((one: any) => one.api_key_id === api_key_id).revoked_at !== null
        },
      )
      assert.match(rolled.text, /This key is shown only this once/)
      const revoked = async () => (await administrator.get('/access/keys.csv?status=revoked')).text
      const revoking = { path: `${keys}/revoke`, form: {}, title: /<h1>Revoke Old job\?<\/h1>/ }
      await lookTwice(administrator, revoking, async () => (await revoked()).includes(api_key_id))
      assert.equal((await administrator.post('/access/keys/key_none/revoke', {})).status, 404)

      await office.employ('VIEWER')
      const listed = (await administrator.get('/access?role=VIEWER')).text
      const person = /people\/(per_\w+)\/disable/.exec(listed)![1]
      const disabling = {
        path: `/access/people/${person}/disable`,
        form: {},
        title: /<h1>Disable Amina Yusuf\?/,
      }
      await lookTwice(administrator, disabling, async () =>
        /Disabled/.test(
          (await administrator.get('/access?role=VIEWER&status=DISABLED')).text.split('<tbody>')[1] ?? '',
        ),
      )

      const made = await administrator.post('/webhooks', { url: 'https://example.com/second' })
      const address = `/webhooks/${/we_\w+/.exec(made.text)![0]}`
      const isOff = async () => (await administrator.get(address)).text.includes('Switch on')
      const switching = {
        path: `${address}/off`,
        form: {},
        title: /<h1>[^<]+\?<\/h1>[\s\S]*example\.com\/second/,
      }
      await lookTwice(administrator, switching, isOff)
      await administrator.post(`${address}/on`, {})
      assert.equal(await isOff(), false, 'switching on needs no second look')

      const batchId = await create(office.ask, 'creditAccount', { name: 'Tonight' })
      const cancelling = { path: `/batches/${batchId}/cancel`, form: { key: randomUUID() }, title: /Tonight/ }
      await lookTwice(
        supervisor,
        cancelling,
        async () => (await office.ask('GET', `/v2/batches/${batchId}`)).json.data.status === 'CANCELLED',
      )
    })

    test('Back leads to the form with all that was filled in, on both pages', async () => {
      /** From the page of the second look back to the form; `more` is filled in on that page. */
      const goBack = async (
        path: string,
        form: Record<string, string>,
        more: Record<string, string> = {},
      ) => {
        const looked = await supervisor.post(path, form)
        assert.match(
          looked.text,
          /<button class="button" name="sure" value="no" formnovalidate autofocus>Back</,
        )
        const back = await supervisor.post(path, { ...sentBy(looked.text), ...more, sure: 'no' })
        assert.equal(back.status, 200, back.text)
        assert.doesNotMatch(back.text, /class="card confirm"|class="notice bad" role="alert"/)
        return back.text
      }
      const { depositId, accountNumber } = await openDeposit(office.ask, { amount: '5000.00' })
      await replaceRules(office.ask, {
        penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 80 }] }],
      })
      const older = { amount: '5000.00', start_date: '2026-03-23' }
      const charged = (await openDeposit(office.ask, older)).depositId
      const held = ['replaceRules', 'reverseLiquidation', 'openFixedDeposit', 'startBatch']
      const rules = held.map((operation) => ({ operation, when: {}, approvals: 1 }))
      await setPolicy(office, { ...FREE, deciders: 'ANY', rules })
      const deposit = `/deposits/${depositId}`

      const expected = /name="expected" value="([\d.]+)"/.exec((await supervisor.get(deposit)).text)![1]!
      const waiver = { waive: 'percent', waived: '50', waiver_reason: 'GOODWILL', waiver_note: 'Long ago' }
      const breaking = { type: 'FULL', reason: 'COURT_ORDER', reference: 'BR-7', expected, key: randomUUID() }
      assert.match(await goBack(`${deposit}/break`, breaking), /value="BR-7"/)
      const query = new URLSearchParams(waiver).toString()
      const quoted = (await supervisor.get(`/deposits/${charged}?${query}`)).text
      const waived = /name="expected" value="([\d.]+)"/.exec(quoted)![1]!
      const again = await goBack(`/deposits/${charged}/break`, { ...breaking, ...waiver, expected: waived })
      for (const typed of [
        ...['value="BR-7"', 'value="Long ago"', 'value="50"'],
        ...['<option value="COURT_ORDER" selected>', '<option value="GOODWILL" selected>'],
      ])
        assert(again.includes(typed), typed)

      const part = { liquidation_type: 'PARTIAL', amount: 100 }
      const paid = (await office.ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, part)).json.data
      const of = paid.liquidation_id
      const reversal = { reason: 'Wrong account', note: 'Seen the form', of, key: randomUUID() }
      const reversing = await goBack(`/liquidations/${of}/reverse`, reversal)
      for (const typed of ['value="Wrong account"', 'value="Seen the form"', '<details class="edit" open>'])
        assert(reversing.includes(typed), typed)

      const request = { operation: 'liquidateFixedDeposit', target_id: depositId }
      const asked = await office.ask('POST', '/v2/approvals', {
        ...request,
        body: { liquidation_type: 'FULL' },
      })
      const approval = `/approvals/${asked.json.data.approval_id}`
      const figure = /name="expected" value="(\d+)"/.exec((await supervisor.get(approval)).text)![1]!
      const decision = { decision: 'look', expected: figure, note: 'Rang her' }
      assert.match(await goBack(`${approval}/decide`, decision), /value="Rang her"/)
      const { status } = (await office.ask('GET', `/v2${approval}`)).json.data
      assert.equal(status, 'PENDING')

      const tiers = { until0: '31', share0: '91', share1: '11', look: 'sure' }
      const proposed = await goBack('/rules', tiers, { note: 'As agreed' })
      for (const typed of ['value="31"', 'value="91"', 'value="As agreed"'])
        assert(proposed.includes(typed), typed)

      await office.ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 9000 })
      const terms = { amount: '100.00', tenor: '91', interest_rate: '5.5', key: randomUUID() }
      const opening = await goBack(`/accounts/${accountNumber}/open-deposit`, terms, { note: 'A friend' })
      for (const typed of ['value="100.00"', 'value="91"', 'value="5.5"', 'name="note" value="A friend"'])
        assert(opening.includes(typed), typed)

      const batchId = await create(office.ask, 'creditAccount', { name: 'Night' })
      await send(office.ask, batchId, 1, [{ account_number: accountNumber, external_id: 'b-1', amount: 5 }])
      const starting = await goBack(`/batches/${batchId}/start`, { key: randomUUID() }, { note: 'Salaries' })
      assert.match(starting, /value="Salaries"/)
      await setPolicy(office, FREE)
    })

    test('the note to the approver stands only where the act may have to wait, and stays in its form', async () => {
      const { ask } = office
      const { depositId } = await openDeposit(ask, { amount: '9000.00' })
      const path = `/v2/fixed-deposits/${depositId}`
      const lienOf = async (amount: number) =>
        (await ask('POST', `${path}/liens`, { amount, reason: 'Loan' })).json.data.lien_id
      const [small, large] = [await lienOf(500), await lienOf(2000)]
      await ask('POST', `${path}/liquidate`, { liquidation_type: 'PARTIAL', amount: 100 })
      const above = { gte: 1000 }
      await setPolicy(office, {
        ...FREE,
        rules: [
          { operation: 'releaseLien', when: { amount: above }, approvals: 1 },
          { operation: 'reverseLiquidation', when: { net_credited: above }, approvals: 1 },
          { operation: 'placeLien', when: { amount: above }, approvals: 1 },
        ],
      })
      const notesIn = (text: string) => text.match(/<input id="[\w-]*note[\w-]*" name="note"[^>]*>/g) ?? []
      const ids = (text: string) => notesIn(text).map((field) => /id="([^"]+)"/.exec(field)![1])
      const page = (await supervisor.get(`/deposits/${depositId}`)).text
      assert.deepEqual(ids(page), ['lien-note', `release-note-${large}`])
      assert(page.includes(`/liens/${small}/release`))
      await ask('POST', `${path}/liquidate`, { liquidation_type: 'PARTIAL', amount: 1500 })
      const later = (await supervisor.get(`/deposits/${depositId}`)).text
      assert.deepEqual(ids(later).toSorted(), ['lien-note', `release-note-${large}`, 'why-note'].toSorted())

      const refused = await supervisor.post(`/deposits/${depositId}/liens`, {
        ...{ amount: '99999', reason: 'Loan', note: 'Please', of: 'lien', key: randomUUID() },
      })
      assert.equal(refused.status, 409)
      const filled = notesIn(refused.text).filter((field) => field.includes('value="Please"'))
      assert.equal(filled.length, 1)
      assert.match(filled[0]!, /id="lien-note"/)
      await setPolicy(office, FREE)
    })

    test('an approver without a recent sign-in gives the password once', async () => {
      const { depositId } = await openDeposit(office.ask, { amount: '7000.00' })
      const request = { operation: 'liquidateFixedDeposit', target_id: depositId }
      const body = { liquidation_type: 'FULL' }
      const asked = await office.ask('POST', '/v2/approvals', { ...request, body })
      const path = `/approvals/${asked.json.data.approval_id}`
      const visitor = await office.visit(await office.employ('SUPERVISOR'))
      const start = office.clock.now
      for (let minutes = 0; minutes < 20; minutes += 10) {
        office.clock.now = new Date(office.clock.now.getTime() + 10 * 60_000)
        await visitor.get(path)
      }
      const expected = /name="expected" value="(\d+)"/.exec((await visitor.get(path)).text)![1]!
      const form = { decision: 'look', expected, note: '' }
      assert.equal((await visitor.post(`${path}/decide`, form)).status, 422)
      const looked = await visitor.post(`${path}/decide`, { ...form, password: 'harbour at dawn' })
      assert.equal(looked.status, 200, looked.text)
      assert.doesNotMatch(looked.text, /harbour at dawn|type="password"/)
      assert.equal((await visitor.post(`${path}/decide`, sentBy(looked.text))).status, 303)
      office.clock.now = start
    })

    test('in a browser: both pages work by the keyboard, and have no findings', {
      skip: browserAbsence,
    }, async () => {
      const { depositId } = await openDeposit(office.ask, { amount: '6000.00' })
      const request = { operation: 'liquidateFixedDeposit', target_id: depositId }
      const body = { liquidation_type: 'FULL' }
      const asked = await office.ask('POST', '/v2/approvals', { ...request, body })
      const origin = await office.listen()
      const browser = await openBrowser()
      try {
        const context = await browser.newContext({ javaScriptEnabled: false })
        await lend(context, origin, supervisor)
        const tab = await context.newPage()
        await tab.goto(`${origin}/console/approvals/${asked.json.data.approval_id}`)
        await tab.getByRole('button', { name: /^Approve and pay/ }).click()
        await tab.getByRole('heading', { name: /^Approve and pay ₦6,.*\?$/ }).waitFor()
        assert.equal(await tab.locator(':focus').textContent(), 'Back')
        await tab.keyboard.press('Tab')
        await tab.keyboard.press('Enter')
        await tab.getByText(/^Approved, and paid/).waitFor()

        const scripted = await browser.newContext({ reducedMotion: 'reduce' })
        await lend(scripted, origin, supervisor)
        const page = await scripted.newPage()
        await page.goto(`${origin}/console/rules`)
        await page.route('**/rules', (route) => {
          const data = route.request().postData()
          return route.continue(data === null ? {} : { postData: 'until0=40&share0=80&share1=10&look=sure' })
        })
        await page.evaluate(`document.querySelector('[data-confirm]').removeAttribute('data-confirm')`)
        await page
          .getByRole('button', { name: /in force$/ })
          .first()
          .click()
        await page.getByRole('heading', { name: /in force\?$/ }).waitFor()
        assert.deepEqual(await accessibilityFindings(page), [])
      } finally {
        await browser.close()
      }
    })

    test('each operation that may wait takes a note, and those who decide read it', async () => {
      const { ask } = office
      const { depositId, customerId, accountNumber } = await openDeposit(ask, { amount: '50000.00' })
      await ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 9000 })
      const path = `/v2/fixed-deposits/${depositId}`
      const lien = (await ask('POST', `${path}/liens`, { amount: 500, reason: 'Loan' })).json.data.lien_id
      const part = { liquidation_type: 'PARTIAL', amount: 1000 }
      const paid = (await ask('POST', `${path}/liquidate`, part)).json.data.liquidation_id
      await ask('PUT', '/v2/products/HARBOUR', harbourFix)
      await ask('POST', '/v2/products/HARBOUR/rate-sheets', harbourSheet)
      const batchId = await create(ask, 'creditAccount', { name: 'Night' })
      await send(ask, batchId, 1, [{ account_number: accountNumber, external_id: 'n-1', amount: 5 }])
      const rules = APPROVABLE_OPERATIONS.map((operation) => ({ operation, when: {}, approvals: 1 }))
      await setPolicy(office, { ...FREE, deciders: 'ANY', rules })

      /** The page with the form, where it is sent, and what. */
      const forms: Record<string, [page: string, to: string, form: Record<string, string>]> = {
        placeLien: [
          `/deposits/${depositId}`,
          `/deposits/${depositId}/liens`,
          { amount: '100.00', reason: 'Loan' },
        ],
        releaseLien: [`/deposits/${depositId}`, `/liens/${lien}/release`, { reason: 'Repaid' }],
        creditAccount: [
          `/accounts/${accountNumber}`,
          `/accounts/${accountNumber}/credit`,
          { amount: '5.00' },
        ],
        putTaxStatus: [`/customers/${customerId}`, `/customers/${customerId}/tax`, { tax_class: 'STANDARD' }],
        reverseLiquidation: [
          `/liquidations/${paid}`,
          `/liquidations/${paid}/reverse`,
          { reason: 'Wrong', sure: 'yes' },
        ],
        replaceRules: ['/rules', '/rules', { until0: '20', share0: '70', share1: '5' }],
        replaceCalendar: ['/calendar', '/calendar', { SUN: 'yes', holidays: '' }],
        addRateSheet: ['/products/HARBOUR/sheet', '/products/HARBOUR/sheet', SHEET],
        putProduct: ['/products/HARBOUR/edit', '/products/HARBOUR/edit', PRODUCT],
        startBatch: [`/batches/${batchId}`, `/batches/${batchId}/start`, { sure: 'yes' }],
      }
      const opening = { amount: '100.00', tenor: '90', interest_rate: '5' }
      const open = `/accounts/${accountNumber}/open-deposit`
      const terms = await supervisor.post(open, { ...opening, key: randomUUID() })
      assert.match(terms.text, /name="note"/)
      await supervisor.post(open, {
        ...opening,
        sure: 'yes',
        key: randomUUID(),
        note: 'Note of openFixedDeposit',
      })
      for (const [operation, [page, to, form]] of Object.entries(forms)) {
        const shown = (await supervisor.get(page)).text
        const own = new RegExp(`<form[^>]*action="/console${to}"[\\s\\S]*?</form>`).exec(shown)![0]
        assert.match(own, /Note to the approver <small>optional/, operation)
        const answer = await supervisor.post(to, { ...form, key: randomUUID(), note: `Note of ${operation}` })
        assert.equal(answer.status, 303, `${operation}: ${answer.text.slice(0, 4000)}`)
      }
      const waiting = (await ask('GET', '/v2/approvals?status=PENDING&limit=100')).json.data
      const other = await office.visit(await office.employ('SUPERVISOR'))
      for (const operation of ['openFixedDeposit', ...Object.keys(forms)]) {
        const own = waiting.find((one: { operation: string }) => one.operation === operation)
        assert.equal(own?.note, `Note of ${operation}`, operation)
        assert.match(
          (await other.get(`/approvals/${own.approval_id}`)).text,
          new RegExp(`Note of ${operation}`),
        )
      }
      await setPolicy(office, FREE)
      assert.doesNotMatch((await supervisor.get(`/accounts/${accountNumber}`)).text, /Note to the approver/)
    })

    test('what was typed into a form that is refused is still there', async () => {
      const { depositId } = await openDeposit(office.ask, { amount: '100.00' })
      const form = { amount: '500', reason: 'Loan 12', reference: 'L-12', of: 'lien', key: randomUUID() }
      const refused = await supervisor.post(`/deposits/${depositId}/liens`, form)
      assert.equal(refused.status, 409)
      for (const typed of ['value="500"', 'value="Loan 12"', 'value="L-12"'])
        assert(refused.text.includes(typed), typed)
      assert.match(refused.text, /<details class="edit" open>/)

      const { customerId, depositId: second } = await openDeposit(office.ask, { amount: '500.00' })
      const reference = 'TIN'.repeat(30)
      const status = { tax_class: 'EXEMPT', reference, valid_until: '2031-01-01', key: randomUUID() }
      const unknown = await supervisor.post(`/customers/${customerId}/tax`, status)
      assert.equal(unknown.status, 422)
      for (const typed of [`value="${reference}"`, 'value="2031-01-01"'])
        assert(unknown.text.includes(typed), typed)

      const body = { liquidation_type: 'PARTIAL', amount: 10 }
      const paid = await office.ask('POST', `/v2/fixed-deposits/${second}/liquidate`, body)
      const of = paid.json.data.liquidation_id
      const reason = 'Paid twice, '.repeat(20).trim()
      const long = await supervisor.post(`/liquidations/${of}/reverse`, { reason, of, key: randomUUID() })
      assert.equal(long.status, 422)
      assert(long.text.includes(`value="${reason}"`))
    })
  })

  describe(`${engine.name}: a book whose date is in doubt`, { skip: engine.skip || browserAbsence }, () => {
    test('refuses what moves money once, says that nothing was done, and takes the form again', async () => {
      const db = await engine.open()
      const office = await openConsole(db)
      const browser = await openBrowser()
      try {
        const email = await office.employ('SUPERVISOR', ['live'])
        const supervisor = await office.visit(email)
        const ask = office.askWith(office.liveKey)
        const { accountNumber } = await openDeposit(ask, { amount: '1000.00' })
        const origin = await office.listen()
        const context = await browser.newContext({ reducedMotion: 'reduce' })
        await lend(context, origin, supervisor)
        const tab = await context.newPage()
        await tab.goto(`${origin}/console/accounts/${accountNumber}`)
        await tab.fill('#amount', '250')
        const start = office.clock.now
        office.clock.now = new Date(start.getTime() + 3 * DAY_MS)
        await lend(context, origin, await office.visit(email))
        let sent = 0
        await tab.route('**/credit', (route) => {
          sent += 1
          return route.continue()
        })
        await tab.getByRole('button', { name: 'Credit the account' }).click()
        await tab.getByText(/^Nothing was done\. The date of this book has jumped/).waitFor()
        assert.equal(await tab.inputValue('#amount'), '250')
        assert.equal(sent, 1)
        assert.deepEqual(await accessibilityFindings(tab), [])
        office.clock.now = start
        await lend(context, origin, supervisor)
        await tab.getByRole('button', { name: 'Credit the account' }).click()
        await tab.waitForURL('**?done=credited')
        assert.equal(sent, 2)
      } finally {
        await browser.close()
        await office.close()
        await db.close()
      }
    })
  })
}

const SHEET = { effective_from: '2031-01-01', tenor_unit: 'MONTH', t0: '0', a0: '0', r0_0: '7' }
const PRODUCT = {
  ...{ name: 'Harbour Fix', currency: 'NGN', status: 'OPEN', min_amount: '50000.00', max_amount: '' },
  ...{ unit: 'MONTH', tenor_min: '1', tenor_max: '24', multiple: '1', method: 'AT_MATURITY', every: '' },
  ...{ on_holiday: 'SAME_DAY', instruction: 'PAY_OUT', limit: '', rate_min: '', rate_max: '' },
  ...{ bonuses: '', rules: '' },
}
