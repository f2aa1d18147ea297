import { interestOfPeriod } from '../../domain/interest.ts'
import { termsOf } from '../../domain/terms.ts'
import { card } from '../../page/card.ts'
import { html } from '../../page/html.ts'
import type { Card, DepositSubject } from '../../page/page.ts'
import { recordTable } from '../../page/table.ts'
import { listPayments } from './store.ts'
import { interestPaymentWords } from './words.ts'

const SHOWN = { limit: 24, before: null }

/** Interest that was paid before maturity, and the next payment; nothing where interest is paid at maturity alone. */
export const paymentsCard: Card<DepositSubject> = {
  place: 'below',
  show: async ({ service, book }, { deposit, rules, words }) => {
    const { depositId, method, nextInterestDate: to, maturityDate, remaining } = deposit
    if (method !== 'PAYOUT' && method !== 'UPFRONT') return null
    const say = words.of(interestPaymentWords)
    const { items, next } = await listPayments(service.db, book.bookId, depositId, SHOWN)
    const terms = termsOf(deposit, rules)
    const period = to !== null && to < maturityDate && { from: deposit.paidTo ?? deposit.startDate, to }
    const coming = period && words.money(interestOfPeriod(terms, remaining, period))
    return card(
      { id: 'payments', title: say.title, isFlush: true },
      html`${period && html`<p class="inset">${say.next(words.day(period.to), coming as string)}</p>`}
${items.length === 0 && html`<p class="inset">${say.none}</p>`}
${
  items.length > 0 &&
  recordTable(
    items,
    [
      { name: say.period, cell: ({ from, to }) => say.fromTo(words.day(from), words.day(to)) },
      { name: say.on, cell: ({ businessDate }) => words.day(businessDate) },
      { name: say.principal, isNumber: true, cell: ({ principal }) => words.plain(principal) },
      { name: say.interest, isNumber: true, cell: ({ interest }) => words.plain(interest) },
      { name: say.tax, isNumber: true, cell: ({ tax }) => words.plain(tax) },
      { name: say.net, isNumber: true, cell: ({ net }) => words.plain(net) },
    ],
    { label: say.title, isFlush: true },
  )
}
${next !== null && html`<p class="inset">${say.older(SHOWN.limit)}</p>`}`,
    )
  },
}
