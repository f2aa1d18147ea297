/**
 * The tables of an embedded database, for copying. The engine answers a statement with one message, and cannot read rows
 * from the driver (COPY … FROM STDIN ends it), so rows travel in pages: out by ranges of the key order, in through a file
 * beside the cluster's own. Memory stays bounded by the size of a page.
 *
 * Guarantee: the directory is locked, and commits are synced, as for a service.
 */
import { existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { openSession, type Session } from '../database/session.ts'
import { keyOfLast, quoted, selectOf, type Table, type TableStore, targetOf } from '../database/table-copy.ts'
import { prepareDirectory } from './data-directory.ts'
import { lockDirectory } from './directory-lock.ts'
import { startEngine } from './engine.ts'

/**
 * The engine holds a page as a whole, and so do several steps of its way. A move of 360,000 rows took 624 MB with pages of
 * 64 MB, 508 with 16 and 466 with these, in the same CPU time.
 */
const PAGE_BYTES = 8 * 2 ** 20

/** Whether there is a database to open. */
export function hasCluster(directory: string): boolean {
  return existsSync(join(directory, 'cluster'))
}

export async function openEmbeddedTables(path: string, pageBytes = PAGE_BYTES): Promise<TableStore> {
  const directory = resolve(path)
  await prepareDirectory(directory)
  const lock = await lockDirectory(directory)
  const cluster = join(directory, 'cluster')
  const page = join(cluster, PAGE_FILE)
  try {
    // Left behind by a killed process; safe to remove only because this process holds the lock.
    await Promise.all([join(cluster, 'postmaster.pid'), page].map((file) => rm(file, { force: true })))
    const engine = await startEngine({
      cluster,
      template: null,
      silenceMaxMs: SILENCE_MAX_MS,
      onDeath: endProcess,
    })
    const session = await openSession({ ...EMBEDDED, stream: () => engine.connect() })
    let isRunning = true
    const stop = async () => {
      if (!isRunning) return
      isRunning = false
      await session.close()
      await engine.stop()
    }
    return {
      query: session.query,
      read: (table, emptied) => readPages(session, table, { emptied, pageBytes }),
      load: (table, rows) => loadPages(session, table, rows, { path: page, bytesMax: pageBytes }),
      endReading: stop,
      async close() {
        await stop()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Given in full, because the driver would take missing options from the environment. */
const EMBEDDED = { user: 'postgres', database: 'postgres', host: 'embedded', ssl: false }

/** Each page begins after the last key of the one before, so that the last page costs no more than the first. */
async function* readPages(
  session: Session,
  table: Table,
  { emptied, pageBytes }: { emptied: readonly string[] | undefined; pageBytes: number },
): AsyncIterable<Uint8Array> {
  const rowsPerPage = Math.max(1, Math.floor(pageBytes / (await bytesPerRow(session, table))))
  for (let after = ''; ; ) {
    let last: Uint8Array | null = null
    const select = selectOf(table, { emptied, after, collation: '' })
    for await (const chunk of session.copyOut(`${select} limit ${rowsPerPage}`)) {
      last = chunk
      yield chunk
    }
    if (last === null) return
    after = keyOfLast(table, last)
  }
}

async function bytesPerRow(session: Session, { name }: Table): Promise<number> {
  const [size] = await session.query<{ rows: bigint; bytes: bigint }>(
    `select count(*) as rows, pg_table_size('${quoted(name)}') as bytes from ${quoted(name)}`,
  )
  return Math.max(1, Number(size!.bytes) / Math.max(1, Number(size!.rows)))
}

/** How the engine names the directory of its cluster. */
const CLUSTER_INSIDE = '/pglite/data'
const PAGE_FILE = 'breakwater-page.copy'

/** Each chunk ends with a whole row. */
async function loadPages(
  session: Session,
  table: Table,
  rows: AsyncIterable<Uint8Array>,
  page: { path: string; bytesMax: number },
): Promise<void> {
  let file = await open(page.path, 'w', 0o600)
  let bytes = 0
  const load = () => session.query(`copy ${targetOf(table)} from '${CLUSTER_INSIDE}/${PAGE_FILE}'`)
  try {
    for await (const chunk of rows) {
      if (bytes > 0 && bytes + chunk.length > page.bytesMax) {
        await load()
        await file.close()
        file = await open(page.path, 'w', 0o600)
        bytes = 0
      }
      await file.writeFile(chunk)
      bytes += chunk.length
    }
    if (bytes > 0) await load()
  } finally {
    await file.close()
    await rm(page.path, { force: true })
  }
}

/** Sorting a large table touches no file for a while. */
const SILENCE_MAX_MS = 600_000

/** The target is then empty, because its transaction was not committed. */
function endProcess(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
