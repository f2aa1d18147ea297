/** The blocks of README.md, pasted one after the other in a copy of the checkout. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { copyCheckout } from '../support/checkout.ts'
import { commandsOf, ROOT } from '../support/documents.ts'
import { engines } from '../support/engines.ts'
import { findFreePort } from '../support/postgres-server.ts'
import { openShell } from '../support/shell.ts'

const postgres = engines.find(({ name }) => name !== 'PGlite')!

test('every command of the README works', { skip: postgres.skip }, async (t) => {
  const blocks = commandsOf('README.md', 'sh')
  const [start, suite, ...rest] = blocks
  // CI begins with them; here they would remove the packages that this test runs on.
  assert.equal(start, 'npm ci && npm start\n')
  assert.equal(suite, 'npm cit\n')
  assert.match(readFileSync(join(ROOT, '.ci/run'), 'utf8'), /^npm cit$/m)

  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const cwd = await copyCheckout(t)
  const { PATH, HOME } = process.env
  const shell = openShell(t, { cwd, env: { PATH, HOME, PORT: String(port), DRAIN_MS: '0' } })
  let service = await shell.pasteService('npm start')
  const refused: string[] = []
  for (const block of rest) {
    const pasted = block.replaceAll('http://127.0.0.1:8080', url)
    if (pasted.includes('export DATABASE_URL=')) {
      const db = await postgres.open()
      t.after(() => db.close())
      await service.stop()
      const there = pasted.replace(/postgresql:\S+/, db.url!)
      service = await shell.pasteService(`export DATABASE_DURABILITY_CHECK=0\n${there}`)
    } else if (pasted.includes('npx breakwater callers create')) {
      // As the text says: a command that changes something has the embedded database to itself.
      await service.stop()
      await shell.paste(await withIds(pasted, shell.paste))
      service = await shell.pasteService('npm start')
    } else if (/"status":false/.test(await shell.paste(pasted))) refused.push(pasted)
  }
  assert.equal(refused.length, 1, refused.join('\n'))
  assert.match(refused[0]!, /"ammount": 5/, 'the block that shows an error')
  await service.stop()
})

/** A caller and a key of it for the names that stand for the reader's own. */
async function withIds(block: string, paste: (block: string) => Promise<string>): Promise<string> {
  const [callerId] = /cal_\w{24}/.exec(await paste('npx breakwater callers list --json'))!
  const create = `npx breakwater keys create --caller ${callerId} --mode test --scopes customers:read --json`
  const [keyId] = /key_\w{24}/.exec(await paste(create))!
  return block.replaceAll('CALLER_ID', callerId!).replaceAll('KEY_ID', keyId!)
}

test('every command for contributors works', async () => {
  const [install, suite, ...others] = commandsOf('CONTRIBUTING.md', 'sh')
  assert.equal(install, 'npm ci\n')
  assert.deepEqual(others, [])
  // A run inside of a run would be skipped.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { stdout } = await promisify(execFile)('bash', ['-ec', suite!], { cwd: ROOT, env })
  assert.match(stdout, /^ℹ fail 0$|^# fail 0$/m)
})
