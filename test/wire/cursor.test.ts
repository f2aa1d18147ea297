import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCursor, ordinals, readCursor } from '../../src/wire/cursor.ts'

test('a cursor holds any ordinal that the database can, and no larger one', () => {
  const list = { operationId: 'listCustomers', bookId: 'bk_1', filters: {} }
  const largest = 2n ** 63n - 1n
  for (const ordinal of [0n, 1n, largest]) {
    assert.equal(readCursor(list, formatCursor(list, ordinal, ordinals), ordinals), ordinal)
  }
  const tooLarge = formatCursor(list, largest + 1n, ordinals)
  assert.throws(() => readCursor(list, tooLarge, ordinals), { message: 'invalid_request' })
})
