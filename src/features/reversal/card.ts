import { randomUUID } from 'node:crypto'
import type { Customer } from '../../domain/customer.ts'
import type { StoredLiquidation } from '../../domain/reversal.ts'
import { card } from '../../page/card.ts'
import { hiddenFields, inputField, SENDING, sentUntilKnown } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { showNotice } from '../../page/notice.ts'
import type { Asked, Card, DepositSubject, LiquidationSubject } from '../../page/page.ts'
import { type Sure, sureDialog, typedIn } from '../../page/sure.ts'
import type { Words } from '../../words/words.ts'
import { type NoteFields, noteFields } from '../counter/form.ts'
import { findCustomer } from '../customers/store.ts'
import { findLiquidationsOfDeposit } from '../liquidation/store.ts'
import { liquidationWords } from '../liquidation/words.ts'
import { reversalWords } from './words.ts'

/** What was paid from a deposit. Only its last movement can be reversed; whether it still can be is decided then. */
export const paidCard: Card<DepositSubject> = {
  place: 'side',
  show: async (asked, { deposit, words }) => {
    const { service, book, may } = asked
    const items = (await findLiquidationsOfDeposit(service.db, book.bookId, deposit.depositId))!
    if (items.length === 0) return null
    const { reversal: say } = words.of(reversalWords)
    const customer = await findCustomer(service.db, book.bookId, deposit.customerId)
    const note = await noteFields(asked)
    const line = (paid: StoredLiquidation, index: number) => {
      const { liquidationId, net, businessDate, reversedAt } = paid
      const isReversible = index === 0 && reversedAt === null && may('liquidations:reverse')
      const text = say.paid(words.money(net), words.day(businessDate))
      return html`<li><a href="/console/liquidations/${liquidationId}">${text}</a>
${reversedAt !== null && html`<small>${say.reversed(words.instant(reversedAt))}</small>`}
${isReversible && reversalForm(asked, paid, { customer: customer!, note }, words)}</li>`
    }
    return card({ id: 'advice', title: say.payments }, html`<ul class="lines">${items.map(line)}</ul>`)
  },
}

/** Stands on the page of the liquidation; a deposit that was broken again since refuses. */
export const takeBackCard: Card<LiquidationSubject> = {
  place: 'side',
  show: async (asked, { liquidation, deposit, words }) => {
    const { service, book, may } = asked
    const { reversal: say } = words.of(reversalWords)
    if (liquidation.reversedAt !== null) {
      const text = html`<p>${say.on(words.instant(liquidation.reversedAt))}</p>`
      return card({ id: 'reversal', title: say.takenBack }, text)
    }
    if (!may('liquidations:reverse')) return null
    const customer = await findCustomer(service.db, book.bookId, deposit.customerId)
    const note = await noteFields(asked)
    const content = reversalForm(asked, liquidation, { customer: customer!, note }, words)
    return card({ id: 'reversal', title: say.title }, content)
  },
}

export const reversalNotice: Card<DepositSubject> = {
  place: 'notice',
  show: async ({ query }, { words }) => {
    const { reversal: say } = words.of(reversalWords)
    const text = new Map(Object.entries(say.done)).get(query.get('done'))
    return text === undefined ? null : showNotice({ kind: 'good', text }, words)
  },
}

/** Whom and what it is about, once more; `reason` as it was typed. */
export function sureOfReversal(
  { depositId, accountNumber, net }: StoredLiquidation,
  { customer, reason }: { customer: Customer; reason: Html | string },
  words: Words,
): Sure {
  const { reversal: say } = words.of(reversalWords)
  const { breaking } = words.of(liquidationWords)
  const amount = words.money(net)
  return {
    title: say.sure(amount),
    rows: [
      [breaking.customer, `${customer.firstName} ${customer.lastName}`],
      [breaking.deposit, html`<code>${depositId}</code>`],
      [say.fromAccount, accountNumber],
      [say.reason, reason],
    ],
    text: say.text,
    submit: html`<button class="button danger" name="sure" value="yes">${say.submit(amount)}</button>`,
  }
}

function reversalForm(
  { form }: Asked,
  liquidation: StoredLiquidation,
  { customer, note }: { customer: Customer; note: NoteFields },
  words: Words,
): Html {
  const { liquidationId, principal, net } = liquidation
  const { reversal: say } = words.of(reversalWords)
  const amount = words.money(net)
  const id = `sure-${liquidationId}`
  const sure = sureOfReversal(liquidation, { customer, reason: typedIn('reason') }, words)
  const isTyped = form.get('of') === liquidationId
  return html`<details class="edit"${isTyped && trusted(' open')}>
<summary>${say.open}</summary>
<form class="fill" method="post" action="/console/liquidations/${liquidationId}/reverse"
data-confirm="${id}" ${sentUntilKnown(words)}>
${hiddenFields([
  ['key', randomUUID()],
  ['of', liquidationId],
])}
<p class="hint">${say.text}</p>
${inputField({
  ...{ id: 'why', name: 'reason', label: say.reason, max: 200, isRequired: true },
  value: isTyped ? form.get('reason') : '',
})}
${note('reverseLiquidation', {
  id: 'why-note',
  known: { amount: principal, netCredited: net },
  value: isTyped ? form.get('note') : '',
})}
<div><button class="button danger">${say.submit(amount)}</button></div>
${SENDING}
${sureDialog({ id, ...sure }, words)}
</form></details>`
}
