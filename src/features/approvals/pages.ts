/**
 * What waits for a second person. On the left the queue, on the right one request: its expected result when it was
 * requested, beside that of today. Approving includes the figure that was shown, so that no other amount is paid.
 */

import { identityOf } from '../../domain/actor.ts'
import { type Approval, factsOf } from '../../domain/approvals.ts'
import { type Minor, minor } from '../../domain/money.ts'
import { signedInRecently, signsInByPasswordAlone } from '../../domain/people.ts'
import { OutcomeUnknownError } from '../../engine/change/faults.ts'
import { type Html, html } from '../../page/html.ts'
import { noticeLine } from '../../page/notice.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { goesBack, surePage } from '../../page/sure.ts'
import { readBody } from '../../wire/reader.ts'
import { refusalWord } from '../../words/refusals.ts'
import { findApproval, listWaiting } from '../approval-requests/store.ts'
import { doneText, type RequestView, requestCard } from './card.ts'
import { approve, asOfNow, cancel, previewNow, reject } from './changes.ts'
import { approving, sureOfApproval } from './form.ts'
import { isForVoter, queued, readSubjects } from './list.ts'
import { bodyOf, impactOfRequest } from './operations.ts'
import { ApprovalRejection } from './record.ts'
import { approvalWords, inCurrencyOf, isBreak, requestInWords } from './words.ts'

const QUEUE_MAX = 50

export const approvalPages: Page[] = [
  {
    method: 'GET',
    path: '/approvals',
    scope: 'approvals:read',
    answer: (asked) => approvalsPage(asked, {}),
  },
  {
    method: 'GET',
    path: '/approvals/:approval_id',
    scope: 'approvals:read',
    answer: (asked) => approvalsPage(asked, {}),
  },
  {
    method: 'POST',
    path: '/approvals/:approval_id/decide',
    scope: 'approvals:decide',
    // Others give their password in the form itself.
    needsRecentSignIn: (_params, person) => !signsInByPasswordAlone(person),
    answer: decide,
  },
  { method: 'POST', path: '/approvals/:approval_id/cancel', scope: null, answer: takeBack },
]

/** What a decision was refused for, and what was typed. */
type Shown = { refused?: string; status?: number; note?: string; secret?: string }

async function decide(asked: Asked): Promise<PageAnswer> {
  const { service, book, form, params, words, originOf, identity, signIn, secret } = asked
  const { approvals: say } = words.of(approvalWords)
  const approvalId = params.approval_id!
  const kept = await findApproval(service.db, book.bookId, approvalId)
  if (kept === undefined) return NOT_FOUND
  const word = form.get('decision')
  const refuses = word === 'refuse'
  const note = form.get('note').trim()
  if (goesBack(form)) return approvalsPage(asked, { note })
  let renewed: string | undefined
  const refused = (text: string, status: number) =>
    approvalsPage(asked, {
      refused: text,
      status,
      note,
      ...(renewed !== undefined && { secret: renewed }),
    })
  // Only a word decides, and only about what was shown.
  if (!refuses && word !== 'approve' && word !== 'look') return refused(say.noDecision, 400)
  const expected = expectedOf(form.get('expected'))
  const voter = identityOf(identity.actor)
  const done = redirect(`/console/approvals/${approvalId}?done=yes`)
  // The same form, sent again because its answer was lost.
  if (!refuses && kept.status === 'APPROVED' && kept.votes.some((vote) => vote.voter === voter)) return done
  const mayVote = isForVoter(kept, voter)
  if (!refuses && mayVote && isAboutMoney(kept) && expected === null) return refused(say.noDecision, 400)
  if (refuses && !readBody(ApprovalRejection, { reason: note }).ok) return refused(say.noteMissing, 422)
  if (!signedInRecently(identity.session.signedInAt, service.clock())) {
    const confirmed = await signIn.confirmPassword({ secret, password: form.get('password') })
    if (confirmed.outcome === 'refused') return refused(words.say.signInRefusals[confirmed.code], 422)
    renewed = confirmed.secret
  }
  if (!refuses && mayVote && !isBreak(kept) && expected !== (await amountOf(asked, kept))) {
    return refused(say.figuresChanged, 409)
  }
  if (word === 'look') return secondLook(asked, kept, { refused, renewed })
  try {
    const result = refuses
      ? await reject(service, originOf(null), { approvalId, reason: note })
      : await approve(service, originOf(null), {
          kept,
          value: bodyOf(kept),
          expectedNet: isBreak(kept) ? expected : null,
        })
    if (result.outcome === 'refused') {
      return refused(
        result.code === 'figures_changed' ? say.figuresChanged : refusalWord(result, words),
        ['maker_cannot_approve', 'decider_too_new'].includes(result.code) ? 403 : 409,
      )
    }
    return { ...done, ...(renewed !== undefined && { secret: renewed }) }
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) throw error
    return refused(say.unknown, 503)
  }
}

/** Asks again on a page of its own, for browsers without script, where the first button opens no dialog. */
async function secondLook(
  asked: Asked,
  kept: Approval,
  {
    refused,
    renewed,
  }: { refused: (text: string, status: number) => Promise<PageAnswer>; renewed?: string | undefined },
): Promise<PageAnswer> {
  const { service, book, form } = asked
  const subject = (await readSubjects(asked, [kept]))(kept)
  const words = inCurrencyOf(subject, asked.words)
  const tried = { subject, live: await previewNow(service, book, kept, bodyOf(kept)) }
  const { expected } = approving(kept, tried, words)
  if (tried.live.outcome === 'refused') return refused(refusalWord(tried.live, words), 409)
  if (expected !== expectedOf(form.get('expected'))) {
    return refused(words.of(approvalWords).approvals.figuresChanged, 409)
  }
  const action = `/console/approvals/${kept.approvalId}/decide`
  const sure = sureOfApproval(kept, tried, words)
  // The password was taken: it is not asked for, nor sent along, twice.
  const sent = [...new URLSearchParams(form.text)].filter(
    ([name]) => !['decision', 'password'].includes(name),
  )
  const page = surePage(sure, { action, kept: sent }, words)
  return { ...show('approvals', sure.title, page), ...(renewed !== undefined && { secret: renewed }) }
}

function isAboutMoney({ operation }: Approval): boolean {
  return factsOf(operation).includes('amount')
}

/** What the page of a request shows as its amount; null where it is about none. */
async function amountOf(asked: Asked, kept: Approval): Promise<bigint | null> {
  const subjectOf = await readSubjects(asked, [kept])
  return requestInWords(kept, subjectOf(kept), asked.words).minor
}

function expectedOf(text: string): Minor | null {
  return /^\d{1,15}$/.test(text) ? minor(BigInt(text)) : null
}

/** Its maker needs no scope beyond that of the operation, and goes back to what it was about. */
async function takeBack(asked: Asked): Promise<PageAnswer> {
  const { service, book, params, originOf, identity, words, may } = asked
  const approvalId = params.approval_id!
  const kept = await findApproval(service.db, book.bookId, approvalId)
  const voter = identityOf(identity.actor)
  // People who may not read requests do not see those of others.
  if (kept === undefined || (kept.maker !== voter && !may('approvals:read'))) return NOT_FOUND
  const result = await cancel(service, originOf(null), { approvalId })
  if (kept.operation === 'liquidateFixedDeposit') {
    const done = result.outcome === 'refused' ? '' : '?done=taken-back'
    if (result.outcome !== 'refused' || !may('approvals:read')) {
      return redirect(`/console/deposits/${kept.targetId}${done}`)
    }
  }
  if (!may('approvals:read')) return redirect('/console')
  if (result.outcome !== 'refused') return redirect(`/console/approvals/${approvalId}?done=yes`)
  return approvalsPage(asked, { refused: refusalWord(result, words), status: 409 })
}

async function approvalsPage(asked: Asked, shown: Shown): Promise<PageAnswer> {
  const { service, book, params, query, words, identity } = asked
  const { db } = service
  const { approvals: say } = words.of(approvalWords)
  const { at, today } = await service.momentIn(book)
  const waiting = await listWaiting(db, book.bookId, { at, limit: QUEUE_MAX })
  const voter = identityOf(identity.actor)
  const forMe = waiting.filter((one) => isForVoter(one, voter))
  const wanted = params.approval_id
  const chosen = wanted === undefined ? (forMe[0] ?? waiting[0]) : await findApproval(db, book.bookId, wanted)
  if (wanted !== undefined && chosen === undefined) return NOT_FOUND
  const subjectOf = await readSubjects(asked, chosen === undefined ? waiting : [...waiting, chosen])
  const done = query.has('done') && chosen !== undefined ? doneText(chosen, words) : null
  const queue =
    waiting.length === 0
      ? html`<p class="inset">${say.none}</p>`
      : html`<ul class="queue">${waiting.map((one) => queued(asked, one, { chosen, voter, subjectOf, at }))}</ul>`
  const forYou = forMe.length === 0 ? say.noneForYou : say.waitForYou(forMe.length)
  const answer = show(
    'approvals',
    say.title,
    html`<header class="head">
<h1>${say.title} <span class="thin">${forYou}</span></h1>
<a class="button" href="/console/requests?whose=all">${say.all}</a>
</header>
${done !== null && html`<div class="notice good" role="status">${done}</div>`}
${shown.refused !== undefined && noticeLine('bad', shown.refused)}
${
  waiting.length === 0 && chosen === undefined
    ? html`<section class="card"><p>${say.none}</p></section>`
    : html`<div class="inbox">
<section class="card flush" aria-label="${say.waiting}">${queue}</section>
${chosen !== undefined && (await chosenCard(asked, chosen, { subject: subjectOf(chosen), at, today, note: shown.note ?? '' }))}
</div>`
}`,
    shown.status,
  )
  return shown.secret === undefined ? answer : { ...answer, secret: shown.secret }
}

/** A request that still waits is shown with what would happen if it were approved now. */
async function chosenCard(
  asked: Asked,
  approval: Approval,
  view: Omit<RequestView, 'live' | 'impact'>,
): Promise<Html> {
  const { service, book } = asked
  const counted = await asOfNow(service, { book, at: view.at }, approval, () => bodyOf(approval))
  const impact = counted.live === null ? null : await impactOfRequest(service, book, approval)
  return requestCard(asked, counted.approval, { ...view, live: counted.live, impact })
}
