import { PARTIES_MAX } from '../../domain/parties.ts'
import { inputField, selectField } from '../../page/form.ts'
import { html } from '../../page/html.ts'
import { showNotice } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, show } from '../../page/page.ts'
import { carryOut, keyField, made, type Refused } from '../counter/form.ts'
import { findDeposit } from '../deposits/store.ts'
import { putParties } from '../parties/changes.ts'
import { PartiesBody, partiesFrom } from '../parties/record.ts'
import { findNamedParties } from '../parties/store.ts'
import { partyWords } from '../parties/words.ts'

export const partyPages: Page[] = [
  {
    method: 'GET',
    path: '/deposits/:deposit_id/parties',
    scope: 'fixed_deposits:write',
    answer: (asked) => partiesForm(asked, {}),
  },
  {
    method: 'POST',
    path: '/deposits/:deposit_id/parties',
    scope: 'fixed_deposits:write',
    answer: (asked) => {
      const { service, form, params, originOf } = asked
      const depositId = params.deposit_id!
      const rows = Array.from({ length: PARTIES_MAX }, (_, index) => ({
        customer_id: form.get(`customer${index}`).trim(),
        role: form.get(`role${index}`),
      }))
      return carryOut(asked, {
        schema: PartiesBody,
        body: { mandate: form.get('mandate'), parties: rows.filter((row) => row.customer_id !== '') },
        run: (body: PartiesBody) =>
          putParties(service, originOf(form.get('key')), partiesFrom(depositId, body), () => made(depositId)),
        done: () => `/console/deposits/${depositId}?done=parties`,
        again: (refused) => partiesForm(asked, refused),
      })
    },
  },
]

/** One row more than there are parties. */
async function partiesForm(asked: Asked, { notice, status }: Refused): Promise<PageAnswer> {
  const { service, book, params, form, words } = asked
  const deposit = await findDeposit(service.db, book.bookId, params.deposit_id!)
  if (deposit === undefined) return NOT_FOUND
  const say = words.of(partyWords)
  const { depositId } = deposit
  const { mandate, parties } = await findNamedParties(service.db, book.bookId, depositId)
  const typed = (name: string, stored: string) => (form.has(name) ? form.get(name) : stored)
  const shown = Math.min(PARTIES_MAX, parties.length + 3)
  const row = (index: number) => html`<div class="fields">
${inputField({
  name: `customer${index}`,
  label: say.customer(index + 1),
  max: 64,
  value: typed(`customer${index}`, parties[index]?.customerId ?? ''),
  ...(index === 0 && { hint: say.customerHint }),
})}
${selectField({
  name: `role${index}`,
  label: say.role(index + 1),
  texts: words.say.partyRoles,
  value: typed(`role${index}`, parties[index]?.role ?? 'JOINT'),
})}
</div>`
  return show(
    'deposits',
    say.heading,
    html`<header class="head"><div><h1>${say.heading}</h1><p class="sub">${say.text}</p></div></header>
${showNotice(notice ?? null, words)}
<section class="card">
<form class="fill" method="post" action="/console/deposits/${depositId}/parties">${keyField(asked)}
${selectField({
  name: 'mandate',
  label: say.mandate,
  texts: words.say.mandates,
  value: typed('mandate', mandate),
})}
${Array.from({ length: shown }, (_, index) => row(index))}
<div class="row">
<a class="button" href="/console/deposits/${depositId}">${words.say.back}</a>
<button class="button primary">${say.submit}</button>
</div></form></section>`,
    status,
  )
}
