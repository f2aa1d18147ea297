/**
 * The requests of a small world, drawn from the seed: overlapping, repeated, contradictory, and for records of others.
 */
import type { Random } from '../../support/random.ts'
import { drawCalendar, type ModelCalendar } from './calendars.ts'

export type Part = { type: 'FULL'; amount: bigint | null } | { type: 'PARTIAL'; amount: bigint }

export type Request =
  /** `waivedPpm`: how much of the charge is waived; absent: nothing. */
  | { kind: 'liquidate' | 'quote'; depositId: string; part: Part; waivedPpm?: bigint }
  | { kind: 'update'; customerId: string; changes: ProfileChanges }
  /** `byKey`: the operation that was answered with it; `after`: one that it waits for. */
  | { kind: 'credit'; accountNumber: string; amount: bigint; byKey?: string; after?: string }
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
  | { kind: 'import account'; customerId: string; accountNumber: string; balance: bigint }
  | { kind: 'import deposit'; accountNumber: string; remaining: bigint; startDate: string }
  /** The jobs that record which approvals have expired, send messages to subscribers and close days. */
  | { kind: 'expire' | 'send' | 'close days' }
  /** Another approval policy, once it was approved. */
  | { kind: 'policy'; policy: Policy }
  | { kind: 'tax rules'; rules: TaxRules }
  | { kind: 'tax status'; customerId: string; taxClass: string }
  | { kind: 'calendar'; calendar: ModelCalendar }
  | PersonRequest
  | KeyRequest
  /** What a person's session showed when they began to decide, and what a key was when it was used. */
  | { kind: 'look'; personId: string; as: string }
  | ({ kind: 'look at key'; keyId: string } & SeenKey)

/** `by`: an administrator; null: the operator. */
export type PersonRequest =
  | { kind: 'invite' | 'change role'; by: string | null; personId: string; role: 'SUPERVISOR' | 'CLERK' }
  | { kind: 'reset' | 'disable'; by: string; personId: string }
  /** `of`: the operation that began the rest; absent: it had begun before. */
  | { kind: 'confirm'; by: string; personId: string; of?: string }
  /** `of`: the operation that was answered with it. */
  | { kind: 'use link'; personId: string; of: string }

/** `of`: the operation that was answered with the key. */
export type KeyRequest =
  | { kind: 'make key'; by: string | null }
  | { kind: 'confirm key'; by: string; of: string }
  | { kind: 'roll key'; by: string | null; of: string; overlapSeconds: number }
  | { kind: 'revoke key'; by: string | null; of: string }

/** What the door read of a key: whether it had ended, and from when on it changes things. */
export type SeenKey = { isEnded: boolean; worksFrom: string | null }

/** From a principal on a liquidation needs so many approvals. */
export type Policy = { deciders: 'ANY' | 'PERSON'; approvals: number; heldFrom: bigint }

/** HALF_UP; percent by class. */
export type TaxRules = {
  from: string
  base: 'NET' | 'GROSS'
  onRecovery: 'KEEP' | 'RETURN'
  classes: Record<string, number>
}

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
  /** How far the clock of its instance is off. */
  shiftMs?: number
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
  /** The key that is confirmed, rolled or revoked. */
  keyId?: string
  /** The key by which it is asked for, read until this step. */
  used?: { keyId: string; by: number } & SeenKey
}

/** The link that somebody has before the world begins. */
export const EARLIER_LINK = 'before'
/** The key that an administrator made before the world begins. */
export const EARLIER_KEY = 'key of before'

/** The operation that a request waits for; null: none. */
export function awaitedBy(request: Request): string | null {
  if (request.kind === 'credit') return request.after ?? request.byKey ?? null
  return 'of' in request ? (request.of ?? null) : null
}

/** The operation whose answer, a link or a key, a request needs; null: none. */
export function neededBy(request: Request): string | null {
  if (request.kind === 'credit') return request.byKey ?? null
  return 'of' in request && request.kind !== 'confirm' ? request.of : null
}

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
  isTaxed: boolean
  /** Days on which deposits mature, if the bank is open; none in worlds without a calendar. */
  maturities: readonly string[]
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
    ...(options.subjects.ours.isTaxed ? [drawOfParts, drawOfParts] : []),
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
      const uses = drawUses(random, request, operations.length, options.subjects[caller])
      for (const use of uses) {
        operations.push({ ...place, id: `op ${operations.length + 1}`, caller, key: null, request: use })
      }
    }
  }
  return operations
}

/** What is done with the link or the key that somebody was given, and to those who rest: three requests at most. */
function drawUses(random: Random, request: Request, number: number, subjects: Subjects): Request[] {
  const { administrators } = subjects
  const of = `op ${number}`
  const another = (by: string | null) => administrators.find((one) => one !== by)!
  switch (request.kind) {
    case 'make key':
      return drawUsesOfKey(random, number, subjects)
    case 'roll key':
    case 'revoke key': {
      const late = { ...useOf(request.of, subjects), after: of }
      const ofSuccessor = request.kind === 'roll key' ? drawUsesOfKey(random, number, subjects) : []
      return [...ofSuccessor.slice(0, 2), ...(random.chance(0.7) ? [late] : [])]
    }
    case 'invite':
    case 'reset': {
      if (random.chance(0.2)) return []
      const use = { kind: 'use link', personId: request.personId, of } as const
      const { by, personId } = request
      const confirmation = { kind: 'confirm', by: another(by), personId, of: `op ${number + 1}` } as const
      return [use, ...(random.chance(0.4) ? [confirmation] : [])]
    }
    case 'change role': {
      const { personId } = request
      return random.chance(0.4) ? [{ kind: 'confirm', by: another(request.by), personId, of }] : []
    }
    default:
      return []
  }
}

/** Some use a key when it has been rolled or revoked. */
function drawUsesOfKey(random: Random, number: number, subjects: Subjects): Request[] {
  const { administrators } = subjects
  const of = `op ${number}`
  const uses: Request[] = []
  if (random.chance(0.6)) uses.push({ kind: 'confirm key', by: random.pick(administrators), of })
  const isEnded = random.chance(0.5)
  if (isEnded) uses.push(drawEnd(random, of, subjects))
  if (random.chance(0.2)) return uses
  const isLate = isEnded && random.chance(0.6)
  return [...uses, { ...useOf(of, subjects), ...(isLate && { after: `op ${number + uses.length}` }) }]
}

function useOf(byKey: string, { accounts }: Subjects) {
  return { kind: 'credit', accountNumber: accounts[0]!, amount: 1_000n, byKey } as const
}

function drawEnd(random: Random, of: string, { administrators }: Subjects): Request {
  const by = random.pick([...administrators, null])
  if (random.chance(0.5)) return { kind: 'revoke key', by, of }
  return { kind: 'roll key', by, of, overlapSeconds: random.pick(OVERLAPS_SECONDS) }
}

/** None, one that ends in most worlds, and one that ends in few. */
const OVERLAPS_SECONDS = [0, 600, 7_200]

/** The console sends none. */
function takesNoKey(request: Request): boolean {
  return (
    [isUnkeyed, isOfPerson, isOfKey].some((isOne) => isOne(request)) ||
    ('voter' in request && request.voter.startsWith('PERSON'))
  )
}

export function isOfKey({ kind }: Request): boolean {
  return ['make key', 'confirm key', 'roll key', 'revoke key'].includes(kind)
}

export function isOfPerson(request: Request): request is PersonRequest {
  return 'personId' in request && request.kind !== 'look'
}

/** They make no change of their own. */
export function isUnkeyed({ kind }: Request): boolean {
  return ['quote', 'look', 'look at key', 'expire', 'settle', 'run files', 'send', 'close days'].includes(
    kind,
  )
}

function drawAny(random: Random, subjects: Subjects): Request {
  if (subjects.isTaxed && random.chance(0.12)) return drawOfTax(random, subjects)
  if (subjects.maturities.length > 0 && random.chance(0.2)) {
    if (random.chance(0.7)) return drawOpening(random, subjects)
    return { kind: 'calendar', calendar: drawCalendar(random, subjects.maturities) }
  }
  if (random.chance(0.12)) return drawOfPeople(random, subjects)
  if (random.chance(0.15)) return { kind: 'reverse', liquidationId: random.pick(subjects.liquidations) }
  if (random.chance(0.3)) return drawApproval(random, subjects)
  if (random.chance(0.3)) return drawOfDeposit(random, subjects)
  if (random.chance(0.25)) return drawOfFiles(random, subjects)
  if (random.chance(0.25)) {
    return { kind: 'update', customerId: random.pick(subjects.customers), changes: drawChanges(random) }
  }
  if (random.chance(0.25))
    return random.chance(0.3) ? drawCredit(random, subjects) : drawOpening(random, subjects)
  const deposit = random.pick(subjects.deposits)
  const kind = random.chance(0.15) ? 'quote' : 'liquidate'
  const waiver = random.chance(0.2) && { waivedPpm: random.pick([1_000_000n, 500_000n, 333_333n]) }
  return { kind, depositId: deposit.id, part: drawPart(random, deposit.principal), ...waiver }
}

/** The smaller account cannot pay for two of the larger ones. */
const AMOUNTS = [1_000_000n, 3_000_000n]

function drawCredit(random: Random, { accounts }: Subjects): Request {
  return { kind: 'credit', accountNumber: random.pick(accounts), amount: random.pick(AMOUNTS) }
}

function drawOpening(random: Random, { accounts, earlierStart }: Subjects): Request {
  const product = random.pick([null, 'MONTHLY', 'MONTHLY', 'UPFRONT', 'QUARTERLY'] as const)
  const startDate = product !== null && random.chance(0.5) ? earlierStart : null
  return {
    ...{ kind: 'open', accountNumber: random.pick(accounts), amount: random.pick(AMOUNTS) },
    ...{ product, startDate },
  }
}

/** Parts of one of two deposits, so that several are broken on one day. */
function drawOfParts(random: Random, { deposits }: Subjects): Request {
  const { id: depositId, principal } = random.pick([deposits[1]!, deposits[3]!, deposits[3]!])
  const amount = (principal * random.pick([37n, 51n, 110n, 133n])) / 1000n
  return { kind: 'liquidate', depositId, part: { type: 'PARTIAL', amount } }
}

function drawOfTax(random: Random, { customers, earlierStart }: Subjects): Request {
  if (random.chance(0.4)) return { kind: 'tax rules', rules: drawTax(random, [LONG_AGO, earlierStart]) }
  const taxClass = random.pick(['EXEMPT', 'REDUCED', 'UNKNOWN'])
  return { kind: 'tax status', customerId: random.pick(customers), taxClass }
}

const LONG_AGO = '2000-01-01'

/** Two thirds of a percent leave cents to round. */
export function drawTax(random: Random, from: readonly string[] = [LONG_AGO]): TaxRules {
  return {
    from: random.pick(from),
    base: random.pick(['NET', 'GROSS'] as const),
    onRecovery: random.pick(['KEEP', 'RETURN'] as const),
    classes: { STANDARD: random.pick([10, 33.3333]), EXEMPT: 0, ...(random.chance(0.7) && { REDUCED: 2.5 }) },
  }
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
function drawOfPeople(random: Random, subjects: Subjects): Request {
  const { administrators, supervisors, approvals } = subjects
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
    case 'confirm': {
      // Most rests were begun by the first administrator, who may not confirm them.
      const second = random.pick([by, administrators[1]!, administrators[1]!])
      return {
        kind,
        by: second,
        personId: random.pick([resting, resting, supervisors[1]!, ...administrators]),
      }
    }
    case 'disable':
      return { kind, by, personId }
    case 'use link':
      return { kind, personId: supervisors.at(-1)!, of: EARLIER_LINK }
    case 'policy':
      return { kind, policy: drawPolicy(random) }
    case 'make key':
      return { kind, by: random.pick([by, by, by, null]) }
    case 'confirm key':
      return { kind, by, of: EARLIER_KEY }
    case 'roll key':
    case 'revoke key':
      return drawEnd(random, EARLIER_KEY, subjects)
    case 'credit': {
      const accountNumber = random.pick(subjects.accounts)
      return { kind, accountNumber, amount: 1_000_000n, byKey: EARLIER_KEY }
    }
    default:
      return kind satisfies never
  }
}

const PERSON_KINDS = [
  ...(['vote', 'vote', 'vote', 'vote', 'reject', 'reject'] as const),
  ...(['confirm', 'confirm', 'confirm', 'confirm', 'confirm'] as const),
  ...(['change role', 'change role', 'reset', 'reset', 'invite', 'use link', 'disable', 'policy'] as const),
  ...(['make key', 'make key', 'confirm key', 'confirm key', 'credit', 'credit'] as const),
  ...(['roll key', 'roll key', 'revoke key'] as const),
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
