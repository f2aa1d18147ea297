import { type Asked, choices, hiddenFields, type Page, type PageAnswer, show } from '../../console/page.ts'
import { recordTable } from '../../console/table.ts'
import type { Words } from '../../console/words.ts'
import { formatPpm } from '../../domain/decimal.ts'
import { DEPOSIT_STATUSES, type Deposit } from '../../domain/deposit.ts'
import { type Html, html } from '../../wire/html.ts'
import { findCustomers } from '../customers/store.ts'
import { listDeposits } from './store.ts'

const SHOWN = 50

export const depositPages: Page[] = [
  { method: 'GET', path: '/deposits', scope: 'fixed_deposits:read', mayLag: true, answer: depositsPage },
]

async function depositsPage(asked: Asked): Promise<PageAnswer> {
  const { service, book, query, words } = asked
  const { deposits: say, statuses } = words.say
  const status = DEPOSIT_STATUSES.find((one) => one === query.get('status'))
  const before = /^\d{1,19}$/.test(query.get('before')) ? BigInt(query.get('before')) : null
  const customerId = query.get('customer')
  const filters = { ...(status !== undefined && { status }), ...(customerId !== '' && { customerId }) }
  const { items, next } = await listDeposits(service.db, book.bookId, filters, { limit: SHOWN, before })
  const holders = await holdersOf(asked, items)
  const older = new URLSearchParams({
    ...(status !== undefined && { status }),
    ...(customerId !== '' && { customer: customerId }),
    before: String(next),
  })
  // All of them are of one customer.
  const holder = customerId === '' ? undefined : holders?.get(customerId)
  return show(
    'deposits',
    say.title,
    html`<header class="head"><h1>${say.title}${holder !== undefined && html` <span class="thin">${say.of(holder)}</span>`}</h1></header>
<form class="filters" action="/console/deposits">${customerId !== '' && hiddenFields([['customer', customerId]])}<div class="field"><label for="status">${say.status}</label><select id="status" name="status">${choices({ '': say.all, ...statuses }, status ?? '')}</select></div><button class="button">${say.filter}</button></form>
<section class="card flush">${items.length === 0 ? html`<p class="inset">${say.none}</p>` : depositTable(items, { holders, words })}</section>
${next !== null && html`<p><a class="button" href="/console/deposits?${older}">${say.next}</a></p>`}`,
  )
}

/** The names of the customers, for people who may read them. */
export async function holdersOf(
  { service, book, may }: Asked,
  deposits: readonly Deposit[],
): Promise<ReadonlyMap<string, string> | null> {
  if (!may('customers:read')) return null
  const ids = [...new Set(deposits.map(({ customerId }) => customerId))]
  const customers = await findCustomers(service.db, book.bookId, ids)
  return new Map(
    [...customers].map(([customerId, { firstName, lastName }]) => [customerId, `${firstName} ${lastName}`]),
  )
}

type Listed = {
  /** Names by customer; without them the table is one of several on the page of a customer, and has fewer columns. */
  holders?: ReadonlyMap<string, string> | null
  /** Requests that wait, by deposit. */
  waits?: (depositId: string) => boolean
  words: Words
}

export function depositTable(deposits: readonly Deposit[], { holders, waits, words }: Listed): Html {
  const { deposits: say, statuses, breaking } = words.say
  return recordTable(
    deposits,
    [
      {
        name: say.deposit,
        cell: ({ depositId, currency, principal }) =>
          html`<a href="/console/deposits/${depositId}"><b>${words.in(currency).money(principal)}</b></a>${holders !== undefined && html`<small>${depositId}</small>`}`,
      },
      holders != null && {
        name: say.customer,
        cell: ({ customerId }) =>
          html`<a href="/console/customers/${customerId}">${holders.get(customerId)}</a>`,
      },
      {
        name: say.remaining,
        isNumber: true,
        cell: ({ currency, remaining }) => words.in(currency).money(remaining),
      },
      holders !== undefined && {
        name: say.rate,
        isNumber: true,
        cell: ({ annualRatePpm }) => `${formatPpm(annualRatePpm)} %`,
      },
      {
        name: say.matures,
        cell: ({ maturityDate }) => html`<span class="nowrap">${words.day(maturityDate)}</span>`,
      },
      {
        name: say.status,
        cell: ({ depositId, status }) =>
          html`<span class="badge ${status.toLowerCase()}">${statuses[status]}</span>${waits?.(depositId) && html` <span class="badge waiting">${breaking.waitsShort}</span>`}`,
      },
    ],
    { label: say.title, isFlush: true },
  )
}
