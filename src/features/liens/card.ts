import { card } from '../../page/card.ts'
import { html } from '../../page/html.ts'
import type { Card, DepositSubject } from '../../page/page.ts'
import { listLiens } from './store.ts'
import { lienWords } from './words.ts'

const SHOWN = { limit: 50, before: null }

/** What a deposit holds back. */
export const lienCard: Card<DepositSubject> = {
  place: 'side',
  show: async ({ service, book }, { deposit, words }) => {
    if (deposit.lien === 0n) return null
    const say = words.of(lienWords)
    const { items } = await listLiens(service.db, book.bookId, { depositId: deposit.depositId }, SHOWN)
    const held = items.filter(({ status }) => status === 'ACTIVE')
    const line = (lien: (typeof held)[number]) =>
      html`<li>${say.lien(words.money(lien.amount), lien.reason)}
<small>${say.since(words.instant(lien.createdAt))}</small></li>`
    return card(
      { id: 'liens', title: say.title },
      html`<p>${say.held(words.money(deposit.lien))}</p>
${held.length > 0 && html`<ul>${held.map(line)}</ul>`}`,
    )
  },
}
