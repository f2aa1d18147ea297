/**
 * Under load, processes are killed at any moment and started again, many times over. In the end every acknowledged
 * change is there, once, and as it was answered; and refused ones are not.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/cli/config.ts'
import { withDatabase } from '../../src/cli/database.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { type Environment, forEachEnvironment, type RunningService, serve } from '../cli/program.ts'
import { audit } from '../support/auditor.ts'
import { startCrashingPostgres } from '../support/crashing-postgres.ts'
import { type Load, startCallers } from '../support/load/callers.ts'
import { tally } from '../support/load/tally.ts'
import { createRandom } from '../support/random.ts'
import { all, compileCache, full, PATIENCE } from './support/counts.ts'

const SEED = 1
const CALLERS = {
  callers: 6,
  thinkMs: 0,
  pauseMs: 25,
  shares: { update: 15, credit: 15, opening: 15, FULL: 15 },
}

forEachEnvironment(({ name, test }) => {
  const kills = all ? { PGlite: 30, PostgreSQL: 100 }[name] : full ? { PGlite: 5, PostgreSQL: 15 }[name] : 2
  test(`${kills} kills of the service lose nothing, double nothing and answer nothing wrong`, (context, env) =>
    survive(context, env, kills, (service) => {
      const random = createRandom(SEED)
      return async (load) => {
        await progress(load)
        await sleep(random.below(150))
        service.current().kill('SIGKILL')
        await service.restart()
      }
    }))
})

const crashes = all ? 100 : full ? 15 : 3
test(`PostgreSQL: ${crashes} kills of the server lose nothing, double nothing and answer nothing wrong`, async (context) => {
  const server = await startCrashingPostgres()
  if (typeof server === 'string') return context.skip(server)
  try {
    await survive(context, { DATABASE_URL: server.url }, crashes, (service) => {
      const random = createRandom(SEED)
      return async (load) => {
        await progress(load)
        await sleep(random.below(150))
        await server.crash()
        await sleep(random.below(100))
        await server.restart()
        assert(service.current().isRunning(), 'the service outlives its database')
      }
    })
  } finally {
    await server.stop()
  }
})

type Service = { current: () => RunningService & { isRunning: () => boolean }; restart: () => Promise<void> }

async function survive(
  context: TestContext,
  env: Environment,
  kills: number,
  createKill: (service: Service) => (load: Load) => Promise<void>,
): Promise<void> {
  const settings = { ...env, RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'info', NODE_COMPILE_CACHE: compileCache }
  const config = readConfig(settings)
  const terms = { name: 'Test Bank', timeZone: 'Africa/Lagos', currency: 'NGN', at: new Date() }
  const { caller, keys } = await withDatabase(config, (db) => createCaller(db, terms))
  let running: RunningService | null = null
  let hasEnded = false
  const restart = async () => {
    if (running !== null) await running.end()
    running = null
    const started = await serve(context, settings)
    hasEnded = false
    void started.end().then(() => {
      if (running === started) hasEnded = true
    })
    running = started
  }
  await restart()
  const load = await startCallers({
    ...CALLERS,
    urls: () => (running === null ? [] : [running.url]),
    key: keys[0]!.key,
    seed: SEED,
  })
  const kill = createKill({
    current: () => ({ ...running!, isRunning: () => !hasEnded }),
    restart,
  })
  try {
    for (let count = 0; count < kills; count += 1) await kill(load)
    await progress(load)
  } catch (error) {
    load.abandon()
    throw error
  }
  await load.stop()
  await running!.stop()

  await withDatabase(readConfig({ ...settings, ...PATIENCE }), async (db) => {
    const counts = await tally(db, caller.callerId, load.heard)
    context.diagnostic(`${context.name}: ${JSON.stringify(counts)}`)
    const { lost, doubled, wrong } = counts
    assert.deepEqual({ lost, doubled, wrong }, { lost: 0, doubled: 0, wrong: 0 })
    await audit(db)
  })
}

/** A kill is useful only while changes are being made. */
async function progress(load: Load): Promise<void> {
  const before = load.acknowledged()
  const giveUpAt = Date.now() + 180_000
  while (load.acknowledged() < before + 3) {
    assert(Date.now() < giveUpAt, 'the service answers again')
    await sleep(5)
  }
}
