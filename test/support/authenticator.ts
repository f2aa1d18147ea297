/** An authenticator in memory, whose every statement can be made to lie. Answers are spelt as browsers spell them. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { PasskeyAnswer, PasskeyQuestion } from '../../src/page/sign-in.ts'

/** What it says instead of the truth. */
export type Lies = {
  type?: string
  challenge?: string
  origin?: string
  rpId?: string
  isPresent?: boolean
  isVerified?: boolean
  counter?: number
  userHandle?: string | null
  signer?: KeyObject
}

export type Authenticator = ReturnType<typeof createAuthenticator>

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url')

export function createAuthenticator(home = 'https://bank.example.com') {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let userHandle: string | null = null
  let counter = 0

  return {
    id: base64url(id),
    privateKey,

    create(question: PasskeyQuestion, lies: Lies = {}): PasskeyAnswer {
      const options = JSON.parse(question.options)
      userHandle = options.user.id
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey(publicKey)])
      const authData = Buffer.concat([statement({ rpId: options.rp.id, ...lies }, 0x40), attested])
      const attestationObject = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authData)],
      ])
      const clientData = clientDataOf('webauthn.create', options.challenge, lies)
      return answer(question, {
        clientDataJSON: base64url(clientData),
        attestationObject: base64url(attestationObject),
        transports: ['internal'],
      })
    },

    get(question: PasskeyQuestion, lies: Lies = {}): PasskeyAnswer {
      const options = JSON.parse(question.options)
      counter = lies.counter ?? counter + 1
      const authData = statement({ rpId: options.rpId, counter, ...lies }, 0)
      const clientData = clientDataOf('webauthn.get', options.challenge, lies)
      const signed = Buffer.concat([authData, sha256(clientData)])
      return answer(question, {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(sign('sha256', signed, lies.signer ?? privateKey)),
        userHandle: lies.userHandle === undefined ? userHandle : lies.userHandle,
      })
    },
  }

  function answer({ challenge }: PasskeyQuestion, response: object): PasskeyAnswer {
    const own = base64url(id)
    const credential = { id: own, rawId: own, type: 'public-key', clientExtensionResults: {}, response }
    return { home, challenge, credential: JSON.stringify(credential) }
  }

  function clientDataOf(type: string, challenge: string, lies: Lies): string {
    const { origin = home } = lies
    return JSON.stringify({
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin,
      crossOrigin: false,
    })
  }
}

/** The site, what the person did, and how often. */
function statement(
  { rpId, isPresent = true, isVerified = true, counter = 0 }: Lies & { rpId: string },
  further: number,
): Buffer {
  const flags = (isPresent ? 0x01 : 0) | (isVerified ? 0x04 : 0) | further
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count])
}

/** Of the curve P-256, for ES256. */
function coseKey(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' })
  return cborMap([
    [cborInteger(1), cborInteger(2)],
    [cborInteger(3), cborInteger(-7)],
    [cborInteger(-1), cborInteger(1)],
    [cborInteger(-2), cborBytes(Buffer.from(x!, 'base64url'))],
    [cborInteger(-3), cborBytes(Buffer.from(y!, 'base64url'))],
  ])
}

const head = (kind: number, length: number) =>
  length < 24 ? Buffer.from([(kind << 5) | length]) : Buffer.from([(kind << 5) | 24, length])
const cborInteger = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
const cborBytes = (bytes: Buffer) => Buffer.concat([head(2, bytes.length), bytes])
const cborText = (text: string) => Buffer.concat([head(3, text.length), Buffer.from(text)])
const cborMap = (pairs: [Buffer, Buffer][]) => Buffer.concat([head(5, pairs.length), ...pairs.flat()])
