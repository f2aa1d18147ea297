/**
 * The folder beside a backup in which it is prepared. It holds the books, so what a killed process left behind is removed
 * when the next backup begins.
 *
 * Guarantee: no folder in use is removed. A data directory is used by one process at a time, so that a folder which
 * another process made for the same directory is in use no more. Of other folders only their age is known.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

const PREFIX = '.breakwater-copy-'
/** Not the number of the process: in a container each has the same. */
const PROCESS = randomBytes(8).toString('hex')
/** Longer than any backup takes. */
const OTHERS_MAX_MS = 24 * 3_600_000

/** `directory` is the data directory, which this process holds. */
export async function makeCopyFolder(parent: string, directory: string): Promise<string> {
  const own = `${PREFIX}${await originOf(directory)}-`
  const current = `${own}${PROCESS}-`
  const names = (await readdir(parent)).filter((name) => name.startsWith(PREFIX) && !name.startsWith(current))
  for (const name of names) {
    const folder = join(parent, name)
    if (name.startsWith(own) || (await isOld(folder))) await removeLeftover(folder)
  }
  return mkdtemp(join(parent, current))
}

/** Two machines may have directories of the same numbers, and back up to the same place. */
async function originOf(directory: string): Promise<string> {
  const { dev, ino } = await stat(directory, { bigint: true })
  return createHash('sha256').update(`${hostname()} ${dev} ${ino}`).digest('hex').slice(0, 16)
}

async function isOld(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(ignoring('ENOENT'))
  return found !== undefined && Date.now() - found.mtimeMs > OTHERS_MAX_MS
}

/** What belongs to another user stays: it must not keep this backup from being made. */
async function removeLeftover(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(ignoring('EACCES', 'EPERM'))
}

function ignoring(...codes: readonly string[]): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (!codes.includes(error.code ?? '')) throw error
  }
}
