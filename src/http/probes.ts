/** Probes and metrics, without a key. They say nothing about any book. */
import type { FastifyInstance } from 'fastify'
import { ping, type Queries } from '../engine/database/database.ts'
import { type Metrics, type Reading, remembered } from '../observe/metrics.ts'
import { successBody } from '../wire/envelope.ts'
import { FailureError } from '../wire/failure.ts'
import type { InFlight } from './in-flight.ts'

export const PROBE_PATHS: readonly string[] = ['/healthz', '/readyz', '/metrics']

/** Probes must stay available under overload, or a load balancer would remove instances when they are needed most. */
export function isProbe({ url }: { url?: string | undefined }): boolean {
  return PROBE_PATHS.includes(url!)
}

/** What the probes read. */
export type Probed = {
  db: Queries
  waiting: () => number
  clockWatch: { isSure: () => boolean; differenceMs: () => number; booksUnsure: () => number }
  /** Pending work in all books. */
  backlog: {
    deliveriesPending: () => Promise<number>
    maturitiesDue: () => Promise<number>
    /** null where the service makes no backups. */
    lastBackup: () => Promise<{ ageSeconds: number } | null>
  }
}

export function registerProbes(
  app: FastifyInstance,
  options: { service: Probed; metrics: Metrics; inFlight: InFlight; isDraining: () => boolean },
): void {
  const { service, metrics, inFlight, isDraining } = options
  const reachDatabase = shared(() => ping(service.db))
  metrics.readOnScrape(createReadings(service, inFlight))

  app.get('/healthz', async (_request, reply) => reply.send(successBody('The process is alive.', {})))
  app.get('/readyz', async (_request, reply) => {
    if (isDraining()) throw STOPPING
    await reachDatabase()
    if (!service.clockWatch.isSure()) throw CLOCK_UNSURE
    return reply.send(successBody('The service takes requests.', {}))
  })
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', metrics.contentType).send(await metrics.print()),
  )
}

const STOPPING = new FailureError(
  { code: 'service_unavailable', message: 'This instance is stopping. Send requests to another one.' },
  { 'retry-after': '1' },
)

const CLOCK_UNSURE = new FailureError({ code: 'clock_unsure' }, { 'retry-after': '1' })

/** Concurrent calls share one run. */
function shared(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => {
    running ??= work().finally(() => {
      running = null
    })
    return running
  }
}

const COUNTED_FOR_MS = 10_000

function createReadings(service: Probed, inFlight: InFlight): Reading[] {
  return [
    {
      name: 'breakwater_http_requests_in_flight',
      help: 'Requests being processed.',
      merged: 'sum',
      read: inFlight.count,
    },
    {
      name: 'breakwater_queue_waiting',
      help: 'Liquidations that wait for a transaction.',
      merged: 'sum',
      read: service.waiting,
    },
    {
      name: 'breakwater_clock_difference_seconds',
      help: 'How far the clock of the database is ahead of that of the service.',
      merged: 'max',
      read: () => service.clockWatch.differenceMs() / 1000,
    },
    {
      name: 'breakwater_books_clock_unsure',
      help: 'Live books that take no changes until their business date is confirmed.',
      merged: 'max',
      read: service.clockWatch.booksUnsure,
    },
    {
      name: 'breakwater_webhook_deliveries_pending',
      help: 'Messages that are still to be delivered.',
      merged: 'max',
      read: remembered(service.backlog.deliveriesPending, COUNTED_FOR_MS),
    },
    {
      name: 'breakwater_maturities_due',
      help: 'Deposits that are due and not settled yet.',
      merged: 'max',
      read: remembered(service.backlog.maturitiesDue, COUNTED_FOR_MS),
    },
    {
      name: 'breakwater_backup_age_seconds',
      help: 'Time since the newest of the backups that the service makes by itself, or without one since the data directory was made.',
      merged: 'max',
      read: async () => (await service.backlog.lastBackup())?.ageSeconds ?? Number.NaN,
    },
  ]
}
