/** What liquidation gives to the page of a deposit: the form, the quote with its chart, and what was paid. */
import { type Approval, statusAt } from '../../domain/approvals.ts'
import type { Customer } from '../../domain/customer.ts'
import { daysBetween, isIsoDate } from '../../domain/dates.ts'
import type { ExplainedSettlement } from '../../domain/liquidation.ts'
import { formatAmount, type Minor } from '../../domain/money.ts'
import { daysOfTerm, type OutlookDay } from '../../domain/outlook.ts'
import type { Waiver } from '../../domain/settlement.ts'
import { card, pairs } from '../../page/card.ts'
import {
  checkField,
  disabledBy,
  hiddenFields,
  inputField,
  segments,
  selectField,
  typedFigure,
} from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { noticeLine, showNotice } from '../../page/notice.ts'
import type { Asked, Card, DepositSubject } from '../../page/page.ts'
import { typedIn } from '../../page/sure.ts'
import { refusalWord } from '../../words/refusals.ts'
import { findPendingBreak } from '../approval-requests/store.ts'
import { findCustomer } from '../customers/store.ts'
import { readTaxOutlook, type TaxOutlook } from './changes.ts'
import { outlookChart } from './chart.ts'
import { fieldWord, kindOfWaived, type Quoted, quoteAsked, stateOf } from './form.ts'
import { findLiquidation, findLiquidationsOfDeposit } from './store.ts'
import { sumTable } from './sum.ts'
import { forCustomer, liquidationWords, workedOut } from './words.ts'

export const breakCard: Card<DepositSubject> = {
  place: 'main',
  show: async (asked, subject) => {
    const { deposit, words } = subject
    const { breaking: say } = words.of(liquidationWords)
    const over = say.over(words.say.statuses[deposit.status].toLowerCase())
    if (deposit.status !== 'ACTIVE') return card({ id: 'break', title: say.heading }, html`<p>${over}</p>`)
    const view = await viewOf(asked, subject)
    return card({ id: 'break', title: say.heading }, html`${questions(view)}${quotePart(view)}`)
  },
  part: {
    name: 'quote',
    show: async (asked, subject) =>
      subject.deposit.status === 'ACTIVE'
        ? quotePart(await viewOf(asked, subject))
        : html`<div id="quote"></div>`,
  },
}

/** The liquidation that the person has just made. */
export const paidNotice: Card<DepositSubject> = {
  place: 'notice',
  show: async ({ service, book, query }, { deposit, words }) => {
    const id = query.get('done')
    const paid = id.startsWith('liq_') ? await findLiquidation(service.db, book.bookId, id) : undefined
    if (paid === undefined || paid.depositId !== deposit.depositId) return null
    const { breaking: say } = words.of(liquidationWords)
    const text = html`<p>
<a href="/console/liquidations/${id}"><b>${say.done(words.money(paid.net), paid.accountNumber)}</b></a>
<a href="/console/liquidations/${id}/advice">${say.printAdvice}</a></p>`
    return showNotice({ kind: 'good', text }, words)
  },
}

export const adviceAction: Card<DepositSubject> = {
  place: 'action',
  show: async ({ service, book }, { deposit, words }) => {
    const [latest] = (await findLiquidationsOfDeposit(service.db, book.bookId, deposit.depositId))!
    if (latest === undefined) return null
    const { breaking: say } = words.of(liquidationWords)
    return html`<a class="button" href="/console/liquidations/${latest.liquidationId}/advice">${say.printAdvice}</a>`
  },
}

type View = DepositSubject & {
  taxOutlook: TaxOutlook
  quoted: Quoted
  /** How many others have to approve what is quoted. */
  needed: number
  pending: Approval | null
  customer: Customer
  may: Asked['may']
}

async function viewOf(asked: Asked, subject: DepositSubject): Promise<View> {
  const { service, book, may } = asked
  const { depositId } = subject.deposit
  const [stored, taxOutlook, quoted, customer] = await Promise.all([
    findPendingBreak(service.db, book.bookId, depositId),
    readTaxOutlook(service, book, depositId),
    quoteAsked(asked, depositId, subject.form),
    findCustomer(service.db, book.bookId, subject.deposit.customerId),
  ])
  const pending = stored !== undefined && statusAt(stored, subject.at) === 'PENDING' ? stored : null
  const needed = quoted.outcome === 'settled' ? quoted.approvalsNeeded : 0
  return { ...subject, taxOutlook, quoted, needed, pending, customer: customer!, may }
}

function questions(view: View): Html {
  const { deposit, rules, today, form, quoted, words } = view
  const { breaking: say } = words.of(liquidationWords)
  const free = deposit.remaining - deposit.lien
  const least = deposit.remaining - rules.minRemainingPrincipal
  const most = least < free ? least : free
  const possible = rules.allowPartial && most >= rules.minPartialAmount
  const isPartial = form.get('type') === 'PARTIAL'
  const isWrong = isPartial && quoted.outcome !== 'settled'
  const on = form.get('on')
  const bounds = possible ? say.bounds(words.money(rules.minPartialAmount), words.money(most)) : say.tooSmall
  const hint = rules.allowPartial ? bounds : say.onlyWhole
  const disabled = possible ? null : { because: hint, describedBy: 'amount-hint' }
  return html`<form class="quote-form" action="/console/deposits/${deposit.depositId}" data-live="quote"
data-failed="${say.failed}" data-retry="${say.retry}">
${segments({
  name: 'type',
  label: say.howMuch,
  value: isPartial ? 'PARTIAL' : 'FULL',
  choices: [
    { value: 'FULL', text: say.all },
    { value: 'PARTIAL', text: say.part, disabled },
  ],
})}
<div class="field amount">
<label for="amount">${say.amount}</label>
<div class="affix"><span aria-hidden="true">${deposit.currency}</span>
<input id="amount" name="amount" inputmode="decimal" autocomplete="off" maxlength="24"
value="${typedFigure(form.get('amount'), 'amount', words)}"
${disabled === null ? trusted('aria-describedby="amount-hint"') : disabledBy(disabled)}
${isWrong && trusted('aria-invalid="true"')}></div>
<p class="hint" id="amount-hint">${hint}</p></div>
${inputField({
  name: 'on',
  label: say.on,
  type: 'date',
  value: isIsoDate(on) ? on : today,
  from: deposit.startDate,
})}
<button class="button" data-nojs>${say.quote}</button>
${view.may('penal_charges:waive') && today < deposit.maturityDate && waiverQuestions(view)}</form>`
}

function waiverQuestions({ deposit, rules, today, form, words }: View): Html {
  const { breaking: say, waiverReasons } = words.of(liquidationWords)
  const isOpen = form.get('waived') !== '' || form.get('waive_holding') !== ''
  const waived = typedFigure(form.get('waived'), kindOfWaived(form), words)
  const isHeld = daysBetween(deposit.startDate, today) < rules.minHoldingDays
  return html`<details class="waiver"${isOpen && trusted(' open')}>
<summary>${say.waiving}</summary>
<div class="fields">
${segments({
  name: 'waive',
  label: say.waive,
  value: form.get('waive') === 'amount' ? 'amount' : 'percent',
  choices: [
    { value: 'percent', text: say.byPercent },
    { value: 'amount', text: say.byAmount },
  ],
})}
${inputField({ name: 'waived', label: say.toWaive, isDecimal: true, max: 24, value: waived })}
${selectField({
  name: 'waiver_reason',
  label: say.waiverReason,
  texts: waiverReasons,
  value: form.get('waiver_reason'),
})}
${
  isHeld &&
  checkField({ name: 'waive_holding', label: say.waiveHolding, checked: form.get('waive_holding') !== '' })
}</div></details>`
}

function quotePart(view: View): Html {
  const { rules, today, quoted, words } = view
  const { breaking: say } = words.of(liquidationWords)
  if (quoted.outcome !== 'settled') {
    const text = quoted.outcome === 'refused' ? refusalWord(quoted, words) : fieldWord(quoted.field, words)
    return html`<div id="quote" data-state="${addressOf(view)}">${noticeLine('bad', text)}</div>`
  }
  const { settlement } = quoted
  const { principal, businessDate: on, waiver } = settlement
  const { days, stepDays } = daysShown(view, { principal, waiver })
  const better = betterDay(days, settlement)
  const received = settlement.net + settlement.paidShare
  const gain = better === null ? 0n : principal + better.earned - better.charge - better.tax - received
  const tip =
    better !== null &&
    gain > 0n &&
    html`<p class="notice tip">
<b>${say.waiting(daysBetween(on, better.on), words.money(gain))}</b> ${say.waitingWhy(words.day(better.on))}</p>`
  const receives = on === today ? say.receivesToday : say.receivesOn(words.day(on))
  return html`<div id="quote" data-state="${addressOf(view)}">
<div class="hero">
<p aria-live="polite">${receives}<strong>${words.money(settlement.net)}</strong></p>
${sumTable(settlement, words)}
</div>
<p class="saying">${forCustomer(settlement, rules, words)}</p>
${tip}
${outlookChart(days, { on, better: gain > 0n ? better : null, principal, stepDays }, words)}
<details class="why" id="why">
<summary>${say.how}</summary>
<ol>${workedOut(settlement, rules, words).map((sentence) => html`<li>${sentence}</li>`)}</ol>
</details>
${act(view, settlement)}</div>`
}

/** What the script shows as the address of the quote. */
function addressOf({ deposit, form, words }: View): string {
  const state = new URLSearchParams([...stateOf(form, words), ['on', form.get('on')]])
  return `/console/deposits/${deposit.depositId}?${state}`
}

/** The form that pays or asks; where neither is possible, why. */
function act(view: View, settlement: ExplainedSettlement): Html {
  const { deposit, today, form, needed, pending, key, may, words } = view
  const { breaking: say, reasons } = words.of(liquidationWords)
  if (!may('fixed_deposits:liquidate')) return html`<p class="notice">${say.mayNot}</p>`
  if (settlement.waiver !== null && !may('penal_charges:waive'))
    return html`<p class="notice">${say.mayNotWaive}</p>`
  if (settlement.businessDate !== today) return html`<p class="notice">${say.lookAhead}</p>`
  if (needed > 0 && pending !== null) return html`<p class="notice">${say.oneWaits}</p>`
  const amount = words.money(settlement.net)
  const path = `/console/deposits/${deposit.depositId}/${needed > 0 ? 'ask' : 'break'}`
  const carried = new URLSearchParams([
    ['key', key],
    ...stateOf(form, words),
    ...(needed > 0 ? [] : [['expected', formatAmount(settlement.net)]]),
  ] as [string, string][])
  const optional = words.say.optional
  return html`<form class="act" method="post" action="${path}"
${needed === 0 && html`data-confirm="sure" data-lost="${say.lost}"`}>
${hiddenFields(carried)}
${needed > 0 && html`<p class="notice">${say.askWhy(needed)}</p>`}
${
  settlement.waiver !== null &&
  inputField({
    name: 'waiver_note',
    label: say.waiverNote,
    aside: optional,
    max: 200,
    value: form.get('waiver_note'),
  })
}
${selectField({
  name: 'reason',
  label: say.reason,
  texts: reasons,
  empty: say.chooseOne,
  value: form.get('reason'),
  isRequired: true,
})}
${inputField({
  name: 'reference',
  label: say.reference,
  aside: optional,
  max: 64,
  value: form.get('reference'),
})}
${needed > 0 && inputField({ name: 'note', label: say.noteToApprover, aside: optional, max: 200, value: form.get('note') })}
<button class="button primary">${needed > 0 ? say.ask(amount) : say.submit(amount)}</button>
<p class="notice wait" role="status" data-sending hidden></p>
${needed === 0 && confirmDialog(view, settlement)}</form>`
}

/** The sum once more; the first focus is on the way back. */
function confirmDialog({ deposit, customer, words }: View, settlement: ExplainedSettlement): Html {
  const { breaking: say } = words.of(liquidationWords)
  const amount = words.money(settlement.net)
  return html`<dialog id="sure" aria-labelledby="sure-title">
<h2 id="sure-title">${say.sure(amount)}</h2>
${pairs([
  [say.customer, `${customer.firstName} ${customer.lastName}`],
  [say.deposit, html`<code>${deposit.depositId}</code>`],
  [say.account, settlement.accountNumber],
  [say.reason, typedIn('reason')],
])}
${sumTable(settlement, words)}
<p class="hint">${say.sureText}</p>
<div class="row">
<button type="button" class="button" data-close autofocus>${words.say.back}</button>
<button class="button primary" name="sure" value="yes">${say.submit(amount)}</button>
</div></dialog>`
}

/** Days of a term that are drawn at most. */
const DRAWN_MAX = 366

/** Each day of the term with the waiver that is being considered. */
function daysShown(
  { deposit, rules, today, taxOutlook }: View,
  { principal, waiver }: { principal: Minor; waiver: Waiver | null },
): { days: OutlookDay[]; stepDays: number } {
  const stepDays = Math.max(1, Math.ceil(daysBetween(deposit.startDate, deposit.maturityDate) / DRAWN_MAX))
  return { days: daysOfTerm(deposit, { rules, principal, waiver, today, stepDays, ...taxOutlook }), stepDays }
}

/** The next day on which another rule applies. */
function betterDay(
  days: readonly OutlookDay[],
  { businessDate, explanation }: ExplainedSettlement,
): OutlookDay | null {
  return days.find((day) => day.on > businessDate && day.ruleIndex !== explanation.ruleIndex) ?? null
}
