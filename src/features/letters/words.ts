/** The lines of a statement as sentences. */

import type { StatementLine } from '../../domain/statement.ts'
import type { Text, Texts } from '../../words/language.ts'
import type { Words } from '../../words/words.ts'
import { french } from './french.ts'

const english = {
  certificate: {
    title: 'Certificate of fixed deposit',
    short: 'Certificate',
    text: (bank: Text) => `${bank} holds this fixed deposit:`,
    status: 'Status',
    principal: 'Principal at the opening',
    remaining: 'Remaining principal',
    rate: 'Interest a year',
    percent: (rate: Text) => `${rate} %`,
    term: 'Term',
    days: (days: Text, from: Text, to: Text) => `${days} days, ${from} to ${to}`,
    interest: 'Interest of the whole term',
    how: 'How interest is paid',
    next: (day: Text) => `next on ${day}`,
    worth: 'Worth at maturity',
    product: 'Product',
    parties: 'Others with a part in it',
    party: (name: Text, role: Text) => `${name}, ${role}`,
    atMaturity: 'At maturity',
    liens: 'Held by liens',
    early: 'Broken before maturity it may earn less: the bank tells the figures of the day on request.',
  },
  statement: {
    title: 'Statement of fixed deposit',
    short: 'Statement',
    tooLong: 'The statement would be too long. Choose a shorter time.',
    span: (from: Text, to: Text) => `${from} to ${to}`,
    date: 'Date',
    text: 'What',
    amount: 'Amount',
    remaining: 'Remaining principal',
    entry: 'Entry',
    broughtForward: 'Brought forward',
    opened: 'Opened',
    successor: 'Opened by a rollover',
    whole: 'Whole deposit broken',
    part: 'Part of the deposit broken',
    figures: (principal: Text, interest: Text, charge: Text) =>
      `principal ${principal} + interest ${interest} − charge ${charge}`,
    waiver: 'Charge waived',
    takenBack: (unearned: Text, charge: Text) =>
      `Interest taken back: for days not held ${unearned}, for the charge ${charge}`,
    matured: 'Maturity',
    rolledOver: 'Maturity, rolled over',
    placed: (amount: Text, reason: Text) => `Lien of ${amount} placed: ${reason}`,
    released: (amount: Text, reason: Text) => `Lien of ${amount} released: ${reason}`,
    sums: (interest: Text) => `In this time: interest ${interest}`,
    lessCharge: (charge: Text) => ` − charge ${charge}`,
    lessTax: (tax: Text) => ` − tax ${tax}`,
  },
}

export const letterWords: Texts<typeof english> = { en: english, fr: french }

/** A line in one sentence. */
export function lineText({ kind, moved, held, remaining, rolled }: StatementLine, words: Words): string {
  const { statement: say } = words.of(letterWords)
  const { entryKinds } = words.say
  const { plain } = words
  switch (kind) {
    case 'BROUGHT_FORWARD':
      return say.broughtForward
    case 'SUMS':
      return sums()
    case 'LIEN_PLACED':
      return say.placed(plain(held!.amount), held!.reason)
    case 'LIEN_RELEASED':
      return say.released(plain(held!.amount), held!.reason)
    case 'WAIVER':
      return say.waiver
    case 'DEPOSIT_OPENING':
      return rolled ? say.successor : say.opened
    case 'INTEREST_RECOVERY':
      return say.takenBack(plain(-moved.interest), plain(moved.charge))
    case 'MATURITY':
      return `${rolled ? say.rolledOver : say.matured}: ${figures()}`
    case 'LIQUIDATION':
      return `${remaining === 0n ? say.whole : say.part}: ${figures()}`
    default:
      return entryKinds[kind]
  }

  /** What there was none of is left out. */
  function sums(): string {
    const { interest, charge, tax } = moved
    const less = [charge !== 0n && say.lessCharge(plain(charge)), tax !== 0n && say.lessTax(plain(tax))]
    const taken = less.filter((one) => one !== false)
    const rest = taken.length === 0 ? [] : [` = ${plain(interest - charge - tax)}`]
    return [say.sums(plain(interest)), ...taken, ...rest].join('')
  }

  function figures(): string {
    return say.figures(plain(-moved.principal), plain(moved.interest), plain(moved.charge + moved.waived))
  }
}
