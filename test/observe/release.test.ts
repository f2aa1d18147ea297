import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { COMMIT_FILE, readRelease, releaseText } from '../../src/observe/release.ts'

const OTHER = 'f'.repeat(40)

function inFolder(work: (folder: string, git: (...args: string[]) => string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-release-'))
  const own = ['-c', 'user.name=x', '-c', 'user.email=x@example.com', '-c', 'commit.gpgsign=false']
  const git = (...args: string[]) =>
    execFileSync('git', [...own, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim()
  try {
    writeFileSync(join(folder, 'package.json'), '{"version":"1.2.3"}')
    work(folder, git)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a folder that is neither a release nor a checkout knows its version alone', () => {
  inFolder((folder) => {
    assert.deepEqual(readRelease(folder), { version: '1.2.3', commit: null })
    assert.equal(releaseText(readRelease(folder)), '1.2.3')
  })
})

test('a checkout knows its commit from git, also right after the next one', () => {
  inFolder((folder, git) => {
    git('init', '-q')
    assert.equal(readRelease(folder).commit, null)
    for (const message of ['first', 'second']) {
      git('commit', '-q', '--allow-empty', '-m', message)
      const head = git('rev-parse', 'HEAD')
      assert.equal(readRelease(folder).commit, head)
      assert.equal(releaseText(readRelease(folder)), `1.2.3 (${head.slice(0, 12)})`)
    }
  })
})

test('a release tree knows its commit from its file, also inside the checkout of another program', () => {
  inFolder((folder, git) => {
    git('init', '-q')
    git('commit', '-q', '--allow-empty', '-m', 'other')
    const installed = join(folder, 'node_modules/breakwater')
    mkdirSync(installed, { recursive: true })
    writeFileSync(join(installed, 'package.json'), '{"version":"1.2.4"}')
    assert.deepEqual(readRelease(installed), { version: '1.2.4', commit: null })
    writeFileSync(join(installed, COMMIT_FILE), `${OTHER}\n`)
    assert.deepEqual(readRelease(installed), { version: '1.2.4', commit: OTHER })
    writeFileSync(join(installed, COMMIT_FILE), 'nonsense\n')
    assert.equal(readRelease(installed).commit, null)
  })
})
