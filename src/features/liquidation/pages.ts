/**
 * Breaking a deposit and the letter about it. The form carries a key, so that it pays at most once, and what the customer
 * agreed to.
 */
import type { Deposit } from '../../domain/deposit.ts'
import { formatAmount } from '../../domain/money.ts'
import type { StoredLiquidation } from '../../domain/reversal.ts'
import { OutcomeUnknownError } from '../../engine/change/faults.ts'
import { card, pairs, showCards } from '../../page/card.ts'
import { hiddenFields } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { printedLetter } from '../../page/letter.ts'
import { accountLink, idLink } from '../../page/link.ts'
import { copyButton, type Notice, showNotice } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { successBody, successBodyOf } from '../../wire/envelope.ts'
import { Numeral } from '../../wire/json.ts'
import { readBody } from '../../wire/reader.ts'
import type { Words } from '../../words/words.ts'
import { requestApproval } from '../approvals/changes.ts'
import { findCustomer } from '../customers/store.ts'
import { depositPage, type Shown } from '../deposits/pages.ts'
import { findDeposit } from '../deposits/store.ts'
import { letterheadOf } from '../letterhead/changes.ts'
import { readRulesOf } from '../products/changes.ts'
import { explain, liquidate } from './changes.ts'
import { fieldWord, liquidateBody, quoteAsked, refusedText, stateOf } from './form.ts'
import { adviceLetter } from './letter.ts'
import { liquidationListPages } from './list.ts'
import { LiquidateBody, liquidationFrom } from './record.ts'
import { findLiquidation } from './store.ts'
import { sumTable } from './sum.ts'
import { forCustomer, liquidationWords } from './words.ts'

export const liquidationPages: Page[] = [
  ...liquidationListPages,
  {
    method: 'POST',
    path: '/deposits/:deposit_id/break',
    scope: 'fixed_deposits:liquidate',
    answer: breakDeposit,
  },
  {
    method: 'POST',
    path: '/deposits/:deposit_id/ask',
    scope: 'fixed_deposits:liquidate',
    answer: askForApproval,
  },
  {
    method: 'GET',
    path: '/liquidations/:liquidation_id',
    scope: 'fixed_deposits:read',
    answer: (asked) => liquidationPage(asked, {}),
  },
  {
    method: 'GET',
    path: '/liquidations/:liquidation_id/advice',
    scope: 'fixed_deposits:read',
    answer: advicePage,
  },
]

const KEY = /^[\w-]{20,64}$/

async function breakDeposit(asked: Asked): Promise<PageAnswer> {
  const { service, form, params, words, originOf, may } = asked
  const { breaking: say } = words.of(liquidationWords)
  const refused = (text: BadText, status: number) => depositPage(asked, { form, notice: bad(text), status })
  const expected = form.get('expected')
  if (!/^\d{1,15}\.\d\d$/.test(expected) || !KEY.test(form.get('key'))) return refused(say.notPaid, 422)
  const body = { ...liquidateBody(form, words), expected_net_credited: new Numeral(expected) }
  const read = readBody(LiquidateBody, body)
  if (!read.ok) return refused(`${say.notPaid} ${fieldWord(read.fields[0]!.field, words)}`, 422)
  if ((read.value.waiver ?? null) !== null && !may('penal_charges:waive'))
    return refused(say.mayNotWaive, 403)
  if (form.get('sure') !== 'yes') return confirmPage(asked)
  const key = form.get('key')
  try {
    const depositId = params.deposit_id!
    const result = await liquidate(
      service,
      originOf(key),
      { depositId, ...liquidationFrom(read.value) },
      // What is stored beside the key has the format of every stored answer.
      ({ data, liquidation: { liquidationId: madeId } }) => ({
        status: 200,
        body: successBodyOf('The fixed deposit was liquidated.', data),
        madeId,
      }),
    )
    if (result.outcome !== 'refused') {
      return redirect(`/console/deposits/${depositId}?done=${result.answer?.madeId ?? ''}`)
    }
    if (result.code === 'deposit_not_found') return NOT_FOUND
    return refused((own) => refusedText(result, own), 409)
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) throw error
    const again = html`${say.unknown} <form method="post" action="/console/deposits/${params.deposit_id}/break">
${hiddenFields(new URLSearchParams(form.text))}<button class="button">${say.sendAgain}</button>
</form>`
    return depositPage(asked, { form, notice: bad(again), key, status: 503 })
  }
}

/** The figures of the day are not part of the request: the last vote pays those of its own day. */
async function askForApproval(asked: Asked): Promise<PageAnswer> {
  const { service, form, params, words, originOf, may } = asked
  const { breaking: say } = words.of(liquidationWords)
  const refused = (text: BadText, status: number) => depositPage(asked, { form, notice: bad(text), status })
  const depositId = params.deposit_id!
  const key = form.get('key')
  const note = form.get('note').trim()
  const body = liquidateBody(form, words)
  const read = readBody(LiquidateBody, body)
  if (!read.ok) return refused(fieldWord(read.fields[0]!.field, words), 422)
  if (!KEY.test(key)) return refused(say.notPaid, 422)
  if ((read.value.waiver ?? null) !== null && !may('penal_charges:waive'))
    return refused(say.mayNotWaive, 403)
  const result = await requestApproval(
    service,
    originOf(key),
    {
      operation: 'liquidateFixedDeposit',
      targetId: depositId,
      body,
      value: read.value,
      note: note === '' ? null : note,
    },
    ({ approval: { approvalId } }) => ({
      status: 201,
      body: successBody('The operation waits for approval.', { approval_id: approvalId }),
    }),
  )
  if (result.outcome !== 'refused') return redirect(`/console/deposits/${depositId}`)
  if (result.code === 'deposit_not_found') return NOT_FOUND
  return refused((own) => refusedText(result, own), 409)
}

type BadText = Html | string | ((words: Words) => Html | string)

function bad(text: BadText): NonNullable<Shown['notice']> {
  return (words) => ({ kind: 'bad', text: typeof text === 'function' ? text(words) : text })
}

/** The second look of browsers without script. */
async function confirmPage(asked: Asked): Promise<PageAnswer> {
  const { params, form } = asked
  const { breaking: say } = asked.words.of(liquidationWords)
  const refused = (text: BadText) => depositPage(asked, { form, notice: bad(text), status: 409 })
  const quoted = await quoteAsked(asked, params.deposit_id!, form)
  if (quoted.outcome === 'refused') {
    return quoted.code === 'deposit_not_found' ? NOT_FOUND : refused((words) => refusedText(quoted, words))
  }
  if (quoted.outcome === 'unreadable') return refused((words) => fieldWord(quoted.field, words))
  const { settlement } = quoted
  const words = asked.words.in(settlement.currency)
  if (formatAmount(settlement.net) !== form.get('expected')) return refused(say.changed)
  const back = `/console/deposits/${params.deposit_id}?${stateOf(form)}`
  const { reasons } = words.of(liquidationWords)
  const deposit = (await findDeposit(asked.service.db, asked.book.bookId, params.deposit_id!))!
  const customer = (await findCustomer(asked.service.db, asked.book.bookId, deposit.customerId))!
  const about = pairs([
    [say.customer, `${customer.firstName} ${customer.lastName}`],
    [say.deposit, html`<code>${deposit.depositId}</code>`],
    [say.account, settlement.accountNumber],
    [say.reason, reasons[form.get('reason')] ?? form.get('reason')],
  ])
  return show(
    'deposits',
    say.sure(words.money(settlement.net)),
    html`<section class="card confirm">
<h1>${say.sure(words.money(settlement.net))}</h1>
${about}
${sumTable(settlement, words)}
<p class="hint">${say.sureText}</p>
<form class="row" method="post" action="/console/deposits/${params.deposit_id}/break">
<a class="button" href="${back}">${words.say.back}</a>
${hiddenFields(new URLSearchParams(form.text))}
<input type="hidden" name="sure" value="yes">
<button class="button primary">${say.submit(words.money(settlement.net))}</button>
</form>
</section>`,
  )
}

/** A liquidation with all that was typed, decided and booked; also shown where taking it back was refused. */
export async function liquidationPage(
  asked: Asked,
  shown: { notice?: Notice; status?: number },
): Promise<PageAnswer> {
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
  const { liquidation: say, breaking } = words.of(liquidationWords)
  const name = `${customer!.firstName} ${customer!.lastName}`
  const saying = forCustomer(explained!, rulesOf(deposit), words)
  const advice = `/console/liquidations/${liquidation.liquidationId}/advice`
  return show(
    'deposits',
    say.tab(words.money(liquidation.net), name),
    html`<header class="head">
<div>
<h1>${say.heading(words.money(liquidation.net))} <span class="thin">${say.to(name)}</span></h1>
<p class="sub"><code>${liquidation.liquidationId}</code>${copyButton(liquidation.liquidationId, words)}</p>
</div>
<a class="button" href="${advice}">${breaking.printAdvice}</a></header>
${showNotice(shown.notice ?? null, words)}
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
    shown.status,
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
