/** Batches that overlap wait for each other in turn; they never wait for each other in a circle. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createService } from '../../src/cli/compose.ts'
import { OPERATOR } from '../../src/domain/actor.ts'
import type { Book } from '../../src/domain/book.ts'
import { minor } from '../../src/domain/money.ts'
import { type Database, DatabaseError, type Queries } from '../../src/engine/database/database.ts'
import { liquidate } from '../../src/features/liquidation/changes.ts'
import { audit } from '../support/auditor.ts'
import { engines } from '../support/engines.ts'
import { plantDeposits } from '../support/planted-deposits.ts'
import { type Ask, fundedAccount, startService } from '../support/service.ts'
import { through } from '../support/through.ts'
import { countBlocked, openPatiently } from './support/patient-postgres.ts'

const postgres = engines.find((engine) => engine.name === 'PostgreSQL')!

testOrder('batches that name the same deposits in another order do not deadlock', async (bank) => {
  const { accountNumber } = await fundedAccount(bank.ask, 10_000)
  const [first, second] = [await bank.open(accountNumber), await bank.open(accountNumber)].sort()
  // The one that waited for the first deposit first gets it when it is free, and the other one then holds the second.
  await bank.breakWhileHeld('update deposits set status = status where deposit_id = $1', first!, [
    [first!, second!],
    [second!, first!],
  ])
})

testOrder(
  'batches that pay to the same accounts do not deadlock, whatever the order of their deposits',
  async (bank) => {
    const owners = [await fundedAccount(bank.ask, 10_000), await fundedAccount(bank.ask, 10_000)]
    const [low, high] = owners.map((owner) => owner.accountNumber).sort()
    const [ofLow, ofHigh] = [await bank.open(low!), await bank.open(high!)]
    for (const [number, depositId] of [ofLow, ofHigh, ofHigh, ofLow].entries()) {
      await plantDeposits(bank.db, depositId, { from: number, to: number })
    }
    const [low0, high1, high2, low3] = [0, 1, 2, 3].map((number) => `fd_${String(number).padStart(24, '0')}`)
    // The first one waits for the lower account. In the order of its deposits, the second one would hold the higher one.
    await bank.breakWhileHeld('update accounts set currency = currency where account_number = $1', low!, [
      [low0!, high1!],
      [high2!, low3!],
    ])
  },
)

type Bank = {
  db: Queries
  ask: Ask
  open: (accountNumber: string) => Promise<string>
  /** Each list is a batch, and waits before the next one comes; what they wait for has become another version of its row. */
  breakWhileHeld: (hold: string, id: string, batches: readonly string[][]) => Promise<void>
}

function testOrder(name: string, work: (bank: Bank) => Promise<void>): void {
  test(name, { skip: postgres.skip }, async () => {
    const fresh = await postgres.open()
    const db = await openPatiently(fresh.url!)
    const bank = await startService(db)
    try {
      await work({
        db,
        ask: bank.ask,
        async open(accountNumber) {
          const terms = { account_number: accountNumber, amount: 1000, tenor: 90, interest_rate: 12 }
          return (await bank.ask('POST', '/v2/fixed-deposits', terms)).json.data.deposit_id
        },
        async breakWhileHeld(hold, id, lists) {
          const [held] = await db.query<{ book_id: string }>('select book_id from deposits limit 1')
          const book: Book = {
            bookId: held!.book_id,
            callerId: bank.callerId,
            mode: 'test',
            timeZone: 'UTC',
            currency: 'NGN',
          }
          const origin = { book, actor: OPERATOR, requestId: null, idempotency: null }
          const part = { type: 'PARTIAL', amount: minor(1_000n) } as const
          const deadlocks: unknown[] = []
          const batches: Promise<Awaited<ReturnType<typeof liquidate>>[]>[] = []
          // Each batch finds a connection that is open already.
          await Promise.all(lists.map(() => db.query('select pg_sleep(0.05)')))
          await fresh.transaction(async (tx) => {
            await tx.query(hold, [id])
            for (const depositIds of lists) {
              const service = createService({
                db: watched(db, deadlocks),
                clock: () => bank.clock.now,
                limits: { workers: 1, batchMax: 10, queueMax: 10 },
              })
              batches.push(
                Promise.all(depositIds.map((depositId) => liquidate(service, origin, { depositId, part }))),
              )
              await untilBlocked(tx, batches.length)
            }
          })
          for (const { outcome } of (await Promise.all(batches)).flat()) assert.equal(outcome, 'done')
          assert.deepEqual(deadlocks, [])
        },
      })
      await audit(db)
    } finally {
      await bank.close()
      await db.close()
      await fresh.close()
    }
  })
}

/** A deadlock is tried again and so is not seen from outside. */
function watched(db: Database, deadlocks: unknown[]): Database {
  return {
    ...db,
    transaction: (work) =>
      db.transaction((tx) =>
        through(
          (text, values) =>
            tx.query<never>(text, values).catch((error) => {
              if (error instanceof DatabaseError && error.sqlState === '40P01') deadlocks.push(error)
              throw error
            }),
          work,
        ),
      ),
  }
}

async function untilBlocked(tx: Queries, expected: number): Promise<void> {
  const giveUpAt = Date.now() + 30_000
  for (;;) {
    const blocked = await countBlocked(tx)
    if (blocked === expected) return
    assert(Date.now() < giveUpAt, `${blocked} are blocked, not ${expected}`)
  }
}
