/** By which rules and in which class interest is taxed, and the changes of both, as the model has them. */
import type { ModelTax, Taxed } from '../../domain/life-model.ts'
import { type BookState, type Evidence, isRefusal, readData, shows } from './state.ts'
import type { Request } from './workload.ts'

/** `name`: parts of a day that have the same are taxed together. */
export type Taxing = { name: string; tax: ModelTax }

/** The last rules that had begun on the day; a class that they do not have counts as STANDARD. */
export function taxingOn(state: BookState, accountNumber: string, on: string): Taxing | null {
  const version = state.taxes.findLastIndex(({ from }) => from <= on)
  const rules = state.taxes[version]
  if (rules === undefined) return null
  const own = state.customers.get(state.owners.get(accountNumber)!)!.taxClass ?? 'STANDARD'
  const inForce = rules.classes[own] === undefined ? 'STANDARD' : own
  const { base, onRecovery } = rules
  const ppm = BigInt(Math.round(rules.classes[inForce]! * 10_000))
  return { name: `${version + 1} ${inForce}`, tax: { base, onRecovery, rounding: 'HALF_UP', ppm } }
}

/** What the parts of a day paid that were taxed alike. */
export function taxedEarlier(state: BookState, depositId: string, on: string, { name }: Taxing): Taxed {
  const parts = [...state.liquidations.values()].filter(
    (one) => one.depositId === depositId && one.on === on && !one.isReversed && one.taxed === name,
  )
  const sum = (member: keyof Taxed) => parts.reduce((total, part) => total + part[member], 0n)
  return { interest: sum('interest'), penal: sum('penal'), tax: sum('tax') }
}

export function stepTaxRules(
  state: BookState,
  { rules }: Extract<Request, { kind: 'tax rules' }>,
  { outcome, event }: Evidence,
): BookState | null {
  if (outcome.kind === 'refused') return null
  const taxes = [...state.taxes, rules]
  const expected = { version: String(taxes.length), effective_from: rules.from, base: rules.base }
  return shows(readData(`{"data":${event!.data}}`), expected) ? { ...state, taxes } : null
}

export function stepTaxStatus(
  state: BookState,
  { customerId, taxClass }: Extract<Request, { kind: 'tax status' }>,
  { outcome, event }: Evidence,
): BookState | null {
  const before = state.customers.get(customerId)
  if (before === undefined) return isRefusal(outcome, 'customer_not_found') ? state : null
  if (outcome.kind === 'refused') return null
  if (!shows(readData(`{"data":${event!.data}}`), { customer_id: customerId, tax_class: taxClass }))
    return null
  return { ...state, customers: new Map(state.customers).set(customerId, { ...before, taxClass }) }
}
