import type { Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  look: 'Show what it would change',
  title: 'What this version would change',
  text: 'Deposits broken in the last 92 days and rollovers of the next, as if it had been in force from the opening.',
  policyText: 'Deposits broken in the last 92 days. Sums of several days and changed contacts do not count.',
  what: 'Figure',
  now: 'As it is',
  proposed: 'Proposed',
  liquidations: 'Deposits broken',
  charge: 'Charges',
  interest: 'Interest paid',
  refused: 'Refused',
  held: 'Waiting for approval',
  rollovers: 'Rollovers',
  successors: 'Interest of the renewed deposits',
  paidOut: 'Paid out instead',
  incomplete: 'There were more than 100,000: only the newest are counted.',
}

export const impactWords: Texts<typeof english> = { en: english, fr: french }
