/** The advice of a liquidation: what was paid and how it was worked out. */
import { type Html, html } from '../../page/html.ts'
import { addressOf } from '../../page/letter.ts'
import type { Words } from '../../words/words.ts'
import type { Advised } from './record.ts'
import { sumRows } from './sum.ts'
import { forCustomer, liquidationWords, workedOut } from './words.ts'

export function adviceLetter({ holder, liquidation, deposit, rules }: Advised, words: Words): Html {
  const { advice: say, breaking } = words.of(liquidationWords)
  const { elapsedDays, termDays, annualRatePpm } = liquidation.explanation
  const interest = say.interest(Math.min(elapsedDays, termDays), termDays, words.percent(annualRatePpm))
  const part = liquidation.type === 'FULL' ? say.whole : say.aPart
  const remains = html`<tr class="rest">
<th scope="row">${say.remains(words.day(deposit.maturityDate))}</th><td>${words.money(liquidation.remaining)}</td></tr>`
  return html`${addressOf(holder)}
<p>${say.text(words.day(liquidation.businessDate), part)} <code>${liquidation.depositId}</code>
${say.paid} <b>${words.money(liquidation.net)}</b> ${say.to(liquidation.accountNumber)}</p>
<table class="sum">
<caption class="hidden">${breaking.sum}</caption>
<tbody>${sumRows(liquidation, words, interest)}
<tr class="total"><th scope="row">${say.toYou}</th><td>${words.money(liquidation.net)}</td></tr>
${liquidation.remaining > 0n && remains}</tbody></table>
<section>
<h2>${say.how}</h2>
<p>${forCustomer(liquidation, rules, words)}</p>
<ol class="reasons">${workedOut(liquidation, rules, words).map((sentence) => html`<li>${sentence}</li>`)}</ol>
</section>
${liquidation.reversedAt !== null && html`<p><b>${say.reversed(words.instant(liquidation.reversedAt))}</b></p>`}
<p class="soft">${say.reference(liquidation.liquidationId)}</p>`
}
