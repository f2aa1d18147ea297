/**
 * Passkeys, by @simplewebauthn/server, which is loaded when the first answer of one is checked.
 *
 * - The challenge is encrypted into the page that asks for it, so that any instance can check the answer. It is good for a
 *   few minutes, for one purpose, and once.
 * - The authenticator has to verify its person by a PIN or a finger: a passkey is two factors in itself.
 */
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Person } from '../../domain/people.ts'
import type { Engine } from '../../engine/change/engine.ts'
import type { PasskeyAnswer, PasskeyQuestion } from '../../page/sign-in.ts'
import type { Cipher } from '../service-keys/cipher.ts'
import { useOnce } from '../service-keys/store.ts'
import type { Factor, Proof } from './store.ts'

/** `id`: the name that passkeys are bound to, the host without its port. */
export type Site = { origin: string; id: string }

/** null: browsers know no passkeys there. They need a name, and TLS unless it is this machine's. */
export function siteOf(home: string | null): Site | null {
  if (home === null) return null
  const { origin, protocol, hostname: id } = new URL(home)
  const isOwn = id === 'localhost'
  return (protocol === 'https:' || isOwn) && isIP(id) === 0 && !id.startsWith('[') ? { origin, id } : null
}

const CHALLENGE_BYTES = 32
const CHALLENGE_MS = 15 * 60_000
/** Ed25519, ECDSA with P-256, and RSA, by their numbers in COSE. */
const ALGORITHMS = [-8, -7, -257]

/** What a challenge is for; `personId` is null before a sign-in. */
type Purpose = { act: 'add' | 'use'; personId: string | null }
type Asked = Purpose & { challenge: string; origin: string; until: number }
type Parts = Pick<Engine, 'db' | 'clock'> & { cipher: Cipher }

/** `known`: the factors that the person has, so that no authenticator is added twice. */
export function askForNew(
  parts: Parts,
  site: Site,
  { person, known, brand }: { person: Person; known: readonly Factor[]; brand: string },
): Promise<PasskeyQuestion> {
  const { personId, email, name } = person
  return ask(parts, site, { act: 'add', personId }, (challenge) => ({
    challenge,
    rp: { id: site.id, name: brand },
    user: { id: handleOf(personId), name: email, displayName: name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: credentialsOf(known),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }))
}

/** Without a person any passkey of the site may answer. */
export function askForUse(
  parts: Parts,
  site: Site,
  of: { personId: string; known: readonly Factor[] } | null,
): Promise<PasskeyQuestion> {
  return ask(parts, site, { act: 'use', personId: of?.personId ?? null }, (challenge) => ({
    challenge,
    rpId: site.id,
    allowCredentials: credentialsOf(of?.known ?? []),
    userVerification: 'required',
  }))
}

async function ask(
  { cipher, clock }: Parts,
  { origin }: Site,
  purpose: Purpose,
  optionsFor: (challenge: string) => object,
): Promise<PasskeyQuestion> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url')
  const asked: Asked = { ...purpose, challenge, origin, until: clock().getTime() + CHALLENGE_MS }
  const encrypted = await cipher.encrypt(PURPOSE, JSON.stringify(asked))
  return { options: JSON.stringify(optionsFor(challenge)), challenge: encrypted }
}

const PURPOSE = 'passkey'

export type NewPasskey = { credentialId: string; publicKey: string; counter: bigint }

/** null: it is not an answer to what the person was asked. */
export async function checkNew(
  parts: Parts,
  { personId }: Person,
  answer: PasskeyAnswer,
): Promise<NewPasskey | null> {
  const asked = await open(parts, { act: 'add', personId }, answer)
  const response = readCredential(answer.credential)
  if (asked === null || response === null) return null
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: response as unknown as RegistrationResponseJSON,
    ...expected(asked),
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(notAccepted)
  if (!verified || registrationInfo === undefined) return null
  const { id, publicKey, counter } = registrationInfo.credential
  return (await isFirstUse(parts, asked))
    ? { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter: BigInt(counter) }
    : null
}

/** `isKnown`: the person is signed in, and was asked for a passkey of its own. */
export async function checkUse(
  parts: Parts,
  { factor, isKnown }: { factor: Factor; isKnown: boolean },
  answer: PasskeyAnswer,
): Promise<Proof | null> {
  const { personId, factorId, credentialId, publicKey } = factor
  const asked = await open(parts, { act: 'use', personId: isKnown ? personId : null }, answer)
  const response = readCredential(answer.credential)
  if (asked === null || response === null) return null
  // Of a person who is not known yet the passkey itself says who it is, and has to say the same as the database.
  const { userHandle = null } = response.response as { userHandle?: unknown }
  if (!(isKnown && userHandle === null) && userHandle !== handleOf(personId)) return null
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    ...expected(asked),
    requireUserVerification: true,
    // Its counter is compared when the person is locked, where a copy is noted.
    credential: { id: credentialId!, publicKey: Buffer.from(publicKey!, 'base64url'), counter: 0 },
  }).catch(notAccepted)
  if (!verified || authenticationInfo === undefined || !(await isFirstUse(parts, asked))) return null
  return { kind: 'PASSKEY', factorId, counter: authenticationInfo.newCounter }
}

function expected({ challenge, origin }: Asked) {
  const expectedRPID = new URL(origin).hostname
  return { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID }
}

/** The library throws where an answer is wrong, and its messages repeat what was sent. */
function notAccepted(): { verified: false; registrationInfo?: never; authenticationInfo?: never } {
  return { verified: false }
}

/** null: it was asked for something or somebody else, on another site, or too long ago. */
async function open(
  { cipher, clock }: Parts,
  { act, personId }: Purpose,
  { challenge, home }: PasskeyAnswer,
): Promise<Asked | null> {
  const text = await cipher.decrypt(PURPOSE, challenge)
  if (text === null) return null
  const asked = JSON.parse(text) as Asked
  const isSame = asked.act === act && asked.personId === personId && asked.origin === siteOf(home)?.origin
  return isSame && clock().getTime() < asked.until ? asked : null
}

function isFirstUse({ db, clock }: Parts, { challenge, until }: Asked): Promise<boolean> {
  return useOnce(db, `passkey ${challenge}`, { now: clock(), until: new Date(until) })
}

type Credential = { id: string; response: object }

/** The credential as browsers write it; null: it is none. */
export function readCredential(text: string): Credential | null {
  const read = parsed(text) as Partial<Credential> | null
  const isOne = typeof read?.id === 'string' && typeof read.response === 'object' && read.response !== null
  return isOne ? (read as Credential) : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function credentialsOf(factors: readonly Factor[]): { type: 'public-key'; id: string }[] {
  return factors
    .filter(({ kind }) => kind === 'PASSKEY')
    .map(({ credentialId }) => ({ type: 'public-key', id: credentialId! }))
}

/** How the authenticator names the person. */
function handleOf(personId: string): string {
  return Buffer.from(personId).toString('base64url')
}
