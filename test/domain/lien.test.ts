import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeLien } from '../../src/domain/lien.ts'
import { minor } from '../../src/domain/money.ts'
import { depositWith } from './deposits.ts'

test('liens hold all that remains, together, and nothing more', () => {
  const deposit = depositWith({ remaining: minor(1_000n), lien: minor(400n) })
  const place = (amount: bigint) => {
    const { depositId } = deposit
    const request = {
      lienId: 'lien_1',
      depositId,
      amount: minor(amount),
      reason: 'Loan',
      reference: null,
      note: null,
    }
    return placeLien({ deposit, activeLiens: 1 }, request, new Date(0))
  }
  const whole = place(600n)
  assert(whole.outcome === 'placed')
  assert.equal(whole.deposit.lien, 1_000n)
  assert.deepEqual(place(601n), {
    outcome: 'refused',
    code: 'lien_exceeds_principal',
    details: { available: 600n },
  })
})
