/**
 * A new small world per seed, in milliseconds: two books copied from one that the service itself made. Both hold the same
 * ids but for one deposit and one customer each, so a statement that forgets its book touches the other one.
 */
import assert from 'node:assert/strict'
import type { Database, Queries } from '../../../src/engine/database/database.ts'
import { hashSecret } from '../../../src/engine/database/secrets.ts'
import { sell, sheetAt } from '../../support/products.ts'
import { type Ask, fundedAccount, replaceRules, startService } from '../../support/service.ts'
import { type File, filesOf, type RawLine, sendFiles, type TriedLine, triedLines } from './batches.ts'
import { PRODUCTS, TENOR_MONTHS } from './model-of-interest.ts'
import {
  ADMINISTRATORS,
  earlierToken,
  employ,
  PERSON_IDS,
  type Standing,
  SUPERVISORS,
  setStanding,
} from './people.ts'
import {
  type BookState,
  type Broken,
  daysLater,
  lagosDate,
  MAKER,
  type ModelRules,
  type PersonState,
  RATE_PPM,
  type Recorded,
  readData,
  TENOR_DAYS,
  type ToldEvent,
} from './state.ts'
import type { Operation, Policy, ProductCode, Request, Subjects } from './workload.ts'

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
      ...(index === 3 && { start_date: '2025-12-02' }),
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
    const sold = { ...terms, tenor_months: TENOR_MONTHS, start_date: '2025-12-02' }
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
  return {
    ...{ name: code, min_amount: 1, negotiated_rate: null, bonuses: {} },
    interest: { method, every, recover_paid_interest: recovers },
    maturity: { on_holiday: 'SAME_DAY', instruction: 'PAY_OUT', rollover_limit: null },
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
          earlierStart: daysLater(lagosDate(drawn.began.toISOString()), -40),
          jobs: drawn.jobs,
          administrators: ADMINISTRATORS,
          supervisors: SUPERVISORS,
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
  await db.query(openBooks, [bookIds, callerIds, lagosDate(drawn.began.toISOString())])
  await setStanding(db, callerIds, drawn.standing)
  return { books }
}

/** The live book has followed its business date so far; acts on people are recorded in the test book too. */
const openBooks = `
  with followed as (
    update books set latest_business_date = $3::date where book_id = any($1) returning 1
  )
  insert into books (book_id, caller_id, mode, clock_offset_ms)
  select book_id || ' test', caller_id, 'test', 0
  from unnest($1::text[], $2::text[]) as book (book_id, caller_id)`

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

export type LinkUse = { personId: string; event: ToldEvent }

type BookRows = {
  state: BookState
  recorded: Recorded
  /** What jobs made, in no order. */
  jobs: { id: string; request: Request; at: Date }[]
  lines: TriedLine[]
  /** Uses of links, by the ids of their events: nobody's request id is on them. */
  uses: Map<string, LinkUse>
  /** What contradicts itself, whatever was requested: a sentence. */
  differences: string[]
}

/** One reading of all that a book holds. Approvals whose time was over when the seed began count as expired. */
export async function readBook(
  db: Queries,
  { bookId, files }: Pick<WorldBook, 'bookId' | 'files'>,
  began: Date,
): Promise<BookRows> {
  const [row] = await db.query<{ book: string }>(readBookStatement, [bookId])
  const book = JSON.parse(row!.book) as RawBook
  const state: BookState = {
    deposits: new Map(
      book.deposits.map((one) => [
        one.deposit_id,
        {
          remaining: BigInt(one.remaining_minor),
          status: one.status,
          ratePpm: BigInt(one.annual_rate_ppm),
          startDate: one.start_date,
          maturityDate: one.maturity_date,
          accountNumber: one.account_number,
          productCode: one.product_code,
          method: one.method,
          every: one.every,
          recovers: one.recover,
          paid: BigInt(one.paid_minor),
          paidTo: one.paid_to,
          instruction: one.instruction ?? (one.auto_rollover ? 'ROLL_OVER' : 'PAY_OUT'),
          lien: BigInt(one.lien_minor),
          broken: one.broken_on === null ? null : { on: one.broken_on, ...sumsOf(one.broken) },
        },
      ]),
    ),
    balances: new Map(book.accounts.map((one) => [one.account_number, BigInt(one.balance_minor)])),
    customers: new Map(
      book.customers.map((one) => [
        one.customer_id,
        {
          email: one.email,
          phoneNumber: one.phone_number,
          address: one.address,
          updatedAt: new Date(one.updated_at).toISOString(),
        },
      ]),
    ),
    keys: new Map(
      book.idempotency_keys.map((one) => [
        one.idempotency_key,
        { fingerprint: one.fingerprint, body: one.answer },
      ]),
    ),
    liquidations: new Map(
      book.liquidations.map((one) => [
        one.liquidation_id,
        {
          depositId: one.deposit_id,
          principal: BigInt(one.principal_minor),
          interest: BigInt(one.interest_minor),
          charge: BigInt(one.assessed_minor),
          net: BigInt(one.net_minor),
          paidShare: BigInt(one.paid_share_minor),
          paidTo: one.paid_to,
          unearned: BigInt(one.unearned_minor),
          recovered: BigInt(one.recovered_minor),
          remaining: BigInt(one.remaining_minor),
          on: one.business_date,
          earlier: one.earlier[0] === null ? null : sumsOf(one.earlier),
          isReversed: one.reversed_at !== null,
        },
      ]),
    ),
    approvals: new Map(
      book.approvals.map((one) => [
        one.approval_id,
        {
          status: one.status === 'PENDING' && new Date(one.expires_at) <= began ? 'EXPIRED' : one.status,
          depositId: one.target_id,
          needed: one.approvals_needed,
          maker: one.maker,
          voters: one.voters.sort(),
        },
      ]),
    ),
    batches: new Map(book.batches.map((one) => [one.batch_id, one.status])),
    liens: new Map(
      book.liens.map((one) => [
        one.lien_id,
        { depositId: one.deposit_id, amount: BigInt(one.amount_minor), status: one.status },
      ]),
    ),
    policy: policyOf(book.policy),
    people: new Map(book.people.map((one) => [one.person_id, personOf(one)])),
  }
  // A payment is an event of its own, also where a request had to make it first.
  const events = Map.groupBy(
    book.events.filter((one) => one.request_id?.startsWith('op ') && one.type !== PAID),
    (one) => one.request_id!,
  )
  const paidBy = (id: string) =>
    book.events.filter((one) => one.request_id === id && one.type === PAID).length
  const jobs = book.events.flatMap((one) => {
    const request = jobRequest(one)
    return request === null ? [] : [{ ...one, request }]
  })
  const answers = state.keys
  const { tried, differences } = triedLines(files, { lines: book.batch_lines, answers, events: book.events })
  return {
    state,
    recorded: {
      events: new Map([
        ...[...events].map(([id, made]): [string, ToldEvent] => [
          id,
          { ...toldEvent(made), paid: paidBy(id) },
        ]),
        ...jobs.map((one): [string, ToldEvent] => [one.event_id, toldEvent([one])]),
        ...tried.flatMap(({ operation, event }): [string, ToldEvent][] =>
          event === null ? [] : [[operation.id, event]],
        ),
      ]),
      answers,
    },
    jobs: jobs.map(({ event_id: id, request, occurred_at }) => ({ id, request, at: new Date(occurred_at) })),
    lines: tried,
    uses: new Map(
      book.events
        .filter(({ type }) => type === 'person.activated' || type === 'person.password_reset')
        .map((one) => [one.event_id, { personId: one.subject_id, event: toldEvent([one]) }]),
    ),
    differences: [...differencesOf(book), ...differences],
  }
}

const PAID = 'fixed_deposit.interest_paid'

function sumsOf(amounts: readonly (string | null)[]): Omit<Broken, 'on'> {
  const [principal, interest, charge, paidShare, unearned, recovered] = amounts.map((amount) =>
    BigInt(amount ?? 0),
  ) as [bigint, bigint, bigint, bigint, bigint, bigint]
  return { principal, interest, charge, paidShare, unearned, recovered }
}

function policyOf(text: string): Policy {
  const { deciders, rules } = readData(`{"data":${text}}`) as { deciders: Policy['deciders']; rules: any[] }
  const [{ approvals, when }] = rules as [{ approvals: string; when: { amount: { gte: string } } }]
  const [whole, cents = ''] = when.amount.gte.split('.')
  return { deciders, approvals: Number(approvals), heldFrom: BigInt(whole + cents.padEnd(2, '0')) }
}

function personOf(row: RawBook['people'][number]): PersonState {
  const isoOf = (time: string) => new Date(time).toISOString()
  const { link_purpose: purpose, link_by: by, link_expires_at: expiresAt } = row
  return {
    status: row.status,
    role: row.role,
    restsUntil: row.rests_until === null ? null : isoOf(row.rests_until),
    restBy: row.rest_by,
    link: purpose === null ? null : { purpose, by, expiresAt: isoOf(expiresAt!) },
  }
}

/** Of a change that a job made by itself; null: somebody asked for it. */
function jobRequest({ type, request_id, subject_id }: RawBook['events'][number]): Request | null {
  if (/^fixed_deposit\.(matured|rolled_over)$/.test(type)) return { kind: 'mature', depositId: subject_id }
  if (type === PAID) return { kind: 'pay', depositId: subject_id }
  if (type === 'batch.completed' && request_id === null) return { kind: 'complete', batchId: subject_id }
  return null
}

/** A change that concerns an approval is identified by the event of the approval first. */
function toldEvent(made: RawBook['events']): ToldEvent {
  const isFirst = ({ type }: { type: string }) => /^approval\.(?!expired)/.test(type)
  const first = made.find(isFirst) ?? made[0]!
  return {
    data: first.data,
    at: new Date(first.occurred_at).toISOString(),
    of: Object.fromEntries(made.map(({ type, data }) => [type, data])),
    paid: 0,
  }
}

type RawBook = {
  deposits: {
    deposit_id: string
    remaining_minor: string
    status: string
    annual_rate_ppm: number
    start_date: string
    maturity_date: string
    account_number: string
    auto_rollover: boolean
    instruction: string | null
    product_code: string | null
    method: string
    every: string | null
    recover: boolean
    paid_minor: string
    paid_to: string | null
    lien_minor: string
    broken_on: string | null
    broken: (string | null)[]
  }[]
  accounts: { account_number: string; balance_minor: string }[]
  customers: {
    customer_id: string
    email: string
    phone_number: string
    address: string
    updated_at: string
  }[]
  idempotency_keys: { idempotency_key: string; fingerprint: string; answer: string }[]
  events: {
    event_id: string
    request_id: string | null
    subject_id: string
    type: string
    data: string
    occurred_at: string
  }[]
  liquidations: {
    liquidation_id: string
    deposit_id: string
    principal_minor: string
    interest_minor: string
    assessed_minor: string
    net_minor: string
    remaining_minor: string
    paid_share_minor: string
    paid_to: string | null
    unearned_minor: string
    recovered_minor: string
    business_date: string
    earlier: (string | null)[]
    reversed_at: string | null
  }[]
  approvals: {
    approval_id: string
    status: string
    target_id: string
    approvals_needed: number
    maker: string
    expires_at: string
    voters: string[]
  }[]
  batches: { batch_id: string; status: string }[]
  batch_lines: RawLine[]
  liens: { lien_id: string; deposit_id: string; amount_minor: string; status: string }[]
  policy: string
  people: {
    person_id: string
    status: string
    role: string
    rests_until: string | null
    rest_by: string[]
    link_purpose: string | null
    link_by: string | null
    link_expires_at: string | null
  }[]
  postings: { entry_id: string; liquidation_id: string | null; account: string; amount_minor: string }[]
}

/** Money as text: JSON numbers of this size would be doubles. */
const readBookStatement = `
  select json_build_object(
    'deposits', (
      select coalesce(json_agg(json_build_object(
        'deposit_id', deposit_id, 'remaining_minor', remaining_minor::text, 'status', status,
        'annual_rate_ppm', annual_rate_ppm, 'start_date', start_date, 'maturity_date', maturity_date,
        'account_number', account_number, 'auto_rollover', auto_rollover, 'instruction', instruction,
        'product_code', product_code, 'method', method, 'every', every, 'recover', recover,
        'paid_minor', paid_minor::text, 'paid_to', paid_to,
        'lien_minor', lien_minor::text, 'broken_on', broken_on, 'broken', array[
          broken_principal_minor, broken_interest_minor, broken_assessed_minor, broken_paid_minor,
          broken_unearned_minor, broken_taken_minor]::text[])), '[]')
      from deposits where book_id = $1),
    'accounts', (
      select coalesce(json_agg(json_build_object(
        'account_number', account_number, 'balance_minor', balance_minor::text)), '[]')
      from accounts where book_id = $1),
    'customers', (
      select coalesce(json_agg(json_build_object(
        'customer_id', customer_id, 'email', email, 'phone_number', phone_number, 'address', address,
        'updated_at', updated_at)), '[]')
      from customers where book_id = $1),
    'idempotency_keys', (
      select coalesce(json_agg(json_build_object(
        'idempotency_key', idempotency_key, 'fingerprint', fingerprint, 'answer', answer)), '[]')
      from idempotency_keys where book_id = $1),
    'events', (
      select coalesce(json_agg(json_build_object(
        'event_id', event_id, 'request_id', request_id, 'subject_id', subject_id, 'type', type, 'data', data, 'occurred_at', occurred_at)), '[]')
      from events where book_id = $1),
    'liquidations', (
      select coalesce(json_agg(json_build_object(
        'liquidation_id', liquidation_id, 'deposit_id', deposit_id, 'principal_minor', principal_minor::text,
        'interest_minor', interest_minor::text, 'assessed_minor', assessed_minor::text,
        'net_minor', net_minor::text, 'remaining_minor', remaining_minor::text, 'business_date', business_date,
        'paid_share_minor', paid_share_minor::text, 'paid_to', paid_to, 'unearned_minor', unearned_minor::text,
        'recovered_minor', recovered_minor::text, 'earlier', array[
          earlier_principal_minor, earlier_interest_minor, earlier_assessed_minor, earlier_paid_minor,
          earlier_unearned_minor, earlier_taken_minor]::text[], 'reversed_at', reversed_at)), '[]')
      from liquidations where book_id = $1),
    'approvals', (
      select coalesce(json_agg(json_build_object(
        'approval_id', approval_id, 'status', status, 'target_id', target_id, 'approvals_needed', approvals_needed,
        'maker', maker, 'expires_at', expires_at, 'voters', (
          select coalesce(json_agg(voter), '[]')
          from approval_votes
          where approval_votes.book_id = $1 and approval_votes.approval_id = approvals.approval_id))), '[]')
      from approvals where book_id = $1),
    'liens', (
      select coalesce(json_agg(json_build_object(
        'lien_id', lien_id, 'deposit_id', deposit_id, 'amount_minor', amount_minor::text, 'status', status)), '[]')
      from liens where book_id = $1),
    'batches', (
      select coalesce(json_agg(json_build_object('batch_id', batch_id, 'status', status)), '[]')
      from batches where book_id = $1),
    'batch_lines', (
      select coalesce(json_agg(json_build_object(
        'batch_id', batch_id, 'line', line, 'outcome', outcome, 'made_id', made_id, 'error', error)), '[]')
      from batch_lines where book_id = $1),
    'policy', (
      select text
      from documents
      where book_id = $1 and kind = 'APPROVAL_POLICY'
      order by version desc
      limit 1),
    'people', (
      select coalesce(json_agg(json_build_object(
        'person_id', person_id, 'status', status, 'role', role, 'rests_until', rests_until, 'rest_by', rest_by,
        'link_purpose', link_purpose, 'link_by', link_by, 'link_expires_at', link_expires_at)), '[]')
      from people where caller_id = (select caller_id from books where book_id = $1)),
    'postings', (
      select coalesce(json_agg(json_build_object(
        'entry_id', entry.entry_id, 'liquidation_id', entry.liquidation_id, 'account', posting.account,
        'amount_minor', posting.amount_minor::text)), '[]')
      from ledger_entries entry
      join postings posting on posting.book_id = entry.book_id and posting.entry_id = entry.entry_id
      where entry.book_id = $1)
  )::text as book`

function differencesOf(book: RawBook): string[] {
  const differences: string[] = []
  const requests = book.events.flatMap((one) =>
    one.request_id === null || one.type === PAID ? [] : `${one.request_id} ${one.type}`,
  )
  for (const id of new Set(requests)) {
    const events = requests.filter((one) => one === id).length
    if (events > 1) differences.push(`${id} was made ${events} times`)
  }
  for (const { approval_id, status } of book.approvals) {
    const recorded = book.events.filter(
      ({ type, data }) =>
        /^approval\.(approved|rejected|cancelled|expired)$/.test(type) && data.includes(approval_id),
    )
    const expected = status === 'PENDING' ? [] : [`approval.${status.toLowerCase()}`]
    const types = recorded.map(({ type }) => type)
    if (types.join() !== expected.join())
      differences.push(`${approval_id} is ${status}, its events are ${types}`)
  }
  const sums = (pick: (posting: RawBook['postings'][number]) => string) => {
    const totals = new Map<string, bigint>()
    for (const one of book.postings) {
      totals.set(pick(one), (totals.get(pick(one)) ?? 0n) + BigInt(one.amount_minor))
    }
    return totals
  }
  const byAccount = sums((posting) => posting.account)
  const owed = [
    ...book.accounts.map((one) => ({ name: one.account_number, owed: BigInt(one.balance_minor) })),
    ...book.deposits.map((one) => ({ name: one.deposit_id, owed: BigInt(one.remaining_minor) })),
  ]
  for (const { name, owed: amount } of owed) {
    const posted = byAccount.get(name) ?? 0n
    if (posted !== amount) differences.push(`${name} holds ${amount}, its postings sum to ${posted}`)
  }
  for (const [entry, sum] of sums((posting) => posting.entry_id)) {
    if (sum !== 0n) differences.push(`the entry ${entry} sums to ${sum}`)
  }
  const liquidated = book.events.filter((one) => /liquidated$/.test(one.type)).map(idIn)
  const kept = book.liquidations.map((one) => one.liquidation_id)
  const entered = [...new Set(book.postings.map((one) => one.liquidation_id))].filter((id) => id !== null)
  if (!sameMembers(kept, liquidated)) differences.push('liquidations and their events differ')
  if (!sameMembers(kept, entered)) differences.push('liquidations and their entries differ')
  return differences
}

function idIn(event: { data: string }): string {
  return (JSON.parse(event.data) as { liquidation_id: string }).liquidation_id
}

function sameMembers(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && [...left].sort().join() === [...right].sort().join()
}
