/**
 * The connection is cut at every message boundary of a transaction, in both directions. Whatever was answered is true:
 * a success exists exactly once, a 503 left nothing, and asking again with the same key leads to exactly one change.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { audit } from '../support/auditor.ts'
import { engines } from '../support/engines.ts'
import { sell } from '../support/products.ts'
import { type Answer, ada, fundedAccount } from '../support/service.ts'
import { full } from './support/counts.ts'
import { type CutBank, withCutBank } from './support/cut-bank.ts'
import type { Cut, Message } from './support/proxy.ts'

const postgres = engines.find((engine) => engine.name === 'PostgreSQL')!

type Asked = {
  method: 'POST' | 'PUT'
  path: string
  body: object
  key: string | null
  /** Another than the bank's own. */
  apiKey?: string
}
type Operation = {
  name: string
  keyed: boolean
  draw: (owner: Owner) => Promise<Omit<Asked, 'key'>>
  /** That its change leaves behind; 1 where it says nothing. */
  events?: number
}
type Owner = {
  customerId: string
  accountNumber: string
  openDeposit: () => Promise<string>
  next: () => number
  ask: (path: string, body: object | string) => Promise<Record<string, string>>
  /** A key of somebody else, who may decide. */
  checker: string
}

const fullBody = { liquidation_type: 'FULL' }
const fullLiquidation = liquidation(fullBody)
const partialLiquidation = liquidation({ liquidation_type: 'PARTIAL', amount: 250 })

const operations: Operation[] = [
  { name: 'a FULL liquidation with a key', keyed: true, draw: fullLiquidation },
  { name: 'a FULL liquidation without a key', keyed: false, draw: fullLiquidation },
  { name: 'a PARTIAL liquidation with a key', keyed: true, draw: partialLiquidation },
  { name: 'a PARTIAL liquidation without a key', keyed: false, draw: partialLiquidation },
  { name: 'an update of a customer with a key', keyed: true, draw: updateCustomer },
  { name: 'an update of a customer without a key', keyed: false, draw: updateCustomer },
  { name: 'the opening of a deposit with a key', keyed: true, draw: openDeposit },
  { name: 'the opening of a deposit without a key', keyed: false, draw: openDeposit },
  { name: 'a credit with a key', keyed: true, draw: creditAccount },
  { name: 'a credit without a key', keyed: false, draw: creditAccount },
  { name: 'a reversal with a key', keyed: true, draw: reverseLiquidation },
  { name: 'a reversal without a key', keyed: false, draw: reverseLiquidation },
  { name: 'an opening that pays interest with a key', keyed: true, draw: openUpfront, events: 2 },
  { name: 'an opening that pays interest without a key', keyed: false, draw: openUpfront, events: 2 },
  { name: 'a change of the instruction with a key', keyed: true, draw: changeInstruction },
  { name: 'a request for approval with a key', keyed: true, draw: requestApproval },
  { name: 'a request for approval without a key', keyed: false, draw: requestApproval },
  { name: 'a request that finds an expired one with a key', keyed: true, draw: requestAgain, events: 2 },
  { name: 'a vote with a key', keyed: true, draw: vote },
  { name: 'a vote without a key', keyed: false, draw: vote },
  { name: 'a last vote with a key', keyed: true, draw: lastVote, events: 2 },
  { name: 'a last vote without a key', keyed: false, draw: lastVote, events: 2 },
]

/** They lock nothing, so only the event and the key keep a lost commit from being made twice. */
const unlocked: Operation[] = [
  { name: 'a new customer with a key', keyed: true, draw: createCustomer },
  { name: 'a new customer without a key', keyed: false, draw: createCustomer },
  { name: 'a new account without a key', keyed: false, draw: openAccount },
]

describe('a connection that is cut', { skip: postgres.skip }, () => {
  for (const [index, operation] of operations.entries()) {
    test(`at every message of ${operation.name}`, (context) =>
      withCutBank(postgres, {}, async (bank) => {
        const owner = await createOwner(bank)
        const messages = await dryRun(bank, owner, operation)
        const commitAt = messages.findIndex((message) => message.text === 'commit')
        assert(commitAt > 0, 'a transaction ends with COMMIT')
        // The writes are sent with it: once they are on their way, the outcome is unknown without a lookup.
        const lastSent = messages.findLastIndex(({ from }, at) => from === 'server' && at < commitAt) + 1
        const counts = { boundaries: 0, 'nothing was done': 0, 'done, once': 0 }
        // Without the full counts, all boundaries of one operation and the last ones of the others.
        const from = full || index === 0 ? 0 : lastSent - 2
        const cuts = messages.flatMap((_, at): NumberedCut[] => [
          ...(at === 0 || at === commitAt ? [{ at, how: 'lost' } as const] : []),
          { at, how: 'delivered' },
        ])
        for (const cut of cuts.filter(({ at }) => at >= from)) {
          const done = await cutAsUsual(bank, owner, operation, { cut, messages })
          // After the last answer before them, they may or may not have been on their way.
          if (cut.at !== lastSent - 1) assert.equal(done, cut.at >= lastSent, JSON.stringify(cut))
          counts.boundaries += 1
          counts[done ? 'done, once' : 'nothing was done'] += 1
        }
        context.diagnostic(`${operation.name}: ${JSON.stringify(counts)}`)
        await audit(bank.db)
      }))
  }

  test('before a COMMIT that arrives late does not lead to a second change', () =>
    withCutBank(postgres, {}, async (bank) => {
      const owner = await createOwner(bank)
      for (const operation of [...operations, ...unlocked]) {
        assert(await cutAtCommit(bank, owner, operation, 'late'), operation.name)
      }
      await audit(bank.db)
    }))

  const impatient = {
    queryTimeoutMs: 1500,
    statementTimeoutMs: 1200,
    lockTimeoutMs: 300,
    idleInTransactionTimeoutMs: 1000,
  }
  for (const how of ['silent', 'held'] as const) {
    test(`without anybody hearing of it (${how}) at COMMIT ends in an answer that is true`, () =>
      withCutBank(postgres, impatient, async (bank) => {
        const owner = await createOwner(bank)
        assert(await cutAtCommit(bank, owner, operations[0]!, how))
        await audit(bank.db)
      }))
  }

  // It takes all the time that a client may have to wait.
  if (full) {
    test('at COMMIT for longer than a caller may wait is an unknown outcome, whether it was lost or delivered', async () => {
      await Promise.all([staysUnknown('lost'), staysUnknown('delivered')])
    })
  }
})

function staysUnknown(how: 'lost' | 'delivered'): Promise<void> {
  return withCutBank(postgres, {}, async (bank) => {
    const owner = await createOwner(bank)
    const operation = operations[2]!
    const asked = { ...(await operation.draw(owner)), key: `key ${owner.next()}` }
    bank.proxy.watch({ at: 'commit', how })
    const answering = send(bank, asked)
    while (!bank.proxy.wasCut()) await new Promise((resolve) => setImmediate(resolve))
    bank.proxy.refuse(true)
    const answer = await answering
    assert.equal(answer.status, 503, answer.text)
    assert.equal(answer.json.error.code, 'outcome_unknown')
    assert.equal(answer.headers['retry-after'], '1')
    assert.equal(await countChanges(bank, [answer]), how === 'delivered' ? 1 : 0)
    bank.proxy.refuse(false)
    const again = await send(bank, asked)
    assert.equal(again.status, 200, again.text)
    assert.equal(await countChanges(bank, [answer, again]), 1)
    await audit(bank.db)
  })
}

/** Liens of 500 and more wait for two, whatever else is asked to wait for one. */
const POLICY = {
  expires_after_hours: 1,
  deciders: 'ANY',
  rules: [{ operation: 'placeLien', when: { amount: { gte: 500 } }, approvals: 2 }],
}

async function createOwner({ ask }: CutBank): Promise<Owner> {
  const { customerId, accountNumber } = await fundedAccount(ask, 1_000_000)
  const decided = await ask('PUT', '/v2/approval-policy', POLICY)
  assert.equal(decided.status, 200, decided.text)
  const issued = await ask('POST', '/v2/api-keys', { scopes: ['approvals:decide'] })
  await sell(ask, 'UPFRONT', { interest: UPFRONT, min_amount: 1 })
  let drawn = 0
  return {
    customerId,
    accountNumber,
    checker: issued.json.data.key,
    next: () => ++drawn,
    async ask(path, body) {
      const answer = await ask('POST', path, body)
      assert(answer.status < 300, answer.text)
      return answer.json.data
    },
    async openDeposit() {
      const body = { account_number: accountNumber, amount: 1000, tenor: 90, interest_rate: 12 }
      const opened = await ask('POST', '/v2/fixed-deposits', body)
      assert.equal(opened.status, 201, opened.text)
      return opened.json.data.deposit_id
    },
  }
}

/** The second time, because by then the connection knows its statements; so it is before every cut too. */
async function dryRun(bank: CutBank, owner: Owner, operation: Operation) {
  await warmUp(bank, owner, operation)
  const asked = { ...(await operation.draw(owner)), key: operation.keyed ? `key ${owner.next()}` : null }
  bank.proxy.watch(null)
  const answer = await send(bank, asked)
  assert(answer.status < 300, answer.text)
  return [...bank.proxy.seen()]
}

async function warmUp(bank: CutBank, owner: Owner, operation: Operation): Promise<void> {
  const answer = await send(bank, { ...(await operation.draw(owner)), key: null })
  assert(answer.status < 300, answer.text)
}

function cutAtCommit(bank: CutBank, owner: Owner, operation: Operation, how: Cut['how']) {
  return cutOnce(bank, owner, operation, { at: 'commit', how })
}

type NumberedCut = Cut & { at: number }

const CONNECTIONS_MAX = 4

/** Again where the operation went over a connection that did not know its statements: there messages have other numbers. */
async function cutAsUsual(
  bank: CutBank,
  owner: Owner,
  operation: Operation,
  { cut, messages }: { cut: NumberedCut; messages: readonly Message[] },
): Promise<boolean> {
  for (let attempts = 1; ; attempts += 1) {
    const done = await cutOnce(bank, owner, operation, cut)
    const usual = bank.proxy.seen().every(({ type }, at) => type === messages[at]!.type)
    if (usual || attempts > CONNECTIONS_MAX) return done
  }
}

/** Answers whether the operation was done in spite of the cut; checks that what was answered is so. */
async function cutOnce(bank: CutBank, owner: Owner, operation: Operation, cut: Cut): Promise<boolean> {
  await warmUp(bank, owner, operation)
  const asked = { ...(await operation.draw(owner)), key: operation.keyed ? `key ${owner.next()}` : null }
  bank.proxy.watch(cut)
  const answer = await send(bank, asked)
  const place = `${JSON.stringify(cut)} ${answer.text}`
  assert(bank.proxy.wasCut(), place)
  const done = answer.status < 300
  if (!done) {
    assert.equal(answer.status, 503, place)
    assert.equal(answer.json.error.code, 'service_unavailable', place)
  }
  const { events = 1 } = operation
  assert.equal(await countChanges(bank, [answer]), done ? events : 0, place)
  if (done) await assertIsTrue(bank, answer)

  const again = await send(bank, asked)
  if (asked.key !== null) {
    assert(again.status < 300, again.text)
    assert.equal(await countChanges(bank, [answer, again]), events, place)
    if (done) assert.equal(again.text, answer.text)
    assert.equal(again.headers['idempotent-replayed'], done ? 'true' : undefined)
  } else if (asked.body === fullBody) {
    assert.equal(again.status, done ? 409 : 200, again.text)
  }
  return done
}

function send({ ask }: CutBank, { method, path, body, key, apiKey }: Asked): Promise<Answer> {
  return ask(method, path, body, {
    ...(key !== null && { 'idempotency-key': key }),
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  })
}

async function countChanges({ db }: CutBank, answers: readonly Answer[]): Promise<number> {
  const ids = answers.map((answer) => answer.headers['request-id'])
  const [row] = await db.query<{ changes: number }>(
    'select count(*)::int4 as changes from events where request_id = any($1::text[])',
    [ids],
  )
  return row!.changes
}

/** The answer is what is stored: the data of the event, or for a customer or an approval the record. */
async function assertIsTrue({ db, ask }: CutBank, answer: Answer): Promise<void> {
  const [event] = await db.query<{ type: string; subject_id: string; data: string }>(
    'select type, subject_id, data from events where request_id = $1 order by ordinal',
    [answer.headers['request-id']],
  )
  const { data } = answer.json
  if (event!.type.startsWith('customer.')) {
    const kept = await ask('GET', `/v2/customer/${event!.subject_id}`)
    assert.deepEqual(kept.json.data, data)
  } else if (data.approval_id !== undefined) {
    const kept = await ask('GET', `/v2/approvals/${data.approval_id}`)
    assert.deepEqual({ ...kept.json.data, preview: null }, { ...data, preview: null })
    if (data.status === 'APPROVED') assert.deepEqual(JSON.parse(event!.data), data.result)
  } else {
    const { narration: _, reverses: __, business_date: ___, ...shown } = data
    assert.deepEqual(JSON.parse(event!.data), shown)
  }
}

function liquidation(body: object): Operation['draw'] {
  return async (owner) => ({
    method: 'POST',
    path: `/v2/fixed-deposits/${await owner.openDeposit()}/liquidate`,
    body,
  })
}

async function updateCustomer({ customerId, next }: Owner): Promise<Omit<Asked, 'key'>> {
  return { method: 'PUT', path: `/v2/customer/${customerId}`, body: { email: `name${next()}@example.com` } }
}

async function openDeposit({ accountNumber, next }: Owner): Promise<Omit<Asked, 'key'>> {
  const body = { account_number: accountNumber, amount: 100, tenor: 30 + next(), interest_rate: 12 }
  return { method: 'POST', path: '/v2/fixed-deposits', body }
}

const UPFRONT = { method: 'UPFRONT', every: null, recover_paid_interest: false }

async function openUpfront({ accountNumber, next }: Owner): Promise<Omit<Asked, 'key'>> {
  const wish = { amount: 100 + next(), tenor_months: 6, product_code: 'UPFRONT' }
  return { method: 'POST', path: '/v2/fixed-deposits', body: { account_number: accountNumber, ...wish } }
}

async function changeInstruction({ openDeposit }: Owner): Promise<Omit<Asked, 'key'>> {
  return {
    method: 'PUT',
    path: `/v2/fixed-deposits/${await openDeposit()}/maturity-instruction`,
    body: { maturity_instruction: 'ROLL_OVER_PRINCIPAL' },
  }
}

async function creditAccount({ accountNumber, next }: Owner): Promise<Omit<Asked, 'key'>> {
  return { method: 'POST', path: `/v2/accounts/${accountNumber}/credits`, body: { amount: next() } }
}

async function reverseLiquidation({ openDeposit, ask }: Owner): Promise<Omit<Asked, 'key'>> {
  const { liquidation_id } = await ask(`/v2/fixed-deposits/${await openDeposit()}/liquidate`, fullBody)
  return {
    method: 'POST',
    path: `/v2/liquidations/${liquidation_id}/reverse`,
    body: { reason: 'Wrong deposit' },
  }
}

async function requestApproval({ openDeposit }: Owner): Promise<Omit<Asked, 'key'>> {
  const body = { operation: 'liquidateFixedDeposit', target_id: await openDeposit(), body: fullBody }
  return { method: 'POST', path: '/v2/approvals', body }
}

async function requestAgain(owner: Owner): Promise<Omit<Asked, 'key'>> {
  const asked = await requestApproval(owner)
  const { expires_at } = await owner.ask(asked.path, asked.body)
  await owner.ask('/v2/test-clock', { now: expires_at })
  return asked
}

async function vote({ openDeposit, ask, checker }: Owner): Promise<Omit<Asked, 'key'>> {
  const lien = `{ "amount": 500.00, "reason": "Collateral" }`
  const asked = `{ "operation": "placeLien", "target_id": "${await openDeposit()}", "body": ${lien} }`
  const { approval_id } = await ask('/v2/approvals', asked)
  return { method: 'POST', path: `/v2/approvals/${approval_id}/approve`, body: {}, apiKey: checker }
}

async function lastVote(owner: Owner): Promise<Omit<Asked, 'key'>> {
  const asked = await requestApproval(owner)
  const { approval_id } = await owner.ask(asked.path, asked.body)
  return {
    method: 'POST',
    path: `/v2/approvals/${approval_id}/approve`,
    body: {},
    apiKey: owner.checker,
  }
}

async function createCustomer(): Promise<Omit<Asked, 'key'>> {
  return { method: 'POST', path: '/v2/customer', body: ada }
}

async function openAccount({ customerId }: Owner): Promise<Omit<Asked, 'key'>> {
  return { method: 'POST', path: '/v2/accounts', body: { customer_id: customerId } }
}
