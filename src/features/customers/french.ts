import type { Text } from '../../words/language.ts'

export const french = {
  customer: {
    contacts: 'Coordonnées',
    email: 'Adresse e-mail',
    phone: 'Téléphone',
    address: 'Adresse',
    edit: 'Modifier les coordonnées',
    save: 'Enregistrer les coordonnées',
    saved: 'Les coordonnées ont été enregistrées. Les anciennes valeurs restent dans le journal d’audit.',
    since: (day: Text) => `Client depuis le ${day}`,
    wrong: {
      email: 'Indiquez une adresse e-mail, par exemple ada@example.com.',
      phone_number: 'Indiquez un numéro de téléphone avec son pays, par exemple +234 801 234 5678.',
      address: 'Indiquez une adresse.',
    } as Record<string, string>,
  },
  picking: {
    hint: 'Tapez un nom, un numéro de téléphone ou un compte, et choisissez.',
    nobody: 'Aucun de ceux-ci',
    notFound: (typed: Text) => `Aucun client n’a été trouvé pour «\u00a0${typed}\u00a0».`,
    several: 'Plusieurs clients ont été trouvés. Choisissez-en un.',
  },
}
