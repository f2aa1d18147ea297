/**
 * Seals of a book: how they are numbered and chained. Each head is made from the head before it and from that of an
 * earlier seal, so that the way from a seal to any later head is short, however many seals lie between them.
 */

/** Hashes are texts of 64 hexadecimal digits. */
export type BookSeal = {
  sealNo: number
  /** Covers the rows after `from`, up to and including `to`. */
  from: bigint
  to: bigint
  /** The time of `to`. */
  coversTo: Date
  events: number
  entries: number
  root: string
  head: string
  salt: string
  sealedAt: Date
}

/** What a reader keeps of a seal, outside the database. */
export type SealHead = Pick<BookSeal, 'sealNo' | 'head'>

/** A seal covers at most about as many events as this. */
export const EVENTS_PER_SEAL = 10_000

/** The first range has no beginning: nothing can be put before it unnoticed. */
export const FIRST_ORDINAL = -(2n ** 63n)

/** From here on a book is behind: its seals keep up with the requests. */
const BEHIND_MS = 5 * 60_000
const REST_BEHIND_MS = 50
const REST_SHARE = 20
const REST_MAX_MS = 1_000

/**
 * How long sealing rests after each page while there are requests: twenty times as long as the page took, so that a burst of them
 * hardly notices it and is sealed afterwards; shorter in a book that is behind, such as one with a long past.
 */
export function restMs({ workedMs, behindMs }: { workedMs: number; behindMs: number }): number {
  return behindMs > BEHIND_MS ? REST_BEHIND_MS : Math.min(REST_SHARE * workedMs, REST_MAX_MS)
}

/** The seal whose head goes into the head of this one beside the head before it: its number without the lowest bit. 0: none. */
export function earlierSeal(sealNo: number): number {
  return sealNo & (sealNo - 1)
}

/** The seals on the shortest way from one to a later one, without the first, in ascending order. */
export function sealsBetween({ from, to }: { from: number; to: number }): number[] {
  const way: number[] = []
  for (let sealNo = to; sealNo > from; ) {
    way.unshift(sealNo)
    const earlier = earlierSeal(sealNo)
    sealNo = earlier >= from ? earlier : sealNo - 1
  }
  return way
}
