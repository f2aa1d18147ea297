import type { Text, Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  title: 'Certificate of interest',
  text: (bank: Text, from: Text, to: Text) => `${bank} paid this interest from ${from} to ${to}:`,
  none: (bank: Text, from: Text, to: Text) => `${bank} paid no interest from ${from} to ${to}.`,
  wrongSpan: (days: number) => `Choose two days, the first before the second, at most ${days} days apart.`,
  deposit: 'Fixed deposit',
  interest: 'Interest',
  charges: 'Charges',
  takenBack: 'Taken back',
  withheld: 'Tax withheld',
  returned: 'Tax returned',
  net: 'Net',
  total: (currency: Text) => `All deposits, ${currency}`,
  entries: 'Ledger entries',
}

export const interestCertificateWords: Texts<typeof english> = { en: english, fr: french }
