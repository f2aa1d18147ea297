/** Certificate and statement as JSON. letter.ts renders the same as a page. */
import { type Static, Type } from 'typebox'
import type { IsoDate } from '../../domain/dates.ts'
import { agreedTenorOf, type Deposit, rollsOver } from '../../domain/deposit.ts'
import type { Holder, Letterhead } from '../../domain/letterhead.ts'
import type { NamedParties } from '../../domain/parties.ts'
import { LINE_KINDS, type StatementLine } from '../../domain/statement.ts'
import { beginsBeforeItEnds, dateRange } from '../../wire/date-range.ts'
import {
  accountNumber,
  amount,
  count,
  currency,
  customerId,
  date,
  depositId,
  entryId,
  flag,
  interestRate,
  listOf,
  type Members,
  maturityDate,
  oneOf,
  orNull,
  record,
  remainingPrincipal,
  signedAmount,
  startDate,
  text,
  within,
} from '../../wire/record.ts'
import type { Words } from '../../words/words.ts'
import {
  agreedTenor,
  depositStatus,
  interestEvery,
  interestMethod,
  maturityInstruction,
} from '../deposits/record.ts'
import { NamedPartyRecord } from '../parties/record.ts'
import { lineText } from './words.ts'

/** A letter with its wording. */
export type Worded<Letter> = { letter: Letter; words: Words }

const HolderRecord = record<Holder>('Holder', {
  customer_id: customerId.of((holder) => holder.customerId),
  name: text.as('Given name and family name.', (holder) => holder.name),
  address: text.as('Where letters go.', (holder) => holder.address),
})

export const letterhead: Members<Letterhead> = {
  bank: text.as('Name of the bank.', (letter) => letter.bank),
  holder: HolderRecord.as('Who owns the deposit.', (letter) => letter.holder),
  issued_on: date.as('The business date on which it was requested.', (letter) => letter.issuedOn),
}

export type Certified = Letterhead & {
  deposit: Deposit
  expectedInterest: bigint
  /** What maturity will pay before tax. */
  maturityValue: bigint
  productName: string | null
  parties: NamedParties
}

export const CertificateRecord = record<Certified>('Certificate', {
  ...letterhead,
  deposit_id: depositId.of(({ deposit }) => deposit.depositId),
  account_number: accountNumber.of(({ deposit }) => deposit.accountNumber),
  currency: currency.of(({ deposit }) => deposit.currency),
  status: depositStatus.as('State of the deposit.', ({ deposit }) => deposit.status),
  principal: amount.as('Principal at the opening.', ({ deposit }) => deposit.principal),
  remaining_principal: remainingPrincipal.of(({ deposit }) => deposit.remaining),
  interest_rate: interestRate.of(({ deposit }) => deposit.annualRatePpm),
  tenor: count.as('Days from start to maturity.', ({ deposit }) => deposit.tenorDays),
  start_date: startDate.of(({ deposit }) => deposit.startDate),
  maturity_date: maturityDate.of(({ deposit }) => deposit.maturityDate),
  expected_interest: amount.as(
    'Interest of the whole term on the remaining principal.',
    ({ expectedInterest }) => expectedInterest,
  ),
  maturity_value: amount.as(
    'What maturity pays, before tax: the remaining principal, and the interest that was not paid before.',
    ({ maturityValue }) => maturityValue,
  ),
  auto_rollover: flag.as('Whether principal and interest open a successor at maturity.', ({ deposit }) =>
    rollsOver(deposit),
  ),
  lien_amount: amount.as('Sum of the active liens.', ({ deposit }) => deposit.lien),
  product_code: orNull(text).as('The product, or null.', ({ deposit }) => deposit.productCode),
  product_name: orNull(text).as(
    'Its name in the version of the deposit, or null.',
    ({ productName }) => productName,
  ),
  interest_method: interestMethod.of(({ deposit }) => deposit.method),
  interest_every: orNull(interestEvery).as(
    'How often interest is compounded or paid, or null.',
    ({ deposit }) => deposit.every,
  ),
  agreed_tenor: agreedTenor.of(({ deposit }) => agreedTenorOf(deposit)),
  maturity_instruction: maturityInstruction.of(({ deposit }) => deposit.instruction),
  parties: listOf(NamedPartyRecord).as('Who else it belongs to.', ({ parties }) => parties.parties),
})

export const StatementQuery = Type.Object(
  { from: Type.Optional(dateRange.from), to: Type.Optional(dateRange.to) },
  { refine: beginsBeforeItEnds },
)
export type StatementQuery = Static<typeof StatementQuery>

type WordedLine = { line: StatementLine; words: Words }

const StatementLineRecord = record<WordedLine>('StatementLine', {
  date: date.as('Business date.', ({ line }) => line.date),
  kind: oneOf('StatementLineKind', LINE_KINDS).as('What the line is about.', ({ line }) => line.kind),
  text: text.as('The line for people.', ({ line, words }) => lineText(line, words)),
  amount: signedAmount.as(
    'What the account, or a successor, got; what it gave is negative. 0.00 where no money moved.',
    ({ line }) => line.amount,
  ),
  remaining_principal: amount.as('Principal that remained after it.', ({ line }) => line.remaining),
  entry_id: orNull(entryId).as('Its ledger entry; null where no money moved.', ({ line }) => line.entryId),
})

export type Stated = Letterhead & {
  deposit: Deposit
  from: IsoDate
  to: IsoDate
  lines: readonly StatementLine[]
}

export const StatementRecord = record<Worded<Stated>>('Statement', {
  ...within(({ letter }) => letter, letterhead),
  deposit_id: depositId.of(({ letter }) => letter.deposit.depositId),
  account_number: accountNumber.of(({ letter }) => letter.deposit.accountNumber),
  currency: currency.of(({ letter }) => letter.deposit.currency),
  from: date.as('The first business date of the statement.', ({ letter }) => letter.from),
  to: date.as('The last business date of the statement.', ({ letter }) => letter.to),
  lines: listOf(StatementLineRecord).as(
    'Oldest first. The last line proves the sums: its amount is the sum of the amounts above, and with its remaining ' +
      'principal comes to the interest less charges and tax.',
    ({ letter, words }) => letter.lines.map((line) => ({ line, words })),
  ),
})
