/** Batches, accounting and backups in the console: what programs did with keys, for people to look at. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { closeDays } from '../../src/features/accruals/changes.ts'
import { findBook } from '../../src/features/callers/store.ts'
import { create, finish, send, start } from '../support/batches.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { fundedAccount, openDeposit } from '../support/service.ts'
import { type Office, openConsole, type Visitor } from './office.ts'

describe('what programs do with keys', () => {
  let db: TestDatabase
  let office: Office
  let supervisor: Visitor
  before(async () => {
    db = await engines[0]!.open()
    office = await openConsole(db)
    supervisor = await office.visit(await office.employ('SUPERVISOR'))
  })
  after(async () => {
    await office?.close()
    await db?.close()
  })

  async function sendCredits(lines: readonly (object | string)[]): Promise<string> {
    const batchId = await create(office.ask, 'creditAccount', {
      name: 'Pay <b>day</b>',
      expected: { lines: lines.length, total_amount: 2500 },
    })
    assert.equal((await send(office.ask, batchId, 1, lines)).status, 201)
    return batchId
  }

  test('a batch shows its totals, its progress, and its errors by line', async () => {
    assert.match((await supervisor.get('/batches')).text, /No batch yet/)
    const { accountNumber } = await fundedAccount(office.ask, 1)
    const good = { account_number: accountNumber, amount: 2500, external_id: 'PAY-1' }
    const batchId = await sendCredits([good, { ...good, amount: 0, external_id: 'PAY-2' }, 'x', good])
    const sent = (await supervisor.get(`/batches/${batchId}`)).text
    assert.match(sent, /Not started/)
    assert.match(sent, /4 lines, 2,500\.00/)
    assert.match(sent, /<b>0 of 4 lines<\/b>/)
    assert.match(sent, /No line failed so far/)
    assert.equal((await start(office.ask, batchId)).status, 422)
    const right = await sendCredits([good, { ...good, amount: 0, external_id: 'PAY-2' }, 'x'])
    assert.equal((await start(office.ask, right)).status, 200)
    assert.match((await supervisor.get(`/batches/${right}`)).text, /Show how far it is now/)
    await finish(office)
    const done = (await supervisor.get(`/batches/${right}`)).text
    assert.match(done, /<h1>Pay &#60;b&#62;day&#60;\/b&#62;<\/h1>/)
    assert.match(done, /<b>3 of 3 lines<\/b>/)
    assert.match(done, /<dt>Carried out<\/dt><dd>1<\/dd>/)
    assert.match(done, /<dt>Failed<\/dt><dd>2<\/dd>/)
    assert.match(
      done,
      /<b>Line 2<\/b>.*?PAY-2.*?Some fields are missing or wrong\.<small><code>amount<\/code> is zero or less\./s,
    )
    assert.match(done, /<b>Line 3<\/b><\/td><td[^>]*>–<\/td><td[^>]*>The line is not one JSON object\.</)
    const listed = (await supervisor.get('/batches')).text
    assert.match(listed, new RegExp(`href="/console/batches/${right}"`))

    const file = await supervisor.get(`/batches/${right}/results.csv`)
    const rows = file.text.trimEnd().split('\r\n')
    assert.match(rows[1]!, /^1,PAY-1,SUCCEEDED,le_\w+,,$/)
    assert.deepEqual(rows.slice(2), [
      '2,PAY-2,FAILED,,Some fields are missing or wrong. amount: is zero or less.,invalid_request',
      '3,,FAILED,,The line is not one JSON object.,malformed_json',
    ])
    const failed = await supervisor.get(`/batches/${right}/results.csv?outcome=FAILED`)
    assert.equal(failed.text.trimEnd().split('\r\n').length, 3)
  })

  test('a start that waits for approval leads to the request', async () => {
    const rule = { operation: 'startBatch', when: {}, approvals: 1 }
    await office.ask('PUT', '/v2/approval-policy', {
      ...{ expires_after_hours: 72, deciders: 'PERSON', rules: [rule] },
    })
    const { accountNumber } = await fundedAccount(office.ask, 1)
    const batchId = await sendCredits([{ account_number: accountNumber, amount: 2500, external_id: 'W-1' }])
    const held = await office.ask('POST', '/v2/approvals', {
      ...{ operation: 'startBatch', target_id: batchId, body: {} },
    })
    assert.equal(held.status, 201, held.text)
    const { text } = await supervisor.get(`/batches/${batchId}`)
    assert.match(text, new RegExp(`waits for approval[^]*/console/approvals/${held.json.data.approval_id}`))
  })

  test('accounting shows how interest is accrued, the codes, and the last closed day', async () => {
    const before = (await supervisor.get('/accounting')).text
    assert.match(before, /Interest is not accrued\./)
    assert.match(before, /No day was closed yet/)
    await office.ask('PUT', '/v2/accounting', { accruals: 'DAILY', gl_codes: { interest_payable: '2210' } })
    const { depositId } = await openDeposit(office.ask, { amount: '36500.00', interest_rate: 10 })
    office.clock.now = new Date('2026-07-02T10:00:00.000Z')
    const book = (await findBook(db, { callerId: office.callerId, mode: 'test' }))!
    await closeDays(office.service, book)
    supervisor = await office.visit(await office.employ('SUPERVISOR'))
    const { text } = await supervisor.get('/accounting')
    assert.match(text, /accrued at the close of every day/)
    assert.match(text, /Interest payable<\/td><td[^>]*>2210/)
    assert.match(text, /₦10\.00/)
    const file = await supervisor.get('/accounting.csv?date=2026-07-01')
    assert.match(file.text, new RegExp(`^${depositId},,NGN,10\\.00,0\\.00\\r$`, 'm'))
    assert.equal((await supervisor.get('/accounting.csv?date=2026-07-02')).status, 404)
    assert.match((await supervisor.get('/report')).text, /href="\/console\/accounting"/)
  })

  test('administrators see when the last backup was made', async () => {
    const administrator = await office.visit(await office.employ('ADMINISTRATOR'))
    assert.match((await administrator.get('/')).text, /This service makes no backups itself/)
    const ageSeconds = 7200
    office.service.backlog.lastBackup = async () => ({ exists: true, ageSeconds })
    assert.match(
      (await administrator.get('/')).text,
      /The last backup was made on 2 Jul 2026, 09:00, 2 hours ago\./,
    )
    office.service.backlog.lastBackup = async () => ({ exists: false, ageSeconds })
    assert.match(
      (await administrator.get('/')).text,
      /There is no backup yet\. The service, which is to make them, was started 2 hours ago\./,
    )
    assert.equal((await administrator.get('/batches')).status, 403)
  })
})
