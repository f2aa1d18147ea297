/** Comma-separated files: records, their lines, and quotes that are wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CsvRecord, NotTextError, readCsv } from '../../src/wire/csv-reader.ts'

/** In pieces that end inside characters, quotes and line ends. */
async function recordsOf(content: string | Buffer, separatorOf = (_first: string) => ',') {
  const bytes = Buffer.from(content)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 53) yield bytes.subarray(at, at + 53)
  }
  const records: CsvRecord[] = []
  for await (const record of readCsv(pieces(), separatorOf)) records.push(record)
  return records
}

test('records have the line they begin on, whatever their quotes hold', async () => {
  const content = '\ufeffa,b\r\n"x, ""y""\nz",2\n\n"lost,3\nlast,"4"x\n'
  assert.deepEqual(await recordsOf(content), [
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x, "y"\nz', '2'] },
    { line: 5, cells: null },
  ])
  assert.deepEqual(await recordsOf('a"b,c\n"d"e,f"\n,\ng,h'), [
    { line: 1, cells: null },
    { line: 3, cells: ['', ''] },
    { line: 4, cells: ['g', 'h'] },
  ])
})

test('a file is read in pieces of any size, and must be UTF-8', async () => {
  const row = `${'é'.repeat(700)},"${'"",'.repeat(300)}"\n`
  const records = await recordsOf(row.repeat(200))
  assert.equal(records.length, 200)
  assert(records.every(({ cells }) => cells?.[1] === '",'.repeat(300)))
  await assert.rejects(recordsOf(Buffer.from([0x61, 0xff, 0x0a])), NotTextError)
})

test('the first record tells what separates the cells', async () => {
  const separatorOf = (first: string) => (first.includes(';') ? ';' : ',')
  assert.deepEqual(await recordsOf('\n"a,b";c\n1,5;2\n', separatorOf), [
    { line: 2, cells: ['a,b', 'c'] },
    { line: 3, cells: ['1,5', '2'] },
  ])
})
