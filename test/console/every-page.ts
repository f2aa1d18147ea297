/** A book with something to show on every page, and the address of each page in it: a new page is covered by its row. */
import { pages } from '../../src/console/pages.ts'
import { ROLES, type Role, SCOPES_OF_ROLE } from '../../src/domain/people.ts'
import { create, finish, send, start } from '../support/batches.ts'
import { harbourFix, harbourSheet } from '../support/products.ts'
import { ada, fundedAccount, openDeposit, replaceRules } from '../support/service.ts'
import type { Office } from './office.ts'

export type Place = { method: 'GET' | 'POST'; path: string; url: string; scope: string | null; ids: boolean }

/** The value of each `:name` of a path; an action that changes little where a path names one. */
export type Ids = Record<string, string>

export async function furnish(office: Office, amount = '2000000.00'): Promise<Ids> {
  const { ask } = office
  await replaceRules(ask, {
    penal_rules: [
      {
        when: { elapsed_percent: { lt: 50 } },
        terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 80 }],
      },
      { when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 20 }] },
    ],
  })
  await office.employ('SUPERVISOR')
  const rule = { operation: 'liquidateFixedDeposit', when: { amount: { gte: 1_000_000 } }, approvals: 1 }
  await ask('PUT', '/v2/approval-policy', { expires_after_hours: 72, deciders: 'PERSON', rules: [rule] })
  const terms = { amount, interest_rate: 12, start_date: '2026-03-23' }
  const { depositId, customerId, accountNumber } = await openDeposit(ask, terms)
  const held = await ask('POST', `/v2/fixed-deposits/${depositId}/liens`, { amount: 5000, reason: 'Loan 77' })
  const broken = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, {
    liquidation_type: 'PARTIAL',
    amount: 1000,
  })
  // Text, because the answer repeats the body as it was sent.
  const body = '{"liquidation_type":"PARTIAL","amount":1500000.00,"reason":"COURT_ORDER","reference":"BR-1"}'
  const request = `{"operation":"liquidateFixedDeposit","target_id":"${depositId}","body":${body}}`
  const asked = await ask('POST', '/v2/approvals', request)
  const key = (await ask('GET', '/v2/api-keys')).json.data[0]
  const administrator = await office.visit(await office.employ('ADMINISTRATOR'))
  const made = await administrator.post('/webhooks', { url: 'https://example.com/hook' })
  await openDeposit(ask, { amount: '1000.00' })
  const people = await administrator.get('/access')
  await ask('PUT', '/v2/products/HARBOUR', harbourFix)
  await ask('POST', '/v2/products/HARBOUR/rate-sheets', harbourSheet)
  const paid = { product_code: 'HARBOUR', tenor_months: 12, start_date: '2026-01-15', amount: 600_000 }
  await ask('POST', '/v2/fixed-deposits', {
    account_number: (await fundedAccount(ask, 600_000)).accountNumber,
    ...paid,
  })
  // One that clerks may run too.
  const batchId = await create(ask, 'createCustomer', { name: 'Pay day' })
  const lines = [
    { ...ada, external_id: 'NEW-1' },
    { ...ada, email: 'nowhere', external_id: 'NEW-2' },
    'no line',
  ]
  await send(ask, batchId, 1, lines)
  await start(ask, batchId)
  await finish(office)
  const webhookId = /we_\w+/.exec(made.text)![0]
  const sent = await administrator.get(`/webhooks/${webhookId}`)
  return {
    batch_id: batchId,
    deposit_id: depositId,
    customer_id: customerId,
    account_number: accountNumber,
    lien_id: held.json.data.lien_id,
    liquidation_id: broken.json.data.liquidation_id,
    approval_id: asked.json.data.approval_id,
    api_key_id: key.api_key_id,
    webhook_endpoint_id: webhookId,
    event_id: /evt_\w+/.exec(sent.text)![0],
    person_id: /people\/(per_\w+)/.exec(people.text)?.[1] ?? 'per_none',
    act: 'on',
    product_code: 'HARBOUR',
  }
}

export function placesOf(ids: Ids): Place[] {
  return pages.map(({ method, path, scope }) => ({
    method,
    path,
    scope,
    url: path.replace(/:(\w+)/g, (_, name) => {
      const id = ids[name]
      if (id === undefined) throw new Error(`every-page.ts has nothing for :${name} of ${path}`)
      return id
    }),
    ids: path.includes(':'),
  }))
}

export function mayOpen(role: Role, { scope }: Pick<Place, 'scope'>): boolean {
  return scope === null || SCOPES_OF_ROLE[role].includes(scope)
}

/** The role with the fewest rights that may. */
export function roleFor(place: Place): Role {
  return ROLES.find((role) => mayOpen(role, place))!
}
