/**
 * Which program this is: the version of its package, and the commit it was made from. A release tree carries the commit in
 * a file; a checkout asks git. Anything else does not know it.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Release = { version: string; commit: string | null }

/** Written by tools/build.ts into the root of a release tree. */
export const COMMIT_FILE = 'commit'
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let known: Release | null = null

export function release(): Release {
  known ??= readRelease(ROOT)
  return known
}

export function readRelease(root: string): Release {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return { version, commit: readCommit(root) }
}

/** The file counts first: a release may be installed inside the checkout of another program. */
export function readCommit(root: string): string | null {
  const file = join(root, COMMIT_FILE)
  if (existsSync(file)) return commitIn(readFileSync(file, 'utf8'))
  if (!existsSync(join(root, '.git'))) return null
  try {
    const asked = ['rev-parse', 'HEAD']
    return commitIn(execFileSync('git', asked, { cwd: root, encoding: 'utf8', stdio: 'pipe' }))
  } catch {
    // git is not installed, or refuses a checkout of another user.
    return null
  }
}

function commitIn(text: string): string | null {
  return /^[0-9a-f]{40}/.exec(text)?.[0] ?? null
}

/** "0.3.0 (3b1f0a9c2d4e)"; of the commit as much as git shows. */
export function releaseText({ version, commit }: Release): string {
  return commit === null ? version : `${version} (${commit.slice(0, SHOWN_CHARACTERS)})`
}

const SHOWN_CHARACTERS = 12
