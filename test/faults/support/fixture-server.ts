/**
 * The service as a process of its own that ends itself, as by kill −9, at the n-th point around its database calls. The
 * test that started it says when to count and where to end, and reads its database through it.
 * Points inside and outside of transactions are counted apart: a key is read only when it was not read just before.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { readConfig } from '../../../src/cli/config.ts'
import { createServiceOver, openDatabase } from '../../../src/cli/database.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import { buildServer } from '../../../src/http/server.ts'
import { testLimits } from '../../support/service.ts'
import { through } from '../../support/through.ts'
import { actOnPerson, type PersonAct, type PersonActed } from './person-acts.ts'

export type ToFixture =
  | { kind: 'arm'; end: End | null }
  | { kind: 'points' }
  | { kind: 'query'; text: string; values: readonly unknown[] }
  | { kind: 'act'; act: PersonAct }
export type End = { within: 'transaction' | 'query'; at: number }
export type FromFixture =
  | { kind: 'listening'; port: number }
  | { kind: 'armed' }
  | { kind: 'points'; count: number }
  | { kind: 'rows'; rows: unknown[] }
  | { kind: 'acted'; answer: PersonActed }
  | { kind: 'failed'; message: string }

let points = { transaction: 0, query: 0 }
let committed = false
let end: End | null = null

const config = readConfig(process.env)
const { db } = await openDatabase(config)
const service = createServiceOver(pointed(db), config)
const app = await buildServer({ service, limits: testLimits, log: () => undefined })
await app.listen({ host: '127.0.0.1', port: 0 })

process.on('message', async (message: ToFixture) => {
  switch (message.kind) {
    case 'arm':
      points = { transaction: 0, query: 0 }
      committed = false
      end = message.end
      return say({ kind: 'armed' })
    case 'points':
      return say({ kind: 'points', count: points.transaction })
    case 'query':
      try {
        say({ kind: 'rows', rows: await db.query(message.text, message.values) })
      } catch (error) {
        say({ kind: 'failed', message: String(error) })
      }
      return
    case 'act':
      return say({ kind: 'acted', answer: await actOnPerson(service, message.act) })
    default:
      message satisfies never
  }
})
say({ kind: 'listening', port: (app.server.address() as AddressInfo).port })
await once(process, 'disconnect')
process.exit()

function say(message: FromFixture): void {
  process.send?.(message)
}

/** Every place where the process waits for its database, before and after. */
function pointed(inner: Database): Database {
  return {
    ...inner,
    query: (text, values) => around('query', () => inner.query(text, values)),
    async transaction(work) {
      const result = await inner.transaction(async (tx) => {
        point('transaction')
        const made = await through(
          (text, values) => around('transaction', () => tx.query(text, values)),
          work,
        )
        point('transaction')
        return made
      })
      committed = true
      point('transaction')
      return result
    },
  }
}

async function around<Result>(within: End['within'], work: () => Promise<Result>): Promise<Result> {
  point(within)
  const result = await work()
  point(within)
  return result
}

function point(within: End['within']): void {
  points[within] += 1
  if (end?.within !== within || end.at !== points[within]) return
  // Written synchronously, as the last output of the process.
  writeSync(process.stdout.fd, committed ? 'committed' : 'not committed')
  process.kill(process.pid, 'SIGKILL')
  // Nothing more runs, although the signal may take a moment.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
