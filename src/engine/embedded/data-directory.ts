/** Makes sure that a data directory exists and is writable, before an engine or a lock relies on it. */
import { mkdir, open, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export class DataDirectoryError extends Error {
  constructor(path: string, reason: string) {
    super(`The data directory ${path} ${reason}; set DATA_DIR to a directory that this user may write to.`)
    this.name = 'DataDirectoryError'
  }
}

export async function prepareDirectory(path: string): Promise<void> {
  try {
    await makeDirectory(path)
  } catch (error) {
    throw new DataDirectoryError(path, `cannot be made (${codeOf(error)})`)
  }
  if (!(await stat(path)).isDirectory()) throw new DataDirectoryError(path, 'is a file')
  try {
    await tryToWrite(path)
  } catch (error) {
    // Without space the engine still opens, and rejects changes.
    if (codeOf(error) !== 'ENOSPC') {
      throw new DataDirectoryError(path, `cannot be written to (${codeOf(error)})`)
    }
  }
}

/** Node's own recursion never ends where a file system refuses to create a name, as /proc does. */
async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error
    await makeDirectory(dirname(path))
    await mkdir(path, { mode: 0o700 })
  }
}

async function tryToWrite(path: string): Promise<void> {
  const probe = join(path, `breakwater.probe.${process.pid}`)
  const file = await open(probe, 'w', 0o600)
  await file.close()
  await unlink(probe)
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error)
}
