/** The figures of a request to break a deposit: when it was made, and if it were approved now. */
import type { Deposit } from '../../domain/deposit.ts'
import { type Html, html } from '../../page/html.ts'
import { accountLink } from '../../page/link.ts'
import { isJsonObject, type Json } from '../../wire/json.ts'
import { keptAmount } from '../../wire/stored.ts'
import type { Words } from '../../words/words.ts'
import { liquidationWords } from '../liquidation/words.ts'
import { approvalWords } from './words.ts'

/** Both columns show the same rows, in the words of the deposit page. */
export function figuresTable(
  before: Json,
  now: Json | null,
  { askedOn, deposit }: { askedOn: string; deposit: Deposit },
  words: Words,
): Html {
  const { approvals: say } = words.of(approvalWords)
  const { breaking } = words.of(liquidationWords)
  const rows = [
    { name: breaking.principal, sign: '', member: 'principal_returned' },
    { name: say.interest, sign: '+ ', member: 'interest_paid' },
    { name: breaking.penal, sign: '− ', member: 'penal_assessed' },
    ...(isPositive(now ?? before, 'penal_waived')
      ? [{ name: breaking.waived, sign: '+ ', member: 'penal_waived' }]
      : []),
  ]
  const cell = (figures: Json | null, member: string, sign = '') =>
    figures !== null && html`<td class="num">${sign}${words.money(keptAmount(figures, member))}</td>`
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${say.figures}">
<table class="compare">
<caption class="hidden">${say.figures}</caption>
<thead>
<tr>
<td></td>
<th scope="col" class="num">${say.whenAsked(askedOn)}</th>
${now !== null && html`<th scope="col" class="num">${say.ifToday}</th>`}
</tr>
</thead>
<tbody>
${rows.map(
  ({ name, sign, member }) => html`<tr>
<th scope="row">${name}</th>${cell(before, member, sign)}${cell(now, member, sign)}
</tr>`,
)}
${adjustmentRows(before, now, words)}
<tr class="total">
<th scope="row">${accountLink(deposit.accountNumber, breaking.toAccount(deposit.accountNumber))}</th>
${cell(before, 'net_credited')}
${now !== null && html`<td class="num"><b>${words.money(keptAmount(now, 'net_credited'))}</b></td>`}
</tr>
</tbody></table></div>`
}

function isPositive(figures: Json, member: string): boolean {
  return keptAmount(figures, member) > 0n
}

/** What else happens to the money: the difference between what is credited in all and what arrives. */
function adjustmentRows(before: Json, now: Json | null, words: Words): Html {
  const kinds = new Set([...adjustmentsOf(before), ...adjustmentsOf(now)].map(([kind]) => kind))
  const cell = (figures: Json | null, kind: string) => {
    if (figures === null) return false
    const amount = new Map(adjustmentsOf(figures)).get(kind)
    return html`<td class="num">${amount === undefined ? '–' : words.signed(amount)}</td>`
  }
  const row = (kind: string) => html`<tr>
<th scope="row">${words.say.adjustments[kind]}</th>${cell(before, kind)}${cell(now, kind)}
</tr>`
  return html`${[...kinds].map(row)}`
}

function adjustmentsOf(figures: Json | null): [kind: string, amount: bigint][] {
  const list = figures !== null && isJsonObject(figures) ? figures.adjustments : []
  if (!Array.isArray(list)) return []
  return list.filter(isJsonObject).map((one) => [String(one.kind), keptAmount(one, 'amount')])
}
