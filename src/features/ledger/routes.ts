import { Type } from 'typebox'
import { Text } from '../../wire/fields.ts'
import { LedgerEntryRecord } from '../../wire/replies.ts'
import { listReply, pageQuery, type Route, route } from '../../wire/route.ts'
import { ledgerEntryData } from './record.ts'
import { type EntryFilters, listEntries } from './store.ts'

const LedgerQuery = Type.Object({
  ...pageQuery,
  account_number: Type.Optional(Text({ min: 1, max: 64 })),
  deposit_id: Type.Optional(Text({ min: 1, max: 64 })),
  liquidation_id: Type.Optional(Text({ min: 1, max: 64 })),
})

export const ledgerRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v2/ledger-entries',
    operationId: 'listLedgerEntries',
    summary: 'List ledger entries, newest first; the lines of an entry sum to zero',
    tag: 'Ledger',
    scope: 'ledger:read',
    body: null,
    query: LedgerQuery,
    success: { status: 200, data: LedgerEntryRecord, list: true },
    refusals: [],
    answer: (asked) => {
      const { account_number, deposit_id, liquidation_id } = asked.query
      const filters: EntryFilters = {
        ...(account_number !== undefined && { accountNumber: account_number }),
        ...(deposit_id !== undefined && { depositId: deposit_id }),
        ...(liquidation_id !== undefined && { liquidationId: liquidation_id }),
      }
      return listReply(asked, {
        operationId: 'listLedgerEntries',
        message: 'The ledger entries.',
        read: (page) => listEntries(asked.service.db, asked.book.bookId, filters, page),
        show: ledgerEntryData,
      })
    },
  }),
]
