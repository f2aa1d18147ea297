/** Lists: filters and order in the URL, sums of what is shown, the same as a file, and places that stay. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engines, type TestDatabase } from '../support/engines.ts'
import { openDeposit, replaceRules, replaceTaxRules } from '../support/service.ts'
import { type Office, openConsole, type Visitor } from './office.ts'

for (const engine of engines) {
  describe(`${engine.name}: lists`, { skip: engine.skip }, () => {
    let db: TestDatabase
    let office: Office
    let supervisor: Visitor
    const ids: string[] = []

    before(async () => {
      db = await engine.open()
      office = await openConsole(db)
      const { ask } = office
      await replaceRules(ask, { penal_rules: [] })
      for (const [amount, rate] of [
        ['5000.00', 8],
        ['3000.00', 12],
        ['4000.00', 10],
      ] as const) {
        const terms = { amount, interest_rate: rate, start_date: '2026-03-23' }
        ids.push((await openDeposit(ask, terms)).depositId)
      }
      supervisor = await office.visit(await office.employ('SUPERVISOR'))
    })

    after(async () => {
      await office?.close()
      await db?.close()
    })

    const order = (text: string) => ids.toSorted((one, other) => text.indexOf(one) - text.indexOf(other))

    test('are put in order by a column, both ways, and back by nothing else', async () => {
      const [fifty, thirty, forty] = ids
      const by = async (sort: string) => order((await supervisor.get(`/deposits?sort=${sort}`)).text)
      assert.deepEqual(await by('-principal'), [fifty, forty, thirty])
      assert.deepEqual(await by('principal'), [thirty, forty, fifty])
      assert.deepEqual(await by('-rate'), [thirty, forty, fifty])
      assert.deepEqual(await by('nonsense'), [forty, thirty, fifty], 'newest first')
      const { text } = await supervisor.get('/deposits?sort=-principal&status=ACTIVE')
      assert.match(text, /aria-sort="descending"><a href="[^"]*status=ACTIVE[^"]*sort=principal"/)
    })

    test('add up what is shown, and the file has exactly that', async () => {
      const { text } = await supervisor.get('/deposits?rate_from=10&rate_below=12')
      assert.match(text, /Sum of all 1, NGN/)
      assert.match(text, /Remaining principal: <b>₦4,000\.00<\/b>/)
      const file = await supervisor.get('/deposits.csv?rate_from=10&rate_below=12')
      assert.equal(file.headers['content-disposition'], 'attachment; filename="deposits.csv"')
      const [head, row, end] = file.text.split('\r\n')
      assert.match(head!, /^principal,customer,remaining,rate,matures,status,deposit_id/)
      assert.match(row!, /^4000\.00,[^,]+,4000\.00,10,/)
      assert.equal(end, '')
    })

    test('of liquidations leave out of the sums what was taken back', async () => {
      const { ask } = office
      const paid = async (id: string, amount: number) => {
        const body = { liquidation_type: 'PARTIAL', amount }
        return (await ask('POST', `/v2/fixed-deposits/${id}/liquidate`, body)).json.data.liquidation_id
      }
      const [first] = [await paid(ids[0]!, 1000), await paid(ids[1]!, 500)]
      const sums = async (query: string) => (await supervisor.get(`/liquidations?${query}`)).text
      assert.match(await sums(''), /Sum of all 2, NGN/)
      await ask('POST', `/v2/liquidations/${first}/reverse`, { reason: 'Mistake' })
      assert.match(await sums(''), /Sum of all 1, NGN/)
      assert.match(await sums('reversed=no'), new RegExp(ids[1]!))
      assert.doesNotMatch(await sums('reversed=no'), new RegExp(ids[0]!))
      assert.match(await sums('waived=yes'), /No deposit was broken/)
    })

    test('of the ledger lead from each entry to its record and its account', async () => {
      const { text } = await supervisor.get('/ledger?kind=REVERSAL')
      assert.match(text, /href="\/console\/liquidations\/liq_\w+"/)
      assert.match(text, /href="\/console\/accounts\/\d{10}"/)
      assert.match((await supervisor.get('/ledger?from=2031-01-01')).text, /Nothing was booked/)
      assert.match((await supervisor.get('/ledger?to=2031-01-01')).text, /Sum of all \d+, NGN/)
    })

    test('begin the next page where the last one ended', async () => {
      const { accountNumber } = await openDeposit(office.ask, { amount: '1.00' })
      for (let time = 0; time < 52; time += 1) {
        await office.ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 1 })
      }
      const path = `/ledger?kind=ACCOUNT_CREDIT&account=${accountNumber}`
      const first = await supervisor.get(path)
      assert.match(first.text, /Sum of all (5[34]), NGN/)
      const next = /rel="next" href="\/console([^"]+)"/.exec(first.text)![1]!.replaceAll('&#38;', '&')
      const second = await supervisor.get(next)
      assert.match(second.text, /Sum of all (5[34]), NGN/)
      assert.match(second.text, /First page/)
      assert.doesNotMatch(second.text, /rel="next"/)
      const file = await supervisor.get(path.replace('?', '.csv?'))
      assert(file.text.split('\r\n').length - 2 >= 53)
    })

    test('of tax have what was withheld in the span, and every figure of a report leads to its rows', async () => {
      const { ask } = office
      await replaceTaxRules(ask)
      const body = { liquidation_type: 'PARTIAL', amount: 500 }
      await ask('POST', `/v2/fixed-deposits/${ids[2]}/liquidate`, body)
      const { text } = await supervisor.get('/tax')
      assert.match(text, /STANDARD, 10\u00a0%/)
      assert.match(text, /Sum of all 1, NGN/)
      const report = await supervisor.get('/report')
      const links = [...report.text.matchAll(/<dd><a href="([^"]+)"/g)].map(([, link]) => link!)
      assert.equal(links.length, 6)
      for (const link of links) {
        assert.equal((await supervisor.get(link.replaceAll('&#38;', '&'))).status, 200, link)
      }
    })
  })
}
