/** A whole service that records every log line, and callers with both their books. */
import type { FastifyInstance } from 'fastify'
import { createService, type Service } from '../../../src/cli/compose.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import type { IssuedKey } from '../../../src/features/api-keys/changes.ts'
import { createCaller } from '../../../src/features/callers/changes.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { createAddressGuard } from '../../../src/features/webhooks/address-guard.ts'
import { buildServer } from '../../../src/http/server.ts'
import { createLog, type Log } from '../../../src/observe/log.ts'
import { issueKey } from '../../support/keys.ts'
import { type Ask, createAsk, testLimits } from '../../support/service.ts'

export const NOW = new Date('2026-07-01T10:00:00.000Z')

export type Book = {
  mode: 'test' | 'live'
  key: string
  ask: Ask
  issue: (scopes: string[]) => Promise<IssuedKey>
}

export type Bank = {
  app: FastifyInstance
  service: Service
  log: Log
  askWith: (key: string) => Ask
  newCaller: (name: string) => Promise<{ test: Book; live: Book }>
  /** What was logged since the last call. */
  takeLog: () => string
}

export async function startBank(
  db: Database,
  { loopbackAllowed = false }: { loopbackAllowed?: boolean } = {},
): Promise<Bank> {
  let logged = ''
  const log = createLog({
    level: 'debug',
    clock: () => NOW,
    write: (lines) => {
      logged += lines
    },
  })
  const service = {
    ...createService({ db, clock: () => NOW, limits: { workers: 2, batchMax: 256, queueMax: 5_000 } }),
    // No name is looked up: a name without an address may be registered, and nothing is sent to it.
    addressGuard: createAddressGuard({ loopbackAllowed, resolve: async () => [] }),
  }
  const app = await buildServer({ service, limits: testLimits, log })
  const askWith = createAsk(app)
  return { app, service, log, askWith, newCaller, takeLog }

  async function newCaller(name: string): Promise<{ test: Book; live: Book }> {
    const terms = { name, timeZone: 'Africa/Lagos', currency: 'NGN', at: NOW }
    const { caller, keys } = await createCaller(db, terms)
    const bookOf = async ({ key, mode }: IssuedKey): Promise<Book> => {
      const book = (await findBook(db, { callerId: caller.callerId, mode }))!
      const issue = (scopes: string[]) => issueKey(db, book, { scopes, at: NOW })
      return { mode, key, ask: askWith(key), issue }
    }
    return { test: await bookOf(keys[0]!), live: await bookOf(keys[1]!) }
  }

  function takeLog(): string {
    const taken = logged
    logged = ''
    return taken
  }
}
