/** Seals of a book: what they cover, the proof of an event, and that a change by hand is found. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { EVENTS_PER_SEAL } from '../../../src/domain/seal.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import { nextOrdinal, ordinalAt } from '../../../src/engine/database/ids.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { createChangeCount, sealPass, startSealJob } from '../../../src/features/seals/job.ts'
import { findLastSeal, statements } from '../../../src/features/seals/store.ts'
import { dropConstraints } from '../../support/breaking.ts'
import { skipOnSeveralServers } from '../../support/engines.ts'
import { createRandom } from '../../support/random.ts'
import { assertRefused } from '../../support/refusals.ts'
import {
  type Ask,
  ada,
  describeService,
  fundedAccount,
  openDeposit,
  startService,
  type TestService,
} from '../../support/service.ts'
import { findInSeals, tamper, tryByHand } from '../../support/tampering.ts'

const checker = fileURLToPath(new URL('../../../tools/check-proof.py', import.meta.url))
const hasPython = spawnSync('python3', ['--version']).status === 0

type Seal = { seal_no: number; events: number; ledger_entries: number; root: string; head: string }

const sealsOf = async (ask: Ask): Promise<Seal[]> => (await ask('GET', '/v2/seals')).json.data
const seal = ({ service }: Pick<TestService, 'service'>) => sealPass(service, { marginMs: 0 })

async function countRows(db: Database, table: string): Promise<number> {
  return (await db.query(`select 1 from ${table}`)).length
}

describeService('seals', (running) => {
  test('a pass covers every event and entry once, and an idle book is sealed no more', async () => {
    const { db, ask, ...rest } = running()
    assert.deepEqual(await sealsOf(ask), [])
    await openDeposit(ask, { amount: 1_000 })
    const [events, entries] = [await countRows(db, 'events'), await countRows(db, 'ledger_entries')]
    assert.deepEqual(await seal(rest), { seals: 1, events, hasMore: false, failed: [] })
    const [first] = await sealsOf(ask)
    assert.deepEqual([first!.seal_no, first!.events, first!.ledger_entries], [1, events, entries])
    const [event] = (await ask('GET', '/v2/events?type=book.sealed')).json.data
    assert.deepEqual(event.data, first)
    assert.deepEqual(event.actor, { kind: 'JOB', id: 'seals', name: null })
    assert.equal((await seal(rest)).seals, 0)
    // The event of the first seal is covered by the second one.
    await fundedAccount(ask, 10)
    assert.equal((await seal(rest)).seals, 1)
    const [second] = await sealsOf(ask)
    assert.deepEqual([second!.seal_no, second!.events, second!.ledger_entries], [2, 4, 1])
    assert.notEqual(second!.head, first!.head)
    const page = await ask('GET', '/v2/seals?limit=1')
    const next = await ask('GET', `/v2/seals?limit=1&cursor=${page.json.meta.next_cursor}`)
    assert.deepEqual(next.json.data, [first])
  })

  test('of instances that seal together one makes the seal, and a longer past takes several turns', async () => {
    const { db, ask, service, callerId } = running()
    const book = (await findBook(db, { callerId, mode: 'test' }))!
    await fundedAccount(ask, 10)
    const runs = await Promise.all([seal({ service }), seal({ service }), seal({ service })])
    assert.deepEqual(runs.map(({ seals }) => seals).sort(), [0, 0, 1])
    // The others do nothing: they do not fail.
    assert.deepEqual(
      runs.flatMap(({ failed }) => failed),
      [],
    )
    const before = (await sealsOf(ask)).length
    for (let customer = 0; customer < 25; customer += 1) await ask('POST', '/v2/customer', ada)
    const run = await sealPass(service, { marginMs: 0, eventsMax: 3 })
    // Eight turns of three events, the first of which is that of the seal before; the rest in the next pass.
    assert.deepEqual([run.seals, run.events, run.hasMore], [8, 24, true])
    const rest = await sealPass(service, { marginMs: 0, eventsMax: 3 })
    assert.deepEqual([(await sealsOf(ask)).length, rest.hasMore], [before + 8 + rest.seals, false])
    assert.equal(await findInSeals(db, book), null)
  })

  test('a page is sealed at a time while there are requests, and in the end all of them', async () => {
    const { ask, service } = running()
    for (let customer = 0; customer < 5; customer += 1) await ask('POST', '/v2/customer', ada)
    let asked = 0
    const unfinished = () => {
      asked += 1
      return 1
    }
    const run = await sealPass({ ...service, unfinished }, { marginMs: 0, eventsMax: 3 })
    assert.deepEqual([run.hasMore, run.failed], [false, []])
    // After the page of events and after that of entries.
    assert.equal(asked, 2 * run.seals)
  })

  test('what an open transaction has written is not passed over', async (t) => {
    const { db, ask, service, callerId } = running()
    // The embedded engine has one session, so no other transaction is open.
    if (db.url === null) return t.skip('it needs two sessions')
    const book = (await findBook(db, { callerId, mode: 'test' }))!
    const [written, ending] = [Promise.withResolvers<bigint>(), Promise.withResolvers<void>()]
    const open = db.transaction(async (tx) => {
      const ordinal = nextOrdinal()
      await tx.query(
        `insert into events (book_id, event_id, ordinal, type, announced, subject_id, occurred_at, data)
         values ($1, 'evt_late', $2, 'test_clock.moved', false, 'x', now(), '{}')`,
        [book.bookId, ordinal],
      )
      written.resolve(ordinal)
      await ending.promise
    })
    const ordinal = await written.promise
    const covered = async () => (await findLastSeal(db, book.bookId))!.to
    await fundedAccount(ask, 1)
    await seal({ service })
    assert((await covered()) < ordinal)
    ending.resolve()
    await open
    await seal({ service })
    assert((await covered()) > ordinal)
    assert.equal(await findInSeals(db, book), null)
  })

  test('every column of both tables is sealed', async () => {
    const { db } = running()
    const leaves = { events: statements.readEventLeaf, ledger_entries: statements.hashEntries }
    for (const [table, statement] of Object.entries(leaves)) {
      const columns = await db.query<{ name: string }>(
        `select column_name::text as name from information_schema.columns
         where table_schema = 'public' and table_name = $1 and column_name <> 'book_id'`,
        [table],
      )
      assert(columns.length > 10)
      for (const { name } of columns) assert.match(statement, new RegExp(`\\b${name}\\b`), table)
    }
  })

  test('an event is proven against its own seal and any later head, and by a program without ours', async (t) => {
    const { db, ask, service } = running()
    const { accountNumber } = await fundedAccount(ask, 10)
    for (let round = 0; round < 9; round += 1) {
      for (let credit = 0; credit <= round % 3; credit += 1) {
        await ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 1 })
      }
      await seal({ service })
    }
    const seals = await sealsOf(ask)
    const heads = new Map(seals.map(({ seal_no, head }) => [seal_no, head]))
    const events = (await ask('GET', '/v2/events?limit=100')).json.data
    const cases: { proof: { links: unknown[] }; head: string }[] = []
    for (const { id, type } of events.filter((_: unknown, index: number) => index % 5 === 0)) {
      const path = `/v2/events/${id}/proof`
      const own = await ask('GET', path)
      if (own.status === 409) {
        assert.equal(type, 'book.sealed')
        assertRefused(own, { status: 409, code: 'event_not_sealed' })
        continue
      }
      const { seal_no: covering, head } = own.json.data.seal
      cases.push({ proof: own.json.data, head })
      assertRefused(await ask('GET', `${path}?seal_no=${covering - 1 || 99}`), {
        status: 404,
        code: 'seal_not_found',
      })
      for (const [sealNo, later] of heads) {
        if (sealNo < covering || sealNo % 3 !== 0) continue
        const answer = await ask('GET', `${path}?seal_no=${sealNo}`)
        assert.equal(answer.json.data.head, later)
        cases.push({ proof: answer.json.data, head: later })
      }
    }
    assert(cases.length > 30)
    assert(cases.every(({ proof }) => proof.links.length <= Math.log2(seals.length) ** 2))
    assertRefused(await ask('GET', `/v2/events/evt_${'A'.repeat(24)}/proof`), {
      status: 404,
      code: 'event_not_found',
    })
    const [last] = await sealsOf(ask)
    assertRefused(await ask('GET', `/v2/events/${events.at(-1).id}/proof?seal_no=${last!.seal_no + 1}`), {
      status: 404,
      code: 'seal_not_found',
    })
    if (!hasPython) return t.diagnostic('there is no python3')
    const wrong = cases.map(({ proof }, index) => ({ proof, head: cases.at(index - 1)!.head }))
    const changed = cases.map(({ proof, head }) => ({ proof: { ...proof, leaf: '[]' }, head }))
    assert.equal(faultsOf(cases).filter((fault) => fault !== null).length, 0)
    assert.equal(faultsOf(changed).filter((fault) => fault === null).length, 0)
    const expected = wrong.filter(({ head }, index) => head !== cases[index]!.head).length
    assert.equal(faultsOf(wrong).filter((fault) => fault !== null).length, expected)
    assert.equal(await countRows(db, 'seals'), last!.seal_no)
  })

  test('the newest head is in letters, and old and new personal values are not in a proof', async () => {
    const { app, db, testKey, ask, service, clock } = running()
    const { depositId, customerId } = await openDeposit(ask, { amount: 100 })
    await ask('PUT', `/v2/customer/${customerId}`, { address: '1 Secret Lane' })
    await seal({ service })
    const [last] = await sealsOf(ask)
    const path = `/v2/fixed-deposits/${depositId}/certificate`
    const headers = { authorization: `Bearer ${testKey}`, accept: 'text/html' }
    const letter = await app.inject({ url: path, headers })
    assert(letter.body.includes(last!.head), letter.body)
    const [event] = (await ask('GET', '/v2/events?type=customer.updated')).json.data
    const proof = await ask('GET', `/v2/events/${event.id}/proof`)
    assert.equal(proof.status, 200, proof.text)
    assert(!proof.text.includes('Secret Lane'))
    // Nor can somebody who guesses them compare a hash.
    const stored = 'select changes from events where event_id = $1'
    const [row] = await db.query<{ changes: string }>(stored, [event.id])
    assert.match(row!.changes, /Secret Lane/)
    assert(!proof.text.includes(createHash('sha256').update(row!.changes).digest('hex')))
    assert.equal(clock.now.toISOString(), last && (await ask('GET', '/v2/seals')).json.data[0].sealed_at)
  })

  test('the job seals by itself, again when many changes came, and stops', async () => {
    const { ask, service } = running()
    const changes = createChangeCount()
    const before = (await sealsOf(ask)).length
    const lines: string[] = []
    const log = (_level: string, event: string) => void lines.push(event)
    await fundedAccount(ask, 1)
    const job = startSealJob({ engine: service, log, changes, everyMs: 3_600_000, marginMs: 0 })
    await until(async () => (await sealsOf(ask)).length === before + 1)
    await fundedAccount(ask, 1)
    await until(async () => {
      changes.add(EVENTS_PER_SEAL - 1)
      return (await sealsOf(ask)).length === before + 2
    })
    await job.stop()
    changes.add(EVENTS_PER_SEAL)
    assert(lines.every((event) => event === 'books_sealed'))
  })

  test('a single change, a missing row and an added row are found, whatever they are', async (t) => {
    const { db, callerId, ask, service } = running()
    if (skipOnSeveralServers(db.url === null ? PGLITE : POSTGRES)) return t.skip('it needs one server')
    const book = (await findBook(db, { callerId, mode: 'test' }))!
    const { depositId } = await openDeposit(ask, { amount: 500 })
    await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, { liquidation_type: 'FULL' })
    await seal({ service })
    assert.equal(await findInSeals(db, book), null)
    await db.transaction(async (tx) => {
      await dropConstraints(tx)
    })
    const random = createRandom(20)
    for (let change = 0; change < 40; change += 1) {
      const { statement, failed } = await tamper(db, book, random)
      assert.notEqual(failed, null, statement)
    }
    // Rows after all that were sealed move none of them.
    for (const statement of [addedEvent, addedEntry, movedText].map((write) => write(book.bookId))) {
      assert.notEqual((await tryByHand(db, book, statement)).failed, null, statement)
    }
  })
})

describeService('seals of several books', (running) => {
  test('the last minute is not sealed, because the clock of an instance may be behind', async () => {
    const { db } = running()
    const { ask, service, callerId, close } = await startService(db)
    const book = (await findBook(db, { callerId, mode: 'test' }))!
    await fundedAccount(ask, 1)
    await sealPass(service)
    const { to = 0n } = (await findLastSeal(db, book.bookId)) ?? {}
    assert(to <= ordinalAt(new Date(Date.now() - 60_000)))
    await close()
  })

  test('a book that cannot be sealed delays no other', async () => {
    const { db, ask, service, callerId } = running()
    const book = (await findBook(db, { callerId, mode: 'test' }))!
    const { ask: other, close } = await startService(db)
    await fundedAccount(ask, 1)
    await fundedAccount(other, 1)
    const stuck = new Error('stuck')
    const perform: typeof service.perform = async (change, origin, ...rest) => {
      if (origin.book.bookId === book.bookId) throw stuck
      return service.perform(change, origin, ...rest)
    }
    const before = await sealsOf(ask)
    const { failed } = await sealPass({ ...service, perform }, { marginMs: 0 })
    assert.deepEqual(failed, [{ bookId: book.bookId, error: stuck }])
    assert.deepEqual([await sealsOf(ask), (await sealsOf(other)).length], [before, 1])
    await close()
  })
})

const PGLITE = { name: 'PGlite', skip: false } as Parameters<typeof skipOnSeveralServers>[0]
const POSTGRES = { name: 'PostgreSQL', skip: false } as Parameters<typeof skipOnSeveralServers>[0]

function addedEvent(bookId: string): string {
  return `
    insert into events (book_id, event_id, ordinal, type, announced, subject_id, occurred_at, data)
    select book_id, 'evt_added', to_ordinal, 'account.credited', false, 'x', sealed_at, '{}'
    from seals
    where book_id = '${bookId}'
    order by seal_no desc
    limit 1`
}

function addedEntry(bookId: string): string {
  return `
    insert into ledger_entries (book_id, entry_id, kind, account_number, created_at, accounts, amounts_minor)
    select book_id, entry_id || '0', kind, account_number, created_at, accounts, amounts_minor
    from ledger_entries
    where book_id = '${bookId}'
    order by entry_id desc
    limit 1`
}

/** The same characters in the same order, in other columns. */
function movedText(bookId: string): string {
  return `
    update events
    set request_id = request_id || ':' || split_part(data, ':', 1), data = substr(data, strpos(data, ':') + 1)
    where book_id = '${bookId}'
      and type = 'fixed_deposit.liquidated'`
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries += 1) {
    assert(tries < 500, 'it holds in the end')
    await sleep(5)
  }
}

/** One process for all of them. */
function faultsOf(cases: readonly object[]): (string | null)[] {
  const program = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("check_proof", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
print(json.dumps([module.fault_of(one["proof"], one["head"]) for one in json.load(sys.stdin)]))`
  const options = { input: JSON.stringify(cases), encoding: 'utf8', maxBuffer: 2 ** 26 } as const
  const run = spawnSync('python3', ['-B', '-c', program, checker], options)
  assert.equal(run.status, 0, run.stderr)
  return JSON.parse(run.stdout)
}
