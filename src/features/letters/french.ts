import type { Text } from '../../words/language.ts'

export const french = {
  certificate: {
    title: 'Certificat de dépôt à terme',
    short: 'Certificat',
    text: (bank: Text) => `${bank} détient ce dépôt à terme :`,
    status: 'Situation',
    principal: 'Capital à l’ouverture',
    remaining: 'Capital restant',
    rate: 'Intérêt annuel',
    percent: (rate: Text) => `${rate} %`,
    term: 'Durée',
    days: (days: Text, from: Text, to: Text) => `${days} jours, du ${from} au ${to}`,
    interest: 'Intérêts de toute la durée',
    how: 'Versement des intérêts',
    next: (day: Text) => `prochain le ${day}`,
    product: 'Produit',
    parties: 'Autres parties au dépôt',
    party: (name: Text, role: Text) => `${name} (${role})`,
    worth: 'Valeur à l’échéance',
    atMaturity: 'À l’échéance',
    liens: 'Retenu par des blocages',
    early:
      'Rompu avant l’échéance, il peut rapporter moins : la banque donne les chiffres du jour sur demande.',
  },
  statement: {
    title: 'Relevé de dépôt à terme',
    short: 'Relevé',
    tooLong: 'Le relevé serait trop long. Choisissez une période plus courte.',
    span: (from: Text, to: Text) => `Du ${from} au ${to}`,
    date: 'Date',
    text: 'Objet',
    amount: 'Montant',
    remaining: 'Capital restant',
    entry: 'Écriture',
    broughtForward: 'Report',
    opened: 'Ouverture',
    successor: 'Ouverture par reconduction',
    whole: 'Rupture totale du dépôt',
    part: 'Rupture partielle du dépôt',
    figures: (principal: Text, interest: Text, charge: Text) =>
      `capital ${principal} + intérêts ${interest} − pénalité ${charge}`,
    waiver: 'Pénalité remise',
    takenBack: (unearned: Text, charge: Text) =>
      `Intérêts repris : pour les jours non courus ${unearned}, pour la pénalité ${charge}`,
    matured: 'Échéance',
    rolledOver: 'Échéance, reconduit',
    placed: (amount: Text, reason: Text) => `Blocage de ${amount} posé : ${reason}`,
    released: (amount: Text, reason: Text) => `Blocage de ${amount} levé : ${reason}`,
    sums: (interest: Text, charge: Text, tax: Text, result: Text) =>
      `Totaux : intérêts ${interest} − pénalité ${charge} − impôt ${tax} = ${result} = montants + capital restant`,
  },
}
