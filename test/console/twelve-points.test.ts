/**
 * One scenario for each of the twelve things that staff must be able to do at the counter, in Chromium, in the order of
 * the paper on the console, on both engines. Details of each are tested beside the parts that do them.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page as Tab } from 'playwright-core'
import { prepareDemo } from '../../src/cli/demo.ts'
import { ROLES, type Role } from '../../src/domain/people.ts'
import { audit } from '../support/auditor.ts'
import { browserAbsence, openBrowser } from '../support/browser.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { harbourFix, harbourSheet } from '../support/products.ts'
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
const rule = { operation: 'liquidateFixedDeposit', when: { amount: { gte: 1_000_000 } }, approvals: 1 }
const policy = { expires_after_hours: 72, deciders: 'PERSON', rules: [rule] }

/** A text that a page does not have fails after a minute, not after the patience of tests that start programs. */
const PATIENCE_MS = 60_000

for (const engine of engines) {
  describe(`${engine.name}: the twelve points of the counter`, {
    skip: engine.skip || browserAbsence,
  }, () => {
    let db: TestDatabase
    let office: Office
    let browser: Browser
    let origin: string
    const visitors = new Map<Role, Visitor>()
    before(async () => {
      db = await engine.open()
      office = await openConsole(db)
      await replaceRules(office.ask, { penal_rules: tiers })
      for (const role of ['CLERK', 'SUPERVISOR', 'ADMINISTRATOR'] as const) {
        visitors.set(role, await office.visit(await office.employ(role)))
      }
      const inForce = await office.ask('PUT', '/v2/approval-policy', policy)
      assert.equal(inForce.status, 200, inForce.text)
      origin = await office.listen()
      browser = await openBrowser()
    })
    after(async () => {
      await browser?.close()
      await office?.close()
      await db?.close()
    })

    /** A tab of somebody with this role at a page. */
    async function tabOf(role: Role, path: string, options = {}): Promise<Tab> {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
      await lend(context, origin, visitors.get(role)!)
      const tab = await context.newPage()
      tab.setDefaultTimeout(PATIENCE_MS)
      await tab.goto(`${origin}/console${path}`)
      return tab
    }
    const textOf = async (tab: Tab) => (await tab.locator('main').textContent()) ?? ''
    const focused = (tab: Tab) => tab.locator(':focus').textContent()

    test('1. Nothing typed is lost or hidden', async () => {
      const { depositId } = await openDeposit(office.ask, terms)
      const tab = await tabOf(
        'SUPERVISOR',
        `/deposits/${depositId}?waive=percent&waived=50&waiver_reason=GOODWILL`,
      )
      await tab.selectOption('#reason', 'CUSTOMER_BY_PHONE')
      await tab.fill('#reference', 'CALL-7')
      await tab.fill('[name=waiver_note]', 'Long-standing customer')
      await tab.fill('#amount', '100000')
      await tab.waitForURL(/amount=100000/)
      assert.equal(await tab.inputValue('#reference'), 'CALL-7')
      assert.equal(await tab.inputValue('#reason'), 'CUSTOMER_BY_PHONE')
      assert.doesNotMatch(tab.url(), /Long-standing|waiver_note/)
      await tab.locator('.act > .button').click()
      await tab
        .getByRole('dialog')
        .getByRole('button', { name: /^Break and pay/ })
        .click()
      await tab.waitForURL('**?done=liq_*')
      const liquidationId = /liq_\w+/.exec(tab.url())![0]
      await tab.locator(`main a[href$="/liquidations/${liquidationId}"]`).first().click()
      await tab.waitForURL(`**/liquidations/${liquidationId}`)
      const text = await textOf(tab)
      for (const typed of ['Customer asked by phone', 'CALL-7', 'Goodwill', 'Long-standing customer']) {
        assert(text.includes(typed), typed)
      }
    })

    test('2. Requests have an outcome', async () => {
      const { depositId } = await openDeposit(office.ask, { ...terms, amount: '2000000.00' })
      const clerk = await tabOf('CLERK', `/deposits/${depositId}`)
      await clerk.selectOption('#reason', 'CUSTOMER_IN_BRANCH')
      await clerk.locator('.act [name=note]').fill('She moves abroad')
      await clerk.locator('.act > .button').click()
      await clerk.getByText('waits for approval').first().waitFor()
      const supervisor = await tabOf('SUPERVISOR', '/approvals')
      assert.match(await textOf(supervisor), /She moves abroad/)
      await supervisor.fill('[name=note]', 'Signature differs')
      await supervisor.getByRole('button', { name: 'Refuse' }).click()
      await supervisor.getByText('Refused. Nothing was done.').waitFor()
      await clerk.goto(`${origin}/console`)
      assert.match(await textOf(clerk), /Refused[\s\S]*Signature differs/)
      await clerk.goto(`${origin}/console/deposits/${depositId}`)
      assert.match(await textOf(clerk), /Refused[\s\S]*Signature differs/)
      await supervisor.goto(`${origin}/console/requests?whose=all`)
      await supervisor.selectOption('#status', 'REJECTED')
      const own = await supervisor
        .locator('#decider option', { hasText: 'Amina Yusuf' })
        .evaluateAll((options) => options.map((option) => (option as unknown as { value: string }).value))
      const found = await Promise.all(
        own.map(async (decider) => {
          const query = new URLSearchParams({ whose: 'all', status: 'REJECTED', decider })
          return (await visitors.get('SUPERVISOR')!.get(`/requests?${query}`)).text.includes(
            'Signature differs',
          )
        }),
      )
      assert.equal(found.filter(Boolean).length, 1, 'the filter names who refused')
    })

    test('3. Find as people speak', async () => {
      const customer = { ...ada, first_name: 'Ngozi', last_name: 'Adichie', email: 'ngozi@example.com' }
      await office.ask('POST', '/v2/customer', { ...customer, phone_number: '+234 809 777 1234' })
      const tab = await tabOf('CLERK', '')
      for (const said of ['0809 777 1234', '2348097771', '977712', 'ngozi', 'Adichei']) {
        await tab.keyboard.press('/')
        await tab.fill('#find', '')
        await tab.keyboard.type(said)
        await tab.getByRole('option', { name: /Ngozi Adichie/ }).waitFor()
        await tab.keyboard.press('Escape')
      }
      const plain = await tabOf('CLERK', '', { javaScriptEnabled: false })
      await plain.fill('#find', '0809 777 1234')
      await plain.press('#find', 'Enter')
      await plain.getByRole('link', { name: 'Ngozi Adichie' }).first().waitFor()
    })

    test('4. Say it to the customer', async () => {
      const { depositId } = await openDeposit(office.ask, terms)
      const tab = await tabOf('CLERK', `/deposits/${depositId}`)
      const said =
        /You have held \d+ of \d+ days, which is \d+\s%\.[^.]+ the bank keeps 80\s% of the interest earned so far/
      assert.match(await textOf(tab), said)
      await tab.selectOption('#reason', 'CUSTOMER_IN_BRANCH')
      await tab.locator('.act > .button').click()
      await tab
        .getByRole('dialog')
        .getByRole('button', { name: /^Break and pay/ })
        .click()
      await tab.getByRole('link', { name: 'Print the advice' }).first().click()
      await tab.waitForURL('**/advice')
      const letter = (await tab.locator('article').textContent())!
      assert.match(letter, said)
      assert.doesNotMatch(letter, /ACT\/365|rule \d/i)
    })

    test('5. The whole counter', async () => {
      const tab = await tabOf('SUPERVISOR', '/open/customer')
      const fields = {
        ...{ first_name: 'Bisi', last_name: 'Ojo', email: 'bisi@example.com' },
        ...{ phone_number: '+234 802 555 0101', address: '1 Marina' },
      }
      for (const [name, value] of Object.entries(fields)) await tab.fill(`[name=${name}]`, value)
      await tab.getByRole('button', { name: 'Open customer' }).click()
      await tab.waitForURL('**/customers/cus_*')
      await tab.goto(`${tab.url().split('?')[0]}/open-account`)
      await tab.getByRole('button', { name: 'Open account' }).click()
      await tab.waitForURL(/\/accounts\/\d{10}/)
      await tab.fill('[name=amount]', '300000')
      await tab.getByRole('button', { name: 'Credit the account' }).click()
      await tab.getByText('The account was credited.').waitFor()
      await tab.getByRole('link', { name: 'New fixed deposit' }).click()
      await tab.fill('[name=amount]', '250000')
      await tab.fill('[name=tenor]', '180')
      await tab.fill('[name=interest_rate]', '10')
      await tab.getByRole('button', { name: 'Show the terms' }).click()
      await tab.getByRole('button', { name: /^Open with/ }).click()
      await tab.waitForURL('**/deposits/fd_*')
      const deposit = tab.url().split('?')[0]!
      const press = async (form: string, values: Record<string, string>, button: string) => {
        await tab.evaluate('for (const one of document.querySelectorAll("main details")) one.open = true')
        for (const [name, value] of Object.entries(values))
          await tab.fill(`form[action$="${form}"] [name=${name}]`, value)
        await tab.getByRole('button', { name: button, exact: true }).first().click()
      }
      await press('/liens', { amount: '50000', reason: 'Loan 9' }, 'Place the lien')
      await tab.getByText('The lien was placed.').waitFor()
      await press('/release', { reason: 'Repaid' }, 'Release the lien')
      await tab.getByText('The lien was released.').waitFor()
      for (const letter of ['certificate', 'statement']) {
        await tab.goto(`${deposit}/${letter}`)
        assert.match(await textOf(tab), /Bisi Ojo/)
      }
      for (const list of ['liquidations', 'deposits', 'ledger', 'tax', 'liens', 'accounts', 'customers']) {
        await tab.goto(`${origin}/console/${list}`)
        await tab.getByRole('link', { name: 'Download CSV' }).waitFor()
      }
    })

    test('6. The rules room', async () => {
      const { depositId } = await openDeposit(office.ask, terms)
      const body = { liquidation_type: 'FULL' }
      const broken = await office.ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
      assert.equal(broken.status, 200, broken.text)
      const tab = await tabOf('SUPERVISOR', '/rules?until0=30&share0=90&share1=10')
      assert.match(await textOf(tab), /Proposed/)
      await tab.goto(`${origin}/console/policy`)
      assert.match(await textOf(tab), /and 0 by these\./)
      await tab.fill('[name=value0]', '400000')
      await tab.getByText(/and [1-9]\d* by these\./).waitFor()
      await tab.getByRole('button', { name: 'Ask for approval of version 2' }).click()
      await tab.getByRole('button', { name: 'Back', exact: true }).waitFor()
      assert.equal(await focused(tab), 'Back')
      await tab.fill('[name=note]', 'By order of the board')
      await tab.getByRole('button', { name: 'Ask for approval of version 2' }).click()
      await tab.waitForURL('**/requests')
      assert.match(await textOf(tab), /Change the approval policy/)
      const [waiting] = (await office.ask('GET', '/v2/approvals?status=PENDING')).json.data
      assert.deepEqual([waiting.operation, waiting.note], ['replaceApprovalPolicy', 'By order of the board'])
      await tab.goto(`${origin}/console/tax-rules`)
      await tab.fill('[name=rate0]', '10')
      await tab.getByRole('button', { name: 'Put version 1 in force' }).click()
      await tab.getByRole('button', { name: 'Back', exact: true }).waitFor()
      assert.equal(await focused(tab), 'Back')
      await tab.getByRole('button', { name: 'Put version 1 in force' }).click()
      await tab.waitForURL('**/tax-rules?done=1')
      assert.equal((await office.ask('GET', '/v2/tax-rules')).json.data.classes.STANDARD, 10)
    })

    test('7. Keys and people', async () => {
      const administrator = visitors.get('ADMINISTRATOR')!
      const made = await administrator.post('/webhooks', { url: 'https://example.com/hook' })
      const endpoint = /we_\w+/.exec(made.text)![0]
      await openDeposit(office.ask, terms)
      const tab = await tabOf('ADMINISTRATOR', '/access/keys')
      await tab.fill('#name', 'Night export')
      await tab.getByLabel('customers:read').check()
      await tab.getByRole('button', { name: 'Make the key' }).click()
      await tab.getByText('This key is shown only this once').waitFor()
      await tab.goto(`${origin}/console/access/keys?find=night`)
      assert.equal(await tab.locator('table.rows tbody tr').count(), 1)
      for (const act of ['Replace', 'Revoke']) {
        await tab
          .getByRole('button', { name: `${act} Night export` })
          .first()
          .click()
        assert.equal(await focused(tab), 'Back')
        await tab.getByRole('dialog').getByRole('button', { name: act, exact: true }).click()
        await tab.locator('.notice.good').waitFor()
        await tab.goto(`${origin}/console/access/keys?find=night&status=active&sort=made`)
      }
      await tab.goto(`${origin}/console`)
      assert.match(await textOf(tab), /To be looked after/)
      await tab.goto(`${origin}/console/webhooks/${endpoint}?status=PENDING&event=fixed_deposit.created`)
      assert.equal(await tab.locator('table.rows tbody tr').count(), 1)
      assert.match(await textOf(tab), /Next attempt/)
      await tab.locator('table.rows a[href*="/events/evt_"]').click()
      assert.match((await tab.locator('pre').textContent())!, /"type": "fixed_deposit\.created"/)
    })

    test('8. Second look where stakes are high', async () => {
      const { depositId } = await openDeposit(office.ask, { ...terms, amount: '3000000.00' })
      const body = { liquidation_type: 'FULL' }
      const request = { operation: 'liquidateFixedDeposit', target_id: depositId, body }
      const { approval_id } = (await office.ask('POST', '/v2/approvals', request)).json.data
      const supervisor = await tabOf('SUPERVISOR', `/approvals/${approval_id}`)
      await supervisor
        .getByRole('button', { name: /^Approve and pay/ })
        .first()
        .click()
      const dialog = supervisor.getByRole('dialog')
      assert.equal(await focused(supervisor), 'Back')
      assert.match((await dialog.textContent())!, /Ada Obi/)
      await dialog.getByRole('button', { name: /^Approve and pay/ }).click()
      await supervisor.getByText(/^Approved, and paid/).waitFor()
      const administrator = await tabOf('ADMINISTRATOR', '/access?role=CLERK')
      await administrator.locator('details.person summary').first().click()
      await administrator.getByRole('button', { name: 'Disable' }).first().click()
      assert.equal(await focused(administrator), 'Back')
      assert.match((await administrator.getByRole('dialog').textContent())!, /Disable Amina Yusuf\?/)
      const made = await visitors
        .get('ADMINISTRATOR')!
        .post('/webhooks', { url: 'https://example.com/eight' })
      const path = `/webhooks/${/we_\w+/.exec(made.text)![0]}`
      await administrator.goto(`${origin}/console${path}`)
      await administrator.getByRole('button', { name: 'Replace the secret' }).click()
      assert.equal(await focused(administrator), 'Back')
      await administrator.getByRole('dialog').getByRole('button', { name: 'Replace the secret' }).click()
      await administrator.getByText(/whsec_/).waitFor()
      const plain = await tabOf('ADMINISTRATOR', path, { javaScriptEnabled: false })
      await plain.getByRole('button', { name: 'Remove' }).click()
      await plain.getByRole('heading', { name: 'Remove this address?' }).waitFor()
      assert.match(await textOf(plain), /https:\/\/example\.com\/eight/)
      await plain.getByRole('button', { name: 'Remove' }).click()
      await plain.waitForURL('**/webhooks?done=removed')
    })

    test('9. The network may fail', async () => {
      const { depositId } = await openDeposit(office.ask, terms)
      const tab = await tabOf('CLERK', `/deposits/${depositId}`)
      const figures = await tab.textContent('.hero')
      await tab.context().setOffline(true)
      await tab.getByText('This browser is offline.').waitFor()
      await tab.fill('#amount', '2000')
      await tab.getByText('The figures did not arrive.').waitFor()
      assert.equal(await tab.textContent('.hero'), figures)
      await tab.context().setOffline(false)
      await tab.getByRole('button', { name: 'Try again' }).click()
      await tab.waitForURL(/amount=2000/)
      await tab.selectOption('#reason', 'CUSTOMER_IN_BRANCH')
      let sent = 0
      await tab.route('**/break', async (route) => {
        sent += 1
        if (sent > 1) return route.continue()
        await route.fetch({ maxRedirects: 0 })
        await route.abort()
      })
      await tab.locator('.act > .button').click()
      await tab
        .getByRole('dialog')
        .getByRole('button', { name: /^Break and pay/ })
        .click()
      await tab.waitForURL('**?done=liq_*')
      assert(sent > 1)
      const paid = (await office.ask('GET', `/v2/fixed-deposits/${depositId}/liquidations`)).json.data
      assert.equal(paid.length, 1)
    })

    test('10. Pictures people look at', async () => {
      await office.ask('PUT', '/v2/products/HARBOUR', harbourFix)
      await office.ask('POST', '/v2/products/HARBOUR/rate-sheets', harbourSheet)
      await openDeposit(office.ask, { ...terms, start_date: '2026-06-01', tenor: 60 })
      const tab = await tabOf('SUPERVISOR', '')
      for (const picture of ['Matures by week', 'Owed to customers by product', 'Owed by rate']) {
        assert.equal(await tab.getByRole('table', { name: picture }).count(), 1, picture)
      }
      await tab.getByRole('table', { name: 'Owed by rate' }).getByRole('link').first().click()
      await tab.waitForURL('**/deposits?*rate_from=*')
      assert((await tab.locator('table.rows tbody tr').count()) > 0)
      await tab.goto(`${origin}/console/report`)
      await tab.locator('.figures dd a').first().click()
      await tab.waitForURL('**/liquidations?*')
      assert((await tab.locator('table.rows tbody tr').count()) > 0)
    })

    test('11. A demo worth a look', async () => {
      const directory = await mkdtemp(join(tmpdir(), 'breakwater-test-'))
      try {
        const { people } = await prepareDemo(office.service, directory)
        assert.deepEqual(people.map(({ role }) => role).toSorted(), [...ROLES].toSorted())
        for (const { role, email, password } of people) {
          const tab = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
          await tab.goto(`${origin}/console/sign-in`)
          await tab.getByLabel('E-mail').fill(email)
          await tab.getByLabel('Password').fill(password)
          await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
          await tab.waitForURL(`${origin}/console`)
          const rows = () => tab.locator('table.rows tbody tr').count()
          if (role === 'ADMINISTRATOR') {
            await tab.goto(`${origin}/console/webhooks`)
            const webhook = await tab.locator('table.rows a').first().getAttribute('href')
            for (const status of ['DELIVERED', 'FAILED']) {
              await tab.goto(`${origin}${webhook}?status=${status}`)
              assert((await rows()) > 0, status)
            }
            continue
          }
          await tab.goto(`${origin}/console/liens?status=ACTIVE`)
          assert.equal(await rows(), 1)
          await tab.goto(`${origin}/console/deposits`)
          const [, deposits] = /Sum of all ([\d,]+), NGN/.exec(await textOf(tab))!
          assert(Number(deposits!.replaceAll(',', '')) > 300, deposits)
          await tab.goto(`${origin}/console/liquidations?waived=yes`)
          assert((await rows()) > 0)
        }
      } finally {
        await rm(directory, { recursive: true })
      }
    })

    test('12. Plain words', async () => {
      const said = /Break wholly|Waits for you|Take the request back|Nothing is known to have been done/
      const { depositId, customerId } = await openDeposit(office.ask, terms)
      for (const role of ['CLERK', 'SUPERVISOR'] as const) {
        const tab = await tabOf(role, '')
        for (const path of [
          '',
          `/deposits/${depositId}`,
          `/customers/${customerId}`,
          '/requests',
          '/deposits',
        ]) {
          await tab.goto(`${origin}/console${path}`)
          assert.doesNotMatch(await tab.locator('body').innerText(), said, `${role} ${path}`)
        }
      }
      const large = await openDeposit(office.ask, { ...terms, amount: '4000000.00' })
      const tab = await tabOf('CLERK', `/deposits/${large.depositId}`)
      await tab.selectOption('#reason', 'CUSTOMER_IN_BRANCH')
      await tab.locator('.act > .button').click()
      await tab.getByText('waits for approval').first().waitFor()
      await tab.getByRole('button', { name: 'Withdraw request' }).waitFor()
      const home = await tabOf('SUPERVISOR', '')
      await home.getByText('Waiting for you').first().waitFor()
    })

    test('the books are in order afterwards', () => audit(db))
  })
}
