import type { Text, Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  title: 'Ledger',
  entries: 'Ledger entries',
  when: 'When',
  entry: 'Entry',
  account: 'Account',
  debit: 'Debit',
  credit: 'Credit',
  thisDeposit: 'This deposit',
  deposit: 'Fixed deposit',
  kind: 'Kind',
  everyKind: 'Every kind',
  amount: 'Amount',
  record: 'Record',
  lines: 'Lines',
  narration: 'Narration',
  none: 'Nothing was booked in this time. Every movement of money is listed here with its lines.',
  liquidations: 'Liquidations',
  tax: 'Tax withheld',
  customerAccount: (account: Text) => `Customer ${account}`,
}

export const ledgerWords: Texts<typeof english> = { en: english, fr: french }
