import { FULL_AUTHORITY } from '../../domain/authority.ts'
import { addDays, isIsoDate, startOfBusinessDate } from '../../domain/dates.ts'
import { SCOPES, type Scope } from '../../domain/scopes.ts'
import { inputField } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { listFilePage, listSection } from '../../page/list.ts'
import { type Notice, noticeLine, showNotice } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { isSure, surePage } from '../../page/sure.ts'
import { accessTabs } from '../../page/tabs.ts'
import { readBody } from '../../wire/reader.ts'
import type { Words } from '../../words/words.ts'
import { guardedScopes } from '../approvals/operations.ts'
import { policyReader } from '../holding/changes.ts'
import { confirmApiKey, createApiKey, revokeApiKey, rollApiKey } from './changes.ts'
import { type Ending, endingOf, keyList } from './list.ts'
import { keyTerms, NewApiKey } from './record.ts'
import { findApiKey } from './store.ts'
import { keyWords } from './words.ts'

export const keyPages: Page[] = [
  listFilePage(keyList),
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
  const { service, book, form, words, originOf } = asked
  const name = form.get('name').trim()
  const scopes = SCOPES.filter((scope) => form.has(`may ${scope}`))
  const day = form.get('expires_on')
  if (day !== '' && !isIsoDate(day)) return keysPage(asked, { bad: words.of(keyWords).keys.needsDay })
  // To the end of that day at the bank.
  const expires =
    day === '' ? {} : { expires_at: startOfBusinessDate(addDays(day, 1), book.timeZone).toISOString() }
  const read = readBody(NewApiKey, { ...(name !== '' && { name }), scopes, ...expires })
  if (!read.ok) return keysPage(asked, { bad: words.of(keyWords).keys.needs })
  const held = { ...FULL_AUTHORITY, scopes: await offeredScopes(asked) }
  const made = await createApiKey(service, originOf(null), { ...keyTerms(read.value), held })
  if (made.outcome === 'refused' && made.code === 'expires_at_in_past') {
    return keysPage(asked, { bad: words.of(keyWords).keys.needsDay })
  }
  if (made.outcome !== 'done') return keysPage(asked, { bad: words.of(keyWords).keys.mayNot })
  return keysPage(asked, { key: made.value.key })
}

/** An administrator replaces, revokes and confirms any key of the book. */
async function change(asked: Asked): Promise<PageAnswer> {
  const { service, form, params, words, originOf, may } = asked
  const { keys: say } = words.of(keyWords)
  const { signInRefusals } = words.say
  const request = { apiKeyId: params.api_key_id!, held: FULL_AUTHORITY }
  switch (params.act) {
    case 'revoke': {
      if (!isSure(form)) return secondLook(asked, 'revoke')
      const revoked = await revokeApiKey(service, originOf(null), request)
      return revoked.outcome === 'refused' ? NOT_FOUND : redirect('/console/access/keys?done=revoked')
    }
    case 'roll': {
      if (!isSure(form)) return secondLook(asked, 'roll')
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

async function secondLook({ service, book, params, words }: Asked, act: Ending): Promise<PageAnswer> {
  const key = await findApiKey(service.db, book.bookId, params.api_key_id!)
  if (key === undefined) return NOT_FOUND
  const back = '/console/access/keys'
  const ending = endingOf(key, act, words)
  const page = surePage(ending, { action: `${back}/${key.apiKeyId}/${act}`, back }, words)
  return show('access', ending.title, page)
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
    html`<header class="head"><div><h1>${say.title}</h1>
<p class="sub">${say.book(words.say.modes[book.mode].toLowerCase())}</p></div></header>
${accessTabs('/access/keys', asked)}
${query.get('done') === 'revoked' && noticeLine('good', say.done)}
${query.get('done') === 'confirmed' && noticeLine('good', say.confirmed)}
${outcome !== null && 'bad' in outcome && noticeLine('bad', outcome.bad)}
${outcome !== null && 'key' in outcome && showNotice(newKeyNotice(outcome, words), words)}
${await listSection(keyList, asked, 'keys')}
${may('api_keys:write') && newKeyForm(asked, await offeredScopes(asked))}`,
    outcome !== null && 'bad' in outcome ? 422 : 200,
  )
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
<div class="fields">
${inputField({ name: 'name', label: say.name, max: 100, value: form.get('name') })}
${inputField({
  name: 'expires_on',
  label: say.expiresOn,
  aside: words.say.optional,
  hint: say.expiresHint,
  type: 'date',
  value: form.get('expires_on'),
})}
</div>
<fieldset class="checks">
<legend>${say.scopes}</legend>
${offered.map(check)}
</fieldset>
<div><button class="button primary">${say.submit}</button></div>
</form>
</section>`
}
