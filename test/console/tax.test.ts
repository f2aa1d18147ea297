/** Tax rules and the tax class of a customer at the counter: what is shown before they change, and what they then withhold. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { audit } from '../support/auditor.ts'
import { accessibilityFindings } from '../support/axe.ts'
import { browserAbsence, openBrowser } from '../support/browser.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { setPolicy } from '../support/policy.ts'
import { openDeposit, replaceTaxRules } from '../support/service.ts'
import { lend, type Office, openConsole, type Visitor } from './office.ts'

const terms = { amount: '500000.00', interest_rate: 12, start_date: '2026-03-23' }
const EMPTY = { expires_after_hours: 72, deciders: 'PERSON', rules: [] }

for (const engine of engines) {
  describe(`${engine.name}: tax at the counter`, { skip: engine.skip }, () => {
    let db: TestDatabase
    let office: Office
    let clerk: Visitor
    let supervisor: Visitor
    let other: Visitor
    before(async () => {
      db = await engine.open()
      office = await openConsole(db)
      clerk = await office.visit(await office.employ('CLERK'))
      supervisor = await office.visit(await office.employ('SUPERVISOR'))
      other = await office.visit(await office.employ('SUPERVISOR'))
    })
    after(async () => {
      await office?.close()
      await db?.close()
    })

    type Class = [name: string, rate: string]
    const formOf = (classes: Class[], changes: Record<string, string> = {}): Record<string, string> => ({
      effective_from: '2026-07-01',
      base: 'NET',
      on_recovery: 'KEEP',
      rounding: 'HALF_UP',
      ...Object.fromEntries(
        classes.flatMap(([name, rate], index) => [
          [`class${index}`, name],
          [`rate${index}`, rate],
        ]),
      ),
      ...changes,
    })
    const sure = (form: Record<string, string>) => ({ ...form, sure: 'yes', key: randomUUID() })
    const rules = async () => (await office.ask('GET', '/v2/tax-rules')).json.data
    const breakAll = async (depositId: string) =>
      (await office.ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, { liquidation_type: 'FULL' }))
        .json.data

    test('rules are written by a form, with a second look before, and are those of the API', async () => {
      assert.match((await supervisor.get('/tax-rules')).text, /no tax rules yet/)
      const form = formOf([
        ['', '10'],
        ['senior citizen', '7.5'],
        ['EXEMPT', '0'],
        ['', ''],
      ])
      const look = await supervisor.post('/tax-rules', form)
      assert.equal(look.status, 200, look.text)
      assert.match(look.text, /Put version 1 of the tax rules in force\?/)
      assert.match(look.text, /<button class="button" name="sure" value="no"[^>]* autofocus>Back/)
      const back = await supervisor.post('/tax-rules', { ...form, sure: 'no' })
      assert.equal(back.status, 200)
      for (const typed of ['SENIOR_CITIZEN', '7.5', 'EXEMPT'])
        assert(back.text.includes(`value="${typed}"`), typed)
      assert.equal((await office.ask('GET', '/v2/tax-rules')).status, 404, 'nothing before the second look')
      const made = await supervisor.post('/tax-rules', sure(form))
      assert.equal(made.location, '/console/tax-rules?done=1', made.text)
      const { created_at: _, ...written } = await rules()
      assert.deepEqual(written, {
        version: 1,
        effective_from: '2026-07-01',
        base: 'NET',
        on_recovery: 'KEEP',
        rounding: 'HALF_UP',
        classes: { STANDARD: 10, SENIOR_CITIZEN: 7.5, EXEMPT: 0 },
      })
      const page = (await supervisor.get('/tax-rules?done=1')).text
      assert.match(page, /Version 1 of the tax rules was written/)
      assert.match(page, /value="SENIOR_CITIZEN"/)
      assert.match(page, /Version 1, from 1 Jul 2026/)
      assert.match((await supervisor.get('/rules')).text, /href="\/console\/tax-rules"/)
    })

    test('what the rules would have withheld is shown before they change, to the cent', async () => {
      await replaceTaxRules(office.ask)
      const { depositId } = await openDeposit(office.ask, terms)
      const paid = await breakAll(depositId)
      // 500,000.00 at 12 percent for 100 days is 16,438.36; ten percent of it were withheld.
      const tax = paid.adjustments.find(({ kind }: { kind: string }) => kind === 'WITHHOLDING_TAX').amount
      assert.equal(tax, -1_643.84)
      const query = new URLSearchParams(formOf([['', '12.5']]))
      const preview = await supervisor.get(`/tax-rules?${query}`, { 'x-part': 'preview' })
      assert.match(preview.text, /1 liquidation in the last 30 days/)
      assert.match(preview.text, /STANDARD[\s\S]*₦1,643\.84[\s\S]*<b>₦2,054\.80<\/b>/)
      assert.doesNotMatch(preview.text, /<html/)
      const past = new URLSearchParams(formOf([['', '12.5']], { effective_from: '2026-06-01' }))
      assert.match((await supervisor.get(`/tax-rules?${past}`)).text, /This day is over/)
      const added = await supervisor.get(
        `/tax-rules?${new URLSearchParams({ ...formOf([['', '5']]), add: 'yes' })}`,
      )
      assert.match(added.text, /name="class1"/)
    })

    test('what cannot be is refused in words, and nothing that was typed is lost', async () => {
      const { version } = await rules()
      const table: [Record<string, string>, RegExp][] = [
        [formOf([['', '101']]), /Give the percent of STANDARD/],
        [formOf([['', 'ten']]), /Give the percent of STANDARD/],
        [
          formOf([
            ['', '10'],
            ['ABC1', '5'],
          ]),
          /“ABC1” is no name of a class/,
        ],
        [
          formOf([
            ['', '10'],
            ['', '5'],
          ]),
          /is no name of a class/,
        ],
        [
          formOf([
            ['', '10'],
            ['OLD', '5'],
            ['old', '6'],
          ]),
          /OLD is there twice/,
        ],
        [formOf([['', '10']], { effective_from: '' }), /Give the first day/],
        [formOf([['', '10']], { base: 'ALL' }), /Choose from what is withheld/],
        [{ json: '{' }, /not valid JSON/],
        [{ json: '{"classes": {}}' }, /effective_from/],
      ]
      for (const [form, text] of table) {
        const answer = await supervisor.post('/tax-rules', sure(form))
        assert.equal(answer.status, 422, String(text))
        assert.match(answer.text, text)
        if (form.rate1 !== undefined) assert(answer.text.includes(`value="${form.rate1}"`), form.rate1)
      }
      assert.equal((await rules()).version, version)
      assert.equal((await clerk.get('/tax-rules')).status, 403)
      assert.equal((await clerk.post('/tax-rules', sure(formOf([['', '1']])))).status, 403)
    })

    test('JSON says the same, and a change that has to wait says so on its button', async () => {
      await setPolicy(office, { ...EMPTY, rules: [{ operation: 'replaceTaxRules', when: {}, approvals: 1 }] })
      const { version, created_at: _, ...document } = await rules()
      const json = JSON.stringify({ ...document, base: 'GROSS' })
      const page = (await supervisor.get('/tax-rules')).text
      assert.match(page, new RegExp(`Ask for approval of version ${version + 1}`))
      assert.match((await supervisor.post('/tax-rules', { json })).text, /Note to the approver/)
      const asked = await supervisor.post('/tax-rules', sure({ json, note: 'Finance Act 2026' }))
      assert.equal(asked.location, '/console/requests', asked.text)
      assert.equal((await rules()).version, version)
      const [waiting] = (await office.ask('GET', '/v2/approvals?status=PENDING')).json.data
      assert.deepEqual([waiting.operation, waiting.note], ['replaceTaxRules', 'Finance Act 2026'])
      assert.match((await other.get(`/approvals/${waiting.approval_id}`)).text, /all interest/)
      const decided = await other.post(`/approvals/${waiting.approval_id}/decide`, { decision: 'approve' })
      assert.equal(decided.status, 303, decided.text)
      assert.equal((await rules()).base, 'GROSS')
      await setPolicy(office, EMPTY)
    })

    test('the class of a customer is set by a form, and decides what is withheld', async () => {
      await replaceTaxRules(office.ask, { classes: { STANDARD: 10, EXEMPT: 0, SENIOR: 5 } })
      const { depositId, customerId } = await openDeposit(office.ask, terms)
      const page = await supervisor.get(`/customers/${customerId}`)
      assert.match(page.text, /Tax class[\s\S]*STANDARD at 10\u00a0%/)
      assert.doesNotMatch((await clerk.get(`/customers/${customerId}`)).text, /Tax class/)
      const send = (form: Record<string, string>, by = supervisor) =>
        by.post(`/customers/${customerId}/tax`, { key: randomUUID(), ...form })
      const form = { tax_class: 'SENIOR', valid_until: '2026-12-31', reference: 'CERT-8' }
      assert.equal((await send(form, clerk)).status, 403)
      for (const [wrong, text] of [
        [{ ...form, tax_class: '' }, /Choose a class/],
        [{ ...form, valid_until: '2026-02-30' }, /Give a day that exists/],
      ] as const) {
        const answer = await send(wrong)
        assert.equal(answer.status, 422)
        assert.match(answer.text, text)
      }
      const saved = await send(form)
      assert.equal(saved.location, `/console/customers/${customerId}?done=tax`, saved.text)
      const shown = (await supervisor.get(saved.location.replace('/console', ''))).text
      for (const text of ['The tax class was saved', 'SENIOR at 5\u00a0%', '31 Dec 2026', 'CERT-8'])
        assert(shown.includes(text), text)
      const status = (await office.ask('GET', `/v2/customer/${customerId}/tax-status`)).json.data
      assert.deepEqual(
        [status.tax_class, status.reference, status.valid_until],
        ['SENIOR', 'CERT-8', '2026-12-31'],
      )
      const paid = await breakAll(depositId)
      assert.equal(paid.adjustments[0].amount, -821.92)
      assert.equal((await send({ ...form, key: 'k' })).status, 422)
      assert.equal(
        (await supervisor.post('/customers/cus_none/tax', { key: randomUUID(), ...form })).status,
        404,
      )
    })

    test('a class that ended, or that the rules do not have, is told beside it', async () => {
      await replaceTaxRules(office.ask, { classes: { STANDARD: 10, SENIOR: 5 } })
      const { customerId } = await openDeposit(office.ask, terms)
      const put = (body: object) => office.ask('PUT', `/v2/customer/${customerId}/tax-status`, body)
      await put({ tax_class: 'SENIOR', valid_until: '2026-06-30' })
      assert.match((await supervisor.get(`/customers/${customerId}`)).text, /It ended on 30 Jun 2026/)
      await put({ tax_class: 'DIPLOMAT' })
      assert.match((await supervisor.get(`/customers/${customerId}`)).text, /have no such class/)
    })

    test('a change of class that the policy guards waits for a second person', async () => {
      await setPolicy(office, { ...EMPTY, rules: [{ operation: 'putTaxStatus', when: {}, approvals: 1 }] })
      const { customerId } = await openDeposit(office.ask, terms)
      const form = { key: randomUUID(), tax_class: 'SENIOR' }
      assert.equal(
        (await supervisor.post(`/customers/${customerId}/tax`, form)).location,
        '/console/requests',
      )
      const status = (await office.ask('GET', `/v2/customer/${customerId}/tax-status`)).json.data
      assert.equal(status.tax_class, 'STANDARD')
      await setPolicy(office, EMPTY)
    })

    test('in a browser: the preview follows what is typed, and the second look starts on the way back', {
      skip: browserAbsence,
    }, async () => {
      await replaceTaxRules(office.ask)
      const origin = await office.listen()
      const browser = await openBrowser()
      try {
        const context = await browser.newContext({ reducedMotion: 'reduce' })
        await lend(context, origin, supervisor)
        const tab = await context.newPage()
        await tab.goto(`${origin}/console/tax-rules`)
        await tab.fill('[name=rate0]', '20')
        await tab.waitForURL(/rate0=20/)
        await tab.locator('#preview b').first().waitFor()
        assert.deepEqual(await accessibilityFindings(tab), [])
        const { version } = await rules()
        await tab
          .getByRole('button', { name: `Put version ${version + 1} in force` })
          .first()
          .click()
        await tab.getByRole('heading', { name: /of the tax rules in force\?/ }).waitFor()
        assert.equal(await tab.locator(':focus').innerText(), 'Back')
        assert.deepEqual(await accessibilityFindings(tab), [])
        await tab.getByRole('button', { name: `Put version ${version + 1} in force` }).click()
        await tab.waitForURL('**/tax-rules?done=*')
        assert.equal((await rules()).classes.STANDARD, 20)
      } finally {
        await browser.close()
      }
    })

    test('the books are in order afterwards', () => audit(db))
  })
}
