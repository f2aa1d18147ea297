import { type Static, Type } from 'typebox'
import type { Changeable, Customer, ProfileChanges } from '../../domain/customer.ts'
import { Address, Email, PersonName, PhoneNumber } from '../../wire/fields.ts'
import { externalId, ownFields, ownReference, ownReferenceFrom } from '../../wire/own-reference.ts'
import { createdAt, customerId, kind, listOf, record, text, updatedAt } from '../../wire/record.ts'

const EMAIL = 'E-mail address, stored as sent.'
const PHONE_NUMBER =
  'Telephone number: 7 to 15 digits, with single spaces, hyphens, dots or brackets between.'
const ADDRESS = 'Residential or business address; may have several lines.'

const changeable = {
  email: Email({ description: EMAIL }),
  phone_number: PhoneNumber({ description: PHONE_NUMBER }),
  address: Address({ description: ADDRESS }),
}

export const NewCustomer = Type.Object({
  first_name: PersonName({ description: 'Given name.' }),
  last_name: PersonName({ description: 'Family name.' }),
  ...changeable,
  ...ownFields,
})
export type NewCustomer = Static<typeof NewCustomer>

export const CustomerUpdate = Type.Object(
  {
    email: Type.Optional(changeable.email),
    phone_number: Type.Optional(changeable.phone_number),
    address: Type.Optional(changeable.address),
  },
  {
    notUpdatable: [
      'customer_id',
      'first_name',
      'last_name',
      'created_at',
      'updated_at',
      'external_id',
      'metadata',
    ],
  },
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
    ...ownReferenceFrom(body),
  }
}

export function profileChanges(body: CustomerUpdate): ProfileChanges {
  return {
    ...(body.email === undefined ? {} : { email: body.email }),
    ...(body.phone_number === undefined ? {} : { phoneNumber: body.phone_number }),
    ...(body.address === undefined ? {} : { address: body.address }),
  }
}

export const CustomerRecord = record<Customer>('Customer', {
  customer_id: customerId.of((customer) => customer.customerId),
  first_name: text.as('Given name.', (customer) => customer.firstName),
  last_name: text.as('Family name.', (customer) => customer.lastName),
  email: text.as(EMAIL, (customer) => customer.email),
  phone_number: text.as(PHONE_NUMBER, (customer) => customer.phoneNumber),
  address: text.as(ADDRESS, (customer) => customer.address),
  created_at: createdAt.of((customer) => customer.createdAt),
  updated_at: updatedAt.of((customer) => customer.updatedAt),
  ...ownReference((customer) => customer),
})

/** Event data of a customer: nothing personal. */
export const CreatedCustomerRecord = record<Customer>('CreatedCustomer', {
  customer_id: customerId.of((customer) => customer.customerId),
  external_id: externalId((customer) => customer),
})

const changedField = kind<Changeable>(
  Type.Unsafe<string>({ type: 'string', enum: Object.values(WIRE_NAMES) }),
  wireName,
)

export const UpdatedCustomerRecord = record<{ customerId: string; changed: readonly Changeable[] }>(
  'UpdatedCustomer',
  {
    customer_id: customerId.of((update) => update.customerId),
    changed_fields: listOf(changedField).as(
      'Names of the fields that changed, without their values.',
      (update) => update.changed,
    ),
  },
)

/** What subscribers can receive. */
export const customerEvents = {
  'customer.created': CreatedCustomerRecord,
  'customer.updated': UpdatedCustomerRecord,
}
