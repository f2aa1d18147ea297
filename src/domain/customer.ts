/** A customer's profile, and what an update does to it. */
import type { OwnReference } from './own-reference.ts'

export type Customer = OwnReference & {
  customerId: string
  firstName: string
  lastName: string
  email: string
  phoneNumber: string
  address: string
  createdAt: Date
  updatedAt: Date
  /** When e-mail or telephone number last changed; null: never. */
  contactChangedAt: Date | null
}

export const CHANGEABLE = ['email', 'phoneNumber', 'address'] as const
export type Changeable = (typeof CHANGEABLE)[number]
export type ProfileChanges = Partial<Record<Changeable, string>>

/** sent: the fields in the request; changed: those of them whose value is different now. */
export type ProfileUpdate = {
  customer: Customer
  sent: Changeable[]
  changed: Changeable[]
}

/** Omitted fields stay; an empty request does not even change the time of the last update. */
export function updateProfile(customer: Customer, changes: ProfileChanges, at: Date): ProfileUpdate {
  const sent = CHANGEABLE.filter((name) => changes[name] !== undefined)
  const changed = sent.filter((name) => changes[name] !== customer[name])
  if (sent.length === 0) return { customer, sent, changed }
  const contactChangedAt = changed.some((name) => name !== 'address') ? at : customer.contactChangedAt
  return { customer: { ...customer, ...changes, updatedAt: at, contactChangedAt }, sent, changed }
}
