/** Liquidations of a book, newest first. */
import { isIsoDate } from '../../domain/dates.ts'
import { LIQUIDATION_TYPES } from '../../domain/liquidation.ts'
import { formatAmount } from '../../domain/money.ts'
import type { StoredLiquidation } from '../../domain/reversal.ts'
import { inputField, selectField } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import {
  amountColumn,
  dayFields,
  fileColumn,
  type List,
  type ListColumn,
  listPages,
} from '../../page/list.ts'
import type { Asked } from '../../page/page.ts'
import { depositColumn } from '../holders/card.ts'
import { BY_HOLDER } from '../holders/store.ts'
import { findLiquidation, findLiquidations, type LiquidationFilters, liquidationMap } from './store.ts'
import { liquidationWords } from './words.ts'

const list: List<StoredLiquidation> = {
  path: '/liquidations',
  section: 'deposits',
  scope: 'fixed_deposits:read',
  standby: { mayLag: true },
  title: ({ words }) => words.of(liquidationWords).list.title,
  steps: ({ words }) => [[words.say.sections.deposits, '/deposits']],
  none: (words) => words.of(liquidationWords).list.none,
  filters: ['from', 'to', 'type', 'account', 'reference', 'waived', 'reversed'],
  fields: filterFields,
  columns: columnsFor,
  idOf: ({ liquidationId }) => liquidationId,
  currencyOf: ({ currency }) => currency,
  // What was taken back was not paid in the end.
  isVoid: ({ reversedAt }) => reversedAt !== null,
  read: async (asked, { place, limit }) => {
    const { service, book } = asked
    const before = place === '' ? undefined : await findLiquidation(service.db, book.bookId, place)
    const page = { limit, before: before ?? null }
    const { items, next } = await findLiquidations(service.db, book.bookId, filtersOf(asked), page)
    return { rows: items, next: next?.liquidationId ?? null }
  },
  window: (asked, page) => findLiquidations.window(asked.book.bookId, filtersOf(asked), page),
  rowsOf: (_asked, found) => found.map(liquidationMap.read),
  sql: {
    id: 'liquidation_id',
    order: {
      paid: 'coalesce(net_minor, total_minor)',
      customer: BY_HOLDER,
      day: 'business_date',
      charge: 'penal_minor',
      waived: 'waived_minor',
      tax: 'tax_minor',
      reason: 'reason',
    },
    sums: {
      paid: 'coalesce(net_minor, total_minor)',
      principal: 'principal_minor',
      charge: 'penal_minor',
      waived: 'waived_minor',
      tax: 'tax_minor',
    },
    currency: 'currency',
    isCounted: 'reversed_at is null',
  },
}

export const liquidationListPages = listPages(list)

function filtersOf({ query }: Asked): LiquidationFilters {
  const [from, to] = [query.get('from'), query.get('to')]
  const type = LIQUIDATION_TYPES.find((one) => one === query.get('type'))
  const [accountNumber, reference] = [query.get('account').trim(), query.get('reference').trim()]
  return {
    ...(isIsoDate(from) && { from }),
    ...(isIsoDate(to) && { to }),
    ...(type !== undefined && { type }),
    ...(accountNumber !== '' && { accountNumber }),
    ...(reference !== '' && { reference }),
    ...(query.get('waived') === 'yes' && { isWaived: true }),
    ...(query.get('reversed') === 'yes' && { isReversed: true }),
    ...(query.get('reversed') === 'no' && { stands: true }),
  }
}

function filterFields(asked: Asked): Html {
  const { query, words } = asked
  const { list: say } = words.of(liquidationWords)
  return html`${dayFields(asked)}
${selectField({ name: 'type', label: say.type, texts: say.types, value: query.get('type') })}
${selectField({ name: 'waived', label: say.waived, texts: say.waivers, value: query.get('waived') })}
${selectField({ name: 'reversed', label: say.reversed, texts: say.reversals, value: query.get('reversed') })}
${inputField({ name: 'account', label: say.account, max: 20, value: query.get('account') })}
${inputField({ name: 'reference', label: say.reference, max: 64, value: query.get('reference') })}`
}

async function columnsFor(
  asked: Asked,
  liquidations: readonly StoredLiquidation[],
): Promise<ListColumn<StoredLiquidation>[]> {
  const { words } = asked
  const { list: say, reasons, breaking } = words.of(liquidationWords)
  const currencyOf = ({ currency }: StoredLiquidation) => currency
  const amount = (key: string, name: string, value: (one: StoredLiquidation) => bigint) =>
    amountColumn({ key, name, currencyOf, amount: value }, words)
  return [
    {
      key: 'paid',
      name: say.paid,
      text: ({ net }) => formatAmount(net),
      sum: ({ net }) => net,
      cell: ({ liquidationId, currency, net, reversedAt }) =>
        html`<a href="/console/liquidations/${liquidationId}"><b>${words.in(currency).money(net)}</b></a>
${reversedAt !== null && html`<small>${say.reversed}</small>`}`,
    },
    await depositColumn(asked, liquidations),
    {
      key: 'day',
      name: say.day,
      cell: ({ businessDate }) => html`<span class="nowrap">${words.day(businessDate)}</span>`,
      text: ({ businessDate }) => businessDate,
    },
    { ...amount('principal', breaking.principal, ({ principal }) => principal), isFileOnly: true },
    amount('charge', say.charge, ({ penal }) => penal),
    amount('waived', say.waived, ({ waived }) => waived),
    amount('tax', say.tax, ({ tax }) => tax),
    {
      key: 'reason',
      name: say.reason,
      cell: ({ reason }) => reason !== null && (reasons[reason] ?? reason),
      text: ({ reason }) => reason ?? '',
    },
    fileColumn('liquidation_id', ({ liquidationId }) => liquidationId),
    fileColumn('deposit_id', ({ depositId }) => depositId),
    fileColumn('account_number', ({ accountNumber }) => accountNumber),
    fileColumn('currency', currencyOf),
    fileColumn('reference', ({ reference }) => reference ?? ''),
    fileColumn('reversed_at', ({ reversedAt }) => reversedAt?.toISOString() ?? ''),
  ]
}
