import type { Text, Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  keys: {
    title: 'API keys',
    book: (mode: Text) => `Of the ${mode}.`,
    name: 'Name',
    scopes: 'May do',
    everything: 'everything',
    made: 'Made',
    lastUsed: 'Last used',
    expires: 'Expires',
    expiresOn: 'Last day',
    expiresHint: 'It works to the end of this day. Left empty: until it is revoked.',
    needsDay: 'Give a last day that is not over, or none.',
    status: 'Status',
    active: 'Active',
    revoked: 'Revoked',
    expired: 'Expired',
    all: 'All',
    find: 'Name or right contains',
    revoke: 'Revoke',
    revokeOf: (name: Text) => `Revoke ${name}`,
    sure: {
      revoke: (name: Text) => `Revoke ${name}?`,
      roll: (name: Text) => `Replace ${name}?`,
    },
    sureText: {
      revoke: 'What uses this key stops working within a second.',
      roll: 'A new key is made and shown once. The old one still works for 24 hours.',
    },
    done: 'The key was revoked. It stops within a second.',
    none: 'There is no key in this book.',
    make: 'Make a key',
    makeText:
      'A key may do what no rule of the approval policy guards. One that can move money in the live book works a day ' +
      'later, or when a second administrator confirms it.',
    roll: 'Replace',
    rollOf: (name: Text) => `Replace ${name}`,
    rolledFor: 'The old key still works for 24 hours.',
    confirmed: 'The key works from now on.',
    worksFrom: (time: Text) => `Changes nothing before ${time}.`,
    submit: 'Make the key',
    shown: 'This key is shown only this once. Copy it now.',
    needs: 'Choose at least one thing that the key may do.',
    mayNot: 'The approval policy guards something that this key would do. The operator makes such keys.',
    notActive: 'The key is no longer active.',
  },
}

export const keyWords: Texts<typeof english> = { en: english, fr: french }
