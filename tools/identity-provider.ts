/**
 * An identity provider for trying single sign-on on one machine: oidc-provider with three people, who sign in without a
 * password. Never for anything but a try: anybody who reaches it can be any of them.
 *
 * npm run identity-provider [-- PORT PUBLIC_URL]
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { createIdentityProvider, newSigningKey, type User } from '../test/support/identity-provider.ts'

const PEOPLE = new Map<string, User>([
  ['clerk', personOf('Chidi Clerk', 'fd-clerks')],
  ['head', personOf('Hauwa Head', 'fd-heads')],
  ['administrator', personOf('Ada Administrator', 'fd-admins')],
])

function personOf(name: string, group: string): User {
  const email = `${name.toLowerCase().replace(' ', '.')}@example.com`
  return { name, email, email_verified: true, groups: [group] }
}

async function serveProvider(port: number, publicUrl: string): Promise<void> {
  const issuer = `http://localhost:${port}`
  const provider = createIdentityProvider({
    issuer,
    signingKey: (await newSigningKey('first')).jwk,
    client: { clientId: 'breakwater', clientSecret: 'only-to-try' },
    redirectUri: `${publicUrl}/console/sign-in/callback`,
    users: PEOPLE,
  })
  const handle = provider.callback()
  createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
    if (pathname !== '/interaction') handle(request, response)
    else if (request.method === 'POST') signIn(provider, request, response, searchParams.get('as') ?? '')
    else response.setHeader('content-type', 'text/html; charset=utf-8').end(choicePage())
  }).listen(port, 'localhost', () => process.stdout.write(`The identity provider is at ${issuer}.\n`))
}

function signIn(provider: Provider, request: IncomingMessage, response: ServerResponse, as: string): void {
  if (!PEOPLE.has(as)) return void response.writeHead(400).end('Nobody has this name.')
  const result = { login: { accountId: as } }
  provider
    .interactionFinished(request, response, result, { mergeWithLastSubmission: false })
    .catch(() => response.writeHead(400).end('This sign-in has ended. Begin again.'))
}

function choicePage(): string {
  const buttons = [...PEOPLE].map(
    ([subject, { name }]) => `<p><button formaction="/interaction?as=${subject}">${name}</button></p>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Identity provider</title>
<h1>Who are you?</h1><form method="post">${buttons.join('\n')}</form></html>`
}

if (import.meta.main) {
  const [port = '8180', publicUrl = 'http://localhost:8080'] = process.argv.slice(2)
  await serveProvider(Number(port), publicUrl)
}
