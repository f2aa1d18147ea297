/**
 * The process is killed at each point where it waits for its database, from the first read of a key to the moment
 * between commit and answer. A new process is started, the request is repeated with its key, and there is one change.
 */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { withDatabase } from '../../src/cli/database.ts'
import { readConfig } from '../../src/config.ts'
import { createCaller } from '../../src/operations/callers.ts'
import { type Environment, forEachEnvironment } from '../cli/program.ts'
import { audit } from '../support/auditor.ts'
import { type Answer, type Ask, fundedAccount } from '../support/service.ts'
import { createHttpAsk } from './support/client.ts'
import { full } from './support/counts.ts'
import { type Fixture, startFixture } from './support/fixture.ts'

type Bank = { fixture: Fixture; ask: Ask; restart: () => Promise<void> }
type Owner = { customerId: string; accountNumber: string }
type Asked = { method: 'POST' | 'PUT'; path: string; body: object }
type Operation = { name: string; draw: (bank: Bank, owner: Owner, n: number) => Promise<Asked> }

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
]

const POINTS_MAX = 60

forEachEnvironment(({ name: engine, test }) => {
  // Without the full counts, every point of one operation; on the slower engine only its last ones.
  for (const operation of full ? operations : operations.slice(0, 1)) {
    test(`a process killed at any point of ${operation.name} leaves one change`, async (context, env) => {
      const bank = await openBank(context, env)
      const owner = await fundedAccount(bank.ask, 1_000_000)
      const points = await dryRun(bank, owner, operation)
      const counts = { kills: 0, committed: 0 }
      for (
        let endAt = full || engine === 'PostgreSQL' ? 1 : points.length - 2;
        endAt < POINTS_MAX;
        endAt += 1
      ) {
        const end = await killAt(bank, owner, operation, endAt)
        if (end === null) break
        counts.kills += 1
        counts.committed += end.committed ? 1 : 0
      }
      assert(counts.committed > 0 && counts.committed < counts.kills, 'killed before and after the commit')
      context.diagnostic(`${operation.name}: ${JSON.stringify({ ...counts, lost: 0, doubled: 0, wrong: 0 })}`)
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

async function dryRun(bank: Bank, owner: Owner, operation: Operation): Promise<string[]> {
  const asked = await operation.draw(bank, owner, 0)
  await bank.fixture.arm(null)
  const answer = await send(bank, asked, 'dry run')
  assert(answer.status < 300, answer.text)
  return bank.fixture.points()
}

/** null where the request was answered before it came to that point: there are no more. */
async function killAt(bank: Bank, owner: Owner, operation: Operation, endAt: number) {
  const key = `point ${endAt}`
  const asked = await operation.draw(bank, owner, endAt)
  const before = await countChanges(bank)
  await bank.fixture.arm(endAt)
  const heard = await send(bank, asked, key).catch(() => null)
  if (heard !== null) return null
  const { committed } = await bank.fixture.end()
  await bank.restart()
  assert.equal((await countChanges(bank)) - before, committed ? 1 : 0, `changes after point ${endAt}`)
  const answer = await send(bank, asked, key)
  assert(answer.status < 300, answer.text)
  assert.equal(answer.headers['idempotent-replayed'], committed ? 'true' : undefined)
  assert.equal((await countChanges(bank)) - before, 1, `changes after point ${endAt} and again`)
  return { committed }
}

function send({ ask }: Bank, { method, path, body }: Asked, key: string): Promise<Answer> {
  return ask(method, path, body, { 'idempotency-key': key })
}

async function countChanges({ fixture }: Bank): Promise<number> {
  const [row] = await fixture.query<{ changes: number }>('select count(*)::int4 as changes from events')
  return row!.changes
}

async function openDeposit({ ask }: Bank, { accountNumber }: Owner): Promise<string> {
  const body = { account_number: accountNumber, amount: 1000, tenor: 90, interest_rate: 12 }
  const opened = await ask('POST', '/v2/fixed-deposits', body)
  assert.equal(opened.status, 201, opened.text)
  return opened.json.data.deposit_id
}
