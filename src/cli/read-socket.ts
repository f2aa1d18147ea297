/**
 * The socket over which a service on the embedded database answers commands that read, so that it does not have to be
 * stopped for them. Guarantees:
 * - Access is by file permissions: the socket is a file of mode 0600 in a directory of mode 0700, so only the user that
 *   runs the service can connect (on Windows a named pipe, which only its creator may write to). There is no TCP port.
 * - Only the given reads are answered; nothing that moves money can be requested.
 * - It never prevents the service from starting, serving or stopping.
 *
 * A request is one line of JSON, `{"read", "asked"}`. The answer is any number of lines `{"progress"}`, then one line
 * `{"answer"}` or `{"error"}`.
 */
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Log } from '../observe/log.ts'
import { sentenceOf } from './command.ts'

/** Options as given; one that was not given is absent. */
export type Asked = Readonly<Record<string, string>>

export type Asker = {
  progress: (text: string) => void
  /** Aborted when the client has disconnected. */
  signal: AbortSignal
}

/** Answers a read by its name, in plain JSON; undefined: there is no such read. */
export type AnswerRead = (name: string, asked: Asked, asker: Asker) => Promise<unknown> | undefined

type ReadRequest = { read: string; asked: Asked }
type Reply = { progress: string } | { answer: unknown } | { error: string }

const CONNECTIONS_MAX = 16
const REQUEST_TIMEOUT_MS = 10_000
const REQUEST_MAX_CHARACTERS = 64 * 1024

export async function openReadSocket(options: {
  directory: string
  answer: AnswerRead
  log: Log
}): Promise<{ stop: () => Promise<void> }> {
  const { directory, log } = options
  const sockets = new Set<Socket>()
  const answering = new Set<Promise<void>>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    const answered = answerRead(socket).finally(() => answering.delete(answered))
    answering.add(answered)
  })
  server.maxConnections = CONNECTIONS_MAX
  try {
    await listen(server, directory)
    server.on('error', logFailure)
  } catch (error) {
    logFailure(error as NodeJS.ErrnoException)
  }
  return {
    async stop() {
      if (!server.listening) return
      const closed = once(server.close(), 'close')
      for (const socket of sockets) socket.destroy()
      await Promise.all([closed, ...answering])
      await rm(join(directory, FOLDER, FILE), { force: true })
    },
  }

  function logFailure({ code }: NodeJS.ErrnoException): void {
    log('warn', 'read_socket_failed', { code: code ?? null })
  }

  async function answerRead(socket: Socket): Promise<void> {
    const gone = new AbortController()
    socket.once('close', () => gone.abort())
    socket.on('error', () => socket.destroy())
    socket.setTimeout(REQUEST_TIMEOUT_MS, () => socket.destroy())
    const request = readRequest(await readLine(socket))
    socket.setTimeout(0)
    const asker: Asker = {
      progress: (text) => void socket.write(lineOf({ progress: text })),
      signal: gone.signal,
    }
    try {
      const answer = request && options.answer(request.read, request.asked, asker)
      if (!answer) return end(socket, { error: UNKNOWN })
      log('info', 'command', { command: request.read })
      end(socket, { answer: await answer })
    } catch (error) {
      end(socket, { error: sentenceOf(error) })
    }
  }
}

const UNKNOWN = 'The running service does not know this command: it is of another version.'

/** null: no service listens there. */
export async function askReadSocket(
  directory: string,
  request: ReadRequest,
  onProgress: (text: string) => void,
): Promise<{ answer: unknown } | null> {
  const socket = await connectTo(directory)
  if (socket === null) return null
  try {
    // A broken connection ends the lines, which is reported below.
    socket.on('error', () => {})
    socket.write(`${JSON.stringify(request)}\n`)
    for await (const line of createInterface({ input: socket })) {
      const reply = JSON.parse(line) as Reply
      if ('answer' in reply) return reply
      if ('error' in reply) throw new Error(reply.error)
      onProgress(reply.progress)
    }
    throw new Error('The running service stopped before it answered.')
  } finally {
    socket.destroy()
  }
}

function end(socket: Socket, message: Reply): void {
  socket.end(lineOf(message), () => socket.destroy())
}

function lineOf(message: Reply): string {
  return `${JSON.stringify(message)}\n`
}

function readRequest(line: string | null): ReadRequest | null {
  try {
    const { read, asked } = JSON.parse(line ?? '')
    const texts = [read, ...Object.values(asked)]
    return texts.every((text) => typeof text === 'string') ? { read, asked } : null
  } catch {
    return null
  }
}

/** The first line; null where it does not arrive or is too long. */
function readLine(socket: Socket): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  let text = ''
  socket.setEncoding('utf8')
  socket.on('data', (part: string) => {
    text += part
    const end = text.indexOf('\n')
    if (end !== -1) resolve(text.slice(0, end))
    else if (text.length > REQUEST_MAX_CHARACTERS) resolve(null)
  })
  socket.once('close', () => resolve(null))
  return promise
}

const FOLDER = 'run'
const FILE = 'breakwater.sock'

/** The caller holds the lock of the directory, so an existing socket file was left behind by a dead process. */
async function listen(server: Server, directory: string): Promise<void> {
  const folder = join(directory, FOLDER)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  await rm(join(folder, FILE), { force: true })
  await atAddress(directory, async (address) => {
    const listening = once(server, 'listening')
    server.listen({ path: address, exclusive: true })
    await listening
  })
  // The folder already excludes others; this is for a folder whose mode was changed by hand.
  if (process.platform !== 'win32') await chmod(join(folder, FILE), 0o600)
  server.unref()
}

async function connectTo(directory: string): Promise<Socket | null> {
  return atAddress(directory, async (address) => {
    const socket = connect(address)
    try {
      await once(socket, 'connect')
      return socket
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EACCES') return null
      throw new Error('The running service answers only the user that runs it; run the command as that user.')
    }
  })
}

/** A socket address holds 103 bytes on macOS and 107 on Linux; a longer path is reached through a short link. */
const ADDRESS_BYTES_MAX = 103

async function atAddress<Result>(
  directory: string,
  work: (address: string) => Promise<Result>,
): Promise<Result> {
  if (process.platform === 'win32') {
    const { dev, ino } = await stat(directory, { bigint: true })
    return work(`\\\\.\\pipe\\breakwater-${dev}-${ino}-reads`)
  }
  const folder = resolve(directory, FOLDER)
  const address = join(folder, FILE)
  if (Buffer.byteLength(address) <= ADDRESS_BYTES_MAX) return work(address)
  const links = await mkdtemp(join(tmpdir(), 'breakwater-'))
  try {
    await symlink(folder, join(links, FOLDER))
    return await work(join(links, FOLDER, FILE))
  } finally {
    await rm(links, { recursive: true })
  }
}
