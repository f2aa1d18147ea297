/** Lists: filters and order in the URL, sums of what is shown, the same as a file, and places that stay. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Database, DatabaseError } from '../../src/engine/database/database.ts'
import { WHOLE_MAX } from '../../src/engine/database/window.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { fundedAccount, openDeposit, replaceRules, replaceTaxRules } from '../support/service.ts'
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
      assert.match(await sums(''), /Sum of all 1, NGN[\s\S]*Not added: 1 \(ended or taken back\)/)
      assert.doesNotMatch(await sums('reversed=no'), /Not added/)
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

    test('longer than ten thousand rows say what they count, and count all of them on request', async () => {
      const [{ customer_id }] = (await office.ask('GET', '/v2/customer?limit=1')).json.data
      await db.query(
        `insert into accounts (book_id, account_number, ordinal, customer_id, currency, balance_minor, created_at)
         select book_id, (7000000000 + n)::text, n, customer_id, 'GHS', n, timestamptz '2026-01-01'
         from customers, generate_series(1, 10020) as n
         where customer_id = $1`,
        [customer_id],
      )
      const linesOf = async (text: string) => {
        const link = /href="(\/console\/accounts\.csv[^"]*)"/.exec(text)![1]!.replaceAll('&#38;', '&')
        const [head, ...lines] = (await supervisor.get(link)).text.trimEnd().split('\r\n')
        const column = head!.split(',').indexOf('balance')
        const amounts = lines.map((line) => BigInt(line.split(',')[column]!.replace('.', '')))
        return [amounts.length, amounts.reduce((sum, amount) => sum + amount, 0n)] as const
      }
      const money = (minor: bigint) =>
        `${(Number(minor) / 100).toLocaleString('en', { minimumFractionDigits: 2 })}</b>`
      // The newest are those with the largest balance.
      const newest = (10_000n * (21n + 10_020n)) / 2n
      const all = (10_020n * 10_021n) / 2n
      for (const sort of ['', '&sort=balance', '&sort=-balance']) {
        const { text } = await supervisor.get(`/accounts?currency=GHS${sort}`)
        assert.match(text, /Sum of all 10,000, GHS/, sort)
        assert.match(text, /Only the newest 10,000 are sorted, added up and in the file\./, sort)
        assert(text.includes(money(newest)), sort)
        assert.deepEqual(await linesOf(text), [10_000, newest], sort)
        const link = /href="([^"]+)">Use all rows</.exec(text)![1]!.replaceAll('&#38;', '&')
        const whole = await supervisor.get(link)
        assert.match(whole.text, /Sum of all 10,020, GHS/, sort)
        assert.doesNotMatch(whole.text, /Only the newest/, sort)
        assert(whole.text.includes(money(all)), sort)
        assert.deepEqual(await linesOf(whole.text), [10_020, all], sort)
        const next = /rel="next" href="([^"]+)"/.exec(whole.text)![1]!.replaceAll('&#38;', '&')
        assert.match(
          (await supervisor.get(next)).text,
          /Sum of all 10,020, GHS/,
          'the next page counts all too',
        )
      }
      assert.match(
        (await supervisor.get('/accounts?currency=GHS&rows=all&sort=balance')).text,
        /7000000001[\s\S]*7000000002/,
      )
      await db.query(`delete from accounts where currency = 'GHS' and account_number like '70000%'`)
    })

    test('of which all are too many for the database show the newest, with a line that says so', async () => {
      const busy: Database = {
        ...db,
        query: (text, values) => {
          if (values?.includes(WHOLE_MAX)) throw new DatabaseError('It took too long.', { sqlState: '57014' })
          return db.query(text, values)
        },
      }
      const other = await openConsole(busy)
      try {
        const visitor = await other.visit(await other.employ('SUPERVISOR'))
        for (let count = 0; count < 51; count += 1) await fundedAccount(other.ask, 1 + count)
        for (const sort of ['', '&sort=-balance']) {
          const { status, text } = await visitor.get(`/accounts?currency=NGN&rows=all${sort}`)
          assert.equal(status, 200, text)
          assert.match(
            text,
            /All rows are too many to sort or add up at once, so only the newest 10,000 are\./,
          )
          assert.match(text, /Sum of all 51, NGN/)
          assert.doesNotMatch(text, /Use all rows/)
          assert.match(text, /<th[^>]*><a href="[^"]*currency=NGN[^"]*"/)
        }
        const file = await visitor.get('/accounts.csv?currency=NGN&rows=all')
        assert.equal(file.text.trimEnd().split('\r\n').length, 52)
        const sorted = await visitor.get('/accounts.csv?currency=NGN&rows=all&sort=-balance')
        assert.deepEqual(
          [sorted.status, sorted.location],
          [303, '/console/accounts?currency=NGN&sort=-balance&rows=all'],
        )
      } finally {
        await other.close()
      }
    })

    test('of changes that are searched in a part of the log say so, and their file has that part', async () => {
      for (let part = 0; part < 10; part += 1) {
        await db.query(
          `insert into events (book_id, event_id, ordinal, type, announced, subject_id, occurred_at, data, api_key_id)
           select book_id, 'evt_!' || n, 9000000000000000000 + n, 'customer.updated', false, 'cus_x', now(), '{}', 'key_x'
           from books, generate_series($1::int4 + 1, $1 + 5001) as n
           where mode = 'test'`,
          [part * 5001],
        )
      }
      const rowsOf = async (query: string) =>
        (await supervisor.get(`/audit.csv?${query}`)).text.trimEnd().split('\r\n').length - 1
      const { text } = await supervisor.get('/audit?who=OPERATOR')
      assert.match(text, /Only the newest part of the list was searched/)
      assert.match(text, /rel="next"/)
      assert.equal(await rowsOf('who=OPERATOR'), 0)
      const whole = (await supervisor.get('/audit?who=OPERATOR&rows=all')).text
      assert.doesNotMatch(whole, /Only the newest part/)
      const rows = await rowsOf('who=OPERATOR&rows=all')
      assert(rows > 0)
      assert.equal(
        Number(
          /([\d,]+) in all/.exec((await supervisor.get('/audit?who=OPERATOR&rows=all&sort=time')).text)![1],
        ),
        rows,
      )
      await db.query(`delete from events where event_id like 'evt_!%'`)
    })

    test('of customers add up what they hold in each currency, and are sorted by it', async () => {
      const { ask } = office
      const [{ customer_id }] = (await ask('GET', '/v2/customer?limit=1')).json.data
      const dollars = { customer_id, currency: 'USD' }
      const { account_number } = (await ask('POST', '/v2/accounts', dollars)).json.data
      await ask('POST', `/v2/accounts/${account_number}/credits`, { amount: 700 })
      const terms = { amount: 700, tenor: 30, interest_rate: 5 }
      const opened = await ask('POST', '/v2/fixed-deposits', { account_number, ...terms })
      assert.equal(opened.status, 201, opened.text)

      const heldOf = (text: string) => [...text.matchAll(/Held: <b>([^<]+)<\/b>/g)].map(([, sum]) => sum!)
      const customersOf = async (query: string) => {
        const { text } = await supervisor.get(`/customers.csv?${query}`)
        const [head, ...lines] = text.trimEnd().split('\r\n')
        const column = head!.split(',').indexOf('customer_id')
        return lines.map((line) => line.split(',')[column]!)
      }
      const whole = await supervisor.get('/customers')
      assert.doesNotMatch(whole.text, /rel="next"/)
      const [naira, inDollars] = heldOf(whole.text)
      assert.equal(inDollars, 'US$700.00')
      const [most] = await db.query<{ customer_id: string; held: bigint }>(
        `select customer_id, sum(sum(remaining_minor)) over ()::bigint as held
         from deposits
         where status = 'ACTIVE' and currency = 'NGN'
         group by customer_id
         order by sum(remaining_minor) desc
         limit 1`,
      )
      assert.equal(naira, `₦${(Number(most!.held) / 100).toLocaleString('en', { minimumFractionDigits: 2 })}`)

      await db.query(
        `insert into customers
         select (jsonb_populate_record(one, jsonb_build_object('customer_id', 'cus_!' || n, 'ordinal', n))).*
         from customers one, generate_series(1, 60) as n
         where customer_id = $1`,
        [customer_id],
      )
      const long = await supervisor.get('/customers')
      assert.match(long.text, /rel="next"/)
      assert.deepEqual(heldOf(long.text), [naira, inDollars], 'those without deposits add nothing')
      for (const key of ['held', 'deposits', 'next_maturity']) {
        const [up, down] = [await customersOf(`sort=${key}`), await customersOf(`sort=-${key}`)]
        assert.match((await supervisor.get(`/customers?sort=-${key}`)).text, /aria-sort="descending"/)
        assert.deepEqual(up.toSorted(), down.toSorted(), key)
        assert.notDeepEqual(up, down, key)
      }
      assert.equal((await customersOf('sort=-held'))[0], most!.customer_id)
      await db.query(`delete from customers where customer_id like 'cus_!%'`)
    })

    test('of tax have what was withheld in the span, and every figure of a report leads to its rows', async () => {
      const { ask } = office
      await replaceTaxRules(ask)
      const body = { liquidation_type: 'PARTIAL', amount: 500 }
      await ask('POST', `/v2/fixed-deposits/${ids[2]}/liquidate`, body)
      const { text } = await supervisor.get('/tax')
      assert.match(text, /STANDARD, 10\u00a0%/)
      assert.match(text, /<a href="\/console\/customers\/cus_\w+">[A-Z]/)
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
