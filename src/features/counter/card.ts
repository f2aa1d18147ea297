import { randomUUID } from 'node:crypto'
import { card } from '../../page/card.ts'
import { hiddenFields, inputField } from '../../page/form.ts'
import { html } from '../../page/html.ts'
import { showNotice } from '../../page/notice.ts'
import type { Card, CustomerSubject, DepositSubject } from '../../page/page.ts'
import { listLiens } from '../liens/store.ts'
import { counterWords } from './words.ts'

const SHOWN = { limit: 50, before: null }

export const openAccountAction: Card<CustomerSubject> = {
  place: 'action',
  show: async ({ may, words }, { customer: { customerId } }) =>
    may('accounts:write')
      ? html`<a class="button" href="/console/customers/${customerId}/open-account">
${words.of(counterWords).account.title}</a>`
      : null,
}

export const counterNotice: Card<DepositSubject> = {
  place: 'notice',
  show: async ({ query }, { words }) => {
    const text = new Map(Object.entries(words.of(counterWords).done)).get(query.get('done'))
    return text === undefined ? null : showNotice({ kind: 'good', text }, words)
  },
}

/** Placing a lien, and releasing those that hold something. */
export const holdCard: Card<DepositSubject> = {
  place: 'side',
  show: async ({ service, book, may }, { deposit, words }) => {
    if (!may('liens:write') || deposit.status !== 'ACTIVE') return null
    const { lien: say } = words.of(counterWords)
    const { depositId } = deposit
    const { items } = await listLiens(service.db, book.bookId, { depositId }, SHOWN)
    const active = items.filter(({ status }) => status === 'ACTIVE')
    const key = () => hiddenFields([['key', randomUUID()]])
    return card(
      { id: 'hold', title: say.holding },
      html`<details class="edit">
<summary>${say.open}</summary>
<form class="fill" method="post" action="/console/deposits/${depositId}/liens">${key()}
${inputField({ id: 'lien-amount', name: 'amount', label: say.amount, isDecimal: true, max: 24, isRequired: true })}
${inputField({ id: 'lien-reason', name: 'reason', label: say.reason, max: 200, isRequired: true })}
${inputField({ id: 'lien-reference', name: 'reference', label: say.reference, aside: words.say.optional, max: 64 })}
<div><button class="button">${say.submit}</button></div></form></details>
${active.map(
  ({ lienId, amount }) => html`<details class="edit">
<summary>${say.release(words.money(amount))}</summary>
<form class="fill" method="post" action="/console/liens/${lienId}/release">${key()}
${inputField({ id: `release-${lienId}`, name: 'reason', label: say.releaseReason, max: 200, isRequired: true })}
<div><button class="button">${say.releaseSubmit}</button></div></form></details>`,
)}`,
    )
  },
}
