import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type IsoDate, isoDate } from '../../../src/domain/dates.ts'
import { type Minor, minor } from '../../../src/domain/money.ts'
import { amount, calendarDate, group, rowMap, text, textOr } from '../../../src/engine/database/row-map.ts'

type Broken = { on: IsoDate; principal: Minor; taxClass: string }
type Item = { id: string; note: string | null; broken: Broken | null }

const map = rowMap<Item>({
  id: text('id'),
  note: text<string | null>('note'),
  broken: group<Broken>({
    on: calendarDate('broken_on'),
    principal: amount('broken_minor'),
    taxClass: textOr('broken_class', 'STANDARD'),
  }),
})

const written = (item: Item) =>
  Object.fromEntries(Object.entries(map.rows).map(([column, [, write]]) => [column, write(item)]))

test('a row that is read is the item that was written, also where a group is null', () => {
  const broken = { on: isoDate('2026-07-01'), principal: minor(5n), taxClass: 'EXEMPT' }
  for (const item of [
    { id: 'a', note: null, broken },
    { id: 'b', note: 'x', broken: null },
  ]) {
    assert.deepEqual(map.read(written(item)), item)
  }
  assert.deepEqual(written({ id: 'b', note: 'x', broken: null }), {
    id: 'b',
    note: 'x',
    broken_on: null,
    broken_minor: null,
    broken_class: null,
  })
})

test('a column that was added later has a value in older rows', () => {
  const row = { id: 'a', note: null, broken_on: '2026-07-01', broken_minor: 5n, broken_class: null }
  assert.equal(map.read(row).broken?.taxClass, 'STANDARD')
})

test('some of the members have some of the columns, in the order asked for', () => {
  const some = map.pick('broken', 'id')
  assert.equal(map.columns, 'id, note, broken_on, broken_minor, broken_class')
  assert.equal(some.columns, 'broken_on, broken_minor, broken_class, id')
  assert.deepEqual(some.read({ id: 'a', broken_on: null }), { broken: null, id: 'a' })
})
