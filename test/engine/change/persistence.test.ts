/** Three outcomes, never two: done, refused, unknown; and an unknown one is looked up before it is answered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutcomeUnknownError } from '../../../src/engine/change/faults.ts'
import { persist } from '../../../src/engine/change/persistence.ts'
import { type Database, DatabaseError, type Transaction } from '../../../src/engine/database/database.ts'
import { ada, describeService, fundedAccount, openDeposit, startService } from '../../support/service.ts'

const serialization = new DatabaseError('serialization failure', { sqlState: '40001' })
const deadlock = new DatabaseError('deadlock', { sqlState: '40P01' })
const twin = new DatabaseError('duplicate key', { sqlState: '23505' })
const violation = new DatabaseError('check constraint', { sqlState: '23514' })
const lockTimeout = new DatabaseError('lock timeout', { sqlState: '55P03' })
const away = new DatabaseError('connection refused', { sqlState: null })
const lost = new DatabaseError('connection lost at commit', { sqlState: null, outcomeUnknown: true })

/** Fails with each error in turn, then succeeds; records whether each attempt was in doubt. */
function failing(...errors: DatabaseError[]) {
  const doubts: boolean[] = []
  const attempt = async (inDoubt: boolean) => {
    doubts.push(inDoubt)
    const error = errors.shift()
    if (error !== undefined) throw error
    return 'done'
  }
  return { attempt, doubts }
}

test('what was rolled back is retried', async () => {
  const { attempt, doubts } = failing(serialization, deadlock, twin)
  assert.equal(await persist(attempt), 'done')
  assert.deepEqual(doubts, [false, false, false, false])
})

test('what keeps failing ends after a few attempts', async () => {
  const { attempt, doubts } = failing(...Array<DatabaseError>(100).fill(deadlock))
  await assert.rejects(persist(attempt), deadlock)
  assert.equal(doubts.length, 8)
})

for (const error of [violation, lockTimeout, away]) {
  test(`${error.message} is not retried while nothing is in doubt`, async () => {
    const { attempt, doubts } = failing(error)
    await assert.rejects(persist(attempt), error)
    assert.deepEqual(doubts, [false])
  })
}

test('after a lost response every further attempt knows that it is in doubt', async () => {
  const { attempt, doubts } = failing(deadlock, lost, serialization, away, lockTimeout, lost)
  assert.equal(await persist(attempt), 'done')
  assert.deepEqual(doubts, [false, false, true, true, true, true, true])
})

test('what fails for another reason while in doubt stays unknown, and is never reported as a failure', async () => {
  const { attempt } = failing(lost, violation)
  await assert.rejects(persist(attempt), (error) => {
    assert(error instanceof OutcomeUnknownError)
    assert.equal(error.cause, violation)
    return true
  })
})

test('a commit stays in doubt for eight seconds, and is unknown after that', async () => {
  for (const [passedMs, attempts] of [
    [8_000, 3],
    [8_001, 1],
  ] as const) {
    const { attempt, doubts } = failing(lost, lost)
    let nowMs = 0
    const late = (inDoubt: boolean) => {
      nowMs = passedMs
      return attempt(inDoubt)
    }
    const persisted = persist(late, () => nowMs)
    if (attempts === 3) assert.equal(await persisted, 'done')
    else await assert.rejects(persisted, OutcomeUnknownError)
    assert.equal(doubts.length, attempts)
  }
})

/** Loses the response to the next commits: 'after' they happened, or 'before', so that they did not. */
function losing(db: Database): { db: Database; lose: (...when: ('after' | 'before')[]) => void } {
  const planned: ('after' | 'before')[] = []
  return {
    lose: (...when) => planned.push(...when),
    db: {
      ...db,
      async transaction<Result>(work: (tx: Transaction) => Promise<Result>) {
        const when = planned.shift()
        if (when === 'before') {
          // Thrown inside, so that the transaction is rolled back as a server does that never saw the COMMIT.
          return db.transaction(async (tx) => {
            await work(tx)
            throw lost
          })
        }
        const result = await db.transaction(work)
        if (when === 'after') throw lost
        return result
      },
    },
  }
}

describeService('lost responses to COMMIT', (running) => {
  test('a liquidation whose commit was not confirmed happens once, and is answered normally', async () => {
    const { db } = running()
    const { db: flaky, lose } = losing(db)
    const { ask, close } = await startService(flaky)
    for (const when of [['after'], ['before'], ['before', 'after'], ['after', 'after']] as const) {
      const { depositId, accountNumber } = await openDeposit(ask, { amount: 1000 })
      lose(...when)
      const answer = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, {
        liquidation_type: 'PARTIAL',
        amount: 400,
      })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.headers['idempotent-replayed'], undefined)
      const list = await ask('GET', `/v2/fixed-deposits/${depositId}/liquidations`)
      assert.deepEqual(
        list.json.data.map((one: { liquidation_id: string }) => one.liquidation_id),
        [answer.json.data.liquidation_id],
      )
      assert.match((await ask('GET', `/v2/accounts/${accountNumber}`)).text, /"balance":400\.00,/)
    }
    await close()
  })

  test('a batch whose commit was not confirmed is looked up request by request', async () => {
    const { db } = running()
    const { db: flaky, lose } = losing(db)
    const { ask, close } = await startService(flaky, { workers: 1 })
    for (const when of ['after', 'before'] as const) {
      const first = await openDeposit(ask, { amount: 1000 })
      const second = await openDeposit(ask, { amount: 1000 })
      lose(when)
      const liquidate = (depositId: string, body: object, key?: string) =>
        ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body, key ? { 'idempotency-key': key } : {})
      const answers = await Promise.all([
        liquidate(first.depositId, { liquidation_type: 'FULL' }, `${when} key`),
        liquidate(first.depositId, { liquidation_type: 'FULL' }),
        liquidate('fd_unknown', { liquidation_type: 'FULL' }),
        liquidate(second.depositId, { liquidation_type: 'PARTIAL', amount: 2000 }),
        liquidate(second.depositId, { liquidation_type: 'PARTIAL', amount: 300 }),
        liquidate(first.depositId, { liquidation_type: 'FULL' }, `${when} key`),
      ])
      assert.deepEqual(
        answers.map((answer) => answer.status),
        [200, 409, 404, 422, 200, 200],
      )
      assert.equal(answers[5]!.text, answers[0]!.text)
      assert.equal(answers[5]!.headers['idempotent-replayed'], 'true')
      assert.equal(answers[0]!.headers['idempotent-replayed'], undefined)
    }
    await close()
  })

  test('every other change whose commit was not confirmed happens once, too', async () => {
    const { db } = running()
    const { db: flaky, lose } = losing(db)
    const { ask, close } = await startService(flaky)
    const count = async (table: string) =>
      (await db.query<{ count: bigint }>(`select count(*) as count from ${table}`))[0]!.count
    for (const when of ['after', 'before'] as const) {
      for (const headers of [{}, { 'idempotency-key': `${when} key` }]) {
        const before = await count('customers')
        lose(when)
        const created = await ask('POST', '/v2/customer', ada, headers)
        assert.equal(created.status, 201)
        assert.equal(await count('customers'), before + 1n)
        const read = await ask('GET', `/v2/customer/${created.json.data.customer_id}`)
        assert.deepEqual(read.json.data, created.json.data)
      }
      const { accountNumber } = await fundedAccount(ask, 100)
      lose(when)
      const credit = await ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 7 })
      assert.equal(credit.status, 201)
      assert.match((await ask('GET', `/v2/accounts/${accountNumber}`)).text, /"balance":107\.00,/)
    }
    await close()
  })

  test('a commit that stays unknown is answered 503 outcome_unknown, and a retry with its key returns the result', async () => {
    const { db } = running()
    const { db: flaky, lose } = losing(db)
    let lookUpFails = false
    const { ask, close } = await startService({
      ...flaky,
      async transaction(work) {
        if (lookUpFails) throw violation
        try {
          return await flaky.transaction(work)
        } catch (error) {
          lookUpFails = error === lost
          throw error
        }
      },
    })
    const { depositId } = await openDeposit(ask, { amount: 1000 })
    const url = `/v2/fixed-deposits/${depositId}/liquidate`
    const headers = { 'idempotency-key': 'k' }
    lose('after')
    const unknown = await ask('POST', url, { liquidation_type: 'FULL' }, headers)
    assert.deepEqual(
      [unknown.status, unknown.json.error.code, unknown.json.error.retryable],
      [503, 'outcome_unknown', true],
    )
    assert.equal(unknown.headers['retry-after'], '1')
    lookUpFails = false
    const again = await ask('POST', url, { liquidation_type: 'FULL' }, headers)
    assert.equal(again.status, 200)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    await close()
  })
})
