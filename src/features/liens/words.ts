import type { Text, Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  title: 'Liens',
  held: (amount: Text) => `${amount} cannot be withdrawn.`,
  lien: (amount: Text, reason: Text) => `${amount}: ${reason}`,
  since: (at: Text) => `since ${at}`,
}

export const lienWords: Texts<typeof english> = { en: english, fr: french }
