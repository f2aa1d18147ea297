/** Batches: ordinary operations from a file, once each, in order, whatever else happens. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { OPERATOR } from '../../../src/domain/actor.ts'
import { ClockUnsureError, OutcomeUnknownError } from '../../../src/engine/change/faults.ts'
import { type Database, DatabaseError } from '../../../src/engine/database/database.ts'
import { progress } from '../../../src/features/batches/changes.ts'
import { runBatches } from '../../../src/features/batches/job.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { create, finish, LINES, outcomes, resultsOf, run, send, start } from '../../support/batches.ts'
import { issueKey } from '../../support/keys.ts'
import { setPolicy } from '../../support/policy.ts'
import { assertRefused } from '../../support/refusals.ts'
import {
  type Answer,
  ada,
  describeService,
  fundedAccount,
  openDeposit,
  startService,
} from '../../support/service.ts'

describeService('batches', (running) => {
  test('a file opens customers, accounts and deposits, and breaks them, in the order of its lines', async () => {
    const { ask } = running()
    const [customer] = await run(running(), 'createCustomer', [{ ...ada, external_id: 'C-1' }])
    assert.equal(customer!.outcome, 'SUCCEEDED')
    assert.equal(customer!.data.external_id, 'C-1')
    const [account] = await run(running(), 'openAccount', [{ customer_id: customer!.id, external_id: 'A-1' }])
    const account_number = account!.id!
    const credits = [1, 2, 3].map((n) => ({ account_number, amount: n * 1000, external_id: `CR-${n}` }))
    assert.deepEqual(outcomes(await run(running(), 'creditAccount', credits)), Array(3).fill('SUCCEEDED'))
    const terms = { account_number, amount: 6000, tenor: 365, interest_rate: 10 }
    const [opened, broke] = await run(running(), 'openFixedDeposit', [
      { ...terms, external_id: 'D-1' },
      { ...terms, external_id: 'D-2' },
    ])
    assert.deepEqual([opened!.outcome, broke!.error!.code], ['SUCCEEDED', 'insufficient_funds'])
    const deposit_id = opened!.id!
    const parts = [
      { deposit_id, external_id: 'L-1', liquidation_type: 'PARTIAL', amount: 1000 },
      { deposit_id, external_id: 'L-2', liquidation_type: 'FULL' },
      { deposit_id, external_id: 'L-3', liquidation_type: 'FULL' },
    ]
    const results = await run(running(), 'liquidateFixedDeposit', parts)
    assert.deepEqual(outcomes(results), ['SUCCEEDED', 'SUCCEEDED', 'deposit_not_active'])
    assert.deepEqual(
      results.map(({ line, external_id }) => [line, external_id]),
      [
        [1, 'L-1'],
        [2, 'L-2'],
        [3, 'L-3'],
      ],
    )
    assert.equal(results[1]!.data.principal_returned, 5000)
    assert.equal((await ask('GET', `/v2/accounts/${account_number}`)).json.data.balance, 6000)
  })

  test('a line takes effect once: twice in a file, again in another batch, and a refused one may be mended', async () => {
    const { ask } = running()
    const { accountNumber: account_number } = await fundedAccount(ask, 1)
    const line = { account_number, amount: 5, external_id: 'ONCE' }
    const spelt = `{"external_id":"ONCE","amount":5.00,"account_number":"${account_number}"}`
    const first = await run(running(), 'creditAccount', [line, spelt, { ...line, amount: 6 }])
    assert.deepEqual(outcomes(first), ['SUCCEEDED', 'DUPLICATE', 'idempotency_key_reused'])
    assert.deepEqual([first[1]!.id, first[1]!.data], [first[0]!.id, first[0]!.data])
    const again = await run(running(), 'creditAccount', [line])
    assert.deepEqual([outcomes(again), again[0]!.id], [['DUPLICATE'], first[0]!.id])
    assert.equal((await ask('GET', `/v2/accounts/${account_number}`)).json.data.balance, 6)
    const wrong = { ...line, external_id: 'MEND', account_number: '0000000000' }
    assert.deepEqual(outcomes(await run(running(), 'creditAccount', [wrong])), ['account_not_found'])
    const mended = { ...wrong, account_number }
    assert.deepEqual(outcomes(await run(running(), 'creditAccount', [mended])), ['SUCCEEDED'])
  })

  test('P1–P4: a file is counted before it starts, takes effect once, and does not change', async () => {
    const { ask } = running()
    const { accountNumber: account_number } = await fundedAccount(ask, 1)
    const lines = Array.from(
      { length: 100 },
      (_, n) => `{"account_number":"${account_number}","amount":${n + 1}.50,"external_id":"P-${n + 1}"}`,
    )
    const sent = async (content: readonly string[]) => {
      const batchId = await create(ask, 'creditAccount', { expected: { lines: 100, total_amount: 5100 } })
      await send(ask, batchId, 1, content)
      return { batchId, started: await start(ask, batchId) }
    }
    const short = await sent(lines.slice(1))
    assertRefused(short.started, {
      status: 422,
      code: 'control_totals_differ',
      details: '{"lines":99,"total_amount":5098.50}',
    })
    await ask('POST', `/v2/batches/${short.batchId}/cancel`)
    const balance = async () => (await ask('GET', `/v2/accounts/${account_number}`)).json.data.balance
    const done = async ({ batchId }: { batchId: string }) => {
      await finish(running())
      const { succeeded, duplicates, failed } = (await ask('GET', `/v2/batches/${batchId}`)).json.data
      return [succeeded, duplicates, failed, await balance()]
    }
    const first = await sent(lines)
    assert.deepEqual(await done(first), [100, 0, 0, 5101])
    const again = await sent(lines)
    assert.deepEqual(await done(again), [0, 100, 0, 5101])
    const answersOf = async (batchId: string) =>
      (await resultsOf(ask, batchId)).map(({ id, data }) => [id, data])
    assert.deepEqual(await answersOf(again.batchId), await answersOf(first.batchId))
    const changed = await run(running(), 'creditAccount', [lines[7]!.replace('8.50', '9.50')])
    assert.deepEqual(outcomes(changed), ['idempotency_key_reused'])
  })

  test('the total of a file may be larger than any amount in it', async () => {
    const { ask } = running()
    const expected = { lines: 2, total_amount: '#' }
    const large = (text: string) =>
      Buffer.from(JSON.stringify({ operation: 'creditAccount', expected }).replace('"#"', text))
    const json = { 'content-type': 'application/json' }
    const created = await ask('POST', '/v2/batches', large('19999999999999.98'), json)
    assert.equal(created.status, 201, created.text)
    const { batch_id } = created.json.data
    const line = (n: number) =>
      `{"account_number":"0000000000","amount":9999999999999.99,"external_id":"MOST-${n}"}`
    assert.match(
      (await send(ask, batch_id, 1, [line(1), line(2)])).text,
      /"total_amount":19999999999999\.98,/,
    )
    assert.equal((await start(ask, batch_id)).status, 200)
    await finish(running())
    const past = await ask('POST', '/v2/batches', large('10000000000000000.01'), json)
    const fields = [['expected.total_amount', 'out_of_range']] as const
    assertRefused(past, { status: 400, code: 'invalid_request', fields })
  })

  test('P5, P6: parts are broken in the order of the file, and a refused line leaves its name free', async () => {
    const { depositId: deposit_id } = await openDeposit(running().ask, { amount: 100_000 })
    const line = (external_id: string, amount?: number) => ({
      ...{ deposit_id, external_id },
      ...(amount === undefined ? { liquidation_type: 'FULL' } : { liquidation_type: 'PARTIAL', amount }),
    })
    const file = [line('O-1', 60_000), line('O-2', 60_000), line('O-3'), line('O-4')]
    const results = await run(running(), 'liquidateFixedDeposit', file)
    const expected = ['SUCCEEDED', 'amount_exceeds_principal', 'SUCCEEDED', 'deposit_not_active']
    assert.deepEqual(outcomes(results), expected)
    assert.equal(results[2]!.data.principal_returned, 40_000)
    const mended = await run(running(), 'liquidateFixedDeposit', [line('O-2', 30_000)])
    assert.deepEqual(outcomes(mended), ['deposit_not_active'])
  })

  test('P8: lines that were carried out before a crash count as succeeded when the batch goes on', async () => {
    const started = running()
    const { ask, service, callerId } = started
    const { accountNumber: account_number } = await fundedAccount(ask, 1)
    const line = (n: number) => ({ account_number, amount: 1, external_id: `CRASH-${n}` })
    const batchId = await create(ask, 'creditAccount')
    await send(ask, batchId, 1, [line(1), line(2), line(1)])
    await start(ask, batchId)
    const book = (await findBook(service.db, { callerId, mode: 'test' }))!
    // Everything but the record of the results, as when the process ends between the two.
    const crashing = { ...service, perform: () => Promise.reject(new Error('the process ended')) }
    const isStopped = () => false
    await assert.rejects(runBatches(crashing, book, { instance: 'first', isStopped }), /the process ended/)
    assert.equal((await ask('GET', `/v2/accounts/${account_number}`)).json.data.balance, 3)
    await runBatches(service, book, { instance: 'first', isStopped })
    assert.deepEqual(outcomes(await resultsOf(ask, batchId)), ['SUCCEEDED', 'SUCCEEDED', 'DUPLICATE'])
    assert.equal((await ask('GET', `/v2/accounts/${account_number}`)).json.data.balance, 3)
  })

  test('a line is not recorded as failed for what passes by itself, nor while its commit is unknown', async () => {
    const { ask, service, callerId } = running()
    const book = (await findBook(service.db, { callerId, mode: 'test' }))!
    const { accountNumber: account_number } = await fundedAccount(ask, 1)
    const faults = [
      new OutcomeUnknownError('The answer to its commit was lost.'),
      new ClockUnsureError('The clocks differ.'),
      new DatabaseError('A conflict that outlasted the retries.', { sqlState: '40001' }),
    ]
    for (const [index, fault] of faults.entries()) {
      const batchId = await create(ask, 'creditAccount')
      await send(ask, batchId, 1, [{ account_number, amount: 1, external_id: `PASSES-${index}` }])
      await start(ask, batchId)
      const failing: typeof service = {
        ...service,
        performTogether: () => Promise.reject(new Error('one after the other, then')),
        async perform(...one) {
          if (fault instanceof OutcomeUnknownError) await service.perform(...one)
          throw fault
        },
      }
      const options = { instance: 'first', isStopped: () => false }
      await assert.rejects(runBatches(failing, book, options), fault)
      assert.deepEqual(await resultsOf(ask, batchId), [])
      await runBatches(service, book, options)
      assert.deepEqual(outcomes(await resultsOf(ask, batchId)), ['SUCCEEDED'])
    }
    assert.equal((await ask('GET', `/v2/accounts/${account_number}`)).json.data.balance, 4)
  })

  test('what became of a line is recorded once, whichever instance comes second', async () => {
    const { ask, service, callerId } = running()
    const book = (await findBook(service.db, { callerId, mode: 'test' }))!
    const { accountNumber: account_number } = await fundedAccount(ask, 1)
    const batchId = await create(ask, 'creditAccount')
    const names = ['TWICE-1', 'TWICE-2']
    await send(
      ask,
      batchId,
      1,
      names.map((external_id) => ({ account_number, amount: 1, external_id })),
    )
    await start(ask, batchId)
    const origin = { book, actor: OPERATOR, requestId: null, idempotency: null }
    const line = {
      line: 1,
      externalId: 'TWICE-1',
      outcome: 'FAILED',
      madeId: null,
      data: null,
      error: '{}',
    } as const
    const tell = () => service.perform(progress, origin, { batchId, lines: [line] })
    assert.deepEqual([(await tell()).outcome, (await tell()).outcome], ['done', 'refused'])
    const { failed, succeeded, status } = (await ask('GET', `/v2/batches/${batchId}`)).json.data
    assert.deepEqual([failed, succeeded, status], [1, 0, 'RUNNING'])
    await finish(running())
  })

  test('bad lines are results of their own, and good ones beside them are carried out', async () => {
    const { accountNumber: account_number } = await fundedAccount(running().ask, 1)
    const good = (name: string) => ({ account_number, amount: 1, external_id: name })
    const results = await run(running(), 'creditAccount', [
      good('G-1'),
      '',
      '{"amount": 1',
      '[]',
      { account_number, amount: 1 },
      { amount: 1, external_id: 'no account' },
      { ...good('two'), amount: 0, ammount: 1 },
      { ...good('x'.repeat(65)) },
      { ...good('long'), narration: 'n'.repeat(70_000) },
      { account_number: '0000000000', amount: 1, external_id: 'none' },
      good('G-2'),
    ])
    assert.deepEqual(outcomes(results), [
      'SUCCEEDED',
      'malformed_json',
      'malformed_json',
      'malformed_json',
      'invalid_request',
      'invalid_request',
      'invalid_request',
      'invalid_request',
      'body_too_large',
      'account_not_found',
      'SUCCEEDED',
    ])
    const fieldsOf = (index: number) => results[index]!.error!.fields.map(({ field, code }) => [field, code])
    assert.deepEqual(fieldsOf(4), [['external_id', 'required']])
    assert.deepEqual(fieldsOf(5), [['account_number', 'required']])
    assert.deepEqual(fieldsOf(6), [
      ['amount', 'not_positive'],
      ['ammount', 'unknown_field'],
    ])
    assert.deepEqual(fieldsOf(7), [['external_id', 'too_long']])
    const [nameless] = await run(running(), 'createCustomer', [{ ...ada, '': 1, external_id: 'NAMELESS' }])
    const fields = nameless!.error?.fields.map(({ field, code }) => [field, code])
    assert.deepEqual(fields, [['', 'unknown_field']])
  })

  test('a line that is not UTF-8, or has a NUL, is not read as other characters', async () => {
    const { ask } = running()
    const line = (name: string, last_name: string) =>
      `${JSON.stringify({ ...ada, last_name, external_id: name })}\n`
    const latin = Buffer.from(line('LATIN-1', 'Añoña'), 'latin1')
    const withNul = line('NUL', 'A#').replace('#', '\0')
    const file = Buffer.concat([Buffer.from(line('UTF-8', 'Añoña')), latin, Buffer.from(withNul), latin])
    const batchId = await create(ask, 'createCustomer')
    const sent = (content: Buffer) => ask('POST', `/v2/batches/${batchId}/parts/1`, content, LINES)
    assert.deepEqual([(await sent(file)).status, (await sent(file)).status], [201, 200])
    const changed = Buffer.from(file)
    changed[changed.lastIndexOf(0xf1)] = 0xf2
    assertRefused(await sent(changed), { status: 409, code: 'part_already_sent', details: '{}' })
    assert.equal((await start(ask, batchId)).json.data.status, 'RUNNING')
    await finish(running())
    const results = await resultsOf(ask, batchId)
    assert.deepEqual(outcomes(results), ['SUCCEEDED', ...Array(3).fill('malformed_json')])
    assert.equal(results[0]!.data.last_name, 'Añoña')
  })

  test('parts follow one another, and one that was sent does not change', async () => {
    const { ask } = running()
    const batchId = await create(ask, 'creditAccount', { name: 'Tonight' })
    const line = (n: number) => ({ account_number: '1000000001', amount: n, external_id: `P-${n}` })
    const refused = async (answer: Promise<Answer>, code: string, details = '{}', status = 409) =>
      assertRefused(await answer, { status, code, details })
    await refused(send(ask, batchId, 2, [line(2)]), 'part_missing', '{"expected_part":1}')
    const first = await send(ask, batchId, 1, [line(1)])
    assert.deepEqual([first.status, first.json.data.parts, first.json.data.lines], [201, 1, 1])
    assert.equal((await send(ask, batchId, 1, [line(1)])).status, 200)
    await refused(send(ask, batchId, 1, [line(2)]), 'part_already_sent')
    await refused(send(ask, batchId, 3, [line(3)]), 'part_missing', '{"expected_part":2}')
    const second = await send(ask, batchId, 2, [line(2), 'nonsense', { external_id: 'none' }])
    const { total_amount, lines, name, status } = second.json.data
    assert.deepEqual([total_amount, lines, name, status], [3, 4, 'Tonight', 'UPLOADING'])
    const empty = await ask('POST', `/v2/batches/${batchId}/parts/3`, Buffer.from(''), LINES)
    assert.equal(empty.status, 400, empty.text)
    assert.equal((await send(ask, batchId, 'x', [line(1)])).json.error.fields[0].field, 'part')
    for (const name of [batchId, 'bat_none']) {
      const both = [
        ['part', 'invalid_format'],
        ['lines', 'required'],
      ] as const
      assertRefused(await send(ask, name, '0', []), { status: 400, code: 'invalid_request', fields: both })
    }
    const many = Array.from({ length: 10_001 }, () => '{}')
    assert.equal((await send(ask, batchId, 3, many)).json.error.fields[0].code, 'too_many')
    const json = await ask('POST', `/v2/batches/${batchId}/parts/3`, { a: 1 })
    assert.deepEqual([json.status, json.json.error.code], [415, 'unsupported_media_type'])
    const large = await ask(
      'POST',
      `/v2/batches/${batchId}/parts/3`,
      Buffer.alloc(8 * 1024 * 1024 + 1),
      LINES,
    )
    assert.equal(large.status, 413)
    assert.equal((await start(ask, batchId)).json.data.status, 'RUNNING')
    await refused(start(ask, batchId), 'batch_not_uploading', '{"batch_status":"RUNNING"}')
    await refused(send(ask, batchId, 3, [line(3)]), 'batch_not_uploading', '{"batch_status":"RUNNING"}')
    await finish(running())
    const done = (await ask('GET', `/v2/batches/${batchId}`)).json.data
    assert.deepEqual([done.status, done.failed, done.succeeded], ['DONE', 4, 0])
    await refused(ask('POST', `/v2/batches/${batchId}/cancel`), 'batch_finished', '{"batch_status":"DONE"}')
    await refused(start(ask, 'bat_x'), 'batch_not_found', '{}', 404)
    assert.deepEqual((await ask('GET', '/v2/batches?status=DONE&limit=1')).json.data, [done])
    const events = (await ask('GET', '/v2/events?type=batch.completed&limit=1')).json.data
    assert.deepEqual(events[0].data, done)
  })

  test('a batch starts only with the totals that were expected, and cancelling skips what is left', async () => {
    const { ask, app, testKey } = running()
    const expected = { lines: 2, total_amount: 3 }
    const batchId = await create(ask, 'creditAccount', { expected })
    const line = (n: number) => ({ account_number: '1000000001', amount: n, external_id: `T-${n}` })
    await send(ask, batchId, 1, [line(1)])
    assertRefused(await start(ask, batchId), {
      status: 422,
      code: 'control_totals_differ',
      details: '{"lines":1,"total_amount":1.00}',
    })
    await send(ask, batchId, 2, [line(2)])
    assert.equal((await start(ask, batchId)).status, 200)
    const cancelled = (await ask('POST', `/v2/batches/${batchId}/cancel`)).json.data
    assert.deepEqual([cancelled.status, cancelled.skipped], ['CANCELLED', 2])
    await finish(running())
    const results = await resultsOf(ask, batchId)
    assert.deepEqual(
      results.map(({ outcome, external_id }) => [outcome, external_id]),
      [
        ['SKIPPED', 'T-1'],
        ['SKIPPED', 'T-2'],
      ],
    )
    const file = await app.inject({
      url: `/v2/batches/${batchId}/results?outcome=SKIPPED`,
      headers: { authorization: `Bearer ${testKey}`, accept: 'application/x-ndjson' },
    })
    assert.deepEqual(
      file.body
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text)),
      [...results, { rows: 2 }],
    )
  })

  test('lines that need approval fail, unless the start was approved, which covers what was sent', async () => {
    const started = running()
    const { ask, service, callerId, clock, askWith } = started
    const { depositId } = await openDeposit(ask, { amount: 10_000 })
    const rule = (operation: string, gte: number) => ({ operation, when: { amount: { gte } }, approvals: 1 })
    await setPolicy(started, {
      expires_after_hours: 24,
      deciders: 'ANY',
      rules: [rule('liquidateFixedDeposit', 100), rule('startBatch', 1000)],
    })
    const part = (name: string, amount: string) =>
      `{"deposit_id":"${depositId}","external_id":"${name}","liquidation_type":"PARTIAL","amount":${amount}}`
    const small = await run(started, 'liquidateFixedDeposit', [part('S-1', '99.99'), part('S-2', '100.00')])
    assert.deepEqual(outcomes(small), ['SUCCEEDED', 'approval_required'])
    const { approval, ...rest } = small[1]!.error!.details as { approval: object }
    const body = { liquidation_type: 'PARTIAL', amount: 100 }
    assert.deepEqual(rest, { approvals_needed: 1 })
    assert.deepEqual(approval, { operation: 'liquidateFixedDeposit', target_id: depositId, body })
    const waits = await ask('POST', '/v2/approvals', approval)
    assert.equal(waits.status, 201, waits.text)
    await ask('POST', `/v2/approvals/${waits.json.data.approval_id}/cancel`)
    const batchId = await create(ask, 'liquidateFixedDeposit')
    await send(ask, batchId, 1, [part('B-1', '1000.00')])
    const held = await start(ask, batchId)
    assertRefused(held, {
      status: 422,
      code: 'approval_required',
      details: `{"approvals_needed":1,"approval":${JSON.stringify({
        operation: 'startBatch',
        target_id: batchId,
        body: {},
      })}}`,
    })
    const asked = await ask('POST', '/v2/approvals', held.json.error.details.approval)
    assert.equal(asked.status, 201, asked.text)
    const { approval_id } = asked.json.data
    assertRefused(await send(ask, batchId, 2, [part('B-2', '1.00')]), {
      status: 409,
      code: 'approval_already_pending',
      details: `{"approval_id":"${approval_id}"}`,
    })
    const book = (await findBook(service.db, { callerId, mode: 'test' }))!
    const checker = askWith((await issueKey(service.db, book, { scopes: ['*'], at: clock.now })).key)
    const approved = await checker('POST', `/v2/approvals/${approval_id}/approve`, {})
    assert.equal(approved.json.data.status, 'APPROVED', approved.text)
    await finish(started)
    assert.deepEqual(outcomes(await resultsOf(ask, batchId)), ['SUCCEEDED'])
    await setPolicy(started, { expires_after_hours: 24, deciders: 'ANY', rules: [] })
  })

  test('who started a batch made its changes, also where the key ended meanwhile', async () => {
    const { ask, askWith } = running()
    const { accountNumber: account_number } = await fundedAccount(ask, 1)
    const scopes = ['batches:write', 'accounts:write']
    const issued = (await ask('POST', '/v2/api-keys', { name: 'Tonight', scopes })).json.data
    const batchId = await create(ask, 'creditAccount')
    await send(ask, batchId, 1, [{ account_number, amount: 5, external_id: 'ENDED' }])
    assert.equal((await start(askWith(issued.key), batchId)).status, 200)
    assert.equal((await ask('DELETE', `/v2/api-keys/${issued.api_key_id}`)).status, 200)
    await finish(running())
    assert.deepEqual(outcomes(await resultsOf(ask, batchId)), ['SUCCEEDED'])
    const actor = { kind: 'KEY', id: issued.api_key_id, name: 'Tonight' }
    const [done, credited] = (await ask('GET', '/v2/events?limit=2')).json.data
    assert.deepEqual([done.type, done.actor, done.data.started_by], ['batch.completed', actor, actor])
    assert.deepEqual([credited.type, credited.actor], ['account.credited', actor])
  })

  test('approving the start takes no fewer than such lines would, whether or not a rule holds the start', async () => {
    const started = running()
    const { ask, service, callerId, clock, askWith } = started
    const book = (await findBook(service.db, { callerId, mode: 'test' }))!
    const { depositId } = await openDeposit(ask, { amount: 10_000 })
    const when = { amount: { gte: 1000 } }
    const ofLines = [
      { operation: 'liquidateFixedDeposit', when, approvals: 2 },
      { operation: 'liquidateFixedDeposit', when: {}, approvals: 1 },
    ]
    await setPolicy(started, { expires_after_hours: 24, deciders: 'ANY', rules: ofLines })
    const askToStart = async (name: string) => {
      const batchId = await create(ask, 'liquidateFixedDeposit')
      const line = { deposit_id: depositId, liquidation_type: 'PARTIAL', amount: 5, external_id: name }
      await send(ask, batchId, 1, [line])
      const body = { operation: 'startBatch', target_id: batchId, body: {} }
      return { batchId, approval: (await ask('POST', '/v2/approvals', body)).json.data }
    }
    const { batchId, approval } = await askToStart('N-1')
    assert.equal(approval.approvals_needed, 2)
    for (const status of ['PENDING', 'APPROVED']) {
      const checker = askWith((await issueKey(service.db, book, { scopes: ['*'], at: clock.now })).key)
      const voted = await checker('POST', `/v2/approvals/${approval.approval_id}/approve`, {})
      assert.equal(voted.json.data.status, status, voted.text)
    }
    await finish(started)
    assert.deepEqual(outcomes(await resultsOf(ask, batchId)), ['SUCCEEDED'])
    // A direct start waits for nobody: then each line is held by itself.
    assert.equal((await start(ask, await create(ask, 'liquidateFixedDeposit'))).status, 200)
    const ofStart = { operation: 'startBatch', when: { amount: { gte: 5 } }, approvals: 1 }
    await setPolicy(started, { expires_after_hours: 24, deciders: 'ANY', rules: [...ofLines, ofStart] })
    assert.equal((await askToStart('N-2')).approval.approvals_needed, 1)
    await setPolicy(started, { expires_after_hours: 24, deciders: 'ANY', rules: [] })
  })

  test('two parts that arrive at the same moment do not pass the limit of lines together', async () => {
    const { db } = running()
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    let [isHeld, held] = [false, 0]
    const gated: Database = {
      ...db,
      async transaction(work) {
        held += isHeld ? 1 : 0
        if (isHeld) await opened
        return db.transaction(work)
      },
    }
    const { ask, service, close } = await startService(gated, { workers: 1 })
    const batchId = await create(ask, 'creditAccount')
    await db.query('update batches set lines = 999999 where batch_id = $1', [batchId])
    isHeld = true
    // Both are past the door before either has locked the batch.
    const first = send(ask, batchId, 1, ['{}'])
    while (held === 0) await setImmediate()
    const second = send(ask, batchId, 2, ['{}'])
    while (service.waiting() === 0) await setImmediate()
    open()
    assert.equal((await first).json.data.lines, 1_000_000)
    assertRefused(await second, {
      ...{ status: 400, code: 'invalid_request', fields: [['lines', 'too_many']] },
    })
    await close()
  })

  test('the start of a batch needs the scopes of its lines, and a waiver its own', async () => {
    const { ask, service, callerId, clock, askWith } = running()
    const book = (await findBook(service.db, { callerId, mode: 'test' }))!
    const withScopes = async (...scopes: string[]) =>
      askWith((await issueKey(service.db, book, { scopes, at: clock.now })).key)
    const bare = await withScopes('batches:write')
    const breaker = await withScopes('batches:write', 'fixed_deposits:liquidate')
    const refused = (scope: string) => ({
      status: 403,
      code: 'insufficient_scope',
      details: `{"required_scope":"${scope}"}`,
    })
    const body = { operation: 'liquidateFixedDeposit' }
    assertRefused(await bare('POST', '/v2/batches', body), refused('fixed_deposits:liquidate'))
    const batchId = await create(ask, 'liquidateFixedDeposit')
    const waiver = { percent: 10, reason: 'COURT_ORDER' }
    await send(ask, batchId, 1, [{ deposit_id: 'fd_x', external_id: 'W', liquidation_type: 'FULL', waiver }])
    assertRefused(await start(bare, batchId), refused('fixed_deposits:liquidate'))
    assertRefused(await start(breaker, batchId), refused('penal_charges:waive'))
    const approval = { operation: 'startBatch', target_id: batchId, body: {} }
    assertRefused(await breaker('POST', '/v2/approvals', approval), refused('penal_charges:waive'))
    await ask('POST', `/v2/batches/${batchId}/cancel`)
  })
})
