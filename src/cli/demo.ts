/**
 * The demo bank, its test key, and the people who work there.
 *
 * On the embedded engine its key, the ids of the printed requests and the passwords of its people are stored in
 * DATA_DIR, readable by its owner only. A lost or revoked key is replaced by a new one, a deposit that can no longer be
 * broken by another; where none is left, only --reset makes a new bank. With DATABASE_URL nothing is stored: each run
 * makes another caller with its own demo bank.
 */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { ICON_FILE } from '../console/frame.ts'
import { OPERATOR } from '../domain/actor.ts'
import { FULL_AUTHORITY } from '../domain/authority.ts'
import type { Database, Queries } from '../engine/database/database.ts'
import { hashSecret } from '../engine/database/secrets.ts'
import { createApiKey } from '../features/api-keys/changes.ts'
import { findByHash } from '../features/api-keys/store.ts'
import { createCaller } from '../features/callers/changes.ts'
import { type Caller, findBook, listCallers, updateSender } from '../features/callers/store.ts'
import { findDeposit, listDeposits } from '../features/deposits/store.ts'
import { listPeople } from '../features/people/store.ts'
import type { Environment } from './command.ts'
import type { Service } from './compose.ts'
import { baseUrl, readConfig } from './config.ts'
import { createServiceOver, withDatabase } from './database.ts'
import {
  DEMO_CALLER,
  DEMO_LIMIT,
  DEMO_MEMBERS,
  DEMO_REMAINING_MIN,
  DEMO_RULES_VERSION,
  type Demo,
  type FoundDemo,
  furnishDemoBank,
  leaveRequestWaiting,
} from './demo-bank.ts'
import type { Staff } from './demo-life.ts'
import { employDemoPeople } from './demo-people.ts'
import { print, printJson } from './output.ts'
import { type Read, runRead } from './reads.ts'
import { demoRequests, USED_UP } from './welcome.ts'

export function addDemo(program: Command, env: Environment): void {
  program
    .command('demo')
    .description(
      'Make a demo bank with customers and deposits, and print requests that break and update them.',
    )
    .option('--reset', 'Make a new demo bank, with a new key.')
    .option('--json', 'Print its key and ids as JSON.')
    .action(async (options: { reset?: true; json?: true }) => {
      const config = readConfig(env)
      const make = async (db: Database) => {
        const service = createServiceOver(db, config)
        const demo =
          config.databaseUrl === null
            ? await prepareDemo(service, config.dataDirectory, options)
            : await makeDemo(service, undefined)
        return { url: baseUrl(config), demo }
      }
      // A new bank is a change, which is not made over the socket of a running service.
      const { url, demo } = options.reset
        ? await withDatabase(config, make)
        : await runRead(config, demoRead, {}, make)
      if (options.json) return printJson(demo)
      print(`A demo bank is there. While the service runs:\n\n${demoRequests(url, demo)}`)
    })
}

export const demoRead: Read<{ url: string; demo: Demo }> = {
  name: 'demo',
  async answer({ url, ...source }) {
    const kept = await readDemo(demoPath(source.config.dataDirectory))
    const demo =
      kept !== null && (await opens(source, kept.test_key)) ? await withLiveDeposits(source, kept) : null
    if (demo !== null) return { url, demo }
    throw new Error(USED_UP)
  },
}

/** A directory without callers gets the demo bank; one that has other callers is left alone. */
export async function demoAtStart(service: Service, directory: string): Promise<FoundDemo | null> {
  const callers = await listCallers(service.db)
  if (callers.some(isDemoCaller)) return findOrRepairDemo(service, directory)
  return callers.length === 0 ? { demo: await prepareDemo(service, directory), isUsedUp: false } : null
}

/** What the reference fills its samples with. */
export function demoSamples(demo: Demo): { key: string; depositId: string; customerId: string } {
  return { key: demo.test_key, depositId: demo.partial_deposit_id, customerId: demo.customer_id }
}

/** The demo bank of a data directory, made or completed where needed. */
export async function prepareDemo(
  service: Service,
  directory: string,
  options: { reset?: boolean | undefined } = {},
): Promise<Demo> {
  const found = options.reset ? null : await findOrRepairDemo(service, directory)
  if (found?.isUsedUp) throw new Error(USED_UP)
  if (found !== null) return found.demo
  const made = await makeDemo(service, undefined)
  await writeDemo(demoPath(directory), made)
  return made
}

/** null: there is no demo bank. */
async function findOrRepairDemo(service: Service, directory: string): Promise<FoundDemo | null> {
  const path = demoPath(directory)
  let demo = await readDemo(path)
  if (demo === null || !(await opens(service, demo.test_key))) {
    const caller = (await listCallers(service.db)).findLast(isDemoCaller)
    if (caller === undefined) return null
    demo = await makeDemo(service, caller)
  }
  if (demo.people.length === 0) demo = { ...demo, people: await employPeople(service, demo.caller_id) }
  const live = await withLiveDeposits(service, demo)
  await writeDemo(path, live ?? demo)
  return { demo: live ?? demo, isUsedUp: live === null }
}

/** The same demo bank with deposits that the printed requests can break; null where it has none. */
async function withLiveDeposits(
  { db, momentIn }: { db: Queries; momentIn: Service['momentIn'] },
  demo: Demo,
): Promise<Demo | null> {
  const book = await findBook(db, { callerId: demo.caller_id, mode: 'test' })
  if (book === undefined) return null
  const { today } = await momentIn(book)
  const kept = [demo.partial_deposit_id, demo.full_deposit_id].map((id) => findDeposit(db, book.bookId, id))
  const page = { limit: CANDIDATES_MAX, before: null }
  const { items } = await listDeposits(db, book.bookId, { status: 'ACTIVE', maturesAfter: today }, page)
  const candidates = [...(await Promise.all(kept)), ...items].filter((deposit) => deposit !== undefined)
  const live = candidates.filter(
    ({ status, maturityDate, rulesVersion }) =>
      // Rules that a user has written since may forbid what the requests do.
      status === 'ACTIVE' && maturityDate > today && rulesVersion <= DEMO_RULES_VERSION,
  )
  const partial = live.find(({ remaining }) => remaining >= DEMO_REMAINING_MIN)
  const full = live.find(
    ({ depositId, remaining, lien }) =>
      depositId !== partial?.depositId && remaining < DEMO_LIMIT && lien === 0n,
  )
  if (partial === undefined || full === undefined) return null
  return { ...demo, partial_deposit_id: partial.depositId, full_deposit_id: full.depositId }
}

const CANDIDATES_MAX = 100

export function demoPath(directory: string): string {
  return join(directory, 'demo.json')
}

function isDemoCaller(caller: Caller): boolean {
  return caller.name === DEMO_CALLER.name
}

const DEMO_ADDRESS = '12 Marina Road, Lagos'
const DEMO_LOGO = `data:image/svg+xml;base64,${btoa(ICON_FILE)}`

async function makeDemo(service: Service, existing: Caller | undefined): Promise<Demo> {
  const { db, clock } = service
  const at = clock()
  const callerId = existing?.callerId ?? (await createCaller(db, { ...DEMO_CALLER, at })).caller.callerId
  await updateSender(db, callerId, { name: null, language: null, address: DEMO_ADDRESS, logo: DEMO_LOGO })
  const book = await findBook(db, { callerId, mode: 'test' })
  if (book === undefined) throw new Error(`The caller ${callerId} has no test book.`)
  // People first: the policy asks for one who can decide.
  const people = await employPeople(service, callerId)
  const staff = await findStaff(service, callerId)
  const records = await furnishDemoBank(service, book, staff)
  if (staff !== null) {
    await leaveRequestWaiting(service, { book, depositId: records.waitingDepositId, clerk: staff.clerk })
  }
  const issued = await createApiKey(
    service,
    { book, actor: OPERATOR, requestId: null, idempotency: null },
    { name: 'Demo key', scopes: ['*'], expiresAt: null, rateLimitPerMinute: null, held: FULL_AUTHORITY },
  )
  if (issued.outcome !== 'done') throw new Error('The key of the demo bank cannot be made.')
  return {
    caller_id: callerId,
    test_key: issued.value.key,
    customer_id: records.customerId,
    partial_deposit_id: records.partialDepositId,
    full_deposit_id: records.fullDepositId,
    people,
  }
}

async function employPeople(service: Service, callerId: string): Promise<Demo['people']> {
  const banks = (await listCallers(service.db)).filter(isDemoCaller)
  const number = banks.findIndex((bank) => bank.callerId === callerId) + 1
  return employDemoPeople(service, { callerId, number })
}

/** null: somebody removed them. */
async function findStaff(service: Service, callerId: string): Promise<Staff | null> {
  const { items } = await listPeople(service.db, callerId, { limit: PEOPLE_MAX, before: null })
  const clerk = items.find(({ role }) => role === 'CLERK')
  const supervisor = items.find(({ role }) => role === 'SUPERVISOR')
  return clerk === undefined || supervisor === undefined ? null : { clerk, supervisor }
}

const PEOPLE_MAX = 100

async function opens({ db }: { db: Queries }, key: string): Promise<boolean> {
  const known = await findByHash(db, hashSecret(key))
  return known !== undefined && known.key.revokedAt === null
}

/** null when there is no such file, or none that can be used. */
async function readDemo(path: string): Promise<Demo | null> {
  const text = await readFile(path, 'utf8').catch(() => '')
  try {
    const demo = JSON.parse(text)
    // A demo bank of an earlier version had no people.
    return DEMO_MEMBERS.every((member) => typeof demo[member] === 'string') ? { people: [], ...demo } : null
  } catch {
    return null
  }
}

/** Written to a temporary file and renamed: a crash leaves the whole file or none. */
async function writeDemo(path: string, demo: Demo): Promise<void> {
  const draft = `${path}.new`
  await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, path)
}
