import { countFrench, type Text } from '../../words/language.ts'

export const french = {
  title: 'Recherche',
  titleOf: (asked: Text) => `Recherche de « ${asked} »`,
  newCustomer: 'Nouveau client',
  accounts: 'Comptes',
  email: 'Adresse e-mail',
  externalId: 'Votre identifiant',
  since: 'Client depuis',
  customers: (found: number) => countFrench(found, 'client', 'clients'),
  atLeast: (found: number) => `${found} clients ou plus`,
  deposits: 'Dépôts',
  for: (asked: Text) => `pour « ${asked} »`,
  none: 'Aucun client, compte ou dépôt trouvé. Essayez une partie du nom, les derniers chiffres du téléphone, le numéro de compte ou l’identifiant du dépôt.',
  customer: 'Client',
  phone: 'Téléphone',
  active: (deposits: number) => countFrench(deposits, 'actif', 'actifs'),
  held: 'Détenu',
  matures: (day: Text) => `échéance le ${day}`,
  nextMaturity: 'Prochaine échéance',
}
