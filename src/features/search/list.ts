/** Customers of a book, newest first. People who look for one of them search. */
import type { Customer } from '../../domain/customer.ts'
import { businessDate } from '../../domain/dates.ts'
import { formatAmount } from '../../domain/money.ts'
import { inputField } from '../../page/form.ts'
import { html } from '../../page/html.ts'
import { fileColumn, type List, type ListColumn, listPages } from '../../page/list.ts'
import type { Asked } from '../../page/page.ts'
import { rowsOfStore } from '../../page/stored-list.ts'
import { type CustomerFilters, listCustomers } from '../customers/store.ts'
import { findHoldings } from '../deposits/store.ts'
import { searchWords } from './words.ts'

const ACTIVE_DEPOSITS = `deposits
        where deposits.book_id = $1
          and deposits.customer_id = newest.customer_id
          and deposits.status = 'ACTIVE'`

/** Amounts of several currencies have no order; those in the currency of the book have one. */
const HELD_ORDER = {
  deposits: `(
        select count(*)
        from ${ACTIVE_DEPOSITS})`,
  held: `(
        select sum(remaining_minor)
        from ${ACTIVE_DEPOSITS}
          and deposits.currency = (
            select callers.currency
            from books
            join callers using (caller_id)
            where books.book_id = $1))`,
  next_maturity: `(
        select min(maturity_date)
        from ${ACTIVE_DEPOSITS})`,
}

const list: List<Customer> = {
  path: '/customers',
  section: 'customers',
  scope: 'customers:read',
  standby: { mayLag: true },
  title: ({ words }) => words.say.sections.customers,
  none: (words) => words.of(searchWords).none,
  filters: ['email', 'phone', 'external_id'],
  fields: ({ query, words }) => {
    const say = words.of(searchWords)
    const field = (name: string, label: string, max: number) =>
      inputField({ name, label, max, value: query.get(name) })
    return html`${field('email', say.email, 254)}${field('phone', say.phone, 32)}
${field('external_id', say.externalId, 64)}`
  },
  actions: ({ words, may }) => {
    const say = words.of(searchWords)
    return html`${may('accounts:read') && html`<a class="button" href="/console/accounts">${say.accounts}</a>`}
${may('customers:write') && html`<a class="button" href="/console/open/customer">${say.newCustomer}</a>`}`
  },
  columns: customerColumns,
  idOf: ({ customerId }) => customerId,
  ...rowsOfStore(listCustomers, filtersOf),
  sql: {
    id: 'customer_id',
    order: {
      customer: "lower(first_name || ' ' || last_name)",
      phone: 'phone_number',
      since: 'created_at',
      ...HELD_ORDER,
    },
    sums: {},
    amounts: {
      held: `
        select currency, remaining_minor as amount_minor
        from ${ACTIVE_DEPOSITS}`,
    },
  },
}

export const customerListPages = listPages(list)

function filtersOf({ query }: Asked): CustomerFilters {
  const [email, phoneNumber, externalId] = ['email', 'phone', 'external_id'].map((name) =>
    query.get(name).trim(),
  )
  return {
    ...(email !== '' && { email: email! }),
    ...(phoneNumber !== '' && { phoneNumber: phoneNumber! }),
    ...(externalId !== '' && { externalId: externalId! }),
  }
}

/** Also for what a search found; what customers hold is for people who may read deposits. */
export async function customerColumns(
  asked: Asked,
  customers: readonly Customer[],
): Promise<ListColumn<Customer>[]> {
  const { book, words, may } = asked
  const say = words.of(searchWords)
  return [
    {
      key: 'customer',
      name: say.customer,
      cell: ({ customerId, firstName, lastName, email }) =>
        html`<a href="/console/customers/${customerId}"><b>${firstName} ${lastName}</b></a><small>${email}</small>`,
      text: ({ firstName, lastName }) => `${firstName} ${lastName}`,
    },
    {
      key: 'phone',
      name: say.phone,
      cell: ({ phoneNumber }) => html`<span class="nowrap">${phoneNumber}</span>`,
      text: ({ phoneNumber }) => phoneNumber,
    },
    ...(may('fixed_deposits:read') ? await holdingColumns(asked, customers) : []),
    {
      key: 'since',
      name: say.since,
      cell: ({ createdAt }) => words.day(businessDate(createdAt, book.timeZone)),
      text: ({ createdAt }) => createdAt.toISOString(),
    },
    fileColumn('customer_id', ({ customerId }) => customerId),
    fileColumn('email', ({ email }) => email),
    fileColumn('external_id', ({ externalId }) => externalId ?? ''),
  ]
}

async function holdingColumns(
  { service, book, words }: Asked,
  customers: readonly Customer[],
): Promise<ListColumn<Customer>[]> {
  const say = words.of(searchWords)
  const ids = customers.map(({ customerId }) => customerId)
  const holdings = await findHoldings(service.db, book.bookId, ids)
  const heldBy = ({ customerId }: Customer) => holdings.get(customerId) ?? []
  const active = (one: Customer) => heldBy(one).reduce((sum, holding) => sum + holding.active, 0)
  const nextOf = (one: Customer) =>
    heldBy(one)
      .map(({ nextMaturity }) => nextMaturity)
      .toSorted()[0]
  return [
    {
      key: 'deposits',
      name: say.deposits,
      cell: (one) => say.active(active(one)),
      text: (one) => String(active(one)),
    },
    {
      key: 'held',
      name: say.held,
      isNumber: true,
      amounts: (one) => heldBy(one).map(({ currency, held }) => ({ currency, amount: held })),
      cell: (one) =>
        heldBy(one).map(({ currency, held }) => html`<div>${words.in(currency).money(held)}</div>`),
      text: (one) =>
        heldBy(one)
          .map(({ currency, held }) => `${currency} ${formatAmount(held)}`)
          .join('; '),
    },
    {
      key: 'next_maturity',
      name: say.nextMaturity,
      cell: (one) => nextOf(one) !== undefined && words.day(nextOf(one)!),
      text: (one) => nextOf(one) ?? '',
    },
  ]
}
