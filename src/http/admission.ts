/**
 * Admits at most 16 requests per event-loop turn, so that database responses are not starved when thousands of requests
 * arrive at once.
 *
 * - A request that waited too long, or that the operation would reject for overload, is rejected here, at a fraction of the
 *   cost of reading it. As in the batcher, a short burst is admitted whole; only a queue that does not clear is cut.
 * - A connection is in the queue once: pipelined requests wait for the response before them, so a few connections with many
 *   requests each cannot crowd out the others.
 * - Behind a response that ends its connection nothing is executed, because it could not be answered.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** This many take about as long as one round trip to the database. */
const PER_TURN = 16
const STANDING_TURNS = 100
const STANDING_WAIT_MS = 500
/** Per connection. Further requests join the queue, which is bounded by time, so memory stays bounded. */
const PIPELINED_MAX = 64

export function createAdmission(options: {
  handle: RequestListener
  reject: (request: IncomingMessage, response: ServerResponse, waitedMs: number) => void
  /** Never queued and never rejected. */
  passesAtOnce: (request: IncomingMessage) => boolean
  /** The operation would only reject it for overload. */
  isHopeless: (request: IncomingMessage) => boolean
  nowMs?: () => number
}): RequestListener {
  type Waiting = { request: IncomingMessage; response: ServerResponse; sinceMs: number }
  const { handle, reject, passesAtOnce, isHopeless, nowMs = () => performance.now() } = options
  let queue: Waiting[] = []
  let [admitted, turnsNotCleared] = [0, 0]
  /** The requests that follow a response under way, by connection. */
  const pipelined = new WeakMap<Socket, (() => void)[]>()

  return (request, response) => {
    const { socket } = request
    const enterNow = () => {
      if (!socket.writable) return
      response.once('close', () => {
        const next = pipelined.get(socket)!.shift()
        if (next === undefined) pipelined.delete(socket)
        else next()
      })
      enter(request, response)
    }
    const following = pipelined.get(socket)
    if (following === undefined) {
      pipelined.set(socket, [])
      enterNow()
    } else if (following.length < PIPELINED_MAX) following.push(enterNow)
    else enter(request, response)
  }

  function enter(request: IncomingMessage, response: ServerResponse): void {
    if (admitted >= PER_TURN && !passesAtOnce(request)) {
      queue.push({ request, response, sinceMs: nowMs() })
      return
    }
    if (admitted === 0) setImmediate(turn)
    admitted += 1
    if (isHopeless(request)) reject(request, response, 0)
    else handle(request, response)
  }

  function turn(): void {
    const earliestMs =
      nowMs() - (turnsNotCleared < STANDING_TURNS ? Number.POSITIVE_INFINITY : STANDING_WAIT_MS)
    admitted = 0
    let next = 0
    for (; admitted < PER_TURN && next < queue.length; next += 1) {
      const { request, response, sinceMs } = queue[next]!
      // The connection was closed meanwhile, by the client or by an earlier response.
      if (request.destroyed || !request.socket.writable) continue
      admitted += 1
      if (sinceMs < earliestMs || isHopeless(request)) reject(request, response, nowMs() - sinceMs)
      else handle(request, response)
    }
    queue = queue.slice(next)
    turnsNotCleared = queue.length === 0 ? 0 : turnsNotCleared + 1
    if (admitted > 0) setImmediate(turn)
  }
}
