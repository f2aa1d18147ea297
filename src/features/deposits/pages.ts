import { type Asked, type Page, type PageAnswer, show } from '../../console/page.ts'
import type { Words } from '../../console/words.ts'
import { addDays } from '../../domain/dates.ts'
import { formatPpm } from '../../domain/decimal.ts'
import type { Deposit } from '../../domain/deposit.ts'
import { type Html, html } from '../../wire/html.ts'
import { listDeposits } from './store.ts'

const SHOWN = { limit: 50, before: null }
const SOON_DAYS = 7

export const depositPages: Page[] = [
  { method: 'GET', path: '/', scope: null, answer: homePage },
  { method: 'GET', path: '/deposits', scope: 'fixed_deposits:read', answer: depositsPage },
]

async function homePage({ service, book, identity, words, may }: Asked): Promise<PageAnswer> {
  const { home: say } = words.say
  const { today } = await service.momentIn(book)
  const filters = { status: 'ACTIVE', maturesBefore: addDays(today, SOON_DAYS + 1) } as const
  const soon = may('fixed_deposits:read')
    ? (await listDeposits(service.db, book.bookId, filters, SHOWN)).items
    : null
  return show(
    null,
    say.title,
    html`<header class="head"><h1>${say.heading(identity.person.name)}</h1></header>
${soon !== null && html`<section class="card flush" aria-labelledby="soon"><h2 class="inset" id="soon">${say.maturing}</h2>${soon.length === 0 ? html`<p class="inset">${say.noneMaturing}</p>` : depositTable(soon, words)}</section>`}`,
  )
}

async function depositsPage({ service, book, words }: Asked): Promise<PageAnswer> {
  const { deposits: say } = words.say
  const { items } = await listDeposits(service.db, book.bookId, {}, SHOWN)
  return show(
    'deposits',
    say.title,
    html`<header class="head"><h1>${say.title}</h1></header>
<section class="card flush">${items.length === 0 ? html`<p class="inset">${say.none}</p>` : depositTable(items, words)}</section>`,
  )
}

export function depositTable(deposits: readonly Deposit[], words: Words): Html {
  const { deposits: say, statuses } = words.say
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${say.title}"><table class="rows"><thead><tr><th scope="col">${say.deposit}</th><th scope="col" class="num">${say.remaining}</th><th scope="col" class="num">${say.rate}</th><th scope="col">${say.matures}</th><th scope="col">${say.status}</th></tr></thead><tbody>${deposits.map(
    (deposit) =>
      html`<tr><td><a href="/console/deposits/${deposit.depositId}"><b>${words.money(deposit.principal)}</b></a><small>${deposit.depositId}</small></td><td class="num">${words.money(deposit.remaining)}</td><td class="num">${formatPpm(deposit.annualRatePpm)} %</td><td>${words.day(deposit.maturityDate)}</td><td><span class="badge ${deposit.status.toLowerCase()}">${statuses[deposit.status]}</span></td></tr>`,
  )}</tbody></table></div>`
}
