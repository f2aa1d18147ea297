import type { Text, Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  clock: {
    title: 'Clock of the test book',
    text: 'Moving the clock forward lets deposits of the test book earn interest and mature. It cannot go back.',
    to: 'Move to the day',
    submit: 'Move the clock',
    moved: (at: Text) => `The clock says ${at} now.`,
    refused: 'The clock goes forward only, and at most ten years at once.',
  },
}

export const clockWords: Texts<typeof english> = { en: english, fr: french }
