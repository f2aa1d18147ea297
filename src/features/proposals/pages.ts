/**
 * The penal rules: tiers as a table, what a change would have charged on real deposits, and JSON for rules that a table
 * cannot express. A new version is put in force, or sent for approval where the policy requires it.
 */

import { randomUUID } from 'node:crypto'
import { countApprovals } from '../../domain/approvals.ts'
import type { RuleSet } from '../../domain/rules.ts'
import { pairs } from '../../page/card.ts'
import type { Fields } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { type Asked, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { sureDialog } from '../../page/sure.ts'
import { successBody } from '../../wire/envelope.ts'
import { parseJson } from '../../wire/json.ts'
import { refusalWord } from '../../words/refusals.ts'
import type { Words } from '../../words/words.ts'
import { requestApproval } from '../approvals/changes.ts'
import { depositWords } from '../deposits/words.ts'
import { policyReader } from '../holding/changes.ts'
import { impactCard } from '../impact/card.ts'
import { impactOfRules } from '../impact/changes.ts'
import { impactWords } from '../impact/words.ts'
import { effectOf, policyCard, rulesBody, taxCard } from '../rulebook/card.ts'
import {
  readJson,
  readTyped,
  type Tier,
  termFields,
  termTexts,
  tierList,
  tiersOf,
  tierTable,
  typedTiers,
} from '../rulebook/form.ts'
import { ruleWords } from '../rulebook/words.ts'
import { readRulesInForce, rulesDocument } from '../rules/changes.ts'
import { formatRuleSet, parseRuleSet } from '../rules/record.ts'
import { listRuleSets } from '../rules/store.ts'

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
  if (typeof read === 'string') return rulesPage(asked, form, read)
  if (form.get('look') === 'yes') return rulesPage(asked, form, null, read)
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
  const body = parseJson(formatRuleSet(read))
  const result = await requestApproval(
    service,
    originOf(key),
    { operation: 'replaceRules', targetId: null, body, value: rulesBody(body), note: null },
    () => ({ status: 201, body: successBody('The change waits for approval.', null), madeId: 'waits' }),
  )
  if (result.outcome === 'refused') {
    return rulesPage(asked, form, `${say.wrong} ${refusalWord(result, words)}`)
  }
  return redirect('/console/rules?done=waits')
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
  const known = tiersOf(rules)
  const typed = known === null ? null : typedTiers(form, known)
  const read = readTyped(form, rules, words)
  const proposed = typeof read === 'string' ? rules : read
  const wrong = typeof read === 'string' && html`<p class="notice bad" role="alert">${read}</p>`
  const preview = html`<div id="preview">${wrong}${await effectOf(asked, { rules, proposed, today })}</div>`
  if (part === 'preview') return { kind: 'part', part: preview }
  const policy = await policyReader.readNewest(db, versions, book.bookId)
  const needsApproval = countApprovals(policy?.document ?? null, 'replaceRules', () => ({})).needed > 0
  const submit = needsApproval ? say.send(version + 1) : say.submit(version + 1)
  const done = query.get('done')
  return show(
    'rules',
    say.title,
    html`<header class="head">
<div><h1>${say.title} <span class="thin">${say.inForce(version)}</span></h1><p class="sub">${say.text}</p></div>
<div class="actions"><a class="button" href="/console/rules/versions">${say.versions}</a></div>
</header>
${done !== '' && html`<p class="notice good" role="status">${done === 'waits' ? say.waits : say.done(version)}</p>`}
${refused !== null && html`<p class="notice bad" role="alert">${refused}</p>`}
${looked !== null && impactCard(await impactOfRules(service, book, looked), 'terms', words)}
<div class="split even"><div class="stack-all"><section class="card" aria-labelledby="edit"><h2 id="edit">${say.propose}</h2>
${editForms(asked, form, { rules, proposed, typed, versions: { now: version, submit, needsApproval } })}
</section></div>
<section class="card" aria-labelledby="effect"><h2 id="effect">${say.effect}</h2>${preview}</section></div>
<div class="halves">
${may('approvals:read') && policyCard(policy, words)}
${may('tax:read') && (await taxCard(asked, today))}
</div>`,
    refused === null ? 200 : 422,
  )
}

type Edited = {
  rules: RuleSet
  proposed: RuleSet
  /** null: the rules say more than a table can. */
  typed: readonly Tier[] | null
  versions: { now: number; submit: string; needsApproval: boolean }
}

function editForms({ words, may }: Asked, form: Fields, { rules, proposed, typed, versions }: Edited): Html {
  const { rules: say } = words.of(ruleWords)
  const { submit } = versions
  const [key, jsonKey] = [randomUUID(), randomUUID()]
  const json = form.has('json')
    ? form.get('json')
    : JSON.stringify(parseJson(formatRuleSet(proposed)), null, 2)
  const tiers = html`<form class="tiers" action="/console/rules" data-live="preview">
${typed === null ? html`<p>${say.onlyJson}</p>` : html`${tierTable(typed, words)}<p class="hint">${say.removal}</p>`}
${termFields(form, rules, words)}
<div class="row">
${typed !== null && html`<button class="button" name="add" value="yes">${say.add}</button>`}
${may('rules:write') && lookButton(words)}
${may('rules:write') && html`<button class="button primary" formmethod="post" name="key" value="${key}" data-confirm="sure-rules">${submit}</button>`}
${may('rules:write') && sureOfVersion('sure-rules', key, versions, words)}
</div></form>`
  if (!may('rules:write')) return html`${tiers}<p class="notice">${say.mayNot}</p>`
  return html`${tiers}
<details class="edit"${form.has('json') && trusted(' open')}>
<summary>${say.json}</summary>
<form class="fill" method="post" action="/console/rules">
<div class="field">
<label for="json">${say.jsonLabel}</label>
<p class="hint">${say.jsonText}</p>
<textarea id="json" name="json" rows="18" spellcheck="false">${json}</textarea>
</div>
<div class="row">
${lookButton(words)}
<button class="button" name="key" value="${jsonKey}" data-confirm="sure-json">${submit}</button>
${sureOfVersion('sure-json', jsonKey, versions, words)}
</div></form></details>`
}

function sureOfVersion(
  id: string,
  key: string,
  { now, submit, needsApproval }: Edited['versions'],
  words: Words,
): Html {
  const { rules: say } = words.of(ruleWords)
  return sureDialog(
    {
      id,
      title: say.sure(submit),
      rows: [[say.versions, say.sureVersions(now, now + 1)]],
      text: needsApproval ? say.waitsText : say.text,
      submit: html`<button class="button primary" formmethod="post" name="key" value="${key}">${submit}</button>`,
    },
    words,
  )
}

/** Asks for the same page, with the impact of what is typed. */
function lookButton(words: Words): Html {
  return html`<button class="button" formmethod="post" name="look" value="yes">${words.of(impactWords).look}</button>`
}

async function versionsPage({ service, book, words }: Asked): Promise<PageAnswer> {
  const { rules: say } = words.of(ruleWords)
  const { deposit } = words.of(depositWords)
  const kept = await listRuleSets(service.db, book.bookId, VERSIONS_MAX)
  return show(
    'rules',
    say.versions,
    html`<nav class="crumbs" aria-label="${deposit.breadcrumb}">
<ol><li><a href="/console/rules">${say.title}</a></li><li aria-current="page">${say.versions}</li></ol>
</nav>
<header class="head"><h1>${say.versions}</h1></header>
${kept.map(
  ({ version, rules, created_at }) =>
    html`<section class="card" aria-labelledby="v${version}">
<h2 id="v${version}">${deposit.version(version)} <small>${say.since(words.instant(created_at))}</small></h2>
${tierList(tiersOf(parseRuleSet(rules)), words)}
${pairs(termTexts(parseRuleSet(rules), words))}
<details class="edit">
<summary>JSON</summary>
<div class="scroll" tabindex="0" role="group" aria-label="JSON ${version}">
<pre>${JSON.stringify(parseJson(rules), null, 2)}</pre>
</div>
</details>
</section>`,
)}`,
  )
}
