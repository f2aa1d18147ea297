/** Accounts of a book, newest first. */
import { businessDate } from '../../domain/dates.ts'
import type { Account } from '../../domain/deposit.ts'
import { inputField } from '../../page/form.ts'
import { html } from '../../page/html.ts'
import { accountLink } from '../../page/link.ts'
import { amountColumn, fileColumn, type List, type ListColumn, listPages } from '../../page/list.ts'
import type { Asked } from '../../page/page.ts'
import { rowsOfStore } from '../../page/stored-list.ts'
import { findCustomers } from '../customers/store.ts'
import { type AccountFilters, listAccounts } from './store.ts'
import { accountWords } from './words.ts'

const list: List<Account> = {
  path: '/accounts',
  section: 'customers',
  scope: 'accounts:read',
  standby: { mayLag: true },
  title: ({ words }) => words.of(accountWords).accounts,
  steps: ({ words }) => [[words.say.sections.customers, '/customers']],
  none: (words) => words.of(accountWords).noneAtAll,
  filters: ['customer', 'currency', 'external_id'],
  fields: ({ query, words }) => {
    const say = words.of(accountWords)
    const field = (name: string, label: string, max: number) =>
      inputField({ name, label, max, value: query.get(name) })
    return html`${field('customer', say.customerId, 64)}${field('currency', say.currency, 3)}
${field('external_id', say.externalId, 64)}`
  },
  columns: columnsFor,
  idOf: ({ accountNumber }) => accountNumber,
  currencyOf: ({ currency }) => currency,
  ...rowsOfStore(listAccounts, filtersOf),
  sql: {
    id: 'account_number',
    order: {
      account: 'account_number',
      customer: `(
        select lower(first_name || ' ' || last_name)
        from customers
        where customers.book_id = $1
          and customers.customer_id = newest.customer_id)`,
      opened: 'created_at',
      balance: 'balance_minor',
    },
    sums: { balance: 'balance_minor' },
    currency: 'currency',
  },
}

export const accountListPages = listPages(list)

function filtersOf({ query }: Asked): AccountFilters {
  const typed = (name: string) => query.get(name).trim()
  const [customerId, currency, externalId] = [typed('customer'), typed('currency'), typed('external_id')]
  return {
    ...(customerId !== '' && { customerId }),
    ...(currency !== '' && { currency: currency.toUpperCase() }),
    ...(externalId !== '' && { externalId }),
  }
}

async function columnsFor(
  { service, book, words, may }: Asked,
  accounts: readonly Account[],
): Promise<(ListColumn<Account> | false)[]> {
  const say = words.of(accountWords)
  const ids = [...new Set(accounts.map(({ customerId }) => customerId))]
  const holders = may('customers:read') ? await findCustomers(service.db, book.bookId, ids) : null
  const holderOf = ({ customerId }: Account) => {
    const holder = holders?.get(customerId)
    return holder === undefined ? '' : `${holder.firstName} ${holder.lastName}`
  }
  return [
    {
      key: 'account',
      name: say.account,
      cell: ({ accountNumber }) => accountLink(accountNumber),
      text: ({ accountNumber }) => accountNumber,
    },
    holders !== null && {
      key: 'customer',
      name: say.customer,
      cell: (one) => html`<a href="/console/customers/${one.customerId}">${holderOf(one)}</a>`,
      text: holderOf,
    },
    {
      key: 'opened',
      name: say.opened,
      cell: ({ createdAt }) => words.day(businessDate(createdAt, book.timeZone)),
      text: ({ createdAt }) => createdAt.toISOString(),
    },
    amountColumn(
      {
        key: 'balance',
        name: say.balance,
        currencyOf: ({ currency }: Account) => currency,
        amount: ({ balance }) => balance,
      },
      words,
    ),
    fileColumn('currency', ({ currency }) => currency),
    fileColumn('customer_id', ({ customerId }) => customerId),
    fileColumn('external_id', ({ externalId }) => externalId ?? ''),
  ]
}
