/** Requests in a list: what each is about, and who may vote on it. */
import type { Approval } from '../../domain/approvals.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import type { Asked } from '../../page/page.ts'
import { isJsonObject, parseJson } from '../../wire/json.ts'
import { textOf } from '../../wire/stored.ts'
import { findAccounts } from '../accounts/store.ts'
import { findCustomers } from '../customers/store.ts'
import { findDeposits } from '../deposits/store.ts'
import { operationName } from '../document-kinds/words.ts'
import { findLiquidation } from '../liquidation/store.ts'
import { approvalWords, inCurrencyOf, isBreak, nameOf, requestInWords, type Subject } from './words.ts'

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
  const what = operationName(one.operation, words)
  const { deposit } = subject
  const path = may('approvals:read')
    ? `/console/approvals/${one.approvalId}`
    : deposit === undefined
      ? '/console'
      : `/console/deposits/${deposit.depositId}`
  const name = nameOf(subject)
  const { amount } = requestInWords(one, subject, inCurrencyOf(subject, words))
  if (amount === null) return { title: what, text: name, path }
  if (!isBreak(one)) return { title: amount, text: say.of(what, name), path }
  const isWhole = textOf(parseJson(one.body), 'liquidation_type') === 'FULL'
  return { title: amount, text: isWhole ? say.whole(name) : say.part(name), path }
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
