/**
 * Writes the release tree, from which every package is made: the program as JavaScript, because Node does not strip
 * types below `node_modules`, with its migrations, documents and the exact versions of its dependencies. Nothing of the
 * tests, benchmarks and tools is in it.
 */
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMMIT_FILE, readCommit } from '../src/observe/release.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const COPIED = ['bin', 'migrations', 'openapi.json', 'LICENSE', 'README.md', 'CHANGELOG.md', 'examples']

/** `directory` is replaced. */
export async function buildPackage(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  for (const name of COPIED) await cp(join(ROOT, name), join(directory, name), { recursive: true })
  for await (const path of glob('docs/**/*.md', { cwd: ROOT })) await copy(path, directory)
  for await (const path of glob('src/**/*.*', { cwd: ROOT })) {
    if (path.endsWith('.ts')) await strip(path, directory)
    else await copy(path, directory)
  }
  const launcher = join(directory, 'bin/breakwater.js')
  await writeFile(launcher, withoutTypeScriptNames(await readFile(launcher, 'utf8')))
  await writeManifests(directory)
  const commit = readCommit(ROOT)
  if (commit !== null) await writeFile(join(directory, COMMIT_FILE), `${commit}\n`)
}

async function copy(path: string, directory: string): Promise<void> {
  await mkdir(dirname(join(directory, path)), { recursive: true })
  await cp(join(ROOT, path), join(directory, path))
}

async function strip(path: string, directory: string): Promise<void> {
  const target = join(directory, path.replace(/\.ts$/, '.js'))
  await mkdir(dirname(target), { recursive: true })
  const code = stripTypeScriptTypes(await readFile(join(ROOT, path), 'utf8'))
  // Types leave blanks behind, which keep the lines and columns of a stack trace but not the ends of lines.
  await writeFile(target, withoutComments(withoutTypeScriptNames(code)).replaceAll(/[ \t]+$/gm, ''))
}

/**
 * Comments that stand alone are for readers of the repository, and would make the package a tenth larger. Their lines
 * stay, empty. One with a backtick stays too, because it may be part of a text.
 */
function withoutComments(code: string): string {
  return code.replaceAll(/^[ \t]*\/\*\*[^`]*?\*\/$/gm, (comment) => comment.replaceAll(/[^\n]/g, ''))
}

/** In imports, and in the URLs of files that the program starts. */
function withoutTypeScriptNames(code: string): string {
  return code.replaceAll(
    /(\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\(\s*)'(\.{1,2}\/[^']+)\.ts'/g,
    (_, before: string, path: string) => `${before}'${path}.js'`,
  )
}

type Manifest = Record<string, unknown>

/**
 * The lock becomes a shrinkwrap, which npm also obeys where the package is installed globally or as a dependency; the
 * overrides of package.json count only at the root.
 */
async function writeManifests(directory: string): Promise<void> {
  const readJson = async (name: string) => JSON.parse(await readFile(join(ROOT, name), 'utf8'))
  const writeJson = (name: string, value: object) =>
    writeFile(join(directory, name), `${JSON.stringify(value, null, 2)}\n`)

  const {
    private: _private,
    scripts: _scripts,
    devDependencies: _development,
    ...manifest
  } = (await readJson('package.json')) as Manifest
  const files = [
    COMMIT_FILE,
    'bin',
    'src',
    'migrations',
    'docs',
    'examples',
    'openapi.json',
    'CHANGELOG.md',
    'npm-shrinkwrap.json',
  ]
  await writeJson('package.json', { ...manifest, files })

  const lock = (await readJson('package-lock.json')) as { packages: Record<string, Manifest> }
  const packages = Object.entries(lock.packages)
    .filter(([, { dev }]) => dev !== true)
    .map(([path, { devDependencies: _tools, ...rest }]) => [path, rest])
  await writeJson('npm-shrinkwrap.json', { ...lock, packages: Object.fromEntries(packages) })
}

if (import.meta.main) await buildPackage(join(ROOT, 'dist/package'))
