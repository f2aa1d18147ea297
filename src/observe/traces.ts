/**
 * The trace that a client sent with a request, as W3C Trace Context has it. It is logged with the request, and sent on
 * with the messages about what the request changed. It is held in memory for the last requests alone: a message that is
 * sent by another instance, or after a restart, has none.
 */
import type { IncomingHttpHeaders } from 'node:http'

export type Traces = ReturnType<typeof createTraces>

/** Neither the version ff nor an id of zeros is valid. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** undefined: there is none, or it is not valid and so must be ignored. */
export function traceparentOf({ traceparent }: IncomingHttpHeaders): string | undefined {
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined
}

export function createTraces(limits: { requestsMax: number } = { requestsMax: 10_000 }) {
  const byRequest = new Map<string, string>()
  return {
    remember(requestId: string, headers: IncomingHttpHeaders): void {
      const traceparent = traceparentOf(headers)
      if (traceparent === undefined) return
      byRequest.set(requestId, traceparent)
      if (byRequest.size > limits.requestsMax) byRequest.delete(byRequest.keys().next().value!)
    },
    of: (requestId: string | null): string | undefined =>
      requestId === null ? undefined : byRequest.get(requestId),
  }
}
