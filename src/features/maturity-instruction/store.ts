import type { Deposit } from '../../domain/deposit.ts'
import type { Transaction } from '../../engine/database/database.ts'
import { deposits } from '../deposits/store.ts'

export const statements = { updateInstructions: deposits.assign('instruction', 'updatedAt') }

/** The deposits are locked. */
export function updateInstructions(tx: Transaction, bookId: string, changed: readonly Deposit[]): void {
  if (changed.length > 0) statements.updateInstructions(tx, bookId, changed)
}
