/** Accounts and deposits from another system: their history counts, nothing of it is paid again, and suspense proves it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBook } from '../../../src/features/callers/store.ts'
import { verify } from '../../../src/features/verification/verify.ts'
import { create, finish, outcomes, type Running, resultsOf, run, send, start } from '../../support/batches.ts'
import { issueKey } from '../../support/keys.ts'
import { harbourFix, harbourSheet } from '../../support/products.ts'
import { assertRefused } from '../../support/refusals.ts'
import { type Ask, ada, describeService, firstRules, fundedAccount } from '../../support/service.ts'

const rate = { of: 'CONTRACT', add: -4 }
const reRate = { ...firstRules, penal_rules: [{ when: {}, terms: [{ kind: 'RERATE', rate }] }] }

async function product(ask: Ask, code: string, changes: object): Promise<void> {
  const put = await ask('PUT', `/v2/products/${code}`, { ...harbourFix, bonuses: {}, ...changes })
  assert.equal(put.status, 200, put.text)
  const sheet = await ask('POST', `/v2/products/${code}/rate-sheets`, harbourSheet)
  assert.equal(sheet.status, 201, sheet.text)
}

const PAID_MONTHLY = { method: 'PAYOUT', every: 'MONTH', recover_paid_interest: true }
const PAY_OUT = { on_holiday: 'SAME_DAY', instruction: 'PAY_OUT', rollover_limit: null }

async function suspense({ db }: { db: { query: <Row>(text: string) => Promise<Row[]> } }): Promise<string> {
  const [row] = await db.query<{ sum: string }>(`
    select coalesce(sum(line.amount), 0)::text as sum
    from ledger_entries, unnest(accounts, amounts_minor) as line(account, amount)
    where line.account = 'migration_suspense'`)
  return row!.sum
}

async function assertInOrder({ service, callerId }: Running): Promise<void> {
  const book = (await findBook(service.db, { callerId, mode: 'test' }))!
  const { difference } = await verify([book], { db: service.db, versions: service.versions })
  assert.equal(difference, null)
}

async function importOne(running: Running, line: object) {
  const [result] = await run(running, 'importFixedDeposit', [line])
  assert.equal(result!.outcome, 'SUCCEEDED', JSON.stringify(result))
  return result!.data
}

/** X of the vectors, as an older system rounded it. */
const x = (account_number: string) => ({
  ...{
    account_number,
    principal: 800_000,
    remaining_principal: 600_000,
    product_code: 'X',
    interest_rate: 12,
  },
  ...{ tenor_months: 12, start_date: '2026-01-15', interest_paid: 29_786.3, interest_paid_to: '2026-06-15' },
})

describeService(
  'imports',
  (running) => {
    test('accounts come with their number and balance, of customers by either name', async () => {
      const { ask } = running()
      const before = BigInt(await suspense(running()))
      const [customer] = await run(running(), 'createCustomer', [{ ...ada, external_id: 'OLD-1' }])
      const line = { customer_external_id: 'OLD-1', account_number: '7000000001', currency: 'NGN' }
      const results = await run(running(), 'importAccount', [
        { ...line, balance: 1250.5, external_id: 'A-1' },
        { ...line, balance: 1, external_id: 'A-2' },
        { customer_id: customer!.id, currency: 'XOF', balance: 0, external_id: 'A-3' },
        { customer_id: 'cus_none', currency: 'NGN', balance: 0, external_id: 'A-4' },
        {
          customer_id: customer!.id,
          currency: 'NGN',
          balance: 0,
          external_id: 'A-1',
          account_number: '7000000009',
        },
      ])
      assert.deepEqual(outcomes(results), [
        ...['SUCCEEDED', 'account_number_taken', 'SUCCEEDED', 'customer_not_found', 'idempotency_key_reused'],
      ])
      assert.equal(results[0]!.id, '7000000001')
      const account = (await ask('GET', '/v2/accounts/7000000001')).json.data
      assert.deepEqual(
        [account.balance, account.customer_id, account.external_id],
        [1250.5, customer!.id, 'A-1'],
      )
      assert.equal(BigInt(await suspense(running())) - before, -125_050n)
      const audit = (await ask('GET', '/v2/audit-log?subject_id=7000000001')).json.data
      assert.deepEqual(
        audit.map(({ action }: { action: string }) => action),
        ['account.imported'],
      )
      assert.deepEqual((await ask('GET', '/v2/events?type=account.imported')).status, 400)
    })

    test('bad lines of accounts', async () => {
      const line = { customer_id: 'cus_x', currency: 'NGN', balance: 0, external_id: 'B' }
      const rows: [object, [string, string]][] = [
        [{ ...line, customer_external_id: 'x' }, ['customer_external_id', 'conflicting_field']],
        [{ currency: 'NGN', balance: 0, external_id: 'B' }, ['customer_id', 'required']],
        [{ ...line, account_number: '123' }, ['account_number', 'too_short']],
        [{ ...line, account_number: '12345678ab' }, ['account_number', 'invalid_format']],
        [{ ...line, currency: 'XOF', balance: 0.5 }, ['balance', 'too_precise']],
        [{ ...line, balance: -1 }, ['balance', 'out_of_range']],
        [{ customer_id: 'cus_x', balance: 0, external_id: 'B' }, ['currency', 'required']],
      ]
      const results = await run(
        running(),
        'importAccount',
        rows.map(([sent]) => sent),
      )
      const found = results.map(({ error }) => [error!.fields[0]!.field, error!.fields[0]!.code])
      assert.deepEqual(
        found,
        rows.map(([, expected]) => expected),
      )
    })

    test('K1: interest paid elsewhere counts when the deposit is broken, and is not paid again', async () => {
      const { ask } = running()
      await product(ask, 'X', { interest: PAID_MONTHLY, maturity: PAY_OUT, rules: reRate })
      const { accountNumber } = await fundedAccount(ask, 1)
      const deposit = await importOne(running(), { ...x(accountNumber), external_id: 'X-1' })
      assert.deepEqual(
        [
          deposit.remaining_principal,
          deposit.principal,
          deposit.expected_interest,
          deposit.interest_paid_out,
        ],
        [600_000, 800_000, 72_000.01, 29_786.3],
      )
      assert.deepEqual([deposit.interest_paid_to, deposit.next_interest_date], ['2026-06-15', '2026-07-15'])
      const broken = await ask('POST', `/v2/fixed-deposits/${deposit.deposit_id}/liquidate`, {
        liquidation_type: 'FULL',
      })
      const { interest_paid, penal_charge, adjustments, net_credited } = broken.json.data
      assert.deepEqual(
        [interest_paid, penal_charge, adjustments, net_credited],
        [1972.6, 1972.6, [{ kind: 'PENAL_RECOVERY', amount: -8613.7 }], 591_386.3],
      )
      await assertInOrder(running())
    })

    test('K3: left alone, it pays on from where the older system stopped', async () => {
      const { ask, clock, service } = running()
      const { accountNumber } = await fundedAccount(ask, 1)
      const deposit = await importOne(running(), { ...x(accountNumber), external_id: 'X-2' })
      const url = `/v2/fixed-deposits/${deposit.deposit_id}`
      const statement = (await ask('GET', `${url}/statement`)).json.data
      assert.deepEqual(
        statement.lines.map(({ kind }: { kind: string }) => kind),
        ['BROUGHT_FORWARD', 'SUMS'],
      )
      const today = clock.now
      clock.now = new Date('2026-07-15T10:00:00.000Z')
      await service.maturity.settleAll()
      const paid = (await ask('GET', `${url}/interest-payments`)).json.data
      assert.deepEqual(
        paid.map(({ from, to, interest }: Record<string, unknown>) => [from, to, interest]),
        [['2026-06-15', '2026-07-15', 5917.81]],
      )
      assert.equal((await ask('GET', url)).json.data.interest_paid_out, 35_704.11)
      await assertInOrder(running())
      clock.now = today
    })

    test('K4: what was paid at the start goes back in part, with its tax', async () => {
      const { ask, clock } = running()
      const today = clock.now
      clock.now = new Date('2026-03-18T10:00:00.000Z')
      const tax = {
        ...{ effective_from: '2026-01-01', base: 'NET', on_recovery: 'RETURN', rounding: 'HALF_UP' },
        classes: { STANDARD: 10 },
      }
      assert.equal((await ask('PUT', '/v2/tax-rules', tax)).status, 200)
      const upfront = { method: 'UPFRONT', every: null, recover_paid_interest: false }
      const days = { unit: 'DAY', min: 1, max: 365, multiple: 1 }
      await product(ask, 'Y', { interest: upfront, tenor: days, maturity: PAY_OUT })
      const { accountNumber } = await fundedAccount(ask, 1)
      const deposit = await importOne(running(), {
        ...{
          account_number: accountNumber,
          principal: 500_000,
          remaining_principal: 300_000,
          product_code: 'Y',
        },
        ...{
          interest_rate: 10,
          tenor: 180,
          start_date: '2026-02-01',
          interest_paid: 14_794.52,
          tax_withheld: 1479.45,
        },
        external_id: 'Y-1',
      })
      const upfrontOf = (interest_paid: number, remaining_principal: number) => ({
        ...{ account_number: accountNumber, principal: 500_000, remaining_principal, product_code: 'Y' },
        ...{ interest_rate: 10, tenor: 180, start_date: '2026-02-01', interest_paid },
        external_id: `Y ${remaining_principal}`,
      })
      const edges = [upfrontOf(1_000, 1_000), upfrontOf(1_000, 1_000.01)]
      const imported = await run(running(), 'importFixedDeposit', edges)
      assert.deepEqual(outcomes(imported), ['upfront_interest_too_high', 'SUCCEEDED'])
      const broken = await ask('POST', `/v2/fixed-deposits/${deposit.deposit_id}/liquidate`, {
        liquidation_type: 'FULL',
      })
      const { adjustments, net_credited } = broken.json.data
      assert.deepEqual(
        [adjustments, net_credited],
        [
          [
            { kind: 'UNEARNED_INTEREST', amount: -11_095.89 },
            { kind: 'TAX_RETURNED', amount: 1109.59 },
          ],
          290_013.7,
        ],
      )
      await assertInOrder(running())
      await ask('PUT', '/v2/tax-rules', { ...tax, classes: { STANDARD: 0 } })
      clock.now = today
    })

    test('K5: one that is past its maturity is due at once, and the total of a file is what remains', async () => {
      const { ask, service } = running()
      const { accountNumber: account_number } = await fundedAccount(ask, 1)
      const before = BigInt(await suspense(running()))
      const plain = { account_number, interest_rate: 10, tenor: 100, start_date: '2026-01-01' }
      const batchId = await create(ask, 'importFixedDeposit', {
        expected: { lines: 2, total_amount: 601_000 },
      })
      await send(ask, batchId, 1, [
        { ...plain, principal: 1000, external_id: 'D-1' },
        { ...x(account_number), external_id: 'D-2' },
      ])
      assert.equal((await start(ask, batchId)).status, 200)
      await finish(running())
      const [due] = await resultsOf(ask, batchId)
      assert.equal(BigInt(await suspense(running())) - before, -60_100_000n)
      await service.maturity.settleAll()
      const { status } = (await ask('GET', `/v2/fixed-deposits/${due!.id}`)).json.data
      const { balance } = (await ask('GET', `/v2/accounts/${account_number}`)).json.data
      assert.deepEqual([status, balance], ['MATURED', 1028.4])
      await assertInOrder(running())
    })

    test('one older than the sheets of its product: rules that start from them cannot say what it would cost', async () => {
      const { ask } = running()
      const card = (of: string) => ({
        ...firstRules,
        penal_rules: [{ when: {}, terms: [{ kind: 'RERATE', rate: { of } }] }],
      })
      const simple = { method: 'AT_MATURITY', every: null, recover_paid_interest: false }
      const plain = { ...harbourFix, interest: simple, maturity: PAY_OUT, bonuses: {} }
      await ask('PUT', '/v2/products/LATER', { ...plain, rules: card('CARD_NOW') })
      const sheet = { ...harbourSheet, effective_from: '2026-06-01' }
      assert.equal((await ask('POST', '/v2/products/LATER/rate-sheets', sheet)).status, 201)
      const { accountNumber: account_number } = await fundedAccount(ask, 1)
      const older = { account_number, interest_rate: 10, tenor_months: 12, start_date: '2026-01-01' }
      const imported = async (product_code: string) => {
        const line = { ...older, principal: 1000, product_code, external_id: `OLDER-${product_code}` }
        return `/v2/fixed-deposits/${(await importOne(running(), line)).deposit_id}`
      }
      const url = await imported('LATER')
      const quote = (as_of: string) =>
        ask('POST', `${url}/liquidation-quote`, { liquidation_type: 'FULL', as_of })
      assertRefused(await quote('2026-05-31'), { status: 422, code: 'no_rate_sheet' })
      assert.equal((await quote('2026-06-01')).json.data.penal_charge, 4.14)

      // Without rules of its own none is needed; of rules that start from one, it is refused.
      await ask('PUT', '/v2/products/NONE_YET', { ...plain, rules: null })
      const unsold = await imported('NONE_YET')
      const part = { liquidation_type: 'PARTIAL', amount: 100 }
      assert.equal((await ask('POST', `${unsold}/liquidate`, part)).status, 200)
      for (const start of ['CARD_AT_OPENING', 'CARD_NOW']) {
        const body = { ...plain, rules: card(start) }
        const { liquidations } = (await ask('POST', '/v2/products/NONE_YET/impact', body)).json.data
        assert.deepEqual([liquidations.count, liquidations.refused_proposed], [1, 1])
      }
    })

    test('P7: the total of a file is what remains of its deposits, and suspense gives as much', async () => {
      const { ask } = running()
      await product(ask, 'P7', { interest: PAID_MONTHLY, maturity: PAY_OUT })
      const { accountNumber: account_number } = await fundedAccount(ask, 1)
      const before = BigInt(await suspense(running()))
      const batchId = await create(ask, 'importFixedDeposit', {
        expected: { lines: 2, total_amount: 1_100_000 },
      })
      const whole = { account_number, principal: 500_000, interest_rate: 10, tenor: 365 }
      const sent = await send(ask, batchId, 1, [
        { ...x(account_number), product_code: 'P7', external_id: 'P7-1' },
        { ...whole, start_date: '2026-06-01', external_id: 'P7-2' },
      ])
      assert.match(sent.text, /"total_amount":1100000\.00,/)
      assert.equal((await start(ask, batchId)).status, 200)
      await finish(running())
      assert.deepEqual(outcomes(await resultsOf(ask, batchId)), ['SUCCEEDED', 'SUCCEEDED'])
      assert.equal(BigInt(await suspense(running())) - before, -110_000_000n)
      await assertInOrder(running())
    })

    test('bad lines of deposits, K2 first', async () => {
      const { ask } = running()
      const { accountNumber: account_number } = await fundedAccount(ask, 1)
      const plain = {
        account_number,
        principal: 1000,
        interest_rate: 10,
        tenor: 100,
        start_date: '2026-06-01',
      }
      const good = x(account_number)
      const { interest_paid: _, ...unpaid } = good
      const rows: [object, string, object][] = [
        [
          { ...good, interest_paid_to: '2026-06-16' },
          'interest_paid_to_invalid',
          { previous: '2026-06-15', next: '2026-07-15' },
        ],
        [
          { ...good, interest_paid_to: '2026-07-15' },
          'interest_paid_to_invalid',
          { previous: '2026-06-15', next: '2026-07-15' },
        ],
        [
          { ...good, interest_paid_to: '2025-06-15' },
          'interest_paid_to_invalid',
          { previous: '2026-01-15', next: '2026-02-15' },
        ],
        [unpaid, 'interest_paid', { code: 'required' }],
        [{ ...plain, interest_paid: 1 }, 'interest_paid', { code: 'conflicting_field' }],
        [{ ...plain, tax_withheld: 1 }, 'tax_withheld', { code: 'conflicting_field' }],
        [{ ...plain, remaining_principal: 1000.01 }, 'remaining_principal', { code: 'out_of_range' }],
        [{ ...good, tax_withheld: 30_000 }, 'tax_withheld', { code: 'out_of_range' }],
        [{ ...good, tenor: 100 }, 'tenor_months', { code: 'conflicting_field' }],
        [
          { ...plain, maturity_date: '2026-09-08' },
          'maturity_date_invalid',
          { earliest: '2026-09-09', latest: '2026-09-19' },
        ],
        [
          { ...plain, maturity_date: '2026-09-20' },
          'maturity_date_invalid',
          { earliest: '2026-09-09', latest: '2026-09-19' },
        ],
        [
          { ...good, interest_paid: 9_999_999_999_999.99 },
          'maturity_value_out_of_range',
          { maximum: 9_999_999_999_999.99 },
        ],
        [{ ...plain, start_date: '2026-06-26' }, 'start_date_in_future', { business_date: '2026-06-25' }],
        [{ ...good, product_code: 'NONE' }, 'product_not_found', {}],
        [{ ...good, bonuses: ['LOYAL'] }, 'bonus_not_offered', { bonus: 'LOYAL' }],
        [{ ...plain, account_number: '0000000000' }, 'account_not_found', {}],
      ]
      const results = await run(
        running(),
        'importFixedDeposit',
        rows.map(([line], index) => ({ ...line, external_id: `BAD-${index}` })),
      )
      const found = results.map(({ error }) => {
        const [field] = error!.fields
        return field === undefined ? [error!.code, error!.details] : [field.field, { code: field.code }]
      })
      assert.deepEqual(
        found,
        rows.map(([, code, details]) => [code, details]),
      )
      const moved = await importOne(running(), {
        ...plain,
        maturity_date: '2026-09-19',
        external_id: 'MOVED',
      })
      assert.deepEqual([moved.maturity_date, moved.tenor], ['2026-09-19', 110])
      const taken = await run(running(), 'openFixedDeposit', [
        { account_number, amount: 1, tenor: 30, interest_rate: 5, external_id: 'MOVED' },
      ])
      assert.deepEqual(outcomes(taken), ['external_id_taken'])
    })

    test('an import needs its own scope, and no other', async () => {
      const { ask, service, callerId, clock, askWith } = running()
      const book = (await findBook(service.db, { callerId, mode: 'test' }))!
      const withScopes = async (...scopes: string[]) =>
        askWith((await issueKey(service.db, book, { scopes, at: clock.now })).key)
      const writer = await withScopes('batches:write', 'accounts:write', 'fixed_deposits:write')
      const refusal = {
        status: 403,
        code: 'insufficient_scope',
        details: '{"required_scope":"batches:import"}',
      }
      assertRefused(await writer('POST', '/v2/batches', { operation: 'importAccount' }), refusal)
      const batchId = await create(ask, 'importAccount')
      assertRefused(await start(writer, batchId), refusal)
      const importer = await withScopes('batches:write', 'batches:import')
      assert.equal((await start(importer, batchId)).status, 200)
      await finish(running())
    })
  },
  { now: '2026-06-25T10:00:00.000Z' },
)
