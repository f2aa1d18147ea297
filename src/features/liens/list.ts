/** Liens of a book, newest first, for everybody who sees the deposits. */
import { LIEN_STATUSES } from '../../domain/lien.ts'
import { hiddenFields, inputField, selectField } from '../../page/form.ts'
import { html } from '../../page/html.ts'
import { amountColumn, fileColumn, type List, type ListColumn, listPages } from '../../page/list.ts'
import type { Asked } from '../../page/page.ts'
import { depositColumn } from '../holders/card.ts'
import { BY_HOLDER } from '../holders/store.ts'
import { type LienFilters, type ListedLien, listedLienOf, listWithCurrency } from './store.ts'
import { lienWords } from './words.ts'

const list: List<ListedLien> = {
  path: '/liens',
  section: 'deposits',
  scope: 'fixed_deposits:read',
  standby: { mayLag: true },
  title: ({ words }) => words.of(lienWords).title,
  steps: ({ words }) => [[words.say.sections.deposits, '/deposits']],
  none: (words) => words.of(lienWords).none,
  filters: ['status', 'deposit', 'lien'],
  fields: ({ query, words }) => {
    const say = words.of(lienWords)
    const texts = { '': say.all, ...say.statuses }
    const lienId = query.get('lien')
    return html`${lienId !== '' && hiddenFields([['lien', lienId]])}
${selectField({ name: 'status', label: say.status, texts, value: query.get('status') })}
${inputField({ name: 'deposit', label: say.depositId, max: 64, value: query.get('deposit') })}`
  },
  columns: columnsFor,
  idOf: ({ lienId }) => lienId,
  currencyOf: ({ currency }) => currency,
  // What was released is no longer held.
  isVoid: ({ status }) => status === 'RELEASED',
  read: async (asked, { place, limit }) => {
    const { service, book } = asked
    const page = { limit, before: place === '' ? null : place }
    const { items, next } = await listWithCurrency(service.db, book.bookId, filtersOf(asked), page)
    return { rows: items, next }
  },
  window: (asked, page) => listWithCurrency.window(asked.book.bookId, filtersOf(asked), page),
  rowsOf: (_asked, found) => found.map(listedLienOf),
  sql: {
    id: 'lien_id',
    order: {
      amount: 'amount_minor',
      customer: BY_HOLDER,
      reason: 'reason',
      placed: 'created_at',
      status: 'status',
      released: 'released_at',
    },
    sums: { amount: 'amount_minor' },
    currency: 'currency',
    isCounted: "status <> 'RELEASED'",
  },
}

export const lienListPages = listPages(list)

function filtersOf({ query }: Asked): LienFilters {
  const status = LIEN_STATUSES.find((one) => one === query.get('status'))
  const [depositId, lienId] = [query.get('deposit').trim(), query.get('lien').trim()]
  return {
    ...(status !== undefined && { status }),
    ...(depositId !== '' && { depositId }),
    ...(lienId !== '' && { lienId }),
  }
}

async function columnsFor(asked: Asked, liens: readonly ListedLien[]): Promise<ListColumn<ListedLien>[]> {
  const { words } = asked
  const say = words.of(lienWords)
  const instant = (key: string, name: string, of: (one: ListedLien) => Date | null) => ({
    key,
    name,
    cell: (one: ListedLien) => of(one) !== null && words.instant(of(one)!),
    text: (one: ListedLien) => of(one)?.toISOString() ?? '',
  })
  return [
    amountColumn(
      {
        key: 'amount',
        name: say.amount,
        currencyOf: ({ currency }: ListedLien) => currency,
        amount: ({ amount }) => amount,
      },
      words,
    ),
    await depositColumn(asked, liens),
    {
      key: 'reason',
      name: say.reason,
      cell: ({ reason, reference }) => html`${reason}<small>${reference}</small>`,
      text: ({ reason }) => reason,
    },
    instant('placed', say.placed, ({ createdAt }) => createdAt),
    {
      key: 'status',
      name: say.status,
      cell: ({ status }) =>
        html`<span class="badge ${status === 'ACTIVE' && 'active'}">${say.statuses[status]}</span>`,
      text: ({ status }) => status,
    },
    instant('released', say.released, ({ releasedAt }) => releasedAt),
    fileColumn('lien_id', ({ lienId }) => lienId),
    fileColumn('deposit_id', ({ depositId }) => depositId),
    fileColumn('currency', ({ currency }) => currency),
    fileColumn('reference', ({ reference }) => reference ?? ''),
    fileColumn('release_reason', ({ releaseReason }) => releaseReason ?? ''),
  ]
}
