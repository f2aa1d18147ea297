import { type Actor, identityOf } from '../../domain/actor.ts'
import { type Approval, statusAt } from '../../domain/approvals.ts'
import { card, pairs } from '../../page/card.ts'
import { type Html, html } from '../../page/html.ts'
import { idLink } from '../../page/link.ts'
import { showNotice } from '../../page/notice.ts'
import type { Card, DepositSubject, LiquidationSubject } from '../../page/page.ts'
import { parseJson } from '../../wire/json.ts'
import { keptAmount } from '../../wire/stored.ts'
import type { Words } from '../../words/words.ts'
import { findPending, listApprovals } from '../approval-requests/store.ts'
import { outcomeOf } from './outcome.ts'
import { approvalWords } from './words.ts'

const SHOWN = { limit: 50, before: null }

/** A liquidation of the deposit that waits for approval. */
export const waitingNotice: Card<DepositSubject> = {
  place: 'notice',
  show: async ({ service, book, may, identity }, { deposit, at, words }) => {
    const stored = await findPending(service.db, book.bookId, 'liquidateFixedDeposit', deposit.depositId)
    if (stored === undefined || statusAt(stored, at) !== 'PENDING') return null
    const { waiting: say } = words.of(approvalWords)
    const { approvalId, preview, requestedBy, requestedAt }: Approval = stored
    const who = requestedBy.name ?? words.say.actors[requestedBy.kind]
    const amount = words.money(keptAmount(parseJson(preview), 'net_credited'))
    const isMine = stored.maker === identityOf(identity.actor)
    const look = html`<a href="/console/approvals/${approvalId}">${say.look}</a>`
    const withdraw = html`<form method="post" action="/console/approvals/${approvalId}/cancel">
<button class="button">${say.withdraw}</button></form>`
    const text = html`<p><b>${say.waits(amount)}</b> ${say.text(who, words.instant(requestedAt))}</p>
<div class="row">${may('approvals:read') && look}${isMine && withdraw}</div>`
    return showNotice({ kind: 'wait', text }, words)
  },
}

/** Every request about the deposit, with what became of it. */
export const depositRequestsCard: Card<DepositSubject> = {
  place: 'side',
  show: async (asked, { deposit, at, words }) => {
    const { service, book, may, identity } = asked
    const { items } = await listApprovals(service.db, book.bookId, { targetId: deposit.depositId }, SHOWN)
    const own = identityOf(identity.actor)
    const readable = may('approvals:read') ? items : items.filter(({ maker }) => maker === own)
    if (readable.length === 0) return null
    const { outcomes: say } = words.of(approvalWords)
    return card(
      { id: 'requests', title: say.title },
      html`<ol class="timeline">${readable.map((one) => outcomeLine(one, at, words))}</ol>`,
    )
  },
}

function outcomeLine(approval: Approval, at: Date, words: Words): Html {
  const { requestedAt, operation, requestedBy } = approval
  const who = words.say.by(requestedBy.name ?? words.say.actors[requestedBy.kind])
  return html`<li><time>${words.instant(requestedAt)}</time>
<span>${words.say.operations[operation]} <small>${who}</small>
${outcomeOf(approval, at, words)}</span></li>`
}

/** Who asked for the liquidation and who approved it, where it was approved. */
export const liquidationApprovalCard: Card<LiquidationSubject> = {
  place: 'side',
  show: async ({ service, book, may }, { liquidation, words }) => {
    if (!may('approvals:read')) return null
    const filters = { targetId: liquidation.depositId, status: 'APPROVED' } as const
    const { items } = await listApprovals(service.db, book.bookId, filters, SHOWN)
    const found = items.find(({ result }) => result?.includes(`"${liquidation.liquidationId}"`))
    if (found === undefined) return null
    const { outcomes: say } = words.of(approvalWords)
    const nameOf = (actor: Actor) => actor.name ?? words.say.actors[actor.kind]
    return card(
      { id: 'approval', title: say.approval },
      pairs([
        [say.request, idLink(found.approvalId)],
        [say.maker, html`${nameOf(found.requestedBy)}<small>${words.instant(found.requestedAt)}</small>`],
        found.note !== null && [say.noteOfMaker, found.note],
        ...found.votes.map(
          ({ actor, at }) =>
            [say.checker, html`${nameOf(actor)}<small>${words.instant(at)}</small>`] as const,
        ),
      ]),
    )
  },
}

export const withdrawnNotice: Card<DepositSubject> = {
  place: 'notice',
  show: async ({ query }, { words }) =>
    query.get('done') === 'taken-back'
      ? showNotice({ kind: 'good', text: words.of(approvalWords).waiting.withdrawn }, words)
      : null,
}
