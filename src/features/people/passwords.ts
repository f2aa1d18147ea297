/**
 * Passwords as argon2id hashes in PHC strings, 19 MiB and 2 passes each. They are computed on the thread pool of the
 * process, a few at a time, so that concurrent sign-ins exhaust neither its memory nor its threads.
 */
import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import { UnavailableError } from '../../engine/change/faults.ts'

const LANES = 1
const SALT_BYTES = 16
const TAG_BYTES = 32

export type Passwords = {
  hash: (password: string) => Promise<string>
  /** Takes the same time for null, which never matches. */
  matches: (password: string, phc: string | null) => Promise<boolean>
}

const USUAL = { memoryKib: 19 * 1024, passes: 2, atOnceMax: 2, waitingMax: 64 }

export function createPasswords(options: Partial<typeof USUAL> = {}): Passwords {
  const { memoryKib, passes, atOnceMax, waitingMax } = { ...USUAL, ...options }
  const current = { memoryKib, passes, lanes: LANES, tagBytes: TAG_BYTES }
  const nobody = { ...current, salt: Buffer.alloc(SALT_BYTES), tag: Buffer.alloc(TAG_BYTES) }
  const waiting: (() => void)[] = []
  let underWay = 0

  return {
    async hash(password) {
      const salt = crypto.randomBytes(SALT_BYTES)
      const tag = await inTurn(() => compute(password, { salt, ...current }))
      return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${LANES}$${base64(salt)}$${base64(tag)}`
    },
    async matches(password, phc) {
      const { tag, ...terms } = phc === null ? nobody : readPhc(phc)
      const computed = await inTurn(() => compute(password, terms))
      return crypto.timingSafeEqual(computed, tag) && phc !== null
    },
  }

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (underWay >= atOnceMax) {
      if (waiting.length >= waitingMax) throw new UnavailableError('Too many passwords wait to be checked.')
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push(resolve)
      await promise
    } else underWay += 1
    try {
      return await work()
    } finally {
      // The next in the queue takes over the place.
      const next = waiting.shift()
      if (next === undefined) underWay -= 1
      else next()
    }
  }
}

type Terms = { salt: Buffer; memoryKib: number; passes: number; lanes: number; tagBytes: number }

/** The same password typed on two keyboards may have differently composed characters. */
async function compute(
  password: string,
  { salt, memoryKib, passes, lanes, tagBytes }: Terms,
): Promise<Buffer> {
  // Not a named import, which would fail the start of the whole program there.
  if (crypto.argon2 === undefined) throw new Error('Passwords need Node 24.7 or newer.')
  return promisify(crypto.argon2)('argon2id', {
    message: password.normalize('NFKC'),
    nonce: salt,
    memory: memoryKib,
    passes,
    parallelism: lanes,
    tagLength: tagBytes,
  })
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function readPhc(phc: string): Terms & { tag: Buffer } {
  const match = PHC.exec(phc)
  if (match === null) throw new Error('A stored password is not an argon2id hash.')
  const [, memoryKib, passes, lanes, salt, tag] = match
  const tagRead = Buffer.from(tag!, 'base64')
  return {
    salt: Buffer.from(salt!, 'base64'),
    memoryKib: Number(memoryKib),
    passes: Number(passes),
    lanes: Number(lanes),
    tagBytes: tagRead.length,
    tag: tagRead,
  }
}

/** PHC strings omit the padding. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
