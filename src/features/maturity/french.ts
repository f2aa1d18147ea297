import { countFrench, type Text } from '../../words/language.ts'

export const french = {
  remaining: 'Capital restant',
  accrued: 'Intérêts courus',
  atMaturity: 'À l’échéance',
  afterTax: (tax: Text) => `après ${tax} d’impôt`,
  matures: 'Échéance',
  inDays: (days: number) => `dans ${countFrench(days, 'jour', 'jours')}`,
  due: 'échu',
}
