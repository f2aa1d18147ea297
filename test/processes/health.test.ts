import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { run, serve, temporaryDirectory } from '../cli/program.ts'

test('health is 0 while the service takes requests, and 1 while it stops and afterwards', async (t) => {
  const directory = join(await temporaryDirectory(t), 'data')
  const service = await serve(t, { DATA_DIR: directory, DRAIN_MS: '3000' })
  const env = { PORT: new URL(service.url).port }
  assert.deepEqual(await run(['health'], env), {
    code: 0,
    stdout: 'The service takes requests.\n',
    stderr: '',
  })
  service.kill('SIGTERM')
  while ((await fetch(`${service.url}/readyz`)).ok);
  assert.deepEqual(await run(['health'], env), {
    code: 1,
    stdout: '',
    stderr: 'This instance is stopping. Send requests to another one.\n',
  })
  await service.end()
  assert.deepEqual(await run(['health'], env), {
    code: 1,
    stdout: '',
    stderr: `There is no answer at ${service.url}/readyz.\n`,
  })
})
