/** The trace of a request is stored for its messages, in the transaction of its change and only where some are sent. */
import assert from 'node:assert/strict'
import type { Database, Transaction } from '../../../src/engine/database/database.ts'
import type { StatementWithRows } from '../../../src/engine/database/rows.ts'
import { RETRY_DELAYS_MS, TRIED_FOR_DAYS } from '../../../src/features/webhooks/schedule.ts'
import { type Ask, openDeposit, startService } from '../../support/service.ts'
import { createCustomer, createEndpoint, describeWebhooks } from './harness.ts'

const traceparent = (nth: number) => `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b${nth}-01`

function move(ask: Ask, customerId: string, headers: Record<string, string>) {
  return ask('PUT', `/v2/customer/${customerId}`, { address: '1 Marina Road' }, headers)
}

function tracesIn(db: Database, bookId: string) {
  return db.query('select request_id, traceparent from request_traces where book_id = $1', [bookId])
}

describeWebhooks('traces', (test) => {
  test('a request that is sent again with its key keeps its first trace', async (harness) => {
    const { ask, db, bookId, receiver, sendDue } = harness
    const customerId = await createCustomer(ask)
    await createEndpoint(ask, { url: receiver.url })
    await createEndpoint(ask, { url: `${receiver.url}second` })
    const key = { 'idempotency-key': 'once' }
    const first = await move(ask, customerId, { ...key, traceparent: traceparent(1) })
    const again = await move(ask, customerId, { ...key, traceparent: traceparent(2) })
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.deepEqual(await tracesIn(db, bookId), [
      { request_id: first.headers['request-id'], traceparent: traceparent(1) },
    ])
    assert.equal(await sendDue(), 2)
    const sent = receiver.received.map(({ headers }) => headers.traceparent)
    assert.deepEqual(sent, [traceparent(1), traceparent(1)])
  })

  test('a test message and what a moved clock settles carry the trace of their request', async (harness) => {
    const { ask, receiver, sendDue } = harness
    const { depositId } = await openDeposit(ask, { amount: 1000 })
    const { maturity_date } = (await ask('GET', `/v2/fixed-deposits/${depositId}`)).json.data
    const { path } = await createEndpoint(ask, { url: receiver.url })
    await ask('POST', `${path}/ping`, undefined, { traceparent: traceparent(3) })
    await ask(
      'POST',
      '/v2/test-clock',
      { now: `${maturity_date}T12:00:00.000Z` },
      { traceparent: traceparent(4) },
    )
    await sendDue()
    const sent = receiver.received.map(({ body, headers }) => [JSON.parse(body).type, headers.traceparent])
    assert.deepEqual(sent.toSorted(), [
      ['fixed_deposit.matured', traceparent(4)],
      ['ping', traceparent(3)],
    ])
  })

  test('a refused request stores none, and neither does a book without endpoints', async (harness) => {
    const { ask, db, bookId, receiver } = harness
    const customerId = await createCustomer(ask)
    const traced = { traceparent: traceparent(5) }
    const moved = await move(ask, customerId, traced)
    assert.equal(moved.status, 200)
    await createEndpoint(ask, { url: receiver.url })
    assert.equal((await move(ask, 'cus_none', traced)).status, 404)
    assert.deepEqual(await tracesIn(db, bookId), [])
  })

  test('a request without a trace sends no statement for it', async (harness) => {
    const texts: string[] = []
    const service = await startService(listening(harness.db, texts))
    const { depositId } = await openDeposit(service.ask, { amount: 1000 })
    const breakPart = async (headers: Record<string, string>) => {
      texts.length = 0
      const body = { liquidation_type: 'PARTIAL', amount: 10 }
      const { status } = await service.ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body, headers)
      assert.equal(status, 200)
      return texts.slice()
    }
    // The first of a deposit writes less.
    await breakPart({})
    const untraced = await breakPart({})
    const [own, ofTrace, ...others] = await breakPart({ traceparent: traceparent(6) })
    await service.close()
    assert.equal(untraced.length, 1)
    assert(own === untraced[0], 'a trace changes nothing of the statement that writes the liquidation')
    assert.match(ofTrace!, /^\s+insert into request_traces /)
    assert.deepEqual(others, [])
  })

  test('traces are kept for as long as a message may be tried', async () => {
    // Before each attempt but the first, a receiver may ask for a day.
    assert(TRIED_FOR_DAYS > RETRY_DELAYS_MS.length)
  })
})

/** The same database; `texts` are the statements that its transactions write. */
function listening(db: Database, texts: string[]): Database {
  const note = (statement: string | StatementWithRows) =>
    void texts.push(typeof statement === 'string' ? statement : statement.statement.ofBook)
  const transaction: Database['transaction'] = (work) =>
    db.transaction((tx) => {
      const write = (statement: never, values?: never) => {
        note(statement)
        return tx.write(statement, values)
      }
      return work({ ...tx, write: write as Transaction['write'] })
    })
  return { ...db, transaction }
}
