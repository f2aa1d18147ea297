/** The commands of docs/sign-on.md that try single sign-on on one machine, as they stand there but for the ports. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryDirectory } from '../cli/program.ts'
import { browserAbsence, openBrowser } from '../support/browser.ts'
import { commandsOf, ROOT } from '../support/documents.ts'
import { findFreePort } from '../support/postgres-server.ts'

const [commands, ...others] = commandsOf('docs/sign-on.md', 'sh')

test('single sign-on can be tried on one machine in five commands', { skip: browserAbsence }, async (t) => {
  assert.deepEqual(others, [])
  assert.equal(commands!.trim().split('\n').length, 5)
  const [provider, service] = [await findFreePort(), await findFreePort()]
  const publicUrl = `http://localhost:${service}`
  const script = commands!
    .replace('npm run identity-provider', `npm run identity-provider -- ${provider} ${publicUrl}`)
    .replaceAll('localhost:8080', `localhost:${service}`)
    .replaceAll('localhost:8180', `localhost:${provider}`)
  const env = { ...process.env, PORT: String(service), DATA_DIR: await temporaryDirectory(t) }
  const shell = spawn('bash', ['-e', '-c', script], { cwd: ROOT, env, detached: true, stdio: 'ignore' })
  t.after(() => process.kill(-shell.pid!, 'SIGKILL'))
  while (!(await answers(`${publicUrl}/readyz`))) {
    assert.equal(shell.exitCode, null, 'the service ended')
    await sleep(100)
  }

  const browser = await openBrowser()
  t.after(() => browser.close())
  const page = await browser.newPage()
  await page.goto(`${publicUrl}/console`)
  await page.getByRole('button', { name: 'Sign in with single sign-on' }).click()
  await page.getByRole('button', { name: 'Hauwa Head' }).click()
  await page.waitForURL(`${publicUrl}/console**`)
  assert.match(await page.locator('body').innerText(), /Hauwa Head/)
})

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}
