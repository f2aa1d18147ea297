/** What the model knows of a book, what it is compared with, and how figures and dates are written, without the service's code. */
import type { ModelCalendar } from './calendars.ts'
import type { Operation, Policy, ProfileChanges, TaxRules } from './workload.ts'

/** The requester of approvals: a key, as the approvals name it. */
export const MAKER = `KEY key_${'Maker'.padEnd(24, '0')}`

export const RATE_PPM = 123_450
export const TENOR_DAYS = 200

export type Outcome =
  | { kind: 'answered'; status: number; body: string; replayed: boolean }
  /** Details are null where they are not known. */
  | { kind: 'refused'; code: string; details: Record<string, bigint | number | string | null> | null }
  | { kind: 'failed'; message: string }
  | { kind: 'unknown' }

/** When it began and ended is counted in steps of the schedule. */
export type Happened = { operation: Operation; began: number; ended: number; outcome: Outcome }

export type BookState = {
  deposits: Map<string, DepositState>
  balances: Map<string, bigint>
  /** Whose an account is. */
  owners: Map<string, string>
  customers: Map<string, CustomerState>
  keys: Map<string, { fingerprint: string; body: string }>
  liquidations: Map<string, LiquidationState>
  approvals: Map<string, ApprovalState>
  liens: Map<string, LienState>
  /** The states of files. */
  batches: Map<string, string>
  policy: Policy
  /** The tax rules, oldest first. */
  taxes: readonly TaxRules[]
  people: Map<string, PersonState>
  apiKeys: Map<string, KeyState>
  /** How many calendars there were, and the last of them. */
  calendars: number
  calendar: ModelCalendar
}
export type RestState = Pick<PersonState, 'restsUntil' | 'restBy'>
/** `root`: the first of the keys that it was rolled from; null: it is the first. */
export type KeyState = RestState & { endsAt: string | null; root: string | null }
/** `restBy`: whose acts began the rest. */
export type PersonState = {
  status: string
  role: string
  restsUntil: string | null
  restBy: string[]
  link: { purpose: string; by: string | null; expiresAt: string } | null
}
export type LienState = { depositId: string; amount: bigint; status: string }
export type LiquidationState = {
  depositId: string
  principal: bigint
  interest: bigint
  charge: bigint
  net: bigint
  /** Its share of the interest that had been paid, and the boundary up to which that was. */
  paidShare: bigint
  paidTo: string | null
  /** Interest that went back. */
  unearned: bigint
  recovered: bigint
  waived: bigint
  penal: bigint
  tax: bigint
  taxShare: bigint
  taxReturned: bigint
  /** By which rules and in which class; null: it was not. */
  taxed: string | null
  remaining: bigint
  on: string
  /** The sums of the day before it. */
  earlier: Omit<Broken, 'on'> | null
  isReversed: boolean
}
/** Each is for breaking a whole deposit. One whose time is over counts as expired, whether that is recorded or not. */
export type ApprovalState = {
  status: string
  depositId: string
  needed: number
  maker: string
  voters: string[]
}
export type DepositState = {
  remaining: bigint
  status: string
  ratePpm: bigint
  startDate: string
  maturityDate: string
  accountNumber: string
  productCode: string | null
  method: string
  every: string | null
  /** Whether a charge may be taken from interest that was paid before. */
  recovers: boolean
  /** On what remains, and the last boundary up to which it was. */
  paid: bigint
  paidTax: bigint
  paidTo: string | null
  instruction: string
  /** Held by its liens. */
  lien: bigint
  /** What was broken on the last day on which something was: its parts are one withdrawal. */
  broken: Broken | null
}
export type Broken = {
  on: string
  principal: bigint
  interest: bigint
  charge: bigint
  paidShare: bigint
  unearned: bigint
  recovered: bigint
  penal: bigint
  tax: bigint
  taxShare: bigint
  taxReturned: bigint
}
export type CustomerState = Required<ProfileChanges> & { updatedAt: string; taxClass: string | null }

/** The rules of a world: ACT/365F, HALF_UP, and one PERCENT term whose charge the interest caps. */
export type ModelRules = {
  percentPpm: bigint
  percentOf: 'ACCRUED_INTEREST' | 'PRINCIPAL'
  minPartial: bigint
  minRemaining: bigint
  /** Whether the liquidation of the first day can still be reversed. */
  isWindowOpen: boolean
}

/** What the database has of the changes that were made: their events by request id, their answers by key. */
export type Recorded = {
  events: ReadonlyMap<string, ToldEvent>
  answers: ReadonlyMap<string, { fingerprint: string; body: string }>
}

/** of: the other events of the same change, by type; paid: how many payments its request made besides. */
export type ToldEvent = { data: string; at: string; of: Record<string, string>; paid: number }

/** The times and business dates between which it happened: those of its first and of its last step. */
export type Evidence = {
  outcome: Outcome
  body: string | null
  event: ToldEvent | undefined
  from: string
  to: string
  fromMs: number
  toMs: number
}

export function shows(data: Record<string, unknown>, expected: Record<string, string>): boolean {
  return Object.entries(expected).every(([name, value]) => data[name] === value)
}

export type Refused = { code: string; details: Record<string, bigint | number | string | null> }

export function refused(code: string, details: Refused['details'] = {}): Refused {
  return { code, details }
}

export function isRefusal(outcome: Outcome, code: string, details: Refused['details'] = {}): boolean {
  if (outcome.kind !== 'refused' || outcome.code !== code) return false
  const found = outcome.details
  if (found === null) return true
  const names = Object.keys(found)
  return names.length === Object.keys(details).length && names.every((name) => found[name] === details[name])
}

export const DAY_MS = 86_400_000

export function daysLater(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Lagos is an hour ahead of UTC, all year. */
export function lagosDate(instant: string): string {
  return new Date(Date.parse(instant) + 3_600_000).toISOString().slice(0, 10)
}

export function amountText(minor: bigint): string {
  const digits = String(minor).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Numbers as written: 5.00 and 5.0 differ. */
export function readData(body: string): Record<string, unknown> {
  type Reviver = (key: string, value: unknown, context: { source: string }) => unknown
  const reviver: Reviver = (_, value, { source }) => (typeof value === 'number' ? source : value)
  return JSON.parse(body, reviver as Parameters<typeof JSON.parse>[1]).data
}
