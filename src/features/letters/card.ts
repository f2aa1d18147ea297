import { html } from '../../page/html.ts'
import type { Card, DepositSubject } from '../../page/page.ts'
import { letterWords } from './words.ts'

/** What can be printed about a deposit at any time. */
export const letterActions: Card<DepositSubject> = {
  place: 'action',
  show: async (_, { deposit: { depositId }, words }) => {
    const { certificate, statement } = words.of(letterWords)
    return html`<a class="button" href="/console/deposits/${depositId}/certificate">${certificate.short}</a>
<a class="button" href="/console/deposits/${depositId}/statement">${statement.short}</a>`
  },
}
