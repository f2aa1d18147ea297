/** The liquidations of a book, one of them with all that is known of it, and the letter about it. */
import type { Deposit } from '../../domain/deposit.ts'
import type { StoredLiquidation } from '../../domain/reversal.ts'
import { card, pairs, showCards } from '../../page/card.ts'
import { crumbs, customerSteps, type Step } from '../../page/crumbs.ts'
import { type Html, html } from '../../page/html.ts'
import { printedLetter } from '../../page/letter.ts'
import { accountLink, idLink } from '../../page/link.ts'
import { copyButton } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, show } from '../../page/page.ts'
import type { Words } from '../../words/words.ts'
import { findCustomer } from '../customers/store.ts'
import { findDeposit } from '../deposits/store.ts'
import { letterheadOf } from '../letterhead/changes.ts'
import { readRulesOf } from '../products/changes.ts'
import { explain } from './changes.ts'
import { adviceLetter } from './letter.ts'
import { liquidationListPages } from './list.ts'
import { findLiquidation } from './store.ts'
import { sumTable } from './sum.ts'
import { forCustomer, liquidationWords } from './words.ts'

export const liquidationPages: Page[] = [
  ...liquidationListPages,
  {
    method: 'GET',
    path: '/liquidations/:liquidation_id',
    scope: 'fixed_deposits:read',
    answer: liquidationPage,
  },
  {
    method: 'GET',
    path: '/liquidations/:liquidation_id/advice',
    scope: 'fixed_deposits:read',
    answer: advicePage,
  },
]

/** A liquidation with all that was typed, decided and booked. */
async function liquidationPage(asked: Asked): Promise<PageAnswer> {
  const { service, book, params } = asked
  const liquidation = await findLiquidation(service.db, book.bookId, params.liquidation_id!)
  if (liquidation === undefined) return NOT_FOUND
  const words = asked.words.in(liquidation.currency)
  const deposit = (await findDeposit(service.db, book.bookId, liquidation.depositId))!
  const [[explained], customer, rulesOf, cards] = await Promise.all([
    explain(service, book, deposit, [liquidation]),
    findCustomer(service.db, book.bookId, deposit.customerId),
    readRulesOf(service.db, service.versions, book.bookId, [deposit]),
    showCards(asked.cards.liquidation, asked, { liquidation, deposit, words }),
  ])
  const { liquidation: say, breaking, list } = words.of(liquidationWords)
  const takenBack = list.reversed
  const name = `${customer!.firstName} ${customer!.lastName}`
  const saying = forCustomer(explained!, rulesOf(deposit), words)
  const steps: Step[] = [...customerSteps(customer!, words), [say.deposit, `/deposits/${deposit.depositId}`]]
  const advice = `/console/liquidations/${liquidation.liquidationId}/advice`
  return show(
    'deposits',
    say.tab(words.money(liquidation.net), name),
    html`${crumbs(steps, say.title, words)}
<header class="head">
<div>
<h1>${say.heading(words.money(liquidation.net))} <span class="thin">${say.to(name)}</span></h1>
<p class="sub">${liquidation.reversedAt !== null && html`<span class="badge refused">${takenBack}</span>`}
<code>${liquidation.liquidationId}</code>${copyButton(liquidation.liquidationId, words)}</p>
</div>
<a class="button" href="${advice}">${breaking.printAdvice}</a></header>
${cards('notice')}
<div class="split">
<div class="wide">
${card({ id: 'figures', title: say.figures }, html`${sumTable(explained!, words)}<p>${saying}</p>`)}
${cards('main')}
</div>
<div class="stack">
${typedCard(liquidation, { deposit, name }, words)}
${cards('side')}
</div></div>
${cards('below')}`,
  )
}

function typedCard(
  liquidation: StoredLiquidation,
  { deposit, name }: { deposit: Deposit; name: string },
  words: Words,
): Html {
  const { liquidation: say, breaking, reasons, waiverReasons } = words.of(liquidationWords)
  const { waiver, reason, reference, at, depositId, accountNumber } = liquidation
  return card(
    { id: 'about', title: say.about },
    pairs([
      [say.customer, html`<a href="/console/customers/${deposit.customerId}">${name}</a>`],
      [say.deposit, idLink(depositId)],
      [say.account, accountLink(accountNumber)],
      [say.when, words.instant(at)],
      [say.kind, liquidation.type === 'FULL' ? say.whole : say.part],
      [breaking.reason, reason === null ? say.none : (reasons[reason] ?? reason)],
      [breaking.reference, reference ?? say.none],
      waiver !== null && [say.waived, waiverText(liquidation, words)],
      waiver !== null && [breaking.waiverReason, waiverReasons[waiver.reason] ?? waiver.reason],
      waiver !== null && waiver.note !== null && [breaking.waiverNote, waiver.note],
    ]),
  )
}

function waiverText({ waiver, waived }: StoredLiquidation, words: Words): string {
  const { liquidation: say } = words.of(liquidationWords)
  const amount = words.money(waived)
  if (waiver === null || waiver.percentPpm === null) return amount
  return say.waivedPercent(amount, words.percent(waiver.percentPpm))
}

/** A letter to the customer, on one page. */
async function advicePage({ service, book, params, words: all }: Asked): Promise<PageAnswer> {
  const { db } = service
  const kept = await findLiquidation(db, book.bookId, params.liquidation_id!)
  if (kept === undefined) return NOT_FOUND
  const deposit = (await findDeposit(db, book.bookId, kept.depositId))!
  const [[explained], head, rulesOf] = await Promise.all([
    explain(service, book, deposit, [kept]),
    letterheadOf(service, book, deposit.customerId),
    readRulesOf(db, service.versions, book.bookId, [deposit]),
  ])
  const reader = all.in(kept.currency)
  const words = reader.speaking(head.language)
  const { title } = words.of(liquidationWords).advice
  const advised = { holder: head.holder, liquidation: explained!, deposit, rules: rulesOf(deposit) }
  const tab = `${title}, ${words.money(kept.net)}, ${head.holder.name}`
  return show('deposits', tab, printedLetter(title, head, adviceLetter(advised, words), { words, reader }))
}
