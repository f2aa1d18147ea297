import type { Customer } from '../../domain/customer.ts'
import { type Html, html } from '../../page/html.ts'
import { type Asked, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import { findAccount } from '../accounts/store.ts'
import { pickedText } from '../customers/form.ts'
import { findCustomer, listCustomers, searchCustomers } from '../customers/store.ts'
import { findDeposit, listDeposits } from '../deposits/store.ts'
import { customerColumns, customerListPages } from './list.ts'
import { searchWords } from './words.ts'

const SHOWN = { limit: 50, before: null }
const SUGGESTED_MAX = 8

export const searchPages: Page[] = [
  ...customerListPages,
  { method: 'GET', path: '/search', scope: 'customers:read', mayLag: true, answer: searchPage },
]

async function searchPage(asked: Asked): Promise<PageAnswer> {
  const { service, book, query, words, may, part } = asked
  const say = words.of(searchWords)
  const { bookId } = book
  const wanted = query.get('q').trim()
  const deposit = wanted === '' ? undefined : await findDeposit(service.db, bookId, wanted)
  if (deposit !== undefined && part === null && may('fixed_deposits:read'))
    return redirect(`/console/deposits/${deposit.depositId}`)
  const account = wanted === '' ? undefined : await findAccount(service.db, bookId, wanted)
  const exact = account?.customerId ?? wanted
  const known = exact === '' ? undefined : await findCustomer(service.db, bookId, exact)
  const customers = known === undefined ? await matching(asked, wanted) : [known]
  if (part === 'found') return suggestions(asked, wanted === '' ? [] : customers)
  if (part === 'pick') return picks(asked, wanted === '' ? [] : customers)
  const shown = customers.slice(0, SHOWN.limit)
  const count = customers.length > SHOWN.limit ? say.atLeast(SHOWN.limit) : say.customers(customers.length)
  return show(
    'customers',
    wanted === '' ? say.title : say.titleOf(wanted),
    html`<header class="head">
<div><h1>${count} ${wanted !== '' && html`<span class="thin">${say.for(wanted)}</span>`}</h1></div>
${may('customers:write') && html`<a class="button" href="/console/open/customer">${say.newCustomer}</a>`}
</header>
${
  shown.length === 0
    ? html`<section class="card"><p>${say.none}</p></section>`
    : html`<section class="card flush">${await customerTable(shown, asked)}</section>`
}`,
  )
}

/** What is shown while somebody types: at most a handful, each a link; of a single customer also what may be broken. */
async function suggestions(asked: Asked, customers: readonly Customer[]): Promise<PageAnswer> {
  const { words } = asked
  const say = words.of(searchWords)
  const found = customers.slice(0, SUGGESTED_MAX).map(customerOption)
  const [only] = customers.length === 1 ? customers : []
  const options = only === undefined ? found : [...found, ...(await depositOptions(asked, only))]
  const list = options.map(
    ({ path, text }, index) => html`<a role="option" id="found-${index}" tabindex="-1" href="/console/${path}"
aria-selected="${String(only !== undefined && index === 0)}">${text}</a>`,
  )
  return {
    kind: 'part',
    part: html`<div id="found" role="listbox" aria-label="${say.title}">${list}</div>`,
  }
}

/** The same where a form asks for a customer: choosing one fills in the field. */
function picks({ words }: Asked, customers: readonly Customer[]): PageAnswer {
  const options = customers.slice(0, SUGGESTED_MAX).map(
    (one) => html`<a role="option" tabindex="-1" href="/console/customers/${one.customerId}"
data-value="${pickedText(one)}" aria-selected="false">${customerOption(one).text}</a>`,
  )
  const title = words.of(searchWords).title
  return { kind: 'part', part: html`<div role="listbox" aria-label="${title}">${options}</div>` }
}

type Option = { path: string; text: Html }

function customerOption({ customerId, firstName, lastName, phoneNumber }: Customer): Option {
  return {
    path: `customers/${customerId}`,
    text: html`<b>${firstName} ${lastName}</b> <small>${phoneNumber}</small>`,
  }
}

async function depositOptions(
  { service, book, words, may }: Asked,
  { customerId }: Customer,
): Promise<Option[]> {
  if (!may('fixed_deposits:read')) return []
  const say = words.of(searchWords)
  const filters = { customerId, status: 'ACTIVE' } as const
  const page = { limit: SUGGESTED_MAX, before: null }
  const { items } = await listDeposits(service.db, book.bookId, filters, page)
  return items.map(({ depositId, currency, remaining, maturityDate }) => ({
    path: `deposits/${depositId}`,
    text: html`<span>${words.in(currency).money(remaining)}</span>
<small>${say.matures(words.day(maturityDate))}</small>`,
  }))
}

async function matching({ service, book }: Asked, wanted: string): Promise<Customer[]> {
  if (wanted !== '') return searchCustomers(service.db, book, wanted)
  return (await listCustomers(service.db, book.bookId, {}, { limit: SHOWN.limit, before: null })).items
}

async function customerTable(customers: readonly Customer[], asked: Asked): Promise<Html> {
  const columns = await customerColumns(asked, customers)
  return recordTable(
    customers,
    columns.filter(({ isFileOnly }) => isFileOnly !== true),
    { label: asked.words.say.sections.customers, isFlush: true },
  )
}
