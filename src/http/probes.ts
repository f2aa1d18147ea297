/** Probes and metrics, without a key. They say nothing about any book. */
import type { FastifyInstance } from 'fastify'
import { ping, type Queries } from '../engine/database/database.ts'
import { countMaturitiesDue } from '../features/maturity/backlog.ts'
import { countPending } from '../features/webhooks/store.ts'
import { type Metrics, type Reading, remembered } from '../observe/metrics.ts'
import { successBody } from '../wire/envelope.ts'
import type { InFlight } from './in-flight.ts'

export const PROBE_PATHS = ['/healthz', '/readyz', '/metrics'] as const

/** Probes and metrics must stay available under overload. */
export function isProbe({ url }: { url?: string | undefined }): boolean {
  return url === '/healthz' || url === '/metrics'
}

/** What they look at. */
type Probed = { db: Queries; clock: () => Date; waiting: () => number }

export function registerProbes(
  app: FastifyInstance,
  { service, metrics, inFlight }: { service: Probed; metrics: Metrics; inFlight: InFlight },
): void {
  metrics.readOnScrape(createReadings(service, inFlight))
  const answers: Record<(typeof PROBE_PATHS)[number], () => Promise<string>> = {
    '/healthz': async () => successBody('The process is alive.', {}),
    '/readyz': async () => {
      await inFlight.inPlace(() => ping(service.db))
      return successBody('The service takes requests.', {})
    },
    '/metrics': () => metrics.print(),
  }
  for (const path of PROBE_PATHS) {
    app.get(path, async (_request, reply) => {
      if (path === '/metrics') reply.header('content-type', metrics.contentType)
      return reply.send(await answers[path]())
    })
  }
}

const COUNTED_FOR_MS = 10_000

function createReadings(service: Probed, inFlight: InFlight): Reading[] {
  return [
    {
      name: 'breakwater_http_requests_in_flight',
      help: 'Requests under way.',
      read: inFlight.count,
    },
    {
      name: 'breakwater_queue_waiting',
      help: 'Liquidations that wait for a transaction.',
      read: service.waiting,
    },
    {
      name: 'breakwater_webhook_deliveries_pending',
      help: 'Messages that are still to be delivered.',
      read: remembered(() => countPending(service.db), COUNTED_FOR_MS),
    },
    {
      name: 'breakwater_maturities_due',
      help: 'Deposits that are due and not settled yet.',
      read: remembered(() => countMaturitiesDue(service.db, service.clock()), COUNTED_FOR_MS),
    },
  ]
}
