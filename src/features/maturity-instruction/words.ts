import type { Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  title: 'At maturity',
  label: 'What becomes of it',
  submit: 'Change',
}

export const instructionWords: Texts<typeof english> = { en: english, fr: french }
