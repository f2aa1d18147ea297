import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCursor, readCursor } from '../../src/wire/cursor.ts'

test('a cursor holds any ordinal that the database can, and no larger one', () => {
  const list = { operationId: 'listCustomers', bookId: 'bk_1', filters: {} }
  const largest = 2n ** 63n - 1n
  for (const ordinal of [0n, 1n, largest]) {
    assert.equal(readCursor(list, formatCursor(list, ordinal)), ordinal)
  }
  assert.throws(() => readCursor(list, formatCursor(list, largest + 1n)), { message: 'invalid_request' })
})
