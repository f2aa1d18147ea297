import { identityOf } from '../../domain/actor.ts'
import type { Approval } from '../../domain/approvals.ts'
import { addDays, type IsoDate } from '../../domain/dates.ts'
import type { Deposit } from '../../domain/deposit.ts'
import type { Rest } from '../../domain/people.ts'
import { card } from '../../page/card.ts'
import { type Html, html } from '../../page/html.ts'
import { type Asked, type Page, type PageAnswer, readingTogether, show } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import { listRestingKeys } from '../api-keys/store.ts'
import { listApprovals, listWaiting } from '../approval-requests/store.ts'
import { describeApprovals, isForVoter } from '../approvals/list.ts'
import { listDeposits } from '../deposits/store.ts'
import { depositTable, holdersOf } from '../deposits/table.ts'
import { findLiquidations } from '../liquidation/store.ts'
import { confirmButton, mayConfirm } from '../people/list.ts'
import { listRestingPeople } from '../people/store.ts'
import { requestTable } from '../requests/pages.ts'
import { brokenCard, lookedAfter, pictures } from './card.ts'
import { homeWords } from './words.ts'

const SHOWN = { limit: 50, before: null }
const SOON_DAYS = 7
/** How many that mature soon are shown; the others are behind a link. */
const SOON_MAX = 8
const WAITING_MAX = 50
const BROKEN_SHOWN = { limit: 20, before: null }
const TO_CONFIRM_MAX = 50
const MINE_MAX = 10

export const homePages: Page[] = [{ method: 'GET', path: '/', scope: null, answer: homePage }]

/** What waits for the person, what matures soon and what was broken today, as far as the role allows. */
async function homePage(asked: Asked): Promise<PageAnswer> {
  const { service, book, identity, words, may } = asked
  const { home: say } = words.of(homeWords)
  const { at, today } = await service.momentIn(book)
  const { db } = readingTogether(asked).service
  const mayRead = may('fixed_deposits:read')
  const soonest = { status: 'ACTIVE', maturesBefore: addDays(today, SOON_DAYS + 1) } as const
  const voter = identityOf(identity.actor)
  const [waiting, mine, soon, broken] = await Promise.all([
    listWaiting(db, book.bookId, { at, limit: WAITING_MAX }),
    listApprovals(db, book.bookId, { maker: voter }, { limit: MINE_MAX, before: null }),
    mayRead ? listDeposits(db, book.bookId, soonest, SHOWN) : null,
    mayRead ? findLiquidations(db, book.bookId, { from: today, to: today }, BROKEN_SHOWN) : null,
  ])
  const forMe = may('approvals:decide') ? waiting.filter((one) => isForVoter(one, voter)) : []
  const asks = await describeApprovals(asked, forMe)
  const requests = await mineCard(asked, mine.items, at)
  const list = (id: string, title: string, approvals: readonly Approval[]) =>
    html`<section class="card flush" aria-labelledby="${id}">
<h2 class="inset" id="${id}">${title}</h2>
<ul class="queue">${approvals.map((one) => {
      const { title: what, text, path } = asks(one)
      const ago = words.ago(one.requestedAt, at)
      return html`<li><a href="${path}"><b>${what}</b><span>${text}</span><small>${ago}</small></a></li>`
    })}</ul>
</section>`
  return show(
    null,
    say.title,
    html`<header class="head"><div><h1>${say.heading(identity.person.name)}</h1>
<p class="sub">${words.day(today)}</p></div></header>
${forMe.length > 0 && list('waiting', say.waiting, forMe)}
${mine.items.length > 0 && requests}
${may('reports:read') && (await pictures(asked, today))}
${soon !== null && (await soonCard(asked, soon.items, today))}
${broken !== null && (await brokenCard(asked, broken.items))}
${may('people:write') && (await toConfirm(asked))}
${may('api_keys:write') && (await lookedAfter(asked))}
${mine.items.length === 0 && requests}
${!mayRead && !may('people:write') && html`<section class="card"><p>${say.elsewhere}</p></section>`}`,
  )
}

async function mineCard(asked: Asked, mine: readonly Approval[], at: Date): Promise<Html> {
  const { home: say } = asked.words.of(homeWords)
  const content =
    mine.length === 0
      ? html`<p class="inset">${say.noneMine}</p>`
      : html`${await requestTable(asked, mine, at)}
<p class="inset"><a href="/console/requests">${say.allMine}</a></p>`
  return card({ id: 'mine', title: say.mine, isFlush: true }, content)
}

async function soonCard(asked: Asked, soon: readonly Deposit[], today: IsoDate): Promise<Html> {
  const { words } = asked
  const { home: say } = words.of(homeWords)
  const shown = soon
    .toSorted((one, other) => (one.maturityDate < other.maturityDate ? -1 : 1))
    .slice(0, SOON_MAX)
  const all = new URLSearchParams({
    status: 'ACTIVE',
    matures_to: addDays(today, SOON_DAYS),
    sort: 'matures',
  })
  const content =
    shown.length === 0
      ? html`<p class="inset">${say.noneMaturing}</p>`
      : depositTable(shown, { holders: await holdersOf(asked, shown), words })
  const more =
    soon.length > SOON_MAX &&
    html`<p class="inset"><a href="/console/deposits?${all}">${say.allMaturing}</a></p>`
  return card({ id: 'soon', title: say.maturing, isFlush: true }, html`${content}${more}`)
}

/** What one administrator set, and a second one may confirm: people, and the keys of this book. */
async function toConfirm(asked: Asked): Promise<Html> {
  const { service, book, identity, words } = asked
  const { home: say } = words.of(homeWords)
  const { db } = service
  const limits = { now: service.clock(), limit: TO_CONFIRM_MAX }
  const [people, keys] = await Promise.all([
    listRestingPeople(db, identity.person.callerId, limits),
    listRestingKeys(db, book.bookId, limits),
  ])
  const resting = [
    ...people.map(({ personId, name, rest }) => {
      return { kind: say.person, name, rest: rest!, path: `/access/people/${personId}` }
    }),
    ...keys.map(({ apiKeyId, name, keyPrefix, rest }) => {
      return { kind: say.key, name: name ?? keyPrefix, rest: rest!, path: `/access/keys/${apiKeyId}` }
    }),
  ]
  const columns = [
    { name: say.toConfirm, cell: (one: Resting) => html`<b>${one.name}</b><small>${one.kind}</small>` },
    { name: say.countsFrom, cell: ({ rest }: Resting) => words.instant(rest.until) },
    {
      name: null,
      cell: (one: Resting) => mayConfirm(one.rest, asked) && confirmButton(one.path, one, asked),
    },
  ]
  return html`<section class="card flush" aria-labelledby="to-confirm">
<h2 class="inset" id="to-confirm">${say.toConfirm}</h2>
<p class="inset hint">${resting.length === 0 ? say.noneToConfirm : say.toConfirmText}</p>
${resting.length > 0 && recordTable(resting, columns, { label: say.toConfirm, isFlush: true })}
</section>`
}

type Resting = { kind: string; name: string; rest: Rest; path: string }
