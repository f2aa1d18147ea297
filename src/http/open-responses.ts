/** The responses of each connection in the order of their requests, up to the newest; earlier ones only until they end. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type OpenResponses = ReturnType<typeof watchResponses>

export function watchResponses(server: Server) {
  const byConnection = new Map<Socket, ServerResponse[]>()
  server.prependListener('request', ({ socket }, response) => {
    const responses = byConnection.get(socket)
    if (responses === undefined) {
      byConnection.set(socket, [response])
      socket.once('close', () => byConnection.delete(socket))
      return
    }
    // Here and not when they end: a listener on each response would cost every request.
    while (responses[0]?.writableFinished) responses.shift()
    responses.push(response)
  })
  return {
    of: (socket: Socket): readonly ServerResponse[] => byConnection.get(socket) ?? [],
    all: () => [...byConnection.values()].flat(),
  }
}
