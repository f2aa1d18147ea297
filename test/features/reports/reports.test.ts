/** Desk section 13: reports, whose sums are those of the ledger. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, businessDate, isoDate } from '../../../src/domain/dates.ts'
import { createCaller } from '../../../src/features/callers/changes.ts'
import { assertRefused, assertRefusedWithoutTrace, type ExpectedRefusal } from '../../support/refusals.ts'
import { type Ask, describeService, openDeposit, replaceRules } from '../../support/service.ts'
import { all, anyLife, live, minorOf, total } from './random-life.ts'

const invalid = (...fields: [string, string][]): ExpectedRefusal => ({
  status: 400,
  code: 'invalid_request',
  fields,
})

const charging = {
  penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 25 }] }],
}

const ALWAYS = 'from=2026-01-01&to=2099-12-31'

type Group = Record<string, number> & { currency: string; day: string | null }

async function groupsOf(ask: Ask, query: string): Promise<Group[]> {
  const answer = await ask('GET', `/v2/reports/liquidations?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json.data.groups
}

/** What the ledger says of one day and currency. */
async function ledgerByDay(ask: Ask) {
  const entries = await all(ask, '/v2/ledger-entries')
  const deposits = await all(ask, '/v2/fixed-deposits')
  const currencyOf = new Map(deposits.map((deposit) => [deposit.deposit_id, deposit.currency]))
  const kindOf = new Map(entries.map((entry) => [entry.entry_id, entry.kind]))
  const days = new Map<string, Record<string, bigint>>()
  for (const entry of entries) {
    const isPaid = entry.kind === 'LIQUIDATION' || (entry.kind === 'WITHHOLDING_TAX' && entry.liquidation_id)
    const isReversal = entry.kind === 'REVERSAL' && kindOf.has(entry.reverses)
    if (!isPaid && !isReversal) continue
    const day = businessDate(new Date(entry.created_at), 'Africa/Lagos')
    const key = `${day} ${currencyOf.get(entry.deposit_id)}`
    const sums = days.get(key) ?? {}
    const add = (name: string, amount: bigint) => {
      sums[name] = (sums[name] ?? 0n) + amount
    }
    for (const { account, amount } of entry.lines) {
      const moved = minorOf(amount)
      const name =
        account === entry.deposit_id ? 'deposit' : account === entry.account_number ? 'account' : account
      add(isReversal ? `reversed ${name}` : name, moved)
    }
    if (entry.kind === 'LIQUIDATION') add('count', 1n)
    days.set(key, sums)
  }
  return days
}

describeService('reports', (running) => {
  test('the sums of each day and currency are those of the ledger, for random histories', async () => {
    const { ask } = running()
    await replaceRules(ask, charging)
    await fc.assert(
      fc.asyncProperty(anyLife, async (steps) => {
        await live(ask, steps)
        const byDay = await groupsOf(ask, ALWAYS)
        const ledger = await ledgerByDay(ask)
        const shown = new Map(byDay.map((group) => [`${group.day} ${group.currency}`, group]))
        assert.deepEqual([...shown.keys()].sort(), [...ledger.keys()].sort())
        for (const [key, group] of shown) {
          const of = (name: string) => ledger.get(key)![name] ?? 0n
          assert.equal(BigInt(group.full! + group.partial!), of('count'), key)
          assert.equal(minorOf(group.principal!), -of('deposit'), key)
          assert.equal(minorOf(group.interest!), -of('interest_expense'), key)
          assert.equal(minorOf(group.assessed!), of('penal_income'), key)
          assert.equal(minorOf(group.waived!), -of('penal_waived'), key)
          assert.equal(minorOf(group.tax!), of('tax_payable'), key)
          assert.equal(minorOf(group.net!), of('account'), key)
          assert.equal(minorOf(group.reversed!), -of('reversed account'), key)
        }
        for (const grouping of ['product', 'waiver_reason']) {
          const groups = await groupsOf(ask, `${ALWAYS}&group_by=${grouping}`)
          for (const name of [
            'full',
            'partial',
            'principal',
            'interest',
            'assessed',
            'waived',
            'charge',
            'tax',
          ]) {
            const sum = (list: Group[], currency: string) =>
              total(list.filter((group) => group.currency === currency).map((group) => group[name]!))
            for (const currency of ['NGN', 'EUR'])
              assert.equal(sum(groups, currency), sum(byDay, currency), `${grouping} ${name}`)
          }
        }
      }),
      { numRuns: 4 },
    )
  })

  test('the tax of each customer and class is that of the ledger, and of its export', async () => {
    const { ask, app, testKey } = running()
    await fc.assert(
      fc.asyncProperty(anyLife, async (steps) => {
        await live(ask, [{ does: 'tax', standard: 10, base: 'NET', taxClass: 'COMPANY' }, ...steps])
        const { groups } = (await ask('GET', `/v2/reports/tax?${ALWAYS}`)).json.data
        const entries = await all(ask, '/v2/ledger-entries')
        const payable = entries
          .flatMap((entry) => entry.lines)
          .filter(({ account }) => account === 'tax_payable')
          .map(({ amount }) => amount)
        assert.equal(total(groups.map((group: { tax: number }) => group.tax)), total(payable))

        const { now } = (await ask('GET', '/v2/test-clock')).json.data
        const last = isoDate(now.slice(0, 10))
        const rows = []
        for (let from = isoDate('2026-07-01'); from <= last; from = addDays(from, 92)) {
          const url = `/v2/exports/tax?from=${from}&to=${addDays(from, 91)}`
          const file = await app.inject({ url, headers: { authorization: `Bearer ${testKey}` } })
          rows.push(
            ...file.body
              .trimEnd()
              .split('\n')
              .map((line) => JSON.parse(line))
              .slice(0, -1),
          )
        }
        const keyOf = (one: any) => `${one.customer_id} ${one.tax_class} ${one.currency}`
        for (const name of ['interest', 'charge', 'tax']) {
          const sums = new Map<string, bigint>()
          for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0n) + minorOf(row[name]))
          const shown = groups.map((group: any) => [keyOf(group), minorOf(group[name])])
          assert.deepEqual(shown, [...sums].sort(), name)
        }
      }),
      { numRuns: 4 },
    )
  })

  test('tax is reported in the class that counted then, and taken back with its liquidation', async () => {
    const { askWith, db, clock } = running()
    const bank = { name: 'Other Bank', timeZone: 'Africa/Lagos', currency: 'NGN', at: clock.now }
    const ask = askWith((await createCaller(db, bank)).keys[0]!.key)
    await ask('PUT', '/v2/tax-rules', {
      effective_from: '2026-01-01',
      base: 'GROSS',
      on_recovery: 'KEEP',
      rounding: 'HALF_UP',
      classes: { STANDARD: 10, COMPANY: 10 },
    })
    const { depositId, customerId } = await openDeposit(ask, { amount: 365_000, start_date: '2026-06-01' })
    const broken = async (amount: number) => {
      const body = { liquidation_type: 'PARTIAL', amount }
      const answer = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
      assert.equal(answer.status, 200, answer.text)
      return answer.json.data.liquidation_id
    }
    const groups = async () =>
      (await ask('GET', '/v2/reports/tax?from=2026-07-01&to=2026-07-01')).json.data.groups
    const status = (body: object) => ask('PUT', `/v2/customer/${customerId}/tax-status`, body)
    await broken(73_000)
    const standard = {
      customer_id: customerId,
      tax_reference: null,
      tax_class: 'STANDARD',
      currency: 'NGN',
      interest: 600,
      charge: 0,
      tax: 60,
    }
    assert.deepEqual(await groups(), [standard])
    assert.equal((await status({ tax_class: 'COMPANY', reference: 'TIN-7' })).status, 200)
    const mistaken = await broken(36_500)
    const company = { ...standard, tax_reference: 'TIN-7', tax_class: 'COMPANY', interest: 300, tax: 30 }
    assert.deepEqual(await groups(), [company, { ...standard, tax_reference: 'TIN-7' }])
    await ask('POST', `/v2/liquidations/${mistaken}/reverse`, { reason: 'Mistake' })
    assert.deepEqual(await groups(), [
      { ...company, interest: 0, tax: 0 },
      { ...standard, tax_reference: 'TIN-7' },
    ])
  })

  test('every group has its identities: charge, net, and no product', async () => {
    const { ask } = running()
    const part = { does: 'break', deposit: 0, percent: 10 } as const
    await live(ask, [
      { does: 'open', amount: 10_000, tenor: 90, rollover: false, euro: false },
      { does: 'wait', days: 10 },
      { ...part, waived: null },
      { ...part, waived: 30 },
      { ...part, waived: 80 },
    ])
    for (const grouping of ['day', 'product', 'waiver_reason']) {
      const groups = await groupsOf(ask, `${ALWAYS}&group_by=${grouping}`)
      assert(groups.length > 0)
      for (const group of groups) {
        const of = (name: string) => minorOf(group[name]!)
        assert.equal(of('charge'), of('assessed') - of('waived'))
        assert.equal(of('net'), of('principal') + of('interest') - of('charge') - of('recovered') - of('tax'))
        assert.equal(group.product, null)
        assert.equal(group.day === null, grouping !== 'day')
      }
      const keys = groups.map((group) => `${group.day ?? group.waiver_reason ?? ''} ${group.currency}`)
      assert.deepEqual(keys, [...keys].sort())
    }
    const reasons = (await groupsOf(ask, `${ALWAYS}&group_by=waiver_reason`)).map(
      (group) => group.waiver_reason,
    )
    assert.deepEqual(new Set(reasons), new Set([null, 'COURT_ORDER', 'GOODWILL']))
  })

  test('both ends of the range are inclusive, and grouping is by day by default', async () => {
    const { askWith, liveKey } = running()
    const ask = askWith(liveKey)
    const { depositId } = await openDeposit(ask, { amount: 1_000, start_date: '2026-06-01' })
    const body = { liquidation_type: 'PARTIAL', amount: 100 }
    assert.equal((await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)).status, 200)
    const days = async (from: string, to: string) =>
      (await groupsOf(ask, `from=${from}&to=${to}`)).map(({ day, partial }) => [day, partial])
    assert.deepEqual(await days('2026-07-01', '2026-07-01'), [['2026-07-01', 1]])
    assert.deepEqual(await days('2026-06-01', '2026-07-01'), [['2026-07-01', 1]])
    assert.deepEqual(await days('2026-07-01', '2026-07-02'), [['2026-07-01', 1]])
    assert.deepEqual(await days('2026-06-01', '2026-06-30'), [])
    assert.deepEqual(await days('2026-07-02', '2026-07-03'), [])
    assert.deepEqual(await days('0001-01-01', '9999-12-31'), [['2026-07-01', 1]])
  })

  test('bad ranges and groups are refused', async () => {
    const { ask, db } = running()
    for (const [query, ...fields] of [
      ['', ['from', 'required'], ['to', 'required']],
      ['from=2026-07-01', ['to', 'required']],
      ['from=2026-07-02&to=2026-07-01', ['from', 'invalid_value']],
      ['from=2026-02-30&to=2026-07-01', ['from', 'invalid_format']],
      ['from=2026-07-01&to=2026-07-01&group_by=month', ['group_by', 'invalid_value']],
      ['from=2026-07-01&to=2026-07-01&group_by=DAY', ['group_by', 'invalid_value']],
      ['from=2026-07-01&to=2026-07-01&currency=NGN', ['currency', 'unknown_field']],
    ] as [string, ...[string, string][]][]) {
      for (const name of query.includes('group_by') ? ['liquidations'] : ['liquidations', 'tax']) {
        const asking = () => ask('GET', `/v2/reports/${name}?${query}`)
        await assertRefusedWithoutTrace(db, asking, invalid(...fields))
      }
    }
  })

  test('reports need their scope, and show only their own book', async () => {
    const { ask, askWith } = running()
    const make = async (scope: string) =>
      askWith((await ask('POST', '/v2/api-keys', { scopes: [scope] })).json.data.key)
    const details = '{"required_scope":"reports:read"}'
    for (const path of [`/v2/reports/liquidations?${ALWAYS}`, `/v2/reports/tax?${ALWAYS}`]) {
      const refused = await (await make('fixed_deposits:read'))('GET', path)
      assertRefused(refused, { status: 403, code: 'insufficient_scope', details })
      assert.equal((await (await make('reports:read'))('GET', path)).status, 200)
    }
  })
})
