/**
 * What a release publishes, made from the commit that is checked out: the npm package, the chart, the image where the
 * machine can build one, the list of parts (CycloneDX), and the digests of all of them. Every time comes from the commit,
 * so that anybody who builds the same commit gets the same files.
 */
import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildPackage } from './build.ts'
import { buildImage, createBuildah, imageAbsence, makeNodeImage } from './image.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SUMS = 'SHA256SUMS'

type Commit = { version: string; revision: string; timestamp: number }

/** `directory` is replaced. Returns the names of the files. */
export async function makeArtefacts(directory: string): Promise<string[]> {
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  const work = await mkdtemp(join(tmpdir(), 'breakwater-release-'))
  try {
    const commit = await readCheckedOut()
    const tree = join(work, 'package')
    await buildPackage(tree)
    await packPackage(tree, directory)
    await packChart(directory, commit)
    if ((await imageAbsence()) === false) await packImage(directory, { ...commit, tree, work })
    await writePartsList(directory, commit)
    const files = (await readdir(directory)).sort()
    await writeFile(join(directory, SUMS), (await Promise.all(files.map(sumLine))).join(''))
    return [...files, SUMS]
  } finally {
    await rm(work, { recursive: true, force: true })
  }

  async function sumLine(name: string): Promise<string> {
    return `${hash('sha256', await readFile(join(directory, name)))}  ${name}\n`
  }
}

async function readCheckedOut(): Promise<Commit> {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const [revision, seconds] = (await run('git', ['log', '-1', '--format=%H %ct'])).trim().split(' ')
  return { version, revision: revision!, timestamp: Number(seconds) }
}

/** npm gives every file of a package the same time. */
async function packPackage(tree: string, directory: string): Promise<void> {
  await run('npm', ['pack', '--pack-destination', directory], tree)
}

async function packChart(directory: string, { version, timestamp }: Commit): Promise<void> {
  const tar = join(directory, `breakwater-chart-${version}.tar`)
  await writeTar(tar, { folder: join(ROOT, 'deploy/helm'), name: 'breakwater', timestamp })
  await run('gzip', ['--no-name', '--best', tar])
  await rename(`${tar}.gz`, tar.replace(/\.tar$/, '.tgz'))
}

/** An archive of the OCI layout, which registries' tools and container engines load. */
async function packImage(directory: string, image: Commit & { tree: string; work: string }): Promise<void> {
  const { version, timestamp, work } = image
  const buildah = createBuildah(join(work, 'buildah'))
  const base = join(work, 'base')
  await mkdir(base)
  await makeNodeImage(buildah, { directory: base, timestamp })
  await buildImage(buildah, { ...image, tag: 'breakwater' })
  const layout = join(work, 'image')
  await buildah('push', 'breakwater', `oci:${layout}:${version}`)
  const file = join(directory, `breakwater-image-${version}.tar`)
  await writeTar(file, { folder: layout, name: '.', timestamp })
}

async function writeTar(
  file: string,
  { folder, name, timestamp }: { folder: string; name: string; timestamp: number },
): Promise<void> {
  const always = ['--sort=name', `--mtime=@${timestamp}`, '--owner=0', '--group=0', '--numeric-owner']
  await run('tar', [...always, '--mode=u=rwX,go=rX', '--create', '--file', file, name], folder)
}

async function writePartsList(directory: string, { version, revision, timestamp }: Commit): Promise<void> {
  const args = ['sbom', '--omit=dev', '--package-lock-only', '--sbom-format=cyclonedx']
  const list = JSON.parse(await run('npm', args))
  // npm takes a random number and the present time.
  const digest = hash('sha256', revision)
  const parts = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `5${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ]
  list.serialNumber = `urn:uuid:${parts.join('-')}`
  list.metadata.timestamp = new Date(timestamp * 1000).toISOString()
  await writeFile(join(directory, `breakwater-${version}.cdx.json`), `${JSON.stringify(list, null, 2)}\n`)
}

async function run(program: string, args: readonly string[], cwd = ROOT): Promise<string> {
  return (await promisify(execFile)(program, args, { cwd, maxBuffer: 2 ** 28 })).stdout
}
