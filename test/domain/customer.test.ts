import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CHANGEABLE, type Customer, type ProfileChanges, updateProfile } from '../../src/domain/customer.ts'
import { NO_REFERENCE } from '../../src/domain/own-reference.ts'

const customer: Customer = {
  customerId: 'cus_1',
  firstName: 'Ada',
  lastName: 'Obi',
  email: 'ada@example.com',
  phoneNumber: '+234 801 234 5678',
  address: '12 Marina Road',
  createdAt: new Date('2026-01-01T00:00:00.000Z'),
  updatedAt: new Date('2026-02-01T00:00:00.000Z'),
  contactChangedAt: null,
  ...NO_REFERENCE,
}
const LATER = new Date('2026-07-01T10:00:00.000Z')

test('nothing sent is nothing changed, not even the time', () => {
  assert.deepEqual(updateProfile(customer, {}, LATER), { customer, sent: [], changed: [] })
})

test('the same value again moves the time, but changes no field', () => {
  assert.deepEqual(updateProfile(customer, { email: customer.email }, LATER), {
    customer: { ...customer, updatedAt: LATER },
    sent: ['email'],
    changed: [],
  })
})

test('a field that is sent is replaced, the others stay', () => {
  const changes = { address: '1 Broad Street', email: customer.email }
  assert.deepEqual(updateProfile(customer, changes, LATER), {
    customer: { ...customer, address: '1 Broad Street', updatedAt: LATER },
    sent: ['email', 'address'],
    changed: ['address'],
  })
})

test('updates of different fields give the same profile in either order', () => {
  const anyChanges: fc.Arbitrary<ProfileChanges> = fc.record(
    { email: fc.string(), phoneNumber: fc.string(), address: fc.string() },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(anyChanges, fc.constantFrom(...CHANGEABLE), fc.string(), (changes, field, value) => {
      const { [field]: _, ...others } = changes
      const one = { [field]: value }
      const before = structuredClone(customer)
      const firstOne = updateProfile(updateProfile(customer, one, LATER).customer, others, LATER).customer
      const lastOne = updateProfile(updateProfile(customer, others, LATER).customer, one, LATER).customer
      assert.deepEqual(firstOne, lastOne)
      const changed = { ...customer, ...others, ...one }
      const contactChangedAt =
        changed.email === customer.email && changed.phoneNumber === customer.phoneNumber ? null : LATER
      assert.deepEqual(firstOne, { ...changed, updatedAt: LATER, contactChangedAt })
      assert.deepEqual(customer, before)
    }),
  )
})
