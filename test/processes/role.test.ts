/** The role with few rights of docs/operating.md, made by the statements that are printed there. */
import assert from 'node:assert/strict'
import pg from 'pg'
import { forEachEnvironment, run, serve } from '../cli/program.ts'
import { commandsOf } from '../support/documents.ts'

const [statements, ...others] = commandsOf('docs/operating.md', 'sql')

forEachEnvironment(({ name, test }) => {
  if (name === 'PGlite') return

  test('a role that may not change the schema, ledger entries or events is enough to serve', async (t, env) => {
    assert.deepEqual(others, [])
    const owner = new URL(env.DATABASE_URL!)
    assert.equal((await run(['migrate'], env)).code, 0)
    const admin = await connect(owner.href)
    t.after(async () => {
      await admin.query('drop owned by bw_service; drop role bw_service')
      await admin.end()
    })
    await admin.query(statements!.replace('for role breakwater ', `for role ${owner.username} `))
    const role = new URL(owner)
    role.username = 'bw_service'
    role.password = 'secret'
    const ofRole = { ...env, DATABASE_URL: role.href }

    const created = await run(['callers', 'create', '--name', 'Role Bank', '--json'], ofRole)
    const service = await serve(t, ofRole)
    const paid = await breakAndReverse(service.url, JSON.parse(created.stdout).test_key)
    assert.deepEqual(paid, [200, 200])
    assert.equal((await service.stop()).code, 0)
    assert.equal((await run(['verify'], ofRole)).code, 0)

    const client = await connect(role.href)
    for (const forbidden of [
      'update ledger_entries set created_at = now()',
      'delete from ledger_entries',
      'update events set occurred_at = now()',
      'delete from events',
      'create table mine ()',
      'drop table customers',
    ]) {
      await assert.rejects(client.query(forbidden), /permission denied|must be owner/, forbidden)
    }
    await client.end()
  })
})

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/** Everything that leads to a liquidation, and its reversal. */
async function breakAndReverse(url: string, key: string): Promise<number[]> {
  const ask = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const { data } = (await answer.json()) as { data: Record<string, string> }
    return { status: answer.status, data }
  }
  const person = { first_name: 'Ada', last_name: 'Obi', email: 'ada@example.com' }
  const customer = await ask('/v2/customer', { ...person, phone_number: '+2348005550142', address: '1 Quay' })
  const account = await ask('/v2/accounts', { customer_id: customer.data.customer_id })
  const { account_number } = account.data
  await ask(`/v2/accounts/${account_number}/credits`, { amount: 5000 })
  const terms = { account_number, amount: 5000, tenor: 365, interest_rate: 10 }
  const deposit = await ask('/v2/fixed-deposits', terms)
  const part = { liquidation_type: 'PARTIAL', amount: 1000 }
  const broken = await ask(`/v2/fixed-deposits/${deposit.data.deposit_id}/liquidate`, part)
  const undone = await ask(`/v2/liquidations/${broken.data.liquidation_id}/reverse`, { reason: 'Mistake' })
  return [broken.status, undone.status]
}
