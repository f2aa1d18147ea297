/** A rate sheet as a table: tenors down, amounts across. */
import { formatPpm } from '../../domain/decimal.ts'
import type { RateGrid } from '../../domain/rate-sheet.ts'
import { type Html, html } from '../../page/html.ts'
import type { Words } from '../../words/words.ts'
import { productWords } from './words.ts'

export function sheetTable({ tenorUnit, tenorFrom, amountFrom, ratesPpm }: RateGrid, words: Words): Html {
  const { sheet: say } = words.of(productWords)
  const { tenors } = words.say
  return html`<div class="wide" tabindex="0" role="group" aria-label="${say.title}">
<table>
<thead>
<tr>
<th scope="col">${say.tenor}</th>
${amountFrom.map((amount) => html`<th scope="col" class="num">${words.plain(amount)}</th>`)}
</tr>
</thead>
<tbody>
${tenorFrom.map(
  (from, row) => html`<tr>
<th scope="row">${tenors[tenorUnit](from)}</th>
${ratesPpm[row]!.map((rate) => html`<td class="num">${rate === 0 ? '–' : formatPpm(rate)}</td>`)}
</tr>`,
)}
</tbody>
</table>
</div>`
}
