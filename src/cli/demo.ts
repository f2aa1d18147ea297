/**
 * The demo bank and the test key that opens it.
 *
 * On the embedded engine there is one demo bank. Its key and the ids of the printed requests are kept in DATA_DIR, readable
 * by its owner only; a lost or revoked key is replaced by a new one. With DATABASE_URL nothing is kept: each run makes a
 * further caller with its own demo bank.
 */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { OPERATOR } from '../domain/actor.ts'
import { createApiKey } from '../features/api-keys/changes.ts'
import { findByHash, hashSecretKey } from '../features/api-keys/store.ts'
import { createCaller } from '../features/callers/changes.ts'
import { type Caller, findBook, listCallers } from '../features/callers/store.ts'
import type { Environment } from './command.ts'
import type { Service } from './compose.ts'
import { readConfig } from './config.ts'
import { createServiceOver, withDatabase } from './database.ts'
import { DEMO_CALLER, furnishDemoBank } from './demo-bank.ts'
import { print, printJson } from './output.ts'
import { baseUrl, demoRequests } from './welcome.ts'

const DEMO_MEMBERS = [
  'caller_id',
  'test_key',
  'customer_id',
  'partial_deposit_id',
  'full_deposit_id',
] as const
export type Demo = Record<(typeof DEMO_MEMBERS)[number], string>

export function addDemo(program: Command, env: Environment): void {
  program
    .command('demo')
    .description(
      'Make a demo bank with customers and deposits, and print requests that break and update them.',
    )
    .option('--json', 'Print its key and ids as JSON.')
    .action(async (options: { json?: true }) => {
      const config = readConfig(env)
      const demo = await withDatabase(config, (db) => {
        const service = createServiceOver(db, config)
        return config.databaseUrl === null
          ? prepareDemo(service, config.dataDirectory)
          : makeDemo(service, undefined)
      })
      if (options.json) return printJson(demo)
      print(`A demo bank is there. While the service runs:\n\n${demoRequests(baseUrl(config), demo)}`)
    })
}

/** A directory without callers gets the demo bank; one that was given callers of its own is not written to unasked. */
export async function demoAtStart(service: Service, directory: string): Promise<Demo | null> {
  const callers = await listCallers(service.db)
  const wanted = callers.length === 0 || callers.some(isDemoCaller)
  return wanted ? prepareDemo(service, directory) : null
}

/** The demo bank of a data directory, made or completed where needed. */
export async function prepareDemo(service: Service, directory: string): Promise<Demo> {
  const path = demoPath(directory)
  const kept = await readDemo(path)
  if (kept !== null && (await opens(service, kept.test_key))) return kept
  const callers = await listCallers(service.db)
  const demo = await makeDemo(service, callers.find(isDemoCaller))
  await writeDemo(path, demo)
  return demo
}

export function demoPath(directory: string): string {
  return join(directory, 'demo.json')
}

function isDemoCaller(caller: Caller): boolean {
  return caller.name === DEMO_CALLER.name
}

async function makeDemo(service: Service, existing: Caller | undefined): Promise<Demo> {
  const { db, clock } = service
  const at = clock()
  const callerId = existing?.callerId ?? (await createCaller(db, { ...DEMO_CALLER, at })).caller.callerId
  const book = await findBook(db, { callerId, mode: 'test' })
  if (book === undefined) throw new Error(`The caller ${callerId} has no test book.`)
  const records = await furnishDemoBank(service, book)
  const issued = await createApiKey(
    service,
    { book, actor: OPERATOR, requestId: null, idempotency: null },
    { name: 'Demo key', scopes: ['*'], expiresAt: null, rateLimitPerMinute: null, heldScopes: ['*'] },
  )
  if (issued.outcome !== 'done') throw new Error('The key of the demo bank cannot be made.')
  return {
    caller_id: callerId,
    test_key: issued.value.key,
    customer_id: records.customerId,
    partial_deposit_id: records.partialDepositId,
    full_deposit_id: records.fullDepositId,
  }
}

async function opens(service: Service, key: string): Promise<boolean> {
  const known = await findByHash(service.db, hashSecretKey(key))
  return known !== undefined && known.key.revokedAt === null
}

/** null when there is no such file, or none that can be used. */
async function readDemo(path: string): Promise<Demo | null> {
  const text = await readFile(path, 'utf8').catch(() => '')
  try {
    const demo = JSON.parse(text)
    return DEMO_MEMBERS.every((member) => typeof demo[member] === 'string') ? demo : null
  } catch {
    return null
  }
}

/** Written aside and renamed: a crash leaves the whole file or none. */
async function writeDemo(path: string, demo: Demo): Promise<void> {
  const draft = `${path}.new`
  await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, path)
}
