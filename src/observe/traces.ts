/**
 * The trace that a client sent with a request, as W3C Trace Context has it. It is logged with the request, and sent on
 * with the messages about what the request changed.
 */
import type { IncomingHttpHeaders } from 'node:http'

/** Neither the version ff nor an id of zeros is valid. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** undefined: there is none, or it is not valid and so must be ignored. */
export function traceparentOf({ traceparent }: IncomingHttpHeaders): string | undefined {
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined
}
