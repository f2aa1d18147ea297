/** Requests for approval with their outcome. One's own need no scope; those of others need that of reading requests. */
import { identityOf } from '../../domain/actor.ts'
import { APPROVAL_STATUSES, type Approval } from '../../domain/approvals.ts'
import { addDays, isIsoDate, startOfBusinessDate } from '../../domain/dates.ts'
import { inputField, selectField } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { type Asked, type Page, type PageAnswer, show } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import { type ApprovalFilters, listApprovals } from '../approval-requests/store.ts'
import { describeApprovals } from '../approvals/list.ts'
import { outcomeOf } from '../approvals/outcome.ts'
import { approvalWords } from '../approvals/words.ts'
import { requestWords } from './words.ts'

const SHOWN = 50

export const requestPages: Page[] = [{ method: 'GET', path: '/requests', scope: null, answer: requestsPage }]

async function requestsPage(asked: Asked): Promise<PageAnswer> {
  const { service, book, query, words } = asked
  const say = words.of(requestWords)
  const { at } = await service.momentIn(book)
  const before = /^\d{1,19}$/.test(query.get('before')) ? BigInt(query.get('before')) : null
  const page = { limit: SHOWN, before }
  const { items, next } = await listApprovals(service.db, book.bookId, filtersOf(asked, at), page)
  const older = new URLSearchParams(query.text)
  older.set('before', String(next))
  return show(
    'approvals',
    say.title,
    html`<header class="head"><h1>${say.title}</h1></header>
${filterForm(asked)}
<section class="card flush">
${items.length === 0 ? html`<p class="inset">${say.none}</p>` : await requestTable(asked, items, at)}
</section>
${next !== null && html`<p><a class="button" href="/console/requests?${older}">${say.older}</a></p>`}`,
  )
}

function isOfAll({ query, may }: Asked): boolean {
  return may('approvals:read') && query.get('whose') === 'all'
}

/** A request that has expired counts as such before the job has recorded it. */
function filtersOf(asked: Asked, at: Date): ApprovalFilters {
  const { query, identity, book } = asked
  const status = APPROVAL_STATUSES.find((one) => one === query.get('status'))
  const [from, to] = [query.get('from'), query.get('to')]
  return {
    ...(!isOfAll(asked) && { maker: identityOf(identity.actor) }),
    ...(status === 'PENDING' && { pendingAt: at }),
    ...(status === 'EXPIRED' && { expiredBy: at }),
    ...(status !== undefined && status !== 'PENDING' && status !== 'EXPIRED' && { status }),
    ...(isIsoDate(from) && { requestedFrom: startOfBusinessDate(from, book.timeZone) }),
    ...(isIsoDate(to) && { requestedBefore: startOfBusinessDate(addDays(to, 1), book.timeZone) }),
  }
}

function filterForm(asked: Asked): Html {
  const { words, query, may } = asked
  const say = words.of(requestWords)
  const { statuses } = words.of(approvalWords).approvals
  return html`<form class="filters" action="/console/requests">
${
  may('approvals:read') &&
  selectField({
    name: 'whose',
    label: say.whose,
    texts: { mine: say.mine, all: say.all },
    value: query.get('whose'),
  })
}
${selectField({ name: 'status', label: say.status, texts: { '': say.every, ...statuses }, value: query.get('status') })}
${inputField({ name: 'from', label: say.from, type: 'date', value: query.get('from') })}
${inputField({ name: 'to', label: say.to, type: 'date', value: query.get('to') })}
<button class="button">${say.filter}</button></form>`
}

/** Also on the home page of the person who asked. */
export async function requestTable(asked: Asked, approvals: readonly Approval[], at: Date): Promise<Html> {
  const { words } = asked
  const say = words.of(requestWords)
  const describe = await describeApprovals(asked, approvals)
  const nameOf = ({ name, kind }: Approval['requestedBy']) => name ?? words.say.actors[kind]
  return recordTable(
    approvals,
    [
      {
        name: say.what,
        cell: (one) => {
          const { title, text, path } = describe(one)
          return html`<a href="${path}"><b>${title}</b></a><small>${text}</small>`
        },
      },
      {
        name: say.asked,
        cell: ({ requestedBy, requestedAt }) =>
          html`${nameOf(requestedBy)}<small>${words.instant(requestedAt)}</small>`,
      },
      { name: say.note, cell: ({ note }) => note },
      { name: say.status, cell: (one) => outcomeOf(one, at, words) },
      { name: say.decided, cell: ({ votes }) => votes.map(({ actor }) => nameOf(actor)).join(', ') },
    ],
    { label: say.title, isFlush: true },
  )
}
