/** Breaking deposits in the console, on each engine: the figures of the API, paid once. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { OutcomeUnknownError } from '../../src/engine/change/faults.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { audit } from '../support/auditor.ts'
import { accessibilityFindings } from '../support/axe.ts'
import { browserAbsence, openBrowser } from '../support/browser.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { setPolicy } from '../support/policy.ts'
import { openDeposit, replaceRules, replaceTaxRules } from '../support/service.ts'
import { lend, type Office, openConsole, type Visitor } from './office.ts'

const tiers = [
  {
    when: { elapsed_percent: { lt: 50 } },
    terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 80 }],
  },
  { when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 20 }] },
]
const terms = { amount: '500000.00', interest_rate: 12, start_date: '2026-03-23' }

for (const engine of engines) {
  describe(`${engine.name}: breaking in the console`, { skip: engine.skip }, () => {
    let db: TestDatabase
    let office: Office
    let clerk: Visitor
    before(async () => {
      db = await engine.open()
      office = await openConsole({ ...db, transaction: losable })
      await replaceRules(office.ask, { penal_rules: tiers })
      clerk = await office.visit(await office.employ('CLERK'))
    })
    after(async () => {
      await office?.close()
      await db?.close()
    })

    /** Commits, and then says nothing of it. */
    const losable: TestDatabase['transaction'] = async (work) => {
      const result = await db.transaction(work)
      if (isLosing) throw new OutcomeUnknownError('lost')
      return result
    }
    let isLosing = false
    const losingAnswers = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      isLosing = true
      return work().finally(() => {
        isLosing = false
      })
    }
    const fieldsOf = (text: string): Record<string, string> => {
      const form = /<form class="act"[\s\S]*?<\/form>/.exec(text)?.[0] ?? ''
      const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
      return { ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])), reason: 'COURT_ORDER' }
    }
    const quoteOf = async (depositId: string, waiver?: object) => {
      const body = { liquidation_type: 'FULL', waiver }
      const quoted = await office.ask('POST', `/v2/fixed-deposits/${depositId}/liquidation-quote`, body)
      return { settlement: quoted.json.data }
    }
    const setLimit = async (amount: string | null) => {
      const rule = {
        operation: 'liquidateFixedDeposit',
        when: { amount: { gte: Number(amount) } },
        approvals: 1,
      }
      const rules = amount === null ? [] : [rule]
      const policy = { expires_after_hours: 72, deciders: 'PERSON', rules }
      await setPolicy(office, policy)
    }
    const statusOf = async (depositId: string) =>
      (await office.ask('GET', `/v2/fixed-deposits/${depositId}`)).json.data.remaining_principal

    test('without script: quote, confirm, pay; the same form twice pays once', async () => {
      const { depositId } = await openDeposit(office.ask, terms)
      const page = await clerk.get(`/deposits/${depositId}?type=PARTIAL&amount=100,000.00`)
      assert.equal(page.status, 200, page.text)
      const quoted = await office.ask('POST', `/v2/fixed-deposits/${depositId}/liquidation-quote`, {
        liquidation_type: 'PARTIAL',
        amount: 100000,
      })
      const form: Record<string, string> = fieldsOf(page.text)
      const { key: _key, ...shown } = form
      assert.deepEqual(shown, {
        type: 'PARTIAL',
        amount: '100000.00',
        expected: quoted.json.data.net_credited.toFixed(2),
        reason: 'COURT_ORDER',
      })
      const unreasoned = await clerk.post(`/deposits/${depositId}/break`, {
        ...form,
        reason: '',
        sure: 'yes',
      })
      assert.equal(unreasoned.status, 422)
      assert.match(unreasoned.text, /Choose a reason/)
      const confirm = await clerk.post(`/deposits/${depositId}/break`, form)
      assert.match(confirm.text, /name="sure" value="yes"/)
      assert.equal(await statusOf(depositId), 500_000)

      const sure: Record<string, string> = { ...form, sure: 'yes', reference: 'BR-2291' }
      const paid = await clerk.post(`/deposits/${depositId}/break`, sure)
      assert.match(paid.location, /\?done=liq_/)
      assert.equal((await clerk.post(`/deposits/${depositId}/break`, sure)).location, paid.location)
      assert.equal(await statusOf(depositId), 400_000)
      const other = await clerk.post(`/deposits/${depositId}/break`, { ...sure, amount: '50000' })
      assert.equal(other.status, 409)
      assert.match(other.text, /sent before with other figures/)
      assert.equal(await statusOf(depositId), 400_000)
      const done = await clerk.get(paid.location)
      assert.match(done.text, /Paid ₦/)
      const [kept] = (await office.ask('GET', `/v2/fixed-deposits/${depositId}/liquidations`)).json.data
      assert.deepEqual([kept.reason, kept.reference], ['COURT_ORDER', 'BR-2291'])
      assert.match(done.text, /Amina Yusuf/)
      const advice = await clerk.get(/\/console\/liquidations\/liq_\w+\/advice/.exec(done.text)![0])
      assert.equal(advice.status, 200)
    })

    test('tax is shown as a row of its own, and the form pays what is left after it', async () => {
      await replaceTaxRules(office.ask)
      const { depositId } = await openDeposit(office.ask, terms)
      const page = await clerk.get(`/deposits/${depositId}`)
      const { settlement } = await quoteOf(depositId, undefined)
      const withheld = -settlement.adjustments[0].amount
      assert(withheld > 0)
      assert.match(page.text, /<th scope="row">Withholding tax<\/th>/)
      assert.match(page.text, /Withholding tax, 10 % of interest of ₦/)
      assert.match(page.text, /before withholding tax/)
      const atMaturity = await office.ask('POST', `/v2/fixed-deposits/${depositId}/liquidation-quote`, {
        liquidation_type: 'FULL',
        as_of: '2027-03-23',
      })
      const later = atMaturity.json.data.net_credited.toLocaleString('en', { minimumFractionDigits: 2 })
      assert(page.text.includes(`<dt>At maturity</dt><dd>₦${later} <small class="below">after ₦6,000.00 tax`))
      const lastRow = /<td data-name="If broken on">23 Mar 2027<\/td>(.*?)<\/tr>/.exec(page.text)![1]!
      assert(lastRow.includes(`data-name="Customer receives" class="num">${later}</td>`), lastRow)
      assert(lastRow.includes('data-name="Tax" class="num">6,000.00</td>'), lastRow)
      const form = fieldsOf(page.text)
      assert.equal(form.expected, settlement.net_credited.toFixed(2))
      const paid = await clerk.post(`/deposits/${depositId}/break`, { ...form, sure: 'yes' })
      const done = await clerk.get(paid.location)
      const net = settlement.net_credited.toLocaleString('en', { minimumFractionDigits: 2 })
      assert(done.text.includes(`Paid ₦${net}`), done.text.slice(0, 3000))
      const advice = await clerk.get(/\/console\/liquidations\/liq_\w+\/advice/.exec(done.text)![0])
      assert.match(advice.text, /Withholding tax/)
      assert.match(done.text, /Tax payable/)
      await replaceTaxRules(office.ask, { classes: { STANDARD: 0 } })
    })

    test('a deposit in another currency is shown, refused, paid and advised in that currency', async () => {
      const { customerId } = await openDeposit(office.ask, terms)
      const account = await office.ask('POST', '/v2/accounts', { customer_id: customerId, currency: 'USD' })
      const { account_number } = account.json.data
      await office.ask('POST', `/v2/accounts/${account_number}/credits`, { amount: 9000 })
      const opened = await office.ask('POST', '/v2/fixed-deposits', {
        account_number,
        amount: 7000,
        tenor: 365,
        interest_rate: 4,
        start_date: '2026-03-23',
      })
      const { deposit_id: depositId } = opened.json.data
      const page = await clerk.get(`/deposits/${depositId}`)
      assert.match(page.text, /<h1>US\$7,000\.00/)
      const form = fieldsOf(page.text)
      const wrong = { ...form, type: 'PARTIAL', amount: '8000', sure: 'yes' }
      const refused = await clerk.post(`/deposits/${depositId}/break`, wrong)
      assert.match(refused.text, /remaining principal of US\$7,000\.00/)
      const paid = await clerk.post(`/deposits/${depositId}/break`, { ...form, sure: 'yes' })
      const done = await clerk.get(paid.location)
      assert.match(done.text, /Paid US\$7,\d{3}\.\d\d to account/)
      const advice = await clerk.get(/\/console\/liquidations\/liq_\w+\/advice/.exec(done.text)![0])
      for (const { text } of [page, refused, done, advice]) assert.doesNotMatch(text, /₦/)
      const search = await clerk.get(`/search?q=${customerId}`)
      assert.match(search.text, /₦500,000\.00/)
      const customer = await clerk.get(`/customers/${customerId}`)
      assert.match(customer.text, /US\$7,000\.00[\s\S]*₦500,000\.00/)
      const home = await clerk.get('/')
      assert.match(home.text, /US\$7,000\.00/)
    })

    test('when the figures changed after the quote nothing is paid and the new figures are shown', async () => {
      const { depositId } = await openDeposit(office.ask, terms)
      const form: Record<string, string> = {
        ...fieldsOf((await clerk.get(`/deposits/${depositId}`)).text),
        sure: 'yes',
      }
      const changes = [
        () =>
          office.ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, {
            liquidation_type: 'PARTIAL',
            amount: 1000,
          }),
        () => office.ask('POST', '/v2/test-clock', { now: '2026-07-02T10:00:00Z' }),
      ]
      for (const change of changes) {
        assert.equal((await change()).status, 200)
        const answer = await clerk.post(`/deposits/${depositId}/break`, form)
        assert.equal(answer.status, 409)
        assert.match(answer.text, /figures are not the same any more/)
        assert.notEqual(fieldsOf(answer.text).expected, form.expected)
        assert.equal(await statusOf(depositId), 499_000)
        Object.assign(form, fieldsOf(answer.text))
      }
    })

    test('a waiver is for those who may, and its reason is needed', async () => {
      const { depositId } = await openDeposit(office.ask, terms)
      const waiver = 'waive=percent&waived=50&waiver_reason=GOODWILL'
      const supervisor = await office.visit(await office.employ('SUPERVISOR'))
      assert.doesNotMatch((await clerk.get(`/deposits/${depositId}`)).text, /name="waived"/)
      const mayNot = await clerk.get(`/deposits/${depositId}?${waiver}`)
      assert.match(mayNot.text, /may not waive/)
      const { settlement } = await quoteOf(depositId, { percent: 50, reason: 'GOODWILL' })
      const form = fieldsOf((await supervisor.get(`/deposits/${depositId}?${waiver}`)).text)
      assert.equal(form.expected, settlement.net_credited.toFixed(2))
      const sure = { ...form, waiver_note: 'Long-standing', sure: 'yes' }
      assert.equal((await clerk.post(`/deposits/${depositId}/break`, sure)).status, 403)
      const unreasoned = await supervisor.post(`/deposits/${depositId}/break`, { ...sure, waiver_reason: '' })
      assert.match(unreasoned.text, /Choose why it is waived/)
      assert.equal(await statusOf(depositId), 500_000)
      assert.match((await supervisor.post(`/deposits/${depositId}/break`, sure)).location, /done=liq_/)
      const [kept] = (await office.ask('GET', `/v2/fixed-deposits/${depositId}/liquidations`)).json.data
      assert.equal(kept.penal_waived, settlement.penal_waived)
      assert.equal(kept.waiver.note, 'Long-standing')
    })

    test('a supervisor takes a mistaken liquidation back, with a reason, and by approval where the policy asks', async () => {
      const { depositId } = await openDeposit(office.ask, terms)
      const breakPart = async () => {
        const body = { liquidation_type: 'PARTIAL', amount: 1000 }
        const { json } = await office.ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
        return json.data.liquidation_id as string
      }
      const liquidationId = await breakPart()
      const supervisor = await office.visit(await office.employ('SUPERVISOR'))
      const send = (id: string, reason: string) =>
        supervisor.post(`/liquidations/${id}/reverse`, { reason, sure: 'yes' })
      assert.doesNotMatch((await clerk.get(`/deposits/${depositId}`)).text, /Take this back/)
      assert.match((await supervisor.get(`/deposits/${depositId}`)).text, /Take this back/)
      assert.equal((await send(liquidationId, ' ')).status, 422)
      const done = await send(liquidationId, 'Wrong customer')
      assert.match((await supervisor.get(done.location)).text, /was taken back/)
      assert.equal(await statusOf(depositId), 500_000)
      const page = (await clerk.get(`/liquidations/${liquidationId}`)).text
      assert.match(page, /<span class="badge refused">Taken back/)
      assert.match(page, /Payment taken back <small>by [^<]+<\/small><br><small>Wrong customer/)
      assert.match((await send(liquidationId, 'Again')).text, /taken back before/)
      const next = await breakPart()
      const rule = { operation: 'reverseLiquidation', when: {}, approvals: 1 }
      const policy = { expires_after_hours: 72, deciders: 'PERSON', rules: [rule] }
      await setPolicy(office, policy)
      assert.match((await send(next, 'Wrong amount')).location, /reversal-waits/)
      assert.equal(await statusOf(depositId), 499_000)
      const [waiting] = (await office.ask('GET', `/v2/approvals?target_id=${next}`)).json.data
      const other = await office.visit(await office.employ('SUPERVISOR'))
      const asked = await other.get(`/approvals/${waiting.approval_id}`)
      const shown = /name="expected" value="(\d+)"/.exec(asked.text)
      const decided = await other.post(`/approvals/${waiting.approval_id}/decide`, {
        decision: 'approve',
        expected: shown![1]!,
      })
      assert.equal(decided.status, 303, decided.text)
      assert.equal(await statusOf(depositId), 500_000)
      await setLimit(null)
    })

    test('above the limit nothing is paid, the request waits, and the deposit says so', async () => {
      const { depositId, customerId } = await openDeposit(office.ask, terms)
      await setLimit('400000.00')
      const page = await clerk.get(`/deposits/${depositId}`)
      assert.match(page.text, /Ask for approval of ₦/)
      assert.doesNotMatch(page.text, /Break and pay/)
      const form = { ...fieldsOf(page.text), reference: 'BR-1' }
      const direct = { ...form, expected: '1.00', sure: 'yes' }
      const held = await clerk.post(`/deposits/${depositId}/break`, direct)
      assert.equal(held.status, 409)
      assert.match(held.text, /Nothing was paid/)
      const asked = await clerk.post(`/deposits/${depositId}/ask`, form)
      assert.equal(asked.location, `/console/deposits/${depositId}`)
      const again = await clerk.post(`/deposits/${depositId}/ask`, form)
      assert.equal(again.location, asked.location)
      const waits = await clerk.get(`/deposits/${depositId}`)
      assert.match(waits.text, /waits for approval/)
      assert.match(waits.text, /Asked for by Amina Yusuf/)
      assert.match((await clerk.get(`/customers/${customerId}`)).text, /Waits for approval/)
      assert.doesNotMatch(waits.text, /Paid ₦/)
      assert.equal(await statusOf(depositId), 500_000)
      const { data } = (await office.ask('GET', `/v2/approvals?target_id=${depositId}`)).json
      assert.deepEqual(
        data.map(({ status, body }: any) => [status, body]),
        [['PENDING', { liquidation_type: 'FULL', reference: 'BR-1', reason: 'COURT_ORDER' }]],
      )
      const small = await clerk.get(`/deposits/${depositId}?type=PARTIAL&amount=1000`)
      assert.match(small.text, /Break and pay ₦/)
      await setLimit(null)
    })

    test('when the answer is lost the page says so, and the same form, sent again, pays once', async () => {
      const { depositId } = await openDeposit(office.ask, terms)
      const form = { ...fieldsOf((await clerk.get(`/deposits/${depositId}`)).text), sure: 'yes' }
      const lost = await losingAnswers(() => clerk.post(`/deposits/${depositId}/break`, form))
      assert.equal(lost.status, 503)
      assert.match(lost.text, /The answer was lost/)
      const notice = /<div class="notice bad"[\s\S]*?<\/form>/.exec(lost.text)![0]
      const offered = [...notice.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value,
      ])
      assert.deepEqual(Object.fromEntries(offered), form)
      const paid = await clerk.post(`/deposits/${depositId}/break`, form)
      assert.match(paid.location, /\?done=liq_/)
      const { data } = (await office.ask('GET', `/v2/fixed-deposits/${depositId}/liquidations`)).json
      assert.equal(data.length, 1)
    })

    test('ids of another bank are not found, and markup in a name is text', async () => {
      const { keys } = await createCaller(db, {
        name: 'Other',
        timeZone: 'UTC',
        currency: 'USD',
        at: office.clock.now,
      })
      const other = await openDeposit(office.askWith(keys[0]!.key), { amount: '1000.00' })
      for (const path of [`/deposits/${other.depositId}`, `/customers/${other.customerId}`]) {
        assert.equal((await clerk.get(path)).status, 404)
      }
      const mine = await office.ask('POST', '/v2/customer', {
        first_name: '<script>alert(1)</script>',
        last_name: '"Obi',
        email: 'x@example.com',
        phone_number: '+234 801 234 5678',
        address: '<img src=x>',
      })
      for (const path of ['/customers', `/customers/${mine.json.data.customer_id}`, '/search?q=<script>']) {
        assert.doesNotMatch((await clerk.get(path)).text, /<script>|<img/)
      }
    })

    test('contact details are changed in place, by the checks of the API', async () => {
      const { customerId } = await openDeposit(office.ask, terms)
      const send = (email: string) => clerk.post(`/customers/${customerId}`, { email })
      assert.equal((await send('nonsense')).status, 422)
      assert.equal((await send('new@example.com')).location, `/console/customers/${customerId}?done=saved`)
      const { data } = (await office.ask('GET', `/v2/customer/${customerId}`)).json
      assert.equal(data.email, 'new@example.com')
    })

    test('in a browser: by keyboard alone without a finding or an error, on paper, and without script', {
      skip: browserAbsence,
    }, async () => {
      const { depositId } = await openDeposit(office.ask, terms)
      const origin = await office.listen()
      const browser = await openBrowser()
      try {
        const context = await browser.newContext({
          viewport: { width: 1360, height: 900 },
          reducedMotion: 'reduce',
        })
        await lend(context, origin, clerk)
        const tab = await context.newPage()
        const errors: string[] = []
        tab.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
        tab.on('pageerror', (error) => errors.push(error.message))
        await tab.goto(`${origin}/console`)
        await tab.keyboard.press('/')
        await tab.keyboard.type(depositId)
        await tab.keyboard.press('Enter')
        await tab.waitForURL(`**/deposits/${depositId}`)
        for (const scheme of engine.name === 'PGlite' ? (['light', 'dark'] as const) : []) {
          await tab.emulateMedia({ colorScheme: scheme })
          assert.deepEqual(await accessibilityFindings(tab), [])
        }
        await tab.focus('#amount')
        await tab.keyboard.type('100000')
        await tab.getByRole('button', { name: /^Break and pay/ }).waitFor()
        await tab.waitForURL(/amount=100000/)
        await tab.focus('#day')
        const before = await tab.textContent('output')
        await tab.keyboard.press('ArrowRight')
        assert.notEqual(await tab.textContent('output'), before)
        await tab.selectOption('#reason', 'CUSTOMER_IN_BRANCH')
        await tab.focus('.act > .button')
        await tab.keyboard.press('Enter')
        assert.equal(await tab.evaluate('document.activeElement.textContent'), 'Back')
        await tab.keyboard.press('Tab')
        await tab.keyboard.press('Enter')
        await tab.waitForURL('**?done=liq_*')
        assert.equal(await statusOf(depositId), 400_000)
        await tab.getByRole('link', { name: 'Print the advice' }).first().click()
        await tab.waitForURL('**/advice')
        const paper = (await tab.pdf({ format: 'A4' })).toString('latin1')
        assert.equal([...paper.matchAll(/\/Type\s*\/Page\b/g)].length, 1)
        const plain = await browser.newContext({ javaScriptEnabled: false })
        await lend(plain, origin, clerk)
        const bare = await plain.newPage()
        await bare.goto(`${origin}/console/deposits/${depositId}`)
        await bare.getByLabel('A part').check()
        await bare.fill('#amount', '50,000.00')
        await bare.getByRole('button', { name: 'Quote' }).click()
        await bare.selectOption('#reason', 'CUSTOMER_BY_PHONE')
        await bare.getByRole('button', { name: /^Break and pay/ }).click()
        await bare.getByRole('heading', { name: /^Break and pay .*\?$/ }).waitFor()
        await bare.getByRole('button', { name: /^Break and pay/ }).click()
        await bare.waitForURL('**?done=liq_*')
        assert.equal(await statusOf(depositId), 350_000)
        for (const width of [820, 390]) {
          await tab.setViewportSize({ width, height: 900 })
          assert(await tab.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${width}`)
        }
        assert.deepEqual(errors, [])
      } finally {
        await browser.close()
      }
    })

    test('the books are in order afterwards', () => audit(db))
  })
}
