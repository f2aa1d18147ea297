import type { Actor } from './actor.ts'

/** Events that subscribers can receive. */
export const EVENT_TYPES = [
  'customer.created',
  'customer.updated',
  'customer.tax_status_changed',
  'account.credited',
  'fixed_deposit.created',
  'fixed_deposit.liquidated',
  'fixed_deposit.partially_liquidated',
  'fixed_deposit.liquidation_reversed',
  'fixed_deposit.matured',
  'fixed_deposit.rolled_over',
  'fixed_deposit.lien_placed',
  'fixed_deposit.lien_released',
  'liquidation_rules.updated',
  'tax_rules.updated',
  'approval_policy.updated',
  'approval.requested',
  'approval.voted',
  'approval.approved',
  'approval.rejected',
  'approval.cancelled',
  'approval.expired',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

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
