import { type Actor, identityOf } from '../../domain/actor.ts'
import { type Approval, type ApprovalStatus, type Count, statusAt } from '../../domain/approvals.ts'
import { businessDate, daysBetween, type IsoDate } from '../../domain/dates.ts'
import type { Impact } from '../../domain/impact.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { card, type Pair, pairs } from '../../page/card.ts'
import { type Html, html } from '../../page/html.ts'
import { idLink } from '../../page/link.ts'
import { showNotice } from '../../page/notice.ts'
import type { Asked, Card, DepositSubject, LiquidationSubject } from '../../page/page.ts'
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../wire/json.ts'
import { keptAmount, textOf } from '../../wire/stored.ts'
import { refusalWord } from '../../words/refusals.ts'
import type { Words } from '../../words/words.ts'
import { parsePolicy } from '../approval-policy/record.ts'
import { conditionsText } from '../approval-policy/words.ts'
import { findPendingBreak, findRefusers, listApprovals } from '../approval-requests/store.ts'
import { depositWords } from '../deposits/words.ts'
import { operationName } from '../document-kinds/words.ts'
import { impactTable } from '../impact/card.ts'
import { impactWords } from '../impact/words.ts'
import { liquidationWords } from '../liquidation/words.ts'
import { policyRules, proposedRules, taxTerms } from '../rulebook/card.ts'
import { ruleWords } from '../rulebook/words.ts'
import { parseTaxRules } from '../tax/record.ts'
import type { Preview } from './changes.ts'
import { decisionForm } from './form.ts'
import { BADGES, outcomeOf } from './outcome.ts'
import { figuresTable } from './table.ts'
import {
  approvalWords,
  inCurrencyOf,
  isBreak,
  isWithoutPreview,
  nameOf,
  nameOfActor,
  requestInWords,
  type Subject,
} from './words.ts'

const SHOWN = { limit: 50, before: null }

/** A liquidation of the deposit that waits for approval. */
export const waitingNotice: Card<DepositSubject> = {
  place: 'notice',
  show: async ({ service, book, may, identity }, { deposit, at, words }) => {
    const stored = await findPendingBreak(service.db, book.bookId, deposit.depositId)
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
<span>${operationName(operation, words)} <small>${who}</small>
${outcomeOf(approval, at, words)}</span></li>`
}

/** Who asked for the liquidation and who approved it, where it was approved. */
export const liquidationApprovalCard: Card<LiquidationSubject> = {
  place: 'side',
  show: async ({ service, book, may, identity }, { liquidation, words }) => {
    const filters = { targetId: liquidation.depositId, status: 'APPROVED' } as const
    const { items } = await listApprovals(service.db, book.bookId, filters, SHOWN)
    const found = items.find(({ result }) => result?.includes(`"${liquidation.liquidationId}"`))
    if (found === undefined) return null
    // One's own requests need no scope.
    if (!may('approvals:read') && found.maker !== identityOf(identity.actor)) return null
    const { outcomes: say } = words.of(approvalWords)
    const nameOf = (actor: Actor) => actor.name ?? words.say.actors[actor.kind]
    return card(
      { id: 'approval', title: say.approval },
      pairs([
        may('approvals:read') && [say.request, idLink(found.approvalId)],
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

export type RequestView = {
  subject: Subject
  at: Date
  today: IsoDate
  note: string
  /** What would happen if it were approved now, and what a document would change; null: it does not wait any more. */
  live: Preview | Refusal | null
  impact: Impact | null
}

/** One request: its figures, what it is about, and the form that decides it. */
export async function requestCard(
  asked: Asked,
  approval: Approval,
  { subject, at, today, note, live, impact }: RequestView,
): Promise<Html> {
  const { book } = asked
  const { deposit } = subject
  const words = inCurrencyOf(subject, asked.words)
  const { approvals: say } = words.of(approvalWords)
  const status = statusAt(approval, at)
  const askedOn = businessDate(approval.requestedAt, book.timeZone)
  const { heading, terms } = requestInWords(approval, subject, words)
  const breaks = isBreak(approval)
  const hasFigures = breaks && !isWithoutPreview(approval)
  const badge = status === 'PENDING' ? say.since(words.dayOfYear(askedOn)) : say.statuses[status]
  const now = live?.outcome === 'tried' ? parseJson(live.preview) : null
  return html`<section class="card" aria-labelledby="what">
<div class="head"><h2 id="what">${heading}</h2><span class="badge ${BADGES[status]}">${badge}</span></div>
${hasFigures && figuresTable(parseJson(approval.preview), now, { askedOn: words.day(askedOn), deposit: deposit! }, words)}
${live !== null && differenceNote(approval, live, { days: daysBetween(askedOn, today), isBreak: breaks }, words)}
${await documentOf(asked, approval, status)}
${impact !== null && impactPart(impact, approval, asked)}
${pairs([
  ...terms,
  ...requestRows(approval, words),
  live?.outcome === 'tried' && [say.why, whyText(live.count, words)],
  (approval.approvalsNeeded > 1 || approval.votes.length > 0) && [say.approved, votesText(approval, words)],
  subjectRow(subject, words),
  ...(await decidedRows(asked, approval, words)),
  status === 'PENDING' && [say.expires, words.instant(approval.expiresAt)],
])}
${!breaks && contentOf(parseJson(approval.body))}
${status === 'PENDING' && decisionForm({ ...asked, words }, approval, { tried: { subject, live }, note })}</section>`
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
      const { policyHours, deciders } = words.of(ruleWords).rules
      const hint = `${policyHours(policy.expiresAfterHours)} ${deciders[policy.deciders]}`
      return html`<div>${policyRules(policy, words)}<p class="hint">${hint}</p></div>`
    }
    default:
      return false
  }
}

function impactPart(impact: Impact, { operation, body }: Approval, { book, words }: Asked): Html {
  const currency = operation === 'putProduct' ? textOf(parseJson(body), 'currency') : book.currency
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

/** Who asked, and why. */
function requestRows(approval: Approval, words: Words): Pair[] {
  const { approvals: say } = words.of(approvalWords)
  const { reasons, waiverReasons } = words.of(liquidationWords)
  const { requestedBy, requestedAt, note } = approval
  const body = parseJson(approval.body)
  const [reference, reason] = [memberOf(body, 'reference'), memberOf(body, 'reason')]
  const waiver = isJsonObject(body) && isJsonObject(body.waiver ?? null) ? (body.waiver as JsonObject) : null
  const waivedFor = String(waiver?.reason)
  const by = html`${nameOfActor(requestedBy, words)}
<small>${words.instant(requestedAt)}${reference !== null && ` · ${say.reference(reference)}`}</small>`
  return [
    [say.askedBy, by],
    reason !== null && [say.reason, reasons[reason] ?? reason],
    waiver !== null && [
      say.waiver,
      html`${waiverReasons[waivedFor] ?? waivedFor} <small>${waiver.note}</small>`,
    ],
    note !== null && [say.note, note],
  ]
}

function votesText({ votes, approvalsNeeded: needed }: Approval, words: Words): Html {
  const { approvals: say } = words.of(approvalWords)
  const lines = votes.map(({ actor, at }) => whoAndWhen(actor, at, words))
  return html`${say.needed(votes.length, needed)} ${lines.map((line) => html`<small>${line}</small>`)}`
}

function whoAndWhen(actor: Actor, at: Date, words: Words): string {
  return `${nameOfActor(actor, words)}, ${words.instant(at)}`
}

/** What came of a decision: the record that it made, or who refused and why. */
async function decidedRows({ service, book }: Asked, approval: Approval, words: Words): Promise<Pair[]> {
  const { approvals: say } = words.of(approvalWords)
  const { approvalId, decidedAt, decisionReason, operation, result } = approval
  const member = result === null ? undefined : MADE[operation]
  const madeId = member === undefined ? null : memberOf(parseJson(result!), member)
  const refuser = (await findRefusers(service.db, book.bookId, [approvalId])).get(approvalId)
  return [
    madeId !== null && [say.made, idLink(madeId)],
    refuser !== undefined && [say.refusedBy, whoAndWhen(refuser, decidedAt!, words)],
    decisionReason !== null && [say.decidedWhy, decisionReason],
  ]
}

/** The member of a result that names what the operation made. */
const MADE: Partial<Record<Approval['operation'], string>> = {
  liquidateFixedDeposit: 'liquidation_id',
  openFixedDeposit: 'deposit_id',
  placeLien: 'lien_id',
}

function subjectRow(subject: Subject, words: Words): Pair {
  const { deposit, customer } = subject
  if (deposit !== undefined) {
    const link = html`<a href="/console/deposits/${deposit.depositId}">${deposit.depositId}</a>`
    return [words.of(approvalWords).approvals.deposit, link]
  }
  if (customer === undefined) return null
  const link = html`<a href="/console/customers/${customer.customerId}">${nameOf(subject)}</a>`
  return [words.of(depositWords).deposit.customer, link]
}

/** null: it is no text, or an empty one. */
function memberOf(body: Json, member: string): string | null {
  const value = isJsonObject(body) ? body[member] : undefined
  return typeof value === 'string' && value !== '' ? value : null
}

/** What was done with a request, after its decision. */
export function doneText(approval: Approval, words: Words): Html {
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
