/**
 * Whether a request has to wait for approval. Guarantees: every operation asks in one place, for every request; it is
 * counted with the policy, facts and sums of the moment it is decided; requests of a batch see each other; nobody else
 * adds to a sum while a transaction relies on it.
 */
import assert from 'node:assert/strict'
import {
  type ApprovableOperation,
  type ApprovalPolicy,
  type Count,
  countApprovals,
  DEFAULT_POLICY,
  type Facts,
  holdFor,
  isFree,
  rulesOf,
  type Sum,
  type Votes,
  type WhoDecides,
} from '../../domain/approvals.ts'
import { addDays } from '../../domain/dates.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type {
  Change,
  Decided,
  DecisionContext,
  ReadingContext,
  Requester,
} from '../../engine/change/change.ts'
import type { Queries } from '../../engine/database/database.ts'
import { timeSpan } from '../../engine/database/time-span.ts'
import { parsePolicy } from '../approval-policy/record.ts'
import { documentStore, readCurrent, versionReader } from '../versions/store.ts'
import { findOwners, lockSums, type Owner, readSums, type SummedKind } from './store.ts'

/** What a request is about, where the policy may ask for the owner of an account or for sums. */
export type About = { accountNumber: string; depositId?: string }

/** Asked once for every request, before its last refusals; the facts only where the policy needs them. */
export type Hold = (facts: () => Facts, about?: About) => Refusal | null

/** A change that may have to wait for approval. */
type HeldChange<Request, Locked, Known, Value> = Omit<Change<Request, Locked, Known, Value>, 'decider'> & {
  operation: ApprovableOperation
  about?: (known: Known) => Subjects
  decider: (
    known: Known,
    at: DecisionContext,
    hold: Hold,
  ) => (request: Request, by: Requester) => Decided<Value> | Refusal
}

/** What the requests of a batch are about. */
type Subjects = { accounts: Iterable<string>; deposits?: Iterable<string> }
type Held<Known> = { known: Known; holding: Holding }

const NO_VOTES: Votes = { given: [], asked: 0 }

/** Makes a change that asks, in one place and for every request, whether it has to wait. */
export function held<Request, Locked, Known, Value>(
  change: HeldChange<Request, Locked, Known, Value>,
): Change<Request, Locked, Held<Known>, Value> {
  const { operation, about, decider, ...rest } = change
  return {
    ...rest,
    async read(tx, at, locked) {
      const known = await change.read(tx, at, locked)
      const holding = await readHolding(tx, at, { operation, subjects: about?.(known), locks: true })
      return { known, holding }
    },
    decider({ known, holding }, at) {
      /** The question of the request that is being decided. */
      let question: { by: Requester; asked?: { count: Count; facts: () => Facts; about: About | undefined } }
      const decide = decider(known, at, (facts, about) => {
        const { by } = question
        const count = holding.count(facts, about, by)
        question.asked = { count, facts, about }
        return holdFor(count, by.votes ?? NO_VOTES, holding.policy)
      })
      return (request, by) => {
        question = { by }
        const decided = decide(request, by)
        const { asked } = question
        if (decided.outcome === 'refused' && (asked === undefined || by.votes === undefined)) return decided
        assert(asked !== undefined, 'an operation that may wait asks whether it has to')
        const { count, facts, about } = asked
        if (count === FREE && by.votes === undefined) return decided
        if (decided.outcome !== 'refused') holding.add(facts, about, by)
        return { ...decided, count: { ...count, needed: Math.max(count.needed, by.votes?.asked ?? 0) } }
      }
    },
  }
}

type Holding = {
  policy: WhoDecides
  count: (facts: () => Facts, about: About | undefined, by: Requester) => Count
  /** Counts a request that is carried out, for those after it. */
  add: (facts: () => Facts, about: About | undefined, by: Requester) => void
}

const FREE: Count = { needed: 0, rules: [] }

type ReadingPlace = Pick<ReadingContext<unknown>, 'book' | 'snapshot' | 'versions' | 'moment' | 'requesters'>

/** Entries whose amounts a sum adds up. */
const SUMMED: Partial<Record<ApprovableOperation, SummedKind>> = {
  liquidateFixedDeposit: 'LIQUIDATION',
  openFixedDeposit: 'DEPOSIT_OPENING',
  creditAccount: 'ACCOUNT_CREDIT',
}

export async function readHolding(
  db: Queries,
  at: ReadingPlace,
  asked: { operation: ApprovableOperation; subjects: Subjects | undefined; locks: boolean },
): Promise<Holding> {
  const policy = await readPolicy(db, at)
  const { operation } = asked
  const whoDecides = policy ?? DEFAULT_POLICY
  // Others have to vote all the same where somebody requested it.
  if (isFree(policy, operation)) return { policy: whoDecides, count: () => FREE, add: () => {} }
  const rules = rulesOf(policy, operation)
  const sums = rules.flatMap(({ when }) => when.sum ?? [])
  const owners = await readOwners(db, at, rules, [...new Set(asked.subjects?.accounts)])
  const subjects = {
    DEPOSIT: [...new Set(asked.subjects?.deposits)],
    CUSTOMER: [...new Set(owners.values().map(({ customerId }) => customerId))],
    ACTOR: [...new Set(at.requesters.map(({ identity }) => identity))],
  }
  // Deposits are locked by the change itself.
  const shared = (['CUSTOMER', 'ACTOR'] as const).filter((of) => sums.some((sum) => sum.of === of))
  const locks = shared.flatMap((of) => subjects[of].map((subject) => `${of} ${subject}`))
  if (asked.locks && locks.length > 0) await lockSums(db, at.book.bookId, locks)
  const soFar = await readSumsOf(db, at, { sums, subjects, kind: SUMMED[operation] })

  const subjectOf = ({ of }: Sum, about: About | undefined, by: Requester) => {
    if (of === 'ACTOR') return by.identity
    return of === 'DEPOSIT' ? about?.depositId : owners.get(about?.accountNumber ?? '')?.customerId
  }
  return {
    policy: whoDecides,
    count: (facts, about, by) =>
      countApprovals(policy, operation, () => {
        const own = facts()
        const changedAt = owners.get(about?.accountNumber ?? '')?.contactChangedAt ?? null
        return {
          ...own,
          ...(changedAt !== null && { contactChangedMs: elapsedMs(changedAt, at.moment.at) }),
          sumOf: (sum) => {
            const subject = subjectOf(sum, about, by)
            if (subject === undefined) return undefined
            return (soFar.get(keyOf(sum, subject)) ?? 0n) + (own.amount ?? 0n)
          },
        }
      }),
    add(facts, about, by) {
      if (sums.length === 0) return
      const { amount = 0n } = facts()
      for (const key of new Set(sums.map((sum) => keyOf(sum, subjectOf(sum, about, by) ?? '')))) {
        soFar.set(key, (soFar.get(key) ?? 0n) + amount)
      }
    },
  }
}

/** Not negative where another instance, whose clock is a little ahead, wrote the first of the two. */
function elapsedMs(since: Date, at: Date): number {
  return Math.max(0, at.getTime() - since.getTime())
}

async function readOwners(
  db: Queries,
  { book }: ReadingPlace,
  rules: ApprovalPolicy['rules'],
  accountNumbers: readonly string[],
): Promise<ReadonlyMap<string, Owner>> {
  const matter = rules.some(
    ({ when: { sum, contactChangedHours } }) => sum?.of === 'CUSTOMER' || contactChangedHours !== undefined,
  )
  return matter ? findOwners(db, book.bookId, accountNumbers) : new Map()
}

async function readSumsOf(
  db: Queries,
  { book, moment }: ReadingPlace,
  asked: {
    sums: readonly Sum[]
    subjects: Record<Sum['of'], readonly string[]>
    kind: SummedKind | undefined
  },
): Promise<Map<string, bigint>> {
  const { sums, subjects, kind } = asked
  const soFar = new Map<string, bigint>()
  for (const sum of new Map(sums.map((sum) => [keyOf(sum, ''), sum])).values()) {
    assert(kind !== undefined, 'only operations with amounts are summed')
    const span = timeSpan(book, { from: addDays(moment.today, 1 - sum.days), to: moment.today })
    const found = await readSums(db, book.bookId, { of: sum.of, kind, subjects: subjects[sum.of], span })
    for (const [subject, amount] of found) soFar.set(keyOf(sum, subject), amount)
  }
  return soFar
}

function keyOf({ of, days }: Sum, subject: string): string {
  return `${of} ${days} ${subject}`
}

export const policyStore = documentStore('APPROVAL_POLICY')
export const policyReader = versionReader('APPROVAL_POLICY', policyStore, parsePolicy)

/** null where the book has none: nothing has to wait. */
export function readPolicy(
  db: Queries,
  at: Pick<ReadingPlace, 'book' | 'snapshot' | 'versions'>,
): Promise<ApprovalPolicy | null> {
  return readCurrent(policyReader, 'APPROVAL_POLICY', db, at)
}

/** No document has such a version. */
const ASSUMED = -1

/** The same place as if this policy were in force, for a look at what it would mean. */
export function assumingPolicy<Place extends Pick<ReadingPlace, 'snapshot' | 'versions'>>(
  at: Place,
  policy: ApprovalPolicy,
): Place {
  const { snapshot, versions } = at
  return {
    ...at,
    snapshot: { ...snapshot, versions: { ...snapshot.versions, APPROVAL_POLICY: ASSUMED } },
    versions: {
      ...versions,
      get: (kind: string, bookId: string, version: number) =>
        kind === 'APPROVAL_POLICY' && version === ASSUMED ? policy : versions.get(kind, bookId, version),
    },
  }
}
