/** Programs of others, built by Go's ordinary client into a folder outside this repository. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'

export type GoProgram = { name: string; module: string; version: string; package: string }
export type Installed = { path: string; version: string }

const INSTALL_MAX_MS = 1_200_000

/** Returns why it could not be built, in one line. What the folder has already is taken as it is. */
export function installGoProgram(program: GoProgram, folder: string): Installed | string {
  const path = join(folder, program.name)
  if (!existsSync(path)) {
    if (spawnSync('go', ['version']).status !== 0) return 'Go is not installed'
    mkdirSync(folder, { recursive: true })
    const failure = build(program, folder, path)
    if (failure !== null) return failure
  }
  return { path, version: versionOf(program, path) }
}

function build({ name, package: asked, version }: GoProgram, folder: string, path: string): string | null {
  const go = (args: readonly string[], cwd: string) => {
    const env = { ...process.env, GOBIN: folder }
    const { status, stderr, error } = spawnSync('go', args, {
      ...{ cwd, env, encoding: 'utf8' },
      timeout: INSTALL_MAX_MS,
    })
    return status === 0 ? null : (error?.message ?? reasonIn(stderr))
  }
  const failure = go(['install', `${asked}@${version}`], folder)
  if (failure === null) renameSync(join(folder, basename(asked)), path)
  if (failure === null || !/replace|exclude/.test(failure)) return failure
  // A module that replaces others is not installed from outside. As a requirement of a module of ours it is built.
  const own = join(folder, `${name}-module`)
  mkdirSync(own, { recursive: true })
  return (
    go(['mod', 'init', `peers/${name}`], own) ??
    go(['get', `${asked}@${version}`], own) ??
    go(['build', '-o', path, asked], own)
  )
}

/** In one line, without addresses of registries and progress. */
export function reasonIn(stderr: string): string {
  const lines = stderr
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^go: (?:downloading|added)/.test(line))
  const text = lines.map((line) => line.trim()).join(' ')
  return text.replace(/reading https?:\/\/\S+: /g, '').slice(0, 300)
}

function versionOf({ module, version }: GoProgram, path: string): string {
  const { stdout } = spawnSync('go', ['version', '-m', path], { encoding: 'utf8' })
  const line = stdout?.split('\n').find((one) => one.includes(`\t${module}\t`))
  return line?.split('\t')[3] ?? version
}
