import type { Text, Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  title: 'Joint holders and others',
  none: 'Nobody but the holder.',
  edit: 'Change',
  heading: 'Who else the deposit belongs to',
  text: 'Recorded and printed. It changes no money and no right.',
  mandate: 'Who has to sign',
  customer: (number: Text) => `Customer ${number}`,
  notRecorded: 'Nothing was recorded.',
  role: (number: Text) => `Role ${number}`,
  submit: 'Record',
}

export const partyWords: Texts<typeof english> = { en: english, fr: french }
