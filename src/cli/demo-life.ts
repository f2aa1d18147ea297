/**
 * Ninety days of a demo bank: customers, deposits of every interest method, liquidations, waivers, tax, a reversal, liens,
 * requests that were decided, and the messages of a webhook. The days pass in a service of their own whose clock stands in the past. Every step has an
 * idempotency key, so that an interrupted start is completed by the next one, and everything follows from one seed.
 */
import { type Actor, OPERATOR } from '../domain/actor.ts'
import type { Approval } from '../domain/approvals.ts'
import type { Book } from '../domain/book.ts'
import type { Customer } from '../domain/customer.ts'
import { addDays, type IsoDate, startOfBusinessDate } from '../domain/dates.ts'
import type { Account } from '../domain/deposit.ts'
import type { Lien } from '../domain/lien.ts'
import { minor } from '../domain/money.ts'
import type { Waiver } from '../domain/settlement.ts'
import type { TaxRules } from '../domain/tax.ts'
import type { AnswerWriter, Origin, Result } from '../engine/change/change.ts'
import { creditAccount, openAccount } from '../features/accounts/changes.ts'
import { findApproval } from '../features/approval-requests/store.ts'
import { approve, reject, requestApproval } from '../features/approvals/changes.ts'
import { createCustomer } from '../features/customers/changes.ts'
import { openDeposit } from '../features/deposits/changes.ts'
import type { ShownDeposit } from '../features/deposits/record.ts'
import { placeLien, releaseLien } from '../features/liens/changes.ts'
import { liquidate } from '../features/liquidation/changes.ts'
import type { LiquidateBody } from '../features/liquidation/record.ts'
import { addRateSheet, putProduct } from '../features/products/changes.ts'
import { reverseLiquidation } from '../features/reversal/changes.ts'
import { putTaxStatus, taxRulesDocument } from '../features/tax/changes.ts'
import { createService, type Service } from './compose.ts'
import { FIRST_NAMES, LAST_NAMES, STREETS, TOWNS } from './demo-names.ts'
import { DEMO_PRODUCTS } from './demo-products.ts'
import { addDemoWebhook, deliverDemoMessages, switchDemoWebhookOff } from './demo-webhook.ts'

/** Days before today on which something happens; the last month is denser, because charts show it by day. */
const DAYS_AGO = [90, 75, 60, 48, 40, 33, 28, 25, 22, 19, 16, 13, 11, 8, 6, 4, 3, 1] as const
/** New customers come on the first of these days. */
const OPENING_DAYS = 7
const CUSTOMERS_EACH_DAY = 35
const HOUR_MS = 3_600_000
const LIFE_SEED = 20_260_101

type Colleague = { personId: string; name: string }
export type Staff = { clerk: Colleague; supervisor: Colleague }

/** `isLong`: runs for longer than the story. */
type Opened = { depositId: string; principal: bigint; isLong: boolean }

/** What every step of a day needs. */
type Life = {
  past: Service
  clerk: (step: string) => Origin
  supervisor: (step: string) => Origin
  operator: (step: string) => Origin
  below: (limit: number) => number
}

export async function liveThroughDays(service: Service, book: Book, staff: Staff): Promise<void> {
  const { today } = await service.momentIn(book)
  let at = new Date(0)
  const limits = { workers: 2, batchMax: 256, queueMax: 4_096 }
  const past = createService({ db: service.db, clock: () => at, limits })
  const originFor = (actor: Actor) => (step: string) => ({
    book,
    actor,
    requestId: null,
    idempotency: { key: `demo-life-${step}`, fingerprint: 'demo' },
  })
  const person = ({ personId: id, name }: Colleague): Actor => ({ kind: 'PERSON', id, name })
  const life: Life = {
    past,
    clerk: originFor(person(staff.clerk)),
    supervisor: originFor(person(staff.supervisor)),
    operator: originFor(OPERATOR),
    below: seeded(LIFE_SEED),
  }
  const opened: Opened[] = []
  let webhookEndpointId = ''
  for (const [day, ago] of DAYS_AGO.entries()) {
    const on = addDays(today, -ago)
    at = new Date(startOfBusinessDate(on, book.timeZone).getTime() + 10 * HOUR_MS)
    if (day === 0) await makeOffer(life, on)
    if (day === 0) webhookEndpointId = await addDemoWebhook(past, life.operator('webhook'), idOf)
    if (day < OPENING_DAYS) opened.push(...(await openDeposits(life, day)))
    else await breakSome(life, day, opened)
    if (day === OPENING_DAYS) await holdSome(life, opened)
    if (day === OPENING_DAYS + 2) await decideRequests(life, opened)
    await past.settleBook({ book, actor: OPERATOR, requestId: null })
    const isDown = day === OPENING_DAYS + 6
    await deliverDemoMessages(past, book, { webhookEndpointId, from: at, isDown })
  }
  await switchDemoWebhookOff(past, life.operator('webhook-off'), { webhookEndpointId, step: idOf })
}

async function makeOffer({ past, operator }: Life, from: IsoDate): Promise<void> {
  await done((answer) => taxRulesDocument.replace(past, operator('tax'), taxRules(from), answer))
  await makeProducts(past, operator)
}

/** With their rate sheets. */
export async function makeProducts(service: Service, originOf: (step: string) => Origin): Promise<void> {
  for (const { productCode, product, grid } of DEMO_PRODUCTS) {
    await done((answer) => putProduct(service, originOf(productCode), { productCode, product }, answer))
    const sheet = { productCode, grid }
    await done((answer) => addRateSheet(service, originOf(`${productCode}-sheet`), sheet, answer))
  }
}

/** Companies are taxed, people are not. */
function taxRules(effectiveFrom: IsoDate): TaxRules {
  return {
    effectiveFrom,
    base: 'NET',
    onRecovery: 'KEEP',
    rounding: 'HALF_UP',
    classes: new Map([
      ['STANDARD', 0],
      ['COMPANY', 100_000],
    ]),
  }
}

/** Their profiles and the terms of their deposits. */
function newCustomers(day: number, below: Life['below']) {
  return Array.from({ length: CUSTOMERS_EACH_DAY }, (_, index) => {
    const number = day * CUSTOMERS_EACH_DAY + index
    const [firstName, lastName] = [pick(FIRST_NAMES, below), pick(LAST_NAMES, below)]
    return {
      number,
      profile: {
        firstName,
        lastName,
        email: `${firstName}.${lastName}.${number}@example.com`.toLowerCase(),
        phoneNumber: `+234 803 ${String(100 + below(900))} ${String(1000 + below(9000))}`,
        address: `${1 + below(90)} ${pick(STREETS, below)}, ${pick(TOWNS, below)}`,
      },
      deposits: Array.from({ length: 1 + below(2) }, () => termsOf(below)),
    }
  })
}

/** Customers of a day with their accounts, and one or two deposits of each. */
async function openDeposits(life: Life, day: number): Promise<Opened[]> {
  const { past, clerk, supervisor, below } = life
  const customers = newCustomers(day, below)
  const accounts = await Promise.all(
    customers.map(async ({ number, profile }) => {
      const customerId = await idOf(
        (answer) => createCustomer(past, clerk(`customer-${number}`), profile, answer),
        (customer: Customer) => customer.customerId,
      )
      if (number % 12 === 5) {
        const status = {
          customerId,
          taxClass: 'COMPANY',
          taxValidUntil: null,
          taxReference: `RC-${1_000 + number}`,
        }
        await done((answer) => putTaxStatus(past, supervisor(`class-${number}`), status, answer))
      }
      return idOf(
        (answer) =>
          openAccount(past, supervisor(`account-${number}`), { customerId, currency: null }, answer),
        (account: Account) => account.accountNumber,
      )
    }),
  )
  const all = customers.map(async ({ number, deposits }, index) => {
    const accountNumber = accounts[index]!
    const sum = deposits.reduce((total, { amount }) => total + amount, 0n)
    const credit = { accountNumber, amount: minor(sum + 25_000_00n), narration: 'Transfer from another bank' }
    await done((answer) => creditAccount(past, supervisor(`credit-${number}`), credit, answer))
    return Promise.all(
      deposits.map(async ({ amount, isLong, ...terms }, place) => {
        const request = {
          accountNumber,
          amount: minor(amount),
          startDate: null,
          expectedRatePpm: null,
          ...terms,
        }
        const depositId = await idOf(
          (answer) => openDeposit(past, clerk(`deposit-${number}-${place}`), request, answer),
          ({ deposit }: ShownDeposit) => deposit.depositId,
        )
        return { depositId, principal: amount, isLong }
      }),
    )
  })
  return (await Promise.all(all)).flat()
}

function termsOf(below: Life['below']) {
  const amount = BigInt(50 + below(950) * (below(5) === 0 ? 4 : 1)) * 1_000_00n
  const sold = below(5) < 2 ? pick(DEMO_PRODUCTS, below) : undefined
  const instruction = below(3) === 0 ? ('ROLL_OVER' as const) : ('PAY_OUT' as const)
  if (sold === undefined) {
    const tenorDays = pick([30, 60, 90, 180, 270, 365, 730], below)
    return {
      amount,
      isLong: tenorDays > 90,
      tenorDays,
      annualRatePpm: 60_000 + below(36) * 2_500,
      instruction,
    }
  }
  const tenor = { unit: sold.product.tenor.unit, count: pick(sold.tenors, below) }
  return {
    amount,
    isLong: tenor.count > (tenor.unit === 'DAY' ? 90 : 3),
    productCode: sold.productCode,
    tenor,
    bonusCodes: [],
    negotiatedPpm: null,
    instruction,
  }
}

/** A few deposits are broken, all or in part, some with a waiver; one of them by mistake. */
async function breakSome(
  { past, clerk, supervisor, below }: Life,
  day: number,
  opened: Opened[],
): Promise<void> {
  const reasons = ['CUSTOMER_IN_BRANCH', 'CUSTOMER_IN_WRITING', 'CUSTOMER_BY_PHONE', 'BANK_DECISION'] as const
  const made = await Promise.all(
    Array.from({ length: 2 + below(4) }, async (_, index) => {
      const step = `break-${day}-${index}`
      const [{ depositId, principal }] = opened.splice(below(opened.length), 1) as [Opened]
      const isPart = principal >= 100_000_00n && below(2) === 0
      const part = isPart
        ? { type: 'PARTIAL' as const, amount: minor((principal / 4n / 1_000_00n) * 1_000_00n) }
        : { type: 'FULL' as const, amount: null }
      const isWaived = below(4) === 0
      const request = {
        depositId,
        part,
        reason: pick(reasons, below),
        reference: `BR-${2_000 + day * 20 + index}`,
        waiver: isWaived ? GOODWILL : null,
        expectedNet: null,
      }
      const origin = isWaived ? supervisor(step) : clerk(step)
      const result = await liquidate(past, origin, request, ({ liquidation }) => ({
        status: 200,
        body: '{}',
        madeId: liquidation.liquidationId,
      }))
      // One that matured meanwhile, or is too small for a part, stays as it is.
      return result.outcome === 'refused' ? null : (result.answer?.madeId ?? null)
    }),
  )
  const mistaken = day === OPENING_DAYS + 4 ? made.find((id) => id !== null) : null
  if (mistaken != null) {
    const request = { liquidationId: mistaken, reason: 'Booked for the wrong customer', note: null }
    await done((answer) => reverseLiquidation(past, supervisor('reverse'), request, answer))
  }
}

const GOODWILL: Waiver = {
  percentPpm: 500_000,
  amount: null,
  holdingPeriod: false,
  reason: 'GOODWILL',
  note: 'Customer for many years',
}

/** Two deposits secure loans; one loan was repaid. */
async function holdSome({ past, supervisor }: Life, opened: Opened[]): Promise<void> {
  const long = opened.filter(({ principal, isLong }) => isLong && principal >= 400_000_00n)
  for (const [index, { depositId }] of long.slice(-2).entries()) {
    const held = {
      depositId,
      amount: minor(300_000_00n),
      reason: 'Security for a loan',
      reference: `LN-40${index}`,
      note: null,
    }
    const lienId = await idOf(
      (answer) => placeLien(past, supervisor(`hold-${index}`), held, answer),
      ({ lien: { lienId } }: { lien: Lien }) => lienId,
    )
    // What is held is not broken later in the story.
    opened.splice(
      opened.findIndex((one) => one.depositId === depositId),
      1,
    )
    if (index > 0) continue
    const release = { lienId, reason: 'The loan was repaid' }
    await done((answer) => releaseLien(past, supervisor('release'), release, answer))
  }
}

/** Two requests of the clerk that the supervisor decided. */
async function decideRequests({ past, clerk, supervisor }: Life, opened: Opened[]): Promise<void> {
  const [first, second] = opened.filter(({ principal, isLong }) => isLong && principal >= 1_000_000_00n)
  for (const [index, deposit] of [first, second].entries()) {
    if (deposit === undefined) continue
    opened.splice(opened.indexOf(deposit), 1)
    const value: LiquidateBody = {
      liquidation_type: 'FULL',
      reason: 'CUSTOMER_IN_WRITING',
      reference: `BR-19${index}`,
    }
    const request = {
      operation: 'liquidateFixedDeposit',
      targetId: deposit.depositId,
      body: value,
      value,
      note: 'Letter in the file',
    } as const
    const approvalId = await idOf(
      (answer) => requestApproval(past, clerk(`ask-${index}`), request, answer),
      ({ approval }: { approval: Approval }) => approval.approvalId,
    )
    const origin = supervisor(`decide-${index}`)
    const kept = (await findApproval(past.db, origin.book.bookId, approvalId))!
    await (index === 0
      ? done((answer) => approve(past, origin, { kept, value, expectedNet: null }, answer))
      : done((answer) =>
          reject(past, origin, { approvalId, reason: 'The signature does not match' }, answer),
        ))
  }
}

/** Carries a step out once, now or in an earlier start. */
async function done<Value>(step: (answer: AnswerWriter<Value>) => Promise<Result<Value>>): Promise<void> {
  await idOf(step, () => '')
}

async function idOf<Value>(
  step: (answer: AnswerWriter<Value>) => Promise<Result<Value>>,
  id: (value: Value) => string,
): Promise<string> {
  const result = await step((value) => ({ status: 200, body: '{}', madeId: id(value) }))
  if (result.outcome === 'refused') throw new Error(`The demo bank cannot be made: ${result.code}.`)
  return result.answer?.madeId ?? ''
}

function pick<Item>(items: readonly Item[], below: Life['below']): Item {
  return items[below(items.length)]!
}

/** Numbers below a limit, the same ones at every start (mulberry32). */
function seeded(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit)
  }
}
