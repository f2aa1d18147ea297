import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CONSOLE_POLICY } from '../../src/console/door.ts'
import { pages } from '../../src/console/pages.ts'
import { ROLES, SCOPES_OF_ROLE } from '../../src/domain/people.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { type Office, openConsole, PASSWORD } from './office.ts'

describe('the door of the console', () => {
  let db: TestDatabase
  let office: Office
  before(async () => {
    db = await engines[0]!.open()
    office = await openConsole(db)
  })
  after(async () => {
    await office?.close()
    await db?.close()
  })

  test('a write from another or an unknown site is refused', async () => {
    const email = await office.employ('CLERK')
    const visitor = await office.visit(email)
    const send = (headers: Record<string, string>) => visitor.post('/sign-out', {}, headers)
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', origin: 'http://localhost' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      {},
    ]) {
      assert.equal((await send(headers as Record<string, string>)).status, 403, JSON.stringify(headers))
    }
    assert.equal((await visitor.get('/')).status, 200)
    assert.equal((await send({ origin: 'http://localhost', host: 'localhost' })).status, 303)
    assert.match((await visitor.get('/')).location, /sign-in/)
  })

  test('a session cookie is out of reach for scripts and other sites, and bound to the host on https', async () => {
    const email = await office.employ('VIEWER')
    const form = { email, password: PASSWORD }
    const plain = await (await office.visit()).post('/sign-in', form)
    assert.match(String(plain.headers['set-cookie']), /^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
    const headers = { 'sec-fetch-site': 'same-origin', 'x-forwarded-proto': 'https' }
    const secure = await (await office.visit()).post('/sign-in', form, headers)
    assert.match(
      String(secure.headers['set-cookie']),
      /^__Host-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  test('every answer has the policy and is not cached, also failures', async () => {
    const visitor = await office.visit(await office.employ('CLERK', ['live']))
    for (const path of ['/', '/sign-in', '/welcome', '/nothing/here', '/clock']) {
      const { headers } = await visitor.get(path)
      assert.equal(headers['content-security-policy'], CONSOLE_POLICY, path)
      assert.equal(headers['cache-control'], 'no-store', path)
      assert.equal(headers['x-content-type-options'], 'nosniff', path)
      assert.match(String(headers['content-type']), /^text\/html/, path)
    }
    assert.equal((await visitor.get('/nothing/here')).status, 404)
  })

  test('a form names each field once, is small, and is a form', async () => {
    const send = (payload: string, type = 'application/x-www-form-urlencoded') =>
      office.app.inject({
        method: 'POST',
        url: '/console/sign-in',
        headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
        payload,
      })
    assert.equal((await send('email=a&email=b')).statusCode, 400)
    assert.equal((await send(`email=${'a'.repeat(40_000)}`)).statusCode, 400)
    assert.equal((await send('{}', 'application/json')).statusCode, 400)
    assert.equal((await send('email=a&password=b')).statusCode, 401)
  })

  test('a link sets the password once; a wrong password and an unknown person get the same answer', async () => {
    const token = await office.invite({ email: 'new@example.com' })
    const visitor = await office.visit()
    const set = (password: string) => visitor.post('/welcome', { token, password })
    assert.match((await set('short')).text, /at least 12 characters/)
    const changed = await set(PASSWORD)
    assert.equal(changed.status, 200)
    assert.match(changed.text, /class="notice good" role="status">Your password is set/)
    assert.match((await set(PASSWORD)).text, /was used before/)
    const enter = (email: string, password: string) => visitor.post('/sign-in', { email, password })
    const wrong = await enter('new@example.com', 'not the password')
    const unknown = await enter('nobody@example.com', 'not the password')
    assert.deepEqual([wrong.status, unknown.status], [401, 401])
    assert.equal(wrong.text.replace('new@', 'nobody@'), unknown.text)
    const right = await enter('new@example.com', PASSWORD)
    assert.equal(right.location, '/console')
  })

  test('after ten wrong passwords a minute, others are not looked at', async () => {
    const visitor = await office.visit()
    const email = await office.employ('SUPERVISOR')
    const enter = async (password: string) => (await visitor.post('/sign-in', { email, password })).status
    let tries = 0
    while (tries < 50 && (await enter('not the password')) !== 429) tries += 1
    // More than ten only where they take so long that some are allowed again meanwhile.
    assert(tries >= 10, `${tries} tries`)
    assert.equal(await enter(PASSWORD), 429)
  })

  test('sign-in goes on to where the person was going, and never to another site', async () => {
    const email = await office.employ('CLERK')
    for (const [next, location] of [
      ['/console/search?q=ada', '/console/search?q=ada'],
      ['//evil.example', '/console'],
      ['https://evil.example/console', '/console'],
      ['/console//evil.example', '/console'],
      ['/console\\evil', '/console'],
    ]) {
      const answer = await (await office.visit()).post('/sign-in', { email, password: PASSWORD, next: next! })
      assert.equal(answer.location, location)
    }
  })

  test('after the session has ended sign-in is required, and the form is preserved without the password', async () => {
    const email = await office.employ('CLERK')
    const visitor = await office.visit(email)
    office.clock.now = new Date(office.clock.now.getTime() + 16 * 60_000)
    assert.equal((await visitor.get('/me?q=ada')).location, '/console/sign-in?next=%2Fconsole%2Fme%3Fq%3Dada')
    const kept = await visitor.post('/me/password', { password: 'a secret thing', note: '<b>kept</b>' })
    assert.equal(kept.status, 401)
    assert.match(kept.text, /name="kept" value="note=%3Cb%3Ekept%3C%2Fb%3E"/)
    const again = await visitor.post('/sign-in', {
      email,
      password: PASSWORD,
      next: '/console/me/password',
      kept: 'note=%3Cb%3Ekept%3C%2Fb%3E',
    })
    assert.match(again.text, /action="\/console\/me\/password"/)
    assert.match(again.text, /<a href="\/console\/me">/)
    assert.match(again.text, /name="note" value="&#60;b&#62;kept&#60;\/b&#62;"/)
  })

  test('sessions are listed by browser and system, and by what was sent where these are not known', async () => {
    const email = await office.employ('CLERK')
    const chrome =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36'
    const safari =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/604.1'
    const edge = `${chrome.replace('X11; Linux x86_64', 'Windows NT 10.0; Win64; x64')} Edg/146.0.0.0`
    const site = { 'sec-fetch-site': 'same-origin' }
    const visitor = await office.visit()
    for (const browser of [chrome, safari, edge, 'curl/8.5.0']) {
      const visit = await office.visit()
      await visit.post('/sign-in', { email, password: PASSWORD }, { ...site, 'user-agent': browser })
      visitor.cookie = visit.cookie
    }
    const { text } = await visitor.get('/me')
    const listed = [...text.matchAll(/data-name="Browser">([^<]*)</g)].map(([, name]) => name).toSorted()
    assert.deepEqual(listed, ['Chrome on Linux', 'Edge on Windows', 'Safari on iPhone', 'curl/8.5.0'])
  })

  test('a session that a browser was given before sign-in is worth nothing after it', async () => {
    const email = await office.employ('CLERK')
    const planted = 'session=planted-planted-planted-planted-planted-plan'
    const visitor = await office.visit()
    visitor.cookie = planted
    const signedIn = await visitor.post('/sign-in', { email, password: PASSWORD })
    assert.equal(signedIn.status, 303)
    assert.notEqual(visitor.cookie, planted)
    const thief = await office.visit()
    thief.cookie = planted
    assert.match((await thief.get('/')).location, /sign-in/)
    const first = visitor.cookie
    const again = await visitor.post('/sign-in', { email, password: PASSWORD })
    assert.equal(again.status, 303)
    assert.notEqual(visitor.cookie, first)
  })

  test('a person who is disabled, gets another role or ends a session elsewhere loses access at the next click', async () => {
    const administrator = await office.visit(await office.employ('ADMINISTRATOR'))
    const email = await office.employ('CLERK')
    const [one, other] = [await office.visit(email), await office.visit(email)]
    const sessions = await one.get('/me')
    const elsewhere = /name="session" value="(ses_\w+)"/.exec(sessions.text)![1]!
    assert.equal((await one.post('/me/sessions', { session: elsewhere })).status, 303)
    assert.match((await other.get('/customers')).location, /sign-in/)
    const page = await administrator.get('/access')
    const row = page.text.split('<tr>').find((text) => text.includes(email))!
    const path = /\/console(\/access\/people\/per_\w+)\//.exec(row)![1]!
    await administrator.post(`${path}/role`, { role: 'VIEWER', 'mode test': 'yes' })
    const kept = await one.post('/customers/cus_x', { email: 'new@example.com' })
    assert.equal(kept.status, 401)
    assert.match(kept.text, /name="kept" value="email=new%40example.com"/)
    const viewer = await office.visit(email)
    await administrator.post(`${path}/disable`, {})
    assert.match((await viewer.get('/')).location, /sign-in/)
  })

  test('each role sees exactly the pages that its scopes allow', async () => {
    for (const role of ROLES) {
      const visitor = await office.visit(await office.employ(role))
      for (const { method, path, scope } of pages) {
        const url = path.replace(/:\w+/g, 'nothing')
        const answer = await (method === 'GET' ? visitor.get(url) : visitor.post(url, {}))
        const allowed = scope === null || SCOPES_OF_ROLE[role].includes(scope)
        assert.equal(answer.status === 403, !allowed, `${role} ${method} ${path}: ${answer.status}`)
        assert(answer.status < 500, `${role} ${method} ${path}: ${answer.status}`)
      }
    }
  })

  test('the clock of a test book is shown on every page, and on none of a live book', async () => {
    const inTest = await (await office.visit(await office.employ('CLERK'))).get('/')
    assert.match(inTest.text, /Test mode/)
    const live = await office.visit(await office.employ('CLERK', ['live']))
    assert.doesNotMatch((await live.get('/')).text, /Test mode/)
    assert.equal((await live.get('/clock')).status, 404)
    const both = await office.visit(await office.employ('CLERK', ['test', 'live']))
    assert.doesNotMatch((await both.get('/')).text, /Test mode/)
    const book = await both.post('/book', { mode: 'test' })
    assert.match(String(book.headers['set-cookie']), /^book=test; Path=\/; HttpOnly; SameSite=Lax$/)
  })
})
