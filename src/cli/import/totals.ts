/** Control totals: what the files hold against what the service stored, by product and currency. */
import { readDecimal } from '../../domain/decimal.ts'
import { formatAmount } from '../../domain/money.ts'
import type { Numeral } from '../../wire/json.ts'
import type { FileName } from './mapping.ts'

/** Totals by kind of sum, product and currency. */
export type Totals = Map<string, { count: number; sum: bigint }>

const KINDS = {
  customers: 'Customers',
  balance: 'Balances',
  principal: 'Principal',
  interest: 'Interest paid',
} as const

export function newTotals(): Totals {
  return new Map()
}

/** Counts a row of a file. */
export function addRow(
  totals: Totals,
  file: FileName,
  members: Record<string, unknown>,
  currency: string | undefined,
): void {
  const { balance, principal, remaining_principal, interest_paid, product_code } = members
  const amounts = { balance, principal: remaining_principal ?? principal, interest: interest_paid }
  add(totals, file, amounts, { product: product_code, currency })
}

/** Counts what the service answered to a line. */
export function addAnswer(totals: Totals, file: FileName, data: Record<string, unknown>): void {
  const { balance, remaining_principal, interest_paid_out, product_code, currency } = data
  const amounts = { balance, principal: remaining_principal, interest: interest_paid_out }
  add(totals, file, amounts, { product: product_code, currency })
}

function add(
  totals: Totals,
  file: FileName,
  amounts: { balance: unknown; principal: unknown; interest: unknown },
  { product, currency }: { product: unknown; currency: unknown },
): void {
  const into = (kind: keyof typeof KINDS, amount: unknown) => {
    const key = [KINDS[kind], kind === 'customers' ? '' : (product ?? ''), currency ?? ''].join('\t')
    const before = totals.get(key) ?? { count: 0, sum: 0n }
    totals.set(key, { count: before.count + 1, sum: before.sum + unitsOf(amount) })
  }
  if (file === 'customers') into('customers', undefined)
  if (file === 'accounts') into('balance', amounts.balance)
  if (file !== 'deposits') return
  into('principal', amounts.principal)
  if (unitsOf(amounts.interest) !== 0n) into('interest', amounts.interest)
}

/** More than any sum of a file. */
const SUM_MAX = 10n ** 30n

export function unitsOf(value: unknown): bigint {
  if (value === undefined || value === null) return 0n
  const read = readDecimal((value as Numeral).source, { digits: 2, max: SUM_MAX })
  return typeof read === 'string' ? 0n : read.units
}

export type ControlLine = {
  kind: string
  product: string | null
  currency: string | null
  old: { count: number; sum: string }
  new: { count: number; sum: string }
  agrees: boolean
}

export function compareTotals(before: Totals, after: Totals): ControlLine[] {
  const order = Object.values<string>(KINDS)
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort()
  const lines = keys.map((key) => {
    const [kind, product, currency] = key.split('\t') as [string, string, string]
    const [old, now] = [before, after].map((totals) => totals.get(key) ?? { count: 0, sum: 0n })
    const shown = ({ count, sum }: { count: number; sum: bigint }) => ({
      count,
      sum: kind === KINDS.customers ? '' : grouped(formatAmount(sum)),
    })
    const agrees = old!.count === now!.count && old!.sum === now!.sum
    return {
      ...{ kind, product: product || null, currency: currency || null },
      ...{ old: shown(old!), new: shown(now!), agrees },
    }
  })
  return lines.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}

function grouped(amount: string): string {
  return amount.replaceAll(/\B(?=(?:\d{3})+\.)/g, ',')
}
