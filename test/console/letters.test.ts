/** Certificate and statement at the counter: what the API says, in the language of the person, with a line to sign on. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engines, type TestDatabase } from '../support/engines.ts'
import { openDeposit } from '../support/service.ts'
import { type Office, openConsole, type Visitor } from './office.ts'

const [engine] = engines

describe('letters in the console', () => {
  let db: TestDatabase
  let office: Office
  let viewer: Visitor
  let depositId: string
  before(async () => {
    db = await engine!.open()
    office = await openConsole(db)
    const terms = { amount: '500000.00', interest_rate: 12.5, start_date: '2026-03-23' }
    ;({ depositId } = await openDeposit(office.ask, terms))
    await office.ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, {
      liquidation_type: 'PARTIAL',
      amount: 100_000,
    })
    viewer = await office.visit(await office.employ('VIEWER'))
  })
  after(async () => {
    await office?.close()
    await db?.close()
  })

  test('are linked from the deposit, and titled so that tabs can be told apart', async () => {
    const { text } = await viewer.get(`/deposits/${depositId}`)
    for (const letter of ['certificate', 'statement']) {
      assert(text.includes(`href="/console/deposits/${depositId}/${letter}"`), letter)
    }
    const titles = new Set<string>()
    for (const path of ['', '/certificate', '/statement']) {
      const page = await viewer.get(`/deposits/${depositId}${path}`)
      titles.add(/<title>([^<]+)/.exec(page.text)![1]!)
    }
    assert.equal(titles.size, 3)
  })

  test('have the figures of the API and a line for the signature', async () => {
    const { data } = (await office.ask('GET', `/v2/fixed-deposits/${depositId}/certificate`)).json
    const { text } = await viewer.get(`/deposits/${depositId}/certificate`)
    const worth = data.maturity_value ?? data.worth_at_maturity
    assert(worth > 400_000)
    assert(
      text.includes(`₦${Number(worth).toLocaleString('en-GB', { minimumFractionDigits: 2 })}`),
      String(worth),
    )
    assert.match(text, /12\.5 %/)
    assert.match(text, /class="signature"/)
    const statement = await viewer.get(`/deposits/${depositId}/statement`)
    assert.match(statement.text, /Part of the deposit broken/)
    const earlier = await viewer.get(`/deposits/${depositId}/statement?from=2026-03-23&to=2026-04-01`)
    assert.doesNotMatch(earlier.text, /Part of the deposit broken/)
  })

  test('speak French to those who chose it', async () => {
    await viewer.post('/language', { language: 'fr' })
    const { text } = await viewer.get(`/deposits/${depositId}/certificate`)
    assert.match(text, /Certificat de dépôt à terme/)
    assert.match(text, /12,5\u00a0%/)
    assert.match(text, /Cachet et signature/)
  })
})
