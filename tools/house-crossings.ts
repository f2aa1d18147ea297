/**
 * How often one liquidation goes from a folder of src into another: a full liquidation of a plain deposit is sent through
 * the JSON door, with every exported function and every function of an exported table wrapped. A call into another folder
 * and its return are two crossings. Folders that hold values and arithmetic for all others are left out, and so are calls
 * by the libraries under the door and functions that a module makes by calling another.
 */
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { registerHooks } from 'node:module'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from '../src/engine/database/database.ts'

/** Anybody may use them at any time: to call them leads nowhere else. */
const FOR_ALL = ['domain', 'wire', 'words', 'engine/database', 'observe']
const SRC = fileURLToPath(new URL('../src', import.meta.url))

type Anything = (...args: unknown[]) => unknown

const here = new AsyncLocalStorage<string>()
const wrappers = new WeakSet<Anything>()
let isCounting = false
let calls: string[] = []

function wrapped(folder: string, work: Anything): Anything {
  if (wrappers.has(work) || FOR_ALL.includes(folder)) return work
  const wrapper: Anything = function wrapper(this: unknown, ...args) {
    const from = here.getStore()
    if (isCounting && from !== undefined && from !== folder) calls.push(`${from} → ${folder}: ${work.name}`)
    const result = here.run(folder, () => work.apply(this, args))
    return typeof result === 'function' ? wrapped(folder, result as Anything) : result
  }
  wrappers.add(wrapper)
  return wrapper
}

function wrapMembers(folder: string, table: Record<string, unknown> | readonly unknown[]): void {
  if (Object.isFrozen(table)) return
  for (const [name, value] of Object.entries(table)) {
    if (Array.isArray(table)) wrapMembers(folder, value as Record<string, unknown>)
    else if (typeof value === 'function') Object.assign(table, { [name]: wrapped(folder, value as Anything) })
  }
}

const EXPORTED_FUNCTION = /^export (?:async )?function (\w+)/gm
const EXPORTED_TABLE = /^export const (\w+)(?:: [^\n=]+)? = [[{]$/gm

function instrument(source: string, folder: string): string {
  const names = (pattern: RegExp) => [...source.matchAll(pattern)].map(([, name]) => name!)
  const lines = [
    ...names(EXPORTED_FUNCTION).map((name) => `${name} = crossings.wrapped('${folder}', ${name})`),
    ...names(EXPORTED_TABLE).map((name) => `crossings.wrapMembers('${folder}', ${name})`),
  ]
  return lines.length === 0
    ? source
    : `${source}\n{ const { crossings } = globalThis\n${lines.join('\n')} }\n`
}

/** Of one full liquidation, in their order. */
export async function crossingsOfLiquidation(): Promise<string[]> {
  Object.assign(globalThis, { crossings: { wrapped, wrapMembers } })
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const path = url.startsWith('file:') ? relative(SRC, fileURLToPath(url)) : '..'
      if (path.startsWith('..') || !path.endsWith('.ts') || loaded.source == null) return loaded
      return { ...loaded, source: instrument(String(loaded.source), dirname(path)) }
    },
  })
  const { openPglite } = await import('../src/engine/embedded/pglite.ts')
  const { migrate } = await import('../src/engine/database/migrations.ts')
  const db = await openPglite({})
  await migrate(db, fileURLToPath(new URL('../migrations', import.meta.url)))
  const { ask, close } = await openBank(db)
  const customer = { first_name: 'Ada', last_name: 'Obi', email: 'ada@example.com', address: 'Lagos' }
  const owner = await ask('/v2/customer', { ...customer, phone_number: '+2348012345678' })
  const { account_number } = await ask('/v2/accounts', { customer_id: owner.customer_id })
  await ask(`/v2/accounts/${account_number}/credits`, { amount: 1_000 })
  const liquidate = async () => {
    const terms = { account_number, amount: 100, tenor: 90, interest_rate: 10 }
    const { deposit_id } = await ask('/v2/fixed-deposits', terms)
    calls = []
    isCounting = true
    await here.run('http', () =>
      ask(`/v2/fixed-deposits/${deposit_id}/liquidate`, { liquidation_type: 'FULL' }),
    )
    isCounting = false
    return calls
  }
  // The first one reads the rules, which the second knows.
  await liquidate()
  const counted = await liquidate()
  await close()
  await db.close()
  return counted
}

const CONNECTION_LIMITS = {
  requestTimeoutMs: 60_000,
  headersTimeoutMs: 60_000,
  keepAliveTimeoutMs: 60_000,
  answerTimeoutMs: 60_000,
  connectionsMax: 10,
}

/** A test book, and how to send it a request. */
async function openBank(db: Database) {
  const { createService } = await import('../src/cli/compose.ts')
  const { createCaller } = await import('../src/features/callers/changes.ts')
  const { buildServer } = await import('../src/http/server.ts')
  const at = new Date('2026-07-01T09:30:00.000Z')
  const service = createService({ db, clock: () => at, limits: { workers: 1, batchMax: 1, queueMax: 100 } })
  const limits = { ...CONNECTION_LIMITS, bodyMaxBytes: 65_536, inFlightMax: 10 }
  const unlimited = { rateLimitPerMinute: 0, failedAuthenticationsPerMinute: 0 }
  const app = await buildServer({ service, limits: { ...limits, ...unlimited }, log: () => {} })
  const { keys } = await createCaller(db, { name: 'Bank', timeZone: 'Africa/Lagos', currency: 'NGN', at })
  return {
    close: () => app.close(),
    async ask(url: string, body: object): Promise<Record<string, string>> {
      const headers = { authorization: `Bearer ${keys[0]!.key}`, 'content-type': 'application/json' }
      const { statusCode, payload } = await app.inject({ method: 'POST', url, headers, payload: body })
      assert(statusCode < 300, payload)
      return JSON.parse(payload).data
    },
  }
}
