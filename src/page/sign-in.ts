/** What pages and the door need to know of people's sign-in; features/people implements it. */
import type { Actor } from '../domain/actor.ts'
import type { Book } from '../domain/book.ts'
import type { FactorKind } from '../domain/factors.ts'
import type { Changed, Person, PersonRefusal, Session, SignedIn } from '../domain/people.ts'

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
  /** What it is recognised by, of everybody who signed in here before. */
  devices: readonly string[]
}

/** The same address and password at several callers: the person has to choose one. */
export type SeveralCallers = { outcome: 'several_callers'; callers: { callerId: string; name: string }[] }

/** The password was right, and a second factor is missing; `pending` continues the sign-in within a few minutes. */
export type FactorNeeded = { outcome: 'factor_needed'; pending: string; factors: readonly FactorKind[] }

/** What a page asks a passkey for: the options as browsers read them, and the challenge as the service reads it again. */
export type PasskeyQuestion = { options: string; challenge: string }

/** What came back, and to which URL of the console. */
export type PasskeyAnswer = { home: string | null; challenge: string; credential: string }

export type SignIn = {
  signIn: (asked: {
    email: string
    password: string
    browser: Browser
    /** Needed only after `several_callers`. */
    callerId?: string
  }) => Promise<SignedIn | SeveralCallers | FactorNeeded | PersonRefusal>
  /** The second factor is a code of the authenticator app, or a recovery code. */
  finishSignIn: (asked: {
    pending: string
    code: string
    browser: Browser
  }) => Promise<SignedIn | PersonRefusal>
  /** null: there are no passkeys at this URL, or the person has none. Without a person, of anybody who wants to sign in. */
  askForPasskey: (asked: { home: string | null; person?: Person }) => Promise<PasskeyQuestion | null>
  /** A passkey needs no password beside it. */
  signInByPasskey: (asked: PasskeyAnswer & { browser: Browser }) => Promise<SignedIn | PersonRefusal>
  /** Instead of `confirmPassword`. */
  confirmPasskey: (asked: PasskeyAnswer & { secret: string }) => Promise<SignedIn | PersonRefusal>
  /** Whether the person has to add a second factor before anything else. */
  mustAddFactor: (identity: Pick<PersonIdentity, 'person' | 'session'>) => boolean
  /** Each use extends the session. */
  findSession: (secret: string) => Promise<PersonIdentity | undefined>
  /** Answers how the session had begun. */
  signOut: (secret: string) => Promise<Session['method'] | undefined>
  /**
   * The password again, and a code where the person has a second factor, for actions that need a recent sign-in; the
   * browser gets a new secret.
   */
  confirmPassword: (asked: {
    secret: string
    password: string
    code?: string
  }) => Promise<SignedIn | PersonRefusal>
  changePassword: (asked: {
    secret: string
    password: string
    newPassword: string
  }) => Promise<SignedIn | PersonRefusal>
  /** The link is that of an invitation, or for a forgotten password. */
  setPassword: (asked: {
    token: string
    password: string
  }) => Promise<Changed | { outcome: 'unnamed' } | PersonRefusal>
  /** After `unnamed`: the first administrator says who that is. */
  nameFirst: (asked: { token: string; name: string; email: string }) => Promise<Changed | PersonRefusal>
}
