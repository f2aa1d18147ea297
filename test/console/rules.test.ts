import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { engines, type TestDatabase } from '../support/engines.ts'
import { setPolicy } from '../support/policy.ts'
import { openDeposit, replaceRules } from '../support/service.ts'
import { type Office, openConsole, type Visitor } from './office.ts'

describe('home and rules in the console', () => {
  let db: TestDatabase
  let office: Office
  let clerk: Visitor
  let supervisor: Visitor
  before(async () => {
    db = await engines[0]!.open()
    office = await openConsole(db)
    await replaceRules(office.ask, { penal_rules: [tier(50, 80), tier(null, 20)] })
    clerk = await office.visit(await office.employ('CLERK'))
    supervisor = await office.visit(await office.employ('SUPERVISOR'))
  })
  after(async () => {
    await office?.close()
    await db?.close()
  })

  const tier = (below: number | null, percent: number) => ({
    when: below === null ? {} : { elapsed_percent: { lt: below } },
    terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent }],
  })
  const inForce = async () => (await office.ask('GET', '/v2/liquidation-rules')).json.data
  const query = (fields: Record<string, string>) => `/rules?${new URLSearchParams(fields)}`

  test('a change is shown on real deposits before it is made, and made by the checks of the API', async () => {
    await openDeposit(office.ask, { amount: '500000.00', interest_rate: 12, start_date: '2026-03-23' })
    const proposal = { until0: '50', share0: '40', share1: '20' }
    const preview = await supervisor.get(query(proposal), { 'x-part': 'preview' })
    // 500,000.00 at 12 percent for 100 days is 16,438.36: 80 percent of it now, 40 percent as proposed.
    for (const figure of ['13,150.68', '6,575.34', '− 6,575.34'])
      assert.match(preview.text, new RegExp(figure))
    assert.doesNotMatch(preview.text, /<html/)
    const { version } = await inForce()
    for (const wrong of [
      { until0: '50', share0: '101', share1: '20' },
      { until0: 'x', share0: '40', share1: '20' },
      { until0: '50', share0: '40', until1: '50', share1: '30', share2: '20' },
    ]) {
      const answer = await supervisor.post('/rules', { ...wrong, key: randomUUID() })
      assert.equal(answer.status, 422)
    }
    const key = randomUUID()
    const made = await supervisor.post('/rules', { ...proposal, key })
    assert.equal(made.location, `/console/rules?done=${version + 1}`)
    assert.equal((await supervisor.post('/rules', { ...proposal, key })).location, made.location)
    const now = await inForce()
    assert.equal(now.version, version + 1)
    assert.deepEqual(
      now.penal_rules.map(({ when, terms }: any) => [when, terms[0].percent]),
      [
        [{ elapsed_percent: { lt: 50 } }, 40],
        [{}, 20],
      ],
    )
    assert.match((await clerk.get('/rules/versions')).text, new RegExp(`Version ${version}\\b`))
    assert.equal((await clerk.post('/rules', { ...proposal, key: randomUUID() })).status, 403)
  })

  test('what it would have charged of the deposits that were broken is shown on request, and nothing is made', async () => {
    const { depositId } = await openDeposit(office.ask, { amount: '500000.00', start_date: '2026-03-23' })
    const part = { liquidation_type: 'PARTIAL', amount: 100_000 }
    const broken = await office.ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, part)
    // 100,000.00 at 10 percent for 100 days is 2,739.73, of which 40 percent were charged.
    assert.equal(broken.json.data.penal_charge, 1_095.89)
    const before = await inForce()
    const { version: _, created_at: _at, ...rules } = before
    const json = JSON.stringify({ ...rules, penal_rules: [tier(null, 10)] })
    for (const proposal of [{ share0: '10' }, { json }]) {
      const looked = await supervisor.post('/rules', { ...proposal, look: 'yes' })
      assert.equal(looked.status, 200, looked.text)
      assert.match(
        looked.text,
        /What this version would change[\s\S]*Charges[\s\S]*1,095\.89[\s\S]*<b>273\.97<\/b>/,
      )
    }
    assert.deepEqual(await inForce(), before)
    assert.doesNotMatch((await supervisor.get('/rules')).text, /What this version would change/)
  })

  test('minimums, holding period, rounding and the count of days are changed in the form', async () => {
    const before = await inForce()
    const page = (await supervisor.get('/rules')).text
    for (const [name, value] of [
      ['min_partial_amount', '0.01'],
      ['min_remaining_principal', '0.01'],
      ['min_holding_days', '0'],
    ])
      assert.match(page, new RegExp(`name="${name}"[^>]*value="${value}"`))
    const terms = {
      allow_partial: 'yes',
      min_partial_amount: '1,000.50',
      min_remaining_principal: '2500',
      min_holding_days: '7',
      rounding: 'DOWN',
      day_count: 'ACT/360',
    }
    const tiers = { until0: '50', share0: '12.5', share1: '20' }
    for (const [wrong, text] of [
      [{ min_partial_amount: 'x' }, /Give the smallest part/],
      [{ min_remaining_principal: '1.005' }, /Give what has to stay/],
      [{ min_holding_days: '-1' }, /Give the holding period/],
      [{ rounding: 'UP' }, /Choose how days are counted/],
    ] as const) {
      const answer = await supervisor.post('/rules', { ...tiers, ...terms, ...wrong, key: randomUUID() })
      assert.equal(answer.status, 422)
      assert.match(answer.text, text)
      assert.match(answer.text, /name="min_holding_days"[^>]*value="(?:7|-1)"/, 'what was typed stays')
    }
    assert.deepEqual(await inForce(), before)
    const made = await supervisor.post('/rules', { ...tiers, ...terms, key: randomUUID() })
    assert.equal(made.status, 303, made.text)
    const {
      day_count,
      rounding,
      allow_partial,
      min_partial_amount,
      min_remaining_principal,
      min_holding_days,
    } = await inForce()
    assert.deepEqual(
      [day_count, rounding, allow_partial, min_partial_amount, min_remaining_principal, min_holding_days],
      ['ACT/360', 'DOWN', true, 1000.5, 2500, 7],
    )
    const { allow_partial: _, ...whole } = terms
    await supervisor.post('/rules', { ...tiers, ...whole, key: randomUUID() })
    assert.equal((await inForce()).allow_partial, false)
    assert.match((await clerk.get('/rules/versions')).text, /Always down/)
    // Charges that no table can say stay as they are when only the terms change.
    const fixed = { when: {}, terms: [{ kind: 'FIXED', amount: 100 }] }
    await replaceRules(office.ask, { penal_rules: [fixed] })
    assert.match((await supervisor.get('/rules')).text, /more than a table of tiers can/)
    assert.equal((await supervisor.post('/rules', { ...terms, key: randomUUID() })).status, 303)
    const now = await inForce()
    assert.deepEqual([now.min_holding_days, now.penal_rules[0].terms], [7, fixed.terms])
    await replaceRules(office.ask, { penal_rules: [tier(50, 40), tier(null, 20)] })
  })

  test('in French the figures are typed with a comma', async () => {
    const french = await office.visit(await office.employ('SUPERVISOR'))
    await french.post('/language', { language: 'fr' })
    assert.match((await french.get('/rules')).text, /name="min_partial_amount"[^>]*value="0,01"/)
    const form = { until0: '50', share0: '12,5', share1: '20', key: randomUUID() }
    assert.equal((await french.post('/rules', form)).status, 303)
    assert.equal((await inForce()).penal_rules[0].terms[0].percent, 12.5)
    await replaceRules(office.ask, { penal_rules: [tier(50, 40), tier(null, 20)] })
  })

  test('what a proposal changes besides the charges is told to those who approve it', async () => {
    await setPolicy(office, {
      ...{ expires_after_hours: 72, deciders: 'PERSON' },
      rules: [{ operation: 'replaceRules', when: {}, approvals: 1 }],
    })
    const { penal_rules: _, version: _v, created_at: _at, ...stored } = await inForce()
    const texts = Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, String(value)]))
    const form = {
      ...texts,
      allow_partial: 'yes',
      min_holding_days: '30',
      until0: '50',
      share0: '40',
      share1: '20',
    }
    const asked = await supervisor.post('/rules', { ...form, key: randomUUID() })
    assert.equal(asked.location, '/console/rules?done=waits', asked.text)
    const [waiting] = (await office.ask('GET', '/v2/approvals?status=PENDING')).json.data
    const page = await supervisor.get(`/approvals/${waiting.approval_id}`)
    assert.match(page.text, /Holding period<\/dt><dd>0 days → 30 days/)
    assert.doesNotMatch(page.text, /Always down → /)
    await supervisor.post(`/approvals/${waiting.approval_id}/cancel`, {})
    await setPolicy(office, { expires_after_hours: 72, deciders: 'PERSON', rules: [] })
  })

  test('a row can be added and left out again', async () => {
    const added = await supervisor.get(query({ until0: '50', share0: '40', share1: '20', add: 'yes' }))
    assert.match(added.text, /name="share2"/)
    const without = { until0: '', share0: '', until1: '60', share1: '30', share2: '10', key: randomUUID() }
    assert.equal((await supervisor.post('/rules', without)).status, 303)
    assert.equal((await inForce()).penal_rules.length, 2)
  })

  test('what a table cannot say is changed as JSON', async () => {
    const { version, created_at: _at, ...rules } = await inForce()
    const fixed = { ...rules, penal_rules: [{ when: {}, terms: [{ kind: 'FIXED', amount: 50 }] }] }
    const send = (json: string) => supervisor.post('/rules', { json, key: randomUUID() })
    assert.match((await send('{')).text, /not valid JSON/)
    const wrong = await send(JSON.stringify({ ...fixed, rounding: 'SOMEHOW' }))
    assert.match(wrong.text, /rounding: /)
    assert.match(wrong.text, /SOMEHOW/)
    assert.equal((await send(JSON.stringify(fixed))).location, `/console/rules?done=${version + 1}`)
    assert.match((await supervisor.get('/rules')).text, /say more than a table/)
  })

  test('where the policy requires it, the change waits for somebody else', async () => {
    const policy = {
      expires_after_hours: 72,
      deciders: 'PERSON',
      rules: [{ operation: 'replaceRules', when: {}, approvals: 1 }],
    }
    await office.ask('PUT', '/v2/approval-policy', policy)
    const before = await inForce()
    const { version: _, created_at: _at, ...rules } = before
    assert.match((await supervisor.get('/rules')).text, /Ask for approval of version \d/)
    const json = JSON.stringify({ ...rules, penal_rules: [tier(null, 5)] })
    const sent = await supervisor.post('/rules', { json, key: randomUUID() })
    assert.equal(sent.location, '/console/rules?done=waits')
    assert.deepEqual(await inForce(), before)
    assert.match((await supervisor.get('/')).text, /Your requests/)
    const [waiting] = (await office.ask('GET', '/v2/approvals?status=PENDING')).json.data
    const other = await office.visit(await office.employ('SUPERVISOR'))
    assert.match((await other.get('/')).text, /Waiting for you/)
    const shown = await other.get(`/approvals/${waiting.approval_id}`)
    assert.match(shown.text, /to maturity<\/td>\s*<td>5 %<\/td>[\s\S]*What it would have charged today/)
    assert.match(
      shown.text,
      /What this version would change[\s\S]*Charges[\s\S]*1,095\.89[\s\S]*<b>136\.99<\/b>/,
    )
    const decided = await other.post(`/approvals/${waiting.approval_id}/decide`, { decision: 'approve' })
    assert.equal(decided.status, 303, decided.text)
    assert.equal((await inForce()).penal_rules[0].terms[0].percent, 5)
  })

  test('home shows what matures soon and what was broken today, to those who may see deposits', async () => {
    const soon = await openDeposit(office.ask, { amount: '70000.00', tenor: 95, start_date: '2026-03-30' })
    const later = await openDeposit(office.ask, { amount: '60000.00', tenor: 97, start_date: '2026-03-30' })
    const other = await openDeposit(office.ask, { amount: '80000.00' })
    await office.ask('POST', `/v2/fixed-deposits/${other.depositId}/liquidate`, { liquidation_type: 'FULL' })
    const page = await clerk.get('/')
    assert.match(page.text, new RegExp(`${soon.depositId}[\\s\\S]*${later.depositId}`))
    assert.match(page.text, /Broken today[\s\S]*₦80,000.00/)
    const administrator = await office.visit(await office.employ('ADMINISTRATOR'))
    const theirs = await administrator.get('/')
    assert.equal(theirs.status, 200)
    assert.doesNotMatch(theirs.text, /fd_/)
  })
})
