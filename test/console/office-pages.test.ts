/** The pages of those who look after the desk: audit log, people, keys and webhooks. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SCOPES } from '../../src/domain/scopes.ts'
import { EVENT_TYPES } from '../../src/features/events/record.ts'
import { listPeople } from '../../src/features/people/store.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { openDeposit } from '../support/service.ts'
import { type Office, openConsole, PASSWORD, type Visitor } from './office.ts'

describe('the back office of the console', () => {
  let db: TestDatabase
  let office: Office
  let administrator: Visitor
  let supervisor: Visitor
  before(async () => {
    db = await engines[0]!.open()
    office = await openConsole(db)
    administrator = await office.visit(await office.employ('ADMINISTRATOR'))
    supervisor = await office.visit(await office.employ('SUPERVISOR'))
  })
  after(async () => {
    await office?.close()
    await db?.close()
  })

  test('the audit log shows old and new values, with filters in the URL', async () => {
    const { customerId, depositId } = await openDeposit(office.ask, { amount: '1000.00' })
    await office.ask('PUT', `/v2/customer/${customerId}`, { address: '=HYPERLINK("x"), 2 Quay Street' })
    const all = await supervisor.get('/audit')
    assert.match(all.text, /Contact details changed/)
    assert.match(all.text, /<dt>Address<\/dt><dd><del>.*?Old: .*?<\/del><ins>.*?New: .*?2 Quay Street<\/ins>/)
    for (const type of EVENT_TYPES) assert(all.text.includes(`<option value="${type}"`), type)
    const found = async (query: string) => (await supervisor.get(`/audit?${query}`)).text
    assert.doesNotMatch(await found('action=fixed_deposit.created'), /Quay Street/)
    assert.match(await found(`subject=${depositId}`), /Deposit opened/)
    assert.doesNotMatch(await found(`subject=${depositId}`), /Quay Street/)
    assert.match(await found('who=KEY'), /Quay Street/)
    assert.doesNotMatch(await found('who=PERSON'), /Quay Street/)
    assert.match(await found('from=2026-07-01&to=2026-07-01'), /Quay Street/)
    assert.match(await found('from=2026-07-02'), /No change matches/)
    assert.match(await found('to=2026-06-30'), /No change matches/)
    const file = await supervisor.get(`/audit.csv?subject=${customerId}`)
    assert.match(String(file.headers['content-type']), /^text\/csv/)
    assert.match(String(file.headers['content-disposition']), /"audit\.csv"/)
    const lines = file.text.trimEnd().split('\r\n')
    assert.equal(lines.length, 3)
    assert.match(lines[1]!, /customer\.updated/)
  })

  test('everybody who sees a deposit or a customer sees who did what to it, without the values', async () => {
    const { customerId, depositId } = await openDeposit(office.ask, { amount: '1000.00' })
    await office.ask('PUT', `/v2/customer/${customerId}`, { address: '3 Harbour Street' })
    await office.ask('PUT', `/v2/customer/${customerId}`, { address: '4 Harbour Street' })
    const historyOf = (text: string) => /<ol class="timeline">[\s\S]*?<\/ol>/.exec(text)?.[0] ?? ''
    for (const role of ['VIEWER', 'CLERK', 'SUPERVISOR'] as const) {
      const person = await office.visit(await office.employ(role))
      const deposit = historyOf((await person.get(`/deposits/${depositId}`)).text)
      assert.match(deposit, /Deposit opened <small>by [A-Z]/, role)
      const customer = historyOf((await person.get(`/customers/${customerId}`)).text)
      assert.match(customer, /Contact details changed <small>by [A-Z]/, role)
      assert.doesNotMatch(customer, /Harbour Street/, role)
      assert.equal((await person.get('/audit')).status, role === 'SUPERVISOR' ? 200 : 403)
    }
  })

  test('a key of every right says so in words', async () => {
    const { text } = await administrator.get('/access/keys')
    assert.match(text, /<td data-name="May do">everything<\/td>/)
  })

  test('the daily report has the figures of the API, day by day', async () => {
    const { depositId } = await openDeposit(office.ask, { amount: '50000.00', start_date: '2026-03-23' })
    const broken = await office.ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, {
      liquidation_type: 'PARTIAL',
      amount: 1000,
    })
    const { net_credited } = broken.json.data
    const today = await supervisor.get('/report')
    const figure = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2 }).format(net_credited)
    assert.match(today.text, new RegExp(`Paid out</dt><dd><a [^>]*>₦${figure}`))
    assert.match(today.text, /1 in part/)
    assert.match(today.text, /Not verified yet/)
    const earlier = await supervisor.get('/report?day=2026-06-30')
    assert.match(earlier.text, /Paid out<\/dt><dd><a [^>]*>₦0\.00/)
    assert.match(earlier.text, /Next day/)
    const file = await supervisor.get('/report.csv')
    const [header, line] = file.text.split('\r\n')
    assert.equal(header!.split(',').length, line!.split(',').length)
    assert.match(line!, new RegExp(`^2026-07-01,NGN,0,1,1000\\.00,.*${net_credited.toFixed(2)},0\\.00$`))
  })

  test('deposits are listed page by page and by status, and customers with what they hold', async () => {
    const { depositId, customerId } = await openDeposit(office.ask, { amount: '31000.00' })
    const { accountNumber } = await openDeposit(office.ask, { amount: '1.00' })
    await office.ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 1000 })
    for (let index = 0; index < 50; index += 1) {
      const terms = { account_number: accountNumber, amount: 1, tenor: 30, interest_rate: 5 }
      await office.ask('POST', '/v2/fixed-deposits', terms)
    }
    const first = await supervisor.get('/deposits?status=ACTIVE')
    assert.doesNotMatch(first.text, new RegExp(depositId))
    const older = /href="(\/console\/deposits\?status=ACTIVE&#38;before=\d+)"/.exec(first.text)![1]!
    const second = await supervisor.get(older.replace('&#38;', '&'))
    assert.match(second.text, new RegExp(depositId))
    assert.match((await supervisor.get('/deposits?status=ROLLED_OVER')).text, /No deposit matches/)
    const found = await supervisor.get(`/search?q=${customerId}`)
    assert.match(found.text, /1 active[\s\S]*₦31,000\.00/)
  })

  test('all deposits of a customer are listed from their page, each with the name of its customer', async () => {
    const { accountNumber, customerId } = await openDeposit(office.ask, { amount: '77.00' })
    await office.ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 1000 })
    for (let index = 0; index < 50; index += 1) {
      const terms = { account_number: accountNumber, amount: 1, tenor: 30, interest_rate: 5 }
      await office.ask('POST', '/v2/fixed-deposits', terms)
    }
    const { first_name, last_name } = (await office.ask('GET', `/v2/customer/${customerId}`)).json.data
    const customer = await supervisor.get(`/customers/${customerId}`)
    assert.doesNotMatch(customer.text, /₦77\.00/)
    const path = `/console/deposits?customer=${customerId}`
    assert(customer.text.includes(`href="${path}"`))
    const first = await supervisor.get(path)
    assert(first.text.includes(`<h1>Deposits of ${first_name} ${last_name}</h1>`))
    assert.equal(first.text.split(`href="/console/customers/${customerId}"`).length - 1, 50)
    const older = /rel="next" href="(\/console\/deposits\?customer=[^"]+)"/.exec(first.text)![1]!
    const second = await supervisor.get(older.replace('&#38;', '&'))
    assert.equal(second.text.split(`href="/console/customers/${customerId}"`).length - 1, 1)
    assert.match(second.text, /₦77\.00/)
  })

  test('a person is invited by a link that is shown once, gets another role, and is disabled', async () => {
    const terms = { name: 'Ada Obi', email: 'ada@example.com', role: 'CLERK', 'mode test': 'yes' }
    assert.equal((await administrator.post('/access/people', { ...terms, email: 'x' })).status, 422)
    const invited = await administrator.post('/access/people', terms)
    const link = /http:\/\/[^<]*\/console\/welcome#([\w-]+)/.exec(invited.text)
    assert(link, invited.text)
    assert.doesNotMatch((await administrator.get('/access')).text, /welcome#/)
    const visitor = await office.visit()
    assert.equal((await visitor.post('/welcome', { token: link[1]!, password: PASSWORD })).status, 200)
    const ada = await office.visit('ada@example.com')
    assert.equal((await ada.get('/rules')).status, 200)
    const page = await administrator.get('/access')
    const id = /Change Ada Obi[\s\S]*?people\/(per_\w+)\/role/.exec(page.text)![1]!
    const act = (name: string, form = {}) => administrator.post(`/access/people/${id}/${name}`, form)
    const changed = await act('role', { role: 'VIEWER', 'mode test': 'yes' })
    assert.match((await administrator.get(changed.location)).text, /Ada Obi has the new role/)
    assert.match((await ada.get('/')).location, /sign-in/)
    assert.match((await act('link')).text, /welcome#/)
    const sure = { sure: 'yes' }
    assert.match((await administrator.get((await act('disable', sure)).location)).text, /was disabled/)
    assert.equal(
      (await (await office.visit()).post('/sign-in', { email: 'ada@example.com', password: PASSWORD }))
        .status,
      401,
    )
    const own = /Administrator[\s\S]*?<small>you<\/small>/.exec(page.text)
    assert(own, 'nobody changes themselves')
    assert.equal((await administrator.post('/access/people/per_none/disable', {})).status, 404)
    assert.equal((await act('explode')).status, 404)
  })

  test('nobody lets others into a book, or acts for people of a book, that they do not work in', async () => {
    const email = await office.employ('ADMINISTRATOR', ['test', 'live'])
    const page = await administrator.get('/access')
    const row = page.text.split('<tr>').find((text) => text.includes(email))!
    assert.match(row, /a book that you do not work in/)
    const live = { name: 'Eve Live', email: 'eve@example.com', role: 'CLERK', 'mode live': 'yes' }
    assert.equal((await administrator.post('/access/people', live)).status, 422)
    const both = await office.visit(email)
    const theirs = (await both.get('/access')).text
    const own = new RegExp(`${email.replace('.', '\\.')}[\\s\\S]*?you`)
    assert.match(theirs, own)
    const { items } = await listPeople(db, office.callerId, { limit: 100, before: null })
    const target = items.find((person) => person.email === email)!
    for (const act of ['link', 'disable']) {
      const answer = await administrator.post(`/access/people/${target.personId}/${act}`, { sure: 'yes' })
      assert.equal(answer.status, 422)
      assert.doesNotMatch(answer.text, /welcome#/)
    }
    assert.equal((await both.get('/access')).status, 200)
  })

  test('a key has any scopes but all of them, is shown once, and any key can be revoked', async () => {
    const make = (scopes: readonly string[]) =>
      administrator.post('/access/keys', {
        name: 'Night job',
        ...Object.fromEntries(scopes.map((scope) => [`may ${scope}`, 'yes'])),
      })
    assert.equal((await make([])).status, 422)
    for (const scope of SCOPES) assert.equal((await make([scope])).status, scope === '*' ? 422 : 200, scope)
    const made = await make(['audit:read'])
    const key = /bw_test_\w{38}/.exec(made.text)![0]
    assert.equal((await office.askWith(key)('GET', '/v2/audit-log')).status, 200)
    const listed = await administrator.get('/access/keys')
    assert.doesNotMatch(listed.text, new RegExp(key))
    const id = /keys\/(key_\w+)\/revoke/.exec(listed.text)![1]!
    const revoked = await administrator.post(`/access/keys/${id}/revoke`, { sure: 'yes' })
    assert.match((await administrator.get(revoked.location)).text, /was revoked/)
    const wide = (await office.ask('POST', '/v2/api-keys', { scopes: ['*'] })).json.data.api_key_id
    assert.equal((await administrator.post(`/access/keys/${wide}/revoke`, { sure: 'yes' })).status, 303)
    assert.equal((await administrator.post(`/access/keys/${wide}/roll`, { sure: 'yes' })).status, 422)
    assert.equal((await administrator.post('/access/keys/key_none/revoke', { sure: 'yes' })).status, 404)
    assert.equal((await office.ask('GET', '/v2/customer')).status, 200)
  })

  test('a key is made for the days that its form says, and its list shows when it ends', async () => {
    const make = (expires_on: string) =>
      administrator.post('/access/keys', { name: 'For a week', expires_on, 'may audit:read': 'yes' })
    for (const over of ['2020-01-01', 'soon', '2026-02-30']) {
      const refused = await make(over)
      assert.equal(refused.status, 422, over)
      assert.match(refused.text, /Give a last day that is not over, or none\./)
    }
    const made = await make('2031-05-06')
    assert.equal(made.status, 200, made.text)
    const { data } = (await office.ask('GET', '/v2/api-keys?limit=100')).json
    // The end of the day in Lagos.
    assert.equal(
      data.find(({ name }: { name: string }) => name === 'For a week').expires_at,
      '2031-05-06T23:00:00.000Z',
    )
    assert.match((await administrator.get('/access/keys?find=week')).text, /7 May 2031/)
    const file = await administrator.get('/access/keys.csv?find=week')
    assert.match(file.text, /2031-05-06T23:00:00\.000Z/)
  })

  test('the first page of administrators names what has to be looked after', async () => {
    const home = async () => (await administrator.get('/')).text
    const { items } = await listPeople(db, office.callerId, { limit: 100, before: null })
    const bare = items.filter(({ status }) => status === 'ACTIVE')
    assert(bare.length > 1)
    assert.match(await home(), new RegExp(`${bare.length} people sign in with a password alone`))
    const setFactors = (personId: string, factors: string[]) =>
      db.query('update people set factors = $3 where caller_id = $1 and person_id = $2', [
        office.callerId,
        personId,
        factors,
      ])
    const [last, ...others] = bare
    for (const { personId } of others) await setFactors(personId, ['TOTP'])
    assert(!(await home()).includes('people sign in with a password alone'))
    assert.match(await home(), new RegExp(`${last!.name} signs in with a password alone`))
    for (const { personId } of others) await setFactors(personId, [])
    const soon = new Date(office.clock.now.getTime() + 7 * 86_400_000).toISOString()
    await office.ask('POST', '/v2/api-keys', { name: 'Ends soon', scopes: ['audit:read'], expires_at: soon })
    assert.match(await home(), /The key Ends soon expires on/)
    const made = await administrator.post('/webhooks', { url: 'https://example.com/off' })
    const id = /\/console\/webhooks\/(we_\w+)/.exec(made.text)![1]!
    await administrator.post(`/webhooks/${id}/off`, { sure: 'yes' })
    assert.match(await home(), /The webhook https:\/\/example\.com\/off is switched off/)
    assert.doesNotMatch(await home(), /breakwater verify|BACKUP_/)
    assert.match(await home(), /The ledger was never verified/)
  })

  test('deliveries show their next attempt and their message, and are filtered', async () => {
    const made = await administrator.post('/webhooks', { url: 'https://example.com/filtered' })
    const id = /\/console\/webhooks\/(we_\w+)/.exec(made.text)![1]!
    const { depositId } = await openDeposit(office.ask, { amount: '1000.00' })
    await administrator.post(`/webhooks/${id}/ping`, {})
    const eventsOn = async (query: string) => {
      const { text } = await administrator.get(`/webhooks/${id}${query}`)
      return [...text.matchAll(/events\/evt_\w+">([\w.]+)</g)].map(([, type]) => type)
    }
    assert((await eventsOn('')).length > 2)
    assert.deepEqual(await eventsOn('?event=fixed_deposit.created'), ['fixed_deposit.created'])
    assert.deepEqual(await eventsOn('?event=ping'), ['ping'])
    assert.deepEqual(await eventsOn('?status=DELIVERED'), [])
    assert.match(
      (await administrator.get(`/webhooks/${id}?status=FAILED`)).text,
      /Nothing was sent that matches/,
    )
    assert.deepEqual(await eventsOn('?status=PENDING&event=fixed_deposit.created'), ['fixed_deposit.created'])
    assert.deepEqual((await eventsOn('?status=nonsense')).length, (await eventsOn('')).length)
    const page = (await administrator.get(`/webhooks/${id}?event=fixed_deposit.created`)).text
    assert.match(page, /Next attempt \d+ \w+ \d{4}/)
    const eventId = /evt_\w+/.exec(page)![0]
    const message = await administrator.get(`/webhooks/${id}/events/${eventId}`)
    assert.match(message.text, /Message as it is sent/)
    assert(message.text.includes(depositId))
    const ping = /events\/(evt_\w+)">ping/.exec(
      (await administrator.get(`/webhooks/${id}?event=ping`)).text,
    )![1]!
    assert.equal((await administrator.get(`/webhooks/${id}/events/${ping}`)).status, 200)
    assert.equal((await administrator.get(`/webhooks/${id}/events/evt_none`)).status, 404)
    // What ends messages asks once more, and names the address.
    for (const act of ['off', 'rotate', 'remove'])
      assert.match(page, new RegExp(`<dialog id="sure-${act}"[\\s\\S]*?https://example.com/filtered`), act)
  })

  test('a webhook shows its secret once, its deliveries, and sends an event again', async () => {
    const add = (form: Record<string, string>) => administrator.post('/webhooks', form)
    assert.equal((await add({ url: 'nonsense' })).status, 422)
    assert.equal((await add({ url: 'https://example.com/', events: 'chosen' })).status, 422)
    const made = await add({ url: 'https://example.com/hook', description: '<b>ours</b>' })
    const secret = /whsec_[\w+/=]+/.exec(made.text)![0]
    const id = /\/console\/webhooks\/(we_\w+)/.exec(made.text)![1]!
    assert.match(made.text, /&#60;b&#62;ours/)
    await openDeposit(office.ask, { amount: '1000.00' })
    const page = await administrator.get(`/webhooks/${id}`)
    assert.doesNotMatch(page.text, new RegExp(secret.slice(6, 30).replace(/[+/]/g, '\\$&')))
    const event = /name="event" value="(evt_\w+)"/.exec(page.text)![1]!
    const act = (name: string, form: Record<string, string> = {}) =>
      administrator.post(`/webhooks/${id}/${name}`, form)
    const sure = { sure: 'yes' }
    const count = async () => (await administrator.get(`/webhooks/${id}`)).text.split(event).length
    const before = await count()
    assert.match((await act('again', { event })).location, /done=sent/)
    assert((await count()) > before)
    assert.equal((await act('again', { event: 'evt_none' })).status, 404)
    for (const name of ['rotate', 'remove', 'off']) {
      const { status, text } = await act(name)
      assert.equal(status, 200)
      assert.doesNotMatch(text, /whsec_/, 'a second look comes first')
      assert.match(
        text,
        new RegExp(`https://example.com/hook[^]*/${name}"[^]*autofocus>Back<[^]*name="sure"`),
      )
    }
    assert.match((await act('rotate', sure)).text, /whsec_/)
    assert.match((await act('ping')).location, /done=pinged/)
    assert.match((await administrator.get(`/webhooks/${id}`)).text, /Switch off/)
    assert.match((await act('off', sure)).location, /done=saved/)
    assert.match((await administrator.get(`/webhooks/${id}`)).text, /Switch on/)
    const deposits = 'fixed_deposit.created'
    assert.equal((await act('events', { events: 'chosen' })).status, 422)
    assert.match(
      (await act('events', { events: 'chosen', [`event ${deposits}`]: 'yes' })).location,
      /done=saved/,
    )
    const stored = async () => (await office.ask('GET', `/v2/webhook-endpoints/${id}`)).json.data.event_types
    assert.deepEqual(await stored(), [deposits])
    assert.match(
      (await administrator.get(`/webhooks/${id}`)).text,
      /name="event fixed_deposit.created" value="yes" checked/,
    )
    await act('events', { events: 'all' })
    assert.deepEqual(await stored(), ['*'])
    // Only one of two removals at the same moment removes it, and only that one says so.
    const removals = await Promise.all([act('remove', sure), act('remove', sure)])
    assert.deepEqual(removals.map(({ status }) => status).sort(), [303, 404])
    const removed = removals.find(({ status }) => status === 303)!
    assert.equal(removed.location, '/console/webhooks?done=removed')
    assert.equal((await administrator.get(`/webhooks/${id}`)).status, 404)
    for (const name of ['ping', 'rotate', 'remove', 'off']) {
      for (const form of [{}, sure]) assert.equal((await act(name, form)).status, 404, name)
    }
    assert.equal((await act('on')).status, 404)
  })
})
