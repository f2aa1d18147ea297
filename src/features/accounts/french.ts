export const french = {
  accounts: 'Comptes',
  account: 'Compte',
  balance: 'Solde',
  none: 'Ce client n’a pas de compte.',
}
