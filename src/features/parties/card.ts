import { card } from '../../page/card.ts'
import { html } from '../../page/html.ts'
import type { Card, DepositSubject } from '../../page/page.ts'
import { findNamedParties } from './store.ts'
import { partyWords } from './words.ts'

export const partiesCard: Card<DepositSubject> = {
  place: 'side',
  show: async ({ service, book, may }, { deposit: { depositId }, words }) => {
    const say = words.of(partyWords)
    const { partyRoles, mandates } = words.say
    const { mandate, parties } = await findNamedParties(service.db, book.bookId, depositId)
    if (parties.length === 0 && !may('fixed_deposits:write')) return null
    const person = ({ customerId, name, role }: (typeof parties)[number]) =>
      html`<li><a href="/console/customers/${customerId}">${name}</a> <small>${partyRoles[role]}</small></li>`
    const edit = html`<p class="row">
<a class="button" href="/console/deposits/${depositId}/parties">${say.edit}</a></p>`
    return card(
      { id: 'parties', title: say.title },
      html`${parties.length === 0 ? html`<p>${say.none}</p>` : html`<ul>${parties.map(person)}</ul>`}
${parties.length > 0 && html`<p>${mandates[mandate]}</p>`}
${may('fixed_deposits:write') && edit}`,
    )
  },
}
