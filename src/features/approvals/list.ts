/** Requests in a list: what each is about, and who may vote on it. */
import type { Approval } from '../../domain/approvals.ts'
import type { Pair } from '../../page/card.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import type { Asked } from '../../page/page.ts'
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../wire/json.ts'
import { textOf } from '../../wire/stored.ts'
import type { Words } from '../../words/words.ts'
import { findAccounts } from '../accounts/store.ts'
import { findCustomers } from '../customers/store.ts'
import { findDeposits } from '../deposits/store.ts'
import { depositWords } from '../deposits/words.ts'
import { findLiquidation } from '../liquidation/store.ts'
import { liquidationWords } from '../liquidation/words.ts'
import { approvalWords, nameOf, requestInWords, type Subject } from './words.ts'

export type SubjectOf = (approval: Approval) => Subject

export function isForVoter(approval: Approval, voter: string): boolean {
  return approval.maker !== voter && !approval.votes.some((vote) => vote.voter === voter)
}

type SubjectIds = { depositId?: string; accountNumber?: string; customerId?: string; liquidationId?: string }

export async function readSubjects(
  { service, book }: Asked,
  approvals: readonly Approval[],
): Promise<SubjectOf> {
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

export function inCurrencyOf({ deposit, account }: Subject, words: Words): Words {
  return words.in((deposit ?? account)?.currency ?? words.currency)
}

export function isBreak({ operation }: Approval): boolean {
  return operation === 'liquidateFixedDeposit'
}

export function queued(
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
  const isCurrent = one.approvalId === chosen?.approvalId && trusted(' aria-current="true"')
  return html`<li${!isForVoter(one, voter) && trusted(' class="own"')}>
<a href="${path}"${isCurrent}><b>${title}</b><span>${text}</span><small>${who}</small></a>
</li>`
}

/** Who asked, and why. */
export function requestRows(approval: Approval, words: Words): Pair[] {
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

export function nameOfActor({ name, kind }: Approval['requestedBy'], { say }: Words): string {
  return name ?? say.actors[kind]
}

export function votesText({ votes }: Approval, needed: number, words: Words): Html {
  const { approvals: say } = words.of(approvalWords)
  const voters = votes.map(({ actor }) => nameOfActor(actor, words)).join(', ')
  return html`${say.needed(votes.length, needed)} <small>${voters}</small>`
}

export function subjectRow(subject: Subject, words: Words): Pair {
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
