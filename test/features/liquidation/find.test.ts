/** Liquidations of a whole book, found by date, type, state, account and reference. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../../support/refusals.ts'
import { type Ask, describeService, openDeposit, startService } from '../../support/service.ts'

type Found = { liquidation_id: string; explanation: { business_date: string } }

async function breakPart(ask: Ask, depositId: string, body: object): Promise<string> {
  const answer = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.json.data.liquidation_id
}

async function find(ask: Ask, query: string): Promise<string[]> {
  const answer = await ask('GET', `/v2/liquidations?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json.data.map((one: Found) => one.liquidation_id)
}

const part = (amount: number, more = {}) => ({ liquidation_type: 'PARTIAL', amount, ...more })

describeService('finding liquidations', (running) => {
  test('by business date, newest first, with each filter and with all of them', async () => {
    const { db } = running()
    const { ask, close } = await startService(db)
    const [one, other] = [await openDeposit(ask, { amount: 1000 }), await openDeposit(ask, { amount: 500 })]
    const first = await breakPart(ask, one.depositId, part(100, { reference: 'BR12-1' }))
    await ask('POST', '/v2/test-clock', { now: '2026-07-03T22:59:59Z' })
    const second = await breakPart(ask, other.depositId, { liquidation_type: 'FULL' })
    await ask('POST', '/v2/test-clock', { now: '2026-07-03T23:00:00Z' })
    const third = await breakPart(ask, one.depositId, part(50, { reference: 'BR12-1' }))
    const fourth = await breakPart(ask, one.depositId, part(60))
    await ask('POST', `/v2/liquidations/${fourth}/reverse`, { reason: 'Mistake' })

    const [newest, ...older] = await find(ask, '')
    assert.deepEqual([[newest, older[0]].sort(), ...older.slice(1)], [[third, fourth].sort(), second, first])
    for (const [query, expected] of [
      ['from=2026-07-03', [third, fourth, second]],
      ['to=2026-07-03', [second, first]],
      ['from=2026-07-03&to=2026-07-03', [second]],
      ['from=2026-07-05', []],
      ['type=FULL', [second]],
      ['type=PARTIAL', [third, fourth, first]],
      ['status=COMPLETED', [third, second, first]],
      ['status=REVERSED', [fourth]],
      [`account_number=${one.accountNumber}`, [third, fourth, first]],
      ['account_number=0000000000', []],
      ['reference=BR12-1', [third, first]],
      ['reference=BR12', []],
      [
        `from=2026-07-04&to=2026-07-04&type=PARTIAL&status=COMPLETED&account_number=${one.accountNumber}&reference=BR12-1`,
        [third],
      ],
    ] as const) {
      assert.deepEqual((await find(ask, query)).sort(), [...expected].sort(), query)
    }
    const [listed] = (await ask('GET', '/v2/liquidations?status=REVERSED')).json.data
    assert.deepEqual(listed, (await ask('GET', `/v2/liquidations/${fourth}`)).json.data)
    await close()
  })

  test('is read whole, page by page, also where many were made at one instant', async () => {
    const { db } = running()
    const { ask, close } = await startService(db)
    const { depositId } = await openDeposit(ask, { amount: 1000 })
    const made = await Promise.all(
      Array.from({ length: 15 }, (_, index) => breakPart(ask, depositId, part(1 + index))),
    )
    for (const limit of [1, 4, 15, 16]) {
      const read: string[] = []
      let cursor = ''
      do {
        const { data, meta } = (await ask('GET', `/v2/liquidations?limit=${limit}${cursor}`)).json
        read.push(...data.map((one: Found) => one.liquidation_id))
        cursor = meta.has_more ? `&cursor=${meta.next_cursor}` : ''
      } while (cursor !== '')
      assert.equal(read.length, 15)
      assert.deepEqual(read.toSorted(), made.toSorted())
    }
    await close()
  })

  test('bad input, and a cursor of another list', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, { amount: 10 })
    for (const amount of [1, 2]) await breakPart(ask, depositId, part(amount))
    const { next_cursor } = (await ask('GET', '/v2/liquidations?limit=1')).json.meta
    const forged = (place: string) => {
      const identity = Buffer.from(next_cursor, 'base64url').toString('latin1').split('.')[0]
      return Buffer.from(`${identity}.${place}`).toString('base64url')
    }
    for (const [query, field, code] of [
      ['from=2026-02-30', 'from', 'invalid_format'],
      ['from=2026-07-02&to=2026-07-01', 'from', 'invalid_value'],
      ['type=HALF', 'type', 'invalid_value'],
      ['status=LIQUIDATED', 'status', 'invalid_value'],
      [`reference=${'x'.repeat(65)}`, 'reference', 'too_long'],
      ['deposit_id=fd_1', 'deposit_id', 'unknown_field'],
      [`limit=1&type=FULL&cursor=${next_cursor}`, 'cursor', 'invalid_value'],
      [
        `cursor=${forged(`2026-02-30 2026-02-28T10:00:00.000Z liq_${'A'.repeat(24)}`)}`,
        'cursor',
        'invalid_value',
      ],
      [`cursor=${forged('2026-02-03 +012026-02-28T10:00:00.000Z liq_1')}`, 'cursor', 'invalid_value'],
      [`cursor=${forged('2026-02-03 2026-13-28T10:00:00.000Z liq_1')}`, 'cursor', 'invalid_value'],
      [`cursor=${forged('1')}`, 'cursor', 'invalid_value'],
    ] as const) {
      const answer = await ask('GET', `/v2/liquidations?${query}`)
      assertRefused(answer, { status: 400, code: 'invalid_request', fields: [[field, code]] })
    }
  })
})
