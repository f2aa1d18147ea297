/** Sends requests to a running service over loopback. */
import type { Ask } from './service.ts'

const ANSWER_TIMEOUT_MS = 30_000

/** Rejects where the connection breaks before the answer is complete. */
export function createHttpAsk(url: string, key: string): Ask {
  return async (method, path, body, headers) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      text,
      json: text === '' ? null : JSON.parse(text),
    }
  }
}
