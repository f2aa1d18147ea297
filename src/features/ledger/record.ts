import { ENTRY_KINDS, type LedgerEntry, type Posting } from '../../domain/ledger.ts'
import {
  accountNumber,
  createdAt,
  date,
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
  within,
} from '../../wire/record.ts'

export const NARRATION = 'A line about the credit, for people. Events do not carry it.'

const lineMembers: Members<Posting> = {
  account: text.as(
    "An account number, a deposit, or one of the bank's own accounts, such as interest_expense.",
    (posting) => posting.account,
  ),
  amount: signedAmount.as('What this account got; a debit is negative.', (posting) => posting.amount),
}
const LedgerLineRecord = record<Posting>('LedgerLine', lineMembers)

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

const entryMembers: Members<LedgerEntry> = {
  ...subject,
  narration: orNull(text).as(NARRATION, (entry) => entry.narration),
  ...movement,
  reverses: orNull(entryId).as(
    'Of a REVERSAL: the entry that it posts again with opposite signs; null for all others.',
    (entry) => entry.reverses ?? null,
  ),
  business_date: orNull(date).as(
    'The business date it counts on: an accrual is made after the day that it closes.',
    (entry) => entry.businessDate ?? null,
  ),
}

export const LedgerEntryRecord = record<LedgerEntry>('LedgerEntry', entryMembers)

/** An entry with the code of the bank's general ledger for each line. */
export type ExportedEntry = { entry: LedgerEntry; codeOf: (account: string) => string | null }

const ExportedLineRecord = record<Posting & { code: string | null }>('ExportedLedgerLine', {
  ...lineMembers,
  gl_code: orNull(text).as("Its code in the bank's general ledger, or null.", ({ code }) => code),
})

export const ExportedEntryRecord = record<ExportedEntry>('ExportedLedgerEntry', {
  ...within(({ entry }: ExportedEntry) => entry, entryMembers),
  lines: listOf(ExportedLineRecord).as(
    'Who gave and who got; the amounts sum to 0.00.',
    ({ entry, codeOf }) => entry.postings.map((posting) => ({ ...posting, code: codeOf(posting.account) })),
  ),
})

/** The data of a credit's event: the entry without its narration, which may be personal. */
export const AccountCreditRecord = record<LedgerEntry>('AccountCredit', { ...subject, ...movement })
