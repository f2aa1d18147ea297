import type { StoredLiquidation } from '../../domain/reversal.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { goesBack, isSure, surePage } from '../../page/sure.ts'
import { successBody } from '../../wire/envelope.ts'
import { readBody } from '../../wire/reader.ts'
import { refusalWord } from '../../words/refusals.ts'
import { requestApproval } from '../approvals/changes.ts'
import { noteIn } from '../counter/form.ts'
import { findCustomer } from '../customers/store.ts'
import { depositPage } from '../deposits/pages.ts'
import { findDeposit } from '../deposits/store.ts'
import { findLiquidation } from '../liquidation/store.ts'
import { sureOfReversal } from './card.ts'
import { reverseLiquidation } from './changes.ts'
import { NewReversal, reversalFrom } from './record.ts'
import { reversalWords } from './words.ts'

export const reversalPages: Page[] = [
  {
    method: 'POST',
    path: '/liquidations/:liquidation_id/reverse',
    scope: 'liquidations:reverse',
    answer: takeBack,
  },
]

/** Shown on the page of the deposit, beside the liquidation. */
async function takeBack(asked: Asked): Promise<PageAnswer> {
  const { service, book, form, params, words, originOf } = asked
  const { db } = service
  const { reversal: say } = words.of(reversalWords)
  const liquidationId = params.liquidation_id!
  const kept = await findLiquidation(db, book.bookId, liquidationId)
  if (kept === undefined) return NOT_FOUND
  const onDeposit = { ...asked, params: { deposit_id: kept.depositId } }
  const again = { form: asked.query }
  if (goesBack(form)) return depositPage(onDeposit, again)
  const refused = (text: string, status: number) =>
    depositPage(onDeposit, { ...again, notice: () => ({ kind: 'bad', text }), status })
  const body = { reason: form.get('reason').trim() }
  const read = readBody(NewReversal, body)
  if (!read.ok) return refused(say.needsReason, 422)
  if (!isSure(form)) return secondLook(asked, kept)
  const page = `/console/deposits/${kept.depositId}`
  const key = /^[\w-]{20,64}$/.test(form.get('key')) ? form.get('key') : null
  const request = reversalFrom(liquidationId, read.value)
  const direct = await reverseLiquidation(service, originOf(key), request, () => ({
    status: 200,
    body: successBody('The liquidation was reversed.', null),
  }))
  if (direct.outcome !== 'refused') return redirect(`${page}?done=reversed`)
  if (direct.code !== 'approval_required') {
    return refused(`${say.notDone} ${refusalWord(direct, words)}`, 409)
  }
  const result = await requestApproval(
    service,
    originOf(key),
    {
      operation: 'reverseLiquidation',
      targetId: liquidationId,
      body,
      value: read.value,
      note: noteIn(form),
    },
    () => ({ status: 201, body: successBody('The operation waits for approval.', null) }),
  )
  if (result.outcome === 'refused') return refused(`${say.notDone} ${refusalWord(result, words)}`, 409)
  return redirect(`${page}?done=reversal-waits`)
}

/** Asks again on a page of its own, for browsers without script. */
async function secondLook(asked: Asked, liquidation: StoredLiquidation): Promise<PageAnswer> {
  const { service, book, form } = asked
  const { liquidationId, depositId, currency } = liquidation
  const words = asked.words.in(currency)
  const deposit = await findDeposit(service.db, book.bookId, depositId)
  const customer = await findCustomer(service.db, book.bookId, deposit!.customerId)
  const sure = sureOfReversal(liquidation, { customer: customer!, reason: form.get('reason').trim() }, words)
  const action = `/console/liquidations/${liquidationId}/reverse`
  const kept = new URLSearchParams(form.text)
  return show('deposits', sure.title, surePage(sure, { action, kept }, words))
}
