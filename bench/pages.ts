/**
 * `node bench/pages.ts`: the CPU time of the service for each page of the console, and what a clerk who loads five pages a
 * second costs the liquidations beside. Turns with and without the clerk alternate; the median of their ratios counts.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { migrate } from '../src/engine/database/migrations.ts'
import { openPostgres } from '../src/engine/database/postgres.ts'
import { openConsole } from '../test/console/office.ts'
import { startPostgresServer } from '../test/support/postgres-server.ts'
import { fundedAccount, openDeposit, replaceRules } from '../test/support/service.ts'

const LOADS = 50
/** Of all pages in turn; the median counts. */
const ROUNDS = 9
/** Until what runs was compiled: a service runs for days. */
const WARMING_LOADS = 300
const TURNS = 25
const BUSY_TURNS = 5
const LIQUIDATIONS = 2_000
const CONNECTIONS = 64
const PAGES_PER_SECOND = 5

const server = await startPostgresServer(['shared_buffers=256MB'])
if (typeof server === 'string') throw new Error(server)
const db = await openPostgres({ url: server.url, connectionsMax: 10, durabilityChecked: false })
await migrate(db, fileURLToPath(new URL('../migrations', import.meta.url)))
const office = await openConsole(db)
await replaceRules(office.ask, {
  penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 50 }] }],
})
const { depositId, customerId } = await openDeposit(office.ask, {
  amount: 500_000,
  start_date: '2026-05-01',
})
// A busy day: no page may read each of its liquidations.
let liquidating = 0
for (let turn = 0; turn < BUSY_TURNS; turn += 1) await liquidationsPerSecond()
const clerk = await office.visit(await office.employ('SUPERVISOR'))

const deposit = `/deposits/${depositId}`
const quote = `${deposit}?type=PARTIAL&amount=50000`
const pages: [name: string, path: string, headers?: Record<string, string>][] = [
  ['home', '/'],
  ['search', '/search?q=ada'],
  ['customer', `/customers/${customerId}`],
  ['deposits', '/deposits'],
  ['deposit', deposit],
  ['a new quote', quote, { 'x-part': 'quote' }],
  ['rules', '/rules'],
  ['daily report', '/report'],
  ['audit log', '/audit'],
]
for (const [, path, headers] of pages) await load(path, headers, WARMING_LOADS)
const costs = pages.map((): number[] => [])
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [index, [, path, headers]] of pages.entries()) costs[index]!.push(await cpuMsOf(path, headers))
}
for (const [index, [name]] of pages.entries()) {
  process.stdout.write(`${name}: ${median(costs[index]!).toFixed(1)} ms of CPU\n`)
}

const ratios: number[] = []
for (let turn = 0; turn < TURNS; turn += 1) {
  const alone = await liquidationsPerSecond()
  const [beside] = await Promise.all([liquidationsPerSecond(), loadPages()])
  ratios.push(beside! / alone)
}
process.stdout.write(
  `liquidations beside ${PAGES_PER_SECOND} pages a second: ${median(ratios).toFixed(2)} of those without\n`,
)
await office.close()
await db.close()
await server.stop()

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1]!
}

async function cpuMsOf(path: string, headers?: Record<string, string>): Promise<number> {
  const before = process.cpuUsage()
  await load(path, headers, LOADS)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / LOADS
}

async function load(path: string, headers: Record<string, string> | undefined, times: number): Promise<void> {
  for (let loaded = 0; loaded < times; loaded += 1) {
    const { status } = await clerk.get(path, headers)
    assert.equal(status, 200, path)
  }
}

async function liquidationsPerSecond(): Promise<number> {
  const { accountNumber } = await fundedAccount(office.ask, 10_000_000)
  const opened = await office.ask('POST', '/v2/fixed-deposits', {
    ...{ account_number: accountNumber, amount: 10_000_000, tenor: 365, interest_rate: 10 },
  })
  const path = `/v2/fixed-deposits/${opened.json.data.deposit_id}/liquidate`
  const part = { liquidation_type: 'PARTIAL', amount: 100 }
  let left = LIQUIDATIONS
  liquidating += 1
  const started = performance.now()
  const connection = async () => {
    while (left-- > 0) assert.equal((await office.ask('POST', path, part)).status, 200)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  liquidating -= 1
  return LIQUIDATIONS / ((performance.now() - started) / 1000)
}

async function loadPages(): Promise<void> {
  for (let page = 0; liquidating > 0 || page === 0; page += 1) {
    const [, path, headers] = pages[page % pages.length]!
    await clerk.get(path, headers)
    await sleep(1000 / PAGES_PER_SECOND)
  }
}
