/**
 * The movements of a deposit, computed from its ledger entries. Amounts are those of the customer: positive where the
 * account, or the successor, received money, negative where it paid. So for any period
 *
 *   amounts + change of the remaining principal = interest − penal charge − tax
 *
 * which the last line shows, whatever the statement begins with.
 */
import assert from 'node:assert/strict'
import type { IsoDate } from './dates.ts'
import type { Deposit } from './deposit.ts'
import {
  ENTRY_KINDS,
  INTEREST_EXPENSE,
  type LedgerEntry,
  MIGRATION_SUSPENSE,
  PENAL_INCOME,
  PENAL_WAIVED,
  type Posting,
  ROLLOVER_CLEARING,
  TAX_PAYABLE,
} from './ledger.ts'

export const LINE_KINDS = [
  ...ENTRY_KINDS,
  'BROUGHT_FORWARD',
  'WAIVER',
  'LIEN_PLACED',
  'LIEN_RELEASED',
  'SUMS',
] as const
type LineKind = (typeof LINE_KINDS)[number]

/** What one entry moved, or everything before. Waived is part of the charge: the assessed amount is their sum. */
type Moved = {
  amount: bigint
  principal: bigint
  interest: bigint
  charge: bigint
  waived: bigint
  tax: bigint
}

export type StatementLine = {
  date: IsoDate
  kind: LineKind
  amount: bigint
  remaining: bigint
  entryId: string | null
  moved: Moved
  /** The amount and the reason of a lien. */
  held: { amount: bigint; reason: string } | null
  /** From an earlier deposit, or into the next one. */
  rolled: boolean
}

export type StatementEvent =
  | { kind: 'ENTRY'; date: IsoDate; entry: LedgerEntry }
  | { kind: 'LIEN_PLACED' | 'LIEN_RELEASED'; date: IsoDate; amount: bigint; reason: string }

/** The maximum number of lines; a longer statement has to be requested in parts. */
export const STATEMENT_LINES_MAX = 5_000

/** Takes movements, oldest first. */
export function openStatement(deposit: Deposit, { from, to }: { from: IsoDate; to: IsoDate }) {
  const lines: StatementLine[] = []
  let sums = NOTHING
  let before = NOTHING

  return {
    /** false: the statement is too long. */
    add(event: StatementEvent): boolean {
      if (event.date > to) return true
      const earlier = sums
      if (event.kind === 'ENTRY') sums = sum(sums, movedBy(event.entry, deposit))
      if (event.date < from) before = sums
      else lines.push(...linesOf(event, deposit, earlier))
      return lines.length <= STATEMENT_LINES_MAX
    },
    close(): StatementLine[] {
      if (to < deposit.startDate) return []
      const forward = before === NOTHING ? [] : [sumLine('BROUGHT_FORWARD', from, before)]
      return [...forward, ...lines, sumLine('SUMS', to, sums)]
    },
  }
}

const NOTHING: Moved = { amount: 0n, principal: 0n, interest: 0n, charge: 0n, waived: 0n, tax: 0n }

function movedBy({ postings }: LedgerEntry, { depositId, accountNumber }: Deposit): Moved {
  const of = (...accounts: string[]) =>
    postings
      .filter(({ account }) => accounts.includes(account))
      .reduce((total, posting: Posting) => total + posting.amount, 0n)
  const amount = of(accountNumber, ROLLOVER_CLEARING, MIGRATION_SUSPENSE)
  const principal = of(depositId)
  const interest = -of(INTEREST_EXPENSE)
  const charge = of(PENAL_INCOME, PENAL_WAIVED)
  const tax = of(TAX_PAYABLE)
  assert(amount + principal === interest - charge - tax, 'an entry of a deposit has no other accounts')
  return {
    amount,
    principal,
    interest,
    charge,
    waived: -of(PENAL_WAIVED),
    tax,
  }
}

function sum(left: Moved, right: Moved): Moved {
  return {
    amount: left.amount + right.amount,
    principal: left.principal + right.principal,
    interest: left.interest + right.interest,
    charge: left.charge + right.charge,
    waived: left.waived + right.waived,
    tax: left.tax + right.tax,
  }
}

/** A waiver is a separate line: the one before it shows the whole charge. */
function linesOf(event: StatementEvent, deposit: Deposit, earlier: Moved): StatementLine[] {
  const { date } = event
  if (event.kind !== 'ENTRY') {
    const { kind, amount, reason } = event
    const held = { amount, reason }
    const line = { date, kind, amount: 0n, remaining: earlier.principal, entryId: null }
    return [{ ...line, moved: NOTHING, held, rolled: false }]
  }
  const { entry } = event
  const moved = movedBy(entry, deposit)
  const waived = entry.kind === 'LIQUIDATION' ? moved.waived : 0n
  const line: StatementLine = {
    date,
    // What began elsewhere is brought forward: the money comes from no account of the customer.
    kind: entry.kind === 'IMPORT' ? 'BROUGHT_FORWARD' : entry.kind,
    amount: moved.amount - waived,
    remaining: earlier.principal + moved.principal,
    entryId: entry.entryId,
    moved,
    held: null,
    rolled: entry.postings.some(({ account }) => account === ROLLOVER_CLEARING),
  }
  return waived === 0n ? [line] : [line, { ...line, kind: 'WAIVER', amount: waived }]
}

function sumLine(kind: LineKind, date: IsoDate, moved: Moved): StatementLine {
  const { amount, principal: remaining } = moved
  return { date, kind, amount, remaining, entryId: null, moved, held: null, rolled: false }
}
