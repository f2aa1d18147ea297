/**
 * npm run release: writes the files of a release, made from the commit that is checked out, to dist/release.
 * npm run release -- 0.3.0: makes that commit; it sets the version and the date, records the digests of the migrations,
 * commits and tags. From then on nothing of that version changes. Refuses a dirty tree, a version that is not later than
 * the last, and notes without an entry.
 */
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SECTIONS = ['Added', 'Changed', 'Fixed', 'Removed']

/** Why a release cannot be made, as a sentence. */
export class ReleaseError extends Error {}

/** Names and digests of the migrations of all releases. */
export type ReleasedMigrations = Record<string, string>
const RELEASED_MIGRATIONS = 'tools/released-migrations.json'

export function readReleasedMigrations(root: string): ReleasedMigrations {
  return JSON.parse(readFileSync(join(root, RELEASED_MIGRATIONS), 'utf8'))
}

/** Line ends do not count, as for the service itself. */
export function digestsOf(folder: string): ReleasedMigrations {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  const digestOf = (name: string) =>
    hash('sha256', readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n'))
  return Object.fromEntries(names.sort().map((name) => [name, digestOf(name)]))
}

export function isLater(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split('.').map(Number))
  const index = left!.findIndex((part, place) => part !== right![place])
  return index >= 0 && left![index]! > right![index]!
}

/** The unreleased notes become those of the version, without empty sections; new empty ones come before them. */
export function releasedNotes(notes: string, version: string, date: string): string {
  const [, before, unreleased, after] = /^(.*?## Unreleased\n)(.*?)(?=^## )(.*)$/ms.exec(notes) ?? []
  if (unreleased === undefined) throw new ReleaseError('CHANGELOG.md has no section "Unreleased".')
  const filled = unreleased
    .split(/^(?=### )/m)
    .filter((section) => /^[-*]/m.test(section))
    .join('')
  if (filled === '') throw new ReleaseError('CHANGELOG.md says nothing about this release.')
  const empty = SECTIONS.map((name) => `\n### ${name}\n`).join('')
  return `${before}${empty}\n## ${version}, ${date}\n\n${filled.trim()}\n\n${after}`
}

export function release(root: string, version: string, date: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new ReleaseError('Name the version, such as 0.3.0.')
  if (!isLater(version, manifest.version)) throw new ReleaseError(`The last version is ${manifest.version}.`)
  if (git('status', '--porcelain') !== '') throw new ReleaseError('The tree has changes: commit them first.')
  // A module below the root of a repository has tags of its own.
  const tags = [`v${version}`, `clients/go/v${version}`]
  for (const tag of tags)
    if (git('tag', '--list', tag) !== '') throw new ReleaseError(`${tag} is a tag already.`)
  const notes = releasedNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, date)

  // After this point the release is made.
  writeFileSync(join(root, 'CHANGELOG.md'), notes)
  for (const name of ['package.json', 'package-lock.json']) setVersion(join(root, name), version)
  const digests = { ...digestsOf(join(root, 'migrations')), ...readReleasedMigrations(root) }
  writeFileSync(join(root, RELEASED_MIGRATIONS), `${JSON.stringify(digests, null, 2)}\n`)
  execFileSync(process.execPath, ['tools/generate.ts'], { cwd: root, stdio: 'inherit' })
  git('commit', '--all', '--quiet', '--message', `Release ${version}`)
  for (const tag of tags) git('tag', '--annotate', tag, '--message', `Breakwater ${version}`)
}

function setVersion(path: string, version: string): void {
  const content = JSON.parse(readFileSync(path, 'utf8'))
  content.version = version
  if (content.packages !== undefined) content.packages[''].version = version
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
}

async function writeFiles(): Promise<void> {
  const [{ makeArtefacts }, { imageAbsence }] = await Promise.all([
    import('./artefacts.ts'),
    import('./image.ts'),
  ])
  const directory = join(ROOT, 'dist/release')
  const files = await makeArtefacts(directory)
  console.log(`${directory}\n${files.join('\n')}`)
  const absence = await imageAbsence()
  if (absence !== false) console.log(`without an image: ${absence}`)
}

if (import.meta.main) {
  const [, , version] = process.argv
  try {
    if (version === undefined) await writeFiles()
    else {
      release(ROOT, version, new Date().toISOString().slice(0, 10))
      console.log(`Tagged v${version} and clients/go/v${version}. Push them with: git push --follow-tags`)
    }
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
