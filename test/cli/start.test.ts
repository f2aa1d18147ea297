/** What a start loads: only what a service needs before anybody asks it for more. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { forEachEnvironment, run, serve, temporaryDirectory } from './program.ts'

const HOOK = fileURLToPath(new URL('./note-modules.mjs', import.meta.url))
const LATER =
  /\/src\/(?:cli\/(?:backup|callers|clock|completion|events|health|import|keys|mature|migrate|move|people|policy|shard|status|verify|webhooks)|features\/[\w-]+\/(?:pages|card))\.ts$/

forEachEnvironment(({ test }) => {
  test('a start loads neither other commands nor pages, and both when they are asked for', async (t, env) => {
    const file = join(await temporaryDirectory(t), 'loaded')
    const loadedLater = () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((url) => LATER.test(url))
        .map((url) => url.slice(url.indexOf('/src/')))
    const service = await serve(t, { ...env, LOADED: file, NODE_OPTIONS: `--import=${HOOK}` })
    assert.equal((await fetch(`${service.url}/console/sign-in`)).status, 200)
    assert.deepEqual(loadedLater(), [])

    assert.equal((await fetch(`${service.url}/console/deposits`)).redirected, true)
    assert(loadedLater().includes('/src/features/deposits/pages.ts'))
    if (env.DATA_DIR !== undefined) {
      assert.equal((await run(['status'], env)).code, 0)
      assert(loadedLater().includes('/src/cli/status.ts'), 'the service answers the command')
    }
    assert.equal((await service.stop()).code, 0)
  })
})
