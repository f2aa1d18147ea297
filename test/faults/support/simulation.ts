/**
 * Several instances of the service on one database that fails, with clients that overlap, repeat requests and request
 * what is not theirs. In the end, clients without an answer retry with their key, and the books are audited.
 */
import assert from 'node:assert/strict'
import { createService, type Service } from '../../../src/cli/compose.ts'
import type { Book } from '../../../src/domain/book.ts'
import { ClockUnsureError, OutcomeUnknownError } from '../../../src/engine/change/faults.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import { createAuthenticate } from '../../../src/http/authentication.ts'
import { createRandom, type Random } from '../../support/random.ts'
import { askService } from './asking.ts'
import type { Desk } from './asking-people.ts'
import { readBook } from './book-rows.ts'
import { drawCalendar } from './calendars.ts'
import { accrueDaily, checkAccruals } from './day-ends.ts'
import { checkDeliveries, createFaultySender, type Received, subscribe } from './deliveries.ts'
import { createFaultyDatabase, type Faults, isInjected } from './faulty-database.ts'
import { assignUses } from './link-uses.ts'
import { findDifference } from './model.ts'
import { hasDue } from './model-of-interest.ts'
import { drawStanding, earlierToken } from './people.ts'
import { createSchedule, type Schedule, withVirtualPauses } from './schedule.ts'
import { DAY_MS, type Happened, lagosDate, type Outcome } from './state.ts'
import {
  awaitedBy,
  drawOperations,
  drawTax,
  EARLIER_KEY,
  EARLIER_LINK,
  type Noted,
  neededBy,
  type Operation,
  type Request,
} from './workload.ts'
import { agreedMaturities, createWorld, RESTING_KEY, type Template, type World } from './world.ts'

export type Arena = {
  engine: 'PGlite' | 'PostgreSQL'
  db: Database
  template: Template
  /** One connection for all, so that transactions never overlap. */
  exclusive: boolean
  countBlocked: (() => Promise<number>) | null
}

export type SeedReport = {
  outcomes: Record<string, number>
  /** Changes that were made, by kind of request. */
  made: Record<string, number>
  faults: Record<string, number>
  trace: readonly string[]
}

/** A world and its requests are drawn by the seed; the order of turns and the faults by the seed and the schedule. */
export type Plan = {
  seed: number
  schedule: number
  /** Requests that are left out. */
  without: readonly string[]
  hasFaults: boolean
}

export function planOf(seed: number): Plan {
  return { seed, schedule: 0, without: [], hasFaults: true }
}

/** Throws a SeedError where the auditor finds a difference. The name keeps two runs of one plan apart. */
export async function runPlan(arena: Arena, plan: Plan, name: string): Promise<SeedReport> {
  const drawing = createRandom(plan.seed)
  const random = createRandom(Math.imul(plan.seed, 0x9e3779b1) + plan.schedule)
  const schedule = createSchedule({ random, countBlocked: arena.countBlocked })
  const began = drawStart(drawing)
  const pace = { began, stepMs: drawing.pick(STEPS_MS) }
  const isWindowOpen = began < WINDOW_CLOSES
  const rules = {
    ours: { ...drawCharge(drawing), isWindowOpen },
    theirs: { ...drawCharge(drawing), isWindowOpen },
  }
  const standing = drawStanding(drawing, began)
  const tax = drawing.chance(0.4) ? drawTax(drawing) : null
  const calendar = drawing.chance(0.3) ? drawCalendar(drawing, agreedMaturities(began)) : null
  const isSubscribed = drawing.chance(0.15)
  const isAccrued = drawing.chance(0.15)
  const jobs = [
    'settle' as const,
    ...(isSubscribed ? (['settle', 'send', 'send'] as const) : []),
    ...(isAccrued ? (['settle', 'close days'] as const) : []),
  ]
  const drawn = { began, rules, standing, tax, calendar, jobs }
  const world = await createWorld(arena.db, arena.template, name, drawn)
  const bookIds = Object.values(world.books).map(({ bookId }) => bookId)
  if (isSubscribed) await subscribe(arena.db, bookIds, began)
  if (isAccrued) await accrueDaily(arena.db, bookIds, began)
  const received: Received = new Map()
  const opening = await readBooks(arena.db, world, began)
  const probability = drawing.pick([0, 0.02, 0.05, 0.1])
  const faults: Faults = { random, probability: plan.hasFaults ? probability : 0, counts: {} }
  try {
    const { happened, jobsAt } = await withVirtualPauses(schedule, () =>
      live({ arena, world, schedule, random: drawing, faults, pace, without: plan.without, received }),
    )
    const closing = await readBooks(arena.db, world, began)
    for (const caller of CALLERS) {
      keepNew(happened, caller, { pace, opening, closing })
      checkDone(closing[caller], lagosDate(jobsAt.toISOString()))
      checkBook(happened, caller, { pace, rules: world.books[caller].rules, opening, closing })
    }
    const endedAt = timeAt(pace, schedule.trace.length)
    if (isSubscribed) await checkDeliveries(arena.db, bookIds, { received, endedAt })
    for (const caller of isAccrued ? CALLERS : []) {
      await checkAccruals(arena.db, bookOf(world, { caller }), { state: closing[caller].state, endedAt })
    }
    // Rows before keys, and each in one order.
    assert(!faults.counts['real 40P01'], 'two transactions waited for each other')
    const outcomes = countOutcomes(happened, closing)
    return { outcomes, made: countMade(happened, closing), faults: faults.counts, trace: schedule.trace }
  } catch (error) {
    throw new SeedError({ engine: arena.engine, plan, trace: schedule.trace, cause: error })
  }
}

export class SeedError extends Error {
  readonly plan: Plan

  constructor(options: { engine: Arena['engine']; plan: Plan; trace: readonly string[]; cause: unknown }) {
    const { engine, plan, trace, cause } = options
    const { seed, schedule, without, hasFaults } = plan
    const reason = cause instanceof Error ? cause.message : String(cause)
    // Of several that wait for one row, PostgreSQL does not always let the same one go first.
    const runs = engine === 'PostgreSQL' ? ' --runs 20' : ''
    super(
      `Seed ${seed} on ${engine}: ${reason}\nThe turns:\n${trace.map((line) => `  ${line}`).join('\n')}\n` +
        `Replay it: npm run simulate -- --engine ${engine} --seed ${seed} --seeds 1${runs}` +
        (schedule === 0 ? '' : ` --schedule ${schedule}`) +
        (without.length === 0 ? '' : ` --without '${without}'`) +
        (hasFaults ? '' : ' --faultless'),
      { cause },
    )
    this.plan = plan
    this.name = 'SeedError'
  }
}

type Setting = {
  arena: Arena
  world: World
  schedule: Schedule
  random: Random
  faults: Faults
  pace: Pace
  without: readonly string[]
  received: Received
}

const CALLERS = ['ours', 'theirs'] as const

function jobsOf(
  kind: 'run files' | 'settle' | 'send' | 'close days',
  { id, instance }: { id: string; instance: number } = { id: kind, instance: 0 },
): Operation[] {
  return CALLERS.map((caller) => {
    return { id: `${id} of ${caller}`, caller, instance, key: null, request: { kind } }
  })
}

/** When a world begins, and how long a turn takes. */
type Pace = { began: Date; stepMs: number }

/** In some worlds every turn takes minutes, so that they pass midnight; in others links are used before they expire. */
const STEPS_MS = [3 * 60_000, 20_000]

function timeAt({ began, stepMs }: Pace, step: number): Date {
  return new Date(began.getTime() + step * stepMs)
}

async function live({
  arena,
  world,
  schedule,
  random,
  faults,
  pace,
  without,
  received,
}: Setting): Promise<{ happened: Happened[]; jobsAt: Date }> {
  const instances = 1 + random.below(3)
  const workers = 1 + random.below(2)
  const connections = { exclusive: arena.exclusive, open: 0 }
  const clock = () => timeAt(pace, schedule.trace.length)
  // The clock of one instance may be wrong: nothing that counts on a business date is changed by it.
  const shiftMs = instances > 1 && random.chance(0.2) ? random.pick([-3, 3]) * DAY_MS : 0
  const sound = shiftMs === 0 ? instances : instances - 1
  const services = Array.from({ length: instances }, (_, index) => {
    const db = createFaultyDatabase({ db: arena.db, schedule, faults, connections })
    const own = index < sound ? clock : () => new Date(clock().getTime() + shiftMs)
    const service = createService({ db, clock: own, limits: { workers, batchMax: 256, queueMax: 5_000 } })
    return {
      service,
      sender: createFaultySender({ db, clock, schedule, faults, received }),
      door: createDoor(service),
    }
  })
  const subjects = { ours: world.books.ours.subjects, theirs: world.books.theirs.subjects }
  const operations = drawOperations(random, { instances, subjects }).map((one): Operation => {
    if (one.instance < sound) return one
    return DATED.includes(one.request.kind) ? { ...one, shiftMs } : { ...one, instance: 0 }
  })
  const happened: Happened[] = []
  const over = new Set<string>(without)
  const links = earlierLinks(world)
  const keys = { ours: earlierKeys(world.books.ours), theirs: earlierKeys(world.books.theirs) }
  const bugs: unknown[] = []
  await takeTurns(operations.filter(({ id }) => !without.includes(id)))

  // What was recorded meanwhile is sent, and days are closed, by several instances at once.
  await takeTurns(
    subjects.ours.jobs
      .filter((kind) => kind !== 'settle')
      .flatMap((kind, index) => jobsOf(kind, { id: `${kind} ${index + 1}`, instance: index % sound })),
  )

  // Then the faults stop, and every request with a key and without an answer is sent again.
  faults.probability = 0
  const unheard = happened.filter(({ outcome }) => outcome.kind === 'failed' || outcome.kind === 'unknown')
  await takeTurns(
    unheard.flatMap(({ operation }) =>
      operation.key === null ? [] : [{ ...operation, id: `${operation.id} again` }],
    ),
  )
  // In the end the jobs do what is left; files may bring deposits that are due. A book in which nothing was done for more
  // than a day waits until its operator confirms the date.
  await arena.db.query(confirmDate, [
    Object.values(world.books).map(({ bookId }) => bookId),
    lagosDate(clock().toISOString()),
  ])
  await takeTurns(jobsOf('run files'))
  const believed = happened.find(({ operation, outcome }) => isBelieved(operation, outcome))
  assert(believed === undefined, `${believed?.operation.id} was accepted by a clock that is days off`)
  faults.counts['clock days off'] = happened.filter(
    ({ operation, outcome }) => operation.shiftMs !== undefined && outcome.kind === 'failed',
  ).length
  const jobsAt = clock()
  await takeTurns(jobsOf('settle'))
  return { happened, jobsAt }

  async function takeTurns(asked: readonly Operation[]): Promise<void> {
    for (const operation of asked)
      schedule.as(operation.id, () => happen(operation)).catch((error) => bugs.push(error))
    await schedule.run()
    if (bugs.length > 0) throw bugs[0]
  }

  async function happen(operation: Operation): Promise<void> {
    const { id, caller, instance, request } = operation
    // A request that uses a link or a key has waited for it.
    const awaited = awaitedBy(request)
    const isGiven = () => awaited === null || EARLIER.includes(awaited) || over.has(awaited)
    const end = await schedule.turn(`begins at instance ${instance}`, isGiven)
    const began = schedule.trace.length
    end()
    const { service, sender, door } = services[instance]!
    const given = { links: links[caller], keys: keys[caller] }
    const desk: Desk = { ...given, noted: {}, step: () => schedule.trace.length, sender, door }
    const needed = neededBy(request)
    if (needed === null || desk.links.has(needed) || desk.keys.has(needed)) {
      const outcome = await ask(service, bookOf(world, operation), operation, desk)
      const { noted } = desk
      happened.push({ operation: { ...operation, noted }, began, ended: schedule.trace.length, outcome })
      for (const look of looksOf(operation, began, noted)) happened.push(look)
    }
    over.add(id)
  }
}

/**
 * What was seen before something was decided is a request of its own: it is over earlier. Where the clock is wrong, nothing is
 * decided.
 */
function looksOf(operation: Operation, began: number, { seen, used }: Noted): Happened[] {
  if (operation.shiftMs !== undefined) return []
  const outcome = { kind: 'answered', status: 200, body: '{}', replayed: false } as const
  const look = (request: Request, ended: number) => {
    return {
      operation: { ...operation, id: `${operation.id} looks`, key: null, request },
      began,
      ended,
      outcome,
    }
  }
  const lookAtKey = ({ by, ...key }: NonNullable<Noted['used']>) => look({ kind: 'look at key', ...key }, by)
  return [
    ...(seen === undefined ? [] : [look({ kind: 'look', personId: seen.personId, as: seen.as }, seen.by)]),
    ...(used === undefined ? [] : [lookAtKey(used)]),
  ]
}

const EARLIER = [EARLIER_LINK, EARLIER_KEY]

/** What an instance whose clock is wrong is asked for; people and jobs go to the others. */
const DATED: readonly string[] = ['liquidate', 'credit', 'open', 'update', 'place', 'release']

/** What was answered before is answered again, whatever the time. */
function isBelieved({ shiftMs }: Operation, outcome: Outcome): boolean {
  return shiftMs !== undefined && outcome.kind === 'answered' && !outcome.replayed
}

function earlierLinks(world: World): Record<Operation['caller'], Desk['links']> {
  const of = ({ bookId, earlierLink }: World['books']['ours']): Desk['links'] =>
    new Map([[EARLIER_LINK, { token: earlierToken(bookId), expiresAt: earlierLink }]])
  return { ours: of(world.books.ours), theirs: of(world.books.theirs) }
}

function earlierKeys({ earlierKey: secret }: World['books']['ours']): Desk['keys'] {
  return new Map([[EARLIER_KEY, { keyId: RESTING_KEY, secret }]])
}

/** It reads every key again, because a step of a world takes longer than it trusts what it read. */
function createDoor({ keys, clock }: Service): Desk['door'] {
  return createAuthenticate(keys, {
    clock,
    failuresPerMinute: 0,
    takeFailure: async () => assert.fail('nothing is limited here'),
    nowMs: () => clock().getTime(),
  })
}

const confirmDate = `update books set latest_business_date = $2::date where book_id = any($1)`

async function ask(service: Service, book: Book, operation: Operation, desk: Desk): Promise<Outcome> {
  try {
    return await askService(service, book, operation, desk)
  } catch (error) {
    if (error instanceof OutcomeUnknownError) return { kind: 'unknown' }
    if (error instanceof ClockUnsureError) return { kind: 'failed', message: error.message }
    if (isInjected(error)) return { kind: 'failed', message: String(error) }
    throw error
  }
}

function bookOf(world: World, { caller }: Pick<Operation, 'caller'>): Book {
  const { bookId, callerId } = world.books[caller]
  return { bookId, callerId, mode: 'live', timeZone: 'Africa/Lagos', currency: 'NGN' }
}

function drawCharge(random: Random) {
  const percentOf = random.pick(['ACCRUED_INTEREST', 'ACCRUED_INTEREST', 'PRINCIPAL'] as const)
  return { percentOf, percentPpm: random.pick([0n, 15_000n, 255_000n, 900_000n, 1_000_000n]) }
}

/** What was broken and requested on the first day can be reversed and decided until here, give or take some days. */
const WINDOW_CLOSES = new Date('2026-01-31T10:00:00.000Z')

/** From the opening day to after maturity. */
function drawStart(random: Random): Date {
  const day = random.pick([0, 0, 1, 20, 40, 122, 199, 200, 230])
  return new Date(Date.parse('2026-01-01T10:00:00.000Z') + day * 86_400_000 + random.below(24 * 60) * 60_000)
}

type Books = Record<Operation['caller'], Awaited<ReturnType<typeof readBook>>>

async function readBooks(db: Database, world: World, began: Date): Promise<Books> {
  return {
    ours: await readBook(db, world.books.ours, began),
    theirs: await readBook(db, world.books.theirs, began),
  }
}

function stepAt({ began, stepMs }: Pace, at: string): number {
  return Math.floor((Date.parse(at) - began.getTime()) / stepMs)
}

/** What happened since the world began; the event of the use of a link has no request id. */
function keepNew(
  happened: readonly Happened[],
  caller: Operation['caller'],
  { pace, opening, closing }: { pace: Pace; opening: Books; closing: Books },
): void {
  const book = closing[caller]
  const earlier = new Set(opening[caller].jobs.map(({ id }) => id))
  book.jobs = book.jobs.filter(({ id }) => !earlier.has(id))
  const events = [...book.recorded.events].filter(([id]) => !earlier.has(id))
  const uses = new Map([...book.uses].filter(([id]) => !opening[caller].uses.has(id)))
  const own = happened.filter((one) => one.operation.caller === caller)
  const assigned = assignUses(own, uses, (at) => stepAt(pace, at))
  assert(assigned !== null, `${caller}: a link was used by nobody`)
  book.recorded = { ...book.recorded, events: new Map([...events, ...assigned]) }
}

function checkBook(
  happened: readonly Happened[],
  caller: Operation['caller'],
  book: { pace: Pace; rules: World['books']['ours']['rules']; opening: Books; closing: Books },
): void {
  const { pace, rules } = book
  const { state, recorded, jobs, lines, differences } = book.closing[caller]
  assert(differences.length === 0, differences.join('; '))
  const stepOf = (at: string) => stepAt(pace, at)
  const made = jobs.map(({ id, request, at }): Happened => {
    const operation = { id, caller, instance: 0, key: null, request }
    const step = stepOf(at.toISOString())
    // It was decided at this step, and committed at one of those that follow.
    return { operation, began: step, ended: step, outcome: { kind: 'unknown' } }
  })
  const tried = lines.map(({ operation, event, refused }): Happened => {
    const began = event === null ? 0 : stepOf(event.at)
    const outcome: Outcome =
      refused === null ? { kind: 'unknown' } : { kind: 'refused', code: refused, details: null }
    return {
      operation: { ...operation, caller, instance: 0 },
      began,
      ended: Number.MAX_SAFE_INTEGER,
      outcome,
    }
  })
  const own = [...happened.filter((one) => one.operation.caller === caller), ...made, ...tried]
  const opening = book.opening[caller].state
  const last = Math.max(...happened.map(({ ended }) => ended))
  const stepTime = (step: number) => timeAt(pace, Math.min(step, last))
  const history = { rules, timeAt: stepTime, happened: own, opening, recorded, closing: state }
  const difference = findDifference(history)
  assert(difference === null, difference ?? '')
  const strangers = [...recorded.events.keys()].filter((id) => !own.some((one) => one.operation.id === id))
  assert(strangers.length === 0, `${caller} has the changes of others: ${strangers}`)
}

/** Nothing is left that was due when the jobs ran for the last time; what a lien holds is not paid out. */
function checkDone({ state }: Books['ours'], on: string): void {
  for (const [depositId, deposit] of state.deposits) {
    const { status, maturityDate, lien, instruction } = deposit
    const isDue = status === 'ACTIVE' && maturityDate <= on && (lien === 0n || instruction !== 'PAY_OUT')
    assert(!isDue, `${depositId} matured on ${maturityDate}, and the job left it`)
    assert(!hasDue(deposit, on), `${depositId} has interest that was due on ${on}, and the job left it`)
  }
  for (const [batchId, status] of state.batches) assert(status !== 'RUNNING', `${batchId} is not done`)
}

function countOutcomes(happened: readonly Happened[], closing: Books): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { operation, outcome } of happened) {
    const made = closing[operation.caller].recorded.events.has(operation.id)
    const name =
      outcome.kind === 'answered' && outcome.replayed
        ? 'replayed'
        : outcome.kind === 'unknown'
          ? `unknown, ${made ? 'made' : 'not made'}`
          : outcome.kind
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

function countMade(happened: readonly Happened[], closing: Books): Record<string, number> {
  const counts: Record<string, number> = {}
  const requests = [
    ...happened
      .filter(({ operation: { id, caller } }) => closing[caller].recorded.events.has(id))
      .map(({ operation }) => operation.request),
    ...Object.values(closing).flatMap(({ jobs }) => jobs.map(({ request }) => request)),
    ...Object.values(closing).flatMap(({ lines }) =>
      lines.filter(({ refused }) => refused === null).map(({ operation }) => operation.request),
    ),
  ]
  for (const request of requests) {
    const { kind } = request
    const names = [
      kind,
      ...('waivedPpm' in request ? ['waive'] : []),
      ...('byKey' in request ? ['use key'] : []),
    ]
    for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
