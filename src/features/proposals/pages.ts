/**
 * The penal rules: tiers as a table, what a change would have charged on real deposits, and JSON for rules that a table
 * cannot express. A new version is put in force, or sent for approval where the policy requires it.
 */

import { randomUUID } from 'node:crypto'
import type { RuleSet } from '../../domain/rules.ts'
import { crumbs } from '../../page/crumbs.ts'
import type { Fields } from '../../page/form.ts'
import { html } from '../../page/html.ts'
import { noticeLine } from '../../page/notice.ts'
import { type Asked, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { goesBack, surePage } from '../../page/sure.ts'
import { successBody } from '../../wire/envelope.ts'
import { refusalWord } from '../../words/refusals.ts'
import { requestApproval } from '../approvals/changes.ts'
import { noteIn } from '../counter/form.ts'
import { policyReader } from '../holding/changes.ts'
import { impactCard } from '../impact/card.ts'
import { impactOfRules } from '../impact/changes.ts'
import { effectOf, policyCard, rulesBody, taxCard } from '../rulebook/card.ts'
import { readJson, readTyped, tiersOf, typedTiers } from '../rulebook/form.ts'
import { ruleWords } from '../rulebook/words.ts'
import { readRulesInForce, rulesDocument } from '../rules/changes.ts'
import { listRuleSets } from '../rules/store.ts'
import { editForms, nextVersion, rulesJson, sureOfVersion, versionCard } from './card.ts'

export const rulePages: Page[] = [
  {
    method: 'GET',
    path: '/rules',
    scope: 'rules:read',
    answer: (asked) => rulesPage(asked, asked.query, null),
  },
  { method: 'POST', path: '/rules', scope: 'rules:write', answer: propose },
  { method: 'GET', path: '/rules/versions', scope: 'rules:read', answer: versionsPage },
]

const VERSIONS_MAX = 50

async function propose(asked: Asked): Promise<PageAnswer> {
  const { service, book, form, words, originOf } = asked
  const { rules: say } = words.of(ruleWords)
  const key = form.get('key')
  const { rules } = await readRulesInForce(service.db, service.versions, book.bookId)
  const read = form.has('json') ? readJson(form.get('json'), words) : readTyped(form, rules, words)
  if (goesBack(form)) return rulesPage(asked, form, null)
  if (typeof read === 'string') return rulesPage(asked, form, read)
  if (form.get('look') === 'yes') return rulesPage(asked, form, null, read)
  if (form.get('look') === 'sure') return secondLook(asked)
  if (!/^[\w-]{20,64}$/.test(key)) return rulesPage(asked, form, say.wrong)
  const direct = await rulesDocument.replace(service, originOf(key), read, ({ version }) => ({
    status: 200,
    body: successBody('The liquidation rules were replaced.', { version }),
    madeId: String(version),
  }))
  if (direct.outcome !== 'refused') return redirect(`/console/rules?done=${direct.answer?.madeId}`)
  if (direct.code !== 'approval_required') {
    return rulesPage(asked, form, `${say.wrong} ${refusalWord(direct, words)}`)
  }
  const body = rulesJson(read)
  const result = await requestApproval(
    service,
    originOf(key),
    { operation: 'replaceRules', targetId: null, body, value: rulesBody(body), note: noteIn(form) },
    () => ({ status: 201, body: successBody('The change waits for approval.', null), madeId: 'waits' }),
  )
  if (result.outcome === 'refused') {
    return rulesPage(asked, form, `${say.wrong} ${refusalWord(result, words)}`)
  }
  return redirect('/console/rules?done=waits')
}

/** Asks again on a page of its own, for browsers without script, where the first button opens no dialog. */
async function secondLook(asked: Asked): Promise<PageAnswer> {
  const { form, words } = asked
  const kept = [...new URLSearchParams(form.text)].filter(([name]) => !['look', 'note'].includes(name))
  const sure = sureOfVersion(asked, { ...(await nextVersion(asked)), key: randomUUID(), id: 'sure' })
  return show('rules', sure.title, surePage(sure, { action: '/console/rules', kept }, words))
}

async function rulesPage(
  asked: Asked,
  form: Fields,
  refused: string | null,
  looked: RuleSet | null = null,
): Promise<PageAnswer> {
  const { service, book, words, may, query, part } = asked
  const { db, versions } = service
  const { rules: say } = words.of(ruleWords)
  const { today } = await service.momentIn(book)
  const { version, rules } = await readRulesInForce(db, versions, book.bookId)
  const known = tiersOf(rules, words)
  const typed = known === null ? null : typedTiers(form, known)
  const read = readTyped(form, rules, words)
  const proposed = typeof read === 'string' ? rules : read
  const wrong = typeof read === 'string' && noticeLine('bad', read)
  const preview = html`<div id="preview">${wrong}${await effectOf(asked, { rules, proposed, today })}</div>`
  if (part === 'preview') return { kind: 'part', part: preview }
  const policy = await policyReader.readNewest(db, versions, book.bookId)
  const next = await nextVersion(asked)
  const done = query.get('done')
  return show(
    'rules',
    say.title,
    html`<header class="head">
<div><h1>${say.title} <span class="thin">${say.inForce(version)}</span></h1><p class="sub">${say.text}</p></div>
<div class="actions"><a class="button" href="/console/rules/versions">${say.versions}</a></div>
</header>
${done !== '' && noticeLine('good', done === 'waits' ? say.waits : say.done(version))}
${refused !== null && noticeLine('bad', refused)}
${looked !== null && impactCard(await impactOfRules(service, book, looked), 'terms', words)}
<div class="split even"><div class="stack-all">
<section class="card" aria-labelledby="edit"><h2 id="edit">${say.propose}</h2>
${editForms(asked, form, { rules, proposed, typed, next })}
</section></div>
<section class="card" aria-labelledby="effect"><h2 id="effect">${say.effect}</h2>${preview}</section></div>
<div class="halves">
${may('approvals:read') && policyCard(policy, words)}
${may('tax:read') && (await taxCard(asked, today))}
</div>`,
    refused === null ? 200 : 422,
  )
}

async function versionsPage({ service, book, words }: Asked): Promise<PageAnswer> {
  const { rules: say } = words.of(ruleWords)
  const kept = await listRuleSets(service.db, book.bookId, VERSIONS_MAX)
  return show(
    'rules',
    say.versions,
    html`${crumbs([[say.title, '/rules']], say.versions, words)}
<header class="head"><h1>${say.versions}</h1></header>
${kept.map((one) => versionCard(one, words))}`,
  )
}
