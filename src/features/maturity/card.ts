import { daysBetween } from '../../domain/dates.ts'
import { accruedInterest } from '../../domain/deposit.ts'
import { valueAtMaturity } from '../../domain/maturity.ts'
import { paidUpTo } from '../../domain/payments.ts'
import { termsOf } from '../../domain/terms.ts'
import { type Html, html } from '../../page/html.ts'
import type { Card, DepositSubject } from '../../page/page.ts'
import { readTaxOutlook } from '../liquidation/changes.ts'
import { maturityWords } from './words.ts'

/** The four figures on top of a deposit. */
export const figuresCard: Card<DepositSubject> = {
  place: 'top',
  show: async ({ service, book }, { deposit, rules, today, words }) => {
    const { taxationOn } = await readTaxOutlook(service, book, deposit.depositId)
    const say = words.of(maturityWords)
    const isActive = deposit.status === 'ACTIVE'
    const left = daysBetween(today, deposit.maturityDate)
    const { maturityDate } = deposit
    const paid = paidUpTo(deposit, termsOf(deposit, rules), maturityDate)
    const { net, tax } = valueAtMaturity(paid, rules, taxationOn(maturityDate))
    const figure = (name: string, value: string, aside: Html | false = false) =>
      html`<div><dt>${name}</dt><dd>${value} ${aside}</dd></div>`
    return html`<dl class="figures">
${figure(say.remaining, words.money(deposit.remaining))}
${figure(say.accrued, words.money(accruedInterest(deposit, rules, today)))}
${figure(
  say.atMaturity,
  words.money(isActive ? net : 0n),
  isActive && tax > 0n && html`<small class="below">${say.afterTax(words.money(tax))}</small>`,
)}
${figure(
  say.matures,
  words.day(deposit.maturityDate),
  isActive && html`<small>${left > 0 ? say.inDays(left) : say.due}</small>`,
)}</dl>`
  },
}
