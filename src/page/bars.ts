/** Amounts as bars in a table: each row leads to what it sums, and the bars are only a picture of the figures beside them. */
import type { Words } from '../words/words.ts'
import { percent } from './chart.ts'
import { type Html, html } from './html.ts'

export type Bar = { name: string; href: string; amount: bigint; note?: string; isHatched?: true }

/** `words` in the currency of the amounts. */
export function barTable(
  bars: readonly Bar[],
  say: { title: string; name: string; amount: string; none: string },
  words: Words,
): Html {
  const most = bars.reduce((top, { amount }) => (amount > top ? amount : top), 0n)
  if (most === 0n) return html`<p class="hint">${say.none}</p>`
  const width = (amount: bigint) => percent(Number((amount * 10_000n) / most) / 10_000)
  return html`<table class="bars">
<caption class="hidden">${say.title}</caption>
<thead class="hidden"><tr><th scope="col">${say.name}</th><th scope="col">${say.amount}</th></tr></thead>
<tbody>${bars.map(
    ({ name, href, amount, note, isHatched }) => html`<tr>
<th scope="row"><a href="${href}">${name}</a></th>
<td><span class="amount">${words.short(amount)}${note !== undefined && html` <small>${note}</small>`}</span>
<svg height="10" aria-hidden="true"><rect class="bar${isHatched === true && ' waived'}"
width="${width(amount)}" height="10" rx="2"/></svg></td></tr>`,
  )}</tbody></table>`
}
