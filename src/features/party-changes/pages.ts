import type { Customer } from '../../domain/customer.ts'
import { PARTIES_MAX } from '../../domain/parties.ts'
import { selectField } from '../../page/form.ts'
import { html } from '../../page/html.ts'
import { showNotice } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, show } from '../../page/page.ts'
import { carryOut, keyField, made, type Refused } from '../counter/form.ts'
import { customerField, pickedId, pickedText } from '../customers/form.ts'
import { findCustomers, searchCustomers } from '../customers/store.ts'
import { customerWords } from '../customers/words.ts'
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
    answer: recordParties,
  },
]

async function recordParties(asked: Asked): Promise<PageAnswer> {
  const { service, form, params, originOf, words } = asked
  const depositId = params.deposit_id!
  const people = await Promise.all(
    Array.from({ length: PARTIES_MAX }, (_, index) => whoIs(asked, form.get(`customer${index}`))),
  )
  const unclear = new Map(people.flatMap((who, index) => (who.outcome === 'unclear' ? [[index, who]] : [])))
  if (unclear.size > 0) {
    const notice = { kind: 'bad', text: words.of(partyWords).notRecorded } as const
    return partiesForm(asked, { notice, status: 422, unclear })
  }
  const parties = people.flatMap((who, index) =>
    who.outcome === 'known' ? [{ customer_id: who.customerId, role: form.get(`role${index}`) }] : [],
  )
  return carryOut(asked, {
    schema: PartiesBody,
    body: { mandate: form.get('mandate'), parties },
    run: (body: PartiesBody) =>
      putParties(service, originOf(form.get('key')), partiesFrom(depositId, body), () => made(depositId)),
    done: () => `/console/deposits/${depositId}?done=parties`,
    again: (refused) => partiesForm(asked, refused),
  })
}

type Unclear = { outcome: 'unclear'; error: string; found: readonly Customer[] }
type Who = { outcome: 'nobody' } | { outcome: 'known'; customerId: string } | Unclear

/** Whoever was chosen; where only something to search for was typed, the one customer that it finds. */
async function whoIs({ service, book, words, may }: Asked, typed: string): Promise<Who> {
  const wanted = typed.trim()
  if (wanted === '') return { outcome: 'nobody' }
  const customerId = pickedId(wanted)
  if (customerId !== null) return { outcome: 'known', customerId }
  const found = may('customers:read') ? await searchCustomers(service.db, book, wanted) : []
  if (found.length === 1) return { outcome: 'known', customerId: found[0]!.customerId }
  const { picking: say } = words.of(customerWords)
  return { outcome: 'unclear', error: found.length === 0 ? say.notFound(wanted) : say.several, found }
}

type Shown = Refused & { unclear?: ReadonlyMap<number, Unclear> }

/** Three rows more than there are parties. */
async function partiesForm(asked: Asked, { notice, status, unclear }: Shown): Promise<PageAnswer> {
  const { service, book, params, form, words } = asked
  const deposit = await findDeposit(service.db, book.bookId, params.deposit_id!)
  if (deposit === undefined) return NOT_FOUND
  const say = words.of(partyWords)
  const { depositId } = deposit
  const { mandate, parties } = await findNamedParties(service.db, book.bookId, depositId)
  const ids = parties.map(({ customerId }) => customerId)
  const customers = await findCustomers(service.db, book.bookId, ids)
  const stored = parties.map(({ customerId }) => pickedText(customers.get(customerId)!))
  const typed = (name: string, kept: string) => (form.has(name) ? form.get(name) : kept)
  const shown = Math.min(PARTIES_MAX, parties.length + 3)
  const row = (index: number) => html`<div class="fields">
${customerField(
  {
    name: `customer${index}`,
    label: say.customer(index + 1),
    value: typed(`customer${index}`, stored[index] ?? ''),
    ...(index === 0 && { hint: words.of(customerWords).picking.hint }),
    ...unclear?.get(index),
  },
  words,
)}
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
<div class="limited">${selectField({
      name: 'mandate',
      label: say.mandate,
      texts: words.say.mandates,
      value: typed('mandate', mandate),
    })}</div>
${Array.from({ length: shown }, (_, index) => row(index))}
<div class="row">
<a class="button" href="/console/deposits/${depositId}">${words.say.back}</a>
<button class="button primary">${say.submit}</button>
</div></form></section>`,
    status,
  )
}
