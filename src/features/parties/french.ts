import type { Text } from '../../words/language.ts'

export const french = {
  title: 'Autres intéressés',
  none: 'Personne d’autre que le titulaire.',
  edit: 'Modifier',
  heading: 'À qui d’autre appartient le dépôt',
  text: 'Enregistré et imprimé. Cela ne change ni l’argent ni les droits.',
  mandate: 'Qui doit signer',
  customer: (number: Text) => `Client ${number}`,
  notRecorded: 'Rien n’a été enregistré.',
  role: (number: Text) => `Rôle ${number}`,
  submit: 'Enregistrer',
}
