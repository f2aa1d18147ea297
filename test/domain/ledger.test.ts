import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { creditPostings, openingPostings, settlementPostings } from '../../src/domain/ledger.ts'
import { minor } from '../../src/domain/money.ts'
import { anyPrincipal } from './arbitraries.ts'

test('a credit comes from cash', () => {
  assert.deepEqual(creditPostings('1000000001', minor(5_00n)), [
    { account: 'cash', amount: -5_00n },
    { account: '1000000001', amount: 5_00n },
  ])
})

test('an opening moves the principal from where it is funded into the deposit', () => {
  const opened = { fundedFrom: '1000000001', depositId: 'fd_1', principal: minor(5_00n) }
  assert.deepEqual(openingPostings(opened), [
    { account: '1000000001', amount: -5_00n },
    { account: 'fd_1', amount: 5_00n },
  ])
})

const settled = { depositId: 'fd_1', accountNumber: '1000000001' }

test('a settlement pays principal and interest, less the charge', () => {
  const figures = {
    principal: minor(100_00n),
    interest: minor(10_00n),
    penal: minor(4_00n),
    waived: minor(0n),
    total: minor(106_00n),
  }
  assert.deepEqual(settlementPostings({ ...settled, ...figures }), [
    { account: 'fd_1', amount: -100_00n },
    { account: 'interest_expense', amount: -10_00n },
    { account: 'penal_income', amount: 4_00n },
    { account: '1000000001', amount: 106_00n },
  ])
})

test('penal income holds the whole charge, and penal waived what was given away of it', () => {
  const figures = {
    principal: minor(100_00n),
    interest: minor(10_00n),
    penal: minor(1_00n),
    waived: minor(3_00n),
    total: minor(109_00n),
  }
  assert.deepEqual(settlementPostings({ ...settled, ...figures }), [
    { account: 'fd_1', amount: -100_00n },
    { account: 'interest_expense', amount: -10_00n },
    { account: 'penal_income', amount: 4_00n },
    { account: 'penal_waived', amount: -3_00n },
    { account: '1000000001', amount: 109_00n },
  ])
})

test('a posting of nothing is left out', () => {
  const figures = {
    principal: minor(100_00n),
    interest: minor(0n),
    penal: minor(0n),
    waived: minor(0n),
    total: minor(100_00n),
  }
  assert.deepEqual(settlementPostings({ ...settled, ...figures }), [
    { account: 'fd_1', amount: -100_00n },
    { account: '1000000001', amount: 100_00n },
  ])
})

test('figures that do not add up make no entry', () => {
  const figures = {
    principal: minor(100_00n),
    interest: minor(10_00n),
    penal: minor(4_00n),
    waived: minor(0n),
    total: minor(106_01n),
  }
  assert.throws(() => settlementPostings({ ...settled, ...figures }), /an entry sums to zero/)
})

test('the postings of a settlement sum to zero, and none is zero', () => {
  fc.assert(
    fc.property(
      anyPrincipal,
      anyPrincipal,
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 0, max: 100 }),
      (principal, interest, percent, waivedPercent) => {
        const assessed = (interest * BigInt(percent)) / 100n
        const waived = minor((assessed * BigInt(waivedPercent)) / 100n)
        const penal = minor(assessed - waived)
        const total = minor(principal + interest - penal)
        const postings = settlementPostings({ ...settled, principal, interest, penal, waived, total })
        assert.equal(
          postings.reduce((sum, posting) => sum + posting.amount, 0n),
          0n,
        )
        assert(postings.every((posting) => posting.amount !== 0n))
      },
    ),
  )
})
