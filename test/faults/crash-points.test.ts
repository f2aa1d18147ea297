/**
 * The process is killed at each point where it waits for its database, from the first read of a key to the moment
 * between commit and answer. A new process is started, the request is repeated with its key, and there is one change.
 */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { readConfig } from '../../src/cli/config.ts'
import { withDatabase } from '../../src/cli/database.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { type Environment, forEachEnvironment } from '../cli/program.ts'
import { audit } from '../support/auditor.ts'
import { createHttpAsk } from '../support/http-ask.ts'
import { sell } from '../support/products.ts'
import { type Answer, type Ask, fundedAccount } from '../support/service.ts'
import { all, full } from './support/counts.ts'
import { type Fixture, startFixture } from './support/fixture.ts'
import type { End } from './support/fixture-server.ts'

type Bank = { fixture: Fixture; ask: Ask; restart: () => Promise<void> }
type Owner = { customerId: string; accountNumber: string }
type Asked = { method: 'POST' | 'PUT'; path: string; body: object; headers?: Record<string, string> }
type Operation = {
  name: string
  draw: (bank: Bank, owner: Owner, n: number) => Promise<Asked>
  /** That its change leaves behind; 1 where it says nothing. */
  events?: number
}

const operations: Operation[] = [
  {
    name: 'a FULL liquidation',
    draw: async (bank, owner) => ({
      method: 'POST',
      path: `/v2/fixed-deposits/${await openDeposit(bank, owner)}/liquidate`,
      body: { liquidation_type: 'FULL' },
    }),
  },
  {
    name: 'a PARTIAL liquidation',
    draw: async (bank, owner) => ({
      method: 'POST',
      path: `/v2/fixed-deposits/${await openDeposit(bank, owner)}/liquidate`,
      body: { liquidation_type: 'PARTIAL', amount: 250 },
    }),
  },
  {
    name: 'an update of a customer',
    draw: async (_, { customerId }, n) => ({
      method: 'PUT',
      path: `/v2/customer/${customerId}`,
      body: { email: `name${n}@example.com` },
    }),
  },
  {
    name: 'the opening of a deposit',
    draw: async (_, { accountNumber }, n) => ({
      method: 'POST',
      path: '/v2/fixed-deposits',
      body: { account_number: accountNumber, amount: 100, tenor: 30 + n, interest_rate: 12 },
    }),
  },
  {
    name: 'a credit',
    draw: async (_, { accountNumber }, n) => ({
      method: 'POST',
      path: `/v2/accounts/${accountNumber}/credits`,
      body: { amount: 1 + n },
    }),
  },
  {
    name: 'a reversal',
    draw: async (bank, owner) => {
      const broken = await ask(bank, `/v2/fixed-deposits/${await openDeposit(bank, owner)}/liquidate`, FULL)
      return {
        method: 'POST',
        path: `/v2/liquidations/${broken.liquidation_id}/reverse`,
        body: { reason: 'Wrong deposit' },
      }
    },
  },
  {
    name: 'an opening that pays interest',
    draw: async (bank, { accountNumber }, n) => {
      await sellOnce(bank, 'UPFRONT', null)
      const wish = { amount: 100 + n, tenor_months: 6, product_code: 'UPFRONT' }
      return { method: 'POST', path: '/v2/fixed-deposits', body: { account_number: accountNumber, ...wish } }
    },
    events: 2,
  },
  {
    name: 'a liquidation that pays the interest due first',
    draw: async (bank, { accountNumber }) => {
      await sellOnce(bank, 'PAYOUT', 'MONTH')
      const wish = { account_number: accountNumber, amount: 1000, tenor_months: 6, product_code: 'PAYOUT' }
      const { deposit_id } = await ask(bank, '/v2/fixed-deposits', wish)
      // Two payments fall due, and the job, which would make them, does not run here.
      await bank.fixture.query(
        `update books set clock_offset_ms = clock_offset_ms + 63 * 86400000::bigint where mode = 'test'`,
      )
      return { method: 'POST', path: `/v2/fixed-deposits/${deposit_id}/liquidate`, body: FULL }
    },
    events: 3,
  },
  {
    name: 'a change of the instruction',
    draw: async (bank, owner) => ({
      method: 'PUT',
      path: `/v2/fixed-deposits/${await openDeposit(bank, owner)}/maturity-instruction`,
      body: { maturity_instruction: 'ROLL_OVER_PRINCIPAL' },
    }),
  },
  {
    name: 'a request for approval',
    draw: async (bank, owner) => ({
      method: 'POST',
      path: '/v2/approvals',
      body: { operation: 'liquidateFixedDeposit', target_id: await openDeposit(bank, owner), body: FULL },
    }),
  },
  {
    name: 'a vote',
    draw: (bank, owner) => voteOn(bank, owner, 'placeLien', { amount: 500, reason: 'Collateral' }),
  },
  {
    name: 'a last vote',
    draw: (bank, owner) => voteOn(bank, owner, 'liquidateFixedDeposit', FULL),
    events: 2,
  },
  {
    name: 'a vote that is not enough any more',
    draw: async (bank, _, n) => {
      const changed = await fundedAccount(bank.ask, 1000)
      const vote = await voteOn(bank, changed, 'liquidateFixedDeposit', FULL)
      const path = `/v2/customer/${changed.customerId}`
      const put = await bank.ask('PUT', path, { phone_number: `+234 800 000 ${1000 + n}` })
      assert.equal(put.status, 200, put.text)
      return vote
    },
  },
]

const FULL = { liquidation_type: 'FULL' }
/** Liens of 500 and more wait for two, and so does what comes after a new telephone number; all else for one. */
const POLICY = {
  expires_after_hours: 1,
  deciders: 'ANY',
  rules: [
    { operation: 'placeLien', when: { amount: { gte: 500 } }, approvals: 2 },
    { operation: 'liquidateFixedDeposit', when: { contact_changed_hours: { lt: 1 } }, approvals: 2 },
  ],
}

/** A product that is named like its method. */
async function sellOnce(bank: Bank, method: string, every: string | null): Promise<void> {
  const sold = await bank.ask('GET', `/v2/products/${method}`)
  if (sold.status !== 404) return
  const interest = { method, every, recover_paid_interest: false }
  await sell(bank.ask, method, { interest, min_amount: 1 })
}

async function voteOn(bank: Bank, owner: Owner, operation: string, body: object): Promise<Asked> {
  // From the second time on the policy guards itself, and is in force already.
  const decided = await bank.ask('PUT', '/v2/approval-policy', POLICY)
  assert([200, 422].includes(decided.status), decided.text)
  const target_id = await openDeposit(bank, owner)
  const { approval_id } = await ask(bank, '/v2/approvals', { operation, target_id, body })
  const { key } = await ask(bank, '/v2/api-keys', { scopes: ['approvals:decide'] })
  return {
    method: 'POST',
    path: `/v2/approvals/${approval_id}/approve`,
    body: {},
    headers: { authorization: `Bearer ${key}` },
  }
}

async function ask(bank: Bank, path: string, body: object): Promise<Record<string, string>> {
  const answer = await bank.ask('POST', path, body)
  assert(answer.status < 300, answer.text)
  return answer.json.data
}

const POINTS_MAX = 60
const LAST_POINTS = 3

forEachEnvironment(({ name: engine, test }) => {
  // In CI every point of one operation, and on the faster engine, whose transactions are the same, the last ones of the
  // others, where a change is committed and answered.
  const isShort = !(all || (full && engine === 'PostgreSQL'))
  for (const operation of isShort ? operations.slice(0, 1) : operations) {
    const everyPoint = all || (operation === operations[0] && (full || engine === 'PostgreSQL'))
    test(`a process killed at any point of ${operation.name} leaves one change`, async (context, env) => {
      const bank = await openBank(context, env)
      const owner = await fundedAccount(bank.ask, 1_000_000)
      const points = await dryRun(bank, owner, operation)
      const counts = { kills: 0, committed: 0 }
      const killFrom = async (within: End['within'], first: number) => {
        for (let at = first; at < POINTS_MAX; at += 1) {
          const killed = await killAt(bank, owner, operation, { within, at })
          if (killed === null) return
          counts.kills += 1
          counts.committed += killed.committed ? 1 : 0
        }
      }
      if (everyPoint) await killFrom('query', 1)
      await killFrom('transaction', everyPoint ? 1 : points - LAST_POINTS + 1)
      assert(counts.committed > 0 && counts.committed < counts.kills, 'killed before and after the commit')
      context.diagnostic(`${context.name}: ${JSON.stringify(counts)}`)
      await audit(bank.fixture)
      await bank.fixture.kill()
    })
  }
})

async function openBank(context: TestContext, env: Environment): Promise<Bank> {
  const terms = { name: 'Test Bank', timeZone: 'Africa/Lagos', currency: 'NGN', at: new Date() }
  const { keys } = await withDatabase(readConfig(env), (db) => createCaller(db, terms))
  const start = async () => {
    bank.fixture = await startFixture(context, env)
    bank.ask = createHttpAsk(bank.fixture.url, keys[0]!.key)
  }
  const bank = { restart: start } as Bank
  await start()
  return bank
}

async function dryRun(bank: Bank, owner: Owner, operation: Operation): Promise<number> {
  const asked = await operation.draw(bank, owner, 0)
  await bank.fixture.arm(null)
  const answer = await send(bank, asked, 'dry run')
  assert(answer.status < 300, answer.text)
  return bank.fixture.points()
}

/** null where the request was answered before it came to that point: there are no more. */
async function killAt(bank: Bank, owner: Owner, operation: Operation, end: End) {
  const place = `${end.within} ${end.at}`
  const asked = await operation.draw(bank, owner, end.at)
  const before = await countChanges(bank)
  await bank.fixture.arm(end)
  const heard = await send(bank, asked, place).catch(() => null)
  if (heard !== null) {
    // Or the point might be reached by what is asked for next.
    await bank.fixture.arm(null)
    return null
  }
  const { committed } = await bank.fixture.end()
  await bank.restart()
  const { events = 1 } = operation
  assert.equal((await countChanges(bank)) - before, committed ? events : 0, `changes after ${place}`)
  const answer = await send(bank, asked, place)
  assert(answer.status < 300, answer.text)
  assert.equal(answer.headers['idempotent-replayed'], committed ? 'true' : undefined)
  assert.equal((await countChanges(bank)) - before, events, `changes after ${place} and again`)
  return { committed }
}

function send({ ask }: Bank, { method, path, body, headers }: Asked, key: string): Promise<Answer> {
  return ask(method, path, body, { 'idempotency-key': key, ...headers })
}

async function countChanges({ fixture }: Bank): Promise<number> {
  const [row] = await fixture.query<{ changes: number }>(
    `select count(*)::int4 as changes from events where type <> 'book.sealed'`,
  )
  return row!.changes
}

async function openDeposit({ ask }: Bank, { accountNumber }: Owner): Promise<string> {
  const body = { account_number: accountNumber, amount: 1000, tenor: 90, interest_rate: 12 }
  const opened = await ask('POST', '/v2/fixed-deposits', body)
  assert.equal(opened.status, 201, opened.text)
  return opened.json.data.deposit_id
}
