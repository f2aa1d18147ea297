/** Every change of a book, newest first, with old and new values. */
import { ACTOR_KINDS, type ActorKind } from '../../domain/actor.ts'
import { addDays, isIsoDate, startOfBusinessDate } from '../../domain/dates.ts'
import type { AuditedChange } from '../../domain/event.ts'
import { inputField, selectField } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { sealLine } from '../../page/letter.ts'
import { idLink } from '../../page/link.ts'
import { dayFields, fileColumn, type List, type ListColumn, listPages } from '../../page/list.ts'
import type { Asked, Page } from '../../page/page.ts'
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../wire/json.ts'
import type { Words } from '../../words/words.ts'
import { actionName } from '../document-kinds/words.ts'
import { EVENT_TYPES } from '../events/record.ts'
import { findLastSeal } from '../seals/store.ts'
import { type AuditFilters, changeOf, changeWindow, listChanges } from './store.ts'
import { auditWords } from './words.ts'

const list: List<AuditedChange> = {
  path: '/audit',
  section: 'audit',
  scope: 'audit:read',
  standby: { certifies: true },
  title: ({ words }) => words.of(auditWords).audit.title,
  none: (words) => words.of(auditWords).audit.none,
  filters: ['who', 'action', 'subject', 'from', 'to'],
  fields: filterFields,
  columns: ({ words }) => columnsFor(words),
  idOf: ({ eventId }) => eventId,
  read: async (asked, { place, limit }) => {
    const { service, book } = asked
    const before = /^\d{1,19}$/.test(place) ? BigInt(place) : null
    const { items, next } = await listChanges(service.db, book.bookId, filtersOf(asked), { limit, before })
    return { rows: items, next: next === null ? null : String(next) }
  },
  window: (asked, page) => changeWindow(asked.service.db, asked.book.bookId, filtersOf(asked), page),
  rowsOf: (_asked, found) => found.map(changeOf),
  sql: {
    id: 'event_id',
    order: {
      time: 'occurred_at',
      who: "coalesce(actor_name, api_key_id, actor_id, '')",
      action: 'type',
      subject: 'subject_id',
      request: 'request_id',
    },
    sums: {},
  },
  after: async ({ service, book, words }) => {
    const seal = await findLastSeal(service.db, book.bookId)
    return seal && sealLine(seal, words)
  },
}

export const auditPages: Page[] = listPages(list)

function filtersOf({ query, book: { timeZone } }: Asked): AuditFilters {
  const [who, action, subject] = [query.get('who'), query.get('action'), query.get('subject').trim()]
  const [from, to] = [query.get('from'), query.get('to')]
  const isKind = (ACTOR_KINDS as readonly string[]).includes(who)
  return {
    ...(isKind && { actorKind: who as ActorKind }),
    ...(who !== '' && !isKind && { actorId: who }),
    ...(action !== '' && { action }),
    ...(subject !== '' && { subjectId: subject }),
    ...(isIsoDate(from) && { from: startOfBusinessDate(from, timeZone) }),
    ...(isIsoDate(to) && { to: startOfBusinessDate(addDays(to, 1), timeZone) }),
  }
}

function filterFields(asked: Asked): Html {
  const { query, words } = asked
  const { audit: say } = words.of(auditWords)
  const types = new Set([...Object.keys(words.say.actions), ...EVENT_TYPES])
  const actions = Object.fromEntries([...types].map((type) => [type, actionName(type, words)]))
  const who = query.get('who')
  const people = {
    '': say.everybody,
    ...say.kinds,
    ...(who !== '' && !Object.hasOwn(say.kinds, who) && { [who]: who }),
  }
  return html`${selectField({ name: 'who', label: say.who, texts: people, value: who })}
${selectField({ name: 'action', label: say.what, texts: { '': say.every, ...actions }, value: query.get('action') })}
${dayFields(asked)}
${inputField({ name: 'subject', label: say.recordColumn, max: 64, value: query.get('subject') })}`
}

function columnsFor(words: Words): ListColumn<AuditedChange>[] {
  const { audit: say } = words.of(auditWords)
  const { actors } = words.say
  const linkTo = (filter: 'who' | 'subject', value: string, text: unknown) =>
    html`<a href="/console/audit?${filter}=${encodeURIComponent(value)}">${text}</a>`
  const side = (change: AuditedChange, name: 'before' | 'after') =>
    differences(change)
      .map((row) => `${row.field}: ${row[name]}`)
      .join('; ')
  return [
    {
      key: 'time',
      name: say.when,
      cell: ({ at }) => html`<span class="nowrap">${words.instant(at)}</span>`,
      text: ({ at }) => at.toISOString(),
    },
    {
      key: 'who',
      name: say.who,
      cell: ({ actor }) =>
        html`${linkTo('who', actor.id, actor.name ?? actors[actor.kind])}<small>${say.kinds[actor.kind]}</small>`,
      text: ({ actor }) => actor.name ?? actor.id,
    },
    fileColumn('kind', ({ actor }: AuditedChange) => actor.kind),
    {
      key: 'action',
      name: say.what,
      cell: (one) => html`${actionName(one.action, words)}${oldAndNew(one, words)}`,
      text: ({ action }) => action,
    },
    {
      key: 'subject',
      name: say.recordColumn,
      cell: ({ subjectId }) =>
        html`${idLink(subjectId)}<small>${linkTo('subject', subjectId, say.onlyThis)}</small>`,
      text: ({ subjectId }) => subjectId,
    },
    {
      key: 'request',
      name: say.request,
      cell: ({ requestId }) => requestId !== null && html`<code>${requestId}</code>`,
      text: ({ requestId }) => requestId ?? '',
    },
    fileColumn('before', (one: AuditedChange) => side(one, 'before')),
    fileColumn('after', (one: AuditedChange) => side(one, 'after')),
  ]
}

/** Shows only what differs. */
function oldAndNew(change: AuditedChange, words: Words): Html {
  const { audit: say } = words.of(auditWords)
  const rows = differences(change)
  if (rows.length === 0) return html``
  const value = (tag: 'del' | 'ins', name: string, text: string) =>
    text !== '' && html`<${trusted(tag)}><span class="hidden">${name}: </span>${text}</${trusted(tag)}>`
  return html`<details class="changes"><summary>${say.changes}</summary><dl>${rows.map(
    ({ field, before, after }) => {
      const values = [value('del', say.before, before), value('ins', say.after, after)]
      return html`<dt>${say.members[field] ?? field}</dt><dd>${values}</dd>`
    },
  )}</dl></details>`
}

function differences({ changes }: AuditedChange): { field: string; before: string; after: string }[] {
  if (changes === null) return []
  const kept = parseJson(changes)
  const [before, after] = isJsonObject(kept) ? [membersOf(kept.before), membersOf(kept.after)] : [{}, {}]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((field) => ({ field, before: textOf(before[field]), after: textOf(after[field]) }))
    .filter((row) => row.before !== row.after)
}

function membersOf(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {}
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return ''
  if (isJsonObject(value) && typeof value.name === 'string') return value.name
  return typeof value === 'string' ? value : JSON.stringify(value)
}
