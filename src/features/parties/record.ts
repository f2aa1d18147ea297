import { type Static, Type } from 'typebox'
import { MANDATES, type NamedParties, PARTIES_MAX, PARTY_ROLES, type Parties } from '../../domain/parties.ts'
import { Choice, Identifier, ListOf } from '../../wire/fields.ts'
import type { FieldError } from '../../wire/reader.ts'
import { customerId, depositId, knownKind, listOf, oneOf, record, text } from '../../wire/record.ts'

const MANDATE =
  'Whether any one of them may sign, or all have to. It is recorded and printed, and changes no right.'
const ROLE = 'What the customer is to the deposit.'
const PARTIES = 'Customers besides the holder, in the order in which they are printed.'

const NewParty = Type.Object(
  {
    customer_id: Identifier(customerId),
    role: Choice(PARTY_ROLES, { title: 'PartyRole', description: ROLE }),
  },
  { title: 'NewParty' },
)

export const PartiesBody = Type.Object(
  {
    mandate: Choice(MANDATES, { title: 'Mandate', description: MANDATE }),
    parties: ListOf(NewParty, { min: 0, max: PARTIES_MAX, description: PARTIES }),
  },
  { refine: eachOnce },
)
export type PartiesBody = Static<typeof PartiesBody>

function eachOnce({ parties = [] }: Partial<PartiesBody>): FieldError[] {
  const ids = parties.map((party) => party.customer_id)
  return ids.flatMap((id, index) =>
    ids.indexOf(id) === index
      ? []
      : [
          {
            field: `parties[${index}].customer_id`,
            code: 'invalid_value',
            message: 'Send each customer once.',
          } as const,
        ],
  )
}

export function partiesFrom(depositId: string, { mandate, parties }: PartiesBody): Parties {
  return {
    depositId,
    mandate,
    parties: parties.map(({ customer_id, role }) => ({ customerId: customer_id, role })),
  }
}

const mandate = knownKind(MANDATE, oneOf('Mandate', MANDATES))
const role = knownKind(ROLE, oneOf('PartyRole', PARTY_ROLES))

export const NamedPartyRecord = record<NamedParties['parties'][number]>('Party', {
  customer_id: customerId.of((party) => party.customerId),
  name: text.as('Given name and family name.', (party) => party.name),
  role: role.of((party) => party.role),
})

export const PartiesRecord = record<NamedParties>('Parties', {
  deposit_id: depositId.of((parties) => parties.depositId),
  mandate: mandate.of((parties) => parties.mandate),
  parties: listOf(NamedPartyRecord).as(PARTIES, (written) => written.parties),
})

/** Events have no names. */
export const ChangedPartiesRecord = record<Parties>('ChangedParties', {
  deposit_id: depositId.of((parties) => parties.depositId),
  mandate: mandate.of((parties) => parties.mandate),
  parties: listOf(
    record<Parties['parties'][number]>('UnnamedParty', {
      customer_id: customerId.of((party) => party.customerId),
      role: role.of((party) => party.role),
    }),
  ).as(PARTIES, (written) => written.parties),
})

/** What subscribers can receive. */
export const partyEvents = {
  'fixed_deposit.parties_changed': ChangedPartiesRecord,
}
