import { count, type Text, type Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  home: {
    title: 'Home',
    heading: (name: Text) => `Good day, ${name}`,
    waiting: 'Waiting for you',
    mine: 'Your requests',
    allMine: 'All your requests',
    noneMine: 'You have asked for nothing yet. What needs a second person is listed here, with its outcome.',
    maturing: 'Matures within seven days',
    allMaturing: 'All that mature within seven days',
    noneMaturing: 'Nothing matures within seven days.',
    broken: 'Broken today',
    noneBroken: 'No deposit was broken today.',
    paid: 'Paid',
    at: 'When',
    elsewhere: 'Choose a place from the menu.',
    toConfirm: 'To be confirmed',
    toConfirmText:
      'An administrator set this within the last day. It counts in the live book when that day is over, or when a second administrator confirms it.',
    noneToConfirm: 'Nothing waits for a second administrator.',
    countsFrom: 'Counts from',
    person: 'Person',
    key: 'Key',
  },
  care: {
    title: 'To be looked after',
    nothing:
      'Nothing needs you now: no key expires soon or is unused, every webhook is on, and everybody has a second factor.',
    expires: (name: Text, day: Text) => `The key ${name} expires on ${day}.`,
    unused: (name: Text) => `The key ${name} was not used for 90 days.`,
    webhookOff: (url: Text) => `The webhook ${url} is switched off.`,
    webhookFails: (url: Text, failed: number) =>
      `The webhook ${url} did not accept ${count(failed, 'message', 'messages')} of the last 50.`,
    invited: (name: Text) => `${name} has not accepted the invitation.`,
    noFactor: (name: Text) => `${name} signs in with a password alone, without a second factor.`,
    noFactors: (people: number, names: Text, others: number) =>
      `${people} people sign in with a password alone, without a second factor: ${names}${others > 0 ? ` and ${others} more` : ''}.`,
    verified: (at: Text) => `The ledger was last verified on ${at}.`,
    notVerified: 'The ledger was never verified. Ask the operator to verify it.',
    backedUp: (at: Text, ago: Text) => `The last backup was made on ${at}, ${ago}.`,
    notBackedUp: (ago: Text) =>
      `There is no backup yet. The service, which is to make them, was started ${ago}.`,
    noBackup: 'This service makes no backups itself. Ask the operator when the last one was made.',
    difference: (text: Text) => `The last verification found a difference: ${text}`,
  },
  pictures: {
    what: 'What',
    amount: 'Amount',
    day: 'Day',
    none: 'Nothing yet. Bars appear here when there is something to show.',
    byWeek: 'Matures by week',
    byDay: 'Paid out early by day, 30 days',
    charges: 'Charges of 30 days',
    byProduct: 'Owed to customers by product',
    byTerm: 'Owed by time to maturity',
    byRate: 'Owed by rate',
    weekFrom: (day: Text) => `from ${day}`,
    deposits: (deposits: number) => count(deposits, 'deposit', 'deposits'),
    addedUp: (at: Text) => `Added up at ${at}.`,
    earned: 'Earned',
    waived: 'Waived',
    noProduct: 'Without product',
    rates: (from: Text, below: Text) => `${from} to below ${below}\u00a0%`,
    terms: { month: 'Within a month', quarter: 'Within 3 months', year: 'Within a year', longer: 'Later' },
  },
}

export const homeWords: Texts<typeof english> = { en: english, fr: french }
