import { Type } from 'typebox'
import { DEPOSIT_STATUSES, type Deposit } from '../../domain/deposit.ts'
import {
  type Asked,
  listReply,
  pageQuery,
  type Route,
  reply,
  replyWith,
  route,
  success,
} from '../../route/route.ts'
import type { ErrorCode } from '../../wire/errors.ts'
import { found } from '../../wire/failure.ts'
import { CalendarDate, Choice, Identifier } from '../../wire/fields.ts'
import { externalIdQuery } from '../../wire/own-reference.ts'
import { accountNumber, customerId, productCode } from '../../wire/record.ts'
import { findPendingOfTargets } from '../approval-requests/store.ts'
import { readRulesOf } from '../products/changes.ts'
import { openDeposit } from './changes.ts'
import { DepositRecord, NewDeposit, openingRequest } from './record.ts'
import { type DepositFilters, findDeposit, listDeposits } from './store.ts'

const DepositsQuery = Type.Object({
  ...pageQuery,
  customer_id: Type.Optional(Identifier(customerId)),
  account_number: Type.Optional(Identifier(accountNumber)),
  status: Type.Optional(
    Choice(DEPOSIT_STATUSES, { title: 'DepositStatus', description: 'Only deposits in this state.' }),
  ),
  matures_before: Type.Optional(CalendarDate({ description: 'Only deposits that mature before this day.' })),
  matures_after: Type.Optional(CalendarDate({ description: 'Only deposits that mature after this day.' })),
  product_code: Type.Optional(Identifier(productCode)),
  ...externalIdQuery,
})

export const depositRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v2/fixed-deposits',
    operationId: 'openFixedDeposit',
    summary: 'Open a fixed deposit from an account',
    tag: 'Fixed deposits',
    scope: 'fixed_deposits:write',
    body: NewDeposit,
    success: { status: 201, data: DepositRecord },
    refusals: [
      ...['account_not_found', 'external_id_taken', 'product_not_found', 'product_closed'],
      ...['currency_mismatch', 'amount_not_whole', 'start_date_in_future', 'start_date_too_early'],
      ...['amount_not_offered', 'tenor_not_offered', 'no_rate_sheet', 'bonus_not_offered'],
      ...['rate_not_negotiable', 'rate_out_of_range', 'upfront_interest_too_high'],
      ...['maturity_value_out_of_range', 'insufficient_funds', 'balance_limit_exceeded'],
      ...['approval_required', 'figures_changed'],
    ] as ErrorCode[],
    answer: ({ service, origin, body }) =>
      replyWith(
        openDeposit(
          service,
          origin,
          openingRequest(body),
          success(201, 'The fixed deposit was opened.', DepositRecord.write),
        ),
      ),
  }),
  route({
    method: 'GET',
    path: '/v2/fixed-deposits',
    operationId: 'listFixedDeposits',
    summary: 'List fixed deposits, newest first',
    tag: 'Fixed deposits',
    scope: 'fixed_deposits:read',
    query: DepositsQuery,
    success: { status: 200, data: DepositRecord, list: true },
    answer: async (asked) => {
      const { service, book, query } = asked
      const { at, today } = await service.momentIn(book)
      const filters: DepositFilters = {
        ...(query.customer_id !== undefined && { customerId: query.customer_id }),
        ...(query.account_number !== undefined && { accountNumber: query.account_number }),
        ...(query.status !== undefined && { status: query.status }),
        ...(query.matures_before !== undefined && { maturesBefore: query.matures_before }),
        ...(query.matures_after !== undefined && { maturesAfter: query.matures_after }),
        ...(query.external_id !== undefined && { externalId: query.external_id }),
        ...(query.product_code !== undefined && { productCode: query.product_code }),
      }
      return listReply(asked, {
        operationId: 'listFixedDeposits',
        message: 'The fixed deposits.',
        read: async (page) => {
          const { items, next } = await listDeposits(service.db, book.bookId, filters, page)
          const rulesOf = await readRulesOf(service.db, service.versions, book.bookId, items)
          const ids = items.map((deposit) => deposit.depositId)
          const pending = await findPendingOfTargets(service.db, book.bookId, ids)
          return {
            items: items.map((deposit) => ({
              deposit,
              rules: rulesOf(deposit),
              today,
              pending: pending(deposit.depositId, at),
            })),
            next,
          }
        },
        show: DepositRecord.write,
      })
    },
  }),
  route({
    method: 'GET',
    path: '/v2/fixed-deposits/:deposit_id',
    operationId: 'getFixedDeposit',
    summary: 'Get a fixed deposit',
    tag: 'Fixed deposits',
    scope: 'fixed_deposits:read',
    success: { status: 200, data: DepositRecord },
    refusals: ['deposit_not_found'],
    answer: async (asked) => {
      const { service, book } = asked
      const deposit = await depositNamed(asked)
      const rulesOf = await readRulesOf(service.db, service.versions, book.bookId, [deposit])
      const { at, today } = await service.momentIn(book)
      const waiting = await findPendingOfTargets(service.db, book.bookId, [deposit.depositId])
      const pending = waiting(deposit.depositId, at)
      const shown = { deposit, rules: rulesOf(deposit), today, pending }
      return reply('The fixed deposit.', DepositRecord.write(shown))
    },
  }),
]

/** The one in the path of a request. */
export async function depositNamed({
  service,
  book,
  params,
}: Pick<Asked<unknown, unknown>, 'service' | 'book' | 'params'>): Promise<Deposit> {
  return found(await findDeposit(service.db, book.bookId, params.deposit_id!), 'deposit_not_found')
}
