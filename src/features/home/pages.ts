import { type Asked, type Page, type PageAnswer, show } from '../../console/page.ts'
import { recordTable } from '../../console/table.ts'
import type { Words } from '../../console/words.ts'
import type { Approval } from '../../domain/approvals.ts'
import { addDays } from '../../domain/dates.ts'
import { type Html, html } from '../../wire/html.ts'
import { voterOf } from '../approvals/changes.ts'
import { describeApprovals, isForVoter } from '../approvals/pages.ts'
import { listWaiting } from '../approvals/store.ts'
import { depositTable, holdersOf } from '../deposits/pages.ts'
import { listDeposits } from '../deposits/store.ts'
import { type KeptLiquidation, listLiquidationsOfDay } from '../liquidation/store.ts'

const SHOWN = { limit: 50, before: null }
const SOON_DAYS = 7
const WAITING_MAX = 50
const BROKEN_MAX = 20

export const homePages: Page[] = [{ method: 'GET', path: '/', scope: null, answer: homePage }]

/** What waits for the person, what matures soon and what was broken today, as far as the role allows. */
async function homePage(asked: Asked): Promise<PageAnswer> {
  const { service, book, identity, words, may } = asked
  const { home: say } = words.say
  const { at, today } = await service.momentIn(book)
  const { db } = service
  const mayRead = may('fixed_deposits:read')
  const soonest = { status: 'ACTIVE', maturesBefore: addDays(today, SOON_DAYS + 1) } as const
  const [waiting, soon, broken] = await Promise.all([
    listWaiting(db, book.bookId, { at, limit: WAITING_MAX }),
    mayRead ? listDeposits(db, book.bookId, soonest, SHOWN) : null,
    mayRead ? listLiquidationsOfDay(db, book.bookId, { on: today, limit: BROKEN_MAX }) : null,
  ])
  const maturing = soon?.items.toSorted((one, other) => (one.maturityDate < other.maturityDate ? -1 : 1))
  const voter = voterOf(identity.person)
  const mine = waiting.filter(({ maker }) => maker === voter)
  const forMe = may('approvals:decide') ? waiting.filter((one) => isForVoter(one, voter)) : []
  const asks = await describeApprovals(asked, [...forMe, ...mine])
  const list = (id: string, title: string, approvals: readonly Approval[]) =>
    html`<section class="card flush" aria-labelledby="${id}"><h2 class="inset" id="${id}">${title}</h2><ul class="queue">${approvals.map(
      (one) => {
        const { title: what, text, path } = asks(one)
        return html`<li><a href="${path}"><b>${what}</b><span>${text}</span><small>${words.ago(one.requestedAt, at)}</small></a></li>`
      },
    )}</ul></section>`
  return show(
    null,
    say.title,
    html`<header class="head"><div><h1>${say.heading(identity.person.name)}</h1><p class="sub">${words.day(today)}</p></div></header>
${forMe.length > 0 && list('waiting', say.waiting, forMe)}
${mine.length > 0 && list('mine', say.mine, mine)}
${maturing !== undefined && html`<section class="card flush" aria-labelledby="soon"><h2 class="inset" id="soon">${say.maturing}</h2>${maturing.length === 0 ? html`<p class="inset">${say.noneMaturing}</p>` : depositTable(maturing, { holders: await holdersOf(asked, maturing), words })}</section>`}
${broken !== null && html`<section class="card flush" aria-labelledby="broken"><h2 class="inset" id="broken">${say.broken}</h2>${broken.length === 0 ? html`<p class="inset">${say.noneBroken}</p>` : brokenTable(broken, words)}</section>`}
${!mayRead && html`<section class="card"><p>${say.elsewhere}</p></section>`}`,
  )
}

function brokenTable(broken: readonly KeptLiquidation[], words: Words): Html {
  const { home: say, deposits, breaking } = words.say
  const money = ({ currency }: KeptLiquidation, amount: bigint) => words.in(currency).money(amount)
  return recordTable(
    broken,
    [
      {
        name: say.paid,
        cell: (one) =>
          html`<a href="/console/liquidations/${one.liquidationId}/advice"><b>${money(one, one.net)}</b></a>`,
      },
      {
        name: deposits.deposit,
        cell: ({ depositId }) => html`<a href="/console/deposits/${depositId}">${depositId}</a>`,
      },
      { name: breaking.principal, isNumber: true, cell: (one) => money(one, one.principal) },
      { name: breaking.penal, isNumber: true, cell: (one) => money(one, one.penal) },
      { name: say.at, cell: ({ at }) => words.instant(at) },
    ],
    { label: say.broken, isFlush: true },
  )
}
