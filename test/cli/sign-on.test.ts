/** Single sign-on as the program starts with it, and without it: what is checked, and what is loaded. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Environment, forEachEnvironment, run, runAlone, serve, temporaryDirectory } from './program.ts'

const HOOK = fileURLToPath(new URL('./note-modules.mjs', import.meta.url))
const SIGN_ON = /node_modules\/(?:openid-client|oauth4webapi|jose|@simplewebauthn|@peculiar)\//
const settings = (caller: string): Environment => ({
  PUBLIC_URL: 'http://localhost:8080',
  OIDC_ISSUER: 'http://localhost:1',
  OIDC_CLIENT_ID: 'breakwater',
  OIDC_CLIENT_SECRET: 'a secret of the client',
  OIDC_CALLER: caller,
  OIDC_ROLES: 'fd-clerks=CLERK',
})

forEachEnvironment(({ test }) => {
  test('a start with a caller that does not exist ends with one sentence', async (_context, env) => {
    const ended = await runAlone(['serve'], { PORT: '0', ...env, ...settings('cal_nobody') })
    assert.notEqual(ended.code, 0)
    assert.match(ended.stderr, /OIDC_CALLER names no caller\. npx breakwater callers list shows them\./)
    assert.doesNotMatch(ended.stdout + ended.stderr, /cal_nobody|a secret of the client|listening/)
  })

  test('what single sign-on and passkeys need is not loaded before it is used', async (context, env) => {
    const file = join(await temporaryDirectory(context), 'loaded')
    const watched = { ...env, LOADED: file, NODE_OPTIONS: `--import=${HOOK}` }
    const loaded = () => readFileSync(file, 'utf8').split('\n')
    const without = await serve(context, watched)
    assert.equal((await fetch(`${without.url}/console/sign-in`)).status, 200)
    await without.stop()
    assert(
      loaded().some((url) => url.includes('/node_modules/fastify/')),
      'modules are seen',
    )
    assert.deepEqual(
      loaded().filter((url) => SIGN_ON.test(url)),
      [],
    )

    const made = await run(
      ['callers', 'create', '--name', 'Bank', '--time-zone', 'UTC', '--currency', 'USD', '--json'],
      env,
    )
    const [caller] = /cal_\w+/.exec(made.stdout)!
    const service = await serve(context, { ...watched, ...settings(caller) })
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }
    const post = (path: string, body: string) =>
      fetch(`${service.url}/console/sign-in/${path}`, { method: 'POST', headers, body })
    assert.equal((await fetch(`${service.url}/console/sign-in`)).status, 200)
    assert.equal((await post('passkey', 'credential=x')).status, 401)
    assert.deepEqual(
      loaded().filter((url) => SIGN_ON.test(url)),
      [],
      'it is set, and nobody has used it',
    )
    assert.equal((await post('sso', '')).status, 503)
    assert(
      loaded().some((url) => url.includes('/openid-client/')),
      'now it is',
    )
    assert(!loaded().some((url) => url.includes('simplewebauthn')))
    await service.stop()
  })
})
