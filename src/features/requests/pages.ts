/** Requests for approval with their outcome. One's own need no scope; those of others need that of reading requests. */
import { identityOf } from '../../domain/actor.ts'
import { APPROVAL_STATUSES, type Approval, statusAt } from '../../domain/approvals.ts'
import { addDays, isIsoDate, startOfBusinessDate } from '../../domain/dates.ts'
import { selectField } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { dayFields, fileColumn, type List, type ListColumn, listPages } from '../../page/list.ts'
import type { Asked, Page } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import {
  type ApprovalFilters,
  approvalMap,
  approvalWindow,
  findRefusers,
  listApprovals,
} from '../approval-requests/store.ts'
import { describeApprovals } from '../approvals/list.ts'
import { outcomeOf } from '../approvals/outcome.ts'
import { approvalWords } from '../approvals/words.ts'
import { listPeople } from '../people/store.ts'
import { requestWords } from './words.ts'

const PEOPLE_OFFERED = { limit: 200, before: null }

const list: List<Approval> = {
  path: '/requests',
  section: 'approvals',
  scope: null,
  title: ({ words }) => words.of(requestWords).title,
  steps: ({ words, may }) => (may('approvals:read') ? [[words.say.sections.approvals, '/approvals']] : []),
  none: (words) => words.of(requestWords).none,
  filters: ['whose', 'status', 'maker', 'decider', 'from', 'to'],
  fields: filterFields,
  columns: async (asked, rows) => {
    const { at } = await asked.service.momentIn(asked.book)
    return columnsFor(asked, rows, { at, isOwn: !isOfAll(asked) })
  },
  idOf: ({ approvalId }) => approvalId,
  read: async (asked, { place, limit }) => {
    const { service, book } = asked
    const before = /^\d{1,19}$/.test(place) ? BigInt(place) : null
    const filters = await filtersOf(asked)
    const { items, next } = await listApprovals(service.db, book.bookId, filters, { limit, before })
    return { rows: items, next: next === null ? null : String(next) }
  },
  window: async (asked, page) => approvalWindow(asked.book.bookId, await filtersOf(asked), page),
  rowsOf: (_asked, found) => found.map(approvalMap.read),
  sql: {
    id: 'approval_id',
    order: {
      what: 'operation',
      asked: 'requested_at',
      note: 'note',
      status: 'status',
      decided: 'decided_at',
    },
    sums: {},
  },
}

export const requestPages: Page[] = listPages(list)

function isOfAll({ query, may }: Asked): boolean {
  return may('approvals:read') && (query.get('whose') === 'all' || query.get('maker') !== '')
}

/** A request that has expired counts as such before the job has recorded it. */
async function filtersOf(asked: Asked): Promise<ApprovalFilters> {
  const { service, query, identity, book } = asked
  const { at } = await service.momentIn(book)
  const status = APPROVAL_STATUSES.find((one) => one === query.get('status'))
  const [from, to] = [query.get('from'), query.get('to')]
  const [maker, decider] = [query.get('maker'), query.get('decider')]
  return {
    ...(isOfAll(asked) ? maker !== '' && { maker } : { maker: identityOf(identity.actor) }),
    ...(decider !== '' && { decider }),
    ...(status === 'PENDING' && { pendingAt: at }),
    ...(status === 'EXPIRED' && { expiredBy: at }),
    ...(status !== undefined && status !== 'PENDING' && status !== 'EXPIRED' && { status }),
    ...(isIsoDate(from) && { requestedFrom: startOfBusinessDate(from, book.timeZone) }),
    ...(isIsoDate(to) && { requestedBefore: startOfBusinessDate(addDays(to, 1), book.timeZone) }),
  }
}

async function filterFields(asked: Asked): Promise<Html> {
  const { words, query, may } = asked
  const say = words.of(requestWords)
  const { statuses } = words.of(approvalWords).approvals
  const isReader = may('approvals:read')
  const whose = { name: 'whose', label: say.whose, texts: { mine: say.mine, all: say.all } }
  const outcome = { name: 'status', label: say.status, texts: { '': say.every, ...statuses } }
  const people = isReader ? await peopleOf(asked) : {}
  const person = (name: string, label: string) => {
    const value = query.get(name)
    const other = value !== '' && !Object.hasOwn(people, value) && { [value]: value }
    return selectField({ name, label, texts: { '': say.anybody, ...people, ...other }, value })
  }
  return html`${isReader && selectField({ ...whose, value: isOfAll(asked) ? 'all' : 'mine' })}
${selectField({ ...outcome, value: query.get('status') })}
${isReader && person('maker', say.maker)}
${isReader && person('decider', say.decided)}
${dayFields(asked)}`
}

/** The names of the people of the bank, by how a request and a vote name them. */
async function peopleOf({ service, identity }: Asked): Promise<Record<string, string>> {
  const { items } = await listPeople(service.db, identity.person.callerId, PEOPLE_OFFERED)
  return Object.fromEntries(
    items
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ personId, name }) => [identityOf({ kind: 'PERSON', id: personId }), name]),
  )
}

/** The table stands on the home page of the person who asked too. */
export async function requestTable(asked: Asked, approvals: readonly Approval[], at: Date): Promise<Html> {
  const columns = await columnsFor(asked, approvals, { at, isOwn: true })
  const label = asked.words.of(requestWords).title
  return recordTable(
    approvals,
    columns.filter(({ isFileOnly }) => isFileOnly !== true),
    { label, isFlush: true },
  )
}

async function columnsFor(
  asked: Asked,
  approvals: readonly Approval[],
  { at, isOwn }: { at: Date; isOwn: boolean },
): Promise<ListColumn<Approval>[]> {
  const { service, book, words } = asked
  const say = words.of(requestWords)
  const describe = await describeApprovals(asked, approvals)
  const refused = approvals.filter(({ status }) => status === 'REJECTED')
  const refusers = await findRefusers(
    service.db,
    book.bookId,
    refused.map(({ approvalId }) => approvalId),
  )
  const nameOf = ({ name, kind }: Approval['requestedBy']) => name ?? words.say.actors[kind]
  const deciders = ({ approvalId, votes }: Approval) =>
    [...votes.map(({ actor }) => actor), refusers.get(approvalId) ?? []].flat().map(nameOf).join(', ')
  return [
    {
      key: 'what',
      name: say.what,
      cell: (one) => {
        const { title, text, path } = describe(one)
        return html`<a href="${path}"><b>${title}</b></a><small>${text}</small>`
      },
      text: (one) => `${describe(one).title} ${describe(one).text}`,
    },
    {
      key: 'asked',
      name: say.asked,
      cell: ({ requestedBy, requestedAt }) =>
        isOwn
          ? words.instant(requestedAt)
          : html`${nameOf(requestedBy)}<small>${words.instant(requestedAt)}</small>`,
      text: ({ requestedAt }) => requestedAt.toISOString(),
    },
    { key: 'note', name: say.note, cell: ({ note }) => note, text: ({ note }) => note ?? '' },
    {
      key: 'status',
      name: say.status,
      cell: (one) => outcomeOf(one, at, words),
      text: (one) => statusAt(one, at),
    },
    {
      key: 'decided',
      name: say.decided,
      cell: (one) =>
        one.decidedAt === null
          ? deciders(one)
          : html`${deciders(one)}<small>${words.instant(one.decidedAt)}</small>`,
      text: deciders,
    },
    fileColumn('approval_id', ({ approvalId }) => approvalId),
    fileColumn('operation', ({ operation }) => operation),
    fileColumn('target_id', ({ targetId }) => targetId ?? ''),
    fileColumn('asked_by', ({ requestedBy }) => nameOf(requestedBy)),
    fileColumn('decided_at', ({ decidedAt }) => decidedAt?.toISOString() ?? ''),
    fileColumn('reason', ({ decisionReason }) => decisionReason ?? ''),
  ]
}
