import { accessTabs } from '../../console/frame.ts'
import { type Asked, type Fields, type Page, type PageAnswer, redirect, show } from '../../console/page.ts'
import { recordTable } from '../../console/table.ts'
import type { ApiKey } from '../../domain/api-key.ts'
import { type Authority, refuseEscalation } from '../../domain/authority.ts'
import { SCOPES } from '../../domain/scopes.ts'
import { type Html, html, trusted } from '../../wire/html.ts'
import { readBody } from '../../wire/reader.ts'
import { authorityOf, createApiKey, revokeApiKey } from './changes.ts'
import { keyTerms, NewApiKey } from './record.ts'
import { listApiKeys } from './store.ts'

const SHOWN = { limit: 100, before: null }

export const keyPages: Page[] = [
  { method: 'GET', path: '/access/keys', scope: 'api_keys:read', answer: (asked) => keysPage(asked, null) },
  { method: 'POST', path: '/access/keys', scope: 'api_keys:write', answer: makeKey },
  { method: 'POST', path: '/access/keys/:api_key_id/revoke', scope: 'api_keys:write', answer: revoke },
]

/** What the person may grant: nobody can grant more access than they have. */
function heldBy({ identity }: Asked): Authority {
  return { scopes: identity.scopes, endsAt: null, rateLimitPerMinute: null }
}

async function makeKey(asked: Asked): Promise<PageAnswer> {
  const { service, form, words, originOf } = asked
  const name = form.get('name').trim()
  const scopes = SCOPES.filter((scope) => form.has(`may ${scope}`))
  const read = readBody(NewApiKey, { ...(name !== '' && { name }), scopes })
  if (!read.ok) return keysPage(asked, { bad: words.say.keys.needs })
  const made = await createApiKey(service, originOf(null), { ...keyTerms(read.value), held: heldBy(asked) })
  if (made.outcome !== 'done') return keysPage(asked, { bad: words.say.keys.mayNot })
  return keysPage(asked, { key: made.value.key })
}

async function revoke(asked: Asked): Promise<PageAnswer> {
  const { service, params, words, originOf } = asked
  const request = { apiKeyId: params.api_key_id!, held: heldBy(asked) }
  const revoked = await revokeApiKey(service, originOf(null), request)
  if (revoked.outcome !== 'refused') return redirect('/console/access/keys?done=revoked')
  return revoked.code === 'api_key_not_found'
    ? { kind: 'not_found' }
    : keysPage(asked, { bad: words.say.keys.mayNot })
}

type Outcome = { bad: string } | { key: string } | null

async function keysPage(asked: Asked, outcome: Outcome): Promise<PageAnswer> {
  const { service, book, words, may, query } = asked
  const { keys: say, people } = words.say
  const { items } = await listApiKeys(service.db, book.bookId, SHOWN)
  return show(
    'access',
    say.title,
    html`<header class="head"><div><h1>${say.title}</h1><p class="sub">${say.book(people.modes[book.mode].toLowerCase())}</p></div></header>
${accessTabs('/access/keys', asked)}
${query.get('done') === 'revoked' && html`<p class="notice good" role="status">${say.done}</p>`}
${outcome !== null && 'bad' in outcome && html`<p class="notice bad" role="alert">${outcome.bad}</p>`}
${outcome !== null && 'key' in outcome && html`<div class="notice good" role="status"><p><b>${say.shown}</b></p><p class="secret"><code>${outcome.key}</code><button type="button" class="quiet" data-js data-copy="${outcome.key}" data-copied="${words.say.copied}">${words.say.copy}</button></p></div>`}
<section class="card flush">${items.length === 0 ? html`<p class="inset">${say.none}</p>` : keyTable(items, asked)}</section>
${may('api_keys:write') && newKeyForm(asked, asked.form)}`,
    outcome !== null && 'bad' in outcome ? 422 : 200,
  )
}

function keyTable(keys: readonly ApiKey[], asked: Asked): Html {
  const { words, may, service } = asked
  const { keys: say } = words.say
  const now = service.clock()
  const nameOf = (key: ApiKey) => key.name ?? key.keyPrefix
  const revokeForm = (key: ApiKey) =>
    refuseEscalation(heldBy(asked), authorityOf(key)) === null
      ? html`<form method="post" action="/console/access/keys/${key.apiKeyId}/revoke"><button class="button danger" aria-label="${say.revokeOf(nameOf(key))}">${say.revoke}</button></form>`
      : html`<small>${say.mayNot}</small>`
  return recordTable(
    keys,
    [
      {
        name: say.name,
        cell: (key) => html`<b>${nameOf(key)}</b><small><code>${key.keyPrefix}…</code></small>`,
      },
      { name: say.scopes, cell: ({ scopes }) => scopes.join(', ') },
      { name: say.made, cell: ({ createdAt }) => words.instant(createdAt) },
      {
        name: say.lastUsed,
        cell: ({ lastUsedAt }) => (lastUsedAt === null ? words.say.people.never : words.instant(lastUsedAt)),
      },
      {
        name: say.status,
        cell: (key) => {
          const status = statusOf(key, now)
          return html`<span class="badge ${status === 'active' && trusted('active')}">${say[status]}</span>`
        },
      },
      may('api_keys:write') && {
        name: null,
        cell: (key) => statusOf(key, now) === 'active' && revokeForm(key),
      },
    ],
    { label: say.title, isFlush: true },
  )
}

function statusOf({ revokedAt, expiresAt }: ApiKey, now: Date): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== null && revokedAt <= now) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active'
}

function newKeyForm({ words, may }: Pick<Asked, 'words' | 'may'>, form: Fields): Html {
  const { keys: say } = words.say
  const offered = SCOPES.filter((scope) => scope !== '*' && may(scope))
  return html`<section class="card" aria-labelledby="make"><h2 id="make">${say.make}</h2><p class="hint">${say.makeText}</p><form class="fill" method="post" action="/console/access/keys"><div class="field limited"><label for="name">${say.name}</label><input id="name" name="name" maxlength="100" autocomplete="off" value="${form.get('name')}"></div><fieldset class="checks"><legend>${say.scopes}</legend>${offered.map((scope) => html`<label class="check"><input type="checkbox" name="may ${scope}" value="yes"${form.has(`may ${scope}`) && trusted(' checked')}> ${scope}</label>`)}</fieldset><div><button class="button primary">${say.submit}</button></div></form></section>`
}
