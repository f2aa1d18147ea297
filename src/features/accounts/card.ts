import { card } from '../../page/card.ts'
import { html } from '../../page/html.ts'
import type { Card, CustomerSubject } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import { listAccounts } from './store.ts'
import { accountWords } from './words.ts'

const SHOWN = { limit: 50, before: null }

export const customerAccountsCard: Card<CustomerSubject> = {
  place: 'main',
  show: async ({ service, book, words }, { customer: { customerId } }) => {
    const say = words.of(accountWords)
    const { items } = await listAccounts(service.db, book.bookId, { customerId }, SHOWN)
    const table = recordTable(
      items,
      [
        {
          name: say.account,
          cell: ({ accountNumber }) =>
            html`<a href="/console/accounts/${accountNumber}">${accountNumber}</a>`,
        },
        {
          name: say.balance,
          isNumber: true,
          cell: ({ currency, balance }) => words.in(currency).money(balance),
        },
      ],
      { label: say.accounts, isFlush: true },
    )
    return card(
      { id: 'accounts', title: say.accounts, isFlush: true },
      items.length === 0 ? html`<p class="inset">${say.none}</p>` : table,
    )
  },
}
