import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvText } from '../../src/wire/csv.ts'
import { money } from '../../src/wire/envelope.ts'
import { csvOf, jsonLinesOf } from '../../src/wire/export.ts'
import type { Written } from '../../src/wire/record.ts'

async function* pagesOf(...pages: Written[][]): AsyncGenerator<Written[]> {
  yield* pages
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

const rows: Written[] = [
  { name: 'Ada', amount: money(-150n), open: true, own: null },
  { name: 'Bello, "B"\nLagos', amount: money(0n), open: false, own: { branch: 'Marina' } },
  { name: '=1+1', amount: money(999_999_999_999_999n), open: true, own: ['+', '@'] },
]

test('JSON lines are one record each, and end with their number', async () => {
  const text = await textOf(jsonLinesOf({ pages: pagesOf(rows.slice(0, 2), rows.slice(2)) }))
  assert.equal(
    text,
    '{"name":"Ada","amount":-1.50,"open":true,"own":null}\n' +
      '{"name":"Bello, \\"B\\"\\nLagos","amount":0.00,"open":false,"own":{"branch":"Marina"}}\n' +
      '{"name":"=1+1","amount":9999999999999.99,"open":true,"own":["+","@"]}\n' +
      '{"rows":3}\n',
  )
  assert.equal(await textOf(jsonLinesOf({ pages: pagesOf() })), '{"rows":0}\n')
})

test('CSV has a header, quotes what needs it, defuses formulas, and ends with the number of rows', async () => {
  const columns = ['name', 'amount', 'open', 'own']
  const text = await textOf(csvOf({ columns, pages: pagesOf(rows.slice(0, 2), rows.slice(2)) }))
  assert.equal(
    text,
    'name,amount,open,own\r\n' +
      'Ada,-1.50,true,\r\n' +
      '"Bello, ""B""\nLagos",0.00,false,"{""branch"":""Marina""}"\r\n' +
      '\'=1+1,9999999999999.99,true,"[""+"",""@""]"\r\n' +
      'rows,3,,\r\n',
  )
  for (const start of ['=', '+', '-', '@', '\t']) {
    const cell = await textOf(csvOf({ columns: ['name'], pages: pagesOf([{ name: `${start}x` }]) }))
    assert.equal(cell, `name\r\n'${start}x\r\nrows\r\n`)
  }
})

test('a cell is a number only if all of it is one', async () => {
  const cells: [given: string, written: string][] = [
    ['-3000000.00', '-3000000.00'],
    ['-1', '-1'],
    ['0.5', '0.5'],
    ['-', "'-"],
    ['--1', "'--1"],
    ['-.5', "'-.5"],
    ['-1.', "'-1."],
    ['-1e5', "'-1e5"],
    ['-1+cmd', "'-1+cmd"],
    ['-1\n', `"'-1\n"`],
    ['+1', "'+1"],
    ['=1', "'=1"],
    ['-1,2', `"'-1,2"`],
  ]
  for (const [given, written] of cells) {
    const text = await textOf(csvOf({ columns: ['name'], pages: pagesOf([{ name: given }]) }))
    assert.equal(text, `name\r\n${written}\r\nrows\r\n`)
    assert.equal(csvText(['name'], [[given]]), `name\r\n${written}\r\n`)
  }
})

function harmless(cell: string): string {
  return /^-?\d+(\.\d+)?$/.test(cell) ? cell : cell.replace(/^(?=[=+\-@\t\r])/, "'")
}

/** As RFC 4180 reads it. */
function parseCsv(text: string): string[][] {
  const lines: string[][] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  for (let line: string[] = []; cell.lastIndex < text.length; ) {
    const [, quoted, plain, end] = cell.exec(text)!
    line.push(quoted?.replaceAll('""', '"') ?? plain!)
    if (end === ',') continue
    lines.push(line)
    line = []
  }
  return lines
}

test('any text comes back from CSV, but for the mark before a formula', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ a: fc.string({ unit: 'binary' }), b: fc.string() })),
      async (given) => {
        const text = await textOf(csvOf({ columns: ['a', 'b'], pages: pagesOf(given) }))
        const [header, ...lines] = parseCsv(text)
        assert.deepEqual(header, ['a', 'b'])
        assert.deepEqual(lines.pop(), ['rows', String(given.length)])
        const expected = given.map(({ a, b }) => [a, b].map((cell) => harmless(cell)))
        assert.deepEqual(lines, expected)
      },
    ),
  )
})
