/**
 * The server's own failures, raised by the server itself at each statement of each operation, and at the COMMIT of each
 * change. None of them is a 500: the request is done, by another attempt, or rejected with a 503 that may be retried, and
 * then nothing was changed.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database, Queries, Transaction } from '../../src/engine/database/database.ts'
import { routes } from '../../src/http/routes.ts'
import type { Route } from '../../src/route/route.ts'
import { type Bank, type Book, startBank } from '../hostile/support/bank.ts'
import { askRoute, type Ids, populate } from '../hostile/support/every-route.ts'
import { audit } from '../support/auditor.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import type { Answer } from '../support/service.ts'
import { all, full } from './support/counts.ts'

/** By class; each statement sees one of each class, another one than its neighbours. */
const CLASSES = [
  ['08000', '08001', '08003', '08004', '08006', '08007', '08P01'],
  ['26000'],
  ['40000', '40001', '40002', '40003', '40P01'],
  ['53000', '53100', '53200', '53300', '53400'],
  ['55000', '55006', '55P02', '55P03', '55P04'],
  ['57000', '57014', '57P01', '57P02', '57P03', '57P04', '57P05'],
  ['58000', '58030', '58P01', '58P02'],
  ['XX000', 'XX001', 'XX002'],
]
const RETRIED = ['26000', '40001', '40P01']

for (const engine of engines) {
  describe(`${engine.name}: failures of the server`, { skip: engine.skip }, () => {
    let db: TestDatabase
    let injector: ReturnType<typeof createInjector>
    let bank: Bank
    /** Absent after a change: the next request is about a book of its own. */
    let subject: Subject | null = null
    let strikes = 0
    let commits = 0
    before(async () => {
      db = await engine.open()
      await db.script(CREATE_FAILURE)
      injector = createInjector(db)
      bank = await startBank(injector.db)
    })
    after(async () => {
      await bank?.app.close()
      await db?.close()
    })

    for (const [place, route] of routes.entries()) {
      test(`${route.method} ${route.path} is never a 500`, async () => {
        for (let at = 1; ; at += 1) {
          for (const state of statesAt(place + at)) {
            if (!(await failAt(route, { state, at }))) return
            strikes += 1
          }
        }
      })
    }

    for (const [place, route] of routes.entries()) {
      if (route.method === 'GET') continue
      test(`${route.method} ${route.path} is never a 500 at its COMMIT`, async () => {
        for (const state of statesAt(place)) if (await failAt(route, { state, at: 'COMMIT' })) commits += 1
      })
    }

    test('a conflict that does not pass is a 503 in the end', async () => {
      const route = routes.find(({ operationId }) => operationId === 'requestApproval')!
      for (const state of RETRIED) {
        for (let at = 1; await failAt(route, { state, at, lasts: true }); at += 1);
      }
    })

    test('statements of all kinds were struck, and commits', () => {
      assert(strikes > 3 * routes.length, `${strikes}`)
      assert(commits > routes.length / 3, `${commits}`)
    })

    test('the books are in order afterwards', () => audit(db))

    /** Returns whether the request came to that statement. */
    async function failAt(route: Route, failure: Failure): Promise<boolean> {
      subject ??= await newSubject(bank)
      const { ids, own, decider } = subject
      const key = isDecision(route) ? decider : own.key
      const before = await countEvents(db)
      injector.arm(failure)
      const answer = await askRoute(bank.askWith(key), route, ids, queryOf(route))
      const struck = injector.disarm()
      assertOutcome(answer, route, failure)
      if (answer.status < 300 && route.method !== 'GET') subject = null
      else if (!movesClock(route)) assert.equal(await countEvents(db), before, 'nothing was changed')
      // A key is read again, and its use noted, beside the request, which does not wait for that.
      const isOwn = struck !== null && !/\bapi_keys\b/.test(struck)
      if (failure.lasts && isOwn) assert.equal(answer.status, 503, `${struck}: ${answer.text}`)
      return struck !== null
    }
  })
}

type Subject = { own: Book; ids: Ids; decider: string }

async function newSubject(bank: Bank): Promise<Subject> {
  const { test: own } = await bank.newCaller('Own Bank')
  return { own, ids: await populate(own, 1), decider: (await own.issue(['approvals:decide'])).key }
}

/** The requester of an approval cannot decide it. */
function isDecision({ operationId }: Route): boolean {
  return operationId === 'approveApproval' || operationId === 'rejectApproval'
}

/** It is moved first, and then what became due is settled, in further transactions; a retry continues there. */
function movesClock({ operationId }: Route): boolean {
  return operationId === 'moveTestClock'
}

function queryOf({ query }: Route): Record<string, string> {
  const { required = [] } = (query ?? {}) as { required?: string[] }
  return Object.fromEntries(required.map((name) => [name, '2026-06-30']))
}

function assertOutcome(answer: Answer, route: Route, { state, at }: Failure): void {
  // No seal covers an event that has just happened.
  const isUnsealed = answer.json?.error?.code === 'event_not_sealed'
  if (answer.status === route.success.status || isUnsealed) return
  assert.equal(answer.status, 503, `${state} at ${at}: ${answer.text}`)
  assert.equal(answer.json.error.retryable, true)
  assert.equal(answer.headers['retry-after'], '1')
}

/** One state of each class in a night; else of every third class, other ones at the next place; in short one. */
function statesAt(place: number): string[] {
  const states = CLASSES.map((states) => states[place % states.length]!)
  if (all) return states
  return full ? states.filter((_, index) => (index + place) % 3 === 0) : [states[place % states.length]!]
}

async function countEvents(db: Queries): Promise<number> {
  const [row] = await db.query<{ count: number }>('select count(*)::int4 as count from events')
  return row!.count
}

/** lasts: every later execution of that statement fails, too. */
type Failure = { state: string; at: number | 'COMMIT'; lasts?: boolean }

const CREATE_FAILURE = `
  create function fail_with(state text) returns void language plpgsql as $$
  begin
    raise exception 'injected' using errcode = state;
  end $$;

  create table failures (state text);

  create function fail_at_commit() returns trigger language plpgsql as $$
  begin
    perform fail_with(new.state);
    return null;
  end $$;

  create constraint trigger fail_at_commit
  after insert on failures deferrable initially deferred
  for each row execute function fail_at_commit()`

function createInjector(db: Database): {
  db: Database
  arm: (failure: Failure) => void
  /** Returns the statement that failed. */
  disarm: () => string | null
} {
  let armed: Failure | null = null
  let count = 0
  let struck: string | null = null

  const isStruck = (text: string): boolean => {
    if (armed === null) return false
    count += 1
    if (count === armed.at) struck = text
    return count === armed.at || (armed.lasts === true && text === struck)
  }
  const failing = (queries: Queries): Queries['query'] => {
    return (text, values) =>
      isStruck(text) ? queries.query(RAISE, [armed!.state]) : queries.query(text, values)
  }
  return {
    db: {
      ...db,
      query: failing(db),
      transaction: (work) =>
        db.transaction(async (tx) => {
          let isChange = false
          const write: Transaction['write'] = (given, values) => {
            const text = typeof given === 'string' ? given : given.statement.ofBook
            isChange ||= text.includes('insert into events')
            if (isStruck(text)) tx.write(RAISE, [armed!.state])
            else tx.write(given, values)
          }
          const result = await work({ ...tx, query: failing(tx), write })
          if (isChange && armed?.at === 'COMMIT' && struck === null) {
            struck = 'commit'
            tx.write(RAISE_AT_COMMIT, [armed.state])
          }
          return result
        }),
    },
    arm(failure) {
      ;[armed, count, struck] = [failure, 0, null]
    },
    disarm() {
      armed = null
      return struck
    },
  }
}

const RAISE = 'select fail_with($1)'
const RAISE_AT_COMMIT = 'insert into failures (state) values ($1)'
