/** Single sign-on through a real provider, with two instances that share a database: one begins, the other finishes. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readGroupRoles } from '../../src/domain/sign-on.ts'
import { listChanges } from '../../src/features/audit/store.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { findBook } from '../../src/features/callers/store.ts'
import { addFactor, type NewFactor } from '../../src/features/factors/changes.ts'
import { disablePerson, setBreakGlassOf } from '../../src/features/people/changes.ts'
import { findPeopleByEmail } from '../../src/features/people/store.ts'
import { createLog } from '../../src/observe/log.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import {
  CLIENT,
  type IdentityProvider,
  startIdentityProvider,
  type User,
} from '../support/identity-provider.ts'
import { type Answer, type Office, openConsole, PASSWORD, type Visitor } from './office.ts'

const PUBLIC_URL = 'https://bank.example.com'
const CALLBACK = `${PUBLIC_URL}/console/sign-in/callback`
const OPERATOR = { actor: { kind: 'OPERATOR', id: 'operator', name: null }, requestId: null } as const
const ROLES = 'fd-viewers=VIEWER:test,fd-clerks=CLERK:test+live,/fd-heads=SUPERVISOR,fd-admins=ADMINISTRATOR'

for (const engine of engines) {
  describe(`${engine.name}: single sign-on`, { skip: engine.skip }, () => {
    let db: TestDatabase
    let provider: IdentityProvider
    let first: Office
    let second: Office
    let callerId: string
    let logged = ''
    before(async () => {
      db = await engine.open()
      provider = await startIdentityProvider(CALLBACK)
      const names = { name: 'Bank', timeZone: 'UTC', currency: 'USD', at: new Date() }
      callerId = (await createCaller(db, names)).caller.callerId
      const log = createLog({ level: 'debug', write: (lines) => (logged += lines) })
      const open = () => openConsole(db, { log, publicUrl: PUBLIC_URL, signOn: settings() })
      first = await open()
      second = await open()
      setClocks(0)
    })
    after(async () => {
      await provider?.close()
      await first?.close()
      await second?.close()
      await db?.close()
    })
    const settings = (more: { isOnly?: boolean } = {}) => ({
      issuer: provider.issuer,
      clientId: CLIENT.clientId,
      clientSecret: () => CLIENT.clientSecret,
      callerId,
      table: readGroupRoles(ROLES)!,
      groupsClaim: 'groups',
      scopes: 'openid email profile',
      name: 'Bank ID',
      isOnly: false,
      redirectUri: CALLBACK,
      // The machine may be busy.
      timeoutSeconds: 60,
      ...more,
    })
    function setClocks(aheadMs: number): void {
      for (const office of [first, second]) office.clock.now = new Date(Date.now() + aheadMs)
    }

    /** Begun at the first instance; answers where the provider sends the browser back to. */
    async function begin(subject: string, user: User, form: Record<string, string> = {}) {
      provider.users.set(subject, user)
      provider.current.subject = subject
      const visitor = await first.visit()
      const started = await visitor.post('/sign-in/sso', form)
      assert.equal(started.status, 303, started.text)
      assert(started.location.startsWith(provider.issuer), started.location)
      return { visitor, back: await provider.visit(started.location) }
    }

    /** Finished at the second. */
    async function finish(visitor: Visitor, back: string): Promise<{ answer: Answer; there: Visitor }> {
      const there = await second.visit()
      there.cookie = visitor.cookie
      const answer = await there.get(back.slice(PUBLIC_URL.length))
      return { answer, there }
    }

    async function enter(subject: string, user: User, form: Record<string, string> = {}) {
      setClocks(0)
      const { visitor, back } = await begin(subject, user, form)
      return finish(visitor, back)
    }

    const verified = (email: string, ...groups: string[]): User => ({
      email,
      email_verified: true,
      name: 'Ada Obi',
      groups,
    })
    const personOf = async (email: string) => (await findPeopleByEmail(db, { email, callerId }))[0]
    async function auditOf(): Promise<{ action: string; changes: string | null }[]> {
      const book = await findBook(db, { callerId, mode: 'live' })
      const { items } = await listChanges(db, book!.bookId, {}, { limit: 200, before: null })
      return items as unknown as { action: string; changes: string | null }[]
    }

    test('somebody unknown is made with the role of the groups, at the first sign-in', async () => {
      const { answer, there } = await enter('s-new', verified('new@example.com', '/fd-clerks', 'other'), {
        next: '/console/deposits',
      })
      assert.deepEqual([answer.status, answer.location], [303, '/console/deposits'])
      assert.match(there.cookie, /__Host-session=/)
      assert.match(there.cookie, /__Host-sso=(;|$)/, 'the cookie of the sign-in is removed')
      assert.equal((await there.get('/deposits')).status, 200)
      const person = (await personOf('new@example.com'))!
      assert.deepEqual(
        [person.role, person.modes, person.status, person.issuer, person.subject, person.rest],
        ['CLERK', ['test', 'live'], 'ACTIVE', provider.issuer, 's-new', null],
      )
      assert.equal((await auditOf())[0]!.action, 'person.provisioned')
    })

    test('the most powerful role counts, follows the groups, and ends the other sessions when it changes', async () => {
      const one = await enter('s-role', verified('role@example.com', 'fd-viewers', 'fd-heads'))
      assert.equal((await personOf('role@example.com'))!.role, 'SUPERVISOR')
      assert.equal((await one.there.get('/approvals')).status, 200)
      const two = await enter('s-role', verified('role@example.com', 'fd-viewers'))
      assert.deepEqual((await personOf('role@example.com'))!.modes, ['test'])
      assert.equal((await two.there.get('/approvals')).status, 403)
      assert.match((await one.there.get('/deposits')).location, /sign-in/)
    })

    test('an invited or local person of the verified address is linked once', async () => {
      const email = await first.employ('VIEWER', ['test'], callerId)
      const { answer } = await enter('s-link', verified(email.toUpperCase(), 'fd-clerks'))
      assert.equal(answer.status, 303)
      const person = (await personOf(email))!
      assert.deepEqual([person.role, person.subject], ['CLERK', 's-link'])
      assert((await auditOf()).some(({ action }) => action === 'person.linked'))
      const stranger = await enter('s-other', verified(email, 'fd-clerks'))
      assert.equal(stranger.answer.status, 403, 'the address belongs to another subject')
      assert.equal((await personOf(email))!.subject, 's-link')
      await first.invite({ email: 'invited@example.com', callerId })
      await enter('s-invited', verified('invited@example.com', 'fd-viewers'))
      assert.equal((await personOf('invited@example.com'))!.status, 'ACTIVE')
    })

    test('without a group nothing is made, and somebody known loses sessions and access until a group is back', async () => {
      const { answer } = await enter('s-none', verified('none@example.com', 'other'))
      assert.equal(answer.status, 403)
      assert.match(answer.text, /fd-viewers, fd-clerks, fd-heads, fd-admins/)
      assert.equal(await personOf('none@example.com'), undefined)
      const known = await enter('s-gone', verified('gone@example.com', 'fd-clerks'))
      const gone = await enter('s-gone', verified('gone@example.com'))
      assert.equal(gone.answer.status, 403)
      const person = (await personOf('gone@example.com'))!
      assert.deepEqual([person.status, person.disabledReason], ['DISABLED', 'GROUPS'])
      assert.match((await known.there.get('/deposits')).location, /sign-in/)
      const back = await enter('s-gone', verified('gone@example.com', 'fd-clerks'))
      assert.equal(back.answer.status, 303)
    })

    test('refusals: no verified e-mail, conflicting roles, disabled by hand; each is noted with its reason alone', async () => {
      const table: [string, User][] = [
        ['email_not_verified', { ...verified('un@example.com', 'fd-clerks'), email_verified: false }],
        ['email_not_verified', { name: 'No', groups: ['fd-clerks'] }],
        ['roles_conflict', verified('two@example.com', 'fd-admins', 'fd-clerks')],
      ]
      for (const [reason, user] of table) {
        const { answer, there } = await enter(`s-${reason}`, user)
        assert.equal(answer.status, 403, reason)
        assert.doesNotMatch(there.cookie, /__Host-session=\w/)
        const [{ action, changes }] = (await auditOf()) as [{ action: string; changes: unknown }]
        assert.equal(action, 'person.sign_in_refused')
        assert.deepEqual(parsed(changes), { before: null, after: { reason } })
      }
      await enter('s-hand', verified('hand@example.com', 'fd-clerks'))
      await disablePerson(first.service, OPERATOR, (await personOf('hand@example.com'))!)
      assert.equal((await enter('s-hand', verified('hand@example.com', 'fd-heads'))).answer.status, 403)
      assert.equal((await personOf('hand@example.com'))!.status, 'DISABLED')
    })

    test('another e-mail of a known subject is taken over if it is free', async () => {
      await enter('s-mail', verified('old@example.com', 'fd-clerks'))
      await enter('s-mail', verified('fresh@example.com', 'fd-clerks'))
      assert.equal((await personOf('fresh@example.com'))!.subject, 's-mail')
      const { answer } = await enter('s-mail', verified('new@example.com', 'fd-clerks'))
      assert.equal(answer.status, 303)
      assert.equal((await personOf('fresh@example.com'))!.subject, 's-mail', 'kept: the new one is taken')
    })

    test('the last administrator keeps the role, and a second one does not', async () => {
      await enter('s-admin', verified('admin@example.com', 'fd-admins'))
      const last = await enter('s-admin', verified('admin@example.com', 'fd-clerks'))
      assert.equal(last.answer.status, 303)
      assert.equal((await personOf('admin@example.com'))!.role, 'ADMINISTRATOR')
      const noted = (await auditOf()).some(({ changes }) =>
        JSON.stringify(changes)?.includes('last_administrator'),
      )
      assert(noted)
      await enter('s-admin2', verified('admin2@example.com', 'fd-admins'))
      await enter('s-admin', verified('admin@example.com', 'fd-clerks'))
      assert.equal((await personOf('admin@example.com'))!.role, 'CLERK')
    })

    test('a person of another bank with this address is not considered', async () => {
      const email = await first.employ('CLERK')
      const { answer } = await enter('s-bank', verified(email, 'fd-clerks'))
      assert.equal(answer.status, 303)
      assert.equal((await personOf(email))!.subject, 's-bank')
      const [other] = await findPeopleByEmail(db, { email, callerId: first.callerId })
      assert.equal(other!.subject, null)
    })

    test('a forged state, a code used twice, no cookie, another cookie, and ten minutes later: 400, and a code in the log', async () => {
      const user = verified('forged@example.com', 'fd-clerks')
      const fails = async (change: (back: string, visitor: Visitor) => string | Promise<string>) => {
        setClocks(0)
        const { visitor, back } = await begin('s-forged', user)
        const { answer, there } = await finish(visitor, await change(back, visitor))
        assert.equal(answer.status, 400, answer.text)
        assert.match(answer.text, /Sign in again/)
        assert.doesNotMatch(there.cookie, /__Host-session=\w/)
      }
      logged = ''
      await fails((back) => back.replace(/state=[^&]+/, 'state=forged'))
      await fails((back) => back.replace(/&?state=[^&]+/, ''))
      await fails((back) => back.replace(/code=[^&]+/, 'code=forged'))
      await fails((back) => back.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Felsewhere.example.com'))
      await fails((back, visitor) => {
        visitor.cookie = ''
        return back
      })
      await fails(async (back, visitor) => {
        visitor.cookie = (await begin('s-forged', user)).visitor.cookie
        return back
      })
      await fails((back) => {
        setClocks(600_000)
        return back
      })
      await fails(async (back, visitor) => {
        assert.equal((await finish(visitor, back)).answer.status, 303)
        return back
      })
      await flushed()
      assert.equal(logged.split('sso_failed').length - 1, 8)
      assert.match(logged, /"code":"too_late"/)
      setClocks(0)
    })

    test('a clock that is 30 seconds off works, and one that is 61 seconds off does not', async () => {
      for (const [seconds, status] of [
        [30, 303],
        [-30, 303],
        [61.5, 400],
        [-61.5, 400],
      ] as const) {
        const office = await openConsole(db, { publicUrl: PUBLIC_URL, signOn: settings() })
        const asBefore = second
        second = office
        setClocks(seconds * 1000)
        const { visitor, back } = await begin('s-skew', verified('skew@example.com', 'fd-clerks'))
        setClocks(seconds * 1000)
        const { answer } = await finish(visitor, back)
        assert.equal(answer.status, status, `${seconds}`)
        second = asBefore
        await office.close()
      }
      setClocks(0)
    })

    test('a fresh sign-in asks the provider again, and the form comes back', async () => {
      await enter('s-boss', verified('boss@example.com', 'fd-admins'))
      const { there } = await enter('s-boss', verified('boss@example.com', 'fd-admins'))
      for (const minutes of [7, 14]) {
        setClocks(minutes * 60_000)
        assert.equal((await there.get('/access')).status, 200)
      }
      setClocks(15 * 60_000 + 1000)
      const terms = { name: 'Kept', email: 'kept@example.com', role: 'CLERK', 'mode test': 'yes' }
      const asked = await there.post('/access/people', terms)
      assert.equal(asked.status, 401)
      assert.match(
        String(asked.headers['content-security-policy']),
        new RegExp(`form-action 'self' ${provider.issuer}`),
      )
      assert.doesNotMatch(asked.text, /own_password/)
      const kept = /name="kept" value="([^"]+)"/.exec(asked.text)![1]!.replaceAll('&amp;', '&')
      setClocks(0)
      const started = await there.post('/sign-in/sso', { next: '/console/access/people', kept, fresh: 'yes' })
      assert.match(started.location, /prompt=login/)
      const back = await provider.visit(started.location)
      const again = await there.get(back.slice(PUBLIC_URL.length))
      assert.equal(again.status, 200)
      assert.match(again.text, /action="\/console\/access\/people"[\s\S]*kept@example.com/)
      assert.match((await there.post('/access/people', terms)).text, /welcome#/)
    })

    test('the sign-out goes on to the provider, and its own sign-out ends sessions everywhere, once', async () => {
      const { there } = await enter('s-out', verified('out@example.com', 'fd-clerks'))
      const left = await there.post('/sign-out', {})
      assert.match(String(left.headers.refresh), new RegExp(`url=${provider.issuer}`))
      assert.match((await there.get('/deposits')).location, /sign-in/)
      const { there: again } = await enter('s-out', verified('out@example.com', 'fd-clerks'))
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
      const now = Math.floor(Date.now() / 1000)
      const good = { iss: provider.issuer, aud: CLIENT.clientId, sub: 's-out', iat: now, jti: 'one', events }
      const send = async (claims: Record<string, unknown>) => {
        const token = await provider.signLogout(claims)
        return (await first.visit()).post('/sign-in/logout', { logout_token: token }, {})
      }
      const table: [string, Record<string, unknown>][] = [
        ['another audience', { ...good, aud: 'other' }],
        ['another issuer', { ...good, iss: 'https://elsewhere.example.com' }],
        ['no event', { ...good, events: {} }],
        ['a nonce', { ...good, nonce: 'x' }],
        ['nobody', { ...good, sub: undefined }],
        ['expired', { ...good, exp: now - 120 }],
        ['made long ago', { ...good, iat: now - 700 }],
      ]
      for (const [what, claims] of table) assert.equal((await send(claims)).status, 400, what)
      assert.equal((await again.get('/deposits')).status, 200)
      assert.equal((await send(good)).status, 200)
      assert.match((await again.get('/deposits')).location, /sign-in/, 'on the other instance')
      assert.equal((await send(good)).status, 400, 'a token counts once')
    })

    test('a provider that is down: 503, and passwords where they are allowed', async () => {
      const down = { ...settings(), issuer: 'http://localhost:1' }
      const office = await openConsole(db, { publicUrl: PUBLIC_URL, signOn: down })
      const visitor = await office.visit()
      const answer = await visitor.post('/sign-in/sso', {})
      assert.equal(answer.status, 503)
      assert.match(answer.text, /sign-in\?local/)
      const email = await office.employ('CLERK', ['test'], callerId)
      assert.equal((await visitor.post('/sign-in', { email, password: PASSWORD })).status, 303)
      await office.close()
    })

    test('with OIDC_ONLY there is no password form, and no password signs in', async () => {
      const office = await openConsole(db, { publicUrl: PUBLIC_URL, signOn: settings({ isOnly: true }) })
      const visitor = await office.visit()
      assert.doesNotMatch((await visitor.get('/sign-in')).text, /name="password"/)
      assert.match((await visitor.get('/sign-in?local')).text, /name="password"/)
      const email = await office.employ('CLERK', ['test'], callerId)
      assert.equal((await visitor.post('/sign-in', { email, password: PASSWORD })).status, 401)
      const elsewhere = await office.employ('CLERK')
      assert.equal((await visitor.post('/sign-in', { email: elsewhere, password: PASSWORD })).status, 303)
      await office.close()
    })

    test('who may break the glass signs in past the provider with both factors, and each use is noted', async () => {
      logged = ''
      const log = createLog({ level: 'debug', write: (lines) => (logged += lines) })
      const signOn = settings({ isOnly: true })
      const office = await openConsole(db, { log, publicUrl: PUBLIC_URL, signOn })
      office.clock.now = new Date()
      const people = []
      for (let count = 0; count < 4; count += 1) {
        const email = await office.employ('ADMINISTRATOR', ['test', 'live'], callerId)
        const person = (await personOf(email))!
        const key = { ...person, isOn: true }
        const tooEarly = await setBreakGlassOf(office.service, OPERATOR, key)
        assert.equal('code' in tooEarly && tooEarly.code, 'factor_needed')
        const added = await addFactor(office.service, { ...person, sessionId: 'none' }, PASSKEY(email))
        assert(added.outcome === 'added')
        const set = await setBreakGlassOf(office.service, OPERATOR, key)
        assert.equal(set.outcome === 'refused' ? set.code : 'set', count < 3 ? 'set' : 'too_many_break_glass')
        people.push({ email, person, code: added.codes![0]! })
      }
      const tries = people.map(async ({ email, code }) => {
        const visitor = await office.visit()
        const step = await visitor.post('/sign-in', { email, password: PASSWORD })
        const pending = /name="pending" value="([^"]+)"/.exec(step.text)?.[1]
        return pending === undefined
          ? step.status
          : (await visitor.post('/sign-in/factor', { pending, code })).status
      })
      assert.deepEqual(await Promise.all(tries), [303, 303, 303, 401])
      await flushed()
      assert.equal(logged.split('break_glass_used').length - 1, 3)
      assert.equal((await auditOf()).filter(({ action }) => action === 'person.break_glass_used').length, 3)
      await office.close()
    })

    test('after the sign-in a browser goes to a path of the console, however the address is spelt', async () => {
      const spellings = REDIRECTS.flatMap((one) => [one, `/console${one}`, ` ${one}`])
      assert(spellings.length >= 50)
      const { visitor } = await begin('s-open', verified('open@example.com', 'fd-clerks'))
      for (const next of spellings) {
        setClocks(0)
        const started = await visitor.post('/sign-in/sso', { next })
        const { answer } = await finish(visitor, await provider.visit(started.location))
        assert.equal(answer.status, 303, next)
        assert.match(answer.location, /^\/console(?:[/?][!-~]*)?$/, next)
        assert.doesNotMatch(answer.location, /\/\/|\\/, next)
        assert.equal(new URL(answer.location, PUBLIC_URL).origin, PUBLIC_URL, next)
      }
    })

    test('only pages of the sign-in let a form lead to the provider, and without one there is no trace of it', async () => {
      const policyOf = ({ headers }: Answer) => String(headers['content-security-policy'])
      const visitor = await first.visit()
      assert(policyOf(await visitor.get('/sign-in')).includes(`form-action 'self' ${provider.issuer};`))
      const { there } = await enter('s-policy', verified('policy@example.com', 'fd-clerks'))
      for (const path of ['/', '/deposits', '/me', '/none']) {
        assert(!policyOf(await there.get(path)).includes(provider.issuer), path)
      }
      const plain = await openConsole(db)
      const stranger = await plain.visit()
      const page = await stranger.get('/sign-in')
      for (const trace of ['/sso', 'Bank ID', provider.issuer])
        assert(!(page.text + policyOf(page)).includes(trace), trace)
      assert.equal(page.headers['set-cookie'], undefined)
      for (const path of ['/sign-in/sso', '/sign-in/logout']) {
        assert.equal((await stranger.post(path, {})).status, 404, path)
      }
      assert.equal((await stranger.get('/sign-in/callback?code=x')).status, 404)
      await plain.close()
    })

    test('logs hold no code, state, token, secret or address', async () => {
      logged = ''
      const { visitor, back } = await begin('s-canary', verified('canary@example.com', 'fd-clerks'))
      await finish(visitor, back)
      await flushed()
      const query = new URL(back).searchParams
      assert(logged.includes('/console/sign-in/callback'))
      for (const secret of [
        query.get('code')!,
        query.get('state')!,
        CLIENT.clientSecret,
        'canary@example.com',
        's-canary',
      ])
        assert(!logged.includes(secret), secret)
    })
  })
}

const PASSKEY = (credentialId: string): NewFactor => {
  const app = { encryptedSecret: null, lastStep: null }
  return { kind: 'PASSKEY', name: 'Key', ...app, credentialId, publicKey: 'key', counter: 0n }
}

const REDIRECTS = [
  ...[
    '//evil.example.com',
    '///evil.example.com',
    '/\\evil.example.com',
    '\\\\evil.example.com',
    'https://evil.example.com',
  ],
  ...[
    'HTTPS://evil.example.com',
    'https:evil.example.com',
    'https:/evil.example.com',
    'javascript:alert(1)',
    'data:text/html,x',
  ],
  ...[
    '/console.evil.example.com',
    '@evil.example.com',
    '.evil.example.com',
    ':80@evil.example.com',
    '%2f%2fevil.example.com',
  ],
  ...[
    '/%09/evil.example.com',
    '\t//evil.example.com',
    '/\u3000evil',
    '/..//evil.example.com',
    '/?next=//evil.example.com',
  ],
] as const

/** The lines of a tick are written together. */
function flushed(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function parsed(changes: unknown): unknown {
  return typeof changes === 'string' ? JSON.parse(changes) : changes
}
