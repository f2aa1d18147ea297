import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { engines } from '../support/engines.ts'
import { startService } from '../support/service.ts'
import { exchange } from './support/wire.ts'

const [pglite] = engines

/** Each with a spelling that the router takes for the same path, and with the status of GET without a key. */
const spellings: [path: string, allow: string | undefined][] = [
  ['/v2/customer', 'POST, GET, HEAD'],
  ['/v2/%63ustomer', 'POST, GET, HEAD'],
  ['/v2/customer?a=b', 'POST, GET, HEAD'],
  ['/v2/customer#a', 'POST, GET, HEAD'],
  ['/v2/customer/', 'PUT, GET, HEAD'],
  ['/v2/customer/a%2Fb', 'PUT, GET, HEAD'],
  ['/v2/customer/%25', 'PUT, GET, HEAD'],
  ['/v2/customer//', undefined],
  ['/v2/customer%2Fcus_1', undefined],
  ['/v2//customer', undefined],
  ['/V2/customer', undefined],
  ['//v2/customer', undefined],
  ['/v2/./customer', undefined],
  ['/v2/accounts/../customer', undefined],
  ['/v2/customer;a=b', undefined],
  ['*', undefined],
]

test('a wrong method is distinguished from a wrong path, in any spelling of the path', async () => {
  const db = await pglite!.open()
  const { app, close } = await startService(db)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const ask = (method: string, path: string) =>
    exchange(port, `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  try {
    for (const [path, allow] of spellings) {
      const read = await ask('GET', path)
      const code = allow === undefined ? 'route_not_found' : 'missing_authorization'
      assert.deepEqual(
        [path, read.status, read.json.error.code],
        [path, allow === undefined ? 404 : 401, code],
      )
      const patched = await ask('PATCH', path)
      assert.deepEqual(
        [path, patched.status, patched.headers.allow],
        [path, allow === undefined ? 404 : 405, allow],
      )
    }
  } finally {
    await close()
    await db.close()
  }
})
