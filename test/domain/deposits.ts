import { daysBetween, isoDate } from '../../src/domain/dates.ts'
import type { Deposit } from '../../src/domain/deposit.ts'
import { minor } from '../../src/domain/money.ts'
import { NO_REFERENCE } from '../../src/domain/own-reference.ts'
import type { Terms } from '../../src/domain/penal.ts'

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
    autoRollover: false,
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
}: Terms): Deposit {
  const tenorDays = daysBetween(startDate, maturityDate)
  return depositWith({ principal, annualRatePpm, tenorDays, startDate, maturityDate, rulesVersion })
}
