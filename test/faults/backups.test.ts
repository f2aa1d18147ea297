/** Backups under full load: everything answered before the instant is in it, nothing that came later, nothing half. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { backUp } from '../../src/cli/backup.ts'
import { migrate } from '../../src/engine/database/migrations.ts'
import { openPglite } from '../../src/engine/embedded/pglite.ts'
import { closeBeforeRemoval, run, temporaryDirectory } from '../cli/program.ts'
import { audit } from '../support/auditor.ts'
import { migrationsFolder } from '../support/engines.ts'
import { type Ask, openDeposit, startService } from '../support/service.ts'
import { all } from './support/counts.ts'

const BACKUPS = all ? 20 : 3
const AT_ONCE = 8

test('each of many backups under load restores to what was answered before it', async (context) => {
  const folder = await temporaryDirectory(context)
  const directory = join(folder, 'data')
  const db = await openPglite({ directory })
  await migrate(db, migrationsFolder)
  const service = await startService(db, { workers: 1 })
  closeBeforeRemoval(context, service)
  closeBeforeRemoval(context, db)
  const { ask } = service
  const { depositId } = await openDeposit(ask, { amount: '1000000.00' })
  for (let number = 0; number < BACKUPS; number += 1) {
    const load = startLoad(ask, depositId)
    await load.untilAnswered(AT_ONCE)
    const answeredBefore = [...load.answered]
    const file = join(folder, `${number}.tar.gz`)
    await backUp({ db, clock: () => new Date(), directory, file })
    // As many as are asked for at once may have been sent before; the answers after those were asked for later.
    const sentBefore = load.answered.length + AT_ONCE
    await load.untilAnswered(sentBefore + 1)
    const askedLater = load.answered.slice(sentBefore)
    await load.stop()
    await assertRestored(file, join(folder, `to-${number}`), { answeredBefore, askedLater })
    await rm(file)
  }
})

function startLoad(ask: Ask, depositId: string) {
  const answered: string[] = []
  let isStopped = false
  const waiting = new Set<() => void>()
  const liquidate = async () => {
    while (!isStopped) {
      const part = { liquidation_type: 'PARTIAL', amount: 1 }
      const { status, json } = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, part)
      // While files are copied requests wait, and where that takes too long they are rejected.
      assert([200, 503].includes(status))
      if (status === 200) answered.push(json.data.liquidation_id)
      for (const look of waiting) look()
    }
  }
  const running = Array.from({ length: AT_ONCE }, liquidate)
  return {
    answered,
    untilAnswered(count: number) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const look = () => {
        if (answered.length < count) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      return promise
    },
    async stop() {
      isStopped = true
      await Promise.all(running)
    },
  }
}

async function assertRestored(
  file: string,
  to: string,
  expected: { answeredBefore: readonly string[]; askedLater: readonly string[] },
): Promise<void> {
  const { code, stderr } = await run(['restore', file, '--to', to])
  assert.equal(code, 0, stderr)
  const db = await openPglite({ directory: to })
  try {
    const rows = await db.query<{ liquidation_id: string }>('select liquidation_id from liquidations')
    const found = new Set(rows.map((row) => row.liquidation_id))
    assert.deepEqual(
      expected.answeredBefore.filter((id) => !found.has(id)),
      [],
    )
    assert.deepEqual(
      expected.askedLater.filter((id) => found.has(id)),
      [],
    )
    await audit(db)
  } finally {
    await db.close()
    await rm(to, { recursive: true })
  }
}
