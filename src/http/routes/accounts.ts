import { Type } from 'typebox'
import { AccountCredit, accountData, NewAccount } from '../../contract/accounts.ts'
import { successBody } from '../../contract/envelope.ts'
import { Text } from '../../contract/fields.ts'
import { creditAccount, openAccount } from '../../operations/accounts.ts'
import { findAccount, listAccounts } from '../../store/accounts.ts'
import { found, orRefused } from '../failure.ts'
import { listReply, pageQuery, type Route, route } from '../route.ts'

const AccountsQuery = Type.Object({ ...pageQuery, customer_id: Type.Optional(Text({ min: 1, max: 64 })) })

export const accountRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v2/accounts',
    operationId: 'openAccount',
    summary: 'Open an account for a customer',
    scope: 'accounts:write',
    body: NewAccount,
    query: null,
    refusals: ['customer_not_found'],
    answer: async ({ service, origin, body }) => orRefused(await openAccount(service.perform, origin, body)),
  }),
  route({
    method: 'GET',
    path: '/v2/accounts',
    operationId: 'listAccounts',
    summary: 'List accounts, newest first',
    scope: 'accounts:read',
    body: null,
    query: AccountsQuery,
    refusals: [],
    answer: (asked) =>
      listReply(asked, {
        operationId: 'listAccounts',
        message: 'The accounts.',
        read: (page) =>
          listAccounts(
            asked.service.db,
            asked.book.bookId,
            { customerId: asked.query.customer_id ?? null },
            page,
          ),
        show: accountData,
      }),
  }),
  route({
    method: 'GET',
    path: '/v2/accounts/:account_number',
    operationId: 'getAccount',
    summary: 'Get an account with its balance',
    scope: 'accounts:read',
    body: null,
    query: null,
    refusals: ['account_not_found'],
    answer: async ({ service, book, params }) => {
      const account = await findAccount(service.db, book.bookId, params.account_number!)
      const data = accountData(found(account, 'account_not_found'))
      return { status: 200, body: successBody('The account.', data), replayed: false }
    },
  }),
  route({
    method: 'POST',
    path: '/v2/accounts/:account_number/credits',
    operationId: 'creditAccount',
    summary: 'Credit an account',
    scope: 'accounts:write',
    body: AccountCredit,
    query: null,
    refusals: ['account_not_found', 'balance_limit_exceeded'],
    answer: async ({ service, origin, params, body }) =>
      orRefused(
        await creditAccount(service.perform, origin, { accountNumber: params.account_number!, credit: body }),
      ),
  }),
]
