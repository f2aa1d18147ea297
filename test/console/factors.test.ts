/** Second factors at the console: adding an app, the second step of a sign-in, fresh sign-ins, and who must have one. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page as Tab } from 'playwright-core'
import { stepAt } from '../../src/domain/factors.ts'
import type { Role } from '../../src/domain/people.ts'
import { codeAt } from '../../src/features/factors/totp.ts'
import { createLog } from '../../src/observe/log.ts'
import { accessibilityFindings } from '../support/axe.ts'
import { browserAbsence, openBrowser } from '../support/browser.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { type Office, openConsole, PASSWORD, type Visitor } from './office.ts'

const STEP_MS = 30_000
const MINUTE_MS = 60_000
const LIVE = ['test', 'live'] as const

for (const engine of engines) {
  describe(`${engine.name}: second factors`, { skip: engine.skip }, () => {
    let db: TestDatabase
    let office: Office
    let logged = ''
    before(async () => {
      db = await engine.open()
      const log = createLog({ level: 'debug', write: (lines) => (logged += lines) })
      office = await openConsole(db, { log, factorPolicy: 'deciders' })
    })
    after(async () => {
      await office?.close()
      await db?.close()
    })
    const pass = (ms: number) => {
      office.clock.now = new Date(office.clock.now.getTime() + ms)
    }
    const codeFor = (secret: string) => codeAt(secret, stepAt(office.clock.now))

    async function employ(role: Role): Promise<string> {
      return office.employ(role, [...LIVE])
    }

    async function addApp(visitor: Visitor): Promise<{ secret: string; codes: string[] }> {
      const page = await visitor.post('/me/factors/app', {})
      const { secret, encrypted } = shownIn(page.text)
      const added = await visitor.post('/me/factors/app/confirm', { encrypted, code: codeFor(secret) })
      assert.equal(added.status, 200, added.text)
      const codes = [...added.text.matchAll(/<code>([\w-]{19})<\/code>/g)].map(([, code]) => code!)
      assert.equal(codes.length, 10)
      return { secret, codes }
    }

    test('deciders of the live book add one before they see any other page, and clerks need none', async () => {
      const supervisor = await office.visit(await employ('SUPERVISOR'))
      for (const path of ['/', '/deposits', '/me', '/approvals']) {
        assert.equal((await supervisor.get(path)).location, '/console/me/factors', path)
      }
      assert.equal((await supervisor.post('/clock', {})).location, '/console/me/factors')
      assert.match((await supervisor.get('/me/factors')).text, /Your role needs a second factor/)
      await addApp(supervisor)
      assert.equal((await supervisor.get('/deposits')).status, 200)
      assert.doesNotMatch((await supervisor.get('/me/factors')).text, /Your role needs/)
      const clerk = await office.visit(await employ('CLERK'))
      assert.equal((await clerk.get('/deposits')).status, 200)
    })

    test('the code is the second step of a sign-in, which goes on to where the person wanted to', async () => {
      const email = await employ('SUPERVISOR')
      const { secret, codes } = await addApp(await office.visit(email))
      pass(STEP_MS)
      const visitor = await office.visit()
      const form = { email, password: PASSWORD, next: '/console/deposits' }
      const step = await visitor.post('/sign-in', form)
      assert.equal(step.status, 200)
      assert.equal(visitor.cookie, '', 'the password alone gives no cookie')
      const pending = /name="pending" value="([^"]+)"/.exec(step.text)![1]!
      const more = { pending, next: form.next }
      const wrong = await visitor.post('/sign-in/factor', { ...more, code: '000000' })
      assert.deepEqual([wrong.status, visitor.cookie], [401, ''])
      assert.match(wrong.text, /The code is not right/)
      const right = await visitor.post('/sign-in/factor', { ...more, code: codeFor(secret) })
      assert.deepEqual([right.status, right.location], [303, '/console/deposits'])
      assert.equal((await visitor.get('/deposits')).status, 200)
      const elsewhere = await office.visit()
      const again = await elsewhere.post('/sign-in/factor', { ...more, code: codeFor(secret) })
      assert.equal(again.status, 401, 'a code is good once')
      assert.equal((await elsewhere.post('/sign-in/factor', { ...more, code: codes[0]! })).status, 303)
      assert.match((await elsewhere.get('/')).text, /signed in as you with a recovery code/)
      const expired = await office.visit()
      pass(5 * MINUTE_MS)
      const late = await expired.post('/sign-in/factor', { ...more, code: codeFor(secret) })
      assert.deepEqual([late.status, expired.cookie], [401, ''])
      assert.match(late.text, /Your session has ended/)
      for (const one of [PASSWORD, secret, pending, ...codes, email]) assert(!logged.includes(one), one)
    })

    test('what gives access asks for password and code after 15 minutes, and keeps the form', async () => {
      const administrator = await office.visit(await employ('ADMINISTRATOR'))
      const { secret } = await addApp(administrator)
      pass(14 * MINUTE_MS)
      await administrator.get('/access')
      pass(MINUTE_MS)
      const terms = { name: 'Kept', email: `kept-${secret}@example.com`, role: 'CLERK', 'mode test': 'yes' }
      const asked = await administrator.post('/access/people', terms)
      assert.equal(asked.status, 401)
      assert.match(asked.text, /name="own_code"/)
      const alone = await administrator.post('/access/people', { ...terms, own_password: PASSWORD })
      assert.equal(alone.status, 401)
      assert.match(alone.text, /The code is not right/)
      assert.doesNotMatch(alone.text, new RegExp(PASSWORD))
      const own = { own_password: PASSWORD, own_code: codeFor(secret) }
      const done = await administrator.post('/access/people', { ...terms, ...own })
      assert.match(done.text, /welcome#/)
    })

    test('deciding asks for password and code after 15 minutes', async () => {
      const supervisor = await office.visit(await employ('SUPERVISOR'))
      const { secret } = await addApp(supervisor)
      pass(14 * MINUTE_MS)
      await supervisor.get('/')
      pass(MINUTE_MS)
      const form = { decision: 'refuse', note: 'No' }
      const path = '/approvals/apr_none/decide'
      const asked = await supervisor.post(path, { ...form, password: PASSWORD })
      assert.equal(asked.status, 401, 'the password in the form is not enough')
      const own = { own_password: PASSWORD, own_code: codeFor(secret) }
      assert.equal((await supervisor.post(path, { ...form, ...own })).status, 404, 'now it is looked for')
    })

    test('a picture that was shown to another person, or long ago, adds nothing', async () => {
      const [one, other] = [
        await office.visit(await employ('CLERK')),
        await office.visit(await employ('CLERK')),
      ]
      const { secret, encrypted } = shownIn((await one.post('/me/factors/app', {})).text)
      const stolen = await other.post('/me/factors/app/confirm', { encrypted, code: codeFor(secret) })
      assert.doesNotMatch(stolen.text, /Your recovery codes/)
      assert.notEqual(shownIn(stolen.text).secret, secret)
      const wrong = await one.post('/me/factors/app/confirm', { encrypted, code: '000000' })
      assert.equal(wrong.status, 422)
      assert.equal(shownIn(wrong.text).secret, secret, 'another try with the same picture')
      for (let minutes = 0; minutes < 15; minutes += 5) {
        pass(5 * MINUTE_MS)
        await one.get('/me')
      }
      const own = { own_password: PASSWORD }
      const late = await one.post('/me/factors/app/confirm', { encrypted, code: codeFor(secret), ...own })
      assert.notEqual(shownIn(late.text).secret, secret)
      assert.match((await one.get('/me/factors')).text, /You have none yet/)
    })

    test('an administrator removes those of another, who then adds one again', async () => {
      const email = await employ('SUPERVISOR')
      const supervisor = await office.visit(email)
      await addApp(supervisor)
      const boss = await office.visit(await employ('ADMINISTRATOR'))
      await addApp(boss)
      const page = (await boss.get('/access')).text
      const [, id] = new RegExp(`${email}[\\s\\S]*?people/(per_\\w+)/factors`).exec(page)!
      const removed = await boss.post(`/access/people/${id}/factors`, { sure: 'yes' })
      assert.equal(removed.location, `/console/access?done=factors&person=${id}`)
      assert.match((await boss.get(removed.location)).text, /signs in with the password alone/)
      assert.match((await supervisor.get('/deposits')).location, /sign-in/, 'the sessions have ended')
      const again = await office.visit(email)
      assert.equal((await again.get('/')).location, '/console/me/factors')
      assert.match((await again.get('/me/factors')).text, /Your second factors were removed by Amina Yusuf/)
      assert.equal((await boss.post(`/access/people/${id}/factors`, { sure: 'yes' })).status, 422)
    })

    describe('in a browser', { skip: engine === engines[0] ? browserAbsence : 'once is enough' }, () => {
      test('adding and signing in work without script, with no finding, in light and dark, on a phone', async () => {
        const email = await employ('SUPERVISOR')
        const origin = await office.listen()
        const browser = await openBrowser()
        try {
          const context = await browser.newContext({
            reducedMotion: 'reduce',
            javaScriptEnabled: true,
            viewport: { width: 390, height: 844 },
          })
          const tab = await context.newPage()
          await tab.goto(`${origin}/console/sign-in`)
          await signIn(tab, email)
          assert.match(tab.url(), /\/me\/factors$/)
          await look(tab, 'must')
          await tab.getByRole('button', { name: 'Add an authenticator app' }).click()
          await look(tab, 'app')
          const { secret } = shownIn(await tab.content())
          await tab.getByLabel('Code of the app').fill(codeFor(secret))
          await tab.getByRole('button', { name: 'Add the app' }).click()
          await look(tab, 'codes')
          await tab.getByRole('link', { name: 'I have kept them' }).click()
          await look(tab, 'factors')
          await context.close()

          pass(STEP_MS)
          const plain = await browser.newContext({
            reducedMotion: 'reduce',
            javaScriptEnabled: false,
            viewport: { width: 390, height: 844 },
          })
          const page = await plain.newPage()
          await page.goto(`${origin}/console/sign-in`)
          await signIn(page, email)
          await page.getByLabel('Code').fill(codeFor(secret))
          await page.getByRole('button', { name: 'Sign in', exact: true }).click()
          assert.equal(page.url(), `${origin}/console`)
        } finally {
          await browser.close()
        }
      })
    })
  })
}

async function signIn(tab: Tab, email: string): Promise<void> {
  await tab.getByLabel('E-mail').fill(email)
  await tab.getByLabel('Password').fill(PASSWORD)
  await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function look(tab: Tab, name: string): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await tab.emulateMedia({ colorScheme: scheme })
    const found = await accessibilityFindings(tab, { contrast: true })
    assert.deepEqual(found, [], `${name} ${scheme}`)
    assert.equal(await tab.evaluate('document.documentElement.scrollWidth > innerWidth'), false, name)
  }
  const folder = process.env.PICTURES
  if (folder !== undefined) await tab.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

function shownIn(text: string): { secret: string; encrypted: string } {
  const key = /<code>((?:[A-Z2-7]{4} ?){8})<\/code>/.exec(text)?.[1]
  assert(key !== undefined, text)
  return { secret: key.replaceAll(' ', ''), encrypted: /name="encrypted" value="([^"]+)"/.exec(text)![1]! }
}
