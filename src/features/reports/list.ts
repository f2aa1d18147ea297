/** What was taxed in a span of business dates, oldest first. */
import { addDays, businessDate, type IsoDate, isIsoDate } from '../../domain/dates.ts'
import type { TaxedMovement } from '../../domain/report.ts'
import { timeSpan } from '../../engine/database/time-span.ts'
import { html } from '../../page/html.ts'
import { idLink } from '../../page/link.ts'
import {
  amountColumn,
  dayFields,
  fileColumn,
  type List,
  type ListColumn,
  listPages,
} from '../../page/list.ts'
import type { Asked } from '../../page/page.ts'
import { findCustomers } from '../customers/store.ts'
import { readTaxedMovements } from './store.ts'
import { reportWords } from './words.ts'

/** The span without a first day: the last month. */
const DAYS_DEFAULT = 31

const list: List<TaxedMovement> = {
  path: '/tax',
  section: 'report',
  scope: 'reports:read',
  standby: { mayLag: true },
  title: ({ words }) => words.of(reportWords).taxed.title,
  steps: ({ words }) => [[words.say.sections.report, '/report']],
  none: (words) => words.of(reportWords).taxed.none,
  filters: ['from', 'to'],
  fields: dayFields,
  columns: columnsFor,
  idOf: ({ entryId }) => entryId,
  currencyOf: ({ currency }) => currency,
  rows: async (asked, max) => {
    const { service, book } = asked
    const span = timeSpan(book, await daysOf(asked))
    const rows: TaxedMovement[] = []
    for await (const some of readTaxedMovements(service.db, book.bookId, span)) {
      rows.push(...some)
      if (rows.length >= max) break
    }
    return rows.slice(0, max)
  },
}

export const taxPages = listPages(list)

async function daysOf({ service, book, query }: Asked): Promise<{ from: IsoDate; to: IsoDate }> {
  const { today } = await service.momentIn(book)
  const [from, to] = [query.get('from'), query.get('to')]
  const last = isIsoDate(to) ? to : today
  return { from: isIsoDate(from) ? from : addDays(last, 1 - DAYS_DEFAULT), to: last }
}

async function columnsFor(
  { service, book, words, may }: Asked,
  movements: readonly TaxedMovement[],
): Promise<ListColumn<TaxedMovement>[]> {
  const { taxed: say } = words.of(reportWords)
  const currencyOf = ({ currency }: TaxedMovement) => currency
  const ids = [...new Set(movements.map(({ customerId }) => customerId))]
  const customers = await findCustomers(service.db, book.bookId, may('customers:read') ? ids : [])
  const nameOf = ({ customerId }: TaxedMovement) => {
    const customer = customers.get(customerId)
    return customer === undefined ? customerId : `${customer.firstName} ${customer.lastName}`
  }
  const dayOf = ({ at }: TaxedMovement) => businessDate(at, book.timeZone)
  const amount = (key: string, name: string, value: (one: TaxedMovement) => bigint) =>
    amountColumn({ key, name, currencyOf, amount: value }, words)
  return [
    {
      key: 'day',
      name: say.day,
      cell: (one) => html`<span class="nowrap">${words.day(dayOf(one))}</span>`,
      text: dayOf,
      order: dayOf,
    },
    {
      key: 'record',
      name: say.record,
      cell: ({ liquidationId, depositId }) => idLink(liquidationId ?? depositId),
      text: ({ liquidationId, depositId }) => liquidationId ?? depositId,
    },
    {
      key: 'customer',
      name: say.customer,
      cell: (one) => html`<a href="/console/customers/${one.customerId}">${nameOf(one)}</a>`,
      text: nameOf,
      order: nameOf,
    },
    amount('interest', say.interest, ({ interest }) => interest),
    amount('charge', say.charge, ({ charge }) => charge),
    {
      key: 'class',
      name: say.class,
      cell: ({ taxed }) => say.classAt(taxed.taxClass, words.percent(taxed.ratePpm)),
      text: ({ taxed }) => taxed.taxClass,
      order: ({ taxed }) => taxed.taxClass,
    },
    amount('tax', say.tax, ({ tax }) => tax),
    fileColumn('customer_id', ({ customerId }) => customerId),
    fileColumn('rate_percent', ({ taxed }) => String(taxed.ratePpm / 10_000)),
    fileColumn('tax_reference', ({ taxReference }) => taxReference ?? ''),
    fileColumn('currency', currencyOf),
    fileColumn('entry_id', ({ entryId }) => entryId),
  ]
}
