/**
 * Whether messages may be sent to a URL, and the exact addresses to connect to; none where its name does not resolve.
 */
export type Examined =
  | { outcome: 'allowed'; addresses: { address: string; family: 4 | 6 }[] }
  | { outcome: 'forbidden'; code: 'forbidden_address' | 'invalid_value'; message: string }

export const ENDPOINT_STATUSES = ['ENABLED', 'DISABLED'] as const
export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const

/** Every type, including types added later. */
export const ALL_EVENTS = '*'

export type WebhookEndpoint = {
  webhookEndpointId: string
  url: string
  eventTypes: string[]
  description: string | null
  status: (typeof ENDPOINT_STATUSES)[number]
  secret: string
  /** Also used for signing until its overlap ends. */
  previous: { secret: string; until: Date } | null
  createdAt: Date
}

export type WebhookDelivery = {
  /** Its place among those to its endpoint. An event that is sent again has several. */
  ordinal: bigint
  eventId: string
  eventType: string
  status: (typeof DELIVERY_STATUSES)[number]
  attempts: number
  nextAttemptAt: Date | null
  lastAttemptAt: Date | null
  lastStatusCode: number | null
  lastError: string | null
  createdAt: Date
}
