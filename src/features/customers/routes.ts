import { Type } from 'typebox'
import { listReply, pageQuery, type Route, reply, replyWith, route, success } from '../../route/route.ts'
import { found } from '../../wire/failure.ts'
import { Text } from '../../wire/fields.ts'
import { externalIdQuery } from '../../wire/own-reference.ts'
import type { FieldError } from '../../wire/reader.ts'
import { createCustomer, updateCustomer } from './changes.ts'
import { CustomerRecord, CustomerUpdate, NewCustomer, newProfile, profileChanges } from './record.ts'
import { type CustomerFilters, FOUND_MAX, findCustomer, listCustomers, searchCustomers } from './store.ts'

const CustomersQuery = Type.Object(
  {
    ...pageQuery,
    q: Type.Optional(
      Text({
        min: 1,
        max: 100,
        description:
          'The beginning of words of the name, of the e-mail address or the telephone number, the last digits of that ' +
          'number, an account number, the identifier of a deposit, or an external_id of any of these. The best 20 are answered, or ' +
          'fewer with a smaller limit. Not together with email, phone_number or external_id.',
      }),
    ),
    email: Type.Optional(Text({ min: 1, max: 254, description: 'Only customers with this e-mail address.' })),
    phone_number: Type.Optional(
      Text({ min: 1, max: 32, description: 'Only customers with this telephone number; digits count.' }),
    ),
    ...externalIdQuery,
  },
  { refine: searchesOrFilters },
)

/** The best matches are chosen before a filter could apply, so the answer to both would lack customers. */
function searchesOrFilters(_: object, sent: object): FieldError[] {
  if (!Object.hasOwn(sent, 'q')) return []
  const message = 'Send q or this filter, not both.'
  return ['email', 'phone_number', 'external_id']
    .filter((field) => Object.hasOwn(sent, field))
    .map((field) => ({ field, code: 'conflicting_field', message }))
}

export const customerRoutes: Route[] = [
  route({
    method: 'PUT',
    path: '/v2/customer/:customer_id',
    operationId: 'updateCustomer',
    summary: 'Change e-mail, phone number or address of a customer; omitted fields stay',
    tag: 'Customers',
    scope: 'customers:write',
    body: CustomerUpdate,
    success: { status: 200, data: CustomerRecord },
    refusals: ['customer_not_found'],
    answer: ({ service, origin, params, body }) =>
      replyWith(
        updateCustomer(
          service,
          origin,
          { customerId: params.customer_id!, changes: profileChanges(body) },
          success(200, 'The customer was updated.', ({ customer }) => CustomerRecord.write(customer)),
        ),
      ),
  }),
  route({
    method: 'POST',
    path: '/v2/customer',
    operationId: 'createCustomer',
    summary: 'Create a customer',
    tag: 'Customers',
    scope: 'customers:write',
    body: NewCustomer,
    success: { status: 201, data: CustomerRecord },
    refusals: ['external_id_taken'],
    answer: ({ service, origin, body }) =>
      replyWith(
        createCustomer(
          service,
          origin,
          newProfile(body),
          success(201, 'The customer was created.', CustomerRecord.write),
        ),
      ),
  }),
  route({
    method: 'GET',
    path: '/v2/customer',
    operationId: 'listCustomers',
    summary: 'List customers, newest first, or find the best matches of a few letters or digits',
    tag: 'Customers',
    scope: 'customers:read',
    query: CustomersQuery,
    success: { status: 200, data: CustomerRecord, list: true },
    answer: (asked) => {
      const { service, book, query } = asked
      const filters: CustomerFilters = {
        ...(query.email !== undefined && { email: query.email }),
        ...(query.phone_number !== undefined && { phoneNumber: query.phone_number }),
        ...(query.external_id !== undefined && { externalId: query.external_id }),
      }
      return listReply(asked, {
        operationId: 'listCustomers',
        message: 'The customers.',
        ...(query.q !== undefined && { limitMax: FOUND_MAX }),
        read: async (page) =>
          query.q === undefined
            ? listCustomers(service.db, book.bookId, filters, page)
            : {
                items: (await searchCustomers(service.db, book, query.q)).slice(0, page.limit),
                next: null,
              },
        show: CustomerRecord.write,
      })
    },
  }),
  route({
    method: 'GET',
    path: '/v2/customer/:customer_id',
    operationId: 'getCustomer',
    summary: 'Get a customer',
    tag: 'Customers',
    scope: 'customers:read',
    success: { status: 200, data: CustomerRecord },
    refusals: ['customer_not_found'],
    answer: async ({ service, book, params }) => {
      const customer = await findCustomer(service.db, book.bookId, params.customer_id!)
      return reply('The customer.', CustomerRecord.write(found(customer, 'customer_not_found')))
    },
  }),
]
