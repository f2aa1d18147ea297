/** Deposits of a book, newest first. */
import { addDays, isIsoDate } from '../../domain/dates.ts'
import { readDecimal } from '../../domain/decimal.ts'
import { DEPOSIT_STATUSES, type Deposit } from '../../domain/deposit.ts'
import { formatAmount } from '../../domain/money.ts'
import { hiddenFields, inputField, selectField, typedFigure } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { amountColumn, fileColumn, type List, type ListColumn, listPages } from '../../page/list.ts'
import type { Asked } from '../../page/page.ts'
import { rowsOfStore } from '../../page/stored-list.ts'
import type { Words } from '../../words/words.ts'
import { findCustomer } from '../customers/store.ts'
import { type DepositFilters, listDeposits } from './store.ts'
import { holdersOf } from './table.ts'
import { depositWords } from './words.ts'

const list: List<Deposit> = {
  path: '/deposits',
  section: 'deposits',
  scope: 'fixed_deposits:read',
  standby: { mayLag: true },
  title: titleOf,
  none: (words) => words.of(depositWords).deposits.none,
  filters: ['status', 'customer', 'product', 'matures_from', 'matures_to', 'rate_from', 'rate_below'],
  fields: filterFields,
  actions,
  columns: columnsFor,
  idOf: ({ depositId }) => depositId,
  currencyOf: ({ currency }) => currency,
  ...rowsOfStore(listDeposits, filtersOf),
  sql: {
    id: 'deposit_id',
    order: {
      principal: 'principal_minor',
      customer: `(
        select lower(first_name || ' ' || last_name)
        from customers
        where customers.book_id = $1
          and customers.customer_id = newest.customer_id)`,
      remaining: 'remaining_minor',
      rate: 'annual_rate_ppm',
      matures: 'maturity_date',
      status: 'status',
    },
    sums: { principal: 'principal_minor', remaining: 'remaining_minor' },
    currency: 'currency',
  },
}

export const depositListPages = listPages(list)

async function titleOf({ service, book, query, may, words }: Asked): Promise<string> {
  const { deposits: say } = words.of(depositWords)
  const customerId = query.get('customer')
  if (customerId === '' || !may('customers:read')) return say.title
  const customer = await findCustomer(service.db, book.bookId, customerId)
  return customer === undefined ? say.title : say.titleOf(`${customer.firstName} ${customer.lastName}`)
}

function filtersOf({ query, words }: Asked): DepositFilters {
  const status = DEPOSIT_STATUSES.find((one) => one === query.get('status'))
  const [from, to] = [query.get('matures_from'), query.get('matures_to')]
  const typed = (name: string) => query.get(name).trim()
  const [customerId, productCode] = [typed('customer'), typed('product')]
  const [rateFrom, rateBelow] = [ppmOf(query.get('rate_from'), words), ppmOf(query.get('rate_below'), words)]
  return {
    ...(status !== undefined && { status }),
    ...(customerId !== '' && { customerId }),
    ...(productCode === NO_PRODUCT && { hasNoProduct: true }),
    ...(productCode !== '' && productCode !== NO_PRODUCT && { productCode }),
    ...(isIsoDate(from) && { maturesAfter: addDays(from, -1) }),
    ...(isIsoDate(to) && { maturesBefore: addDays(to, 1) }),
    ...((rateFrom !== null || rateBelow !== null) && {
      ratesPpm: [rateFrom ?? 0, rateBelow ?? RATE_MAX_PPM + 1] as const,
    }),
  }
}

/** A hundred percent a year. */
const RATE_MAX_PPM = 1_000_000
/** No code of a product begins so. */
const NO_PRODUCT = '-'

function ppmOf(text: string, words: Words): number | null {
  const figure = words.figure(text, 'rate')
  if (figure === null) return null
  const read = readDecimal(figure, { digits: 4, max: BigInt(RATE_MAX_PPM) })
  return typeof read === 'string' || read.units < 0n ? null : Number(read.units)
}

function filterFields({ query, words }: Asked): Html {
  const { deposits: say } = words.of(depositWords)
  const field = (name: string, label: string, type: 'date' | 'text' = 'text') =>
    inputField({ name, label, type, value: query.get(name), max: 24 })
  const rate = (name: string, label: string) => {
    const typed = query.get(name)
    const error = typed !== '' && ppmOf(typed, words) === null ? say.wrongRate : undefined
    return inputField({
      name,
      label,
      isDecimal: true,
      value: typedFigure(typed, 'rate', words),
      max: 24,
      error,
    })
  }
  const customerId = query.get('customer')
  return html`${customerId !== '' && hiddenFields([['customer', customerId]])}
${selectField({
  name: 'status',
  label: say.status,
  texts: { '': say.all, ...words.say.statuses },
  value: query.get('status'),
})}
${field('matures_from', say.maturesFrom, 'date')}
${field('matures_to', say.maturesTo, 'date')}
${field('product', say.product)}
${rate('rate_from', say.rateFrom)}
${rate('rate_below', say.rateBelow)}`
}

function actions({ words, may }: Asked): Html {
  const { deposits: say } = words.of(depositWords)
  return html`<a class="button" href="/console/liquidations">${say.liquidations}</a>
<a class="button" href="/console/liens">${say.liens}</a>
${may('ledger:read') && html`<a class="button" href="/console/ledger">${say.ledger}</a>`}
${may('reports:read') && html`<a class="button" href="/console/tax">${say.tax}</a>`}`
}

/** What the page shows by links. */
const FILE_COLUMNS: ListColumn<Deposit>[] = [
  fileColumn('deposit_id', ({ depositId }: Deposit) => depositId),
  fileColumn('customer_id', ({ customerId }: Deposit) => customerId),
  fileColumn('account_number', ({ accountNumber }: Deposit) => accountNumber),
  fileColumn('product_code', ({ productCode }: Deposit) => productCode ?? ''),
  fileColumn('currency', ({ currency }: Deposit) => currency),
  fileColumn('started', ({ startDate }: Deposit) => startDate),
]

async function columnsFor(
  asked: Asked,
  deposits: readonly Deposit[],
): Promise<(ListColumn<Deposit> | false)[]> {
  const { words } = asked
  const { deposits: say } = words.of(depositWords)
  const holders = await holdersOf(asked, deposits)
  const currencyOf = ({ currency }: Deposit) => currency
  return [
    {
      key: 'principal',
      name: say.deposit,
      text: ({ principal }) => formatAmount(principal),
      sum: ({ principal }) => principal,
      cell: ({ depositId, currency, principal }) =>
        html`<a href="/console/deposits/${depositId}"><b>${words.in(currency).money(principal)}</b>
<small>${depositId}</small></a>`,
    },
    holders !== null && {
      key: 'customer',
      name: say.customer,
      cell: ({ customerId }) =>
        html`<a href="/console/customers/${customerId}">${holders.get(customerId)}</a>`,
      text: ({ customerId }) => holders.get(customerId) ?? '',
    },
    amountColumn(
      { key: 'remaining', name: say.remaining, currencyOf, amount: ({ remaining }) => remaining },
      words,
    ),
    {
      key: 'rate',
      name: say.rate,
      isNumber: true,
      cell: ({ annualRatePpm }) => say.percent(words.percent(annualRatePpm)),
      text: ({ annualRatePpm }) => String(annualRatePpm / 10_000),
    },
    {
      key: 'matures',
      name: say.matures,
      cell: ({ maturityDate }) => html`<span class="nowrap">${words.day(maturityDate)}</span>`,
      text: ({ maturityDate }) => maturityDate,
    },
    {
      key: 'status',
      name: say.status,
      cell: ({ status }) =>
        html`<span class="badge ${status.toLowerCase()}">${words.say.statuses[status]}</span>`,
      text: ({ status }) => status,
    },
    ...FILE_COLUMNS,
  ]
}
