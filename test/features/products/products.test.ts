/** Products and rate sheets over HTTP. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBook } from '../../../src/features/callers/store.ts'
import { issueKey } from '../../support/keys.ts'
import { harbourFix, harbourSheet } from '../../support/products.ts'
import { assertRefused, assertRefusedWithoutTrace, type ExpectedRefusal } from '../../support/refusals.ts'
import { type Ask, describeService, firstRules } from '../../support/service.ts'

const invalid = (...fields: [string, string][]): ExpectedRefusal => ({
  status: 400,
  code: 'invalid_request',
  fields,
})

const { tenor, interest, maturity } = harbourFix
const rerate = (rate: object) => ({
  ...firstRules,
  penal_rules: [{ when: {}, terms: [{ kind: 'RERATE', rate }] }],
})

const badProducts: [changes: object, ...fields: [string, string][]][] = [
  [{ name: ' ' }, ['name', 'blank']],
  [{ name: 'n'.repeat(101) }, ['name', 'too_long']],
  [{ currency: 'ngn' }, ['currency', 'invalid_value']],
  [{ currency: 'KWD' }, ['currency', 'invalid_value']],
  [{ status: 'open' }, ['status', 'invalid_value']],
  [{ min_amount: 0 }, ['min_amount', 'not_positive']],
  [{ min_amount: '1' }, ['min_amount', 'invalid_type']],
  [{ min_amount: null }, ['min_amount', 'null_not_allowed']],
  [{ max_amount: 49_999.99 }, ['max_amount', 'invalid_value']],
  [{ currency: 'XOF', min_amount: 100.5 }, ['min_amount', 'too_precise']],
  [{ currency: 'XOF', max_amount: 100_000.5 }, ['max_amount', 'too_precise']],
  [{ tenor: { ...tenor, unit: 'WEEK' } }, ['tenor.unit', 'invalid_value']],
  [{ tenor: { ...tenor, min: 0 } }, ['tenor.min', 'out_of_range']],
  [{ tenor: { ...tenor, min: 37 } }, ['tenor.max', 'invalid_value']],
  [{ tenor: { ...tenor, max: 1_201 } }, ['tenor.max', 'out_of_range']],
  [{ tenor: { ...tenor, unit: 'DAY', max: 36_501 } }, ['tenor.max', 'out_of_range']],
  [{ tenor: { ...tenor, multiple: 0 } }, ['tenor.multiple', 'out_of_range']],
  [{ tenor: { unit: 'DAY', min: 1, max: 2 } }, ['tenor.multiple', 'required']],
  [{ interest: { ...interest, method: 'SIMPLE' } }, ['interest.method', 'invalid_value']],
  [{ interest: { ...interest, every: null } }, ['interest.every', 'required']],
  [{ interest: { ...interest, method: 'COMPOUND', every: null } }, ['interest.every', 'required']],
  [{ interest: { ...interest, every: 'DAY' } }, ['interest.every', 'invalid_value']],
  [{ interest: { ...interest, every: 'WEEK' } }, ['interest.every', 'invalid_value']],
  [{ interest: { ...interest, method: 'AT_MATURITY' } }, ['interest.every', 'invalid_value']],
  [{ interest: { ...interest, method: 'UPFRONT' } }, ['interest.every', 'invalid_value']],
  [{ interest: { method: 'PAYOUT', recover_paid_interest: true } }, ['interest.every', 'required']],
  [
    { interest: { ...interest, recover_paid_interest: 'yes' } },
    ['interest.recover_paid_interest', 'invalid_type'],
  ],
  [{ maturity: { ...maturity, on_holiday: 'PREVIOUS' } }, ['maturity.on_holiday', 'invalid_value']],
  [{ maturity: { ...maturity, instruction: 'KEEP' } }, ['maturity.instruction', 'invalid_value']],
  [{ maturity: { ...maturity, rollover_limit: 1_001 } }, ['maturity.rollover_limit', 'out_of_range']],
  [{ maturity: { ...maturity, rollover_limit: -1 } }, ['maturity.rollover_limit', 'out_of_range']],
  [{ negotiated_rate: { min: 8 } }, ['negotiated_rate.max', 'required']],
  [{ negotiated_rate: { min: 8, max: 7.9999 } }, ['negotiated_rate.max', 'invalid_value']],
  [{ negotiated_rate: { min: 8, max: 101 } }, ['negotiated_rate.max', 'out_of_range']],
  [{ bonuses: { senior: 0.5 } }, ['bonuses.senior', 'invalid_format']],
  [{ bonuses: { SENIOR: 10.0001 } }, ['bonuses.SENIOR', 'out_of_range']],
  [{ bonuses: { SENIOR: -10.0001 } }, ['bonuses.SENIOR', 'out_of_range']],
  [{ bonuses: Object.fromEntries([...'ABCDEFGHIJK'].map((code) => [code, 1])) }, ['bonuses', 'too_many']],
  [{ rules: {} }, ...Object.keys(firstRules).map((name): [string, string] => [`rules.${name}`, 'required'])],
  [{ rules: rerate({ of: 'CARD_THEN' }) }, ['rules.penal_rules[0].terms[0].rate.of', 'invalid_value']],
  [
    { rules: rerate({ of: 'CARD_NOW', value: 5 }) },
    ['rules.penal_rules[0].terms[0].rate.value', 'unknown_field'],
  ],
  [{ interest_rate: 5 }, ['interest_rate', 'unknown_field']],
]

const badSheets: [changes: object, ...fields: [string, string][]][] = [
  [{ effective_from: '2026-02-30' }, ['effective_from', 'invalid_format']],
  [{ tenor_unit: 'YEAR' }, ['tenor_unit', 'invalid_value']],
  [{ tenor_from: [] }, ['tenor_from', 'too_few']],
  [{ tenor_from: Array.from({ length: 25 }, (_, row) => row) }, ['tenor_from', 'too_many']],
  [{ tenor_from: [1, 30, 90, 180, 365] }, ['tenor_from[0]', 'invalid_value']],
  [{ tenor_from: [0, 30, 30, 180, 365] }, ['tenor_from[2]', 'invalid_value']],
  [{ tenor_from: [0, 30, 90.5, 180, 365] }, ['tenor_from[2]', 'too_precise']],
  [{ tenor_from: [0, 30, 90, 180] }, ['rates', 'invalid_value']],
  [{ amount_from: [0.01, 1_000_000] }, ['amount_from[0]', 'invalid_value']],
  [{ amount_from: [0, 0] }, ['amount_from[1]', 'invalid_value']],
  [{ amount_from: [0, -1] }, ['amount_from[1]', 'out_of_range']],
  [{ amount_from: Array.from({ length: 9 }, (_, column) => column) }, ['amount_from', 'too_many']],
  [
    { amount_from: [0] },
    ...[0, 1, 2, 3, 4].map((row): [string, string] => [`rates[${row}]`, 'invalid_value']),
  ],
  [{ rates: [[0, 0], [8, 8.25], [9], [10, 10.75], [11, 12]] }, ['rates[2]', 'invalid_value']],
  [
    {
      rates: [
        [0, 0],
        [8, 101],
        [9, 9],
        [10, 10],
        [11, 12],
      ],
    },
    ['rates[1][1]', 'out_of_range'],
  ],
  [
    {
      rates: [
        [0, 0],
        [8, -1],
        [9, 9],
        [10, 10],
        [11, 12],
      ],
    },
    ['rates[1][1]', 'out_of_range'],
  ],
  [{ rates: [8, 9] }, ['rates[0]', 'invalid_type'], ['rates[1]', 'invalid_type']],
  [{ currency: 'NGN' }, ['currency', 'unknown_field']],
]

const NO_PRODUCT: ExpectedRefusal = { status: 404, code: 'product_not_found' }
const NO_VERSION: ExpectedRefusal = { status: 404, code: 'document_version_not_found' }
const NO_SHEET: ExpectedRefusal = { status: 404, code: 'rate_sheet_not_found' }

async function put(ask: Ask, code: string, changes: object = {}) {
  const answer = await ask('PUT', `/v2/products/${code}`, { ...harbourFix, ...changes })
  assert.equal(answer.status, 200, answer.text)
  return answer
}

function addSheet(ask: Ask, code: string, changes: object = {}) {
  return ask('POST', `/v2/products/${code}/rate-sheets`, { ...harbourSheet, ...changes })
}

describeService('products', (running) => {
  test('each PUT writes the next version, and all versions stay', async () => {
    const { ask } = running()
    const first = await put(ask, 'HARBOUR')
    const created_at = '2026-07-01T10:00:00.000Z'
    assert.deepEqual(first.json.data, { product_code: 'HARBOUR', version: 1, ...harbourFix, created_at })
    assert(first.text.includes('"min_amount":50000.00,"max_amount":null'), first.text)
    const second = await put(ask, 'HARBOUR', { status: 'CLOSED', rules: rerate({ of: 'CARD_NOW', add: -1 }) })
    assert.equal(second.json.data.version, 2)
    assert.equal(second.json.data.rules.penal_rules[0].terms[0].rate.of, 'CARD_NOW')
    assert.deepEqual((await ask('GET', '/v2/products/HARBOUR')).json.data, second.json.data)
    assert.deepEqual((await ask('GET', '/v2/products/HARBOUR/versions/1')).json.data, first.json.data)
    assert.deepEqual((await ask('GET', '/v2/products/HARBOUR/versions/2')).json.data, second.json.data)
    const [event] = (await ask('GET', '/v2/events?type=product.updated')).json.data
    assert.deepEqual(event.data, second.json.data)
    for (const path of ['/v2/products/OTHER', '/v2/products/OTHER/versions/1', '/v2/products/harbour']) {
      assertRefused(await ask('GET', path), NO_PRODUCT)
    }
    for (const version of ['0', '3', 'x', '9999999999']) {
      assertRefused(await ask('GET', `/v2/products/HARBOUR/versions/${version}`), NO_VERSION)
    }
  })

  test('a document that is not whole or not possible is refused with the path of each fault', async () => {
    const { ask, db } = running()
    for (const [changes, ...fields] of badProducts) {
      await assertRefusedWithoutTrace(
        db,
        () => ask('PUT', '/v2/products/BAD', { ...harbourFix, ...changes }),
        invalid(...fields),
      )
    }
    const missing = Object.keys(harbourFix).map((name): [string, string] => [name, 'required'])
    await assertRefusedWithoutTrace(db, () => ask('PUT', '/v2/products/BAD', {}), invalid(...missing))
    for (const code of ['small', '-A', '_A', 'A'.repeat(33), 'A%20B', '%C3%84']) {
      await assertRefusedWithoutTrace(
        db,
        () => ask('PUT', `/v2/products/${code}`, harbourFix),
        invalid(['product_code', 'invalid_format']),
      )
    }
    await assertRefusedWithoutTrace(
      db,
      () => ask('PUT', '/v2/products/small?page=2', { ...harbourFix, name: '' }),
      invalid(['product_code', 'invalid_format'], ['name', 'blank'], ['page', 'unknown_field']),
    )
    for (const code of ['0', 'A_B-1', 'Z'.repeat(32)]) await put(ask, code)
  })

  test('the currency of a product never changes', async () => {
    const { ask, db } = running()
    await put(ask, 'CFA', { currency: 'XOF', max_amount: 100_000_000 })
    await assertRefusedWithoutTrace(db, () => ask('PUT', '/v2/products/CFA', harbourFix), {
      status: 422,
      code: 'currency_mismatch',
      details: '{"currency":"XOF"}',
    })
  })

  test('products are listed newest first, each in its newest version, and by status', async () => {
    const { service, callerId, clock, askWith } = running()
    const book = (await findBook(service.db, { callerId, mode: 'live' }))!
    const { key } = await issueKey(service.db, book, { scopes: ['*'], at: clock.now })
    const ask = askWith(key)
    for (const code of ['ONE', 'TWO', 'THREE']) await put(ask, code)
    await put(ask, 'ONE', { status: 'CLOSED' })
    const listed = async (query: string) =>
      (await ask('GET', `/v2/products${query}`)).json.data.map(
        ({ product_code, version }: { product_code: string; version: number }) =>
          `${product_code} ${version}`,
      )
    assert.deepEqual(await listed(''), ['THREE 1', 'TWO 1', 'ONE 2'])
    assert.deepEqual(await listed('?status=OPEN'), ['THREE 1', 'TWO 1'])
    assert.deepEqual(await listed('?status=CLOSED'), ['ONE 2'])
    const page = (await ask('GET', '/v2/products?limit=2')).json
    assert.equal(page.meta.has_more, true)
    assert.deepEqual(await listed(`?limit=2&cursor=${page.meta.next_cursor}`), ['ONE 2'])
    assertRefused(await ask('GET', '/v2/products?status=open'), invalid(['status', 'invalid_value']))
  })

  test('a book has at most 200 products, and each may still be changed', async () => {
    const { db, service, callerId, clock, askWith } = running()
    const book = (await findBook(service.db, { callerId, mode: 'live' }))!
    const { key } = await issueKey(service.db, book, { scopes: ['*'], at: clock.now })
    const ask = askWith(key)
    await db.query(
      `with planted as (
         insert into products (book_id, product_code, version, ordinal, status, text, created_at)
         select $1, 'P' || number, 1, number, 'OPEN', $2, now()
         from generate_series(1, 200 - (select count(*) from products where book_id = $1 and version = 1)) as number
         returning product_code, ordinal
       )
       insert into events (book_id, event_id, ordinal, type, announced, subject_id, occurred_at, data)
       select $1, 'evt_' || product_code, ordinal, 'product.updated', true, product_code, now(), '{"version":1}'
       from planted`,
      [book.bookId, JSON.stringify(harbourFix)],
    )
    await assertRefusedWithoutTrace(db, () => ask('PUT', '/v2/products/ONE_MORE', harbourFix), {
      status: 422,
      code: 'too_many_products',
      details: '{"maximum":200}',
    })
    await put(ask, 'P1', { name: 'Renamed' })
  })

  test('sheets are numbered, and found by number', async () => {
    const { ask } = running()
    await put(ask, 'SHEETS')
    assertRefused(await addSheet(ask, 'UNKNOWN'), NO_PRODUCT)
    const first = await addSheet(ask, 'SHEETS')
    assert.equal(first.status, 201, first.text)
    const created_at = '2026-07-01T10:00:00.000Z'
    assert.deepEqual(first.json.data, { product_code: 'SHEETS', number: 1, ...harbourSheet, created_at })
    assert(first.text.includes('"amount_from":[0.00,1000000.00]'), first.text)
    const second = await addSheet(ask, 'SHEETS', { effective_from: '2027-01-01' })
    const third = await addSheet(ask, 'SHEETS', { effective_from: '2027-01-01' })
    const path = '/v2/products/SHEETS/rate-sheets'
    assert.deepEqual((await ask('GET', path)).json.data, [third.json.data, second.json.data, first.json.data])
    const page = (await ask('GET', `${path}?limit=2`)).json
    const rest = (await ask('GET', `${path}?limit=2&cursor=${page.meta.next_cursor}`)).json
    assert.deepEqual([page.meta.has_more, rest.data], [true, [first.json.data]])
    assert.deepEqual((await ask('GET', `${path}/2`)).json.data, second.json.data)
    for (const number of ['0', '4', 'x', '9999999999']) {
      assertRefused(await ask('GET', `${path}/${number}`), NO_SHEET)
    }
    assertRefused(await ask('GET', '/v2/products/UNKNOWN/rate-sheets'), NO_PRODUCT)
    assertRefused(await ask('GET', '/v2/products/UNKNOWN/rate-sheets/1'), NO_PRODUCT)
    const [event] = (await ask('GET', '/v2/events?type=rate_sheet.added')).json.data
    assert.deepEqual(event.data, third.json.data)
  })

  test('a grid with a gap is refused with the path of each fault', async () => {
    const { ask, db } = running()
    await put(ask, 'GRID')
    for (const [changes, ...fields] of badSheets) {
      await assertRefusedWithoutTrace(db, () => addSheet(ask, 'GRID', changes), invalid(...fields))
    }
    const widest = {
      tenor_from: Array.from({ length: 24 }, (_, row) => row),
      amount_from: Array.from({ length: 8 }, (_, column) => column),
      rates: Array.from({ length: 24 }, () => Array.from({ length: 8 }, () => 100)),
    }
    assert.equal((await addSheet(ask, 'GRID', widest)).status, 201)
    await assertRefusedWithoutTrace(db, () => addSheet(ask, 'GRID', { effective_from: '2025-12-31' }), {
      status: 422,
      code: 'effective_date_before_last',
      details: `{"effective_from":"${harbourSheet.effective_from}"}`,
    })
  })

  test('a product has at most 1,000 sheets', async () => {
    const { ask, db, service, callerId } = running()
    const { bookId } = (await findBook(service.db, { callerId, mode: 'test' }))!
    await put(ask, 'FULL')
    await db.query(
      `with planted as (
         insert into rate_sheets (book_id, product_code, number, effective_from, text, created_at)
         select $1, 'FULL', number, '2026-01-01', $2, now()
         from generate_series(1, 1000) as number
         returning number
       )
       insert into events (book_id, event_id, ordinal, type, announced, subject_id, occurred_at, data)
       select $1, 'evt_' || number, number, 'rate_sheet.added', true, 'FULL', now(), '{"number":' || number || '}'
       from planted`,
      [bookId, JSON.stringify(harbourSheet)],
    )
    await assertRefusedWithoutTrace(db, () => addSheet(ask, 'FULL'), {
      status: 422,
      code: 'too_many_rate_sheets',
      details: '{"maximum":1000}',
    })
  })

  test("a rate of a sheet is refused in the caller's rules, and so is a bad count", async () => {
    const { ask, db } = running()
    const refused: [rules: object, ...fields: [string, string][]][] = [
      [rerate({ of: 'CARD_AT_OPENING' }), ['penal_rules[0].terms[0].rate.of', 'invalid_value']],
      [rerate({ of: 'CARD_NOW', add: -1 }), ['penal_rules[0].terms[0].rate.of', 'invalid_value']],
    ]
    for (const [rules, ...fields] of refused) {
      await assertRefusedWithoutTrace(
        db,
        () => ask('PUT', '/v2/liquidation-rules', rules),
        invalid(...fields),
      )
    }
    const when = (conditions: object) => ({
      ...firstRules,
      penal_rules: [{ when: conditions, terms: [{ kind: 'FIXED', amount: 1 }] }],
    })
    const counted = { rollovers: { gte: 1 }, earlier_liquidations: { gte: 1, lt: 3 } }
    const accepted = await ask('PUT', '/v2/liquidation-rules', when(counted))
    assert.deepEqual(accepted.json.data.penal_rules[0].when, counted)
    assertRefused(
      await ask('PUT', '/v2/liquidation-rules', when({ rollovers: { lt: -1 } })),
      invalid(['penal_rules[0].when.rollovers.lt', 'out_of_range']),
    )
    assertRefused(
      await ask('PUT', '/v2/liquidation-rules', when({ earlier_liquidations: {} })),
      invalid(['penal_rules[0].when.earlier_liquidations.gte', 'required']),
    )
  })

  test('a key needs its scope', async () => {
    const { service, callerId, clock, askWith } = running()
    const book = (await findBook(service.db, { callerId, mode: 'test' }))!
    const { key } = await issueKey(service.db, book, { scopes: ['products:read'], at: clock.now })
    const reader = askWith(key)
    assert.equal((await reader('GET', '/v2/products')).status, 200)
    const refused = {
      status: 403,
      code: 'insufficient_scope',
      details: '{"required_scope":"products:write"}',
    }
    assertRefused(await reader('PUT', '/v2/products/HARBOUR', harbourFix), refused)
    assertRefused(await addSheet(reader, 'HARBOUR'), refused)
  })
})
