/** What verification knows of deposits that were taken over from another system. */
import type { ImportedHistory } from '../../domain/import.ts'
import type { Lookup } from '../../engine/database/facts.ts'
import { amount, calendarDateOrNull, group, rowMap } from '../../engine/database/row-map.ts'

export const importOfDeposit: Lookup = {
  as: 'history',
  rows: `
    select deposit_imports.remaining_minor as imported_minor, deposit_imports.paid_minor as imported_paid_minor,
      deposit_imports.tax_minor as imported_tax_minor, deposit_imports.paid_to as imported_paid_to
    from deposit_imports
    where deposit_imports.book_id = $1
      and deposit_imports.deposit_id = deposits.deposit_id
    limit 1`,
}

type History = Omit<ImportedHistory, 'depositId'>

export const importMap = rowMap<{ imported: History | null }>({
  imported: group<History>({
    remaining: amount('imported_minor'),
    paid: amount('imported_paid_minor'),
    paidTax: amount('imported_tax_minor'),
    paidTo: calendarDateOrNull('imported_paid_to'),
  }),
})
