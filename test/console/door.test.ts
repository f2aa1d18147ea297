import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CONSOLE_POLICY } from '../../src/console/door.ts'
import { pages } from '../../src/console/pages.ts'
import { ROLES, type Role, SCOPES_OF_ROLE } from '../../src/domain/people.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { createClientAddresses } from '../../src/http/client-address.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { openDeposit } from '../support/service.ts'
import { type Answer, type Office, OURS, openConsole, PASSWORD, type Visitor } from './office.ts'

const DAY_MS = 24 * 60 * 60_000

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

  const employLive = (role: Role) => office.employ(role, ['live'])

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
    const cookies = ({ headers }: Answer) => [headers['set-cookie']].flat()
    const [session, device] = cookies(plain)
    assert.match(String(session), /^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
    assert.match(String(device), /^device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000$/)
    const headers = { 'sec-fetch-site': 'same-origin', 'x-forwarded-proto': 'https' }
    // Without trusted proxies the header is the client's own.
    const claimed = await (await office.visit()).post('/sign-in', form, headers)
    assert.match(String(claimed.headers['set-cookie']), /^session=/)
    const clients = createClientAddresses({ trustedProxies: ['127.0.0.1'], logged: false })
    const proxied = await openConsole(db, { clients })
    const secure = await (await proxied.visit()).post('/sign-in', form, headers)
    await proxied.close()
    const [own, known] = cookies(secure)
    assert.match(String(own), /^__Host-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
    assert.match(
      String(known),
      /^__Host-device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=15552000$/,
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
    const withoutChallenge = (text: string) =>
      text.replaceAll(/(data-options|"challenge" value)="[^"]+"/g, '')
    assert.equal(withoutChallenge(wrong.text.replace('new@', 'nobody@')), withoutChallenge(unknown.text))
    const right = await enter('new@example.com', PASSWORD)
    assert.equal(right.location, '/console')
  })

  test('after five wrong passwords others are not looked at, but those of a browser that knows the person', async () => {
    const visitor = await office.visit()
    const email = await office.employ('SUPERVISOR')
    const known = await office.visit(email)
    const enter = async (who: Visitor, password: string) =>
      (await who.post('/sign-in', { email, password })).status
    for (let tries = 0; tries < 5; tries += 1) assert.equal(await enter(visitor, 'not the password'), 401)
    assert.equal(await enter(visitor, PASSWORD), 429)
    await known.post('/sign-out', {})
    assert.equal((await known.get('/')).status, 303)
    assert.equal(await enter(known, PASSWORD), 303)
  })

  test('people who share a browser are each known in it, and a browser is forgotten on request', async () => {
    const [one, other] = [await office.employ('CLERK'), await office.employ('CLERK')]
    const shared = await office.visit(one)
    const enter = (email: string, password: string) => shared.post('/sign-in', { email, password })
    assert.equal((await enter(other, PASSWORD)).status, 303)
    assert.match(shared.cookie, /device=[\w-]{43}\.[\w-]{43}/)
    for (const email of [one, other]) {
      const stranger = await office.visit()
      for (let tries = 0; tries < 6; tries += 1) await stranger.post('/sign-in', { email, password: 'wrong' })
      assert.equal((await enter(email, PASSWORD)).status, 303, email)
    }
    const device = /name="device" value="(dev_\w+)"/.exec((await shared.get('/me')).text)![1]!
    const forgotten = await shared.post('/me/devices', { device })
    assert.match((await shared.get(forgotten.location)).text, /The browser was forgotten/)
    assert.equal((await enter(other, PASSWORD)).status, 429)
    assert.equal((await enter(one, PASSWORD)).status, 303)
  })

  test('the first administrator gives name and e-mail after the password, and signs in with these', async () => {
    const { caller } = await createCaller(db, {
      ...{ name: 'New Bank', timeZone: 'UTC', currency: 'NGN', at: office.clock.now },
    })
    const { callerId } = caller
    const token = await office.invite({
      ...{ email: 'administrator@localhost', role: 'ADMINISTRATOR', modes: ['test', 'live'], callerId },
    })
    const visitor = await office.visit()
    const name = (form: Record<string, string>) => visitor.post('/welcome/name', { token, ...form })
    const own = { name: 'Ada Obi', email: 'first@example.com' }
    assert.equal((await name(own)).status, 422, 'not before the password')
    assert.equal((await visitor.post('/welcome', { token, password: 'short' })).status, 422)
    const asked = await visitor.post('/welcome', { token, password: PASSWORD })
    assert.equal(asked.status, 200)
    assert.match(asked.text, /name="name"[\s\S]*name="email"/)
    assert.doesNotMatch(asked.text, new RegExp(PASSWORD))
    for (const wrong of [
      {},
      { ...own, name: '' },
      { ...own, email: 'x' },
      { ...own, email: 'administrator@localhost' },
    ]) {
      assert.equal((await name(wrong)).status, 422, JSON.stringify(wrong))
    }
    assert.match((await name(own)).text, /Your password is set/)
    assert.equal((await name(own)).status, 422, 'once')
    assert.equal((await visitor.post('/sign-in', { email: own.email, password: PASSWORD })).status, 303)
    assert.match((await visitor.get('/')).text, /Good day, Ada Obi/)
  })

  test('links never name a host that only the request names', async () => {
    const administrator = await office.visit(await office.employ('ADMINISTRATOR'))
    const terms = { name: 'Ada Obi', email: 'host@example.com', role: 'CLERK', 'mode test': 'yes' }
    const from = (host: string) =>
      administrator.post('/access/people', terms, { 'sec-fetch-site': 'same-origin', host })
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'evil.example:80',
    ]) {
      const refused = await from(host)
      assert.equal(refused.status, 422, host)
      assert.doesNotMatch(refused.text, /welcome#|evil/)
    }
    for (const host of ['localhost:8080', '127.0.0.1', '[::1]:8080']) {
      assert((await from(host)).text.includes(`http://${host}/console/welcome#`), host)
    }
  })

  test('demo passwords are shown to a browser on this machine alone', async () => {
    const demoPeople = [
      { name: 'Tunde', email: 'tunde@example.com', password: 'demo-password', role: 'CLERK' as const },
    ]
    const demo = await openConsole(db, { demoPeople })
    const shows = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') => {
      const asked = { method: 'GET' as const, url: '/console/sign-in', headers, remoteAddress }
      return (await demo.app.inject(asked)).body.includes('demo-password')
    }
    assert.equal(await shows({ host: 'localhost:8080' }), true)
    assert.equal(await shows({ host: 'localhost:8080' }, '::1'), true)
    assert.equal(await shows({ host: 'localhost:8080' }, '192.0.2.1'), false)
    assert.equal(await shows({ host: 'bank.example' }), false)
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip']) {
      assert.equal(await shows({ host: 'localhost', [header]: '192.0.2.1' }), false, header)
    }
    await demo.close()
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
    const browsers = ['Chrome on Linux', 'Edge on Windows', 'Safari on iPhone', 'curl/8.5.0']
    assert.deepEqual(listed, [...browsers, ...browsers].toSorted(), 'as a session and as a device')
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
    await administrator.post(`${path}/disable`, { sure: 'yes' })
    assert.match((await viewer.get('/')).location, /sign-in/)
  })

  test('while the date of a live book is in doubt people sign in and read, and a change says why it waits', async () => {
    const [email, administrator] = [await employLive('SUPERVISOR'), await employLive('ADMINISTRATOR')]
    const { customerId } = await openDeposit(office.askWith(office.liveKey), { amount: 1000 })
    const start = office.clock.now
    office.clock.now = new Date(start.getTime() + 3 * DAY_MS)
    const visitor = await office.visit(email)
    assert.equal((await visitor.get('/')).status, 200)
    assert.equal((await visitor.get(`/customers/${customerId}`)).status, 200)
    const refused = await visitor.post('/open/customer', {
      ...{ key: crypto.randomUUID(), first_name: 'Bola', last_name: 'Ade' },
      ...{ email: 'bola@example.com', phone_number: '+234 800 000 0000', address: '1 Marina Road' },
    })
    assert.deepEqual(
      [refused.status, /date has to be confirmed/.test(refused.text)],
      [503, true],
      refused.text,
    )
    const inviting = { name: 'Chi Eze', email: 'chi@example.com', role: 'CLERK', 'mode live': 'yes' }
    assert.equal((await (await office.visit(administrator)).post('/access/people', inviting)).status, 503)
    office.clock.now = start
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

  test('a person reads the console in a language of their own choice, or else of their browser', async () => {
    const visitor = await office.visit()
    const french = { ...OURS, 'accept-language': 'fr-SN,fr;q=0.9' }
    assert.match((await visitor.get('/sign-in', french)).text, /<html lang="fr-FR"[\s\S]*Se connecter/)
    assert.match((await visitor.get('/sign-in')).text, /<html lang="en-GB"[\s\S]*>Français</)
    const clerk = await office.visit(await office.employ('CLERK'))
    const from = { ...OURS, referer: 'http://localhost/console/deposits?status=ACTIVE' }
    const chosen = await clerk.post('/language', { language: 'fr' }, from)
    assert.deepEqual([chosen.status, chosen.location], [303, '/console/deposits?status=ACTIVE'])
    assert.match((await clerk.get(chosen.location)).text, /<h1>Dépôts/)
    assert.match((await clerk.get('/none')).text, /Introuvable/)
    await clerk.post('/language', { language: 'en' }, { ...OURS, referer: 'https://example.com/console' })
    assert.match((await clerk.get('/deposits', french)).text, /<h1>Deposits/)
    for (const referer of ['https://evil.example//x', 'no address', '']) {
      const answer = await clerk.post('/language', { language: 'xx' }, { ...OURS, referer })
      assert.equal(answer.location, '/console', referer)
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
