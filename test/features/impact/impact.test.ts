/** What a document would change: the figures are those of a book that had it from the start. */
import assert from 'node:assert/strict'
import { forEachEngine } from '../../support/engines.ts'
import { harbourFix, harbourSheet } from '../../support/products.ts'
import { assertRefused, assertUnchanged } from '../../support/refusals.ts'
import { type Ask, firstRules, fundedAccount, startService } from '../../support/service.ts'
import { minorOf, total } from '../reports/random-life.ts'

const charging = (percent: number, more: object = {}) => ({
  ...firstRules,
  ...more,
  penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent }] }],
})

type Broken = {
  deposit_id: string
  penal_charge: number
  interest_paid: number
  adjustments: { kind: string; amount: number }[]
}

/** Parts of one day, a waiver, a refusal to come and a reversal: the same in each book. */
async function live(ask: Ask, terms: object): Promise<Broken[]> {
  const { accountNumber: account_number } = await fundedAccount(ask, 9_000_000)
  const open = async (amount: number): Promise<string> => {
    const body = { account_number, amount, start_date: '2026-03-23', ...terms }
    const answer = await ask('POST', '/v2/fixed-deposits', body)
    assert.equal(answer.status, 201, answer.text)
    return answer.json.data.deposit_id
  }
  const broken: Broken[] = []
  const breakPart = async (depositId: string, body: object) => {
    const answer = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
    if (answer.status === 200) broken.push(answer.json.data)
    return answer
  }
  const [first, second, third] = [await open(500_000), await open(70_000), await open(60_000)]
  for (const amount of [1_000.01, 0.19, 250_000])
    await breakPart(first, { liquidation_type: 'PARTIAL', amount })
  await breakPart(first, { liquidation_type: 'FULL' })
  await breakPart(second, { liquidation_type: 'FULL', waiver: { percent: 50, reason: 'GOODWILL' } })
  const { liquidation_id } = (await breakPart(third, { liquidation_type: 'FULL' })).json.data
  await ask('POST', `/v2/liquidations/${liquidation_id}/reverse`, { reason: 'Mistake' })
  broken.pop()
  return broken
}

const chargeOf = ({ penal_charge, adjustments }: Broken) =>
  minorOf(penal_charge) - minorOf(adjustments.find(({ kind }) => kind === 'PENAL_RECOVERY')?.amount ?? 0)
const sumOf = (broken: Broken[], of: (one: Broken) => bigint) =>
  broken.reduce((sum, one) => sum + of(one), 0n)

forEachEngine(({ test }) => {
  test('rules charge what they charge where they were in force from the start', async (db) => {
    const { ask, askWith, liveKey } = await startService(db)
    const other = askWith(liveKey)
    const proposed = charging(60, { rounding: 'DOWN' })
    await ask('PUT', '/v2/liquidation-rules', charging(25))
    await other('PUT', '/v2/liquidation-rules', proposed)
    const terms = { tenor: 365, interest_rate: 12 }
    const [now, then] = [await live(ask, terms), await live(other, terms)]
    const rolling = {
      amount: 10_000,
      tenor: 120,
      interest_rate: 10,
      start_date: '2026-06-01',
      auto_rollover: true,
    }
    const { accountNumber: account_number } = await fundedAccount(ask, 10_000)
    assert.equal((await ask('POST', '/v2/fixed-deposits', { account_number, ...rolling })).status, 201)
    await assertUnchanged(db, async () => {
      const { data } = (await ask('POST', '/v2/liquidation-rules/impact', proposed)).json
      const { liquidations, rollovers, held, worst, complete } = data
      assert.equal(liquidations.count, 5)
      assert.equal(minorOf(liquidations.charge_now), sumOf(now, chargeOf))
      assert.equal(minorOf(liquidations.charge_proposed), sumOf(then, chargeOf))
      assert.equal(minorOf(liquidations.interest_now), total(now.map((one) => one.interest_paid)))
      assert.equal(minorOf(liquidations.interest_proposed), total(then.map((one) => one.interest_paid)))
      assert.deepEqual([liquidations.refused_now, liquidations.refused_proposed], [0, 0])
      assert.deepEqual([rollovers.count, rollovers.refused_now, rollovers.refused_proposed], [1, 0, 0])
      // 10,328.77 for 120 days, by each rounding.
      assert.deepEqual([rollovers.interest_now, rollovers.interest_proposed], [339.58, 339.57])
      assert.deepEqual([held, complete], [{ now: 0, proposed: 0 }, true])
      assert.deepEqual(
        worst.map((one: { deposit_id: string }) => one.deposit_id),
        [now[0]!.deposit_id, now.at(-1)!.deposit_id],
      )
      const strict = charging(25, { min_partial_amount: 1_000, min_remaining_principal: 300_000 })
      const { data: stricter } = (await ask('POST', '/v2/liquidation-rules/impact', strict)).json
      assert.equal(stricter.liquidations.refused_proposed, 2)
    })
  })

  test('a product charges by its own rules, and renews or not', async (db) => {
    const { ask, askWith, liveKey } = await startService(db)
    const other = askWith(liveKey)
    const rerate = (rate: object) => ({
      ...firstRules,
      penal_rules: [{ when: {}, terms: [{ kind: 'RERATE', rate }] }],
    })
    const product = (recover_paid_interest: boolean, rate: object) => ({
      ...harbourFix,
      maturity: { ...harbourFix.maturity, on_holiday: 'SAME_DAY' },
      interest: { method: 'PAYOUT', every: 'MONTH', recover_paid_interest },
      rules: rerate(rate),
    })
    const current = product(false, { of: 'CONTRACT', add: -4 })
    const proposed = product(true, { of: 'CARD_AT_OPENING', add: -1 })
    const sell = async (asking: Ask, document: object) => {
      await asking('PUT', '/v2/products/HARBOUR', document)
      assert.equal((await asking('POST', '/v2/products/HARBOUR/rate-sheets', harbourSheet)).status, 201)
    }
    await sell(ask, current)
    await sell(other, proposed)
    const terms = { product_code: 'HARBOUR', tenor_months: 12 }
    const [now, then] = [await live(ask, terms), await live(other, terms)]
    const { accountNumber: account_number } = await fundedAccount(ask, 60_000)
    const rolling = { ...terms, account_number, tenor_months: 6, amount: 60_000, start_date: '2026-02-01' }
    assert.equal((await ask('POST', '/v2/fixed-deposits', rolling)).status, 201)
    await assertUnchanged(db, async () => {
      const { data } = (await ask('POST', '/v2/products/HARBOUR/impact', proposed)).json
      assert.equal(minorOf(data.liquidations.charge_now), sumOf(now, chargeOf))
      assert.equal(minorOf(data.liquidations.charge_proposed), sumOf(then, chargeOf))
      assert.deepEqual([data.rollovers.count, data.rollovers.refused_proposed], [1, 0])
      const closed = { ...current, status: 'CLOSED' }
      const { rollovers } = (await ask('POST', '/v2/products/HARBOUR/impact', closed)).json.data
      assert.deepEqual([rollovers.refused_now, rollovers.refused_proposed], [0, 1])
      assert.equal(rollovers.interest_proposed, 0)
      assertRefused(await ask('POST', '/v2/products/NONE/impact', proposed), {
        status: 404,
        code: 'product_not_found',
      })
      assertRefused(await ask('POST', '/v2/products/HARBOUR/impact', { ...proposed, currency: 'EUR' }), {
        status: 422,
        code: 'currency_mismatch',
        details: '{"currency":"NGN"}',
      })
    })
  })

  test('a policy holds what it would have held', async (db) => {
    const { ask } = await startService(db)
    await ask('PUT', '/v2/liquidation-rules', charging(25))
    const policy = (rules: object[]) => ({ expires_after_hours: 24, deciders: 'ANY', rules })
    const rule = (when: object) => ({ operation: 'liquidateFixedDeposit', when, approvals: 1 })
    await ask('PUT', '/v2/approval-policy', policy([]))
    await live(ask, { tenor: 365, interest_rate: 12 })
    const heldBy = async (...rules: object[]) => {
      const answer = await ask('POST', '/v2/approval-policy/impact', policy(rules))
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.json.data.liquidations.charge_now, answer.json.data.liquidations.charge_proposed)
      return answer.json.data.held
    }
    assert.deepEqual(await heldBy(rule({ amount: { gte: 200_000 } })), { now: 0, proposed: 2 })
    assert.deepEqual(await heldBy(rule({ waiver: true })), { now: 0, proposed: 1 })
    assert.deepEqual(await heldBy(rule({ waived_percent: { gte: 51 } })), { now: 0, proposed: 0 })
    assert.deepEqual(await heldBy(), { now: 0, proposed: 0 })
  })

  test('an approval of a document has its impact as preview: of now, while it waits', async (db) => {
    const { ask } = await startService(db)
    await ask('PUT', '/v2/liquidation-rules', charging(25))
    await ask('PUT', '/v2/products/HARBOUR', harbourFix)
    await live(ask, { tenor: 365, interest_rate: 12 })
    const held = { operation: 'liquidateFixedDeposit', when: { amount: { gte: 200_000 } }, approvals: 1 }
    const policy = { expires_after_hours: 24, deciders: 'ANY', rules: [held] }
    const closed = { ...harbourFix, status: 'CLOSED' }
    const documents: [operation: string, target_id: string | null, url: string, body: object][] = [
      ['replaceRules', null, '/v2/liquidation-rules', charging(60)],
      ['replaceApprovalPolicy', null, '/v2/approval-policy', policy],
      ['putProduct', 'HARBOUR', '/v2/products/HARBOUR', closed],
    ]
    const foreseen = async (url: string, body: object) => (await ask('POST', `${url}/impact`, body)).json.data
    const approvals: string[] = []
    for (const [operation, target_id, url, body] of documents) {
      const { data } = (await ask('POST', '/v2/approvals', { operation, target_id, body })).json
      assert.deepEqual(data.preview, await foreseen(url, body))
      assert.equal(data.preview.liquidations.count, target_id === null ? 5 : 0)
      approvals.push(`/v2/approvals/${data.approval_id}`)
    }
    await live(ask, { tenor: 365, interest_rate: 12 })
    for (const [index, [, target, url, body]] of documents.entries()) {
      const { preview } = (await ask('GET', approvals[index]!)).json.data
      assert.deepEqual(preview, await foreseen(url, body))
      assert.equal(preview.liquidations.count, target === null ? 10 : 0)
    }
    assert.equal((await ask('POST', `${approvals[0]}/cancel`)).status, 200)
    assert.equal((await ask('GET', approvals[0]!)).json.data.preview.liquidations.count, 5)
    const fresh = { operation: 'putProduct', target_id: 'NEW', body: harbourFix }
    const { preview } = (await ask('POST', '/v2/approvals', fresh)).json.data
    assert.deepEqual([preview.liquidations.count, preview.rollovers.count, preview.worst], [0, 0, []])
  })
})
