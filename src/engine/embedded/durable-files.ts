/**
 * The embedded engine's files, with a real fsync.
 *
 * PGlite mounts the directory through Emscripten's NODEFS, which has no fsync: the engine calls it and gets success
 * without effect. Here the call reaches the disk. This relies on an internal (`NODEFS.stream_ops`), so pglite.ts counts
 * the calls around a test commit at every start and refuses to continue when there are none.
 */
import { fdatasyncSync, fsyncSync } from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'

export type FileWatch = {
  /** Called when a file was read, written or synced: the engine is alive. */
  onProgress(): void
  onSync(): void
  /** Must not return: after a failed fsync the content of the disk is unknown, so nothing may be answered any more. */
  onSyncFailure(error: unknown): never
}

type Stream = { nfd: number; node: { mode: number } }
type StreamOperations = Record<'read' | 'write', (...parameters: unknown[]) => number> & {
  fsync?: (stream: Stream) => number
}

const FILE_TYPE_MASK = 0o170000
const DIRECTORY_TYPE = 0o040000

export function createDurableFiles(directory: string, watch: FileWatch): NodeFS {
  const files = new NodeFS(directory)
  const mount = files.init.bind(files)
  files.init = async (engine, options) => {
    const { emscriptenOpts } = await mount(engine, options)
    emscriptenOpts.preRun?.unshift((module) => {
      addSync((module.NODEFS as unknown as { stream_ops: StreamOperations }).stream_ops, watch)
    })
    return { emscriptenOpts }
  }
  return files
}

function addSync(operations: StreamOperations, watch: FileWatch): void {
  for (const name of ['read', 'write'] as const) {
    const original = operations[name]
    operations[name] = (...parameters) => {
      watch.onProgress()
      return original(...parameters)
    }
  }
  operations.fsync = (stream) => {
    watch.onProgress()
    try {
      // fdatasync flushes a file's bytes and its length; the names in a directory need fsync.
      if ((stream.node.mode & FILE_TYPE_MASK) === DIRECTORY_TYPE) fsyncSync(stream.nfd)
      else fdatasyncSync(stream.nfd)
    } catch (error) {
      watch.onSyncFailure(error)
    }
    watch.onSync()
    return 0
  }
}
