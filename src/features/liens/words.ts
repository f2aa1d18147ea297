import type { Text, Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  title: 'Liens',
  none: 'No lien matches. Liens are placed on the page of a deposit.',
  all: 'All',
  amount: 'Amount',
  deposit: 'Deposit',
  depositId: 'Identifier of the deposit',
  reason: 'Reason',
  placed: 'Placed',
  released: 'Released',
  status: 'Status',
  statuses: { ACTIVE: 'Active', RELEASED: 'Released' },
  held: (amount: Text) => `${amount} cannot be withdrawn.`,
  lien: (amount: Text, reason: Text) => `${amount}: ${reason}`,
  since: (at: Text) => `since ${at}`,
}

export const lienWords: Texts<typeof english> = { en: english, fr: french }
