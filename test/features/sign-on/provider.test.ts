/** What the service checks of a provider's answer: each row is a provider that lies about one thing. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { createProvider, ProviderError, UnreachableError } from '../../../src/features/sign-on/provider.ts'

type Keys = Awaited<ReturnType<typeof generateKeyPair>>
type Claims = Record<string, unknown>

describe('an answer of the provider', () => {
  let keys: Keys
  let strangers: Keys
  let published: { kid: string; keys: Keys }
  let issuer: string
  /** What the token endpoint answers with, and what it was sent. */
  let idToken = ''
  let sent = new URLSearchParams()
  let delayMs = 0
  const server = createServer(async (request, response) => {
    const json = (body: unknown) =>
      setTimeout(
        () => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
        delayMs,
      )
    if (request.url === '/.well-known/openid-configuration') {
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
      })
    }
    if (request.url === '/keys') {
      const jwk = await exportJWK(published.keys.publicKey)
      return json({ keys: [{ ...jwk, kid: published.kid, alg: 'RS256', use: 'sig' }] })
    }
    let body = ''
    for await (const part of request) body += part
    sent = new URLSearchParams(body)
    return json({ access_token: 'x', token_type: 'Bearer', id_token: idToken })
  })
  before(async () => {
    keys = await generateKeyPair('RS256', { extractable: true })
    strangers = await generateKeyPair('RS256', { extractable: true })
    published = { kid: 'one', keys }
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const open = (aheadMs = 0) =>
    createProvider(
      {
        ...{ issuer, clientId: 'us', clientSecret: () => 'secret', scopes: 'openid' },
        ...{ redirectUri: 'https://bank.example.com/back', groupsClaim: 'realm.roles' },
      },
      () => new Date(Date.now() + aheadMs),
    )
  const nowSeconds = () => Math.floor(Date.now() / 1000)

  async function exchange(change: Claims, signer: Keys | null = keys, aheadMs = 0) {
    const provider = open(aheadMs)
    const checks = await provider.newChecks()
    const now = nowSeconds()
    const claims = {
      iss: issuer,
      aud: 'us',
      sub: 'ada',
      iat: now,
      exp: now + 300,
      nonce: checks.nonce,
      ...change,
    }
    idToken =
      signer === null
        ? new UnsecuredJWT(claims).encode()
        : await new SignJWT(claims)
            .setProtectedHeader({ alg: 'RS256', kid: published.kid })
            .sign(signer.privateKey)
    const back = `https://bank.example.com/back?code=c&state=${checks.state}`
    return { claims: await provider.exchange(back, checks), checks }
  }

  test('that is true is accepted, with the groups at a dotted path', async () => {
    const { claims, checks } = await exchange({
      realm: { roles: ['a', 1, 'b'] },
      email: 'a@b.c',
      email_verified: 'true',
    })
    assert.deepEqual(claims, {
      ...{ issuer, subject: 'ada', email: 'a@b.c', isEmailVerified: false, name: null },
      ...{ groups: ['a', 'b'], authTime: null, session: null },
    })
    assert.equal(sent.get('code_verifier'), checks.verifier)
    assert.equal(sent.get('redirect_uri'), 'https://bank.example.com/back')
  })

  test('is refused where it lies about one thing', async () => {
    const table: [what: string, change: Claims, signer?: Keys | null][] = [
      ['nonce', { nonce: 'another' }],
      ['no nonce', { nonce: undefined }],
      ['issuer', { iss: 'https://elsewhere.example.com' }],
      ['audience', { aud: 'others' }],
      ['expired', { iat: nowSeconds() - 30, exp: nowSeconds() - 61 }],
      ['not yet', { nbf: nowSeconds() + 70 }],
      ['made later', { iat: nowSeconds() + 62, exp: nowSeconds() + 400 }],
      ['made earlier', { iat: nowSeconds() - 62 }],
      ['signed by a stranger', {}, strangers],
      ['not signed', {}, null],
      ['no subject', { sub: undefined }],
    ]
    for (const [what, change, signer] of table) {
      await assert.rejects(exchange(change, signer), ProviderError, what)
    }
    assert.equal((await exchange({ exp: nowSeconds() - 50 })).claims.subject, 'ada', 'within the skew')
  })

  test('is asked for with PKCE, state and nonce, and a fresh one with the password', async () => {
    const provider = open()
    const checks = await provider.newChecks()
    const query = new URL(await provider.authorizationUrl(checks, { isFresh: true })).searchParams
    assert.deepEqual(
      [query.get('state'), query.get('nonce'), query.get('code_challenge_method'), query.get('prompt')],
      [checks.state, checks.nonce, 'S256', 'login'],
    )
    const { state, nonce, verifier } = await provider.newChecks()
    assert.equal(new Set([state, nonce, verifier, ...Object.values(checks)]).size, 6, 'each is new')
    const challenge = createHash('sha256').update(checks.verifier).digest('base64url')
    assert.equal(query.get('code_challenge'), challenge)
    const plain = new URL(await provider.authorizationUrl(checks, { isFresh: false })).searchParams
    assert.deepEqual([plain.get('prompt'), plain.get('max_age')], [null, null])
  })

  test('is accepted after the provider has new keys', async () => {
    published = { kid: 'two', keys: strangers }
    assert.equal((await exchange({}, strangers)).claims.subject, 'ada')
    await assert.rejects(exchange({}, keys), ProviderError)
    published = { kid: 'one', keys }
  })

  test('that does not come in five seconds is none, and the next try starts from the beginning', async () => {
    const provider = open()
    const checks = await provider.newChecks()
    delayMs = 5_500
    await assert.rejects(provider.authorizationUrl(checks, { isFresh: false }), UnreachableError)
    delayMs = 0
    assert.match(await provider.authorizationUrl(checks, { isFresh: false }), /authorize/)
  })
})
