/** What a first user sees: where the service is, and requests that work when pasted. */
import type { Demo, FoundDemo } from './demo-bank.ts'

/** Shown instead of requests that would be refused. */
export const USED_UP =
  'The demo bank has no deposits left that can be broken. Stop the service and run breakwater demo --reset for a new one.'

/** A request that can be pasted, and the sign-in of the demo people. */
export function greeting({
  url,
  consoleAt,
  found,
}: {
  url: string
  consoleAt: string
  found: FoundDemo | null
}): string {
  if (found === null) return `Breakwater is ready: ${url}/docs`
  const { demo, isUsedUp } = found
  const people = demo.people.map(
    ({ email, password, role }) => `  ${role.toLowerCase().padEnd(10)}  ${email}  ${password}`,
  )
  if (isUsedUp)
    return `Breakwater is ready: ${url}/docs and ${consoleAt}/console. Sign in as
${people.join('\n')}
${USED_UP}`
  const deposit = `${url}/v2/fixed-deposits/${demo.partial_deposit_id}`
  return `Breakwater is ready. Read ${url}/docs or paste a request:
curl -w '\\n' -H 'Authorization: Bearer ${demo.test_key}' ${deposit}
More requests, which break deposits and update a customer: npx breakwater demo
Or break a deposit in the browser at ${consoleAt}/console. Sign in as
${people.join('\n')}`
}

/** Passkeys work on localhost but not on 127.0.0.1. */
export function consoleUrl({ publicUrl, port }: { publicUrl: string | null; port: number }): string {
  return publicUrl ?? `http://localhost:${port}`
}

/** One line each, so that a line can be copied whole. */
export function demoRequests(url: string, demo: Demo): string {
  const deposit = `${url}/v2/fixed-deposits/${demo.partial_deposit_id}`
  const headers = `-H 'Authorization: Bearer ${demo.test_key}' -H 'Content-Type: application/json'`
  const ask = (method: string, address: string, body: string, header = '') =>
    `curl -sS -w '\\n' -X ${method} ${address} ${headers}${header} -d '${body}'`
  const part = `{"liquidation_type":"PARTIAL","amount":${DEMO_PART.replaceAll(',', '')}}`
  const whole = '{"liquidation_type":"FULL"}'
  const profile = '{"phone_number":"+234 800 555 0199"}'
  // Each deposit has its own key: a used key with another request would be rejected.
  const once = ` -H 'Idempotency-Key: part-of-${demo.partial_deposit_id}'`

  return `Test key: ${demo.test_key}

What would breaking ${DEMO_PART} out of a deposit pay? It changes nothing:
${ask('POST', `${deposit}/liquidation-quote`, part)}

Break that part. Pasted again, its Idempotency-Key gets the same answer and nothing is paid twice:
${ask('POST', `${deposit}/liquidate`, part, once)}

Break another deposit wholly. Pasted again, it is refused with 409, because the deposit is no longer active:
${ask('POST', `${url}/v2/fixed-deposits/${demo.full_deposit_id}/liquidate`, whole)}

Change the customer's phone number; the rest stays. Pasted again, it only renews updated_at:
${ask('PUT', `${url}/v2/customer/${demo.customer_id}`, profile)}`
}

/** The part that the printed requests break out of a deposit. */
const DEMO_PART = '100,000.00'
