/**
 * A demo bank to try the service on: rules, customers, funded accounts and deposits of different ages, all written
 * through the same operations as API requests, in the test book.
 *
 * Each step has an idempotency key, so making the bank again after a crash continues where it stopped, and repeating it
 * changes nothing and returns the same ids.
 */

import { type Actor, OPERATOR } from '../domain/actor.ts'
import type { Approval, ApprovalPolicy } from '../domain/approvals.ts'
import type { Book } from '../domain/book.ts'
import type { Customer } from '../domain/customer.ts'
import { addDays, type IsoDate } from '../domain/dates.ts'
import type { Account } from '../domain/deposit.ts'
import type { LedgerEntry } from '../domain/ledger.ts'
import { minor } from '../domain/money.ts'
import type { PenalRule, RuleSet } from '../domain/rules.ts'
import type { AnswerWriter, Origin, Result } from '../engine/change/change.ts'
import { creditAccount, openAccount } from '../features/accounts/changes.ts'
import { requestApproval } from '../features/approvals/changes.ts'
import { createCustomer } from '../features/customers/changes.ts'
import { openDeposit } from '../features/deposits/changes.ts'
import type { ShownDeposit } from '../features/deposits/record.ts'
import type { LiquidateBody } from '../features/liquidation/record.ts'
import { policyDocument } from '../features/policies/changes.ts'
import { rulesDocument } from '../features/rules/changes.ts'
import type { Service } from './compose.ts'
import { liveThroughDays, makeProducts, type Staff } from './demo-life.ts'
import type { DemoPerson } from './demo-people.ts'
import { DEMO_PRODUCTS } from './demo-products.ts'

export const DEMO_CALLER = { name: 'Demo Bank', timeZone: 'Africa/Lagos', currency: 'NGN' }

/** What is stored of a demo bank: its test key, the records that the printed requests use, and its people. */
export const DEMO_MEMBERS = [
  'caller_id',
  'test_key',
  'customer_id',
  'partial_deposit_id',
  'full_deposit_id',
] as const
export type Demo = Record<(typeof DEMO_MEMBERS)[number], string> & { people: DemoPerson[] }

/** Used up: no deposit of it can be broken. */
export type FoundDemo = { demo: Demo; isUsedUp: boolean }

/** A new book starts with version 1; the rules of the demo bank are the next. */
export const DEMO_RULES_VERSION = 2
/** What a deposit needs for the part that the printed requests break, and for the minimum that has to remain. */
export const DEMO_REMAINING_MIN = minor(110_000_00n)

/** Breaking a deposit of this amount or more needs the approval of a second person. */
export const DEMO_LIMIT = minor(5_000_000_00n)

/** The records that the printed requests use, and the one whose breaking waits for approval. */
type DemoRecords = {
  customerId: string
  partialDepositId: string
  fullDepositId: string
  waitingDepositId: string
}

/** Its own records come last: lists show them first. */
export async function furnishDemoBank(
  service: Service,
  book: Book,
  staff: Staff | null,
): Promise<DemoRecords> {
  const { today } = await service.momentIn(book)
  const originOf = (step: string) => originOfStep(book, OPERATOR, step)

  await idOf(
    'version',
    (answer) => rulesDocument.replace(service, originOf('rules'), DEMO_RULES, answer),
    versionOf,
  )
  await idOf(
    'version',
    (answer) => policyDocument.replace(service, originOf('policy'), DEMO_POLICY, answer),
    versionOf,
  )
  if (staff !== null) await liveThroughDays(service, book, staff)
  else await makeProducts(service, originOf)
  const customerIds: string[] = []
  const accountNumbers: string[] = []
  const depositIds: string[] = []
  for (const [index, { funds, deposits, ...customer }] of DEMO_CUSTOMERS.entries()) {
    const made = await openCustomer(service, originOf, { index, customer, funds })
    customerIds.push(made.customerId)
    accountNumbers.push(made.accountNumber)
    for (const deposit of deposits) {
      const { principal, ratePpm, tenor, ageDays, autoRollover = false } = deposit
      const terms = {
        accountNumber: made.accountNumber,
        amount: minor(principal),
        tenorDays: tenor,
        annualRatePpm: ratePpm,
        instruction: autoRollover ? ('ROLL_OVER' as const) : ('PAY_OUT' as const),
        startDate: addDays(today, -ageDays),
      }
      const origin = originOf(`deposit-${depositIds.length}`)
      const depositId = await idOf(
        'deposit_id',
        (answer) => openDeposit(service, origin, terms, answer),
        (opened: ShownDeposit) => opened.deposit.depositId,
      )
      depositIds.push(depositId)
    }
  }
  await openByProducts(service, { book, today, accountNumbers })
  return {
    customerId: customerIds[0]!,
    partialDepositId: depositIds[0]!,
    fullDepositId: depositIds[1]!,
    waitingDepositId: depositIds.at(-1)!,
  }
}

/** The customer gets an account with money on it. */
async function openCustomer(
  service: Service,
  originOf: (step: string) => Origin,
  opened: { index: number; customer: Parameters<typeof createCustomer>[2]; funds: bigint },
): Promise<{ customerId: string; accountNumber: string }> {
  const { index, customer, funds } = opened
  const customerId = await idOf(
    'customer_id',
    (answer) => createCustomer(service, originOf(`customer-${index}`), customer, answer),
    (created: Customer) => created.customerId,
  )
  const accountNumber = await idOf(
    'account_number',
    (answer) => openAccount(service, originOf(`account-${index}`), { customerId, currency: null }, answer),
    (account: Account) => account.accountNumber,
  )
  const credit = { accountNumber, amount: minor(funds), narration: 'Opening balance' }
  await idOf(
    'entry_id',
    (answer) => creditAccount(service, originOf(`credit-${index}`), credit, answer),
    (entry: LedgerEntry) => entry.entryId,
  )
  return { customerId, accountNumber }
}

async function openByProducts(
  service: Service,
  { book, today, accountNumbers }: { book: Book; today: IsoDate; accountNumbers: readonly string[] },
): Promise<void> {
  for (const { productCode, product, deposit } of DEMO_PRODUCTS) {
    const { customer, amount, tenor, ageDays } = deposit
    const wish = {
      accountNumber: accountNumbers[customer]!,
      amount: minor(amount),
      productCode,
      tenor: { unit: product.tenor.unit, count: tenor },
      bonusCodes: [],
      negotiatedPpm: null,
      instruction: null,
      startDate: addDays(today, -ageDays),
    }
    await idOf(
      'deposit_id',
      (answer) => openDeposit(service, originOfStep(book, OPERATOR, `deposit-${productCode}`), wish, answer),
      (opened: ShownDeposit) => opened.deposit.depositId,
    )
  }
}

/** The clerk requests to break a deposit above the limit, so that a supervisor has something to decide. */
export async function leaveRequestWaiting(
  service: Service,
  asked: { book: Book; depositId: string; clerk: { personId: string; name: string } },
): Promise<void> {
  const { book, depositId: targetId, clerk } = asked
  const actor: Actor = { kind: 'PERSON', id: clerk.personId, name: clerk.name }
  const value: LiquidateBody = {
    liquidation_type: 'FULL',
    reason: 'CUSTOMER_IN_WRITING',
    reference: 'BR-2291',
  }
  const request = {
    operation: 'liquidateFixedDeposit',
    targetId,
    body: value,
    value,
    note: null,
  } as const
  await idOf(
    'approval_id',
    (answer) => requestApproval(service, originOfStep(book, actor, 'request'), request, answer),
    ({ approval }: { approval: Approval }) => approval.approvalId,
  )
}

function originOfStep(book: Book, actor: Actor, step: string): Origin {
  return { book, actor, requestId: null, idempotency: { key: `demo-${step}`, fingerprint: 'demo' } }
}

/** The id of what a step made, now or in an earlier run; a replay has only the stored answer. */
async function idOf<Value>(
  member: string,
  step: (answer: AnswerWriter<Value>) => Promise<Result<Value>>,
  id: (value: Value) => string,
): Promise<string> {
  const result = await step((value) => ({ status: 200, body: `{"${member}":"${id(value)}"}` }))
  if (result.outcome === 'refused') throw new Error(`The demo bank cannot be made: ${result.code}.`)
  const kept = new RegExp(`"${member}":"?([^",}]+)`).exec(result.answer!.body)
  if (kept === null) throw new Error(`The demo bank cannot be made: a step stored no ${member}.`)
  return kept[1]!
}

function versionOf({ version }: { version: number }): string {
  return String(version)
}

/** The earlier a deposit is broken, the more of its interest is charged. */
const DEMO_RULES: RuleSet = {
  dayCount: 'ACT/365F',
  rounding: 'HALF_UP',
  allowPartial: true,
  minPartialAmount: minor(1_000_00n),
  minRemainingPrincipal: minor(10_000_00n),
  minHoldingDays: 0,
  penalRules: [
    tier({ elapsedBelowPpm: 200_000, chargedPpm: 900_000 }),
    tier({ elapsedBelowPpm: 400_000, chargedPpm: 800_000 }),
    tier({ elapsedBelowPpm: 600_000, chargedPpm: 600_000 }),
    tier({ elapsedBelowPpm: 800_000, chargedPpm: 400_000 }),
    tier({ elapsedBelowPpm: null, chargedPpm: 200_000 }),
  ],
}

/** Requests for approval stay open for long: a demo bank may be used weeks after it was made. */
const DEMO_POLICY: ApprovalPolicy = {
  expiresAfterHours: 720,
  deciders: 'PERSON',
  rules: [{ operation: 'liquidateFixedDeposit', when: { amount: { gte: DEMO_LIMIT } }, approvals: 1 }],
}

function tier(share: { elapsedBelowPpm: number | null; chargedPpm: number }): PenalRule {
  const { elapsedBelowPpm, chargedPpm } = share
  return {
    when: elapsedBelowPpm === null ? {} : { elapsedPercent: { lt: elapsedBelowPpm } },
    terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percentPpm: chargedPpm }],
    combine: 'SUM',
    min: minor(0n),
    max: null,
  }
}

type DemoDeposit = {
  principal: bigint
  ratePpm: number
  tenor: number
  ageDays: number
  autoRollover?: boolean
}
type DemoCustomer = {
  firstName: string
  lastName: string
  email: string
  phoneNumber: string
  address: string
  funds: bigint
  deposits: readonly DemoDeposit[]
}

/** The first deposit is broken in part by the printed requests, the second wholly; breaking the last waits for approval. */
export const DEMO_CUSTOMERS: readonly [DemoCustomer, ...DemoCustomer[]] = [
  {
    firstName: 'Adaeze',
    lastName: 'Okonkwo',
    email: 'adaeze.okonkwo@example.com',
    phoneNumber: '+234 800 555 0101',
    address: '12 Harbour Road, Lagos',
    funds: 2_000_000_00n,
    deposits: [
      { principal: 500_000_00n, ratePpm: 120_000, tenor: 365, ageDays: 100 },
      { principal: 50_000_00n, ratePpm: 50_000, tenor: 365, ageDays: 122 },
      { principal: 1_000_000_00n, ratePpm: 120_000, tenor: 90, ageDays: 0 },
    ],
  },
  {
    firstName: 'Babajide',
    lastName: 'Afolabi',
    email: 'babajide.afolabi@example.com',
    phoneNumber: '+234 800 555 0102',
    address: '4 Lighthouse Close, Ibadan',
    funds: 3_000_000_00n,
    deposits: [
      { principal: 250_000_00n, ratePpm: 95_000, tenor: 180, ageDays: 10 },
      { principal: 2_000_000_00n, ratePpm: 142_500, tenor: 365, ageDays: 350 },
    ],
  },
  {
    firstName: 'Chioma',
    lastName: 'Eze',
    email: 'chioma.eze@example.com',
    phoneNumber: '+234 800 555 0103',
    address: '27 Garden Avenue, Enugu',
    funds: 250_000_00n,
    deposits: [
      { principal: 75_000_00n, ratePpm: 60_000, tenor: 91, ageDays: 89 },
      { principal: 120_000_00n, ratePpm: 80_000, tenor: 182, ageDays: 60, autoRollover: true },
    ],
  },
  {
    firstName: 'Danladi',
    lastName: 'Musa',
    email: 'danladi.musa@example.com',
    phoneNumber: '+234 800 555 0104',
    address: '8 Market Street, Kano',
    funds: 800_000_00n,
    deposits: [
      { principal: 300_000_00n, ratePpm: 100_000, tenor: 30, ageDays: 29, autoRollover: true },
      // Past its maturity: due immediately.
      { principal: 400_000_00n, ratePpm: 110_000, tenor: 60, ageDays: 65 },
    ],
  },
  {
    firstName: 'Ese',
    lastName: 'Oghene',
    email: 'ese.oghene@example.com',
    phoneNumber: '+234 800 555 0105',
    address: '31 Creek View, Warri',
    funds: 10_500_000_00n,
    deposits: [
      { principal: 10_000_000_00n, ratePpm: 150_000, tenor: 730, ageDays: 400 },
      { principal: 35_000_50n, ratePpm: 45_000, tenor: 365, ageDays: 200 },
    ],
  },
  {
    firstName: 'Funmilayo',
    lastName: 'Bello',
    email: 'funmilayo.bello@example.com',
    phoneNumber: '+234 800 555 0106',
    address: '16 Hill Crescent, Abeokuta',
    funds: 200_000_00n,
    deposits: [{ principal: 150_000_00n, ratePpm: 72_500, tenor: 270, ageDays: 30 }],
  },
  {
    firstName: 'Gbenga',
    lastName: 'Lawal',
    email: 'gbenga.lawal@example.com',
    phoneNumber: '+234 800 555 0107',
    address: '2 Marina Walk, Lagos',
    funds: 8_500_000_00n,
    deposits: [{ principal: 8_000_000_00n, ratePpm: 135_000, tenor: 365, ageDays: 120 }],
  },
]
