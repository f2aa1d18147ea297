import type { Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  title: 'Requests',
  mine: 'Your requests',
  all: 'All requests',
  whose: 'Whose',
  status: 'Outcome',
  every: 'Every outcome',
  what: 'What',
  asked: 'Asked',
  maker: 'Asked by',
  anybody: 'Anybody',
  decided: 'Decided by',
  note: 'Note to the approver',
  none: 'No request matches. What you ask for an approval of is listed here with its outcome.',
  past: 'Past requests',
}

export const requestWords: Texts<typeof english> = { en: english, fr: french }
