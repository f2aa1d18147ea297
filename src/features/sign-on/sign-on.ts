/**
 * Single sign-on for the people of one caller. What belongs to a sign-in that has begun is encrypted in a cookie, so that any
 * instance can finish it.
 */
import type { PersonRefusalCode } from '../../domain/people.ts'
import type { GroupRole } from '../../domain/sign-on.ts'
import type { Engine } from '../../engine/change/engine.ts'
import type { Afterwards, SignOn, SignOnRefusalCode, SignOnResult } from '../../page/sign-on.ts'
import { findDevices } from '../devices/store.ts'
import type { Cipher } from '../service-keys/cipher.ts'
import { useOnce } from '../service-keys/store.ts'
import { endProviderSessions, endSession, findSession } from '../sessions/store.ts'
import { enterBySignOn, noteRefusal } from './changes.ts'
import { type Checks, type Claims, type Provider, ProviderError, UnreachableError } from './provider.ts'

export type SignOnSettings = {
  callerId: string
  issuer: string
  name: string
  isOnly: boolean
  table: readonly GroupRole[]
}

const STARTED_MS = 10 * 60_000
const SKEW_MS = 60_000
/** Browsers keep cookies of 4,096 bytes. */
const KEPT_MAX = 1_800
const PURPOSE = 'sign-on'

type Started = Checks & Afterwards & { isFresh: boolean; startedAt: number }

export function createSignOn({
  engine,
  cipher,
  provider,
  settings,
}: {
  engine: Engine
  cipher: Cipher
  provider: Provider
  settings: SignOnSettings
}): SignOn {
  const { db, clock } = engine
  const { callerId, name, isOnly, table } = settings

  return {
    name,
    isOnly,
    origin: new URL(settings.issuer).origin,
    groups: table.map(({ group }) => group),
    start: (asked) => reached(() => start(asked)),
    finish: (asked) => reached(() => finish(asked)),
    signOutUrl: provider.signOutUrl,
    endSessions,
  }

  async function start({ next, kept, isFresh }: Parameters<SignOn['start']>[0]) {
    const checks = await provider.newChecks()
    const url = await provider.authorizationUrl(checks, { isFresh })
    const fitting = kept.length > KEPT_MAX ? '' : kept
    const started: Started = { ...checks, next, kept: fitting, isFresh, startedAt: clock().getTime() }
    return {
      outcome: 'started',
      url,
      cookie: await cipher.encrypt(PURPOSE, JSON.stringify(started)),
    } as const
  }

  async function finish(asked: Parameters<SignOn['finish']>[0]): Promise<SignOnResult> {
    const text = asked.cookie === null ? null : await cipher.decrypt(PURPOSE, asked.cookie)
    if (text === null) return { outcome: 'failed', code: 'no_cookie' }
    const started = JSON.parse(text) as Started
    const now = clock().getTime()
    if (now - started.startedAt >= STARTED_MS) return { outcome: 'failed', code: 'too_late' }
    const claims = await provider.exchange(asked.url, started)
    if (started.isFresh && !isFresh(claims, started)) return { outcome: 'failed', code: 'not_fresh' }
    const { address, userAgent, devices } = asked.browser
    const known = await findDevices(db, devices, clock())
    const entered = await enterBySignOn(engine, {
      callerId,
      identity: claims,
      table,
      browser: { address, userAgent, devices: known },
    })
    if (entered.outcome === 'refused') return refuse(entered.code)
    if (asked.session !== null) await leave(asked.session)
    const { next, kept } = started
    return { outcome: 'entered', entered, afterwards: { next, kept } }
  }

  /** The session that the new one takes the place of. */
  async function leave(secret: string): Promise<void> {
    const found = await findSession(db, secret)
    if (found !== undefined) await endSession(db, found.session, clock())
  }

  async function refuse(code: PersonRefusalCode): Promise<SignOnResult> {
    await noteRefusal(engine, { callerId, reason: code })
    return isRefusal(code) ? { outcome: 'refused', code } : { outcome: 'failed', code }
  }

  async function endSessions(logoutToken: string): Promise<boolean> {
    try {
      const { jti, subject, session, expiresAt } = await provider.readLogout(logoutToken)
      const now = clock()
      const isFirst = await useOnce(db, `logout ${settings.issuer} ${jti}`, { now, until: expiresAt })
      if (!isFirst) return false
      await endProviderSessions(db, { callerId, issuer: settings.issuer, subject, session }, now)
      return true
    } catch (error) {
      if (error instanceof ProviderError || error instanceof UnreachableError) return false
      throw error
    }
  }
}

/** The provider asked for the password after the sign-in had begun. */
function isFresh({ authTime }: Claims, { startedAt }: Started): boolean {
  return authTime !== null && authTime * 1000 >= startedAt - SKEW_MS
}

const REFUSALS: readonly string[] = [
  'no_group',
  'roles_conflict',
  'email_not_verified',
  'email_linked',
  'person_disabled',
] satisfies SignOnRefusalCode[]

function isRefusal(code: string): code is SignOnRefusalCode {
  return REFUSALS.includes(code)
}

async function reached<Result>(
  work: () => Promise<Result>,
): Promise<Result | { outcome: 'unreachable' } | { outcome: 'failed'; code: string }> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UnreachableError) return { outcome: 'unreachable' }
    if (error instanceof ProviderError) return { outcome: 'failed', code: error.code }
    throw error
  }
}
