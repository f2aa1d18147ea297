/** Makes a release in a copy of the committed tree. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandsOf, ROOT } from '../support/documents.ts'

const skip = existsSync(join(ROOT, '.git')) ? false : 'this is not a git checkout'

test('a release sets version, notes and document, and is tagged; a dirty tree is refused', { skip }, () => {
  const copy = mkdtempSync(join(tmpdir(), 'breakwater-release-'))
  const env = { ...process.env, GIT_AUTHOR_NAME: 'x', GIT_AUTHOR_EMAIL: 'x@example.com' }
  const options = {
    cwd: copy,
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...env, GIT_COMMITTER_NAME: 'x', GIT_COMMITTER_EMAIL: 'x@example.com' },
  } as const
  const git = (...args: string[]) => execFileSync('git', args, options).trim()
  const release = (version: string) => spawnSync(process.execPath, ['tools/release.ts', version], options)
  try {
    execFileSync('git', ['clone', '--quiet', '--shared', ROOT, copy], { stdio: 'pipe' })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    // A link is not the folder that .gitignore names.
    appendFileSync(join(copy, '.git/info/exclude'), 'node_modules\n')
    const notes = join(copy, 'CHANGELOG.md')
    const before = git('rev-parse', 'HEAD')
    for (const version of ['0.0.1', '99.0', 'v99.0.0', '']) assert.equal(release(version).status, 1, version)
    appendFileSync(notes, '\n')
    const refused = release('99.0.0')
    assert.deepEqual([refused.status, refused.stderr], [1, 'The tree has changes: commit them first.\n'])
    git('checkout', '--', 'CHANGELOG.md')
    git('tag', 'clients/go/v98.0.0')
    const taken = release('98.0.0')
    assert.deepEqual([taken.status, taken.stderr], [1, 'clients/go/v98.0.0 is a tag already.\n'])
    assert.deepEqual([git('rev-parse', 'HEAD'), git('tag', '--list', '*v99*')], [before, ''])

    const filled = readFileSync(notes, 'utf8').replace(
      '### Added\n',
      '### Added\n\n- A thing of this test.\n',
    )
    rmSync(notes)
    appendFileSync(notes, filled)
    git('commit', '--all', '--quiet', '--message', 'Note a thing')
    const remote = join(copy, '.git/remote')
    git('init', '--quiet', '--bare', remote)
    git('remote', 'set-url', 'origin', remote)
    const [commands, ...others] = commandsOf('docs/releases.md', 'sh')
    assert.deepEqual(others, [])
    const pasted = commands!.replace('0.3.0', '99.0.0')
    const made = spawnSync('bash', ['-ec', pasted], options)
    assert.equal(made.status, 0, made.stderr)
    assert.equal(git('status', '--porcelain'), '')
    assert.equal(git('log', '-1', '--format=%s'), 'Release 99.0.0')
    const pushed = git('ls-remote', '--tags', 'origin')
    // The Go client has a tag of its own.
    for (const tag of ['v99.0.0', 'clients/go/v99.0.0']) {
      assert.match(pushed, new RegExp(`^${git('rev-parse', 'HEAD')}\\trefs/tags/${tag}\\^{}$`, 'm'))
      assert.equal(git('cat-file', '-t', tag), 'tag')
    }
    assert.match(
      readFileSync(notes, 'utf8'),
      /^## 99\.0\.0, \d{4}-\d\d-\d\d\n\n### Added\n\n- A thing of this test/m,
    )
    const read = (name: string) => JSON.parse(readFileSync(join(copy, name), 'utf8'))
    const lock = read('package-lock.json')
    assert.deepEqual(
      [
        read('package.json').version,
        lock.version,
        lock.packages[''].version,
        read('openapi.json').info.version,
      ],
      Array(4).fill('99.0.0'),
    )
    const shown = execFileSync(process.execPath, ['src/cli/main.ts', '--version'], options)
    assert.equal(shown, `99.0.0 (${git('rev-parse', 'HEAD').slice(0, 12)})\n`)
  } finally {
    rmSync(copy, { recursive: true })
  }
})
