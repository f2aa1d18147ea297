import { type Asked, NOT_FOUND, type Page, type PageAnswer, redirect, show } from '../../console/page.ts'
import { recordTable } from '../../console/table.ts'
import type { Customer } from '../../domain/customer.ts'
import { businessDate } from '../../domain/dates.ts'
import { type Html, html, trusted } from '../../wire/html.ts'
import { readBody } from '../../wire/reader.ts'
import { findAccount, listAccounts } from '../accounts/store.ts'
import { findPendingOfTargets } from '../approvals/store.ts'
import { listChanges } from '../audit/store.ts'
import { depositTable } from '../deposits/pages.ts'
import { findDeposit, findHoldings, listDeposits } from '../deposits/store.ts'
import { updateCustomer } from './changes.ts'
import { CustomerUpdate, profileChanges } from './record.ts'
import { findCustomer, listCustomers, searchCustomers } from './store.ts'

const SHOWN = { limit: 50, before: null }

export const customerPages: Page[] = [
  { method: 'GET', path: '/customers', scope: 'customers:read', mayLag: true, answer: searchPage },
  { method: 'GET', path: '/search', scope: 'customers:read', mayLag: true, answer: searchPage },
  {
    method: 'GET',
    path: '/customers/:customer_id',
    scope: 'customers:read',
    answer: (asked) => customerPage(asked, null),
  },
  {
    method: 'POST',
    path: '/customers/:customer_id',
    scope: 'customers:write',
    answer: saveContacts,
  },
]

async function searchPage(asked: Asked): Promise<PageAnswer> {
  const { service, book, query, words, may } = asked
  const { search: say, sections } = words.say
  const { bookId } = book
  const wanted = query.get('q').trim()
  const deposit = wanted === '' ? undefined : await findDeposit(service.db, bookId, wanted)
  if (deposit !== undefined && may('fixed_deposits:read'))
    return redirect(`/console/deposits/${deposit.depositId}`)
  const account = wanted === '' ? undefined : await findAccount(service.db, bookId, wanted)
  const exact = account?.customerId ?? wanted
  const known = exact === '' ? undefined : await findCustomer(service.db, bookId, exact)
  const customers = known === undefined ? await matching(asked, wanted) : [known]
  const shown = customers.slice(0, SHOWN.limit)
  const count = customers.length > SHOWN.limit ? say.atLeast(SHOWN.limit) : say.customers(customers.length)
  return show(
    'customers',
    wanted === '' ? sections.customers : say.title,
    html`<header class="head"><div><h1>${count} ${wanted !== '' && html`<span class="thin">${say.for(wanted)}</span>`}</h1></div></header>
${shown.length === 0 ? html`<section class="card"><p>${say.none}</p></section>` : html`<section class="card flush">${await customerTable(shown, asked)}</section>`}`,
  )
}

async function matching({ service, book }: Asked, wanted: string): Promise<Customer[]> {
  if (wanted !== '') return searchCustomers(service.db, book.bookId, wanted)
  return (await listCustomers(service.db, book.bookId, {}, { limit: SHOWN.limit, before: null })).items
}

async function customerTable(customers: readonly Customer[], asked: Asked): Promise<Html> {
  const { service, book, words, may } = asked
  const { search: say } = words.say
  const ids = customers.map(({ customerId }) => customerId)
  const holdings = may('fixed_deposits:read') ? await findHoldings(service.db, book.bookId, ids) : null
  const heldBy = ({ customerId }: Customer) => holdings?.get(customerId) ?? []
  return recordTable(
    customers,
    [
      {
        name: say.customer,
        cell: (one) =>
          html`<a href="/console/customers/${one.customerId}"><b>${one.firstName} ${one.lastName}</b></a><small>${one.email}</small>`,
      },
      { name: say.phone, cell: (one) => html`<span class="nowrap">${one.phoneNumber}</span>` },
      holdings !== null && {
        name: say.deposits,
        cell: (one) => say.active(heldBy(one).reduce((sum, { active }) => sum + active, 0)),
      },
      holdings !== null && {
        name: say.held,
        isNumber: true,
        cell: (one) =>
          heldBy(one).map(({ currency, held }) => html`<div>${words.in(currency).money(held)}</div>`),
      },
      holdings !== null && {
        name: say.nextMaturity,
        cell: (one) => {
          const [soonest] = heldBy(one)
            .map(({ nextMaturity }) => nextMaturity)
            .toSorted()
          return soonest !== undefined && words.day(soonest)
        },
      },
    ],
    { label: words.say.sections.customers, isFlush: true },
  )
}

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
    const { wrong } = words.say.customer
    const errors = new Map(read.fields.map(({ field, message }) => [field, wrong[field] ?? message]))
    return customerPage(asked, { sent, errors })
  }
  const changes = profileChanges(read.value as CustomerUpdate)
  const saved = await updateCustomer(service, originOf(null), { customerId, changes })
  if (saved.outcome === 'refused') return NOT_FOUND
  return redirect(`/console/customers/${customerId}?done=saved`)
}

type Refused = { sent: Record<string, string>; errors: ReadonlyMap<string, string> }

async function customerPage(asked: Asked, refused: Refused | null): Promise<PageAnswer> {
  const { service, book, params, query, words, may } = asked
  const { db } = service
  const { bookId } = book
  const customer = await findCustomer(db, bookId, params.customer_id!)
  if (customer === undefined) return NOT_FOUND
  const { customerId } = customer
  const [accounts, deposits, changes] = await Promise.all([
    listAccounts(db, bookId, { customerId }, SHOWN),
    listDeposits(db, bookId, { customerId }, SHOWN),
    may('audit:read') ? listChanges(db, bookId, { subjectId: customerId }, SHOWN) : null,
  ])
  const { at } = await service.momentIn(book)
  const ids = deposits.items.map(({ depositId }) => depositId)
  const pending = await findPendingOfTargets(db, bookId, ids)
  const waits = (depositId: string) => pending(depositId, at) !== undefined
  const { customer: say, deposit } = words.say
  const name = `${customer.firstName} ${customer.lastName}`
  const field = (id: string, label: string, value: string, type: string) => {
    const error = refused?.errors.get(id)
    return html`<div class="field"><label for="${id}">${label}</label><input id="${id}" name="${id}" type="${type}" autocomplete="off" required value="${refused?.sent[id] ?? value}"${error !== undefined && trusted(` aria-invalid="true" aria-describedby="${id}-error"`)}>${error !== undefined && html`<p class="hint bad" id="${id}-error">${error}</p>`}</div>`
  }
  return show(
    'customers',
    name,
    html`<header class="head"><div><h1>${name}</h1><p class="sub">${say.since(words.day(businessDate(customer.createdAt, book.timeZone)))} <code>${customerId}</code></p></div></header>
${query.get('done') === 'saved' && html`<p class="notice good" role="status">${say.saved}</p>`}
<div class="split"><div class="wide">
<section class="card flush" aria-labelledby="deposits"><h2 class="inset" id="deposits">${say.deposits}</h2>${
      deposits.items.length === 0
        ? html`<p class="inset">${say.noDeposits}</p>`
        : depositTable(deposits.items, { waits, words })
    }${deposits.next !== null && html`<p class="inset"><a href="/console/deposits?customer=${customerId}">${say.allDeposits}</a></p>`}</section>
<section class="card flush" aria-labelledby="accounts"><h2 class="inset" id="accounts">${say.accounts}</h2>${
      accounts.items.length === 0
        ? html`<p class="inset">${say.noAccounts}</p>`
        : recordTable(
            accounts.items,
            [
              { name: say.account, cell: ({ accountNumber }) => accountNumber },
              {
                name: say.balance,
                isNumber: true,
                cell: ({ currency, balance }) => words.in(currency).money(balance),
              },
            ],
            { label: say.accounts, isFlush: true },
          )
    }</section></div>
<div class="stack"><section class="card" aria-labelledby="contacts"><h2 id="contacts">${say.contacts}</h2><dl class="pairs"><div><dt>${say.email}</dt><dd>${customer.email}</dd></div><div><dt>${say.phone}</dt><dd>${customer.phoneNumber}</dd></div><div><dt>${say.address}</dt><dd>${customer.address}</dd></div></dl>
${may('customers:write') && html`<details class="edit"${refused !== null && trusted(' open')}><summary>${say.edit}</summary><form class="narrow" method="post" action="/console/customers/${customerId}">${field('email', say.email, customer.email, 'email')}${field('phone_number', say.phone, customer.phoneNumber, 'tel')}${field('address', say.address, customer.address, 'text')}<button class="button primary">${say.save}</button></form></details>`}</section>
${
  changes !== null &&
  html`<section class="card" aria-labelledby="history"><h2 id="history">${say.history}</h2><ol class="timeline">${changes.items.map(
    (change) =>
      html`<li><time>${words.instant(change.at)}</time><span>${words.action(change.action)} <small>${deposit.by(change.actor.name ?? words.say.actors[change.actor.kind])}</small></span></li>`,
  )}</ol></section>`
}</div></div>`,
    refused === null ? 200 : 422,
  )
}
