/** Accruals and codes of the general ledger: writing the next version. */
import type { Accounting } from '../../domain/accrual.ts'
import { defineDocument } from '../documents/changes.ts'
import { AccountingRecord, formatAccounting, parseAccounting } from './record.ts'

export const accountingDocument = defineDocument<Accounting>({
  kind: 'ACCOUNTING',
  operation: 'replaceAccounting',
  event: 'accounting.updated',
  record: AccountingRecord,
  format: formatAccounting,
  parse: parseAccounting,
})
