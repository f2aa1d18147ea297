import type { Text, Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  customer: {
    contacts: 'Contact details',
    email: 'E-mail',
    phone: 'Phone',
    address: 'Address',
    edit: 'Change contact details',
    save: 'Save contact details',
    saved: 'The contact details were saved. The old values stay in the audit log.',
    since: (day: Text) => `Customer since ${day}`,
    wrong: {
      email: 'Give an e-mail address, such as ada@example.com.',
      phone_number: 'Give a telephone number with its country, such as +234 801 234 5678.',
      address: 'Give an address.',
    } as Record<string, string>,
  },
  picking: {
    hint: 'Type a name, a phone number or an account, and choose.',
    nobody: 'Nobody of these',
    notFound: (typed: Text) => `No customer was found for “${typed}”.`,
    several: 'Several customers were found. Choose one.',
  },
}

export const customerWords: Texts<typeof english> = { en: english, fr: french }
