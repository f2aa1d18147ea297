/** Requests of several books in one transaction: each book gets its own rows, and keeps its faults and waits to itself. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { OPERATOR } from '../../../src/domain/actor.ts'
import type { Book } from '../../../src/domain/book.ts'
import { type Change, made, nothing } from '../../../src/engine/change/change.ts'
import { createEngine } from '../../../src/engine/change/engine.ts'
import { gatherWrites } from '../../../src/engine/change/gathered-writes.ts'
import { record } from '../../../src/engine/change/recording.ts'
import { type Database, DatabaseError, type Transaction } from '../../../src/engine/database/database.ts'
import { newId } from '../../../src/engine/database/ids.ts'
import { openPostgres } from '../../../src/engine/database/postgres.ts'
import { statementOverRows } from '../../../src/engine/database/rows.ts'
import { createCaller } from '../../../src/features/callers/changes.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { engines, forEachEngine, skipOnSeveralServers } from '../../support/engines.ts'
import { type Ask, ada, describeService, openDeposit, startService } from '../../support/service.ts'

const AT = new Date('2026-07-01T10:00:00.000Z')

/** Notes a word; for `bad` the database fails. */
const note: Change<string, void, void, string> = {
  lock: nothing,
  read: nothing,
  decider: () => (word) => made(word),
  write(tx, bookId, words, recording) {
    if (words.includes('bad')) tx.write('select 1 / 0')
    record(tx, bookId, recording)
  },
  events: (word) => [{ type: 'noted', announced: true, subjectId: word, data: '{}', changes: null }],
}

async function bookOfNewBank(db: Database): Promise<Book> {
  const terms = { name: 'Bank', timeZone: 'UTC', currency: 'NGN', at: AT }
  const { caller } = await createCaller(db, terms)
  return (await findBook(db, { callerId: caller.callerId, mode: 'live' }))!
}

function noteIn(db: Database, sizes: number[] = [], change = note) {
  const limits = { workers: 1, batchMax: 10, queueMax: 100 }
  const engine = createEngine({ db, clock: () => AT, limits, observeBatch: (size) => sizes.push(size) })
  return (book: Book, word: string) => {
    const origin = { book, actor: OPERATOR, requestId: null, idempotency: { key: word, fingerprint: word } }
    return engine.submit(change, origin, word, (noted) => ({ status: 200, body: `"${noted}"` }))
  }
}

async function notedIn(db: Database, { bookId }: Book): Promise<string[]> {
  const rows = await db.query<{ subject_id: string }>(
    `select subject_id from events where book_id = $1 and type = 'noted' order by ordinal`,
    [bookId],
  )
  return rows.map((row) => row.subject_id)
}

forEachEngine(({ test }) => {
  test('a live book whose business date is in doubt keeps its doubt to itself', async (db) => {
    const books = [await bookOfNewBank(db), await bookOfNewBank(db), await bookOfNewBank(db)] as const
    const [, doubted] = books
    await db.query(`update books set latest_business_date = '2026-06-01' where book_id = $1`, [
      doubted.bookId,
    ])
    const submit = noteIn(db)
    const results = await Promise.allSettled(books.map((book, index) => submit(book, `word ${index}`)))
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(await Promise.all(books.map((book) => notedIn(db, book))), [['word 0'], [], ['word 2']])
  })

  test('each book gets its own events, answers and deliveries', async (db) => {
    const books = [await bookOfNewBank(db), await bookOfNewBank(db), await bookOfNewBank(db)] as const
    const [one, two, three] = books
    for (const { bookId } of [one, three]) {
      await db.query(
        `insert into webhook_endpoints (
           book_id, webhook_endpoint_id, ordinal, url, event_types, status, secret, created_at)
         values ($1, 'we_' || $1, 1, 'https://example.com', '{noted}', 'ENABLED', 'whsec_', $2)`,
        [bookId, AT],
      )
    }
    const sizes: number[] = []
    const submit = noteIn(db, sizes)
    // The same key in two books is two keys.
    const asked = [
      [one, 'a'],
      [two, 'a'],
      [three, 'c'],
      [one, 'd'],
      [two, 'a'],
    ] as const
    const results = await Promise.all(asked.map(([book, word]) => submit(book, word)))
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['done', 'done', 'done', 'done', 'replayed'],
    )
    assert.deepEqual(sizes, [5])
    assert.deepEqual(await Promise.all(books.map((book) => notedIn(db, book))), [['a', 'd'], ['a'], ['c']])
    const delivered = await db.query<{ webhook_endpoint_id: string; subject_id: string }>(
      `select webhook_endpoint_id, subject_id
       from webhook_deliveries join events using (book_id, event_id)
       order by subject_id`,
    )
    assert.deepEqual(
      delivered.map((row) => [row.webhook_endpoint_id, row.subject_id]),
      [
        [`we_${one.bookId}`, 'a'],
        [`we_${three.bookId}`, 'c'],
        [`we_${one.bookId}`, 'd'],
      ],
    )
  })

  test('books are locked in order of their ids, whichever was asked for first', async (db) => {
    const books = [await bookOfNewBank(db), await bookOfNewBank(db)]
    const ids = books.map(({ bookId }) => bookId).sort()
    for (const order of [books, books.toReversed()]) {
      const locked: string[] = []
      const watched: Change<string, void, void, string> = {
        ...note,
        lock: async (tx, bookId) => {
          locked.push(bookId)
          await tx.query('select 1')
        },
      }
      const submit = noteIn(db, [], watched)
      await Promise.all(order.map((book) => submit(book, newId('req'))))
      assert.deepEqual(locked, ids)
    }
  })

  test('on a sharded database each book has its own transaction', async (db) => {
    const books = [await bookOfNewBank(db), await bookOfNewBank(db)]
    const sizes: number[] = []
    const submit = noteIn({ ...db, isSharded: true }, sizes)
    await Promise.all(books.map((book) => submit(book, 'a')))
    assert.deepEqual(sizes, [1, 1])
  })

  test('a request that the database rejects fails alone, and not its neighbours of any book', async (db) => {
    const [one, two] = [await bookOfNewBank(db), await bookOfNewBank(db)]
    const sizes: number[] = []
    const submit = noteIn(db, sizes)
    const asked = [
      [one, 'a'],
      [two, 'b'],
      [two, 'bad'],
    ] as const
    const results = await Promise.allSettled(asked.map(([book, word]) => submit(book, word)))
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected'],
    )
    assert.deepEqual(sizes.sort(), [1, 1, 1, 2, 3])
    assert.deepEqual([await notedIn(db, one), await notedIn(db, two)], [['a'], ['b']])
  })

  test('a commit of several books that was not confirmed happens once, whether it had happened or not', async (db) => {
    const [one, two] = [await bookOfNewBank(db), await bookOfNewBank(db)]
    for (const happens of [true, false]) {
      let isLost = false
      const transaction = async <Result>(work: (tx: Transaction) => Promise<Result>) => {
        if (isLost) return db.transaction(work)
        isLost = true
        const lost = new DatabaseError('connection lost', { sqlState: null, outcomeUnknown: true })
        await db.transaction(async (tx) => {
          await work(tx)
          if (!happens) throw lost
        })
        throw lost
      }
      const submit = noteIn({ ...db, transaction })
      const word = `committed: ${happens}`
      const results = await Promise.all([one, two].map((book) => submit(book, word)))
      assert.deepEqual(
        results.map(({ outcome }) => outcome),
        ['done', 'done'],
      )
    }
    for (const book of [one, two])
      assert.deepEqual(await notedIn(db, book), ['committed: true', 'committed: false'])
  })
}, skipOnSeveralServers)

describeService(
  'two books in one transaction',
  (running) => {
    test('every change that is batched writes to the book of its request', async () => {
      const { db } = running()
      let transactions = 0
      const { askWith, testKey, liveKey, close } = await startService({
        ...db,
        transaction: (work) => {
          transactions += 1
          return db.transaction(work)
        },
      })
      const both = [askWith(testKey), askWith(liveKey)] as const
      /** The same request in both books, at the same time. */
      const ask = async (
        method: 'POST' | 'PUT',
        paths: readonly string[],
        body: (book: number) => object,
      ) => {
        // Their keys are known from here on, so that what is asked together arrives together.
        for (const one of both) await one('GET', '/v2/customer')
        transactions = 0
        const answers = await Promise.all(both.map((one, book) => one(method, paths[book]!, body(book))))
        for (const answer of answers) assert(answer.status < 300, answer.text)
        assert.equal(transactions, 1)
        return answers.map(({ json }) => json.data)
      }
      const everywhere = (path: string) => [path, path]
      const names = ['Ada', 'Bola']
      const customers = await ask('POST', everywhere('/v2/customer'), (book) => ({
        ...ada,
        first_name: names[book],
      }))
      const pathsOf = customers.map(({ customer_id }) => `/v2/customer/${customer_id}`)
      await ask('PUT', pathsOf, (book) => ({ email: `${names[book]}@example.com` }))
      const accounts = await ask('POST', everywhere('/v2/accounts'), (book) => ({
        customer_id: customers[book].customer_id,
      }))
      await ask(
        'POST',
        accounts.map(({ account_number }) => `/v2/accounts/${account_number}/credits`),
        (book) => ({ amount: 1000 * (book + 1) }),
      )
      const deposits = await ask('POST', everywhere('/v2/fixed-deposits'), (book) => ({
        account_number: accounts[book].account_number,
        amount: 500 * (book + 1),
        tenor: 90,
        interest_rate: 10,
      }))
      const under = (path: string) =>
        deposits.map(({ deposit_id }) => `/v2/fixed-deposits/${deposit_id}${path}`)
      await ask('POST', under('/liens'), (book) => ({ amount: 100 * (book + 1), reason: 'LOAN' }))
      await ask('POST', under('/liquidate'), (book) => ({
        liquidation_type: 'PARTIAL',
        amount: 200 * (book + 1),
      }))
      for (const [book, one] of both.entries()) {
        const read = async (path: string) => (await one('GET', path)).json.data
        assert.equal((await read(pathsOf[book]!)).email, `${names[book]}@example.com`)
        assert.equal((await read(pathsOf[book]!)).first_name, names[book])
        const deposit = await read(under('')[book]!)
        assert.equal(deposit.remaining_principal, 300 * (book + 1))
        const { balance } = await read(`/v2/accounts/${accounts[book].account_number}`)
        assert.equal(balance, 700 * (book + 1))
        assert.equal((await one('GET', pathsOf[1 - book]!)).status, 404)
      }
      await close()
    })
  },
  { skipOf: skipOnSeveralServers },
)

const postgres = engines.find((engine) => engine.name === 'PostgreSQL')!

describe('PostgreSQL: a row that is locked for long', { skip: skipOnSeveralServers(postgres) }, () => {
  test('holds up the requests of its own book alone', async () => {
    const db = await postgres.open()
    const waitMs = 60_000
    const timeouts = { lockTimeoutMs: waitMs, statementTimeoutMs: waitMs, queryTimeoutMs: waitMs }
    const patient = await openPostgres({
      url: db.url!,
      connectionsMax: 4,
      durabilityChecked: false,
      ...timeouts,
    })
    const { askWith, testKey, liveKey, close } = await startService(patient)
    const [ours, theirs] = [askWith(testKey), askWith(liveKey)]
    const blocked = await openDeposit(ours, { amount: 100 })
    const free = [await openDeposit(theirs, { amount: 100 }), await openDeposit(theirs, { amount: 100 })]
    const holder = new pg.Client({ connectionString: db.url! })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select 1 from deposits where deposit_id = $1 for update', [blocked.depositId])
    const liquidate = async (ask: Ask, { depositId }: { depositId: string }) => {
      const { status } = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, {
        liquidation_type: 'FULL',
      })
      return status
    }
    const waiting = liquidate(ours, blocked)
    const deadline = sleep(waitMs / 4, 'still waiting', { ref: false })
    try {
      // The first shares its batch with the request that waits, the second comes while that one is run alone.
      for (const deposit of free) {
        assert.equal(await Promise.race([liquidate(theirs, deposit), deadline]), 200)
      }
      assert.equal(await Promise.race([waiting, Promise.resolve('still waiting')]), 'still waiting')
    } finally {
      // Whatever was seen, the lock ends, and with it all that waits for it.
      await holder.end()
      await waiting
      await close()
      await patient.close()
      await db.close()
    }
    assert.equal(await waiting, 200)
  })
})

test('writes of one statement are sent as one, and each book keeps the order of its own', () => {
  const rows = { item: { word: ['text', (word: string) => word] } } as const
  const first = statementOverRows(rows, (from, book) => `select 1, ${book.item} from ${from.item}`)
  const second = statementOverRows(rows, (from, book) => `select 2, ${book.item} from ${from.item}`)
  const sent: string[] = []
  const tx: Transaction = {
    query: async () => [],
    written: async () => {},
    write: (given) => {
      if (typeof given === 'string') sent.push(given)
      else {
        const books = given.books.map(({ bookId, items }) => `${bookId} ${items.item!.join('')}`)
        sent.push([given.statement.ofBook.slice(0, 8), ...books].join(' '))
      }
    },
  }
  const { ofNextBook, send } = gatherWrites(tx)
  for (const [index, statements] of [
    [first, second],
    [second, first],
    [second, first, first, first],
  ].entries()) {
    const book = ofNextBook()
    if (index < 2) book.write('plain', undefined)
    for (const statement of statements) book.write(statement.of(`book_${index}`, { item: ['a', 'b'] }))
  }
  assert.deepEqual(sent, [])
  send()
  assert.deepEqual(sent, [
    'plain',
    'select 1 book_0 ab',
    'select 2 book_0 ab book_2 ab',
    'plain',
    'select 2 book_1 ab',
    'select 1 book_1 ab book_2 ab',
    'select 1 book_2 ab',
    'select 1 book_2 ab',
  ])
})
