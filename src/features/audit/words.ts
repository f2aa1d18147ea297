import type { Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  history: 'History',
  audit: {
    title: 'Audit log',
    everybody: 'Everybody',
    kinds: { PERSON: 'Person', KEY: 'API key', OPERATOR: 'Operator', JOB: 'Service' } as Record<
      string,
      string
    >,
    what: 'What',
    every: 'Every change',
    when: 'When',
    who: 'Who',
    recordColumn: 'Record',
    onlyThis: 'Only this record',
    request: 'Request',
    changes: 'Old and new values',
    none: 'No change matches.',
    /** Others are shown by their name in the API. */
    members: {
      address: 'Address',
      email: 'E-mail',
      event_types: 'Events',
      modes: 'Works in',
      note: 'Note',
      phone_number: 'Phone',
      reason: 'Reason',
      requested_by: 'Asked by',
      role: 'Role',
      status: 'Status',
      url: 'Address',
    } as Record<string, string>,
    before: 'Old',
    after: 'New',
  },
}

export const auditWords: Texts<typeof english> = { en: english, fr: french }
