/** What the door knows of single sign-on; features/sign-on implements it. */
import type { SignedIn } from '../domain/people.ts'
import type { Browser } from './sign-in.ts'

export type SignOnRefusalCode =
  | 'no_group'
  | 'roles_conflict'
  | 'email_not_verified'
  | 'email_linked'
  | 'person_disabled'

/** What goes on after the sign-in: a path of the console, and the form that was about to be sent there. */
export type Afterwards = { next: string; kept: string }

export type SignOnResult =
  | { outcome: 'entered'; entered: SignedIn; afterwards: Afterwards }
  | { outcome: 'refused'; code: SignOnRefusalCode }
  /** `code`: for the log; it never holds anything that was sent. */
  | { outcome: 'failed'; code: string }
  | { outcome: 'unreachable' }

export type SignOn = {
  /** What the button says. */
  name: string
  /** The origin that forms of the sign-in pages may lead to. */
  origin: string
  /** Whether people of the provider's bank have no password form, but break-glass people. */
  isOnly: boolean
  /** The groups that give a role, to ask for. */
  groups: readonly string[]
  /** `isFresh`: the provider has to ask for the password again. */
  start: (
    asked: Afterwards & { isFresh: boolean },
  ) => Promise<{ outcome: 'started'; url: string; cookie: string } | { outcome: 'unreachable' | 'failed' }>
  /** `session`: of the browser, where it has one; a fresh sign-in renews it. */
  finish: (asked: {
    url: string
    cookie: string | null
    session: string | null
    browser: Browser
  }) => Promise<SignOnResult>
  /** null: the provider has no page for it, or is unreachable. */
  signOutUrl: () => Promise<string | null>
  /** Whether the logout token of the provider was good. */
  endSessions: (logoutToken: string) => Promise<boolean>
}
