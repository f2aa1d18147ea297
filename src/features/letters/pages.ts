/** Certificate and statement, to look at and to print, in the language of the bank's customers or else of the person. */

import { isIsoDate } from '../../domain/dates.ts'
import { inputField } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { printedLetter } from '../../page/letter.ts'
import { noticeLine } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, show } from '../../page/page.ts'
import { findDeposit } from '../deposits/store.ts'
import { readCertified, readStated } from './changes.ts'
import { certificateLetter, statementLetter } from './letter.ts'
import { letterWords } from './words.ts'

export const letterPages: Page[] = [
  {
    method: 'GET',
    path: '/deposits/:deposit_id/certificate',
    scope: 'fixed_deposits:read',
    certifies: true,
    answer: certificatePage,
  },
  {
    method: 'GET',
    path: '/deposits/:deposit_id/statement',
    scope: 'fixed_deposits:read',
    certifies: true,
    answer: statementPage,
  },
]

async function certificatePage(asked: Asked): Promise<PageAnswer> {
  const { service, book, params } = asked
  const deposit = await findDeposit(service.db, book.bookId, params.deposit_id!)
  if (deposit === undefined) return NOT_FOUND
  const certified = await readCertified(service, book, deposit)
  const reader = asked.words.in(deposit.currency)
  const words = reader.speaking(certified.language)
  const { title } = words.of(letterWords).certificate
  const tab = `${title}, ${words.money(deposit.principal)}, ${certified.holder.name}`
  const letter = certificateLetter(certified, words)
  return show('deposits', tab, printedLetter(title, certified, letter, { words, reader }))
}

async function statementPage(asked: Asked): Promise<PageAnswer> {
  const { service, book, params, query } = asked
  const deposit = await findDeposit(service.db, book.bookId, params.deposit_id!)
  if (deposit === undefined) return NOT_FOUND
  const reader = asked.words.in(deposit.currency)
  const [from, to] = [query.get('from'), query.get('to')]
  const stated = await readStated(service, book, deposit, {
    ...(isIsoDate(from) && { from }),
    ...(isIsoDate(to) && { to }),
  })
  if (stated === null) {
    const { title, tooLong } = reader.of(letterWords).statement
    return show('deposits', title, html`${spanForm(asked)}${noticeLine('bad', tooLong)}`, 422)
  }
  const words = reader.speaking(stated.language)
  const { title } = words.of(letterWords).statement
  const tab = `${title}, ${words.money(deposit.principal)}, ${stated.holder.name}`
  const letter = printedLetter(title, stated, statementLetter(stated, words), { words, reader })
  return show('deposits', tab, html`${spanForm(asked)}${letter}`)
}

function spanForm({ params, query, words }: Asked): Html {
  const { lists: say } = words.say
  return html`<form class="filters" action="/console/deposits/${params.deposit_id}/statement">
${inputField({ name: 'from', label: say.from, type: 'date', value: query.get('from') })}
${inputField({ name: 'to', label: say.to, type: 'date', value: query.get('to') })}
<button class="button">${say.filter}</button></form>`
}
