/**
 * A deposit whole, what breaking it would pay, and breaking it. The address holds the state of a quote, so that it can be
 * sent to a colleague. The form carries a key, so that it pays at most once, and what the customer agreed to.
 */
import { randomUUID } from 'node:crypto'
import { type OutlookDay, outlookChart } from '../../console/chart.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, redirect, show } from '../../console/page.ts'
import type { Words } from '../../console/words.ts'
import { addDays, daysBetween, type IsoDate, isIsoDate } from '../../domain/dates.ts'
import { formatPpm, readDecimal } from '../../domain/decimal.ts'
import { accruedInterest, type Deposit } from '../../domain/deposit.ts'
import type { Part, Settlement } from '../../domain/liquidation.ts'
import { MINOR_MAX, type Minor, minor } from '../../domain/money.ts'
import { assess, type Explanation } from '../../domain/penal.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { RuleSet } from '../../domain/rules.ts'
import { OutcomeUnknownError } from '../../engine/change/faults.ts'
import { successBodyOf } from '../../wire/envelope.ts'
import { type Html, html, trusted } from '../../wire/html.ts'
import { findAccount } from '../accounts/store.ts'
import { listChanges } from '../audit/store.ts'
import { findCustomer } from '../customers/store.ts'
import { findDeposit } from '../deposits/store.ts'
import { listEntries } from '../ledger/store.ts'
import { listLiensOfDeposit } from '../liens/store.ts'
import { readRules } from '../rules/changes.ts'
import { liquidate } from './changes.ts'
import { explain, quote } from './quote.ts'
import { findLiquidation, listLiquidationsOfDeposit } from './store.ts'

const FIRST_PAGE = { limit: 50, before: null }

export const liquidationPages: Page[] = [
  {
    method: 'GET',
    path: '/deposits/:deposit_id',
    scope: 'fixed_deposits:read',
    answer: (asked) => depositPage(asked, { form: quoteForm(asked.query), notice: doneNotice(asked) }),
  },
  {
    method: 'POST',
    path: '/deposits/:deposit_id/break',
    scope: 'fixed_deposits:liquidate',
    answer: breakDeposit,
  },
  {
    method: 'GET',
    path: '/liquidations/:liquidation_id/advice',
    scope: 'fixed_deposits:read',
    answer: advicePage,
  },
]

type QuoteForm = { type: 'FULL' | 'PARTIAL'; amount: string; on: string }
type Notice = { kind: 'good' | 'bad'; text: Html } | null
type Shown = { form: QuoteForm; notice: Notice; key?: string; status?: number }

function quoteForm(fields: { get: (name: string) => string }): QuoteForm {
  return {
    type: fields.get('type') === 'PARTIAL' ? 'PARTIAL' : 'FULL',
    amount: fields.get('amount').trim(),
    on: fields.get('on'),
  }
}

function readPart({ type, amount }: QuoteForm): Part | null {
  if (type === 'FULL') return { type, amount: null }
  const text = amount.replaceAll(/[\s,]/g, '')
  if (!/^\d{1,15}(\.\d{1,20})?$/.test(text)) return null
  const read = readDecimal(text, { digits: 2, max: MINOR_MAX })
  return typeof read === 'string' || read.units <= 0n ? null : { type, amount: minor(read.units) }
}

async function breakDeposit(asked: Asked): Promise<PageAnswer> {
  const { service, form, params, words, originOf } = asked
  const { breaking: say } = words.say
  const chosen = { ...quoteForm(form), on: '' }
  const part = readPart(chosen)
  const expected = readDecimal(/^\d{1,18}$/.test(form.get('expected')) ? form.get('expected') : '0', {
    digits: 0,
    max: MINOR_MAX,
  })
  const key = form.get('key')
  if (part === null || typeof expected === 'string' || !/^[\w-]{20,64}$/.test(key)) {
    return depositPage(asked, { form: chosen, notice: bad(html`${say.notPaid}`), status: 422 })
  }
  if (form.get('sure') !== 'yes') return confirmPage(asked, chosen, part)
  try {
    const depositId = params.deposit_id!
    const result = await liquidate(
      service,
      originOf(key),
      { depositId, part, expectedNet: minor(expected.units) },
      // What is kept beside the key has the form of every answer that is kept.
      ({ data }) => ({ status: 200, body: successBodyOf('The fixed deposit was liquidated.', data) }),
    )
    if (result.outcome !== 'refused') {
      const { data } = JSON.parse(result.answer!.body)
      return redirect(`/console/deposits/${depositId}?done=${data.liquidation_id}`)
    }
    if (result.code === 'deposit_not_found') return NOT_FOUND
    return depositPage(asked, { form: chosen, notice: bad(refusedText(result, words)), status: 409 })
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) throw error
    const text = html`${say.unknown} ${sendAgain(asked, words)}`
    return depositPage(asked, { form: chosen, notice: bad(text), key, status: 503 })
  }
}

function sendAgain({ form, params }: Asked, words: Words): Html {
  return html`<form method="post" action="/console/deposits/${params.deposit_id}/break">${[
    ...new URLSearchParams(form.text),
  ].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button class="button">${words.say.breaking.sendAgain}</button></form>`
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

function bad(text: Html): Notice {
  return { kind: 'bad', text }
}

/** The second look of browsers without script. */
async function confirmPage(asked: Asked, form: QuoteForm, part: Part): Promise<PageAnswer> {
  const { service, book, params, words } = asked
  const { breaking: say } = words.say
  const quoted = await quote(service, book, { depositId: params.deposit_id!, part, asOf: null })
  if (quoted.outcome === 'refused') {
    if (quoted.code === 'deposit_not_found') return NOT_FOUND
    return depositPage(asked, { form, notice: bad(refusedText(quoted, words)), status: 409 })
  }
  const { settlement } = quoted
  if (settlement.total !== BigInt(asked.form.get('expected') || '0')) {
    return depositPage(asked, { form, notice: bad(html`${say.changed}`), status: 409 })
  }
  const back = `/console/deposits/${params.deposit_id}?${stateOf(form)}`
  return show(
    'deposits',
    say.sure(words.money(settlement.total)),
    html`<section class="card confirm"><h1>${say.sure(words.money(settlement.total))}</h1>${sumTable(settlement, words)}<p class="hint">${say.sureText}</p>
<form class="row" method="post" action="/console/deposits/${params.deposit_id}/break"><a class="button" href="${back}">${words.say.back}</a>${hiddenFields(form, settlement, asked.form.get('key'))}<input type="hidden" name="sure" value="yes"><button class="button primary">${say.submit(words.money(settlement.total))}</button></form></section>`,
  )
}

function stateOf({ type, amount, on }: QuoteForm): string {
  return new URLSearchParams({ type, amount, on }).toString()
}

function hiddenFields({ type, amount }: QuoteForm, settlement: Settlement, key: string): Html {
  const fields = { key, type, amount, expected: String(settlement.total) }
  return html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}

function doneNotice({ query, words }: Asked): ((paid: Paid) => Notice) | null {
  const liquidationId = query.get('done')
  if (liquidationId === '') return null
  const { breaking: say } = words.say
  return (paid) => {
    const one = paid.find((each) => each.liquidationId === liquidationId)
    if (one === undefined) return null
    const text = html`<b>${say.done(words.money(one.total), one.accountNumber)}</b> <a href="/console/liquidations/${one.liquidationId}/advice">${say.printAdvice}</a>`
    return { kind: 'good', text }
  }
}
type Paid = readonly { liquidationId: string; total: bigint; accountNumber: string; businessDate: IsoDate }[]

async function depositPage(
  asked: Asked,
  shown: Omit<Shown, 'notice'> & { notice: Notice | ((paid: Paid) => Notice) },
): Promise<PageAnswer> {
  const { service, book, params, words, may, part } = asked
  const { db } = service
  const { bookId } = book
  const deposit = await findDeposit(db, bookId, params.deposit_id!)
  if (deposit === undefined) return NOT_FOUND
  const { depositId } = deposit
  const [rulesOf, { today }] = await Promise.all([
    readRules(db, service.versions, bookId, [deposit.rulesVersion]),
    service.momentIn(book),
  ])
  const rules = rulesOf.get(deposit.rulesVersion)!
  const { form } = shown
  const quoted = deposit.status === 'ACTIVE' ? await quoteAsked(asked, deposit, form) : null
  const view = { deposit, rules, today, form, quoted, key: shown.key ?? randomUUID(), may }
  if (part === 'quote') return { kind: 'part', part: quotePart(view, words) }

  const [customer, account, paid, entries, changes, liens] = await Promise.all([
    findCustomer(db, bookId, deposit.customerId),
    findAccount(db, bookId, deposit.accountNumber),
    listLiquidationsOfDeposit(db, bookId, depositId, FIRST_PAGE),
    may('ledger:read') ? listEntries(db, bookId, { depositId }, FIRST_PAGE) : { items: [] },
    listChanges(db, bookId, { subjectId: depositId }, FIRST_PAGE),
    listLiensOfDeposit(db, bookId, depositId, FIRST_PAGE),
  ])
  const notice = typeof shown.notice === 'function' ? shown.notice(paid.items) : shown.notice
  const { deposit: say, breaking, statuses, actions } = words.say
  const name = `${customer!.firstName} ${customer!.lastName}`
  const left = daysBetween(today, deposit.maturityDate)
  const atMaturity = assessOn(deposit, rules, deposit.remaining, deposit.maturityDate).interest
  const held = liens.items.filter(({ status }) => status === 'ACTIVE')
  return show(
    'deposits',
    `${words.money(deposit.principal)}, ${name}`,
    html`<nav class="crumbs" aria-label="${say.breadcrumb}"><ol><li><a href="/console/customers">${words.say.sections.customers}</a></li><li><a href="/console/customers/${deposit.customerId}">${name}</a></li><li aria-current="page">${say.title}</li></ol></nav>
<header class="head"><div><h1>${words.money(deposit.principal)} <span class="thin">${say.at(formatPpm(deposit.annualRatePpm), deposit.tenorDays)}</span></h1>
<p class="sub"><span class="badge ${deposit.status.toLowerCase()}">${statuses[deposit.status]}</span><code>${depositId}</code><button type="button" class="quiet" data-js data-copy="${depositId}" data-copied="${words.say.copied}">${words.say.copy}</button></p></div></header>
${notice !== null && html`<div class="notice ${notice.kind}" role="${notice.kind === 'bad' ? 'alert' : 'status'}">${notice.text}</div>`}
<dl class="figures"><div><dt>${say.remaining}</dt><dd>${words.money(deposit.remaining)}</dd></div>
<div><dt>${say.accrued}</dt><dd>${words.money(accruedInterest(deposit, rules, today))}</dd></div>
<div><dt>${say.atMaturity}</dt><dd>${words.money(deposit.status === 'ACTIVE' ? deposit.remaining + atMaturity : 0n)}</dd></div>
<div><dt>${say.matures}</dt><dd>${words.day(deposit.maturityDate)} <small>${deposit.status === 'ACTIVE' && (left > 0 ? say.inDays(left) : say.due)}</small></dd></div></dl>
<div class="split"><section class="card" aria-labelledby="break"><h2 id="break">${breaking.heading}</h2>
${deposit.status === 'ACTIVE' ? [questions(view, words), quotePart(view, words)] : html`<p>${breaking.over(statuses[deposit.status].toLowerCase())}</p>`}</section>
<div class="stack"><section class="card" aria-labelledby="terms"><h2 id="terms">${say.terms}</h2><dl class="pairs">
<div><dt>${say.customer}</dt><dd><a href="/console/customers/${deposit.customerId}">${name}</a></dd></div>
<div><dt>${say.paysTo}</dt><dd>${deposit.accountNumber}<small>${say.balance(words.money(account!.balance))}</small></dd></div>
<div><dt>${say.term}</dt><dd>${say.fromTo(words.day(deposit.startDate), words.day(deposit.maturityDate))}</dd></div>
<div><dt>${say.atMaturity}</dt><dd>${deposit.autoRollover ? say.rollsOver : say.paysOut}</dd></div>
<div><dt>${say.rules}</dt><dd>${say.version(deposit.rulesVersion)}</dd></div></dl>
<progress max="${deposit.tenorDays}" value="${Math.min(deposit.tenorDays, Math.max(0, deposit.tenorDays - left))}" aria-label="${say.elapsed}"></progress></section>
${held.length > 0 && html`<section class="card" aria-labelledby="liens"><h2 id="liens">${say.liens}</h2><ul>${held.map((lien) => html`<li>${say.lien(words.money(lien.amount), lien.reason)}</li>`)}</ul></section>`}
${paid.items.length > 0 && html`<section class="card" aria-labelledby="advice"><h2 id="advice">${say.liquidations}</h2><ul>${paid.items.map((one) => html`<li><a href="/console/liquidations/${one.liquidationId}/advice">${say.advice(words.money(one.total), words.day(one.businessDate))}</a></li>`)}</ul></section>`}
<section class="card" aria-labelledby="history"><h2 id="history">${say.history}</h2><ol class="timeline">${changes.items.map(
      (change) =>
        html`<li><time>${words.instant(change.at)}</time><span>${actions[change.action] ?? change.action} <small>${say.by(change.actor.name ?? words.say.actors[change.actor.kind])}</small></span></li>`,
    )}</ol></section></div></div>
${
  entries.items.length > 0 &&
  html`<section class="card" aria-labelledby="ledger"><h2 id="ledger">${say.ledger}</h2><div class="scroll" tabindex="0" role="region" aria-label="${say.entries}"><table><thead><tr><th scope="col">${say.when}</th><th scope="col">${say.entry}</th><th scope="col">${say.account}</th><th scope="col" class="num">${say.debit}</th><th scope="col" class="num">${say.credit}</th></tr></thead><tbody>${entries.items.map(
    (entry) =>
      entry.postings.map(
        (posting, index) =>
          html`<tr${index === 0 && trusted(' class="first"')}><td>${index === 0 && words.instant(entry.createdAt)}</td><td>${index === 0 && words.say.entryKinds[entry.kind]}</td><td>${accountWord(posting.account, deposit, words)}</td><td class="num">${posting.amount < 0n && words.plain(-posting.amount)}</td><td class="num">${posting.amount > 0n && words.plain(posting.amount)}</td></tr>`,
      ),
  )}</tbody></table></div></section>`
}`,
    shown.status,
  )
}

function accountWord(account: string, deposit: Deposit, words: Words): string {
  const { deposit: say, bankAccounts } = words.say
  if (account === deposit.depositId) return say.thisDeposit
  return bankAccounts[account] ?? say.customerAccount(account)
}

type Quoted =
  | { outcome: 'settled'; settlement: Settlement }
  | Refusal
  | { outcome: 'unreadable'; field: 'amount' | 'on' }

async function quoteAsked({ service, book }: Asked, deposit: Deposit, form: QuoteForm): Promise<Quoted> {
  const part = readPart(form)
  if (part === null) return { outcome: 'unreadable', field: 'amount' }
  if (form.on !== '' && !isIsoDate(form.on)) return { outcome: 'unreadable', field: 'on' }
  const asOf = form.on === '' ? null : (form.on as IsoDate)
  return quote(service, book, { depositId: deposit.depositId, part, asOf })
}

type View = {
  deposit: Deposit
  rules: RuleSet
  today: IsoDate
  form: QuoteForm
  quoted: Quoted | null
  key: string
  may: (scope: string) => boolean
}

function questions({ deposit, rules, today, form, quoted }: View, words: Words): Html {
  const { breaking: say } = words.say
  const free = deposit.remaining - deposit.lien
  const least = deposit.remaining - rules.minRemainingPrincipal
  const most = least < free ? least : free
  const possible = rules.allowPartial && most >= rules.minPartialAmount
  const checked = (type: string) => form.type === type && trusted(' checked')
  const isWrong = form.type === 'PARTIAL' && quoted !== null && quoted.outcome !== 'settled'
  const hint = !rules.allowPartial
    ? say.onlyWhole
    : possible
      ? say.bounds(words.money(rules.minPartialAmount), words.money(most))
      : say.tooSmall
  return html`<form class="quote-form" action="/console/deposits/${deposit.depositId}" data-live="quote">
<fieldset class="segments"><legend>${say.howMuch}</legend><label><input type="radio" name="type" value="FULL"${checked('FULL')}><span>${say.all}</span></label><label><input type="radio" name="type" value="PARTIAL"${checked('PARTIAL')}${!possible && trusted(' disabled')}><span>${say.part}</span></label></fieldset>
<div class="field amount"><label for="amount">${say.amount}</label><div class="affix"><span aria-hidden="true">${deposit.currency}</span><input id="amount" name="amount" inputmode="decimal" autocomplete="off" maxlength="24" value="${form.amount}" aria-describedby="amount-hint"${isWrong && trusted(' aria-invalid="true"')}${!possible && trusted(' disabled')}></div><p class="hint" id="amount-hint">${hint}</p></div>
<div class="field"><label for="on">${say.on}</label><input id="on" name="on" type="date" value="${form.on === '' ? today : form.on}" min="${deposit.startDate}"></div>
<button class="button" data-nojs>${say.quote}</button></form>`
}

function quotePart(view: View, words: Words): Html {
  const { deposit, rules, today, form, quoted, key } = view
  const { breaking: say } = words.say
  if (quoted === null) return html`<div id="quote"></div>`
  if (quoted.outcome !== 'settled') {
    const text =
      quoted.outcome === 'refused'
        ? refusalWord(quoted, words)
        : quoted.field === 'amount'
          ? say.needsAmount
          : say.needsDay
    return html`<div id="quote"><p class="notice bad" role="alert">${text}</p></div>`
  }
  const { settlement } = quoted
  const { principal, businessDate: on } = settlement
  const { days, stepDays } = outlookOf(deposit, rules, principal)
  const better = betterDay(days, settlement)
  const gain =
    better === null ? 0n : better.interest - better.penal - (settlement.interest - settlement.penal)
  return html`<div id="quote"><div class="hero"><p aria-live="polite">${on === today ? say.receivesToday : say.receivesOn(words.day(on))}<strong>${words.money(settlement.total)}</strong></p>${sumTable(settlement, words)}</div>
${better !== null && gain > 0n && html`<p class="notice tip"><b>${say.waiting(daysBetween(on, better.on), words.money(gain))}</b> ${say.waitingWhy(words.day(better.on))}</p>`}
${outlookChart(days, { on, better: gain > 0n ? better : null, principal, stepDays }, words)}
<details class="why"><summary>${say.how}</summary><ol>${workedOut(settlement, rules, words).map((sentence) => html`<li>${sentence}</li>`)}</ol></details>
${
  !view.may('fixed_deposits:liquidate')
    ? html`<p class="notice">${say.mayNot}</p>`
    : on !== today
      ? html`<p class="notice">${say.lookAhead}</p>`
      : html`<form class="act" method="post" action="/console/deposits/${deposit.depositId}/break" data-confirm="sure">${hiddenFields(form, settlement, key)}<button class="button primary">${say.submit(words.money(settlement.total))}</button>
<dialog id="sure" aria-labelledby="sure-title"><h2 id="sure-title">${say.sure(words.money(settlement.total))}</h2>${sumTable(settlement, words)}<p class="hint">${say.sureText}</p><div class="row"><button type="button" class="button" data-close autofocus>${words.say.back}</button><button class="button primary" name="sure" value="yes">${say.submit(words.money(settlement.total))}</button></div></dialog></form>`
}</div>`
}

function sumTable(settlement: Settlement, words: Words): Html {
  const { breaking: say } = words.say
  const { elapsedDays, termDays, ruleIndex } = settlement.explanation
  return html`<table class="sum"><caption class="hidden">${say.sum}</caption><tbody>
<tr><th scope="row">${say.principal}</th><td>${words.money(settlement.principal)}</td></tr>
<tr><th scope="row">${say.interest(Math.min(elapsedDays, termDays), termDays)}</th><td>+ ${words.money(settlement.interest)}</td></tr>
<tr class="charge"><th scope="row">${ruleIndex === null ? say.penal : say.penalRule(ruleIndex + 1)}</th><td>− ${words.money(settlement.penal)}</td></tr>
<tr class="total"><th scope="row">${say.toAccount(settlement.accountNumber)}</th><td>${words.money(settlement.total)}</td></tr>
${settlement.remaining > 0n && html`<tr class="rest"><th scope="row">${say.stays}</th><td>${words.money(settlement.remaining)}</td></tr>`}</tbody></table>`
}

/** What a person can read to a customer on the phone. */
function workedOut(
  settled: Pick<Settlement, 'principal' | 'interest' | 'penal' | 'total'> & { explanation: Explanation },
  rules: RuleSet,
  words: Words,
): string[] {
  const { worked: say } = words.say
  const { explanation } = settled
  const { money } = words
  const days = Math.min(explanation.elapsedDays, explanation.termDays)
  const rate = formatPpm(explanation.annualRatePpm)
  const sentences = [
    say.interest(money(settled.principal), rate, days, explanation.dayCount, money(settled.interest)),
  ]
  const { earlierToday, ruleIndex, terms, combine, combined, limited, cappedFrom } = explanation
  if (earlierToday !== null) sentences.push(say.earlier(money(earlierToday.principal)))
  if (explanation.noRuleReason !== null) {
    sentences.push(explanation.noRuleReason === 'MATURED' ? say.matured : say.noRule)
  }
  for (const [index, { amount }] of terms.entries()) {
    const term = rules.penalRules[ruleIndex!]!.terms[index]!
    if (term.kind === 'PERCENT') {
      sentences.push(say.percent(formatPpm(term.percentPpm), say.bases[term.of], money(amount)))
    } else if (term.kind === 'FIXED') sentences.push(say.fixed(money(amount)))
    else sentences.push(term.kind === 'RERATE' ? say.rerate(money(amount)) : say.period(money(amount)))
  }
  if (terms.length > 1 && combine !== null) sentences.push(say.combine[combine](money(combined!)))
  if (limited !== null && limited !== combined) sentences.push(say.limited(money(limited)))
  if (cappedFrom !== null) sentences.push(say.capped(money(settled.penal)))
  const { plain } = words
  const { principal, interest, penal, total } = settled
  return [...sentences, say.payout(plain(principal), plain(interest), plain(penal), money(total))]
}

/** Days of a term that are drawn at most. */
const DRAWN_MAX = 366

function outlookOf(
  deposit: Deposit,
  rules: RuleSet,
  principal: Minor,
): { days: OutlookDay[]; stepDays: number } {
  const termDays = daysBetween(deposit.startDate, deposit.maturityDate)
  const stepDays = Math.max(1, Math.ceil(termDays / DRAWN_MAX))
  const at = (day: number): OutlookDay => {
    const on = addDays(deposit.startDate, day)
    const { interest, assessed, explanation } = assessOn(deposit, rules, principal, on)
    return { on, interest, penal: assessed, ruleIndex: explanation.ruleIndex }
  }
  const days: OutlookDay[] = []
  for (let day = 0; day < termDays; day += stepDays) days.push(at(day))
  return { days: [...days, at(termDays)], stepDays }
}

function assessOn(deposit: Deposit, rules: RuleSet, principal: Minor, on: IsoDate) {
  const earlierToday = deposit.lastBroken?.on === on ? deposit.lastBroken : null
  return assess({ ...deposit, principal, earlierToday, rules, businessDate: on })
}

/** The next day on which another rule applies. */
function betterDay(
  days: readonly OutlookDay[],
  { businessDate, explanation }: Settlement,
): OutlookDay | null {
  return days.find((day) => day.on > businessDate && day.ruleIndex !== explanation.ruleIndex) ?? null
}

function refusalWord({ code, details }: Refusal, words: Words): string {
  const { refusals: say } = words.say
  const money = (name: string) => words.money(details[name] as bigint)
  switch (code) {
    case 'amount_exceeds_principal':
      return say.amount_exceeds_principal(money('remaining_principal'))
    case 'amount_below_minimum':
      return say.amount_below_minimum(money('minimum'))
    case 'remaining_below_minimum':
      return say.remaining_below_minimum(money('minimum'), money('maximum_amount'))
    case 'liquidation_locked':
      return say.liquidation_locked(words.dayText(String(details.unlocks_on)))
    case 'amount_under_lien':
      return say.amount_under_lien(money('lien_amount'), money('maximum_amount'))
    case 'deposit_under_lien':
      return say.deposit_under_lien(money('lien_amount'))
    case 'amount_equals_principal':
    case 'partial_liquidation_not_allowed':
    case 'as_of_before_start':
    case 'deposit_not_active':
    case 'balance_limit_exceeded':
      return say[code]
    default:
      return say.other
  }
}

/** A letter to the customer, on one page. */
async function advicePage({ service, book, params, words }: Asked): Promise<PageAnswer> {
  const { db } = service
  const kept = await findLiquidation(db, book.bookId, params.liquidation_id!)
  if (kept === undefined) return NOT_FOUND
  const deposit = (await findDeposit(db, book.bookId, kept.depositId))!
  const [[one], customer, rules] = await Promise.all([
    explain(service, book, deposit, [kept]),
    findCustomer(db, book.bookId, deposit.customerId),
    readRules(db, service.versions, book.bookId, [deposit.rulesVersion]),
  ])
  const { advice: say, breaking } = words.say
  const { explanation, ...settled } = one!
  const { elapsedDays, termDays, annualRatePpm } = explanation
  return show(
    'deposits',
    say.title,
    html`<article class="advice card"><header class="head"><h1>${say.title}</h1><button class="button" type="button" data-js data-print>${say.print}</button></header>
<address>${customer!.firstName} ${customer!.lastName}<br>${customer!.address}</address>
<p>${say.text(words.day(settled.businessDate), settled.type === 'FULL' ? say.whole : say.aPart)} <code>${settled.depositId}</code> ${say.paid} <b>${words.money(settled.total)}</b> ${say.to(settled.accountNumber)}</p>
<table class="sum"><caption class="hidden">${breaking.sum}</caption><tbody><tr><th scope="row">${breaking.principal}</th><td>${words.money(settled.principal)}</td></tr><tr><th scope="row">${say.interest(Math.min(elapsedDays, termDays), termDays, formatPpm(annualRatePpm))}</th><td>+ ${words.money(settled.interest)}</td></tr><tr class="charge"><th scope="row">${breaking.penal}</th><td>− ${words.money(settled.penal)}</td></tr><tr class="total"><th scope="row">${say.toYou}</th><td>${words.money(settled.total)}</td></tr>${settled.remaining > 0n && html`<tr class="rest"><th scope="row">${say.remains(words.day(deposit.maturityDate))}</th><td>${words.money(settled.remaining)}</td></tr>`}</tbody></table>
<section><h2>${say.how}</h2><ol class="reasons">${workedOut({ ...settled, explanation }, rules.get(deposit.rulesVersion)!, words).map((sentence) => html`<li>${sentence}</li>`)}</ol></section>
<p class="soft">${say.reference(settled.liquidationId)}</p></article>`,
  )
}
