/**
 * What waits for a second person. On the left the queue, on the right one request: its expected result when it was
 * requested, beside that of today. Approving includes the figure that was shown, so that no other amount is paid.
 */
import { identityOf } from '../../domain/actor.ts'
import { type Approval, type ApprovalStatus, type Count, FACTS_OF, statusAt } from '../../domain/approvals.ts'
import { businessDate, daysBetween } from '../../domain/dates.ts'
import type { Deposit } from '../../domain/deposit.ts'
import { type Minor, minor } from '../../domain/money.ts'
import { signedInRecently, signsInByPasswordAlone } from '../../domain/people.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { OutcomeUnknownError } from '../../engine/change/faults.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { type Asked, NOT_FOUND, type Page, type PageAnswer, redirect, show } from '../../page/page.ts'
import { sureDialog } from '../../page/sure.ts'
import { isJsonObject, type Json, parseJson } from '../../wire/json.ts'
import { readBody } from '../../wire/reader.ts'
import { keptAmount, textOf } from '../../wire/stored.ts'
import { refusalWord } from '../../words/refusals.ts'
import type { Words } from '../../words/words.ts'
import { findAccounts } from '../accounts/store.ts'
import { parsePolicy } from '../approval-policy/record.ts'
import { conditionsText } from '../approval-policy/words.ts'
import { findCustomers } from '../customers/store.ts'
import { findDeposits } from '../deposits/store.ts'
import { depositWords } from '../deposits/words.ts'
import { impactTable } from '../impact/card.ts'
import { impactWords } from '../impact/words.ts'
import { findLiquidation } from '../liquidation/store.ts'
import { liquidationWords } from '../liquidation/words.ts'
import { policyRules, proposedRules, taxTerms } from '../rulebook/pages.ts'
import { ruleWords } from '../rulebook/words.ts'
import { parseTaxRules } from '../tax/record.ts'
import { approve, cancel, type Preview, previewNow, reject } from './changes.ts'
import { impactOf, operations } from './operations.ts'
import { ApprovalRejection } from './record.ts'
import { findApproval, listWaiting } from './store.ts'
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
  const mayVote = isForVoter(kept, identityOf(identity.actor))
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
    return {
      ...redirect(`/console/approvals/${approvalId}?done=yes`),
      ...(renewed !== undefined && { secret: renewed }),
    }
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
      return html`<b>${say.paid(words.in(String(result.currency)).money(keptAmount(result, 'net_credited')))}</b> <a href="/console/liquidations/${result.liquidation_id}/advice">${words.of(liquidationWords).breaking.printAdvice}</a>`
    }
    case 'REJECTED':
      return html`${say.refused}`
    case 'CANCELLED':
      return html`${say.takenBack}`
    default:
      return html`${say.counted}`
  }
}

type SubjectOf = (approval: Approval) => Subject

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
  const answer = show(
    'approvals',
    say.title,
    html`<header class="head"><h1>${say.title} <span class="thin">${forMe.length === 0 ? say.noneForYou : say.waitForYou(forMe.length)}</span></h1></header>
${done !== null && html`<div class="notice good" role="status">${done}</div>`}
${shown.refused !== undefined && html`<p class="notice bad" role="alert">${shown.refused}</p>`}
${
  waiting.length === 0 && chosen === undefined
    ? html`<section class="card"><p>${say.none}</p></section>`
    : html`<div class="inbox"><section class="card flush" aria-label="${say.waiting}">${waiting.length === 0 ? html`<p class="inset">${say.none}</p>` : html`<ul class="queue">${waiting.map((one) => queued(asked, one, { chosen, voter, subjectOf, at }))}</ul>`}</section>
${chosen !== undefined && (await requestCard(asked, chosen, { subject: subjectOf(chosen), at, today, note: shown.note ?? '' }))}</div>`
}`,
    shown.status,
  )
  return shown.secret === undefined ? answer : { ...answer, secret: shown.secret }
}

export function isForVoter(approval: Approval, voter: string): boolean {
  return approval.maker !== voter && !approval.votes.some((vote) => vote.voter === voter)
}

type SubjectIds = { depositId?: string; accountNumber?: string; customerId?: string; liquidationId?: string }

async function readSubjects({ service, book }: Asked, approvals: readonly Approval[]): Promise<SubjectOf> {
  const { db } = service
  const { bookId } = book
  const ids = new Map(approvals.map((one) => [one.approvalId, subjectIds(one)]))
  const all = (name: keyof SubjectIds) => [...new Set([...ids.values()].flatMap((one) => one[name] ?? []))]
  const [deposits, accounts, liquidations] = await Promise.all([
    findDeposits(db, bookId, all('depositId')),
    findAccounts(db, bookId, all('accountNumber')),
    Promise.all(all('liquidationId').map((liquidationId) => findLiquidation(db, bookId, liquidationId))),
  ])
  const owners = [...deposits.values(), ...accounts.values()].map(({ customerId }) => customerId)
  const customers = await findCustomers(db, bookId, [...new Set([...owners, ...all('customerId')])])
  return ({ approvalId }) => {
    const { depositId = '', accountNumber = '', customerId = '', liquidationId } = ids.get(approvalId)!
    const [deposit, account] = [deposits.get(depositId), accounts.get(accountNumber)]
    return {
      deposit,
      account,
      customer: customers.get((deposit ?? account)?.customerId ?? customerId),
      liquidation: liquidations.find((one) => one?.liquidationId === liquidationId),
    }
  }
}

function subjectIds({ operation, targetId, preview }: Approval): SubjectIds {
  const kept = parseJson(preview)
  switch (operation) {
    case 'liquidateFixedDeposit':
    case 'placeLien':
      return { depositId: targetId! }
    case 'releaseLien':
      return { depositId: textOf(kept, 'deposit_id') }
    case 'reverseLiquidation':
      return {
        liquidationId: targetId!,
        depositId: textOf(isJsonObject(kept) ? kept.deposit : undefined, 'deposit_id'),
      }
    case 'openFixedDeposit':
      return { accountNumber: textOf(kept, 'account_number') }
    case 'creditAccount':
      return { accountNumber: targetId! }
    case 'putTaxStatus':
      return { customerId: targetId! }
    default:
      return {}
  }
}

type Described = { title: string; text: string; path: string }

/** What a request is about, in two lines, and where it is looked at by those who may not read all requests. */
export async function describeApprovals(
  asked: Asked,
  approvals: readonly Approval[],
): Promise<(one: Approval) => Described> {
  const subjectOf = await readSubjects(asked, approvals)
  return (one) => describe(one, subjectOf(one), asked)
}

function describe(one: Approval, subject: Subject, { words, may }: Pick<Asked, 'words' | 'may'>): Described {
  const { approvals: say } = words.of(approvalWords)
  const { operations: names } = words.say
  const { deposit } = subject
  const path = may('approvals:read')
    ? `/console/approvals/${one.approvalId}`
    : deposit === undefined
      ? '/console'
      : `/console/deposits/${deposit.depositId}`
  const name = nameOf(subject)
  const { amount } = requestInWords(one, subject, inCurrencyOf(subject, words))
  if (amount === null) return { title: names[one.operation]!, text: name, path }
  if (!isBreak(one)) return { title: amount, text: say.of(names[one.operation]!, name), path }
  const isWhole = textOf(parseJson(one.body), 'liquidation_type') === 'FULL'
  return { title: amount, text: isWhole ? say.whole(name) : say.part(name), path }
}

function inCurrencyOf({ deposit, account }: Subject, words: Words): Words {
  return words.in((deposit ?? account)?.currency ?? words.currency)
}

function isBreak({ operation }: Approval): boolean {
  return operation === 'liquidateFixedDeposit'
}

function queued(
  asked: Asked,
  one: Approval,
  shown: { chosen: Approval | undefined; voter: string; subjectOf: SubjectOf; at: Date },
): Html {
  const { approvals: say } = asked.words.of(approvalWords)
  const { actors } = asked.words.say
  const { chosen, voter, subjectOf, at } = shown
  const { requestedBy } = one
  const { title, text, path } = describe(one, subjectOf(one), asked)
  const who =
    one.maker === voter
      ? say.yours
      : isForVoter(one, voter)
        ? say.by(requestedBy.name ?? actors[requestedBy.kind], asked.words.ago(one.requestedAt, at))
        : say.voted
  return html`<li${!isForVoter(one, voter) && trusted(' class="own"')}><a href="${path}"${one.approvalId === chosen?.approvalId && trusted(' aria-current="true"')}><b>${title}</b><span>${text}</span><small>${who}</small></a></li>`
}

type RequestView = { subject: Subject; at: Date; today: ReturnType<typeof businessDate>; note: string }

async function requestCard(
  asked: Asked,
  approval: Approval,
  { subject, at, today, note }: RequestView,
): Promise<Html> {
  const { service, book, identity } = asked
  const { deposit, customer } = subject
  const words = inCurrencyOf(subject, asked.words)
  const { approvals: say } = words.of(approvalWords)
  const { actors } = words.say
  const status = statusAt(approval, at)
  const live = status === 'PENDING' ? await previewNow(service, book, approval, bodyOf(approval)) : null
  const needed = live?.outcome === 'tried' ? live.count.needed : approval.approvalsNeeded
  const askedOn = businessDate(approval.requestedAt, book.timeZone)
  const { amount, minor, heading, terms } = requestInWords(approval, subject, words)
  const breaks = isBreak(approval)
  const body = parseJson(approval.body)
  const { requestedBy } = approval
  const badge = status === 'PENDING' ? say.since(words.dayOfYear(askedOn)) : say.statuses[status]
  const row = (name: string, value: unknown) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`
  return html`<section class="card" aria-labelledby="what"><div class="head"><h2 id="what">${heading}</h2><span class="badge ${BADGES[status]}">${badge}</span></div>
${breaks && figuresTable(parseJson(approval.preview), live, { askedOn: words.day(askedOn), deposit: deposit! }, words)}
${live !== null && differenceNote(approval, live, { days: daysBetween(askedOn, today), isBreak: breaks }, words)}
${await documentOf(asked, approval, status)}
${status === 'PENDING' && (await impactOn(asked, approval))}
<dl class="pairs">${terms.map(([name, value]) => row(name, value))}
${row(say.askedBy, html`${requestedBy.name ?? actors[requestedBy.kind]} <small>${words.instant(approval.requestedAt)}${memberText(body, 'reference', (reference) => ` · ${say.reference(reference)}`)}</small>`)}
${memberText(body, 'reason', (reason) => row(say.reason, words.of(liquidationWords).reasons[reason] ?? reason))}
${waiverText(body, words, (text) => row(say.waiver, text))}
${approval.note !== null && row(say.note, approval.note)}
${live?.outcome === 'tried' && row(say.why, whyText(live.count, words))}
${(needed > 1 || approval.votes.length > 0) && row(say.approved, html`${say.needed(approval.votes.length, needed)} <small>${approval.votes.map(({ actor }) => actor.name ?? actors[actor.kind]).join(', ')}</small>`)}
${deposit === undefined && customer !== undefined && row(words.of(depositWords).deposit.customer, html`<a href="/console/customers/${customer.customerId}">${nameOf(subject)}</a>`)}
${deposit !== undefined && row(say.deposit, html`<a href="/console/deposits/${deposit.depositId}">${deposit.depositId}</a>`)}
${approval.decisionReason !== null && row(say.decidedWhy, approval.decisionReason)}
${status === 'PENDING' && row(say.expires, words.instant(approval.expiresAt))}</dl>
${!breaks && contentOf(body)}
${status === 'PENDING' && decision({ ...asked, words }, approval, { live, note, amount, minor, heading, isMine: approval.maker === identityOf(identity.actor) })}</section>`
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
  return html`<details class="edit"><summary>JSON</summary><div class="scroll" tabindex="0" role="group" aria-label="JSON"><pre>${JSON.stringify(body, null, 2)}</pre></div></details>`
}

const BADGES = {
  PENDING: 'waiting',
  APPROVED: 'done',
  REJECTED: 'refused',
  CANCELLED: '',
  EXPIRED: '',
} as const

function memberText(body: Json, member: string, text: (value: string) => unknown): unknown {
  const value = isJsonObject(body) ? body[member] : undefined
  return typeof value === 'string' && value !== '' && text(value)
}

function waiverText(body: Json, words: Words, text: (value: Html) => Html): unknown {
  const waiver = isJsonObject(body) ? body.waiver : undefined
  if (waiver === undefined || !isJsonObject(waiver)) return false
  const reason = String(waiver.reason)
  return text(
    html`${words.of(liquidationWords).waiverReasons[reason] ?? reason} <small>${waiver.note}</small>`,
  )
}

/** Both columns show the same rows, in the words of the deposit page. */
function figuresTable(
  before: Json,
  live: Preview | Refusal | null,
  { askedOn, deposit }: { askedOn: string; deposit: Deposit },
  words: Words,
): Html {
  const { approvals: say } = words.of(approvalWords)
  const { breaking } = words.of(liquidationWords)
  const now = live?.outcome === 'tried' ? parseJson(live.preview) : null
  const rows = [
    { name: breaking.principal, sign: '', member: 'principal_returned' },
    { name: say.interest, sign: '+ ', member: 'interest_paid' },
    { name: chargeName(now ?? before, words), sign: '− ', member: 'penal_assessed' },
    ...(isPositive(now ?? before, 'penal_waived')
      ? [{ name: breaking.waived, sign: '+ ', member: 'penal_waived' }]
      : []),
  ]
  const cell = (figures: Json | null, member: string, sign = '') =>
    figures !== null && html`<td class="num">${sign}${words.money(keptAmount(figures, member))}</td>`
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${say.figures}"><table class="compare"><caption class="hidden">${say.figures}</caption><thead><tr><td></td><th scope="col" class="num">${say.whenAsked(askedOn)}</th>${now !== null && html`<th scope="col" class="num">${say.ifToday}</th>`}</tr></thead><tbody>
${rows.map(({ name, sign, member }) => html`<tr><th scope="row">${name}</th>${cell(before, member, sign)}${cell(now, member, sign)}</tr>`)}
${adjustmentRows(before, now, words)}
<tr class="total"><th scope="row">${breaking.toAccount(deposit.accountNumber)}</th>${cell(before, 'net_credited')}${now !== null && html`<td class="num"><b>${words.money(keptAmount(now, 'net_credited'))}</b></td>`}</tr></tbody></table></div>`
}

function isPositive(figures: Json, member: string): boolean {
  return keptAmount(figures, member) > 0n
}

function chargeName(figures: Json, words: Words): string {
  const { breaking } = words.of(liquidationWords)
  const explanation = isJsonObject(figures) ? figures.explanation : undefined
  const index = explanation !== undefined && isJsonObject(explanation) ? explanation.rule_index : null
  return index === null || index === undefined
    ? breaking.penal
    : breaking.penalRule(Number(JSON.stringify(index)) + 1)
}

/** What else happens to the money: the difference between what is credited in all and what arrives. */
function adjustmentRows(before: Json, now: Json | null, words: Words): Html {
  const kinds = new Set([...adjustmentsOf(before), ...adjustmentsOf(now)].map(([kind]) => kind))
  const cell = (figures: Json | null, kind: string) => {
    if (figures === null) return false
    const amount = new Map(adjustmentsOf(figures)).get(kind)
    return html`<td class="num">${amount === undefined ? '–' : words.signed(amount)}</td>`
  }
  return html`${[...kinds].map((kind) => html`<tr><th scope="row">${words.say.adjustments[kind]}</th>${cell(before, kind)}${cell(now, kind)}</tr>`)}`
}

function adjustmentsOf(figures: Json | null): [kind: string, amount: bigint][] {
  const list = figures !== null && isJsonObject(figures) ? figures.adjustments : []
  if (!Array.isArray(list)) return []
  return list.filter(isJsonObject).map((one) => [String(one.kind), keptAmount(one, 'amount')])
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

/** Shown to people who may not decide: the reason. */
function decision(
  { words, identity, service, may }: Asked,
  approval: Approval,
  shown: {
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
        [say.askedBy, approval.requestedBy.name ?? words.say.actors[approval.requestedBy.kind]],
        approval.targetId !== null && [say.target, html`<code>${approval.targetId}</code>`],
      ],
      submit: html`<button class="button primary" name="decision" value="approve">${submit}</button>`,
    },
    words,
  )
  return html`<form class="decide" method="post" action="${path}/decide">${expected !== null && html`<input type="hidden" name="expected" value="${expected}">`}
${!isRecent && html`<div class="field whole"><label for="password">${say.password} <small>${say.passwordWhy}</small></label><input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1024"></div>`}
<div class="field"><label for="note">${say.noteField} <small>${say.neededToRefuse}</small></label><input id="note" name="note" maxlength="200" autocomplete="off" value="${note}"></div>
<button class="button danger" name="decision" value="refuse">${say.refuse}</button>${live?.outcome === 'tried' && html`<button class="button primary" name="decision" value="approve" data-confirm="sure-approve">${submit}</button>${sure}`}</form>`
}
