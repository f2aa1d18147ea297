export const french = {
  look: 'Montrer ce que cela changerait',
  title: 'Ce que cette version changerait',
  text: 'Dépôts rompus pendant les 92 derniers jours et renouvellements des 92 prochains, comme si elle avait été en vigueur dès l’ouverture.',
  policyText:
    'Dépôts rompus pendant les 92 derniers jours. Les sommes de plusieurs jours et les contacts modifiés ne comptent pas.',
  what: 'Chiffre',
  now: 'Actuellement',
  proposed: 'Proposé',
  liquidations: 'Dépôts rompus',
  charge: 'Pénalité',
  interest: 'Intérêts versés',
  refused: 'Refusés',
  held: 'En attente d’approbation',
  rollovers: 'Renouvellements',
  successors: 'Intérêts des dépôts renouvelés',
  paidOut: 'Versés à la place',
  incomplete: 'Il y en avait plus de 100 000 : seuls les plus récents sont comptés.',
}
