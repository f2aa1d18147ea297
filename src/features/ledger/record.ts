import { ENTRY_KINDS, type LedgerEntry, type Posting } from '../../domain/ledger.ts'
import {
  accountNumber,
  createdAt,
  depositId,
  entryId,
  liquidationId,
  listOf,
  type Members,
  oneOf,
  orNull,
  record,
  signedAmount,
  text,
} from '../../wire/record.ts'

export const NARRATION = 'A line about the credit, for people. Events do not carry it.'

const LedgerLineRecord = record<Posting>('LedgerLine', {
  account: text.as(
    "An account number, a deposit, or one of the bank's own accounts, such as interest_expense.",
    (posting) => posting.account,
  ),
  amount: signedAmount.as('What this account got; a debit is negative.', (posting) => posting.amount),
})

const subject: Members<LedgerEntry> = {
  entry_id: entryId.of((entry) => entry.entryId),
  kind: oneOf('LedgerEntryKind', ENTRY_KINDS).as('What moved the money.', (entry) => entry.kind),
  account_number: orNull(accountNumber).of((entry) => entry.accountNumber),
  deposit_id: orNull(depositId).of((entry) => entry.depositId),
  liquidation_id: orNull(liquidationId).of((entry) => entry.liquidationId),
}

const movement: Members<LedgerEntry> = {
  created_at: createdAt.of((entry) => entry.createdAt),
  lines: listOf(LedgerLineRecord).as(
    'Who gave and who got; the amounts sum to 0.00.',
    (entry) => entry.postings,
  ),
}

export const LedgerEntryRecord = record<LedgerEntry>('LedgerEntry', {
  ...subject,
  narration: orNull(text).as(NARRATION, (entry) => entry.narration),
  ...movement,
  reverses: orNull(entryId).as(
    'Of a REVERSAL: the entry that it posts again with opposite signs; null for all others.',
    (entry) => entry.reverses ?? null,
  ),
})

/** The data of a credit's event: the entry without its narration, which may be personal. */
export const AccountCreditRecord = record<LedgerEntry>('AccountCredit', { ...subject, ...movement })
