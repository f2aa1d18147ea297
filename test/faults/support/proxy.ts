/**
 * A proxy between the service and PostgreSQL that knows the boundaries of messages and cuts the connection at a given
 * one: the message before it arrived, the one after it never will.
 */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type Message = { from: 'service' | 'server'; type: string; text: string }

export type Cut = {
  /** Counted in messages of both directions since the watch began; or the first COMMIT. */
  at: number | 'commit'
  /**
   * lost: the message never arrives. delivered: it does, and nothing after it. late: the service is disconnected
   * immediately and the message arrives later. silent: it arrives and then nothing moves, although both connections
   * stay open. held: the service is disconnected immediately, and the server gets neither the message nor the
   * disconnection.
   */
  how: 'lost' | 'delivered' | 'late' | 'silent' | 'held'
}

export type CuttingProxy = {
  port: number
  /** From now on messages are counted; the cut is made when its message comes. */
  watch: (cut: Cut | null) => void
  /** Up to the cut, where there was one. */
  seen: () => readonly Message[]
  wasCut: () => boolean
  /** New connections are refused, as if the server were gone. */
  refuse: (refused: boolean) => void
  close: () => Promise<void>
}

const LATE_MS = 120

export async function startProxy(target: { host: string; port: number }): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  let messages: Message[] = []
  let watching = false
  let cut: Cut | null = null
  let isCut = false
  let refused = false

  const listener = createServer((service) => {
    if (refused) {
      service.destroy()
      return
    }
    const server = connect(target)
    for (const socket of [service, server]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    let open = true
    // Ended, not destroyed: what was delivered must be read before the end.
    const endServer = (last?: Buffer) => {
      open = false
      if (last === undefined) server.end()
      else server.end(last)
    }
    service.on('close', () => open && endServer())
    server.on('close', () => {
      open = false
      service.destroy()
    })
    relay('service', service, server)
    relay('server', server, service)

    function relay(from: Message['from'], source: Socket, destination: Socket): void {
      const split = createSplitter(from === 'service')
      source.on('data', (chunk: Buffer) => {
        for (const bytes of split(chunk)) {
          if (!open) return
          const act = judge(from, bytes)
          if (act === null) destination.write(bytes)
          else strike(act, bytes, destination)
        }
      })
    }

    function strike(how: Cut['how'], bytes: Buffer, destination: Socket): void {
      open = false
      switch (how) {
        case 'lost':
          service.destroy()
          endServer()
          break
        case 'delivered':
          destination.end(bytes)
          if (destination === service) endServer()
          else service.destroy()
          break
        case 'late':
          service.destroy()
          setTimeout(() => endServer(bytes), LATE_MS)
          break
        case 'silent':
          destination.write(bytes)
          break
        case 'held':
          service.destroy()
          break
        default:
          how satisfies never
      }
    }
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP socket has no port.')

  /** null: pass it on. */
  function judge(from: Message['from'], bytes: Buffer): Cut['how'] | null {
    if (!watching) return null
    const message = describe(from, bytes)
    const index = messages.push(message) - 1
    if (cut === null || (cut.at === 'commit' ? message.text !== 'commit' : index !== cut.at)) return null
    const { how } = cut
    watching = false
    isCut = true
    return how
  }

  return {
    port: address.port,
    watch(next) {
      messages = []
      watching = true
      cut = next
      isCut = false
    },
    seen: () => messages,
    wasCut: () => isCut,
    refuse(next) {
      refused = next
      if (refused) for (const socket of sockets) socket.destroy()
    },
    async close() {
      listener.close()
      for (const socket of sockets) socket.destroy()
      await once(listener, 'close')
    },
  }
}

const LENGTH_BYTES = 4

/** A message is a letter, its length and its content; only the very first one of a client has no letter. */
function createSplitter(startsBare: boolean): (chunk: Buffer) => Buffer[] {
  let rest = Buffer.alloc(0)
  let bare = startsBare
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const messages: Buffer[] = []
    for (;;) {
      const head = bare ? 0 : 1
      if (rest.length < head + LENGTH_BYTES) return messages
      const end = head + rest.readUInt32BE(head)
      if (rest.length < end) return messages
      messages.push(rest.subarray(0, end))
      rest = rest.subarray(end)
      bare = false
    }
  }
}

const NAMES = {
  service: { P: 'Parse', B: 'Bind', D: 'Describe', E: 'Execute', S: 'Sync', Q: 'Query', X: 'Terminate' },
  server: {
    '1': 'ParseComplete',
    '2': 'BindComplete',
    T: 'RowDescription',
    n: 'NoData',
    D: 'DataRow',
    C: 'CommandComplete',
    Z: 'ReadyForQuery',
    E: 'ErrorResponse',
    N: 'NoticeResponse',
  },
} as const

function describe(from: Message['from'], bytes: Buffer): Message {
  const letter = String.fromCharCode(bytes[0]!)
  const type = (NAMES[from] as Record<string, string>)[letter] ?? letter
  const words = ['Parse', 'Query', 'CommandComplete'].includes(type)
  const text = words
    ? bytes
        .subarray(1 + LENGTH_BYTES)
        .toString('latin1')
        .replace(/[^ -~]+/g, ' ')
        .trim()
    : ''
  return { from, type, text: text.slice(0, 40) }
}
