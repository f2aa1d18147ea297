/**
 * Sign-in and sessions of people, and limits on trying passwords.
 *
 * - A wrong password, an unknown address and a person who was disabled or has not accepted yet get the same answer
 *   after the same work.
 * - Tries are limited per address and per person. A browser in which the person signed in before has its own limit: a
 *   stranger who uses up the limit of a person does not lock that person out.
 * - Sessions are not cached here: a person who is disabled loses access immediately, on every instance.
 */
import { isIPv6 } from 'node:net'
import type { Actor } from '../../domain/actor.ts'
import type { Book } from '../../domain/book.ts'
import { passwordFault } from '../../domain/password.ts'
import {
  emailKey,
  isSessionOver,
  type Person,
  type PersonRefusal,
  refusePerson,
  SCOPES_OF_ROLE,
} from '../../domain/people.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { listCallers } from '../callers/store.ts'
import {
  type Changed,
  findLink,
  renewSession,
  type SignedIn,
  setPasswordByLink,
  startSession,
} from './changes.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import {
  endSession,
  findPeopleByEmail,
  findPerson,
  findSession as findStoredSession,
  hashSecret,
  isBrowserOf,
  readMostShared,
  type Session,
  SHARED_MAX,
  type StoredPerson,
  touchSession,
} from './store.ts'

/** Tries per minute of all unknown browsers together for one person, or of one known browser. */
const TRIES_PER_MINUTE = 10
const TOUCHED_EVERY_MS = 10_000

/** What a door needs to act for a person as for a key; each request chooses one of the books. */
export type PersonIdentity = {
  actor: Actor
  scopes: readonly string[]
  /** Those of the person's modes, the test book first. */
  books: readonly Book[]
  person: Person
  session: Session
}

export type Browser = {
  address: string | null
  userAgent: string | null
  /** The secret of an earlier session, ended or not, if the browser still has one. */
  earlierSecret: string | null
}

/** The same address and password at several callers: the person has to choose one. */
type SeveralCallers = { outcome: 'several_callers'; callers: { callerId: string; name: string }[] }

/** Whether another try is allowed under this name, within a limit per minute. */
export type Take = (name: string, perMinute: number) => { allowed: boolean; retryAfterSeconds: number }

export type SignIn = ReturnType<typeof createSignIn>

export function createSignIn({
  take,
  limits,
  passwords = createPasswords(),
  engine,
}: {
  engine: Engine
  take: Take
  /** 0 is no limit. */
  limits: { triesPerAddressPerMinute: number }
  passwords?: Passwords
}) {
  const { db, clock } = engine

  return { signIn, findSession, signOut, confirmPassword, changePassword, setPassword }

  async function signIn(asked: {
    email: string
    password: string
    browser: Browser
    /** Needed only after `several_callers`. */
    callerId?: string
  }): Promise<SignedIn | SeveralCallers | PersonRefusal> {
    const { email, password, browser, callerId = null } = asked
    const refused = limitAddress(browser.address) ?? limitPerson(await nameOfLimit(email, browser))
    if (refused !== null) return refused
    const people = await findPeopleByEmail(db, { email, callerId })
    // The same work for every address, so that the time does not reveal whether, or at how many callers, it is known.
    const rounds = Math.min(SHARED_MAX, Math.max(1, await readMostShared(db)))
    const matching: StoredPerson[] = []
    for (let round = 0; round < rounds; round += 1) {
      const person = people[round]
      const matches = await passwords.matches(password, person?.passwordHash ?? null)
      if (matches && person !== undefined) matching.push(person)
    }
    const [person] = matching
    if (person === undefined) return refusePerson('sign_in_refused')
    if (matching.length > 1) return { outcome: 'several_callers', callers: await callersOf(matching) }
    return startSession(engine, person, { address: browser.address, userAgent: browser.userAgent })
  }

  /** Each use extends the session, to within TOUCHED_EVERY_MS. */
  async function findSession(secret: string): Promise<PersonIdentity | undefined> {
    const found = await findStoredSession(db, secret)
    const now = clock()
    if (found === undefined || found.person.status !== 'ACTIVE' || isSessionOver(found.session, now)) {
      return undefined
    }
    const { session, person, books } = found
    if (now.getTime() - session.lastSeenAt.getTime() >= TOUCHED_EVERY_MS) {
      // Not worth failing a request for: the session would only end a little sooner.
      await touchSession(db, session, now).catch(() => undefined)
    }
    const actor: Actor = { kind: 'PERSON', id: person.personId, name: person.name }
    return { actor, scopes: SCOPES_OF_ROLE[person.role], books, person, session }
  }

  async function signOut(secret: string): Promise<void> {
    const found = await findStoredSession(db, secret)
    if (found !== undefined) await endSession(db, found.session, clock())
  }

  /** The password again, for actions that need a recent sign-in; the browser gets a new secret. */
  async function confirmPassword(asked: {
    secret: string
    password: string
  }): Promise<SignedIn | PersonRefusal> {
    const checked = await checkPassword(asked.secret, asked.password)
    if (checked.outcome === 'refused') return checked
    return renewSession(engine, checked.session, { checkedHash: checked.hash })
  }

  async function changePassword(asked: {
    secret: string
    password: string
    newPassword: string
  }): Promise<SignedIn | PersonRefusal> {
    const checked = await checkPassword(asked.secret, asked.password)
    if (checked.outcome === 'refused') return checked
    const fault = passwordFault(asked.newPassword)
    if (fault !== null) return refusePerson(fault)
    const newHash = await passwords.hash(asked.newPassword)
    return renewSession(engine, checked.session, { checkedHash: checked.hash, newHash })
  }

  /** With a link, of an invitation or for a forgotten password. */
  async function setPassword(asked: { token: string; password: string }): Promise<Changed | PersonRefusal> {
    // Before the password is hashed: only a valid link can make the service do that work.
    if ((await findLink(engine, asked.token)) === undefined) return refusePerson('link_not_valid')
    const fault = passwordFault(asked.password)
    if (fault !== null) return refusePerson(fault)
    return setPasswordByLink(engine, {
      token: asked.token,
      passwordHash: await passwords.hash(asked.password),
    })
  }

  async function checkPassword(
    secret: string,
    password: string,
  ): Promise<{ outcome: 'checked'; session: Session; hash: string } | PersonRefusal> {
    const identity = await findSession(secret)
    if (identity === undefined) return refusePerson('session_ended')
    const { session } = identity
    const refused = limitPerson(session.sessionId)
    if (refused !== null) return refused
    const hash = (await findPerson(db, session))?.passwordHash ?? null
    const matches = await passwords.matches(password, hash)
    return matches && hash !== null ? { outcome: 'checked', session, hash } : refusePerson('sign_in_refused')
  }

  function limitAddress(address: string | null): PersonRefusal | null {
    const perMinute = limits.triesPerAddressPerMinute
    return address === null || perMinute === 0 ? null : limit(`address ${networkOf(address)}`, perMinute)
  }

  function limitPerson(name: string): PersonRefusal | null {
    return limit(name, TRIES_PER_MINUTE)
  }

  function limit(name: string, perMinute: number): PersonRefusal | null {
    const { allowed, retryAfterSeconds } = take(name, perMinute)
    if (allowed) return null
    return refusePerson('too_many_sign_ins', { retry_after_seconds: String(retryAfterSeconds) })
  }

  /** Hashed, because an invented address may be long. */
  async function nameOfLimit(email: string, { earlierSecret }: Browser): Promise<string> {
    const known = earlierSecret !== null && (await isBrowserOf(db, earlierSecret, email))
    return known ? `browser ${hashSecret(earlierSecret)}` : `strangers ${hashSecret(emailKey(email))}`
  }

  async function callersOf(people: readonly Person[]): Promise<SeveralCallers['callers']> {
    const callers = await listCallers(db)
    return callers
      .filter(({ callerId }) => people.some((person) => person.callerId === callerId))
      .map(({ callerId, name }) => ({ callerId, name }))
  }
}

/** A holder of one IPv6 address usually has all that share its first 64 bits. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped !== null) return mapped[1]!
  if (!isIPv6(address)) return address
  const [head, tail] = address
    .replace(/%.*$/, '')
    .toLowerCase()
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':')))
  const zeros = tail === undefined ? 0 : 8 - head!.length - tail.length
  const groups = [...head!, ...Array.from({ length: zeros }, () => '0'), ...(tail ?? [])]
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
