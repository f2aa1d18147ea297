/**
 * Single sign-on in Chromium, through a real provider and two instances that take turns behind one address: every row of
 * the table in docs/sign-on.md, and a provider that is down, slow, or fails on the way.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, mock, test } from 'node:test'
import type { Browser, Page as Tab } from 'playwright-core'
import { readGroupRoles } from '../../src/domain/sign-on.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { disablePerson } from '../../src/features/people/changes.ts'
import { findPeopleByEmail } from '../../src/features/people/store.ts'
import { createLog } from '../../src/observe/log.ts'
import { accessibilityFindings } from '../support/axe.ts'
import { browserAbsence, openBrowser } from '../support/browser.ts'
import { browserEngines, type TestDatabase } from '../support/engines.ts'
import {
  CLIENT,
  type IdentityProvider,
  startIdentityProvider,
  type User,
} from '../support/identity-provider.ts'
import { type Office, openConsole, PASSWORD } from './office.ts'

const OPERATOR = { actor: { kind: 'OPERATOR', id: 'operator', name: null }, requestId: null } as const
const ROLES = 'fd-clerks=CLERK,fd-heads=SUPERVISOR,fd-admins=ADMINISTRATOR'

for (const engine of browserEngines) {
  describe(`${engine.name}: single sign-on in a browser`, { skip: engine.skip || browserAbsence }, () => {
    let db: TestDatabase
    let browser: Browser
    let provider: IdentityProvider
    let turns: Turns
    let offices: Office[]
    let callerId: string
    let logged = ''
    before(async () => {
      db = await engine.open()
      browser = await openBrowser()
      turns = await takeTurns()
      const redirectUri = `${turns.origin}/console/sign-in/callback`
      provider = await startIdentityProvider(redirectUri)
      const names = { name: 'Bank', timeZone: 'UTC', currency: 'USD', at: new Date() }
      callerId = (await createCaller(db, names)).caller.callerId
      const log = createLog({ level: 'debug', write: (lines) => (logged += lines) })
      const signOn = {
        ...{ issuer: provider.issuer, clientId: CLIENT.clientId, clientSecret: () => CLIENT.clientSecret },
        ...{ callerId, table: readGroupRoles(ROLES)!, groupsClaim: 'groups', scopes: 'openid email profile' },
        // The machine may be busy.
        ...{ name: 'Bank ID', isOnly: false, redirectUri, timeoutSeconds: 20 },
      }
      const open = () => openConsole(db, { log, publicUrl: turns.origin, signOn })
      offices = [await open(), await open()]
      for (const office of offices) turns.ports.push(new URL(await office.listen()).port)
      setClocks(0)
    })
    after(async () => {
      await browser?.close()
      await provider?.close()
      turns?.server.close()
      for (const office of offices ?? []) await office.close()
      await db?.close()
    })

    function setClocks(aheadSeconds: number): void {
      for (const office of offices) office.clock.now = new Date(Date.now() + aheadSeconds * 1000)
    }
    const verified = (email: string, ...groups: string[]): User => ({
      email,
      email_verified: true,
      name: 'Ada Obi',
      groups,
    })
    const personOf = async (email: string) => (await findPeopleByEmail(db, { email, callerId }))[0]

    /** A browser of its own, on the sign-in page. */
    async function visit(work: (tab: Tab) => Promise<void>, javaScriptEnabled = true): Promise<void> {
      const context = await browser.newContext({
        reducedMotion: 'reduce',
        viewport: { width: 390, height: 844 },
        javaScriptEnabled,
      })
      const tab = await context.newPage()
      await tab.goto(`${turns.origin}/console/sign-in`)
      await work(tab)
      await context.close()
    }
    const go = (tab: Tab) => tab.getByRole('button', { name: 'Sign in with Bank ID' }).click()
    const heading = (tab: Tab) => tab.locator('h1').innerText()

    async function enter(
      subject: string,
      user: User,
      work: (tab: Tab) => Promise<void>,
      javaScriptEnabled = true,
    ): Promise<void> {
      setClocks(0)
      provider.users.set(subject, user)
      provider.current.subject = subject
      await visit(async (tab) => {
        await go(tab)
        await work(tab)
      }, javaScriptEnabled)
    }
    const isIn = async (tab: Tab) => assert.equal(new URL(tab.url()).pathname, '/console')
    const isRefused = (text: RegExp) => async (tab: Tab) => {
      assert.equal(await heading(tab), 'You cannot sign in here')
      assert.match(await tab.locator('main').innerText(), text)
    }

    test('somebody unknown is made and arrives where they wanted to; the policy names the provider on sign-in pages alone', async () => {
      const policies = new Map<string, string>()
      await visit(async (tab) => {
        provider.users.set('b-new', verified('b-new@example.com', '/fd-clerks'))
        provider.current.subject = 'b-new'
        tab.on('response', (response) => {
          const { origin, pathname } = new URL(response.url())
          const policy = response.headers()['content-security-policy']
          if (origin === turns.origin && policy !== undefined) policies.set(pathname, policy)
        })
        await tab.goto(`${turns.origin}/console/deposits`)
        await look(tab, 'sso-sign-in')
        await go(tab)
        assert.equal(tab.url(), `${turns.origin}/console/deposits`)
        await tab.goto(`${turns.origin}/console/me`)
        await tab.goto(`${turns.origin}/console/none`)
      })
      assert.equal((await personOf('b-new@example.com'))!.role, 'CLERK')
      const naming = [...policies].filter(([, policy]) => policy.includes(provider.issuer))
      assert.deepEqual(
        naming.map(([path]) => path),
        ['/console/sign-in'],
      )
      assert(naming.every(([, policy]) => policy.includes(`form-action 'self' ${provider.issuer};`)))
      for (const path of ['/console/deposits', '/console/me', '/console/none'])
        assert(policies.has(path), path)
    })

    test('nothing of it needs a script', async () => {
      await enter('b-plain', verified('b-plain@example.com', 'fd-clerks'), isIn, false)
    })

    test('role and books follow the groups; an invited person is linked; a new address is taken over', async () => {
      await enter('b-role', verified('b-role@example.com', 'fd-heads', 'fd-clerks'), isIn)
      assert.equal((await personOf('b-role@example.com'))!.role, 'SUPERVISOR')
      await enter('b-role', verified('b-moved@example.com', 'fd-clerks'), isIn)
      const { role, subject } = (await personOf('b-moved@example.com'))!
      assert.deepEqual([role, subject], ['CLERK', 'b-role'])
      await offices[0]!.invite({ email: 'b-invited@example.com', callerId })
      await enter('b-invited', verified('b-invited@example.com', 'fd-clerks'), isIn)
      assert.equal((await personOf('b-invited@example.com'))!.status, 'ACTIVE')
    })

    test('who is refused learns why: no group, unverified, two roles, disabled, an address of another', async () => {
      await enter('b-none', verified('b-none@example.com', 'other'), async (tab) => {
        await isRefused(/fd-clerks, fd-heads, fd-admins/)(tab)
        await look(tab, 'sso-refused')
      })
      assert.equal(await personOf('b-none@example.com'), undefined)
      const unverified = { ...verified('b-un@example.com', 'fd-clerks'), email_verified: false }
      await enter('b-un', unverified, isRefused(/e-mail/))
      await enter('b-two', verified('b-two@example.com', 'fd-admins', 'fd-clerks'), isRefused(/two roles/))
      await enter('b-hand', verified('b-hand@example.com', 'fd-clerks'), isIn)
      await disablePerson(offices[0]!.service, OPERATOR, (await personOf('b-hand@example.com'))!)
      await enter('b-hand', verified('b-hand@example.com', 'fd-heads'), isRefused(/disabled/i))
      await enter('b-other', verified('b-hand@example.com', 'fd-clerks'), isRefused(/Bank ID/))
    })

    test('a person who loses all groups loses the sessions, and is back with a group', async () => {
      await enter('b-gone', verified('b-gone@example.com', 'fd-clerks'), async (tab) => {
        await enter('b-gone', verified('b-gone@example.com'), isRefused(/no role/))
        assert.equal((await personOf('b-gone@example.com'))!.disabledReason, 'GROUPS')
        await tab.goto(`${turns.origin}/console/deposits`)
        assert.match(tab.url(), /sign-in/)
      })
      await enter('b-gone', verified('b-gone@example.com', 'fd-clerks'), isIn)
    })

    test('the last administrator keeps the role', async () => {
      await enter('b-last', verified('b-last@example.com', 'fd-admins'), isIn)
      await enter('b-last', verified('b-last@example.com', 'fd-clerks'), isIn)
      assert.equal((await personOf('b-last@example.com'))!.role, 'ADMINISTRATOR')
    })

    test('an answer that was changed, used twice, without its cookie or too late is a page that begins again', async () => {
      const fails = async (tab: Tab, name?: string) => {
        assert.equal(await heading(tab), 'Sign in again')
        if (name !== undefined) await look(tab, name)
        await tab.getByRole('link', { name: 'Sign in' }).click()
        await go(tab)
        await isIn(tab)
      }
      const user = verified('b-forged@example.com', 'fd-clerks')
      const callback = `${turns.origin}/console/sign-in/callback`
      const [state, late] = [/state=[^&]+/, 600]
      const changes: ((tab: Tab, url: string) => Promise<string> | string)[] = [
        (_tab, url) => url.replace(state, 'state=forged'),
        (_tab, url) => url.replace(/code=[^&]+/, 'code=forged'),
        async (tab, url) => {
          await tab.context().clearCookies({ name: 'sso' })
          return url
        },
        (_tab, url) => {
          setClocks(late)
          return url
        },
      ]
      for (const change of changes) {
        setClocks(0)
        provider.users.set('b-forged', user)
        provider.current.subject = 'b-forged'
        await visit(async (tab) => {
          turns.held = ''
          await go(tab)
          const back = turns.origin + turns.held
          turns.held = null
          await tab.goto(await change(tab, back))
          setClocks(0)
          await fails(tab, change === changes[0] ? 'sso-failed' : undefined)
        })
      }
      await visit(async (tab) => {
        const answered = tab.waitForRequest((request) => request.url().startsWith(callback))
        await go(tab)
        await isIn(tab)
        await tab.goto((await answered).url())
        await fails(tab)
      })
    })

    test('a clock 30 seconds off works, 61 seconds off does not', async () => {
      const user = verified('b-skew@example.com', 'fd-clerks')
      for (const seconds of [30, -30]) {
        provider.users.set('b-skew', user)
        provider.current.subject = 'b-skew'
        await visit(async (tab) => {
          setClocks(seconds)
          await go(tab)
          await isIn(tab)
        })
      }
      for (const seconds of [61.5, -61.5]) {
        await visit(async (tab) => {
          setClocks(seconds)
          await go(tab)
          assert.equal(await heading(tab), 'Sign in again', `${seconds}`)
        })
      }
      setClocks(0)
    })

    test('after 15 minutes the provider asks again, and what was filled in is sent afterwards', async () => {
      await enter('b-boss', verified('b-boss@example.com', 'fd-admins'), async (tab) => {
        setClocks(14 * 60)
        await tab.goto(`${turns.origin}/console/access`)
        setClocks(15 * 60 + 1)
        await tab.locator('#name').fill('Kept Terms')
        await tab.locator('#email').fill('b-kept@example.com')
        await tab.getByRole('button', { name: 'Make an invitation link' }).click()
        await look(tab, 'sso-fresh')
        setClocks(0)
        await go(tab)
        await look(tab, 'sso-again')
        await tab.getByRole('button', { name: 'Send it now' }).click()
        await tab.getByText('Kept Terms').first().waitFor()
        assert.equal((await personOf('b-kept@example.com'))!.status, 'INVITED')
      })
    })

    test('a provider that is down, slow, or fails before the exchange: 503, and a password signs in', async () => {
      const email = await offices[0]!.employ('CLERK', ['test'], callerId)
      setClocks(0)
      const faults: NonNullable<IdentityProvider['fault']>[] = [
        { at: '/token', is: 'hung up' },
        { at: '/token', is: 'an error' },
        { at: '/token', is: 'silence' },
      ]
      for (const fault of faults) {
        await visit(async (tab) => {
          provider.users.set('b-down', verified('b-down@example.com', 'fd-clerks'))
          provider.current.subject = 'b-down'
          provider.fault = fault
          await go(tab)
          provider.fault = null
          assert.equal(await heading(tab), 'The identity provider does not answer', fault.is)
          if (fault === faults[0]) await look(tab, 'sso-unreachable')
          await tab.getByRole('link', { name: 'Use a password' }).click()
          await tab.getByLabel('E-mail').fill(email)
          await tab.getByLabel('Password').fill(PASSWORD)
          await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
          await isIn(tab)
        })
      }
      assert.equal(await personOf('b-down@example.com'), undefined)
    })

    test('a sign-in works after the provider has changed its keys, on instances that go on running', async () => {
      await enter('b-keys', verified('b-keys@example.com', 'fd-clerks'), isIn)
      await provider.rotateKeys()
      // Keys are fetched again at most once a minute.
      mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 })
      try {
        for (let time = 0; time < 2; time += 1) {
          await enter('b-keys', verified('b-keys@example.com', 'fd-clerks'), isIn)
        }
      } finally {
        mock.timers.reset()
        setClocks(0)
      }
    })

    test('logs and events hold no code, state, token, secret or address of all this', async () => {
      await new Promise((resolve) => setImmediate(resolve))
      assert.match(logged, /sso_failed/)
      const events = await db.query<{ data: string }>('select data from events')
      const said = logged + events.map(({ data }) => data).join()
      assert.match(said, /per_/)
      // A token has a dot; `eyJ` alone may be part of a request's id.
      assert.doesNotMatch(
        said,
        /@example\.com|eyJ[\w-]+\.|code=|state=|\bb-(?:new|role|gone|last|skew|keys)\b/,
      )
      assert(!said.includes(CLIENT.clientSecret))
    })
  })
}

/** `held`: where it is a text, what the provider sends back goes there instead of to an instance. */
type Turns = { server: Server; origin: string; ports: string[]; held: string | null }

/** One address, whose requests go to the instances in turn. */
async function takeTurns(): Promise<Turns> {
  const ports: string[] = []
  let turn = 0
  const server = createServer((request, response) => {
    turn += 1
    const { method, url: path, headers } = request
    if (turns.held !== null && path!.startsWith('/console/sign-in/callback')) {
      turns.held = path!
      return response.end()
    }
    const port = ports[turn % ports.length]!
    const onward = forward({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const turns: Turns = {
    server,
    ports,
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    held: null,
  }
  return turns
}

async function look(tab: Tab, name: string): Promise<void> {
  const folder = process.env.PICTURES
  for (const scheme of ['light', 'dark'] as const) {
    await tab.emulateMedia({ colorScheme: scheme })
    assert.deepEqual(await accessibilityFindings(tab, { contrast: true }), [], `${name} ${scheme}`)
    if (folder !== undefined)
      await tab.screenshot({ path: `${folder}/${name}-${scheme}.png`, fullPage: true })
  }
}
