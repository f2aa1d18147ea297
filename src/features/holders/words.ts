import type { Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = { customer: 'Customer', deposit: 'Deposit' }

export const holderWords: Texts<typeof english> = { en: english, fr: french }
