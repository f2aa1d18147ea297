import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Database,
  DatabaseError,
  inOneLane,
  isOutcomeUnknown,
  isRetryable,
  isUnavailable,
  isUniqueViolation,
  type Queries,
  type Transaction,
} from '../../../src/engine/database/database.ts'
import { readDurability, statements } from '../../../src/engine/database/durability.ts'
import { openPostgres } from '../../../src/engine/database/postgres.ts'
import { engines, forEachEngine, PATIENT, skipOnSeveralServers } from '../../support/engines.ts'

forEachEngine(({ test }) => {
  test('values keep their exactness on the way out', async (db) => {
    const [row] = await db.query(
      `select 9007199254740993::int8 as big, 7::int8 as small, 3::int4 as int, '2026-02-28'::date as day,
              '2026-01-02 03:04:05.678+00'::timestamptz as at, '{"amount": 0.10}'::json as json,
              '{"amount": 0.10}'::jsonb as jsonb, true as yes, null::int8 as nothing, 1.10::numeric as numeric,
              array[1, null, 9007199254740993]::int8[] as bigs, array['2026-02-28']::date[] as days,
              array['a', 'b,"\\', null]::text[] as texts, '{}'::int8[] as none`,
    )
    assert.deepEqual(row, {
      big: 9007199254740993n,
      small: 7n,
      int: 3,
      day: '2026-02-28',
      at: new Date('2026-01-02T03:04:05.678Z'),
      json: '{"amount": 0.10}',
      jsonb: '{"amount": 0.10}',
      yes: true,
      nothing: null,
      numeric: '1.10',
      bigs: [1n, null, 9007199254740993n],
      days: ['2026-02-28'],
      texts: ['a', 'b,"\\', null],
      none: [],
    })
  })

  test('values keep their exactness on the way in', async (db) => {
    const at = new Date('2026-01-02T03:04:05.678Z')
    const values = [
      9007199254740993n,
      ['a', 'b,"\\', null],
      [1n, null],
      '2026-02-28',
      at,
      [at],
      '{"a": 0.10}',
      true,
      null,
    ]
    const [row] = await db.query(
      `select $1::int8 as big, $2::text[] as texts, $3::int8[] as bigs, $4::date as day, $5::timestamptz as at,
              $6::timestamptz[] as times, $7::jsonb as jsonb, $8::bool as yes, $9::text as nothing`,
      values,
    )
    assert.deepEqual(row, {
      big: 9007199254740993n,
      texts: ['a', 'b,"\\', null],
      bigs: [1n, null],
      day: '2026-02-28',
      at,
      times: [at],
      jsonb: '{"a": 0.10}',
      yes: true,
      nothing: null,
    })
  })

  test('a statement whose columns depend on a cursor returns those of the cursor', async (db) => {
    for (const [columns, row] of [
      ['1 as one', { one: 1 }],
      [`'a' as first, 2 as second`, { first: 'a', second: 2 }],
    ] as const) {
      const rows = await db.transaction(async (tx) => {
        await tx.query(`declare page cursor for select ${columns}`)
        return await tx.query('fetch 10 from page')
      })
      assert.deepEqual(rows, [row])
    }
  })

  test('a statement that was refused for its values is accepted with others', async (db) => {
    const double = (value: string) => db.query('select 2 * $1::int as doubled', [value])
    assert.equal((await failureOf(double('two'))).sqlState, '22P02')
    assert.deepEqual(await double('2'), [{ doubled: 4 }])
  })

  test('a value that cannot be read fails its statement alone', async (db) => {
    const twoDimensions = `select '{{1,2},{3,4}}'::bigint[] as numbers`
    await assert.rejects(db.query(twoDimensions), { name: 'DatabaseError', message: /BigInt/ })
    assert.deepEqual(await db.query('select 1 as one'), [{ one: 1 }])
  })

  test('a transaction commits when its work resolves', async (db) => {
    await createTable(db)
    const answer = await db.transaction(async (tx) => {
      await tx.query('insert into things (id) values ($1)', [1])
      await tx.query('insert into things (id) values ($1)', [2])
      return 'done'
    })
    assert.equal(answer, 'done')
    assert.deepEqual(await ids(db), [1, 2])
  })

  test('a transaction without a statement does nothing', async (db) => {
    assert.equal(await db.transaction(async () => 7), 7)
  })

  test('a transaction rolls back when its work rejects, and rejects with the same error', async (db) => {
    await createTable(db)
    const reason = new Error('no')
    const attempt = db.transaction(async (tx) => {
      await tx.query('insert into things (id) values (1)')
      throw reason
    })
    await assert.rejects(attempt, (error) => error === reason)
    assert.deepEqual(await ids(db), [])
  })

  test('a failed first statement of a transaction leaves nothing and the next one works', async (db) => {
    await createTable(db)
    const attempt = db.transaction((tx) => tx.query('insert into nowhere (id) values (1)'))
    await assert.rejects(attempt, { sqlState: '42P01' })
    await db.transaction((tx) => tx.query('insert into things (id) values (1)'))
    assert.deepEqual(await ids(db), [1])
  })

  test('a transaction that swallowed the error of a statement does not commit', async (db) => {
    await createTable(db)
    const attempt = db.transaction(async (tx) => {
      await tx.query('insert into things (id) values (1)')
      await tx.query('insert into things (id) values (1)').catch(() => {})
    })
    await assert.rejects(attempt, { sqlState: '25P02' })
    assert.deepEqual(await ids(db), [])
  })

  test('a write is made in its order, seen by what follows it, and committed with the transaction', async (db) => {
    await createTable(db)
    const seen = await db.transaction(async (tx) => {
      await ids(tx)
      tx.write('insert into things (id) values ($1)', [1])
      const seen = await ids(tx)
      tx.write('insert into things (id) values ($1)', [2])
      await tx.written()
      tx.write('delete from things where id = $1', [1])
      return seen
    })
    assert.deepEqual([seen, await ids(db)], [[1], [2]])
  })

  test('a write that fails is the failure of its transaction, which leaves nothing, and the next one works', async (db) => {
    await createTable(db)
    const failing = [
      async (tx: Transaction) => tx.write('insert into things (id) values (1)'),
      async (tx: Transaction) => void (await ids(tx)),
      async (tx: Transaction) => tx.written(),
      async (tx: Transaction) => {
        tx.write('insert into nowhere (id) values (1)')
        throw new Error('of its own')
      },
    ]
    for (const [index, goOn] of failing.entries()) {
      const attempt = db.transaction(async (tx) => {
        await ids(tx)
        tx.write('insert into things (id) values (1)')
        tx.write('insert into things (id) values (1)')
        await goOn(tx)
      })
      const expected =
        index === failing.length - 1
          ? { message: 'of its own' }
          : { sqlState: '23505', outcomeUnknown: false }
      await assert.rejects(attempt, expected)
      assert.deepEqual(await ids(db), [])
    }
    await db.transaction((tx) => tx.query('insert into things (id) values (1)'))
    assert.deepEqual(await ids(db), [1])
  })

  test('a write is never the first statement, because it would be a change of its own without its `begin`', async (db) => {
    await createTable(db)
    const write = (tx: Transaction) => tx.write('insert into things (id) values (1)')
    const expected = { message: 'A transaction begins with a statement that is waited for.' }
    await assert.rejects(
      db.transaction(async (tx) => write(tx)),
      expected,
    )
    await assert.rejects(
      db.transaction(async (tx) => {
        const first = tx.query('select 1')
        write(tx)
        await first
      }),
      expected,
    )
    assert.deepEqual(await ids(db), [])
  })

  test('statements started together in a transaction get their own results', async (db) => {
    const answers = await db.transaction((tx) =>
      Promise.all([1, 2, 3].map((value) => tx.query<{ value: number }>('select $1::int4 as value', [value]))),
    )
    assert.deepEqual(answers, [[{ value: 1 }], [{ value: 2 }], [{ value: 3 }]])
  })

  test('of statements started together, the first that fails is the error of all', async (db) => {
    const error = await failureOf(
      db.transaction((tx) =>
        Promise.all([tx.query('select 1 / 0'), tx.query('select 1'), tx.query('select 2')]),
      ),
    )
    assert.equal(error.sqlState, '22012')
  })

  test('the outer handle cannot be used inside a transaction', async (db) => {
    const expected = { message: 'Inside a transaction only its own tx may be used.' }
    await assert.rejects(
      db.transaction(() => db.query('select 1')),
      expected,
    )
    await assert.rejects(
      db.transaction(() => db.transaction(async () => {})),
      expected,
    )
    await assert.rejects(
      db.transaction(() => db.script('select 1')),
      expected,
    )
    assert.deepEqual(await db.query('select 1::int4 as one'), [{ one: 1 }])
  })

  test('a tx cannot be used after its transaction', async (db) => {
    const kept = await db.transaction(async (tx) => {
      await tx.query('select 1')
      return { tx }
    })
    await assert.rejects(kept.tx.query('select 1'), { name: 'Error' })
    assert.throws(() => kept.tx.write('select 1'), { name: 'Error' })
  })

  test('concurrent transactions and queries each see whole transactions', async (db) => {
    await createTable(db)
    const work = Array.from({ length: 20 }, (_, index) =>
      db.transaction(async (tx) => {
        await tx.query('insert into things (id) values ($1)', [2 * index])
        await tx.query('insert into things (id) values ($1)', [2 * index + 1])
      }),
    )
    const counts = await Promise.all(work.map(() => ids(db)))
    await Promise.all(work)
    assert.deepEqual(
      counts.map((count) => count.length % 2),
      counts.map(() => 0),
    )
    assert.equal((await ids(db)).length, 40)
  })

  test('errors are distinguished by SQLSTATE', async (db) => {
    await createTable(db)
    await db.query('insert into things (id) values (1)')
    const unique = await failureOf(db.query('insert into things (id) values (1)'))
    assert.deepEqual([unique.sqlState, isUniqueViolation(unique)], ['23505', true])
    assert.deepEqual(
      [isRetryable(unique), isOutcomeUnknown(unique), isUnavailable(unique)],
      [false, false, false],
    )
    const serialization = await failureOf(db.query(raise('40001')))
    assert.deepEqual([isRetryable(serialization), isUniqueViolation(serialization)], [true, false])
    const deadlock = await failureOf(db.transaction((tx) => tx.query(raise('40P01'))))
    assert.equal(isRetryable(deadlock), true)
    const lock = await failureOf(db.query(raise('55P03')))
    assert.deepEqual([isUnavailable(lock), isOutcomeUnknown(lock)], [true, false])
    assert.deepEqual(await ids(db), [1])
  })

  test('a script is all or nothing', async (db) => {
    await assert.rejects(db.script('create table made (id int4); select 1 / 0;'), { sqlState: '22012' })
    assert.deepEqual(await db.query(`select to_regclass('made')::text as made`), [{ made: null }])
    await db.script('create table made (id int4); insert into made values (1); insert into made values (2);')
    assert.deepEqual(await db.query('select id from made order by id'), [{ id: 1 }, { id: 2 }])
  })
})

const postgres = engines.find((engine) => engine.name === 'PostgreSQL')!
const { skip } = postgres

test('PostgreSQL: a commit whose connection is cut is an unknown outcome', { skip }, async () => {
  await withPostgres({}, async (db) => {
    await createDeferredFailure(db, 'perform pg_terminate_backend(pg_backend_pid())')
    const error = await failureOf(db.transaction((tx) => tx.query('insert into things (id) values (1)')))
    assert.deepEqual([isOutcomeUnknown(error), isUnavailable(error)], [true, true])
    assert.deepEqual(await ids(db), [])
  })
})

test('PostgreSQL: a commit that is not confirmed in time is an unknown outcome', { skip }, async () => {
  await withPostgres({ queryTimeoutMs: 1_000 }, async (db) => {
    await createDeferredFailure(db, 'perform pg_sleep(3)')
    const error = await failureOf(db.transaction((tx) => tx.query('insert into things (id) values (1)')))
    assert.deepEqual([error.sqlState, isOutcomeUnknown(error), isUnavailable(error)], [null, true, true])
    assert.deepEqual(await db.query('select 1::int4 as one'), [{ one: 1 }])
  })
})

test('PostgreSQL: a commit that the server warns about is an unknown outcome', { skip }, async () => {
  await withPostgres({}, async (db) => {
    await createDeferredFailure(db, `raise warning 'canceling wait for synchronous replication'`)
    const error = await failureOf(db.transaction((tx) => tx.query('insert into things (id) values (1)')))
    assert.equal(isOutcomeUnknown(error), true)
    assert.deepEqual(await ids(db), [1])
    const single = await failureOf(db.query('insert into things (id) values (2)'))
    assert.equal(isOutcomeUnknown(single), true)
  })
})

test('PostgreSQL: a commit that the server refuses is a known failure', { skip }, async () => {
  await withPostgres({}, async (db) => {
    await createDeferredFailure(db, `raise exception 'no' using errcode = '23514'`)
    const error = await failureOf(db.transaction((tx) => tx.query('insert into things (id) values (1)')))
    assert.deepEqual([error.sqlState, isOutcomeUnknown(error)], ['23514', false])
    assert.deepEqual(await ids(db), [])
  })
})

test('PostgreSQL: a lost connection is unknown for a change outside a transaction, not for a read', {
  skip,
}, async () => {
  await withPostgres({}, async (db) => {
    await createTable(db)
    const cut = 'pg_terminate_backend(pg_backend_pid())'
    const change = await failureOf(db.query(`insert into things (id) select 1 where ${cut}`))
    assert.deepEqual([isOutcomeUnknown(change), isUnavailable(change)], [true, true])
    const read = await failureOf(db.query(`select ${cut}`))
    assert.deepEqual([isOutcomeUnknown(read), isUnavailable(read)], [false, true])
    const inside = await failureOf(db.transaction((tx) => tx.query(`select ${cut}`)))
    assert.deepEqual([isOutcomeUnknown(inside), isUnavailable(inside)], [false, true])
    assert.deepEqual(await ids(db), [])
  })
})

test('PostgreSQL: a connection to a server that accepts no changes any more is not used again', {
  skip,
}, async () => {
  await withPostgres({ connectionsMax: 1 }, async (db) => {
    await createTable(db)
    const demote = () => db.query('set default_transaction_read_only = on')
    await demote()
    const single = await failureOf(db.query('insert into things (id) values (1)'))
    assert.deepEqual(
      [single.sqlState, isUnavailable(single), isOutcomeUnknown(single)],
      ['25006', true, false],
    )
    await db.query('insert into things (id) values (2)')
    await demote()
    const inside = await failureOf(db.transaction((tx) => tx.query('insert into things (id) values (3)')))
    assert.deepEqual(
      [inside.sqlState, isUnavailable(inside), isOutcomeUnknown(inside)],
      ['25006', true, false],
    )
    await db.transaction((tx) => tx.query('insert into things (id) values (4)'))
    assert.deepEqual(await ids(db), [2, 4])
  })
})

test('PostgreSQL: waits for a lock, a statement and a connection are bounded', { skip }, async () => {
  await withPostgres({ statementTimeoutMs: 500 }, async (db) => {
    const slow = await failureOf(db.query('select pg_sleep(60)'))
    assert.deepEqual([slow.sqlState, isUnavailable(slow)], ['57014', true])
  })
  await withPostgres({ connectionsMax: 2, connectionWaitMs: 2_000, lockTimeoutMs: 100 }, async (db) => {
    await createTable(db)
    await db.query('insert into things (id) values (1)')
    const { promise: over, resolve: finish } = Promise.withResolvers<void>()
    const hold = async (text: string) => {
      const { promise: held, resolve: holds } = Promise.withResolvers<void>()
      const ended = db.transaction(async (tx) => {
        await tx.query(text)
        holds()
        await over
      })
      await Promise.race([held, ended])
      return { ended }
    }
    const first = await hold('select id from things for update')
    const locked = await failureOf(db.query('update things set id = 3'))
    assert.deepEqual([locked.sqlState, isUnavailable(locked)], ['55P03', true])
    const second = await hold('select 1')
    const starved = await failureOf(db.query('select 1'))
    assert.deepEqual([starved.sqlState, isUnavailable(starved)], [null, true])
    finish()
    await Promise.all([first.ended, second.ended])
  })
})

test('PostgreSQL: reads of one lane that overlap share a connection, and others do not wait for them', {
  skip,
}, async () => {
  await withPostgres({ connectionsMax: 3, lockTimeoutMs: 20_000 }, async (db) => {
    // Again and again: every connection is given back.
    for (let turn = 0; turn < 4; turn += 1) {
      const lane = inOneLane(db)
      const ended: string[] = []
      await whileLocked(db, async (wait) => {
        const waiting = wait(lane).then(() => ended.push('waited'))
        const behind = lane.query('select 1').then(() => ended.push('behind it'))
        await inOneLane(db).query('select 1')
        ended.push('another lane')
        return [waiting, behind]
      })
      assert.deepEqual(ended, ['another lane', 'waited', 'behind it'])
    }
  })
})

test('PostgreSQL: a read that fails does not fail its lane, and a connection that is lost is replaced', {
  skip,
}, async () => {
  await withPostgres({ connectionsMax: 1 }, async (db) => {
    const lane = inOneLane(db)
    const [failed, read] = await Promise.all([
      failureOf(lane.query('select 1 / 0')),
      lane.query<{ one: number }>('select 1 as one'),
    ])
    assert.equal(failed.sqlState, '22012')
    assert.deepEqual(read, [{ one: 1 }])
    const lost = await Promise.all([
      failureOf(lane.query('select pg_terminate_backend(pg_backend_pid())')),
      failureOf(lane.query('select 1 as one')),
    ])
    assert(lost.every(isUnavailable))
    assert.deepEqual(await lane.query('select 1 as one'), [{ one: 1 }])
  })
})

test('PostgreSQL: a change is never sent in a lane', { skip }, async () => {
  await withPostgres({ connectionsMax: 3, lockTimeoutMs: 20_000 }, async (db) => {
    await createTable(db)
    const lane = inOneLane(db)
    await whileLocked(db, async (wait) => {
      const read = wait(lane)
      await lane.query('insert into things (id) values (1)')
      return [read]
    })
    assert.deepEqual(await ids(db), [1])
  })
})

test('PostgreSQL: a statement that could not be prepared is prepared again', { skip }, async () => {
  await withPostgres({ connectionsMax: 2, lockTimeoutMs: 100 }, async (db) => {
    await createTable(db)
    await db.query('insert into things (id) values (1)')
    const read = () => db.transaction((tx) => tx.query<{ id: number }>('select id from things'))
    const { promise: held, resolve: holds } = Promise.withResolvers<void>()
    const { promise: over, resolve: finish } = Promise.withResolvers<void>()
    const holder = db.transaction(async (tx) => {
      await tx.query('lock table things')
      holds()
      await over
    })
    await held
    assert.equal((await failureOf(read())).sqlState, '55P03')
    finish()
    await holder
    // On both connections.
    assert.deepEqual(await Promise.all([read(), read()]), [[{ id: 1 }], [{ id: 1 }]])
  })
})

test('PostgreSQL: a statement that was prepared twice in one packet and then could not be is prepared again', {
  skip,
}, async () => {
  await withPostgres({ connectionsMax: 1, lockTimeoutMs: 100 }, async (db, url) => {
    await createTable(db)
    await db.query('insert into things (id) values (1)')
    const read = (tx: Queries, id: string) =>
      tx.query<{ id: number }>('select id from things where id = $1::int4', [id])
    // Both are sent before either is described. The first succeeds, the second fails, so the statement is prepared again.
    const failure = await failureOf(db.transaction((tx) => Promise.all([read(tx, '1'), read(tx, 'x')])))
    assert.equal(failure.sqlState, '22P02')
    const other = await openPostgres({ url, connectionsMax: 1, durabilityChecked: false })
    try {
      await other.transaction(async (tx) => {
        await tx.query('lock table things')
        assert.equal((await failureOf(db.transaction((inner) => read(inner, '1')))).sqlState, '55P03')
      })
    } finally {
      await other.close()
    }
    assert.deepEqual(await db.transaction((tx) => read(tx, '1')), [{ id: 1 }])
  })
})

test('PostgreSQL: a connection that lost a prepared statement is discarded, and the failure is retryable', {
  skip: skip || (process.env.POOLER_PORT_TEST !== undefined && 'a pooler prepares the statement again'),
}, async () => {
  await withPostgres({ connectionsMax: 1 }, async (db) => {
    const pid = 'select pg_backend_pid() as pid'
    const [before] = await db.query<{ pid: number }>(pid)
    await db.query('deallocate all')
    const failure = await failureOf(db.transaction((tx) => tx.query(pid)))
    assert.deepEqual([failure.sqlState, isRetryable(failure)], ['26000', true])
    const [after] = await db.query<{ pid: number }>(pid)
    assert.notEqual(after!.pid, before!.pid)
  })
})

test('PostgreSQL: an unreachable server is unavailable', async () => {
  const error = await failureOf(openPostgres({ url: 'postgresql://localhost:1/none', connectionsMax: 1 }))
  assert.deepEqual([error.sqlState, isUnavailable(error), isOutcomeUnknown(error)], [null, true, false])
  assert.match(error.message, /ECONNREFUSED/)
})

test('PostgreSQL: a server that would lose committed changes is refused', { skip }, async () => {
  const url = new URL(process.env.DATABASE_URL_TEST!)
  const db = await openPostgres({ url: url.href, connectionsMax: 1, durabilityChecked: false })
  const [server] = await db.query<{ fsync: string }>(`select current_setting('fsync') as fsync`)
  await db.close()
  url.searchParams.set('options', '-c synchronous_commit=off')
  const weak = server!.fsync === 'on' ? '' : 'fsync = off and '
  await assert.rejects(openPostgres({ url: url.href, connectionsMax: 1 }), {
    message: `The server runs with ${weak}synchronous_commit = off and would lose answered changes; turn it on.`,
  })
})

test('PostgreSQL: the workers of a sharded database are checked too, unless they are away', {
  skip: skipOnSeveralServers(postgres),
}, async () => {
  await withPostgres({}, async (db, url) => {
    await pretendWorkers(db, [
      { port: 1, success: false, result: 'failed to connect' },
      { port: 2, success: true, result: '{"version": 150004}' },
    ])
    const opened = await openPostgres({ url, connectionsMax: 1, durabilityChecked: false })
    assert.equal(opened.isSharded, true)
    await opened.close()
    await pretendWorkers(db, [{ port: 2, success: true, result: '{"version": 140011}' }])
    await assert.rejects(openPostgres({ url, connectionsMax: 1, durabilityChecked: false }), {
      message: 'PostgreSQL 15 or newer is needed; this worker 10.0.0.2:2 is version 14.',
    })
  })
})

test('PostgreSQL: an internal error is retryable on a sharded database, where it may be any error of a worker', {
  skip: skipOnSeveralServers(postgres),
}, async () => {
  await withPostgres({}, async (db, url) => {
    const fail = (failing: Database) => failureOf(failing.transaction((tx) => tx.query(raise('XX000'))))
    assert.equal(isRetryable(await fail(db)), false)
    await pretendWorkers(db, [{ port: 1, success: false, result: 'failed to connect' }])
    const sharded = await openPostgres({ url, connectionsMax: 1, durabilityChecked: false })
    assert.equal(isRetryable(await fail(sharded)), true)
    await sharded.close()
  })
})

test('PostgreSQL: of several servers, the one that survives least counts', {
  skip: skipOnSeveralServers(postgres),
}, async () => {
  await withPostgres({}, async (db) => {
    const copied = { commitWaitsFor: 'on', standbys: '*' }
    const single = { commitWaitsFor: 'local', standbys: '*' }
    const results = [copied, single].map((settings) => JSON.stringify(settings))
    await pretendWorkers(
      db,
      results.map((result, port) => ({ port, success: true, result })),
    )
    const reading: Database = {
      ...db,
      isSharded: true,
      query: (text, values) =>
        text === statements.readSettings
          ? db.query(`select '${results[0]}' as text`)
          : db.query(text, values),
    }
    assert.deepEqual(await readDurability(reading), {
      synchronous_commit: 'local',
      synchronous_standby_names: '*',
      answered_changes_survive: 'a crash',
    })
  })
})

/** While `work` runs, `wait` waits; then what work has returned goes on, and ends. */
async function whileLocked(
  db: Database,
  work: (wait: (queries: Queries) => Promise<unknown>) => Promise<Promise<unknown>[]>,
): Promise<void> {
  const wait = (queries: Queries) => queries.query('select pg_advisory_xact_lock(1)')
  const { promise: held, resolve: holds } = Promise.withResolvers<void>()
  const { promise: over, resolve: finish } = Promise.withResolvers<void>()
  const holder = db.transaction(async (tx) => {
    await wait(tx)
    holds()
    await over
  })
  await held
  const waiting = await work(wait)
  finish()
  await Promise.all([holder, ...waiting])
}

/** As the extension would show them. */
async function pretendWorkers(
  db: Database,
  workers: readonly { port: number; success: boolean; result: string }[],
): Promise<void> {
  const rows = workers.map(({ port, success, result }) => `('10.0.0.2', ${port}, ${success}, '${result}')`)
  await db.script(`
    insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    select 99999, 'citus', 10, 'public'::regnamespace, false, '0'
    where not exists (select from pg_extension where extname = 'citus');
    create or replace function run_command_on_workers(text)
    returns table (nodename text, nodeport int4, success boolean, result text)
    language sql as $$ values ${rows.join(', ')} $$`)
}

async function withPostgres(
  limits: Partial<Parameters<typeof openPostgres>[0]>,
  run: (db: Database, url: string) => Promise<void>,
): Promise<void> {
  const fresh = await engines.find((engine) => engine.name === 'PostgreSQL')!.open()
  const db = await openPostgres({
    url: fresh.url!,
    connectionsMax: 4,
    durabilityChecked: false,
    ...PATIENT,
    ...limits,
  })
  try {
    await run(db, fresh.url!)
  } finally {
    await db.close()
    await fresh.close()
  }
}

async function createTable(db: Database): Promise<void> {
  await db.script('create table things (id int4 primary key)')
}

/** A constraint trigger that runs at COMMIT is the way to make COMMIT itself misbehave. */
async function createDeferredFailure(db: Database, body: string): Promise<void> {
  await createTable(db)
  await db.script(`
    create function misbehave() returns trigger language plpgsql as $$ begin ${body}; return null; end $$;
    create constraint trigger misbehave after insert on things
      deferrable initially deferred for each row execute function misbehave();`)
}

async function ids(db: Queries): Promise<number[]> {
  return (await db.query<{ id: number }>('select id from things order by id')).map((row) => row.id)
}

const raise = (sqlState: string) =>
  `do $$ begin raise exception 'raised' using errcode = '${sqlState}'; end $$`

async function failureOf(attempt: Promise<unknown>): Promise<DatabaseError> {
  const error = await attempt.then(
    () => assert.fail('It should have failed.'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof DatabaseError, String(error))
  return error
}
