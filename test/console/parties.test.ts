/** Joint holders and others: the customer is found as in the search. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { accessibilityFindings } from '../support/axe.ts'
import { browserAbsence, openBrowser } from '../support/browser.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { ada, openDeposit } from '../support/service.ts'
import { lend, type Office, openConsole, type Visitor } from './office.ts'

describe('parties in the console', () => {
  let db: TestDatabase
  let office: Office
  let clerk: Visitor
  let depositId: string
  const people = new Map<string, string>()
  before(async () => {
    db = await engines[0]!.open()
    office = await openConsole(db)
    clerk = await office.visit(await office.employ('CLERK'))
    ;({ depositId } = await openDeposit(office.ask, { amount: '1000.00' }))
    const named = [
      ['Ngozi', 'Adichie', '+234 809 777 1234'],
      ['Bola', 'Tinubu', '+234 809 777 5678'],
      ['Bola', 'Ige', '+234 802 333 4444'],
    ] as const
    for (const [first_name, last_name, phone_number] of named) {
      const email = `${last_name.toLowerCase()}@example.com`
      const made = await office.ask('POST', '/v2/customer', {
        ...ada,
        first_name,
        last_name,
        phone_number,
        email,
      })
      people.set(last_name, made.json.data.customer_id)
    }
  })
  after(async () => {
    await office?.close()
    await db?.close()
  })

  const send = (form: Record<string, string>) =>
    clerk.post(`/deposits/${depositId}/parties`, {
      key: randomUUID(),
      mandate: 'ALL',
      role0: 'JOINT',
      ...form,
    })
  const stored = async () =>
    (await office.ask('GET', `/v2/fixed-deposits/${depositId}/parties`)).json.data.parties

  test('a name, a phone number or the identifier finds the customer, also without script', async () => {
    for (const typed of [
      'ngozi adichie',
      '0809 777 1234',
      people.get('Adichie')!,
      `Ngozi Adichie (${people.get('Adichie')})`,
    ]) {
      await office.ask('PUT', `/v2/fixed-deposits/${depositId}/parties`, { mandate: 'ANY', parties: [] })
      const answer = await send({ customer0: typed })
      assert.equal(answer.location, `/console/deposits/${depositId}?done=parties`, answer.text)
      const [party] = await stored()
      assert.deepEqual([party.customer_id, party.role], [people.get('Adichie'), 'JOINT'], typed)
    }
    const page = (await clerk.get(`/deposits/${depositId}/parties`)).text
    assert(page.includes(`value="Ngozi Adichie (${people.get('Adichie')})"`))
  })

  test('several that fit are offered, and nobody is recorded by guessing', async () => {
    const before = await stored()
    const several = await send({ customer0: 'bola', customer1: 'xyzzy', role1: 'NOMINEE' })
    assert.equal(several.status, 422)
    assert.match(several.text, /Several customers were found/)
    assert.match(several.text, /<select id="customer0"[\s\S]*Bola Tinubu, \+234 809 777 5678/)
    assert.match(several.text, /No customer was found for “xyzzy”/)
    assert.match(several.text, /name="customer1"[^>]*value="xyzzy"/)
    assert.deepEqual(await stored(), before)
    const chosen = /<option value="(Bola Ige \(cus_\w+\))">/.exec(several.text)![1]!
    assert.equal((await send({ customer0: chosen, role0: 'NOMINEE' })).status, 303)
    const [party] = await stored()
    assert.deepEqual([party.customer_id, party.role], [people.get('Ige'), 'NOMINEE'])
    assert.equal((await send({ customer0: 'cus_00000000000000000000000000' })).status, 409)
    assert.equal((await send({})).status, 303)
    assert.deepEqual(await stored(), [])
  })

  test('in a browser: results appear while typing, and the arrow keys choose one', {
    skip: browserAbsence,
  }, async () => {
    const origin = await office.listen()
    const browser = await openBrowser()
    try {
      const context = await browser.newContext({
        reducedMotion: 'reduce',
        viewport: { width: 390, height: 844 },
      })
      await lend(context, origin, clerk)
      const tab = await context.newPage()
      await tab.goto(`${origin}/console/deposits/${depositId}/parties`)
      await tab.locator('#customer1').click()
      await tab.keyboard.type('tinu')
      await tab.getByRole('option', { name: /Bola Tinubu/ }).waitFor()
      assert.deepEqual(await accessibilityFindings(tab), [])
      assert.equal(await tab.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
      await tab.keyboard.press('ArrowDown')
      await tab.keyboard.press('Enter')
      assert.equal(await tab.inputValue('#customer1'), `Bola Tinubu (${people.get('Tinubu')})`)
      assert.equal(await tab.locator('.found a:visible').count(), 0)
      await tab.locator('#customer0').fill('adichie')
      await tab.getByRole('option', { name: /Ngozi Adichie/ }).click()
      assert.equal(await tab.inputValue('#customer0'), `Ngozi Adichie (${people.get('Adichie')})`)
      await tab.getByRole('button', { name: 'Record' }).click()
      await tab.waitForURL('**?done=parties')
      const ids = (await stored()).map(({ customer_id }: { customer_id: string }) => customer_id)
      assert.deepEqual(ids, [people.get('Adichie'), people.get('Tinubu')])
    } finally {
      await browser.close()
    }
  })
})
