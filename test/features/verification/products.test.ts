/** Verification of products: payments, adjustments, agreed rates, shares and rollovers are computed again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createVersionCache } from '../../../src/engine/change/version-cache.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import { listBooks } from '../../../src/features/callers/store.ts'
import { AGREED_RATE } from '../../../src/features/deposits/claims.ts'
import { PAID_SHARES } from '../../../src/features/interest-payments/claims.ts'
import { verify } from '../../../src/features/verification/verify.ts'
import { breakRows } from '../../support/breaking.ts'
import { skipOnSeveralServers } from '../../support/engines.ts'
import { harbourFix, openByProduct, sell, sheetAt } from '../../support/products.ts'
import {
  type Ask,
  describeService,
  firstRules,
  replaceTaxRules,
  startService,
} from '../../support/service.ts'

const FIGURES = 'a liquidation pays what its pinned rules, its waiver and the tax rules say'
const PAYMENTS =
  'payments of interest follow the schedule, with what their principal earned and the tax on it'
const ROLLED = 'a deposit that was rolled over has a successor with its terms and all that it was worth'
const EXPECTED = 'the expected interest of a deposit is what its pinned rules say'

const broken: [what: string, claim: string, statement: string][] = [
  [
    'a payment of a cent more',
    'every payment of interest has an entry with what was paid',
    `update interest_payments set interest_minor = interest_minor + 1 where period_to = '2026-03-15'`,
  ],
  [
    'a payment that withheld a cent less',
    'only payments of interest and a maturity have an entry for tax of their own',
    `update interest_payments set tax_minor = tax_minor - 1 where tax_minor > 0 and period_to = '2026-03-15'`,
  ],
  [
    'a payment for another period',
    PAYMENTS,
    `update interest_payments set period_to = period_to + 1 where period_to = '2026-04-15'`,
  ],
  [
    'a payment on more than remained, with all that follows from it',
    PAYMENTS,
    `update interest_payments set principal_minor = principal_minor + 100 where period_to = '2026-07-15'`,
  ],
  [
    'a payment on a little more than remained, whose interest is the same',
    PAID_SHARES,
    `update interest_payments set principal_minor = principal_minor + 1 where period_to = '2026-07-15'`,
  ],
  [
    'a part with more tax than its share',
    PAID_SHARES,
    `update liquidations set tax_share_minor = tax_share_minor + case when remaining_minor = 26000000 then 1 else -1 end
     where paid_share_minor > 0 and deposit_id in (select deposit_id from deposits where method = 'PAYOUT');
     update liquidations set earlier_taxed_minor = earlier_taxed_minor - 1 where remaining_minor = 26000000`,
  ],
  [
    'upfront interest of which less went back',
    FIGURES,
    `update liquidations set unearned_minor = unearned_minor - 1, net_minor = net_minor + 1 where unearned_minor > 0 and earlier_principal_minor is not null;
     update deposits set broken_unearned_minor = broken_unearned_minor - 1 where broken_unearned_minor > 0`,
  ],
  [
    'a charge on paid interest of which less was taken',
    FIGURES,
    `update liquidations set recovered_minor = recovered_minor - 1, net_minor = net_minor + 1 where recovered_minor > 0 and earlier_principal_minor is not null;
     update deposits set broken_taken_minor = broken_taken_minor - 1 where broken_taken_minor > 0`,
  ],
  [
    'tax of which more was returned',
    FIGURES,
    `update liquidations set tax_returned_minor = tax_returned_minor + 1, net_minor = net_minor + 1
     where tax_returned_minor > 0 and earlier_principal_minor is not null;
     update deposits set broken_returned_minor = broken_returned_minor + 1 where broken_returned_minor > 0`,
  ],
  [
    'a charge by another sheet than that of the day',
    FIGURES,
    `update liquidations set sheet_now = 1 where sheet_now = 2`,
  ],
  [
    'another rate than the sheet has',
    EXPECTED,
    `update deposits set annual_rate_ppm = 125000 where sheet_no = 1`,
  ],
  ['a sheet that was not in force', AGREED_RATE, `update deposits set sheet_no = 2 where sheet_no = 1`],
  [
    'a successor that was not agreed by its sheet',
    AGREED_RATE,
    `update deposits set bonus_ppm = 10000 where deposit_id in (select rolled_over_to from deposits)`,
  ],
  [
    'a rate that the product allows, but that nobody negotiated',
    AGREED_RATE,
    `update deposits set negotiated = false where annual_rate_ppm = 130000`,
  ],
  [
    'a maturity that no calendar moved',
    AGREED_RATE,
    `update deposits set calendar_version = 0 where method = 'AT_MATURITY' and rollovers = 0`,
  ],
  [
    'a successor that was opened at another time',
    ROLLED,
    `update deposits set created_at = created_at + interval '1 second'
     where deposit_id in (select rolled_over_to from deposits)`,
  ],
]

const FOUR_LESS = {
  ...firstRules,
  penal_rules: [{ when: {}, terms: [{ kind: 'RERATE', rate: { of: 'CARD_NOW', add: -4 } }], combine: 'MAX' }],
}

/** All methods, parts of a day, a charge on what was paid, a moved maturity and a rollover. */
async function fill(ask: Ask): Promise<void> {
  await replaceTaxRules(ask, { on_recovery: 'RETURN' })
  const part = async (depositId: string, amount: number) => {
    const body = { liquidation_type: 'PARTIAL', amount }
    const answer = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
    assert.equal(answer.status, 200, answer.text)
  }
  const moveTo = async (day: string) =>
    assert.equal((await ask('POST', '/v2/test-clock', { now: `${day}T10:00:00Z` })).status, 200)
  const calendar = { weekend: ['SAT', 'SUN'], holidays: ['2026-12-25'] }
  assert.equal((await ask('PUT', '/v2/business-calendar', calendar)).status, 200)
  await sell(ask, 'MONTHLY', { rules: FOUR_LESS }, sheetAt(12))
  await sell(ask, 'UPFRONT', {
    interest: { method: 'UPFRONT', every: null, recover_paid_interest: true },
    negotiated_rate: null,
  })
  await sell(ask, 'DAILY', { interest: { method: 'COMPOUND', every: 'DAY', recover_paid_interest: false } })
  const simple = { interest: { method: 'AT_MATURITY', every: null, recover_paid_interest: false } }
  const maturity = { ...harbourFix.maturity, instruction: 'ROLL_OVER' }
  await sell(ask, 'SIMPLE', { ...simple, maturity, negotiated_rate: null })
  const monthly = await openByProduct(ask, 'MONTHLY', { amount: 600_000, tenor_months: 12 })
  const upfront = await openByProduct(ask, 'UPFRONT', {
    amount: 100_000,
    tenor_months: 12,
    bonuses: ['STAFF'],
  })
  const daily = await openByProduct(ask, 'DAILY', { amount: 100_000, tenor_months: 6, interest_rate: 13 })
  await openByProduct(ask, 'SIMPLE', { amount: 100_000, tenor_months: 1 })
  await moveTo('2026-06-25')
  assert.equal((await ask('POST', '/v2/products/MONTHLY/rate-sheets', sheetAt(11, '2026-06-25'))).status, 201)
  for (const amount of [140_000, 200_000]) await part(monthly.depositId, amount)
  for (const amount of [10_000, 20_000]) await part(upfront.depositId, amount)
  await part(daily.depositId, 50_000)
  await moveTo('2026-08-01')
}

describeService(
  'verification of products',
  (running) => {
    const verifyAll = async (db: Pick<Database, 'query' | 'transaction'>) =>
      verify(await listBooks(db), { db, versions: createVersionCache() })

    test('finds nothing where nothing was broken', async () => {
      const { db } = running()
      const { ask } = await startService(db, { now: '2026-01-15T10:00:00.000Z' })
      await fill(ask)
      assert.equal((await verifyAll(db)).difference, null)
      // The instruction of a successor is the customer's to change.
      const active = (await ask('GET', '/v2/fixed-deposits?status=ACTIVE&product_code=SIMPLE')).json.data[0]
      const instruction = { maturity_instruction: 'PAY_OUT' }
      const path = `/v2/fixed-deposits/${active.deposit_id}/maturity-instruction`
      assert.equal((await ask('PUT', path, instruction)).status, 200)
      assert.equal((await verifyAll(db)).difference, null)
    })

    for (const [what, claim, statement] of broken) {
      test(`finds ${what}`, async () => {
        const { db } = running()
        const rollback = new Error('rolled back on purpose')
        await assert.rejects(
          db.transaction(async (tx) => {
            await breakRows(tx, statement)
            // One after the other: a transaction has one cursor.
            let last: Promise<unknown> = Promise.resolve()
            const transaction: Database['transaction'] = (work) => {
              const result = last.then(() => work(tx))
              last = result
              return result
            }
            const { difference } = await verifyAll({ query: tx.query, transaction })
            assert.equal(difference?.claim, claim, JSON.stringify(difference))
            throw rollback
          }),
          rollback,
        )
      })
    }
  },
  { skipOf: skipOnSeveralServers },
)
