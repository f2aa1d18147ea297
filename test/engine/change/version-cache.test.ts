import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createVersionCache } from '../../../src/engine/change/version-cache.ts'

test('ten thousand versions are cached; the next one replaces the oldest', () => {
  const { get, set } = createVersionCache()
  for (let version = 1; version <= 10_000; version += 1) set('rules', 'bk_1', version, `version ${version}`)
  assert.equal(get('rules', 'bk_1', 1), 'version 1')
  set('rules', 'bk_2', 1, 'of another book')
  assert.deepEqual(
    [get('rules', 'bk_1', 1), get('rules', 'bk_1', 2), get('rules', 'bk_2', 1)],
    [undefined, 'version 2', 'of another book'],
  )
})
