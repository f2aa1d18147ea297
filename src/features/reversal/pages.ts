import { type Asked, NOT_FOUND, type Page, type PageAnswer, redirect } from '../../console/page.ts'
import { refusalWord } from '../../console/settlement.ts'
import { approvalsNeeded } from '../../domain/approvals.ts'
import { successBody } from '../../wire/envelope.ts'
import { html } from '../../wire/html.ts'
import { readBody } from '../../wire/reader.ts'
import { readPolicyInForce } from '../approval-policy/changes.ts'
import { requestApproval, voterOf } from '../approvals/changes.ts'
import { depositPage } from '../liquidation/pages.ts'
import { findLiquidation } from '../liquidation/store.ts'
import { reverseLiquidation } from './changes.ts'
import { NewReversal, reversalFrom } from './record.ts'

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
  const { service, book, form, params, words, originOf, identity } = asked
  const { db } = service
  const { reversal: say } = words.say
  const liquidationId = params.liquidation_id!
  const kept = await findLiquidation(db, book.bookId, liquidationId)
  if (kept === undefined) return NOT_FOUND
  const onDeposit = { ...asked, params: { deposit_id: kept.depositId } }
  const refused = (text: string, status: number) =>
    depositPage(onDeposit, {
      form: asked.query,
      notice: () => ({ kind: 'bad', text: html`${text}` }),
      status,
    })
  const body = { reason: form.get('reason').trim() }
  const read = readBody(NewReversal, body)
  if (!read.ok) return refused(say.needsReason, 422)
  const policy = await readPolicyInForce(db, service.versions, book.bookId)
  const needed = approvalsNeeded(policy, 'reverseLiquidation', {
    amount: kept.principal,
    netCredited: kept.net,
  })
  const page = `/console/deposits/${kept.depositId}`
  if (needed === 0) {
    const result = await reverseLiquidation(service, originOf(null), reversalFrom(liquidationId, read.value))
    if (result.outcome === 'refused') return refused(`${say.notDone} ${refusalWord(result, words)}`, 409)
    return redirect(`${page}?done=reversed`)
  }
  const result = await requestApproval(
    service,
    originOf(null),
    {
      operation: 'reverseLiquidation',
      targetId: liquidationId,
      body,
      value: read.value,
      note: null,
      maker: voterOf(identity.person),
    },
    () => ({ status: 201, body: successBody('The operation waits for approval.', null) }),
  )
  if (result.outcome === 'refused') return refused(`${say.notDone} ${refusalWord(result, words)}`, 409)
  return redirect(`${page}?done=reversal-waits`)
}
