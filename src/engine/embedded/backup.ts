/**
 * A backup of an embedded database in one file, also while a service uses it.
 *
 * Guarantees: the copy is taken while the engine's one session is held and after a checkpoint, and nothing else writes
 * the files, so it is exactly what a crash at that instant would leave. The file appears under its name only when it is
 * complete and on the disk; only its owner can read it. A restore checks every file before the cluster gets its name.
 */
import { constants, createReadStream, existsSync } from 'node:fs'
import { cp, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import type { Database, Queries } from '../database/database.ts'
import { digestOf, listFiles, MANIFEST, type PackedFile, pack, unpack, writeEntry } from './archive.ts'
import { makeCopyFolder } from './copy-folder.ts'
import { syncFolder } from './template.ts'

/** Requests wait while files are copied: about a second for each gigabyte on an ordinary disk. */
const CLUSTER_BYTES_MAX = 2 * 2 ** 30

export type Manifest<Facts> = { format: 1; files: PackedFile[] } & Facts

export async function writeBackup<Facts extends object>(options: {
  db: Database
  directory: string
  path: string
  /** Read at the instant of the copy. */
  facts: (held: Queries) => Promise<Facts>
}): Promise<{ bytes: number; manifest: Manifest<Facts> }> {
  const { db, directory, path } = options
  const cluster = join(directory, 'cluster')
  if (!existsSync(dirname(path))) throw new Error(`There is no directory ${dirname(path)}.`)
  await requireSmall(cluster)
  const folder = await makeCopyFolder(dirname(path), directory)
  const [copy, draft] = [join(folder, 'cluster'), join(folder, 'archive')]
  try {
    const facts = await db.transaction(async (held) => {
      const known = await options.facts(held)
      await held.query('checkpoint')
      await mkdir(copy, { mode: 0o700 })
      await cp(cluster, copy, { recursive: true, mode: constants.COPYFILE_FICLONE, filter: isOfTheDatabase })
      return known
    })
    const manifest: Manifest<Facts> = { format: 1, files: await describe(copy), ...facts }
    await writeArchive(copy, draft, manifest)
    await rename(draft, path)
    await syncFolder(dirname(path))
    return { bytes: (await stat(path)).size, manifest }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The engine's mark of a running process, and pages of a move. */
function isOfTheDatabase(path: string): boolean {
  return !/(postmaster\.pid|breakwater-page\.copy)$/.test(path)
}

async function requireSmall(cluster: string): Promise<void> {
  const { files } = await listFiles(cluster)
  let bytes = 0
  for (const name of files) bytes += (await stat(join(cluster, name)).catch(() => ({ size: 0 }))).size
  if (bytes <= CLUSTER_BYTES_MAX) return
  const gigabytes = (bytes / 2 ** 30).toFixed(1)
  throw new Error(
    `The database has ${gigabytes} GB, and requests would wait too long; move it to PostgreSQL (breakwater move).`,
  )
}

async function describe(folder: string): Promise<PackedFile[]> {
  const { files } = await listFiles(folder)
  const described: PackedFile[] = []
  for (const name of files) described.push({ name, ...(await digestOf(join(folder, name))) })
  return described
}

async function writeArchive(folder: string, path: string, manifest: object): Promise<void> {
  const text = Buffer.from(JSON.stringify(manifest))
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(Readable.from(pack(folder, text)).pipe(createGzip({ level: 1 })))
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Unpacks the cluster of a backup into a folder that does not exist. */
export async function unpackBackup<Facts extends object>(
  path: string,
  cluster: string,
): Promise<Manifest<Facts>> {
  // An error of the file reaches the loop below.
  const archive = pipeline(createReadStream(path), createGunzip(), () => {})
  let manifest: Manifest<Facts> | null = null
  const expected = new Map<string, PackedFile>()
  try {
    await mkdir(cluster, { mode: 0o700 })
    for await (const entry of unpack(archive as AsyncIterable<Uint8Array>)) {
      if (manifest === null) {
        manifest = await readManifest<Facts>(entry)
        for (const file of manifest.files) expected.set(file.name, file)
      } else if (entry.isFolder) await mkdir(join(cluster, entry.name), { recursive: true, mode: 0o700 })
      else {
        const file = expected.get(entry.name)
        if (file === undefined) throw new Error(`The backup does not list its file ${entry.name}.`)
        await writeEntry(cluster, entry, file)
        expected.delete(entry.name)
      }
    }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code?.startsWith('Z_')
      ? new Error('The file is not a backup.')
      : error
  }
  const [missing] = expected.keys()
  if (manifest === null || missing !== undefined) throw new Error('The backup is not complete.')
  await syncFolders(cluster)
  return manifest
}

async function readManifest<Facts>(entry: {
  name: string
  content: AsyncIterable<Uint8Array>
}): Promise<Manifest<Facts>> {
  if (entry.name !== MANIFEST) throw new Error('The file is not a backup.')
  const text = Buffer.concat(await Array.fromAsync(entry.content)).toString('utf8')
  const manifest = JSON.parse(text) as Manifest<Facts>
  if (manifest.format !== 1) throw new Error('The backup is of a newer version of the program.')
  return manifest
}

async function syncFolders(folder: string): Promise<void> {
  const { folders } = await listFiles(folder)
  for (const name of folders) await syncFolder(join(folder, name))
  await syncFolder(folder)
}

/** Newest first, by name. */
export async function listBackups(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names
    .filter((name) => BACKUP_NAME.test(name))
    .sort()
    .reverse()
}

const BACKUP_NAME = /^breakwater-\d{8}T\d{6}Z\.tar\.gz$/

export function backupName(at: Date): string {
  return `breakwater-${at.toISOString().replace(/[-:]|\.\d+/g, '')}.tar.gz`
}
