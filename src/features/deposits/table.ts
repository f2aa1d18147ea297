import type { Deposit } from '../../domain/deposit.ts'
import { type Html, html } from '../../page/html.ts'
import type { Asked } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import type { Words } from '../../words/words.ts'
import { findCustomers } from '../customers/store.ts'
import { depositWords } from './words.ts'

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
  const { deposits: say } = words.of(depositWords)
  const { statuses } = words.say
  return recordTable(
    deposits,
    [
      {
        name: say.deposit,
        cell: ({ depositId, currency, principal }) =>
          html`<a href="/console/deposits/${depositId}"><b>${words.in(currency).money(principal)}</b>
${holders !== undefined && html`<small>${depositId}</small>`}</a>`,
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
        cell: ({ annualRatePpm }) => `${words.percent(annualRatePpm)} %`,
      },
      {
        name: say.matures,
        cell: ({ maturityDate }) => html`<span class="nowrap">${words.day(maturityDate)}</span>`,
      },
      {
        name: say.status,
        cell: ({ depositId, status }) =>
          html`<span class="badge ${status.toLowerCase()}">${statuses[status]}</span>${
            waits?.(depositId) && html` <span class="badge waiting">${words.say.waitsShort}</span>`
          }`,
      },
    ],
    { label: say.title, isFlush: true },
  )
}
