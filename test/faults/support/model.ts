/**
 * What the service should have done, implemented without its code. The auditor looks for one order of all operations of
 * a book that starts from the opening state, respects real time (what was answered before another began comes first),
 * explains every answer to the cent, and ends in the state of the database.
 */
import { isDeepStrictEqual } from 'node:util'
import { stepBatch, stepImport } from './model-of-batches.ts'
import { stepCalendar, stepInstruction, stepMaturity, stepPlacing, stepRelease } from './model-of-deposits.ts'
import {
  breakPart,
  countDue,
  hasDue,
  maturityOf,
  paidUp,
  stepPayment,
  termInterest,
  unpaid,
} from './model-of-interest.ts'
import { stepKey, wasSeen, worksYet } from './model-of-keys.ts'
import { hasCome, stepPerson } from './model-of-people.ts'
import { stepTaxRules, stepTaxStatus, taxedEarlier, taxingOn } from './model-of-tax.ts'
import {
  amountText,
  type BookState,
  type Broken,
  type DepositState,
  type Evidence,
  type Happened,
  isRefusal,
  type LiquidationState,
  lagosDate,
  MAKER,
  type ModelRules,
  RATE_PPM,
  type Recorded,
  type Refused,
  readData,
  refused,
  shows,
} from './state.ts'
import {
  fingerprintOf,
  isOfPerson,
  isUnkeyed,
  type Noted,
  type Operation,
  type Part,
  type Policy,
  type Request,
} from './workload.ts'

type BookHistory = {
  rules: ModelRules
  /** The time of a step of the schedule. */
  timeAt: (step: number) => Date
  happened: readonly Happened[]
  opening: BookState
  recorded: Recorded
  closing: BookState
}

/** null when everything is explained; otherwise what is not. */
export function findDifference(history: BookHistory): string | null {
  const { happened, recorded } = history
  const difference = contradiction(happened, recorded)
  if (difference !== null) return difference
  const pending = happened.filter(
    ({ operation, outcome }) =>
      outcome.kind === 'answered' ||
      outcome.kind === 'refused' ||
      recorded.events.has(operation.id) ||
      mayLeaveNoEvent({ operation, outcome }),
  )
  const ends: BookState[] = []
  if (hasOrder(history, history.opening, pending, ends)) return null
  const operations = pending.map((one) => `  ${sentence(one)}`).join('\n')
  if (ends.length === 0) return `no order of these operations explains their answers:\n${operations}`
  return (
    `the orders that explain these answers do not end in what the book holds:\n${operations}\n` +
    `  the book holds  ${show(history.closing)}\n  it should hold  ${show(ends[0]!)}`
  )
}

/** Acknowledged changes were made, once; refused and failed ones and replays were not; unknown ones either way. */
function contradiction(happened: readonly Happened[], recorded: Recorded): string | null {
  for (const { operation, outcome } of happened) {
    const made = recorded.events.has(operation.id)
    const acknowledged = outcome.kind === 'answered' && !outcome.replayed && !isUnkeyed(operation.request)
    if (acknowledged && !made && !mayChangeNothing(operation))
      return `${operation.id} was acknowledged and is lost`
    if (made && !acknowledged && outcome.kind !== 'unknown') {
      return `${operation.id} was not acknowledged (${outcome.kind}) and was made`
    }
  }
  return null
}

/** The instruction that a deposit has already, the role and status that a person has, and a key that has ended. */
function mayChangeNothing({ request }: Operation): boolean {
  return ['instruct', 'change role', 'disable', 'revoke key'].includes(request.kind)
}

function hasOrder(
  history: BookHistory,
  state: BookState,
  pending: readonly Happened[],
  ends: BookState[],
): boolean {
  if (pending.every((one) => mayLeaveNoEvent(one) && !history.recorded.events.has(one.operation.id))) {
    ends.push(state)
    if (isDeepStrictEqual(state, history.closing)) return true
    if (pending.length === 0) return false
  }
  const firstEnd = Math.min(...pending.map(endOf))
  const candidates = pending
    .filter((one) => one.began <= firstEnd)
    .map((one) => ({ one, after: step(state, history, one) }))
  const follow = (next: Happened, after: BookState) =>
    hasOrder(
      history,
      after,
      pending.filter((one) => one !== next),
      ends,
    )
  // An operation that fits and changes nothing may always go first, so nothing else need be tried before it.
  const still = candidates.find(({ after }) => after === state)
  if (still !== undefined) return follow(still.one, state)
  return candidates.some(({ one, after }) => after !== null && follow(one, after))
}

/** Of unknown outcome, and, where the deposit has this instruction already, known by the answer to its key alone. */
function mayLeaveNoEvent({ operation, outcome }: Pick<Happened, 'operation' | 'outcome'>): boolean {
  return operation.request.kind === 'instruct' && outcome.kind === 'unknown'
}

/** A change of unknown outcome may be made at any time after it was requested. */
function endOf(one: Happened): number {
  return one.outcome.kind === 'unknown' ? Number.POSITIVE_INFINITY : one.ended
}

/** The state after an operation, or null where its answer does not match this state. */
function step(
  state: BookState,
  { rules, recorded, timeAt }: BookHistory,
  happened: Happened,
): BookState | null {
  const { operation, outcome } = happened
  const { request, key, noted = {} } = operation
  if (noted.seen !== undefined && noted.seen.as !== DECIDES) {
    return isRefusal(outcome, 'signed_out') ? state : null
  }
  const { shiftMs = 0 } = operation
  const [from, to] = [happened.began, happened.ended].map(
    (at) => new Date(timeAt(at).getTime() + shiftMs),
  ) as [Date, Date]
  const dates = { from: lagosDate(from.toISOString()), to: lagosDate(to.toISOString()) }
  const event = recorded.events.get(operation.id)
  const times = { outcome, event, ...dates, fromMs: from.getTime(), toMs: to.getTime() }
  // A key that has ended or rests learns nothing, not even what was answered before.
  if (noted.used?.isEnded) return isRefusal(outcome, 'api_key_revoked') ? state : null
  if (noted.used !== undefined) {
    const works = worksYet(noted.used.worksFrom, { ...times, body: null })
    if (works !== true) return works === null ? null : state
  }
  // What a vote carries out is looked up before its key.
  if (request.kind === 'vote' && !state.approvals.has(request.approvalId)) {
    return isRefusal(outcome, 'approval_not_found') ? state : null
  }
  const fingerprint = operation.fingerprint ?? fingerprintOf(request)
  const earlier = key === null ? undefined : state.keys.get(key)
  if (earlier !== undefined) {
    if (earlier.fingerprint !== fingerprint) {
      return isRefusal(outcome, 'idempotency_key_reused') ? state : null
    }
    const replays = outcome.kind === 'answered' && outcome.replayed && outcome.body === earlier.body
    return replays ? state : null
  }
  // An attempt that left no event and whose commit was lost is known to the next one by the answer to its key.
  if (outcome.kind === 'answered' && outcome.replayed && request.kind !== 'instruct') return null
  const body = bodyOf(happened, recorded)
  const after = stepRequest(state, rules, { request, noted }, { ...times, body })
  if (after === null || after === state || key === null) return after
  const keys = new Map(state.keys)
  return { ...after, keys: keys.set(key, { fingerprint, body: body! }) }
}

function stepRequest(
  state: BookState,
  rules: ModelRules,
  { request, noted }: { request: Request; noted: Noted },
  evidence: Evidence,
): BookState | null {
  if (isOfPerson(request)) return stepPerson(state, request, noted, evidence)
  switch (request.kind) {
    case 'liquidate':
    case 'quote':
      return stepLiquidation(state, rules, request, evidence)
    case 'update':
      return stepUpdate(state, request, evidence)
    case 'credit':
    case 'open':
      return stepAccount(state, request, evidence)
    case 'reverse':
      return stepReversal(state, rules, request, evidence)
    case 'ask':
      return stepAsking(state, rules, request, evidence)
    case 'vote':
    case 'reject':
    case 'cancel':
      return stepDecision(state, rules, request, evidence)
    case 'place':
      return stepPlacing(state, request, evidence)
    case 'release':
      return stepRelease(state, request, evidence)
    case 'instruct':
      return stepInstruction(state, request, evidence)
    case 'mature':
      return stepMaturity(state, request, evidence)
    case 'pay':
      return stepPayment(state, request, evidence)
    case 'start':
    case 'drop':
    case 'complete':
      return stepBatch(state, request, evidence)
    case 'import account':
    case 'import deposit':
      return stepImport(state, request, evidence)
    case 'policy':
      return stepPolicy(state, request, evidence)
    case 'tax rules':
      return stepTaxRules(state, request, evidence)
    case 'tax status':
      return stepTaxStatus(state, request, evidence)
    case 'calendar':
      return stepCalendar(state, request, evidence)
    case 'make key':
    case 'confirm key':
    case 'roll key':
    case 'revoke key':
      return stepKey(state, request, noted, evidence)
    case 'look': {
      const { status, role } = state.people.get(request.personId)!
      return request.as === `${status} ${role}` ? state : null
    }
    case 'look at key':
      return wasSeen(state, request, evidence) ? state : null
    case 'expire':
    case 'settle':
    case 'send':
    case 'close days':
    case 'run files':
      return state
    default:
      return request satisfies never
  }
}

/** The answer that was received; otherwise the one stored for the key; null where there is neither. */
function bodyOf({ operation, outcome }: Happened, recorded: Recorded): string | null {
  if (outcome.kind === 'answered') return outcome.body
  return operation.key === null ? null : (recorded.answers.get(operation.key)?.body ?? null)
}

function stepLiquidation(
  state: BookState,
  rules: ModelRules,
  request: Extract<Request, { part: Part }>,
  { outcome, body, event, from, to }: Evidence,
): BookState | null {
  const deposit = state.deposits.get(request.depositId)
  if (deposit === undefined) return isRefusal(outcome, 'deposit_not_found') ? state : null
  const refusal = refusalOf(deposit, request.part, rules)
  if (refusal !== null) return isRefusal(outcome, refusal.code, refusal.details) ? state : null
  const quoted = request.kind === 'quote'
  const principal = request.part.type === 'FULL' ? deposit.remaining : request.part.amount
  const mayWaive =
    request.waivedPpm === undefined ? [true] : waivableOn(deposit, rules, principal, [from, to])
  if (isRefusal(outcome, 'nothing_to_waive')) return mayWaive.includes(false) ? state : null
  const { heldFrom, approvals } = state.policy
  if (!quoted && principal >= heldFrom) {
    const isHeld = isRefusal(outcome, 'approval_required', { approvals_needed: approvals })
    return isHeld && mayWaive.includes(true) ? state : null
  }
  if (outcome.kind === 'refused') return null
  const text = body === null ? `{"data":${event!.data}}` : body
  if (!quoted && !text.endsWith(`"data":${event!.data}}`)) return null
  const after = broken(state, rules, { ...request, principal }, readData(text))
  return quoted && after !== null ? state : after
}

/** By day, whether there is a charge that can be waived. */
function waivableOn(
  deposit: DepositState,
  rules: ModelRules,
  part: bigint,
  days: readonly string[],
): boolean[] {
  return days.map(
    (on) =>
      on < deposit.maturityDate && breakPart(paidUp(deposit, on), rules, { part, on }).figures.assessed > 0n,
  )
}

/** The state after a part is broken, or null where the data has other figures. */
function broken(
  state: BookState,
  rules: ModelRules,
  request: { depositId: string; part: Pick<Part, 'type'>; principal: bigint; waivedPpm?: bigint },
  data: Record<string, unknown>,
): BookState | null {
  const { principal } = request
  const stored = state.deposits.get(request.depositId)!
  const quoted = data.liquidated_at === undefined
  const on = quoted ? String(data.as_of) : lagosDate(String(data.liquidated_at))
  // What is due is paid first, by an event of its own; a quote counts it as paid.
  if (!quoted && hasDue(stored, on)) return null
  const taxing = taxingOn(state, stored.accountNumber, on)
  const deposit = quoted ? paidUp(stored, on, taxing) : stored
  const { waivedPpm } = request
  if (waivedPpm !== undefined && !waivableOn(deposit, rules, principal, [on])[0]) return null
  const after = breakPart(deposit, rules, {
    ...{ part: principal, on, waivedPpm, tax: taxing?.tax ?? null },
    ...(taxing !== null && { taxedEarlier: taxedEarlier(state, request.depositId, on, taxing) }),
  })
  const { interest, penal, net, assessed, waived, paidShare, tax, taxShare, taxReturned } = after.figures
  const remaining = deposit.remaining - principal
  const status = remaining === 0n ? 'LIQUIDATED' : 'ACTIVE'
  const total = principal + interest - penal
  const expected = {
    deposit_id: request.depositId,
    status,
    principal_returned: amountText(principal),
    interest_paid: amountText(interest),
    penal_charge: amountText(penal),
    penal_assessed: amountText(assessed),
    penal_waived: amountText(waived),
    total_credited: amountText(total),
    net_credited: amountText(net),
    credited_account: deposit.accountNumber,
    liquidation_type: request.part.type,
    remaining_principal: amountText(remaining),
    currency: 'NGN',
  }
  if (!shows(data, expected)) return null
  const deposits = new Map(state.deposits)
  const { broken, paid, paidTax } = after
  deposits.set(request.depositId, { ...deposit, remaining, status, broken, paid, paidTax })
  const balances = new Map(state.balances)
  balances.set(deposit.accountNumber, balances.get(deposit.accountNumber)! + net)
  const liquidations = new Map(state.liquidations)
  liquidations.set(String(data.liquidation_id), {
    depositId: request.depositId,
    principal,
    interest,
    charge: assessed,
    net,
    paidShare,
    paidTo: deposit.paidTo,
    remaining,
    on,
    unearned: after.figures.unearned,
    recovered: after.figures.recovered,
    waived,
    penal,
    tax,
    taxShare,
    taxReturned,
    taxed: taxing?.name ?? null,
    earlier: earlierOn(deposit, on),
    isReversed: false,
  })
  return { ...state, deposits, balances, liquidations }
}

function earlierOn({ broken }: DepositState, day: string): LiquidationState['earlier'] {
  if (broken?.on !== day) return null
  const { on, ...sums } = broken
  return sums
}

function stepReversal(
  state: BookState,
  rules: ModelRules,
  { liquidationId }: Extract<Request, { kind: 'reverse' }>,
  { outcome, body, event, from, to }: Evidence,
): BookState | null {
  const made = state.liquidations.get(liquidationId)
  if (made === undefined) return isRefusal(outcome, 'liquidation_not_found') ? state : null
  if (made.isReversed) return isRefusal(outcome, 'liquidation_already_reversed') ? state : null
  const deposit = state.deposits.get(made.depositId)!
  const balance = state.balances.get(deposit.accountNumber)!
  const isLast =
    deposit.remaining === made.remaining && (deposit.status !== 'ACTIVE' || deposit.paidTo === made.paidTo)
  const first = event === undefined ? from : lagosDate(event.at)
  if (!isLast || hasDue(deposit, first)) return isRefusal(outcome, 'not_latest_movement') ? state : null
  if (hasDue(deposit, to) && isRefusal(outcome, 'not_latest_movement')) return state
  if (!rules.isWindowOpen) return isRefusal(outcome, 'reversal_window_closed') ? state : null
  if (balance < made.net) {
    return isRefusal(outcome, 'insufficient_funds', { balance, needed: made.net }) ? state : null
  }
  if (outcome.kind === 'refused') return null
  if (body !== null && !body.endsWith(`"data":${event!.data}}`)) return null
  const data = readData(`{"data":${event!.data}}`)
  const remaining = made.remaining + made.principal
  const expected = {
    deposit_id: made.depositId,
    status: 'ACTIVE',
    remaining_principal: amountText(remaining),
  }
  if (!shows(data, { liquidation_id: liquidationId, reversed_at: event!.at })) return null
  if (!shows(data.deposit as Record<string, unknown>, expected)) return null
  const deposits = new Map(state.deposits)
  const before = made.earlier === null ? lastDayBefore(state, made) : { on: made.on, ...made.earlier }
  const paid = { paid: deposit.paid + made.paidShare, paidTax: deposit.paidTax + made.taxShare }
  const reopened = { ...deposit, remaining, status: 'ACTIVE', broken: before, ...paid }
  // What fell due while it was broken is paid at once, by events of their own.
  if (event!.paid !== countDue(reopened, lagosDate(event!.at))) return null
  deposits.set(made.depositId, reopened)
  const balances = new Map(state.balances)
  balances.set(deposit.accountNumber, balance - made.net)
  const liquidations = new Map(state.liquidations)
  liquidations.set(liquidationId, { ...made, isReversed: true })
  return { ...state, deposits, balances, liquidations }
}

/** The sums of the last day with a liquidation that was not reversed. */
function lastDayBefore(state: BookState, made: LiquidationState): Broken | null {
  const [last] = [...state.liquidations.values()]
    .filter((one) => one.depositId === made.depositId && !one.isReversed && one.remaining > made.remaining)
    .sort((left, right) => (left.remaining < right.remaining ? -1 : 1))
  if (last === undefined) return null
  const { on, earlier } = last
  const sums = SUMS.map((name) => [name, last[name] + (earlier?.[name] ?? 0n)])
  return { on, ...(Object.fromEntries(sums) as Omit<Broken, 'on'>) }
}

const SUMS = [
  ...(['principal', 'interest', 'charge', 'paidShare', 'unearned', 'recovered'] as const),
  ...(['penal', 'tax', 'taxShare', 'taxReturned'] as const),
]

const WHOLE: Part = { type: 'FULL', amount: null }

function stepAsking(
  state: BookState,
  rules: ModelRules,
  { depositId }: Extract<Request, { kind: 'ask' }>,
  { outcome, body, event }: Evidence,
): BookState | null {
  const deposit = state.deposits.get(depositId)
  if (deposit === undefined) return isRefusal(outcome, 'deposit_not_found') ? state : null
  const refusal = refusalOf(deposit, WHOLE, rules)
  if (refusal !== null) return isRefusal(outcome, refusal.code, refusal.details) ? state : null
  const waiting = [...state.approvals].find(
    ([, one]) => one.depositId === depositId && one.status === 'PENDING',
  )
  if (waiting !== undefined) {
    return isRefusal(outcome, 'approval_already_pending', { approval_id: waiting[0] }) ? state : null
  }
  if (outcome.kind === 'refused') return null
  const recorded = readData(`{"data":${event!.data}}`)
  const needed = neededFor(deposit, state.policy)
  const approvalId = String(recorded.approval_id)
  const expected = { approval_id: approvalId, target_id: depositId, status: 'PENDING' }
  if (!shows(recorded, { ...expected, approvals_needed: String(needed), votes: '0' })) return null
  if (body !== null && !shows(readData(body), { ...expected, requested_at: event!.at })) return null
  const approvals = new Map(state.approvals)
  approvals.set(approvalId, { status: 'PENDING', depositId, needed, maker: MAKER, voters: [] })
  return { ...state, approvals }
}

/** One where the policy does not ask for any, and somebody requested it all the same. */
function neededFor({ remaining }: { remaining: bigint }, { heldFrom, approvals }: Policy): number {
  return remaining >= heldFrom ? approvals : 1
}

/** Of the people, only those may decide. */
const DECIDES = 'ACTIVE SUPERVISOR'

function stepPolicy(
  state: BookState,
  { policy }: Extract<Request, { kind: 'policy' }>,
  { outcome, event }: Evidence,
): BookState | null {
  if (outcome.kind === 'refused') return null
  const { deciders, approvals } = policy
  const data = readData(`{"data":${event!.data}}`)
  const [rule] = data.rules as Record<string, unknown>[]
  if (!shows(data, { deciders }) || !shows(rule!, { approvals: String(approvals) })) return null
  return { ...state, policy }
}

/** Why somebody may not decide now; null: they may. */
function refusalOfVoter({ policy, people }: BookState, voter: string, evidence: Evidence): Refused | null {
  const [kind, id] = voter.split(' ') as [string, string]
  if (kind !== 'PERSON') return policy.deciders === 'PERSON' ? refused('person_required') : null
  const until = people.get(id)!.restsUntil
  const hasRested = until === null ? true : hasCome(until, evidence)
  if (hasRested === true) return null
  const tooNew = refused('decider_too_new', { decides_from: until })
  if (hasRested === false) return tooNew
  return isRefusal(evidence.outcome, tooNew.code, tooNew.details) ? tooNew : null
}

/** Where only people decide, earlier votes of keys do not count. */
function counting(voters: readonly string[], { deciders }: Policy): readonly string[] {
  return deciders === 'ANY' ? voters : voters.filter((voter) => voter.startsWith('PERSON '))
}

function stepDecision(
  state: BookState,
  rules: ModelRules,
  { kind, approvalId, voter }: Extract<Request, { kind: 'vote' | 'reject' | 'cancel' }>,
  evidence: Evidence,
): BookState | null {
  const { outcome, body, event } = evidence
  const approval = state.approvals.get(approvalId)
  if (approval === undefined) return isRefusal(outcome, 'approval_not_found') ? state : null
  if (kind === 'cancel' && voter !== approval.maker) {
    return isRefusal(outcome, 'not_your_request') ? state : null
  }
  if (approval.status !== 'PENDING') {
    const details = { approval_status: approval.status }
    return isRefusal(outcome, 'approval_not_pending', details) ? state : null
  }
  const decided = (status: string, from: BookState, needed = approval.needed) => {
    const voters = kind === 'vote' ? [...approval.voters, voter].sort() : approval.voters
    const shown = status === 'PENDING' ? counting(voters, state.policy) : voters
    const expected = { approval_id: approvalId, status }
    const recorded = { ...expected, votes: String(shown.length) }
    if (!shows(readData(`{"data":${event!.data}}`), recorded)) return null
    if (body !== null && !shows(readData(body), expected)) return null
    const after = { ...approval, status, voters, needed }
    return { ...from, approvals: new Map(from.approvals).set(approvalId, after) }
  }
  if (kind === 'cancel') return outcome.kind === 'refused' ? null : decided('CANCELLED', state)
  if (voter === approval.maker) return isRefusal(outcome, 'maker_cannot_approve') ? state : null
  const mayNot = refusalOfVoter(state, voter, evidence)
  if (mayNot !== null) return isRefusal(outcome, mayNot.code, mayNot.details) ? state : null
  if (kind === 'reject') return outcome.kind === 'refused' ? null : decided('REJECTED', state)
  if (approval.voters.includes(voter)) return isRefusal(outcome, 'already_voted') ? state : null
  const votes = counting([...approval.voters, voter], state.policy).length
  if (votes < approval.needed) {
    return outcome.kind === 'refused' ? null : decided('PENDING', state)
  }
  // The last vote breaks the deposit; where that is refused, the request stays pending. How many votes it takes is
  // counted again: a reversal meanwhile may have made it a larger amount.
  const deposit = state.deposits.get(approval.depositId)!
  const refusal = refusalOf(deposit, WHOLE, rules)
  const needed = neededFor(deposit, state.policy)
  if (refusal === null && votes < needed) {
    return outcome.kind === 'refused' ? null : decided('PENDING', state)
  }
  if (refusal !== null) return isRefusal(outcome, refusal.code, refusal.details) ? state : null
  if (outcome.kind === 'refused') return null
  const made = event!.of['fixed_deposit.liquidated']
  if (made === undefined) return null
  const data = readData(`{"data":${made}}`)
  if (body !== null && !isDeepStrictEqual(readData(body).result, data)) return null
  const request = { depositId: approval.depositId, part: WHOLE, principal: deposit.remaining }
  const after = broken(state, rules, request, data)
  return after && decided('APPROVED', after, Math.max(approval.needed, needed))
}

function stepUpdate(
  state: BookState,
  request: Extract<Request, { kind: 'update' }>,
  { outcome, body, event }: Evidence,
): BookState | null {
  const before = state.customers.get(request.customerId)
  if (before === undefined) return isRefusal(outcome, 'customer_not_found') ? state : null
  if (outcome.kind === 'refused') return null
  const after = { ...before, ...request.changes, updatedAt: event!.at }
  const expected = {
    customer_id: request.customerId,
    email: after.email,
    phone_number: after.phoneNumber,
    address: after.address,
    updated_at: after.updatedAt,
  }
  if (body !== null && !shows(readData(body), expected)) return null
  const customers = new Map(state.customers)
  return { ...state, customers: customers.set(request.customerId, after) }
}

function stepAccount(
  state: BookState,
  request: Extract<Request, { kind: 'credit' | 'open' }>,
  { outcome, body, event }: Evidence,
): BookState | null {
  const { kind, accountNumber, amount } = request
  const product = request.kind === 'open' ? request.product : null
  const balance = state.balances.get(accountNumber)
  if (balance === undefined) return isRefusal(outcome, 'account_not_found') ? state : null
  if (kind === 'open' && amount > balance) {
    return isRefusal(outcome, 'insufficient_funds', { balance }) ? state : null
  }
  if (outcome.kind === 'refused') return null
  const data = readData(body ?? `{"data":${event!.data}}`)
  const balances = new Map(state.balances)
  balances.set(accountNumber, kind === 'credit' ? balance + amount : balance - amount)
  if (kind === 'credit') {
    const lines = JSON.stringify([
      { account: 'cash', amount: `-${amountText(amount)}` },
      { account: accountNumber, amount: amountText(amount) },
    ])
    const right = shows(data, {
      account_number: accountNumber,
      kind: 'ACCOUNT_CREDIT',
      created_at: event!.at,
    })
    return right && JSON.stringify(data.lines) === lines ? { ...state, balances } : null
  }
  const asked = request.kind === 'open' ? request.startDate : null
  const startDate = asked ?? lagosDate(event!.at)
  const maturityDate = maturityOf(startDate, product, state.calendar)
  const deposit: DepositState = {
    ...{ remaining: amount, status: 'ACTIVE', ratePpm: BigInt(RATE_PPM), startDate, maturityDate },
    ...{ accountNumber, ...unpaid(product), instruction: 'PAY_OUT', lien: 0n, broken: null },
  }
  const expected = {
    account_number: accountNumber,
    status: 'ACTIVE',
    principal: amountText(amount),
    remaining_principal: amountText(amount),
    start_date: startDate,
    maturity_date: maturityDate,
    interest_method: deposit.method,
    expected_interest: amountText(termInterest(deposit)),
  }
  if (!shows(data, expected)) return null
  if (asked === null && data.accrued_interest !== '0.00') return null
  if (event!.paid !== countDue(deposit, lagosDate(event!.at))) return null
  const deposits = new Map(state.deposits).set(String(data.deposit_id), deposit)
  return { ...state, deposits, balances }
}

function refusalOf(deposit: DepositState, part: Part, rules: ModelRules): Refused | null {
  const { remaining, lien } = deposit
  if (deposit.status !== 'ACTIVE') return refused('deposit_not_active', { deposit_status: deposit.status })
  if (part.type === 'FULL') {
    if (part.amount !== null && part.amount !== remaining) {
      return refused('amount_conflicts_with_full', { remaining_principal: remaining })
    }
    return lien === 0n ? null : refused('deposit_under_lien', { lien_amount: lien })
  }
  if (part.amount > remaining) return refused('amount_exceeds_principal', { remaining_principal: remaining })
  if (part.amount === remaining) return refused('amount_equals_principal', { remaining_principal: remaining })
  if (part.amount < rules.minPartial) return refused('amount_below_minimum', { minimum: rules.minPartial })
  const left = remaining - part.amount
  if (left >= rules.minRemaining) {
    if (left >= lien) return null
    return refused('amount_under_lien', { lien_amount: lien, maximum_amount: remaining - lien })
  }
  const most = remaining - rules.minRemaining
  return refused('remaining_below_minimum', {
    minimum: rules.minRemaining,
    maximum_amount: most > 0n ? most : 0n,
  })
}

function sentence({ operation, outcome, began, ended }: Happened): string {
  const { id, caller, key, request } = operation
  const asked = `${id} [${began}–${ended}] ${caller} ${fingerprintOf(request)}${key === null ? '' : ` (${key})`}`
  switch (outcome.kind) {
    case 'answered':
      return `${asked} → ${outcome.replayed ? 'replayed ' : ''}${outcome.body}`
    case 'refused':
      return `${asked} → refused ${outcome.code}`
    default:
      return `${asked} → ${outcome.kind}`
  }
}

function show(state: BookState): string {
  const plain = (_: string, one: unknown) =>
    typeof one === 'bigint' ? String(one) : one instanceof Map ? Object.fromEntries(one) : one
  return JSON.stringify(state, plain)
}
