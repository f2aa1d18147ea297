/** Spec section 4 on lists: pages, cursors and filters. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../support/refusals.ts'
import {
  type Answer,
  type Ask,
  ada,
  describeService,
  fundedAccount,
  openDeposit,
  startService,
} from '../support/service.ts'

const invalid = (field: string, code: string) => ({
  status: 400,
  code: 'invalid_request',
  fields: [[field, code]] as const,
})

describeService('lists', (running) => {
  test('a list of more than a hundred rows is read whole, page by page, newest first', async () => {
    const { askWith, liveKey } = running()
    const ask = askWith(liveKey)
    const made = await manyCustomers(ask, 130)
    for (const limit of [1, 7, 50, 100]) {
      const pages = await readPages(ask, `/v2/customer?limit=${limit}`, { pagesMax: limit === 1 ? 5 : 1000 })
      const sizes = pages.map((page) => page.json.data.length)
      const read = pages.flatMap((page) => page.json.data.map(idOf))
      assert.deepEqual(read, made.toReversed().slice(0, read.length))
      if (limit === 1) continue
      assert.deepEqual(read.length, 130)
      assert(
        sizes.slice(0, -1).every((size) => size === limit),
        String(sizes),
      )
      for (const [index, page] of pages.entries()) {
        const { meta } = page.json
        const isLast = index === pages.length - 1
        assert.deepEqual(meta, { limit, has_more: !isLast, next_cursor: isLast ? null : meta.next_cursor })
      }
    }
    const standard = await ask('GET', '/v2/customer')
    assert.deepEqual([standard.json.data.length, standard.json.meta.limit], [50, 50])
  })

  test('a page that ends with the last row says that there is no more', async () => {
    const { ask } = running()
    await manyCustomers(ask, 4)
    const all = (await ask('GET', '/v2/customer?limit=100')).json.data.length
    for (const [limit, hasMore] of [
      [all - 1, true],
      [all, false],
      [all + 1, false],
    ] as const) {
      const { meta, data } = (await ask('GET', `/v2/customer?limit=${limit}`)).json
      assert.deepEqual(
        [meta.has_more, meta.next_cursor !== null, data.length],
        [hasMore, hasMore, Math.min(limit, all)],
      )
    }
  })

  test('rows that are added while a list is read neither repeat nor hide others', async () => {
    const { db } = running()
    const { ask, close } = await startService(db)
    const made = await manyCustomers(ask, 10)
    const first = await ask('GET', '/v2/customer?limit=4')
    await manyCustomers(ask, 5)
    const second = await ask('GET', `/v2/customer?limit=4&cursor=${first.json.meta.next_cursor}`)
    await manyCustomers(ask, 5)
    const third = await ask('GET', `/v2/customer?limit=4&cursor=${second.json.meta.next_cursor}`)
    const read = [first, second, third].flatMap((page) => page.json.data.map(idOf))
    assert.deepEqual(read, made.toReversed())
    assert.equal(third.json.meta.has_more, false)
    await close()
  })

  test('the size of the page may change from page to page', async () => {
    const { askWith, liveKey } = running()
    const ask = askWith(liveKey)
    const whole = (await ask('GET', '/v2/customer?limit=9')).json.data.map(idOf)
    const first = await ask('GET', '/v2/customer?limit=2')
    const rest = await ask('GET', `/v2/customer?limit=7&cursor=${first.json.meta.next_cursor}`)
    assert.deepEqual([...first.json.data.map(idOf), ...rest.json.data.map(idOf)], whole)
  })

  test('a limit is a whole number from 1 to 100', async () => {
    const { ask } = running()
    for (const [limit, code] of [
      ['0', 'out_of_range'],
      ['-1', 'out_of_range'],
      ['101', 'out_of_range'],
      ['1e9', 'out_of_range'],
      ['1.5', 'too_precise'],
      ['ten', 'invalid_type'],
      ['', 'invalid_type'],
      ['0x10', 'invalid_type'],
      ['1&limit=2', 'invalid_value'],
    ] as const) {
      assertRefused(await ask('GET', `/v2/customer?limit=${limit}`), invalid('limit', code))
    }
    for (const limit of ['1', '100'])
      assert.equal((await ask('GET', `/v2/customer?limit=${limit}`)).status, 200)
  })

  test('an unknown name in the query is refused, on every list', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, { amount: 5 })
    for (const list of [
      '/v2/customer',
      '/v2/accounts',
      '/v2/fixed-deposits',
      `/v2/fixed-deposits/${depositId}/liquidations`,
      '/v2/ledger-entries',
    ]) {
      for (const name of ['page', 'Limit', 'sort', '__proto__', 'offset']) {
        assertRefused(await ask('GET', `${list}?${name}=1`), invalid(name, 'unknown_field'))
      }
    }
    const answer = await ask('GET', '/v2/customer?limit=0&page=2&cursor=')
    assertRefused(answer, {
      status: 400,
      code: 'invalid_request',
      fields: [
        ['limit', 'out_of_range'],
        ['cursor', 'blank'],
        ['page', 'unknown_field'],
      ],
    })
  })

  test('a cursor serves the list, the book and the filters it came from, and no other', async () => {
    const { ask, askWith, liveKey, db } = running()
    const other = await startService(db)
    const { customerId, accountNumber } = await fundedAccount(ask, 100)
    const opening = { account_number: accountNumber, amount: 1, tenor: 30, interest_rate: 5 }
    for (let times = 0; times < 3; times += 1) await ask('POST', '/v2/fixed-deposits', opening)
    const { data } = (await ask('POST', '/v2/fixed-deposits', opening)).json
    for (let times = 0; times < 3; times += 1) {
      await ask('POST', `/v2/fixed-deposits/${data.deposit_id}/liquidate`, {
        liquidation_type: 'PARTIAL',
        amount: 0.1,
      })
    }
    const filtered = `/v2/fixed-deposits?limit=1&customer_id=${customerId}`
    const cursorOf = async (url: string) => {
      const { next_cursor } = (await ask('GET', url)).json.meta
      assert.notEqual(next_cursor, null, url)
      return next_cursor
    }
    const [ofCustomers, ofDeposits, ofFiltered, ofLiquidations] = [
      await cursorOf('/v2/customer?limit=1'),
      await cursorOf('/v2/fixed-deposits?limit=1'),
      await cursorOf(filtered),
      await cursorOf(`/v2/fixed-deposits/${data.deposit_id}/liquidations?limit=1`),
    ]
    const own: [string, string][] = [
      ['/v2/customer?', ofCustomers],
      ['/v2/fixed-deposits?', ofDeposits],
      [`${filtered}&`, ofFiltered],
      [`/v2/fixed-deposits/${data.deposit_id}/liquidations?`, ofLiquidations],
    ]
    for (const [url, cursor] of own)
      assert.equal((await ask('GET', `${url}cursor=${cursor}`)).status, 200, url)

    const decoded = Buffer.from(ofCustomers, 'base64url').toString()
    const forged = (ordinal: string) =>
      Buffer.from(decoded.replace(/\.\d+$/, `.${ordinal}`)).toString('base64url')
    const foreign: [Ask, string, string][] = [
      [ask, '/v2/accounts?', ofCustomers],
      [ask, '/v2/customer?', ofDeposits],
      [ask, '/v2/fixed-deposits?', ofFiltered],
      [ask, `${filtered}&`, ofDeposits],
      [ask, `${filtered}&status=ACTIVE&`, ofFiltered],
      [ask, `/v2/fixed-deposits?customer_id=cus_1&`, ofFiltered],
      [
        ask,
        `/v2/fixed-deposits/${(await openDeposit(ask, { amount: 1 })).depositId}/liquidations?`,
        ofLiquidations,
      ],
      [askWith(liveKey), '/v2/customer?', ofCustomers],
      [other.ask, '/v2/customer?', ofCustomers],
      [ask, '/v2/customer?', 'x'],
      [ask, '/v2/customer?', '%00'],
      [ask, '/v2/customer?', `${ofCustomers}x`],
      [ask, '/v2/customer?', forged('')],
      [ask, '/v2/customer?', forged('-1')],
      [ask, '/v2/customer?', forged('9999999999999999999')],
      [ask, '/v2/customer?', forged('9223372036854775808')],
      [ask, '/v2/customer?', 'x'.repeat(200)],
    ]
    for (const [asking, url, cursor] of foreign) {
      const answer = await asking('GET', `${url}cursor=${cursor}`)
      assert.deepEqual(
        [answer.status, answer.json.error?.code, answer.json.error?.fields[0]?.field],
        [400, 'invalid_request', 'cursor'],
        `${url} ${cursor}`,
      )
    }
    await other.close()
  })

  test('accounts are found by their customer', async () => {
    const { ask } = running()
    const { customerId, accountNumber } = await fundedAccount(ask, 5)
    const second = await ask('POST', '/v2/accounts', { customer_id: customerId })
    const found = await ask('GET', `/v2/accounts?customer_id=${customerId}`)
    assert.deepEqual(
      found.json.data.map((account: { account_number: string }) => account.account_number),
      [second.json.data.account_number, accountNumber],
    )
    assert.deepEqual((await ask('GET', '/v2/accounts?customer_id=cus_1')).json.data, [])
  })

  test('deposits are found by customer, account, status and maturity, and by all of them together', async () => {
    const { db } = running()
    const { ask, close } = await startService(db)
    const first = await openDeposit(ask, { amount: 10, tenor: 10 })
    const second = await openDeposit(ask, { amount: 10, tenor: 20 })
    const third = await openDeposit(ask, { amount: 10, tenor: 30 })
    await ask('POST', `/v2/fixed-deposits/${first.depositId}/liquidate`, { liquidation_type: 'FULL' })
    const ids = [first, second, third].map((deposit) => deposit.depositId)
    const find = async (query: string) => {
      const { data } = (await ask('GET', `/v2/fixed-deposits?${query}`)).json
      return data.map((deposit: { deposit_id: string }) => ids.indexOf(deposit.deposit_id) + 1)
    }
    assert.deepEqual(await find(''), [3, 2, 1])
    assert.deepEqual(await find(`customer_id=${second.customerId}`), [2])
    assert.deepEqual(await find(`account_number=${third.accountNumber}`), [3])
    assert.deepEqual(await find('status=ACTIVE'), [3, 2])
    assert.deepEqual(await find('status=LIQUIDATED'), [1])
    assert.deepEqual(await find('status=MATURED'), [])
    // They mature on the 11th, the 21st and the 31st; the day that is named belongs to neither side.
    assert.deepEqual(await find('matures_before=2026-07-21'), [1])
    assert.deepEqual(await find('matures_after=2026-07-21'), [3])
    assert.deepEqual(await find('matures_after=2026-07-11&matures_before=2026-07-31'), [2])
    assert.deepEqual(
      await find(
        `status=ACTIVE&matures_after=2026-07-11&customer_id=${third.customerId}&account_number=${third.accountNumber}`,
      ),
      [3],
    )
    for (const [query, field, code] of [
      ['status=active', 'status', 'invalid_value'],
      ['status=', 'status', 'invalid_value'],
      ['matures_before=2026-02-30', 'matures_before', 'invalid_format'],
      ['matures_after=soon', 'matures_after', 'invalid_format'],
      ['status=ACTIVE&status=MATURED', 'status', 'invalid_value'],
    ] as const) {
      assertRefused(await ask('GET', `/v2/fixed-deposits?${query}`), invalid(field, code))
    }
    await close()
  })
})

/** Reads on until there is no more. */
async function readPages(ask: Ask, url: string, limits: { pagesMax: number }): Promise<Answer[]> {
  const pages = [await ask('GET', url)]
  while (pages.at(-1)!.json.meta.next_cursor !== null && pages.length < limits.pagesMax) {
    pages.push(await ask('GET', `${url}&cursor=${pages.at(-1)!.json.meta.next_cursor}`))
  }
  return pages
}

/** In the order in which they were made. */
async function manyCustomers(ask: Ask, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made += 1)
    ids.push(idOf((await ask('POST', '/v2/customer', ada)).json.data))
  return ids
}

function idOf(customer: { customer_id: string }): string {
  return customer.customer_id
}
