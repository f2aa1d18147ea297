import type { AccrualMode } from '../../domain/accrual.ts'
import type { Text, Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  title: 'Accounting',
  version: (version: number) => `version ${version}`,
  text: 'How interest is accrued for the general ledger. A program changes it with an API key.',
  accruals: 'Accruals',
  modes: {
    OFF: 'Interest is not accrued.',
    DAILY: 'Interest is accrued at the close of every day.',
    MONTHLY: 'Interest is accrued at the close of the last day of each month.',
  } satisfies Record<AccrualMode, string> as Record<AccrualMode, string>,
  closed: 'Last closed day of each currency',
  noneClosed: 'No day was closed yet.',
  currency: 'Currency',
  day: 'Day',
  payable: 'Earned, not paid',
  prepaid: 'Paid, not earned',
  entry: 'Entry',
  unmoved: 'nothing moved',
  codes: 'Codes of the general ledger',
  account: 'Account',
  code: 'Code',
  customers: { accounts: 'Accounts of customers', deposits: 'Deposits of customers' } as Record<
    string,
    string
  >,
  report: 'Interest of each deposit',
  reportText: (day: Text) => `At the close of any day up to ${day}, whether interest is accrued or not.`,
  download: 'Download CSV',
}

export const accountingWords: Texts<typeof english> = { en: english, fr: french }
