/**
 * Power cuts, simulated: one run of the embedded engine is recorded, and each seed cuts the power at another moment and
 * makes another of the states that the disk could then be in. POWER_LOSS_SEED replays one of them; FAULTS=ci tries all.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import { startInDirectory } from '../../src/engine/embedded/start.ts'
import { placeCluster } from '../../src/engine/embedded/template.ts'
import { makeCrash, type Recording, record } from '../support/simulated-disk.ts'
import { full } from './support/counts.ts'

const SEEDS = process.env.POWER_LOSS_SEED
  ? [Number(process.env.POWER_LOSS_SEED)]
  : Array.from({ length: full ? 100 : 15 }, (_, index) => index + 1)

const scratch = await mkdtemp(join(tmpdir(), 'breakwater-power-'))
after(() => rm(scratch, { recursive: true }))
const recording = await recordWork()

test('no power cut loses an answered change or half of one', async (context) => {
  for (const seed of SEEDS) assert.equal(await lossAfter(seed, {}), null, `seed ${seed}`)
  context.diagnostic(`power cuts ${JSON.stringify({ seeds: SEEDS.length, lost: 0 })}`)
})

test('the simulation sees an engine that does not sync', async (context) => {
  const losses: (string | null)[] = []
  for (let seed = 1; seed <= 10 && !losses.some((loss) => loss !== null); seed += 1) {
    losses.push(await lossAfter(seed, { syncIgnored: true }))
  }
  context.diagnostic(
    `without fsync ${JSON.stringify({ seeds: losses.length, lost: losses.filter(Boolean).length })}`,
  )
  assert.ok(losses.some((loss) => loss !== null))
})

/** Transactions of two changes that belong together, among everything that moves files about. */
async function recordWork(): Promise<Recording> {
  const cluster = join(scratch, 'recorded')
  await placeCluster(cluster)
  return record(cluster, async ({ answer }) => {
    const engine = await startInDirectory(
      cluster,
      { onProgress() {}, onSync() {}, onSyncFailure: (error) => assert.fail(String(error)) },
      () => {},
    )
    await engine.exec(`
        create table numbers (number int4 primary key, padding text not null);
        create table total (id int4 primary key, count int4 not null);
        insert into total values (1, 0);`)
    answer(0)
    for (let number = 1; number <= 150; number += 1) {
      await engine.transaction(async (tx) => {
        await tx.query('insert into numbers (number, padding) values ($1, $2)', [number, 'x'.repeat(1500)])
        await tx.query('update total set count = count + 1')
      })
      answer(number)
      if (number % 20 === 0) await engine.exec('checkpoint')
      if (number === 50) await engine.exec('vacuum (analyze) total')
      if (number === 70) await engine.exec('select pg_switch_wal()')
      if (number === 90) await engine.exec('create index on numbers (padding, number)')
      if (number === 110) await engine.exec('vacuum full numbers')
    }
    await engine.close()
  })
}

/** What is wrong after the power cut of this seed; null when nothing is. */
async function lossAfter(seed: number, options: { syncIgnored?: boolean }): Promise<string | null> {
  const random = createRandom(seed)
  const directory = join(scratch, 'crash')
  const at = chooseMoment(random)
  makeCrash(recording, { directory, at, random, ...options })
  const answered = recording.operations
    .slice(0, at)
    .reduce((last, operation) => (operation.kind === 'answer' ? operation.number : last), -1)
  try {
    const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=4MB']
    const engine = await PGlite.create(directory, { startParams })
    try {
      return await findLoss(engine, answered)
    } finally {
      await engine.close()
    }
  } catch (error) {
    return String(error)
  }
}

async function findLoss(engine: PGlite, answered: number): Promise<string | null> {
  const { rows: tables } = await engine.query(`select 1 from pg_class where relname = 'numbers'`)
  if (tables.length === 0) return answered < 0 ? null : 'the tables are lost'
  const { rows } = await engine.query<{ number: number }>('select number from numbers order by number')
  const { rows: totals } = await engine.query<{ count: number }>('select count from total')
  if (rows.some((row, index) => row.number !== index + 1)) return 'a change in the middle is lost'
  if (totals[0]?.count !== rows.length)
    return `half a change: ${totals[0]?.count} counted, ${rows.length} there`
  return rows.length < answered ? `${rows.length} of ${answered} answered changes are there` : null
}

/** Half of the cuts anywhere, half just around an answer, where a lie about the disk would show. */
function chooseMoment(random: () => number): number {
  const { operations } = recording
  if (random() < 0.5) return Math.floor(random() * (operations.length + 1))
  const answers = operations.flatMap((operation, index) => (operation.kind === 'answer' ? [index] : []))
  return answers[Math.floor(random() * answers.length)]! + Math.floor(random() * 3)
}

/** mulberry32: small, and the same everywhere. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
