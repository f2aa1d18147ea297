/** external_id and metadata: the caller's own names for records, in requests, answers and lists. */
import { Type } from 'typebox'
import type { Metadata, OwnReference } from '../domain/own-reference.ts'
import { MetadataObject, PlainText } from './fields.ts'
import { kind, type Member, type Members, orNull, text } from './record.ts'

const EXTERNAL_ID = 'Your own identifier of it, stored as sent; unique among records of a kind.'
const METADATA =
  'Your own names and values, stored as sent: at most 20 names of up to 40 characters, values of up to 200.'

export const ownFields = {
  external_id: Type.Optional(PlainText({ max: 64, description: EXTERNAL_ID })),
  metadata: Type.Optional(MetadataObject({ description: METADATA })),
}

export const externalIdQuery = {
  external_id: Type.Optional(PlainText({ max: 64, description: 'Only the record with this external_id.' })),
}

export function ownReferenceFrom(body: { external_id?: string; metadata?: Metadata }): OwnReference {
  return { externalId: body.external_id ?? null, metadata: body.metadata ?? {} }
}

const metadata = kind<Metadata>(MetadataObject(), (value) => value)

export function externalId<Source>(pick: (source: Source) => OwnReference): Member<Source> {
  return orNull(text).as(EXTERNAL_ID, (source) => pick(source).externalId)
}

/** The members that a record ends with. */
export function ownReference<Source>(pick: (source: Source) => OwnReference): Members<Source> {
  return {
    external_id: externalId(pick),
    metadata: metadata.as(METADATA, (source) => pick(source).metadata),
  }
}
