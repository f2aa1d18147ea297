/**
 * A demo bank to try the service on: rules, customers, funded accounts and deposits of different ages, all written
 * through the same operations as a caller's requests, in the test book.
 *
 * Each step has an idempotency key, so making the bank again after a crash goes on where it stopped, and making it once
 * more changes nothing and tells the same ids.
 */

import type { Book } from '../domain/book.ts'
import { addDays } from '../domain/dates.ts'
import { minor } from '../domain/money.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { PenalRule, RuleSet } from '../domain/rules.ts'
import type { Answered, Origin } from '../engine/change/change.ts'
import { creditAccount, openAccount } from '../features/accounts/changes.ts'
import { createCustomer } from '../features/customers/changes.ts'
import { openDeposit } from '../features/deposits/changes.ts'
import { replaceRules } from '../features/rules/changes.ts'
import type { Service } from './compose.ts'

export const DEMO_CALLER = { name: 'Demo Bank', timeZone: 'Africa/Lagos', currency: 'NGN' }

/** The records that the printed requests are about. */
export type DemoRecords = { customerId: string; partialDepositId: string; fullDepositId: string }

export async function furnishDemoBank(service: Service, book: Book): Promise<DemoRecords> {
  const { perform, rules } = service
  const { today } = await service.momentIn(book)
  const originOf = (step: string): Origin => ({
    book,
    apiKeyId: null,
    requestId: null,
    idempotency: { key: `demo-${step}`, fingerprint: 'demo' },
  })

  told(await replaceRules(perform, originOf('rules'), DEMO_RULES))
  const customerIds: string[] = []
  const depositIds: string[] = []
  for (const [index, { funds, deposits, ...customer }] of DEMO_CUSTOMERS.entries()) {
    const created = told(await createCustomer(perform, originOf(`customer-${index}`), customer))
    const customerId = created.customer_id!
    customerIds.push(customerId)
    const opened = told(await openAccount(perform, originOf(`account-${index}`), { customer_id: customerId }))
    const accountNumber = opened.account_number!
    const credit = { amount: minor(funds), narration: 'Opening balance' }
    told(await creditAccount(perform, originOf(`credit-${index}`), { accountNumber, credit }))
    for (const deposit of deposits) {
      const { principal, ratePpm, tenor, ageDays, autoRollover = false } = deposit
      const asked = {
        account_number: accountNumber,
        amount: minor(principal),
        tenor,
        interest_rate: ratePpm,
        auto_rollover: autoRollover,
        start_date: addDays(today, -ageDays),
      }
      const origin = originOf(`deposit-${depositIds.length}`)
      depositIds.push(told(await openDeposit(perform, rules, origin, asked)).deposit_id!)
    }
  }
  return {
    customerId: customerIds[0]!,
    partialDepositId: depositIds[0]!,
    fullDepositId: depositIds[1]!,
  }
}

/** What an operation answered; the demo bank is made of steps that are never refused. */
function told(answer: Answered | Refusal): Record<string, string | undefined> {
  if (answer.outcome === 'refused') throw new Error(`The demo bank cannot be made: ${answer.code}.`)
  return (JSON.parse(answer.body) as { data: Record<string, string> }).data
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
  first_name: string
  last_name: string
  email: string
  phone_number: string
  address: string
  funds: bigint
  deposits: readonly DemoDeposit[]
}

/** The first deposit is broken in part by the printed requests, the second wholly. */
export const DEMO_CUSTOMERS: readonly [DemoCustomer, ...DemoCustomer[]] = [
  {
    first_name: 'Adaeze',
    last_name: 'Okonkwo',
    email: 'adaeze.okonkwo@example.com',
    phone_number: '+234 800 555 0101',
    address: '12 Harbour Road, Lagos',
    funds: 2_000_000_00n,
    deposits: [
      { principal: 500_000_00n, ratePpm: 120_000, tenor: 365, ageDays: 100 },
      { principal: 50_000_00n, ratePpm: 50_000, tenor: 365, ageDays: 122 },
      { principal: 1_000_000_00n, ratePpm: 120_000, tenor: 90, ageDays: 0 },
    ],
  },
  {
    first_name: 'Babajide',
    last_name: 'Afolabi',
    email: 'babajide.afolabi@example.com',
    phone_number: '+234 800 555 0102',
    address: '4 Lighthouse Close, Ibadan',
    funds: 3_000_000_00n,
    deposits: [
      { principal: 250_000_00n, ratePpm: 95_000, tenor: 180, ageDays: 10 },
      { principal: 2_000_000_00n, ratePpm: 142_500, tenor: 365, ageDays: 350 },
    ],
  },
  {
    first_name: 'Chioma',
    last_name: 'Eze',
    email: 'chioma.eze@example.com',
    phone_number: '+234 800 555 0103',
    address: '27 Garden Avenue, Enugu',
    funds: 250_000_00n,
    deposits: [
      { principal: 75_000_00n, ratePpm: 60_000, tenor: 91, ageDays: 89 },
      { principal: 120_000_00n, ratePpm: 80_000, tenor: 182, ageDays: 60, autoRollover: true },
    ],
  },
  {
    first_name: 'Danladi',
    last_name: 'Musa',
    email: 'danladi.musa@example.com',
    phone_number: '+234 800 555 0104',
    address: '8 Market Street, Kano',
    funds: 800_000_00n,
    deposits: [
      { principal: 300_000_00n, ratePpm: 100_000, tenor: 30, ageDays: 29, autoRollover: true },
      // Past its maturity: due as soon as it is there.
      { principal: 400_000_00n, ratePpm: 110_000, tenor: 60, ageDays: 65 },
    ],
  },
  {
    first_name: 'Ese',
    last_name: 'Oghene',
    email: 'ese.oghene@example.com',
    phone_number: '+234 800 555 0105',
    address: '31 Creek View, Warri',
    funds: 10_500_000_00n,
    deposits: [
      { principal: 10_000_000_00n, ratePpm: 150_000, tenor: 730, ageDays: 400 },
      { principal: 35_000_50n, ratePpm: 45_000, tenor: 365, ageDays: 200 },
    ],
  },
  {
    first_name: 'Funmilayo',
    last_name: 'Bello',
    email: 'funmilayo.bello@example.com',
    phone_number: '+234 800 555 0106',
    address: '16 Hill Crescent, Abeokuta',
    funds: 200_000_00n,
    deposits: [{ principal: 150_000_00n, ratePpm: 72_500, tenor: 270, ageDays: 30 }],
  },
]
