/** Who changed what and when. Old and new values are shown where they are personal; only this log shows them. */
import { Type } from 'typebox'
import type { Actor } from '../../domain/actor.ts'
import { timestamp } from '../../wire/envelope.ts'
import { isJsonObject, parseJson } from '../../wire/json.ts'
import { actor } from '../../wire/record.ts'
import { identifier, orNull, record } from '../../wire/replies.ts'

const AnyObject = Type.Object({}, { additionalProperties: true })

/** `changes` is null where nothing personal changed; a member of it is null where there was nothing before or after. */
export const AuditRecord = record('AuditedChange', {
  event_id: identifier('evt'),
  action: Type.String(),
  at: Type.String({ format: 'date-time' }),
  api_key_id: orNull(identifier('key')),
  request_id: orNull(identifier('req')),
  subject_id: Type.String(),
  changes: orNull(record('OldAndNew', { before: orNull(AnyObject), after: orNull(AnyObject) })),
  data: AnyObject,
  actor: actor.schema,
})

export function auditData(change: {
  eventId: string
  action: string
  at: Date
  apiKeyId: string | null
  requestId: string | null
  subjectId: string
  data: string
  changes: string | null
  actor: Actor
}) {
  return {
    event_id: change.eventId,
    action: change.action,
    at: timestamp(change.at),
    api_key_id: change.apiKeyId,
    request_id: change.requestId,
    subject_id: change.subjectId,
    changes: change.changes === null ? null : oldAndNew(change.changes),
    data: parseJson(change.data),
    actor: actor.write(change.actor),
  }
}

function oldAndNew(changes: string) {
  const kept = parseJson(changes)
  const { before = null, after = null } = isJsonObject(kept) ? kept : {}
  return { before, after }
}
