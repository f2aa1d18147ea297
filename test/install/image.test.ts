/**
 * The image, built as a release builds it and run with a read-only root, without capabilities and without a way to get
 * more rights. Needs root, buildah, runc and mmdebstrap, a mirror of Debian and a registry of packages.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildPackage } from '../../tools/build.ts'
import { buildImage, createBuildah, makeNodeImage } from '../../tools/image.ts'
import { findProgram } from '../support/programs.ts'
import { breakDemoDeposit, endOf, openDirectory, runProgram } from './installed.ts'

const IMAGE_MAX_BYTES = 220_000_000
const USER = 10_001
const DRAIN_MS = 2000

const absent = ['buildah', 'runc', 'mmdebstrap'].filter((name) => findProgram(name) === undefined)
const skip =
  absent.length > 0
    ? `not installed: ${absent.join(', ')}`
    : process.getuid?.() !== 0 && 'only root can build and run an image here'

type ImageConfig = {
  User: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  WorkingDir: string
  ExposedPorts: object
  Volumes: object
  Labels: Record<string, string>
}

const directory = await openDirectory({ after })
const buildah = createBuildah(join(directory, 'buildah'))
const volume = join(directory, 'volume')
let config: ImageConfig
let port: number

before(async () => {
  if (skip !== false) return
  const tree = join(directory, 'package')
  await buildPackage(tree)
  await makeNodeImage(buildah, { directory, timestamp: 0 })
  await buildImage(buildah, { tree, tag: 'breakwater', version: '0.0.0', revision: 'none', timestamp: 0 })
  const { OCIv1 } = JSON.parse(await buildah('inspect', '--type', 'image', 'breakwater'))
  config = OCIv1.config
  await mkdir(volume, { mode: 0o700 })
  await chown(volume, USER, USER)
  port = await freePort()
  await writeBundles(await buildah('mount', (await buildah('from', 'breakwater')).trim()))
})

test('the image has at most 220 MB, an ordinary user and no secret in its settings', { skip }, async () => {
  const [listed] = JSON.parse(await buildah('images', '--json', 'breakwater'))
  assert(bytesOf(listed.size) <= IMAGE_MAX_BYTES, listed.size)
  assert.equal(config.User, `${USER}:${USER}`)
  assert.deepEqual(config.Entrypoint, ['node', '/app/bin/breakwater.js'])
  assert.deepEqual(config.Cmd, ['serve'])
  assert.deepEqual([Object.keys(config.ExposedPorts), Object.keys(config.Volumes)], [['8080/tcp'], ['/data']])
  assert.deepEqual(config.Env.filter((pair) => !pair.startsWith('PATH=')).sort(), [
    'DATA_DIR=/data',
    'HOST=0.0.0.0',
    'LOG_FORMAT=json',
    'NODE_ENV=production',
    'PORT=8080',
  ])
  assert.equal(config.Labels['org.opencontainers.image.licenses'], 'Apache-2.0')
})

test('it breaks a deposit with a read-only root and no capability, and stops without a failed request', {
  skip,
}, async (t) => {
  const demo = await runProgram('runc', [...RUNC, 'run', '--bundle', bundle('demo'), 'breakwater-demo'])
  assert.match(demo, /^curl /m)
  const name = `breakwater-${process.pid}`
  const container = spawn('runc', [...RUNC, 'run', '--bundle', bundle('serve'), name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => endOf('runc', [...RUNC, 'delete', '--force', name]))
  let printed = ''
  container.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const ended = once(container, 'exit')
  const url = `http://127.0.0.1:${port}`
  while (!printed.includes('"event":"listening"')) await once(container.stdout, 'data')
  const isReady = async () => (await fetch(`${url}/readyz`)).ok
  while (!(await isReady())) await sleep(50)

  await breakDemoDeposit(url, volume)
  const exec = (...args: string[]) => endOf('runc', [...RUNC, 'exec', name, 'node', ...args])
  assert.match((await exec('/app/bin/breakwater.js', 'status')).stdout, /schema_version/)
  assert.equal((await exec('/app/bin/breakwater.js', 'health')).code, 0)
  const rights = "console.log(process.getuid(), fs.readFileSync('/proc/self/status', 'utf8'))"
  const { stdout } = await exec('--eval', rights)
  assert.match(stdout, new RegExp(`^${USER} `))
  assert.deepEqual([...stdout.matchAll(/^Cap(?:Prm|Eff|Bnd):\t0{16}$/gm)].length, 3)
  assert.match(stdout, /^NoNewPrivs:\t1$/m)
  assert.match((await exec('--eval', "fs.writeFileSync('/app/written', '')")).stderr, /EROFS/)

  const stoppedAtMs = performance.now()
  await runProgram('runc', [...RUNC, 'kill', name, 'TERM'])
  // As a load balancer does: requests are sent until the probe says that this instance stops.
  for (let draining = false; !draining; draining = !(await isReady()))
    assert.equal((await fetch(`${url}/v2/openapi.json`)).status, 200)
  assert.deepEqual(await ended, [0, null])
  assert(performance.now() - stoppedAtMs < DRAIN_MS + 5000)
})

const RUNC = ['--root', join(directory, 'runc')]

function bundle(command: string): string {
  return join(directory, `bundle-${command}`)
}

/** For each command the image's own settings, in a sandbox as tight as an orchestrator can make it. */
async function writeBundles(root: string): Promise<void> {
  const further = { HOST: '127.0.0.1', PORT: String(port), DRAIN_MS: String(DRAIN_MS) }
  const path = 'PATH=/usr/local/bin:/usr/bin:/bin'
  for (const command of ['demo', 'serve']) {
    const env = [path, ...config.Env, ...Object.entries(further).map((pair) => pair.join('='))]
    const none: string[] = []
    const sandbox = {
      ociVersion: '1.0.2',
      process: {
        user: { uid: USER, gid: USER },
        args: [...config.Entrypoint, command],
        env: [...new Map(env.map((pair) => [pair.split('=')[0], pair])).values()],
        cwd: config.WorkingDir,
        noNewPrivileges: true,
        capabilities: { bounding: none, effective: none, permitted: none, inheritable: none, ambient: none },
      },
      root: { path: root.trim(), readonly: true },
      mounts: [
        { destination: '/proc', type: 'proc', source: 'proc' },
        { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755'] },
        { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'mode=1777'] },
        { destination: '/data', type: 'bind', source: volume, options: ['rbind', 'rw', 'nosuid', 'nodev'] },
      ],
      linux: { namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })) },
    }
    await mkdir(bundle(command))
    await writeFile(join(bundle(command), 'config.json'), JSON.stringify(sandbox))
  }
}

function bytesOf(size: string): number {
  const [, number, unit] = /^([\d.]+) ?(\w+)$/.exec(size)!
  return Number(number) * { KB: 1e3, MB: 1e6, GB: 1e9 }[unit!]!
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: free } = server.address() as { port: number }
  await once(server.close(), 'close')
  return free
}
