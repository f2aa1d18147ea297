import { Type } from 'typebox'
import { glCodeOf, NO_ACCOUNTING } from '../../domain/accrual.ts'
import type { Book } from '../../domain/book.ts'
import { businessDate, type IsoDate } from '../../domain/dates.ts'
import { dated } from '../../domain/ledger.ts'
import { type TimeSpan, timeSpan } from '../../engine/database/time-span.ts'
import { exportReply, type Route, route, type Service } from '../../route/route.ts'
import { dateRange, hasAtMostDays } from '../../wire/date-range.ts'
import type { Exported } from '../../wire/export.ts'
import type { RecordKind, Written } from '../../wire/record.ts'
import { accounting } from '../accounting/document.ts'
import { findPendingOfTargets } from '../approval-requests/store.ts'
import { asOfNow } from '../approvals/changes.ts'
import { bodyOf } from '../approvals/operations.ts'
import { ApprovalRecord } from '../approvals/record.ts'
import { DepositRecord } from '../deposits/record.ts'
import { documentOf } from '../documents/changes.ts'
import { ExportedPaymentRecord } from '../interest-payments/record.ts'
import { readPayments } from '../interest-payments/store.ts'
import { ExportedEntryRecord } from '../ledger/record.ts'
import { StoredLiquidationRecord } from '../liquidation/record.ts'
import { readRulesOf } from '../products/changes.ts'
import { TaxedMovementRecord } from '../reports/record.ts'
import { readLiquidations, readTaxedMovements } from '../reports/store.ts'
import { columnsOf, entryTable } from './record.ts'
import { readApprovals, readDeposits, readEntries } from './store.ts'

const DAYS_MAX = 92

const ExportQuery = Type.Object(dateRange, { refine: hasAtMostDays(DAYS_MAX) })

type Asked = { service: Service; book: Book; from: IsoDate; to: IsoDate; span: TimeSpan }

export const exportRoutes: Route[] = [
  exportRoute({
    name: 'deposits',
    operationId: 'exportDeposits',
    summary: 'Export the fixed deposits that were opened in a span of business dates',
    record: DepositRecord,
    pages: writeDeposits,
  }),
  exportRoute({
    name: 'liquidations',
    operationId: 'exportLiquidations',
    summary: 'Export the liquidations of a span of business dates',
    record: StoredLiquidationRecord,
    async *pages({ service, book, from, to }) {
      for await (const page of readLiquidations(service.db, book.bookId, { from, to }))
        yield page.map(StoredLiquidationRecord.write)
    },
  }),
  exportRoute({
    name: 'ledger-entries',
    operationId: 'exportLedgerEntries',
    summary: 'Export the ledger entries of a span of business dates',
    record: ExportedEntryRecord,
    async *pages({ service, book, from, to, span }) {
      const { db, versions } = service
      const newest = await documentOf(accounting).reader.readNewest(db, versions, book.bookId)
      const codeOf = (account: string) => glCodeOf(newest?.document ?? NO_ACCOUNTING, account)
      for await (const page of readEntries(db, book.bookId, { span, from, to }))
        yield page.map((entry) => ExportedEntryRecord.write({ entry: dated(entry, book), codeOf }))
    },
    table: entryTable,
  }),
  exportRoute({
    name: 'tax',
    operationId: 'exportTax',
    summary: 'Export the taxed interest of a span of business dates, movement by movement',
    record: TaxedMovementRecord,
    async *pages({ service, book, span }) {
      for await (const page of readTaxedMovements(service.db, book.bookId, span)) {
        yield page.map((movement) =>
          TaxedMovementRecord.write({ movement, on: businessDate(movement.at, book.timeZone) }),
        )
      }
    },
  }),
  exportRoute({
    name: 'interest-payments',
    operationId: 'exportInterestPayments',
    summary: 'Export the interest that was paid before maturity in a span of business dates',
    record: ExportedPaymentRecord,
    async *pages({ service, book, from, to }) {
      for await (const page of readPayments(service.db, book.bookId, { from, to }))
        yield page.map(ExportedPaymentRecord.write)
    },
  }),
  exportRoute({
    name: 'approvals',
    operationId: 'exportApprovals',
    summary: 'Export the requests for approval that were made in a span of business dates',
    record: ApprovalRecord,
    async *pages({ service, book, span }) {
      const { at } = await service.momentIn(book)
      for await (const page of readApprovals(service.db, book.bookId, span)) {
        const rows: Written[] = []
        // One after the other: what waits is tried, and others need the connections too.
        for (const kept of page) {
          const { approval } = await asOfNow(service, { book, at }, kept, () => bodyOf(kept))
          rows.push(ApprovalRecord.write({ approval, at }))
        }
        yield rows
      }
    },
  }),
]

function exportRoute<Source>(given: {
  name: string
  operationId: string
  summary: string
  record: RecordKind<Source>
  pages: (asked: Asked) => AsyncIterable<Written[]>
  table?: Pick<Exported, 'columns' | 'flat'>
}): Route {
  const { name, operationId, summary, record, pages, table = { columns: columnsOf(record) } } = given
  return route({
    method: 'GET',
    path: `/v2/exports/${name}`,
    operationId,
    summary,
    tag: 'Reports',
    scope: 'reports:read',
    query: ExportQuery,
    success: { status: 200, data: record, file: true },
    answer: async (asked) => {
      const { service, book, query } = asked
      const span = timeSpan(book, query)
      return exportReply(asked, {
        name: `${name}-${query.from}-${query.to}`,
        pages: pages({ service, book, ...query, span }),
        ...table,
      })
    },
  })
}

async function* writeDeposits({ service, book, span }: Asked): AsyncGenerator<Written[]> {
  const { db, versions } = service
  const { at, today } = await service.momentIn(book)
  for await (const page of readDeposits(db, book.bookId, span)) {
    const rulesOf = await readRulesOf(db, versions, book.bookId, page)
    const ids = page.map((deposit) => deposit.depositId)
    const pending = await findPendingOfTargets(db, book.bookId, ids)
    yield page.map((deposit) =>
      DepositRecord.write({
        deposit,
        rules: rulesOf(deposit),
        today,
        pending: pending(deposit.depositId, at),
      }),
    )
  }
}
