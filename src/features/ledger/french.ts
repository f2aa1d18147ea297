import type { Text } from '../../words/language.ts'

export const french = {
  title: 'Grand livre',
  entries: 'Écritures',
  when: 'Quand',
  entry: 'Écriture',
  account: 'Compte',
  debit: 'Débit',
  credit: 'Crédit',
  thisDeposit: 'Ce dépôt',
  deposit: 'Dépôt à terme',
  kind: 'Type d’écriture',
  everyKind: 'Toutes les écritures',
  amount: 'Montant',
  record: 'Fiche',
  lines: 'Lignes',
  narration: 'Libellé',
  none: 'Rien n’a été passé dans ce temps. Chaque mouvement d’argent paraît ici avec ses lignes.',
  liquidations: 'Ruptures',
  tax: 'Impôt retenu',
  customerAccount: (account: Text) => `Client ${account}`,
}
