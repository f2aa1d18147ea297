/**
 * The npm package on a Debian that has npm and nothing else. Its Node is older than the program needs, so the one that
 * the package brings is used. Needs root, mmdebstrap, a mirror of Debian and a registry of packages.
 */
import assert from 'node:assert/strict'
import { copyFile, mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import { buildPackage } from '../../tools/build.ts'
import { findProgram } from '../support/programs.ts'
import { breakDemoDeposit, openDirectory, runProgram, startInstalled, stopInstalled } from './installed.ts'

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
const ORDINARY = ['setpriv', '--reuid=1000', '--regid=1000', '--clear-groups']

const skip =
  findProgram('mmdebstrap') === undefined
    ? 'not installed: mmdebstrap'
    : process.getuid?.() !== 0 && 'only root can make a Debian here'

const directory = await openDirectory({ after })
const debian = join(directory, 'debian')
let tarball: string

before(async () => {
  if (skip !== false) return
  const tree = join(directory, 'package')
  await buildPackage(tree)
  const packed = JSON.parse(await runProgram('npm', ['pack', '--json'], { cwd: tree }))
  tarball = join(tree, packed[0].filename)
  await runProgram('mmdebstrap', ['--variant=apt', '--include=npm,ca-certificates', 'bookworm', debian])
  for (const file of [CERTIFICATES, '/etc/resolv.conf']) await copyFile(file, join(debian, file))
  await copyFile(tarball, join(debian, basename(tarball)))
  await mkdir(join(debian, 'home/ada'))
  await runProgram('chown', ['1000:1000', join(debian, 'home/ada')])
})

test('a fresh Debian with npm installs the package, and an ordinary user breaks a deposit', {
  skip,
}, async (t) => {
  const [program, ...install] = inDebian('npm', 'install', '--global', `/${basename(tarball)}`)
  await runProgram(program!, install, { env: { ...ENVIRONMENT, HOME: '/root' } })
  const env = { ...ENVIRONMENT, HOME: '/home/ada', DATA_DIR: '/home/ada/data', PORT: '0', DRAIN_MS: '0' }
  const service = await startInstalled(t, inDebian(...ORDINARY, 'breakwater', 'serve'), { env })
  await breakDemoDeposit(service.url, join(debian, 'home/ada/data'))
  assert.equal(await stopInstalled(service), 0)
})

const ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
  NODE_EXTRA_CA_CERTS: CERTIFICATES,
}

/** A command in that Debian. What is mounted for it is seen by nobody else, and goes with it. */
function inDebian(...command: string[]): string[] {
  const mounts = `mount -t proc proc ${debian}/proc && mount --bind /dev ${debian}/dev`
  return ['unshare', '--mount', 'sh', '-c', `${mounts} && exec chroot ${debian} "$@"`, 'sh', ...command]
}
