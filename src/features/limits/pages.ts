/**
 * The approval policy: its rules as a table, what a change would mean for what waits and for what was broken, and JSON
 * for rules that a table cannot express. A change gets a second look, and waits for approval where the policy guards
 * itself.
 */
import {
  APPROVABLE_OPERATIONS,
  type ApprovalPolicy,
  countApprovals,
  DECIDERS,
  DEFAULT_POLICY,
  type Facts,
} from '../../domain/approvals.ts'
import { addDays } from '../../domain/dates.ts'
import type { Version } from '../../domain/document.ts'
import { card } from '../../page/card.ts'
import { choices, type Fields, hiddenFields, inputField, selectField } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { showNotice } from '../../page/notice.ts'
import { type Asked, type Page, type PageAnswer, show } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import { parseJson } from '../../wire/json.ts'
import { readBody } from '../../wire/reader.ts'
import type { Words } from '../../words/words.ts'
import { ApprovalPolicyBody, formatPolicy, policyFrom } from '../approval-policy/record.ts'
import { conditionsText } from '../approval-policy/words.ts'
import { listWaiting } from '../approval-requests/store.ts'
import { previewNow } from '../approvals/changes.ts'
import { describeApprovals } from '../approvals/list.ts'
import { operations } from '../approvals/operations.ts'
import { carryOut, keyField, made, noteField } from '../counter/form.ts'
import { policyReader } from '../holding/changes.ts'
import { impactCard } from '../impact/card.ts'
import { impactOfPolicy } from '../impact/changes.ts'
import { findLiquidations } from '../liquidation/store.ts'
import { policyDocument } from '../policies/changes.ts'
import { policyRules } from '../rulebook/card.ts'
import { ruleWords } from '../rulebook/words.ts'
import {
  type Proposed,
  ROWS_MAX,
  type Row,
  readJson,
  readTyped,
  rulesOnlyIn,
  type Typed,
  typedIn,
  typedOf,
} from './form.ts'
import { limitWords } from './words.ts'

export const limitPages: Page[] = [
  {
    method: 'GET',
    path: '/policy',
    scope: 'approvals:read',
    answer: (asked) => policyPage(asked, asked.query, null),
  },
  {
    method: 'POST',
    path: '/policy',
    scope: 'approvals:policy',
    needsRecentSignIn: () => true,
    answer: propose,
  },
]

const WAITING_SHOWN = 10
const VERSIONS_SHOWN = 5
const LOOKED_BACK_DAYS = 30
const LIQUIDATIONS_MAX = 1_000

/** Version 0: the book has no policy yet. */
type InForce = Pick<Version<ApprovalPolicy>, 'version' | 'document'>

async function inForceOf({ service, book }: Asked): Promise<InForce> {
  const { db, versions } = service
  return (
    (await policyReader.readNewest(db, versions, book.bookId)) ?? { version: 0, document: DEFAULT_POLICY }
  )
}

function proposedIn(form: Fields, typed: Typed, words: Words): Proposed {
  return form.has('json') ? readJson(form.get('json'), words) : readTyped(typed, words)
}

async function propose(asked: Asked): Promise<PageAnswer> {
  const { service, form, words, originOf } = asked
  const say = words.of(limitWords)
  const { version, document } = await inForceOf(asked)
  const proposed = proposedIn(form, typedIn(form) ?? typedOf(document), words)
  if (!proposed.ok) return policyPage(asked, form, { text: `${say.wrong} ${proposed.text}`, status: 422 })
  if (form.get('sure') !== 'yes') return secondLook(asked, { version, document }, proposed.policy)
  return carryOut(asked, {
    schema: ApprovalPolicyBody,
    body: proposed.body,
    held: { operation: 'replaceApprovalPolicy', targetId: null },
    run: (value: ApprovalPolicyBody) =>
      policyDocument.replace(service, originOf(form.get('key')), policyFrom(value), (written) =>
        made(String(written.version)),
      ),
    done: (madeId) => `/console/policy?done=${madeId}`,
    again: ({ notice, status = 422 }) =>
      policyPage(asked, form, { text: String(notice?.text ?? say.wrong), status }),
  })
}

/** What begins and what ends, once more; the first focus is on the way back. */
async function secondLook(asked: Asked, inForce: InForce, proposed: ApprovalPolicy): Promise<PageAnswer> {
  const { service, book, form, words } = asked
  const say = words.of(limitWords)
  const { document } = inForce
  const next = inForce.version + 1
  const waits = isHeld(document)
  const [begins, ends] = [rulesOnlyIn(proposed, document), rulesOnlyIn(document, proposed)]
  const list = (id: string, name: string, rules: ApprovalPolicy['rules']) =>
    rules.length > 0 && card({ id, title: name }, policyRules({ ...proposed, rules }, words))
  const kept = [...new URLSearchParams(form.text)].filter(
    ([name]) => !['key', 'sure', 'add', 'note'].includes(name),
  )
  const title = waits ? say.sureAsk(next) : say.sure(next)
  return show(
    'rules',
    title,
    html`<header class="head"><h1>${title}</h1></header>
${ends.length > 0 && showNotice({ kind: 'tip', text: say.looser }, words)}
<div class="halves">${list('begins', say.begins, begins)}${list('ends', say.ends, ends)}</div>
${impactCard(await impactOfPolicy(service, book, proposed), 'policy', words)}
<section class="card">
${begins.length + ends.length === 0 && html`<p>${say.same}</p>`}
<p>${termsText(proposed, words)}</p>
<form class="fill" method="post" action="/console/policy">${keyField(asked)}${hiddenFields(kept)}
${waits && noteField(asked)}
<div class="row">
<a class="button" href="/console/policy?${new URLSearchParams(kept)}" autofocus>${words.say.back}</a>
<button class="button primary" name="sure" value="yes">${waits ? say.ask(next) : say.submit(next)}</button>
</div></form></section>`,
  )
}

function isHeld(policy: ApprovalPolicy): boolean {
  return countApprovals(policy, 'replaceApprovalPolicy', () => ({})).needed > 0
}

function termsText({ expiresAfterHours, deciders }: ApprovalPolicy, words: Words): string {
  const { rules: say } = words.of(ruleWords)
  return `${say.policyHours(expiresAfterHours)} ${say.deciders[deciders]}`
}

async function policyPage(
  asked: Asked,
  form: Fields,
  refused: { text: string; status: number } | null,
): Promise<PageAnswer> {
  const { words, may, query, part } = asked
  const say = words.of(limitWords)
  const inForce = await inForceOf(asked)
  const { version, document } = inForce
  const typed = typedIn(form) ?? typedOf(document)
  const proposed = proposedIn(form, typed, words)
  const preview = html`<div id="preview">
${!proposed.ok && refused === null && showNotice({ kind: 'bad', text: proposed.text }, words)}
${await effect(asked, document, proposed.ok ? proposed.policy : document)}</div>`
  if (part === 'preview') return { kind: 'part', part: preview }
  const done = query.get('done')
  const rules = may('approvals:policy')
    ? editForms(asked, form, { inForce, typed })
    : readOnly(document, words)
  return show(
    'rules',
    say.title,
    html`<header class="head"><div>
<h1>${say.title} <span class="thin">${version === 0 ? say.none : say.inForce(version)}</span></h1>
<p class="sub">${say.text}</p></div></header>
${/^\d+$/.test(done) && showNotice({ kind: 'good', text: say.done(done) }, words)}
${refused !== null && showNotice({ kind: 'bad', text: refused.text }, words)}
${card({ id: 'edit', title: say.edit }, rules)}
${card({ id: 'effect', title: say.effect }, preview)}
${await versionsCard(asked, version)}`,
    refused?.status ?? 200,
  )
}

function readOnly(policy: ApprovalPolicy, words: Words): Html {
  const say = words.of(limitWords)
  return html`${policy.rules.length === 0 ? html`<p>${say.empty}</p>` : policyRules(policy, words)}
<p class="hint">${termsText(policy, words)}</p>
<p class="notice">${say.mayNot}</p>`
}

function editForms(
  { words }: Asked,
  form: Fields,
  { inForce: { version, document }, typed }: { inForce: InForce; typed: Typed },
): Html {
  const say = words.of(limitWords)
  const submit = isHeld(document) ? say.ask(version + 1) : say.submit(version + 1)
  const json = form.has('json')
    ? form.get('json')
    : JSON.stringify(parseJson(formatPolicy(document)), null, 2)
  return html`<form class="tiers" action="/console/policy" data-live="preview">
${ruleTable(typed.rows, words)}
<p class="hint">${say.help} ${say.contactHelp}</p>
<div class="fields">
${inputField({ name: 'hours', label: say.hours, value: typed.hours, max: 3, isDecimal: true })}
${selectField({ name: 'deciders', label: say.deciders, texts: say.decidersOf, value: typed.deciders })}
</div>
<div class="row">
${typed.rows.length < ROWS_MAX && html`<button class="button" name="add" value="yes">${say.add}</button>`}
<button class="button primary" formmethod="post">${submit}</button>
</div></form>
<details class="edit"${form.has('json') && trusted(' open')}>
<summary>${say.json}</summary>
<form class="fill" method="post" action="/console/policy">
<div class="field">
<label for="json">${say.jsonLabel}</label>
<p class="hint">${say.jsonText}</p>
<textarea id="json" name="json" rows="18" spellcheck="false">${json}</textarea>
</div>
<button class="button">${submit}</button>
</form></details>`
}

function ruleTable(rows: readonly Row[], words: Words): Html {
  const say = words.of(limitWords)
  return recordTable(
    rows.map((row, index) => ({ row, index })),
    [
      { name: say.rule, cell: ({ index }) => index + 1 },
      { name: say.operation, cell: ({ row, index }) => operationCell(row, index, words) },
      { name: say.condition, cell: ({ row, index }) => conditionCell(row, index, words) },
      { name: say.value, cell: ({ row, index }) => figureCell(row, { index, name: 'value' }, words) },
      { name: say.days, cell: ({ row, index }) => figureCell(row, { index, name: 'days' }, words) },
      { name: say.approvals, cell: ({ row, index }) => approvalsCell(row, index, words) },
    ],
    { label: say.edit },
  )
}

const APPROVALS = { 1: '1', 2: '2', 3: '3' }

function choice(name: string, label: string, options: Html): Html {
  return html`<select name="${name}" aria-label="${label}">${options}</select>`
}

function operationCell(row: Row, index: number, words: Words): Html {
  const say = words.of(limitWords)
  const names = words.say.operations
  if (row.kind === 'other') return html`${names[String(ruleIn(row, words)?.operation)] ?? ''}`
  const known = Object.fromEntries(APPROVABLE_OPERATIONS.map((one) => [one, names[one] ?? one]))
  const options = html`<option value="">${say.leaveOut}</option>${choices(known, row.operation)}`
  return choice(`operation${index}`, say.operationOf(index + 1), options)
}

/** The rule of a row that a table cannot express. */
function ruleIn(row: Row & { kind: 'other' }, words: Words): ApprovalPolicy['rules'][number] | undefined {
  const { hours, deciders } = { hours: '1', deciders: DECIDERS[0] }
  const read = readTyped({ hours, deciders, rows: [{ ...row, isKept: true }] }, words)
  return read.ok ? read.policy.rules[0] : undefined
}

function conditionCell(row: Row, index: number, words: Words): Html {
  const say = words.of(limitWords)
  if (row.kind === 'plain') {
    return choice(`condition${index}`, say.conditionOf(index + 1), choices(say.conditions, row.condition))
  }
  const rule = ruleIn(row, words)
  return html`${rule !== undefined && conditionsText(rule.when, words)}${hiddenFields([[`rule${index}`, row.rule]])}`
}

function figureCell(
  row: Row,
  { index, name }: { index: number; name: 'value' | 'days' },
  words: Words,
): Html | false {
  const say = words.of(limitWords)
  if (row.kind === 'other') return false
  const label = name === 'value' ? say.valueOf(index + 1) : say.daysOf(index + 1)
  return html`<input name="${name}${index}" aria-label="${label}" inputmode="decimal" autocomplete="off"
maxlength="${name === 'value' ? 24 : 2}" value="${row[name]}">`
}

function approvalsCell(row: Row, index: number, words: Words): Html {
  const say = words.of(limitWords)
  if (row.kind === 'plain') {
    return choice(`approvals${index}`, say.approvalsOf(index + 1), choices(APPROVALS, row.approvals))
  }
  const options = choices({ yes: say.keep, no: say.leaveOut }, row.isKept ? 'yes' : 'no')
  return html`${ruleIn(row, words)?.approvals} ${choice(`keep${index}`, say.keepOf(index + 1), options)}`
}

/** What waits now, and what was broken, by the policy in force and by the proposed one. */
async function effect(asked: Asked, document: ApprovalPolicy, proposed: ApprovalPolicy): Promise<Html> {
  const say = asked.words.of(limitWords)
  return html`${proposed.rules.length === 0 && html`<p>${say.noRules}</p>`}
${await waitingTable(asked, proposed)}
${asked.may('fixed_deposits:read') && (await liquidationsText(asked, document, proposed))}`
}

async function waitingTable(asked: Asked, proposed: ApprovalPolicy): Promise<Html> {
  const { service, book, words } = asked
  const say = words.of(limitWords)
  const { at } = await service.momentIn(book)
  const waiting = await listWaiting(service.db, book.bookId, { at, limit: WAITING_SHOWN })
  if (waiting.length === 0) return html`<p>${say.noneWait}</p>`
  const described = await describeApprovals(asked, waiting)
  const rows = []
  for (const one of waiting) {
    const read = readBody(operations[one.operation].body, parseJson(one.body))
    const value = read.ok ? read.value : null
    const neededBy = async (assumed?: ApprovalPolicy) => {
      const tried = await previewNow(service, book, one, value, assumed)
      return tried.outcome === 'tried' ? tried.count.needed : null
    }
    rows.push({ ...described(one), now: await neededBy(), proposed: await neededBy(proposed) })
  }
  return recordTable(
    rows,
    [
      {
        name: say.request,
        cell: ({ title, text, path }) => html`<a href="${path}">${title}</a> <small>${text}</small>`,
      },
      { name: say.now, isNumber: true, cell: ({ now }) => now ?? say.notCounted },
      {
        name: say.proposed,
        isNumber: true,
        cell: ({ now, proposed: then }) => (then === now ? (then ?? '–') : html`<b>${then}</b>`),
      },
    ],
    { label: say.waiting },
  )
}

async function liquidationsText(
  { service, book, words }: Asked,
  document: ApprovalPolicy,
  proposed: ApprovalPolicy,
): Promise<Html> {
  const say = words.of(limitWords)
  const { today } = await service.momentIn(book)
  const filters = { from: addDays(today, 1 - LOOKED_BACK_DAYS), to: today }
  const page = { limit: LIQUIDATIONS_MAX, before: null }
  const { items, next } = await findLiquidations(service.db, book.bookId, filters, page)
  if (items.length === 0) return html`<p>${say.noLiquidations}</p>`
  const heldBy = (policy: ApprovalPolicy) =>
    items.filter((one) => countApprovals(policy, 'liquidateFixedDeposit', () => factsOf(one)).needed > 0)
      .length
  const text = say.liquidations(items.length, heldBy(document), heldBy(proposed))
  return html`<p>${text} ${next !== null && say.newest}</p><p class="hint">${say.leftOut}</p>`
}

type Liquidation = Awaited<ReturnType<typeof findLiquidations>>['items'][number]

function factsOf({ principal, net, waived, assessed, waiver }: Liquidation): Facts {
  return {
    amount: principal,
    netCredited: net,
    waiver: waiver !== null,
    ...(waiver !== null && { waivedAmount: waived }),
    ...(waiver !== null && assessed > 0n && { waivedShare: { numerator: waived, denominator: assessed } }),
  }
}

async function versionsCard({ service, book, words }: Asked, newest: number): Promise<Html | false> {
  const say = words.of(limitWords)
  const numbers = Array.from({ length: VERSIONS_SHOWN }, (_, index) => newest - index).filter(
    (one) => one > 0,
  )
  if (numbers.length === 0) return false
  const { db, versions } = service
  const stored = await Promise.all(
    numbers.map((number) => policyReader.readVersion(db, versions, book.bookId, number)),
  )
  return card(
    { id: 'versions', title: say.versions },
    html`${stored.map((one) => one !== undefined && versionOf(one, words))}`,
  )
}

function versionOf({ version, document, createdAt }: Version<ApprovalPolicy>, words: Words): Html {
  const say = words.of(limitWords)
  return html`<details class="edit">
<summary>${say.version(version)}, ${say.since(words.instant(createdAt))}</summary>
${document.rules.length === 0 ? html`<p>${say.empty}</p>` : policyRules(document, words)}
<p class="hint">${termsText(document, words)}</p></details>`
}
