/**
 * The shape of every write but the batched liquidation: lock, read, decide, write, in one transaction of one book, with
 * its event and the answer to its idempotency key.
 */
import type { Book } from '../../domain/book.ts'
import { businessDate } from '../../domain/dates.ts'
import type { Moment } from '../../domain/moment.ts'
import { type Refusal, refuse } from '../../domain/refusal.ts'
import type { Database, Queries, Transaction } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import { persist } from './persistence.ts'
import { type ChangeEvent, findEvents, readSituation, recordChange } from './recording.ts'

/** Who asks, for which book, and under which key the answer is to be remembered. */
export type Origin = {
  book: Book
  apiKeyId: string | null
  requestId: string | null
  idempotency: { key: string; fingerprint: string } | null
  /** Hides an answer that shows a secret from everybody but the key that asked for it. */
  seal?: Seal
}

/** open answers null where another key closed it. */
export type Seal = { close: (text: string) => string; open: (sealed: string) => string | null }

export type Answered = { outcome: 'answered'; status: number; body: string; replayed: boolean }

/** What a decision leads to: the answer, and the event that records it; none where nothing changed. */
export type Made = {
  outcome: 'made'
  status: 200 | 201
  body: string
  /** The body shows a secret: what is kept of it for replays is sealed. */
  sealed?: true
  event: Pick<ChangeEvent, 'type' | 'announced' | 'subjectId' | 'data' | 'changes'> | null
}

export type Work<Locked> = {
  /** Locks come first: what is read afterwards is then newer than all that the locks waited for. */
  lock: (tx: Queries) => Promise<Locked>
  /** Decides, and writes unless it refuses. */
  decide: (tx: Transaction, locked: Locked, moment: Moment) => Promise<Made | Refusal>
}

export type Perform = <Locked>(origin: Origin, work: Work<Locked>) => Promise<Answered | Refusal>

export function createPerform(db: Database, clock: () => Date): Perform {
  return async function perform(origin, work) {
    const { bookId } = origin.book
    const eventId = newId('evt')
    const keys = origin.idempotency === null ? [] : [origin.idempotency.key]
    let unconfirmed: Answered | null = null

    return persist((inDoubt) =>
      db.transaction(async (tx) => {
        // Both travel together, and run in this order.
        const [locked, situation] = await Promise.all([work.lock(tx), readSituation(tx, bookId, keys)])
        if (inDoubt && unconfirmed !== null && (await findEvents(tx, bookId, [eventId])).size === 1) {
          return unconfirmed
        }
        const earlier = keys[0] === undefined ? undefined : situation.answers.get(keys[0])
        if (earlier !== undefined) {
          const body = keptBody(earlier.body, origin.seal)
          if (body === null || earlier.fingerprint !== origin.idempotency?.fingerprint) {
            return refuse('idempotency_key_reused')
          }
          return { outcome: 'answered', status: earlier.status, body, replayed: true }
        }
        const moment = momentOf(origin.book, clock(), situation.clockOffsetMs)
        const made = await work.decide(tx, locked, moment)
        if (made.outcome === 'refused') return made
        const { status, body } = made
        recordChange(tx, bookId, {
          event: made.event && {
            ...made.event,
            eventId,
            apiKeyId: origin.apiKeyId,
            requestId: origin.requestId,
            at: moment.at,
          },
          answer: origin.idempotency && {
            ...origin.idempotency,
            status,
            body: made.sealed && origin.seal ? SEALED + origin.seal.close(body) : body,
            at: moment.at,
          },
        })
        // While an earlier attempt may still be on its way, only writes that did not collide with its own tell that this
        // one is the change.
        if (inDoubt) await tx.written()
        unconfirmed = { outcome: 'answered', status, body, replayed: false }
        return unconfirmed
      }),
    )
  }
}

/** No answer in plain text begins so: those are JSON objects. */
const SEALED = 'sealed:'

function keptBody(kept: string, seal: Seal | undefined): string | null {
  if (!kept.startsWith(SEALED)) return kept
  return seal?.open(kept.slice(SEALED.length)) ?? null
}

export function momentOf(book: Book, now: Date, clockOffsetMs: number): Moment {
  const at = clockOffsetMs === 0 ? now : new Date(now.getTime() + clockOffsetMs)
  return { at, today: businessDate(at, book.timeZone) }
}
