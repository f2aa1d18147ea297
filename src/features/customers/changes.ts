import { type Customer, type ProfileChanges, updateProfile } from '../../domain/customer.ts'
import { type Refusal, refuse } from '../../domain/refusal.ts'
import type { Answered, Origin, Perform } from '../../engine/change/change.ts'
import { newId } from '../../engine/database/ids.ts'
import { successBody } from '../../wire/envelope.ts'
import { customerData, type NewCustomer, wireName } from './record.ts'
import { insertCustomer, lockCustomer, updateCustomer } from './store.ts'

export function createCustomer(
  perform: Perform,
  origin: Origin,
  body: NewCustomer,
): Promise<Answered | Refusal> {
  const customerId = newId('cus')
  return perform(origin, {
    lock: async () => undefined,
    decide: async (tx, _, moment) => {
      const customer: Customer = {
        customerId,
        firstName: body.first_name,
        lastName: body.last_name,
        email: body.email,
        phoneNumber: body.phone_number,
        address: body.address,
        createdAt: moment.at,
        updatedAt: moment.at,
      }
      insertCustomer(tx, origin.book.bookId, customer)
      return {
        outcome: 'made',
        status: 201,
        body: successBody('The customer was created.', customerData(customer)),
        event: {
          type: 'customer.created',
          announced: true,
          subjectId: customerId,
          data: JSON.stringify({ customer_id: customerId }),
          changes: JSON.stringify({ after: body }),
        },
      }
    },
  })
}

/** The row is locked and read before it is written, so two updates of different fields both stick. */
export function changeCustomer(
  perform: Perform,
  origin: Origin,
  asked: { customerId: string; changes: ProfileChanges },
): Promise<Answered | Refusal> {
  const { bookId } = origin.book
  return perform(origin, {
    lock: (tx) => lockCustomer(tx, bookId, asked.customerId),
    decide: async (tx, before, moment) => {
      if (before === undefined) return refuse('customer_not_found')
      const { customer, sent, changed } = updateProfile(before, asked.changes, moment.at)
      const body = successBody('The customer was updated.', customerData(customer))
      if (sent.length === 0) return { outcome: 'made', status: 200, body, event: null }

      updateCustomer(tx, bookId, customer)
      const valuesOf = (profile: Customer) =>
        Object.fromEntries(sent.map((name) => [wireName(name), profile[name]]))
      return {
        outcome: 'made',
        status: 200,
        body,
        event: {
          type: 'customer.updated',
          // The same value again is kept in the audit trail, but there is nothing to tell a subscriber.
          announced: changed.length > 0,
          subjectId: customer.customerId,
          data: JSON.stringify({ customer_id: customer.customerId, changed_fields: changed.map(wireName) }),
          changes: JSON.stringify({ before: valuesOf(before), after: valuesOf(customer) }),
        },
      }
    },
  })
}
