/** What a customer needs for a tax return. */
import type { InterestSums } from '../../domain/interest-certificate.ts'
import { type Html, html } from '../../page/html.ts'
import { addressOf } from '../../page/letter.ts'
import type { Words } from '../../words/words.ts'
import type { InterestCertificate } from './record.ts'
import { interestCertificateWords } from './words.ts'

export function interestLetter(certificate: InterestCertificate, words: Words): Html {
  const say = words.of(interestCertificateWords)
  const { bank, holder, from, to, deposits, totals } = certificate
  const [first, last] = [words.day(from), words.day(to)]
  if (deposits.length === 0) return html`${addressOf(holder)}<p>${say.none(bank, first, last)}</p>`
  return html`${addressOf(holder)}
<p>${say.text(bank, first, last)}</p>
<div class="scroll" tabindex="0" role="group" aria-label="${say.title}">
<table class="many">
<thead>
<tr>
<th scope="col">${say.deposit}</th>
${[say.interest, say.charges, say.takenBack, say.withheld, say.returned, say.net].map(
  (name) => html`<th scope="col" class="num">${name}</th>`,
)}
</tr>
</thead>
<tbody>
${deposits.map(
  (deposit) => html`<tr>
<th scope="row"><code>${deposit.depositId}</code> ${deposit.currency}<br>
<small>${say.entries} ${deposit.entryIds.join(', ')}</small></th>
${cells(deposit, words)}
</tr>`,
)}
${totals.map(
  (total) => html`<tr class="last">
<th scope="row">${say.total(total.currency)}</th>${cells(total, words)}
</tr>`,
)}
</tbody>
</table></div>`
}

function cells(
  { interest, charges, takenBack, taxWithheld, taxReturned, net }: InterestSums,
  words: Words,
): Html[] {
  const say = words.of(interestCertificateWords)
  const named: [string, bigint][] = [
    [say.interest, interest],
    [say.charges, charges],
    [say.takenBack, takenBack],
    [say.withheld, taxWithheld],
    [say.returned, taxReturned],
    [say.net, net],
  ]
  return named.map(([name, amount]) => html`<td class="num" data-name="${name}">${words.plain(amount)}</td>`)
}
