/**
 * The penal rules: tiers as a table, what a change would have charged on real deposits, and JSON for rules that a table
 * cannot express. A new version is put in force, or sent for approval where the policy requires it.
 */

import { randomUUID } from 'node:crypto'
import { type ApprovalPolicy, countApprovals } from '../../domain/approvals.ts'
import { assessOn, assessSimple } from '../../domain/assessment.ts'
import { addDays, daysBetween, type IsoDate } from '../../domain/dates.ts'
import type { Deposit } from '../../domain/deposit.ts'
import type { Version } from '../../domain/document.ts'
import { minor } from '../../domain/money.ts'
import type { RuleSet } from '../../domain/rules.ts'
import type { TaxRules } from '../../domain/tax.ts'
import { card, pairs } from '../../page/card.ts'
import type { Fields } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { type Asked, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { sureDialog } from '../../page/sure.ts'
import { recordTable } from '../../page/table.ts'
import { successBody } from '../../wire/envelope.ts'
import { type Json, MalformedJsonError, parseJson } from '../../wire/json.ts'
import { readBody } from '../../wire/reader.ts'
import { refusalWord } from '../../words/refusals.ts'
import type { Words } from '../../words/words.ts'
import { conditionsText } from '../approval-policy/words.ts'
import { requestApproval } from '../approvals/changes.ts'
import { listDeposits } from '../deposits/store.ts'
import { depositWords } from '../deposits/words.ts'
import { policyReader } from '../holding/changes.ts'
import { impactCard } from '../impact/card.ts'
import { impactOfRules } from '../impact/changes.ts'
import { impactWords } from '../impact/words.ts'
import { readRulesInForce, rulesDocument } from '../rules/changes.ts'
import { formatRuleSet, parseRuleSet, RuleSetBody, ruleSetFrom } from '../rules/record.ts'
import { listRuleSets } from '../rules/store.ts'
import { readTaxVersionsTo, taxRulesDocument } from '../tax/changes.ts'
import { stepChart } from './chart.ts'
import { rulesOf, tierList, tiersOf, tierTable, typedTiers } from './form.ts'
import { ruleWords } from './words.ts'

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

const SAMPLED = { limit: 50, before: null }
const SAMPLES_SHOWN = 6

async function propose(asked: Asked): Promise<PageAnswer> {
  const { service, book, form, words, originOf } = asked
  const { rules: say } = words.of(ruleWords)
  const key = form.get('key')
  const { rules } = await readRulesInForce(service.db, service.versions, book.bookId)
  const read = form.has('json') ? readJson(form.get('json'), words) : readTiers(form, rules, words)
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

function readTiers(form: Fields, rules: RuleSet, words: Words): RuleSet | string {
  const penalRules = rulesOf(typedTiers(form, tiersOf(rules) ?? []))
  return penalRules === null ? words.of(ruleWords).rules.wrongTier : { ...rules, penalRules }
}

function rulesBody(json: Json) {
  const read = readBody(RuleSetBody, json)
  return read.ok ? read.value : null
}

function readJson(text: string, words: Words): RuleSet | string {
  const { rules: say } = words.of(ruleWords)
  try {
    const read = readBody(RuleSetBody, parseJson(text))
    if (read.ok) return ruleSetFrom(read.value)
    const { field, message } = read.fields[0]!
    return say.wrongField(field, message)
  } catch (error) {
    if (error instanceof MalformedJsonError) return say.wrongJson
    throw error
  }
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
  const penalRules = typed === null ? null : rulesOf(typed)
  const proposed = penalRules === null ? rules : { ...rules, penalRules }
  const samples = may('fixed_deposits:read') ? await samplesOf(asked, today) : []
  const wrong =
    typed !== null && penalRules === null && html`<p class="notice bad" role="alert">${say.wrongTier}</p>`
  const preview = html`<div id="preview">${wrong}${effect({ rules, proposed, samples, today }, words)}</div>`
  if (part === 'preview') return { kind: 'part', part: preview }
  const policy = await policyReader.readNewest(db, versions, book.bookId)
  const needsApproval = countApprovals(policy?.document ?? null, 'replaceRules', () => ({})).needed > 0
  const submit = needsApproval ? say.send(version + 1) : say.submit(version + 1)
  const key = randomUUID()
  const sure = sureDialog(
    {
      id: 'sure-rules',
      title: say.sure(submit),
      rows: [[say.versions, say.sureVersions(version, version + 1)]],
      text: needsApproval ? say.waitsText : say.text,
      submit: html`<button class="button primary" formmethod="post" name="key" value="${key}">${submit}</button>`,
    },
    words,
  )
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
${
  typed === null
    ? html`<p>${say.onlyJson}</p>`
    : html`<form class="tiers" action="/console/rules" data-live="preview">
${tierTable(typed, words)}
<p class="hint">${say.removal}</p>
<div class="row">
<button class="button" name="add" value="yes">${say.add}</button>
${
  may('rules:write') &&
  html`${lookButton(words)}
<button class="button primary" formmethod="post" name="key" value="${key}" data-confirm="sure-rules">${submit}</button>${sure}`
}
</div>
</form>`
}
${
  may('rules:write')
    ? html`<details class="edit"${(typed === null || form.has('json')) && trusted(' open')}>
<summary>${say.json}</summary>
<form class="fill" method="post" action="/console/rules">
<input type="hidden" name="key" value="${randomUUID()}">
<div class="field">
<label for="json">${say.jsonLabel}</label>
<p class="hint">${say.jsonText}</p>
<textarea id="json" name="json" rows="18" spellcheck="false">${
        form.has('json') ? form.get('json') : JSON.stringify(parseJson(formatRuleSet(proposed)), null, 2)
      }</textarea>
</div>
<div class="row">${lookButton(words)}<button class="button">${submit}</button></div>
</form>
</details>`
    : html`<p class="notice">${say.mayNot}</p>`
}</section></div>
<section class="card" aria-labelledby="effect"><h2 id="effect">${say.effect}</h2>${preview}</section></div>
<div class="halves">${otherTerms(rules, words)}${may('approvals:read') && policyCard(policy, words)}${may('tax:read') && (await taxCard(asked, today))}</div>`,
    refused === null ? 200 : 422,
  )
}

/** Asks for the same page, with the impact of what is typed. */
function lookButton(words: Words): Html {
  return html`<button class="button" formmethod="post" name="look" value="yes">${words.of(impactWords).look}</button>`
}

/** A set of rules that waits for approval, and what it would have charged today. */
export async function proposedRules(asked: Asked, body: Json): Promise<Html> {
  const { service, book, words, may } = asked
  const value = rulesBody(body)
  if (value === null) return html``
  const proposed = ruleSetFrom(value)
  const { today } = await service.momentIn(book)
  const { rules } = await readRulesInForce(service.db, service.versions, book.bookId)
  const samples = may('fixed_deposits:read') ? await samplesOf(asked, today) : []
  return html`${tierList(tiersOf(proposed), words)}<div><h3>${words.of(ruleWords).rules.effect}</h3>${effect({ rules, proposed, samples, today }, words)}</div>`
}

async function samplesOf({ service, book }: Asked, today: IsoDate): Promise<Deposit[]> {
  const filters = { status: 'ACTIVE', maturesAfter: today } as const
  const { items } = await listDeposits(service.db, book.bookId, filters, SAMPLED)
  const largest = items.toSorted((one, other) => (one.remaining > other.remaining ? -1 : 1))
  return largest.slice(0, SAMPLES_SHOWN)
}

function effect(
  shown: { rules: RuleSet; proposed: RuleSet; samples: readonly Deposit[]; today: IsoDate },
  words: Words,
): Html {
  const { rules, proposed, samples, today } = shown
  const { rules: say } = words.of(ruleWords)
  const charged = samples.map((deposit) => {
    const by = (set: RuleSet) =>
      assessOn(today, { deposit: { ...deposit, lastBroken: null }, principal: deposit.remaining, rules: set })
        .assessed
    const elapsed = Math.round((100 * daysBetween(deposit.startDate, today)) / deposit.tenorDays)
    return { deposit, elapsed, before: by(rules), after: by(proposed) }
  })
  return html`${
    samples.length === 0
      ? html`<p>${say.noSamples}</p>`
      : recordTable(
          charged,
          [
            {
              name: say.sample,
              cell: ({ deposit: { depositId, currency, remaining, annualRatePpm } }) =>
                html`<a href="/console/deposits/${depositId}">${say.sampleOf(words.in(currency).short(remaining), words.percent(annualRatePpm))}</a>`,
            },
            { name: say.elapsed, isNumber: true, cell: ({ elapsed }) => `${elapsed} %` },
            { name: say.now, isNumber: true, cell: ({ before }) => words.plain(before) },
            { name: say.proposed, isNumber: true, cell: ({ after }) => html`<b>${words.plain(after)}</b>` },
            {
              name: say.change,
              isNumber: true,
              cell: ({ before, after }) =>
                before === after
                  ? '–'
                  : html`<span class="${after < before ? 'less' : 'more'}">${words.signedPlain(after - before)}</span>`,
            },
          ],
          { label: say.effect },
        )
  }${stepChart({ now: sharesOf(rules), proposed: sharesOf(proposed) }, words)}`
}

/** What is charged of the interest of a large deposit over a thousand days, in percent, at each hundredth of them. */
function sharesOf(rules: RuleSet): number[] {
  const startDate = '2001-01-01' as IsoDate
  const maturityDate = addDays(startDate, 1000)
  return Array.from({ length: 100 }, (_, percent) => {
    const { interest, assessed } = assessSimple(
      addDays(startDate, percent * 10 + 5),
      { principal: minor(100_000_000_00n), annualRatePpm: 100_000, startDate, maturityDate },
      rules,
    )
    return interest === 0n ? 0 : Number((assessed * 100n + interest / 2n) / interest)
  })
}

function otherTerms(rules: RuleSet, words: Words): Html {
  const { rules: say } = words.of(ruleWords)
  const partial = rules.allowPartial
    ? say.partialFrom(words.money(rules.minPartialAmount), words.money(rules.minRemainingPrincipal))
    : say.noPartial
  const terms = pairs([
    [say.dayCount, rules.dayCount],
    [say.rounding, rules.rounding],
    [say.partial, partial],
    [say.holding, say.days(rules.minHoldingDays)],
  ])
  return card({ id: 'others', title: say.others }, terms)
}

function policyCard(policy: Version<ApprovalPolicy> | undefined, words: Words): Html {
  const { rules: say } = words.of(ruleWords)
  return html`<section class="card" aria-labelledby="policy"><h2 id="policy">${say.policy}</h2>${
    policy === undefined
      ? html`<p>${say.noPolicy}</p>`
      : html`${policyRules(policy.document, words)}
<p class="hint">${say.policyVersion(policy.version)}, ${say.since(words.instant(policy.createdAt))}. ${say.policyHours(policy.document.expiresAfterHours)}</p>`
  }
<p><a href="/console/policy">${say.policyText}</a></p></section>`
}

export function policyRules(policy: ApprovalPolicy, words: Words): Html {
  const { rules: say } = words.of(ruleWords)
  const { operations } = words.say
  return html`<ul class="lines">${policy.rules.map(
    ({ operation, when, approvals }) =>
      html`<li>${say.policyOf(operations[operation] ?? operation, conditionsText(when, words), approvals)}</li>`,
  )}</ul>`
}

async function taxCard({ service, book, words }: Asked, today: IsoDate): Promise<Html> {
  const { rules: say } = words.of(ruleWords)
  const { db, versions } = service
  const newest = await taxRulesDocument.reader.readNewest(db, versions, book.bookId)
  const inForce = (await readTaxVersionsTo(db, versions, book.bookId, newest?.version ?? 0)).findLast(
    ({ rules }) => rules.effectiveFrom <= today,
  )
  return html`<section class="card" aria-labelledby="tax"><h2 id="tax">${say.tax}</h2>${
    inForce === undefined
      ? html`<p>${say.noTax}</p>`
      : html`${taxTerms(inForce.rules, words)}<p class="hint">${say.taxFrom(inForce.version, words.day(inForce.rules.effectiveFrom))}</p>`
  }<p class="hint">${say.taxText}</p></section>`
}

export function taxTerms({ base, classes }: TaxRules, words: Words): Html {
  const { rules: say } = words.of(ruleWords)
  const row = (name: string, value: string) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`
  return html`<dl class="pairs">${row(say.taxBase, say.taxBases[base])}${[...classes].map(([name, ppm]) => row(name, say.percent(words.percent(ppm))))}</dl>`
}

async function versionsPage({ service, book, words }: Asked): Promise<PageAnswer> {
  const { rules: say } = words.of(ruleWords)
  const { deposit } = words.of(depositWords)
  const kept = await listRuleSets(service.db, book.bookId, SAMPLED.limit)
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
