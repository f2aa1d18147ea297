import { count, type Text, type Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  remaining: 'Remaining principal',
  accrued: 'Interest earned so far',
  atMaturity: 'At maturity',
  afterTax: (tax: Text) => `after ${tax} tax`,
  matures: 'Matures',
  inDays: (days: number) => `in ${count(days, 'day', 'days')}`,
  due: 'due',
}

export const maturityWords: Texts<typeof english> = { en: english, fr: french }
