import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { OPERATOR } from '../../../src/domain/actor.ts'
import { createVersionCache } from '../../../src/engine/change/version-cache.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import { findBook, listBooks } from '../../../src/features/callers/store.ts'
import { AGREED_RATE } from '../../../src/features/deposits/claims.ts'
import { PAID_SHARES } from '../../../src/features/interest-payments/claims.ts'
import { sealPass } from '../../../src/features/seals/job.ts'
import { claimsInOrder, type Difference, verify } from '../../../src/features/verification/verify.ts'
import { audit } from '../../support/auditor.ts'
import { create, finish, type Running, send, start } from '../../support/batches.ts'
import { breakRows, dropConstraints } from '../../support/breaking.ts'
import { engines, skipOnSeveralServers, type TestDatabase } from '../../support/engines.ts'
import { plantDeposits } from '../../support/planted-deposits.ts'
import { openByProduct, sell } from '../../support/products.ts'
import {
  type Ask,
  ada,
  fundedAccount,
  openDeposit,
  replaceRules,
  replaceTaxRules,
  startService,
} from '../../support/service.ts'

// On the one session of the embedded engine, whose counts of rows can be read at once.
test('the rows that verification reads grow with the number of liquidations, also of one deposit', async () => {
  const db = await engines.find(({ name }) => name === 'PGlite')!.open()
  const { ask } = await startService(db)
  await replaceRules(ask, { min_partial_amount: 0.01 })
  const { depositId } = await openDeposit(ask, { amount: 1_000 })
  const breakParts = async (count: number) => {
    const body = { liquidation_type: 'PARTIAL', amount: 0.01 }
    const path = `/v2/fixed-deposits/${depositId}/liquidate`
    const answers = await Promise.all(Array.from({ length: count }, () => ask('POST', path, body)))
    assert(answers.every(({ status }) => status === 200))
    await db.script('analyze')
  }
  // As in a large book: in a small one the planner reads whole tables.
  await db.script('set enable_seqscan = off')
  await breakParts(100)
  const few = await rowsRead(db, () => verifyAll(db, 5_000))
  await breakParts(300)
  const many = await rowsRead(db, () => verifyAll(db, 5_000))
  await db.script('reset enable_seqscan')
  assert(few > 300, `${few} rows`)
  assert(many < 5 * few, `${many} rows of 400 liquidations, ${few} of 100`)
  await db.close()
})

async function rowsRead(db: Database, work: () => Promise<unknown>): Promise<number> {
  const before = await countRead(db)
  await work()
  return (await countRead(db)) - before
}

async function countRead(db: Database): Promise<number> {
  await db.query('select pg_stat_force_next_flush()')
  const [row] = await db.query<{ read: string }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::text as read
     from pg_stat_user_tables
     where relname in ('ledger_entries', 'liquidations', 'events', 'deposits')`,
  )
  return Number(row!.read)
}

for (const engine of engines) {
  describe(`${engine.name}: verification`, { skip: engine.skip }, () => {
    let db: TestDatabase
    let ids: Record<string, string>
    before(async () => {
      db = await engine.open()
      ids = await fillBook(db)
      await audit(db)
    })
    after(() => db?.close())

    test('finds nothing in a book with everything in it, for any page size', async () => {
      const [counted] = await db.query<Record<string, bigint>>(
        `select (select count(*) from ledger_entries) as ledger_entries,
           (select count(*) from accounts) as accounts, (select count(*) from customers) as customers,
           (select count(*) from deposits) as deposits,
           (select count(*) from liquidations) as liquidations, (select count(*) from events) as events,
           (select count(*) from seals) as seals`,
      )
      const checked = Object.fromEntries(
        Object.entries(counted!).map(([name, count]) => [name, Number(count)]),
      )
      for (const pageKeys of [1, 3, 5_000]) {
        assert.deepEqual(await verifyAll(db, pageKeys), { checked, difference: null })
      }
    })

    test('reports its progress', async () => {
      const seen: string[] = []
      const books = await listBooks(db)
      await verify(books, {
        db,
        versions: createVersionCache(),
        observe: (book, table, checked) => seen.push(`${book.mode} ${table} ${checked[table]}`),
      })
      const deposits = await db.query('select 1 from deposits')
      assert(seen.includes(`test deposits ${deposits.length}`), seen.join())
    })

    test('finds nothing while the service is working', async () => {
      const { service, clock, ask, callerId } = await startService(db)
      const book = (await findBook(db, { callerId, mode: 'test' }))!
      const opened = await openDeposit(ask, { amount: 1_000, tenor: 30 })
      await plantDeposits(db, opened.depositId, { from: 1, to: 40 })
      clock.now = new Date('2026-09-01T10:00:00.000Z')
      const busy = [1, 2, 3, 4, 5].map(async () => {
        const { depositId } = await openDeposit(ask, { amount: 500 })
        for (let part = 1; part <= 8; part += 1) {
          await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, {
            liquidation_type: 'PARTIAL',
            amount: part,
          })
        }
      })
      const looks = [1, 2, 3].map((pageKeys) => verifyAll(db, pageKeys * 7))
      const results = await Promise.all([
        ...looks,
        service.maturity.settleBook({ book, actor: OPERATOR, requestId: null }),
        ...busy,
      ])
      for (const result of results.slice(0, looks.length)) {
        assert.equal((result as { difference: unknown }).difference, null)
      }
      await audit(db)
    })

    test('accepts a liquidation that 0.2.0 taxed with all parts of its day', async () => {
      // What 0.2.0 wrote was not sealed before.
      const unsealed = `delete from seals; delete from events where type = 'book.sealed'`
      assert.equal(await afterBreaking(db, `${taxedWithDay(ids, 'DAY')}; ${unsealed}`), null)
    })

    const broken: {
      what: string
      breaking: (named: Record<string, string>) => string
      claim: string
      about: (named: Record<string, string>) => Record<string, string>
      values?: [found: string, expected: string]
    }[] = [
      {
        what: 'a posting that is a cent too large',
        breaking: ({ partialId }) => `update postings set amount_minor = amount_minor + 1
          where account = 'penal_income' and entry_id = (select entry_id from ledger_entries where liquidation_id = '${partialId}')`,
        claim: 'the lines of an entry are two or more and sum to zero',
        about: ({ partialEntryId }) => ({ entry_id: partialEntryId! }),
      },
      {
        what: 'an entry without lines',
        breaking: ({ partialEntryId }) => `delete from postings where entry_id = '${partialEntryId}'`,
        claim: 'the lines of an entry are two or more and sum to zero',
        about: ({ partialEntryId }) => ({ entry_id: partialEntryId! }),
        values: ['0 lines, sum 0', 'sum 0'],
      },
      {
        what: 'a line of an account that the entry does not name',
        breaking: ({ partialEntryId, otherAccount, account }) =>
          `update postings set account = '${otherAccount}' where entry_id = '${partialEntryId}' and account = '${account}'`,
        claim: 'a line is of the account or the deposit its entry names, or of the bank itself',
        about: ({ partialEntryId }) => ({ entry_id: partialEntryId! }),
      },
      {
        what: 'an entry of a liquidation that is not there',
        breaking: ({ partialEntryId }) =>
          `update ledger_entries set liquidation_id = 'liq_none' where entry_id = '${partialEntryId}'`,
        claim: 'an entry names what its kind is about, and what it names exists',
        about: ({ partialEntryId }) => ({ entry_id: partialEntryId! }),
      },
      {
        what: 'an entry of a deposit that is not there',
        breaking: ({ partialEntryId }) =>
          `update ledger_entries set deposit_id = null where entry_id = '${partialEntryId}'`,
        claim: 'a line is of the account or the deposit its entry names, or of the bank itself',
        about: ({ partialEntryId }) => ({ entry_id: partialEntryId! }),
      },
      {
        what: 'a balance that is a cent too large',
        breaking: ({ account }) =>
          `update accounts set balance_minor = balance_minor + 1 where account_number = '${account}'`,
        claim: 'the balance of an account is the sum of its lines',
        about: ({ account }) => ({ account_number: account! }),
      },
      {
        what: 'a credit without an event',
        breaking: ({ account }) =>
          `delete from events where type = 'account.credited' and subject_id = '${account}'`,
        claim: 'an account has one event for its opening and one for each credit',
        about: ({ account }) => ({ account_number: account! }),
        values: ['1 0 0', '1 1 0'],
      },
      {
        what: 'an account without an event',
        breaking: ({ account }) =>
          `delete from events where type = 'account.created' and subject_id = '${account}'`,
        claim: 'an account has one event for its opening and one for each credit',
        about: ({ account }) => ({ account_number: account! }),
        values: ['0 1 0', '1 1 0'],
      },
      {
        what: 'a customer without an event',
        breaking: ({ customer }) =>
          `delete from events where type = 'customer.created' and subject_id = '${customer}'`,
        claim: 'a customer has one event for its creation',
        about: ({ customer }) => ({ customer_id: customer! }),
      },
      {
        what: 'a deposit with a cent too little',
        breaking: ({ partialDeposit }) =>
          `update deposits set remaining_minor = remaining_minor - 1 where deposit_id = '${partialDeposit}'`,
        claim: 'the remaining principal of a deposit is the sum of its lines',
        about: ({ partialDeposit }) => ({ deposit_id: partialDeposit! }),
        values: ['5999999', '6000000'],
      },
      {
        what: 'a deposit that is held without a lien',
        breaking: ({ partialDeposit }) =>
          `update deposits set lien_minor = 1 where deposit_id = '${partialDeposit}'`,
        claim: 'what is held of a deposit is the sum of its active liens',
        about: ({ partialDeposit }) => ({ deposit_id: partialDeposit! }),
        values: ['1', '0'],
      },
      {
        what: 'a deposit of another customer than its account',
        breaking: ({ partialDeposit, otherCustomer }) =>
          `update deposits set customer_id = '${otherCustomer}' where deposit_id = '${partialDeposit}'`,
        claim: 'a deposit has the owner and the currency of its account',
        about: ({ partialDeposit }) => ({ deposit_id: partialDeposit! }),
      },
      {
        what: 'a liquidated deposit that calls itself matured',
        breaking: ({ fullDeposit }) =>
          `update deposits set status = 'MATURED', liquidated_at = null where deposit_id = '${fullDeposit}'`,
        claim: 'a deposit ended as its liquidations and its maturity entries say',
        about: ({ fullDeposit }) => ({ deposit_id: fullDeposit! }),
        values: ['MATURED', '1 FULL liquidations, 0 maturity entries'],
      },
      {
        what: 'a liquidation that left more than it says',
        breaking: ({ partialId }) =>
          `update liquidations set remaining_minor = remaining_minor + 1 where liquidation_id = '${partialId}'`,
        claim: 'each liquidation of a deposit left what the one before it left, less its own principal',
        about: ({ partialDeposit }) => ({ deposit_id: partialDeposit! }),
      },
      {
        what: 'a maturity without an event',
        breaking: ({ maturedDeposit }) =>
          `delete from events where type = 'fixed_deposit.matured' and subject_id = '${maturedDeposit}'`,
        claim: 'a deposit has one event for each of its changes',
        about: ({ maturedDeposit }) => ({ deposit_id: maturedDeposit! }),
        values: ['1 0 0 0 0 0 0 0', '1 0 0 0 1 0 0 0'],
      },
      {
        what: 'a liquidation that two events tell of',
        breaking: ({ partialDeposit }) => `insert into events
          select book_id, 'evt_twice', ordinal + 1, type, announced, subject_id, api_key_id, request_id, occurred_at, data, changes
          from events where type = 'fixed_deposit.partially_liquidated' and subject_id = '${partialDeposit}'`,
        claim: 'a deposit has one event for each of its changes',
        about: ({ partialDeposit }) => ({ deposit_id: partialDeposit! }),
        values: ['1 2 0 0 0 0 0 0', '1 1 0 0 0 0 0 0'],
      },
      {
        what: 'an opening that was paid from elsewhere',
        breaking: ({ partialDeposit, account }) => `update postings set account = 'cash'
          where account = '${account}' and entry_id = (
            select entry_id from ledger_entries where deposit_id = '${partialDeposit}' and kind = 'DEPOSIT_OPENING');
          update accounts set balance_minor = balance_minor + 10000000 where account_number = '${account}'`,
        claim: 'a deposit has one entry for its opening, with its principal',
        about: ({ partialDeposit }) => ({ deposit_id: partialDeposit! }),
      },
      {
        what: 'an expected interest that the rules do not give',
        breaking: ({ partialDeposit }) =>
          `update deposits set expected_interest_minor = 1 where deposit_id = '${partialDeposit}'`,
        claim: 'the expected interest of a deposit is what its pinned rules say',
        about: ({ partialDeposit }) => ({ deposit_id: partialDeposit! }),
        values: ['1', '1000000'],
      },
      {
        what: 'a deposit that was settled before its time',
        breaking: ({ maturedDeposit }) =>
          `update deposits set updated_at = '2026-07-02T10:00:00Z' where deposit_id = '${maturedDeposit}'`,
        claim: 'a deposit is settled on its maturity date or later',
        about: ({ maturedDeposit }) => ({ deposit_id: maturedDeposit! }),
        values: ['2026-07-02', '2026-07-31'],
      },
      {
        what: 'a maturity that paid a cent more interest, with everything else made to fit',
        breaking: ({ maturedDeposit, maturedAccount }) => `update postings
          set amount_minor = amount_minor + sign(amount_minor)::int4
          where account in ('interest_expense', '${maturedAccount}') and entry_id = (
            select entry_id from ledger_entries where deposit_id = '${maturedDeposit}' and kind = 'MATURITY');
          update accounts set balance_minor = balance_minor + 1 where account_number = '${maturedAccount}'`,
        claim: 'a settled deposit has one maturity entry, with all that it was worth by its pinned rules',
        about: ({ maturedDeposit }) => ({ deposit_id: maturedDeposit! }),
      },
      {
        what: 'a successor with another rate',
        breaking: ({ successor }) => `update deposits set annual_rate_ppm = annual_rate_ppm + 1,
          expected_interest_minor = expected_interest_minor where deposit_id = '${successor}'`,
        claim: 'a deposit that was rolled over has a successor with its terms and all that it was worth',
        about: ({ rolledOverDeposit }) => ({ deposit_id: rolledOverDeposit! }),
      },
      {
        what: 'a rollover whose successor is not there',
        breaking: ({ rolledOverDeposit }) =>
          `update deposits set rolled_over_to = 'fd_none' where deposit_id = '${rolledOverDeposit}'`,
        claim: 'a deposit has one event for each of its changes',
        about: ({ successor }) => ({ deposit_id: successor! }),
      },
      {
        what: 'a part that was assessed as if nothing was broken before it on its day',
        breaking: ({ laterPartId }) => `update liquidations set earlier_principal_minor = null,
          earlier_interest_minor = null, earlier_assessed_minor = null where liquidation_id = '${laterPartId}'`,
        claim: 'a liquidation was assessed with what was broken before it on its day',
        about: ({ splitDeposit }) => ({ deposit_id: splitDeposit! }),
      },
      {
        what: 'a deposit that does not carry what was broken on the day',
        breaking: ({ splitDeposit }) => `update deposits
          set broken_interest_minor = broken_interest_minor + 1 where deposit_id = '${splitDeposit}'`,
        claim: 'a deposit carries the sums of the last day on which something of it was broken',
        about: ({ splitDeposit }) => ({ deposit_id: splitDeposit! }),
        values: [
          '2026-08-01 150000 1275 1147 1147 0 0 0 0 0 0',
          '2026-08-01 150000 1274 1147 1147 0 0 0 0 0 0',
        ],
      },
      {
        what: 'a liquidation that charged a cent less, with everything else made to fit',
        breaking: ({ partialId, partialEntryId, account }) => `update liquidations
          set penal_minor = penal_minor - 1, assessed_minor = assessed_minor - 1, total_minor = total_minor + 1,
            net_minor = net_minor + 1
          where liquidation_id = '${partialId}';
          update deposits set broken_assessed_minor = broken_assessed_minor - 1,
            broken_penal_minor = broken_penal_minor - 1
          where account_number = '${account}';
          update postings set amount_minor = amount_minor + case account when 'penal_income' then -1 else 1 end
          where entry_id = '${partialEntryId}' and account in ('penal_income', '${account}');
          update accounts set balance_minor = balance_minor + 1 where account_number = '${account}'`,
        claim: 'a liquidation pays what its pinned rules, its waiver and the tax rules say',
        about: ({ partialId, partialDeposit }) => ({
          liquidation_id: partialId!,
          deposit_id: partialDeposit!,
        }),
        values: [
          'interest 33973, assessed 30574, waived 0, charge 30574, total 4003399, unearned 0, tax 0, recovered 0, tax returned 0, net 4003399',
          'interest 33973, assessed 30575, waived 0, charge 30575, total 4003398, unearned 0, tax 0, recovered 0, tax returned 0, net 4003398',
        ],
      },
      {
        what: 'a waiver that was raised afterwards',
        breaking: ({ waivedId }) => `update liquidations
          set waiver = replace(waiver, '"percent_ppm":500000', '"percent_ppm":600000')
          where liquidation_id = '${waivedId}'`,
        claim: 'a liquidation pays what its pinned rules, its waiver and the tax rules say',
        about: ({ waivedId, waivedDeposit }) => ({ liquidation_id: waivedId!, deposit_id: waivedDeposit! }),
        values: [
          'interest 849, assessed 764, waived 382, charge 382, total 100467, unearned 0, tax 0, recovered 0, tax returned 0, net 100467',
          'interest 849, assessed 764, waived 458, charge 306, total 100543, unearned 0, tax 0, recovered 0, tax returned 0, net 100543',
        ],
      },
      {
        what: 'a waiver of more than the charge',
        breaking: ({ waivedId }) => `update liquidations
          set waiver = '{"percent_ppm":null,"amount_minor":"765"}' where liquidation_id = '${waivedId}'`,
        claim: 'a liquidation pays what its pinned rules, its waiver and the tax rules say',
        about: ({ waivedId, waivedDeposit }) => ({ liquidation_id: waivedId!, deposit_id: waivedDeposit! }),
        values: ['waived 765', 'at most 764'],
      },
      {
        what: 'a charge that was waived in the ledger only',
        breaking: ({ waivedEntryId }) => `update postings
          set amount_minor = amount_minor + case account when 'penal_income' then 1 else -1 end
          where entry_id = '${waivedEntryId}' and account in ('penal_income', 'penal_waived')`,
        claim: 'a liquidation has one entry, with the figures it paid',
        about: ({ waivedId, waivedDeposit }) => ({ liquidation_id: waivedId!, deposit_id: waivedDeposit! }),
      },
      {
        what: 'an event with another reason for a waiver',
        breaking: ({ waivedDeposit }) => `update events set data = replace(data, 'GOODWILL', 'COURT_ORDER')
          where subject_id = '${waivedDeposit}'`,
        claim: 'a liquidation has one event with what it paid',
        about: ({ waivedId, waivedDeposit }) => ({ liquidation_id: waivedId!, deposit_id: waivedDeposit! }),
      },
      {
        what: 'a liquidation that paid by rules that were changed afterwards',
        breaking: ({ bookId }) => `update rule_sets set rules = replace(rules, '"percent":90', '"percent":91')
          where book_id = '${bookId}' and version = 2`,
        claim: 'a liquidation pays what its pinned rules, its waiver and the tax rules say',
        about: ({ firstId, firstDeposit }) => ({ liquidation_id: firstId!, deposit_id: firstDeposit! }),
      },
      {
        what: 'a liquidation that was taxed as 0.2.0 did, by this version',
        breaking: (named) => taxedWithDay(named, 'ALIKE'),
        claim: 'a liquidation pays what its pinned rules, its waiver and the tax rules say',
        about: ({ noonId, noonDeposit }) => ({ liquidation_id: noonId!, deposit_id: noonDeposit! }),
        values: [
          'interest 85, assessed 0, waived 0, charge 0, total 10085, unearned 0, tax 136, recovered 0, tax returned 0, net 9949',
          'interest 85, assessed 0, waived 0, charge 0, total 10085, unearned 0, tax 9, recovered 0, tax returned 0, net 10076',
        ],
      },
      {
        what: 'a liquidation from which a cent less tax was withheld, with everything else made to fit',
        breaking: ({ taxedId, taxedDeposit, taxedAccount }) => `update liquidations
          set tax_minor = tax_minor - 1, net_minor = net_minor + 1 where liquidation_id = '${taxedId}';
          update deposits set broken_tax_minor = broken_tax_minor - 1 where deposit_id = '${taxedDeposit}';
          update postings set amount_minor = amount_minor - sign(amount_minor) where entry_id = (
            select entry_id from ledger_entries where liquidation_id = '${taxedId}' and kind = 'WITHHOLDING_TAX');
          update accounts set balance_minor = balance_minor + 1 where account_number = '${taxedAccount}'`,
        claim: 'a liquidation pays what its pinned rules, its waiver and the tax rules say',
        about: ({ taxedId, taxedDeposit }) => ({ liquidation_id: taxedId!, deposit_id: taxedDeposit! }),
        values: [
          'interest 1698, assessed 0, waived 0, charge 0, total 201698, unearned 0, tax 169, recovered 0, tax returned 0, net 201529',
          'interest 1698, assessed 0, waived 0, charge 0, total 201698, unearned 0, tax 170, recovered 0, tax returned 0, net 201528',
        ],
      },
      {
        what: 'a liquidation that was taxed as if the part before it had borne a cent more',
        breaking: ({ alikeSecond }) => `update liquidations
          set earlier_taxed_tax_minor = earlier_taxed_tax_minor + 1 where liquidation_id = '${alikeSecond}'`,
        claim: 'a liquidation was taxed with the earlier parts of its day that were taxed alike',
        about: ({ alikeDeposit }) => ({ deposit_id: alikeDeposit! }),
      },
      {
        what: 'a liquidation that was taxed without the part before it',
        breaking: ({ alikeSecond }) => `update liquidations
          set earlier_taxed_interest_minor = null, earlier_taxed_penal_minor = null, earlier_taxed_tax_minor = null
          where liquidation_id = '${alikeSecond}'`,
        claim: 'a liquidation was taxed with the earlier parts of its day that were taxed alike',
        about: ({ alikeDeposit }) => ({ deposit_id: alikeDeposit! }),
      },
      {
        what: 'a liquidation that was taxed together with a part of another class',
        breaking: ({ alikeFirst }) =>
          `update liquidations set tax_class = 'COMPANY' where liquidation_id = '${alikeFirst}'`,
        claim: 'a liquidation was taxed with the earlier parts of its day that were taxed alike',
        about: ({ alikeDeposit }) => ({ deposit_id: alikeDeposit! }),
      },
      {
        what: 'a liquidation that was taxed at a rate of no class',
        breaking: ({ taxedId }) =>
          `update liquidations set tax_ppm = 90000 where liquidation_id = '${taxedId}'`,
        claim: 'a liquidation was taxed by a version and at a rate of the tax rules',
        about: ({ taxedId, taxedDeposit }) => ({ liquidation_id: taxedId!, deposit_id: taxedDeposit! }),
        values: ['version 1, STANDARD 90000', 'STANDARD 100000'],
      },
      {
        what: 'a liquidation that was taxed by rules that are not there',
        breaking: ({ taxedId }) =>
          `update liquidations set tax_version = 9 where liquidation_id = '${taxedId}'`,
        claim: 'a liquidation was taxed by a version and at a rate of the tax rules',
        about: ({ taxedId, taxedDeposit }) => ({ liquidation_id: taxedId!, deposit_id: taxedDeposit! }),
      },
      {
        what: 'a liquidation whose tax was posted from another account of the bank',
        breaking: ({
          taxedId,
        }) => `update postings set account = 'cash' where account = 'tax_payable' and entry_id = (
            select entry_id from ledger_entries where liquidation_id = '${taxedId}' and kind = 'WITHHOLDING_TAX')`,
        claim: 'a liquidation has one entry for each kind of its adjustments',
        about: ({ taxedId, taxedDeposit }) => ({ liquidation_id: taxedId!, deposit_id: taxedDeposit! }),
      },
      {
        what: 'an entry of tax of a liquidation that is not there',
        breaking: ({ taxedId }) => `update ledger_entries set liquidation_id = 'liq_none'
          where liquidation_id = '${taxedId}' and kind = 'WITHHOLDING_TAX'`,
        claim: 'an entry names what its kind is about, and what it names exists',
        about: ({ taxEntryId }) => ({ entry_id: taxEntryId! }),
      },
      {
        what: 'a maturity at which a cent less tax was withheld, with everything else made to fit',
        breaking: ({ taxedMatured, taxedMaturedAccount }) => `update postings
          set amount_minor = amount_minor - sign(amount_minor) where entry_id = (
            select entry_id from ledger_entries where deposit_id = '${taxedMatured}' and kind = 'WITHHOLDING_TAX');
          update accounts set balance_minor = balance_minor + 1 where account_number = '${taxedMaturedAccount}'`,
        claim: 'a settled deposit has one entry for the tax withheld of its interest, if any',
        about: ({ taxedMatured }) => ({ deposit_id: taxedMatured! }),
      },
      {
        what: 'an entry of tax of a deposit that has not matured',
        breaking: ({ taxedMatured, partialDeposit }) => `update ledger_entries
          set deposit_id = '${partialDeposit}' where deposit_id = '${taxedMatured}' and kind = 'WITHHOLDING_TAX'`,
        claim: 'only payments of interest and a maturity have an entry for tax of their own',
        about: ({ partialDeposit }) => ({ deposit_id: partialDeposit! }),
      },
      {
        what: 'an entry of interest that no payment made',
        breaking: ({ partialDeposit, account }) => `insert into ledger_entries
            (book_id, entry_id, kind, account_number, deposit_id, created_at, accounts, amounts_minor)
          select book_id, 'le_zzz', 'INTEREST_PAYOUT', account_number, deposit_id, created_at,
            array['interest_expense', account_number], array[-1, 1]
          from deposits where deposit_id = '${partialDeposit}';
          update accounts set balance_minor = balance_minor + 1 where account_number = '${account}'`,
        claim: 'every payment of interest has an entry with what was paid',
        about: ({ partialDeposit }) => ({ deposit_id: partialDeposit! }),
      },
      {
        what: 'a deposit that says it paid interest',
        breaking: ({ partialDeposit }) =>
          `update deposits set paid_to = '2026-08-01' where deposit_id = '${partialDeposit}'`,
        claim: 'payments of interest follow the schedule, with what their principal earned and the tax on it',
        about: ({ partialDeposit }) => ({ deposit_id: partialDeposit! }),
      },
      {
        what: 'a deposit that carries interest it did not pay',
        breaking: ({ partialDeposit }) =>
          `update deposits set paid_minor = 1 where deposit_id = '${partialDeposit}'`,
        claim: 'a deposit carries the interest that was paid on what remains, and the tax on that',
        about: ({ partialDeposit }) => ({ deposit_id: partialDeposit! }),
      },
      {
        what: 'a deposit whose bonus is more than its product gives',
        breaking: ({ sold }) => `update deposits set bonus_ppm = 10000 where deposit_id = '${sold}'`,
        claim: AGREED_RATE,
        about: ({ sold }) => ({ deposit_id: sold! }),
      },
      {
        what: 'a cent of paid interest that left with another part',
        breaking: ({ sold }) => `update liquidations
          set paid_share_minor = paid_share_minor + case when principal_minor = 100001 then 1 else -1 end,
              earlier_paid_minor = earlier_paid_minor + 1
          where deposit_id = '${sold}'`,
        claim: PAID_SHARES,
        about: ({ sold }) => ({ deposit_id: sold! }),
      },
      {
        what: 'a maturity that was taxed at a rate of no class',
        breaking: ({ taxedRolledOver }) =>
          `update deposits set maturity_tax_ppm = 90000 where deposit_id = '${taxedRolledOver}'`,
        claim: 'the interest of a settled deposit was taxed by a version and at a rate of the tax rules',
        about: ({ taxedRolledOver }) => ({ deposit_id: taxedRolledOver! }),
      },
      {
        what: 'a successor that holds the tax of its predecessor',
        breaking: ({ taxedSuccessor }) => `update deposits
          set principal_minor = 3000822, remaining_minor = 3000822, expected_interest_minor = 8221
          where deposit_id = '${taxedSuccessor}';
          update postings set amount_minor = sign(amount_minor) * 3000822 where entry_id = (
            select entry_id from ledger_entries where deposit_id = '${taxedSuccessor}' and kind = 'DEPOSIT_OPENING')`,
        claim: 'a deposit that was rolled over has a successor with its terms and all that it was worth',
        about: ({ taxedRolledOver }) => ({ deposit_id: taxedRolledOver! }),
      },
      {
        what: 'an account whose tax status is not that of its customer',
        breaking: ({ account }) =>
          `update accounts set tax_class = 'EXEMPT' where account_number = '${account}'`,
        claim: 'an account has the tax status of its customer',
        about: ({ account }) => ({ account_number: account! }),
        values: ['EXEMPT', ''],
      },
      {
        what: 'a liquidation of a deposit that is not there',
        breaking: ({ fullId }) => `
          update liquidations set deposit_id = 'fd_none' where liquidation_id = '${fullId}'`,
        claim: 'an entry names what its kind is about, and what it names exists',
        about: ({ fullEntryId }) => ({ entry_id: fullEntryId! }),
      },
      {
        what: 'a liquidation that came from nowhere',
        breaking: ({ fullId }) => copyOfLiquidation(fullId!, `'fd_none'`),
        claim: 'a liquidation is of a deposit that exists',
        about: () => ({ liquidation_id: 'liq_none' }),
        values: ['fd_none', 'a deposit'],
      },
      {
        what: 'a liquidation of another day than its time',
        breaking: ({ fullId }) =>
          `update liquidations set liquidated_at = liquidated_at + interval '1 day' where liquidation_id = '${fullId}'`,
        claim: 'a liquidation is dated by the business date of its time',
        about: ({ fullId, fullDeposit }) => ({ liquidation_id: fullId!, deposit_id: fullDeposit! }),
        values: ['2026-08-01', '2026-08-02'],
      },
      {
        what: 'a liquidation that names another account',
        breaking: ({ fullId, otherAccount }) =>
          `update liquidations set account_number = '${otherAccount}' where liquidation_id = '${fullId}'`,
        claim: 'a liquidation credits the account of its deposit',
        about: ({ fullId, fullDeposit }) => ({ liquidation_id: fullId!, deposit_id: fullDeposit! }),
      },
      {
        what: 'an entry that says it was another liquidation',
        breaking: ({ fullEntryId, partialId }) =>
          `update ledger_entries set liquidation_id = '${partialId}' where entry_id = '${fullEntryId}'`,
        claim: 'an entry names what its kind is about, and what it names exists',
        about: ({ fullEntryId }) => ({ entry_id: fullEntryId! }),
      },
      {
        what: 'a liquidation without an entry',
        breaking: ({ fullId }) => copyOfLiquidation(fullId!, 'deposit_id'),
        claim: 'a liquidation has one entry, with the figures it paid',
        about: ({ fullDeposit }) => ({ liquidation_id: 'liq_none', deposit_id: fullDeposit! }),
      },
      {
        what: 'an event with another figure than was paid',
        breaking: ({
          fullDeposit,
        }) => `update events set data = replace(data, '"penal_charge":', '"penal_charge":1')
          where type = 'fixed_deposit.liquidated' and subject_id = '${fullDeposit}'`,
        claim: 'a liquidation has one event with what it paid',
        about: ({ fullId, fullDeposit }) => ({ liquidation_id: fullId!, deposit_id: fullDeposit! }),
      },
      {
        what: 'an event about nothing',
        breaking: ({ customer }) => `update events set subject_id = 'cus_none'
          where type = 'customer.updated' and subject_id = '${customer}'`,
        claim: 'an event is about a record that exists',
        about: ({ updatedEvent }) => ({ event_id: updatedEvent! }),
        values: ['customer.updated cus_none', 'a record'],
      },
      ...['fd_none', '1234567890', 'none'].map((subject) => ({
        what: `an event of a deposit about ${subject}`,
        breaking: ({ fullDeposit }: Record<string, string>) => `insert into events (
            book_id, event_id, ordinal, type, announced, subject_id, api_key_id, occurred_at, data)
          select book_id, 'evt_none', ordinal, type, announced, '${subject}', api_key_id, occurred_at, data
          from events
          where type = 'fixed_deposit.created' and subject_id = '${fullDeposit}'`,
        claim: 'an event is about a record that exists',
        about: () => ({ event_id: 'evt_none' }),
        values: [`fixed_deposit.created ${subject}`, 'a record'] as [string, string],
      })),
      {
        what: 'a reversal that gives back a cent less interest',
        breaking: ({ reversalId }) => `update postings
          set amount_minor = amount_minor - case account when 'interest_expense' then 1 else -1 end
          where entry_id = '${reversalId}' and account in ('interest_expense', 'penal_income')`,
        claim: 'a reversal is the exact opposite of an entry of a reversed liquidation',
        about: ({ reversalId, reversedId }) => ({ entry_id: reversalId!, liquidation_id: reversedId! }),
      },
      {
        what: 'a reversal of another entry',
        breaking: ({ reversalId, fullEntryId }) =>
          `update ledger_entries set reverses = '${fullEntryId}' where entry_id = '${reversalId}'`,
        claim: 'a reversal is the exact opposite of an entry of a reversed liquidation',
        about: ({ reversalId, reversedId }) => ({ entry_id: reversalId!, liquidation_id: reversedId! }),
      },
      {
        what: 'a reversed liquidation whose event is of another one',
        breaking: ({
          reversedId,
          fullId,
        }) => `update events set data = replace(data, '${reversedId}', '${fullId}')
          where type = 'fixed_deposit.liquidation_reversed'`,
        claim: 'a reversed liquidation has one reversal of each of its entries, and one event',
        about: ({ reversedId, undoneDeposit }) => ({
          liquidation_id: reversedId!,
          deposit_id: undoneDeposit!,
        }),
        values: ['1 reversals, 0 events', '1 reversals, 1 events'],
      },
      {
        what: 'a liquidation that calls itself reversed',
        breaking: ({ partialId }) =>
          `update liquidations set reversed_at = liquidated_at where liquidation_id = '${partialId}'`,
        claim: 'a deposit carries the sums of the last day on which something of it was broken',
        about: ({ partialDeposit }) => ({ deposit_id: partialDeposit! }),
      },
      {
        what: 'a reversed liquidation that stands again',
        breaking: ({ reversedId }) =>
          `update liquidations set reversed_at = null where liquidation_id = '${reversedId}'`,
        claim: 'each liquidation of a deposit left what the one before it left, less its own principal',
        about: ({ undoneDeposit }) => ({ deposit_id: undoneDeposit! }),
      },
      {
        what: 'an approval without a vote',
        breaking: ({ approvalId }) => `delete from approval_votes where approval_id = '${approvalId}'`,
        claim: 'an approval has the votes and the events that its state needs, none of its maker',
        about: ({ approvalId }) => ({ approval_id: approvalId! }),
        values: ['APPROVED 0 votes 0 of its maker 1 events', '1 votes, one event for its state'],
      },
      {
        what: 'an approval by its maker',
        breaking: ({ approvalId }) =>
          `update approval_votes set voter = (select maker from approvals where approval_id = '${approvalId}')
          where approval_id = '${approvalId}'`,
        claim: 'an approval has the votes and the events that its state needs, none of its maker',
        about: ({ approvalId }) => ({ approval_id: approvalId! }),
      },
      {
        what: 'an approval without an event',
        breaking: ({ approvalId }) =>
          `delete from events where type = 'approval.approved' and subject_id = '${approvalId}'`,
        claim: 'an approval has the votes and the events that its state needs, none of its maker',
        about: ({ approvalId }) => ({ approval_id: approvalId! }),
      },
      {
        what: 'an approved liquidation that paid something else',
        breaking: ({ approvalId }) =>
          `update approvals set result = replace(result, '"net_credited":', '"net_credited":1') where approval_id = '${approvalId}'`,
        claim: 'an approved liquidation or reversal was carried out as its result says',
        about: ({ approvalId }) => ({ approval_id: approvalId! }),
      },
      {
        what: 'a change of rules without an event',
        breaking: () => `delete from events where type = 'liquidation_rules.updated'`,
        claim: 'versions of rules are numbered without a gap, with one event for each after the first',
        about: () => ({ version: '2' }),
      },
      {
        what: 'a narration that was changed by hand, where all sums agree',
        breaking: () => `update ledger_entries set narration = 'other' where kind = 'ACCOUNT_CREDIT'`,
        claim: 'the events and ledger entries that a seal covers are those that were sealed',
        about: () => ({ seal_no: '1' }),
      },
      {
        what: 'a day whose accrual has no entry',
        breaking: () => `update accruals set entry_id = null where business_date = '2026-07-31'`,
        claim: 'an accrual moves from what was accrued before to what was at the close of its day',
        about: () => ({ currency: 'NGN', business_date: '2026-07-31' }),
      },
      {
        what: 'an accrual that is a cent too large',
        breaking: () => `update postings set amount_minor = amount_minor
            + case account when 'interest_payable' then 1 when 'interest_expense' then -1 else 0 end
          where entry_id = (select entry_id from accruals where business_date = '2026-07-31');
          update accruals set interest_payable_minor = interest_payable_minor + 1 where business_date = '2026-07-31'`,
        claim: 'the last accrual is the interest of all deposits as they stood at its close',
        about: () => ({ currency: 'NGN', business_date: '2026-07-31' }),
      },
      {
        what: 'a part of a batch that was changed after it was sent',
        breaking: ({ batchId }) =>
          `update batch_parts set content = replace(content, '"amount":1', '"amount":2') where batch_id = '${batchId}'`,
        claim: 'the parts of a batch follow one another, and are as they were when they were sent',
        about: ({ batchId }) => ({ batch_id: batchId! }),
      },
      {
        what: 'a part of a batch that was removed',
        breaking: ({ batchId }) => `delete from batch_parts where batch_id = '${batchId}' and part = 2`,
        claim: 'the parts of a batch follow one another, and are as they were when they were sent',
        about: ({ batchId }) => ({ batch_id: batchId! }),
        values: ['1 parts', '2 parts'],
      },
      {
        what: 'a line of a batch whose answer is gone',
        breaking: () => `delete from idempotency_keys where idempotency_key like '%LINE-1'`,
        claim: 'a line of a batch that was carried out has an answer, which says in which line it was',
        about: ({ batchId }) => ({ batch_id: batchId! }),
        values: ['line 1', 'its answer'],
      },
      {
        what: 'a line of a batch that is said to have been carried out again',
        breaking: ({ batchId }) =>
          `update batch_lines set outcome = 'SUCCEEDED' where batch_id = '${batchId}' and line = 3`,
        claim: 'a line of a batch that was carried out has an answer, which says in which line it was',
        about: ({ batchId }) => ({ batch_id: batchId! }),
        values: ['line 3', 'its answer'],
      },
      {
        what: 'a line of a batch without a result',
        breaking: ({ batchId }) => `delete from batch_lines where batch_id = '${batchId}' and line = 2`,
        claim: 'a batch that has ended counts what became of its lines',
        about: ({ batchId }) => ({ batch_id: batchId! }),
        values: [
          '1 succeeded, 1 duplicates, 0 failed, the last is line 3',
          '1 succeeded, 1 duplicates, 1 failed, the last is line 3',
        ],
      },
      {
        what: 'a cancelled batch that counts a line that was skipped',
        breaking: ({ cancelledId }) =>
          `update batches set failed = 1, skipped = 1 where batch_id = '${cancelledId}'`,
        claim: 'a batch that has ended counts what became of its lines',
        about: ({ cancelledId }) => ({ batch_id: cancelledId! }),
      },
      {
        what: 'a seal with another head',
        breaking: () => `update seals set head = repeat('0', 64) where seal_no = 1`,
        claim: 'each seal continues the chain of the seals before it',
        about: () => ({ seal_no: '1' }),
      },
      {
        what: 'a seal that was removed after its event',
        breaking: () => 'delete from seals where seal_no = (select max(seal_no) from seals)',
        claim: 'each seal has its event',
        about: () => ({}),
      },
      {
        what: 'an event with a place in the future',
        breaking:
          () => `update events set ordinal = ordinal + (1::bigint << 52) where type = 'book.sealed' and subject_id = (
          select max(seal_no)::text from seals)`,
        claim: 'what happened is sealed within minutes',
        about: () => ({}),
      },
      {
        what: 'events of an hour without a seal',
        breaking: ({ bookId }) => `insert into events
          select book_id, 'evt_' || minutes, ordinal + ((minutes * 60000)::bigint << 21), 'test_clock.moved', false,
            subject_id, null, null, occurred_at, data, null, 'OPERATOR', 'operator'
          from events, unnest(array[10, 50]) as minutes
          where book_id = '${bookId}' and type = 'book.sealed' and subject_id = '2'`,
        claim: 'what happened is sealed within minutes',
        about: () => ({}),
        values: ['evt_10', 'a seal after 2'],
      },
    ]

    describe('without constraints', { skip: skipOnSeveralServers(engine) }, () => {
      before(() => dropConstraints(db))
      for (const { what, breaking, claim, about, values } of broken) {
        test(`finds ${what}`, async () => {
          const difference = await afterBreaking(db, breaking(ids))
          const [found, expected] = values ?? [difference?.found, difference?.expected]
          assert.deepEqual(difference, {
            callerId: ids.callerId,
            mode: 'test',
            claim,
            ids: about(ids),
            found,
            expected,
          })
        })
      }
    })

    test('each claim has a broken record that it detects', () => {
      const caught = new Set(broken.map(({ claim }) => claim))
      assert.deepEqual(
        claimsInOrder.filter((claim) => !caught.has(claim)),
        [],
      )
    })
  })
}

function copyOfLiquidation(liquidationId: string, depositId: string): string {
  return `
    insert into liquidations
    select book_id, 'liq_none', ${depositId}, liquidation_type, principal_minor, interest_minor, penal_minor,
      total_minor, remaining_minor, account_number, currency, business_date, liquidated_at
    from liquidations where liquidation_id = '${liquidationId}'`
}

/**
 * A part of 100.00 with 0.85 interest, after one of 1500.00 that no rules taxed: 10 percent of the 13.58 of both, where this
 * version withholds 10 percent of the 0.85.
 */
function taxedWithDay(named: Record<string, string>, taxedWith: 'DAY' | 'ALIKE'): string {
  const { noonId, noonDeposit, noonAccount } = named
  return `
    update liquidations set taxed_with = '${taxedWith}', tax_minor = 136, net_minor = 9949
    where liquidation_id = '${noonId}';
    update deposits set broken_tax_minor = 136 where deposit_id = '${noonDeposit}';
    update accounts set balance_minor = balance_minor - 127 where account_number = '${noonAccount}';
    update postings set amount_minor = sign(amount_minor) * 136 where entry_id = (
      select entry_id from ledger_entries where liquidation_id = '${noonId}' and kind = 'WITHHOLDING_TAX');
    update events set data = replace(replace(data, '-0.09', '-1.36'), '100.76', '99.49')
    where subject_id = '${noonDeposit}' and data like '%${noonId}%'`
}

function verifyAll(db: Pick<Database, 'query' | 'transaction'>, pageKeys?: number) {
  return listBooks(db).then((books) =>
    verify(books, { db, versions: createVersionCache(), ...(pageKeys !== undefined && { pageKeys }) }),
  )
}

/** Breaks rows in a transaction that is rolled back once the difference is known. */
async function afterBreaking(db: TestDatabase, breaking: string): Promise<Difference | null> {
  const rollback = new Error('rolled back')
  let difference: Difference | null = null
  await assert.rejects(
    db.transaction(async (tx) => {
      await breakRows(tx, breaking)
      let last: Promise<unknown> = Promise.resolve()
      const transaction: Database['transaction'] = (work) => {
        const result = last.then(() => work(tx))
        last = result
        return result
      }
      difference = (await verifyAll({ query: tx.query, transaction })).difference
      throw rollback
    }),
    rollback,
  )
  return difference
}

/** Every kind of change there is, with the ids that the breakages below need. */
/** A deposit that paid interest every month, and of which two parts were broken on one day. */
async function fillProduct(ask: Ask): Promise<string> {
  await sell(ask, 'MONTHLY')
  const wish = { amount: 600_000, tenor_months: 12, start_date: '2026-03-15' }
  const { depositId } = await openByProduct(ask, 'MONTHLY', wish)
  for (const amount of [1_000.01, 333_333.33]) {
    const body = { liquidation_type: 'PARTIAL', amount }
    assert.equal((await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)).status, 200)
  }
  return depositId
}

/** One of two parts, with a line that was refused and one that was carried out before; and one that was cancelled. */
async function fillBatches(running: Running, account_number: string): Promise<Record<string, string>> {
  const { ask } = running
  const credit = { account_number, amount: 1, external_id: 'LINE-1' }
  const batchId = await create(ask, 'creditAccount')
  await send(ask, batchId, 1, [credit, { ...credit, amount: 0 }])
  await send(ask, batchId, 2, [credit])
  assert.equal((await start(ask, batchId)).status, 200)
  await finish(running)
  const cancelledId = await create(ask, 'creditAccount')
  await send(ask, cancelledId, 1, [credit, credit])
  assert.equal((await ask('POST', `/v2/batches/${cancelledId}/cancel`)).status, 200)
  return { batchId, cancelledId }
}

async function fillBook(db: TestDatabase): Promise<Record<string, string>> {
  const started = await startService(db)
  const { ask, askWith, callerId, service } = started
  await replaceRules(ask, {
    penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 90 }] }],
  })
  const other = await fundedAccount(ask, 10)
  const partial = await openDeposit(ask, { amount: 100_000 })
  const full = await openDeposit(ask, { amount: 50_000 })
  const matured = await openDeposit(ask, { amount: 1_000, tenor: 30 })
  const rolledOver = await rollOver(ask, 7_000)
  await ask('PUT', `/v2/customer/${partial.customerId}`, { email: 'other@example.com' })
  await ask('POST', '/v2/api-keys', { scopes: ['*'] })
  assert.equal((await ask('PUT', '/v2/accounting', { accruals: 'DAILY', gl_codes: {} })).status, 200)
  assert.equal((await ask('POST', '/v2/test-clock', { now: '2026-08-01T10:00:00Z' })).status, 200)
  const taken = await ask('POST', `/v2/fixed-deposits/${partial.depositId}/liquidate`, {
    liquidation_type: 'PARTIAL',
    amount: 40_000,
  })
  const split = await openDeposit(ask, { amount: 3_000, start_date: '2026-07-01' })
  const waived = await openDeposit(ask, { amount: 1_000, start_date: '2026-07-01' })
  const given = await ask('POST', `/v2/fixed-deposits/${waived.depositId}/liquidate`, {
    liquidation_type: 'FULL',
    waiver: { percent: 50, reason: 'GOODWILL', note: 'asked for' },
  })
  const parts = []
  for (const amount of [1_000, 500]) {
    const body = { liquidation_type: 'PARTIAL', amount }
    parts.push((await ask('POST', `/v2/fixed-deposits/${split.depositId}/liquidate`, body)).json.data)
  }
  const undone = await openDeposit(ask, { amount: 2_000, start_date: '2026-07-01' })
  const undoneParts = []
  for (const [amount, isMistake] of [
    [300, false],
    [200, true],
    [100, false],
  ] as const) {
    const body = { liquidation_type: 'PARTIAL', amount }
    const { data } = (await ask('POST', `/v2/fixed-deposits/${undone.depositId}/liquidate`, body)).json
    undoneParts.push(data)
    if (!isMistake) continue
    const answer = await ask('POST', `/v2/liquidations/${data.liquidation_id}/reverse`, { reason: 'x' })
    assert.equal(answer.status, 200, answer.text)
  }
  const ended = await ask('POST', `/v2/fixed-deposits/${full.depositId}/liquidate`, {
    liquidation_type: 'FULL',
  })
  await replaceRules(ask, { rounding: 'DOWN' })
  const noon = await openDeposit(ask, { amount: 2_000, start_date: '2026-07-01' })
  const breakAtNoon = (amount: number) =>
    ask('POST', `/v2/fixed-deposits/${noon.depositId}/liquidate`, { liquidation_type: 'PARTIAL', amount })
  await breakAtNoon(1_500)
  await replaceTaxRules(ask)
  const afterNoon = await breakAtNoon(100)
  const taxed = await openDeposit(ask, { amount: 2_000, start_date: '2026-07-01' })
  const withheld = await ask('POST', `/v2/fixed-deposits/${taxed.depositId}/liquidate`, {
    liquidation_type: 'FULL',
  })
  const alike = await openDeposit(ask, { amount: 2_000, start_date: '2026-07-01' })
  const alikeIds = []
  for (const amount of [300, 200]) {
    const body = { liquidation_type: 'PARTIAL', amount }
    const { data } = (await ask('POST', `/v2/fixed-deposits/${alike.depositId}/liquidate`, body)).json
    alikeIds.push(data.liquidation_id)
  }
  const due = { amount: 30_000, tenor: 10, start_date: '2026-07-20' }
  const taxedMatured = await openDeposit(ask, due)
  const taxedRolledOver = await openDeposit(ask, { ...due, auto_rollover: true })
  assert.equal((await ask('POST', '/v2/test-clock', { now: '2026-08-01T10:00:01Z' })).status, 200)
  const taxedSuccessor = (await ask('GET', `/v2/fixed-deposits/${taxedRolledOver.depositId}`)).json.data
  const successor = (await ask('GET', `/v2/fixed-deposits/${rolledOver}`)).json.data
  assert.equal(successor.status, 'ROLLED_OVER')
  await ask('POST', '/v2/customer', ada)
  await sealPass(service, { marginMs: 0 })

  const sold = await fillProduct(ask)
  const batches = await fillBatches(started, other.accountNumber)
  const approvalId = await approveLiquidation(ask, askWith)
  const entryOf = async (liquidationId: string) =>
    (await ask('GET', `/v2/ledger-entries?liquidation_id=${liquidationId}`)).json.data[0].entry_id
  const updates = await ask('GET', '/v2/audit-log?action=customer.updated')
  await sealPass(service, { marginMs: 0 })
  const [book] = await db.query<{ book_id: string }>('select book_id from customers limit 1')
  const [first] = [taken.json.data, given.json.data, ...parts, ...undoneParts, ended.json.data].sort(
    (left, right) => (left.liquidation_id < right.liquidation_id ? -1 : 1),
  )
  return {
    callerId,
    sold,
    ...batches,
    bookId: book!.book_id,
    customer: partial.customerId,
    account: partial.accountNumber,
    otherCustomer: other.customerId,
    otherAccount: other.accountNumber,
    partialDeposit: partial.depositId,
    partialId: taken.json.data.liquidation_id,
    partialEntryId: await entryOf(taken.json.data.liquidation_id),
    splitDeposit: split.depositId,
    laterPartId: parts[1].liquidation_id,
    waivedDeposit: waived.depositId,
    waivedId: given.json.data.liquidation_id,
    waivedEntryId: await entryOf(given.json.data.liquidation_id),
    fullDeposit: full.depositId,
    fullId: ended.json.data.liquidation_id,
    fullEntryId: await entryOf(ended.json.data.liquidation_id),
    undoneDeposit: undone.depositId,
    approvalId,
    reversedId: undoneParts[1].liquidation_id,
    reversalId: await entryOf(undoneParts[1].liquidation_id),
    taxedDeposit: taxed.depositId,
    taxedAccount: taxed.accountNumber,
    taxedId: withheld.json.data.liquidation_id,
    noonDeposit: noon.depositId,
    noonAccount: noon.accountNumber,
    noonId: afterNoon.json.data.liquidation_id,
    alikeDeposit: alike.depositId,
    alikeFirst: alikeIds[0],
    alikeSecond: alikeIds[1],
    taxEntryId: await entryOf(withheld.json.data.liquidation_id),
    taxedMatured: taxedMatured.depositId,
    taxedMaturedAccount: taxedMatured.accountNumber,
    taxedRolledOver: taxedRolledOver.depositId,
    taxedSuccessor: taxedSuccessor.rolled_over_to,
    firstId: first.liquidation_id,
    firstDeposit: first.deposit_id,
    maturedDeposit: matured.depositId,
    maturedAccount: matured.accountNumber,
    rolledOverDeposit: rolledOver,
    successor: successor.rolled_over_to,
    updatedEvent: updates.json.data[0].event_id,
  }
}

/** One that was approved, one that is pending, and a reversal that was approved. */
async function approveLiquidation(ask: Ask, askWith: (key: string) => Ask): Promise<string> {
  await ask('PUT', '/v2/approval-policy', { expires_after_hours: 24, deciders: 'ANY', rules: [] })
  const checker = askWith((await ask('POST', '/v2/api-keys', { scopes: ['*'] })).json.data.key)
  const whole = { liquidation_type: 'FULL' }
  const request = async (operation: string, target_id: string, body: object) =>
    (await ask('POST', '/v2/approvals', { operation, target_id, body })).json.data.approval_id
  const [first, second] = [await openDeposit(ask, { amount: 10 }), await openDeposit(ask, { amount: 20 })]
  await request('liquidateFixedDeposit', second.depositId, whole)
  const approvalId = await request('liquidateFixedDeposit', first.depositId, whole)
  const approved = await checker('POST', `/v2/approvals/${approvalId}/approve`, {})
  assert.equal(approved.status, 200, approved.text)
  const part = { liquidation_type: 'PARTIAL', amount: 5 }
  const broken = await ask('POST', `/v2/fixed-deposits/${second.depositId}/liquidate`, part)
  const { liquidation_id } = broken.json.data
  const reversal = await request('reverseLiquidation', liquidation_id, { reason: 'Mistake' })
  const reversed = await checker('POST', `/v2/approvals/${reversal}/approve`, {})
  assert.equal(reversed.status, 200, reversed.text)
  return approvalId
}

async function rollOver(ask: Ask, amount: number): Promise<string> {
  const { accountNumber } = await fundedAccount(ask, amount)
  const terms = { account_number: accountNumber, amount, tenor: 20, interest_rate: 10, auto_rollover: true }
  const opened = await ask('POST', '/v2/fixed-deposits', terms)
  return opened.json.data.deposit_id
}
