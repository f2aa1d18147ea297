/**
 * The identity provider, by openid-client, which is loaded at the first sign-in. It is discovered at most once an hour; a
 * provider that is down never stops a start. The service's own clock is the one that counts.
 */
import type * as Oidc from 'openid-client'
import type { Identity } from './changes.ts'

export type ProviderSettings = {
  issuer: string
  clientId: string
  clientSecret: () => string
  scopes: string
  /** The URL of the callback. */
  redirectUri: string
  groupsClaim: string
  /** How long the provider may take for each answer; 5 by default. */
  timeoutSeconds?: number
}

export type Checks = { state: string; nonce: string; verifier: string }

export type Claims = Identity & {
  /** When the provider last asked for the password, in seconds. */
  authTime: number | null
}

export type Provider = {
  newChecks: () => Promise<Checks>
  authorizationUrl: (checks: Checks, asked: { isFresh: boolean }) => Promise<string>
  exchange: (url: string, checks: Checks) => Promise<Claims>
  signOutUrl: () => Promise<string | null>
  /** The claims of a logout token. */
  readLogout: (token: string) => Promise<Logout>
}

export type Logout = { jti: string; subject: string | null; session: string | null; expiresAt: Date }

/** Why an answer of the provider was not accepted. Its code holds nothing that was sent. */
export class ProviderError extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.name = 'ProviderError'
    this.code = code
  }
}

/** The provider did not answer, or not in time. */
export class UnreachableError extends Error {}

const CACHED_MS = 3_600_000
const TIMEOUT_SECONDS = 5
const SKEW_SECONDS = 60
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

export function createProvider(settings: ProviderSettings, clock: () => Date): Provider {
  const discovered = createDiscovery(settings, clock)

  return {
    async newChecks() {
      const oidc = await import('openid-client')
      return {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      }
    },

    authorizationUrl: (checks, { isFresh }) =>
      guarded(async () => {
        const oidc = await import('openid-client')
        const parameters = {
          redirect_uri: settings.redirectUri,
          scope: settings.scopes,
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: 'S256',
          ...(isFresh && { prompt: 'login', max_age: '0' }),
        }
        return oidc.buildAuthorizationUrl(await discovered(), parameters).href
      }),

    exchange: (url, checks) =>
      guarded(async () => {
        const oidc = await import('openid-client')
        const tokens = await oidc.authorizationCodeGrant(await discovered(), new URL(url), {
          expectedState: checks.state,
          expectedNonce: checks.nonce,
          pkceCodeVerifier: checks.verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()!
        requireRecent(claims.iat, clock())
        return claimsOf(claims, settings.groupsClaim)
      }),

    async signOutUrl() {
      try {
        const oidc = await import('openid-client')
        return oidc.buildEndSessionUrl(await guarded(discovered)).href
      } catch {
        return null
      }
    },

    readLogout: (token) =>
      guarded(async () =>
        verifyLogout(token, await discovered(), { clientId: settings.clientId, now: clock() }),
      ),
  }
}

async function verifyLogout(
  token: string,
  configuration: Oidc.Configuration,
  { clientId, now }: { clientId: string; now: Date },
): Promise<Logout> {
  const jose = await import('jose')
  const metadata = configuration.serverMetadata()
  const keys = jose.createRemoteJWKSet(new URL(metadata.jwks_uri!), {
    timeoutDuration: configuration.timeout! * 1000,
  })
  const { payload } = await jose.jwtVerify(token, keys, {
    issuer: metadata.issuer,
    audience: clientId,
    clockTolerance: SKEW_SECONDS,
    currentDate: now,
    requiredClaims: ['iat', 'jti', 'events'],
    maxTokenAge: LOGOUT_SECONDS,
  })
  return logoutOf(payload)
}

/** What the provider says of itself, read again every hour. */
function createDiscovery(settings: ProviderSettings, clock: () => Date): () => Promise<Oidc.Configuration> {
  let known: { at: number; configuration: Promise<Oidc.Configuration> } | null = null
  return async () => {
    const now = clock().getTime()
    if (known === null || Math.abs(now - known.at) >= CACHED_MS) {
      known = { at: now, configuration: discover(settings, clock) }
    }
    try {
      return await known.configuration
    } catch (error) {
      known = null
      throw error
    }
  }
}

async function discover(settings: ProviderSettings, clock: () => Date): Promise<Oidc.Configuration> {
  const oidc = await import('openid-client')
  const issuer = new URL(settings.issuer)
  const skew = Math.round((clock().getTime() - Date.now()) / 1000)
  const configuration = await oidc.discovery(
    issuer,
    settings.clientId,
    { [oidc.clockSkew]: skew, [oidc.clockTolerance]: SKEW_SECONDS },
    oidc.ClientSecretBasic(settings.clientSecret()),
    {
      timeout: settings.timeoutSeconds ?? TIMEOUT_SECONDS,
      execute: issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
    },
  )
  oidc.enableNonRepudiationChecks(configuration)
  return configuration
}

/** A token that was made at another time than now was not made for this sign-in, or one of the clocks is wrong. */
function requireRecent(issuedAt: number, now: Date): void {
  const seconds = Math.abs(now.getTime() / 1000 - issuedAt)
  if (seconds > SKEW_SECONDS) throw new ProviderError('clock_skew')
}

/** Errors of the libraries become a code: their messages repeat what the provider sent. */
async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProviderError || error instanceof UnreachableError) throw error
    throw isNetworkFault(error) ? new UnreachableError() : new ProviderError(codeOf(error))
  }
}

function isNetworkFault(error: unknown): boolean {
  const names = [error, (error as { cause?: unknown }).cause]
  return names.some((one) => {
    const { name, code } = (one ?? {}) as { name?: string; code?: string }
    if (name === 'TimeoutError' || name === 'AbortError' || code === 'OAUTH_TIMEOUT') return true
    if (code === 'ERR_JWKS_TIMEOUT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM') return true
    return /^(?:ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET|UND_ERR_)/.test(code ?? '')
  })
}

function codeOf(error: unknown): string {
  const { code, error: sent } = error as { code?: unknown; error?: unknown }
  const known = [sent, code].find((one) => typeof one === 'string' && /^[A-Za-z_]{3,60}$/.test(one))
  return typeof known === 'string' ? known.toLowerCase() : 'not_valid'
}

function claimsOf(claims: Oidc.IDToken, groupsClaim: string): Claims {
  const { iss, sub, email, email_verified, name, auth_time, sid } = claims
  return {
    issuer: iss,
    subject: sub,
    email: textOf(email),
    isEmailVerified: email_verified === true,
    name: textOf(name),
    groups: groupsOf(claims, groupsClaim),
    authTime: typeof auth_time === 'number' ? auth_time : null,
    session: textOf(sid),
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** A dotted path leads into objects, unless a claim has that very name. */
function groupsOf(claims: Record<string, unknown>, path: string): string[] {
  const found =
    claims[path] ??
    path
      .split('.')
      .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], claims)
  return [found].flat().filter((group) => typeof group === 'string')
}

function logoutOf(payload: Record<string, unknown>): Logout {
  const { events, nonce, jti, sub, sid, iat } = payload
  const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events
  const [subject, session] = [textOf(sub), textOf(sid)]
  if (!isLogout || nonce !== undefined || typeof jti !== 'string' || (subject ?? session) === null) {
    throw new ProviderError('not_a_logout_token')
  }
  const until = (iat as number) + LOGOUT_SECONDS + SKEW_SECONDS
  return { jti, subject, session, expiresAt: new Date(until * 1000) }
}

/** How old a logout token may be. It is remembered as long, so that it counts once. */
const LOGOUT_SECONDS = 600
