import type { Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  accounts: 'Accounts',
  account: 'Account',
  balance: 'Balance',
  opened: 'Opened',
  customer: 'Customer',
  customerId: 'Identifier of the customer',
  currency: 'Currency',
  externalId: 'Your identifier',
  noneAtAll: 'No account matches. Accounts are opened on the page of a customer.',
  none: 'This customer has no account.',
}

export const accountWords: Texts<typeof english> = { en: english, fr: french }
