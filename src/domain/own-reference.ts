/** The caller's own data on a record: an external id, and names with values. */
import { type Refusal, refuse } from './refusal.ts'

export type Metadata = Readonly<Record<string, string>>
export type OwnReference = { externalId: string | null; metadata: Metadata }

export const NO_REFERENCE: OwnReference = { externalId: null, metadata: {} }

/** A request in which the caller's own data may be left out. */
export type OptionallyReferenced<Request extends OwnReference> = Omit<Request, keyof OwnReference> &
  Partial<OwnReference>

/** Which external ids are taken; a change adds those that its own batch takes. */
export type TakenNames = Set<string | null>

export function refuseTaken(taken: TakenNames, externalId: string | null): Refusal | null {
  return externalId !== null && taken.has(externalId) ? refuse('external_id_taken') : null
}
