/**
 * Sign-in and sessions of people, and limits on trying passwords.
 *
 * - A wrong password, an unknown address and a person who was disabled or has not accepted yet get the same answer
 *   after the same work.
 * - Wrong tries are limited for each network and person, and for each person among unknown browsers, for all instances
 *   together. A browser in which the person signed in before has its own limit: nobody locks that person out. An address
 *   that is known at another bank as well gives nobody more tries.
 * - A person with a second factor gives it after the password. What was encrypted in between is good for a few minutes, and
 *   wrong codes count as wrong passwords do.
 * - A passkey signs in without password, where a password would be allowed: a person whom only the identity provider knows
 *   leaves with it.
 * - Sessions are not cached here: a person who is disabled loses access immediately, on every instance.
 */
import { isIPv6 } from 'node:net'
import type { Actor } from '../../domain/actor.ts'
import { emailKey } from '../../domain/email.ts'
import { type FactorPolicy, mustAddFactor } from '../../domain/factors.ts'
import { passwordFault } from '../../domain/password.ts'
import {
  type Changed,
  FIRST_EMAIL,
  isSessionOver,
  type Person,
  type PersonRefusal,
  refusePerson,
  SCOPES_OF_ROLE,
  type Session,
  type SignedIn,
} from '../../domain/people.ts'
import { KNOWN_LIMIT, NETWORK_LIMIT, PERSON_LIMIT } from '../../domain/tries.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { hashSecret } from '../../engine/database/secrets.ts'
import type { Browser, PersonIdentity, SeveralCallers, SignIn } from '../../page/sign-in.ts'
import { listCallers } from '../callers/store.ts'
import { type Device, findDevices } from '../devices/store.ts'
import { askForUse, checkUse, readCredential, siteOf } from '../factors/passkeys.ts'
import { proofOfCode } from '../factors/proofs.ts'
import { type Factor, findFactorByCredential, listFactors, type Proof } from '../factors/store.ts'
import { createPasswords, type Passwords } from '../people/passwords.ts'
import { readFirstAdministrator } from '../people/record.ts'
import {
  findPeopleByEmail,
  findPerson,
  keepPassword,
  readMostShared,
  SHARED_MAX,
  type StoredPerson,
} from '../people/store.ts'
import { type Cipher, createCipher } from '../service-keys/cipher.ts'
import {
  findLink,
  nameFirstAdministrator,
  renewSession,
  setPasswordByLink,
  startSession,
} from '../sessions/changes.ts'
import { endSession, findSession as findStoredSession, touchSession } from '../sessions/store.ts'
import { type Counted, giveBackTries, nameOfTries, takeTries } from '../tries/store.ts'

const TOUCHED_EVERY_MS = 10_000

/** Whether another try of an address is allowed, within a limit per minute. */
type Taken = { allowed: boolean; retryAfterSeconds: number }
export type Take = (name: string, perMinute: number) => Taken | Promise<Taken>

export function createSignIn({
  take: takeOfAddress,
  limits,
  passwords = createPasswords(),
  factorPolicy = 'optional',
  signOn = null,
  noteBreakGlass = () => undefined,
  engine,
  cipher = createCipher(engine),
}: {
  engine: Engine
  cipher?: Cipher
  /** Who must have a second factor. */
  factorPolicy?: FactorPolicy
  /** The identity provider of this caller's people; `isOnly`: those who may break the glass use a password. */
  signOn?: { callerId: string; isOnly: boolean } | null
  /** Somebody signed in past the identity provider. */
  noteBreakGlass?: (personId: string) => void
  take: Take
  /** 0 is no limit. */
  limits: { triesPerAddressPerMinute: number }
  passwords?: Passwords
}): SignIn {
  const { db, clock } = engine
  const parts = { db, clock, cipher }

  return {
    signIn,
    finishSignIn,
    askForPasskey,
    signInByPasskey,
    confirmPasskey,
    mustAddFactor: ({ person, session }) =>
      session.method === 'PASSWORD' && mustAddFactor(person, factorPolicy),
    findSession,
    signOut,
    confirmPassword,
    changePassword,
    setPassword,
    nameFirst,
  }

  async function signIn(asked: Parameters<SignIn['signIn']>[0]): ReturnType<SignIn['signIn']> {
    const { email, password, browser, callerId = null } = asked
    const now = clock()
    const devices = await findDevices(db, browser.devices, now)
    const deviceOf = (person: Person) => devices.find((device) => isOf(device, person)) ?? null
    const found = await findPeopleByEmail(db, { email, callerId, known: devices.map((one) => one.personId) })
    const people = found.filter(mayUsePassword)
    const known = people.filter((person) => deviceOf(person) !== null)
    // A known browser tries the passwords of its own people by its own limit. Those of other people with the same
    // address, at another bank, are limited as for a stranger.
    const asKnown = known.flatMap((person) => limitsOfDevice(deviceOf(person)!))
    const asStranger = strangerLimits(email, browser)
    const mayAsKnown = known.length === 0 ? null : await take(asKnown, now)
    const isStrange = known.length === 0 || known.length < people.length
    const mayAsStranger = isStrange
      ? ((await limitAddress(browser.address)) ?? (await take(asStranger, now)))
      : null
    const tried = people.filter((person) => (deviceOf(person) === null ? mayAsStranger : mayAsKnown) === null)
    const refused = known.length === 0 ? mayAsStranger : mayAsKnown
    if (refused !== null && tried.length === 0) return refused
    const matching = await matchingOf(tried, password)
    const [person] = matching
    if (person === undefined) return refused ?? refusePerson('sign_in_refused')
    // What is right at one bank is a wrong try at another that has the address, and may have been made right to learn that.
    const isWrong = (one: StoredPerson) => one.passwordHash !== null && !matching.includes(one)
    const wasWrong = people.some((one) => deviceOf(one) === null && isWrong(one))
    const ofKnown = matching.some((one) => deviceOf(one) !== null) ? asKnown : []
    const ofStranger = isStrange && mayAsStranger === null && !wasWrong ? asStranger : []
    await giveBackTries(db, [...ofKnown, ...ofStranger], now)
    if (matching.length > 1) return { outcome: 'several_callers', callers: await callersOf(matching) }
    if (person.factors.length > 0) {
      return { outcome: 'factor_needed', pending: await encryptPending(person, now), factors: person.factors }
    }
    const { address, userAgent } = browser
    return startSession(engine, person, { address, userAgent, device: deviceOf(person) })
  }

  function mayUsePassword({ callerId, breakGlass }: Person): boolean {
    return signOn?.isOnly !== true || callerId !== signOn.callerId || breakGlass
  }

  async function encryptPending(person: StoredPerson, now: Date): Promise<string> {
    const { callerId, personId, passwordHash } = person
    const until = now.getTime() + PENDING_MS
    const pending: Pending = { callerId, personId, checked: hashSecret(passwordHash!), until }
    return cipher.encrypt(PENDING, JSON.stringify(pending))
  }

  /** undefined: it has expired, or the password was changed meanwhile. */
  async function openPending(encrypted: string, now: Date): Promise<StoredPerson | undefined> {
    const text = await cipher.decrypt(PENDING, encrypted)
    if (text === null) return undefined
    const { callerId, personId, checked, until } = JSON.parse(text) as Pending
    const person = now.getTime() < until ? await findPerson(db, { callerId, personId }) : undefined
    const isSame = person?.passwordHash != null && hashSecret(person.passwordHash) === checked
    return isSame ? person : undefined
  }

  async function finishSignIn(
    asked: Parameters<SignIn['finishSignIn']>[0],
  ): Promise<SignedIn | PersonRefusal> {
    const now = clock()
    const person = await openPending(asked.pending, now)
    if (person === undefined) return refusePerson('session_ended')
    return enterWith(person, asked.browser, async () => {
      const proof = await proofOfCode({ db, cipher, now }, person, asked.code)
      return proof ?? refusePerson('code_refused')
    })
  }

  /** Wrong proofs count, right ones do not. */
  async function enterWith(
    person: StoredPerson,
    browser: Browser,
    prove: () => Promise<Proof | PersonRefusal>,
  ): Promise<SignedIn | PersonRefusal> {
    const now = clock()
    const { address, userAgent, devices } = browser
    const device = (await findDevices(db, devices, now)).find((one) => isOf(one, person)) ?? null
    const counted = device === null ? strangerLimits(person.email, browser) : limitsOfDevice(device)
    const refused = await take(counted, now)
    if (refused !== null) return refused
    const proof = await prove()
    if ('outcome' in proof) return proof
    const isBreakGlass = person.breakGlass && person.callerId === signOn?.callerId
    const entered = await startSession(
      engine,
      person,
      { address, userAgent, device },
      { proof, isBreakGlass },
    )
    if (entered.outcome === 'refused') return entered
    if (isBreakGlass) noteBreakGlass(person.personId)
    await giveBackTries(db, counted, now)
    return entered
  }

  async function askForPasskey({ home, person }: Parameters<SignIn['askForPasskey']>[0]) {
    const site = siteOf(home)
    if (site === null) return null
    if (person === undefined) return askForUse(parts, site, null)
    const { personId, factors } = person
    return factors.includes('PASSKEY')
      ? askForUse(parts, site, { personId, known: await listFactors(db, person) })
      : null
  }

  async function signInByPasskey(
    asked: Parameters<SignIn['signInByPasskey']>[0],
  ): Promise<SignedIn | PersonRefusal> {
    const limited = await limitAddress(asked.browser.address)
    if (limited !== null) return limited
    const found = await findPasskey(asked.credential)
    if (found === undefined) return refusePerson('passkey_refused')
    const { factor, person } = found
    return enterWith(person, asked.browser, async () => {
      const proof = await checkUse(parts, { factor, isKnown: false }, asked)
      return proof ?? refusePerson('passkey_refused')
    })
  }

  /** undefined: there is none, or its person may not sign in past the identity provider. */
  async function findPasskey(
    credential: string,
  ): Promise<{ factor: Factor; person: StoredPerson } | undefined> {
    const { id } = readCredential(credential) ?? {}
    const factor = id === undefined ? undefined : await findFactorByCredential(db, id)
    const person = factor && (await findPerson(db, factor))
    const isAllowed = person !== undefined && person.passwordHash !== null && mayUsePassword(person)
    return isAllowed ? { factor: factor!, person } : undefined
  }

  /** The same work for every address, so that the time does not reveal whether, or at how many callers, it is known. */
  async function matchingOf(people: readonly StoredPerson[], password: string): Promise<StoredPerson[]> {
    const rounds = Math.min(SHARED_MAX, (await readMostShared(db)) ?? 1)
    const matching: StoredPerson[] = []
    for (let round = 0; round < rounds; round += 1) {
      const person = people[round]
      const matches = await passwords.matches(password, person?.passwordHash ?? null)
      if (matches && person !== undefined) matching.push(person)
    }
    return matching
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

  async function signOut(secret: string): ReturnType<SignIn['signOut']> {
    const found = await findStoredSession(db, secret)
    if (found === undefined) return undefined
    await endSession(db, found.session, clock())
    return found.session.method
  }

  /** The password again, for actions that need a recent sign-in; the browser gets a new secret. */
  async function confirmPassword(
    asked: Parameters<SignIn['confirmPassword']>[0],
  ): Promise<SignedIn | PersonRefusal> {
    const checked = await check(asked.secret, asked.password, asked.code ?? '')
    if (checked.outcome === 'refused') return checked
    const { hash: passwordHash, proof, counted } = checked
    const renewed = await renewSession(engine, checked.session, { passwordHash, proof })
    if (renewed.outcome === 'signed_in') await giveBackTries(db, counted, clock())
    return renewed
  }

  async function confirmPasskey(
    asked: Parameters<SignIn['confirmPasskey']>[0],
  ): Promise<SignedIn | PersonRefusal> {
    const session = await openSession(asked.secret)
    if (session.outcome === 'refused') return session
    const { counted } = session
    const found = await findPasskey(asked.credential)
    if (found?.person.personId !== session.session.personId) return refusePerson('passkey_refused')
    const proof = await checkUse(parts, { factor: found.factor, isKnown: true }, asked)
    if (proof === null) return refusePerson('passkey_refused')
    const { passwordHash } = found.person
    const renewed = await renewSession(engine, session.session, { passwordHash, proof })
    if (renewed.outcome === 'signed_in') await giveBackTries(db, counted, clock())
    return renewed
  }

  async function changePassword(asked: {
    secret: string
    password: string
    newPassword: string
  }): Promise<SignedIn | PersonRefusal> {
    const checked = await check(asked.secret, asked.password, null)
    if (checked.outcome === 'refused') return checked
    await giveBackTries(db, checked.counted, clock())
    const fault = passwordFault(asked.newPassword)
    if (fault !== null) return refusePerson(fault)
    const newHash = await passwords.hash(asked.newPassword)
    return renewSession(engine, checked.session, { passwordHash: checked.hash, newHash, proof: null })
  }

  /** The link is that of an invitation, or for a forgotten password. */
  async function setPassword(asked: Parameters<SignIn['setPassword']>[0]): ReturnType<SignIn['setPassword']> {
    const { token, password } = asked
    // Before the password is hashed: only a valid link can make the service do that work.
    const link = await findLink(engine, token)
    if (link === undefined) return refusePerson('link_not_valid')
    const fault = passwordFault(password)
    if (fault !== null) return refusePerson(fault)
    const hash = await passwords.hash(password)
    const isFirst = link.purpose === 'INVITE' && link.person.email === FIRST_EMAIL
    if (!isFirst) return setPasswordByLink(engine, { token, passwordHash: hash })
    await keepPassword(db, link.person, { token, hash })
    return { outcome: 'unnamed' }
  }

  async function nameFirst(asked: Parameters<SignIn['nameFirst']>[0]): Promise<Changed | PersonRefusal> {
    const named = readFirstAdministrator(asked)
    if (named === null || emailKey(named.email) === FIRST_EMAIL) return refusePerson('name_needed')
    return nameFirstAdministrator(engine, { token: asked.token, ...named })
  }

  /** `code` is looked at where the person has a second factor; null: the password is enough. */
  async function check(
    secret: string,
    password: string,
    code: string | null,
  ): Promise<Checked | PersonRefusal> {
    const open = await openSession(secret)
    if (open.outcome === 'refused') return open
    const { session, counted } = open
    const person = await findPerson(db, session)
    const hash = person?.passwordHash ?? null
    if (!(await passwords.matches(password, hash)) || person === undefined || hash === null)
      return refusePerson('sign_in_refused')
    const needsCode = code !== null && person.factors.length > 0
    const proof = needsCode ? await proofOfCode({ db, cipher, now: clock() }, person, code) : null
    if (needsCode && proof === null) return refusePerson('code_refused')
    return { outcome: 'checked', session, hash, proof, counted }
  }

  /** The session of somebody who is about to prove who they are; each call counts towards the limit. */
  async function openSession(
    secret: string,
  ): Promise<{ outcome: 'open'; session: Session; counted: readonly Counted[] } | PersonRefusal> {
    const identity = await findSession(secret)
    if (identity === undefined) return refusePerson('session_ended')
    const { session } = identity
    const counted = [{ name: nameOfTries('session', session.sessionId), limit: KNOWN_LIMIT }]
    const refused = await take(counted, clock())
    return refused ?? { outcome: 'open', session, counted }
  }

  /** Counts in this instance alone, because it protects the instance. */
  async function limitAddress(address: string | null): Promise<PersonRefusal | null> {
    const perMinute = limits.triesPerAddressPerMinute
    if (address === null || perMinute === 0) return null
    const { allowed, retryAfterSeconds } = await takeOfAddress(`address ${networkOf(address)}`, perMinute)
    return allowed ? null : tooMany(retryAfterSeconds)
  }

  async function take(counted: readonly Counted[], now: Date): Promise<PersonRefusal | null> {
    const waitMs = await takeTries(db, counted, now)
    return waitMs === null ? null : tooMany(Math.ceil(waitMs / 1000))
  }

  async function callersOf(people: readonly Person[]): Promise<SeveralCallers['callers']> {
    const callers = await listCallers(db)
    return callers
      .filter(({ callerId }) => people.some((person) => person.callerId === callerId))
      .map(({ callerId, name }) => ({ callerId, name }))
  }
}

/** `counted`: to be given back once the proof, if there is one, was used. */
type Checked = {
  outcome: 'checked'
  session: Session
  hash: string
  proof: Proof | null
  counted: readonly Counted[]
}

function tooMany(retryAfterSeconds: number): PersonRefusal {
  return refusePerson('too_many_sign_ins', { retry_after_seconds: String(retryAfterSeconds) })
}

/** What limits a browser that the person has not signed in with. */
function strangerLimits(email: string, { address }: Pick<Browser, 'address'>): Counted[] {
  return [
    { name: nameOfTries('network', wideNetworkOf(address), emailKey(email)), limit: NETWORK_LIMIT },
    { name: nameOfTries('person', emailKey(email)), limit: PERSON_LIMIT },
  ]
}

function limitsOfDevice({ deviceId }: Device): Counted[] {
  return [{ name: nameOfTries('device', deviceId), limit: KNOWN_LIMIT }]
}

/** How long after the password the second factor may come. */
const PENDING_MS = 5 * 60_000
const PENDING = 'sign-in'
/** `checked`: the hash of the password's hash, so that a new password ends it. */
type Pending = { callerId: string; personId: string; checked: string; until: number }

function isOf(device: Device, person: Person): boolean {
  return device.callerId === person.callerId && device.personId === person.personId
}

/** The network of an address as it is limited for one person: the first 24 bits of IPv4, the first 64 of IPv6. */
export function wideNetworkOf(address: string | null): string {
  return networkOf(address ?? '').replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1')
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
