/**
 * A mark in a data directory while a process uses it: where the directory is. A copy of it names another place, and is
 * recognised by that. Files that are copied while the engine writes them do not belong together, and nothing else would
 * show it before figures are wrong.
 *
 * - The original is still in use: the copy is refused.
 * - It is not, or is on another machine: said, and accepted, because a directory that was moved after a crash looks the same.
 * - A clean stop removes the mark. The directory itself is known by its inode, which neither a crash nor a restart of the
 *   machine changes.
 */
import { readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { askHolder, lockAddresses } from './directory-lock.ts'

export class DirectoryCopiedError extends Error {
  constructor(path: string, original: string) {
    super(
      `The data directory ${path} is a copy of ${original}, which is in use: files that are copied meanwhile do not belong together. ` +
        'Make a backup with "breakwater backup" and restore that. ' +
        `If it is a snapshot that the file system made at one moment, remove ${join(path, MARK)}.`,
    )
    this.name = 'DirectoryCopiedError'
  }
}

type Mark = { path: string; inode: string; addresses: readonly string[] }

const MARK = 'breakwater.running'

/** The lock of the directory must be held. Call the returned function when nothing uses the directory any more. */
export async function markDirectory(
  path: string,
  onCopy: (sentence: string) => void,
): Promise<() => Promise<void>> {
  const file = join(path, MARK)
  const place = await realpath(path)
  const own: Mark = {
    path: place,
    inode: String((await stat(path, { bigint: true })).ino),
    addresses: await lockAddresses(place),
  }
  const found = await readMark(file)
  if (found !== null && found.inode !== own.inode) {
    for (const address of found.addresses) {
      if ((await askHolder(address)) !== null) throw new DirectoryCopiedError(path, found.path)
    }
    onCopy(
      `The data directory ${path} was ${found.path} when it was last in use. If it was copied while a service ran in it, ` +
        'stop, and restore a backup instead: its files do not belong together. If it was moved, nothing has to be done.',
    )
  }
  try {
    await writeFile(file, JSON.stringify(own), { mode: 0o600 })
  } catch (error) {
    // Without space the engine still opens, and rejects changes.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
  return () => rm(file, { force: true })
}

/** A file that a crash or a full disk left unfinished counts as absent. */
async function readMark(file: string): Promise<Mark | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  try {
    const { path, inode, addresses } = JSON.parse(text)
    return { path: String(path), inode: String(inode), addresses: [...addresses].map(String) }
  } catch {
    return null
  }
}
