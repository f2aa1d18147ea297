/** A day at the counter: what is typed is seen again, requests have an outcome, and a lost answer ends in the truth. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { audit } from '../support/auditor.ts'
import { accessibilityFindings } from '../support/axe.ts'
import { browserAbsence, openBrowser } from '../support/browser.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { ada, openDeposit, replaceRules } from '../support/service.ts'
import { lend, type Office, openConsole, type Visitor } from './office.ts'

const tiers = [
  {
    when: { elapsed_percent: { lt: 50 } },
    terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 80 }],
  },
  { when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 20 }] },
]
const terms = { amount: '500000.00', interest_rate: 12, start_date: '2026-03-23' }
const policy = {
  expires_after_hours: 72,
  deciders: 'PERSON',
  rules: [{ operation: 'liquidateFixedDeposit', when: { amount: { gte: 1_000_000 } }, approvals: 1 }],
}

for (const engine of engines) {
  describe(`${engine.name}: at the counter`, { skip: engine.skip }, () => {
    let db: TestDatabase
    let office: Office
    let clerk: Visitor
    let supervisor: Visitor
    let origin: string
    before(async () => {
      db = await engine.open()
      office = await openConsole(db)
      await replaceRules(office.ask, { penal_rules: tiers })
      clerk = await office.visit(await office.employ('CLERK'))
      supervisor = await office.visit(await office.employ('SUPERVISOR'))
      // Not before somebody could decide.
      assert.equal((await office.ask('PUT', '/v2/approval-policy', policy)).status, 200)
      origin = await office.listen()
    })
    after(async () => {
      await office?.close()
      await db?.close()
    })

    const hiddenOf = (text: string): Record<string, string> => {
      const form = /<form class="act"[\s\S]*?<\/form>/.exec(text)?.[0] ?? ''
      const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
      return Object.fromEntries(hidden.map(([, name, value]) => [name!, value!]))
    }

    test('a liquidation has a page with all that was typed, its figures, entries and advice', async () => {
      const { depositId } = await openDeposit(office.ask, terms)
      const waiver = 'waive=percent&waived=50&waiver_reason=GOODWILL'
      const quoted = await supervisor.get(`/deposits/${depositId}?${waiver}`)
      assert.doesNotMatch(/<form class="quote-form"[\s\S]*?<\/form>/.exec(quoted.text)![0], /waiver_note/)
      const typed = {
        reason: 'CUSTOMER_BY_PHONE',
        reference: 'CALL-7',
        waiver_note: 'Long-standing customer',
        sure: 'yes',
      }
      const { location } = await supervisor.post(`/deposits/${depositId}/break`, {
        ...hiddenOf(quoted.text),
        ...typed,
      })
      const liquidationId = /liq_\w+/.exec(location)![0]
      const { text } = await supervisor.get(`/liquidations/${liquidationId}`)
      for (const shown of [
        'Customer asked by phone',
        'CALL-7',
        'Goodwill',
        'Long-standing customer',
        '50 % of the charge',
        'Closed early',
        'Penal income',
        `/console/liquidations/${liquidationId}/advice`,
        'Take back',
      ]) {
        assert(text.includes(shown), shown)
      }
      const path = `/console/liquidations/${liquidationId}`
      for (const page of ['/', `/deposits/${depositId}`]) {
        assert((await supervisor.get(page)).text.includes(path), page)
      }
      assert.equal((await clerk.get('/liquidations/liq_none')).status, 404)
      const seenByClerk = await clerk.get(`/liquidations/${liquidationId}`)
      assert.doesNotMatch(seenByClerk.text, /Take this back/)
    })

    test('the maker of a request sees its outcome with the note, the deposit shows it, and it stays listed', async () => {
      const { depositId } = await openDeposit(office.ask, { ...terms, amount: '2000000.00' })
      const page = await clerk.get(`/deposits/${depositId}`)
      const asked = await clerk.post(`/deposits/${depositId}/ask`, {
        ...hiddenOf(page.text),
        reason: 'COURT_ORDER',
        note: 'Order 12 is in the branch file',
      })
      assert.equal(asked.status, 303, asked.text)
      const [request] = (await office.ask('GET', `/v2/approvals?target_id=${depositId}`)).json.data
      assert.equal(request.note, 'Order 12 is in the branch file')
      assert.match((await clerk.get('/')).text, /Your requests[\s\S]*Waiting/)
      const refused = await supervisor.post(`/approvals/${request.approval_id}/decide`, {
        decision: 'refuse',
        note: 'The order names another account',
      })
      assert.equal(refused.status, 303, refused.text)
      for (const place of ['/', '/requests', '/requests?status=REJECTED', `/deposits/${depositId}`]) {
        assert.match((await clerk.get(place)).text, /The order names another account/, place)
      }
      assert.doesNotMatch((await clerk.get('/requests?status=APPROVED')).text, /another account/)
      assert.match((await supervisor.get('/requests?whose=all')).text, /another account/)
      const other = await office.visit(await office.employ('CLERK'))
      assert.doesNotMatch((await other.get('/requests?whose=all')).text, /another account/)
      assert.doesNotMatch((await other.get(`/deposits/${depositId}`)).text, /another account/)
    })

    test('in a browser: typed fields stay, a quote that fails leaves the figures, a lost payment ends in the truth', {
      skip: browserAbsence,
    }, async () => {
      const { depositId } = await openDeposit(office.ask, terms)
      const browser = await openBrowser()
      try {
        const context = await browser.newContext({ reducedMotion: 'reduce' })
        await lend(context, origin, clerk)
        const tab = await context.newPage()
        await tab.goto(`${origin}/console/deposits/${depositId}`)
        await tab.selectOption('#reason', 'COURT_ORDER')
        await tab.fill('#reference', 'CASE-9')
        await tab.getByText('How this was worked out').click()
        await tab.fill('#amount', '1000')
        await tab.waitForURL(/amount=1000/)
        assert.equal(await tab.inputValue('#reason'), 'COURT_ORDER')
        assert.equal(await tab.inputValue('#reference'), 'CASE-9')
        assert.equal(await tab.getAttribute('#why', 'open'), '')
        const figures = await tab.textContent('.hero')

        await context.setOffline(true)
        await tab.getByText('This browser is offline.').waitFor()
        await tab.fill('#amount', '2000')
        await tab.getByText('The figures did not arrive.').waitFor()
        assert.equal(await tab.textContent('.hero'), figures)
        await context.setOffline(false)
        await tab.getByRole('button', { name: 'Try again' }).click()
        await tab.waitForURL(/amount=2000/)

        // The first answer is lost on its way; the browser asks again with the same key.
        const told = tab.getByText('is sent again until we know')
        let sent = 0
        await tab.route('**/break', async (route) => {
          sent += 1
          if (sent > 1) {
            await told.waitFor()
            return route.continue()
          }
          await route.fetch({ maxRedirects: 0 })
          await route.abort()
        })
        await tab.locator('.act > .button').click()
        const dialog = tab.getByRole('dialog')
        const text = await dialog.textContent()
        assert(text!.includes('Court order') && text!.includes(depositId), text!)
        await dialog.getByRole('button', { name: /^Break and pay/ }).click()
        await tab.waitForURL('**?done=liq_*')
        assert(sent > 1)
        const paid = (await office.ask('GET', `/v2/fixed-deposits/${depositId}/liquidations`)).json.data
        assert.equal(paid.length, 1)
      } finally {
        await browser.close()
      }
    })

    test('in a browser: a lost answer to an approval, a credit, an opening or a taking back ends in the truth, once', {
      skip: browserAbsence,
    }, async () => {
      const { depositId, accountNumber } = await openDeposit(office.ask, { ...terms, amount: '2000000.00' })
      const body = { liquidation_type: 'PARTIAL', amount: 1_500_000, reason: 'COURT_ORDER' }
      const request = { operation: 'liquidateFixedDeposit', target_id: depositId, body }
      const approvalId = (await office.ask('POST', '/v2/approvals', request)).json.data.approval_id
      const liquidations = async () =>
        (await office.ask('GET', `/v2/fixed-deposits/${depositId}/liquidations`)).json.data
      const browser = await openBrowser()
      try {
        const context = await browser.newContext({ reducedMotion: 'reduce' })
        await lend(context, origin, supervisor)
        const tab = await context.newPage()
        const told = tab.getByText('is sent again until we know')
        // The first answer is lost on its way, after the service has done what was asked.
        // The second request waits until the page has said so: its answer ends the page.
        const losing = async (path: string, act: () => Promise<void>, landed: string) => {
          let sent = 0
          await tab.route(path, async (route) => {
            if (route.request().method() !== 'POST') return route.continue()
            sent += 1
            if (sent > 1) {
              await told.waitFor()
              return route.continue()
            }
            await route.fetch({ maxRedirects: 0 })
            await route.abort()
          })
          await act()
          await tab.waitForURL(landed)
          await tab.unroute(path)
          assert(sent > 1, path)
        }
        const dialog = tab.getByRole('dialog')

        await tab.goto(`${origin}/console/approvals/${approvalId}`)
        await losing(
          '**/decide',
          async () => {
            await tab.getByRole('button', { name: /^Approve and pay/ }).click()
            const text = (await dialog.textContent())!
            for (const named of ['Ada', accountNumber, depositId, 'Court order'])
              assert(text.includes(named), named)
            assert.equal(await tab.locator(':focus').textContent(), 'Back')
            await dialog.getByRole('button', { name: /^Approve and pay/ }).click()
          },
          `**/approvals/${approvalId}?done=yes`,
        )
        assert.match((await tab.textContent('main'))!, /Approved, and paid ₦/)
        assert.equal((await liquidations()).length, 1)

        const balance = async () =>
          (await office.ask('GET', `/v2/accounts/${accountNumber}`)).json.data.balance
        const before = await balance()
        await tab.goto(`${origin}/console/accounts/${accountNumber}`)
        await tab.fill('#amount', '250')
        await losing(
          '**/credit',
          () => tab.getByRole('button', { name: 'Credit the account' }).click(),
          '**?done=credited',
        )
        assert.equal(await balance(), before + 250)

        await tab.goto(`${origin}/console/accounts/${accountNumber}/open-deposit`)
        await tab.fill('#amount', '200')
        await tab.fill('#tenor', '90')
        await tab.fill('#interest_rate', '5')
        await tab.getByRole('button', { name: /terms/ }).click()
        await losing(
          '**/open-deposit',
          () => tab.getByRole('button', { name: /^Open/ }).click(),
          '**/deposits/*?done=opened',
        )
        assert.equal(await balance(), before + 50)

        const [paid] = await liquidations()
        await tab.goto(`${origin}/console/liquidations/${paid.liquidation_id}`)
        await tab.getByText('Take this back').click()
        await tab.fill('[name=reason]', 'Paid by mistake')
        await losing(
          '**/reverse',
          async () => {
            await tab.getByRole('button', { name: /^Take back/ }).click()
            await dialog.getByRole('button', { name: /^Take back/ }).click()
          },
          '**?done=reversed',
        )
        assert.equal((await liquidations())[0].reversed_at !== null, true)

        // What is refused is shown in place, and was sent once.
        let tries = 0
        await tab.route('**/credit', (route) => {
          tries += 1
          return route.continue()
        })
        await tab.goto(`${origin}/console/accounts/${accountNumber}`)
        await tab.fill('#amount', 'much')
        await tab.getByRole('button', { name: 'Credit the account' }).click()
        await tab.getByText('Give the amount in figures').first().waitFor()
        assert.equal(await tab.inputValue('#amount'), 'much')
        assert.equal(tries, 1)
      } finally {
        await browser.close()
      }
    })

    test('in a browser: results appear while typing, and the arrow keys choose one', {
      skip: browserAbsence,
    }, async () => {
      await office.ask('POST', '/v2/customer', {
        ...ada,
        first_name: 'Ngozi',
        last_name: 'Adichie',
        email: 'ngozi@example.com',
        phone_number: '+234 809 777 1234',
      })
      const browser = await openBrowser()
      try {
        const context = await browser.newContext({ reducedMotion: 'reduce' })
        await lend(context, origin, clerk)
        const tab = await context.newPage()
        await tab.goto(`${origin}/console`)
        await tab.keyboard.press('/')
        await tab.keyboard.type('0809 777')
        await tab.getByRole('option', { name: /Ngozi Adichie/ }).waitFor()
        assert.deepEqual(await accessibilityFindings(tab), [])
        await tab.keyboard.press('ArrowDown')
        await tab.keyboard.press('Enter')
        await tab.waitForURL('**/customers/cus_*')
        assert.equal(await tab.textContent('h1'), 'Ngozi Adichie')
        await tab.keyboard.press('/')
        await tab.keyboard.type('ngozi')
        await tab.keyboard.press('Enter')
        await tab.waitForURL('**/search?q=ngozi')
      } finally {
        await browser.close()
      }
    })

    test('in a browser: from the search to paid in twelve strokes', { skip: browserAbsence }, async () => {
      const { customerId, depositId } = await openDeposit(office.ask, terms)
      await office.ask('PUT', `/v2/customer/${customerId}`, { phone_number: '0807 222 4477' })
      const browser = await openBrowser()
      try {
        const context = await browser.newContext({ reducedMotion: 'reduce' })
        await lend(context, origin, clerk)
        const tab = await context.newPage()
        await tab.goto(`${origin}/console`)
        let strokes = 0
        const press = async (...keys: string[]) => {
          for (const key of keys) await tab.keyboard.press(key)
          strokes += keys.length
        }
        await press('/', '4', '4', '7', '7')
        await tab.locator('#found-0[aria-selected=true]').waitFor()
        assert.deepEqual(await accessibilityFindings(tab), [])
        await press('ArrowDown', 'Enter')
        await tab.waitForURL(`**/deposits/${depositId}`)
        await press('b', 'c', 'Enter')
        await tab.locator('dialog#sure[open]').waitFor()
        assert.equal(await tab.locator(':focus').textContent(), 'Back')
        await press('Tab', 'Enter')
        await tab.waitForURL('**?done=liq_*')
        assert(strokes <= 12, `${strokes} strokes`)
        const [paid] = (await office.ask('GET', `/v2/fixed-deposits/${depositId}/liquidations`)).json.data
        assert.equal(paid.reason, 'CUSTOMER_IN_BRANCH')
      } finally {
        await browser.close()
      }
    })

    test('the books are in order afterwards', () => audit(db))
  })
}
