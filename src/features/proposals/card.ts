/** The parts of the page of penal rules: the forms that propose a version, their second look, and one version. */
import { randomUUID } from 'node:crypto'
import { countApprovals } from '../../domain/approvals.ts'
import type { RuleSet } from '../../domain/rules.ts'
import { pairs } from '../../page/card.ts'
import type { Fields } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import type { Asked } from '../../page/page.ts'
import { type Sure, sureDialog } from '../../page/sure.ts'
import { type Json, parseJson } from '../../wire/json.ts'
import type { Words } from '../../words/words.ts'
import { noteField } from '../counter/form.ts'
import { depositWords } from '../deposits/words.ts'
import { policyReader } from '../holding/changes.ts'
import { impactWords } from '../impact/words.ts'
import { type Tier, termFields, termTexts, tierList, tiersOf, tierTable } from '../rulebook/form.ts'
import { ruleWords } from '../rulebook/words.ts'
import { readRulesInForce } from '../rules/changes.ts'
import { formatRuleSet, parseRuleSet } from '../rules/record.ts'
import type { listRuleSets } from '../rules/store.ts'

/** The rules as the API takes them. */
export function rulesJson(rules: RuleSet): Json {
  return parseJson(formatRuleSet(rules))
}

type NextVersion = { now: number; submit: string; needsApproval: boolean }

/** The version in force, and how the button is named that replaces it. */
export async function nextVersion({ service, book, words }: Asked): Promise<NextVersion> {
  const { db, versions } = service
  const { rules: say } = words.of(ruleWords)
  const { version: now } = await readRulesInForce(db, versions, book.bookId)
  const policy = await policyReader.readNewest(db, versions, book.bookId)
  const needsApproval = countApprovals(policy?.document ?? null, 'replaceRules', () => ({})).needed > 0
  return { now, needsApproval, submit: needsApproval ? say.send(now + 1) : say.submit(now + 1) }
}

type Edited = {
  rules: RuleSet
  proposed: RuleSet
  /** null: the rules say more than a table can. */
  typed: readonly Tier[] | null
  next: NextVersion
}

export function editForms(asked: Asked, form: Fields, { rules, proposed, typed, next }: Edited): Html {
  const { words, may } = asked
  const { rules: say } = words.of(ruleWords)
  const json = form.has('json') ? form.get('json') : JSON.stringify(rulesJson(proposed), null, 2)
  const tiers = html`<form class="tiers" action="/console/rules" data-live="preview">
${typed === null ? html`<p>${say.onlyJson}</p>` : html`${tierTable(typed, words)}<p class="hint">${say.removal}</p>`}
${termFields(form, rules, words)}
<div class="row">
${typed !== null && html`<button class="button" name="add" value="yes">${say.add}</button>`}
${may('rules:write') && lookButton(words)}
${may('rules:write') && carefulButton(asked, next, { id: 'sure-rules', look: 'primary' })}
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
${carefulButton(asked, next, { id: 'sure-json', look: '' })}
</div></form></details>`
}

/** Opens the dialog that sends the form; without script it asks for the page that does. */
function carefulButton(asked: Asked, next: NextVersion, { id, look }: { id: string; look: string }): Html {
  const sure = sureOfVersion(asked, { ...next, key: randomUUID(), id })
  return html`<button class="button ${look}" formmethod="post" name="look" value="sure" data-confirm="${id}">
${next.submit}</button>${sureDialog({ id, ...sure }, asked.words)}`
}

export function sureOfVersion(
  asked: Asked,
  { now, submit, needsApproval, key, id }: NextVersion & { key: string; id: string },
): Sure {
  const { rules: say } = asked.words.of(ruleWords)
  return {
    title: say.sure(submit),
    rows: [[say.versions, say.sureVersions(now, now + 1)]],
    text: needsApproval ? say.waitsText : say.text,
    fields: needsApproval && noteField(asked, { id: `${id}-note` }),
    submit: html`<button class="button primary" formmethod="post" name="key" value="${key}">${submit}</button>`,
  }
}

/** Asks for the same page, with the impact of what is typed. */
function lookButton(words: Words): Html {
  return html`<button class="button" formmethod="post" name="look" value="yes">${words.of(impactWords).look}</button>`
}

type StoredRules = Awaited<ReturnType<typeof listRuleSets>>[number]

export function versionCard({ version, text, createdAt }: StoredRules, words: Words): Html {
  const { rules: say } = words.of(ruleWords)
  const { deposit } = words.of(depositWords)
  return html`<section class="card" aria-labelledby="v${version}">
<h2 id="v${version}">${deposit.version(version)} <small>${say.since(words.instant(createdAt))}</small></h2>
${tierList(tiersOf(parseRuleSet(text), words), words)}
${pairs(termTexts(parseRuleSet(text), words))}
<details class="edit">
<summary>JSON</summary>
<div class="scroll" tabindex="0" role="group" aria-label="JSON ${version}">
<pre>${JSON.stringify(parseJson(text), null, 2)}</pre>
</div>
</details>
</section>`
}
