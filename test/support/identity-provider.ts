/** An identity provider on this machine: oidc-provider with people of its own, who are signed in without a form. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'

export type User = { email?: string; email_verified?: boolean; name?: string; groups?: string[] }

export const CLIENT = { clientId: 'breakwater', clientSecret: 'a secret of the client' }

export type IdentityProvider = {
  issuer: string
  /** By subject. */
  users: Map<string, User>
  /** Who signs in next. */
  current: { subject: string }
  /** Follows a URL of the provider, as a browser, until it leads away; answers where to. */
  visit: (url: string) => Promise<string>
  /** Signed with the provider's key. */
  signLogout: (claims: JWTPayload) => Promise<string>
  /** Signs with another key from now on, and publishes that one alone. */
  rotateKeys: () => Promise<void>
  /** What requests whose path begins so get instead of an answer; null: all are answered. */
  fault: { at: string; is: 'hung up' | 'silence' | 'an error' } | null
  close: () => Promise<void>
}

export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  const users = new Map<string, User>()
  const current = { subject: '' }
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  const server = createServer((request, response) => answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  let signing = await newSigningKey('first')
  let provider = open()
  let handle = provider.callback()
  answer = (request, response) => {
    const { fault } = self
    if (fault !== null && request.url?.startsWith(fault.at)) return fail(fault.is, response)
    if (!request.url?.startsWith('/interaction')) return handle(request, response)
    const login = { login: { accountId: current.subject } }
    provider
      .interactionFinished(request, response, login, { mergeWithLastSubmission: false })
      .catch(() => response.writeHead(500).end())
  }
  const self: IdentityProvider = {
    issuer,
    users,
    current,
    fault: null,
    visit: (url) => follow(url, issuer),
    signLogout: (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: signing.jwk.kid })
        .sign(signing.keys.privateKey),
    rotateKeys: async () => {
      signing = await newSigningKey('second')
      provider = open()
      handle = provider.callback()
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return self

  function open(): Provider {
    return createIdentityProvider({ issuer, signingKey: signing.jwk, client: CLIENT, redirectUri, users })
  }
}

type ProviderSettings = {
  issuer: string
  signingKey: JWK
  client: { clientId: string; clientSecret: string }
  redirectUri: string
  /** By subject. */
  users: ReadonlyMap<string, User>
}

/** Sends a browser to /interaction to sign in, and grants the client what it asks for. */
export function createIdentityProvider(settings: ProviderSettings): Provider {
  const { issuer, signingKey, client, redirectUri, users } = settings
  const provider: Provider = new Provider(issuer, {
    jwks: { keys: [signingKey] },
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        require_auth_time: true,
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['a key of the provider'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/interaction' },
    findAccount: async (_context: unknown, subject: string) => ({
      accountId: subject,
      claims: async () => ({ sub: subject, ...users.get(subject) }),
    }),
    async loadExistingGrant({ oidc }: GrantContext) {
      const grant = new provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      })
      grant.addOIDCScope(SCOPES)
      await grant.save()
      return grant
    },
  })
  return provider
}

type GrantContext = { oidc: { client: { clientId: string }; session: { accountId: string } } }
const SCOPES = 'openid email profile'

export async function newSigningKey(kid: string) {
  const keys = await generateKeyPair('RS256', { extractable: true })
  return { keys, jwk: { ...(await exportJWK(keys.privateKey)), kid, alg: 'RS256', use: 'sig' } }
}

function fail(how: 'hung up' | 'silence' | 'an error', response: ServerResponse): void {
  if (how === 'hung up') response.destroy()
  if (how === 'an error') response.writeHead(500).end('It failed.')
}

async function follow(start: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = start
  while (url.startsWith(issuer)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const given of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(given)!
      cookies.set(name!, value!)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${response.status} ${await response.text()}`)
    url = new URL(location, url).href
  }
  return url
}
