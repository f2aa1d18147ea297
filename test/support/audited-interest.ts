/**
 * The interest of every deposit computed again from its own rows: what it paid before maturity, what each liquidation took
 * with it, and what maturity paid. Nothing of the service is used but its tables.
 */
import type { Queries } from '../../src/engine/database/database.ts'
import {
  boundariesOf,
  daysAfter,
  type ExactTerms,
  earnedOf,
  type Held,
  monthsAfter,
  periodInterest,
  round,
  shareOf,
  unitOf,
} from './exact-interest.ts'

export type Difference = { claim: string; row: Record<string, unknown> }

const INTEREST = 'interest paid is that of its principal, rate, dates and pinned rules'
const PAYMENTS = 'payments are those of the schedule, in order, each of its own period and of what remained'
const SHARES = 'what was paid on a part, and its tax, leaves with it; the rest stays with what remains'

export const INTEREST_CLAIMS: readonly string[] = [INTEREST, PAYMENTS, SHARES]

/** One difference per claim that fails. */
export async function* interestDifferences(db: Queries): AsyncGenerator<Difference> {
  const payments = Map.groupBy(await db.query<PaymentRow>(selectPayments), keyOf)
  const taken = Map.groupBy(await db.query<TakenRow>(selectTaken), keyOf)
  const seen = new Set<string>()
  for (const deposit of await db.query<DepositRow>(selectDeposits)) {
    const rows = { payments: payments.get(keyOf(deposit)) ?? [], taken: taken.get(keyOf(deposit)) ?? [] }
    for (const difference of differencesOf(deposit, rows)) {
      if (!seen.has(difference.claim)) yield difference
      seen.add(difference.claim)
    }
  }
}

type Rows = { payments: PaymentRow[]; taken: TakenRow[] }

function* differencesOf(deposit: DepositRow, { payments, taken }: Rows): Generator<Difference> {
  const terms = termsOf(deposit)
  const standing = taken.filter(({ reversed }) => !reversed)
  for (const row of wrongPayments(deposit, terms, { payments, taken: standing }))
    yield { claim: PAYMENTS, row }
  for (const row of wrongInterest(deposit, terms, taken)) yield { claim: INTEREST, row }
  for (const row of wrongShares(deposit, terms, { payments, taken: standing })) yield { claim: SHARES, row }
}

/** A liquidation keeps the boundary up to which interest had been paid: so it is known which payments came later. */
function* wrongPayments(deposit: DepositRow, terms: ExactTerms, { payments, taken }: Rows) {
  const { method, start_date: start, maturity_date: maturity } = deposit
  // What was paid in the system before is not paid again.
  const before = deposit.imported_paid_to
  const boundaries =
    method === 'PAYOUT' ? boundariesOf(terms).filter((boundary) => boundary > (before ?? '')) : [maturity]
  for (const [index, payment] of payments.entries()) {
    const { period_from: from, period_to: to } = payment
    const left = taken
      .filter((part) => method === 'PAYOUT' && (part.paid_to ?? '') < to)
      .reduce(
        (remaining, part) => remaining - part.principal_minor,
        deposit.imported_minor ?? deposit.principal_minor,
      )
    const interest = periodInterest(terms, payment.principal_minor, from, to)
    const tax = taxOn(interest, payment, terms)
    const due = method === 'PAYOUT' ? to : from
    const wrong =
      !['PAYOUT', 'UPFRONT'].includes(method) ||
      to !== boundaries[index] ||
      from !== (boundaries[index - 1] ?? before ?? start) ||
      (method === 'PAYOUT' && to === maturity) ||
      due > payment.business_date ||
      payment.principal_minor !== left ||
      payment.interest_minor !== interest ||
      payment.tax_minor !== tax
    if (wrong) yield { ...payment, left, expected: interest, tax }
  }
  const atStart = deposit.imported_minor === null ? 1 : 0
  if (method === 'UPFRONT' && payments.length !== atStart) yield { ...deposit, payments: payments.length }
  const paidTo = method === 'PAYOUT' ? (payments.at(-1)?.period_to ?? before) : null
  const next = deposit.status === 'ACTIVE' && method === 'PAYOUT' ? boundaries[payments.length]! : null
  if (deposit.paid_to !== paidTo || deposit.next_interest_date !== next) yield { ...deposit, paidTo, next }
}

/** Parts of one day are one withdrawal, so the sums of the day are looked at after each part. */
function* wrongInterest(deposit: DepositRow, terms: ExactTerms, taken: TakenRow[]) {
  for (const part of taken) {
    const held = { principal: part.day_principal, paid: part.day_paid, paidTo: part.paid_to }
    const earned = earnedOf(terms, held, part.business_date)
    const interest = earned > held.paid ? earned - held.paid : 0n
    const unearned = held.paid > earned ? held.paid - earned : 0n
    if (part.day_interest !== interest || part.day_unearned !== unearned)
      yield { ...part, interest, unearned }
  }
  if (deposit.matured_principal === null) return
  const held: Held = {
    principal: deposit.matured_principal,
    paid: deposit.paid_minor,
    paidTo: deposit.paid_to,
  }
  const interest = earnedOf(terms, held, terms.maturity) - held.paid
  if (deposit.matured_interest !== interest) yield { ...deposit, interest }
}

/** Of what the deposit was before the first part of the day. */
function* wrongShares(deposit: DepositRow, terms: ExactTerms, { payments, taken }: Rows) {
  const paidBy = (boundary: string | null) =>
    payments.filter(({ period_to: to }) => deposit.method === 'UPFRONT' || to <= (boundary ?? ''))
  const imported = { paid: deposit.imported_paid ?? 0n, tax: deposit.imported_tax ?? 0n }
  let gone = { paid: 0n, tax: 0n }
  let ofDay = { on: '', paid: 0n, tax: 0n, returned: 0n }
  for (const part of taken) {
    if (part.business_date !== ofDay.on) {
      gone = { paid: gone.paid + ofDay.paid, tax: gone.tax + ofDay.tax }
      ofDay = { on: part.business_date, paid: 0n, tax: 0n, returned: 0n }
    }
    const before = paidBy(part.paid_to)
    const whole = part.remaining_minor + part.day_principal
    const paid = shareOf(
      imported.paid + sumOf(before, 'interest_minor') - gone.paid,
      part.day_principal,
      whole,
      terms,
    )
    const tax = shareOf(
      imported.tax + sumOf(before, 'tax_minor') - gone.tax,
      part.day_principal,
      whole,
      terms,
    )
    ofDay.paid += part.paid_share_minor
    ofDay.tax += part.tax_share_minor
    const returned = returnedOf(part, { ...ofDay, unit: terms.unit })
    ofDay.returned += part.tax_returned_minor
    const wrong = ofDay.paid !== paid || ofDay.tax !== tax || part.tax_returned_minor !== returned
    if (wrong) yield { ...part, paid, tax, returned }
  }
  const left = {
    paid: imported.paid + sumOf(payments, 'interest_minor') - gone.paid - ofDay.paid,
    tax: imported.tax + sumOf(payments, 'tax_minor') - gone.tax - ofDay.tax,
  }
  if (deposit.paid_minor !== left.paid || deposit.tax_minor !== left.tax) yield { ...deposit, ...left }
}

/** What of the tax goes back with interest that is taken back, by the version of the day. */
function returnedOf(
  part: TakenRow,
  ofDay: { paid: bigint; tax: bigint; returned: bigint; unit: bigint },
): bigint {
  if (part.tax_rules === null) return 0n
  const { on_recovery, rounding } = JSON.parse(part.tax_rules) as { on_recovery: string; rounding: string }
  if (on_recovery !== 'RETURN' || ofDay.paid === 0n) return 0n
  const exact = { over: ofDay.tax * (part.day_unearned + part.day_recovered), under: ofDay.paid }
  const due = round(exact, { rounding, unit: ofDay.unit }) - ofDay.returned
  return due > 0n ? due : 0n
}

function taxOn(interest: bigint, { tax_rules, tax_ppm }: PaymentRow, { unit }: ExactTerms): bigint {
  if (tax_rules === null || tax_ppm === null) return 0n
  const { rounding } = JSON.parse(tax_rules) as { rounding: string }
  return round({ over: interest * BigInt(tax_ppm), under: 1_000_000n }, { rounding, unit })
}

function sumOf(payments: readonly PaymentRow[], member: 'interest_minor' | 'tax_minor'): bigint {
  return payments.reduce((sum, payment) => sum + payment[member], 0n)
}

function termsOf(deposit: DepositRow): ExactTerms {
  const { start_date: start, maturity_date: maturity, agreed_unit: unit, agreed_count: count } = deposit
  const { day_count, rounding } = JSON.parse(deposit.rules) as { day_count: string; rounding: string }
  const agreed =
    count === null ? maturity : unit === 'DAY' ? daysAfter(start, count) : monthsAfter(start, count)
  return {
    method: deposit.method,
    every: deposit.every,
    ratePpm: BigInt(deposit.annual_rate_ppm),
    start,
    agreed,
    maturity,
    dayCount: day_count,
    rounding,
    unit: unitOf(deposit.currency),
  }
}

function keyOf({ book_id, deposit_id }: { book_id: string; deposit_id: string }): string {
  return `${book_id} ${deposit_id}`
}

type DepositRow = {
  book_id: string
  deposit_id: string
  status: string
  currency: string
  method: string
  every: string | null
  annual_rate_ppm: number
  start_date: string
  maturity_date: string
  agreed_unit: string | null
  agreed_count: number | null
  principal_minor: bigint
  paid_minor: bigint
  tax_minor: bigint
  paid_to: string | null
  next_interest_date: string | null
  rules: string
  imported_minor: bigint | null
  imported_paid: bigint | null
  imported_tax: bigint | null
  imported_paid_to: string | null
  matured_principal: bigint | null
  matured_interest: bigint | null
}

const selectDeposits = `
    select deposit.book_id, deposit.deposit_id, deposit.status, deposit.currency, deposit.method, deposit.every,
           deposit.annual_rate_ppm, deposit.start_date, deposit.maturity_date, deposit.agreed_unit,
           deposit.agreed_count, deposit.principal_minor, deposit.paid_minor, deposit.tax_minor, deposit.paid_to,
           deposit.next_interest_date, history.remaining_minor as imported_minor, history.paid_minor as imported_paid,
           history.tax_minor as imported_tax, history.paid_to as imported_paid_to,
           case
             when jsonb_typeof(product.text::jsonb -> 'rules') = 'object' then (product.text::jsonb -> 'rules')::text
             else rule_set.rules
           end as rules,
           -principal.amount_minor as matured_principal, coalesce(-interest.amount_minor, 0) as matured_interest
    from deposits deposit
    join rule_sets rule_set
      on rule_set.book_id = deposit.book_id
      and rule_set.version = deposit.rules_version
    left join deposit_imports history
      on history.book_id = deposit.book_id
      and history.deposit_id = deposit.deposit_id
    left join products product
      on product.book_id = deposit.book_id
      and product.product_code = deposit.product_code
      and product.version = deposit.product_version
    left join ledger_entries entry
      on entry.book_id = deposit.book_id
      and entry.deposit_id = deposit.deposit_id
      and entry.kind = 'MATURITY'
    left join postings principal
      on principal.book_id = entry.book_id
      and principal.entry_id = entry.entry_id
      and principal.account = entry.deposit_id
    left join postings interest
      on interest.book_id = entry.book_id
      and interest.entry_id = entry.entry_id
      and interest.account = 'interest_expense'
    order by deposit.book_id, deposit.deposit_id`

type PaymentRow = {
  book_id: string
  deposit_id: string
  period_from: string
  period_to: string
  principal_minor: bigint
  interest_minor: bigint
  tax_minor: bigint
  tax_ppm: number | null
  tax_rules: string | null
  business_date: string
}

const selectPayments = `
    select paid.book_id, paid.deposit_id, paid.period_from, paid.period_to, paid.principal_minor,
           paid.interest_minor, paid.tax_minor, paid.tax_ppm, tax.text as tax_rules, paid.business_date
    from interest_payments paid
    left join documents tax
      on tax.book_id = paid.book_id
      and tax.kind = 'TAX_RULES'
      and tax.version = paid.tax_version
    order by paid.book_id, paid.deposit_id, paid.period_to`

/** `day_…` are sums of the parts of the day, up to and including this one. */
type TakenRow = {
  book_id: string
  deposit_id: string
  liquidation_id: string
  business_date: string
  paid_to: string | null
  reversed: boolean
  principal_minor: bigint
  remaining_minor: bigint
  paid_share_minor: bigint
  tax_share_minor: bigint
  tax_returned_minor: bigint
  tax_rules: string | null
  day_principal: bigint
  day_interest: bigint
  day_paid: bigint
  day_unearned: bigint
  day_recovered: bigint
}

const selectTaken = `
    with standing as (
      select taken.*,
             sum(principal_minor) over day as day_principal, sum(interest_minor) over day as day_interest,
             sum(paid_share_minor) over day as day_paid, sum(unearned_minor) over day as day_unearned,
             sum(recovered_minor) over day as day_recovered
      from liquidations taken
      where assessed_by = 'DAY'
        and reversed_at is null
      window day as (partition by book_id, deposit_id, business_date order by remaining_minor desc)
      union all
      select taken.*, principal_minor, interest_minor, paid_share_minor, unearned_minor, recovered_minor
      from liquidations taken
      where assessed_by = 'PART'
      union all
      -- What a reversed one was assessed with is kept with it alone.
      select taken.*, principal_minor + coalesce(earlier_principal_minor, 0),
             interest_minor + coalesce(earlier_interest_minor, 0), paid_share_minor + coalesce(earlier_paid_minor, 0),
             unearned_minor + coalesce(earlier_unearned_minor, 0), recovered_minor + coalesce(earlier_taken_minor, 0)
      from liquidations taken
      where assessed_by = 'DAY'
        and reversed_at is not null
    )
    select standing.book_id, standing.deposit_id, standing.liquidation_id, standing.business_date, standing.paid_to,
           standing.reversed_at is not null as reversed, standing.principal_minor, standing.remaining_minor,
           standing.paid_share_minor, standing.tax_share_minor, standing.tax_returned_minor, tax.text as tax_rules,
           standing.day_principal::bigint, standing.day_interest::bigint, standing.day_paid::bigint,
           standing.day_unearned::bigint, standing.day_recovered::bigint
    from standing
    left join documents tax
      on tax.book_id = standing.book_id
      and tax.kind = 'TAX_RULES'
      and tax.version = standing.tax_version
    order by standing.book_id, standing.deposit_id, standing.remaining_minor desc, standing.liquidation_id`
