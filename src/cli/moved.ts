/** What a move leaves in the data directory whose books are now elsewhere. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export const MARKER = 'moved.json'

/** null: the books in this directory were not moved. */
export async function readMarker(directory: string): Promise<{ to: string; at: string } | null> {
  try {
    return JSON.parse(await readFile(join(directory, MARKER), 'utf8'))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}
