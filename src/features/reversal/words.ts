import type { Text, Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  reversal: {
    payments: 'Paid out early',
    paid: (amount: Text, day: Text) => `${amount} paid on ${day}`,
    title: 'Take back',
    takenBack: 'Taken back',
    on: (at: Text) => `On ${at}. The deposit is as if it had not been broken.`,
    open: 'Take this back',
    text: 'The money leaves the account again, and the deposit is as if it had not been broken. Both stay in the ledger.',
    reason: 'Why it is taken back',
    submit: (amount: Text) => `Take back ${amount}`,
    sure: (amount: Text) => `Take back ${amount}?`,
    fromAccount: 'From account',
    reversed: (at: Text) => `taken back ${at}`,
    needsReason: 'Say why it is taken back.',
    notDone: 'Nothing was taken back.',
    done: {
      reversed: 'The liquidation was taken back. The deposit is as if it had not been broken.',
      'reversal-waits': 'Taking it back waits for the approval of a second person. Nothing was done yet.',
    } as Record<string, string>,
  },
}

export const reversalWords: Texts<typeof english> = { en: english, fr: french }
