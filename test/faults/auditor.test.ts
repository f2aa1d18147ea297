/** An auditor is worth what it can see: each of its claims is broken by hand once, and it must say so. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queries } from '../../src/engine/database/database.ts'
import { audit, claims, differences } from '../support/auditor.ts'
import { breakRows } from '../support/breaking.ts'
import { harbourFix, harbourSheet } from '../support/products.ts'
import {
  type Ask,
  ada,
  describeService,
  fundedAccount,
  openDeposit,
  replaceRules,
  replaceTaxRules,
  startService,
} from '../support/service.ts'

type Broken = { claim: string; how: string; statement: string }

const breakages: Broken[] = [
  {
    claim: 'the postings of an entry sum to zero',
    how: 'a posting is a cent too large',
    statement: `update postings set amount_minor = amount_minor + 1 where account = 'cash'`,
  },
  {
    claim: 'the postings of an entry sum to zero',
    how: 'an entry has no postings',
    statement: `delete from postings where entry_id = (select max(entry_id) from ledger_entries)`,
  },
  {
    claim: 'a deposit is held by its active liens, and by no more than what remains',
    how: 'a deposit is held without a lien',
    statement: `update deposits set lien_minor = 1 where status = 'ACTIVE'`,
  },
  {
    claim: 'a balance equals its postings',
    how: 'a balance is a cent too large',
    statement: `update accounts set balance_minor = balance_minor + 1`,
  },
  {
    claim: 'the principal of a deposit was opened once, and remains or was returned',
    how: 'more remains than the postings say',
    statement: `update deposits set remaining_minor = remaining_minor + 1 where status = 'ACTIVE'`,
  },
  {
    claim: 'the principal of a deposit was opened once, and remains or was returned',
    how: 'a liquidation is gone',
    statement: `delete from liquidations where liquidation_type = 'PARTIAL'`,
  },
  {
    claim:
      'a deposit is active exactly while principal remains, and liquidated exactly when one FULL took the rest',
    how: 'an empty deposit is active',
    statement: `update deposits set status = 'ACTIVE', liquidated_at = null where status = 'LIQUIDATED'`,
  },
  {
    claim:
      'a deposit is active exactly while principal remains, and liquidated exactly when one FULL took the rest',
    how: 'a deposit with principal is liquidated',
    statement: `update deposits set status = 'LIQUIDATED', liquidated_at = updated_at where status = 'ACTIVE'`,
  },
  {
    claim: 'the figures of a liquidation add up, and a charge takes interest only, before maturity only',
    how: 'the total is a cent too large',
    statement: `update liquidations set total_minor = total_minor + 1`,
  },
  {
    claim: 'the figures of a liquidation add up, and a charge takes interest only, before maturity only',
    how: 'the charge takes principal',
    statement: `
      update liquidations
      set penal_minor = interest_minor + 1, total_minor = principal_minor - 1`,
  },
  {
    claim: 'the figures of a liquidation add up, and a charge takes interest only, before maturity only',
    how: 'something is charged at maturity',
    statement: `
      update deposits set maturity_date = liquidation.business_date
      from liquidations liquidation
      where liquidation.deposit_id = deposits.deposit_id and liquidation.penal_minor > 0`,
  },
  {
    claim: 'the figures of a liquidation add up, and a charge takes interest only, before maturity only',
    how: 'more was waived than the charge came down by',
    statement: `update liquidations set waived_minor = waived_minor + 1`,
  },
  {
    claim: 'what was waived is what the waiver says',
    how: 'the waiver says another percent',
    statement: `update liquidations set waiver = replace(waiver, '"percent_ppm":333333', '"percent_ppm":433333')`,
  },
  {
    claim: 'each liquidation leaves what the one before it left, less its own principal',
    how: 'a partial liquidation says that less remains',
    statement: `update liquidations set remaining_minor = remaining_minor - 1 where liquidation_type = 'PARTIAL'`,
  },
  {
    claim: 'a liquidation has one entry, whose postings are its figures',
    how: 'the entry of a liquidation names another one',
    statement: `update ledger_entries set liquidation_id = 'liq_other' where liquidation_id is not null`,
  },
  {
    claim: 'a liquidation has one entry, whose postings are its figures',
    how: 'interest and charge were posted a cent too large, so that they still sum to zero',
    statement: `
      update postings
      set amount_minor = amount_minor + case account when 'penal_income' then 1 else -1 end
      where account in ('interest_expense', 'penal_income')
        and entry_id in (select entry_id from postings where account = 'penal_income')`,
  },
  {
    claim: 'what a reversed liquidation posted is posted back, and nothing else is',
    how: 'a liquidation calls itself reversed and is not',
    statement: `update liquidations set reversed_at = liquidated_at where reversed_at is null`,
  },
  {
    claim: 'what a reversed liquidation posted is posted back, and nothing else is',
    how: 'a reversed liquidation stands again, but its reversal does too',
    statement: `update liquidations set reversed_at = null`,
  },
  {
    claim: 'what a reversed liquidation posted is posted back, and nothing else is',
    how: 'a reversal gives back a cent less interest, and the bank keeps it',
    statement: `
      update postings
      set amount_minor = amount_minor - case account when 'interest_expense' then 1 else -1 end
      where account in ('interest_expense', 'penal_income')
        and entry_id in (select entry_id from ledger_entries where kind = 'REVERSAL')`,
  },
  {
    claim:
      'a maturity pays principal and interest to the account, or opens a successor with all of it but tax',
    how: 'a deposit matured without an entry',
    statement: `update ledger_entries set kind = 'LIQUIDATION' where kind = 'MATURITY'`,
  },
  {
    claim:
      'a maturity pays principal and interest to the account, or opens a successor with all of it but tax',
    how: 'a successor begins with less than its predecessor held',
    statement: `
      update deposits
      set principal_minor = principal_minor - 1
      where deposit_id in (select rolled_over_to from deposits)`,
  },
  {
    claim:
      'the tax of a liquidation is that of the parts of its day taxed alike, less what those before it bore',
    how: 'a cent less was withheld, with everything else made to fit',
    statement: `update liquidations set tax_minor = tax_minor - 1, net_minor = net_minor + 1 where tax_minor > 0`,
  },
  {
    claim:
      'the tax of a liquidation is that of the parts of its day taxed alike, less what those before it bore',
    how: 'another rate was kept',
    statement: `update liquidations set tax_ppm = tax_ppm * 2 where tax_minor > 0`,
  },
  {
    claim: 'what is withheld of a payment, a liquidation or a maturity is in one entry of its own',
    how: 'the tax of liquidations was not posted',
    statement: `
      delete from ledger_entries where kind = 'WITHHOLDING_TAX' and liquidation_id is not null;
      delete from postings where entry_id not in (select entry_id from ledger_entries)`,
  },
  {
    claim: 'what is withheld of a payment, a liquidation or a maturity is in one entry of its own',
    how: 'a cent more was withheld at maturity',
    statement: `
      update postings set amount_minor = amount_minor + sign(amount_minor)
      where entry_id in (
        select entry_id from ledger_entries where kind = 'WITHHOLDING_TAX' and liquidation_id is null)`,
  },
  {
    claim: 'an account has the tax status of its customer',
    how: 'a customer changed without the accounts',
    statement: `update customers set tax_class = 'OTHER'`,
  },
  {
    claim: 'nothing rests in clearing',
    how: 'a rollover went half its way',
    statement: `update postings set account = 'cash' where account = 'rollover_clearing' and amount_minor < 0`,
  },
  {
    claim: 'there is one event per change, and no event without one',
    how: 'a maturity has no event',
    statement: `delete from events where type in ('fixed_deposit.matured', 'fixed_deposit.rolled_over')`,
  },
  {
    claim: 'there is one event per change, and no event without one',
    how: 'the event of a liquidation is gone',
    statement: `delete from events where type = 'fixed_deposit.liquidated'`,
  },
  {
    claim: 'there is one event per change, and no event without one',
    how: 'a credit has two events',
    statement: `
      insert into events (book_id, event_id, ordinal, type, announced, subject_id, occurred_at, data)
      select book_id, event_id || 'x', ordinal + 1, type, announced, subject_id, occurred_at, data
      from events where type = 'account.credited'`,
  },
  {
    claim: 'there is one event per change, and no event without one',
    how: 'an event names an unknown customer',
    statement: `update events set subject_id = 'cus_nobody' where type = 'customer.created'`,
  },
  {
    claim: 'there is one event per change, and no event without one',
    how: 'a version of the rules has no event',
    statement: `delete from events where type = 'liquidation_rules.updated'`,
  },
  {
    claim: 'the event of a liquidation has its figures',
    how: 'an event has another total',
    statement: `
      update events
      set data = regexp_replace(data, '"total_credited":[0-9.]+', '"total_credited":1.00')
      where type = 'fixed_deposit.partially_liquidated'`,
  },
  {
    claim: 'a profile holds what its audit trail says, since when it says',
    how: 'an address was changed past the audit trail',
    statement: `update customers set address = 'Elsewhere 1'`,
  },
  {
    claim: 'a profile holds what its audit trail says, since when it says',
    how: 'an update has no event',
    statement: `delete from events where type = 'customer.updated'`,
  },
  {
    claim: 'an idempotency key points to work that exists',
    how: 'a key answers with a liquidation nobody made',
    statement: `
      update idempotency_keys
      set answer = regexp_replace(answer, '"liq_[^"]+"', '"liq_nobody"')`,
  },
  {
    claim: 'an idempotency key points to work that exists',
    how: 'a refusal was kept',
    statement: `update idempotency_keys set status = 409`,
  },
  {
    claim: 'what a row refers to is in its own book',
    how: 'an account belongs to a customer of another book',
    statement: `
      update accounts
      set customer_id = (select max(customer_id) from customers where book_id <> accounts.book_id)`,
  },
  {
    claim: 'what a row refers to is in its own book',
    how: 'money was posted to an account of another book',
    statement: `
      update postings
      set account = (select max(account_number) from accounts where book_id <> postings.book_id)
      where account ~ '^[0-9]+$'`,
  },
  {
    claim: 'an account, its owner, its deposits and what they paid agree on each other',
    how: 'a liquidation was paid in another currency',
    statement: `update liquidations set currency = 'USD'`,
  },
  {
    claim: 'interest paid is that of its principal, rate, dates and pinned rules',
    how: 'a liquidation paid interest for a day too many',
    statement: `update deposits set start_date = start_date + 1 where status = 'LIQUIDATED'`,
  },
  {
    claim: 'interest paid is that of its principal, rate, dates and pinned rules',
    how: 'a maturity paid interest for a day too many',
    statement: `update deposits set start_date = start_date + 1 where status = 'MATURED'`,
  },
  {
    claim: 'interest paid is that of its principal, rate, dates and pinned rules',
    how: 'a cent less of upfront interest went back, and was earned instead',
    statement: `update liquidations set unearned_minor = unearned_minor - 1, net_minor = net_minor + 1
      where unearned_minor > 0`,
  },
  {
    claim: 'the figures of a liquidation add up, and a charge takes interest only, before maturity only',
    how: 'more is taken back than the charge that the interest could not bear',
    statement: `update liquidations set recovered_minor = recovered_minor + 1, net_minor = net_minor - 1
      where recovered_minor > 0`,
  },
  {
    claim: 'the figures of a liquidation add up, and a charge takes interest only, before maturity only',
    how: 'tax came back that the net amount does not have',
    statement: `update liquidations set tax_returned_minor = tax_returned_minor + 1`,
  },
  {
    claim: 'what went back of paid interest, and of its tax, is in entries of its own',
    how: 'a charge on paid interest was posted as interest',
    statement: `
      update postings set account = 'interest_expense'
      where account = 'penal_income'
        and entry_id in (select entry_id from ledger_entries where kind = 'INTEREST_RECOVERY')`,
  },
  {
    claim: 'what went back of paid interest, and of its tax, is in entries of its own',
    how: 'tax that was returned was not posted',
    statement: `
      delete from ledger_entries where kind = 'TAX_RETURN';
      delete from postings where entry_id not in (select entry_id from ledger_entries)`,
  },
  {
    claim: 'a payment of interest has one entry, unless it is of nothing',
    how: 'a payment names the entry of another',
    statement: `
      update interest_payments
      set entry_id = (select max(entry_id) from ledger_entries where kind = 'INTEREST_PAYOUT')`,
  },
  {
    claim: 'a payment of interest has one entry, unless it is of nothing',
    how: 'a payment was made twice',
    statement: `
      update ledger_entries set kind = 'INTEREST_PAYOUT'
      where entry_id = (select max(entry_id) from ledger_entries where kind = 'ACCOUNT_CREDIT')`,
  },
  {
    claim: 'payments are those of the schedule, in order, each of its own period and of what remained',
    how: 'a payment was a cent too small, and all that follows from it',
    statement: `update interest_payments set interest_minor = interest_minor - 1`,
  },
  {
    claim: 'payments are those of the schedule, in order, each of its own period and of what remained',
    how: 'a payment is missing between two others',
    statement: `delete from interest_payments where period_to = '2026-03-15'`,
  },
  {
    claim: 'payments are those of the schedule, in order, each of its own period and of what remained',
    how: 'interest was paid on what had been broken already',
    statement: `update interest_payments set principal_minor = 60000000 where period_to = '2026-08-15'`,
  },
  {
    claim: 'payments are those of the schedule, in order, each of its own period and of what remained',
    how: 'the next payment is due a month late',
    statement: `update deposits set next_interest_date = next_interest_date + 31`,
  },
  {
    claim: 'what was paid on a part, and its tax, leaves with it; the rest stays with what remains',
    how: 'a part took a cent less of what was paid',
    statement: `update liquidations set paid_share_minor = paid_share_minor - 1 where paid_share_minor > 0`,
  },
  {
    claim: 'what was paid on a part, and its tax, leaves with it; the rest stays with what remains',
    how: 'the deposit says that more tax was withheld',
    statement: `update deposits set tax_minor = tax_minor + 1 where paid_minor > 0`,
  },
  {
    claim: 'there is one event per change, and no event without one',
    how: 'a payment has no event',
    statement: `delete from events where type = 'fixed_deposit.interest_paid'`,
  },
  {
    claim: 'the event of a payment has its figures',
    how: 'an event says that no tax was withheld',
    statement: `
      update events
      set data = regexp_replace(data, '"tax":[0-9.]+', '"tax":0.00')
      where type = 'fixed_deposit.interest_paid'`,
  },
  {
    claim: 'what a row refers to is in its own book',
    how: 'a deposit was opened by a version that does not exist',
    statement: `update deposits set product_version = 9`,
  },
]

describeService('the auditor', (running) => {
  test('books that hold every kind of row are in order', async () => {
    const { ask, db } = running()
    await fill(ask)
    const other = await startService(db)
    await fill(other.ask)
    await other.close()
    await audit(db)
  })

  for (const { claim, how, statement } of breakages) {
    test(`it sees when ${how}`, async () => {
      const found = await foundAfter(running().db, statement)
      assert(found.includes(claim), `${statement}\nfound: ${found.join('; ')}`)
    })
  }

  test('every claim was broken once', () => {
    assert.deepEqual(new Set(breakages.map((broken) => broken.claim)), new Set(claims))
  })

  test('it says what is not so, and for which row', async () => {
    const { db } = running()
    const [account] = await db.query<{ account_number: string }>(
      'select account_number from accounts limit 1',
    )
    await undone(db, async (tx) => {
      await tx.query('update accounts set balance_minor = balance_minor + 7 where account_number = $1', [
        account!.account_number,
      ])
      await assert.rejects(
        audit(tx),
        new RegExp(`^Error: Not so: a balance equals its postings\\..*"${account!.account_number}"`),
      )
    })
  })
})

/** Every kind of row that the service writes. */
async function fill(ask: Ask): Promise<void> {
  await replaceRules(ask, {
    penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 50 }] }],
  })
  await replaceTaxRules(ask, { on_recovery: 'RETURN' })
  await fillProducts(ask)
  const { depositId, customerId } = await openDeposit(ask, { amount: 1000, start_date: '2026-01-01' })
  const liquidate = (body: object) =>
    ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body, {
      'idempotency-key': JSON.stringify(body),
    })
  for (const amount of [100, 200]) await liquidate({ liquidation_type: 'PARTIAL', amount })
  const mistaken = await liquidate({ liquidation_type: 'PARTIAL', amount: 300 })
  const reversed = await ask('POST', `/v2/liquidations/${mistaken.json.data.liquidation_id}/reverse`, {
    reason: 'x',
  })
  assert.equal(reversed.status, 200, reversed.text)
  await liquidate({
    liquidation_type: 'FULL',
    waiver: { percent: 33.3333, reason: 'GOODWILL', note: 'asked for' },
  })
  await openDeposit(ask, { amount: 500, tenor: 30 })
  await openDeposit(ask, { amount: 700, tenor: 60, auto_rollover: true })
  const moved = await ask('POST', '/v2/test-clock', { now: '2026-09-15T10:00:00Z' })
  assert.equal(moved.status, 200, moved.text)
  await openDeposit(ask, { amount: 500 })
  await ask('PUT', `/v2/customer/${customerId}`, {
    ...ada,
    first_name: undefined,
    last_name: undefined,
    address: 'New Road 2',
  })
}

/** Interest paid out and paid upfront, parts of both, and a charge on what was paid. */
async function fillProducts(ask: Ask): Promise<void> {
  const sheet = { ...harbourSheet, tenor_from: [0], amount_from: [0], rates: [[12]] }
  for (const [code, interest] of [
    ['MONTHLY', harbourFix.interest],
    ['UPFRONT', { method: 'UPFRONT', every: null, recover_paid_interest: true }],
  ] as const) {
    assert.equal((await ask('PUT', `/v2/products/${code}`, { ...harbourFix, interest })).status, 200)
    assert.equal((await ask('POST', `/v2/products/${code}/rate-sheets`, sheet)).status, 201)
    const { accountNumber: account_number } = await fundedAccount(ask, 600_000)
    const opened = await ask('POST', '/v2/fixed-deposits', {
      ...{ account_number, amount: 600_000, product_code: code, tenor_months: 12, start_date: '2026-01-15' },
    })
    assert.equal(opened.status, 201, opened.text)
    for (const amount of [1_234.56, 100_000]) {
      const part = { liquidation_type: 'PARTIAL', amount }
      const broken = await ask('POST', `/v2/fixed-deposits/${opened.json.data.deposit_id}/liquidate`, part)
      assert.equal(broken.status, 200, broken.text)
    }
  }
}

async function foundAfter(db: Parameters<typeof undone>[0], statement: string): Promise<string[]> {
  const found: string[] = []
  await undone(db, async (tx) => {
    await breakRows(tx, statement)
    for await (const { claim } of differences(tx)) found.push(claim)
  })
  return found
}

/** Lets something be done in a transaction that is rolled back. */
async function undone(
  db: { transaction<Result>(work: (tx: Queries) => Promise<Result>): Promise<Result> },
  work: (tx: Queries) => Promise<void>,
): Promise<void> {
  const rollback = new Error('rolled back on purpose')
  await assert.rejects(
    db.transaction(async (tx) => {
      await work(tx)
      throw rollback
    }),
    rollback,
  )
}
