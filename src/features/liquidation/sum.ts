/** How a payout is made up, as rows of a table. */

import type { ExplainedSettlement } from '../../domain/liquidation.ts'
import { type Html, html } from '../../page/html.ts'
import { accountLink } from '../../page/link.ts'
import type { Words } from '../../words/words.ts'
import type { Summed } from './words.ts'
import { liquidationWords } from './words.ts'

export function sumTable(settlement: Omit<ExplainedSettlement, 'depositId'>, words: Words): Html {
  const { breaking: say } = words.of(liquidationWords)
  const rest = html`<tr class="rest">
<th scope="row">${say.stays}</th>
<td>${words.money(settlement.remaining)}</td>
</tr>`
  return html`<table class="sum"><caption class="hidden">${say.sum}</caption><tbody>
${sumRows(settlement, words)}
<tr class="total">
<th scope="row">${accountLink(settlement.accountNumber, say.toAccount(settlement.accountNumber))}</th>
<td>${words.money(settlement.net)}</td>
</tr>
${settlement.remaining > 0n && rest}</tbody></table>`
}

/** All rows but that of the result; `interest` names its row. */
export function sumRows(settled: Summed, words: Words, interest?: string): Html {
  const { breaking: say } = words.of(liquidationWords)
  const { elapsedDays, termDays } = settled.explanation
  const label = interest ?? say.interest(Math.min(elapsedDays, termDays), termDays)
  const waived = html`<tr><th scope="row">${say.waived}</th><td>+ ${words.money(settled.waived)}</td></tr>`
  return html`<tr><th scope="row">${say.principal}</th><td>${words.money(settled.principal)}</td></tr>
<tr><th scope="row">${label}</th><td>+ ${words.money(settled.interest)}</td></tr>
<tr class="charge">
<th scope="row">${say.penal}</th>
<td>− ${words.money(settled.penal + settled.waived)}</td>
</tr>
${settled.waived > 0n && waived}
${settled.adjustments.map(
  ({ kind, amount }) =>
    html`<tr><th scope="row">${words.say.adjustments[kind]}</th><td>${words.signed(amount)}</td></tr>`,
)}`
}
