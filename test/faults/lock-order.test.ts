/** Batches that overlap wait for each other in turn; they never wait for each other in a circle. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Book } from '../../src/domain/book.ts'
import { minor } from '../../src/domain/money.ts'
import { createService } from '../../src/operations/service.ts'
import { type Database, DatabaseError, type Queries } from '../../src/store/database.ts'
import { audit } from '../support/auditor.ts'
import { engines } from '../support/engines.ts'
import { fundedAccount, startService } from '../support/service.ts'
import { through } from '../support/through.ts'
import { countBlocked, openPatiently } from './support/patient-postgres.ts'

const postgres = engines.find((engine) => engine.name === 'PostgreSQL')!

test('batches that name the same deposits in another order do not deadlock', {
  skip: postgres.skip,
}, async () => {
  const fresh = await postgres.open()
  const db = await openPatiently(fresh.url!)
  const bank = await startService(db)
  try {
    const { accountNumber } = await fundedAccount(bank.ask, 10_000)
    const terms = { account_number: accountNumber, amount: 1000, tenor: 90, interest_rate: 12 }
    const opened = [terms, terms].map(() => bank.ask('POST', '/v2/fixed-deposits', terms))
    const [first, second] = (await Promise.all(opened))
      .map((one) => one.json.data.deposit_id as string)
      .sort()
    const [held] = await db.query<{ book_id: string }>('select book_id from deposits limit 1')
    const book: Book = {
      bookId: held!.book_id,
      callerId: bank.callerId,
      mode: 'test',
      timeZone: 'UTC',
      currency: 'NGN',
    }
    const origin = { book, apiKeyId: null, requestId: null, idempotency: null }
    const deadlocks: unknown[] = []
    const breakAll = (depositIds: string[]) => {
      const { liquidate } = createService({
        db: watched(db, deadlocks),
        clock: () => bank.clock.now,
        limits: { lanes: 1, batchMax: 10, queueMax: 10 },
      })
      const part = { type: 'PARTIAL', amount: minor(1_000n) } as const
      return Promise.all(depositIds.map((depositId) => liquidate(origin, { depositId, part })))
    }

    // Whoever asked for the first one first gets it when it is free, and the other one then holds the second.
    const batches: Promise<unknown[]>[] = []
    await fresh.transaction(async (tx) => {
      await tx.query('select 1 from deposits where deposit_id = $1 for update', [first])
      batches.push(breakAll([first!, second!]))
      await untilBlocked(tx, 1)
      batches.push(breakAll([second!, first!]))
      await untilBlocked(tx, 2)
    })
    const answers = (await Promise.all(batches)).flat() as { outcome: string }[]
    assert.deepEqual(
      answers.map((answer) => answer.outcome),
      ['answered', 'answered', 'answered', 'answered'],
    )
    assert.deepEqual(deadlocks, [])
    await audit(db)
  } finally {
    await bank.close()
    await db.close()
    await fresh.close()
  }
})

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
