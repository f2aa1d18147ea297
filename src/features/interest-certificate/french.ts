import type { Text } from '../../words/language.ts'

export const french = {
  title: 'Attestation d’intérêts',
  text: (bank: Text, from: Text, to: Text) => `${bank} a versé ces intérêts du ${from} au ${to}\u00a0:`,
  none: (bank: Text, from: Text, to: Text) => `${bank} n’a versé aucun intérêt du ${from} au ${to}.`,
  wrongSpan: (days: number) => `Choisissez deux jours dans l’ordre, à ${days} jours d’écart au plus.`,
  deposit: 'Dépôt à terme',
  interest: 'Intérêts',
  charges: 'Pénalité',
  takenBack: 'Repris',
  withheld: 'Impôt retenu',
  returned: 'Impôt restitué',
  net: 'Montant net',
  total: (currency: Text) => `Tous les dépôts, ${currency}`,
  entries: 'Écritures',
}
