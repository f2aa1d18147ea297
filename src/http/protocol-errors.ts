/**
 * What came over a connection and is no request: a broken head, a broken body, or nothing in time.
 *
 * Answers on one connection are told apart by their order alone. So the answer to what is broken waits for those that are
 * due before it, or a change that was made would be heard of as refused; and no request is answered twice.
 */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finished } from 'node:stream'

export type BrokenRequests = {
  watch: (server: Server) => void
  answer: (error: NodeJS.ErrnoException, socket: Socket) => void
}

export function createBrokenRequests(
  answerOn: (socket: Socket, error: NodeJS.ErrnoException) => void,
): BrokenRequests {
  /** The answers of a connection that are not finished, in the order of their requests. */
  const due = new WeakMap<Socket, ServerResponse[]>()
  const broken = new WeakSet<Socket>()

  return {
    watch(server) {
      server.prependListener('request', (request, response) => {
        const unfinished = (due.get(request.socket) ?? []).filter((earlier) => !earlier.writableFinished)
        due.set(request.socket, [...unfinished, response])
      })
    },
    answer(error, socket) {
      // A broken connection is reported again with every piece that arrives on it.
      if (broken.has(socket)) return
      broken.add(socket)
      const answers = due.get(socket) ?? []
      const newest = answers.at(-1)
      const inBody = newest !== undefined && !newest.req.complete
      const isAnswered = inBody && newest.headersSent
      const before = answers.slice(0, inBody && !isAnswered ? -1 : undefined)
      const end = () => {
        if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
        else if (isAnswered) socket.end()
        else answerOn(socket, error)
      }
      const last = before.findLast((response) => !response.writableFinished)
      if (last === undefined) end()
      else finished(last, end)
    },
  }
}
