import { card } from '../../page/card.ts'
import { hiddenFields, selectField } from '../../page/form.ts'
import { html } from '../../page/html.ts'
import type { Card, DepositSubject } from '../../page/page.ts'
import { instructionWords } from './words.ts'

/** Shown until the day before maturity, to people who may change deposits. */
export const instructionCard: Card<DepositSubject> = {
  place: 'side',
  show: async ({ may }, { deposit, today, key, words }) => {
    const { depositId, status, maturityDate, instruction } = deposit
    if (!may('fixed_deposits:write') || status !== 'ACTIVE' || today >= maturityDate) return null
    const say = words.of(instructionWords)
    return card(
      { id: 'at-maturity', title: say.title },
      html`<form class="fill" method="post" action="/console/deposits/${depositId}/maturity-instruction">
${hiddenFields([['key', `i-${key}`]])}
${selectField({
  name: 'maturity_instruction',
  label: say.label,
  texts: words.say.instructions,
  value: instruction,
})}
<div><button class="button">${say.submit}</button></div></form>`,
    )
  },
}
