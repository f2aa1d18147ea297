/**
 * Who else a deposit belongs to, besides its holder. It is recorded, printed and copied to the successor of a rollover;
 * it changes no money and no right.
 */
import type { Deposit } from './deposit.ts'
import { type Refusal, refuse } from './refusal.ts'

export const MANDATES = ['ANY', 'ALL'] as const
export const PARTY_ROLES = ['JOINT', 'NOMINEE', 'GUARDIAN'] as const
export const PARTIES_MAX = 10

export type Party = { customerId: string; role: (typeof PARTY_ROLES)[number] }

export type Parties = {
  depositId: string
  /** Who has to sign: any one of them, or all. */
  mandate: (typeof MANDATES)[number]
  parties: readonly Party[]
}

/** With the names of the customers, for people. */
export type NamedParties = Omit<Parties, 'parties'> & { parties: readonly (Party & { name: string })[] }

/** What a deposit has for which no parties were written. */
export function noParties(depositId: string): Parties {
  return { depositId, mandate: 'ANY', parties: [] }
}

export function decideParties(
  { deposit, names }: { deposit: Deposit | undefined; names: ReadonlyMap<string, string> },
  request: Parties,
): { outcome: 'named'; parties: NamedParties } | Refusal {
  if (deposit === undefined) return refuse('deposit_not_found')
  const { parties } = request
  if (parties.some(({ customerId }) => !names.has(customerId))) return refuse('customer_not_found')
  if (parties.some(({ customerId }) => customerId === deposit.customerId)) return refuse('party_is_holder')
  return { outcome: 'named', parties: withNames(request, names) }
}

export function withNames(written: Parties, names: ReadonlyMap<string, string>): NamedParties {
  const parties = written.parties.map((party) => ({ ...party, name: names.get(party.customerId)! }))
  return { ...written, parties }
}

export function sameParties(left: Parties, right: Parties): boolean {
  const textOf = ({ mandate, parties }: Parties) =>
    [mandate, ...parties.map(({ customerId, role }) => `${customerId} ${role}`)].join()
  return textOf(left) === textOf(right)
}
