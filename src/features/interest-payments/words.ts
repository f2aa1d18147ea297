import type { Text, Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  title: 'Interest paid before maturity',
  none: 'Nothing was paid yet.',
  next: (day: Text, amount: Text) => `Next: ${amount} on ${day}.`,
  period: 'For',
  fromTo: (from: Text, to: Text) => `${from} to ${to}`,
  on: 'Paid on',
  principal: 'On',
  interest: 'Interest',
  tax: 'Tax',
  net: 'To the account',
  older: (count: Text) => `The last ${count} payments are shown; the statement has all of them.`,
}

export const interestPaymentWords: Texts<typeof english> = { en: english, fr: french }
