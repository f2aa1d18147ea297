import {
  type Customer,
  type ProfileChanges,
  type ProfileUpdate,
  updateProfile,
} from '../../domain/customer.ts'
import {
  NO_REFERENCE,
  type OptionallyReferenced,
  refuseTaken,
  type TakenNames,
} from '../../domain/own-reference.ts'
import { phoneKeyOf } from '../../domain/phone.ts'
import { refuse } from '../../domain/refusal.ts'
import {
  type AnswerWriter,
  type Change,
  made,
  type Origin,
  type Result,
  whatWasLocked,
} from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import { newId } from '../../engine/database/ids.ts'
import { CreatedCustomerRecord, UpdatedCustomerRecord, wireName } from './record.ts'
import {
  type FiledCustomer,
  findTakenNames,
  insertCustomers,
  lockCustomers,
  updateCustomers,
} from './store.ts'

type NewProfile = Omit<Customer, 'createdAt' | 'updatedAt' | 'contactChangedAt'>

export const customerCreation: Change<NewProfile, TakenNames, TakenNames, FiledCustomer> = {
  lock: findTakenNames,
  read: whatWasLocked,
  decider:
    (taken, { book, moment }) =>
    (profile) => {
      const refused = refuseTaken(taken, profile.externalId)
      if (refused !== null) return refused
      taken.add(profile.externalId)
      const phoneKey = phoneKeyOf(profile.phoneNumber, book)
      return made({
        ...profile,
        phoneKey,
        createdAt: moment.at,
        updatedAt: moment.at,
        contactChangedAt: null,
      })
    },
  write(tx, bookId, customers, recording) {
    insertCustomers(tx, bookId, customers)
    record(tx, bookId, recording)
  },
  events: (customer) => [
    {
      type: 'customer.created',
      announced: true,
      subjectId: customer.customerId,
      data: CreatedCustomerRecord.json(customer),
      changes: JSON.stringify({
        after: {
          first_name: customer.firstName,
          last_name: customer.lastName,
          email: customer.email,
          phone_number: customer.phoneNumber,
          address: customer.address,
        },
      }),
    },
  ],
}

export function createCustomer(
  engine: Engine,
  origin: Origin,
  profile: OptionallyReferenced<Omit<NewProfile, 'customerId'>>,
  answer?: AnswerWriter<Customer>,
): Promise<Result<Customer>> {
  return engine.submit(
    customerCreation,
    origin,
    { customerId: newId('cus'), ...NO_REFERENCE, ...profile },
    answer,
  )
}

type UpdateRequest = { customerId: string; changes: ProfileChanges }
/** The profile before, and the result. */
export type CustomerUpdate = ProfileUpdate & { before: Customer }
type FiledUpdate = CustomerUpdate & { customer: FiledCustomer }

/** The row is locked and read before it is written, so two updates of different fields both take effect. */
const update: Change<UpdateRequest, Map<string, Customer>, Map<string, Customer>, FiledUpdate> = {
  lock: (tx, bookId, requests) =>
    lockCustomers(tx, bookId, [...new Set(requests.map(({ customerId }) => customerId))]),
  read: whatWasLocked,
  decider:
    (customers, { book, moment }) =>
    ({ customerId, changes }) => {
      const before = customers.get(customerId)
      if (before === undefined) return refuse('customer_not_found')
      const updated = updateProfile(before, changes, moment.at)
      customers.set(customerId, updated.customer)
      const phoneKey = phoneKeyOf(updated.customer.phoneNumber, book)
      return made({ before, ...updated, customer: { ...updated.customer, phoneKey } })
    },
  write(tx, bookId, updates, recording) {
    const sent = updates.filter((one) => one.sent.length > 0)
    // Several updates of one customer may share a batch: the last one has the final state.
    const customers = new Map(sent.map(({ customer }) => [customer.customerId, customer]))
    updateCustomers(tx, bookId, [...customers.values()], recording)
  },
  events({ before, customer, sent, changed }) {
    if (sent.length === 0) return []
    const valuesOf = (profile: Customer) =>
      Object.fromEntries(sent.map((name) => [wireName(name), profile[name]]))
    return [
      {
        type: 'customer.updated',
        // An unchanged value is recorded in the audit log, but not announced to subscribers.
        announced: changed.length > 0,
        subjectId: customer.customerId,
        data: UpdatedCustomerRecord.json({ customerId: customer.customerId, changed }),
        changes: JSON.stringify({ before: valuesOf(before), after: valuesOf(customer) }),
      },
    ]
  },
}

export function updateCustomer(
  engine: Engine,
  origin: Origin,
  request: UpdateRequest,
  answer?: AnswerWriter<CustomerUpdate>,
): Promise<Result<CustomerUpdate>> {
  return engine.submit(update, origin, request, answer)
}
