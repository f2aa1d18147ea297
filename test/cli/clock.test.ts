/** A live book whose clock jumped, from the command line, also while the service runs. */
import assert from 'node:assert/strict'
import { readConfig } from '../../src/cli/config.ts'
import { withDatabase } from '../../src/cli/database.ts'
import { ada } from '../support/service.ts'
import { type Environment, forEachEnvironment, run, serve } from './program.ts'

forEachEnvironment(({ test }) => {
  test('a book that was left for days takes changes after the operator has confirmed the clock', async (t, env) => {
    const { caller_id, live_key } = await json(['callers', 'create', '--name', 'Bank', '--json'], env)
    const left = 'update books set latest_business_date = current_date - 9 where caller_id = $1 and mode = $2'
    await withDatabase(readConfig(env), (db) => db.query(left, [caller_id, 'live']))
    const service = await serve(t, env)
    const create = async () => {
      const response = await fetch(`${service.url}/v2/customer`, {
        method: 'POST',
        headers: { authorization: `Bearer ${live_key}`, 'content-type': 'application/json' },
        body: JSON.stringify(ada),
      })
      const { error } = (await response.json()) as { error?: { code: string } }
      return error?.code ?? response.status
    }
    assert.equal(await create(), 'clock_unsure')
    const [confirmed, ...others] = await json(['clock', 'confirm', '--caller', caller_id, '--json'], env)
    assert.deepEqual([confirmed.caller_id, others], [caller_id, []])
    assert(confirmed.from < confirmed.to)
    assert.equal(await create(), 201)
    assert.deepEqual(await json(['clock', 'confirm', '--json'], env), [])
    const { code, stderr } = await run(['clock', 'confirm', '--caller', 'cal_none'], env)
    assert.deepEqual([code, stderr], [1, 'There is no caller cal_none; see breakwater callers list.\n'])
  })
})

async function json(args: readonly string[], env: Environment) {
  const { code, stdout, stderr } = await run(args, env)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}
