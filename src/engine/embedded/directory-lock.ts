/**
 * One process per data directory. Guarantees:
 * - The kernel holds the lock and releases it when the process ends, however it ends: no cleanup is needed.
 * - Two paths to one directory (links, mounts) are one lock.
 * - The error names the process that holds the lock and says what to do.
 *
 * On Windows the lock is a named pipe, elsewhere a socket file in the directory. On Linux an abstract socket, named by
 * the directory's device and inode, comes before it: it leaves nothing behind and has no race between starts, but
 * containers with their own network do not see it, and two of them can share a directory.
 */
import { once } from 'node:events'
import { readFile, stat, unlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'

export class DirectoryInUseError extends Error {
  constructor(path: string, holder: string) {
    super(
      `The data directory ${path} is in use by ${holder}. ` +
        'Stop it first, or set DATA_DIR to another directory or DATABASE_URL to a PostgreSQL server.',
    )
    this.name = 'DirectoryInUseError'
  }
}

export async function lockDirectory(path: string): Promise<{ release(): Promise<void> }> {
  const held: Server[] = []
  const release = async () => {
    // Both are closed at the same time.
    await Promise.all(held.map((server) => once(server.close(), 'close')))
  }
  try {
    for (const address of await lockAddresses(path)) held.push(await hold(path, address))
  } catch (error) {
    await release()
    throw error
  }
  return { release }
}

/** The addresses at which the holder of a directory answers. */
export async function lockAddresses(path: string): Promise<string[]> {
  const { dev, ino } = await stat(path, { bigint: true })
  const name = `breakwater-${dev}-${ino}`
  if (process.platform === 'win32') return [`\\\\.\\pipe\\${name}`]
  const file = join(path, 'breakwater.lock')
  if (process.platform !== 'linux') return [file]
  // A path that is too long for a socket address relies on the abstract name alone.
  return Buffer.byteLength(file) <= SOCKET_PATH_BYTES_MAX ? [`\0${name}`, file] : [`\0${name}`]
}

const SOCKET_PATH_BYTES_MAX = 107

/** Returns null when another process listens there already. */
async function listen(address: string): Promise<Server | null> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    // Closed from this side, because a client that never reads would prevent the lock from being released.
    socket.end(String(process.pid), () => socket.destroy())
  })
  const { promise, resolve, reject } = Promise.withResolvers<Server | null>()
  server.once('listening', () => resolve(server))
  server.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') resolve(null)
    else reject(error)
  })
  server.listen({ path: address, exclusive: true })
  return promise
}

async function hold(path: string, address: string): Promise<Server> {
  const server = (await listen(address)) ?? (await listenAfterDeath(path, address))
  // The lock must not keep a process alive that has nothing else to do.
  server.unref()
  return server
}

/** A socket file outlives its process: when nothing answers on it, the holder has died. */
async function listenAfterDeath(path: string, address: string): Promise<Server> {
  const holder = await askHolder(address)
  if (holder !== null) throw new DirectoryInUseError(path, await describeHolder(holder, path))
  if (address.startsWith(path)) await unlink(address)
  const server = await listen(address)
  if (server === null) throw new DirectoryInUseError(path, 'another process')
  return server
}

/** What the holder answers (its pid, '' when it does not answer in time); null when there is none. */
export async function askHolder(address: string): Promise<string | null> {
  const socket = connect(address)
  const { promise, resolve } = Promise.withResolvers<string | null>()
  let answer = ''
  socket.setEncoding('utf8')
  socket.setTimeout(HOLDER_ANSWER_TIMEOUT_MS, () => resolve(answer))
  socket.on('data', (text: string) => {
    answer += text
    if (answer.length >= HOLDER_ANSWER_LENGTH_MAX) resolve(answer.slice(0, HOLDER_ANSWER_LENGTH_MAX))
  })
  socket.on('end', () => resolve(answer))
  socket.on('error', () => resolve(answer === '' ? null : answer))
  try {
    return await promise
  } finally {
    socket.destroy()
  }
}

const HOLDER_ANSWER_TIMEOUT_MS = 1000
const HOLDER_ANSWER_LENGTH_MAX = 20

/**
 * Any process on the machine may listen on an abstract name, so the claim is checked where /proc allows it: a process
 * of another user cannot be ours, and the error then says that the name is taken by it.
 */
async function describeHolder(answer: string, path: string): Promise<string> {
  if (!/^[1-9]\d{0,9}$/.test(answer)) return 'a process that does not answer'
  const holder = `process ${answer}`
  if (process.platform !== 'linux') return holder
  const status = await readFile(`/proc/${answer}/status`, 'utf8').catch(() => null)
  const uid = status?.match(/^Uid:\t(\d+)/m)?.[1]
  if (uid === undefined) return `${holder} (in another container)`
  const owner = (await stat(path)).uid
  if (uid === '0' || Number(uid) === owner || Number(uid) === process.getuid?.()) return holder
  return `${holder} of another user (uid ${uid}), which does not own that directory`
}
