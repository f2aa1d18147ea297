/** The closing page of an import: control totals to be printed and signed. */
import { type Html, html, render, trusted } from '../../page/html.ts'
import { LETTER_STYLE } from '../../page/letter.ts'
import type { ControlLine } from './totals.ts'

export function totalsPage(
  lines: readonly ControlLine[],
  { url, at, failed }: { url: string; at: Date; failed: number },
): string {
  const agree = lines.every(({ agrees }) => agrees)
  return render(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Control totals of an import</title><style>${trusted(LETTER_STYLE)}</style></head>
<body>
<h1>Control totals of an import</h1>
<p>${agree ? 'Everything in the files is in the service: all totals agree.' : 'The totals do not agree.'}
${failed > 0 && html`Lines that were not taken over: ${failed}.`}</p>
<table>
<caption>Files against service, by product and currency</caption>
<thead><tr>
<th scope="col">What</th>
<th scope="col">Product</th>
<th scope="col">Currency</th>
<th scope="col" class="num">In the files</th>
<th scope="col" class="num">Amount</th>
<th scope="col" class="num">In the service</th>
<th scope="col" class="num">Amount</th>
<th scope="col">Agrees</th>
</tr></thead>
<tbody>${lines.map(row)}</tbody>
</table>
<p class="soft">${url}, ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC</p>
<p class="signature">Name and signature</p>
</body></html>
`)
}

function row({ kind, product, currency, old, new: now, agrees }: ControlLine): Html {
  return html`<tr>
<th scope="row">${kind}</th>
<td>${product ?? '–'}</td>
<td>${currency ?? '–'}</td>
<td class="num">${String(old.count)}</td>
<td class="num">${old.sum}</td>
<td class="num">${String(now.count)}</td>
<td class="num">${now.sum}</td>
<td>${agrees ? 'yes' : 'no'}</td>
</tr>`
}
