/** What became of a request, in a badge and a line. */
import { type Approval, statusAt } from '../../domain/approvals.ts'
import { type Html, html } from '../../page/html.ts'
import type { Words } from '../../words/words.ts'
import { approvalWords } from './words.ts'

export const BADGES = {
  PENDING: 'waiting',
  APPROVED: 'done',
  REJECTED: 'refused',
  CANCELLED: '',
  EXPIRED: '',
} as const

export function outcomeOf(approval: Approval, at: Date, words: Words): Html {
  const { approvals: say } = words.of(approvalWords)
  const status = statusAt(approval, at)
  const reason = approval.decisionReason
  return html`<span class="badge ${BADGES[status]}">${say.statuses[status]}</span>
${reason !== null && html`<small>${reason}</small>`}`
}
