/** An identity provider on this machine: oidc-provider with people of its own, who are signed in without a form. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'

export type User = { email?: string; email_verified?: boolean; name?: string; groups?: string[] }

export const CLIENT = { clientId: 'breakwater', clientSecret: 'a secret of the client' }
const SCOPES = 'openid email profile'

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
  close: () => Promise<void>
}

export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  const keys = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(keys.privateKey)), kid: 'first', alg: 'RS256', use: 'sig' }
  const users = new Map<string, User>()
  const current = { subject: '' }
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  const server = createServer((request, response) => answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    jwks: { keys: [jwk] },
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
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
    loadExistingGrant: async ({
      oidc,
    }: {
      oidc: { client: { clientId: string }; session: { accountId: string } }
    }) => {
      const grant = new provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      })
      grant.addOIDCScope(SCOPES)
      await grant.save()
      return grant
    },
  })
  const handle = provider.callback()
  answer = (request, response) => {
    if (!request.url?.startsWith('/interaction')) return handle(request, response)
    const login = { login: { accountId: current.subject } }
    provider
      .interactionFinished(request, response, login, { mergeWithLastSubmission: false })
      .catch(() => response.writeHead(500).end())
  }
  return {
    issuer,
    users,
    current,
    visit: (url) => follow(url, issuer),
    signLogout: (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'first' }).sign(keys.privateKey),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
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
