/** What HTTP itself asks of the head of a request and Node's parser does not check. */
import type { IncomingMessage } from 'node:http'
import { FailureError } from '../wire/failure.ts'

/** HTTP/1.1 requires Host; HTTP/1.0, which some probes still speak, does not. */
export function requireHost({ headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === '1.1')
    throw new FailureError({ code: 'malformed_request' })
}
