/**
 * `node bench/search.ts [--customers 1000000] [--only PostgreSQL|PGlite]`: how long `GET /v2/customer?q=` takes on a book of
 * many customers, on each engine. Customers are written by the database itself, as the service would have written them.
 * Names are as unequal as those of people: the most common first name belongs to one customer in fourteen.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createService } from '../src/cli/compose.ts'
import type { Database } from '../src/engine/database/database.ts'
import { migrate } from '../src/engine/database/migrations.ts'
import { openPostgres } from '../src/engine/database/postgres.ts'
import { hashSecret } from '../src/engine/database/secrets.ts'
import { openPglite } from '../src/engine/embedded/pglite.ts'
import { findByHash } from '../src/features/api-keys/store.ts'
import { createCaller } from '../src/features/callers/changes.ts'
import { buildServer } from '../src/http/server.ts'
import { startPostgresServer } from '../test/support/postgres-server.ts'

const { values: options } = parseArgs({
  options: { customers: { type: 'string', default: '1000000' }, only: { type: 'string' } },
})
const customers = Number(options.customers)
const LOADED_AT_ONCE = 50_000
const ROUNDS = 30
/** Until what runs was compiled: a service runs for days. */
const WARMING_ROUNDS = 90
const LIMITS = {
  bodyMaxBytes: 65_536,
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 10_000,
  keepAliveTimeoutMs: 5_000,
  answerTimeoutMs: 10_000,
  connectionsMax: 10,
  inFlightMax: 10,
  rateLimitPerMinute: 0,
  failedAuthenticationsPerMinute: 0,
}
const migrations = fileURLToPath(new URL('../migrations', import.meta.url))

if (options.only !== 'PGlite') {
  const server = await startPostgresServer(['shared_buffers=256MB'])
  if (typeof server === 'string') throw new Error(server)
  try {
    await run(
      'PostgreSQL',
      await openPostgres({ url: server.url, connectionsMax: 10, durabilityChecked: false }),
    )
  } finally {
    await server.stop()
  }
}
if (options.only !== 'PostgreSQL') {
  const directory = mkdtempSync(join(tmpdir(), 'breakwater-search-'))
  try {
    await run('PGlite', await openPglite({ directory }))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function run(engine: string, db: Database): Promise<void> {
  await migrate(db, migrations)
  const clock = () => new Date()
  const service = createService({ db, clock, limits: { workers: 1, batchMax: 1, queueMax: 1 } })
  const app = await buildServer({ service, limits: LIMITS, log: () => {} })
  const bank = { name: 'Bench Bank', timeZone: 'UTC', currency: 'NGN', at: clock() }
  const { key } = (await createCaller(db, bank)).keys[0]!
  const { book } = (await findByHash(db, hashSecret(key)))!
  const headers = { authorization: `Bearer ${key}` }
  const startedMs = performance.now()
  for (let from = 0; from < customers; from += LOADED_AT_ONCE)
    await db.script(loadingScript(book.bookId, from, Math.min(from + LOADED_AT_ONCE, customers)))
  for (const table of ['customers', 'customer_words']) await db.script(`vacuum analyze ${table}`)
  const loadedS = Math.round((performance.now() - startedMs) / 1000)
  console.log(`${engine}: ${customers} customers loaded in ${loadedS} s`)

  const common = 'babababa'
  const [rare] = await db.query<{ first: string; last: string; email: string; phone: string; own: string }>(
    `select first_name as first, last_name as last, email, phone_digits as phone, external_id as own
     from customers
     where book_id = $1
       and ordinal = $2`,
    [book.bookId, BigInt(Math.floor(customers / 2))],
  )
  const questions: Record<string, string> = {
    'first letter of a name': common.slice(0, 1),
    'most common first name': common,
    'first and last name': `${rare!.first} ${rare!.last}`,
    'most common first name and a last name': `${common} ${rare!.last}`,
    'most common first name and one letter': `${common} ${rare!.last.slice(0, 1)}`,
    'a last name and the beginning of the most common first name': `${rare!.last} ${common.slice(0, 2)}`,
    'common first name and a last name that nobody has': `${common} zz`,
    'two common first names that nobody has together': `${common} zosezoba`,
    'beginning of an e-mail address': rare!.email.slice(0, 9),
    'last four digits of a telephone number': rare!.phone.slice(-4),
    'whole telephone number': rare!.phone,
    'telephone number as it is said in the country': `0${rare!.phone.slice(3)}`,
    'beginning of a telephone number, as in the country': `0${rare!.phone.slice(3, 6)}`,
    'six digits in the middle of a telephone number': rare!.phone.slice(4, 10),
    'a last name with one typing error': `${rare!.last.slice(0, 2)}q${rare!.last.slice(2)}`,
    external_id: rare!.own,
    nobody: 'xyzzy',
  }
  for (const [what, typed] of Object.entries(questions)) {
    const took: number[] = []
    let found = 0
    for (let round = -WARMING_ROUNDS; round < ROUNDS; round += 1) {
      const sentMs = performance.now()
      const answer = await app.inject({ url: `/v2/customer?q=${encodeURIComponent(typed)}`, headers })
      if (round >= 0) took.push(performance.now() - sentMs)
      found = answer.json().data.length
    }
    took.sort((left, right) => left - right)
    const at = (share: number) => took[Math.floor((took.length - 1) * share)]!.toFixed(1)
    console.log(`${engine} | ${what} | ${found} | ${at(0)} | ${at(0.5)} | ${at(0.95)}`)
  }
  await app.close()
  await db.close()
}

/** 400 first and 20,000 last names of three or four syllables; some of them far more common than others. */
function loadingScript(bookId: string, from: number, to: number): string {
  const syllables = `(array['ba','chi','da','e','fu','go','ha','i','ka','lo','ma','ne','o','pa','ra','se','ta','u','we','zo'])`
  const name = (number: string) =>
    [1, 20, 400, 8_000].map((divisor) => `${syllables}[(${number} / ${divisor}) % 20 + 1]`).join(' || ')
  return `
    begin;
    create temporary table loaded on commit drop as
    select n,
           'cus_' || substr(md5('${bookId} ' || n), 1, 24) as customer_id,
           ${name('first_number * 7919')} as first,
           ${name('last_number * 7919 + 7')} as last,
           '234' || lpad(((n::bigint * 7654321) % 10000000000)::text, 10, '0') as digits
    from (
      select n,
             floor(power(random(), 2.2) * 400)::int as first_number,
             floor(power(random(), 1.5) * 20000)::int as last_number
      from generate_series(${from}, ${to - 1}) as n
    ) as drawn;

    insert into customers (
      book_id, customer_id, ordinal, first_name, last_name, email, phone_number, address, created_at, updated_at,
      email_key, phone_digits, phone_digits_reversed, phone_key, external_id)
    select '${bookId}', customer_id, n + 1, initcap(first), initcap(last), first || '.' || last || n || '@example.com',
           '+' || digits, '12 Marina Road, Lagos', now(), now(),
           first || '.' || last || n || '@example.com', digits, reverse(digits), digits, 'CIF-' || lpad(n::text, 8, '0')
    from loaded;

    insert into customer_words (book_id, word, customer_id)
    select '${bookId}', first, customer_id from loaded
    union
    select '${bookId}', last, customer_id from loaded;
    commit;`
}
