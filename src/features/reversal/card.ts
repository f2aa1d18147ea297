import { randomUUID } from 'node:crypto'
import type { Customer } from '../../domain/customer.ts'
import type { StoredLiquidation } from '../../domain/reversal.ts'
import { card } from '../../page/card.ts'
import { hiddenFields, inputField, SENDING, sentUntilKnown } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { showNotice } from '../../page/notice.ts'
import type { Card, DepositSubject, LiquidationSubject } from '../../page/page.ts'
import { sureDialog, typedIn } from '../../page/sure.ts'
import type { Words } from '../../words/words.ts'
import { findCustomer } from '../customers/store.ts'
import { listLiquidationsOfDeposit } from '../liquidation/store.ts'
import { liquidationWords } from '../liquidation/words.ts'
import { reversalWords } from './words.ts'

const SHOWN = { limit: 50, before: null }

/** What was paid from a deposit. Only its last movement can be reversed; whether it still can be is decided then. */
export const paidCard: Card<DepositSubject> = {
  place: 'side',
  show: async (asked, { deposit, words }) => {
    const { service, book, may } = asked
    const { items } = await listLiquidationsOfDeposit(service.db, book.bookId, deposit.depositId, SHOWN)
    if (items.length === 0) return null
    const { reversal: say } = words.of(reversalWords)
    const customer = await findCustomer(service.db, book.bookId, deposit.customerId)
    const line = (paid: StoredLiquidation, index: number) => {
      const { liquidationId, net, businessDate, reversedAt } = paid
      const isReversible = index === 0 && reversedAt === null && may('liquidations:reverse')
      return html`<li><a href="/console/liquidations/${liquidationId}">${say.paid(words.money(net), words.day(businessDate))}</a>
${reversedAt !== null && html`<small>${say.reversed(words.instant(reversedAt))}</small>`}
${isReversible && reversalForm(paid, customer!, words)}</li>`
    }
    return card({ id: 'advice', title: say.payments }, html`<ul class="lines">${items.map(line)}</ul>`)
  },
}

/** On the page of the liquidation itself; a deposit that was broken again since refuses. */
export const takeBackCard: Card<LiquidationSubject> = {
  place: 'side',
  show: async ({ service, book, may }, { liquidation, deposit, words }) => {
    const { reversal: say } = words.of(reversalWords)
    if (liquidation.reversedAt !== null) {
      const text = html`<p>${say.reversed(words.instant(liquidation.reversedAt))}</p>`
      return card({ id: 'reversal', title: say.title }, text)
    }
    if (!may('liquidations:reverse')) return null
    const customer = await findCustomer(service.db, book.bookId, deposit.customerId)
    return card({ id: 'reversal', title: say.title }, reversalForm(liquidation, customer!, words))
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

function reversalForm(liquidation: StoredLiquidation, customer: Customer, words: Words): Html {
  const { liquidationId, depositId, accountNumber, net } = liquidation
  const { reversal: say } = words.of(reversalWords)
  const { breaking } = words.of(liquidationWords)
  const amount = words.money(net)
  const sure = sureDialog(
    {
      id: `sure-${liquidationId}`,
      title: say.sure(amount),
      rows: [
        [breaking.customer, `${customer.firstName} ${customer.lastName}`],
        [breaking.deposit, html`<code>${depositId}</code>`],
        [say.fromAccount, accountNumber],
        [say.reason, typedIn('reason')],
      ],
      text: say.text,
      submit: html`<button class="button danger">${say.submit(amount)}</button>`,
    },
    words,
  )
  return html`<details class="edit">
<summary>${say.open}</summary>
<form class="fill" method="post" action="/console/liquidations/${liquidationId}/reverse"
data-confirm="sure-${liquidationId}" ${sentUntilKnown(words)}>
${hiddenFields([['key', randomUUID()]])}
<p class="hint">${say.text}</p>
${inputField({ id: 'why', name: 'reason', label: say.reason, max: 200, isRequired: true })}
<div><button class="button danger">${say.submit(amount)}</button></div>
${SENDING}
${sure}
</form></details>`
}
