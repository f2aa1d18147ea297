/**
 * Tax rules and the tax class of a customer. Rules are edited as penal rules and the approval policy are: a form, what it
 * would have withheld, versions, JSON for the rest. A change gets a second look, and waits where the policy asks for it.
 */
import type { IsoDate } from '../../domain/dates.ts'
import type { Version } from '../../domain/document.ts'
import { STANDARD_CLASS, type TaxRules } from '../../domain/tax.ts'
import { card } from '../../page/card.ts'
import { type Fields, inputField, selectField } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { showNotice } from '../../page/notice.ts'
import type { Asked, Page, PageAnswer } from '../../page/page.ts'
import { headedTable, recordTable } from '../../page/table.ts'
import type { Words } from '../../words/words.ts'
import { carryOut, made, optional } from '../counter/form.ts'
import { customerPage } from '../customers/pages.ts'
import {
  proposalForms,
  proposalPage,
  propose,
  proposedIn,
  type RefusedProposal,
  secondLook,
  versionsCard,
} from '../proposals/form.ts'
import { taxTerms } from '../rulebook/card.ts'
import { ruleWords } from '../rulebook/words.ts'
import { putTaxStatus, taxRulesDocument } from '../tax/changes.ts'
import { TaxStatusBody, taxStatusFrom } from '../tax/record.ts'
import { taxEffect } from './effect.ts'
import { CLASSES_MAX, className, readTyped, type Typed, taxForm, typedIn, typedOf } from './form.ts'
import { withholdingWords } from './words.ts'

export const withholdingPages: Page[] = [
  {
    method: 'GET',
    path: '/tax-rules',
    scope: 'tax:read',
    answer: (asked) => taxPage(asked, asked.query, null),
  },
  { method: 'POST', path: '/tax-rules', scope: 'tax:write', answer: proposeRules },
  { method: 'POST', path: '/customers/:customer_id/tax', scope: 'tax:write', answer: saveClass },
]

const VERSIONS_SHOWN = 10

type Newest = Version<TaxRules> | undefined

function newestOf({ service: { db, versions }, book }: Asked): Promise<Newest> {
  return taxRulesDocument.reader.readNewest(db, versions, book.bookId)
}

async function proposeRules(asked: Asked): Promise<PageAnswer> {
  const { service, book, form, words } = asked
  const newest = await newestOf(asked)
  const { today } = await service.momentIn(book)
  const typed = typedIn(form) ?? typedOf(newest?.document ?? null, today, words)
  const proposed = proposedIn(form, taxForm, words, () => readTyped(typed, words))
  return propose(asked, taxForm, proposed, {
    look: (rules) => lookAgain(asked, { newest, proposed: rules, today }),
    again: (refused) => taxPage(asked, form, refused),
  })
}

/** What counts now beside what would count next. */
async function lookAgain(
  asked: Asked,
  { newest, proposed, today }: { newest: Newest; proposed: TaxRules; today: IsoDate },
): Promise<PageAnswer> {
  const { words } = asked
  const say = words.of(withholdingWords)
  const next = (newest?.version ?? 0) + 1
  const above = html`<div class="halves">
${newest !== undefined && card({ id: 'before', title: say.before(newest.version) }, wholeTerms(newest.document, words))}
${card({ id: 'after', title: say.after(next) }, wholeTerms(proposed, words))}
</div>
${card({ id: 'effect', title: say.effect }, await effect(asked, proposed, today))}`
  return secondLook(asked, taxForm, next, { above })
}

function wholeTerms(rules: TaxRules, words: Words): Html {
  const starts = words.of(withholdingWords).starts(words.day(rules.effectiveFrom))
  return html`${taxTerms(rules, words)}<p class="hint">${starts}</p>`
}

async function taxPage(asked: Asked, form: Fields, refused: RefusedProposal | null): Promise<PageAnswer> {
  const { service, book, words, may, part } = asked
  const say = words.of(withholdingWords)
  const { today } = await service.momentIn(book)
  const newest = await newestOf(asked)
  const typed = typedIn(form) ?? typedOf(newest?.document ?? null, today, words)
  const proposed = proposedIn(form, taxForm, words, () => readTyped(typed, words))
  const preview = html`<div id="preview">
${!proposed.ok && refused === null && showNotice({ kind: 'bad', text: proposed.text }, words)}
${proposed.ok && (await effect(asked, proposed.document, today))}</div>`
  if (part === 'preview') return { kind: 'part', part: preview }
  const version = newest?.version ?? 0
  const rules = may('tax:write') ? await editForms(asked, form, { newest, typed }) : readOnly(newest, words)
  const written = {
    newest: version,
    most: VERSIONS_SHOWN,
    summary: ({ version: number, document: { effectiveFrom }, createdAt }: Version<TaxRules>) =>
      `${say.version(number)}, ${say.since(words.day(effectiveFrom), words.instant(createdAt))}`,
    content: (document: TaxRules) => taxTerms(document, words),
  }
  const content = html`<div class="split even">
${card({ id: 'edit', title: say.edit }, rules)}
${card({ id: 'effect', title: say.effect }, preview)}
</div>
${await versionsCard(asked, taxForm, written)}`
  return proposalPage(asked, taxForm, version, { content, refused })
}

function readOnly(newest: Newest, words: Words): Html {
  const say = words.of(withholdingWords)
  return html`${newest === undefined ? html`<p>${say.none}</p>` : wholeTerms(newest.document, words)}
<p class="notice">${say.mayNot}</p>`
}

function editForms(
  asked: Asked,
  form: Fields,
  { newest, typed }: { newest: Newest; typed: Typed },
): Promise<Html> {
  const { words } = asked
  const say = words.of(withholdingWords)
  const read = readTyped(typed, words)
  const document = newest?.document ?? (read.ok ? read.document : null)
  const fields = html`${termFields(typed, words)}
${classTable(typed, words)}
<p class="hint">${say.help}</p>`
  const add = html`<button class="button" name="add" value="yes">${say.add}</button>`
  const more = typed.classes.length < CLASSES_MAX ? add : html``
  return proposalForms(asked, taxForm, form, { next: (newest?.version ?? 0) + 1, document, fields, more })
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
  const row = ({ name, rate }: Typed['classes'][number], index: number) => [
    index === 0 ? STANDARD_CLASS : nameField(name, index, words),
    html`<div class="affix after">
<input name="rate${index}" aria-label="${say.rateOf(index + 1)}" inputmode="decimal" autocomplete="off" maxlength="8"
value="${rate}"><span aria-hidden="true">%</span></div>`,
  ]
  return headedTable([say.class, say.rate], classes.map(row))
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
