/**
 * A new small world per seed, in milliseconds: two books copied from one that the service itself made. Both hold the same
 * ids but for one deposit and one customer each, so a statement that forgets its book touches the other one.
 */
import assert from 'node:assert/strict'
import type { Database, Queries } from '../../../src/engine/database/database.ts'
import { hashSecret, newSecretKey } from '../../../src/engine/database/secrets.ts'
import { sell, sheetAt } from '../../support/products.ts'
import { type Ask, fundedAccount, replaceRules, startService } from '../../support/service.ts'
import { type File, filesOf, sendFiles } from './batches.ts'
import type { ModelCalendar } from './calendars.ts'
import { agreedOf, MOVED_PRODUCTS, PRODUCTS, TENOR_MONTHS } from './model-of-interest.ts'
import {
  ADMINISTRATORS,
  earlierToken,
  employ,
  PERSON_IDS,
  type Standing,
  SUPERVISORS,
  setStanding,
} from './people.ts'
import { daysLater, lagosDate, MAKER, type ModelRules, RATE_PPM, TENOR_DAYS } from './state.ts'
import type { Operation, ProductCode, Subjects, TaxRules } from './workload.ts'

export type Template = { tables: readonly string[]; rows: readonly string[]; insert: string; names: Names }
type Names = {
  bookId: string
  callerId: string
  deposits: string[]
  customers: string[]
  accounts: string[]
  liquidations: string[]
  approvals: string[]
  lien: string
  batches: string[]
  maker: string
  people: string[]
  linkHash: string
}

const PRINCIPALS = [100_000n, 25_000_037n, 999_999_999_999n, 5_000_000n]
/** By product, from a month before. */
const SOLD: { code: ProductCode; amount: number }[] = [
  { code: 'MONTHLY', amount: 1_234_567.89 },
  { code: 'UPFRONT', amount: 500_000.01 },
  { code: 'QUARTERLY', amount: 777_777.77 },
  { code: 'MONTHLY', amount: 250_000.5 },
]
const OPENED_AT = '2026-01-01T10:00:00.000Z'
const SOLD_FROM = '2025-12-02'
const SUCCESSORS_START = agreedOf({ startDate: SOLD_FROM, productCode: SOLD[0]!.code })
/** In major units: all but a tenth of the largest deposit. */
const HELD_FROM = 9_000_000_000
const PERCENT = '37'
const PERCENT_OF = 'TERM_INTEREST'

export async function createTemplate(db: Database): Promise<Template> {
  const started = await startService(db, { now: OPENED_AT })
  const bank = { ...started, ask: started.askWith(started.liveKey) }
  const charge = [{ kind: 'PERCENT', of: PERCENT_OF, percent: Number(PERCENT) }]
  await replaceRules(bank.ask, {
    min_partial_amount: 20,
    min_remaining_principal: 150,
    penal_rules: [{ when: {}, terms: charge }],
  })
  const owners = [await fundedAccount(bank.ask, '20000000000'), await fundedAccount(bank.ask, '330000')]
  const deposits: string[] = []
  // The first and the third are paid back to the same account. The last one began a month before, and was broken in part.
  for (const [index, principal] of PRINCIPALS.entries()) {
    const terms = {
      account_number: owners[index % 2]!.accountNumber,
      tenor: TENOR_DAYS,
      interest_rate: RATE_PPM / 10_000,
      ...(index === 3 && { start_date: SOLD_FROM }),
    }
    const amount = `${principal / 100n}.${String(principal % 100n).padStart(2, '0')}`
    const body = `${JSON.stringify(terms).slice(0, -1)},"amount":${amount}}`
    const opened = await bank.ask('POST', '/v2/fixed-deposits', body)
    assert.equal(opened.status, 201, opened.text)
    deposits.push(opened.json.data.deposit_id)
  }
  deposits.push(...(await openByProducts(bank.ask, owners[0]!.accountNumber)))
  const liquidations = await breakByMistake(bank.ask, deposits)
  const rule = { operation: 'liquidateFixedDeposit', when: { amount: { gte: HELD_FROM } }, approvals: 2 }
  await bank.ask('PUT', '/v2/approval-policy', { expires_after_hours: 720, deciders: 'ANY', rules: [rule] })
  const approvals: string[] = []
  for (const depositId of [deposits[0], deposits[2]]) {
    const whole = { target_id: depositId, body: { liquidation_type: 'FULL' } }
    const asked = await bank.ask('POST', '/v2/approvals', { operation: 'liquidateFixedDeposit', ...whole })
    assert.equal(asked.status, 201, asked.text)
    approvals.push(asked.json.data.approval_id)
  }
  const held = { amount: 1_000, reason: 'Guarantee' }
  const placed = await bank.ask('POST', `/v2/fixed-deposits/${deposits[1]}/liens`, held)
  assert.equal(placed.status, 201, placed.text)
  const files = {
    deposits,
    accounts: owners.map((owner) => owner.accountNumber),
    customers: owners.map((owner) => owner.customerId),
  }
  const batches = await sendFiles(bank.ask, files)
  const maker = (await bank.ask('GET', '/v2/api-keys/current')).json.data.api_key_id
  const { ids: people, linkHash } = await employ(bank.service, bank.callerId)
  await bank.close()
  const [book] = await db.query<{ book_id: string }>(
    `select book_id from books where caller_id = $1 and mode = 'live'`,
    [bank.callerId],
  )
  return readTemplate(db, {
    bookId: book!.book_id,
    callerId: bank.callerId,
    ...files,
    liquidations,
    approvals,
    lien: placed.json.data.lien_id,
    batches,
    maker,
    people,
    linkHash,
  })
}

async function openByProducts(ask: Ask, accountNumber: string): Promise<string[]> {
  for (const code of new Set(SOLD.map((one) => one.code))) {
    await sell(ask, code, productOf(code), sheetAt(RATE_PPM / 10_000))
  }
  const deposits: string[] = []
  for (const { code, amount } of SOLD) {
    const terms = { account_number: accountNumber, amount, product_code: code }
    const sold = { ...terms, tenor_months: TENOR_MONTHS, start_date: SOLD_FROM }
    const opened = await ask('POST', '/v2/fixed-deposits', sold)
    assert.equal(opened.status, 201, opened.text)
    deposits.push(opened.json.data.deposit_id)
  }
  return deposits
}

/** A part of a plain deposit, a part of one that pays interest every month, and all of another one of those. */
async function breakByMistake(ask: Ask, deposits: readonly string[]): Promise<string[]> {
  const asked = [
    { of: 3, body: { liquidation_type: 'PARTIAL', amount: 10_000 } },
    { of: 4, body: { liquidation_type: 'PARTIAL', amount: 100_000 } },
    { of: 7, body: { liquidation_type: 'FULL' } },
  ]
  const liquidations: string[] = []
  for (const { of, body } of asked) {
    const mistaken = await ask('POST', `/v2/fixed-deposits/${deposits[of]}/liquidate`, body)
    assert.equal(mistaken.status, 200, mistaken.text)
    liquidations.push(mistaken.json.data.liquidation_id)
  }
  return liquidations
}

function productOf(code: ProductCode): object {
  const { method, every, recovers } = PRODUCTS[code]
  const onHoliday = MOVED_PRODUCTS.includes(code) ? 'NEXT_BUSINESS_DAY' : 'SAME_DAY'
  return {
    ...{ name: code, min_amount: 1, negotiated_rate: null, bonuses: {} },
    interest: { method, every, recover_paid_interest: recovers },
    maturity: { on_holiday: onHoliday, instruction: 'PAY_OUT', rollover_limit: null },
  }
}

async function readTemplate(db: Database, names: Names): Promise<Template> {
  const owned = await db.query<{ name: string }>(
    `select attrelid::regclass::text as name
     from pg_attribute
     join pg_class on pg_class.oid = attrelid and relkind = 'r' and relnamespace = 'public'::regnamespace
     where attname = 'book_id'
       and relname <> 'api_keys'
     order by 1`,
  )
  const tables: string[] = []
  const rows: string[] = []
  const ofCaller = ['callers', 'people']
  for (const name of [...ofCaller, ...owned.map((table) => table.name)]) {
    const [column, id] = ofCaller.includes(name) ? ['caller_id', names.callerId] : ['book_id', names.bookId]
    const [found] = await db.query<{ text: string | null }>(
      `select jsonb_agg(to_jsonb(t))::text as text from ${name} t where ${column} = $1`,
      [id],
    )
    if (found!.text === null) continue
    tables.push(name)
    rows.push(found!.text)
  }
  const inserts = tables.map(
    (name, index) => `
      rows_${index} as (
        insert into ${name}
        select * from jsonb_populate_recordset(null::${name}, $${2 * index + 1}::jsonb || $${2 * index + 2}::jsonb)
        returning 1
      )`,
  )
  return { tables, rows, insert: `with ${inserts.join(',')} select 1`, names }
}

export type World = { books: Record<Operation['caller'], WorldBook> }
type WorldBook = {
  bookId: string
  callerId: string
  rules: ModelRules
  subjects: Subjects
  /** When the link ends that somebody has. */
  earlierLink: string
  /** The secret of the key that an administrator made before. */
  earlierKey: string
  /** By the id of the batch. */
  files: ReadonlyMap<string, File>
}

const DEPOSITS = {
  ours: ['A1', 'B', 'C', 'D', 'E', 'F', 'G', 'H'],
  theirs: ['A2', 'B', 'C', 'D', 'E', 'F', 'G', 'H'],
}
const CUSTOMERS = { ours: ['A1', 'B'], theirs: ['A2', 'B'] }
const ALL_PRINCIPALS = [...PRINCIPALS, ...SOLD.map(({ amount }) => BigInt(Math.round(amount * 100)))]
const UNKNOWN_DEPOSIT = { id: fixedId('fd', 'None'), principal: 100_000n }
const UNKNOWN_CUSTOMER = fixedId('cus', 'None')
const ACCOUNTS = ['1000000000', '1000000001']
const UNKNOWN_ACCOUNT = '9999999999'
const LIQUIDATIONS = ['D', 'E', 'H'].map((name) => fixedId('liq', name))
const APPROVALS = [fixedId('apr', 'A'), fixedId('apr', 'C')]
const LIEN = fixedId('lien', 'B')
const BATCHES = ['Credits', 'Parts', 'Deposits', 'Accounts'].map((name) => fixedId('bat', name))
/** Made by the first administrator before the world begins. */
export const RESTING_KEY = fixedId('key', 'Resting')
const VOTERS = [
  ...[MAKER, 'KEY first', 'KEY first', 'KEY second', 'KEY second'],
  ...SUPERVISORS.map((personId) => `PERSON ${personId}`),
]

/** The ids are the same in every run, because their order is the order of locks. */
export async function createWorld(
  db: Database,
  template: Template,
  name: string,
  drawn: {
    began: Date
    rules: Record<Operation['caller'], Pick<ModelRules, 'percentPpm' | 'percentOf' | 'isWindowOpen'>>
    standing: Standing
    tax: TaxRules | null
    calendar: ModelCalendar | null
    jobs: Subjects['jobs']
  },
): Promise<World> {
  const books = Object.fromEntries(
    (['ours', 'theirs'] as const).map((caller) => {
      const other = caller === 'ours' ? 'theirs' : 'ours'
      const own = DEPOSITS[caller].map((name, index) => ({
        id: fixedId('fd', name),
        principal: ALL_PRINCIPALS[index]!,
      }))
      const foreign = { id: fixedId('fd', DEPOSITS[other][0]!), principal: PRINCIPALS[0]! }
      const customers = CUSTOMERS[caller].map((name) => fixedId('cus', name))
      const named = { accounts: ACCOUNTS, deposits: own.map(({ id }) => id), customers }
      const book: WorldBook = {
        files: new Map(filesOf(named).map((file, index) => [BATCHES[index]!, file])),
        bookId: `book_${caller}_${name}`,
        callerId: `cal_${caller}_${name}`,
        earlierLink: drawn.standing.link.expiresAt.toISOString(),
        earlierKey: newSecretKey('live'),
        rules: {
          ...drawn.rules[caller],
          minPartial: 2_000n,
          minRemaining: 15_000n,
        },
        subjects: {
          deposits: [...own, ...own, foreign, UNKNOWN_DEPOSIT],
          customers: [...customers, ...customers, fixedId('cus', CUSTOMERS[other][0]!), UNKNOWN_CUSTOMER],
          accounts: [...ACCOUNTS, ...ACCOUNTS, UNKNOWN_ACCOUNT],
          liquidations: [...Array(4).fill(LIQUIDATIONS[0]), ...LIQUIDATIONS, fixedId('liq', 'None')],
          approvals: [...APPROVALS, ...APPROVALS, ...APPROVALS, fixedId('apr', 'None')],
          liens: [LIEN, LIEN, fixedId('lien', 'None')],
          batches: [...BATCHES, ...BATCHES, fixedId('bat', 'None')],
          voters: VOTERS,
          earlierStart: earlierStart(drawn.began),
          jobs: drawn.jobs,
          administrators: ADMINISTRATORS,
          supervisors: SUPERVISORS,
          isTaxed: drawn.tax !== null,
          maturities: drawn.calendar === null ? [] : agreedMaturities(drawn.began),
        },
      }
      return [caller, book]
    }),
  ) as World['books']
  const renamings = [renaming('ours', template, books.ours), renaming('theirs', template, books.theirs)]
  const values = template.rows.flatMap((text) => renamings.map((rename) => rename(text)))
  await db.query(template.insert, values)
  const bookIds = Object.values(books).map(({ bookId }) => bookId)
  const callerIds = Object.values(books).map(({ callerId }) => callerId)
  const { keyRests } = drawn.standing
  const key = [RESTING_KEY, drawn.began, keyRests, keyRests === null ? [] : ADMINISTRATORS.slice(0, 1)]
  const hashes = Object.values(books).map(({ earlierKey }) => hashSecret(earlierKey))
  await db.query(openBooks, [bookIds, callerIds, lagosDate(drawn.began.toISOString()), ...key, hashes])
  await setStanding(db, callerIds, drawn.standing)
  if (drawn.tax !== null) await setTax(db, bookIds, drawn.tax)
  if (drawn.calendar !== null) {
    const { weekend, holidays } = drawn.calendar
    await writeFirst(db, bookIds, {
      ...{ kind: 'CALENDAR', event: 'calendar.updated', column: 'business_calendar_version' },
      ...{ document: { weekend, holidays }, from: null },
    })
  }
  return { books }
}

/** A day some weeks before a world begins. */
function earlierStart(began: Date): string {
  return daysLater(lagosDate(began.toISOString()), -40)
}

/** When the deposits mature that are opened by a product, and the successors of those that were, if the bank is open. */
export function agreedMaturities(began: Date): string[] {
  const today = lagosDate(began.toISOString())
  const starts = [earlierStart(began), today, daysLater(today, 1), SUCCESSORS_START]
  return starts.map((startDate) => agreedOf({ startDate, productCode: SOLD[0]!.code }))
}

/** The live book has followed its business date so far, and has a key; acts on people are recorded in the test book too. */
const openBooks = `
  with followed as (
    update books set latest_business_date = $3::date where book_id = any($1) returning 1
  ),
  key as (
    insert into api_keys (
      book_id, api_key_id, ordinal, key_hash, key_prefix, scopes, created_at, rests_until, rest_by)
    select book_id, $4, 1, key_hash, 'bw_live', '{*}', $5::timestamptz, $6::timestamptz, $7::text[]
    from unnest($1::text[], $8::text[]) as book (book_id, key_hash)
    returning 1
  )
  insert into books (book_id, caller_id, mode, clock_offset_ms)
  select book_id || ' test', caller_id, 'test', 0
  from unnest($1::text[], $2::text[]) as book (book_id, caller_id)`

async function setTax(db: Queries, bookIds: readonly string[], { from, ...rules }: TaxRules): Promise<void> {
  const { base, onRecovery: on_recovery, classes } = rules
  const document = { effective_from: from, base, on_recovery, rounding: 'HALF_UP', classes }
  const tax = { kind: 'TAX_RULES', event: 'tax_rules.updated', column: 'tax_version' }
  await writeFirst(db, bookIds, { ...tax, document, from })
}

/** The first version of a document, as if it had been written long before. */
async function writeFirst(
  db: Queries,
  bookIds: readonly string[],
  written: { kind: string; event: string; column: string; document: object; from: string | null },
): Promise<void> {
  const { kind, event, column, document, from } = written
  await db.query(
    `with written as (
       insert into documents (book_id, kind, version, effective_from, text, created_at)
       select book_id, $2, 1, $3::date, $4, '${OPENED_AT}'
       from unnest($1::text[]) as book_id
       returning 1
     ),
     recorded as (
       insert into events (book_id, event_id, ordinal, type, announced, subject_id, occurred_at, data)
       select book_id, 'evt_of_' || $2, 1, $5, true, '1', '${OPENED_AT}', $6
       from unnest($1::text[]) as book_id
       returning 1
     )
     update books set ${column} = 1 where book_id = any($1)`,
    [
      ...[bookIds, kind, from, JSON.stringify(document), event],
      JSON.stringify({ version: 1, ...document, created_at: OPENED_AT }),
    ],
  )
}

function renaming(
  caller: Operation['caller'],
  { names }: Template,
  book: WorldBook,
): (text: string) => string {
  const pairs: [string, string][] = [
    [names.bookId, book.bookId],
    [names.callerId, book.callerId],
    ...names.deposits.map((id, index): [string, string] => [id, fixedId('fd', DEPOSITS[caller][index]!)]),
    ...names.customers.map((id, index): [string, string] => [id, fixedId('cus', CUSTOMERS[caller][index]!)]),
    ...names.liquidations.map((id, index): [string, string] => [id, LIQUIDATIONS[index]!]),
    ...names.approvals.map((id, index): [string, string] => [id, APPROVALS[index]!]),
    [names.lien, LIEN],
    ...names.batches.map((id, index): [string, string] => [id, BATCHES[index]!]),
    [names.maker, MAKER.slice('KEY '.length)],
    ...names.people.map((id, index): [string, string] => [id, PERSON_IDS[index]!]),
    [names.linkHash, hashSecret(earlierToken(book.bookId))],
    ...names.accounts.map((number, index): [string, string] => [number, ACCOUNTS[index]!]),
    [`\\"of\\":\\"${PERCENT_OF}\\"`, `\\"of\\":\\"${book.rules.percentOf}\\"`],
    [`\\"percent\\":${PERCENT}`, `\\"percent\\":${Number(book.rules.percentPpm) / 10_000}`],
  ]
  return (text) => pairs.reduce((renamed, [from, to]) => renamed.replaceAll(from, to), text)
}

function fixedId(prefix: string, name: string): string {
  return `${prefix}_${name.padEnd(24, '0')}`
}
