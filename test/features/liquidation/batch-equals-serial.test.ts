/**
 * A batch equals the same requests one at a time, in order: the same answers and the same rows, but for random
 * identifiers. Two pairs of books get the same deposits; one pair takes the requests as one batch, the other one by one.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { OPERATOR } from '../../../src/domain/actor.ts'
import type { Book } from '../../../src/domain/book.ts'
import { type Minor, minor } from '../../../src/domain/money.ts'
import { createEngine } from '../../../src/engine/change/engine.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import { createCaller } from '../../../src/features/callers/changes.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { liquidate } from '../../../src/features/liquidation/changes.ts'
import { liquidated } from '../../../src/features/liquidation/routes.ts'
import { describeService, openDeposit, replaceRules, type TestService } from '../../support/service.ts'

const PRINCIPAL = 1_000_00n
const DEPOSITS = 3
const NOW = new Date('2026-07-01T10:00:00.000Z')

type Asked = {
  book: number
  deposit: number
  amount: bigint | null
  expected: bigint | null
  key: number | null
}

/** Few books, deposits and keys, so that requests meet; the last deposit does not exist. */
const anyRequests: fc.Arbitrary<Asked[]> = fc.array(
  fc.record({
    book: fc.integer({ min: 0, max: 1 }),
    deposit: fc.integer({ min: 0, max: DEPOSITS }),
    amount: fc.option(
      fc.oneof(fc.bigInt({ min: 1n, max: PRINCIPAL + 1n }), fc.constantFrom(400_00n, 500_00n, PRINCIPAL)),
    ),
    expected: fc.option(fc.constantFrom(PRINCIPAL, 600_00n, 500_00n), { freq: 4 }),
    key: fc.option(fc.integer({ min: 0, max: 4 })),
  }),
  { minLength: 2, maxLength: 25 },
)

describeService('a batch', (running) => {
  test('answers and writes what the same requests one at a time do', async () => {
    const started = running()
    await fc.assert(
      fc.asyncProperty(anyRequests, async (requests) => {
        const together = [await newBook(started), await newBook(started)]
        const apart = [await newBook(started), await newBook(started)]
        const sizes: number[] = []
        const batch = liquidateIn(started.db, together, {
          batchMax: 256,
          observe: (size) => sizes.push(size),
        })
        const single = liquidateIn(started.db, apart, { batchMax: 1 })

        const batched = await Promise.all(requests.map(batch))
        const serial: unknown[] = []
        for (const request of requests) serial.push(await single(request))

        const ofBooks = Map.groupBy(requests, ({ book }) => book)
        const expected = started.db.isSharded
          ? [...ofBooks.values()].map((ofBook) => ofBook.length)
          : [requests.length]
        assert.deepEqual(sizes, expected)
        for (const [index, left] of together.entries()) {
          const right = apart[index]!
          const [leftNames, rightNames] = [createNames(left.deposits), createNames(right.deposits)]
          const ofBook = (answers: readonly unknown[]) =>
            answers.filter((_, request) => requests[request]!.book === index)
          assert.deepEqual(leftNames(ofBook(batched)), rightNames(ofBook(serial)))
          assert.deepEqual(
            leftNames(await rowsOf(started.db, left.book)),
            rightNames(await rowsOf(started.db, right.book)),
          )
        }
      }),
      { numRuns: 15 },
    )
  })
})

type Prepared = { book: Book; deposits: { depositId: string; accountNumber: string }[] }

/** A book with deposits under rules that refuse some parts and charge others. */
async function newBook({ db, askWith }: TestService & { db: Database }): Promise<Prepared> {
  const { caller, keys } = await createCaller(db, { name: 'Bank', timeZone: 'UTC', currency: 'NGN', at: NOW })
  const ask = askWith(keys[0]!.key)
  await replaceRules(ask, {
    min_partial_amount: 50,
    min_remaining_principal: 100,
    penal_rules: [
      { when: { amount: { gte: 300 } }, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 30 }] },
    ],
  })
  const terms = { amount: '1000.00', start_date: '2026-03-01' }
  const deposits = [await openDeposit(ask, terms), await openDeposit(ask, terms)]
  // A third one pays to the account of the second, so that a batch credits one balance several times.
  const { accountNumber } = deposits[1]!
  await ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 1000 })
  const opening = { account_number: accountNumber, amount: 1000, tenor: 365, interest_rate: 10 }
  const third = await ask('POST', '/v2/fixed-deposits', { ...opening, start_date: '2026-03-01' })
  deposits.push({ ...deposits[1]!, depositId: third.json.data.deposit_id })
  return { book: (await findBook(db, { callerId: caller.callerId, mode: 'test' }))!, deposits }
}

function liquidateIn(
  db: Database,
  books: readonly Prepared[],
  options: { batchMax: number; observe?: (size: number) => void },
) {
  const { batchMax, observe } = options
  const engine = createEngine({
    db,
    clock: () => NOW,
    limits: { workers: 1, batchMax, queueMax: 1000 },
    ...(observe && { observeBatch: observe }),
  })
  return async ({ book: index, deposit, amount, expected, key }: Asked) => {
    const { book, deposits } = books[index]!
    const part =
      amount === null
        ? { type: 'FULL' as const, amount: expected === null ? null : (expected as Minor) }
        : { type: 'PARTIAL' as const, amount: minor(amount) }
    // The request's own words are its fingerprint, so that a repeated key sometimes replays and sometimes does not.
    const fingerprint = `${deposit} ${amount} ${expected}`
    const result = await liquidate(
      engine,
      {
        book,
        actor: OPERATOR,
        requestId: null,
        idempotency: key === null ? null : { key: `key ${key}`, fingerprint },
      },
      { depositId: deposits[deposit]?.depositId ?? 'fd_unknown', part },
      liquidated,
    )
    if (result.outcome === 'refused') return result
    return { outcome: result.outcome, ...result.answer! }
  }
}

/** All that liquidations write, in the order in which it was written. */
async function rowsOf(db: Database, { bookId }: Book): Promise<unknown> {
  const read = (statement: string) => db.query(statement, [bookId])
  return {
    deposits: await read(
      `select deposit_id, status, remaining_minor, updated_at, liquidated_at
       from deposits where book_id = $1 order by ordinal`,
    ),
    accounts: await read(
      'select account_number, balance_minor from accounts where book_id = $1 order by ordinal',
    ),
    liquidations: await read(
      `select liquidation_id, taken.deposit_id, liquidation_type, principal_minor, interest_minor, penal_minor,
              total_minor, remaining_minor, taken.account_number, currency, taken.business_date, liquidated_at
       from liquidations taken join ledger_entries entry using (book_id, liquidation_id)
       where book_id = $1 order by entry.entry_id`,
    ),
    postings: await read(
      `select entry.kind, entry.account_number, entry.deposit_id, entry.liquidation_id, entry.created_at,
              posting.line, posting.account, posting.amount_minor
       from ledger_entries entry
       join postings posting on posting.book_id = entry.book_id and posting.entry_id = entry.entry_id
       where entry.book_id = $1 order by entry.entry_id, posting.line`,
    ),
    events: await read(
      `select type, announced, subject_id, occurred_at, data
       from events where book_id = $1 and type like 'fixed_deposit.%liquidated' order by ordinal`,
    ),
    keys: await read(
      `select idempotency_key, fingerprint, status, answer, created_at
       from idempotency_keys where book_id = $1 order by idempotency_key`,
    ),
  }
}

/** Replaces random identifiers by the order in which they are met, so that two books can be compared. */
function createNames(deposits: Prepared['deposits']): (value: unknown) => unknown {
  const names = new Map<string, string>()
  for (const [index, { depositId, accountNumber }] of deposits.entries()) {
    names.set(depositId, `deposit ${index}`)
    names.set(accountNumber, `account ${index}`)
  }
  const liquidations = new Map<string, string>()
  const spelt = (text: string) =>
    text
      .replaceAll(/fd_\w{24}|\b\d{10}\b/g, (id) => names.get(id) ?? id)
      .replaceAll(/liq_\w{24}/g, (id) => {
        if (!liquidations.has(id)) liquidations.set(id, `liquidation ${liquidations.size}`)
        return liquidations.get(id)!
      })
  const text = (value: unknown) =>
    JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one))
  return (value) => JSON.parse(spelt(text(value)))
}
