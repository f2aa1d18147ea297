import type { Text } from '../../words/language.ts'

export const french = {
  title: 'Intérêts versés avant l’échéance',
  none: 'Rien n’a encore été versé.',
  next: (day: Text, amount: Text) => `Prochain versement : ${amount} le ${day}.`,
  period: 'Période',
  fromTo: (from: Text, to: Text) => `du ${from} au ${to}`,
  on: 'Versé le',
  principal: 'Sur',
  interest: 'Intérêts',
  tax: 'Impôt',
  net: 'Au compte',
  older: (count: Text) => `Les ${count} derniers versements sont affichés ; le relevé les contient tous.`,
}
