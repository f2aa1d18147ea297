/** A caller with people, without a door: what the console will call. */
import assert from 'node:assert/strict'
import { createService, type Service } from '../../../src/cli/compose.ts'
import { OPERATOR } from '../../../src/domain/actor.ts'
import type { Mode } from '../../../src/domain/book.ts'
import type { Person, Role } from '../../../src/domain/people.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import { createCaller } from '../../../src/features/callers/changes.ts'
import { type Asker, invitePerson } from '../../../src/features/people/changes.ts'
import { createPasswords } from '../../../src/features/people/passwords.ts'
import { createSignIn } from '../../../src/features/sign-in/sign-in.ts'
import { createRateLimiter } from '../../../src/http/rate-limit.ts'
import type { Browser, SignIn } from '../../../src/page/sign-in.ts'

export const PASSWORD = 'harbour at dawn'
export const asOperator: Asker = { actor: OPERATOR, requestId: null }
export const browser: Browser = { address: '192.0.2.1', userAgent: 'Test', devices: [] }

export type Office = SignIn & {
  db: Database
  service: Service
  clock: { now: Date }
  callerId: string
  /** Invited, not yet active: the token of the link. */
  invite: (who: Invited) => Promise<{ person: Person; token: string }>
  /** Active, with PASSWORD. */
  employ: (who: Invited) => Promise<Person>
  /** The device of a browser in which the person signed in. */
  settleIn: (email: string) => Promise<string>
  /** The secret of a new session. */
  enter: (email: string, asked?: { password?: string; browser?: Browser }) => Promise<string>
  /** Whether a session is open. */
  isIn: (secret: string) => Promise<boolean>
}
type Invited = { email: string; name?: string; role?: Role; modes?: Mode[]; callerId?: string }

export async function openOffice(
  db: Database,
  options: { triesPerAddressPerMinute?: number } = {},
): Promise<Office> {
  const clock = { now: new Date('2026-07-01T10:00:00.000Z') }
  const limits = { workers: 2, batchMax: 8, queueMax: 100 }
  const service = createService({ db, clock: () => clock.now, limits })
  const signIn = createSignIn({
    engine: service,
    take: createRateLimiter(() => clock.now.getTime()),
    limits: { triesPerAddressPerMinute: options.triesPerAddressPerMinute ?? 0 },
    // Hashing would take most of the time; passwords.test.ts checks the defaults.
    passwords: createPasswords({ memoryKib: 8, passes: 1 }),
  })
  const { caller } = await createCaller(db, {
    ...{ name: 'Test Bank', timeZone: 'Africa/Lagos', currency: 'NGN', at: clock.now },
  })
  const { callerId } = caller

  return { ...signIn, db, service, clock, callerId, invite, employ, settleIn, enter, isIn }

  async function invite(who: Invited) {
    const asked = { callerId, name: 'Ada Obi', role: 'CLERK', modes: ['test', 'live'], ...who } as const
    const invited = await invitePerson(service, asOperator, asked)
    assert(invited.outcome === 'linked', JSON.stringify(invited))
    return { person: invited.person, token: invited.link.token }
  }

  async function employ(who: Invited) {
    const { token } = await invite(who)
    const active = await signIn.setPassword({ token, password: PASSWORD })
    assert(active.outcome === 'changed', JSON.stringify(active))
    return active.person
  }

  async function settleIn(email: string) {
    const entered = await signIn.signIn({ email, password: PASSWORD, browser })
    assert(entered.outcome === 'signed_in' && entered.device !== undefined, JSON.stringify(entered))
    return entered.device
  }

  async function enter(email: string, asked: { password?: string; browser?: Browser } = {}) {
    const entered = await signIn.signIn({ email, password: PASSWORD, browser, ...asked })
    assert(entered.outcome === 'signed_in', JSON.stringify(entered))
    return entered.secret
  }

  async function isIn(secret: string) {
    return (await signIn.findSession(secret)) !== undefined
  }
}
