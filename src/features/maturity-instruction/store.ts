import type { Deposit } from '../../domain/deposit.ts'
import type { Transaction } from '../../engine/database/database.ts'
import { assignments, statementOverRows } from '../../engine/database/rows.ts'
import { depositMap } from '../deposits/store.ts'

const instructedRows = depositMap.pick('depositId', 'instruction', 'updatedAt').rows

const update = statementOverRows(
  { instructed: instructedRows },
  (from, book) => `
    update deposits
    set ${assignments(instructedRows, 'instructed').slice(1).join(',\n        ')}
    from ${from.instructed}
    where deposits.book_id = ${book.instructed}
      and deposits.deposit_id = instructed.deposit_id`,
)

export const statements = { updateInstructions: update }

/** The deposits are locked. */
export function updateInstructions(tx: Transaction, bookId: string, deposits: readonly Deposit[]): void {
  if (deposits.length === 0) return
  tx.write(statements.updateInstructions.of(bookId, { instructed: deposits }))
}
