/** The keys of a book, with what ends them. */
import type { ApiKey } from '../../domain/api-key.ts'
import { isResting } from '../../domain/people.ts'
import { inputField, selectField } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { fileColumn, type List, type ListColumn } from '../../page/list.ts'
import type { Asked } from '../../page/page.ts'
import { type Sure, sureDialog } from '../../page/sure.ts'
import type { Words } from '../../words/words.ts'
import { confirmButton, mayConfirm } from '../people/list.ts'
import { listApiKeys } from './store.ts'
import { keyWords } from './words.ts'

const KEYS_MAX = { limit: 1000, before: null }

export const keyList: List<ApiKey> = {
  path: '/access/keys',
  section: 'access',
  scope: 'api_keys:read',
  title: ({ words }) => words.of(keyWords).keys.title,
  none: (words) => words.of(keyWords).keys.none,
  filters: ['status', 'find'],
  fields: ({ query, words }) => {
    const { keys: say } = words.of(keyWords)
    const { active, revoked, expired } = say
    const texts = { '': say.all, active, revoked, expired }
    return html`${selectField({ name: 'status', label: say.status, texts, value: query.get('status') })}
${inputField({ name: 'find', label: say.find, max: 64, value: query.get('find') })}`
  },
  columns: columnsFor,
  idOf: ({ apiKeyId }) => apiKeyId,
  rows: async ({ service, book, query }) => {
    const { items } = await listApiKeys(service.db, book.bookId, KEYS_MAX)
    const [status, wanted] = [query.get('status'), query.get('find').trim().toLowerCase()]
    const now = service.clock()
    return items
      .filter((key) => status === '' || statusOf(key, now) === status)
      .filter((key) =>
        `${nameOf(key)} ${key.apiKeyId} ${key.scopes.join(' ')}`.toLowerCase().includes(wanted),
      )
  },
}

function columnsFor(asked: Asked): (ListColumn<ApiKey> | false)[] {
  const { words, may, service } = asked
  const { keys: say } = words.of(keyWords)
  const now = service.clock()
  return [
    {
      key: 'name',
      name: say.name,
      cell: (key) => html`<b>${nameOf(key)}</b><small><code>${key.keyPrefix}…</code></small>`,
      text: nameOf,
      order: nameOf,
    },
    {
      key: 'scopes',
      name: say.scopes,
      cell: ({ scopes }) => (scopes.includes('*') ? say.everything : scopes.join(', ')),
      text: ({ scopes }) => scopes.join(' '),
    },
    {
      key: 'made',
      name: say.made,
      cell: ({ createdAt }) => words.instant(createdAt),
      text: ({ createdAt }) => createdAt.toISOString(),
      order: ({ createdAt }) => createdAt.getTime(),
    },
    {
      key: 'last_used',
      name: say.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? words.say.never : words.instant(lastUsedAt)),
      text: ({ lastUsedAt }) => lastUsedAt?.toISOString() ?? '',
      order: ({ lastUsedAt }) => lastUsedAt?.getTime() ?? 0,
    },
    {
      key: 'expires',
      name: say.expires,
      cell: ({ expiresAt }) => (expiresAt === null ? words.say.never : words.instant(expiresAt)),
      text: ({ expiresAt }) => expiresAt?.toISOString() ?? '',
      order: ({ expiresAt }) => expiresAt?.getTime() ?? Number.MAX_SAFE_INTEGER,
    },
    {
      key: 'status',
      name: say.status,
      cell: (key) => {
        const status = statusOf(key, now)
        const isNew = status === 'active' && isResting(key.rest, now)
        return html`<span class="badge ${status === 'active' && trusted('active')}">${say[status]}</span>
${isNew && html`<small>${say.worksFrom(words.instant(key.rest!.until))}</small>`}`
      },
      text: (key) => statusOf(key, now).toUpperCase(),
      order: (key) => statusOf(key, now),
    },
    fileColumn('api_key_id', ({ apiKeyId }) => apiKeyId),
    may('api_keys:write') && {
      key: 'acts',
      name: null,
      cell: (key) => statusOf(key, now) === 'active' && keyForms(key, asked),
    },
  ]
}

export function nameOf({ name, keyPrefix }: ApiKey): string {
  return name ?? keyPrefix
}

function keyForms(key: ApiKey, asked: Asked): Html {
  const { words, may } = asked
  const path = `/access/keys/${key.apiKeyId}`
  const mayGive = may('people:write') && key.rest !== null && mayConfirm(key.rest, asked)
  return html`<div class="row">
${mayGive && confirmButton(path, { name: nameOf(key), rest: key.rest! }, asked)}
${endingForm(key, 'roll', words)}
${endingForm(key, 'revoke', words)}
</div>`
}

/** What ends a key, or is the beginning of its end. */
export type Ending = 'roll' | 'revoke'

export function endingOf(key: ApiKey, act: Ending, words: Words): Sure {
  const { keys: say } = words.of(keyWords)
  const name = nameOf(key)
  const look = act === 'revoke' ? 'danger' : 'primary'
  return {
    title: say.sure[act](name),
    rows: [
      [say.name, html`${name} <code>${key.keyPrefix}…</code>`],
      [say.lastUsed, key.lastUsedAt === null ? words.say.never : words.instant(key.lastUsedAt)],
    ],
    text: say.sureText[act],
    submit: html`<button class="button ${look}" name="sure" value="yes">${say[act]}</button>`,
  }
}

function endingForm(key: ApiKey, act: Ending, words: Words): Html {
  const { keys: say } = words.of(keyWords)
  const name = nameOf(key)
  const id = `${act}-${key.apiKeyId}`
  const isEnd = act === 'revoke'
  return html`<form method="post" action="/console/access/keys/${key.apiKeyId}/${act}" data-confirm="${id}">
<button class="button ${isEnd && 'danger'}" aria-label="${isEnd ? say.revokeOf(name) : say.rollOf(name)}">
${say[act]}</button>${sureDialog({ id, ...endingOf(key, act, words) }, words)}</form>`
}

function statusOf({ revokedAt, expiresAt }: ApiKey, now: Date): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== null && revokedAt <= now) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active'
}
