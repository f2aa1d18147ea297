import type { LedgerEntry } from '../../domain/ledger.ts'
import { money, timestamp } from '../../wire/envelope.ts'

export function ledgerEntryData(entry: LedgerEntry) {
  return {
    entry_id: entry.entryId,
    kind: entry.kind,
    account_number: entry.accountNumber,
    deposit_id: entry.depositId,
    liquidation_id: entry.liquidationId,
    narration: entry.narration,
    created_at: timestamp(entry.createdAt),
    lines: entry.postings.map((posting) => ({ account: posting.account, amount: money(posting.amount) })),
  }
}
