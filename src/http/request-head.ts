/** What HTTP requires of the head of a request and Node's parser does not check. */
import type { IncomingMessage } from 'node:http'
import { FailureError } from '../wire/failure.ts'

/** Node keeps the first of two; a proxy may have used the second. */
const SENT_ONCE = ['Host', 'Authorization', 'Content-Type'] as const

/** The parser also reads HTTP/0.9, which has no head, and HTTP/2.0 in a request line. */
const VERSIONS = ['1.1', '1.0']

export function checkHead({ headers, rawHeaders, httpVersion }: IncomingMessage): void {
  if (!VERSIONS.includes(httpVersion)) throw malformed('Send HTTP/1.1.')
  // HTTP/1.1 requires Host; HTTP/1.0, which some probes still speak, does not.
  if (headers.host === undefined && httpVersion === '1.1') throw malformed('Send the Host header.')
  for (const name of SENT_ONCE) {
    if (isRepeated(rawHeaders, name)) throw malformed(`Send the ${name} header only once.`)
  }
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw malformed('Send the body with Content-Length, or with Transfer-Encoding: chunked alone.')
  }
}

/** Names and values alternate. */
export function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  const lower = name.toLowerCase()
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index]!
    if (sent.length === name.length && sent.toLowerCase() === lower) count += 1
  }
  return count > 1
}

/** Where the end of the request is in doubt, what follows on the connection cannot be trusted either. */
function malformed(message: string): FailureError {
  return new FailureError({ code: 'malformed_request', message }, { connection: 'close' })
}
