/** What a customer needs for a tax return, to look at and to print. */

import { addDays, isIsoDate, isoDate } from '../../domain/dates.ts'
import { inputField } from '../../page/form.ts'
import { html } from '../../page/html.ts'
import { printedLetter } from '../../page/letter.ts'
import { noticeLine } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, show } from '../../page/page.ts'
import { findCustomer } from '../customers/store.ts'
import { readInterestCertificate } from './changes.ts'
import { interestLetter } from './letter.ts'
import { DAYS_MAX } from './record.ts'
import { interestCertificateWords } from './words.ts'

export const interestCertificatePages: Page[] = [
  {
    method: 'GET',
    path: '/customers/:customer_id/interest-certificate',
    scope: 'fixed_deposits:read',
    certifies: true,
    answer: certificatePage,
  },
]

/** The year so far, unless the span says otherwise. */
async function certificatePage(asked: Asked): Promise<PageAnswer> {
  const { service, book, params, query, words: reader } = asked
  const customer = await findCustomer(service.db, book.bookId, params.customer_id!)
  if (customer === undefined) return NOT_FOUND
  const { today } = await service.momentIn(book)
  const given = (name: string, otherwise: string) => (query.get(name) === '' ? otherwise : query.get(name))
  const [from, to] = [given('from', `${today.slice(0, 4)}-01-01`), given('to', today)]
  const { lists } = reader.say
  const form = html`<form class="filters" action="/console/customers/${customer.customerId}/interest-certificate">
${inputField({ name: 'from', label: lists.from, type: 'date', value: from })}
${inputField({ name: 'to', label: lists.to, type: 'date', value: to })}
<button class="button">${lists.filter}</button></form>`
  const { title: ownTitle, wrongSpan } = reader.of(interestCertificateWords)
  if (!isIsoDate(from) || !isIsoDate(to) || to < from || to >= addDays(from, DAYS_MAX)) {
    const text = html`${form}${noticeLine('bad', wrongSpan(DAYS_MAX))}`
    return show('customers', ownTitle, text, 422)
  }
  const span = { from: isoDate(from), to: isoDate(to) }
  const certificate = await readInterestCertificate(service, book, customer, span)
  const words = reader.speaking(certificate.language)
  const { title } = words.of(interestCertificateWords)
  const letter = printedLetter(title, certificate, interestLetter(certificate, words), { words, reader })
  return show('customers', `${title}, ${certificate.holder.name}`, html`${form}${letter}`)
}
