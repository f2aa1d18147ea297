/**
 * `node bench/seals.ts [--events 1000000]`: what seals cost on PostgreSQL. Liquidations in turns with and without the sealing
 * of as many changes beside them, of which the median ratio counts; then a book of many events that were never sealed, each
 * with its ledger entry: how long it takes to seal them, and to verify the seals.
 */
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ordinalAt } from '../src/engine/database/ids.ts'
import { migrate } from '../src/engine/database/migrations.ts'
import { openPostgres } from '../src/engine/database/postgres.ts'
import { hashSecret } from '../src/engine/database/secrets.ts'
import { findByHash } from '../src/features/api-keys/store.ts'
import { createCaller } from '../src/features/callers/changes.ts'
import { looksAtSeals } from '../src/features/seals/claims.ts'
import { sealPass } from '../src/features/seals/job.ts'
import { LOOKS_TOGETHER } from '../src/features/verification/verify.ts'
import { startPostgresServer } from '../test/support/postgres-server.ts'
import { fundedAccount, startService } from '../test/support/service.ts'

const { values: options } = parseArgs({ options: { events: { type: 'string', default: '1000000' } } })
const EVENTS = Number(options.events)
const TURNS = 15
const LIQUIDATIONS = 5_000
const CONNECTIONS = 64
const LOADED_AT_ONCE = 50_000

const server = await startPostgresServer(['shared_buffers=256MB'])
if (typeof server === 'string') throw new Error(server)
const db = await openPostgres({
  url: server.url,
  connectionsMax: 10,
  durabilityChecked: false,
  statementTimeoutMs: 60_000,
  queryTimeoutMs: 60_000,
})
await migrate(db, fileURLToPath(new URL('../migrations', import.meta.url)))
const bank = await startService(db)

for (let warm = 0; warm < 2; warm += 1) await liquidationsPerSecond()
await sealAll()
const ratios: number[] = []
for (let turn = 0; turn < TURNS; turn += 1) {
  const alone = await liquidationsPerSecond()
  const [beside] = await Promise.all([liquidationsPerSecond(), sealAll()])
  ratios.push(beside / alone)
  await sealAll()
}
ratios.sort((one, other) => one - other)
print(`liquidations beside the sealing of as many: ${ratios[TURNS >> 1]!.toFixed(2)} of those without`)

const { bookId } = await loadPast()
const [sealSeconds, sealed] = await timed(sealAll)
assert.equal(sealed, EVENTS)
print(`${EVENTS} events and their entries sealed in ${sealSeconds.toFixed(1)} s`)
const [verifySeconds, seals] = await timed(verifySeals)
print(`${seals} seals verified in ${verifySeconds.toFixed(1)} s`)
await bank.close()
await db.close()
await server.stop()

async function liquidationsPerSecond(): Promise<number> {
  const { accountNumber } = await fundedAccount(bank.ask, 10_000_000)
  const opened = await bank.ask('POST', '/v2/fixed-deposits', {
    ...{ account_number: accountNumber, amount: 10_000_000, tenor: 365, interest_rate: 10 },
  })
  const path = `/v2/fixed-deposits/${opened.json.data.deposit_id}/liquidate`
  let left = LIQUIDATIONS
  const connection = async () => {
    while (left-- > 0) {
      const { status } = await bank.ask('POST', path, { liquidation_type: 'PARTIAL', amount: 100 })
      assert.equal(status, 200)
    }
  }
  const [seconds] = await timed(() => Promise.all(Array.from({ length: CONNECTIONS }, connection)))
  return LIQUIDATIONS / seconds
}

/** Returns how many events were sealed. */
async function sealAll(): Promise<number> {
  for (let events = 0; ; ) {
    const run = await sealPass(bank.service, { marginMs: 0 })
    assert.deepEqual(run.failed, [])
    events += run.events
    if (!run.hasMore) return events
  }
}

/** Another caller's book with copies of one liquidation: its event and its entry. */
async function loadPast(): Promise<{ bookId: string }> {
  const past = { name: 'Old Bank', timeZone: 'UTC', currency: 'NGN', at: new Date() }
  const { key } = (await createCaller(db, past)).keys[0]!
  const { book } = (await findByHash(db, hashSecret(key)))!
  await sealAll()
  // Behind what is sealed of the book by now, and before the present.
  const first = ordinalAt(new Date())
  for (let from = 1; from <= EVENTS; from += LOADED_AT_ONCE) {
    const numbers = [book.bookId, first, from, Math.min(from + LOADED_AT_ONCE - 1, EVENTS)]
    await db.query(copiesOf('events', 'event_id', `event_id || '_' || n`), numbers)
    await db.query(
      copiesOf('ledger_entries', 'entry_id', `'le_' || lpad(($2::bigint + n)::text, 24, '0')`),
      numbers,
    )
  }
  await db.script('vacuum analyze events, ledger_entries')
  return book
}

function copiesOf(table: 'events' | 'ledger_entries', key: string, keyOfCopy: string): string {
  const newest =
    table === 'events'
      ? `where type = 'fixed_deposit.partially_liquidated'`
      : `where liquidation_id is not null`
  const row = `jsonb_build_object('book_id', $1::text, '${key}', ${keyOfCopy}, 'ordinal', $2::bigint + n)`
  return `
    insert into ${table}
    select copy.*
    from (select * from ${table} ${newest} limit 1) as sample
    cross join generate_series($3::bigint, $4::bigint) as n
    cross join jsonb_populate_record(sample::${table}, ${row}) as copy`
}

/** As `verify` does. */
async function verifySeals(): Promise<number> {
  let seals = 0
  const looks = looksAtSeals(db, bookId)
  const takeLooks = async () => {
    for await (const { seals: looked, look } of looks) {
      assert.equal(await look(), null)
      seals += looked
    }
  }
  await Promise.all(Array.from({ length: LOOKS_TOGETHER }, takeLooks))
  return seals
}

async function timed<Result>(work: () => Promise<Result>): Promise<[seconds: number, result: Result]> {
  const startedMs = performance.now()
  const result = await work()
  return [(performance.now() - startedMs) / 1000, result]
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
