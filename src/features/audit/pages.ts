import { ACTOR_KINDS, type ActorKind } from '../../domain/actor.ts'
import { addDays, isIsoDate, startOfBusinessDate } from '../../domain/dates.ts'
import type { AuditedChange } from '../../domain/event.ts'
import { choices, type Fields } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { sealLine } from '../../page/letter.ts'
import { idLink } from '../../page/link.ts'
import { type Asked, type Page, type PageAnswer, show } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import { csvText } from '../../wire/csv.ts'
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../wire/json.ts'
import type { Words } from '../../words/words.ts'
import { EVENT_TYPES } from '../events/record.ts'
import { findLastSeal } from '../seals/store.ts'
import { type AuditFilters, listChanges } from './store.ts'
import { auditWords } from './words.ts'

const SHOWN = 50
/** Rows of an export, and how many are read at a time. */
const FILE_MAX = 10_000
const FILE_STEP = 500

export const auditPages: Page[] = [
  { method: 'GET', path: '/audit', scope: 'audit:read', certifies: true, answer: auditPage },
  { method: 'GET', path: '/audit.csv', scope: 'audit:read', certifies: true, answer: auditFile },
]

/** The URL contains the filters, so that a result can be shared. */
const FILTERS = ['who', 'action', 'subject', 'from', 'to'] as const

function filtersOf(query: Fields, timeZone: string): AuditFilters {
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

async function auditPage({ service, book, query, words }: Asked): Promise<PageAnswer> {
  const { audit: say } = words.of(auditWords)
  const types = new Set([...Object.keys(words.say.actions), ...EVENT_TYPES])
  const actions = [...types].map((type) => [type, words.action(type)])
  const before = /^\d{1,19}$/.test(query.get('before')) ? BigInt(query.get('before')) : null
  const filters = filtersOf(query, book.timeZone)
  const { items, next } = await listChanges(service.db, book.bookId, filters, { limit: SHOWN, before })
  const seal = await findLastSeal(service.db, book.bookId)
  const state = new URLSearchParams(
    FILTERS.filter((name) => query.get(name) !== '').map((name): [string, string] => [name, query.get(name)]),
  )
  const who = query.get('who')
  const people = {
    '': say.everybody,
    ...say.kinds,
    ...(who !== '' && !Object.hasOwn(say.kinds, who) && { [who]: who }),
  }
  const older = new URLSearchParams([...state, ['before', String(next)]])
  return show(
    'audit',
    say.title,
    html`<header class="head"><h1>${say.title}</h1><div class="actions"><a class="button" href="/console/audit.csv?${state}">${say.csv}</a></div></header>
<form class="filters" action="/console/audit">
<div class="field">
<label for="who">${say.who}</label>
<select id="who" name="who">${choices(people, who)}</select>
</div>
<div class="field">
<label for="action">${say.what}</label>
<select id="action" name="action">${choices({ '': say.every, ...Object.fromEntries(actions) }, query.get('action'))}</select>
</div>
<div class="field"><label for="from">${say.from}</label><input id="from" name="from" type="date" value="${query.get('from')}"></div>
<div class="field"><label for="to">${say.to}</label><input id="to" name="to" type="date" value="${query.get('to')}"></div>
<div class="field">
<label for="subject">${say.recordColumn}</label>
<input id="subject" name="subject" maxlength="64" autocomplete="off" value="${query.get('subject')}">
</div>
<button class="button">${say.filter}</button></form>
<section class="card flush">${items.length === 0 ? html`<p class="inset">${say.none}</p>` : changeTable(items, words)}</section>
${next !== null && html`<p><a class="button" href="/console/audit?${older}">${say.older}</a></p>`}
${seal && sealLine(seal, words)}`,
  )
}

function changeTable(changes: readonly AuditedChange[], words: Words): Html {
  const { audit: say } = words.of(auditWords)
  const { actors } = words.say
  const linkTo = (filter: 'who' | 'subject', value: string, text: unknown) =>
    html`<a href="/console/audit?${filter}=${encodeURIComponent(value)}">${text}</a>`
  return recordTable(
    changes,
    [
      { name: say.when, cell: ({ at }) => html`<span class="nowrap">${words.instant(at)}</span>` },
      {
        name: say.who,
        cell: ({ actor }) =>
          html`${linkTo('who', actor.id, actor.name ?? actors[actor.kind])}<small>${say.kinds[actor.kind]}</small>`,
      },
      { name: say.what, cell: (one) => html`${words.action(one.action)}${oldAndNew(one, words)}` },
      {
        name: say.recordColumn,
        cell: ({ subjectId }) =>
          html`${idLink(subjectId)}<small>${linkTo('subject', subjectId, say.onlyThis)}</small>`,
      },
      { name: say.request, cell: ({ requestId }) => requestId !== null && html`<code>${requestId}</code>` },
    ],
    { label: say.title, isFlush: true },
  )
}

/** Only what differs. */
function oldAndNew(change: AuditedChange, words: Words): Html {
  const { audit: say } = words.of(auditWords)
  const rows = differences(change)
  if (rows.length === 0) return html``
  const value = (tag: 'del' | 'ins', name: string, text: string) =>
    text !== '' && html`<${trusted(tag)}><span class="hidden">${name}: </span>${text}</${trusted(tag)}>`
  return html`<details class="changes"><summary>${say.changes}</summary><dl>${rows.map(
    ({ field, before, after }) =>
      html`<dt>${say.members[field] ?? field}</dt><dd>${value('del', say.before, before)}${value('ins', say.after, after)}</dd>`,
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

async function auditFile({ service, book, query, words }: Asked): Promise<PageAnswer> {
  const filters = filtersOf(query, book.timeZone)
  const rows: AuditedChange[] = []
  let before: bigint | null = null
  do {
    const page = await listChanges(service.db, book.bookId, filters, { limit: FILE_STEP, before })
    rows.push(...page.items)
    before = page.next
  } while (before !== null && rows.length < FILE_MAX)
  const { audit: say } = words.of(auditWords)
  const content = csvText(
    [say.when, say.who, say.kind, say.what, say.recordColumn, say.request, say.before, say.after],
    rows.map((one) => {
      const changed = differences(one)
      const listed = (side: 'before' | 'after') =>
        changed.map((row) => `${row.field}: ${row[side]}`).join('; ')
      return [
        one.at.toISOString(),
        one.actor.name ?? one.actor.id,
        one.actor.kind,
        one.action,
        one.subjectId,
        one.requestId ?? '',
        listed('before'),
        listed('after'),
      ]
    }),
  )
  return { kind: 'file', name: 'audit-log.csv', type: 'text/csv; charset=utf-8', content }
}
