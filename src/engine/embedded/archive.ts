/**
 * A folder as one file and back: a tar (ustar) whose first entry lists every file with its length and digest. Read and
 * written as a stream, so that its size does not matter; what does not match its digest is rejected.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'

export type PackedFile = { name: string; bytes: number; sha256: string }

/** `files` are relative to the folder, parents before children. */
export async function listFiles(folder: string): Promise<{ folders: string[]; files: string[] }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const nameOf = (entry: (typeof entries)[number]) =>
    relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')
  return {
    folders: entries
      .filter((entry) => entry.isDirectory())
      .map(nameOf)
      .sort(),
    files: entries
      .filter((entry) => entry.isFile())
      .map(nameOf)
      .sort(),
  }
}

export async function digestOf(path: string): Promise<Pick<PackedFile, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Uint8Array)
    bytes += (chunk as Uint8Array).length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** The manifest comes first, so that it can be read without the rest. */
export async function* pack(folder: string, manifest: Uint8Array): AsyncIterable<Uint8Array> {
  const { folders, files } = await listFiles(folder)
  yield* entryOf(MANIFEST, manifest.length, [manifest])
  for (const name of folders) yield headerOf(`${name}/`, 0)
  for (const name of files) {
    const path = join(folder, name)
    yield* entryOf(name, (await stat(path)).size, createReadStream(path))
  }
  yield new Uint8Array(2 * BLOCK_BYTES)
}

export const MANIFEST = 'manifest.json'
const BLOCK_BYTES = 512

async function* entryOf(
  name: string,
  bytes: number,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  yield headerOf(name, bytes)
  yield* content
  yield new Uint8Array(paddingOf(bytes))
}

function paddingOf(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES
}

function headerOf(name: string, bytes: number): Uint8Array {
  const header = Buffer.alloc(BLOCK_BYTES)
  if (header.write(name, 0, 'latin1') > NAME_BYTES_MAX) throw new Error(`The name ${name} is too long.`)
  const isFolder = name.endsWith('/')
  header.write(isFolder ? '0000700\0' : '0000600\0', 100)
  header.write('0000000\u00000000000\0', 108)
  header.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write(isFolder ? '5' : '0', 156)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

const NAME_BYTES_MAX = 100

export type Entry = { name: string; bytes: number; isFolder: boolean; content: AsyncIterable<Uint8Array> }

/** The content of an entry has to be read before the next entry. */
export async function* unpack(archive: AsyncIterable<Uint8Array>): AsyncIterable<Entry> {
  const reader = createByteReader(archive)
  for (;;) {
    const header = Buffer.from(await reader.take(BLOCK_BYTES))
    if (header[0] === 0) return
    const text = (from: number, length: number) =>
      header
        .subarray(from, from + length)
        .toString('latin1')
        .replace(/\0.*$/s, '')
    const bytes = Number.parseInt(text(124, 12), 8)
    const name = text(0, NAME_BYTES_MAX).replace(/\/$/, '')
    if (!Number.isSafeInteger(bytes) || name.startsWith('/') || name.split('/').includes('..')) {
      throw new Error('The file is not a backup.')
    }
    yield { name, bytes, isFolder: text(156, 1) === '5', content: reader.stream(bytes) }
    await reader.take(paddingOf(bytes))
  }
}

function createByteReader(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array(0)
  async function* stream(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0; ) {
      if (rest.length === 0) {
        const next = await chunks.next()
        if (next.done) throw new Error('The backup ends too early.')
        rest = next.value
      }
      const part = rest.subarray(0, left)
      rest = rest.subarray(part.length)
      left -= part.length
      yield part
    }
  }
  return {
    stream,
    async take(bytes: number): Promise<Uint8Array> {
      return Buffer.concat(await Array.fromAsync(stream(bytes)))
    },
  }
}

/** Durably, and only with the length and digest that were expected. */
export async function writeEntry(folder: string, entry: Entry, expected: PackedFile): Promise<void> {
  const path = join(folder, entry.name)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const part of entry.content) {
      hash.update(part)
      await file.writeFile(part)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  if (entry.bytes === expected.bytes && hash.digest('hex') === expected.sha256) return
  throw new Error(`The file ${entry.name} of the backup is damaged, so nothing was restored.`)
}
