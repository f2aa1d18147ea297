/** What a first user reads: where the service is, and requests that work when pasted. */
import type { Demo } from './demo.ts'
import { DEMO_CUSTOMERS } from './demo-bank.ts'

/** An address to listen on is not always one to ask: the wildcards stand for every address of this machine. */
export function baseUrl({ host, port }: { host: string; port: number }): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** One line each, so that a line can be copied whole. */
export function demoRequests(url: string, demo: Demo): string {
  const [{ firstName, lastName }] = DEMO_CUSTOMERS
  const deposit = `${url}/v2/fixed-deposits/${demo.partial_deposit_id}`
  const headers = `-H 'Authorization: Bearer ${demo.test_key}' -H 'Content-Type: application/json'`
  const ask = (method: string, address: string, body: string, header = '') =>
    `curl -sS -w '\\n' -X ${method} ${address} ${headers}${header} -d '${body}'`
  const part = '{"liquidation_type":"PARTIAL","amount":100000.00}'
  const whole = '{"liquidation_type":"FULL"}'
  const profile = '{"phone_number":"+234 800 555 0199"}'

  return `Test key: ${demo.test_key}

What would breaking 100,000.00 out of a deposit of ${firstName} ${lastName} pay? It changes nothing:
${ask('POST', `${deposit}/liquidation-quote`, part)}

Break that part. Pasted again, its Idempotency-Key gets the same answer and nothing is paid twice:
${ask('POST', `${deposit}/liquidate`, part, " -H 'Idempotency-Key: first-part'")}

Break another deposit wholly. Pasted again, it is refused with 409, because the deposit is no longer active:
${ask('POST', `${url}/v2/fixed-deposits/${demo.full_deposit_id}/liquidate`, whole)}

Change the customer's phone number; the rest stays. Pasted again, it only renews updated_at:
${ask('PUT', `${url}/v2/customer/${demo.customer_id}`, profile)}`
}
