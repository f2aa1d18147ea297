import { type Accounting, accrualOf, type ClosedDay, GL_ACCOUNTS } from '../../domain/accrual.ts'
import { addDays, isIsoDate } from '../../domain/dates.ts'
import { formatAmount } from '../../domain/money.ts'
import { card } from '../../page/card.ts'
import { crumbs } from '../../page/crumbs.ts'
import { inputField } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { idLink } from '../../page/link.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, show } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import { csvText } from '../../wire/csv.ts'
import type { Words } from '../../words/words.ts'
import { accounting } from '../accounting/document.ts'
import { documentOf } from '../documents/changes.ts'
import { readRulesOf } from '../products/changes.ts'
import { findLastDays, readClosed } from './store.ts'
import { accountingWords } from './words.ts'

export const accountingPages: Page[] = [
  { method: 'GET', path: '/accounting', scope: 'accounting:read', answer: accountingPage },
  { method: 'GET', path: '/accounting.csv', scope: 'reports:read', answer: accrualsFile },
]

async function accountingPage(asked: Asked): Promise<PageAnswer> {
  const { service, book, words, may } = asked
  const say = words.of(accountingWords)
  const { today } = await service.momentIn(book)
  const newest = await documentOf(accounting).reader.readNewest(service.db, service.versions, book.bookId)
  const { version, document } = newest ?? accounting.first
  const days = await findLastDays(service.db, book.bookId)
  const closed = days.length === 0 ? html`<p class="inset">${say.noneClosed}</p>` : dayTable(days, words)
  return show(
    'report',
    say.title,
    html`${crumbs([[words.say.sections.report, '/report']], say.title, words)}
<header class="head"><div>
<h1>${say.title} <span class="thin">${say.version(version)}</span></h1>
<p class="sub">${say.text}</p></div></header>
<div class="split even">
${card({ id: 'accruals', title: say.accruals }, html`<p>${say.modes[document.accruals]}</p>`)}
${may('reports:read') && card({ id: 'report', title: say.report }, reportForm(addDays(today, -1), words))}
</div>
${card({ id: 'closed', title: say.closed, isFlush: true }, closed)}
${card({ id: 'codes', title: say.codes, isFlush: true }, codeTable(document, words))}`,
  )
}

function reportForm(yesterday: string, words: Words): Html {
  const say = words.of(accountingWords)
  const hint = say.reportText(words.dayText(yesterday))
  const day = { name: 'date', label: say.day, type: 'date', value: yesterday, to: yesterday } as const
  return html`<p class="hint">${hint}</p>
<form class="filters" action="/console/accounting.csv">${inputField(day)}
<button class="button">${say.download}</button></form>`
}

function dayTable(days: readonly ClosedDay[], words: Words): Html {
  const say = words.of(accountingWords)
  return recordTable(
    days,
    [
      { name: say.currency, cell: ({ currency }) => html`<b>${currency}</b>` },
      { name: say.day, cell: ({ date }) => words.day(date) },
      { name: say.payable, isNumber: true, cell: (day) => words.in(day.currency).money(day.payable) },
      { name: say.prepaid, isNumber: true, cell: (day) => words.in(day.currency).money(day.prepaid) },
      {
        name: say.entry,
        cell: ({ entryId }) => (entryId === null ? say.unmoved : idLink(entryId)),
      },
    ],
    { label: say.closed, isFlush: true },
  )
}

function codeTable({ glCodes }: Accounting, words: Words): Html {
  const say = words.of(accountingWords)
  return recordTable(
    GL_ACCOUNTS,
    [
      { name: say.account, cell: (name) => words.say.bankAccounts[name] ?? say.customers[name] },
      { name: say.code, cell: (name) => glCodes.get(name) ?? '–' },
    ],
    { label: say.codes, isFlush: true },
  )
}

/** The same rows as reportAccruals. */
async function accrualsFile({ service, book, query }: Asked): Promise<PageAnswer> {
  const { today } = await service.momentIn(book)
  const chosen = query.get('date')
  const date = chosen === '' ? addDays(today, -1) : chosen
  if (!isIsoDate(date) || date >= today) return NOT_FOUND
  const rows: string[][] = []
  for await (const page of readClosed(service.db, book, date)) {
    const rulesOf = await readRulesOf(service.db, service.versions, book.bookId, page)
    for (const deposit of page) {
      const { payable, prepaid } = accrualOf(deposit, rulesOf(deposit), date)
      const { depositId, productCode, currency } = deposit
      rows.push([depositId, productCode ?? '', currency, formatAmount(payable), formatAmount(prepaid)])
    }
  }
  const header = ['deposit_id', 'product_code', 'currency', 'interest_payable', 'prepaid_interest']
  return {
    kind: 'file',
    name: `accruals-${date}.csv`,
    type: 'text/csv; charset=utf-8',
    content: csvText(header, rows),
  }
}
