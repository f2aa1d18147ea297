/**
 * The container image, built without a daemon and without a registry of images: a base of Debian's libraries with the
 * Node that the project is tested on, and on it deploy/Containerfile over the release tree.
 */
import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const CONTAINERFILE = fileURLToPath(new URL('../deploy/Containerfile', import.meta.url))
const DEBIAN = 'bookworm'
/** What Node is linked with. There is no shell, package manager or user in it. */
const LIBRARIES = ['libc6', 'libstdc++6', 'libgcc-s1']
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

export const NODE_IMAGE = 'localhost/breakwater-node'

export type Buildah = (...args: readonly string[]) => Promise<string>

/** Images and containers are kept in `directory`, apart from those of the machine. */
export function createBuildah(directory: string): Buildah {
  const own = ['--root', join(directory, 'storage'), '--runroot', join(directory, 'run')]
  return async (...args) => (await run('buildah', [...own, '--storage-driver', 'vfs', ...args])).stdout
}

/** Why no image can be built on this machine, as a sentence. */
export async function imageAbsence(): Promise<string | false> {
  if (process.getuid?.() !== 0) return 'only root can build an image here'
  const tools = ['buildah', 'mmdebstrap']
  const found = await Promise.all(
    tools.map((name) => run('sh', ['-c', `command -v ${name}`]).catch(() => null)),
  )
  const absent = tools.filter((_, index) => found[index] === null)
  return absent.length > 0 && `not installed: ${absent.join(', ')}`
}

/**
 * Makes NODE_IMAGE, in which npm can reach the registry that this machine trusts. Every file has the time of the release,
 * as in the layers on it: so two builds give one digest.
 */
export async function makeNodeImage(
  buildah: Buildah,
  { directory, timestamp }: { directory: string; timestamp: number },
): Promise<void> {
  const tar = join(directory, 'debian.tar')
  await run('mmdebstrap', ['--variant=extract', `--include=${LIBRARIES.join(',')}`, DEBIAN, tar])
  const local = join(directory, 'local')
  await mkdir(join(local, 'bin'), { recursive: true })
  await copyFile(process.execPath, join(local, 'bin/node'))
  await cp(await findNpm(), join(local, 'lib/node_modules/npm'), { recursive: true })
  const recipe = ['FROM scratch', 'ADD debian.tar /', 'COPY local /usr/local']
  await copyFile(CERTIFICATES, join(directory, 'ca-certificates.crt'))
  recipe.push(`COPY ca-certificates.crt ${CERTIFICATES}`)
  await writeFile(join(directory, 'Base'), `${recipe.join('\n')}\n`)
  const options = ['--isolation', 'chroot', '--timestamp', String(timestamp), '--tag', NODE_IMAGE]
  await buildah('bud', ...options, '--file', join(directory, 'Base'), directory)
}

/** `tree` is what tools/build.ts writes. */
export async function buildImage(
  buildah: Buildah,
  image: { tree: string; tag: string; version: string; revision: string; timestamp: number },
): Promise<void> {
  const values = {
    NODE_IMAGE,
    VERSION: image.version,
    REVISION: image.revision,
    NODE_EXTRA_CA_CERTS: CERTIFICATES,
  }
  const buildArgs = Object.entries(values).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`])
  const options = ['--isolation', 'chroot', '--network', 'host', '--timestamp', String(image.timestamp)]
  const place = ['--tag', image.tag, '--file', CONTAINERFILE, image.tree]
  await buildah('bud', ...options, ...buildArgs, ...place)
}

async function findNpm(): Promise<string> {
  const { stdout } = await run('sh', ['-c', 'command -v npm'])
  return dirname(dirname(await realpath(stdout.trim())))
}

const run = promisify(execFile)
