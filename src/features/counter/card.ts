import { randomUUID } from 'node:crypto'
import type { Customer } from '../../domain/customer.ts'
import type { Account } from '../../domain/deposit.ts'
import { card } from '../../page/card.ts'
import { crumbs, customerSteps } from '../../page/crumbs.ts'
import { hiddenFields, inputField } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { showNotice } from '../../page/notice.ts'
import type { Asked, Card, CustomerSubject, DepositSubject } from '../../page/page.ts'
import type { Words } from '../../words/words.ts'
import { entryTable } from '../ledger/card.ts'
import { listEntries } from '../ledger/store.ts'
import { listLiens } from '../liens/store.ts'
import { noteFields } from './form.ts'
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

/** Placing a lien, and releasing those that hold something. What was typed stays where it was refused. */
export const holdCard: Card<DepositSubject> = {
  place: 'side',
  show: async (asked, { deposit, words }) => {
    const { service, book, may, form } = asked
    if (!may('liens:write') || deposit.status !== 'ACTIVE') return null
    const { lien: say } = words.of(counterWords)
    const { depositId } = deposit
    const { items } = await listLiens(service.db, book.bookId, { depositId }, SHOWN)
    const active = items.filter(({ status }) => status === 'ACTIVE')
    const note = await noteFields(asked)
    const typedIn = (of: string) => (name: string) => (form.get('of') === of ? form.get(name) : '')
    const open = (of: string) => form.get('of') === of && trusted(' open')
    const hidden = (of: string) =>
      hiddenFields([
        ['key', randomUUID()],
        ['of', of],
      ])
    const typed = typedIn('lien')
    const isWrong = typed('amount') !== '' && words.figure(typed('amount'), 'amount') === null
    const wrongAmount = isWrong ? words.of(counterWords).needs.amount : undefined
    return card(
      { id: 'hold', title: say.holding },
      html`<details class="edit"${open('lien')}>
<summary>${say.open}</summary>
<form class="fill" method="post" action="/console/deposits/${depositId}/liens">${hidden('lien')}
${inputField({ ...HELD, label: say.amount, value: typed('amount'), error: wrongAmount })}
${inputField({ ...REASON, id: 'lien-reason', label: say.reason, value: typed('reason') })}
${inputField({ ...REFERENCE, label: say.reference, aside: words.say.optional, value: typed('reference') })}
${note('placeLien', { id: 'lien-note', value: typed('note') })}
<div><button class="button">${say.submit}</button></div></form></details>
${active.map(
  ({ lienId, amount }) => html`<details class="edit"${open(lienId)}>
<summary>${say.release(words.money(amount))}</summary>
<form class="fill" method="post" action="/console/liens/${lienId}/release">${hidden(lienId)}
${inputField({ ...REASON, id: `release-${lienId}`, label: say.releaseReason, value: typedIn(lienId)('reason') })}
${note('releaseLien', { id: `release-note-${lienId}`, known: { amount }, value: typedIn(lienId)('note') })}
<div><button class="button">${say.releaseSubmit}</button></div></form></details>`,
)}`,
    )
  },
}

const HELD = { id: 'lien-amount', name: 'amount', isDecimal: true, max: 24, isRequired: true } as const
const REASON = { name: 'reason', max: 200, isRequired: true }
const REFERENCE = { id: 'lien-reference', name: 'reference', max: 64 }

/** The way to a page of the counter: of a customer, or of an account of that customer. */
export function counterCrumbs(
  here: string,
  words: Words,
  of?: { customer: Customer; accountNumber?: string },
): Html {
  const { account: say } = words.of(counterWords)
  if (of === undefined) return crumbs([[words.say.sections.customers, '/customers']], here, words)
  const { customer, accountNumber } = of
  const steps = customerSteps(customer, words)
  if (accountNumber !== undefined) steps.push([say.page(accountNumber), `/accounts/${accountNumber}`])
  return crumbs(steps, here, words)
}

const MOVEMENTS = 50

/** The newest movements of an account, or those before a place in its list. */
export async function movementsCard(
  { service, book, query, may, words: all }: Asked,
  account: Account,
): Promise<Html> {
  const { accountNumber, currency } = account
  const words = all.in(currency)
  const { account: say } = words.of(counterWords)
  const place = query.get('before')
  const page = { limit: MOVEMENTS, before: /^\d{1,19}$/.test(place) ? BigInt(place) : null }
  const { items, next } = may('ledger:read')
    ? await listEntries(service.db, book.bookId, { accountNumber }, page)
    : { items: [], next: null }
  const older = `/console/accounts/${accountNumber}?before=${next}`
  const content = items.length === 0 ? html`<p>${say.none}</p>` : entryTable(items, '', words)
  return html`${card({ id: 'movements', title: say.movements }, content)}
${
  items.length > 0 &&
  html`<p class="row">${next !== null && html`<a class="button" href="${older}">${say.older}</a>`}
<a class="button" href="/console/ledger?account=${accountNumber}">${say.inLedger}</a></p>`
}`
}
