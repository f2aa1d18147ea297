/** Products at the counter: sheets are edited as a table, deposits opened by a product, instructions and parties changed. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { audit } from '../support/auditor.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { harbourFix, harbourSheet } from '../support/products.ts'
import { ada, firstRules, fundedAccount } from '../support/service.ts'
import { type Office, openConsole, type Visitor } from './office.ts'

const fields = {
  name: 'Quay Plus',
  currency: 'NGN',
  status: 'OPEN',
  min_amount: '1,000',
  max_amount: '',
  unit: 'MONTH',
  tenor_min: '1',
  tenor_max: '24',
  multiple: '1',
  method: 'PAYOUT',
  every: 'MONTH',
  recover: 'yes',
  on_holiday: 'NEXT_BUSINESS_DAY',
  instruction: 'PAY_OUT',
  limit: '',
  rate_min: '',
  rate_max: '',
  bonuses: 'SENIOR 0.5\nSTAFF 1',
  rules: '',
}

const sheet = {
  effective_from: '2026-07-01',
  tenor_unit: 'MONTH',
  t0: '0',
  t1: '6',
  t2: '',
  a0: '0',
  a1: '1000000',
  r0_0: '8',
  r0_1: '8.25',
  r1_0: '9',
  r1_1: '9.5',
}

for (const engine of engines) {
  describe(`${engine.name}: products in the console`, { skip: engine.skip }, () => {
    let db: TestDatabase
    let office: Office
    let clerk: Visitor
    let supervisor: Visitor
    before(async () => {
      db = await engine.open()
      office = await openConsole(db)
      clerk = await office.visit(await office.employ('CLERK'))
      supervisor = await office.visit(await office.employ('SUPERVISOR'))
    })
    after(async () => {
      await office?.close()
      await db?.close()
    })

    const send = async (visitor: Visitor, page: string, sent: Record<string, string>) => {
      const shown = await visitor.get(page)
      assert.equal(shown.status, 200, shown.text)
      const key = /name="key" value="([^"]+)"/.exec(shown.text)![1]!
      return visitor.post(page, { key, ...sent })
    }

    test('a product is written, its sheet published, and a deposit opened by it after a look', async () => {
      const wrong = await send(supervisor, '/new-product', { ...fields, product_code: 'QUAY', every: '' })
      assert.equal(wrong.status, 422, wrong.text)
      assert.match(wrong.text, /value="Quay Plus"/)
      const written = await send(supervisor, '/new-product', { ...fields, product_code: 'quay' })
      assert.equal(written.location, '/console/products/QUAY?done=written', written.text)
      const stored = (await office.ask('GET', '/v2/products/QUAY')).json.data
      assert.deepEqual(
        [stored.min_amount, stored.bonuses, stored.interest.method, stored.maturity.on_holiday],
        [1_000, { SENIOR: 0.5, STAFF: 1 }, 'PAYOUT', 'NEXT_BUSINESS_DAY'],
      )
      assert.match((await clerk.get('/products/QUAY')).text, /There is no rate sheet yet/)
      assert.equal((await clerk.get('/products/QUAY/sheet')).status, 403)

      const wider = await supervisor.get(
        `/products/QUAY/sheet?${new URLSearchParams({ ...sheet, add_row: 'yes' })}`,
      )
      assert.match(wider.text, /name="t2" [^>]*value=""/)
      assert.match(wider.text, /name="r1_1" [^>]*value="9.5"/)
      const refused = await send(supervisor, '/products/QUAY/sheet', { ...sheet, r0_0: 'eight' })
      assert.equal(refused.status, 422)
      const added = await send(supervisor, '/products/QUAY/sheet', sheet)
      assert.equal(added.location, '/console/products/QUAY?done=added', added.text)
      const page = await clerk.get('/products/QUAY')
      assert.match(page.text, /<th [^>]*>from 0\.00<\/th>\s*<th [^>]*>from 1,000,000\.00<\/th>/)
      assert.match(page.text, /<td [^>]*>9\.5\u00a0%<\/td>/)
      const { tenor_from, amount_from, rates } = (await office.ask('GET', '/v2/products/QUAY/rate-sheets/1'))
        .json.data
      assert.deepEqual(
        [tenor_from, amount_from, rates],
        [
          [0, 6],
          [0, 1_000_000],
          [
            [8, 8.25],
            [9, 9.5],
          ],
        ],
      )

      const { accountNumber } = await fundedAccount(office.ask, 500_000)
      const open = `/accounts/${accountNumber}/open-deposit`
      const wish = { product_code: 'QUAY', amount: '200,000', tenor: '12', unit: 'MONTH', interest_rate: '' }
      const terms = { ...wish, bonuses: 'senior', maturity_instruction: '' }
      const looked = await send(clerk, open, terms)
      assert.match(looked.text, /9\.5\s%[\s\S]*rate sheet 1/)
      assert.match(looked.text, /1 Aug 2026[\s\S]*1,613\.70/)
      assert.match(looked.text, /From 2 Jul 2026 on the customer has received more/)
      const agreed = { ...terms, sure: 'yes', expected_interest_rate: '9.5' }
      const shown = await send(clerk, open, { ...agreed, expected_interest_rate: '9' })
      assert.match(shown.text, /The figures are not the same any more/)
      const opened = await send(clerk, open, agreed)
      assert.match(opened.location, /\/deposits\/fd_\w+\?done=opened/, opened.text)
      assert.match((await supervisor.get('/')).text, /<a href="[^"]*[?;]product=QUAY[^"]*">Quay Plus</)
      await audit(db)
    })

    test('the sheet that is typed shows what the last deposits would get', async () => {
      const typed = new URLSearchParams({ ...sheet, r1_0: '12' })
      const preview = await supervisor.get(`/products/QUAY/sheet?${typed}`)
      assert.match(preview.text, /₦200,000\.00[\s\S]*12 months[\s\S]*9\s%[\s\S]*<b>12\s%<\/b>/)
    })

    test('a version shows what it would change before it is written', async () => {
      const { items } = { items: (await office.ask('GET', '/v2/fixed-deposits?product_code=QUAY')).json.data }
      const broken = await office.ask('POST', `/v2/fixed-deposits/${items[0].deposit_id}/liquidate`, {
        liquidation_type: 'PARTIAL',
        amount: 1_000,
      })
      assert.equal(broken.status, 200, broken.text)
      const rules = JSON.stringify({ ...firstRules, allow_partial: false })
      const looked = await send(supervisor, '/products/QUAY/edit', { ...fields, rules, look: 'yes' })
      assert.equal(looked.status, 200, looked.text)
      assert.match(looked.text, /What this version would change[\s\S]*Refused[\s\S]*>0<[\s\S]*<b>1<\/b>/)
      assert.equal((await office.ask('GET', '/v2/products/QUAY')).json.data.version, 1)
    })

    test('instruction and parties are changed on the page of the deposit', async () => {
      await office.ask('PUT', '/v2/products/HARBOUR', harbourFix)
      await office.ask('POST', '/v2/products/HARBOUR/rate-sheets', harbourSheet)
      const { accountNumber: account_number } = await fundedAccount(office.ask, 700_000)
      const body = {
        account_number,
        amount: 600_000,
        product_code: 'HARBOUR',
        tenor_months: 12,
        start_date: '2026-01-15',
      }
      const { deposit_id, customer_id } = (await office.ask('POST', '/v2/fixed-deposits', body)).json.data
      const page = `/deposits/${deposit_id}`
      const { text } = await clerk.get(page)
      assert.match(text, /Interest paid before maturity[\s\S]*Next: ₦5,424\.66 on 15 Jul 2026/)
      assert.match(text, /15 May 2026 to 15 Jun 2026/)
      // What maturity pays: the principal and the last payment.
      assert.match(text, /At maturity<\/dt><dd>₦605,605\.48/)

      const key = `i-${'k'.repeat(30)}`
      const changed = await clerk.post(`${page}/maturity-instruction`, {
        key,
        maturity_instruction: 'PAY_OUT',
      })
      assert.equal(changed.location, `/console${page}?done=instructed`, changed.text)
      const other = await office.ask('POST', '/v2/customer', {
        ...ada,
        last_name: 'Eze',
        email: 'eze@example.com',
      })
      const party = { mandate: 'ALL', customer0: customer_id, role0: 'JOINT' }
      const holder = await send(clerk, `${page}/parties`, party)
      assert.match(holder.text, /The holder is no other party/)
      const named = { ...party, customer0: other.json.data.customer_id }
      const recorded = await send(clerk, `${page}/parties`, named)
      assert.equal(recorded.location, `/console${page}?done=parties`, recorded.text)
      const after = (await clerk.get(page)).text
      assert.match(after, /Ada Eze<\/a> <small>Joint holder/)
      assert.match(after, /At maturity<\/dt><dd>Pays out/)
    })

    test('the calendar is written as days and dates', async () => {
      const sent = { SAT: 'yes', SUN: 'yes', holidays: '2026-12-28\n2026-12-25' }
      const wrong = await send(supervisor, '/calendar', { ...sent, holidays: '2026-02-30' })
      assert.equal(wrong.status, 422)
      const written = await send(supervisor, '/calendar', sent)
      assert.equal(written.location, '/console/calendar?done=yes', written.text)
      const { weekend, holidays, version } = (await office.ask('GET', '/v2/business-calendar')).json.data
      assert.deepEqual([weekend, holidays, version], [['SAT', 'SUN'], ['2026-12-25', '2026-12-28'], 1])
      assert.match((await clerk.get('/calendar')).text, /4 Jul 2026/)
      assert.equal((await clerk.post('/calendar', sent)).status, 403)
    })
  })
}
