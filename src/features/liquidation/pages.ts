/**
 * A deposit whole, what breaking it would pay, and breaking it. The address holds the state of a quote, so that it can be
 * sent to a colleague. The form carries a key, so that it pays at most once, and what the customer agreed to.
 */
import { randomUUID } from 'node:crypto'
import { type OutlookDay, outlookChart } from '../../console/chart.ts'
import { adviceLetter, holderOf } from '../../console/letter.ts'
import {
  type Asked,
  choices,
  type Fields,
  hiddenFields,
  NOT_FOUND,
  type Page,
  type PageAnswer,
  redirect,
  show,
} from '../../console/page.ts'
import { keptAmount, refusalWord, sumTable, workedOut } from '../../console/settlement.ts'
import type { Words } from '../../console/words.ts'
import { type Approval, statusAt } from '../../domain/approvals.ts'
import { addDays, daysBetween, type IsoDate, isIsoDate } from '../../domain/dates.ts'
import { formatPpm } from '../../domain/decimal.ts'
import { accruedInterest, type Deposit } from '../../domain/deposit.ts'
import type { AuditedChange } from '../../domain/event.ts'
import type { LedgerEntry } from '../../domain/ledger.ts'
import type { Lien } from '../../domain/lien.ts'
import { assessOn, type ExplainedSettlement } from '../../domain/liquidation.ts'
import { valueAtMaturity } from '../../domain/maturity.ts'
import { formatAmount, type Minor, minor } from '../../domain/money.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { RuleSet } from '../../domain/rules.ts'
import { figuresOf, taxOf } from '../../domain/settlement.ts'
import type { Taxation } from '../../domain/tax.ts'
import { OutcomeUnknownError } from '../../engine/change/faults.ts'
import { successBody, successBodyOf } from '../../wire/envelope.ts'
import { type Html, html, trusted } from '../../wire/html.ts'
import { type Json, type JsonObject, Numeral, parseJson } from '../../wire/json.ts'
import { readBody } from '../../wire/reader.ts'
import { findAccount } from '../accounts/store.ts'
import { requestApproval, voterOf } from '../approvals/changes.ts'
import { findPending } from '../approvals/store.ts'
import { listChanges } from '../audit/store.ts'
import { findCallerName } from '../callers/store.ts'
import { findCustomer } from '../customers/store.ts'
import { findDeposit } from '../deposits/store.ts'
import { listEntries } from '../ledger/store.ts'
import { listLiensOfDeposit } from '../liens/store.ts'
import { readRules } from '../rules/changes.ts'
import { explain, liquidate, type Quote, quote, readTaxation } from './changes.ts'
import { breakingFrom, LiquidateBody, liquidationFrom, QuoteBody } from './record.ts'
import { findLiquidation, type KeptLiquidation, listLiquidationsOfDeposit } from './store.ts'

const FIRST_PAGE = { limit: 50, before: null }

export const liquidationPages: Page[] = [
  {
    method: 'GET',
    path: '/deposits/:deposit_id',
    scope: 'fixed_deposits:read',
    answer: (asked) => depositPage(asked, { form: asked.query, notice: doneNotice(asked) }),
  },
  {
    method: 'POST',
    path: '/deposits/:deposit_id/break',
    scope: 'fixed_deposits:liquidate',
    answer: breakDeposit,
  },
  {
    method: 'POST',
    path: '/deposits/:deposit_id/ask',
    scope: 'fixed_deposits:liquidate',
    answer: askForApproval,
  },
  {
    method: 'GET',
    path: '/liquidations/:liquidation_id/advice',
    scope: 'fixed_deposits:read',
    answer: advicePage,
  },
]

/** The fields of a quote: their names, in the URL and in the form that pays. */
const QUOTE_FIELDS = [
  'type',
  'amount',
  'waive',
  'waived',
  'waiver_reason',
  'waiver_note',
  'waive_holding',
] as const

type Notice = { kind: 'good' | 'bad'; text: Html } | null
type Shown = { form: Fields; notice: NoticeOf | null; key?: string; status?: number }
/** With the words of the deposit, which has a currency of its own. */
type NoticeOf = (words: Words, paid: readonly KeptLiquidation[]) => Notice

/** The body of the quote, as a caller of the API would send it. */
function quoteBody(form: Fields): JsonObject {
  const waives = form.get('waived').trim() !== '' || form.get('waive_holding') !== ''
  return {
    liquidation_type: form.get('type') === 'PARTIAL' ? 'PARTIAL' : 'FULL',
    ...(form.get('type') === 'PARTIAL' && { amount: numeral(form.get('amount')) }),
    ...(waives && { waiver: waiverBody(form) }),
  }
}

function waiverBody(form: Fields): JsonObject {
  const waived = form.get('waived').trim()
  const note = form.get('waiver_note').trim()
  return {
    ...(waived !== '' && { [form.get('waive') === 'amount' ? 'amount' : 'percent']: numeral(waived) }),
    ...(form.get('waive_holding') !== '' && { holding_period: true }),
    reason: form.get('waiver_reason'),
    ...(note !== '' && { note }),
  }
}

function liquidateBody(form: Fields): JsonObject {
  const reference = form.get('reference').trim()
  return { ...quoteBody(form), ...(reference !== '' && { reference }), reason: form.get('reason') }
}

/** Figures as people type them; anything else stays text, which the reader refuses. */
function numeral(text: string): Json {
  const plain = text.replaceAll(/[\s,]/g, '')
  return /^\d{1,15}(\.\d{1,20})?$/.test(plain) ? new Numeral(plain.replace(/^0+(?=\d)/, '')) : text
}

const KEY = /^[\w-]{20,64}$/

async function breakDeposit(asked: Asked): Promise<PageAnswer> {
  const { service, form, params, words, originOf, may } = asked
  const { breaking: say } = words.say
  const refused = (text: BadText, status: number) => depositPage(asked, { form, notice: bad(text), status })
  const expected = form.get('expected')
  if (!/^\d{1,15}\.\d\d$/.test(expected) || !KEY.test(form.get('key')))
    return refused(html`${say.notPaid}`, 422)
  const body = { ...liquidateBody(form), expected_net_credited: new Numeral(expected) }
  const read = readBody(LiquidateBody, body)
  if (!read.ok) return refused(html`${say.notPaid} ${fieldWord(read.fields[0]!.field, words)}`, 422)
  if ((read.value.waiver ?? null) !== null && !may('penal_charges:waive'))
    return refused(html`${say.mayNotWaive}`, 403)
  if (form.get('sure') !== 'yes') return confirmPage(asked)
  const key = form.get('key')
  try {
    const depositId = params.deposit_id!
    const result = await liquidate(
      service,
      originOf(key),
      { depositId, ...liquidationFrom(read.value) },
      // What is stored beside the key has the format of every stored answer.
      ({ data }) => ({ status: 200, body: successBodyOf('The fixed deposit was liquidated.', data) }),
    )
    if (result.outcome !== 'refused') {
      const { data } = JSON.parse(result.answer!.body)
      return redirect(`/console/deposits/${depositId}?done=${data.liquidation_id}`)
    }
    if (result.code === 'deposit_not_found') return NOT_FOUND
    return refused((own) => refusedText(result, own), 409)
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) throw error
    const again = html`${say.unknown} <form method="post" action="/console/deposits/${params.deposit_id}/break">${hiddenFields(new URLSearchParams(form.text))}<button class="button">${say.sendAgain}</button></form>`
    return depositPage(asked, { form, notice: bad(again), key, status: 503 })
  }
}

/** The figures of the day are not part of the request: the last vote pays those of its own day. */
async function askForApproval(asked: Asked): Promise<PageAnswer> {
  const { service, form, params, words, originOf, may, identity } = asked
  const { breaking: say } = words.say
  const refused = (text: BadText, status: number) => depositPage(asked, { form, notice: bad(text), status })
  const depositId = params.deposit_id!
  const key = form.get('key')
  const body = liquidateBody(form)
  const read = readBody(LiquidateBody, body)
  if (!read.ok) return refused(html`${fieldWord(read.fields[0]!.field, words)}`, 422)
  if (!KEY.test(key)) return refused(html`${say.notPaid}`, 422)
  if ((read.value.waiver ?? null) !== null && !may('penal_charges:waive'))
    return refused(html`${say.mayNotWaive}`, 403)
  const result = await requestApproval(
    service,
    originOf(key),
    {
      operation: 'liquidateFixedDeposit',
      targetId: depositId,
      body,
      value: read.value,
      note: null,
      maker: voterOf(identity.person),
    },
    ({ approval: { approvalId } }) => ({
      status: 201,
      body: successBody('The operation waits for approval.', { approval_id: approvalId }),
    }),
  )
  if (result.outcome !== 'refused') return redirect(`/console/deposits/${depositId}`)
  if (result.code === 'deposit_not_found') return NOT_FOUND
  return refused((own) => refusedText(result, own), 409)
}

function fieldWord(field: string, words: Words): string {
  return words.say.breaking.needs[field] ?? words.say.refusals.other
}

function refusedText(refusal: Refusal, words: Words): Html {
  const { breaking: say } = words.say
  switch (refusal.code) {
    case 'figures_changed':
      return html`${say.changed}`
    case 'idempotency_key_reused':
      return html`${say.keyReused}`
    case 'approval_required':
      return html`${say.approval}`
    default:
      return html`${say.notPaid} ${refusalWord(refusal, words)}`
  }
}

type BadText = Html | ((words: Words) => Html)

function bad(text: BadText): NoticeOf {
  return (words) => ({ kind: 'bad', text: typeof text === 'function' ? text(words) : text })
}

/** The second look of browsers without script. */
async function confirmPage(asked: Asked): Promise<PageAnswer> {
  const { params, form } = asked
  const { breaking: say } = asked.words.say
  const refused = (text: BadText) => depositPage(asked, { form, notice: bad(text), status: 409 })
  const quoted = await quoteAsked(asked, params.deposit_id!, form)
  if (quoted.outcome === 'refused') {
    return quoted.code === 'deposit_not_found' ? NOT_FOUND : refused((words) => refusedText(quoted, words))
  }
  if (quoted.outcome === 'unreadable') return refused((words) => html`${fieldWord(quoted.field, words)}`)
  const { settlement } = quoted
  const words = asked.words.in(settlement.currency)
  if (formatAmount(settlement.net) !== form.get('expected')) return refused(html`${say.changed}`)
  const back = `/console/deposits/${params.deposit_id}?${stateOf(form)}`
  return show(
    'deposits',
    say.sure(words.money(settlement.net)),
    html`<section class="card confirm"><h1>${say.sure(words.money(settlement.net))}</h1>${sumTable(settlement, words)}<p class="hint">${say.sureText}</p>
<form class="row" method="post" action="/console/deposits/${params.deposit_id}/break"><a class="button" href="${back}">${words.say.back}</a>${hiddenFields(new URLSearchParams(form.text))}<input type="hidden" name="sure" value="yes"><button class="button primary">${say.submit(words.money(settlement.net))}</button></form></section>`,
  )
}

function stateOf(form: Fields): URLSearchParams {
  const named = QUOTE_FIELDS.filter((name) => form.get(name) !== '')
  return new URLSearchParams(named.map((name): [string, string] => [name, form.get(name)]))
}

function doneNotice({ query, words: { say: all } }: Asked): NoticeOf {
  const { breaking: say } = all
  const texts = new Map(Object.entries({ 'taken-back': say.tookBack, ...all.reversal.done }))
  const text = texts.get(query.get('done'))
  if (text !== undefined) return () => ({ kind: 'good', text: html`${text}` })
  return (words, paid) => {
    const one = paid.find((each) => each.liquidationId === query.get('done'))
    if (one === undefined) return null
    const text = html`<b>${say.done(words.money(one.net), one.accountNumber)}</b> <a href="/console/liquidations/${one.liquidationId}/advice">${say.printAdvice}</a>`
    return { kind: 'good', text }
  }
}

/** Also shown where something else about a deposit was refused. */
export async function depositPage(asked: Asked, shown: Shown): Promise<PageAnswer> {
  const { service, book, params, may, part, identity } = asked
  const { db } = service
  const { bookId } = book
  const deposit = await findDeposit(db, bookId, params.deposit_id!)
  if (deposit === undefined) return NOT_FOUND
  const { depositId } = deposit
  const words = asked.words.in(deposit.currency)
  const [rulesOf, { today, at }, kept, taxationOn] = await Promise.all([
    readRules(db, service.versions, bookId, [deposit.rulesVersion]),
    service.momentIn(book),
    findPending(db, bookId, 'liquidateFixedDeposit', depositId),
    readTaxation(service, book, depositId),
  ])
  const rules = rulesOf.get(deposit.rulesVersion)!
  const pending = kept !== undefined && statusAt(kept, at) === 'PENDING' ? kept : null
  const { form } = shown
  const quoted = deposit.status === 'ACTIVE' ? await quoteAsked(asked, depositId, form) : null
  const needed = quoted?.outcome === 'settled' ? quoted.approvalsNeeded : 0
  const key = shown.key ?? randomUUID()
  const view = { deposit, rules, taxationOn, today, form, quoted, needed, pending, key, may }
  if (part === 'quote') return { kind: 'part', part: quotePart(view, words) }

  const [customer, account, paid, entries, changes, liens] = await Promise.all([
    findCustomer(db, bookId, deposit.customerId),
    findAccount(db, bookId, deposit.accountNumber),
    listLiquidationsOfDeposit(db, bookId, depositId, FIRST_PAGE),
    may('ledger:read') ? listEntries(db, bookId, { depositId }, FIRST_PAGE) : null,
    may('audit:read') ? listChanges(db, bookId, { subjectId: depositId }, FIRST_PAGE) : null,
    may('liens:read') && deposit.lien > 0n ? listLiensOfDeposit(db, bookId, depositId, FIRST_PAGE) : null,
  ])
  const notice = shown.notice?.(words, paid.items) ?? null
  const { deposit: say, breaking, statuses } = words.say
  const name = `${customer!.firstName} ${customer!.lastName}`
  const left = daysBetween(today, deposit.maturityDate)
  const atMaturity = valueAtMaturity(deposit, rules, taxationOn(deposit.maturityDate))
  const isMine = pending?.maker === voterOf(identity.person)
  const newest = paid.items[0]
  return show(
    'deposits',
    `${words.money(deposit.principal)}, ${name}`,
    html`<nav class="crumbs" aria-label="${say.breadcrumb}"><ol><li><a href="/console/customers">${words.say.sections.customers}</a></li><li><a href="/console/customers/${deposit.customerId}">${name}</a></li><li aria-current="page">${say.title}</li></ol></nav>
<header class="head"><div><h1>${words.money(deposit.principal)} <span class="thin">${say.at(formatPpm(deposit.annualRatePpm), deposit.tenorDays)}</span></h1>
<p class="sub"><span class="badge ${deposit.status.toLowerCase()}">${statuses[deposit.status]}</span><code>${depositId}</code><button type="button" class="quiet" data-js data-copy="${depositId}" data-copied="${words.say.copied}">${words.say.copy}</button></p></div>${newest !== undefined && html`<a class="button" href="/console/liquidations/${newest.liquidationId}/advice">${breaking.printAdvice}</a>`}</header>
${notice !== null && html`<div class="notice ${notice.kind}" role="${notice.kind === 'bad' ? 'alert' : 'status'}">${notice.text}</div>`}
${pending !== null && waitingNotice(pending, { isMine, mayLook: may('approvals:read') }, words)}
<dl class="figures"><div><dt>${say.remaining}</dt><dd>${words.money(deposit.remaining)}</dd></div>
<div><dt>${say.accrued}</dt><dd>${words.money(accruedInterest(deposit, rules, today))}</dd></div>
<div><dt>${say.atMaturity}</dt><dd>${words.money(deposit.status === 'ACTIVE' ? atMaturity.net : 0n)}${deposit.status === 'ACTIVE' && atMaturity.tax > 0n && html` <small class="below">${say.afterTax(words.money(atMaturity.tax))}</small>`}</dd></div>
<div><dt>${say.matures}</dt><dd>${words.day(deposit.maturityDate)} <small>${deposit.status === 'ACTIVE' && (left > 0 ? say.inDays(left) : say.due)}</small></dd></div></dl>
<div class="split"><section class="card" aria-labelledby="break"><h2 id="break">${breaking.heading}</h2>
${deposit.status === 'ACTIVE' ? [questions(view, words), quotePart(view, words)] : html`<p>${breaking.over(statuses[deposit.status].toLowerCase())}</p>`}</section>
<div class="stack"><section class="card" aria-labelledby="terms"><h2 id="terms">${say.terms}</h2><dl class="pairs">
<div><dt>${say.customer}</dt><dd><a href="/console/customers/${deposit.customerId}">${name}</a></dd></div>
<div><dt>${say.paysTo}</dt><dd>${deposit.accountNumber}<small>${say.balance(words.money(account!.balance))}</small></dd></div>
<div><dt>${say.term}</dt><dd>${say.fromTo(words.day(deposit.startDate), words.day(deposit.maturityDate))}</dd></div>
<div><dt>${say.atMaturity}</dt><dd>${deposit.autoRollover ? say.rollsOver : say.paysOut}</dd></div>
<div><dt>${say.rules}</dt><dd>${may('rules:read') ? html`<a href="/console/rules/versions#v${deposit.rulesVersion}">${say.version(deposit.rulesVersion)}</a>` : say.version(deposit.rulesVersion)}</dd></div></dl>
<progress max="${deposit.tenorDays}" value="${Math.min(deposit.tenorDays, Math.max(0, deposit.tenorDays - left))}" aria-label="${say.elapsed}"></progress></section>
${deposit.lien > 0n && lienCard(deposit, liens?.items ?? [], words)}
${paid.items.length > 0 && liquidationCard(paid.items, may('liquidations:reverse'), words)}
${history(changes?.items ?? null, entries?.items ?? [], words)}</div></div>
${entries !== null && entries.items.length > 0 && ledger(entries.items, deposit, words)}`,
    shown.status,
  )
}

function waitingNotice(
  { approvalId, preview, requestedBy, requestedAt }: Approval,
  { isMine, mayLook }: { isMine: boolean; mayLook: boolean },
  words: Words,
): Html {
  const { breaking: say, actors } = words.say
  const who = requestedBy.name ?? actors[requestedBy.kind]
  return html`<div class="notice wait" role="status"><p><b>${say.waits(words.money(keptAmount(parseJson(preview), 'net_credited')))}</b> ${say.waitsText(who, words.instant(requestedAt))}</p>
<div class="row">${mayLook && html`<a href="/console/approvals/${approvalId}">${say.look}</a>`}${isMine && html`<form method="post" action="/console/approvals/${approvalId}/cancel"><button class="button">${say.takeBack}</button></form>`}</div></div>`
}

/** Only the last movement of a deposit can be reversed; whether it still can be is decided on submission. */
function liquidationCard(paid: readonly KeptLiquidation[], mayReverse: boolean, words: Words): Html {
  const { deposit: say, reversal } = words.say
  return html`<section class="card" aria-labelledby="advice"><h2 id="advice">${say.liquidations}</h2><ul class="lines">${paid.map(
    (one, index) =>
      html`<li><a href="/console/liquidations/${one.liquidationId}/advice">${say.advice(words.money(one.net), words.day(one.businessDate))}</a>${one.reversedAt !== null && html` <small>${reversal.reversed(words.instant(one.reversedAt))}</small>`}${
        index === 0 &&
        one.reversedAt === null &&
        mayReverse &&
        html`<details class="edit"><summary>${reversal.open}</summary><form class="fill" method="post" action="/console/liquidations/${one.liquidationId}/reverse"><p class="hint">${reversal.text}</p><div class="field"><label for="why">${reversal.reason}</label><input id="why" name="reason" required maxlength="200" autocomplete="off"></div><div><button class="button danger">${reversal.submit(words.money(one.net))}</button></div></form></details>`
      }</li>`,
  )}</ul></section>`
}

function lienCard(deposit: Deposit, liens: readonly Lien[], words: Words): Html {
  const { deposit: say } = words.say
  const held = liens.filter(({ status }) => status === 'ACTIVE')
  return html`<section class="card" aria-labelledby="liens"><h2 id="liens">${say.liens}</h2><p>${say.held(words.money(deposit.lien))}</p>${held.length > 0 && html`<ul>${held.map((lien) => html`<li>${say.lien(words.money(lien.amount), lien.reason)} <small>${say.since(words.instant(lien.createdAt))}</small></li>`)}</ul>`}</section>`
}

/** Who did it is for those who may read the audit log; that it was done, for everybody who sees the ledger. */
function history(
  changes: readonly AuditedChange[] | null,
  entries: readonly LedgerEntry[],
  words: Words,
): Html {
  const { deposit: say, entryKinds, actors } = words.say
  const lines =
    changes?.map(({ at, action, actor }) => ({
      at,
      text: html`${words.action(action)} <small>${say.by(actor.name ?? actors[actor.kind])}</small>`,
    })) ?? entries.map(({ createdAt, kind }) => ({ at: createdAt, text: html`${entryKinds[kind]}` }))
  return html`${
    lines.length > 0 &&
    html`<section class="card" aria-labelledby="history"><h2 id="history">${say.history}</h2><ol class="timeline">${lines.map(
      ({ at, text }) => html`<li><time>${words.instant(at)}</time><span>${text}</span></li>`,
    )}</ol></section>`
  }`
}

function ledger(entries: readonly LedgerEntry[], deposit: Deposit, words: Words): Html {
  const { deposit: say } = words.say
  return html`<section class="card" aria-labelledby="ledger"><h2 id="ledger">${say.ledger}</h2><div class="scroll" tabindex="0" role="group" aria-label="${say.entries}"><table class="ledger"><thead><tr><th scope="col">${say.when}</th><th scope="col">${say.entry}</th><th scope="col">${say.account}</th><th scope="col" class="num">${say.debit}</th><th scope="col" class="num">${say.credit}</th></tr></thead><tbody>${entries.map(
    (entry) =>
      entry.postings.map(
        (posting, index) =>
          html`<tr${index === 0 && trusted(' class="first"')}><td>${index === 0 && words.instant(entry.createdAt)}</td><td>${index === 0 && words.say.entryKinds[entry.kind]}</td><td>${accountWord(posting.account, deposit, words)}</td><td class="num" data-name="${say.debit}">${posting.amount < 0n && words.plain(-posting.amount)}</td><td class="num" data-name="${say.credit}">${posting.amount > 0n && words.plain(posting.amount)}</td></tr>`,
      ),
  )}</tbody></table></div></section>`
}

function accountWord(account: string, deposit: Deposit, words: Words): string {
  const { deposit: say, bankAccounts } = words.say
  if (account === deposit.depositId) return say.thisDeposit
  return bankAccounts[account] ?? say.customerAccount(account)
}

type Quoted = Quote | Refusal | { outcome: 'unreadable'; field: string }

async function quoteAsked({ service, book }: Asked, depositId: string, form: Fields): Promise<Quoted> {
  const on = form.get('on')
  const read = readBody(QuoteBody, { ...quoteBody(form), ...(on !== '' && { as_of: on }) })
  if (!read.ok) return { outcome: 'unreadable', field: read.fields[0]!.field }
  return quote(service, book, { depositId, ...breakingFrom(read.value), asOf: read.value.as_of ?? null })
}

type View = {
  deposit: Deposit
  rules: RuleSet
  taxationOn: (on: IsoDate) => Taxation | null
  today: IsoDate
  form: Fields
  quoted: Quoted | null
  /** How many others have to approve what is quoted. */
  needed: number
  pending: Approval | null
  key: string
  may: (scope: string) => boolean
}

function questions(view: View, words: Words): Html {
  const { deposit, rules, today, form, quoted } = view
  const { breaking: say } = words.say
  const free = deposit.remaining - deposit.lien
  const least = deposit.remaining - rules.minRemainingPrincipal
  const most = least < free ? least : free
  const possible = rules.allowPartial && most >= rules.minPartialAmount
  const isPartial = form.get('type') === 'PARTIAL'
  const checked = (partial: boolean) => isPartial === partial && trusted(' checked')
  const isWrong = isPartial && quoted !== null && quoted.outcome !== 'settled'
  const on = form.get('on')
  const hint = !rules.allowPartial
    ? say.onlyWhole
    : possible
      ? say.bounds(words.money(rules.minPartialAmount), words.money(most))
      : say.tooSmall
  return html`<form class="quote-form" action="/console/deposits/${deposit.depositId}" data-live="quote">
<fieldset class="segments"><legend>${say.howMuch}</legend><label><input type="radio" name="type" value="FULL"${checked(false)}><span>${say.all}</span></label><label><input type="radio" name="type" value="PARTIAL"${checked(true)}${!possible && trusted(' disabled')}><span>${say.part}</span></label></fieldset>
<div class="field amount"><label for="amount">${say.amount}</label><div class="affix"><span aria-hidden="true">${deposit.currency}</span><input id="amount" name="amount" inputmode="decimal" autocomplete="off" maxlength="24" value="${form.get('amount')}" aria-describedby="amount-hint"${isWrong && trusted(' aria-invalid="true"')}${!possible && trusted(' disabled')}></div><p class="hint" id="amount-hint">${hint}</p></div>
<div class="field"><label for="on">${say.on}</label><input id="on" name="on" type="date" value="${isIsoDate(on) ? on : today}" min="${deposit.startDate}"></div>
<button class="button" data-nojs>${say.quote}</button>
${view.may('penal_charges:waive') && today < deposit.maturityDate && waiverQuestions(view, words)}</form>`
}

function waiverQuestions({ deposit, rules, today, form }: View, words: Words): Html {
  const { breaking: say } = words.say
  const byAmount = form.get('waive') === 'amount'
  const isOpen = form.get('waived') !== '' || form.get('waive_holding') !== ''
  const isHeld = daysBetween(deposit.startDate, today) < rules.minHoldingDays
  return html`<details class="waiver"${isOpen && trusted(' open')}><summary>${say.waiving}</summary><div class="fields">
<fieldset class="segments"><legend>${say.waive}</legend><label><input type="radio" name="waive" value="percent"${!byAmount && trusted(' checked')}><span>${say.byPercent}</span></label><label><input type="radio" name="waive" value="amount"${byAmount && trusted(' checked')}><span>${say.byAmount}</span></label></fieldset>
<div class="field"><label for="waived">${say.toWaive}</label><input id="waived" name="waived" inputmode="decimal" autocomplete="off" maxlength="24" value="${form.get('waived')}"></div>
<div class="field"><label for="waiver_reason">${say.waiverReason}</label><select id="waiver_reason" name="waiver_reason">${choices(words.say.waiverReasons, form.get('waiver_reason'))}</select></div>
<div class="field"><label for="waiver_note">${say.waiverNote} <small>${say.optional}</small></label><input id="waiver_note" name="waiver_note" autocomplete="off" maxlength="200" value="${form.get('waiver_note')}"></div>
${isHeld && html`<label class="check"><input type="checkbox" name="waive_holding" value="yes"${form.get('waive_holding') !== '' && trusted(' checked')}> ${say.waiveHolding}</label>`}</div></details>`
}

function quotePart(view: View, words: Words): Html {
  const { rules, today, quoted } = view
  const { breaking: say } = words.say
  if (quoted === null) return html`<div id="quote"></div>`
  if (quoted.outcome !== 'settled') {
    const text = quoted.outcome === 'refused' ? refusalWord(quoted, words) : fieldWord(quoted.field, words)
    return html`<div id="quote"><p class="notice bad" role="alert">${text}</p></div>`
  }
  const { settlement } = quoted
  const { principal, businessDate: on } = settlement
  const { days, stepDays } = outlookOf(view, principal)
  const better = betterDay(days, settlement)
  const gain = better === null ? 0n : principal + better.interest - better.penal - better.tax - settlement.net
  return html`<div id="quote"><div class="hero"><p aria-live="polite">${on === today ? say.receivesToday : say.receivesOn(words.day(on))}<strong>${words.money(settlement.net)}</strong></p>${sumTable(settlement, words)}</div>
${better !== null && gain > 0n && html`<p class="notice tip"><b>${say.waiting(daysBetween(on, better.on), words.money(gain))}</b> ${say.waitingWhy(words.day(better.on))}</p>`}
${outlookChart(days, { on, better: gain > 0n ? better : null, principal, stepDays }, words)}
<details class="why"><summary>${say.how}</summary><ol>${workedOut(settlement, rules, words).map((sentence) => html`<li>${sentence}</li>`)}</ol></details>
${act(view, settlement, words)}</div>`
}

/** The form that pays or asks; where neither is possible, why. */
function act(
  { deposit, today, form, needed, pending, key, may }: View,
  settlement: ExplainedSettlement,
  words: Words,
): Html {
  const { breaking: say } = words.say
  if (!may('fixed_deposits:liquidate')) return html`<p class="notice">${say.mayNot}</p>`
  if (settlement.waiver !== null && !may('penal_charges:waive'))
    return html`<p class="notice">${say.mayNotWaive}</p>`
  if (settlement.businessDate !== today) return html`<p class="notice">${say.lookAhead}</p>`
  if (needed > 0 && pending !== null) return html`<p class="notice">${say.oneWaits}</p>`
  const amount = words.money(settlement.net)
  const path = `/console/deposits/${deposit.depositId}/${needed > 0 ? 'ask' : 'break'}`
  const carried = new URLSearchParams([
    ['key', key],
    ...stateOf(form),
    ...(needed > 0 ? [] : [['expected', formatAmount(settlement.net)]]),
  ] as [string, string][])
  return html`<form class="act" method="post" action="${path}"${needed === 0 && trusted(' data-confirm="sure"')}>${hiddenFields(carried)}
${needed > 0 && html`<p class="notice">${say.askWhy(needed)}</p>`}
<div class="field"><label for="reason">${say.reason}</label><select id="reason" name="reason" required><option value="">${say.chooseOne}</option>${choices(words.say.reasons, form.get('reason'))}</select></div>
<div class="field"><label for="reference">${say.reference} <small>${say.optional}</small></label><input id="reference" name="reference" autocomplete="off" maxlength="64" value="${form.get('reference')}"></div>
${
  needed > 0
    ? html`<button class="button primary">${say.ask(amount)}</button>`
    : html`<button class="button primary">${say.submit(amount)}</button>
<dialog id="sure" aria-labelledby="sure-title"><h2 id="sure-title">${say.sure(amount)}</h2>${sumTable(settlement, words)}<p class="hint">${say.sureText}</p><div class="row"><button type="button" class="button" data-close autofocus>${words.say.back}</button><button class="button primary" name="sure" value="yes">${say.submit(amount)}</button></div></dialog>`
}</form>`
}

/** Days of a term that are drawn at most. */
const DRAWN_MAX = 366

function outlookOf(
  { deposit, rules, taxationOn }: View,
  principal: Minor,
): { days: OutlookDay[]; stepDays: number } {
  const termDays = daysBetween(deposit.startDate, deposit.maturityDate)
  const stepDays = Math.max(1, Math.ceil(termDays / DRAWN_MAX))
  const at = (day: number): OutlookDay => {
    const on = addDays(deposit.startDate, day)
    const { interest, assessed, earlierToday, ruleIndex } = assessOn(on, { deposit, principal, rules })
    const parts = { principal, interest, assessed, waived: minor(0n) }
    const tax = taxOf(figuresOf(parts, taxationOn(on), earlierToday))
    return { on, interest, penal: assessed, tax, ruleIndex }
  }
  const days: OutlookDay[] = []
  for (let day = 0; day < termDays; day += stepDays) days.push(at(day))
  return { days: [...days, at(termDays)], stepDays }
}

/** The next day on which another rule applies. */
function betterDay(
  days: readonly OutlookDay[],
  { businessDate, explanation }: ExplainedSettlement,
): OutlookDay | null {
  return days.find((day) => day.on > businessDate && day.ruleIndex !== explanation.ruleIndex) ?? null
}

/** A letter to the customer, on one page. */
async function advicePage({ service, book, params, words: all }: Asked): Promise<PageAnswer> {
  const { db } = service
  const kept = await findLiquidation(db, book.bookId, params.liquidation_id!)
  if (kept === undefined) return NOT_FOUND
  const deposit = (await findDeposit(db, book.bookId, kept.depositId))!
  const [[one], bank, customer, rules] = await Promise.all([
    explain(service, book, deposit, [kept]),
    findCallerName(db, book.callerId),
    findCustomer(db, book.bookId, deposit.customerId),
    readRules(db, service.versions, book.bookId, [deposit.rulesVersion]),
  ])
  const words = all.in(kept.currency)
  const { advice: say } = words.say
  const letter = adviceLetter(
    {
      holder: holderOf(customer!),
      liquidation: one!,
      deposit,
      rules: rules.get(deposit.rulesVersion)!,
    },
    words,
  )
  return show(
    'deposits',
    say.title,
    html`<article class="advice card"><header class="head"><div><p class="soft">${bank}</p><h1>${say.title}</h1></div><button class="button" type="button" data-js data-print>${say.print}</button></header>
${letter}</article>`,
  )
}
