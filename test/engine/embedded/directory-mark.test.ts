import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { DirectoryCopiedError, markDirectory } from '../../../src/engine/embedded/directory-mark.ts'
import { openPglite } from '../../../src/engine/embedded/pglite.ts'
import { run } from '../../cli/program.ts'

const scratch = await mkdtemp(join(tmpdir(), 'breakwater-mark-'))
after(() => rm(scratch, { recursive: true }))

let directories = 0
function newPath(): string {
  directories += 1
  return join(scratch, String(directories))
}

async function openAndListen(directory: string) {
  const said: string[] = []
  const db = await openPglite({ directory, onCopy: (sentence) => said.push(sentence) })
  return { db, said }
}

async function copyOf(directory: string): Promise<string> {
  const copy = newPath()
  // Sockets are not files that can be copied; the copies of other tools have them, and nobody answers there.
  await cp(directory, copy, { recursive: true, filter: (source) => !source.endsWith('.lock') })
  return copy
}

test('a copy of a directory is refused while the original is in use, and mentioned after that', async () => {
  const original = newPath()
  const { db } = await openAndListen(original)
  const copy = await copyOf(original)
  const refusal = new RegExp(`^The data directory ${copy} is a copy of ${original}, which is in use: `)
  await assert.rejects(openPglite({ directory: copy }), (error) => {
    assert(error instanceof DirectoryCopiedError)
    assert.match(error.message, refusal)
    return true
  })
  const command = await run(['callers', 'list'], { DATA_DIR: copy })
  assert.equal(command.code, 2)
  assert.match(command.stderr, refusal)

  await db.close()
  const opened = await openAndListen(copy)
  assert.equal(opened.said.length, 1)
  assert.match(
    opened.said[0]!,
    new RegExp(`^The data directory ${copy} was ${original} when it was last in use\\.`),
  )
  await opened.db.close()
  const again = await openAndListen(copy)
  assert.deepEqual(again.said, [])
  await again.db.close()
})

test('a copy of a directory that nothing uses is like any other', async () => {
  const original = newPath()
  await (await openAndListen(original)).db.close()
  const { db, said } = await openAndListen(await copyOf(original))
  assert.deepEqual(said, [])
  await db.close()
  assert.deepEqual(await readdir(original), ['cluster'])
})

test('a directory whose process was killed is known again, also under another name', async () => {
  const said: string[] = []
  const directory = await mkdtemp(join(scratch, 'killed-'))
  const mark = (path: string) => markDirectory(path, (sentence) => said.push(sentence))
  await mark(directory)
  await mark(directory)
  await rename(directory, `${directory}-moved`)
  const unmark = await mark(`${directory}-moved`)
  assert.deepEqual(said, [])
  await unmark()
  assert.deepEqual(await readdir(`${directory}-moved`), [])
})
