import { Type } from 'typebox'
import { dated } from '../../domain/ledger.ts'
import { listReply, pageQuery, type Route, route } from '../../route/route.ts'
import { Identifier } from '../../wire/fields.ts'
import { accountNumber, depositId, liquidationId } from '../../wire/record.ts'
import { LedgerEntryRecord } from './record.ts'
import { type EntryFilters, listEntries } from './store.ts'

const LedgerQuery = Type.Object({
  ...pageQuery,
  account_number: Type.Optional(Identifier(accountNumber)),
  deposit_id: Type.Optional(Identifier(depositId)),
  liquidation_id: Type.Optional(Identifier(liquidationId)),
})

export const ledgerRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v2/ledger-entries',
    operationId: 'listLedgerEntries',
    summary: 'List ledger entries, newest first; the lines of an entry sum to zero',
    tag: 'Ledger',
    scope: 'ledger:read',
    query: LedgerQuery,
    success: { status: 200, data: LedgerEntryRecord, list: true },
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
        show: (entry) => LedgerEntryRecord.write(dated(entry, asked.book)),
      })
    },
  }),
]
