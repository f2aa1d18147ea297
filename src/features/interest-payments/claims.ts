/**
 * What verification claims of payments of interest: they follow the schedule, with what their principal earned, and each
 * part that was broken took its share of them.
 */

import { shareOf } from '../../domain/assessment.ts'
import {
  type Compared,
  type ComputedClaim,
  comparePostings,
  type PinnedVersions,
} from '../../domain/claim.ts'
import type { IsoDate } from '../../domain/dates.ts'
import { interestOfPeriod } from '../../domain/interest.ts'
import type { Posting } from '../../domain/ledger.ts'
import { type Minor, minor } from '../../domain/money.ts'
import { paymentMovements, type StoredPayment } from '../../domain/payments.ts'
import { boundaryAfter } from '../../domain/schedule.ts'
import { taxationAgain, withholdingTax } from '../../domain/tax.ts'
import { type Terms, termsOf } from '../../domain/terms.ts'
import type { Queries } from '../../engine/database/database.ts'
import type { Lookup } from '../../engine/database/facts.ts'
import { amount, calendarDate, calendarDateOrNull, rowMap } from '../../engine/database/row-map.ts'
import { type DepositTerms, isSettled, type PostedDeposit } from '../deposits/claims.ts'
import { findPayments } from './store.ts'

export const PAID_SHARES =
  'each payment is of what remained, and each part took its share of what had been paid'

export const paymentsOfDeposit: Lookup = {
  as: 'payment',
  rows: `
    select count(*) as payments
    from interest_payments
    where interest_payments.book_id = $1
      and interest_payments.deposit_id = deposits.deposit_id
      and deposits.method in ('PAYOUT', 'UPFRONT')`,
}

/** Over the entries of a deposit in the order of what they left. */
export const sumsOfPayments = [
  `string_agg(postings, '') filter (where kind = 'WITHHOLDING_TAX' and entry_liquidation is null)
            over in_turn as own_tax_postings`,
  `string_agg(postings, '') filter (where kind = 'INTEREST_PAYOUT') over in_turn as payout_postings`,
  `coalesce(sum(part_paid_share_minor) filter (where part_left is not null) over in_turn, 0)::bigint
            as paid_shares_minor`,
  `coalesce(sum(part_tax_share_minor) filter (where part_left is not null) over in_turn, 0)::bigint
            as tax_shares_minor`,
]

/** What a part took of the interest that had been paid. */
const takenMap = rowMap<{
  principal: Minor
  remaining: Minor
  paidShare: Minor
  taxShare: Minor
  businessDate: IsoDate
  paidTo: IsoDate | null
}>({
  principal: amount('principal_minor'),
  remaining: amount('remaining_minor'),
  paidShare: amount('paid_share_minor'),
  taxShare: amount('tax_share_minor'),
  businessDate: calendarDate('business_date'),
  paidTo: calendarDateOrNull('paid_to'),
})

type TakenPart = ReturnType<typeof takenMap.read>

export const statements = {
  // A lateral subquery with a limit is one index lookup for each entry, with and without statistics.
  findTakenParts: `
    select deposit_id, part.*
    from ledger_entries
    cross join lateral (
      select ${takenMap.columns}
      from liquidations
      where liquidations.book_id = $1
        and liquidations.liquidation_id = ledger_entries.liquidation_id
        and reversed_at is null
      limit 1
    ) as part
    where ledger_entries.book_id = $1
      and ledger_entries.deposit_id = any($2::text[])
      and ledger_entries.kind = 'LIQUIDATION'
    order by deposit_id, part.remaining_minor desc`,
}

export type KnownPayments = {
  /** Payments by deposit, oldest first. */
  payments: ReadonlyMap<string, readonly StoredPayment[]>
  /** Parts by deposit, in the order in which they were broken. */
  parts: ReadonlyMap<string, readonly TakenPart[]>
}

export async function readKnownPayments(
  queries: Queries,
  bookId: string,
  deposits: readonly DepositTerms[],
): Promise<KnownPayments> {
  const paying = deposits.filter(paysEarly).map(({ depositId }) => depositId)
  return {
    payments: await findPayments(queries, bookId, paying),
    parts: await findTakenParts(queries, bookId, paying),
  }
}

/** Parts by deposit, in the order in which they were broken; those that were reversed are left out. */
async function findTakenParts(
  db: Queries,
  bookId: string,
  depositIds: readonly string[],
): Promise<Map<string, TakenPart[]>> {
  if (depositIds.length === 0) return new Map()
  const rows = await db.query<{ deposit_id: string }>(statements.findTakenParts, [bookId, depositIds])
  const byDeposit = Map.groupBy(rows, ({ deposit_id }) => deposit_id)
  return new Map([...byDeposit].map(([depositId, parts]) => [depositId, parts.map(takenMap.read)]))
}

export const paymentClaims: ComputedClaim<PostedDeposit, PinnedVersions & KnownPayments>[] = [
  {
    claim: 'only payments of interest and a maturity have an entry for tax of their own',
    compare: ({ deposit, isLast, ownTaxPostings }, known) =>
      !isLast || isSettled(deposit)
        ? null
        : comparePostings(ownTaxPostings, paymentsOf(deposit, known).flatMap(taxPostingsOf)),
  },
  {
    claim: 'every payment of interest has an entry with what was paid',
    compare: ({ deposit, isLast, payoutPostings }, known) =>
      isLast
        ? comparePostings(
            payoutPostings,
            paymentsOf(deposit, known).flatMap((payment) => paymentMovements(payment)[0]?.postings ?? []),
          )
        : null,
  },
  {
    claim: 'payments of interest follow the schedule, with what their principal earned and the tax on it',
    compare: ({ deposit, imported, isLast }, known) =>
      isLast ? comparePayments(deposit, imported, known) : null,
  },
  {
    claim: PAID_SHARES,
    compare: (posted, known) => {
      const { deposit, isLast } = posted
      if (!isLast || !paysEarly(deposit)) return null
      const parts = known.parts.get(deposit.depositId) ?? []
      const terms = termsOf(deposit, known.rulesOf(deposit))
      return compareShares(posted, { payments: paymentsOf(deposit, known), parts }, terms)
    },
  },
  {
    claim: 'a deposit carries the interest that was paid on what remains, and the tax on that',
    compare: ({ deposit, imported, isLast, sharesTaken }, known) => {
      if (!isLast) return null
      const payments = paymentsOf(deposit, known)
      const sum = (member: 'interest' | 'tax') => payments.reduce((total, one) => total + one[member], 0n)
      return {
        found: [deposit.paid, deposit.paidTax],
        expected: [
          (imported?.paid ?? 0n) + sum('interest') - sharesTaken.paid,
          (imported?.paidTax ?? 0n) + sum('tax') - sharesTaken.tax,
        ],
      }
    },
  },
]

function paysEarly({ method }: DepositTerms): boolean {
  return method === 'PAYOUT' || method === 'UPFRONT'
}

export function paymentsOf(
  { depositId }: DepositTerms,
  { payments }: KnownPayments,
): readonly StoredPayment[] {
  return payments.get(depositId) ?? []
}

export function taxPostingsOf(payment: StoredPayment): Posting[] {
  return paymentMovements(payment)[1]?.postings ?? []
}

/** Period by period, each on its own principal; how the principal fell is claimed of the liquidations. */
function comparePayments(
  deposit: DepositTerms,
  imported: PostedDeposit['imported'],
  known: PinnedVersions & KnownPayments,
): Compared | null {
  const payments = paymentsOf(deposit, known)
  const terms = termsOf(deposit, known.rulesOf(deposit))
  let from = imported?.paidTo ?? terms.startDate
  const expected = payments.map(({ principal, taxed }) => {
    const period = { from, to: terms.method === 'UPFRONT' ? terms.maturityDate : boundaryAfter(terms, from) }
    from = period.to
    const interest = minor(interestOfPeriod(terms, principal, period))
    const taxation = taxationAgain(taxed, known.taxRules)
    const tax = withholdingTax(taxation, { interest, penal: 0n, total: interest, unit: terms.unit })
    return `${period.from} ${period.to} ${interest} ${tax}`
  })
  const found = payments.map((one) => `${one.from} ${one.to} ${one.interest} ${one.tax}`)
  const paidTo = terms.method === 'PAYOUT' ? (payments.at(-1)?.to ?? imported?.paidTo ?? null) : null
  return { found: [...found, deposit.paidTo], expected: [...expected, paidTo] }
}

/** A part keeps the boundary up to which interest had been paid: so it is known which payments came later. */
function compareShares(
  { deposit, imported }: PostedDeposit,
  { payments, parts }: { payments: readonly StoredPayment[]; parts: readonly TakenPart[] },
  terms: Terms,
): Compared {
  const isUpfront = terms.method === 'UPFRONT'
  const principals = payments.map(({ to }) =>
    parts
      .filter(({ paidTo }) => !isUpfront && (paidTo ?? '') < to)
      .reduce((left, part) => left - part.principal, (imported?.remaining ?? deposit.principal) as bigint),
  )
  const shares = parts.map((part, index) => {
    const ofDay = parts.slice(0, index + 1).filter(({ businessDate }) => businessDate === part.businessDate)
    const before = parts.slice(0, index + 1 - ofDay.length)
    const principal = sumOf(ofDay, 'principal')
    const whole = part.remaining + principal
    const paidBefore = payments.filter(({ to }) => isUpfront || to <= (part.paidTo ?? ''))
    const share = (had: bigint, earlier: bigint) =>
      shareOf(minor(had - earlier), { part: principal, whole }, terms)
    const paid = share((imported?.paid ?? 0n) + sumOf(paidBefore, 'interest'), sumOf(before, 'paidShare'))
    const tax = share((imported?.paidTax ?? 0n) + sumOf(paidBefore, 'tax'), sumOf(before, 'taxShare'))
    const earlier = ofDay.slice(0, -1)
    return `${paid - sumOf(earlier, 'paidShare')} ${tax - sumOf(earlier, 'taxShare')}`
  })
  return {
    found: [
      ...payments.map(({ principal }) => principal),
      ...parts.map(({ paidShare, taxShare }) => `${paidShare} ${taxShare}`),
    ],
    expected: [...principals, ...shares],
  }
}

function sumOf<Name extends string>(rows: readonly Record<Name, bigint>[], name: Name): bigint {
  return rows.reduce((sum, row) => sum + row[name], 0n)
}
