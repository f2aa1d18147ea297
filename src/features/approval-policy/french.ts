import { countFrench, type Text } from '../../words/language.ts'

export const french = {
  whyOf: {
    amount: 'Montant',
    netCredited: 'Versement',
    waivedAmount: 'Remise',
    waivedPercent: 'Part remise de la pénalité',
    negotiatedPoints: 'Taux au-dessus du barème',
    contactChangedHours: 'Coordonnées modifiées',
  },
  sumOf: {
    DEPOSIT: (days: number) => `Parties de ce dépôt en ${countFrench(days, 'jour', 'jours')}`,
    CUSTOMER: (days: number) => `Total de ce client en ${countFrench(days, 'jour', 'jours')}`,
    ACTOR: (days: number) => `Total de la même personne ou clé en ${countFrench(days, 'jour', 'jours')}`,
  },
  orMore: (bound: Text) => `${bound} ou plus`,
  below: (bound: Text) => `moins de ${bound}`,
  hoursAgo: (hours: Text) => `${hours} heures plus tôt`,
  anyWaiver: 'Une pénalité est remise',
  always: 'Toujours',
}
