import { count, type Text, type Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  title: 'Search',
  titleOf: (asked: Text) => `Search for “${asked}”`,
  newCustomer: 'New customer',
  accounts: 'Accounts',
  email: 'E-mail',
  externalId: 'Your identifier',
  since: 'Customer since',
  customers: (found: number) => count(found, 'customer', 'customers'),
  atLeast: (found: number) => `${found} customers or more`,
  deposits: 'Deposits',
  for: (asked: Text) => `for “${asked}”`,
  none:
    'No customer, account or deposit was found. Try a part of the name, the last digits of the phone number, the ' +
    'account number or the identifier of the deposit.',
  customer: 'Customer',
  phone: 'Phone',
  active: (deposits: number) => `${deposits} active`,
  held: 'Held',
  matures: (day: Text) => `matures ${day}`,
  nextMaturity: 'Next maturity',
}

export const searchWords: Texts<typeof english> = { en: english, fr: french }
