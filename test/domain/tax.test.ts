import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isoDate } from '../../src/domain/dates.ts'
import { minor, type Rounding } from '../../src/domain/money.ts'
import {
  explainTax,
  type TaxStatus,
  type TaxVersion,
  taxationOf,
  taxDaysOf,
  withholdingTax,
} from '../../src/domain/tax.ts'

const NONE: TaxStatus = { taxClass: null, taxValidUntil: null }

function version(number: number, effectiveFrom: string, standardPpm: number): TaxVersion {
  const classes = new Map([
    ['STANDARD', standardPpm],
    ['EXEMPT', 0],
  ])
  return {
    version: number,
    rules: {
      effectiveFrom: isoDate(effectiveFrom),
      base: 'NET',
      onRecovery: 'KEEP',
      rounding: 'HALF_UP',
      classes,
    },
  }
}

test('the last version that has begun is in force, also where an earlier one begins later', () => {
  const versions = [
    version(1, '2026-01-01', 10),
    version(2, '2026-06-01', 20),
    version(3, '2026-03-01', 30),
    version(4, '2027-01-01', 40),
  ]
  const inForce = (on: string) => taxationOf(versions, NONE, isoDate(on))?.version
  assert.deepEqual(
    ['2025-12-31', '2026-01-01', '2026-02-28', '2026-03-01', '2026-06-01', '2026-12-31', '2027-01-01'].map(
      inForce,
    ),
    [undefined, 1, 1, 3, 3, 3, 4],
  )
  assert.equal(taxationOf([], NONE, isoDate('2026-01-01')), null)
})

test('a class counts up to its last day, and an unknown class is STANDARD', () => {
  const rate = (taxClass: string | null, validUntil: string | null, on = '2026-07-01') =>
    taxationOf(
      [version(1, '2026-01-01', 100_000)],
      { taxClass, taxValidUntil: validUntil === null ? null : isoDate(validUntil) },
      isoDate(on),
    )
  assert.deepEqual(
    [
      rate(null, null),
      rate('STANDARD', null),
      rate('EXEMPT', null),
      rate('EXEMPT', '2026-07-01'),
      rate('EXEMPT', '2026-06-30'),
      rate('COMPANY', null),
    ].map((taxed) => [taxed?.taxClass, taxed?.ratePpm]),
    [
      ['STANDARD', 100_000],
      ['STANDARD', 100_000],
      ['EXEMPT', 0],
      ['EXEMPT', 0],
      ['STANDARD', 100_000],
      ['STANDARD', 100_000],
    ],
  )
})

test('tax is rounded as the tax rules say, and never more than what is paid', () => {
  const tax = (rounding: Rounding, interest: bigint) =>
    withholdingTax(
      { version: 1, taxClass: 'STANDARD', ratePpm: 100_000, base: 'GROSS', onRecovery: 'KEEP', rounding },
      { interest, penal: 0n, total: minor(interest), unit: 1n },
    )
  assert.deepEqual([tax('HALF_UP', 25n), tax('HALF_EVEN', 25n), tax('DOWN', 29n)], [3n, 2n, 2n])
  const all = {
    version: 1,
    taxClass: 'STANDARD',
    ratePpm: 1_000_000,
    base: 'GROSS',
    onRecovery: 'KEEP',
    rounding: 'HALF_UP',
  } as const
  assert.equal(withholdingTax(all, { interest: 100n, penal: 60n, total: minor(40n), unit: 1n }), 40n)
  assert.equal(withholdingTax(null, { interest: 100n, penal: 0n, total: minor(100n), unit: 1n }), 0n)
})

test('tax may change on the first day of a version, and on the day after the last one of a class', () => {
  const versions = [version(1, '2026-01-01', 10), version(2, '2026-06-01', 20)]
  const days = (taxValidUntil: string | null) =>
    taxDaysOf(versions, {
      taxClass: 'EXEMPT',
      taxValidUntil: taxValidUntil === null ? null : isoDate(taxValidUntil),
    })
  assert.deepEqual(days(null), ['2026-01-01', '2026-06-01'])
  assert.deepEqual(days('2026-06-30'), ['2026-01-01', '2026-06-01', '2026-07-01'])
})

test('a part explains its tax by the interest of all parts, and by what was withheld of the earlier ones', () => {
  const taxation = taxationOf([version(1, '2026-01-01', 100_000)], NONE, isoDate('2026-01-01'))
  const earlier = { interest: minor(100n), penal: minor(20n), tax: minor(8n) }
  assert.deepEqual(explainTax(taxation, { interest: 50n, penal: 10n }, earlier), {
    ...{ version: 1, ratePpm: 100_000, base: 'NET' },
    ...{ taxable: 120n, withheldEarlier: 8n },
  })
})
