import { Type } from 'typebox'
import { identityOf } from '../../domain/actor.ts'
import { isIsoDate } from '../../domain/dates.ts'
import { LIQUIDATION_TYPES } from '../../domain/liquidation.ts'
import { letterPage } from '../../page/letter.ts'
import {
  documentReply,
  ListQuery,
  listReply,
  pageQuery,
  type Route,
  reply,
  replyOf,
  replyWith,
  route,
} from '../../route/route.ts'
import type { Places } from '../../wire/cursor.ts'
import { beginsBeforeItEnds, dateRange } from '../../wire/date-range.ts'
import { successBodyOf } from '../../wire/envelope.ts'
import type { ErrorCode } from '../../wire/errors.ts'
import { found, orRefused } from '../../wire/failure.ts'
import { Choice, Identifier, PlainText } from '../../wire/fields.ts'
import { accountNumber } from '../../wire/record.ts'
import { findDeposit, findDeposits } from '../deposits/store.ts'
import { letterheadOf } from '../letterhead/changes.ts'
import { wordsOf } from '../letters/routes.ts'
import { OutlookQuery, OutlookRecord } from '../outlook/record.ts'
import { readRulesOf } from '../products/changes.ts'
import { explain, foresee, type LiquidationResult, liquidate, liquidationChange, quote } from './changes.ts'
import { adviceLetter } from './letter.ts'
import {
  AdviceRecord,
  breakingFrom,
  ExplainedLiquidationRecord,
  LiquidateBody,
  LiquidationRecord,
  liquidationFrom,
  QuoteBody,
  QuoteRecord,
} from './record.ts'
import {
  findLiquidation,
  findLiquidations,
  type LiquidationFilters,
  type LiquidationPlace,
  listLiquidationsOfDeposit,
} from './store.ts'
import { liquidationWords } from './words.ts'

const LiquidationsQuery = Type.Object(
  {
    ...pageQuery,
    from: Type.Optional(dateRange.from),
    to: Type.Optional(dateRange.to),
    type: Type.Optional(
      Choice(LIQUIDATION_TYPES, { title: 'LiquidationType', description: 'Only liquidations of this type.' }),
    ),
    status: Type.Optional(
      Choice(['COMPLETED', 'REVERSED'], {
        title: 'LiquidationStatus',
        description: 'COMPLETED: only those that were not reversed; REVERSED: only those that were.',
      }),
    ),
    account_number: Type.Optional(Identifier(accountNumber)),
    reference: Type.Optional(
      PlainText({ max: 64, description: 'Only liquidations with this reference of yours.' }),
    ),
  },
  { refine: beginsBeforeItEnds },
)

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const places: Places<LiquidationPlace> = {
  write: ({ businessDate, at, liquidationId }) => `${businessDate} ${at.toISOString()} ${liquidationId}`,
  read(text) {
    const [businessDate, at, liquidationId] = text.split(' ')
    if (businessDate === undefined || at === undefined || liquidationId === undefined) return null
    if (!isIsoDate(businessDate) || !INSTANT.test(at) || Number.isNaN(Date.parse(at))) return null
    return { businessDate, at: new Date(at), liquidationId }
  },
}

/** Refusals of the amount of a part. */
const partRefusals: ErrorCode[] = [
  'amount_exceeds_principal',
  'amount_equals_principal',
  'amount_below_minimum',
  'remaining_below_minimum',
  'amount_under_lien',
  'deposit_under_lien',
]

const settlementRefusals: ErrorCode[] = [
  'deposit_not_found',
  'deposit_not_active',
  'partial_liquidation_not_allowed',
  'liquidation_locked',
  'amount_not_whole',
  'amount_conflicts_with_full',
  ...partRefusals,
  'nothing_to_waive',
  'waiver_exceeds_charge',
  'balance_limit_exceeded',
]

export const liquidationRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v2/fixed-deposits/:deposit_id/liquidate',
    operationId: 'liquidateFixedDeposit',
    summary: 'Break an active fixed deposit, fully or partially, and pay it back to its source account',
    tag: 'Liquidations',
    scope: 'fixed_deposits:liquidate',
    scopeOfBody: {
      scope: 'penal_charges:waive',
      isNeeded: ({ waiver }) => (waiver ?? null) !== null,
      when: 'a waiver is sent',
    },
    body: LiquidateBody,
    success: { status: 200, data: LiquidationRecord },
    refusals: [...settlementRefusals, 'approval_required', 'figures_changed'],
    isFull: (service, bookId) => service.isFull(liquidationChange, bookId),
    answer: ({ service, origin, params, body }) => {
      const request = { depositId: params.deposit_id!, ...liquidationFrom(body) }
      return replyWith(liquidate(service, origin, request, liquidated))
    },
  }),
  route({
    method: 'POST',
    path: '/v2/fixed-deposits/:deposit_id/liquidation-quote',
    operationId: 'quoteLiquidation',
    summary: 'Tell what a liquidation would pay, on today or another date; changes nothing',
    tag: 'Liquidations',
    scope: 'fixed_deposits:read',
    body: QuoteBody,
    success: { status: 200, data: QuoteRecord },
    refusals: [...settlementRefusals, 'as_of_before_start', 'as_of_before_paid_interest', 'no_rate_sheet'],
    answer: async ({ service, book, params, body, origin }) => {
      const asked = { depositId: params.deposit_id!, ...breakingFrom(body), asOf: body.as_of ?? null }
      const by = { identity: identityOf(origin.actor) }
      const { settlement, approvalsNeeded } = orRefused(await quote(service, book, asked, by))
      const approvalRequired = approvalsNeeded > 0
      return replyOf('The quote.', QuoteRecord.json({ ...settlement, approvalRequired }))
    },
  }),
  route({
    method: 'GET',
    path: '/v2/fixed-deposits/:deposit_id/liquidations',
    operationId: 'listLiquidations',
    summary: 'List the liquidations of a fixed deposit, newest first',
    tag: 'Liquidations',
    scope: 'fixed_deposits:read',
    query: ListQuery,
    success: { status: 200, data: ExplainedLiquidationRecord, list: true },
    refusals: ['deposit_not_found'],
    answer: async (asked) => {
      const { service, book, params } = asked
      const kept = await findDeposit(service.db, book.bookId, params.deposit_id!)
      const deposit = found(kept, 'deposit_not_found')
      return listReply(asked, {
        operationId: 'listLiquidations',
        message: 'The liquidations of the fixed deposit.',
        read: async (page) => {
          const { db } = service
          const { items, next } = await listLiquidationsOfDeposit(db, book.bookId, deposit, page)
          return { items: await explain(service, book, deposit, items), next }
        },
        show: ExplainedLiquidationRecord.write,
      })
    },
  }),
  route({
    method: 'GET',
    path: '/v2/liquidations',
    operationId: 'findLiquidations',
    summary: 'List the liquidations of all fixed deposits by business date, newest first',
    tag: 'Liquidations',
    scope: 'fixed_deposits:read',
    query: LiquidationsQuery,
    success: { status: 200, data: ExplainedLiquidationRecord, list: true },
    answer: (asked) => {
      const { service, book, query } = asked
      const { from, to, type, status, account_number, reference } = query
      const filters: LiquidationFilters = {
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(type !== undefined && { type }),
        ...(status === 'COMPLETED' && { stands: true }),
        ...(status === 'REVERSED' && { isReversed: true }),
        ...(account_number !== undefined && { accountNumber: account_number }),
        ...(reference !== undefined && { reference }),
      }
      return listReply(asked, {
        operationId: 'findLiquidations',
        message: 'The liquidations.',
        places,
        read: async (page) => {
          const { items, next } = await findLiquidations(service.db, book.bookId, filters, page)
          const depositIds = [...new Set(items.map(({ depositId }) => depositId))]
          const deposits = await findDeposits(service.db, book.bookId, depositIds)
          const explained = items.map((one) => explain(service, book, deposits.get(one.depositId)!, [one]))
          return { items: (await Promise.all(explained)).flat(), next }
        },
        show: ExplainedLiquidationRecord.write,
      })
    },
  }),
  route({
    method: 'GET',
    path: '/v2/liquidations/:liquidation_id',
    operationId: 'getLiquidation',
    summary: 'Get a liquidation with its explanation',
    tag: 'Liquidations',
    scope: 'fixed_deposits:read',
    success: { status: 200, data: ExplainedLiquidationRecord },
    refusals: ['liquidation_not_found'],
    answer: async ({ service, book, params }) => {
      const kept = await findLiquidation(service.db, book.bookId, params.liquidation_id!)
      const liquidation = found(kept, 'liquidation_not_found')
      const deposit = (await findDeposit(service.db, book.bookId, liquidation.depositId))!
      const [explained] = await explain(service, book, deposit, [liquidation])
      return reply('The liquidation.', ExplainedLiquidationRecord.write(explained!))
    },
  }),
  route({
    method: 'GET',
    path: '/v2/liquidations/:liquidation_id/advice',
    operationId: 'getAdvice',
    summary: 'Get the advice letter of a liquidation, as JSON or as a page to print',
    tag: 'Liquidations',
    scope: 'fixed_deposits:read',
    success: { status: 200, data: AdviceRecord, page: true },
    refusals: ['liquidation_not_found'],
    answer: async (asked) => {
      const { service, book, params } = asked
      const kept = await findLiquidation(service.db, book.bookId, params.liquidation_id!)
      const liquidation = found(kept, 'liquidation_not_found')
      const deposit = (await findDeposit(service.db, book.bookId, liquidation.depositId))!
      const [[explained], letterhead, rulesOf] = await Promise.all([
        explain(service, book, deposit, [liquidation]),
        letterheadOf(service, book, deposit.customerId),
        readRulesOf(service.db, service.versions, book.bookId, [deposit]),
      ])
      const pinned = rulesOf(deposit)
      const letter = { ...letterhead, liquidation: explained!, deposit, rules: pinned }
      const words = wordsOf(book, deposit)
      return documentReply(asked, 'The advice.', {
        logo: letter.logo,
        data: () => AdviceRecord.write({ letter, words }),
        page: () => {
          const spoken = words.speaking(letter.language)
          const advice = adviceLetter(letter, spoken)
          return letterPage(spoken.of(liquidationWords).advice.title, letter, advice, spoken)
        },
      })
    },
  }),
]

export function liquidated({ liquidation, data }: LiquidationResult) {
  const message =
    liquidation.type === 'FULL'
      ? 'The fixed deposit was liquidated.'
      : 'The fixed deposit was partially liquidated.'
  return { status: 200, body: successBodyOf(message, data) }
}

export const outlookRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v2/fixed-deposits/:deposit_id/outlook',
    operationId: 'getOutlook',
    summary: 'Get what breaking a fixed deposit would pay on the days to come',
    tag: 'Liquidations',
    scope: 'fixed_deposits:read',
    query: OutlookQuery,
    success: { status: 200, data: OutlookRecord },
    refusals: [
      'deposit_not_found',
      'deposit_not_active',
      'partial_liquidation_not_allowed',
      'amount_not_whole',
      ...partRefusals,
      'balance_limit_exceeded',
    ],
    answer: async ({ service, book, params, query }) => {
      const foreseen = orRefused(await foresee(service, book, params.deposit_id!, query.amount ?? null))
      return reply('The outlook.', OutlookRecord.write(foreseen.outlook))
    },
  }),
]
