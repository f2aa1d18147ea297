/**
 * A cluster that is ready to open, because creating one takes seconds and unpacking it a fraction of one.
 *
 * Guarantee: a cluster is either absent or complete and on the disk; a crash while it is unpacked leaves a draft that
 * the next start removes. `template.tar.br` is made by test/support/make-pglite-template.ts.
 */
import { existsSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

const TEMPLATE = new URL('./template.tar.br', import.meta.url)

/** The bytes of a tar: of the file named, or of the template that comes with the program. */
export async function readTemplate(path: string | null): Promise<Uint8Array<ArrayBuffer>> {
  if (path !== null) return readFile(path)
  return promisify(brotliDecompress)(await readFile(TEMPLATE)) as Promise<Buffer<ArrayBuffer>>
}

/** Makes sure that the cluster exists. */
export async function placeCluster(cluster: string): Promise<void> {
  if (existsSync(cluster)) return
  const draft = `${cluster}.draft`
  await rm(draft, { recursive: true, force: true })
  const entries = listTar(await readTemplate(null))
  await mkdir(draft, { mode: 0o700 })
  const folders = [draft]
  for (const entry of entries.filter(({ bytes }) => bytes === null)) {
    folders.push(join(draft, entry.name))
    await mkdir(join(draft, entry.name), { mode: 0o700 })
  }
  await Promise.all(
    entries.map(async ({ name, bytes }) => {
      if (bytes !== null) await writeDurably(join(draft, name), bytes)
    }),
  )
  // Names are durable only once their folders are synced.
  await Promise.all(folders.map(syncFolder))
  await rename(draft, cluster)
  await syncFolder(dirname(cluster))
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

export async function syncFolder(path: string): Promise<void> {
  // Windows cannot sync folders; its file system keeps a journal of names.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const BLOCK_BYTES = 512

/** Files with their bytes and folders with null, parents before children. */
function listTar(tar: Uint8Array): { name: string; bytes: Uint8Array | null }[] {
  const entries: { name: string; bytes: Uint8Array | null }[] = []
  const text = (from: number, length: number) =>
    Buffer.from(tar.subarray(from, from + length))
      .toString('latin1')
      .replace(/\0.*$/s, '')
  for (let offset = 0; text(offset, 1) !== ''; ) {
    const name = text(offset, 100).replace(/^\/|\/$/g, '')
    const size = Number.parseInt(text(offset + 124, 12), 8)
    const isFolder = text(offset + 156, 1) === '5'
    const start = offset + BLOCK_BYTES
    entries.push({ name, bytes: isFolder ? null : tar.subarray(start, start + size) })
    offset = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES
  }
  return entries
}
