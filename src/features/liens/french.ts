import type { Text } from '../../words/language.ts'

export const french = {
  title: 'Blocages',
  none: 'Aucun blocage ne correspond. Les blocages se posent sur la page d’un dépôt.',
  all: 'Tous',
  amount: 'Montant',
  deposit: 'Dépôt',
  depositId: 'Identifiant du dépôt',
  reason: 'Motif',
  placed: 'Posé',
  released: 'Levé',
  status: 'Situation',
  statuses: { ACTIVE: 'Actif', RELEASED: 'Levé' },
  held: (amount: Text) => `${amount} ne peuvent pas être retirés.`,
  lien: (amount: Text, reason: Text) => `${amount} : ${reason}`,
  since: (at: Text) => `depuis le ${at}`,
}
