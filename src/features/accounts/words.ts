import type { Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  accounts: 'Accounts',
  account: 'Account',
  balance: 'Balance',
  none: 'This customer has no account.',
}

export const accountWords: Texts<typeof english> = { en: english, fr: french }
