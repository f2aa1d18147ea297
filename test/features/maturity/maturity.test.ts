import assert from 'node:assert/strict'
import { mock, test as plainTest } from 'node:test'
import { setImmediate as nextTick } from 'node:timers/promises'
import { OPERATOR } from '../../../src/domain/actor.ts'
import { createEngine } from '../../../src/engine/change/engine.ts'
import { type Database, DatabaseError } from '../../../src/engine/database/database.ts'
import { openPostgres } from '../../../src/engine/database/postgres.ts'
import { findBook, listBooks } from '../../../src/features/callers/store.ts'
import {
  createMaturity,
  type Maturities,
  type MaturityRun,
  startMaturityJob,
} from '../../../src/features/maturity/job.ts'
import { audit } from '../../support/auditor.ts'
import { forEachEngine } from '../../support/engines.ts'
import { plantDeposits } from '../../support/planted-deposits.ts'
import {
  type Ask,
  forgetDates,
  fundedAccount,
  openDeposit,
  replaceRules,
  startService,
} from '../../support/service.ts'

const NOTHING: MaturityRun = { matured: 0, rolledOver: 0, paid: 0, unsettled: [], failed: [] }

forEachEngine(({ test }) => {
  test('a due deposit is paid out with its whole interest, once, with one entry and one event', async (db) => {
    const { service, clock, ask } = await startService(db)
    const opened = await openDeposit(ask, { amount: 1_000_000, tenor: 90, interest_rate: 12 })
    const { depositId, accountNumber } = opened
    const before = await readDeposit(ask, depositId)
    clock.now = new Date('2026-09-29T10:00:00.000Z')

    assert.deepEqual(await service.maturity.settleAll(), { ...NOTHING, matured: 1 })
    assert.deepEqual(await service.maturity.settleAll(), NOTHING)

    const after = await readDeposit(ask, depositId)
    assert.deepEqual(after, {
      ...before,
      status: 'MATURED',
      remaining_principal: 0,
      expected_interest: 0,
      accrued_interest: 0,
      updated_at: '2026-09-29T10:00:00.000Z',
    })
    assert.equal(await readBalance(ask, accountNumber), '1029589.04')
    const { data: entries } = (await ask('GET', `/v2/ledger-entries?deposit_id=${depositId}`)).json
    assert.equal(entries.length, 2)
    assert.deepEqual(entries[0], {
      entry_id: entries[0].entry_id,
      kind: 'MATURITY',
      account_number: accountNumber,
      deposit_id: depositId,
      liquidation_id: null,
      narration: null,
      created_at: '2026-09-29T10:00:00.000Z',
      lines: [
        { account: depositId, amount: -1_000_000 },
        { account: 'interest_expense', amount: -29_589.04 },
        { account: accountNumber, amount: 1_029_589.04 },
      ],
      reverses: null,
      business_date: '2026-09-29',
    })
    assert.deepEqual(await eventsOf(db, depositId), [
      ['fixed_deposit.created', before],
      [
        'fixed_deposit.matured',
        {
          ...after,
          principal_returned: 1_000_000,
          interest_paid: 29_589.04,
          penal_charge: 0,
          total_credited: 1_029_589.04,
          credited_account: accountNumber,
          tax_withheld: 0,
          net_credited: 1_029_589.04,
          rollover_refused: null,
        },
      ],
    ])
    await audit(db)
  })

  test('a deposit with auto_rollover opens a successor with all it was worth, under the rules then in force', async (db) => {
    const { service, clock, ask } = await startService(db)
    const { depositId, accountNumber } = await openRollover(ask, { amount: 100_000, tenor: 365 })
    await replaceRules(ask, { day_count: 'ACT/360' })
    const before = await readDeposit(ask, depositId)
    clock.now = new Date('2027-07-03T10:00:00.000Z')

    assert.deepEqual(await service.maturity.settleAll(), { ...NOTHING, rolledOver: 1 })
    assert.deepEqual(await service.maturity.settleAll(), NOTHING)

    const after = await readDeposit(ask, depositId)
    const successorId = after.rolled_over_to
    assert.match(successorId, /^fd_[0-9A-Za-z]{24}$/)
    assert.deepEqual(after, {
      ...before,
      status: 'ROLLED_OVER',
      remaining_principal: 0,
      expected_interest: 0,
      accrued_interest: 0,
      updated_at: '2027-07-03T10:00:00.000Z',
      rolled_over_to: successorId,
    })
    const successor = await readDeposit(ask, successorId)
    assert.deepEqual(successor, {
      ...before,
      deposit_id: successorId,
      principal: 110_000,
      remaining_principal: 110_000,
      start_date: '2027-07-01',
      maturity_date: '2028-06-30',
      // 110,000 · 10% · 365/360, and of that two days.
      expected_interest: 11_152.78,
      accrued_interest: 61.11,
      rollovers: 1,
      rules_version: 2,
      created_at: '2027-07-03T10:00:00.000Z',
      updated_at: '2027-07-03T10:00:00.000Z',
    })
    assert.equal(await readBalance(ask, accountNumber), '0.00')
    assert.deepEqual(await linesOf(ask, depositId), [
      [
        'MATURITY',
        null,
        [depositId, -100_000],
        ['interest_expense', -10_000],
        ['rollover_clearing', 110_000],
      ],
      ['DEPOSIT_OPENING', accountNumber, [accountNumber, -100_000], [depositId, 100_000]],
    ])
    assert.deepEqual(await linesOf(ask, successorId), [
      ['DEPOSIT_OPENING', null, ['rollover_clearing', -110_000], [successorId, 110_000]],
    ])
    assert.deepEqual((await eventsOf(db, depositId)).at(-1), [
      'fixed_deposit.rolled_over',
      {
        ...after,
        principal_rolled_over: 100_000,
        interest_rolled_over: 10_000,
        successor,
        tax_withheld: 0,
        interest_paid: 0,
        credited_account: accountNumber,
        net_credited: 0,
      },
    ])
    assert.deepEqual(await eventsOf(db, successorId), [])
    await audit(db)
  })

  test('what was liquidated before is neither paid nor earns: the rest of the principal does', async (db) => {
    const { service, clock, ask } = await startService(db)
    const { depositId, accountNumber } = await openDeposit(ask, { amount: 100_000 })
    clock.now = new Date('2026-09-01T10:00:00.000Z')
    const partial = { liquidation_type: 'PARTIAL', amount: 40_000 }
    assert.equal((await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, partial)).status, 200)
    clock.now = new Date('2027-07-01T10:00:00.000Z')

    assert.deepEqual(await service.maturity.settleAll(), { ...NOTHING, matured: 1 })
    // 40,000 and its 62 days, then 60,000 and its whole year.
    assert.equal(await readBalance(ask, accountNumber), '106679.45')
    await audit(db)
  })

  test('a deposit that was liquidated whole before it came due is seen once, left alone and not found again', async (db) => {
    const { service, clock, ask } = await startService(db)
    const { depositId } = await openDeposit(ask, { amount: 100_000 })
    const full = { liquidation_type: 'FULL' }
    assert.equal((await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, full)).status, 200)
    clock.now = new Date('2027-07-01T10:00:00.000Z')
    const before = await readDeposit(ask, depositId)

    assert.deepEqual(await readAwaited(db), [depositId])
    assert.deepEqual(await service.maturity.settleAll(), NOTHING)
    assert.deepEqual(await readDeposit(ask, depositId), before)
    assert.deepEqual(await readAwaited(db), [])
    await audit(db)
  })

  test('a deposit is due on its maturity date in the time zone of the caller, not a moment before', async (db) => {
    const { service, clock, ask } = await startService(db)
    const { depositId } = await openDeposit(ask, { amount: 1_000, tenor: 90 })
    // Lagos is an hour ahead of UTC: the 29th begins there at 23:00 of the 28th.
    clock.now = new Date('2026-09-28T22:59:59.999Z')
    assert.deepEqual(await service.maturity.settleAll(), NOTHING)
    assert.equal((await readDeposit(ask, depositId)).status, 'ACTIVE')
    clock.now = new Date('2026-09-28T23:00:00.000Z')
    assert.deepEqual(await service.maturity.settleAll(), { ...NOTHING, matured: 1 })
    assert.equal((await readDeposit(ask, depositId)).status, 'MATURED')
  })

  test('each book goes by its own clock and only its own deposits are settled', async (db) => {
    const { service, ask, askWith, liveKey } = await startService(db)
    const live = askWith(liveKey)
    const inTest = await openDeposit(ask, { amount: 1_000, tenor: 90 })
    const inLive = await openDeposit(live, { amount: 1_000, tenor: 90 })
    await db.query(`update books set clock_offset_ms = 7776000000 where mode = 'test'`)
    assert.deepEqual(await service.maturity.settleAll(), { ...NOTHING, matured: 1 })
    assert.equal((await readDeposit(ask, inTest.depositId)).status, 'MATURED')
    assert.equal((await readDeposit(live, inLive.depositId)).status, 'ACTIVE')
    await audit(db)
  })

  test('a FULL that comes at maturity before the job pays all interest and no charge, and the job leaves it alone', async (db) => {
    const { service, clock, ask } = await startService(db)
    const terms = [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 90 }]
    await replaceRules(ask, { penal_rules: [{ when: {}, terms }] })
    const { depositId, accountNumber } = await openDeposit(ask, { amount: 100_000 })
    clock.now = new Date('2027-07-05T10:00:00.000Z')
    const full = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, { liquidation_type: 'FULL' })
    assert.equal(full.status, 200)
    assert.match(full.text, /"interest_paid":10000\.00,"penal_charge":0\.00,"total_credited":110000\.00/)

    const ended = [
      await readDeposit(ask, depositId),
      await linesOf(ask, depositId),
      await eventsOf(db, depositId),
    ]
    assert.equal(ended[0].status, 'LIQUIDATED')
    assert.deepEqual(await service.maturity.settleAll(), NOTHING)
    assert.deepEqual(
      [await readDeposit(ask, depositId), await linesOf(ask, depositId), await eventsOf(db, depositId)],
      ended,
    )
    assert.equal(await readBalance(ask, accountNumber), '110000.00')
    await audit(db)
  })

  test('successors that are due themselves are settled in the same run, whatever fits into a batch', async (db) => {
    const { clock, ask } = await startService(db)
    for (const batchMax of [1, 2, 250]) {
      const first = await openRollover(ask, { amount: 100_000, tenor: 365, start_date: '2021-07-01' })
      const second = await openRollover(ask, { amount: 5_000, tenor: 700, start_date: '2021-07-01' })
      const paidOut = await openDeposit(ask, { amount: 7_000, tenor: 30, start_date: '2021-07-01' })
      const maturity = maturityOver({
        db,
        clock: () => clock.now,
        batchMax,
      })

      assert.deepEqual(await maturity.settleAll(), { ...NOTHING, matured: 1, rolledOver: 5 + 2 })
      assert.deepEqual(await chainOf(ask, first.depositId), [
        ['ROLLED_OVER', '2022-07-01', 100_000],
        ['ROLLED_OVER', '2023-07-01', 110_000],
        ['ROLLED_OVER', '2024-06-30', 121_000],
        ['ROLLED_OVER', '2025-06-30', 133_100],
        ['ROLLED_OVER', '2026-06-30', 146_410],
        ['ACTIVE', '2027-06-30', 161_051],
      ])
      const chain = await chainOf(ask, second.depositId)
      assert.deepEqual(
        chain.map(([status]) => status),
        ['ROLLED_OVER', 'ROLLED_OVER', 'ACTIVE'],
      )
      assert.equal((await readDeposit(ask, paidOut.depositId)).status, 'MATURED')
      assert.deepEqual(await maturity.settleAll(), NOTHING)
    }
    await audit(db)
  })

  test('books take turns: during a chain of hundreds of rollovers others are settled in the same pass', async (db) => {
    const hostile = await startService(db)
    const other = await startService(db)
    const chain = await openRollover(hostile.ask, { amount: 1, tenor: 1, start_date: '2025-09-01' })
    const { depositId } = await openDeposit(other.ask, { amount: 1_000, tenor: 30, start_date: '2026-06-01' })
    await plantDeposits(db, depositId, { from: 1, to: 24 })
    const options = { db, clock: () => other.clock.now, batchMax: 5 }
    const { settlePass, settleAll } = maturityOver(options)

    const turns: [number, number][] = []
    const observe = ({ rolledOver, matured }: MaturityRun) => turns.push([rolledOver, matured])
    const pass = await settlePass({ observe })
    assert.deepEqual(pass, { ...NOTHING, matured: 25, rolledOver: 8 * 5, hasMore: true })
    // The first turns are of all four books, of which the live ones have nothing due; then the two others alternate.
    assert.deepEqual(turns[3], [5, 5])
    assert.deepEqual(turns[5], [10, 10])
    assert.deepEqual(turns[7], [15, 15])
    assert.equal((await readDeposit(other.ask, depositId)).status, 'MATURED')

    // 2025-09-02 to 2026-07-01 are 303 days.
    assert.deepEqual(await settleAll(), { ...NOTHING, rolledOver: 303 - 8 * 5 })
    const last = await readDeposit(hostile.ask, (await chainIds(hostile.ask, chain.depositId)).at(-1)!)
    assert.deepEqual([last.status, last.maturity_date], ['ACTIVE', '2026-07-02'])
    await audit(db)
  })

  test('a chain of rollovers does not delay the other deposits of its book: each is visited once in a sweep', async (db) => {
    const { clock, ask } = await startService(db)
    for (let chain = 0; chain < 3; chain += 1) {
      await openRollover(ask, { amount: 1, tenor: 1, start_date: '2026-01-01' })
    }
    const { depositId } = await openDeposit(ask, { amount: 1_000, tenor: 30, start_date: '2026-06-01' })
    const options = { db, clock: () => clock.now, batchMax: 2 }
    const stop = new AbortController()
    const turns: [number, number][] = []
    await maturityOver(options).settleAll({
      signal: stop.signal,
      observe: ({ rolledOver, matured }) => {
        turns.push([rolledOver, matured])
        if (matured === 1) stop.abort()
      },
    })
    // The second batch has room for a further term of its chain.
    assert.deepEqual(turns.at(-1), [4, 1])
    assert.equal((await readDeposit(ask, depositId)).status, 'MATURED')
  })

  test('a pass continues where the last one ended: deposits that cannot be settled do not hide those after them', async (db) => {
    const { clock, ask } = await startService(db)
    const stuck = await openDeposit(ask, { amount: 1_000, tenor: 30, start_date: '2026-01-01' })
    await plantDeposits(db, stuck.depositId, { from: 1, to: 9 })
    const credit = await ask(
      'POST',
      `/v2/accounts/${stuck.accountNumber}/credits`,
      '{"amount":9999999999999.00}',
    )
    assert.equal(credit.status, 201)
    const { depositId } = await openDeposit(ask, { amount: 1_000, tenor: 30, start_date: '2026-06-01' })
    const options = { db, clock: () => clock.now, batchMax: 1 }
    const { settlePass } = maturityOver(options)
    assert.deepEqual(await settlePass(), { ...NOTHING, hasMore: true })
    const second = await settlePass()
    assert.deepEqual([second.matured, second.unsettled.length], [1, 10])
    assert.equal((await readDeposit(ask, depositId)).status, 'MATURED')
  })

  test('a turn settles at most 2,000 deposits, in transactions of at most 250', async (db) => {
    const { clock, ask } = await startService(db)
    const { depositId } = await openDeposit(ask, { amount: 1_000, tenor: 30, start_date: '2026-06-01' })
    await plantDeposits(db, depositId, { from: 1, to: 2_000 })
    const { db: watched, transactions } = watching(db)
    const turns: number[] = []
    const { settleAll } = maturityOver({ db: watched, clock: () => clock.now })
    await settleAll({ observe: ({ matured }) => turns.push(matured) })
    assert.deepEqual(new Set(turns.filter((matured) => matured > 0)), new Set([2_000, 2_001]))
    assert.deepEqual(
      transactions.map(({ depositIds }) => depositIds.length),
      [...Array.from({ length: 8 }, () => 250), 1],
    )
  })

  test('two transactions run side by side, each with accounts of its own; who waits for locks uses one', async (db) => {
    for (const waits of [false, true]) {
      const { clock, ask, callerId } = await startService(db)
      const accountNumbers: string[] = []
      for (const from of [1, 1_001]) {
        const terms = { amount: 1_000, tenor: 30, start_date: '2026-06-01' }
        const { depositId, accountNumber } = await openDeposit(ask, terms)
        await plantDeposits(db, depositId, { from, to: from + 148 })
        accountNumbers.push(accountNumber)
      }
      const { db: watched, transactions, openMax } = watching(db)
      const maturity = maturityOver({ db: watched, clock: () => clock.now })
      const book = (await findBook(db, { callerId, mode: 'test' }))!
      if (waits) await maturity.settleBook({ book, actor: OPERATOR, requestId: null })
      else await maturity.settleAll()
      assert.equal(openMax(), waits ? 1 : 2)
      assert.deepEqual(
        transactions.map(({ accountNumbers }) => accountNumbers).sort(),
        accountNumbers.map((accountNumber) => [accountNumber]).sort(),
      )
      for (const { depositIds } of transactions) assert.equal(depositIds.length, 150)
    }
    await audit(db)
  })

  test('calls to settle one book follow each other, also after one failed: they hold one connection', async (db) => {
    const { clock, ask } = await startService(db)
    await openRollover(ask, { amount: 1, tenor: 1, start_date: '2026-06-01' })
    let transactions = 0
    let open = 0
    let openMax = 0
    const counting: Database = {
      ...db,
      transaction: async (work) => {
        transactions += 1
        if (transactions === 1) throw new DatabaseError('Away.', { sqlState: '55P03' })
        open += 1
        openMax = Math.max(openMax, open)
        return db.transaction(work).finally(() => {
          open -= 1
        })
      },
    }
    const options = { clock: () => clock.now, batchMax: 5 }
    const { settleBook } = maturityOver({ ...options, db: counting })
    const books = await listBooks(db)
    const origin = { book: books.find(({ mode }) => mode === 'test')!, actor: OPERATOR, requestId: null }
    const settled = await Promise.allSettled(Array.from({ length: 4 }, () => settleBook(origin)))
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
    )
    // 30 rollovers, five in each transaction.
    assert.deepEqual([transactions, openMax], [1 + 6, 1])
  })

  test('a deposit that cannot be settled is reported, stops no other, and is settled once it can be', async (db) => {
    const { service, clock, ask } = await startService(db)
    const { depositId: tooMuchId, accountNumber } = await openDeposit(ask, { amount: 1_000, tenor: 30 })
    const credit = await ask('POST', `/v2/accounts/${accountNumber}/credits`, '{"amount":9999999998991.78}')
    assert.equal(credit.status, 201)
    // It is rolled over once; a second time its worth at maturity would be too large.
    const { depositId: tooLargeId } = await openRollover(ask, {
      amount: '9999999940000.00',
      tenor: 1,
      interest_rate: 0.0001,
    })
    const other = await openDeposit(ask, { amount: 2_000, tenor: 30 })
    clock.now = new Date('2026-08-01T10:00:00.000Z')
    const [book] = await db.query<{ book_id: string }>('select book_id from deposits limit 1')

    const run = await service.maturity.settleAll()
    const bookId = book!.book_id
    assert.deepEqual(
      { ...run, unsettled: run.unsettled.map((one) => [one.bookId, one.depositId, one.code, one.error]) },
      {
        ...NOTHING,
        matured: 1,
        rolledOver: 1,
        unsettled: [
          [bookId, (await chainIds(ask, tooLargeId)).at(-1), 'maturity_value_out_of_range', null],
          [bookId, tooMuchId, 'balance_limit_exceeded', null],
        ],
      },
    )
    assert.equal((await readDeposit(ask, other.depositId)).status, 'MATURED')
    assert.equal((await readDeposit(ask, tooMuchId)).status, 'ACTIVE')
    assert.equal((await eventsOf(db, tooMuchId)).length, 1)
    await audit(db)

    // A cent less in the account, and it fits exactly.
    const spent = { account_number: accountNumber, amount: 0.01, tenor: 3000, interest_rate: 1 }
    assert.equal((await ask('POST', '/v2/fixed-deposits', spent)).status, 201)
    assert.equal((await service.maturity.settleAll()).matured, 1)
    assert.equal(await readBalance(ask, accountNumber), '9999999999999.99')
    await audit(db)
  })

  test('two concurrent jobs share a thousand deposits and settle each exactly once', async (db) => {
    const { service, clock, ask } = await startService(db)
    const paidOut = await openDeposit(ask, { amount: 1_000, tenor: 30 })
    const rolledOver = await openRollover(ask, { amount: 500, tenor: 60 })
    await plantDeposits(db, paidOut.depositId, { from: 1, to: 600 })
    await plantDeposits(db, rolledOver.depositId, { from: 601, to: 1_000 })
    clock.now = new Date('2026-09-01T10:00:00.000Z')
    // A second connection pool stands for a second instance; PGlite has one process alone.
    const elsewhere =
      db.url === null ? db : await openPostgres({ url: db.url, connectionsMax: 2, durabilityChecked: false })
    const options = { clock: () => clock.now, batchMax: 50 }
    const jobs = [db, elsewhere].map((one) => maturityOver({ ...options, db: one }))
    const runs = await Promise.all(jobs.map((job) => job.settleAll()))
    if (elsewhere !== db) await elsewhere.close()

    // What one job skipped because the other held it is there no more when it looks again.
    assert.equal(sum(runs.map((run) => run.matured)), 601)
    assert.equal(sum(runs.map((run) => run.rolledOver)), 401)
    assert.deepEqual(await service.maturity.settleAll(), NOTHING)
    const [shown] = await db.query<{ events: bigint; deposits: bigint }>(
      `select count(*) as events, count(distinct subject_id) as deposits
       from events where type in ('fixed_deposit.matured', 'fixed_deposit.rolled_over')`,
    )
    assert.deepEqual(shown, { events: 1_002n, deposits: 1_002n })
    // 601 times 1,000 and 30 days of interest on it.
    assert.equal(await readBalance(ask, paidOut.accountNumber), '605940.22')
    // Without statistics the auditor's joins over this many rows would take minutes.
    await db.query('analyze')
    await audit(db)
  })

  test('a run that dies between two batches is taken up by the next one where it ended', async (db) => {
    const { clock, ask } = await startService(db)
    const { depositId } = await openDeposit(ask, { amount: 1_000, tenor: 30 })
    await plantDeposits(db, depositId, { from: 1, to: 24 })
    clock.now = new Date('2026-09-01T10:00:00.000Z')
    const options = { clock: () => clock.now, batchMax: 10 }
    let batches = 0
    const dying: Database = {
      ...db,
      transaction: (work) => {
        batches += 1
        if (batches > 1) throw new DatabaseError('The connection is gone.', { sqlState: null })
        return db.transaction(work)
      },
    }
    const killed = await maturityOver({ ...options, db: dying }).settleAll()
    assert.deepEqual([killed.matured, killed.failed.length], [10, 1])
    assert.deepEqual(await maturityOver({ ...options, db }).settleAll(), { ...NOTHING, matured: 15 })
    await audit(db)
  })

  test('a commit whose answer was lost is looked up: counted if it happened, made again if it did not', async (db) => {
    const { clock, ask } = await startService(db)
    const { depositId } = await openDeposit(ask, { amount: 1_000, tenor: 30 })
    clock.now = new Date('2026-09-01T10:00:00.000Z')
    const lost = new DatabaseError('The answer was lost.', { sqlState: null, outcomeUnknown: true })
    let transactions = 0
    const losing = (commits: boolean): Database => ({
      ...db,
      transaction: async (work) => {
        transactions += 1
        if (transactions > 1) return db.transaction(work)
        // With an error of its own, whose rollback is waited for: the locks are gone before the next attempt.
        const undone = new Error('Rolled back.')
        const attempt = db.transaction(async (tx) => {
          await work(tx)
          if (!commits) throw undone
        })
        if (commits) await attempt
        else await assert.rejects(attempt, undone)
        throw lost
      },
    })
    const options = { clock: () => clock.now }
    const done = await maturityOver({ ...options, db: losing(true) }).settleAll()
    assert.deepEqual([done, transactions], [{ ...NOTHING, matured: 1 }, 2])

    await plantDeposits(
      db,
      (await openDeposit(ask, { amount: 1_000, tenor: 30, start_date: '2026-07-01' })).depositId,
      { from: 1, to: 3 },
    )
    transactions = 0
    const undone = await maturityOver({ ...options, db: losing(false) }).settleAll()
    assert.deepEqual([undone, transactions], [{ ...NOTHING, matured: 4 }, 2])
    assert.equal((await eventsOf(db, depositId)).length, 2)
    await audit(db)
  })

  test('neither a deposit nor a book that fails keeps the others from being settled', async (db) => {
    const { service, clock, ask, askWith, liveKey } = await startService(db)
    const live = askWith(liveKey)
    const fine = await openDeposit(ask, { amount: 1_000, tenor: 30 })
    const inLive = await openDeposit(live, { amount: 1_000, tenor: 30 })
    await replaceRules(ask, { rounding: 'DOWN' })
    const broken = await openDeposit(ask, { amount: 1_000, tenor: 30 })
    await replaceRules(ask, { rounding: 'HALF_UP' })
    await db.query(`update rule_sets set rules = '{' where version = 2`)
    clock.now = new Date('2026-09-01T10:00:00.000Z')
    await forgetDates(db)

    // Another reader, which has not read the rules before they were broken.
    const options = { clock: () => clock.now }
    const [book] = await db.query<{ book_id: string }>(`select book_id from books where mode = 'live'`)
    const halfAway: Database = {
      ...db,
      query: (text, values) => {
        if (values?.[0] === book!.book_id) throw new DatabaseError('Away.', { sqlState: '55P03' })
        return db.query(text, values)
      },
    }
    const run = await maturityOver({ ...options, db: halfAway }).settleAll()
    assert.deepEqual(
      {
        ...run,
        unsettled: run.unsettled.map(({ depositId, code }) => [depositId, code]),
        failed: run.failed.length,
      },
      { matured: 1, rolledOver: 0, paid: 0, unsettled: [[broken.depositId, 'internal_error']], failed: 1 },
    )
    assert.equal((await readDeposit(ask, fine.depositId)).status, 'MATURED')
    assert.equal((await readDeposit(live, inLive.depositId)).status, 'ACTIVE')
    assert.equal((await service.maturity.settleAll()).matured, 2)
    assert.equal((await readDeposit(live, inLive.depositId)).status, 'MATURED')
  })
})

plainTest(
  'the job runs after each interval, or at once if work is left, never beside itself, and stops after the batch under way',
  async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      type Pass = Awaited<ReturnType<Maturities['settlePass']>>
      const runs: { finish: (pass: Pass) => void; signal: AbortSignal | undefined }[] = []
      const logged: unknown[][] = []
      const job = startMaturityJob({
        maturity: {
          settlePass: ({ signal } = {}) => {
            const { promise, resolve } = Promise.withResolvers<Pass>()
            runs.push({ finish: resolve, signal })
            return promise
          },
        },
        everySeconds: 60,
        log: (...line) => logged.push(line),
      })
      mock.timers.tick(59_999)
      assert.equal(runs.length, 0)
      mock.timers.tick(1)
      assert.equal(runs.length, 1)
      mock.timers.tick(600_000)
      assert.equal(runs.length, 1)

      const unsettled = {
        bookId: 'book_1',
        depositId: 'fd_1',
        code: 'balance_limit_exceeded',
        error: null,
      } as const
      const failed = { bookId: 'book_2', error: new TypeError('secret') }
      runs[0]!.finish({
        matured: 2,
        rolledOver: 1,
        paid: 3,
        unsettled: [unsettled],
        failed: [failed],
        hasMore: false,
      })
      await nextTick()
      assert.deepEqual(logged, [
        [
          'warn',
          'maturity_unsettled',
          { book_id: 'book_1', deposit_id: 'fd_1', code: 'balance_limit_exceeded', error: null },
        ],
        ['error', 'maturity_failed', { book_id: 'book_2', error: 'TypeError' }, failed.error],
        ['info', 'maturity_run', { matured: 2, rolled_over: 1, interest_payments: 3, unsettled: 1 }],
      ])
      mock.timers.tick(59_999)
      assert.equal(runs.length, 1)
      mock.timers.tick(1)
      assert.equal(runs.length, 2)
      runs[1]!.finish({ ...NOTHING, rolledOver: 250, hasMore: true })
      await nextTick()
      mock.timers.tick(1)
      assert.equal(runs.length, 3)

      let stopped = false
      const stopping = job.stop().then(() => {
        stopped = true
      })
      await nextTick()
      assert.deepEqual([runs[2]!.signal?.aborted, stopped], [true, false])
      runs[2]!.finish({ ...NOTHING, hasMore: true })
      await stopping
      mock.timers.tick(600_000)
      assert.equal(runs.length, 3)
    } finally {
      mock.timers.reset()
    }
  },
)

/** A deposit of its own customer and account that is rolled over at maturity. */
async function openRollover(
  ask: Ask,
  terms: { amount: number | string; tenor: number; interest_rate?: number; start_date?: string },
): Promise<{ depositId: string; accountNumber: string }> {
  const { amount, ...rest } = terms
  const { accountNumber } = await fundedAccount(ask, amount)
  const body = { account_number: accountNumber, interest_rate: 10, ...rest, auto_rollover: true }
  const json = `${JSON.stringify(body).slice(0, -1)},"amount":${amount}}`
  const opened = await ask('POST', '/v2/fixed-deposits', json)
  assert.equal(opened.status, 201, opened.text)
  return { depositId: opened.json.data.deposit_id, accountNumber }
}

/** What the job has yet to see. */
async function readAwaited(db: Database): Promise<string[]> {
  const rows = await db.query<{ deposit_id: string }>('select deposit_id from deposits where awaits_maturity')
  return rows.map((row) => row.deposit_id)
}

async function readDeposit(ask: Ask, depositId: string): Promise<any> {
  return (await ask('GET', `/v2/fixed-deposits/${depositId}`)).json.data
}

/** As it is written, with both decimals. */
async function readBalance(ask: Ask, accountNumber: string): Promise<string> {
  const account = await ask('GET', `/v2/accounts/${accountNumber}`)
  return /"balance":([\d.]+)/.exec(account.text)![1]!
}

/** Newest first: the kind, the account it names, and the lines. */
async function linesOf(ask: Ask, depositId: string): Promise<unknown[]> {
  const { data } = (await ask('GET', `/v2/ledger-entries?deposit_id=${depositId}`)).json
  return data.map((entry: any) => [
    entry.kind,
    entry.account_number,
    ...entry.lines.map((line: any) => [line.account, line.amount]),
  ])
}

async function eventsOf(db: Database, subjectId: string): Promise<[string, unknown][]> {
  const rows = await db.query<{ type: string; data: string }>(
    'select type, data from events where subject_id = $1 order by ordinal',
    [subjectId],
  )
  return rows.map((row) => [row.type, JSON.parse(row.data)])
}

async function chainIds(ask: Ask, depositId: string): Promise<string[]> {
  const { rolled_over_to } = await readDeposit(ask, depositId)
  return rolled_over_to === null ? [depositId] : [depositId, ...(await chainIds(ask, rolled_over_to))]
}

async function chainOf(ask: Ask, depositId: string): Promise<[string, string, number][]> {
  const chain = await Promise.all((await chainIds(ask, depositId)).map((one) => readDeposit(ask, one)))
  return chain.map(({ status, maturity_date, principal }) => [status, maturity_date, principal])
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

/** What runs the job, on a database of its own. */
/** What each transaction of the job locks, and how many are open at the same time. */
function watching(db: Database) {
  const transactions: { depositIds: string[]; accountNumbers: string[] }[] = []
  let open = 0
  let openMax = 0
  const transaction: Database['transaction'] = (work) => {
    const locked = { depositIds: [] as string[], accountNumbers: [] as string[] }
    transactions.push(locked)
    open += 1
    openMax = Math.max(openMax, open)
    return db
      .transaction((tx) =>
        work({
          ...tx,
          query: (text, values) => {
            if (/from deposits.*for update/s.test(text)) locked.depositIds = values![1] as string[]
            if (/from accounts.*for update/s.test(text)) locked.accountNumbers = values![1] as string[]
            return tx.query(text, values)
          },
        }),
      )
      .finally(() => {
        open -= 1
      })
  }
  return { db: { ...db, transaction }, transactions, openMax: () => openMax }
}

function maturityOver(options: { db: Database; clock: () => Date; batchMax?: number }): Maturities {
  const { db, clock, batchMax } = options
  const engine = createEngine({ db, clock, limits: { workers: 1, batchMax: 1, queueMax: 1 } })
  return createMaturity({ engine, ...(batchMax !== undefined && { batchMax }) })
}
