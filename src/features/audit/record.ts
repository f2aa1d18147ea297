/** Who changed what and when. Old and new values are included where they are personal; only this log shows them. */
import type { AuditedChange } from '../../domain/event.ts'
import { AnyObject } from '../../wire/fields.ts'
import { isJsonObject, type Json, parseJson } from '../../wire/json.ts'
import {
  actor,
  apiKeyId,
  eventId,
  instant,
  kind,
  orNull,
  record,
  requestId,
  text,
} from '../../wire/record.ts'

const anyObject = kind<Json>(AnyObject(), (value) => value)

/** A member is null where there was nothing before or after. */
const OldAndNewRecord = record<{ before: Json; after: Json }>('OldAndNew', {
  before: orNull(anyObject).as('Values before the change, or null.', ({ before }) => before),
  after: orNull(anyObject).as('Values after the change, or null.', ({ after }) => after),
})

export const SUBJECT = 'Identifier of the record that was changed.'
export const ACTION = 'What was done: the type of the event.'

export const AuditRecord = record<AuditedChange>('AuditedChange', {
  event_id: eventId.of((change) => change.eventId),
  action: text.as(ACTION, (change) => change.action),
  at: instant.as('When it was done.', (change) => change.at),
  api_key_id: orNull(apiKeyId).of((change) => change.apiKeyId),
  request_id: orNull(requestId).of((change) => change.requestId),
  subject_id: text.as(SUBJECT, (change) => change.subjectId),
  changes: orNull(OldAndNewRecord).as('Old and new values where they are personal, or null.', (change) =>
    change.changes === null ? null : oldAndNew(change.changes),
  ),
  data: anyObject.as('What it is about.', (change) => parseJson(change.data)),
  actor: actor.of((change) => change.actor),
})

function oldAndNew(changes: string): { before: Json; after: Json } {
  const kept = parseJson(changes)
  const { before = null, after = null } = isJsonObject(kept) ? kept : {}
  return { before, after }
}
