import type { Customer } from '../../domain/customer.ts'
import { businessDate } from '../../domain/dates.ts'
import { card, pairs, showCards } from '../../page/card.ts'
import { inputField } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { type Notice, showNotice } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { readBody } from '../../wire/reader.ts'
import { updateCustomer } from './changes.ts'
import { CustomerUpdate, profileChanges } from './record.ts'
import { findCustomer } from './store.ts'
import { customerWords } from './words.ts'

export const customerPages: Page[] = [
  {
    method: 'GET',
    path: '/customers/:customer_id',
    scope: 'customers:read',
    answer: (asked) => customerPage(asked, {}),
  },
  {
    method: 'POST',
    path: '/customers/:customer_id',
    scope: 'customers:write',
    answer: saveContacts,
  },
]

async function saveContacts(asked: Asked): Promise<PageAnswer> {
  const { service, form, params, originOf, words } = asked
  const customerId = params.customer_id!
  const sent = Object.fromEntries(
    ['email', 'phone_number', 'address']
      .filter((name) => form.has(name))
      .map((name) => [name, form.get(name)]),
  )
  const read = readBody(CustomerUpdate, sent)
  if (!read.ok) {
    const { wrong } = words.of(customerWords).customer
    const errors = new Map(read.fields.map(({ field, message }) => [field, wrong[field] ?? message]))
    return customerPage(asked, { refused: { sent, errors }, status: 422 })
  }
  const changes = profileChanges(read.value as CustomerUpdate)
  const saved = await updateCustomer(service, originOf(null), { customerId, changes })
  if (saved.outcome === 'refused') return NOT_FOUND
  return redirect(`/console/customers/${customerId}?done=saved`)
}

type Refused = { sent: Record<string, string>; errors: ReadonlyMap<string, string> }

type Shown = { refused?: Refused; notice?: Notice; status?: number }

/** Also shown where something about a customer was refused. */
export async function customerPage(asked: Asked, { refused, notice, status }: Shown): Promise<PageAnswer> {
  const { service, book, params, query, words } = asked
  const customer = await findCustomer(service.db, book.bookId, params.customer_id!)
  if (customer === undefined) return NOT_FOUND
  const { at } = await service.momentIn(book)
  const cards = await showCards(asked.cards.customer, asked, { customer, at })
  const { customer: say } = words.of(customerWords)
  const name = `${customer.firstName} ${customer.lastName}`
  const since = say.since(words.day(businessDate(customer.createdAt, book.timeZone)))
  const isSaved = query.get('done') === 'saved'
  return show(
    'customers',
    name,
    html`<header class="head">
<div>
<h1>${name}</h1>
<p class="sub">${since} <code>${customer.customerId}</code></p>
</div>
<div class="actions">${cards('action')}</div></header>
${showNotice(notice ?? (isSaved ? { kind: 'good', text: say.saved } : null), words)}
${cards('notice')}
<div class="split">
<div class="wide">${cards('main')}</div>
<div class="stack">
${contactsCard(customer, refused, asked)}
${cards('side')}
</div></div>${cards('below')}`,
    status,
  )
}

function contactsCard(customer: Customer, refused: Refused | undefined, { words, may }: Asked): Html {
  const { customer: say } = words.of(customerWords)
  const field = (name: string, label: string, value: string, type: 'email' | 'tel' | 'text') =>
    inputField({
      name,
      label,
      type,
      value: refused?.sent[name] ?? value,
      error: refused?.errors.get(name),
      isRequired: true,
    })
  const edit = html`<details class="edit"${refused !== undefined && trusted(' open')}>
<summary>${say.edit}</summary>
<form class="narrow" method="post" action="/console/customers/${customer.customerId}">
${field('email', say.email, customer.email, 'email')}
${field('phone_number', say.phone, customer.phoneNumber, 'tel')}
${field('address', say.address, customer.address, 'text')}
<button class="button primary">${say.save}</button>
</form></details>`
  return card(
    { id: 'contacts', title: say.contacts },
    html`${pairs([
      [say.email, customer.email],
      [say.phone, customer.phoneNumber],
      [say.address, customer.address],
    ])}
${may('customers:write') && edit}`,
  )
}
