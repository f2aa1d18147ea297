import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listText, recordText, tableText } from '../../src/cli/output.ts'

const columns = [{ name: 'id' }, { name: 'name', shrinks: true }, { name: 'scopes', shrinks: true }] as const

test('a table pads its columns and shows what is missing as a dash', () => {
  assert.equal(
    tableText(columns, [
      { id: 'key_1', name: 'Branch', scopes: ['a:read', 'a:write'] },
      { id: 'key_22', name: null, scopes: [] },
    ]),
    'id      name    scopes\nkey_1   Branch  a:read, a:write\nkey_22  -',
  )
})

test('a table that would be wider than 100 columns cuts its longest texts, never an id', () => {
  const id = 'x'.repeat(50)
  const [, row] = tableText(columns, [{ id, name: 'n'.repeat(40), scopes: 's'.repeat(24) }]).split('\n')
  assert.equal(row, `${id}  ${'n'.repeat(22)}…  ${'s'.repeat(22)}…`)
  assert.equal(row!.length, 100)
  const [, whole] = tableText(columns, [{ id, name: 'n'.repeat(22), scopes: 's'.repeat(24) }]).split('\n')
  assert.equal(whole, `${id}  ${'n'.repeat(22)}  ${'s'.repeat(24)}`)
})

test('a list wraps its texts at 100 columns, below where they began', () => {
  const scopes = Array.from({ length: 20 }, (_, index) => `scope_${index}:read`)
  const lines = recordText({ name: 'Branch', scopes }, ['name', 'scopes']).split('\n')
  assert.equal(lines[0], '  name    Branch')
  assert(lines.length > 2)
  for (const line of lines) assert(line.length <= 100)
  for (const line of lines.slice(2)) assert.match(line, /^ {10}scope_/)
  assert.equal(listText([['a', 'b']]), '  a  b')
})
