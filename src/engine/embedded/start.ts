/** Starts the embedded engine on the calling thread: in memory, or in a directory with every commit on the disk. */
import { totalmem } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import type { NodeFS } from '@electric-sql/pglite/nodefs'
import { createDurableFiles, type FileWatch } from './durable-files.ts'
import { placeCluster, readTemplate } from './template.ts'

/** `template` is the path of a cluster's tar; null: the one that comes with the program. */
export async function startInMemory(template: string | null, onLog: (line: string) => void): Promise<PGlite> {
  optimizeWhenBusy()
  return PGlite.create({
    loadDataDir: new Blob([await readTemplate(template)]),
    startParams: [...PGlite.defaultStartParams, ...setting('shared_buffers=16MB')],
    onStderr: quietly(onLog),
  })
}

export async function startInDirectory(
  cluster: string,
  watch: FileWatch,
  onLog: (line: string) => void,
): Promise<PGlite> {
  await placeCluster(cluster)
  optimizeWhenBusy()
  const engine = await PGlite.create({
    fs: withoutFirstStatement(createDurableFiles(cluster, watch)),
    startParams: [
      // -F would turn fsync off, and this build's fdatasync is an empty function, so the log is synced by fsync.
      ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
      ...setting('wal_sync_method=fsync'),
      // Each megabyte is cleared at start (128 of them: 0.3 s); what does not fit is in the system's cache.
      ...setting('shared_buffers=64MB'),
    ],
    onStderr: quietly(onLog),
  })
  await leaveParserUnoptimized(engine)
  return engine
}

/**
 * The optimizing compiler makes a busy engine half as fast again. A command ends before this pays off, so a function has
 * to run eight times as often as by default. Set here, for the whole process, because we do not control the
 * command-line flags.
 */
function optimizeWhenBusy(): void {
  if (memoryBytes() < 2 ** 30) leaveUnoptimized()
  else setFlagsFromString('--wasm-tiering-budget=100000000')
}

/**
 * To optimize the one large function of PostgreSQL's parser takes 0.6 GB, more than everything else together, and
 * statements are parsed once. Whether a function counts how often it runs is decided when it is first called, so the
 * first statement is an empty one, during which no function but the first is made to count.
 */
async function leaveParserUnoptimized(engine: PGlite): Promise<void> {
  setFlagsFromString('--wasm-tier-up-filter=0')
  await engine.exec(';')
  setFlagsFromString('--wasm-tier-up-filter=-1')
}

/** PGlite's own first statement reads types for its own client, which is not used here. */
function withoutFirstStatement(files: NodeFS): NodeFS {
  const init = files.init.bind(files)
  files.init = (engine, options) => {
    engine._initArrayTypes = async () => {}
    return init(engine, options)
  }
  return files
}

/** Both flags are needed: set at run time, one does not imply the other. */
function leaveUnoptimized(): void {
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
}

/** The memory this process may use: of the machine, or of its container. */
function memoryBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}

const setting = (text: string) => ['-c', text]

/** false keeps PGlite from printing the line as well. */
function quietly(onLog: (line: string) => void): (line: string) => boolean {
  return (line) => {
    onLog(line)
    return false
  }
}
