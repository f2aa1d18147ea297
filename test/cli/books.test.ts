import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProgress } from '../../src/cli/progress.ts'
import type { Database } from '../../src/engine/database/database.ts'
import { openPostgres } from '../../src/engine/database/postgres.ts'
import { openPglite } from '../../src/engine/embedded/pglite.ts'
import { type Environment, forEachEnvironment, run } from './program.ts'

forEachEnvironment(({ test }) => {
  test('mature settles what is due and verify finds nothing; each says so, and each says if not', async (_, env) => {
    assert.equal((await run(['demo'], env)).code, 0)
    const [due] = await withRows(env, (db) =>
      db.query<{ deposit_id: string; account_number: string; balance_minor: bigint; caller_id: string }>(
        `select deposit_id, deposits.account_number, balance_minor, caller_id
         from deposits
         join accounts
           on accounts.book_id = deposits.book_id and accounts.account_number = deposits.account_number
         join books on books.book_id = deposits.book_id
         where status = 'ACTIVE' and maturity_date <= current_date and not auto_rollover`,
      ),
    )
    const { deposit_id, account_number, balance_minor, caller_id } = due!
    const setBalance = (balance: bigint) =>
      withRows(env, (db) =>
        db.query('update accounts set balance_minor = $2 where account_number = $1', [
          account_number,
          balance,
        ]),
      )

    await setBalance(999_999_999_999_999n)
    const left = await run(['mature'], env)
    assert.equal(left.code, 1)
    assert.match(left.stdout, /^Matured \d+, rolled over \d+, made \d+ interest payments\.\n$/)
    assert.equal(
      complaintsOf(left),
      `${deposit_id} could not be settled: ` +
        'The balance of the account would pass the largest amount the service keeps.\n' +
        'Not everything was settled; see the lines above.\n',
    )
    const wrong = await run(['verify', '--json'], env)
    assert.equal(wrong.code, 1)
    const { difference } = JSON.parse(wrong.stdout)
    assert.deepEqual(difference, {
      caller_id,
      mode: 'test',
      account_number,
      claim: 'the balance of an account is the sum of its lines',
      found: '999999999999999',
      expected: String(balance_minor),
    })
    assert.equal(complaintsOf(wrong), 'Not so: the balance of an account is the sum of its lines.\n')

    await setBalance(balance_minor)
    const settled = await run(['mature', '--json'], env)
    assert.deepEqual(JSON.parse(settled.stdout), {
      matured: 1,
      rolled_over: 0,
      interest_payments: 0,
      unsettled: [],
      failed_books: [],
    })
    assert.deepEqual([settled.code, complaintsOf(settled)], [0, ''])
    const right = await run(['verify', '--caller', caller_id], env)
    assert.deepEqual([right.code, complaintsOf(right)], [0, ''])
    assert.match(right.stdout, /^There is no difference\. Looked at:\n {2}ledger entries +\d+\n/)
    assert.deepEqual(await run(['verify', '--caller', 'cal_none'], env), {
      code: 1,
      stdout: '',
      stderr: 'There is no caller cal_none; see breakwater callers list.\n',
    })
  })
})

test('progress is one line on a terminal, redrawn now and then, and gone at the end', () => {
  const written: string[] = []
  let nowMs = 0
  const stream = { isTTY: true, write: (text: string) => written.push(text) > 0 }
  const progress = createProgress(stream, () => nowMs)
  for (const [at, text] of [
    [0, 'one'],
    [99, 'two'],
    [100, 'three'],
  ] as const) {
    nowMs = at
    progress.show(text)
  }
  progress.end()
  assert.deepEqual(written, ['\rone\u001b[K', '\rthree\u001b[K', '\r\u001b[K'])
})

test('progress elsewhere is a line every five seconds, so that a quick command prints none', () => {
  const written: string[] = []
  let nowMs = 0
  const stream = { isTTY: false, write: (text: string) => written.push(text) > 0 }
  const progress = createProgress(stream, () => nowMs)
  for (const at of [0, 4_999, 5_000, 9_999, 10_000]) {
    nowMs = at
    progress.show(`at ${at}`)
  }
  progress.end()
  assert.deepEqual(written, ['at 5000\n', 'at 10000\n'])
})

/** What a command prints on stderr besides its progress, which it prints on a slow machine. */
function complaintsOf({ stderr }: { stderr: string }): string {
  return stderr.replaceAll(
    /^(?:Matured \d+, rolled over \d+, made \d+ interest payments\.|cal_\w+ \w+: \d+ [a-z ]+)\n/gm,
    '',
  )
}

async function withRows<Result>(env: Environment, work: (db: Database) => Promise<Result>): Promise<Result> {
  const db =
    env.DATABASE_URL === undefined
      ? await openPglite({ directory: env.DATA_DIR! })
      : await openPostgres({ url: env.DATABASE_URL, connectionsMax: 1, durabilityChecked: false })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
