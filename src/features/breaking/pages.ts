/**
 * Breaking a deposit, or asking for an approval of it. The form carries a key, so that it pays at most once, and what the
 * customer agreed to.
 */
import { formatAmount } from '../../domain/money.ts'
import { OutcomeUnknownError } from '../../engine/change/faults.ts'
import { pairs } from '../../page/card.ts'
import { hiddenFields } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { backButton, goesBack, isSure } from '../../page/sure.ts'
import { successBody, successBodyOf } from '../../wire/envelope.ts'
import { Numeral } from '../../wire/json.ts'
import { readBody } from '../../wire/reader.ts'
import type { Words } from '../../words/words.ts'
import { requestApproval } from '../approvals/changes.ts'
import { findCustomer } from '../customers/store.ts'
import { depositPage, type Shown } from '../deposits/pages.ts'
import { findDeposit } from '../deposits/store.ts'
import { liquidate } from '../liquidation/changes.ts'
import { fieldWord, liquidateBody, quoteAsked, refusedText } from '../liquidation/form.ts'
import { LiquidateBody, liquidationFrom } from '../liquidation/record.ts'
import { sumTable } from '../liquidation/sum.ts'
import { liquidationWords } from '../liquidation/words.ts'

export const breakingPages: Page[] = [
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
]

const KEY = /^[\w-]{20,64}$/

async function breakDeposit(asked: Asked): Promise<PageAnswer> {
  const { service, form, params, words, originOf, may } = asked
  const { breaking: say } = words.of(liquidationWords)
  const refused = (text: BadText, status: number) => depositPage(asked, { form, notice: bad(text), status })
  if (goesBack(form)) return depositPage(asked, { form })
  const expected = form.get('expected')
  if (!/^\d{1,15}\.\d\d$/.test(expected) || !KEY.test(form.get('key'))) return refused(say.notPaid, 422)
  const body = { ...liquidateBody(form, words), expected_net_credited: new Numeral(expected) }
  const read = readBody(LiquidateBody, body)
  if (!read.ok) return refused(`${say.notPaid} ${fieldWord(read.fields[0]!.field, words)}`, 422)
  if ((read.value.waiver ?? null) !== null && !may('penal_charges:waive'))
    return refused(say.mayNotWaive, 403)
  if (!isSure(form)) return confirmPage(asked)
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
${hiddenFields(new URLSearchParams(form.text))}
${backButton(words)}
<button class="button primary" name="sure" value="yes">${say.submit(words.money(settlement.net))}</button>
</form>
</section>`,
  )
}
