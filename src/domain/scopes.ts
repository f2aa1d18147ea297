/** What a key may do. `*` is everything, including scopes added later. */
export const SCOPES = [
  'customers:read',
  'customers:write',
  'accounts:read',
  'accounts:write',
  'fixed_deposits:read',
  'fixed_deposits:write',
  'fixed_deposits:liquidate',
  'liquidations:reverse',
  'liens:read',
  'liens:write',
  'approvals:read',
  'approvals:decide',
  'approvals:policy',
  'penal_charges:waive',
  'rules:read',
  'rules:write',
  'products:read',
  'products:write',
  'tax:read',
  'tax:write',
  'ledger:read',
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'api_keys:read',
  'api_keys:write',
  'accounting:read',
  'accounting:write',
  'batches:read',
  'batches:write',
  'batches:import',
  'reports:read',
  'audit:read',
  '*',
] as const

export type Scope = (typeof SCOPES)[number]

export function grants(held: readonly string[], needed: string): boolean {
  return held.includes('*') || held.includes(needed)
}

/** A key with one of these can move money, alone or together with others. */
export function movesMoney(scopes: readonly string[]): boolean {
  return scopes.some((scope) => MONEY.test(scope))
}

const MONEY =
  /^(?:\*|fixed_deposits:\w+|accounts:write|liquidations:reverse|penal_charges:waive|approvals:\w+|batches:(?:write|import))$/
