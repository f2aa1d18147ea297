import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createFind } from '../../src/console/page-table.ts'
import { pages } from '../../src/console/pages.ts'
import type { Page } from '../../src/page/page.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { type Office, openConsole } from './office.ts'

const pageAt = (method: Page['method'], path: string): Page => ({
  method,
  path,
  scope: null,
  answer: async () => ({ kind: 'not_found' }),
})

test('a word goes before a parameter, HEAD is a GET, and parameters are decoded', () => {
  const find = createFind([
    pageAt('GET', '/'),
    pageAt('GET', '/deposits/:deposit_id'),
    pageAt('GET', '/deposits/new'),
    pageAt('POST', '/deposits/:deposit_id/:act'),
  ])
  const found = (method: string, path: string) => {
    const row = find(method, path)
    return row === null ? null : [row.page.path, row.params]
  }
  assert.deepEqual(found('GET', '/'), ['/', {}])
  assert.deepEqual(found('GET', '/deposits/new'), ['/deposits/new', {}])
  assert.deepEqual(found('HEAD', '/deposits/a%20b'), ['/deposits/:deposit_id', { deposit_id: 'a b' }])
  assert.deepEqual(found('GET', '/deposits/a%00'), ['/deposits/:deposit_id', { deposit_id: 'a\ufffd' }])
  assert.deepEqual(found('GET', '/deposits/%zz'), ['/deposits/:deposit_id', { deposit_id: '%zz' }])
  const both = { deposit_id: 'a', act: 'b' }
  assert.deepEqual(found('POST', '/deposits/a/b'), ['/deposits/:deposit_id/:act', both])
  for (const [method, path] of [
    ['POST', '/deposits/new'],
    ['GET', '/deposits/a/b'],
    ['GET', '/deposits/'.repeat(2)],
    ['GET', '/unknown'],
    ['PUT', '/'],
  ] as const)
    assert.equal(found(method, path), null, `${method} ${path}`)
})

test('every page is found at its own path', () => {
  const find = createFind(pages)
  for (const page of pages) assert.equal(find(page.method, page.path)?.page, page, page.path)
})

describe('requests for pages', () => {
  let db: TestDatabase
  let office: Office
  before(async () => {
    db = await engines[0]!.open()
    office = await openConsole(db)
  })
  after(async () => {
    await office?.close()
    await db?.close()
  })

  test('are counted for the route of the page, and for none where there is no page', async () => {
    const visitor = await office.visit(await office.employ('CLERK'))
    for (const path of ['/deposits/fd_1', '/deposits/fd_2', '/', '/nowhere']) await visitor.get(path)
    const { body } = await office.app.inject({ url: '/metrics' })
    const counts = Object.fromEntries(
      [...body.matchAll(/^breakwater_http_requests_total\{method="(\w+)",route="([^"]+)",.*\} (\d+)$/gm)].map(
        ([, method, route, count]) => [`${method} ${route}`, Number(count)],
      ),
    )
    assert.equal(counts['GET /console/deposits/:deposit_id'], 2)
    assert.equal(counts['GET /console'], 1)
    assert.equal(counts['ANY unmatched'], 1)
  })
})
