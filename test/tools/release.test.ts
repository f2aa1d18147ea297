import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  digestsOf,
  isLater,
  ReleaseError,
  readReleasedMigrations,
  releasedNotes,
} from '../../tools/release.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

test('released migrations are as they were released', () => {
  const released = readReleasedMigrations(ROOT)
  assert(Object.keys(released).length >= 20)
  const now = digestsOf(`${ROOT}migrations`)
  for (const [name, digest] of Object.entries(released)) assert.equal(now[name], digest, name)
})

test('new migrations come after the released ones', () => {
  const released = Object.keys(readReleasedMigrations(ROOT)).sort()
  const last = released.at(-1)!
  const added = Object.keys(digestsOf(`${ROOT}migrations`)).filter((name) => !released.includes(name))
  assert.deepEqual(
    added.filter((name) => name < last),
    [],
  )
})

test('a version is later by its first part that differs', () => {
  for (const [version, than, later] of [
    ['0.3.0', '0.2.0', true],
    ['0.10.0', '0.9.9', true],
    ['1.0.0', '0.99.99', true],
    ['0.2.1', '0.2.0', true],
    ['0.2.0', '0.2.0', false],
    ['0.2.0', '0.10.0', false],
    ['0.2.9', '1.0.0', false],
  ] as const) {
    assert.equal(isLater(version, than), later, `${version} after ${than}`)
  }
})

const OLD = '## 0.2.0, 2026-11-16\n\n- Something.\n'
const EMPTY = '# Changes\n\n## Unreleased\n\n### Added\n\n### Changed\n\n### Fixed\n\n### Removed\n\n'

test('the notes of a release are those that were unreleased, without empty sections', () => {
  const notes = `${EMPTY.replace('### Added\n', '### Added\n\n- A thing\n  of two lines.\n').replace('### Fixed\n', '### Fixed\n\n- A fault.\n')}${OLD}`
  assert.equal(
    releasedNotes(notes, '0.3.0', '2026-11-20'),
    `${EMPTY}## 0.3.0, 2026-11-20\n\n### Added\n\n- A thing\n  of two lines.\n\n### Fixed\n\n- A fault.\n\n${OLD}`,
  )
})

test('a release that changed nothing, or has no notes, is refused', () => {
  assert.throws(() => releasedNotes(`${EMPTY}${OLD}`, '0.3.0', '2026-11-20'), ReleaseError)
  assert.throws(() => releasedNotes(`# Changes\n\n${OLD}`, '0.3.0', '2026-11-20'), ReleaseError)
})

test('the notes have a section for what is not released yet, or the program has the newest version', () => {
  const notes = readFileSync(`${ROOT}CHANGELOG.md`, 'utf8')
  const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
  assert.equal(/^## Unreleased$/m.exec(notes)?.length, 1)
  assert.equal(/^## (\d+\.\d+\.\d+), \d{4}-\d\d-\d\d$/m.exec(notes)?.[1], version)
})
