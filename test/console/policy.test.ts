/** The approval policy in the console: what is shown before it changes, and by whom and how it is changed. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { engines, type TestDatabase } from '../support/engines.ts'
import { setPolicy } from '../support/policy.ts'
import { openDeposit } from '../support/service.ts'
import { type Office, openConsole, PASSWORD, type Visitor } from './office.ts'

const MINUTE_MS = 60_000

describe('the approval policy in the console', () => {
  let db: TestDatabase
  let office: Office
  let supervisor: Visitor
  let other: Visitor
  before(async () => {
    db = await engines[0]!.open()
    office = await openConsole(db)
    supervisor = await office.visit(await office.employ('SUPERVISOR'))
    other = await office.visit(await office.employ('SUPERVISOR'))
  })
  after(async () => {
    await office?.close()
    await db?.close()
  })

  const EMPTY = { expires_after_hours: 72, deciders: 'PERSON', rules: [] }
  const inForce = async () => (await office.ask('GET', '/v2/approval-policy')).json.data
  type Row = [operation: string, condition: string, value: string, days: string, approvals: string]
  const formOf = (rows: Row[], hours = '48'): Record<string, string> => ({
    ...Object.fromEntries(
      rows.flatMap(([operation, condition, value, days, approvals], index) =>
        Object.entries({ operation, condition, value, days, approvals }).map(([name, text]) => [
          `${name}${index}`,
          text,
        ]),
      ),
    ),
    hours,
    deciders: 'PERSON',
  })
  const sure = (form: Record<string, string>) => ({ ...form, sure: 'yes', key: randomUUID() })

  test('every condition of the table is the condition of the API, and comes back as it was typed', async () => {
    await setPolicy(office, EMPTY)
    const rows: Row[] = [
      ['liquidateFixedDeposit', 'amount', '1,000,000.00', '', '1'],
      ['liquidateFixedDeposit', 'net_credited', '5000000', '', '2'],
      ['liquidateFixedDeposit', 'waiver', '', '', '1'],
      ['liquidateFixedDeposit', 'waived_amount', '100', '', '1'],
      ['liquidateFixedDeposit', 'waived_percent', '50', '', '2'],
      ['openFixedDeposit', 'negotiated_points', '0.5', '', '1'],
      ['openFixedDeposit', 'contact_changed_hours', '48', '', '1'],
      ['liquidateFixedDeposit', 'sum_DEPOSIT', '10', '1', '1'],
      ['liquidateFixedDeposit', 'sum_CUSTOMER', '20', '7', '1'],
      ['creditAccount', 'sum_ACTOR', '30', '31', '1'],
      ['', 'amount', '', '1', '1'],
      ['replaceRules', 'always', '', '', '2'],
    ]
    const answer = await supervisor.post('/policy', sure(formOf(rows)))
    assert.equal(answer.status, 303, answer.text)
    const { version, expires_after_hours, rules } = await inForce()
    assert.equal(answer.location, `/console/policy?done=${version}`)
    assert.equal(expires_after_hours, 48)
    const sum = (of: string, days: number, gte: number) => ({ sum: { of, days, amount: { gte } } })
    assert.deepEqual(
      rules.map(({ operation, when, approvals }: any) => [operation, when, approvals]),
      [
        ['liquidateFixedDeposit', { amount: { gte: 1_000_000 } }, 1],
        ['liquidateFixedDeposit', { net_credited: { gte: 5_000_000 } }, 2],
        ['liquidateFixedDeposit', { waiver: true }, 1],
        ['liquidateFixedDeposit', { waived_amount: { gte: 100 } }, 1],
        ['liquidateFixedDeposit', { waived_percent: { gte: 50 } }, 2],
        ['openFixedDeposit', { negotiated_points: { gte: 0.5 } }, 1],
        ['openFixedDeposit', { contact_changed_hours: { lt: 48 } }, 1],
        ['liquidateFixedDeposit', sum('DEPOSIT', 1, 10), 1],
        ['liquidateFixedDeposit', sum('CUSTOMER', 7, 20), 1],
        ['creditAccount', sum('ACTOR', 31, 30), 1],
        ['replaceRules', {}, 2],
      ],
    )
    const page = (await supervisor.get('/policy')).text
    const selected = [...page.matchAll(/<option value="([^"]+)" selected>/g)].map(([, value]) => value)
    for (const condition of ['net_credited', 'waiver', 'sum_CUSTOMER', 'always'])
      assert(selected.includes(condition), condition)
    for (const value of ['1,000,000.00', '0.5', '48', '31'])
      assert.match(page, new RegExp(`value="${value}"`))
    assert.match(page, /Version \d+, since/)
  })

  test('nothing changes before a second look, and what has to wait waits', async () => {
    await setPolicy(office, { ...EMPTY, rules: [{ operation: 'placeLien', when: {}, approvals: 1 }] })
    const { version } = await inForce()
    const form = formOf([['placeLien', 'amount', '500', '', '1']])
    const look = await supervisor.post('/policy', form)
    assert.equal(look.status, 200)
    for (const text of [
      `Ask for approval of version ${version + 1}`,
      'New rules',
      'Rules that end',
      'need fewer people',
    ])
      assert.match(look.text, new RegExp(text))
    assert.match(look.text, /<button class="button" name="sure" value="no"[^>]* autofocus>Back/)
    const back = await supervisor.post('/policy', { ...form, note: 'Agreed on Monday', sure: 'no' })
    assert.equal(back.status, 200)
    for (const typed of ['name="note" value="Agreed on Monday"', 'value="500"'])
      assert(back.text.includes(typed), typed)
    const asked = await supervisor.post('/policy', sure(form))
    assert.equal(asked.location, '/console/requests')
    assert.equal((await inForce()).version, version)
    const again = await other.post('/policy', sure(form))
    assert.equal(again.status, 409, 'one change waits at a time')
    const [waiting] = (await office.ask('GET', '/v2/approvals?status=PENDING')).json.data
    assert.equal(waiting.operation, 'replaceApprovalPolicy')
    const decided = await other.post(`/approvals/${waiting.approval_id}/decide`, { decision: 'approve' })
    assert.equal(decided.status, 303, decided.text)
    assert.deepEqual((await inForce()).rules[0].when, { amount: { gte: 500 } })
  })

  test('what cannot be is refused in words, and nothing that was typed is lost', async () => {
    await setPolicy(office, EMPTY)
    const { version } = await inForce()
    const table: [Record<string, string>, RegExp][] = [
      [formOf([['liquidateFixedDeposit', 'amount', 'much', '', '1']]), /Rule 1 cannot be read/],
      [
        formOf([
          ['', 'amount', '', '', '1'],
          ['creditAccount', 'amount', '', '', '1'],
        ]),
        /Rule 2 cannot be read/,
      ],
      [formOf([['liquidateFixedDeposit', 'sum_ACTOR', '1', '32', '1']]), /Rule 1 cannot be read/],
      [formOf([['placeLien', 'waiver', '', '', '1']]), /Rule 1 could never match: “Place a lien”/],
      [formOf([['creditAccount', 'sum_DEPOSIT', '1', '1', '1']]), /Rule 1 could never match/],
      [formOf([['liquidateFixedDeposit', 'nonsense', '1', '1', '1']]), /Rule 1 cannot be read/],
      [formOf([], '721'), /1 to 720 hours/],
      [{ json: '{' }, /not valid JSON/],
      [{ json: '{"rules": []}' }, /expires_after_hours/],
      [formOf([['replaceRules', 'always', '', '', '3']]), /people/],
    ]
    for (const [form, text] of table) {
      const answer = await supervisor.post('/policy', sure(form))
      assert([409, 422].includes(answer.status), `${answer.status} ${JSON.stringify(form)}`)
      assert.match(answer.text, text)
    }
    const kept = await supervisor.post('/policy', table[0]![0])
    assert.match(kept.text, /value="much"/)
    assert.equal((await inForce()).version, version)
  })

  test('it is changed by those who may, after the password of the last 15 minutes, and read by those who may read', async () => {
    await setPolicy(office, EMPTY)
    const form = sure(formOf([]))
    for (const role of ['VIEWER', 'CLERK', 'ADMINISTRATOR'] as const) {
      const visitor = await office.visit(await office.employ(role))
      assert.deepEqual(
        [(await visitor.get('/policy')).status, (await visitor.post('/policy', form)).status],
        [403, 403],
        role,
      )
    }
    const start = office.clock.now
    const visitor = await office.visit(await office.employ('SUPERVISOR'))
    // Used meanwhile, so that the session goes on.
    for (const minutes of [8, 16]) {
      office.clock.now = new Date(start.getTime() + minutes * MINUTE_MS)
      assert.equal((await visitor.get('/policy')).status, 200)
    }
    const { version } = await inForce()
    const late = await visitor.post('/policy', form)
    assert.match(late.text, /name="own_password"/)
    assert.equal((await inForce()).version, version)
    office.clock.now = start
  })

  test('a rule that says more than a row is kept, left out, or changed as JSON', async () => {
    const both = { amount: { gte: 100, lt: 200 }, waiver: true }
    await setPolicy(office, {
      ...{ ...EMPTY, rules: [{ operation: 'liquidateFixedDeposit', when: both, approvals: 1 }] },
    })
    const page = (await supervisor.get('/policy')).text
    assert.match(page, /Amount ₦100.00 or more, less than ₦200.00 · A charge is waived/)
    const rule = /name="rule0" value="([^"]+)"/.exec(page)![1]!.replaceAll('&#34;', '"')
    const form = { ...formOf([]), rule0: rule, keep0: 'yes' }
    assert.match((await supervisor.post('/policy', form)).text, /The rules stay as they are/)
    assert.match((await supervisor.post('/policy', { ...form, keep0: 'no' })).text, /Rules that end/)
    const json = JSON.stringify({ ...EMPTY, rules: [] })
    assert.match((await supervisor.post('/policy', { json })).text, /Rules that end/)
    const added = await supervisor.get(`/policy?${new URLSearchParams({ ...form, add: 'yes' })}`)
    assert.match(added.text, /name="operation1"/)
  })

  test('what waits and what was broken is counted by the rules in force and by the proposed ones', async () => {
    const rule = { operation: 'liquidateFixedDeposit', when: { amount: { gte: 100_000 } }, approvals: 1 }
    await setPolicy(office, { ...EMPTY, rules: [rule] })
    const { depositId } = await openDeposit(office.ask, {
      ...{ amount: '500000.00', interest_rate: 12, start_date: '2026-03-23' },
    })
    const part = (amount: number) => ({ liquidation_type: 'PARTIAL', amount })
    for (const amount of [1000, 99_999]) {
      const broken = await office.ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, part(amount))
      assert.equal(broken.status, 200, broken.text)
    }
    const request = `{"operation":"liquidateFixedDeposit","target_id":"${depositId}","body":{"liquidation_type":"PARTIAL","amount":150000.00}}`
    const asked = await office.ask('POST', '/v2/approvals', request)
    assert.equal(asked.status, 201, asked.text)
    const proposal = formOf([
      ['liquidateFixedDeposit', 'amount', '1000', '', '1'],
      ['liquidateFixedDeposit', 'sum_CUSTOMER', '200000', '7', '2'],
    ])
    const preview = await supervisor.get(`/policy?${new URLSearchParams(proposal)}`, { 'x-part': 'preview' })
    assert.doesNotMatch(preview.text, /<html/)
    assert.match(preview.text, /Of 2 liquidations in the last 30 days 0 would have waited .* and 2 by these/)
    // 100,999 were broken this week; with the 150,000 that wait it is the second rule that counts.
    assert.match(preview.text, /Needs now" class="num">1<.*Would need" class="num"><b>2<\/b>/s)
    const look = await supervisor.post('/policy', proposal)
    assert.match(
      look.text,
      /What this version would change[\s\S]*Waiting for approval[\s\S]*>0<[\s\S]*<b>2<\/b>/,
    )
    assert.equal((await inForce()).rules.length, 1)
  })

  test('fifteen minutes after the sign-in a policy asks for the password again', async () => {
    await setPolicy(office, EMPTY)
    const visitor = await office.visit(await office.employ('SUPERVISOR'))
    const form = sure(formOf([['placeLien', 'always', '', '', '1']]))
    office.clock.now = new Date(office.clock.now.getTime() + 14 * MINUTE_MS)
    await visitor.get('/policy')
    office.clock.now = new Date(office.clock.now.getTime() + MINUTE_MS)
    assert.equal((await visitor.post('/policy', form)).status, 401)
    assert.deepEqual((await inForce()).rules, [])
    assert.equal((await visitor.post('/policy', { ...form, own_password: PASSWORD })).status, 303)
    assert.equal((await inForce()).rules.length, 1)
  })
})
