/**
 * Sealing a book: its rows are hashed outside of any transaction, then one small transaction adds the seal with its event.
 * Guarantees: seals are numbered without a gap and cover every row once; of two instances that seal the same rows one
 * does, the other does nothing; no request waits for it.
 */
import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { SEAL_JOB } from '../../domain/actor.ts'
import type { Book } from '../../domain/book.ts'
import { type BookSeal, earlierSeal, FIRST_ORDINAL, restMs } from '../../domain/seal.ts'
import { type Change, made } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import type { Queries } from '../../engine/database/database.ts'
import { passOrdinal, timeOf } from '../../engine/database/ids.ts'
import { chainedHead, leafHash, openTree } from '../../engine/database/merkle.ts'
import { SealRecord } from './record.ts'
import {
  findLastSeal,
  findSeals,
  findUnsealed,
  hashEntries,
  hashEvents,
  insertSeal,
  lockLastSeal,
  SEALED,
} from './store.ts'

/** Rows that one statement hashes: the embedded engine serves nobody else meanwhile. */
const PAGE_ROWS = 1_000
type Draft = Omit<BookSeal, 'head' | 'sealedAt'>
type DraftOptions = { from: bigint; upTo: bigint; eventsMax: number; giveWay: () => Promise<void> }

/** What is hashed into the head; the salt itself is not shown. */
export function textOfSeal(seal: Omit<BookSeal, 'head'>, sealedUs = microsecondsOf(seal.sealedAt)): string {
  const { sealNo, from, to, events, entries, root, salt } = seal
  const saltHash = leafHash(salt)
  const [span, time] = [[String(from), String(to)], String(sealedUs)]
  return JSON.stringify(['seal', sealNo, ...span, events, entries, root, saltHash, time])
}

function microsecondsOf(at: Date): bigint {
  return BigInt(at.getTime()) * 1000n
}

type Heads = { previous: BookSeal | null; earlier: string | null }

const seal: Change<Draft, BookSeal | null, Heads, BookSeal | null> = {
  batchMax: 1,
  lock: lockLastSeal,
  read: async (tx, { book, requests }, previous) => {
    const earlierNo = earlierSeal(requests[0]!.sealNo)
    const earlier = await findSeals(tx, book.bookId, [earlierNo])
    return { previous, earlier: earlier.get(earlierNo)?.head ?? null }
  },
  decider:
    ({ previous, earlier }, { now }) =>
    (draft) => {
      // Another instance was first.
      if (draft.sealNo !== (previous?.sealNo ?? 0) + 1) return made(null)
      const text = textOfSeal({ ...draft, sealedAt: now })
      const head = chainedHead({ previous: previous?.head ?? null, earlier, text })
      return made({ ...draft, head, sealedAt: now })
    },
  write(tx, bookId, seals, recording) {
    for (const one of seals) if (one !== null) insertSeal(tx, bookId, one)
    record(tx, bookId, recording)
  },
  events: (one) =>
    one === null
      ? []
      : [
          {
            type: SEALED,
            announced: true,
            subjectId: String(one.sealNo),
            data: SealRecord.json(one),
            changes: null,
          },
        ],
}

/** What sealing needs of it. */
export type SealingEngine = Pick<Engine, 'db' | 'perform' | 'unfinished'>

/** Makes the next seal of a book, up to an ordinal below which nothing can appear. null: there was nothing to seal. */
export async function sealNext(
  { db, perform, unfinished }: SealingEngine,
  book: Book,
  { upTo, eventsMax }: { upTo: bigint; eventsMax: number },
): Promise<BookSeal | null> {
  const last = await findLastSeal(db, book.bookId)
  if (last !== null) passOrdinal(last.to)
  const from = last?.to ?? FIRST_ORDINAL
  const oldest = from < upTo ? await findUnsealed(db, book.bookId, { from, to: upTo }) : undefined
  if (oldest === undefined) return null
  const behindMs = timeOf(upTo).getTime() - timeOf(oldest.ordinal).getTime()
  let startedMs = performance.now()
  const giveWay = async () => {
    const workedMs = performance.now() - startedMs
    await (unfinished() > 0 ? sleep(restMs({ workedMs, behindMs })) : nextTurn())
    startedMs = performance.now()
  }
  const draft = await draftSeal(db, book.bookId, last, { from, upTo, eventsMax, giveWay })
  const origin = { book, actor: SEAL_JOB, requestId: null, idempotency: null }
  const result = await perform(seal, origin, draft)
  return result.outcome === 'done' ? result.value : null
}

async function draftSeal(
  db: Queries,
  bookId: string,
  last: BookSeal | null,
  { from, upTo, eventsMax, giveWay }: DraftOptions,
): Promise<Draft> {
  const salt = last?.salt ?? randomBytes(16).toString('hex')
  const tree = openTree()
  const limit = Math.min(PAGE_ROWS, eventsMax)
  let to = from
  for (let isFull = true; isFull && tree.size() < eventsMax; ) {
    const page = await hashEvents(db, bookId, { salt, from: to, to: upTo, limit })
    page.hashes.forEach(tree.add)
    isFull = page.hashes.length >= limit
    to = isFull ? page.last! : upTo
    await giveWay()
  }
  const events = tree.size()
  for await (const page of readEntryHashes(db, bookId, { from, to })) {
    page.forEach(tree.add)
    await giveWay()
  }
  const entries = tree.size() - events
  const sealNo = (last?.sealNo ?? 0) + 1
  return { sealNo, from, to, coversTo: timeOf(to), events, entries, root: tree.root(), salt }
}

export async function* readEventHashes(
  db: Queries,
  bookId: string,
  { from, to, salt }: { from: bigint; to: bigint; salt: string },
  limit = PAGE_ROWS,
): AsyncGenerator<string[]> {
  for (let after: bigint | null = from; after !== null; ) {
    const page = await hashEvents(db, bookId, { salt, from: after, to, limit })
    yield page.hashes
    after = page.hashes.length < limit ? null : page.last
  }
}

export async function* readEntryHashes(
  db: Queries,
  bookId: string,
  { from, to }: { from: bigint; to: bigint },
  limit = PAGE_ROWS,
): AsyncGenerator<string[]> {
  let after: string | null = null
  do {
    const page = await hashEntries(db, bookId, { from, to, after, limit })
    yield page.hashes
    after = page.hashes.length < limit ? null : page.last
  } while (after !== null)
}
