/** Opening, crediting and holding at the counter, and the lists that show it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { audit } from '../support/auditor.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { openDeposit } from '../support/service.ts'
import { type Office, openConsole, type Visitor } from './office.ts'

const person = {
  first_name: 'Ngozi',
  last_name: 'Adichie',
  email: 'ngozi@example.com',
  phone_number: '+234 809 777 1234',
  address: '1 Marina, Lagos',
}

for (const engine of engines) {
  describe(`${engine.name}: opening at the counter`, { skip: engine.skip }, () => {
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

    const keyOf = (text: string, action: string): string => {
      const form = new RegExp(`action="/console${action}"[\\s\\S]*?</form>`).exec(text)![0]
      return /name="key" value="([^"]+)"/.exec(form)![1]!
    }
    const send = async (visitor: Visitor, form: { page: string; action: string }, fields: object) => {
      const key = keyOf((await visitor.get(form.page)).text, form.action)
      return visitor.post(form.action, { key, ...fields } as Record<string, string>)
    }

    test('a customer, an account, a credit and a deposit, each once however often the form is sent', async () => {
      const opened = await send(clerk, { page: '/open/customer', action: '/open/customer' }, person)
      assert.match(opened.location, /\/customers\/cus_/, opened.text)
      const customer = opened.location.replace('/console', '')
      assert.equal((await clerk.get(`${customer}/open-account`)).status, 403)
      const form = `${customer}/open-account`
      const { location: account } = await send(supervisor, { page: form, action: form }, { currency: '' })
      assert.match(account, /\/accounts\/\d+$/)
      const page = account.replace('/console', '')
      const credit = { page, action: `${page}/credit` }
      const key = keyOf((await supervisor.get(page)).text, credit.action)
      for (const _ of [1, 2]) {
        const credited = await supervisor.post(credit.action, {
          key,
          amount: '250,000.00',
          narration: 'Cash',
        })
        assert.match(credited.location, /done=credited/, credited.text)
      }
      assert.match((await clerk.get(page)).text, /₦250,000\.00/)

      const open = `${page}/open-deposit`
      const terms = { amount: '200000', tenor: '365', interest_rate: '10', auto_rollover: 'no' }
      const looked = await send(clerk, { page: open, action: open }, terms)
      assert.equal(looked.status, 200, looked.text)
      assert.match(looked.text, /Interest of the whole term[\s\S]*₦20,000\.00/)
      const agreed = { ...terms, key: keyOf(looked.text, open), sure: 'yes' }
      const [first, second] = [await clerk.post(open, agreed), await clerk.post(open, agreed)]
      assert.match(first.location, /\/deposits\/fd_\w+\?done=opened/, first.text)
      assert.equal(second.location, first.location)
      assert.match((await clerk.get(page)).text, /₦50,000\.00/)
    })

    test('what was typed wrongly is shown again with the reason, and nothing is done', async () => {
      const open = { page: '/open/customer', action: '/open/customer' }
      const wrong = await send(clerk, open, { ...person, email: 'nonsense' })
      assert.equal(wrong.status, 422)
      assert.match(wrong.text, /value="Ngozi"/)
      assert.match(wrong.text, /Give an e-mail address/)
      assert.equal((await clerk.post('/open/customer', person)).status, 422)
      const { accountNumber } = await openDeposit(office.ask, { amount: 10 })
      const page = `/accounts/${accountNumber}/open-deposit`
      const poor = { amount: '1000', tenor: '30', interest_rate: '5', sure: 'yes' }
      const refused = await send(clerk, { page, action: page }, poor)
      assert.equal(refused.status, 409)
      assert.match(refused.text, /The account does not hold enough/)
    })

    test('a lien is placed and released on the deposit, by those who may', async () => {
      const { depositId } = await openDeposit(office.ask, { amount: 1000 })
      const page = `/deposits/${depositId}`
      assert.doesNotMatch((await clerk.get(page)).text, /Place a lien/)
      const action = `${page}/liens`
      const placed = await send(supervisor, { page, action }, { amount: '400', reason: 'Loan 77' })
      assert.match(placed.location, /done=placed/, placed.text)
      const held = await supervisor.get(page)
      assert.match(held.text, /₦400\.00 cannot be withdrawn/)
      const release = /\/liens\/lien_\w+\/release/.exec(held.text)![0]
      const released = await send(supervisor, { page, action: release }, { reason: 'Repaid' })
      assert.match(released.location, /done=released/, released.text)
      assert.doesNotMatch((await supervisor.get(page)).text, /cannot be withdrawn/)
    })

    test('liquidations are listed with filters and sums, and the file has exactly those', async () => {
      const { depositId } = await openDeposit(office.ask, { amount: 9000 })
      const body = { liquidation_type: 'PARTIAL', amount: 1000, reference: 'LIST-1' }
      await office.ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
      await office.ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, { ...body, reference: 'LIST-2' })
      const all = await clerk.get('/liquidations?account=&type=PARTIAL')
      assert.match(all.text, /Sum of all 2, NGN[\s\S]*₦2,000\.00/)
      const one = await clerk.get('/liquidations?reference=LIST-1')
      assert.match(one.text, /Sum of all 1, NGN/)
      const file = await clerk.get('/liquidations.csv?reference=LIST-1')
      const lines = file.text.trim().split('\r\n')
      assert.equal(lines.length, 2)
      assert.match(lines[1]!, /,1000\.00,.*LIST-1/)
      assert.match((await clerk.get('/liquidations?from=2031-01-01')).text, /No deposit was broken/)
    })

    test('where the policy asks for a second person, the form becomes a request', async () => {
      const rule = { operation: 'creditAccount', when: { amount: { gte: 1000 } }, approvals: 1 }
      await office.ask('PUT', '/v2/approval-policy', {
        expires_after_hours: 72,
        deciders: 'ANY',
        rules: [rule],
      })
      const { accountNumber } = await openDeposit(office.ask, { amount: 10 })
      const page = `/accounts/${accountNumber}`
      const asked = await send(supervisor, { page, action: `${page}/credit` }, { amount: '5000' })
      assert.equal(asked.location, '/console/requests', asked.text)
      assert.match((await supervisor.get('/requests')).text, /₦5,000\.00[\s\S]*Waiting/)
      assert.match((await supervisor.get(page)).text, /₦0\.00/)
    })

    test('the books are in order afterwards', () => audit(db))
  })
}
