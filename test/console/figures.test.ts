/** The console shows the figures of the API, to the cent. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { engines, type TestDatabase } from '../support/engines.ts'
import { openDeposit, replaceRules } from '../support/service.ts'
import { type Office, openConsole, type Visitor } from './office.ts'

const DEPOSITS = 200

describe('figures of the console', () => {
  let db: TestDatabase
  let office: Office
  let clerk: Visitor
  before(async () => {
    db = await engines[0]!.open()
    office = await openConsole(db)
    clerk = await office.visit(await office.employ('CLERK'))
  })
  after(async () => {
    await office?.close()
    await db?.close()
  })

  const terms = fc.record({
    cents: fc.integer({ min: 100, max: 99_999_999 }),
    rate: fc.integer({ min: 1, max: 300_000 }).map((ppm) => ppm / 10_000),
    tenor: fc.integer({ min: 2, max: 1_000 }),
    age: fc.integer({ min: 0, max: 1_100 }),
    part: fc.option(fc.integer({ min: 1, max: 99 })),
  })
  const percent = fc.integer({ min: 0, max: 100 })
  const money = (amount: number) =>
    `₦${new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2 }).format(amount)}`

  test(`of ${DEPOSITS} random deposits equal the API's`, async () => {
    const [first, second, third] = fc.sample(fc.tuple(percent, percent, percent), {
      numRuns: 1,
      seed: 17,
    })[0]!
    await replaceRules(office.ask, {
      penal_rules: [
        {
          when: { elapsed_percent: { lt: 30 } },
          terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: first }],
        },
        {
          when: { elapsed_percent: { lt: 70 } },
          terms: [
            { kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: second },
            { kind: 'FIXED', amount: 12.34 },
          ],
        },
        { when: {}, terms: [{ kind: 'PERCENT', of: 'PRINCIPAL', percent: third / 100 }] },
      ],
    })
    const { accountNumber } = await openDeposit(office.ask, { amount: '1.00' })
    await office.ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 999_999_999 })
    for (const { cents, rate, tenor, age, part } of fc.sample(terms, {
      numRuns: DEPOSITS,
      seed: 20_260_701,
    })) {
      const start = new Date(Date.parse('2026-07-01') - age * 86_400_000).toISOString().slice(0, 10)
      const opened = await office.ask('POST', '/v2/fixed-deposits', {
        account_number: accountNumber,
        amount: cents / 100,
        tenor,
        interest_rate: rate,
        start_date: start,
      })
      const { deposit_id: depositId } = opened.json.data
      const amount = part === null ? null : Math.max(1, Math.floor((cents * part) / 100)) / 100
      const body = {
        liquidation_type: amount === null ? 'FULL' : 'PARTIAL',
        ...(amount !== null && { amount }),
      }
      const quoted = await office.ask('POST', `/v2/fixed-deposits/${depositId}/liquidation-quote`, body)
      const query = new URLSearchParams({ type: body.liquidation_type, amount: String(amount ?? '') })
      const { status, text } = await clerk.get(`/deposits/${depositId}?${query}`)
      assert.equal(status, 200)
      const { data } = quoted.json
      if (quoted.status !== 200) {
        assert.match(text, /class="notice bad" role="alert"/)
        continue
      }
      const sum = /<table class="sum">[\s\S]*?<\/table>/.exec(text)![0]
      const cells = [...sum.matchAll(/<td>([^<]*)<\/td>/g)].map(([, cell]) => cell)
      assert.deepEqual(cells.slice(0, 4), [
        money(data.principal_returned),
        `+ ${money(data.interest_paid)}`,
        `− ${money(data.penal_charge)}`,
        money(data.net_credited),
      ])
      assert.equal(/name="expected" value="([^"]+)"/.exec(text)![1], data.net_credited.toFixed(2))
    }
  })
})
