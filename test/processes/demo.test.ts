import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createService, createSignInOver, type Service } from '../../src/cli/compose.ts'
import { demoAtStart, demoPath, prepareDemo } from '../../src/cli/demo.ts'
import { DEMO_LIMIT, type Demo } from '../../src/cli/demo-bank.ts'
import { DEMO_PRODUCTS } from '../../src/cli/demo-products.ts'
import { greeting } from '../../src/cli/welcome.ts'
import type { Database } from '../../src/engine/database/database.ts'
import { hashSecret } from '../../src/engine/database/secrets.ts'
import { findByHash } from '../../src/features/api-keys/store.ts'
import { listWaiting } from '../../src/features/approval-requests/store.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { findBook, listCallers } from '../../src/features/callers/store.ts'
import { findDeposit, listDeposits } from '../../src/features/deposits/store.ts'
import { forEachEngine } from '../support/engines.ts'

const at = new Date('2026-07-01T10:00:00.000Z')

async function withService(
  db: Database,
  work: (service: Service, directory: string) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'breakwater-test-'))
  const limits = { workers: 2, batchMax: 256, queueMax: 100 }
  try {
    let seconds = 0
    const clock = () => new Date(at.getTime() + 1000 * seconds++)
    await work(createService({ db, clock, limits }), directory)
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** The customers of its ninety days and its own; the lives of deposits follow from one seed. */
const MADE = { callers: 1, customers: 252, accounts: 252, deposits: 394 + DEMO_PRODUCTS.length }

async function keptIn(directory: string): Promise<Demo> {
  return JSON.parse(await readFile(demoPath(directory), 'utf8'))
}

forEachEngine(({ test }) => {
  test('the demo bank is made once, however often it is requested', (db) =>
    withService(db, async (service, directory) => {
      const found = await demoAtStart(service, directory)
      const { demo } = found!
      assert.deepEqual(found, { demo, isUsedUp: false })
      assert.deepEqual(await demoAtStart(service, directory), found)
      assert.deepEqual(await prepareDemo(service, directory), demo)
      assert.deepEqual(await keptIn(directory), demo)
      assert.deepEqual(await countRows(db), MADE)
    }))

  test('the demo bank has ninety days behind it, with something of every kind', (db) =>
    withService(db, async (service, directory) => {
      const demo = await prepareDemo(service, directory)
      const book = (await findBook(db, { callerId: demo.caller_id, mode: 'test' }))!
      const some = async (table: string, condition: string) => {
        const text = `select 1 from ${table} where book_id = $1 and ${condition} limit 1`
        assert.equal((await db.query(text, [book.bookId])).length, 1, condition)
      }
      for (const method of ['AT_MATURITY', 'COMPOUND', 'PAYOUT', 'UPFRONT']) {
        await some('deposits', `method = '${method}' and status = 'ACTIVE'`)
      }
      for (const status of ['LIQUIDATED', 'MATURED', 'ROLLED_OVER'])
        await some('deposits', `status = '${status}'`)
      for (const kind of [
        'waived_minor > 0',
        'tax_minor > 0',
        'reversed_at is not null',
        `liquidation_type = 'PARTIAL'`,
      ]) {
        await some('liquidations', kind)
      }
      for (const status of ['APPROVED', 'REJECTED', 'PENDING'])
        await some('approvals', `status = '${status}'`)
      await some('liquidations', `business_date < date '2026-06-10'`)
      await some('interest_payments', 'true')
      for (const status of ['ACTIVE', 'RELEASED']) await some('liens', `status = '${status}'`)
      for (const outcome of [
        `status = 'DELIVERED' and attempts = 1`,
        `status = 'DELIVERED' and attempts = 3`,
        `status = 'FAILED' and attempts = 10 and last_status_code = 422`,
      ]) {
        await some('webhook_deliveries', outcome)
      }
      // Nobody is sent anything, and nothing waits.
      await some('webhook_endpoints', `status = 'DISABLED'`)
      const waiting = `select 1 from webhook_deliveries where book_id = $1 and status = 'PENDING'`
      assert.deepEqual(await db.query(waiting, [book.bookId]), [])
    }))

  test('a request of the clerk waits for the supervisor, for a deposit above the limit', (db) =>
    withService(db, async (service, directory) => {
      const demo = await prepareDemo(service, directory)
      const book = (await findBook(db, { callerId: demo.caller_id, mode: 'test' }))!
      const [waiting, ...others] = await listWaiting(db, book.bookId, { at, limit: 10 })
      assert.deepEqual(others, [])
      assert.equal(waiting?.operation, 'liquidateFixedDeposit')
      assert.equal(waiting.requestedBy.name, demo.people.find(({ role }) => role === 'CLERK')!.name)
      const deposit = await findDeposit(db, book.bookId, waiting.targetId!)
      assert(deposit!.remaining >= DEMO_LIMIT)
      assert(![demo.partial_deposit_id, demo.full_deposit_id].includes(deposit!.depositId))
      const { items } = await listDeposits(db, book.bookId, {}, { limit: 100, before: null })
      assert.equal(items.filter(({ remaining }) => remaining >= DEMO_LIMIT).length, 2)
    }))

  test('a lost, damaged or revoked key is replaced, and the bank stays as it was', (db) =>
    withService(db, async (service, directory) => {
      const demo = await prepareDemo(service, directory)
      const counted = await countRows(db)
      const spoil = [
        () => rm(demoPath(directory)),
        () => writeFile(demoPath(directory), '{"test_key":'),
        () => writeFile(demoPath(directory), '{"test_key":"bw_test_x"}'),
        async () => {
          const { test_key } = await keptIn(directory)
          await db.query('update api_keys set revoked_at = $1 where key_hash = $2', [
            at,
            hashSecret(test_key),
          ])
        },
      ]
      const keys = new Set([demo.test_key])
      for (const spoiled of spoil) {
        await spoiled()
        const found = await prepareDemo(service, directory)
        assert.deepEqual(withoutSecrets(found), withoutSecrets(demo))
        assert.equal((await findByHash(db, hashSecret(found.test_key)))?.key.revokedAt, null)
        keys.add(found.test_key)
      }
      assert.equal(keys.size, 1 + spoil.length)
      assert.deepEqual(await countRows(db), counted)
    }))

  test('one person of each role works in the test book, with passwords of their own in each bank', (db) =>
    withService(db, async (service, directory) => {
      const first = await prepareDemo(service, directory)
      const kept = await readFile(demoPath(directory), 'utf8')
      const second = await prepareDemo(service, directory, { reset: true })
      await rm(demoPath(directory))
      const repaired = await prepareDemo(service, directory)
      assert.deepEqual(
        first.people.map(({ role, email }) => [role, email]),
        [
          ['CLERK', 'clerk@example.com'],
          ['SUPERVISOR', 'supervisor@example.com'],
          ['ADMINISTRATOR', 'administrator@example.com'],
          ['VIEWER', 'viewer@example.com'],
        ],
      )
      const { signIn, findSession } = createSignInOver(service, { triesPerAddressPerMinute: 0 })
      const browser = { address: null, userAgent: null, devices: [] }
      for (const { caller_id, people } of [first, repaired]) {
        for (const { email, password, name, role } of people) {
          const entered = await signIn({ email, password, browser })
          assert(entered.outcome === 'signed_in', email)
          const { person, books } = (await findSession(entered.secret))!
          assert.deepEqual([person.name, person.role, person.callerId], [name, role, caller_id])
          assert.deepEqual(
            books.map(({ mode }) => mode),
            ['test'],
          )
        }
      }
      const passwords = [first, second, repaired].flatMap(({ people }) =>
        people.map(({ password }) => password),
      )
      assert.equal(new Set(passwords).size, 12)

      const { people: _, ...withoutPeople } = JSON.parse(kept)
      await writeFile(demoPath(directory), JSON.stringify(withoutPeople))
      const completed = await prepareDemo(service, directory)
      assert.deepEqual(withoutSecrets(completed), withoutSecrets(first))
    }))

  test('a deposit that can no longer be broken is replaced by one that can', (db) =>
    withService(db, async (service, directory) => {
      const first = await prepareDemo(service, directory)
      const change = (set: string, depositId: string) =>
        db.query(`update deposits set ${set} where deposit_id = $1`, [depositId])
      await change(`status = 'LIQUIDATED', remaining_minor = 0, liquidated_at = now()`, first.full_deposit_id)
      const second = await prepareDemo(service, directory)
      assert.notEqual(second.full_deposit_id, first.full_deposit_id)
      assert.deepEqual({ ...second, full_deposit_id: first.full_deposit_id }, first)

      // What is left is too little for the part and the minimum that has to remain.
      await change('remaining_minor = 10999999', first.partial_deposit_id)
      const third = await prepareDemo(service, directory)
      assert.notEqual(third.partial_deposit_id, first.partial_deposit_id)
      assert.deepEqual(await keptIn(directory), third)
      const [row] = await db.query<{ remaining_minor: bigint }>(
        'select remaining_minor from deposits where deposit_id = $1',
        [third.partial_deposit_id],
      )
      assert(row!.remaining_minor >= 110_000_00n)
    }))

  test('a demo bank in which nothing can be broken stays and says so, until it is reset', (db) =>
    withService(db, async (service, directory) => {
      const first = await prepareDemo(service, directory)
      await db.query(`update books set clock_offset_ms = $1 where mode = 'test'`, [10 * 365 * 86_400_000])
      const found = await demoAtStart(service, directory)
      assert.deepEqual(found, { demo: first, isUsedUp: true })
      await assert.rejects(prepareDemo(service, directory), /run breakwater demo --reset/)
      const shown = greeting({ url: 'http://127.0.0.1:8080', consoleAt: 'http://localhost:8080', found })
      assert.match(shown, /run breakwater demo --reset/)
      assert.doesNotMatch(shown, /curl|bw_test_/)
      assert.equal((await countRows(db)).callers, 1)

      const second = await prepareDemo(service, directory, { reset: true })
      assert.deepEqual(await keptIn(directory), second)
      assert.notEqual(second.test_key, first.test_key)
      // Without its file the newest bank is found again.
      await rm(demoPath(directory))
      const repaired = await prepareDemo(service, directory)
      assert.deepEqual(withoutSecrets(repaired), withoutSecrets(second))
      assert.equal((await countRows(db)).callers, 2)
    }))

  test('a demo bank that was cut short is completed', (db) =>
    withService(db, async (service, directory) => {
      let steps = 0
      const submit: Service['submit'] = async (...step) => {
        steps += 1
        if (steps > 9) throw new Error('The power is gone.')
        return service.submit(...step)
      }
      await assert.rejects(demoAtStart({ ...service, submit }, directory), /The power is gone/)
      const demo = await demoAtStart(service, directory)
      assert.notEqual(demo, null)
      assert.deepEqual(await countRows(db), MADE)
    }))

  test('a database with other callers gets a demo bank only when it is requested', (db) =>
    withService(db, async (service, directory) => {
      await createCaller(db, { name: 'Harbour Bank', timeZone: 'UTC', currency: 'NGN', at })
      assert.equal(await demoAtStart(service, directory), null)
      const demo = await prepareDemo(service, directory)
      assert.deepEqual(await demoAtStart(service, directory), { demo, isUsedUp: false })
      assert.deepEqual((await listCallers(db)).map(({ name }) => name).sort(), ['Demo Bank', 'Harbour Bank'])
    }))
})

function withoutSecrets({ test_key: _, people, ...demo }: Demo) {
  return { ...demo, people: people.map(({ password: _password, ...person }) => person) }
}

async function countRows(db: Database): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of ['callers', 'customers', 'accounts', 'deposits']) {
    const [row] = await db.query<{ count: bigint }>(`select count(*) as count from ${table}`)
    counts[table] = Number(row!.count)
  }
  return counts
}
