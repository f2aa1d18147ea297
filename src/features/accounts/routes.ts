import { Type } from 'typebox'
import { listReply, pageQuery, type Route, reply, replyWith, route, success } from '../../route/route.ts'
import { found } from '../../wire/failure.ts'
import { Identifier } from '../../wire/fields.ts'
import { externalIdQuery, ownReferenceFrom } from '../../wire/own-reference.ts'
import { customerId } from '../../wire/record.ts'
import { LedgerEntryRecord } from '../ledger/record.ts'
import { creditAccount, openAccount } from './changes.ts'
import { AccountCredit, AccountRecord, NewAccount } from './record.ts'
import { type AccountFilters, findAccount, listAccounts } from './store.ts'

const AccountsQuery = Type.Object({
  ...pageQuery,
  customer_id: Type.Optional(Identifier(customerId)),
  ...externalIdQuery,
})

export const accountRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v2/accounts',
    operationId: 'openAccount',
    summary: 'Open an account for a customer',
    tag: 'Accounts',
    scope: 'accounts:write',
    body: NewAccount,
    success: { status: 201, data: AccountRecord },
    refusals: ['customer_not_found', 'external_id_taken'],
    answer: ({ service, origin, body }) =>
      replyWith(
        openAccount(
          service,
          origin,
          {
            customerId: body.customer_id,
            currency: body.currency ?? null,
            ...ownReferenceFrom(body),
          },
          success(201, 'The account was opened.', AccountRecord.write),
        ),
      ),
  }),
  route({
    method: 'GET',
    path: '/v2/accounts',
    operationId: 'listAccounts',
    summary: 'List accounts, newest first',
    tag: 'Accounts',
    scope: 'accounts:read',
    query: AccountsQuery,
    success: { status: 200, data: AccountRecord, list: true },
    answer: (asked) => {
      const { service, book, query } = asked
      const filters: AccountFilters = {
        ...(query.customer_id !== undefined && { customerId: query.customer_id }),
        ...(query.external_id !== undefined && { externalId: query.external_id }),
      }
      return listReply(asked, {
        operationId: 'listAccounts',
        message: 'The accounts.',
        read: (page) => listAccounts(service.db, book.bookId, filters, page),
        show: AccountRecord.write,
      })
    },
  }),
  route({
    method: 'GET',
    path: '/v2/accounts/:account_number',
    operationId: 'getAccount',
    summary: 'Get an account with its balance',
    tag: 'Accounts',
    scope: 'accounts:read',
    success: { status: 200, data: AccountRecord },
    refusals: ['account_not_found'],
    answer: async ({ service, book, params }) => {
      const account = await findAccount(service.db, book.bookId, params.account_number!)
      return reply('The account.', AccountRecord.write(found(account, 'account_not_found')))
    },
  }),
  route({
    method: 'POST',
    path: '/v2/accounts/:account_number/credits',
    operationId: 'creditAccount',
    summary: 'Credit an account',
    tag: 'Accounts',
    scope: 'accounts:write',
    body: AccountCredit,
    success: { status: 201, data: LedgerEntryRecord },
    refusals: ['account_not_found', 'amount_not_whole', 'balance_limit_exceeded', 'approval_required'],
    answer: ({ service, origin, params, body }) =>
      replyWith(
        creditAccount(
          service,
          origin,
          { accountNumber: params.account_number!, amount: body.amount, narration: body.narration ?? null },
          success(201, 'The account was credited.', LedgerEntryRecord.write),
        ),
      ),
  }),
]
