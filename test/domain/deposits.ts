import { NO_HISTORY } from '../../src/domain/charge-term.ts'
import { daysBetween, type IsoDate, isoDate } from '../../src/domain/dates.ts'
import type { DayCount } from '../../src/domain/day-count.ts'
import { type DaySums, SUM_NAMES } from '../../src/domain/day-sums.ts'
import { type Deposit, NOTHING_PAID, PLAIN_INTEREST, WITHOUT_PRODUCT } from '../../src/domain/deposit.ts'
import { earnedBy } from '../../src/domain/interest.ts'
import { type Minor, minor, type Rounding } from '../../src/domain/money.ts'
import { NO_REFERENCE } from '../../src/domain/own-reference.ts'
import { type Assessment, assess } from '../../src/domain/penal.ts'
import { FIRST_RULES, type RuleSet } from '../../src/domain/rules.ts'
import { termsOf } from '../../src/domain/terms.ts'

/** A deposit of 100,000.00 at 10 percent for the year 2026, but for what a test says of it. */
export function depositWith(said: Partial<Deposit> = {}): Deposit {
  const principal = said.principal ?? minor(100_000_00n)
  const createdAt = said.createdAt ?? new Date('2026-07-01T10:00:00.000Z')
  return {
    depositId: 'fd_1',
    customerId: 'cus_1',
    accountNumber: '1000000001',
    currency: 'NGN',
    status: 'ACTIVE',
    principal,
    remaining: principal,
    lien: minor(0n),
    expectedInterest: minor(0n),
    annualRatePpm: 100_000,
    tenorDays: 365,
    startDate: isoDate('2026-01-01'),
    maturityDate: isoDate('2027-01-01'),
    instruction: 'PAY_OUT',
    ...PLAIN_INTEREST,
    ...WITHOUT_PRODUCT,
    ...NOTHING_PAID,
    rollovers: 0,
    brokenDays: 0,
    rolledOverTo: null,
    rulesVersion: 1,
    createdAt,
    updatedAt: createdAt,
    liquidatedAt: null,
    lastBroken: null,
    maturityTaxed: null,
    ...NO_REFERENCE,
    ...said,
  }
}

export function depositOf({
  principal,
  annualRatePpm,
  startDate,
  maturityDate,
  rulesVersion,
}: PlainTerms): Deposit {
  const tenorDays = daysBetween(startDate, maturityDate)
  return depositWith({ principal, annualRatePpm, tenorDays, startDate, maturityDate, rulesVersion })
}

/** Sums of a day's parts, zero but for what a test says. */
export function daySumsWith(said: Partial<DaySums>): DaySums {
  const nothing = Object.fromEntries(SUM_NAMES.map((name) => [name, minor(0n)])) as DaySums
  return { ...nothing, ...said }
}

/** A part of a deposit that earns simple interest, broken on a business date. */
export type PlainTerms = {
  principal: Minor
  earlierToday: DaySums | null
  annualRatePpm: number
  startDate: IsoDate
  maturityDate: IsoDate
  rules: RuleSet
  rulesVersion: number
  businessDate: IsoDate
}

export function assessPlain({
  principal,
  earlierToday,
  businessDate: on,
  rules,
  ...agreed
}: PlainTerms): Assessment {
  const terms = termsOf({ ...PLAIN_INTEREST, currency: 'NGN', ...agreed }, rules)
  const shares = { paid: minor(0n), tax: minor(0n) }
  return assess({
    terms,
    on,
    principal,
    earlierToday,
    shares,
    paidTo: null,
    recover: false,
    history: NO_HISTORY,
  })
}

export function simpleInterest(asked: {
  principal: Minor
  annualRatePpm: number
  dayCount: DayCount
  rounding: Rounding
  from: IsoDate
  to: IsoDate
}): bigint {
  const { principal, annualRatePpm, dayCount, rounding, from, to } = asked
  const terms = termsOf(
    {
      ...PLAIN_INTEREST,
      currency: 'NGN',
      annualRatePpm,
      startDate: from,
      maturityDate: to,
      rulesVersion: 1,
    },
    { ...FIRST_RULES, dayCount, rounding },
  )
  return earnedBy(to, terms, { principal, paid: minor(0n), paidTo: null })
}
