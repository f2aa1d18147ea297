/**
 * The blocks of docs/operating.md, pasted in a copy of the checkout as they stand there, but for addresses, ports and the
 * names that stand for the reader's own. Those of PostgreSQL run on a server with TLS that this file starts.
 */
import assert from 'node:assert/strict'
import { chown, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sealPass } from '../../src/features/seals/job.ts'
import { temporaryDirectory } from '../cli/program.ts'
import { openDirectory, runProgram } from '../install/installed.ts'
import { copyCheckout } from '../support/checkout.ts'
import { commandsOf, ROOT } from '../support/documents.ts'
import { engines } from '../support/engines.ts'
import { findFreePort, findUser, startPostgresServer } from '../support/postgres-server.ts'
import { findProgram } from '../support/programs.ts'
import { openDeposit, startService } from '../support/service.ts'
import { openShell, type Shell } from '../support/shell.ts'

/** In the order of the document. A block that is added to it needs a name here, and a test that pastes it. */
const NAMES = [
  ...['checkout', 'npm', 'letterhead', 'postgres', 'clock', 'dump', 'restoreDump', 'backup', 'restoreBackup'],
  ...['move', 'keys', 'rollByHolder', 'status', 'people', 'verify', 'proof'],
] as const
const blocks = commandsOf('docs/operating.md', 'sh')
const block = (name: (typeof NAMES)[number]) => blocks[NAMES.indexOf(name)]!

const absent = ['openssl', 'curl'].filter((name) => findProgram(name) === undefined)
const skip =
  engines.find(({ name }) => name === 'PostgreSQL')!.skip ||
  (absent.length > 0 && `not installed: ${absent.join(', ')}`)

test('each block of the handbook is known here', () => {
  assert.equal(blocks.length, NAMES.length)
  // Pasted by test/install/package.test.ts, which has a registry.
  assert.match(block('npm'), /npm pack/)
})

test('what the handbook says of the embedded engine works as it stands there', { skip }, async (t) => {
  const server = await startServer(t)
  const place = await openPlace(t, server.env)
  const { cwd, shell } = place
  // CI begins with npm ci; here it would remove the packages that this test runs on.
  assert.equal(block('checkout'), 'npm ci\nnpm start\n')
  const service = await shell.pasteService('npm start')
  await shell.paste(block('backup'))
  await service.stop()

  const callerId = await callerIn(place)
  await writeFile(join(cwd, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  const written = await shell.paste(block('letterhead').replace('cal_…', callerId))
  assert.match(written, /Harbour Bank plc/)
  assert.match(await shell.paste(block('restoreBackup')), /There is no difference/)
  await shell.paste(
    `createdb moved\nTARGET_URL=postgresql://postgres@localhost:${server.port}/moved\n${block('move')}`,
  )
  const there = `DATABASE_URL="$TARGET_URL" npx breakwater callers list`
  assert.match(await shell.paste(there), new RegExp(callerId))
})

test('what the handbook says of PostgreSQL works as it stands there', { skip }, async (t) => {
  const server = await startServer(t)
  const place = await openPlace(t, server.env)
  const { shell, url } = place
  const there = block('postgres')
    .replace('db.example.com:5432', `localhost:${server.port}`)
    .replace('/etc/ssl/db.crt', server.certificate)
  assert.match(there, /sslmode=verify-full&sslrootcert=\//)
  const service = await shell.pasteService(there)
  const callerId = await callerIn(place)
  const withIds = (name: (typeof NAMES)[number], ids: Record<string, string> = {}) =>
    Object.entries({ ...ids, 'cal_…': callerId, CALLER_ID: callerId }).reduce(
      (text, [placeholder, id]) => text.replaceAll(placeholder, id),
      block(name),
    )

  assert.match(await shell.paste(withIds('clock')), /Every live book already continues from today/)
  await shell.paste(block('dump'))
  const restoredUrl = /'(postgresql:.+)'/.exec(there)![1]!.replace('/breakwater?', '/restored?')
  const restored = await shell.paste(`RESTORED_URL='${restoredUrl}'\n${block('restoreDump')}`)
  assert.match(restored, /There is no difference/)

  const create = `npx breakwater keys create --caller ${callerId} --mode test --json --scopes`
  const key = await answerOf(place, `${create} customers:read`)
  assert.match(await shell.paste(withIds('keys', { KEY_ID: key.api_key_id })), /Branch 12/)
  const holder = await answerOf(place, `${create} api_keys:write`)
  const names = `URL=${url} API_KEY_ID=${holder.api_key_id} API_KEY=${holder.key}`
  assert.match(await shell.paste(`${names}\n${block('rollByHolder')}`), /"status":true/)

  assert.match(await shell.paste(block('status')), /schema_version/)
  const invite = `npx breakwater people invite --caller ${callerId} --email eze@example.com --name Eze`
  const person = await answerOf(place, `${invite} --role CLERK --json`)
  await accept(url, person.link)
  assert.match(await shell.paste(withIds('people', { PERSON_ID: person.person_id })), /DISABLED/)
  assert.match(await shell.paste(block('verify')), /There is no difference/)
  await service.stop()
})

test('the proof of an event is checked by the commands of the handbook', {
  skip: (findProgram('python3') === undefined && 'not installed: python3') || skip,
}, async (t) => {
  const db = await engines[0]!.open()
  t.after(() => db.close())
  const { app, ask, service, testKey, close } = await startService(db)
  t.after(close)
  await openDeposit(ask, { amount: 1_000 })
  await sealPass(service, { marginMs: 0 })
  const [event] = (await ask('GET', '/v2/events?limit=1&type=fixed_deposit.created')).json.data
  const [seal] = (await ask('GET', '/v2/seals')).json.data
  const cwd = await temporaryDirectory(t)
  await symlink(join(ROOT, 'tools'), join(cwd, 'tools'))
  const env = {
    PATH: process.env.PATH,
    URL: await app.listen({ host: '127.0.0.1', port: 0 }),
    KEY: testKey,
    EVENT_ID: event.id,
    N: String(seal.seal_no),
    KEPT_HEAD: seal.head,
  }
  await runProgram('bash', ['-ec', block('proof')], { cwd, env })
  const another = { ...env, KEPT_HEAD: seal.head.replaceAll(/./g, '0') }
  await assert.rejects(runProgram('bash', ['-ec', block('proof')], { cwd, env: another }))
})

type Place = { cwd: string; shell: Shell; url: string }

/** A copy of the checkout with a shell in it, for a service that listens at `url`. */
async function openPlace(context: TestContext, env: NodeJS.ProcessEnv): Promise<Place> {
  const port = await findFreePort()
  const cwd = await copyCheckout(context)
  const { HOME } = process.env
  const shell = openShell(context, { cwd, env: { HOME, PORT: String(port), DRAIN_MS: '0', ...env } })
  return { cwd, shell, url: `http://127.0.0.1:${port}` }
}

/** What a command prints with --json, apart from the log of the service that runs in the same shell. */
async function answerOf({ cwd, shell }: Place, command: string): Promise<any> {
  await shell.paste(`${command} > answer.json`)
  return JSON.parse(await readFile(join(cwd, 'answer.json'), 'utf8'))
}

async function callerIn(place: Place): Promise<string> {
  const [first] = await answerOf(place, 'npx breakwater callers list --json')
  return first.caller_id
}

/** Only somebody who has a password can reset it. */
async function accept(url: string, link: string): Promise<void> {
  const body = new URLSearchParams({ token: new URL(link).hash.slice(1), password: 'a password for a test' })
  const headers = { 'sec-fetch-site': 'same-origin' }
  const answer = await fetch(`${url}/console/welcome`, { method: 'POST', body, headers })
  assert.equal(answer.status, 200, await answer.text())
}

/** Unlike that of other tests it is durable, and has a certificate for localhost. */
async function startServer(context: TestContext): Promise<{
  port: string
  certificate: string
  env: NodeJS.ProcessEnv
}> {
  const directory = await openDirectory(context)
  const [key, certificate] = [join(directory, 'server.key'), join(directory, 'server.crt')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate]
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  await runProgram('openssl', [...request, ...names])
  const { uid, gid } = findUser()!
  if (uid !== undefined) await chown(key, uid, gid!)
  const tls = ['ssl=on', `ssl_key_file=${key}`, `ssl_cert_file=${certificate}`]
  const server = await startPostgresServer(['fsync=on', ...tls])
  assert(typeof server !== 'string', String(server))
  context.after(() => server.stop())
  const { port } = new URL(server.url)
  return {
    port,
    certificate,
    // As for somebody who may create roles and databases on the server.
    env: {
      PATH: `${server.binaries}:${process.env.PATH}`,
      PGHOST: 'localhost',
      PGPORT: port,
      PGUSER: 'postgres',
    },
  }
}
