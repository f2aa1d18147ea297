/**
 * What verification claims of the seals of a book: the chain is whole, and the rows that a seal covers are still the ones
 * that were sealed. Many small seals are read together; where something differs, each of them is read by itself.
 */
import type { Failed } from '../../domain/claim.ts'
import { type BookSeal, earlierSeal, FIRST_ORDINAL } from '../../domain/seal.ts'
import type { Queries } from '../../engine/database/database.ts'
import { entryIdAt, ordinalAt, timeOf } from '../../engine/database/ids.ts'
import { chainedHead, openTree } from '../../engine/database/merkle.ts'
import { readClock } from '../clock/store.ts'
import { readEntryHashes, readEventHashes, textOfSeal } from './changes.ts'
import { countSeals, findLastSeal, findUnsealed, readNewestRows, readSeals } from './store.ts'

export const SEAL_CHAIN = 'each seal continues the chain of the seals before it'
export const SEAL_ROOT = 'the events and ledger entries that a seal covers are those that were sealed'
export const SEAL_EVENTS = 'each seal has its event'
export const SEALED_IN_TIME = 'what happened is sealed within minutes'

const SEALS_PER_PAGE = 500
/** Seals are read together until they have as many leaves. */
const LEAVES_TOGETHER = 5_000
/** A service that runs seals every minute; one that was stopped seals when it starts. */
const UNSEALED_MAX_MS = 15 * 60_000
/** No clock of an instance is so far ahead. */
const AHEAD_MAX_MS = 3_600_000

type StoredSeal = BookSeal & { sealedUs: bigint }

type Look = { seals: number; look: () => Promise<Failed | null> }

/** What is to be looked at, one after the other; the chain is compared while it is read. */
export async function* looksAtSeals(db: Queries, bookId: string, pageRows?: number): AsyncGenerator<Look> {
  let previous: StoredSeal | null = null
  let group: StoredSeal[] = []
  /** The seals whose heads later ones may contain. */
  const heads: BookSeal[] = []
  for (let page: StoredSeal[] = [], after = 0; ; after = page.at(-1)!.sealNo) {
    page = await readSeals(db, bookId, { after, limit: SEALS_PER_PAGE })
    for (const seal of page) {
      while ((heads.at(-1)?.sealNo ?? 0) > earlierSeal(seal.sealNo)) heads.pop()
      const broken = brokenLink(seal, previous, heads.at(-1)?.head ?? null)
      if (broken !== null) return yield { seals: 1, look: async () => broken }
      previous = seal
      heads.push(seal)
      group.push(seal)
      if (leavesOf(group) < LEAVES_TOGETHER) continue
      yield lookAt(group)
      group = []
    }
    if (page.length < SEALS_PER_PAGE) break
  }
  if (group.length > 0) yield lookAt(group)
  yield { seals: 0, look: () => findUnsealedDifference(db, bookId) }

  function lookAt(seals: readonly StoredSeal[]): Look {
    return { seals: seals.length, look: () => findChangedSeal(db, bookId, seals, pageRows) }
  }
}

function leavesOf(seals: readonly BookSeal[]): number {
  return seals.reduce((sum, { events, entries }) => sum + events + entries, 0)
}

function brokenLink(seal: StoredSeal, previous: BookSeal | null, earlier: string | null): Failed | null {
  const sealNo = (previous?.sealNo ?? 0) + 1
  const from = previous?.to ?? FIRST_ORDINAL
  const text = textOfSeal(seal, seal.sealedUs)
  const head = chainedHead({ previous: previous?.head ?? null, earlier, text })
  if (seal.sealNo === sealNo && seal.from === from && seal.head === head) return null
  return {
    claim: SEAL_CHAIN,
    ids: { seal_no: String(seal.sealNo) },
    found: `seal ${seal.sealNo} after ${seal.from}, head ${seal.head}`,
    expected: `seal ${sealNo} after ${from}, head ${head}`,
  }
}

/** The first seal of some that follow one another whose rows were changed. */
async function findChangedSeal(
  db: Queries,
  bookId: string,
  seals: readonly BookSeal[],
  pageRows: number | undefined,
): Promise<Failed | null> {
  const [{ from, salt }, { to }] = [seals[0]!, seals.at(-1)!]
  const [events, entries]: [string[], string[]] = [[], []]
  for await (const page of readEventHashes(db, bookId, { from, to, salt }, pageRows)) events.push(...page)
  for await (const page of readEntryHashes(db, bookId, { from, to }, pageRows)) entries.push(...page)
  const [allEvents, allEntries] = [events.length, entries.length]
  const isSame = seals.every((seal) => {
    const tree = openTree()
    for (const hash of events.splice(0, seal.events)) tree.add(hash)
    for (const hash of entries.splice(0, seal.entries)) tree.add(hash)
    return tree.size() > 0 && tree.root() === seal.root
  })
  if (isSame && events.length + entries.length === 0) return null
  if (seals.length === 1) return changed(seals[0]!, `${allEvents} events, ${allEntries} entries`)
  for (const seal of seals) {
    const found = await findChangedSeal(db, bookId, [seal], pageRows)
    if (found !== null) return found
  }
  return changed(seals[0]!, 'rows that changed meanwhile')
}

function changed({ sealNo, from, coversTo, events, entries }: BookSeal, rows: string): Failed {
  const since = from === FIRST_ORDINAL ? 'the beginning' : timeOf(from).toISOString()
  return {
    claim: SEAL_ROOT,
    ids: { seal_no: String(sealNo) },
    found: `${rows} with another root, from ${since} to ${coversTo.toISOString()}`,
    expected: `${events} events, ${entries} entries`,
  }
}

async function findUnsealedDifference(db: Queries, bookId: string): Promise<Failed | null> {
  const counts = await countSeals(db, bookId)
  if (counts.seals !== counts.events || counts.head !== counts.event_head) {
    const found = `${counts.seals} seals, head ${counts.head}; ${counts.events} events, head ${counts.event_head}`
    return { claim: SEAL_EVENTS, ids: {}, found, expected: 'one event for each seal, with its head' }
  }
  const last = await findLastSeal(db, bookId)
  // Before the first seal, such as right after an upgrade, nothing can be said.
  if (last === null) return null
  const now = await readClock(db)
  const newest = await readNewestRows(db, bookId)
  const ahead = ordinalAt(new Date(now.getTime() + AHEAD_MAX_MS))
  if ((newest.event ?? 0n) > ahead || (newest.entry ?? '') > entryIdAt(ahead)) {
    return unsealed(`${newest.event} ${newest.entry}`, 'no event or entry of the future')
  }
  if (now.getTime() - last.sealedAt.getTime() < UNSEALED_MAX_MS) return null
  // Compared with the newest event, because a service that is stopped seals nothing.
  const to = (newest.event ?? 0n) - ordinalAt(new Date(UNSEALED_MAX_MS))
  const oldest = to > last.to ? await findUnsealed(db, bookId, { from: last.to, to }) : undefined
  return oldest === undefined ? null : unsealed(oldest.eventId, `a seal after ${last.sealNo}`)
}

function unsealed(found: string, expected: string): Failed {
  return { claim: SEALED_IN_TIME, ids: {}, found, expected }
}
