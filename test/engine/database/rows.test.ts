import assert from 'node:assert/strict'
import fc from 'fast-check'
import { createScratch, type EncodedValues } from '../../../src/engine/database/encoding.ts'
import {
  encodeRows,
  type Rows,
  type StatementWithRows,
  statementOverRows,
} from '../../../src/engine/database/rows.ts'
import { forEachEngine } from '../../support/engines.ts'

const rowsOfFirst: Rows<Row> = {
  words: ['text', (row) => row.words],
  count: ['int4', (row) => row.count],
  amount: ['bigint', (row) => row.amount],
  texts: ['text[]', (row) => row.texts],
  numbers: ['bigint[]', (row) => row.numbers],
}
const rowsOfSecond: Rows<Row> = {
  flag: ['boolean', (row) => row.flag],
  day: ['date', (row) => row.day],
  at: ['timestamptz', (row) => row.at],
}

const scratch = createScratch()

const echo = statementOverRows(
  { first: rowsOfFirst, second: rowsOfSecond },
  (from, book) => `
    select ${book.second} as book_id, words, count, amount, texts, numbers, flag, day, at
    from (select row_number() over () as line, first.* from ${from.first}) as first
    join (select row_number() over () as line, second.* from ${from.second}) as second using (line)
    order by line`,
)

// PostgreSQL has no text with a zero character.
const anyText = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed())
const anyBigint = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

const rowArbitrary = fc.record({
  words: fc.option(anyText),
  count: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  amount: fc.option(anyBigint),
  texts: fc.array(fc.option(anyText), { maxLength: 4 }),
  numbers: fc.array(fc.option(anyBigint), { maxLength: 4 }),
  flag: fc.option(fc.boolean()),
  day: fc.option(fc.constantFrom('0001-01-01', '2024-02-29', '9999-12-31')),
  at: fc.option(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })),
})

type Row = typeof rowArbitrary extends fc.Arbitrary<infer Given> ? Given : never

const tricky = ['', 'null', 'NULL', '"', '\\', '{a,b}', 'a,b', ' a ', '\n', '\\"', '{"total":1500.50}', 'é😀']

forEachEngine(({ test }) => {
  test('rows arrive as they were given, in their order', async (db) => {
    await fc.assert(
      fc.asyncProperty(fc.array(rowArbitrary, { maxLength: 20 }), (rows) => assertEchoed(rows)),
      { numRuns: 100 },
    )
    const empty = {
      words: null,
      count: null,
      amount: null,
      texts: [],
      numbers: [],
      flag: null,
      day: null,
      at: null,
    }
    await assertEchoed([empty, empty])
    assert.deepEqual(
      sizesIn(overRows(echo.of('book_1', { first: [empty], second: [empty] })).values).map(
        (size) => size === -1,
      ),
      [false, false, true, true, false, false, false, true, true],
    )
    const rest = { count: 0, amount: 0n, numbers: [0n], flag: false, day: null, at: new Date(0) }
    await assertEchoed(tricky.map((words) => ({ ...rest, words, texts: [words, null, ...tricky] })))
    const long = ['long', 'é'.repeat(100_000), 'after it']
    await assertEchoed(long.map((words) => ({ ...rest, words, texts: [words] })))

    async function assertEchoed(rows: readonly Row[]): Promise<void> {
      const { text, values } = overRows(echo.of('book_1', { first: rows, second: rows }))
      const echoed = await db.query(text, values)
      assert.deepEqual(
        echoed.map((row) => ({ ...(row as object) })),
        rows.map((row) => ({ book_id: 'book_1', ...row })),
      )
    }
  })

  test('a single row arrives as it was given, without arrays', async (db) => {
    await fc.assert(
      fc.asyncProperty(rowArbitrary, async (row) => {
        const given = echo.of('book_1', { first: [row], second: [row] })
        const { text, values } = encodeRows(scratch, given, { isSharded: false })
        assert.equal(text, echo.ofSingles)
        const [echoed] = await db.query<object>(text, values)
        assert.deepEqual({ ...echoed }, { book_id: 'book_1', ...row })
      }),
      { numRuns: 100 },
    )
  })

  test('rows of several books arrive as they were given, each with its book', async (db) => {
    const anyRows = fc.array(rowArbitrary, { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(anyRows, anyRows, anyRows, async (...books) => {
        const given = books.flatMap(
          (rows, book) => echo.of(`book_${book}`, { first: rows, second: rows }).books,
        )
        const { text, values } = overRows({ statement: echo, books: given })
        assert.equal(text, echo.ofBooks)
        const echoed = await db.query(text, values)
        assert.deepEqual(
          echoed.map((row) => ({ ...(row as object) })),
          books.flatMap((rows, book) => rows.map((row) => ({ book_id: `book_${book}`, ...row }))),
        )
      }),
      { numRuns: 50 },
    )
  })
})

/** Over arrays, also where each table has a single row. */
function overRows(given: StatementWithRows) {
  return encodeRows(scratch, given, { isSharded: true })
}

function sizesIn([{ count, bytes }]: [EncodedValues]): number[] {
  let at = 0
  return Array.from({ length: count }, () => {
    const size = bytes.readInt32BE(at)
    at += 4 + Math.max(0, size)
    return size
  })
}
