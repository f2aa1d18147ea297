import type { Text, Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  people: {
    title: 'People and keys',
    people: 'People',
    all: 'All',
    find: 'Name or e-mail contains',
    none: 'Nobody matches.',
    name: 'Name',
    email: 'E-mail',
    role: 'Role',
    status: 'Status',
    lastSeen: 'Last seen',
    statuses: { INVITED: 'Invited', ACTIVE: 'Active', DISABLED: 'Disabled' },
    change: 'Change',
    changeOf: (name: Text) => `Change ${name}`,
    invite: 'Invite a person',
    books: 'Works in',
    submit: 'Make an invitation link',
    link: (name: Text) =>
      `Pass this link on to ${name} now: it works once, for 30 minutes, and cannot be shown again.`,
    save: 'Save role and books',
    saved: (name: Text) => `${name} has the new role from now on, and has to sign in again.`,
    disable: 'Disable',
    removeFactors: 'Remove second factors',
    factorsRemoved: (name: Text) =>
      `${name} signs in with the password alone, and may add a second factor again.`,
    sureFactors: (name: Text) => `Remove the second factors of ${name}?`,
    sureDisable: (name: Text) => `Disable ${name}?`,
    sureDisableText: 'The person is signed out everywhere and cannot sign in any more.',
    reset: 'New password link',
    inviteAgain: 'New invitation link',
    disabled: (name: Text) => `${name} was disabled and is signed out everywhere.`,
    needs: 'Give a name, an e-mail address, a role and at least one book.',
    noAddress:
      'No link was made, because the address of the console is not known for sure. The operator sets PUBLIC_URL, or invites people on the command line.',
    you: 'you',
    otherBooks: 'This person works, or worked, in a book that you do not work in.',
    confirm: 'Confirm',
    confirmOf: (name: Text) => `Confirm ${name}`,
    confirmed: (name: Text) => `The access of ${name} counts from now on.`,
    decidesFrom: (time: Text) => `Decides in the live book from ${time}.`,
  },
  me: {
    title: 'Your sign-in',
    sessions: 'Where you are signed in',
    here: 'this browser',
    started: 'Since',
    seen: 'Last used',
    browser: 'Browser',
    browserOn: (browser: Text, system: Text) => `${browser} on ${system}`,
    end: 'End this session',
    ended: 'The session was ended.',
    devices: 'Browsers that know you',
    devicesText:
      'In these, strangers who try your password do not keep you out. A browser is forgotten 180 days after your last sign-in there.',
    forget: 'Forget this browser',
    forgotten: 'The browser was forgotten.',
    factors: 'Second factors',
    factorsNone:
      'Anybody who learns your password can sign in as you. A passkey or an authenticator app prevents that.',
    factorsSome: 'Your sign-in asks for a code besides the password.',
    factorsLink: 'Passkeys, authenticator app and recovery codes',
    password: 'Change your password',
    current: 'Password now',
    new: 'New password',
    change: 'Change password',
    changed: 'Your password was changed. Other sessions have ended.',
  },
}

export const peopleWords: Texts<typeof english> = { en: english, fr: french }
