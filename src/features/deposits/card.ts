import { daysBetween } from '../../domain/dates.ts'
import type { Deposit } from '../../domain/deposit.ts'
import { card, pairs } from '../../page/card.ts'
import { type Html, html } from '../../page/html.ts'
import type { Card, CustomerSubject, DepositSubject } from '../../page/page.ts'
import type { Words } from '../../words/words.ts'
import { findAccount } from '../accounts/store.ts'
import { findPendingOfTargets } from '../approval-requests/store.ts'
import { findCustomer } from '../customers/store.ts'
import { listDeposits } from './store.ts'
import { depositTable } from './table.ts'
import { depositWords } from './words.ts'

const SHOWN = { limit: 50, before: null }

export const termsCard: Card<DepositSubject> = {
  place: 'side',
  show: async ({ service, book, may }, { deposit, today, words }) => {
    const [customer, account] = await Promise.all([
      findCustomer(service.db, book.bookId, deposit.customerId),
      findAccount(service.db, book.bookId, deposit.accountNumber),
    ])
    const { deposit: say } = words.of(depositWords)
    const { customerId, accountNumber, tenorDays, rulesVersion } = deposit
    const left = daysBetween(today, deposit.maturityDate)
    const elapsed = Math.min(tenorDays, Math.max(0, tenorDays - left))
    const version = say.version(rulesVersion)
    return card(
      { id: 'terms', title: say.terms },
      html`${pairs([
        [
          say.customer,
          html`<a href="/console/customers/${customerId}">${customer!.firstName} ${customer!.lastName}</a>`,
        ],
        [
          say.paysTo,
          html`<a href="/console/accounts/${accountNumber}">${accountNumber}</a>
<small>${say.balance(words.money(account!.balance))}</small>`,
        ],
        [say.term, say.fromTo(words.day(deposit.startDate), words.day(deposit.maturityDate))],
        productRow(deposit, may, words),
        [say.interest, interestText(deposit, words)],
        [say.atMaturity, words.say.instructions[deposit.instruction]],
        [
          say.rules,
          may('rules:read')
            ? html`<a href="/console/rules/versions#v${rulesVersion}">${version}</a>`
            : version,
        ],
      ])}
<progress max="${tenorDays}" value="${elapsed}" aria-label="${say.elapsed}"></progress>`,
    )
  },
}

function productRow(
  { productCode, productVersion }: Deposit,
  may: (scope: string) => boolean,
  words: Words,
): [string, Html] | null {
  if (productCode === null) return null
  const { deposit: say } = words.of(depositWords)
  const name = may('products:read')
    ? html`<a href="/console/products/${productCode}">${productCode}</a>`
    : html`${productCode}`
  return [say.product, html`${name}<small>${say.version(productVersion!)}</small>`]
}

/** How interest is paid, and the next payment. */
function interestText({ method, every, nextInterestDate }: Deposit, words: Words): Html {
  const { interestMethods, periods } = words.say
  const { deposit: say } = words.of(depositWords)
  const next = nextInterestDate !== null && html`<small>${say.next(words.day(nextInterestDate))}</small>`
  return html`${interestMethods[method]}${every !== null && html`, ${periods[every]}`}${next}`
}

export const customerDepositsCard: Card<CustomerSubject> = {
  place: 'main',
  show: async ({ service, book, words }, { customer: { customerId }, at }) => {
    const { deposits: say } = words.of(depositWords)
    const { items, next } = await listDeposits(service.db, book.bookId, { customerId }, SHOWN)
    const ids = items.map(({ depositId }) => depositId)
    const pending = await findPendingOfTargets(service.db, book.bookId, ids)
    const waits = (depositId: string) => pending(depositId, at) !== undefined
    const all = html`<p class="inset"><a href="/console/deposits?customer=${customerId}">${say.allOfCustomer}</a></p>`
    return card(
      { id: 'deposits', title: say.ofCustomer, isFlush: true },
      items.length === 0
        ? html`<p class="inset">${say.noneOfCustomer}</p>`
        : html`${depositTable(items, { waits, words })}${next !== null && all}`,
    )
  },
}
