/** Deposits, and one of them with the cards that nouns give to its page. */
import { randomUUID } from 'node:crypto'
import type { Customer } from '../../domain/customer.ts'
import type { Deposit } from '../../domain/deposit.ts'
import { showCards, showPart } from '../../page/card.ts'
import { crumbs, customerSteps } from '../../page/crumbs.ts'
import type { Fields } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { copyButton, type Notice, showNotice } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, readingTogether, show } from '../../page/page.ts'
import type { Words } from '../../words/words.ts'
import { findCustomer } from '../customers/store.ts'
import { readRulesOf } from '../products/changes.ts'
import { depositListPages } from './list.ts'
import { findDeposit } from './store.ts'
import { depositWords } from './words.ts'

export const depositPages: Page[] = [
  ...depositListPages,
  {
    method: 'GET',
    path: '/deposits/:deposit_id',
    scope: 'fixed_deposits:read',
    answer: (asked) => depositPage(asked, { form: asked.query }),
  },
]

/** What a form about the deposit left on its page. */
export type Shown = {
  form: Fields
  /** The words write amounts in the currency of the deposit. */
  notice?: (words: Words) => Notice
  /** The key of a form that is offered again. */
  key?: string
  status?: number
}

/** Also shown where something about a deposit was refused. */
export async function depositPage(visit: Asked, shown: Shown): Promise<PageAnswer> {
  const asked = readingTogether(visit)
  const { service, book, params } = asked
  const { bookId } = book
  const deposit = await findDeposit(service.db, bookId, params.deposit_id!)
  if (deposit === undefined) return NOT_FOUND
  const words = asked.words.in(deposit.currency)
  const [rulesOf, { today, at }] = await Promise.all([
    readRulesOf(service.db, service.versions, bookId, [deposit]),
    service.momentIn(book),
  ])
  const key = shown.key ?? randomUUID()
  const subject = {
    deposit,
    rules: rulesOf(deposit),
    today,
    at,
    form: shown.form,
    key,
    words,
  }
  const part = await showPart(asked.cards.deposit, asked, subject)
  if (part !== null) return { kind: 'part', part }

  const [customer, cards] = await Promise.all([
    findCustomer(service.db, bookId, deposit.customerId),
    showCards(asked.cards.deposit, asked, subject),
  ])
  return show(
    'deposits',
    `${words.money(deposit.principal)}, ${nameOf(customer!)}`,
    html`${crumbs(customerSteps(customer!, words), words.of(depositWords).deposit.title, words)}
<header class="head">
${headline(deposit, words)}
<div class="actions">${cards('action')}</div>
</header>
${showNotice(shown.notice?.(words) ?? null, words)}
${cards('notice')}
${cards('top')}
<div class="split">
${cards('main')}
<div class="stack">${cards('side')}</div>
</div>
${cards('below')}`,
    shown.status,
  )
}

/** The page again, with why a form on it was refused. */
export function refusedOnDeposit(
  asked: Asked,
  depositId: string,
  { notice, status }: { notice?: Notice; status?: number },
): Promise<PageAnswer> {
  return depositPage(
    { ...asked, params: { deposit_id: depositId } },
    {
      form: asked.query,
      ...(notice !== undefined && { notice: () => notice }),
      ...(status !== undefined && { status }),
    },
  )
}

function nameOf({ firstName, lastName }: Customer): string {
  return `${firstName} ${lastName}`
}

function headline({ depositId, principal, annualRatePpm, tenorDays, status }: Deposit, words: Words): Html {
  const { deposit: say } = words.of(depositWords)
  return html`<div>
<h1>${words.money(principal)} <span class="thin">${say.at(words.percent(annualRatePpm), tenorDays)}</span></h1>
<p class="sub">
<span class="badge ${status.toLowerCase()}">${words.say.statuses[status]}</span><code>${depositId}</code>
${copyButton(depositId, words)}</p></div>`
}
