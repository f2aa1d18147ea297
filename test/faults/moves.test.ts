/** A move or a restore that is killed at any moment leaves its target empty or complete. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/engine/database/database.ts'
import { listTables } from '../../src/engine/database/table-copy.ts'
import { openPglite } from '../../src/engine/embedded/pglite.ts'
import { hasCluster } from '../../src/engine/embedded/tables.ts'
import { launch, run, runAlone } from '../cli/program.ts'
import { audit } from '../support/auditor.ts'
import { engines } from '../support/engines.ts'
import { all, full } from './support/counts.ts'

const KILLS = all ? 25 : full ? 3 : 2
const postgres = engines.find(({ name }) => name === 'PostgreSQL')!
const env = { DATABASE_DURABILITY_CHECK: '0' }

test('kills of a move to PostgreSQL', { skip: postgres.skip }, async (context) => {
  const { directory } = await demoBank(context)
  const expected = await rowsIn(directory)
  await killAtRandom(async (kill) => {
    const db = await postgres.open()
    try {
      await kill(['move', '--from', directory, '--to', db.url!])
      await assertEmptyOrComplete(db, expected)
    } finally {
      await db.close()
    }
  })
})

test('kills of a move from PostgreSQL to a directory', { skip: postgres.skip }, async (context) => {
  const { directory, folder } = await demoBank(context)
  const db = await postgres.open()
  context.after(() => db.close())
  const moved = await run(['move', '--from', directory, '--to', db.url!], env)
  assert.equal(moved.code, 0, moved.stderr)
  const expected = await countRows(db)
  const to = join(folder, 'to')
  // This test reads the source too, as a service would.
  const args = ['move', '--from', db.url!, '--to', to, '--from-snapshot']
  await killAtRandom(async (kill) => {
    await kill(args)
    const rows = await assertDirectory(to, expected)
    // What a killed move leaves is no hindrance to the next.
    if (rows === 0) {
      const { code, stderr } = await run(args, env)
      assert.equal(code, 0, stderr)
      assert.equal(await assertDirectory(to, expected), expected)
    }
    await rm(to, { recursive: true, force: true })
  })
})

test('kills of a restore into a directory', async (context) => {
  const { directory, folder } = await demoBank(context)
  const expected = await rowsIn(directory)
  const file = join(folder, 'bank.tar.gz')
  assert.equal((await run(['backup', file], { DATA_DIR: directory })).code, 0)
  await killAtRandom(async (kill) => {
    const to = join(folder, 'to')
    await kill(['restore', file, '--to', to])
    await assertDirectory(to, expected)
    await rm(to, { recursive: true, force: true })
  })
})

async function demoBank(context: TestContext): Promise<{ directory: string; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-moves-'))
  context.after(() => rm(folder, { recursive: true, force: true }))
  const directory = join(folder, 'data')
  assert.equal((await run(['demo'], { DATA_DIR: directory })).code, 0)
  return { directory, folder }
}

/** The first run is not killed, and says how long one takes. */
async function killAtRandom(
  attempt: (kill: (args: readonly string[]) => Promise<void>) => Promise<void>,
): Promise<void> {
  let tookMs = 0
  await attempt(async (args) => {
    const startedMs = performance.now()
    const { code, stderr } = await runAlone(args, env)
    assert.equal(code, 0, stderr)
    tookMs = performance.now() - startedMs
  })
  for (let kills = 0; kills < KILLS; kills += 1) {
    await attempt(async (args) => {
      const { child } = launch(args, env)
      const ended = once(child, 'close')
      await Promise.race([sleep(tookMs * Math.random()), ended])
      child.kill('SIGKILL')
      await ended
    })
  }
}

async function assertDirectory(directory: string, expected: number): Promise<number> {
  if (!hasCluster(directory)) return 0
  const db = await openPglite({ directory })
  try {
    return await assertEmptyOrComplete(db, expected)
  } finally {
    await db.close()
  }
}

/** Says how many rows there are. */
async function assertEmptyOrComplete(db: Database, expected: number): Promise<number> {
  const rows = await countRows(db)
  assert([0, expected].includes(rows), `${rows} of ${expected} rows are there`)
  if (rows > 0) await audit(db)
  return rows
}

async function rowsIn(directory: string): Promise<number> {
  const db = await openPglite({ directory })
  const rows = await countRows(db)
  await db.close()
  return rows
}

async function countRows(db: Database): Promise<number> {
  let rows = 0
  for (const { name } of await listTables(db)) {
    const [counted] = await db.query<{ count: bigint }>(`select count(*) as count from "${name}"`)
    rows += Number(counted!.count)
  }
  return rows
}
