/** Sends requests to a running service over loopback, each over a connection that is kept for the next one. */
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import type { Ask } from './service.ts'

const ANSWER_TIMEOUT_MS = 30_000
const agent = new Agent({ keepAlive: true })

/** Rejects where the connection breaks, or the time is over, before the answer is complete. */
export function createHttpAsk(url: string, key: string, answerTimeoutMs = ANSWER_TIMEOUT_MS): Ask {
  return async (method, path, body, headers) => {
    const sent = request(url + path, {
      method,
      agent,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      timeout: answerTimeoutMs,
    })
    // Whoever waits for the answer or reads it gets its error; one that comes between the two is not lost, but read.
    sent.on('error', () => {})
    sent.on('timeout', () => sent.destroy(new Error('No answer came in time.')))
    sent.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body))
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const text = await textOf(answer)
    return {
      status: answer.statusCode!,
      headers: answer.headers,
      text,
      json: text === '' ? null : JSON.parse(text),
    }
  }
}
