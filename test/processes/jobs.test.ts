import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { demoPath } from '../../src/cli/demo.ts'
import { serve, temporaryDirectory } from '../cli/program.ts'

type Event = { type: string; data: { deposit_id: string; status: string } }

test('a running service settles what is due and sends its events by itself', async (t) => {
  const directory = await temporaryDirectory(t)
  const { url, stop } = await serve(t, {
    DATA_DIR: directory,
    MATURITY_INTERVAL_SECONDS: '1',
    WEBHOOK_ALLOW_LOOPBACK: '1',
    WEBHOOK_POLL_MS: '50',
  })
  const { test_key } = JSON.parse(await readFile(demoPath(directory), 'utf8'))
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${test_key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    assert(answer.ok, `${method} ${path}: ${answer.status}`)
    return (await answer.json()) as { data: Event['data'] & { account_number: string; balance: number }[] }
  }

  const { port, received } = await startReceiver(t)
  await ask('POST', '/v2/webhook-endpoints', { url: `http://127.0.0.1:${port}/` })
  const accounts = await ask('GET', '/v2/accounts')
  const { account_number } = accounts.data.find(({ balance }) => balance >= 1000)!
  const terms = { account_number, amount: 1000, tenor: 30, interest_rate: 10, start_date: '2026-01-01' }
  const { data: opened } = await ask('POST', '/v2/fixed-deposits', terms)

  const event = await received(
    ({ type, data }) => type === 'fixed_deposit.matured' && data.deposit_id === opened.deposit_id,
  )
  assert.equal(event.data.status, 'MATURED')
  assert.equal((await ask('GET', `/v2/fixed-deposits/${opened.deposit_id}`)).data.status, 'MATURED')
  assert.equal((await stop()).code, 0)
})

/** `received` resolves with the first event that fits, which may have come already. */
async function startReceiver(context: TestContext) {
  const events: Event[] = []
  let look = () => {}
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    response.end()
    events.push(JSON.parse(body))
    look()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  context.after(() => receiver.close())
  return {
    port: (receiver.address() as AddressInfo).port,
    received: (fits: (event: Event) => boolean) =>
      new Promise<Event>((resolve) => {
        look = () => {
          const event = events.find(fits)
          if (event !== undefined) resolve(event)
        }
        look()
      }),
  }
}
