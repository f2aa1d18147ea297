/** For tests of all routes: a book with one of everything, and a request of each route about it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { newId } from '../../../src/engine/database/ids.ts'
import type { Route } from '../../../src/route/route.ts'
import { harbourFix, harbourSheet } from '../../support/products.ts'
import { type Answer, type Ask, firstRules, openDeposit, tenPercent } from '../../support/service.ts'
import type { Book } from './bank.ts'

/** A route that names anything by a member that is not here fails this test: say what it names, and it joins. */
export const MEMBERS = [
  'customer_id',
  'account_number',
  'deposit_id',
  'liquidation_id',
  'event_id',
  'webhook_endpoint_id',
  'api_key_id',
  'lien_id',
  'approval_id',
  'target_id',
  'subject_id',
  'version',
  'product_code',
  'number',
  'batch_id',
] as const
export type Member = (typeof MEMBERS)[number]
/** `party_id` is another customer than the holder of the deposit. */
export type Ids = Record<Member | 'party_id', string>

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))

/** One of everything. The rules have as many versions as asked: version 1 exists in every book. */
export async function populate({ ask, issue }: Book, version: number): Promise<Ids> {
  const { depositId, customerId, accountNumber } = await openDeposit(ask, { amount: 1_000_000 })
  const part = { liquidation_type: 'PARTIAL', amount: 1000 }
  const liquidated = await succeed(ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, part))
  await succeed(ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 1_000_000 }))
  const [event] = await succeed(ask('GET', '/v2/events?limit=1'))
  const endpoint = await succeed(ask('POST', '/v2/webhook-endpoints', { url: 'https://example.com/hook' }))
  const issued = await issue(['api_keys:write'])
  const writer = { authorization: `Bearer ${issued.key}` }
  await succeed(ask('POST', '/v2/api-keys', { scopes: ['api_keys:write'] }, writer))
  const lien = { amount: 1, reason: 'Fees' }
  const held = await openDeposit(ask, { amount: 1_000_000 })
  const { lien_id } = await succeed(ask('POST', `/v2/fixed-deposits/${held.depositId}/liens`, lien))
  const waiting = `{"operation":"placeLien","target_id":"${depositId}","body":{"amount":1.00,"reason":"Fees"}}`
  const { approval_id } = await succeed(ask('POST', '/v2/approvals', waiting))
  const policy = { expires_after_hours: 72, deciders: 'ANY', rules: [] }
  for (let next = 1; next <= version; next += 1) await succeed(ask('PUT', '/v2/approval-policy', policy))
  for (let next = 1; next <= version; next += 1) await succeed(ask('PUT', '/v2/tax-rules', tenPercent))
  for (let next = 2; next <= version; next += 1)
    await succeed(ask('PUT', '/v2/liquidation-rules', firstRules))
  const accounting = { accruals: 'OFF', gl_codes: {} }
  for (let next = 1; next <= version; next += 1) await succeed(ask('PUT', '/v2/accounting', accounting))
  const calendar = { weekend: ['SAT', 'SUN'], holidays: [] }
  for (let next = 1; next <= version; next += 1) await succeed(ask('PUT', '/v2/business-calendar', calendar))
  const product_code = newId('fd').slice(-20).toUpperCase()
  for (let next = 1; next <= version; next += 1) {
    await succeed(ask('PUT', `/v2/products/${product_code}`, harbourFix))
    await succeed(ask('POST', `/v2/products/${product_code}/rate-sheets`, harbourSheet))
  }
  // Few may be uploading at a time: one that nothing was sent to will do again.
  const [empty] = await succeed(ask('GET', '/v2/batches?status=UPLOADING&limit=1'))
  const isFresh = empty !== undefined && empty.parts === 0
  const { batch_id } = isFresh
    ? empty
    : await succeed(ask('POST', '/v2/batches', { operation: 'creditAccount' }))
  return {
    customer_id: customerId,
    party_id: held.customerId,
    account_number: accountNumber,
    deposit_id: depositId,
    liquidation_id: liquidated.liquidation_id,
    event_id: event.id,
    webhook_endpoint_id: endpoint.webhook_endpoint_id,
    api_key_id: issued.apiKeyId,
    lien_id,
    approval_id,
    target_id: depositId,
    subject_id: customerId,
    version: String(version),
    product_code,
    number: String(version),
    batch_id,
  }
}

async function succeed(asking: Promise<Answer>): Promise<any> {
  const answer = await asking
  assert(answer.status < 300, answer.text)
  return answer.json.data
}

/** The number of a part is chosen by its sender. */
const FIRST_PART = '1'

/** The request about these records. */
export function askRoute(
  ask: Ask,
  route: Route,
  ids: Ids,
  query: Record<string, string> = {},
): Promise<Answer> {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: Member) =>
    encodeURIComponent(ids[name] ?? FIRST_PART),
  )
  const search = new URLSearchParams({ ...spanOf(route), ...query }).toString()
  const url = search === '' ? path : `${path}?${search}`
  if (route.fileMaxBytes !== undefined) {
    return ask(route.method, url, Buffer.from('{}'), { 'content-type': 'application/x-ndjson' })
  }
  return ask(route.method, url, route.body === null ? undefined : bodyOf(route, ids))
}

/** The range of days that a route about one record needs. */
function spanOf({ path, query }: Route): Record<string, string> {
  const { required = [] } = (query ?? {}) as { required?: string[] }
  return path.includes(':') && required.includes('from') ? { from: '2026-07-01', to: '2026-07-31' } : {}
}

/** The example of the reference that names most, about these identifiers. */
function bodyOf(route: Route, ids: Ids): object {
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
  const { examples } =
    document.paths[path][route.method.toLowerCase()].requestBody.content['application/json']
  const namedBy = ({ value }: { value: object }) => MEMBERS.filter((member) => member in value).length
  const [example] = Object.values<{ value: object }>(examples).sort(
    (left, right) => namedBy(right) - namedBy(left),
  )
  const named = Object.entries(example!.value).map(([name, value]) => [
    name,
    name === 'parties' ? [{ customer_id: ids.party_id, role: 'JOINT' }] : (ids[name as Member] ?? value),
  ])
  return Object.fromEntries(named)
}

export function scopesOf({ operationId, scope }: Route): string[] {
  // These need the scopes of the operation that is asked for, or of the lines.
  if (operationId === 'requestApproval') return ['fixed_deposits:liquidate']
  if (operationId === 'startBatch') return ['batches:write', 'accounts:write']
  return scope === null ? [] : [scope]
}
