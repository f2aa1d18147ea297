export const french = { customer: 'Client', deposit: 'Dépôt' }
