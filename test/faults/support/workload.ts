/**
 * The requests of a small world, drawn from the seed: overlapping, repeated, contradictory, and for records of others.
 */
import type { Random } from '../../support/random.ts'

export type Part = { type: 'FULL'; amount: bigint | null } | { type: 'PARTIAL'; amount: bigint }

export type Request =
  | { kind: 'liquidate' | 'quote'; depositId: string; part: Part }
  | { kind: 'update'; customerId: string; changes: ProfileChanges }
  | { kind: 'credit'; accountNumber: string; amount: bigint }
  /** `startDate` is null for today. */
  | {
      kind: 'open'
      accountNumber: string
      amount: bigint
      product: ProductCode | null
      startDate: string | null
    }
  | { kind: 'reverse'; liquidationId: string }
  /** For approval of breaking the whole deposit. */
  | { kind: 'ask'; depositId: string }
  | { kind: 'vote' | 'reject'; approvalId: string; voter: string }
  | { kind: 'cancel'; approvalId: string; voter: string }
  | { kind: 'place'; depositId: string; amount: bigint }
  | { kind: 'release'; lienId: string }
  | { kind: 'instruct'; depositId: string; instruction: Instruction }
  /** The job of maturities, and what it made of a deposit: nobody draws that. */
  | { kind: 'settle' }
  | { kind: 'mature' | 'pay'; depositId: string }
  | { kind: 'start' | 'drop'; batchId: string }
  /** The job of files, that a file is done, and what only lines do. */
  | { kind: 'run files' }
  | { kind: 'complete'; batchId: string }
  | { kind: 'import account'; accountNumber: string; balance: bigint }
  | { kind: 'import deposit'; accountNumber: string; remaining: bigint; startDate: string }
  /** The jobs that record which approvals have expired, send messages to subscribers and close days. */
  | { kind: 'expire' | 'send' | 'close days' }
  /** Another approval policy, once it was approved. */
  | { kind: 'policy'; policy: Policy }
  | PersonRequest
  /** What a person's session showed when they began to decide. */
  | { kind: 'look'; personId: string; as: string }

/** `by`: an administrator; null: the operator. */
export type PersonRequest =
  | { kind: 'invite' | 'change role'; by: string | null; personId: string; role: 'SUPERVISOR' | 'CLERK' }
  | { kind: 'reset' | 'disable' | 'confirm'; by: string; personId: string }
  /** `of`: the operation that was answered with it. */
  | { kind: 'use link'; personId: string; of: string }

/** From a principal on a liquidation needs so many approvals. */
export type Policy = { deciders: 'ANY' | 'PERSON'; approvals: number; heldFrom: bigint }

export type ProductCode = 'MONTHLY' | 'UPFRONT' | 'QUARTERLY'
export type Instruction = 'PAY_OUT' | 'ROLL_OVER' | 'ROLL_OVER_PRINCIPAL'
export type ProfileChanges = { email?: string; phoneNumber?: string; address?: string }

export type Operation = {
  /** Also its request id, which the event of its change contains. */
  id: string
  caller: 'ours' | 'theirs'
  instance: number
  key: string | null
  request: Request
  /** Of a line: what is stored with its key. */
  fingerprint?: string
  noted?: Noted
}

/** What a client saw before its request was decided. */
export type Noted = {
  /** A decider's status and role, read until this step. */
  seen?: { personId: string; as: string; by: number }
  /** The end of the rest that is confirmed. */
  shown?: string
  /** The end of the link that is used. */
  link?: string
}

/** The link that somebody has before the world begins. */
export const EARLIER_LINK = 'before'

/** The deposits and customers one caller may name, its own and others. */
export type Subjects = {
  deposits: readonly { id: string; principal: bigint }[]
  customers: readonly string[]
  accounts: readonly string[]
  liquidations: readonly string[]
  approvals: readonly string[]
  liens: readonly string[]
  batches: readonly string[]
  /** The first is the requester of those approvals. */
  voters: readonly string[]
  /** A day some weeks before the world begins, from which deposits can be opened. */
  earlierStart: string
  /** Those that are worth running in this world. */
  jobs: readonly ('settle' | 'send' | 'close days')[]
  administrators: readonly string[]
  supervisors: readonly string[]
}

const KEYS = ['first key', 'second key', 'third key']

export function drawOperations(
  random: Random,
  options: { instances: number; subjects: Record<Operation['caller'], Subjects> },
): Operation[] {
  const operations: Operation[] = []
  const total = 5 + random.below(6)
  // Half of the requests of a world are of one kind, so that they meet.
  const drawOften = random.pick([
    ...[drawAny, drawAny, drawApproval, drawOfDeposit, drawOfFiles, drawOfPeople, drawOfPeople],
  ])
  while (operations.length < total) {
    const earlier = random.pick(operations.length === 0 ? [null] : operations)
    const place = { id: `op ${operations.length + 1}`, instance: random.below(options.instances) }
    if (earlier !== null && random.chance(0.3)) operations.push({ ...earlier, ...place })
    else {
      const caller = random.chance(0.8) ? 'ours' : 'theirs'
      const draw = random.chance(0.5) ? drawOften : drawAny
      const request = draw(random, options.subjects[caller])
      const key = takesNoKey(request) || random.chance(0.4) ? null : random.pick(KEYS)
      operations.push({ ...place, caller, key, request })
      if ((request.kind !== 'invite' && request.kind !== 'reset') || random.chance(0.2)) continue
      const use = { kind: 'use link', personId: request.personId, of: place.id } as const
      operations.push({ ...place, id: `op ${operations.length + 1}`, caller, key: null, request: use })
    }
  }
  return operations
}

/** The console sends none. */
function takesNoKey(request: Request): boolean {
  return (
    isUnkeyed(request) || isOfPerson(request) || ('voter' in request && request.voter.startsWith('PERSON'))
  )
}

export function isOfPerson(request: Request): request is PersonRequest {
  return 'personId' in request && request.kind !== 'look'
}

/** They make no change of their own. */
export function isUnkeyed({ kind }: Request): boolean {
  return ['quote', 'look', 'expire', 'settle', 'run files', 'send', 'close days'].includes(kind)
}

function drawAny(random: Random, subjects: Subjects): Request {
  if (random.chance(0.12)) return drawOfPeople(random, subjects)
  if (random.chance(0.15)) return { kind: 'reverse', liquidationId: random.pick(subjects.liquidations) }
  if (random.chance(0.3)) return drawApproval(random, subjects)
  if (random.chance(0.3)) return drawOfDeposit(random, subjects)
  if (random.chance(0.25)) return drawOfFiles(random, subjects)
  if (random.chance(0.25)) {
    return { kind: 'update', customerId: random.pick(subjects.customers), changes: drawChanges(random) }
  }
  if (random.chance(0.25)) {
    const accountNumber = random.pick(subjects.accounts)
    // The smaller account cannot pay for two of the larger ones.
    const amount = random.pick([1_000_000n, 3_000_000n])
    if (random.chance(0.3)) return { kind: 'credit', accountNumber, amount }
    const product = random.pick([null, 'MONTHLY', 'MONTHLY', 'UPFRONT', 'QUARTERLY'] as const)
    const startDate = product !== null && random.chance(0.5) ? subjects.earlierStart : null
    return { kind: 'open', accountNumber, amount, product, startDate }
  }
  const deposit = random.pick(subjects.deposits)
  const kind = random.chance(0.15) ? 'quote' : 'liquidate'
  return { kind, depositId: deposit.id, part: drawPart(random, deposit.principal) }
}

/** What concerns a deposit besides breaking it. */
function drawOfDeposit(random: Random, subjects: Subjects): Request {
  if (random.chance(0.35)) return { kind: random.pick(subjects.jobs) }
  if (random.chance(0.3)) return { kind: 'release', lienId: random.pick(subjects.liens) }
  const { id: depositId, principal } = random.pick(subjects.deposits)
  if (random.chance(0.5)) {
    const instruction = random.pick(['PAY_OUT', 'ROLL_OVER', 'ROLL_OVER_PRINCIPAL'] as const)
    return { kind: 'instruct', depositId, instruction }
  }
  return { kind: 'place', depositId, amount: (principal * random.pick([100n, 400n, 1000n])) / 1000n }
}

function drawOfFiles(random: Random, { batches }: Subjects): Request {
  const kind = random.pick(['start', 'start', 'start', 'run files', 'run files', 'drop'] as const)
  return kind === 'run files' ? { kind } : { kind, batchId: random.pick(batches) }
}

function drawApproval(random: Random, subjects: Subjects): Request {
  if (random.chance(0.15)) return { kind: 'expire' }
  if (random.chance(0.12)) return { kind: 'policy', policy: drawPolicy(random) }
  if (random.chance(0.2)) return { kind: 'ask', depositId: random.pick(subjects.deposits).id }
  const kind = random.pick(['vote', 'vote', 'vote', 'vote', 'reject', 'cancel'] as const)
  const { approvals, voters } = subjects
  // Only the requester may cancel.
  const voter = kind === 'cancel' && random.chance(0.6) ? voters[0]! : random.pick(voters)
  return { kind, approvalId: random.pick(approvals), voter }
}

/** What is done to those who decide, their decisions, and what they decide by. */
function drawOfPeople(random: Random, { administrators, supervisors, approvals }: Subjects): Request {
  const [by, personId] = [random.pick(administrators), random.pick(supervisors)]
  // The second rests when many worlds begin.
  const resting = random.pick([personId, supervisors[1]!])
  const kind = random.pick(PERSON_KINDS)
  switch (kind) {
    case 'vote':
    case 'reject':
      return { kind, approvalId: random.pick(approvals), voter: `PERSON ${resting}` }
    case 'invite':
    case 'change role': {
      const role = random.pick(['SUPERVISOR', 'SUPERVISOR', 'CLERK'] as const)
      return { kind, by: random.pick([by, by, null]), personId, role }
    }
    case 'reset':
      return { kind, by, personId: random.pick([personId, personId, ...administrators]) }
    case 'confirm':
      return { kind, by, personId: random.pick([resting, resting, ...administrators]) }
    case 'disable':
      return { kind, by, personId }
    case 'use link':
      return { kind, personId: supervisors.at(-1)!, of: EARLIER_LINK }
    case 'policy':
      return { kind, policy: drawPolicy(random) }
    default:
      return kind satisfies never
  }
}

const PERSON_KINDS = [
  ...(['vote', 'vote', 'vote', 'vote', 'reject', 'reject', 'confirm', 'confirm', 'confirm'] as const),
  ...(['change role', 'change role', 'reset', 'reset', 'invite', 'use link', 'disable', 'policy'] as const),
]

function drawPolicy(random: Random): Policy {
  return {
    deciders: random.pick(['ANY', 'ANY', 'PERSON'] as const),
    approvals: random.pick([1, 2, 3, 3]),
    heldFrom: random.pick([100_000n, 100_000n, 900_000_000_000n]),
  }
}

function drawPart(random: Random, principal: bigint): Part {
  if (random.chance(0.3)) return { type: 'FULL', amount: random.chance(0.2) ? principal : null }
  // In thousandths: below the minimum, ordinary, nearly everything, everything, too much.
  const share = random.pick([1, 130, 250, 250, 333, 500, 600, 950, 1000, 1001])
  return { type: 'PARTIAL', amount: (principal * BigInt(share)) / 1000n || 1n }
}

function drawChanges(random: Random): ProfileChanges {
  const version = random.below(3)
  const changes: ProfileChanges = {}
  if (random.chance(0.6)) changes.email = `name${version}@example.com`
  if (random.chance(0.4)) changes.address = `${version} Marina Road, Lagos`
  if (random.chance(0.4) || Object.keys(changes).length === 0)
    changes.phoneNumber = `+234 800 000 000${version}`
  return changes
}

/** Only of amounts that a double has exactly. */
export function amountNumber(minor: bigint): number {
  return Number(minor) / 100
}

export function fingerprintOf(request: Request): string {
  return JSON.stringify(request, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}
