/**
 * What is served beside the interface, without a key: the reference, the probes and the figures. None of it says anything
 * of any book, and the document and its page are the same for everybody.
 */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Service } from '../cli/compose.ts'
import { ping } from '../engine/database/database.ts'
import { countMaturitiesDue } from '../features/maturity/backlog.ts'
import { countPending } from '../features/webhooks/store.ts'
import { type Metrics, type Reading, remembered } from '../observe/metrics.ts'
import type { Document } from '../reference/openapi-document.ts'
import { REFERENCE_POLICY, renderReference } from '../reference/page.ts'
import { successBody } from '../wire/envelope.ts'
import { parseJson } from '../wire/json.ts'

export const PAGES = ['/healthz', '/readyz', '/metrics', '/v2/openapi.json', '/docs'] as const

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
  // As bytes, because half a million characters would be encoded anew for everybody who asks.
  const readDocument = once(() => readFile(DOCUMENT))
  const readReference = once(async () => Buffer.from(renderReference(parseDocument(await readDocument()))))

  const answers: Record<(typeof PAGES)[number], (reply: FastifyReply) => Promise<string | Buffer>> = {
    '/healthz': async () => successBody('The process is alive.', {}),
    '/readyz': async () => {
      await inPlace(() => ping(service.db))
      return successBody('The service takes requests.', {})
    },
    '/metrics': (reply) => {
      reply.header('content-type', metrics.contentType)
      return metrics.print()
    },
    '/v2/openapi.json': readDocument,
    '/docs': (reply) => {
      reply.headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': REFERENCE_POLICY,
        'referrer-policy': 'no-referrer',
      })
      return readReference()
    },
  }
  for (const path of PAGES) app.get(path, async (_request, reply) => reply.send(await answers[path](reply)))
}

/** Printed by tools/generate.ts; a test holds it to the routes. */
const DOCUMENT = new URL('../../openapi.json', import.meta.url)
const DEPTH_MAX = 64

/** Numbers keep their spelling, so that an amount shows both decimals on the page too. */
function parseDocument(bytes: Buffer): Document {
  return parseJson(bytes, { depthMax: DEPTH_MAX }) as unknown as Document
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

/** A failure is not remembered: the next one to ask tries again. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null
  return () => {
    made ??= make().catch((error) => {
      made = null
      throw error
    })
    return made
  }
}
