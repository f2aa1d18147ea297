/** One business day in figures, and the thirty days up to it as bars. */

import { addDays, type IsoDate, isIsoDate } from '../../domain/dates.ts'
import { formatAmount } from '../../domain/money.ts'
import type { LiquidationGroup } from '../../domain/report.ts'
import { barChart } from '../../page/chart.ts'
import { type Html, html } from '../../page/html.ts'
import { printButton, sealLine, senderBlock, signatureLine } from '../../page/letter.ts'
import { type Asked, type Page, type PageAnswer, show } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import { csvText } from '../../wire/csv.ts'
import type { Words } from '../../words/words.ts'
import { type BookVerification, findSender, listVerifications } from '../callers/store.ts'
import { findLastSeal } from '../seals/store.ts'
import { taxPages } from './list.ts'
import { reportLiquidations } from './store.ts'
import { reportWords } from './words.ts'

const DAYS_SHOWN = 30

export const reportPages: Page[] = [
  { method: 'GET', path: '/report', scope: 'reports:read', certifies: true, answer: reportPage },
  ...taxPages,
  { method: 'GET', path: '/report.csv', scope: 'reports:read', certifies: true, answer: reportFile },
]

async function daysOf(asked: Asked): Promise<{ day: IsoDate; today: IsoDate; groups: LiquidationGroup[] }> {
  const { service, book, query } = asked
  const { today } = await service.momentIn(book)
  const chosen = query.get('day')
  const day = isIsoDate(chosen) && chosen <= today ? chosen : today
  const span = { from: addDays(day, 1 - DAYS_SHOWN), to: day }
  return { day, today, groups: await reportLiquidations(service.db, book, { ...span, groupBy: 'day' }) }
}

async function reportPage(asked: Asked): Promise<PageAnswer> {
  const { service, book, words } = asked
  const { report: say } = words.of(reportWords)
  const { day, today, groups } = await daysOf(asked)
  const ofDay = groups.filter((group) => group.day === day)
  const own = ofDay.find(({ currency }) => currency === book.currency)
  const others = ofDay.filter(({ currency }) => currency !== book.currency)
  const verifications = await listVerifications(service.db)
  const verified = verifications.find(
    ({ callerId, mode }) => callerId === book.callerId && mode === book.mode,
  )
  const [seal, sender] = await Promise.all([
    findLastSeal(service.db, book.bookId),
    findSender(service.db, book.callerId),
  ])
  const bars = Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const on = addDays(day, index + 1 - DAYS_SHOWN)
    const group = groups.find((one) => one.day === on && one.currency === book.currency)
    return { on, amount: group?.net ?? 0n, href: `/console/liquidations?from=${on}&to=${on}` }
  })
  return show(
    'report',
    say.tab(words.day(day)),
    html`<div class="on-paper">${senderBlock(sender!)}</div>
<header class="head"><div><h1>${say.title} <span class="thin">${words.day(day)}</span></h1></div>
${actions(asked, day, today)}</header>
${figures(own, verified, { day, words })}
${others.length > 0 && otherCurrencies(others, words)}
<section class="card" aria-labelledby="trend">
<h2 id="trend">${say.trend}</h2>
${barChart(bars, { title: say.trend, day: say.day, amount: say.paid, table: words.say.asTable }, words)}
</section>
<div class="on-paper">${signatureLine(words)}</div>
${seal && sealLine(seal, words)}`,
  )
}

function actions({ words, may }: Asked, day: IsoDate, today: IsoDate): Html {
  const { report: say } = words.of(reportWords)
  const next = html`<a class="button" href="/console/report?day=${addDays(day, 1)}">${say.next}</a>`
  return html`<div class="actions">
<a class="button" href="/console/report?day=${addDays(day, -1)}">${say.previous}</a>${day < today && next}
<a class="button" href="/console/report.csv?day=${day}">${say.csv}</a>
${may('accounting:read') && html`<a class="button" href="/console/accounting">${say.accounting}</a>`}
${printButton(words)}</div>`
}

function figures(
  group: LiquidationGroup | undefined,
  verified: BookVerification | undefined,
  { day, words }: { day: IsoDate; words: Words },
): Html {
  const { report: say } = words.of(reportWords)
  const money = (amount: bigint | undefined) => words.money(amount ?? 0n)
  const broken = (group?.full ?? 0) + (group?.partial ?? 0)
  const ledger =
    verified === undefined
      ? html`<dd>${say.notVerified} <small>${say.howToVerify}</small></dd>`
      : verified.difference === null
        ? html`<dd class="ok">${say.balanced} <small>${say.verified(words.instant(verified.finishedAt))}</small></dd>`
        : html`<dd class="more">${say.difference} <small>${verified.difference}</small></dd>`
  const rows = (query: string) => `/console/liquidations?from=${day}&to=${day}${query}`
  const figure = (name: string, path: string, value: Html | string) =>
    html`<div><dt>${name}</dt><dd><a href="${path}">${value}</a></dd></div>`
  return html`<dl class="figures many">
${figure(say.paid, rows('&sort=-paid'), money(group?.net))}
${figure(say.penal, rows('&sort=-charge'), money(group?.charge))}
${figure(say.waived, rows('&waived=yes'), money(group?.waived))}
${figure(say.tax, `/console/tax?from=${day}&to=${day}`, money(group?.tax))}
${figure(say.broken, rows(''), html`${broken} <small>${say.inPart(group?.partial ?? 0)}</small>`)}
${figure(say.reversed, `/console/ledger?kind=REVERSAL&from=${day}&to=${day}`, money(group?.reversed))}
<div><dt>${say.ledger}</dt>${ledger}</div></dl>`
}

function otherCurrencies(groups: readonly LiquidationGroup[], words: Words): Html {
  const { report: say } = words.of(reportWords)
  return html`<section class="card flush" aria-labelledby="others">
<h2 class="inset" id="others">${say.others}</h2>${recordTable(
    groups,
    [
      { name: say.currency, cell: ({ currency }) => html`<b>${currency}</b>` },
      { name: say.broken, isNumber: true, cell: ({ full, partial }) => full + partial },
      { name: say.paid, isNumber: true, cell: ({ net }) => words.plain(net) },
      { name: say.penal, isNumber: true, cell: ({ charge }) => words.plain(charge) },
      { name: say.waived, isNumber: true, cell: ({ waived }) => words.plain(waived) },
      { name: say.tax, isNumber: true, cell: ({ tax }) => words.plain(tax) },
    ],
    { label: say.others, isFlush: true },
  )}</section>`
}

const COLUMNS = ['principal', 'interest', 'assessed', 'waived', 'charge', 'tax', 'net', 'reversed'] as const

async function reportFile(asked: Asked): Promise<PageAnswer> {
  const { day, groups } = await daysOf(asked)
  const content = csvText(
    ['day', 'currency', 'full', 'partial', ...COLUMNS],
    groups.map((group) => [
      group.day!,
      group.currency,
      String(group.full),
      String(group.partial),
      ...COLUMNS.map((column) => formatAmount(group[column])),
    ]),
  )
  return { kind: 'file', name: `liquidations-to-${day}.csv`, type: 'text/csv; charset=utf-8', content }
}
