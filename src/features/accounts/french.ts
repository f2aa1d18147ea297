export const french = {
  accounts: 'Comptes',
  account: 'Compte',
  balance: 'Solde',
  opened: 'Ouvert',
  customer: 'Client',
  customerId: 'Identifiant du client',
  currency: 'Devise',
  externalId: 'Votre identifiant',
  noneAtAll: 'Aucun compte ne correspond. Les comptes s’ouvrent sur la page d’un client.',
  none: 'Ce client n’a pas de compte.',
}
