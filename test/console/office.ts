/** A bank with a console: people who can sign in, through inject() or a browser. */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import type { BrowserContext } from 'playwright-core'
import { createConsoleDoor, createSignInOver, createSignOnOver } from '../../src/cli/compose.ts'
import type { DemoPerson } from '../../src/console/gate.ts'
import { OPERATOR } from '../../src/domain/actor.ts'
import type { Mode } from '../../src/domain/book.ts'
import type { FactorPolicy } from '../../src/domain/factors.ts'
import type { Role } from '../../src/domain/people.ts'
import type { Database } from '../../src/engine/database/database.ts'
import type { Standby } from '../../src/engine/database/standby.ts'
import { invitePerson } from '../../src/features/people/changes.ts'
import type { AddressGuard } from '../../src/features/webhooks/changes.ts'
import type { ClientAddresses } from '../../src/http/client-address.ts'
import type { Log } from '../../src/observe/log.ts'
import type { Language } from '../../src/words/language.ts'
import { startService, type TestService } from '../support/service.ts'

export const PASSWORD = 'harbour at dawn'
/** Addresses differ between the banks of a file, so that a password is tried for one person. */
let employed = 0
export const OURS = { 'sec-fetch-site': 'same-origin' }

export type Answer = { status: number; headers: Record<string, unknown>; text: string; location: string }
export type Visitor = {
  cookie: string
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>
  post: (path: string, form: Record<string, string>, headers?: Record<string, string>) => Promise<Answer>
  /** A form with a file, as a browser sends it. */
  upload: (path: string, form: Record<string, string>, file: string | Buffer) => Promise<Answer>
}
type Invited = { email: string; role?: Role; name?: string; modes?: Mode[]; callerId?: string }
export type Office = TestService & {
  /** Answers the token of the link. */
  invite: (who: Invited) => Promise<string>
  /** Answers the e-mail; of this bank, unless another is named. */
  employ: (role: Role, modes?: Mode[], callerId?: string) => Promise<string>
  /** Signed in under this e-mail; not signed in without one. */
  visit: (email?: string) => Promise<Visitor>
  /** Listens, and answers the origin for a browser. */
  listen: () => Promise<string>
}

export async function openConsole(
  db: Database,
  options: {
    language?: Language
    log?: Log
    standby?: Standby
    clients?: ClientAddresses
    demoPeople?: readonly DemoPerson[]
    factorPolicy?: FactorPolicy
    publicUrl?: string
    signOn?: Parameters<typeof createSignOnOver>[1]
  } = {},
): Promise<Office> {
  const { language, log, standby, clients, factorPolicy = 'optional', signOn = null } = options
  const started = await startService(db, {
    ...(clients !== undefined && { clients }),
    ...(log !== undefined && { log }),
    doors: (service) => [
      createConsoleDoor({
        service: { ...service, addressGuard: allowEveryAddress },
        signIn: createSignInOver(service, {
          triesPerAddressPerMinute: 0,
          factorPolicy,
          signOn,
          noteBreakGlass: (personId) => log?.('warn', 'break_glass_used', { person_id: personId }),
        }),
        signOn: createSignOnOver(service, signOn),
        warn: (event, fields) => log?.('warn', event, fields),
        standby,
        publicUrl: options.publicUrl ?? null,
        demoPeople: options.demoPeople ?? [],
        ...(language !== undefined && { language }),
      }),
    ],
  })
  const { app, service, callerId } = started

  return { ...started, invite, employ, visit, listen }

  async function invite(who: Invited): Promise<string> {
    const asked = { callerId, name: 'Amina Yusuf', role: 'CLERK', modes: ['test'], ...who } as const
    const invited = await invitePerson(service, { actor: OPERATOR, requestId: null }, asked)
    assert(invited.outcome === 'linked', JSON.stringify(invited))
    return invited.link.token
  }

  async function employ(role: Role, modes: Mode[] = ['test'], employer = callerId): Promise<string> {
    employed += 1
    const email = `${role.toLowerCase()}-${employed}@example.com`
    const token = await invite({ email, role, modes, callerId: employer })
    const set = await (await visit()).post('/welcome', { token, password: PASSWORD })
    assert.equal(set.status, 200, set.text)
    return email
  }

  async function visit(email?: string): Promise<Visitor> {
    const visitor: Visitor = {
      cookie: '',
      get: (path, headers) => ask('GET', path, undefined, headers),
      post: (path, form, headers) => {
        const type = { 'content-type': 'application/x-www-form-urlencoded' }
        return ask('POST', path, new URLSearchParams(form).toString(), { ...(headers ?? OURS), ...type })
      },
      upload: (path, form, file) => {
        const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
        return ask('POST', path, multipart(form, file), { ...OURS, ...type })
      },
    }
    if (email !== undefined) {
      const answer = await visitor.post('/sign-in', { email, password: PASSWORD })
      assert.equal(answer.status, 303, answer.text)
    }
    return visitor

    async function ask(
      method: 'GET' | 'POST',
      path: string,
      payload?: string | Buffer,
      headers: Record<string, string> = OURS,
    ): Promise<Answer> {
      const answer = await app.inject({
        method,
        url: path.startsWith('/console') ? path : `/console${path}`,
        headers: {
          ...headers,
          ...(visitor.cookie !== '' && { cookie: visitor.cookie }),
        },
        ...(payload !== undefined && { payload }),
      })
      for (const given of [answer.headers['set-cookie'] ?? []].flat())
        visitor.cookie = merged(visitor.cookie, given)
      const { statusCode: status, headers: sent, body: text } = answer
      return { status, headers: sent, text, location: String(sent.location ?? '') }
    }
  }

  async function listen(): Promise<string> {
    await app.listen({ host: '127.0.0.1', port: 0 })
    return `http://localhost:${(app.server.address() as AddressInfo).port}`
  }
}

const BOUNDARY = '----breakwater7d9f'

function multipart(form: Record<string, string>, file: string | Buffer): Buffer {
  const part = (head: string, content: string | Buffer) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ]
  return Buffer.concat([
    ...Object.entries(form).flatMap(([name, value]) => part(`name="${name}"`, value)),
    ...part('name="file"; filename="lines.ndjson"', file),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ])
}

const allowEveryAddress: AddressGuard = async () => ({ outcome: 'allowed', addresses: [] })

/** The cookies of a browser after it was given another one; one that is given again takes the place of the old. */
function merged(cookies: string, given: string): string {
  const pair = given.split(';', 1)[0]!
  const [name] = pair.split('=', 1)
  const others = cookies.split('; ').filter((one) => one !== '' && !one.startsWith(`${name}=`))
  return [pair, ...others].join('; ')
}

/** Gives a browser the cookies of a visitor. */
export async function lend(context: BrowserContext, origin: string, visitor: Visitor): Promise<void> {
  const cookies = visitor.cookie.split('; ').map((pair) => {
    const [name, value] = pair.split('=') as [string, string]
    return { name, value, url: origin, httpOnly: true, sameSite: 'Lax' as const }
  })
  await context.addCookies(cookies)
}
