import type { Text } from '../../words/language.ts'

export const french = {
  title: 'Blocages',
  held: (amount: Text) => `${amount} ne peuvent pas être retirés.`,
  lien: (amount: Text, reason: Text) => `${amount} : ${reason}`,
  since: (at: Text) => `depuis le ${at}`,
}
