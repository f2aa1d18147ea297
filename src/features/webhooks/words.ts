import type { Text, Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  webhooks: {
    title: 'Webhooks',
    text: 'Events of this book are sent to these addresses, signed, until they are accepted.',
    url: 'Address',
    description: 'Description',
    events: 'Events',
    every: 'Every event',
    chosen: 'Only these events',
    status: 'Status',
    statuses: { ENABLED: 'On', DISABLED: 'Off' },
    none: 'No address is registered.',
    add: 'Add an address',
    submit: 'Add the address',
    secret: 'The secret that signs messages is shown only this once. Copy it now.',
    wrong: (message: Text) => `The address was not saved. ${message}`,
    deliveries: 'Deliveries',
    noDeliveries: 'Nothing was sent yet.',
    event: 'Event',
    attempts: 'Attempts',
    last: 'Last attempt',
    answer: 'Answer',
    when: 'When',
    deliveryStatuses: { PENDING: 'Waiting', DELIVERED: 'Delivered', FAILED: 'Failed' },
    again: 'Send again',
    againOf: (event: Text) => `Send again: ${event}`,
    older: 'Older deliveries',
    ping: 'Send a test message',
    rotate: 'Replace the secret',
    rotateText: 'For a day messages carry the signatures of both secrets.',
    turnOn: 'Switch on',
    turnOff: 'Switch off',
    remove: 'Remove',
    removeText: 'Nothing more is sent to this address, and what waits is dropped.',
    done: {
      sent: 'The event is sent again to every address that wants it.',
      pinged: 'The test message is on its way.',
      saved: 'The address was changed.',
      removed: 'The address was removed.',
    } as Record<string, string>,
  },
}

export const webhookWords: Texts<typeof english> = { en: english, fr: french }
