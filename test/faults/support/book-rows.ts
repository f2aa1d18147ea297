/** All that a book of a world holds, read at once and without the service's code, as the model has it. */
import type { Queries } from '../../../src/engine/database/database.ts'
import { type File, type RawLine, type TriedLine, triedLines } from './batches.ts'
import { ALWAYS_OPEN } from './calendars.ts'
import {
  type BookState,
  type Broken,
  type KeyState,
  type PersonState,
  type Recorded,
  type RestState,
  readData,
  type ToldEvent,
} from './state.ts'
import type { Policy, Request, TaxRules } from './workload.ts'

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
  { bookId, files }: { bookId: string; files: ReadonlyMap<string, File> },
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
          paidTax: BigInt(one.tax_minor),
          paidTo: one.paid_to,
          instruction: one.instruction ?? (one.auto_rollover ? 'ROLL_OVER' : 'PAY_OUT'),
          lien: BigInt(one.lien_minor),
          broken: one.broken_on === null ? null : { on: one.broken_on, ...sumsOf(one.broken) },
        },
      ]),
    ),
    balances: new Map(book.accounts.map((one) => [one.account_number, BigInt(one.balance_minor)])),
    owners: new Map(book.accounts.map((one) => [one.account_number, one.customer_id])),
    customers: new Map(
      book.customers.map((one) => [
        one.customer_id,
        {
          email: one.email,
          phoneNumber: one.phone_number,
          address: one.address,
          updatedAt: new Date(one.updated_at).toISOString(),
          taxClass: one.tax_class,
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
          waived: BigInt(one.waived_minor),
          penal: BigInt(one.penal_minor),
          tax: BigInt(one.tax_minor),
          taxShare: BigInt(one.tax_share_minor),
          taxReturned: BigInt(one.tax_returned_minor),
          taxed: one.taxed,
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
    taxes: book.taxes.map(taxRulesOf),
    people: new Map(book.people.map((one) => [one.person_id, personOf(one)])),
    apiKeys: new Map(book.api_keys.map((one) => [one.api_key_id, keyOf(one)])),
    calendars: book.calendars.length,
    calendar: book.calendars.length === 0 ? ALWAYS_OPEN : JSON.parse(book.calendars.at(-1)!),
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
  return Object.fromEntries(SUMS.map((name, index) => [name, BigInt(amounts[index] ?? 0)])) as Omit<
    Broken,
    'on'
  >
}

/** As they are read. */
const SUMS = [
  ...['principal', 'interest', 'charge', 'paidShare', 'unearned', 'recovered'],
  ...['penal', 'tax', 'taxShare', 'taxReturned'],
]

function taxRulesOf(text: string): TaxRules {
  const { effective_from: from, base, on_recovery: onRecovery, classes } = JSON.parse(text)
  return { from, base, onRecovery, classes }
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
    ...restOf(row),
    link: purpose === null ? null : { purpose, by, expiresAt: isoOf(expiresAt!) },
  }
}

/** Who made a key is of no interest once it was confirmed. */
function restOf({ rests_until, rest_by }: RawRest): RestState {
  if (rests_until === null) return { restsUntil: null, restBy: [] }
  return { restsUntil: new Date(rests_until).toISOString(), restBy: rest_by }
}

function keyOf(row: RawBook['api_keys'][number]): KeyState {
  const { revoked_at: end, root_key_id: root } = row
  return { ...restOf(row), endsAt: end === null ? null : new Date(end).toISOString(), root }
}

type RawRest = { rests_until: string | null; rest_by: string[] }

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
    tax_minor: string
    paid_to: string | null
    lien_minor: string
    broken_on: string | null
    broken: (string | null)[]
  }[]
  accounts: { account_number: string; customer_id: string; balance_minor: string }[]
  customers: {
    customer_id: string
    email: string
    phone_number: string
    address: string
    updated_at: string
    tax_class: string | null
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
    waived_minor: string
    penal_minor: string
    tax_minor: string
    tax_share_minor: string
    tax_returned_minor: string
    taxed: string | null
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
  taxes: string[]
  calendars: string[]
  api_keys: (RawRest & { api_key_id: string; revoked_at: string | null; root_key_id: string | null })[]
  people: (RawRest & {
    person_id: string
    status: string
    role: string
    link_purpose: string | null
    link_by: string | null
    link_expires_at: string | null
  })[]
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
        'paid_minor', paid_minor::text, 'tax_minor', tax_minor::text, 'paid_to', paid_to,
        'lien_minor', lien_minor::text, 'broken_on', broken_on, 'broken', array[
          broken_principal_minor, broken_interest_minor, broken_assessed_minor, broken_paid_minor,
          broken_unearned_minor, broken_taken_minor, broken_penal_minor, broken_tax_minor, broken_taxed_minor,
          broken_returned_minor]::text[])), '[]')
      from deposits where book_id = $1),
    'accounts', (
      select coalesce(json_agg(json_build_object(
        'account_number', account_number, 'customer_id', customer_id, 'balance_minor', balance_minor::text)), '[]')
      from accounts where book_id = $1),
    'customers', (
      select coalesce(json_agg(json_build_object(
        'customer_id', customer_id, 'email', email, 'phone_number', phone_number, 'address', address,
        'updated_at', updated_at, 'tax_class', tax_class)), '[]')
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
        'recovered_minor', recovered_minor::text, 'waived_minor', waived_minor::text,
        'penal_minor', penal_minor::text, 'tax_minor', tax_minor::text, 'tax_share_minor', tax_share_minor::text,
        'tax_returned_minor', tax_returned_minor::text, 'taxed', tax_version || ' ' || tax_class, 'earlier', array[
          earlier_principal_minor, earlier_interest_minor, earlier_assessed_minor, earlier_paid_minor,
          earlier_unearned_minor, earlier_taken_minor, earlier_penal_minor, earlier_tax_minor, earlier_taxed_minor,
          earlier_returned_minor]::text[], 'reversed_at', reversed_at)), '[]')
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
    'taxes', (
      select coalesce(json_agg(text order by version), '[]')
      from documents where book_id = $1 and kind = 'TAX_RULES'),
    'calendars', (
      select coalesce(json_agg(text order by version), '[]')
      from documents where book_id = $1 and kind = 'CALENDAR'),
    'people', (
      select coalesce(json_agg(json_build_object(
        'person_id', person_id, 'status', status, 'role', role, 'rests_until', rests_until, 'rest_by', rest_by,
        'link_purpose', link_purpose, 'link_by', link_by, 'link_expires_at', link_expires_at)), '[]')
      from people where caller_id = (select caller_id from books where book_id = $1)),
    'api_keys', (
      select coalesce(json_agg(json_build_object(
        'api_key_id', api_key_id, 'rests_until', rests_until, 'rest_by', rest_by, 'revoked_at', revoked_at,
        'root_key_id', root_key_id)), '[]')
      from api_keys where book_id = $1),
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
