/** Withholding tax over HTTP: its rules, the status of customers, and what is withheld when interest is paid. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OPERATOR } from '../../../src/domain/actor.ts'
import type { Transaction } from '../../../src/engine/database/database.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { moveTestClock } from '../../../src/features/test-clock/changes.ts'
import { audit } from '../../support/auditor.ts'
import { forEachEngine } from '../../support/engines.ts'
import { issueKey } from '../../support/keys.ts'
import { assertRefused, assertRefusedWithoutTrace, type ExpectedRefusal } from '../../support/refusals.ts'
import {
  type Ask,
  describeService,
  fundedAccount,
  openDeposit,
  replaceRules,
  replaceTaxRules,
  startService,
  tenPercent,
} from '../../support/service.ts'

const invalid = (...fields: [string, string][]): ExpectedRefusal => ({
  status: 400,
  code: 'invalid_request',
  fields,
})

const badRules: [rules: string, changes: object, ...fields: [string, string][]][] = [
  ['classes without STANDARD', { classes: { EXEMPT: 0 } }, ['classes.STANDARD', 'required']],
  ['no classes', { classes: {} }, ['classes.STANDARD', 'required']],
  ['class 101', { classes: { STANDARD: 101 } }, ['classes.STANDARD', 'out_of_range']],
  ['a class below 0', { classes: { STANDARD: 10, OTHER: -1 } }, ['classes.OTHER', 'out_of_range']],
  ['five decimals', { classes: { STANDARD: 7.50001 } }, ['classes.STANDARD', 'too_precise']],
  ['a rate in quotes', { classes: { STANDARD: '10' } }, ['classes.STANDARD', 'invalid_type']],
  ['a rate of null', { classes: { STANDARD: null } }, ['classes.STANDARD', 'null_not_allowed']],
  [
    'a class in small letters',
    { classes: { STANDARD: 10, exempt: 0 } },
    ['classes.exempt', 'invalid_format'],
  ],
  [
    'a class of 17 letters',
    { classes: { STANDARD: 10, [`A${'B'.repeat(16)}`]: 0 } },
    [`classes.A${'B'.repeat(16)}`, 'invalid_format'],
  ],
  [
    '21 classes',
    { classes: Object.fromEntries(['STANDARD', ...'ABCDEFGHIJKLMNOPQRST'].map((name) => [name, 1])) },
    ['classes', 'too_many'],
  ],
  ['a list of classes', { classes: [10] }, ['classes', 'invalid_type']],
  ['classes of null', { classes: null }, ['classes', 'null_not_allowed']],
  ['another base', { base: 'net' }, ['base', 'invalid_value']],
  ['another rule of recovery', { on_recovery: 'ASK' }, ['on_recovery', 'invalid_value']],
  ['another rounding', { rounding: 'UP' }, ['rounding', 'invalid_value']],
  ['a day that does not exist', { effective_from: '2026-02-30' }, ['effective_from', 'invalid_format']],
  ['an unknown member', { rate: 10 }, ['rate', 'unknown_field']],
]

const badStatuses: [status: string, body: object, ...fields: [string, string][]][] = [
  ['no class', {}, ['tax_class', 'required']],
  ['a class in small letters', { tax_class: 'exempt' }, ['tax_class', 'invalid_format']],
  ['a class of 17 letters', { tax_class: 'A'.repeat(17) }, ['tax_class', 'too_long']],
  ['a class of null', { tax_class: null }, ['tax_class', 'null_not_allowed']],
  ['a blank reference', { tax_class: 'EXEMPT', reference: ' ' }, ['reference', 'blank']],
  ['a long reference', { tax_class: 'EXEMPT', reference: 'r'.repeat(65) }, ['reference', 'too_long']],
  [
    'a day that does not exist',
    { tax_class: 'EXEMPT', valid_until: '2026-02-30' },
    ['valid_until', 'invalid_format'],
  ],
  ['an unknown member', { tax_class: 'EXEMPT', rate: 0 }, ['rate', 'unknown_field']],
]

const NO_VERSION: ExpectedRefusal = { status: 404, code: 'document_version_not_found' }
const NO_CUSTOMER: ExpectedRefusal = { status: 404, code: 'customer_not_found' }
const UNKNOWN = `/v2/customer/cus_${'A'.repeat(24)}/tax-status`

const quarterOfInterest = {
  penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 25 }] }],
}

/** 100,000 at 10 percent, held for 60 days on the first of July: 1,643.84 of interest and 410.96 of charge. */
async function openZ(ask: Ask) {
  await replaceRules(ask, quarterOfInterest)
  return openDeposit(ask, { amount: 100_000, start_date: '2026-05-02' })
}

function liquidate(ask: Ask, depositId: string, body: object = { liquidation_type: 'FULL' }) {
  return ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
}

type Entry = { kind: string; lines: { account: string; amount: number }[] }

/** The entries of a deposit, oldest first, as text. */
async function entriesOf(ask: Ask, depositId: string): Promise<string[]> {
  const { data } = (await ask('GET', `/v2/ledger-entries?deposit_id=${depositId}`)).json
  return data
    .toReversed()
    .map(
      ({ kind, lines }: Entry) =>
        `${kind}: ${lines.map(({ account, amount }) => `${account} ${amount.toFixed(2)}`).join(' · ')}`,
    )
}

describeService('tax rules', (running) => {
  test('there are none at first, and each PUT writes the next version', async () => {
    const { ask, db } = running()
    for (const path of ['', '/1', '/0', '/9999999999', '/x']) {
      assertRefused(await ask('GET', `/v2/tax-rules${path}`), NO_VERSION)
    }
    const first = await ask('PUT', '/v2/tax-rules', tenPercent)
    assert.equal(first.status, 200, first.text)
    const created_at = '2026-07-01T10:00:00.000Z'
    assert.deepEqual(first.json.data, { version: 1, ...tenPercent, created_at })
    assert(first.text.includes('"classes":{"STANDARD":10,"EXEMPT":0}'), first.text)
    const later = await replaceTaxRules(ask, { effective_from: '2027-01-01', classes: { STANDARD: 7.5 } })
    assert.equal(later.json.data.version, 2)
    assert.deepEqual((await ask('GET', '/v2/tax-rules')).json.data, later.json.data)
    assert.deepEqual((await ask('GET', '/v2/tax-rules/1')).json.data, first.json.data)
    const [event] = (await ask('GET', '/v2/events?type=tax_rules.updated')).json.data
    assert.deepEqual(event.data, later.json.data)
    for (const [, changes, ...fields] of badRules) {
      await assertRefusedWithoutTrace(
        db,
        () => ask('PUT', '/v2/tax-rules', { ...tenPercent, ...changes }),
        invalid(...fields),
      )
    }
    const missing = ['effective_from', 'base', 'on_recovery', 'rounding', 'classes']
    assertRefused(
      await ask('PUT', '/v2/tax-rules', {}),
      invalid(...missing.map((name): [string, string] => [name, 'required'])),
    )
  })

  test('twenty classes, and 0 and 100 percent, are accepted', async () => {
    const { ask } = running()
    const names = ['STANDARD', '_', 'A'.repeat(16), ...'ABCDEFGHIJKLMNOPQ']
    const classes = Object.fromEntries(names.map((name, index) => [name, index === 0 ? 100 : 0]))
    assert.deepEqual((await replaceTaxRules(ask, { classes })).json.data.classes, classes)
  })

  test('a key needs its scope', async () => {
    const { service, callerId, clock, askWith } = running()
    const book = (await findBook(service.db, { callerId, mode: 'test' }))!
    const { key } = await issueKey(service.db, book, { scopes: ['tax:read'], at: clock.now })
    const reader = askWith(key)
    assert.equal((await reader('GET', '/v2/tax-rules')).status, 200)
    const refused = { status: 403, code: 'insufficient_scope', details: '{"required_scope":"tax:write"}' }
    assertRefused(await reader('PUT', '/v2/tax-rules', tenPercent), refused)
    assertRefused(await reader('PUT', UNKNOWN, { tax_class: 'EXEMPT' }), refused)
  })
})

describeService('tax status', (running) => {
  test('a customer is STANDARD until it is set, and every account copies it', async () => {
    const { ask, db } = running()
    const { customerId, accountNumber } = await fundedAccount(ask, 1)
    const path = `/v2/customer/${customerId}/tax-status`
    assert.deepEqual((await ask('GET', path)).json.data, {
      customer_id: customerId,
      tax_class: 'STANDARD',
      reference: null,
      valid_until: null,
    })
    const body = { tax_class: 'EXEMPT', reference: 'TIN 4711', valid_until: '2026-12-31' }
    const set = await ask('PUT', path, body)
    assert.deepEqual(set.json.data, { customer_id: customerId, ...body })
    assert.deepEqual((await ask('GET', path)).json.data, set.json.data)
    const second = await ask('POST', '/v2/accounts', { customer_id: customerId })
    const copies = await db.query(
      `select account_number, tax_class, tax_valid_until from accounts where customer_id = $1 order by ordinal`,
      [customerId],
    )
    const copy = { tax_class: 'EXEMPT', tax_valid_until: '2026-12-31' }
    assert.deepEqual(copies, [
      { account_number: accountNumber, ...copy },
      { account_number: second.json.data.account_number, ...copy },
    ])
    const [event] = (await ask('GET', '/v2/events?type=customer.tax_status_changed')).json.data
    assert.deepEqual(event.data, {
      customer_id: customerId,
      tax_class: 'EXEMPT',
      valid_until: '2026-12-31',
    })
    const audited = await ask('GET', '/v2/audit-log?action=customer.tax_status_changed')
    assert.deepEqual(audited.json.data[0].changes, {
      before: { tax_class: 'STANDARD', reference: null, valid_until: null },
      after: body,
    })
    const back = await ask('PUT', path, { tax_class: 'STANDARD' })
    assert.deepEqual([back.json.data.reference, back.json.data.valid_until], [null, null])
  })

  test('the same status again is not announced', async () => {
    const { ask } = running()
    const { customerId } = await fundedAccount(ask, 1)
    const path = `/v2/customer/${customerId}/tax-status`
    for (const reference of ['A', 'B']) await ask('PUT', path, { tax_class: 'EXEMPT', reference })
    const audited = await ask('GET', `/v2/audit-log?action=customer.tax_status_changed`)
    const announced = await ask('GET', '/v2/events?type=customer.tax_status_changed')
    const of = (entries: { subject_id?: string; data?: { customer_id: string } }[]) =>
      entries.filter((one) => (one.subject_id ?? one.data?.customer_id) === customerId).length
    assert.deepEqual([of(audited.json.data), of(announced.json.data)], [2, 1])
  })

  test('an invalid status is refused, and changes nothing', async () => {
    const { ask, db } = running()
    const { customerId } = await fundedAccount(ask, 1)
    for (const [, body, ...fields] of badStatuses) {
      const asking = () => ask('PUT', `/v2/customer/${customerId}/tax-status`, body)
      await assertRefusedWithoutTrace(db, asking, invalid(...fields))
    }
    assertRefused(await ask('GET', UNKNOWN), NO_CUSTOMER)
    assertRefused(await ask('PUT', UNKNOWN, { tax_class: 'EXEMPT' }), NO_CUSTOMER)
  })

  test('the profile keeps its three fields', async () => {
    const { ask } = running()
    const { customerId } = await fundedAccount(ask, 1)
    const profile = (await ask('GET', `/v2/customer/${customerId}`)).json.data
    assert.equal(profile.tax_class, undefined)
    const refused = await ask('PUT', `/v2/customer/${customerId}`, { tax_class: 'EXEMPT' })
    assertRefused(refused, invalid(['tax_class', 'unknown_field']))
  })
})

describeService('accounts opened while the status of their customer changes', (running) => {
  test('all have the status of the customer in the end', async () => {
    const { ask, db } = running()
    const { customerId } = await fundedAccount(ask, 1)
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 3 === 0
          ? ask('PUT', `/v2/customer/${customerId}/tax-status`, { tax_class: `C${'_'.repeat(index)}` })
          : ask('POST', '/v2/accounts', { customer_id: customerId }),
      ),
    )
    const classes = await db.query(
      `select distinct tax_class from accounts where customer_id = $1
       union select tax_class from customers where customer_id = $1`,
      [customerId],
    )
    assert.equal(classes.length, 1)
  })
})

describeService('withholding tax', (running) => {
  test('G1: a liquidation is quoted, paid, posted, shown and announced with its tax', async () => {
    const { ask } = running()
    const { depositId, accountNumber } = await openZ(ask)
    await replaceTaxRules(ask)
    const quoted = (
      await ask('POST', `/v2/fixed-deposits/${depositId}/liquidation-quote`, { liquidation_type: 'FULL' })
    ).json.data
    const stale = { liquidation_type: 'FULL', expected_net_credited: 101_232.88 }
    assertRefused(await liquidate(ask, depositId, stale), {
      status: 409,
      code: 'figures_changed',
      details: '{"net_credited":101109.59}',
    })
    const paid = await liquidate(ask, depositId, {
      liquidation_type: 'FULL',
      expected_net_credited: quoted.net_credited,
    })
    assert.equal(paid.status, 200, paid.text)
    const { total_credited, adjustments, net_credited } = paid.json.data
    assert.deepEqual(
      { total_credited, adjustments, net_credited },
      {
        total_credited: 101_232.88,
        adjustments: [{ kind: 'WITHHOLDING_TAX', amount: -123.29 }],
        net_credited: 101_109.59,
      },
    )
    assert.deepEqual(quoted.adjustments, adjustments)
    assert.deepEqual((await entriesOf(ask, depositId)).slice(1), [
      `LIQUIDATION: ${depositId} -100000.00 · interest_expense -1643.84 · penal_income 410.96 · ${accountNumber} 101232.88`,
      `WITHHOLDING_TAX: ${accountNumber} -123.29 · tax_payable 123.29`,
    ])
    assert.equal((await ask('GET', `/v2/accounts/${accountNumber}`)).json.data.balance, 101_109.59)
    const kept = (await ask('GET', `/v2/liquidations/${paid.json.data.liquidation_id}`)).json.data
    const explained = {
      version: 1,
      base: 'NET',
      rate: 10,
      taxable_interest: 1232.88,
      withheld_earlier: 0,
    }
    assert.deepEqual([kept.explanation.tax, quoted.explanation.tax], [explained, explained])
    assert.deepEqual(kept.adjustments, adjustments)
    const [event] = (await ask('GET', '/v2/events?type=fixed_deposit.liquidated')).json.data
    assert.deepEqual(event.data, paid.json.data)
  })

  test('parts of one day are taxed together', async () => {
    const { ask } = running()
    const { depositId, accountNumber } = await openZ(ask)
    await replaceTaxRules(ask)
    const taxes: number[] = []
    for (const amount of [0.01, 33_333.33, null]) {
      const body = amount === null ? { liquidation_type: 'FULL' } : { liquidation_type: 'PARTIAL', amount }
      const { adjustments } = (await liquidate(ask, depositId, body)).json.data
      taxes.push(adjustments[0]?.amount ?? 0)
    }
    assert.deepEqual(taxes, [0, -41.1, -82.19])
    const { balance } = (await ask('GET', `/v2/accounts/${accountNumber}`)).json.data
    assert.equal(balance, 101_109.59)
  })

  test('rules written at noon do not tax the part of the morning', async () => {
    const { ask, close } = await startService(running().db)
    const { depositId } = await openDeposit(ask, {
      amount: 500_000,
      start_date: '2026-06-01',
      interest_rate: 12,
    })
    const morning = await liquidate(ask, depositId, { liquidation_type: 'PARTIAL', amount: 250_000 })
    assert.deepEqual([morning.json.data.interest_paid, morning.json.data.adjustments], [2465.75, []])
    await replaceTaxRules(ask)
    const body = { liquidation_type: 'PARTIAL', amount: 5_000 }
    const quoted = (await ask('POST', `/v2/fixed-deposits/${depositId}/liquidation-quote`, body)).json.data
    const { data } = (await liquidate(ask, depositId, body)).json
    // 10 percent of its own 49.32; with the morning's interest it would have been 251.51.
    assert.deepEqual([data.interest_paid, data.net_credited], [49.32, 5_044.39])
    assert.deepEqual(data.adjustments, [{ kind: 'WITHHOLDING_TAX', amount: -4.93 }])
    assert.deepEqual(quoted.adjustments, data.adjustments)
    const kept = (await ask('GET', `/v2/liquidations/${data.liquidation_id}`)).json.data
    assert.deepEqual(kept.explanation.tax, quoted.explanation.tax)
    const { taxable_interest, withheld_earlier } = kept.explanation.tax
    assert.deepEqual([taxable_interest, withheld_earlier], [49.32, 0])
    assert.equal(kept.explanation.earlier_today.principal, 250_000)
    await close()
  })

  test('parts taxed alike count together, across another class and a reversal', async () => {
    const { ask, db } = running()
    const { depositId, customerId } = await openDeposit(ask, {
      amount: 10,
      start_date: '2026-06-01',
      interest_rate: 100,
    })
    await replaceRules(ask, { min_partial_amount: 0.01 })
    await replaceTaxRules(ask, { classes: { STANDARD: 50, COMPANY: 50 } })
    const putClass = (tax_class: string) => ask('PUT', `/v2/customer/${customerId}/tax-status`, { tax_class })
    /** Of 0.01 interest: half of it, 0.005, is rounded up, and of two such parts 0.01 is due. */
    const taxOfPart = async () => {
      const { data } = (await liquidate(ask, depositId, { liquidation_type: 'PARTIAL', amount: 0.12 })).json
      assert.equal(data.interest_paid, 0.01)
      return [Math.abs(data.adjustments[0]?.amount ?? 0), data.liquidation_id]
    }
    const taxes: number[] = []
    for (const taxClass of ['STANDARD', 'COMPANY', 'STANDARD', 'COMPANY']) {
      await putClass(taxClass)
      taxes.push((await taxOfPart())[0])
    }
    assert.deepEqual(taxes, [0.01, 0.01, 0, 0])
    const [third, thirdId] = await taxOfPart()
    assert.equal(third, 0.01)
    await ask('POST', `/v2/liquidations/${thirdId}/reverse`, { reason: 'Mistaken' })
    assert.equal((await taxOfPart())[0], 0.01)
    assert.equal((await taxOfPart())[0], 0)
    await audit(db)
  })

  test('J6 and J7: a reversal takes the tax back too, if the account holds the net amount', async () => {
    const { ask } = running()
    const { depositId, accountNumber } = await openZ(ask)
    await replaceTaxRules(ask)
    const waiver = { percent: 50, reason: 'GOODWILL' }
    const { liquidation_id } = (await liquidate(ask, depositId, { liquidation_type: 'FULL', waiver })).json
      .data
    const cent = { account_number: accountNumber, amount: 0.01, tenor: 1, interest_rate: 1 }
    await ask('POST', '/v2/fixed-deposits', cent)
    const reverse = () => ask('POST', `/v2/liquidations/${liquidation_id}/reverse`, { reason: 'Mistaken' })
    assertRefused(await reverse(), {
      status: 422,
      code: 'insufficient_funds',
      details: '{"balance":101294.51,"needed":101294.52}',
    })
    await ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 0.01 })
    const reversed = await reverse()
    assert.equal(reversed.status, 200, reversed.text)
    assert.deepEqual((await entriesOf(ask, depositId)).slice(1), [
      `LIQUIDATION: ${depositId} -100000.00 · interest_expense -1643.84 · penal_income 410.96 · penal_waived -205.48 · ${accountNumber} 101438.36`,
      `WITHHOLDING_TAX: ${accountNumber} -143.84 · tax_payable 143.84`,
      `REVERSAL: ${depositId} 100000.00 · interest_expense 1643.84 · penal_income -410.96 · penal_waived 205.48 · ${accountNumber} -101438.36`,
      `REVERSAL: ${accountNumber} 143.84 · tax_payable -143.84`,
    ])
    const { status, remaining_principal } = reversed.json.data.deposit
    assert.deepEqual([status, remaining_principal], ['ACTIVE', 100_000])
    const again = (await liquidate(ask, depositId)).json.data
    assert.equal(again.net_credited, 101_109.59)
    const statement = (await ask('GET', `/v2/fixed-deposits/${depositId}/statement`)).json.data
    assert.equal(statement.lines.at(-1).amount, 1_109.59)
  })

  test('the class of the customer counts until it ends, in quotes too', async () => {
    const { ask } = running()
    const { depositId, customerId } = await openZ(ask)
    await replaceTaxRules(ask)
    await ask('PUT', `/v2/customer/${customerId}/tax-status`, {
      tax_class: 'EXEMPT',
      valid_until: '2026-07-10',
    })
    const quote = async (as_of: string) => {
      const body = { liquidation_type: 'FULL', as_of }
      const { data } = (await ask('POST', `/v2/fixed-deposits/${depositId}/liquidation-quote`, body)).json
      return [data.explanation.tax.rate, data.adjustments.length]
    }
    assert.deepEqual(
      [await quote('2026-07-10'), await quote('2026-07-11')],
      [
        [0, 0],
        [10, 1],
      ],
    )
    const { adjustments, net_credited, total_credited } = (await liquidate(ask, depositId)).json.data
    assert.deepEqual([adjustments, net_credited], [[], total_credited])
  })

  test('rules apply from their first day on', async () => {
    const { ask } = running()
    const { depositId } = await openZ(ask)
    await replaceTaxRules(ask, { effective_from: '2000-01-01', classes: { STANDARD: 0 } })
    await replaceTaxRules(ask, { effective_from: '2026-07-02' })
    const quote = async (as_of: string) => {
      const body = { liquidation_type: 'FULL', as_of }
      const { data } = (await ask('POST', `/v2/fixed-deposits/${depositId}/liquidation-quote`, body)).json
      return data.explanation.tax
    }
    const before = await quote('2026-07-01')
    const after = await quote('2026-07-02')
    assert.deepEqual([before.rate, after.rate, after.version - before.version], [0, 10, 1])
    const { liquidation_id } = (await liquidate(ask, depositId)).json.data
    await replaceTaxRules(ask, { base: 'GROSS', classes: { STANDARD: 50 } })
    const kept = (await ask('GET', `/v2/liquidations/${liquidation_id}`)).json.data
    assert.deepEqual(kept.explanation.tax, before)
  })
})

describeService('withholding tax at maturity', (running) => {
  test('G4 and H2: it leaves the payout, or what opens the successor', async () => {
    const { ask } = running()
    await replaceTaxRules(ask)
    const paidOut = await openDeposit(ask, { amount: 100_000 })
    const rolledOver = await openDeposit(ask, { amount: 100_000, auto_rollover: true })
    const exempt = await openDeposit(ask, { amount: 100_000, auto_rollover: true })
    await ask('PUT', `/v2/customer/${exempt.customerId}/tax-status`, { tax_class: 'EXEMPT' })
    await ask('POST', '/v2/test-clock', { now: '2027-07-01T10:00:00Z' })

    assert.deepEqual((await entriesOf(ask, paidOut.depositId)).slice(1), [
      `MATURITY: ${paidOut.depositId} -100000.00 · interest_expense -10000.00 · ${paidOut.accountNumber} 110000.00`,
      `WITHHOLDING_TAX: ${paidOut.accountNumber} -1000.00 · tax_payable 1000.00`,
    ])
    assert.equal((await ask('GET', `/v2/accounts/${paidOut.accountNumber}`)).json.data.balance, 109_000)
    const deposit = (await ask('GET', `/v2/fixed-deposits/${rolledOver.depositId}`)).json.data
    const successorId: string = deposit.rolled_over_to
    assert.deepEqual(
      [...(await entriesOf(ask, rolledOver.depositId)).slice(1), ...(await entriesOf(ask, successorId))],
      [
        `MATURITY: ${rolledOver.depositId} -100000.00 · interest_expense -10000.00 · rollover_clearing 110000.00`,
        'WITHHOLDING_TAX: rollover_clearing -1000.00 · tax_payable 1000.00',
        `DEPOSIT_OPENING: rollover_clearing -109000.00 · ${successorId} 109000.00`,
      ],
    )
    assert.equal((await entriesOf(ask, exempt.depositId)).length, 2)

    const reported = async (type: string) =>
      (await ask('GET', `/v2/events?type=${type}`)).json.data.map((event: { data: object }) => event.data)
    const [matured] = await reported('fixed_deposit.matured')
    const { total_credited, tax_withheld, net_credited } = matured
    assert.deepEqual([total_credited, tax_withheld, net_credited], [110_000, 1_000, 109_000])
    const rolled = (await reported('fixed_deposit.rolled_over')).find(
      (data: { deposit_id: string }) => data.deposit_id === rolledOver.depositId,
    )
    assert.deepEqual(
      [rolled.interest_rolled_over, rolled.tax_withheld, rolled.successor.principal],
      [10_000, 1_000, 109_000],
    )
  })

  test('a clock that passes a maturity taxes it by the rules of its day', async () => {
    const { ask, db } = running()
    await replaceTaxRules(ask, { classes: { STANDARD: 0 } })
    const { version } = (await replaceTaxRules(ask, { effective_from: '2028-01-01' })).json.data
    const opened = await openDeposit(ask, { amount: 36_500, tenor: 100, auto_rollover: true })
    await ask('POST', '/v2/test-clock', { now: '2028-07-01T10:00:00Z' })
    const chain = await db.query<{ maturity_date: string; maturity_tax_version: number }>(
      `select maturity_date, maturity_tax_version from deposits
       where account_number = $1 and status = 'ROLLED_OVER' order by maturity_date`,
      [opened.accountNumber],
    )
    assert.deepEqual(
      chain.map((row) => [row.maturity_date, row.maturity_tax_version]),
      [
        ['2027-10-09', version - 1],
        ['2028-01-17', version],
        ['2028-04-26', version],
      ],
    )
  })
})

describeService('withholding tax after an interrupted move of the clock', (running) => {
  test('the job taxes each maturity by the rules of its day, and later ones by those of the day they are paid', async () => {
    const { ask, db, service, callerId } = running()
    await replaceTaxRules(ask, { classes: { STANDARD: 0 } })
    const { version } = (await replaceTaxRules(ask, { effective_from: '2026-09-01' })).json.data
    const [passed, held] = [
      await openDeposit(ask, { amount: 36_500, tenor: 10 }),
      await openDeposit(ask, { amount: 36_500, tenor: 10 }),
    ]
    const lien = await ask('POST', `/v2/fixed-deposits/${held.depositId}/liens`, {
      amount: 1,
      reason: 'Loan',
    })
    const book = (await findBook(db, { callerId, mode: 'test' }))!
    const origin = { book, actor: OPERATOR, requestId: null, idempotency: null }
    const stopped = { ...service, settleBook: async () => {} }
    const move = (now: string) => ({ now: new Date(now), rolloversMax: 10 })
    await moveTestClock(stopped, origin, move('2026-08-01T10:00:00Z'))
    await moveTestClock(stopped, origin, move('2026-10-01T10:00:00Z'))
    await service.maturity.settleAll()
    const taxedBy = async ({ depositId }: { depositId: string }) => {
      const [row] = await db.query<{ maturity_tax_version: number | null }>(
        'select maturity_tax_version from deposits where deposit_id = $1',
        [depositId],
      )
      return row!.maturity_tax_version
    }
    assert.deepEqual([await taxedBy(passed), await taxedBy(held)], [version - 1, null])

    await service.settleBook(origin)
    await ask('POST', `/v2/liens/${lien.json.data.lien_id}/release`, { reason: 'Paid' })
    await service.maturity.settleAll()
    assert.equal(await taxedBy(held), version)
  })
})

describeService('approval of tax changes', (running) => {
  test('tax rules and tax status wait where the policy says so, and are carried out by the last vote', async () => {
    const { ask, service, callerId, clock, askWith } = running()
    const book = (await findBook(service.db, { callerId, mode: 'test' }))!
    const { key } = await issueKey(service.db, book, { scopes: ['approvals:decide'], at: clock.now })
    const checker = askWith(key)
    const { customerId } = await fundedAccount(ask, 1)
    await ask('PUT', '/v2/approval-policy', {
      expires_after_hours: 1,
      deciders: 'ANY',
      rules: ['replaceTaxRules', 'putTaxStatus'].map((operation) => ({ operation, when: {}, approvals: 1 })),
    })
    const held = (operation: string, target_id: string | null, body: object) => ({
      status: 422,
      code: 'approval_required',
      details: `{"approvals_needed":1,"approval":${JSON.stringify({ operation, target_id, body })}}`,
    })
    const status = { tax_class: 'EXEMPT', reference: 'C-1' }
    const path = `/v2/customer/${customerId}/tax-status`
    assertRefused(await ask('PUT', '/v2/tax-rules', tenPercent), held('replaceTaxRules', null, tenPercent))
    assertRefused(await ask('PUT', path, status), held('putTaxStatus', customerId, status))
    const request = (asked: object) => ask('POST', '/v2/approvals', asked)
    assertRefused(
      await request({ operation: 'putTaxStatus', target_id: `cus_${'A'.repeat(24)}`, body: status }),
      NO_CUSTOMER,
    )
    assertRefused(
      await request({ operation: 'replaceTaxRules', body: { ...tenPercent, classes: {} } }),
      invalid(['body.classes.STANDARD', 'required']),
    )
    const rules = await request({ operation: 'replaceTaxRules', body: tenPercent })
    const exemption = await request({ operation: 'putTaxStatus', target_id: customerId, body: status })
    assert.deepEqual(exemption.json.data.preview, { customer_id: customerId, ...status, valid_until: null })
    for (const { json } of [rules, exemption]) {
      const done = await checker('POST', `/v2/approvals/${json.data.approval_id}/approve`, {})
      assert.equal(done.json.data.status, 'APPROVED', done.text)
    }
    assert.equal((await ask('GET', '/v2/tax-rules')).json.data.version, 1)
    assert.equal((await ask('GET', path)).json.data.tax_class, 'EXEMPT')
  })
})

forEachEngine((engine) => {
  engine.test('a book without tax rules writes and reads no additional row for a liquidation', async (db) => {
    const asked: string[] = []
    const watched = {
      ...db,
      transaction: <Result>(work: (tx: Transaction) => Promise<Result>) =>
        db.transaction((tx) => {
          const query: Transaction['query'] = (text, values) => {
            asked.push(text)
            return tx.query(text, values)
          }
          return work({ ...tx, query })
        }),
    }
    const { ask, close } = await startService(watched)
    const { depositId } = await openZ(ask)
    const counted = async () =>
      Promise.all(
        ['ledger_entries', 'liquidations', 'events'].map(
          async (table) => (await db.query(`select 1 from ${table}`)).length,
        ),
      )
    const before = await counted()
    asked.length = 0
    const { data } = (await liquidate(ask, depositId)).json
    assert.deepEqual([data.adjustments, data.net_credited], [[], data.total_credited])
    const made = (await counted()).map((rows, index) => rows - before[index]!)
    assert.deepEqual(made, [1, 1, 1])
    // The locks and the snapshot of the book; the pinned rules are known since the opening.
    assert.equal(asked.filter((text) => /^\s*(select|with)/.test(text)).length, 2, asked.join('\n'))
    await close()
  })
})
