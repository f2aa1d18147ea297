import type { ApiKey } from '../../domain/api-key.ts'
import { FULL_AUTHORITY } from '../../domain/authority.ts'
import { isResting } from '../../domain/people.ts'
import { SCOPES, type Scope } from '../../domain/scopes.ts'
import { inputField, selectField } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { fileColumn, type List, type ListColumn, listFilePage, listSection } from '../../page/list.ts'
import { type Notice, showNotice } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { sureDialog } from '../../page/sure.ts'
import { accessTabs } from '../../page/tabs.ts'
import { readBody } from '../../wire/reader.ts'
import type { Words } from '../../words/words.ts'
import { guardedScopes } from '../approvals/operations.ts'
import { policyReader } from '../holding/changes.ts'
import { confirmButton, mayConfirm } from '../people/list.ts'
import { confirmApiKey, createApiKey, revokeApiKey, rollApiKey } from './changes.ts'
import { keyTerms, NewApiKey } from './record.ts'
import { listApiKeys } from './store.ts'
import { keyWords } from './words.ts'

const KEYS_MAX = { limit: 1000, before: null }

const list: List<ApiKey> = {
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

export const keyPages: Page[] = [
  listFilePage(list),
  { method: 'GET', path: '/access/keys', scope: 'api_keys:read', answer: (asked) => keysPage(asked, null) },
  {
    method: 'POST',
    path: '/access/keys',
    scope: 'api_keys:write',
    needsRecentSignIn: () => true,
    answer: makeKey,
  },
  {
    method: 'POST',
    path: '/access/keys/:api_key_id/:act',
    scope: 'api_keys:write',
    needsRecentSignIn: () => true,
    answer: change,
  },
]

const OVERLAP_SECONDS = 24 * 60 * 60

/** An administrator makes keys with any scope that the approval policy of the book does not guard. */
async function offeredScopes({ service, book }: Asked): Promise<Scope[]> {
  const policy = await policyReader.readNewest(service.db, service.versions, book.bookId)
  const guarded = guardedScopes(policy?.document ?? null)
  return SCOPES.filter((scope) => scope !== '*' && !guarded.has(scope))
}

async function makeKey(asked: Asked): Promise<PageAnswer> {
  const { service, form, words, originOf } = asked
  const name = form.get('name').trim()
  const scopes = SCOPES.filter((scope) => form.has(`may ${scope}`))
  const read = readBody(NewApiKey, { ...(name !== '' && { name }), scopes })
  if (!read.ok) return keysPage(asked, { bad: words.of(keyWords).keys.needs })
  const held = { ...FULL_AUTHORITY, scopes: await offeredScopes(asked) }
  const made = await createApiKey(service, originOf(null), { ...keyTerms(read.value), held })
  if (made.outcome !== 'done') return keysPage(asked, { bad: words.of(keyWords).keys.mayNot })
  return keysPage(asked, { key: made.value.key })
}

/** An administrator replaces, revokes and confirms any key of the book. */
async function change(asked: Asked): Promise<PageAnswer> {
  const { service, params, words, originOf, may } = asked
  const { keys: say } = words.of(keyWords)
  const { signInRefusals } = words.say
  const request = { apiKeyId: params.api_key_id!, held: FULL_AUTHORITY }
  switch (params.act) {
    case 'revoke': {
      const revoked = await revokeApiKey(service, originOf(null), request)
      return revoked.outcome === 'refused' ? NOT_FOUND : redirect('/console/access/keys?done=revoked')
    }
    case 'roll': {
      const rolled = await rollApiKey(service, originOf(null), {
        ...request,
        overlapSeconds: OVERLAP_SECONDS,
      })
      if (rolled.outcome === 'done')
        return keysPage(asked, { key: rolled.value.successor.key, isRolled: true })
      const isKnown = rolled.outcome === 'refused' && rolled.code === 'api_key_not_active'
      return isKnown ? keysPage(asked, { bad: say.notActive }) : NOT_FOUND
    }
    case 'confirm': {
      if (!may('people:write')) return NOT_FOUND
      const confirmed = await confirmApiKey(service, originOf(null), request.apiKeyId)
      if (confirmed.outcome !== 'done') return NOT_FOUND
      if (confirmed.value.outcome === 'confirmed') return redirect('/console/access/keys?done=confirmed')
      return keysPage(asked, { bad: signInRefusals[confirmed.value.code] })
    }
    default:
      return NOT_FOUND
  }
}

type NewKey = { key: string; isRolled?: true }
type Outcome = { bad: string } | NewKey | null

/** The key itself is shown only this once. */
function newKeyNotice({ key, isRolled }: NewKey, words: Words): Notice {
  const { keys: say } = words.of(keyWords)
  return { kind: 'good', text: html`<p><b>${say.shown}</b> ${isRolled && say.rolledFor}</p>`, secret: key }
}

async function keysPage(asked: Asked, outcome: Outcome): Promise<PageAnswer> {
  const { book, words, may, query } = asked
  const { keys: say } = words.of(keyWords)
  return show(
    'access',
    say.title,
    html`<header class="head"><div><h1>${say.title}</h1><p class="sub">${say.book(words.say.modes[book.mode].toLowerCase())}</p></div></header>
${accessTabs('/access/keys', asked)}
${query.get('done') === 'revoked' && html`<p class="notice good" role="status">${say.done}</p>`}
${query.get('done') === 'confirmed' && html`<p class="notice good" role="status">${say.confirmed}</p>`}
${outcome !== null && 'bad' in outcome && html`<p class="notice bad" role="alert">${outcome.bad}</p>`}
${outcome !== null && 'key' in outcome && showNotice(newKeyNotice(outcome, words), words)}
${await listSection(list, asked, 'keys')}
${may('api_keys:write') && newKeyForm(asked, await offeredScopes(asked))}`,
    outcome !== null && 'bad' in outcome ? 422 : 200,
  )
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
      cell: ({ scopes }) => scopes.join(', '),
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

function nameOf({ name, keyPrefix }: ApiKey): string {
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

/** A form that ends a key, or is the beginning of its end, after a second look. */
function endingForm(key: ApiKey, act: 'roll' | 'revoke', words: Words): Html {
  const { keys: say } = words.of(keyWords)
  const name = key.name ?? key.keyPrefix
  const id = `${act}-${key.apiKeyId}`
  const isEnd = act === 'revoke'
  const sure = sureDialog(
    {
      id,
      title: say.sure[act](name),
      rows: [
        [say.name, html`${name} <code>${key.keyPrefix}…</code>`],
        [say.lastUsed, key.lastUsedAt === null ? words.say.never : words.instant(key.lastUsedAt)],
      ],
      text: say.sureText[act],
      submit: html`<button class="button ${isEnd ? 'danger' : 'primary'}">${isEnd ? say.revoke : say.roll}</button>`,
    },
    words,
  )
  return html`<form method="post" action="/console/access/keys/${key.apiKeyId}/${act}" data-confirm="${id}">
<button class="button ${isEnd && 'danger'}" aria-label="${isEnd ? say.revokeOf(name) : say.rollOf(name)}">
${isEnd ? say.revoke : say.roll}</button>${sure}</form>`
}

function statusOf({ revokedAt, expiresAt }: ApiKey, now: Date): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== null && revokedAt <= now) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active'
}

function newKeyForm({ words, form }: Asked, offered: readonly Scope[]): Html {
  const { keys: say } = words.of(keyWords)
  const check = (scope: Scope) => html`<label class="check">
<input type="checkbox" name="may ${scope}" value="yes"${form.has(`may ${scope}`) && trusted(' checked')}>
${scope}
</label>`
  return html`<section class="card" aria-labelledby="make">
<h2 id="make">${say.make}</h2>
<p class="hint">${say.makeText}</p>
<form class="fill" method="post" action="/console/access/keys">
<div class="field limited">
<label for="name">${say.name}</label>
<input id="name" name="name" maxlength="100" autocomplete="off" value="${form.get('name')}">
</div>
<fieldset class="checks">
<legend>${say.scopes}</legend>
${offered.map(check)}
</fieldset>
<div><button class="button primary">${say.submit}</button></div>
</form>
</section>`
}
