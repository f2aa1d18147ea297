/** Certificate and statement of a deposit, for printing. */

import type { StatementLine } from '../../domain/statement.ts'
import { type Html, html } from '../../page/html.ts'
import { addressOf } from '../../page/letter.ts'
import type { Words } from '../../words/words.ts'
import type { Certified, Stated } from './record.ts'
import { letterWords, lineText } from './words.ts'

export function certificateLetter(certified: Certified, words: Words): Html {
  const { bank, holder, deposit, expectedInterest, maturityValue, productName } = certified
  const { certificate: say } = words.of(letterWords)
  const { letters, statuses, instructions, interestMethods, periods } = words.say
  const rows: [string, string][] = [
    [letters.deposit, deposit.depositId],
    [letters.account, deposit.accountNumber],
    ...(productName === null
      ? []
      : [[say.product, `${productName} (${deposit.productCode})`] as [string, string]]),
    [say.status, statuses[deposit.status]],
    [say.principal, words.money(deposit.principal)],
    [say.remaining, words.money(deposit.remaining)],
    [say.rate, say.percent(words.percent(deposit.annualRatePpm))],
    [say.term, say.days(deposit.tenorDays, words.day(deposit.startDate), words.day(deposit.maturityDate))],
    [say.how, interestText()],
    [say.interest, words.money(expectedInterest)],
    [say.worth, words.money(maturityValue)],
    [say.atMaturity, instructions[deposit.instruction]],
    ...partyRows(certified, words),
    ...(deposit.lien > 0n ? [[say.liens, words.money(deposit.lien)] as [string, string]] : []),
  ]
  const row = ([name, value]: [string, string]) =>
    html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`
  return html`${addressOf(holder)}<p>${say.text(bank)}</p>
<table><tbody>${rows.map(row)}</tbody></table>
<p>${say.early}</p>`

  function interestText(): string {
    const { method, every, nextInterestDate } = deposit
    const next = nextInterestDate === null ? null : say.next(words.day(nextInterestDate))
    return [interestMethods[method], every && periods[every], next].filter((one) => one !== null).join(', ')
  }
}

function partyRows({ parties: { mandate, parties } }: Certified, words: Words): [string, string][] {
  if (parties.length === 0) return []
  const { certificate: say } = words.of(letterWords)
  const { partyRoles, mandates } = words.say
  const names = parties.map(({ name, role }) => say.party(name, partyRoles[role]))
  return [[say.parties, [...names, mandates[mandate]].join('; ')]]
}

export function statementLetter({ holder, deposit, from, to, lines }: Stated, words: Words): Html {
  const { statement: say } = words.of(letterWords)
  const { letters } = words.say
  return html`${addressOf(holder)}
<p>${letters.deposit} <code>${deposit.depositId}</code>,
${letters.account} ${deposit.accountNumber}, ${deposit.currency}.
${say.span(words.day(from), words.day(to))}</p>
<div class="scroll" tabindex="0" role="group" aria-label="${say.title}">
<table>
<thead>
<tr>
<th scope="col">${say.date}</th>
<th scope="col">${say.text}</th>
<th scope="col" class="num">${say.amount}</th>
<th scope="col" class="num">${say.remaining}</th>
</tr>
</thead>
<tbody>${lines.map((line) => lineRow(line, words))}</tbody>
</table></div>`
}

function lineRow(line: StatementLine, words: Words): Html {
  const { statement: say } = words.of(letterWords)
  return html`<tr class="${line.kind === 'SUMS' ? 'last' : 'line'}">
<td class="nowrap">${words.day(line.date)}</td>
<td>${lineText(line, words)}
${line.entryId !== null && html`<br><small>${say.entry} ${line.entryId}</small>`}</td>
<td class="num" data-name="${say.amount}">${words.plain(line.amount)}</td>
<td class="num" data-name="${say.remaining}">${words.plain(line.remaining)}</td>
</tr>`
}
