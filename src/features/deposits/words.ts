import type { Text, Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  deposits: {
    title: 'Deposits',
    liquidations: 'Liquidations',
    titleOf: (name: Text) => `Deposits of ${name}`,
    liens: 'Liens',
    ledger: 'Ledger',
    tax: 'Tax withheld',
    maturesFrom: 'Matures from',
    maturesTo: 'Matures to',
    product: 'Product',
    rateFrom: 'Rate from, %',
    rateBelow: 'Rate below, %',
    percent: (rate: Text) => `${rate}\u00a0%`,
    deposit: 'Deposit',
    customer: 'Customer',
    remaining: 'Remaining principal',
    rate: 'Rate',
    matures: 'Matures',
    status: 'Status',
    all: 'All deposits',
    none: 'No deposit matches. Deposits are opened on the page of an account.',
    ofCustomer: 'Fixed deposits',
    noneOfCustomer: 'This customer has no fixed deposit.',
    allOfCustomer: 'All deposits of this customer',
  },
  deposit: {
    title: 'Fixed deposit',
    at: (rate: Text, days: Text) => `at ${rate}\u00a0% for ${days} days`,
    atMaturity: 'At maturity',
    terms: 'Terms',
    customer: 'Customer',
    paysTo: 'Pays to',
    balance: (amount: Text) => `balance ${amount}`,
    term: 'Term',
    fromTo: (from: Text, to: Text) => `${from} to ${to}`,
    product: 'Product',
    interest: 'Interest',
    next: (day: Text) => `next payment ${day}`,
    rules: 'Rules',
    version: (version: Text) => `Version ${version}`,
    elapsed: 'Elapsed share of the term',
  },
}

export const depositWords: Texts<typeof english> = { en: english, fr: french }
