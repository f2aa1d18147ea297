/** Passkeys in Chromium with its virtual authenticators: adding, signing in without password, one touch, copies. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, CDPSession, Page as Tab } from 'playwright-core'
import { createLog } from '../../src/observe/log.ts'
import { accessibilityFindings } from '../support/axe.ts'
import { browserAbsence, openBrowser } from '../support/browser.ts'
import { browserEngines, type TestDatabase } from '../support/engines.ts'
import { setPolicy } from '../support/policy.ts'
import { openDeposit } from '../support/service.ts'
import { type Office, openConsole, PASSWORD } from './office.ts'

const MINUTE_MS = 60_000
const AUTHENTICATOR = {
  protocol: 'ctap2',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

for (const engine of browserEngines) {
  describe(`${engine.name}: passkeys`, { skip: engine.skip || browserAbsence }, () => {
    let db: TestDatabase
    let office: Office
    let browser: Browser
    let origin: string
    let logged = ''
    before(async () => {
      db = await engine.open()
      const log = createLog({ level: 'debug', write: (lines) => (logged += lines) })
      office = await openConsole(db, { log })
      origin = await office.listen()
      browser = await openBrowser()
    })
    after(async () => {
      await browser?.close()
      await office?.close()
      await db?.close()
    })
    const pass = (minutes: number) => {
      office.clock.now = new Date(office.clock.now.getTime() + minutes * MINUTE_MS)
    }

    /** Of a person who is signed in, or of a stranger. */
    async function open(
      email: string | null,
      work: (page: { tab: Tab; context: BrowserContext; keys: Keys }) => Promise<void>,
    ): Promise<void> {
      const context = await browser.newContext({
        reducedMotion: 'reduce',
        viewport: { width: 390, height: 844 },
      })
      const tab = await context.newPage()
      const faults: string[] = []
      tab.on('pageerror', (error) => faults.push(error.message))
      tab.on('console', (line) => line.type() === 'error' && faults.push(line.text()))
      await tab.goto(`${origin}/console/sign-in`)
      if (email !== null) await signIn(tab, email)
      await work({ tab, context, keys: await plugIn(context, tab) })
      assert.deepEqual(
        faults.filter((fault) => !/status of 4\d\d/.test(fault)),
        [],
        'the policy and the script',
      )
      await context.close()
    }

    test('is added, signs in without password to where the person wanted to, and is one touch after 15 minutes', async () => {
      const email = await office.employ('ADMINISTRATOR', ['test', 'live'])
      await open(email, async ({ tab, keys }) => {
        const id = await keys.add('internal')
        await addPasskey(tab, 'My laptop')
        await look(tab, 'codes')
        await tab.getByRole('link', { name: 'I have kept them' }).click()
        assert.match(await tab.locator('main').innerText(), /My laptop/)
        await look(tab, 'factors')

        await tab.context().clearCookies()
        await tab.goto(`${origin}/console/access`)
        await look(tab, 'sign-in')
        await tab.getByRole('button', { name: 'Sign in with a passkey' }).click()
        await tab.waitForURL(`${origin}/console/access`)
        assert.equal((await keys.list(id))[0]!.signCount, 2, 'adding and signing in')

        pass(14)
        await tab.reload()
        pass(1)
        await tab.locator('#name').fill('Kept Terms')
        await tab.locator('#email').fill('kept@example.com')
        await tab.getByRole('button', { name: 'Make an invitation link' }).click()
        await look(tab, 'fresh')
        await tab.getByRole('button', { name: 'Use your passkey' }).click()
        await tab.getByText('Kept Terms').first().waitFor()
        assert.match(await tab.content(), /welcome#/)
        assert.equal((await keys.list(id))[0]!.signCount, 3)
      })
      const events = await db.query<{ data: string }>('select data from events')
      const factors = await db.query<{ credential_id: string; public_key: string }>(
        'select credential_id, public_key from person_factors',
      )
      const said = logged + events.map(({ data }) => data).join()
      const secrets = ['My laptop', email, 'kept@example.com', 'clientDataJSON', 'signature']
      for (const secret of [...secrets, ...factors.flatMap(Object.values)]) {
        assert(!said.includes(secret), secret)
      }
    })

    test('decides with one touch after 15 minutes', async () => {
      const email = await office.employ('SUPERVISOR')
      const approvalId = await askForApproval(office)
      await open(email, async ({ tab, keys }) => {
        await keys.add('internal')
        await addPasskey(tab, 'Key')
        await tab.goto(`${origin}/console/approvals/${approvalId}`)
        pass(14)
        await tab.reload()
        pass(1)
        await tab.locator('#note').fill('No mandate')
        await tab.getByRole('button', { name: 'Refuse' }).click()
        const touch = tab.getByRole('button', { name: 'Use your passkey' })
        await touch.waitFor()
        const decided = tab.waitForResponse((response) => response.url().endsWith('/decide'))
        await touch.click()
        assert.equal((await decided).status(), 303)
        const state = await office.ask('GET', `/v2/approvals/${approvalId}`)
        assert.equal(state.json.data.status, 'REJECTED')
      })
    })

    test('each of two authenticators signs in; one that was removed does not', async () => {
      const email = await office.employ('CLERK')
      await open(email, async ({ tab, keys }) => {
        const laptop = await keys.add('internal')
        await addPasskey(tab, 'Laptop')
        const [onLaptop] = await keys.list(laptop)
        await keys.remove(laptop)
        const stick = await keys.add('usb')
        await addPasskey(tab, 'Stick')
        await byPasskey(tab)
        await tab.waitForURL(`${origin}/console`)
        await tab.goto(`${origin}/console/me/factors`)
        await tab.getByRole('button', { name: 'Remove Laptop' }).click()
        await tab.getByText('The second factor was removed').waitFor()
        await byPasskey(tab)
        await tab.waitForURL(`${origin}/console`)
        await keys.remove(stick)
        const again = await keys.add('internal')
        await keys.give(again, onLaptop!)
        await byPasskey(tab)
        await tab.getByText('The passkey was not accepted. Try again').waitFor()
        await look(tab, 'refused')
        assert.match(tab.url(), /sign-in/)
      })
    })

    test('the copy of an authenticator is refused once its counter is behind, and the person gets a notice', async () => {
      const email = await office.employ('CLERK')
      await open(email, async ({ tab, keys }) => {
        const own = await keys.add('internal')
        await addPasskey(tab, 'Own')
        const [copied] = await keys.list(own)
        await byPasskey(tab)
        await tab.waitForURL(`${origin}/console`)
        const [after] = await keys.list(own)
        await keys.remove(own)
        const copy = await keys.add('internal')
        await keys.give(copy, copied!)
        await byPasskey(tab)
        await tab.getByText('there seems to be a copy of it').waitFor()
        await keys.remove(copy)
        await keys.give(await keys.add('internal'), after!)
        await byPasskey(tab)
        await tab.waitForURL(`${origin}/console`)
        await tab.getByText('what seems to be a copy of your passkey').waitFor()
        await look(tab, 'copied')
      })
    })

    test('after the password it is the second step, and nothing is sent where it does not answer', async () => {
      const email = await office.employ('CLERK')
      await open(email, async ({ tab, keys }) => {
        const own = await keys.add('internal')
        await addPasskey(tab, 'Own')
        await tab.context().clearCookies()
        await tab.goto(`${origin}/console/sign-in`)
        await signIn(tab, email)
        await look(tab, 'second-step')
        await keys.verifies(own, false)
        await tab.getByRole('button', { name: 'Sign in with a passkey' }).click()
        await tab.getByText('Nothing was done').waitFor()
        await look(tab, 'failed')
        await keys.verifies(own, true)
        await tab.getByRole('button', { name: 'Sign in with a passkey' }).click()
        await tab.waitForURL(`${origin}/console`)
      })
    })

    test('without script, and where browsers know no passkeys, nothing of them is shown', async () => {
      const email = await office.employ('CLERK')
      const context = await browser.newContext({ javaScriptEnabled: false, viewport: null })
      const tab = await context.newPage()
      await tab.goto(`${origin}/console/sign-in`)
      assert.equal(await tab.getByRole('button', { name: 'Sign in with a passkey' }).isVisible(), false)
      await signIn(tab, email)
      await tab.goto(`${origin}/console/me/factors`)
      assert.equal(await tab.getByRole('button', { name: 'Add a passkey' }).isVisible(), false)
      assert(await tab.getByRole('button', { name: 'Add an authenticator app' }).isVisible())
      await context.close()
      const visitor = await office.visit(email)
      for (const host of ['127.0.0.1:8080', 'bank.example.com']) {
        const page = await visitor.get('/sign-in', { host })
        assert.doesNotMatch(page.text, /passkey/, host)
        assert.doesNotMatch((await visitor.get('/me/factors', { host })).text, /passkey/, host)
        const ours = { host, 'sec-fetch-site': 'same-origin' }
        assert.equal((await visitor.post('/me/factors/passkey', { name: 'x' }, ours)).status, 422, host)
      }
    })

    async function addPasskey(tab: Tab, name: string): Promise<void> {
      await tab.goto(`${origin}/console/me/factors`)
      await tab.getByLabel('Name of the passkey').fill(name)
      await tab.getByRole('button', { name: 'Add a passkey' }).click()
      await look(tab, 'touch')
      await tab.getByRole('button', { name: 'Continue' }).click()
      await tab.waitForURL(/passkey\/confirm$|done=added$/)
    }

    /** In a browser that is not signed in. */
    async function byPasskey(tab: Tab): Promise<void> {
      await tab.context().clearCookies()
      await tab.goto(`${origin}/console/sign-in`)
      await tab.getByRole('button', { name: 'Sign in with a passkey' }).click()
    }
  })
}

/** A clerk asks for a payment that the policy holds. */
async function askForApproval(office: Office): Promise<string> {
  const rule = { operation: 'liquidateFixedDeposit', when: {}, approvals: 1 }
  await setPolicy(office, { expires_after_hours: 72, deciders: 'PERSON', rules: [rule] })
  const clerk = await office.visit(await office.employ('CLERK'))
  const { depositId } = await openDeposit(office.ask, { amount: '2000.00', start_date: '2026-03-23' })
  const page = await clerk.get(`/deposits/${depositId}`)
  const key = /name="key" value="([^"]+)"/.exec(page.text)![1]!
  const sent = await clerk.post(`/deposits/${depositId}/ask`, { key, type: 'FULL', reason: 'COURT_ORDER' })
  assert.equal(sent.status, 303, sent.text)
  const waiting = await office.ask('GET', `/v2/approvals?target_id=${depositId}`)
  return waiting.json.data[0].approval_id
}

type Credential = { credentialId: string; signCount: number }
type Keys = Awaited<ReturnType<typeof plugIn>>

/** The virtual authenticators of a tab. */
async function plugIn(context: BrowserContext, tab: Tab) {
  const session: CDPSession = await context.newCDPSession(tab)
  await session.send('WebAuthn.enable')
  return {
    add: async (transport: 'internal' | 'usb') =>
      (await session.send('WebAuthn.addVirtualAuthenticator', { options: { ...AUTHENTICATOR, transport } }))
        .authenticatorId,
    remove: (authenticatorId: string) =>
      session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
    list: async (authenticatorId: string): Promise<Credential[]> =>
      (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    give: (authenticatorId: string, credential: Credential) =>
      session.send('WebAuthn.addCredential', { authenticatorId, credential: credential as never }),
    verifies: (authenticatorId: string, isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

async function signIn(tab: Tab, email: string): Promise<void> {
  await tab.getByLabel('E-mail').fill(email)
  await tab.getByLabel('Password').fill(PASSWORD)
  await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function look(tab: Tab, name: string): Promise<void> {
  const folder = process.env.PICTURES
  for (const scheme of ['light', 'dark'] as const) {
    await tab.emulateMedia({ colorScheme: scheme })
    assert.deepEqual(await accessibilityFindings(tab, { contrast: true }), [], `${name} ${scheme}`)
    assert.equal(await tab.evaluate('document.documentElement.scrollWidth > innerWidth'), false, name)
    if (folder !== undefined)
      await tab.screenshot({ path: `${folder}/${name}-${scheme}.png`, fullPage: true })
  }
}
