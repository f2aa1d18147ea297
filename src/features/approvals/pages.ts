/**
 * What waits for a second person. On the left the queue, on the right one request: its expected result when it was
 * requested, beside that of today. Approving includes the figure that was shown, so that no other amount is paid.
 */
import { identityOf } from '../../domain/actor.ts'
import { type Approval, type ApprovalStatus, type Count, FACTS_OF, statusAt } from '../../domain/approvals.ts'
import { businessDate, daysBetween } from '../../domain/dates.ts'
import { type Minor, minor } from '../../domain/money.ts'
import { signedInRecently, signsInByPasswordAlone } from '../../domain/people.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { OutcomeUnknownError } from '../../engine/change/faults.ts'
import { pairs } from '../../page/card.ts'
import { SENDING, sentUntilKnown } from '../../page/form.ts'
import { type Html, html } from '../../page/html.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { sureDialog } from '../../page/sure.ts'
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../wire/json.ts'
import { readBody } from '../../wire/reader.ts'
import { keptAmount, textOf } from '../../wire/stored.ts'
import { refusalWord } from '../../words/refusals.ts'
import type { Words } from '../../words/words.ts'
import { parsePolicy } from '../approval-policy/record.ts'
import { conditionsText } from '../approval-policy/words.ts'
import { findApproval, listWaiting } from '../approval-requests/store.ts'
import { impactTable } from '../impact/card.ts'
import { impactWords } from '../impact/words.ts'
import { liquidationWords } from '../liquidation/words.ts'
import { policyRules, proposedRules, taxTerms } from '../rulebook/card.ts'
import { ruleWords } from '../rulebook/words.ts'
import { parseTaxRules } from '../tax/record.ts'
import { approve, cancel, type Preview, previewNow, reject } from './changes.ts'
import {
  inCurrencyOf,
  isBreak,
  isForVoter,
  nameOfActor,
  queued,
  readSubjects,
  requestRows,
  subjectRow,
  votesText,
} from './list.ts'
import { impactOf, operations } from './operations.ts'
import { ApprovalRejection } from './record.ts'
import { figuresTable } from './table.ts'
import { approvalWords, nameOf, requestInWords, type Subject } from './words.ts'

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
  let renewed: string | undefined
  const refused = (text: string, status: number) =>
    approvalsPage(asked, {
      refused: text,
      status,
      note,
      ...(renewed !== undefined && { secret: renewed }),
    })
  // Only a word decides, and only about what was shown.
  if (!refuses && word !== 'approve') return refused(say.noDecision, 400)
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

function isAboutMoney({ operation }: Approval): boolean {
  return FACTS_OF[operation].includes('amount')
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

/** What was accepted once is read again in the same way. */
function bodyOf(kept: Approval): unknown {
  const read = readBody(operations[kept.operation].body, parseJson(kept.body))
  return read.ok ? read.value : null
}

function outcomeOf(approval: Approval, words: Words): Html {
  const { done: say } = words.of(approvalWords).approvals
  switch (approval.status) {
    case 'APPROVED': {
      const result = parseJson(approval.result!)
      if (approval.operation !== 'liquidateFixedDeposit' || !isJsonObject(result))
        return html`${say.carriedOut}`
      return paidText(result, words)
    }
    case 'REJECTED':
      return html`${say.refused}`
    case 'CANCELLED':
      return html`${say.takenBack}`
    default:
      return html`${say.counted}`
  }
}

function paidText(result: JsonObject, words: Words): Html {
  const { done: say } = words.of(approvalWords).approvals
  const { breaking } = words.of(liquidationWords)
  const net = words.in(String(result.currency)).money(keptAmount(result, 'net_credited'))
  return html`<b>${say.paid(net)}</b>
<a href="/console/liquidations/${result.liquidation_id}/advice">${breaking.printAdvice}</a>`
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
  const done = query.has('done') && chosen !== undefined ? outcomeOf(chosen, words) : null
  const queue =
    waiting.length === 0
      ? html`<p class="inset">${say.none}</p>`
      : html`<ul class="queue">${waiting.map((one) => queued(asked, one, { chosen, voter, subjectOf, at }))}</ul>`
  const answer = show(
    'approvals',
    say.title,
    html`<header class="head"><h1>${say.title} <span class="thin">${forMe.length === 0 ? say.noneForYou : say.waitForYou(forMe.length)}</span></h1></header>
${done !== null && html`<div class="notice good" role="status">${done}</div>`}
${shown.refused !== undefined && html`<p class="notice bad" role="alert">${shown.refused}</p>`}
${
  waiting.length === 0 && chosen === undefined
    ? html`<section class="card"><p>${say.none}</p></section>`
    : html`<div class="inbox">
<section class="card flush" aria-label="${say.waiting}">${queue}</section>
${chosen !== undefined && (await requestCard(asked, chosen, { subject: subjectOf(chosen), at, today, note: shown.note ?? '' }))}
</div>`
}`,
    shown.status,
  )
  return shown.secret === undefined ? answer : { ...answer, secret: shown.secret }
}

type RequestView = { subject: Subject; at: Date; today: ReturnType<typeof businessDate>; note: string }

async function requestCard(
  asked: Asked,
  approval: Approval,
  { subject, at, today, note }: RequestView,
): Promise<Html> {
  const { service, book, identity } = asked
  const { deposit } = subject
  const words = inCurrencyOf(subject, asked.words)
  const { approvals: say } = words.of(approvalWords)
  const status = statusAt(approval, at)
  const live = status === 'PENDING' ? await previewNow(service, book, approval, bodyOf(approval)) : null
  const needed = live?.outcome === 'tried' ? live.count.needed : approval.approvalsNeeded
  const askedOn = businessDate(approval.requestedAt, book.timeZone)
  const { amount, minor, heading, terms } = requestInWords(approval, subject, words)
  const breaks = isBreak(approval)
  const isMine = approval.maker === identityOf(identity.actor)
  const badge = status === 'PENDING' ? say.since(words.dayOfYear(askedOn)) : say.statuses[status]
  const now = live?.outcome === 'tried' ? parseJson(live.preview) : null
  return html`<section class="card" aria-labelledby="what">
<div class="head"><h2 id="what">${heading}</h2><span class="badge ${BADGES[status]}">${badge}</span></div>
${breaks && figuresTable(parseJson(approval.preview), now, { askedOn: words.day(askedOn), deposit: deposit! }, words)}
${live !== null && differenceNote(approval, live, { days: daysBetween(askedOn, today), isBreak: breaks }, words)}
${await documentOf(asked, approval, status)}
${status === 'PENDING' && (await impactOn(asked, approval))}
${pairs([
  ...terms,
  ...requestRows(approval, words),
  live?.outcome === 'tried' && [say.why, whyText(live.count, words)],
  (needed > 1 || approval.votes.length > 0) && [say.approved, votesText(approval, needed, words)],
  subjectRow(subject, words),
  approval.decisionReason !== null && [say.decidedWhy, approval.decisionReason],
  status === 'PENDING' && [say.expires, words.instant(approval.expiresAt)],
])}
${!breaks && contentOf(parseJson(approval.body))}
${status === 'PENDING' && decision({ ...asked, words }, approval, { subject, live, note, amount, minor, heading, isMine })}</section>`
}

/** A document that is to be replaced, in the words of the page of rules. */
async function documentOf(
  asked: Asked,
  { operation, body }: Approval,
  status: ApprovalStatus,
): Promise<Html | false> {
  const { words } = asked
  switch (operation) {
    case 'replaceRules':
      return status === 'PENDING' && (await proposedRules(asked, parseJson(body)))
    case 'replaceTaxRules': {
      const rules = parseTaxRules(body)
      const from = words.of(ruleWords).rules.taxStarts(words.day(rules.effectiveFrom))
      return html`<div>${taxTerms(rules, words)}<p class="hint">${from}</p></div>`
    }
    case 'replaceApprovalPolicy': {
      const policy = parsePolicy(body)
      const hours = words.of(ruleWords).rules.policyHours(policy.expiresAfterHours)
      return html`<div>${policyRules(policy, words)}<p class="hint">${hours} ${words.of(ruleWords).rules.deciders[policy.deciders]}</p></div>`
    }
    default:
      return false
  }
}

/** What a document would change, now. */
async function impactOn(asked: Asked, approval: Approval): Promise<Html | false> {
  const { service, book, words } = asked
  const { operation, targetId, requestedBy } = approval
  const request = operations[operation].request(targetId ?? '', bodyOf(approval), null, requestedBy)
  const impact = await impactOf(service, book, { operation, request })
  if (impact === null) return false
  const currency = operation === 'putProduct' ? textOf(parseJson(approval.body), 'currency') : book.currency
  const document = operation === 'replaceApprovalPolicy' ? 'policy' : 'terms'
  return html`<div><h3>${words.of(impactWords).title}</h3>${impactTable(impact, document, words.in(currency))}</div>`
}

/** Whole, but folded: the page says the same in words. */
function contentOf(body: Json): Html {
  return html`<details class="edit">
<summary>JSON</summary>
<div class="scroll" tabindex="0" role="group" aria-label="JSON">
<pre>${JSON.stringify(body, null, 2)}</pre>
</div>
</details>`
}

const BADGES = {
  PENDING: 'waiting',
  APPROVED: 'done',
  REJECTED: 'refused',
  CANCELLED: '',
  EXPIRED: '',
} as const

function differenceNote(
  approval: Approval,
  live: Preview | Refusal,
  { days, isBreak }: { days: number; isBreak: boolean },
  words: Words,
): Html {
  const { approvals: say } = words.of(approvalWords)
  if (live.outcome === 'refused') {
    return html`<p class="notice bad"><b>${say.notPossible}</b> ${refusalWord(live, words)}</p>`
  }
  if (!isBreak) return html``
  const before = keptAmount(parseJson(approval.preview), 'net_credited')
  const now = keptAmount(parseJson(live.preview), 'net_credited')
  if (before === now) return html`<p class="notice">${say.same}</p>`
  const text = now > before ? say.more(words.money(now - before)) : say.less(words.money(before - now))
  return html`<p class="notice tip"><b>${days > 0 ? say.daysPassed(days) : say.figuresMoved}</b> ${text}</p>`
}

function whyText({ rules }: Count, words: Words): string {
  if (rules.length === 0) return words.of(approvalWords).approvals.onRequest
  return rules.map(({ when }) => conditionsText(when, words)).join('; ')
}

/** Shown to people who may not decide: the reason. */
function decision(
  { words, identity, service, may }: Asked,
  approval: Approval,
  shown: {
    subject: Subject
    live: Preview | Refusal | null
    note: string
    amount: string | null
    minor: bigint | null
    heading: string
    isMine: boolean
  },
): Html {
  const { approvals: say } = words.of(approvalWords)
  const { live, note, amount, heading, isMine } = shown
  const path = `/console/approvals/${approval.approvalId}`
  if (isMine) {
    return html`<form class="decide" method="post" action="${path}/cancel"><p>${say.ownText}</p><button class="button">${say.takeBack}</button></form>`
  }
  if (!may('approvals:decide')) return html`<p class="notice">${say.mayNot}</p>`
  if (approval.votes.some(({ voter }) => voter === identityOf(identity.actor)))
    return html`<p class="notice">${say.voted}</p>`
  const isRecent =
    signedInRecently(identity.session.signedInAt, service.clock()) || !signsInByPasswordAlone(identity.person)
  const net =
    live?.outcome === 'tried' && isBreak(approval)
      ? keptAmount(parseJson(live.preview), 'net_credited')
      : null
  const approves = amount === null ? say.approve : say.approveAmount(amount)
  const expected = net ?? shown.minor
  const submit = net === null ? approves : say.approveAndPay(words.money(net))
  const sure = sureDialog(
    {
      id: 'sure-approve',
      title: say.sure(submit),
      rows: [
        [say.what, heading],
        [say.askedBy, nameOfActor(approval.requestedBy, words)],
        ...aboutRows(approval, shown.subject, words),
      ],
      submit: html`<button class="button primary" name="decision" value="approve">${submit}</button>`,
    },
    words,
  )
  return html`<form class="decide" method="post" action="${path}/decide" ${sentUntilKnown(words)}>
${expected !== null && html`<input type="hidden" name="expected" value="${expected}">`}
${!isRecent && passwordField(say)}
<div class="field">
<label for="note">${say.noteField} <small>${say.neededToRefuse}</small></label>
<input id="note" name="note" maxlength="200" autocomplete="off" value="${note}">
</div>
<button class="button danger" name="decision" value="refuse">${say.refuse}</button>
${
  live?.outcome === 'tried' &&
  html`<button class="button primary" name="decision" value="approve" data-confirm="sure-approve">${submit}</button>${sure}`
}${SENDING}</form>`
}

function passwordField(say: { password: string; passwordWhy: string }): Html {
  return html`<div class="field whole">
<label for="password">${say.password} <small>${say.passwordWhy}</small></label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1024">
</div>`
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
