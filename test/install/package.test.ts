/** The npm package, made and installed by the commands of docs/operating.md. Needs a registry. */
import assert from 'node:assert/strict'
import { chmod, chown, glob, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { copyCheckout } from '../support/checkout.ts'
import { commandsOf } from '../support/documents.ts'
import {
  breakDemoDeposit,
  endOf,
  openDirectory,
  runProgram,
  startInstalled,
  stopInstalled,
} from './installed.ts'

const TARBALL_MAX_BYTES = 2 * 2 ** 20
const NPM_QUIET = ['--no-audit', '--no-fund', '--loglevel=error']

/** A user without rights of its own. Only root can run a program as another user; others lose the right to write. */
const ORDINARY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const [, commands] = commandsOf('docs/operating.md', 'sh')
const [build, install, start] = commands!.trim().split('\n') as [string, string, string]

const directory = await openDirectory({ after })
const checkout = await copyCheckout({ after })
const tree = join(checkout, 'dist/package')
let tarball: string
const files: string[] = []

before(async () => {
  await runProgram('bash', ['-ec', build], { cwd: checkout })
  for await (const path of glob('**/*.*', { cwd: tree })) files.push(path)
  tarball = join(
    tree,
    files.splice(
      files.findIndex((path) => path.endsWith('.tgz')),
      1,
    )[0]!,
  )
  const packed = await runProgram('tar', ['--list', '--file', tarball])
  assert.deepEqual(
    packed
      .trim()
      .split('\n')
      .map((path) => path.replace('package/', ''))
      .filter((path) => path.includes('.'))
      .sort(),
    files.sort(),
    'the tarball holds the whole tree',
  )
})

test('the tarball has at most 2 MB and holds no type, test, benchmark, tool or picture', async () => {
  const { size } = await stat(tarball)
  assert(size <= TARBALL_MAX_BYTES, `${size} bytes`)
  assert.deepEqual(
    files.filter((path) => /\.(?:ts|png|tgz)$|^(?:test|bench|tools|clients)\//.test(path)),
    [],
  )
  const manifest = JSON.parse(await readFile(join(tree, 'package.json'), 'utf8'))
  for (const member of ['private', 'scripts', 'devDependencies']) assert(!(member in manifest), member)
})

test('no file of the release tree names a TypeScript file that is not in it', async () => {
  for (const path of files.filter((name) => /^(?:src|bin)\/.*\.js$/.test(name)))
    assert.doesNotMatch(await readFile(join(tree, path), 'utf8'), /['"]\.{1,2}\/[^'"]+\.ts['"]/, path)
})

test('installed globally it runs for a user who cannot write it, and breaks a deposit', async (t) => {
  const prefix = join(directory, 'global')
  const atPrefix = (command: string) => command.replace('/opt/breakwater', prefix)
  await runProgram('bash', ['-ec', atPrefix(install)], { cwd: checkout })
  await runProgram('chmod', ['-R', 'a-w', prefix])
  t.after(() => runProgram('chmod', ['-R', 'u+w', prefix]))
  const home = await homeOf('global-home')
  const options = { cwd: home, env: environmentOf(home), ...ORDINARY }
  const program = join(prefix, 'bin/breakwater')

  const made = await runProgram(program, ['demo'], options)
  assert.match(made, /^curl /m)
  const service = await startInstalled(t, atPrefix(start).split(' '), options)
  await breakDemoDeposit(service.url, join(home, 'data'))
  const page = async (path: string) => (await fetch(service.url + path)).status
  assert.deepEqual(
    [await page('/docs'), await page('/console'), await page('/v2/openapi.json')],
    [200, 200, 200],
  )
  assert.match(await runProgram(program, ['status'], options), /schema_version/)
  assert.equal(await stopInstalled(service), 0)
  const written = await endOf('find', [prefix, '-newer', join(home, 'begun'), '-type', 'f'])
  assert.equal(written.stdout, '', 'nothing was written beside the program')
})

test('installed as a dependency it runs by npx', async (t) => {
  const project = join(directory, 'project')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{"name": "back-office", "private": true}')
  await runProgram('npm', ['install', ...NPM_QUIET, tarball], { cwd: project })
  const home = await homeOf('project-home')
  const env = { ...environmentOf(home), DATA_DIR: join(home, 'data') }
  const options = { cwd: project, env, ...ORDINARY }
  await runProgram('npx', ['--no', 'breakwater', 'demo'], options)
  const service = await startInstalled(t, ['npx', '--no', 'breakwater', 'serve'], options)
  await breakDemoDeposit(service.url, join(home, 'data'))
  await stopInstalled(service)
})

/** A home of the ordinary user. */
async function homeOf(name: string): Promise<string> {
  const home = join(directory, name)
  await mkdir(home)
  await writeFile(join(home, 'begun'), '')
  if (ORDINARY.uid !== undefined) await chown(home, ORDINARY.uid, ORDINARY.gid)
  await chmod(home, 0o700)
  return home
}

function environmentOf(home: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, PORT: '0', DRAIN_MS: '0', LOG_FORMAT: 'json' }
}
