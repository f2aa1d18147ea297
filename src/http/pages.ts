/**
 * What an operator watches, without a key: the probes and the figures. None of it says anything about any book.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Service } from '../cli/compose.ts'
import { ping } from '../engine/database/database.ts'
import { countMaturitiesDue } from '../features/maturity/backlog.ts'
import { countPending } from '../features/webhooks/store.ts'
import { type Metrics, type Reading, remembered } from '../observe/metrics.ts'
import { successBody } from '../wire/envelope.ts'

export const PAGES = ['/healthz', '/readyz', '/metrics'] as const

export function registerPages(
  app: FastifyInstance,
  options: {
    service: Service
    metrics: Metrics
    inFlight: () => number
    inPlace: <Result>(work: () => Promise<Result>) => Promise<Result>
  },
): void {
  const { service, metrics, inFlight, inPlace } = options
  metrics.readOnScrape(createReadings(service, inFlight))

  const answers: Record<(typeof PAGES)[number], (reply: FastifyReply) => Promise<string>> = {
    '/healthz': async () => successBody('The process is alive.', {}),
    '/readyz': async () => {
      await inPlace(() => ping(service.db))
      return successBody('The service takes requests.', {})
    },
    '/metrics': (reply) => {
      reply.header('content-type', metrics.contentType)
      return metrics.print()
    },
  }
  for (const path of PAGES) app.get(path, async (_request, reply) => reply.send(await answers[path](reply)))
}

const COUNTED_FOR_MS = 10_000

function createReadings(service: Service, inFlight: () => number): Reading[] {
  return [
    {
      name: 'breakwater_http_requests_in_flight',
      help: 'Requests under way.',
      read: inFlight,
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
