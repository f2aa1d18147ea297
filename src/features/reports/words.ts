import type { Text, Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  report: {
    title: 'Daily report',
    previous: 'Previous day',
    next: 'Next day',
    csv: 'Download CSV',
    accounting: 'Accounting',
    paid: 'Paid out',
    penal: 'Penal income',
    waived: 'Waived',
    tax: 'Tax withheld',
    broken: 'Broken',
    inPart: (parts: number) => `${parts} in part`,
    reversed: 'Taken back',
    ledger: 'Ledger',
    balanced: 'Balanced',
    verified: (at: Text) => `verified ${at}`,
    notVerified: 'Not verified yet',
    howToVerify: 'Ask the operator to verify it.',
    difference: 'Difference found',
    others: 'Other currencies',
    currency: 'Currency',
    day: 'Day',
    trend: 'Paid out by day, last 30 days',
    tab: (day: Text) => `Daily report, ${day}`,
  },
  taxed: {
    title: 'Tax withheld',
    day: 'Day',
    record: 'Record',
    customer: 'Customer',
    interest: 'Interest',
    charge: 'Charge',
    class: 'Class and rate',
    classAt: (name: Text, rate: Text) => `${name}, ${rate}\u00a0%`,
    tax: 'Tax',
    none: 'Nothing was taxed in this time. What is withheld from interest is listed here.',
  },
}

export const reportWords: Texts<typeof english> = { en: english, fr: french }
