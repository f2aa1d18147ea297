/**
 * A database that fails according to the seed: before and after each statement, and around COMMIT, where the failure
 * may leave the change made, not made, or made later, after a client has already retried. It throws what the adapters
 * throw: a failure is of unknown outcome only once COMMIT was sent.
 */
import {
  type Database,
  DatabaseError,
  type Queries,
  type Transaction,
} from '../../../src/engine/database/database.ts'
import type { Random } from '../../support/random.ts'
import { through } from '../../support/through.ts'
import type { Schedule } from './schedule.ts'

export type Faults = {
  random: Random
  /** Per statement; a commit fails four times as often, because its failures are the interesting ones. */
  probability: number
  counts: Record<string, number>
}

/** One per world: on an engine with a single connection no transaction can begin while another is open. */
export type Connections = { exclusive: boolean; open: number }

/** Errors that are retried are more frequent, because the others end an operation immediately. */
const STATEMENT_STATES = ['40001', '40001', '40P01', '40P01', '55P03', '08006', 'XX000']
const REFUSED_COMMIT_STATES = ['40001', '40P01', '55P03']
const LOST_COMMIT_STATES = ['08006', '40003', 'XX000', null]

export function createFaultyDatabase(options: {
  db: Database
  schedule: Schedule
  faults: Faults
  connections: Connections
}): Database {
  const { db, schedule, faults, connections } = options
  const { random } = faults
  let aftershocks = 0
  const isFree = () => !connections.exclusive || connections.open === 0

  return {
    isSharded: db.isSharded,
    query: (text, values) => atTurn(`${firstWords(text)}`, isFree, () => db.query(text, values), 'query'),
    transaction,
    script: db.script,
    close: async () => undefined,
  }

  function transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    void runTransaction(work, resolve, reject)
    return promise
  }

  /** Resolves before it is over where the seed makes a commit arrive late. */
  async function runTransaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    resolve: (result: Result) => void,
    reject: (error: unknown) => void,
  ): Promise<void> {
    let over = await schedule.turn(`begin`, isFree)
    connections.open += 1
    let failure: DatabaseError | null = null
    try {
      if (random.chance(faults.probability / 2)) throw injected(random.pick(['08006', null]), 'begin')
      const result = await db.transaction(async (tx) => {
        over()
        try {
          const result = await through(failing(tx), work)
          over = await schedule.turn(`commit`)
          failure = commitFault()
          if (failure === null) return result
          if (failure.outcomeUnknown && random.chance(0.5)) {
            const late = random.chance(0.5)
            count(late ? 'commit made late' : 'commit made, answer lost')
            schedule.trace.push(`${late ? 'commit under way' : 'commit made'}, answer lost`)
            if (!late) return result
            reject(failure)
            over()
            over = await schedule.turn(`late commit`)
            return result
          }
          count(failure.outcomeUnknown ? 'commit lost' : 'commit refused')
          schedule.trace.push(`commit not made: ${failure.message}`)
          throw failure
        } catch (error) {
          over()
          over = schedule.enter()
          throw error
        }
      })
      if (failure === null) resolve(result)
      else reject(failure)
    } catch (error) {
      reject(error)
    } finally {
      connections.open -= 1
      over()
    }
  }

  /**
   * What is started together runs in the order in which it was started. After a failure the server refuses everything
   * until the transaction ends, and so does this.
   */
  function failing(tx: Queries): Queries['query'] {
    let failed = false
    let last: Promise<unknown> = Promise.resolve()
    return <Row>(text: string, values?: readonly unknown[]) => {
      const answered = last.then(() => run<Row>(text, values))
      last = answered.catch(() => undefined)
      return answered
    }

    async function run<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> {
      if (failed) throw new DatabaseError('The transaction failed before.', { sqlState: '25P02' })
      try {
        return await atTurn(
          `${firstWords(text)}`,
          () => true,
          () => tx.query<Row>(text, values),
          'statement',
        )
      } catch (error) {
        failed = true
        throw error
      }
    }
  }

  async function atTurn<Result>(
    turnName: string,
    isReady: () => boolean,
    work: () => Promise<Result>,
    kind: string,
  ): Promise<Result> {
    const over = await schedule.turn(turnName, isReady)
    try {
      if (!isStruck()) return await work()
      const state = random.pick(STATEMENT_STATES)
      if (random.chance(0.5)) throw injected(state, `before ${kind}`)
      await work()
      throw injected(state, `after ${kind}`)
    } catch (error) {
      if (isReal(error)) count(`real ${error.sqlState}`)
      throw error
    } finally {
      over()
    }
  }

  function commitFault(): DatabaseError | null {
    if (!random.chance(4 * faults.probability)) return null
    if (random.chance(0.3)) return fault(random.pick(REFUSED_COMMIT_STATES), false)
    // The lookup of a lost commit fails too, now and then.
    aftershocks = 4
    return fault(random.pick(LOST_COMMIT_STATES), true)
  }

  function injected(state: string | null, where: string): DatabaseError {
    count(`${state ?? 'no state'} ${where}`)
    schedule.trace.push(`${state ?? 'no state'} ${where}`)
    return fault(state, false)
  }

  function isStruck(): boolean {
    if (aftershocks === 0) return random.chance(faults.probability)
    aftershocks -= 1
    // None follow into the end, when the jobs do what is left.
    return random.chance(faults.probability === 0 ? 0 : 0.15)
  }

  function count(what: string): void {
    faults.counts[what] = (faults.counts[what] ?? 0) + 1
  }
}

const INJECTED = 'Injected'

function fault(sqlState: string | null, outcomeUnknown: boolean): DatabaseError {
  const message = `${INJECTED} ${sqlState ?? 'without a state'}${outcomeUnknown ? ', outcome unknown' : ''}.`
  return new DatabaseError(message, { sqlState, outcomeUnknown })
}

export function isInjected(error: unknown): boolean {
  return error instanceof DatabaseError && error.message.startsWith(INJECTED)
}

function isReal(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && !isInjected(error)
}

function firstWords(text: string): string {
  const words = text.trim().split(/\s+/)
  const table = words[words.findIndex((word) => /^(from|update|into)$/i.test(word)) + 1]
  return `${words[0]} ${table ?? ''}`
}
