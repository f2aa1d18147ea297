/** Identifiers and ordinals are made in the service: no statement depends on a sequence or a clock of the database. */
import { randomFillSync, randomInt } from 'node:crypto'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_CHARACTERS = 24

type IdPrefix =
  | 'cal'
  | 'cus'
  | 'fd'
  | 'liq'
  | 'evt'
  | 'we'
  | 'wd'
  | 'key'
  | 'req'
  | 'per'
  | 'ses'
  | 'dev'
  | 'fac'
  | 'lien'
  | 'apr'
  | 'bat'

/**
 * The millisecond it was made in, then random characters. Rows that are written together have neighbouring keys, so each
 * index grows in one place; nobody can guess the id of another (89 random bits).
 */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${millisecondText()}${randomBase62(ID_CHARACTERS - TIME_CHARACTERS)}`
}

/** Characters of base 36, whose digits sort alike in every locale; enough until the year 5188. */
const TIME_CHARACTERS = 9
let textMs = 0
let text = ''

function millisecondText(): string {
  const nowMs = Date.now()
  if (nowMs !== textMs) {
    textMs = nowMs
    text = nowMs.toString(36).padStart(TIME_CHARACTERS, '0')
  }
  return text
}

/** Shorter than others, because every key of every table begins with it: a third less to store, log and compare. */
export function newBookId(): string {
  return `bk_${randomBase62(8)}`
}

export function newAccountNumber(): string {
  return String(randomInt(1_000_000_000, 10_000_000_000))
}

/** The number of a ledger entry, which is also its place in the ledger: newer ones sort after older ones. */
export function newEntryId(): string {
  return entryIdAt(nextOrdinal())
}

export function entryIdAt(ordinal: bigint): string {
  return `le_${ordinal.toString().padStart(ID_CHARACTERS, '0')}`
}

export function ordinalOf(entryId: string): bigint {
  return BigInt(entryId.slice('le_'.length))
}

/** A pool of random bytes, because a system call per identifier would cost more than the identifier. */
const pool = new Uint8Array(16_384)
let used = pool.length

export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    // 62 of 64 values map to a character; the other two are drawn again, so that all characters stay equally likely.
    const letter = BASE62[pool[used++]! & 63]
    if (letter !== undefined) text += letter
  }
  return text
}

const COUNTER_BITS = 11n
const INSTANCE_BITS = 10n
const COUNTER_MAX = 2 ** Number(COUNTER_BITS)
const instance = BigInt(randomInt(2 ** Number(INSTANCE_BITS))) << COUNTER_BITS
let lastMs = 0
let counter = 0
/** The first ordinal of the last millisecond and this instance. */
let firstOrdinal = 0n

/** Ordinals that are made at this time are not below it. */
export function ordinalAt(instant: Date): bigint {
  return BigInt(instant.getTime()) << (INSTANCE_BITS + COUNTER_BITS)
}

/** The time at which an ordinal was made, by the clock of its instance. */
export function timeOf(ordinal: bigint): Date {
  return new Date(Number(ordinal >> (INSTANCE_BITS + COUNTER_BITS)))
}

/**
 * From now on this process makes ordinals above this one, also where its clock is behind: what is sealed stays complete. An
 * ordinal of the future, which no instance made, is ignored.
 */
export function passOrdinal(ordinal: bigint): void {
  const passedMs = timeOf(ordinal).getTime()
  if (passedMs < lastMs || passedMs > Date.now() + AHEAD_MAX_MS) return
  lastMs = passedMs + 1
  counter = 0
  firstOrdinal = ordinalAt(new Date(lastMs)) | instance
}

/** A live book accepts no clock that is further back. */
const AHEAD_MAX_MS = 24 * 3_600_000

/** Grows with every call in a process and with time across processes: the sort order of lists. */
export function nextOrdinal(): bigint {
  const nowMs = Date.now()
  counter += 1
  if (nowMs > lastMs || counter === COUNTER_MAX) {
    lastMs = Math.max(nowMs, lastMs + 1)
    counter = 0
    firstOrdinal = ordinalAt(new Date(lastMs)) | instance
  }
  return firstOrdinal | BigInt(counter)
}
