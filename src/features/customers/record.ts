import { type Static, Type } from 'typebox'
import type { Changeable, Customer, ProfileChanges } from '../../domain/customer.ts'
import { timestamp } from '../../wire/envelope.ts'
import { Address, Email, PersonName, PhoneNumber } from '../../wire/fields.ts'

export const NewCustomer = Type.Object({
  first_name: PersonName(),
  last_name: PersonName(),
  email: Email(),
  phone_number: PhoneNumber(),
  address: Address(),
})
export type NewCustomer = Static<typeof NewCustomer>

export const CustomerUpdate = Type.Object(
  {
    email: Type.Optional(Email()),
    phone_number: Type.Optional(PhoneNumber()),
    address: Type.Optional(Address()),
  },
  { notUpdatable: ['customer_id', 'first_name', 'last_name', 'created_at', 'updated_at'] },
)
export type CustomerUpdate = Static<typeof CustomerUpdate>

const WIRE_NAMES: Record<Changeable, keyof CustomerUpdate> = {
  email: 'email',
  phoneNumber: 'phone_number',
  address: 'address',
}

export function wireName(field: Changeable): string {
  return WIRE_NAMES[field]
}

export function newProfile(body: NewCustomer) {
  return {
    firstName: body.first_name,
    lastName: body.last_name,
    email: body.email,
    phoneNumber: body.phone_number,
    address: body.address,
  }
}

export function profileChanges(body: CustomerUpdate): ProfileChanges {
  return {
    ...(body.email === undefined ? {} : { email: body.email }),
    ...(body.phone_number === undefined ? {} : { phoneNumber: body.phone_number }),
    ...(body.address === undefined ? {} : { address: body.address }),
  }
}

export function customerData(customer: Customer) {
  return {
    customer_id: customer.customerId,
    first_name: customer.firstName,
    last_name: customer.lastName,
    email: customer.email,
    phone_number: customer.phoneNumber,
    address: customer.address,
    created_at: timestamp(customer.createdAt),
    updated_at: timestamp(customer.updatedAt),
  }
}
