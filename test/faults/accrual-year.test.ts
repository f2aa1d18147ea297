/**
 * A random year of a book, day by day: deposits of every method are opened, paid, broken in part, taken back and mature.
 * Days are closed one by one or many at once. Of every day an evaluator that shares no code with the service knows what
 * the accounts hold, and the service computes each of them again at the end.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isoDate } from '../../src/domain/dates.ts'
import { closeDays, targetsOf } from '../../src/features/accruals/changes.ts'
import { listDays } from '../../src/features/accruals/store.ts'
import { findBook } from '../../src/features/callers/store.ts'
import { verify } from '../../src/features/verification/verify.ts'
import {
  boundariesOf,
  daysAfter,
  type ExactTerms,
  earnedOf,
  type Held,
  periodInterest,
  shareOf,
  unitOf,
} from '../support/exact-interest.ts'
import { openByProduct, sell } from '../support/products.ts'
import { createRandom, type Random } from '../support/random.ts'
import { type Ask, describeService, replaceRules, startService } from '../support/service.ts'
import { all } from './support/counts.ts'

const TAKEN_BACK_WITHIN_DAYS = 20
/** As many missed days are caught up. */
const GAP_MAX = 31
const SEEDS = all ? [1, 2, 3] : [1]
const DAYS = 366
const FIRST = '2027-07-01'
const CURRENCIES = ['NGN', 'XOF'] as const
const METHODS = [
  { method: 'AT_MATURITY', every: null },
  { method: 'COMPOUND', every: 'MONTH' },
  { method: 'COMPOUND', every: 'DAY' },
  { method: 'PAYOUT', every: 'MONTH' },
  { method: 'PAYOUT', every: 'QUARTER' },
  { method: 'UPFRONT', every: null },
] as const

type Kept = {
  depositId: string
  currency: string
  terms: ExactTerms
  held: Held
  /** The last part that was broken, as long as nothing came after it. */
  undo: { liquidationId: string; held: Held; until: string } | null
}

/** What a day's payments and maturity do to a deposit. */
function bringForward(deposit: Kept, today: string): void {
  if (deposit.undo !== null && deposit.undo.until < today) deposit.undo = null
  const { terms, held } = deposit
  for (const boundary of terms.method === 'PAYOUT' ? boundariesOf(terms) : []) {
    if (boundary > today || boundary === terms.maturity || boundary <= (held.paidTo ?? '')) continue
    held.paid += periodInterest(terms, held.principal, held.paidTo ?? terms.start, boundary)
    held.paidTo = boundary
    deposit.undo = null
  }
  if (terms.maturity <= today) deposit.held.principal = 0n
}

type Sums = { payable: bigint; prepaid: bigint }

function closeModel(deposits: readonly Kept[], date: string): Map<string, Sums> {
  const sums = new Map<string, Sums>()
  for (const { currency, terms, held } of deposits.filter(({ held }) => held.principal > 0n)) {
    const owed = earnedOf(terms, held, daysAfter(date, 1)) - held.paid
    const { payable, prepaid } = sums.get(currency) ?? { payable: 0n, prepaid: 0n }
    sums.set(
      currency,
      owed > 0n ? { payable: payable + owed, prepaid } : { payable, prepaid: prepaid - owed },
    )
  }
  return sums
}

async function open(ask: Ask, random: Random, today: string, rules: { dayCount: string; rounding: string }) {
  const currency = random.pick(CURRENCIES)
  const { method, every } = random.pick(METHODS)
  const amount = 1_000 + random.below(9_000_000)
  const wish = {
    amount,
    tenor_months: 1 + random.below(18),
    interest_rate: (80_000 + random.below(70_001)) / 10_000,
  }
  const { depositId, data } = await openByProduct(ask, `${method}-${every ?? 'END'}-${currency}`, wish)
  const terms: ExactTerms = {
    ...{ method, every, ratePpm: BigInt(Math.round(data.interest_rate * 10_000)), start: today },
    ...{ agreed: data.maturity_date, maturity: data.maturity_date, ...rules, unit: unitOf(currency) },
  }
  const principal = BigInt(amount) * 100n
  const paid = method === 'UPFRONT' ? periodInterest(terms, principal, today, terms.maturity) : 0n
  return { depositId, currency, terms, held: { principal, paid, paidTo: null }, undo: null } satisfies Kept
}

async function breakPart(ask: Ask, random: Random, deposit: Kept, today: string): Promise<void> {
  const { depositId, held, terms } = deposit
  const isWhole = random.chance(0.2) || held.principal < 300n
  const part = isWhole ? held.principal : BigInt(1 + random.below(Number(held.principal / 100n) - 1)) * 100n
  const body = isWhole
    ? { liquidation_type: 'FULL' }
    : { liquidation_type: 'PARTIAL', amount: Number(part) / 100 }
  const broken = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
  assert.equal(broken.status, 200, broken.text)
  deposit.undo = {
    liquidationId: broken.json.data.liquidation_id,
    held: { ...held },
    until: daysAfter(today, TAKEN_BACK_WITHIN_DAYS),
  }
  held.paid -= shareOf(held.paid, part, held.principal, terms)
  held.principal -= part
}

async function takeBack(ask: Ask, deposit: Kept): Promise<void> {
  const { liquidationId, held } = deposit.undo!
  const undone = await ask('POST', `/v2/liquidations/${liquidationId}/reverse`, { reason: 'CLERK_ERROR' })
  assert.equal(undone.status, 200, undone.text)
  deposit.held = held
  deposit.undo = null
}

describeService('a year of accruals', (running) => {
  for (const seed of SEEDS)
    test(`seed ${seed}: the accounts hold what the evaluator says, on every day`, async () => {
      const random = createRandom(seed)
      const started = await startService(running().db, { now: `${FIRST}T10:00:00.000Z` })
      const { ask, service, clock, callerId } = started
      const rules = {
        dayCount: random.pick(['ACT/365F', 'ACT/360', 'ACT/ACT', 'MONTHS']),
        rounding: random.pick(['HALF_UP', 'HALF_EVEN', 'DOWN']),
      }
      await replaceRules(ask, { day_count: rules.dayCount, rounding: rules.rounding })
      const maturity = { on_holiday: 'SAME_DAY', instruction: 'PAY_OUT', rollover_limit: null }
      for (const currency of CURRENCIES)
        for (const { method, every } of METHODS)
          await sell(ask, `${method}-${every ?? 'END'}-${currency}`, {
            ...{ currency, min_amount: 1000, bonuses: {}, maturity },
            interest: { method, every, recover_paid_interest: random.chance(0.5) },
          })
      assert.equal((await ask('PUT', '/v2/accounting', { accruals: 'DAILY', gl_codes: {} })).status, 200)
      const book = (await findBook(service.db, { callerId, mode: 'test' }))!
      const deposits: Kept[] = []
      let closedOn = 0
      const model = new Map<string, Map<string, Sums>>()
      for (let day = 0; day < DAYS; day += 1) {
        const today = daysAfter(FIRST, day)
        clock.now = new Date(`${today}T10:00:00.000Z`)
        await service.maturity.settleAll()
        for (const deposit of deposits) bringForward(deposit, today)
        if (random.chance(0.15) || day - closedOn === GAP_MAX) {
          await closeDays(service, book)
          closedOn = day
        }
        const reversible = deposits.find(({ undo, terms }) => undo !== null && terms.maturity > today)
        if (reversible !== undefined && random.chance(0.3)) await takeBack(ask, reversible)
        if (random.chance(0.15)) deposits.push(await open(ask, random, today, rules))
        const breakable = deposits.filter(({ held, undo }) => held.principal > 0n && undo === null)
        if (breakable.length > 0 && random.chance(0.08))
          await breakPart(ask, random, random.pick(breakable), today)
        model.set(today, closeModel(deposits, today))
      }
      clock.now = new Date(`${daysAfter(FIRST, DAYS)}T10:00:00.000Z`)
      await closeDays(service, book)

      const rows = await listDays(service.db, book.bookId)
      for (const [date, sums] of model) {
        const posted = rows.filter((row) => row.date === date && (row.payable !== 0n || row.prepaid !== 0n))
        const seen = new Map(posted.map(({ currency, payable, prepaid }) => [currency, { payable, prepaid }]))
        const expected = new Map(
          [...sums].filter(([, { payable, prepaid }]) => payable + prepaid !== 0n).sort(),
        )
        assert.deepEqual(new Map([...seen].sort()), expected, `posted on ${date}`)
        const again = await targetsOf(service.db, service.versions, book, isoDate(date))
        assert.deepEqual(new Map([...again].sort()), new Map([...sums].sort()), `computed for ${date}`)
      }
      assert.equal((await verify([book], { db: service.db, versions: service.versions })).difference, null)
    })
})
