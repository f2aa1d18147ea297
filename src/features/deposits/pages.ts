import { type Asked, choices, type Page, type PageAnswer, show } from '../../console/page.ts'
import type { Words } from '../../console/words.ts'
import { formatPpm } from '../../domain/decimal.ts'
import { DEPOSIT_STATUSES, type Deposit } from '../../domain/deposit.ts'
import { type Html, html } from '../../wire/html.ts'
import { listDeposits } from './store.ts'

const SHOWN = 50

export const depositPages: Page[] = [
  { method: 'GET', path: '/deposits', scope: 'fixed_deposits:read', answer: depositsPage },
]

async function depositsPage({ service, book, query, words }: Asked): Promise<PageAnswer> {
  const { deposits: say, statuses } = words.say
  const status = DEPOSIT_STATUSES.find((one) => one === query.get('status'))
  const before = /^\d{1,19}$/.test(query.get('before')) ? BigInt(query.get('before')) : null
  const filters = status === undefined ? {} : { status }
  const { items, next } = await listDeposits(service.db, book.bookId, filters, { limit: SHOWN, before })
  const older = new URLSearchParams({ ...filters, before: String(next) })
  return show(
    'deposits',
    say.title,
    html`<header class="head"><h1>${say.title}</h1></header>
<form class="filters" action="/console/deposits"><div class="field"><label for="status">${say.status}</label><select id="status" name="status">${choices({ '': say.all, ...statuses }, status ?? '')}</select></div><button class="button">${say.filter}</button></form>
<section class="card flush">${items.length === 0 ? html`<p class="inset">${say.none}</p>` : depositTable(items, words)}</section>
${next !== null && html`<p><a class="button" href="/console/deposits?${older}">${say.next}</a></p>`}`,
  )
}

export function depositTable(deposits: readonly Deposit[], words: Words): Html {
  const { deposits: say, statuses } = words.say
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${say.title}"><table class="rows"><thead><tr><th scope="col">${say.deposit}</th><th scope="col" class="num">${say.remaining}</th><th scope="col" class="num">${say.rate}</th><th scope="col">${say.matures}</th><th scope="col">${say.status}</th></tr></thead><tbody>${deposits.map(
    (deposit) =>
      html`<tr><td><a href="/console/deposits/${deposit.depositId}"><b>${words.money(deposit.principal)}</b></a><small>${deposit.depositId}</small></td><td class="num">${words.money(deposit.remaining)}</td><td class="num">${formatPpm(deposit.annualRatePpm)} %</td><td>${words.day(deposit.maturityDate)}</td><td><span class="badge ${deposit.status.toLowerCase()}">${statuses[deposit.status]}</span></td></tr>`,
  )}</tbody></table></div>`
}
