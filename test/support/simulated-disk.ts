/**
 * A disk that can lose power: records what is done to a directory, and makes any state that a power cut could have
 * left behind.
 *
 * The model is that of a journaling file system over a disk with a write cache:
 * - bytes written are safe once their file was synced after them; until then each sector may be old or new, so a write
 *   may be lost, kept or torn, in any order;
 * - names (create, rename, remove) are kept in order, and any sync makes all earlier ones safe; of the later ones a
 *   random number from the front survives.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join, relative } from 'node:path'

type File = number
/** `bytes` may be longer than the file; shared ones belong to the base, which many crashes start from. */
type Content = { bytes: Buffer; size: number; shared: boolean }
export type Operation =
  | { kind: 'create'; path: string; file: File }
  | { kind: 'make folder'; path: string }
  | { kind: 'rename'; path: string; to: string }
  | { kind: 'remove'; path: string }
  | { kind: 'write'; file: File; position: number; bytes: Buffer }
  | { kind: 'resize'; file: File; size: number }
  | { kind: 'sync'; file: File | null }
  | { kind: 'answer'; number: number }

export type Recording = {
  operations: Operation[]
  base: Map<string, Buffer | null>
  answer(number: number): void
}

/** Records everything that happens beneath the directory until `work` is done; all before it is safe on the disk. */
export async function record(
  directory: string,
  work: (recording: Recording) => Promise<void>,
): Promise<Recording> {
  const base = readTree(directory)
  const operations: Operation[] = []
  const recording: Recording = {
    operations,
    base,
    answer: (number) => void operations.push({ kind: 'answer', number }),
  }
  const restore = tap(directory, base, operations)
  try {
    await work(recording)
  } finally {
    restore()
  }
  return recording
}

/** Makes the directory what a power cut just before operation `at` could have left. */
export function makeCrash(
  recording: Recording,
  crash: { directory: string; at: number; random: () => number; syncIgnored?: boolean },
): void {
  const contents = new Map<File, Content>()
  const names = new Map<string, File | null>()
  let file = 0
  for (const [path, bytes] of recording.base) {
    names.set(path, bytes === null ? null : file)
    if (bytes !== null) contents.set(file, { bytes, size: bytes.length, shared: true })
    file += 1
  }
  const pendingBytes = new Map<File, Operation[]>()
  let pendingNames: Operation[] = []

  for (const operation of recording.operations.slice(0, crash.at)) {
    switch (operation.kind) {
      case 'write':
      case 'resize':
        if (!pendingBytes.get(operation.file)?.push(operation)) pendingBytes.set(operation.file, [operation])
        break
      case 'sync':
        if (crash.syncIgnored) break
        for (const pending of pendingNames) applyName(names, pending)
        pendingNames = []
        if (operation.file === null) break
        for (const pending of pendingBytes.get(operation.file) ?? [])
          applyBytes(contents, pending, () => true)
        pendingBytes.delete(operation.file)
        break
      case 'answer':
        break
      default:
        pendingNames.push(operation)
    }
  }
  const namesKept = Math.floor(crash.random() * (pendingNames.length + 1))
  for (const pending of pendingNames.slice(0, namesKept)) applyName(names, pending)
  const shareKept = [0, 0.5, 0.9, 1][Math.floor(crash.random() * 4)]!
  for (const pending of [...pendingBytes.values()].flat()) {
    applyBytes(contents, pending, () => crash.random() < shareKept)
  }
  writeTree(crash.directory, names, contents)
}

const SECTOR_BYTES = 512

function applyName(names: Map<string, File | null>, operation: Operation): void {
  switch (operation.kind) {
    case 'create':
      names.set(operation.path, operation.file)
      return
    case 'make folder':
      names.set(operation.path, null)
      return
    case 'remove':
      names.delete(operation.path)
      return
    case 'rename':
      names.set(operation.to, names.get(operation.path)!)
      names.delete(operation.path)
  }
}

function applyBytes(contents: Map<File, Content>, operation: Operation, isKept: () => boolean): void {
  if (operation.kind === 'resize') {
    if (isKept()) resize(contents, operation.file, operation.size)
    return
  }
  if (operation.kind !== 'write') return
  const { file, position, bytes } = operation
  for (let start = 0; start < bytes.length; start += SECTOR_BYTES) {
    if (!isKept()) continue
    const sector = bytes.subarray(start, start + SECTOR_BYTES)
    const end = position + start + sector.length
    const content = resize(contents, file, Math.max(end, contents.get(file)?.size ?? 0))
    sector.copy(content.bytes, position + start)
  }
}

function resize(contents: Map<File, Content>, file: File, size: number): Content {
  const content = contents.get(file) ?? { bytes: Buffer.alloc(0), size: 0, shared: false }
  contents.set(file, content)
  if (content.shared || size > content.bytes.length) {
    const bytes = Buffer.alloc(size > content.bytes.length ? 2 * size : content.bytes.length)
    content.bytes.copy(bytes, 0, 0, content.size)
    Object.assign(content, { bytes, shared: false })
  }
  // What a file is cut to and grown again by reads as zeros.
  if (size < content.size) content.bytes.fill(0, size, content.size)
  content.size = size
  return content
}

function readTree(directory: string): Map<string, Buffer | null> {
  const entries = fs.readdirSync(directory, { recursive: true, withFileTypes: true })
  const tree = new Map<string, Buffer | null>()
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    tree.set(relative(directory, path), entry.isDirectory() ? null : fs.readFileSync(path))
  }
  return tree
}

/** What was last written where; unchanged files, which most of them are, are not written again. */
const written = new Map<string, { content: Buffer; changedAtMs: number }>()

function writeTree(directory: string, names: Map<string, File | null>, contents: Map<File, Content>): void {
  fs.mkdirSync(directory, { recursive: true })
  for (const entry of fs.readdirSync(directory, { recursive: true }) as string[]) {
    if (!names.has(entry)) fs.rmSync(join(directory, entry), { recursive: true, force: true })
  }
  for (const name of [...names.keys()].sort()) {
    const path = join(directory, name)
    const file = names.get(name)!
    if (file === null) fs.mkdirSync(path, { recursive: true })
    else writeFile(path, contents.get(file))
  }
}

function writeFile(path: string, content: Content | undefined): void {
  const last = written.get(path)
  const unchanged = content?.shared && last?.content === content.bytes
  if (unchanged && fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs === last.changedAtMs) return
  const bytes = content?.bytes.subarray(0, content.size) ?? Buffer.alloc(0)
  fs.writeFileSync(path, bytes)
  written.set(path, { content: content?.bytes ?? bytes, changedAtMs: fs.statSync(path).mtimeMs })
}

function pickFunctions() {
  const { writeFileSync, openSync, closeSync, writeSync, ftruncateSync, truncateSync, fstatSync } = fs
  const { renameSync, unlinkSync, rmdirSync, mkdirSync, fsyncSync, fdatasyncSync } = fs
  const bytes = { writeFileSync, openSync, closeSync, writeSync, ftruncateSync, truncateSync, fstatSync }
  return { ...bytes, renameSync, unlinkSync, rmdirSync, mkdirSync, fsyncSync, fdatasyncSync }
}

/** Replaces the functions of node:fs that the engine's files use; returns a function that restores them. */
function tap(directory: string, base: Map<string, Buffer | null>, operations: Operation[]): () => void {
  const original = pickFunctions()
  const files = new Map<string, File>([...base.keys()].map((path, index) => [path, index]))
  const open = new Map<number, File | null>()
  let fileCount = base.size
  const inside = (path: fs.PathLike) => {
    const name = relative(directory, String(path))
    return name.startsWith('..') ? null : name
  }
  const note = (operation: Operation) => void operations.push(operation)

  fs.writeFileSync = (path, ...rest) => {
    const name = inside(path as string)
    if (name !== null) {
      files.set(name, fileCount)
      note({ kind: 'create', path: name, file: fileCount })
      fileCount += 1
    }
    original.writeFileSync(path, ...rest)
  }
  fs.openSync = (path, flags, ...rest) => {
    const descriptor = original.openSync(path, flags, ...rest)
    const name = inside(path)
    if (name === null) return descriptor
    const isFolder = original.fstatSync(descriptor).isDirectory()
    open.set(descriptor, isFolder ? null : files.get(name)!)
    if (Number(flags) & fs.constants.O_TRUNC) note({ kind: 'resize', file: files.get(name)!, size: 0 })
    return descriptor
  }
  fs.closeSync = (descriptor) => {
    open.delete(descriptor)
    original.closeSync(descriptor)
  }
  fs.writeSync = ((
    descriptor: number,
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ) => {
    const written = original.writeSync(descriptor, bytes, offset, length, position)
    const file = open.get(descriptor)
    if (file !== undefined && file !== null) {
      note({ kind: 'write', file, position, bytes: Buffer.from(bytes.slice(offset, offset + written)) })
    }
    return written
  }) as typeof fs.writeSync
  fs.ftruncateSync = (descriptor, size) => {
    original.ftruncateSync(descriptor, size)
    note({ kind: 'resize', file: open.get(descriptor)!, size: size ?? 0 })
  }
  fs.truncateSync = (path, size) => {
    original.truncateSync(path, size)
    note({ kind: 'resize', file: files.get(inside(path as string)!)!, size: size ?? 0 })
  }
  fs.renameSync = (from, to) => {
    original.renameSync(from, to)
    const [path, target] = [inside(from)!, inside(to)!]
    files.set(target, files.get(path)!)
    files.delete(path)
    note({ kind: 'rename', path, to: target })
  }
  fs.unlinkSync = (path) => {
    original.unlinkSync(path)
    files.delete(inside(path)!)
    note({ kind: 'remove', path: inside(path)! })
  }
  fs.rmdirSync = (path, ...rest) => {
    original.rmdirSync(path, ...rest)
    note({ kind: 'remove', path: inside(path)! })
  }
  fs.mkdirSync = ((path: fs.PathLike, ...rest: []) => {
    original.mkdirSync(path, ...rest)
    note({ kind: 'make folder', path: inside(path)! })
  }) as typeof fs.mkdirSync
  for (const name of ['fsyncSync', 'fdatasyncSync'] as const) {
    fs[name] = (descriptor) => {
      original[name](descriptor)
      if (open.has(descriptor)) note({ kind: 'sync', file: open.get(descriptor)! })
    }
  }
  syncBuiltinESMExports()
  return () => {
    Object.assign(fs, original)
    syncBuiltinESMExports()
  }
}
