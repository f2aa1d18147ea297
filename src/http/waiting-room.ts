/**
 * Where a connection waits that was told to come back later. To say no costs a good part of what the work itself would
 * cost, so a service that says no to everybody at once has little time left to work. A refused connection is therefore
 * not listened to for a while: never as long as it was told to wait, and shorter when work is finished. The last to come
 * goes first, because its next request is the youngest; one that waited here for all that time is refused again, because
 * by now its caller expects nothing else.
 */

/** What of a connection matters here. */
type Connection = { readonly destroyed: boolean; pause(): unknown; resume(): unknown }

export type WaitingRoom = {
  hold: (connection: Connection) => void
  /** Work was finished: there is room for its like. */
  releaseSome: () => void
  /** Whether the request that was just read had been waiting here all the time. */
  isLate: (connection: Connection) => boolean
}

const SWEEP_MS = 50
/** A little more than one for one, or what is refused again would leave the place empty. */
const RELEASED_PER_WORK = 1.25

export function createWaitingRoom(options: { holdMaxMs: number; nowMs?: () => number }): WaitingRoom {
  const { holdMaxMs, nowMs = () => performance.now() } = options
  /** Oldest first. */
  const held: { connection: Connection; sinceMs: number }[] = []
  const late = new Set<Connection>()
  let credit = 0
  let sweeper: NodeJS.Timeout | null = null

  return {
    hold(connection) {
      if (connection.destroyed) return
      connection.pause()
      held.push({ connection, sinceMs: nowMs() })
      sweeper ??= setInterval(releaseOldest, SWEEP_MS).unref()
    },
    releaseSome() {
      // What nobody waited for is no credit for those to come.
      credit = held.length === 0 ? 0 : credit + RELEASED_PER_WORK
      for (; credit >= 1 && held.length > 0; credit -= 1) held.pop()!.connection.resume()
    },
    isLate: (connection) => late.has(connection),
  }

  function releaseOldest(): void {
    const recent = held.findIndex(({ sinceMs }) => nowMs() - sinceMs < holdMaxMs)
    for (const { connection } of held.splice(0, recent === -1 ? held.length : recent)) {
      connection.resume()
      late.add(connection)
    }
    // What had arrived by now is read before immediates run; what is read after that came in time.
    setImmediate(() => late.clear())
    if (held.length > 0 || sweeper === null) return
    clearInterval(sweeper)
    sweeper = null
  }
}
