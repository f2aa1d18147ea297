import type { LedgerEntry } from '../../domain/ledger.ts'
import { card } from '../../page/card.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import type { Card, DepositSubject, LiquidationSubject } from '../../page/page.ts'
import type { Words } from '../../words/words.ts'
import { listEntries } from './store.ts'
import { ledgerWords } from './words.ts'

const SHOWN = { limit: 50, before: null }

/** The entries of a deposit, for those who may read the ledger. */
export const ledgerCard: Card<DepositSubject> = {
  place: 'below',
  show: async ({ service, book, may }, { deposit, words }) => {
    if (!may('ledger:read')) return null
    const { depositId } = deposit
    const { items } = await listEntries(service.db, book.bookId, { depositId }, SHOWN)
    if (items.length === 0) return null
    return card({ id: 'ledger', title: words.of(ledgerWords).title }, entryTable(items, depositId, words))
  },
}

export const liquidationEntriesCard: Card<LiquidationSubject> = {
  place: 'main',
  show: async ({ service, book, may }, { liquidation: { liquidationId, depositId }, words }) => {
    if (!may('ledger:read')) return null
    const { items } = await listEntries(service.db, book.bookId, { liquidationId }, SHOWN)
    return card({ id: 'ledger', title: words.of(ledgerWords).title }, entryTable(items, depositId, words))
  },
}

/** One row for each posting; `words` in the currency of the entries. */
export function entryTable(entries: readonly LedgerEntry[], depositId: string, words: Words): Html {
  const say = words.of(ledgerWords)
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${say.entries}">
<table class="ledger">
<thead>
<tr>
<th scope="col">${say.when}</th>
<th scope="col">${say.entry}</th>
<th scope="col">${say.account}</th>
<th scope="col" class="num">${say.debit}</th>
<th scope="col" class="num">${say.credit}</th>
</tr>
</thead>
<tbody>${entries.map((entry) => entryRows(entry, depositId, words))}</tbody>
</table></div>`
}

function entryRows(entry: LedgerEntry, depositId: string, words: Words): Html[] {
  const say = words.of(ledgerWords)
  return entry.postings.map(({ account, amount }, index) => {
    const isFirst = index === 0
    return html`<tr${isFirst && trusted(' class="first"')}>
<td>${isFirst && words.instant(entry.createdAt)}</td>
<td>${isFirst && words.say.entryKinds[entry.kind]}</td>
<td>${accountWord(account, depositId, words)}</td>
<td class="num" data-name="${say.debit}">${amount < 0n && words.plain(-amount)}</td>
<td class="num" data-name="${say.credit}">${amount > 0n && words.plain(amount)}</td>
</tr>`
  })
}

export function accountWord(account: string, depositId: string, words: Words): Html | string {
  const say = words.of(ledgerWords)
  if (account === depositId) return say.thisDeposit
  if (account.startsWith('fd_')) return html`<a href="/console/deposits/${account}">${say.deposit}</a>`
  const own = words.say.bankAccounts[account]
  return own ?? html`<a href="/console/accounts/${account}">${say.customerAccount(account)}</a>`
}
