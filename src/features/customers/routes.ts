import { found } from '../../wire/failure.ts'
import { ListQuery, listReply, type Route, reply, replyWith, route, success } from '../../wire/route.ts'
import { createCustomer, updateCustomer } from './changes.ts'
import { CustomerRecord, CustomerUpdate, NewCustomer, newProfile, profileChanges } from './record.ts'
import { findCustomer, listCustomers } from './store.ts'

export const customerRoutes: Route[] = [
  route({
    method: 'PUT',
    path: '/v2/customer/:customer_id',
    operationId: 'updateCustomer',
    summary: 'Change e-mail, phone number or address of a customer; omitted fields stay',
    tag: 'Customers',
    scope: 'customers:write',
    body: CustomerUpdate,
    query: null,
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
    query: null,
    success: { status: 201, data: CustomerRecord },
    refusals: [],
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
    summary: 'List customers, newest first',
    tag: 'Customers',
    scope: 'customers:read',
    body: null,
    query: ListQuery,
    success: { status: 200, data: CustomerRecord, list: true },
    refusals: [],
    answer: (asked) =>
      listReply(asked, {
        operationId: 'listCustomers',
        message: 'The customers.',
        read: (page) => listCustomers(asked.service.db, asked.book.bookId, page),
        show: CustomerRecord.write,
      }),
  }),
  route({
    method: 'GET',
    path: '/v2/customer/:customer_id',
    operationId: 'getCustomer',
    summary: 'Get a customer',
    tag: 'Customers',
    scope: 'customers:read',
    body: null,
    query: null,
    success: { status: 200, data: CustomerRecord },
    refusals: ['customer_not_found'],
    answer: async ({ service, book, params }) => {
      const customer = await findCustomer(service.db, book.bookId, params.customer_id!)
      return reply('The customer.', CustomerRecord.write(found(customer, 'customer_not_found')))
    },
  }),
]
