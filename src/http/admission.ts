/**
 * Lets requests in a few at a time, and between them whatever else is ready, above all the answers of the database. Where
 * thousands come at once, each step of a transaction would otherwise wait until all of them were looked at.
 *
 * Whoever waited too long, or would only be told that there is too much to do, is refused here, which costs a fraction of
 * looking at the request. As in the queues of the batcher, a crowd of a moment is let in whole; one that turn after turn
 * leaves standing is cut short. A connection stands here once: what it asks before it has its answer waits behind that, so
 * that few connections with many questions are no crowd.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** So many take about as long as a round trip to the database. */
const PER_TURN = 16
const STANDING_TURNS = 100
const STANDING_WAIT_MS = 500
/** Of one connection. Whatever it asks beyond that stands in the crowd, which is cut short: nothing grows without bound. */
const BEHIND_MAX = 64

export function createTurnstile(options: {
  handle: RequestListener
  refuse: (request: IncomingMessage, response: ServerResponse, waitedMs: number) => void
  passesAtOnce: (request: IncomingMessage) => boolean
  isHopeless: (request: IncomingMessage) => boolean
  nowMs?: () => number
}): RequestListener {
  type Waiting = { request: IncomingMessage; response: ServerResponse; sinceMs: number }
  const { handle, refuse, passesAtOnce, isHopeless, nowMs = () => performance.now() } = options
  let waiting: Waiting[] = []
  let [letIn, leftStanding] = [0, 0]
  /** Of each connection that waits for an answer, what it asked meanwhile. */
  const behind = new WeakMap<Socket, (() => void)[]>()

  return (request, response) => {
    const { socket } = request
    const enterNow = () => {
      response.once('close', () => {
        const next = behind.get(socket)!.shift()
        if (next === undefined) behind.delete(socket)
        else next()
      })
      enter(request, response)
    }
    const others = behind.get(socket)
    if (others === undefined) {
      behind.set(socket, [])
      enterNow()
    } else if (others.length < BEHIND_MAX) others.push(enterNow)
    else enter(request, response)
  }

  function enter(request: IncomingMessage, response: ServerResponse): void {
    if (letIn >= PER_TURN && !passesAtOnce(request)) {
      waiting.push({ request, response, sinceMs: nowMs() })
      return
    }
    if (letIn === 0) setImmediate(turn)
    letIn += 1
    if (isHopeless(request)) refuse(request, response, 0)
    else handle(request, response)
  }

  function turn(): void {
    const earliestMs = nowMs() - (leftStanding < STANDING_TURNS ? Number.POSITIVE_INFINITY : STANDING_WAIT_MS)
    letIn = 0
    let next = 0
    for (; letIn < PER_TURN && next < waiting.length; next += 1) {
      const { request, response, sinceMs } = waiting[next]!
      // Whoever hung up meanwhile waits for no answer.
      if (request.destroyed) continue
      letIn += 1
      if (sinceMs < earliestMs || isHopeless(request)) refuse(request, response, nowMs() - sinceMs)
      else handle(request, response)
    }
    waiting = waiting.slice(next)
    leftStanding = waiting.length === 0 ? 0 : leftStanding + 1
    if (letIn > 0) setImmediate(turn)
  }
}
