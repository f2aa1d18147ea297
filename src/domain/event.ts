import type { Actor } from './actor.ts'

/** Sent on request to test one endpoint; not an event of the book, so it is not listed. */
export const PING_TYPE = 'ping'

export type BookEvent = {
  eventId: string
  type: string
  at: Date
  requestId: string | null
  /** JSON text. */
  data: string
  actor: Actor
}

/** An event as the audit log shows it. */
export type AuditedChange = {
  eventId: string
  action: string
  at: Date
  apiKeyId: string | null
  requestId: string | null
  subjectId: string
  /** JSON text. */
  data: string
  changes: string | null
  actor: Actor
}
