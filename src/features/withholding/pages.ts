/**
 * Tax rules and the tax class of a customer. Rules are edited as penal rules and the approval policy are: a form, what it
 * would have withheld, versions, JSON for the rest. A change gets a second look, and waits where the policy asks for it.
 */
import { countApprovals } from '../../domain/approvals.ts'
import type { IsoDate } from '../../domain/dates.ts'
import type { Version } from '../../domain/document.ts'
import { STANDARD_CLASS, type TaxRules } from '../../domain/tax.ts'
import { card } from '../../page/card.ts'
import { type Fields, hiddenFields, inputField, selectField } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { showNotice } from '../../page/notice.ts'
import { type Asked, type Page, type PageAnswer, show } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import { parseJson } from '../../wire/json.ts'
import type { Words } from '../../words/words.ts'
import { carryOut, keyField, made, noteField, optional } from '../counter/form.ts'
import { customerPage } from '../customers/pages.ts'
import { policyReader } from '../holding/changes.ts'
import { taxTerms } from '../rulebook/card.ts'
import { ruleWords } from '../rulebook/words.ts'
import { putTaxStatus, taxRulesDocument } from '../tax/changes.ts'
import { formatTaxRules, TaxRulesBody, TaxStatusBody, taxRulesFrom, taxStatusFrom } from '../tax/record.ts'
import { taxEffect } from './effect.ts'
import {
  CLASSES_MAX,
  className,
  type Proposed,
  readJson,
  readTyped,
  type Typed,
  typedIn,
  typedOf,
} from './form.ts'
import { withholdingWords } from './words.ts'

export const withholdingPages: Page[] = [
  {
    method: 'GET',
    path: '/tax-rules',
    scope: 'tax:read',
    answer: (asked) => taxPage(asked, asked.query, null),
  },
  { method: 'POST', path: '/tax-rules', scope: 'tax:write', answer: propose },
  { method: 'POST', path: '/customers/:customer_id/tax', scope: 'tax:write', answer: saveClass },
]

const VERSIONS_SHOWN = 10

type Newest = Version<TaxRules> | undefined

function newestOf({ service: { db, versions }, book }: Asked): Promise<Newest> {
  return taxRulesDocument.reader.readNewest(db, versions, book.bookId)
}

/** Whether a change of the rules has to wait for others. */
async function isHeld({ service: { db, versions }, book }: Asked): Promise<boolean> {
  const policy = await policyReader.readNewest(db, versions, book.bookId)
  return countApprovals(policy?.document ?? null, 'replaceTaxRules', () => ({})).needed > 0
}

function proposedIn(form: Fields, typed: Typed, words: Words): Proposed {
  return form.has('json') ? readJson(form.get('json'), words) : readTyped(typed, words)
}

async function propose(asked: Asked): Promise<PageAnswer> {
  const { service, book, form, words, originOf } = asked
  const say = words.of(withholdingWords)
  const newest = await newestOf(asked)
  const { today } = await service.momentIn(book)
  const typed = typedIn(form) ?? typedOf(newest?.document ?? null, today, words)
  const proposed = proposedIn(form, typed, words)
  if (!proposed.ok) return taxPage(asked, form, { text: `${say.wrong} ${proposed.text}`, status: 422 })
  if (form.get('sure') !== 'yes') return secondLook(asked, { newest, proposed: proposed.rules, today })
  return carryOut(asked, {
    schema: TaxRulesBody,
    body: proposed.body,
    held: { operation: 'replaceTaxRules', targetId: null },
    run: (value: TaxRulesBody) =>
      taxRulesDocument.replace(service, originOf(form.get('key')), taxRulesFrom(value), ({ version }) =>
        made(String(version)),
      ),
    done: (madeId) => `/console/tax-rules?done=${madeId}`,
    again: ({ notice, status = 422 }) =>
      taxPage(asked, form, { text: String(notice?.text ?? say.wrong), status }),
  })
}

/** What counts now beside what would count next; the first focus is on the way back. */
async function secondLook(
  asked: Asked,
  { newest, proposed, today }: { newest: Newest; proposed: TaxRules; today: IsoDate },
): Promise<PageAnswer> {
  const { form, words } = asked
  const say = words.of(withholdingWords)
  const next = (newest?.version ?? 0) + 1
  const waits = await isHeld(asked)
  const title = waits ? say.sureAsk(next) : say.sure(next)
  const kept = [...new URLSearchParams(form.text)].filter(
    ([name]) => !['key', 'sure', 'add', 'note'].includes(name),
  )
  return show(
    'rules',
    title,
    html`<header class="head"><h1>${title}</h1></header>
<div class="halves">
${newest !== undefined && card({ id: 'before', title: say.before(newest.version) }, wholeTerms(newest.document, words))}
${card({ id: 'after', title: say.after(next) }, wholeTerms(proposed, words))}
</div>
${card({ id: 'effect', title: say.effect }, await effect(asked, proposed, today))}
<section class="card">
<form class="fill" method="post" action="/console/tax-rules">${keyField(asked)}${hiddenFields(kept)}
${waits && noteField(asked)}
<div class="row">
<a class="button" href="/console/tax-rules?${new URLSearchParams(kept)}" autofocus>${words.say.back}</a>
<button class="button primary" name="sure" value="yes">${waits ? say.ask(next) : say.submit(next)}</button>
</div></form></section>`,
  )
}

function wholeTerms(rules: TaxRules, words: Words): Html {
  return html`${taxTerms(rules, words)}<p class="hint">${words.of(withholdingWords).starts(words.day(rules.effectiveFrom))}</p>`
}

async function taxPage(
  asked: Asked,
  form: Fields,
  refused: { text: string; status: number } | null,
): Promise<PageAnswer> {
  const { service, book, words, may, query, part } = asked
  const say = words.of(withholdingWords)
  const { today } = await service.momentIn(book)
  const newest = await newestOf(asked)
  const typed = typedIn(form) ?? typedOf(newest?.document ?? null, today, words)
  const proposed = proposedIn(form, typed, words)
  const preview = html`<div id="preview">
${!proposed.ok && refused === null && showNotice({ kind: 'bad', text: proposed.text }, words)}
${proposed.ok && (await effect(asked, proposed.rules, today))}</div>`
  if (part === 'preview') return { kind: 'part', part: preview }
  const done = query.get('done')
  const version = newest?.version ?? 0
  return show(
    'rules',
    say.title,
    html`<header class="head"><div>
<h1>${say.title} <span class="thin">${version === 0 ? say.none : say.inForce(version)}</span></h1>
<p class="sub">${say.text}</p></div></header>
${/^\d+$/.test(done) && showNotice({ kind: 'good', text: say.done(done) }, words)}
${refused !== null && showNotice({ kind: 'bad', text: refused.text }, words)}
<div class="split even">
${card({ id: 'edit', title: say.edit }, may('tax:write') ? await editForms(asked, form, { newest, typed }) : readOnly(newest, words))}
${card({ id: 'effect', title: say.effect }, preview)}
</div>
${await versionsCard(asked, version)}`,
    refused?.status ?? 200,
  )
}

function readOnly(newest: Newest, words: Words): Html {
  const say = words.of(withholdingWords)
  return html`${newest === undefined ? html`<p>${say.none}</p>` : wholeTerms(newest.document, words)}
<p class="notice">${say.mayNot}</p>`
}

async function editForms(
  asked: Asked,
  form: Fields,
  { newest, typed }: { newest: Newest; typed: Typed },
): Promise<Html> {
  const { words } = asked
  const say = words.of(withholdingWords)
  const next = (newest?.version ?? 0) + 1
  const submit = (await isHeld(asked)) ? say.ask(next) : say.submit(next)
  const read = readTyped(typed, words)
  const shown = newest?.document ?? (read.ok ? read.rules : null)
  const json = form.has('json')
    ? form.get('json')
    : shown === null
      ? ''
      : JSON.stringify(parseJson(formatTaxRules(shown)), null, 2)
  return html`<form class="tiers" action="/console/tax-rules" data-live="preview">
${termFields(typed, words)}
${classTable(typed, words)}
<p class="hint">${say.help}</p>
<div class="row">
${typed.classes.length < CLASSES_MAX && html`<button class="button" name="add" value="yes">${say.add}</button>`}
<button class="button primary" formmethod="post">${submit}</button>
</div></form>
<details class="edit"${form.has('json') && trusted(' open')}>
<summary>${say.json}</summary>
<form class="fill" method="post" action="/console/tax-rules">
<div class="field">
<label for="json">${say.jsonLabel}</label>
<textarea id="json" name="json" rows="14" spellcheck="false">${json}</textarea>
</div>
<button class="button">${submit}</button>
</form></details>`
}

function termFields(typed: Typed, words: Words): Html {
  const say = words.of(withholdingWords)
  const { rules } = words.of(ruleWords)
  return html`<div class="fields">
${inputField({ name: 'effective_from', label: say.from, type: 'date', value: typed.from, isRequired: true })}
${selectField({ name: 'base', label: rules.taxBase, texts: rules.taxBases, value: typed.base })}
${selectField({ name: 'on_recovery', label: rules.taxOnRecovery, texts: rules.taxOnRecoveryOf, value: typed.onRecovery })}
${selectField({ name: 'rounding', label: rules.rounding, texts: rules.roundings, value: typed.rounding })}
</div>`
}

function classTable({ classes }: Typed, words: Words): Html {
  const say = words.of(withholdingWords)
  const row = ({ name, rate }: Typed['classes'][number], index: number) => html`<tr>
<th scope="row">${index === 0 ? STANDARD_CLASS : nameField(name, index, words)}</th>
<td><div class="affix after">
<input name="rate${index}" aria-label="${say.rateOf(index + 1)}" inputmode="decimal" autocomplete="off" maxlength="8"
value="${rate}"><span aria-hidden="true">%</span></div></td>
</tr>`
  return html`<table>
<thead><tr><th scope="col">${say.class}</th><th scope="col">${say.rate}</th></tr></thead>
<tbody>${classes.map(row)}</tbody></table>`
}

function nameField(name: string, index: number, words: Words): Html {
  const say = words.of(withholdingWords)
  return html`<input name="class${index}" aria-label="${say.classOf(index + 1)}" autocomplete="off" maxlength="16"
value="${name}">`
}

/** What the liquidations of the last days would have been taxed. */
async function effect(asked: Asked, rules: TaxRules, today: IsoDate): Promise<Html> {
  const { service, book, words, may } = asked
  const say = words.of(withholdingWords)
  const past = rules.effectiveFrom < today && html`<p class="notice tip">${say.past}</p>`
  if (!may('fixed_deposits:read')) return html`${past}`
  const { count, isComplete, classes } = await taxEffect(service, book, rules)
  if (count === 0) return html`${past}<p>${say.noneLooked}</p>`
  const sum = (member: 'count' | 'now' | 'proposed') =>
    classes.reduce((total, one) => total + BigInt(one[member]), 0n)
  const all = {
    taxClass: say.together,
    count: Number(sum('count')),
    now: sum('now'),
    proposed: sum('proposed'),
  }
  const table = recordTable(
    classes.length > 1 ? [...classes, all] : classes,
    [
      { name: say.class, cell: ({ taxClass }) => taxClass },
      { name: say.liquidations, isNumber: true, cell: (one) => one.count },
      { name: say.now, isNumber: true, cell: ({ now }) => words.money(now) },
      { name: say.proposed, isNumber: true, cell: ({ proposed }) => html`<b>${words.money(proposed)}</b>` },
    ],
    { label: say.effect },
  )
  return html`${past}<p>${say.looked(count)}</p>${table}${!isComplete && html`<p class="hint">${say.newest}</p>`}`
}

async function versionsCard({ service, book, words }: Asked, newest: number): Promise<Html | false> {
  const say = words.of(withholdingWords)
  const numbers = Array.from({ length: VERSIONS_SHOWN }, (_, index) => newest - index).filter(
    (one) => one > 0,
  )
  if (numbers.length === 0) return false
  const { db, versions } = service
  const { readVersion } = taxRulesDocument.reader
  const stored = await Promise.all(numbers.map((number) => readVersion(db, versions, book.bookId, number)))
  const line = ({ version, document, createdAt }: Version<TaxRules>) => html`<details class="edit">
<summary>${say.version(version)}, ${say.since(words.day(document.effectiveFrom), words.instant(createdAt))}</summary>
${taxTerms(document, words)}</details>`
  return card(
    { id: 'versions', title: say.versions },
    html`${stored.map((one) => one !== undefined && line(one))}`,
  )
}

function saveClass(asked: Asked): Promise<PageAnswer> {
  const { service, form, params, words, originOf } = asked
  const customerId = params.customer_id!
  const { needs } = words.of(withholdingWords)
  return carryOut(asked, {
    schema: TaxStatusBody,
    body: {
      tax_class: className(form.get('tax_class')),
      ...optional('reference', form.get('reference')),
      ...optional('valid_until', form.get('valid_until')),
    },
    held: { operation: 'putTaxStatus', targetId: customerId },
    run: (value: TaxStatusBody) =>
      putTaxStatus(service, originOf(form.get('key')), taxStatusFrom(customerId, value), () =>
        made(customerId),
      ),
    done: () => `/console/customers/${customerId}?done=tax`,
    again: ({ errors, notice, status = 422 }) => {
      const field = errors === undefined ? undefined : [...errors.keys()][0]
      const text = field === undefined ? (notice?.text ?? '') : (needs[field] ?? notice?.text ?? '')
      return customerPage(asked, { notice: { kind: 'bad', text }, status })
    },
  })
}
