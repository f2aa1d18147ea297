/** The forms that decide a request, and the second look before it is approved. */
import { identityOf } from '../../domain/actor.ts'
import type { Approval } from '../../domain/approvals.ts'
import { signedInRecently, signsInByPasswordAlone } from '../../domain/people.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { SENDING, sentUntilKnown } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import type { Asked } from '../../page/page.ts'
import { type Sure, sureDialog } from '../../page/sure.ts'
import { parseJson } from '../../wire/json.ts'
import { keptAmount, textOf } from '../../wire/stored.ts'
import type { Words } from '../../words/words.ts'
import { liquidationWords } from '../liquidation/words.ts'
import type { Preview } from './changes.ts'
import { approvalWords, isBreak, nameOf, nameOfActor, requestInWords, type Subject } from './words.ts'

/** What approving would do now. */
export type Tried = { subject: Subject; live: Preview | Refusal | null }

/** Shown to people who may not decide: the reason. */
export function decisionForm(
  { words, identity, service, may }: Asked,
  approval: Approval,
  { tried, note }: { tried: Tried; note: string },
): Html {
  const { approvals: say } = words.of(approvalWords)
  const path = `/console/approvals/${approval.approvalId}`
  const voter = identityOf(identity.actor)
  if (approval.maker === voter) {
    return html`<form class="decide" method="post" action="${path}/cancel">
<p>${say.ownText}</p>
<button class="button">${say.takeBack}</button>
</form>`
  }
  if (!may('approvals:decide')) return html`<p class="notice">${say.mayNot}</p>`
  if (approval.votes.some((vote) => vote.voter === voter)) return html`<p class="notice">${say.voted}</p>`
  const isRecent =
    signedInRecently(identity.session.signedInAt, service.clock()) || !signsInByPasswordAlone(identity.person)
  const { expected, submit } = approving(approval, tried, words)
  const sure = sureDialog({ id: 'sure-approve', ...sureOfApproval(approval, tried, words) }, words)
  return html`<form class="decide" method="post" action="${path}/decide" ${sentUntilKnown(words)}>
${expected !== null && html`<input type="hidden" name="expected" value="${expected}">`}
${!isRecent && passwordField(say)}
<div class="field">
<label for="note">${say.noteField} <small>${say.neededToRefuse}</small></label>
<input id="note" name="note" maxlength="200" autocomplete="off" value="${note}">
</div>
<button class="button danger" name="decision" value="refuse">${say.refuse}</button>
${
  tried.live?.outcome === 'tried' &&
  html`<button class="button primary" name="decision" value="look" data-confirm="sure-approve">
${submit}</button>${sure}`
}${SENDING}</form>`
}

function passwordField(say: { password: string; passwordWhy: string }): Html {
  return html`<div class="field whole">
<label for="password">${say.password} <small>${say.passwordWhy}</small></label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1024">
</div>`
}

/** The figure that is agreed to, null where it is about none, and the button that names it. */
export function approving(
  approval: Approval,
  { subject, live }: Tried,
  words: Words,
): { expected: bigint | null; submit: string } {
  const { approvals: say } = words.of(approvalWords)
  const { amount, minor } = requestInWords(approval, subject, words)
  if (live?.outcome === 'tried' && isBreak(approval)) {
    const net = keptAmount(parseJson(live.preview), 'net_credited')
    return { expected: net, submit: say.approveAndPay(words.money(net)) }
  }
  return { expected: minor, submit: amount === null ? say.approve : say.approveAmount(amount) }
}

export function sureOfApproval(approval: Approval, tried: Tried, words: Words): Sure {
  const { approvals: say } = words.of(approvalWords)
  const { submit } = approving(approval, tried, words)
  return {
    title: say.sure(submit),
    rows: [
      [say.what, requestInWords(approval, tried.subject, words).heading],
      [say.askedBy, nameOfActor(approval.requestedBy, words)],
      ...aboutRows(approval, tried.subject, words),
    ],
    submit: html`<button class="button primary" name="decision" value="approve">${submit}</button>`,
  }
}

/** Whom and what a dialog is about: customer, account, deposit and reason, as far as there are some. */
function aboutRows(
  { targetId, body }: Approval,
  subject: Subject,
  words: Words,
): (readonly [string, unknown] | false)[] {
  const { approvals: say } = words.of(approvalWords)
  const { breaking, reasons } = words.of(liquidationWords)
  const { deposit, account, customer } = subject
  const code = (id: string) => html`<code>${id}</code>`
  const accountNumber = (deposit ?? account)?.accountNumber
  const reason = textOf(parseJson(body), 'reason')
  return [
    customer !== undefined && [breaking.customer, nameOf(subject)],
    accountNumber !== undefined && [say.account, accountNumber],
    deposit !== undefined && [breaking.deposit, code(deposit.depositId)],
    reason !== '' && [say.reason, reasons[reason] ?? reason],
    deposit === undefined && account === undefined && targetId !== null && [say.target, code(targetId)],
  ]
}
