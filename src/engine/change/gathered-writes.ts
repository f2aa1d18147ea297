/**
 * The writes of several books in one transaction. The same statement over rows of several books is sent once; each book
 * keeps the order of its own writes.
 */
import type { Transaction } from '../database/database.ts'
import type { StatementWithRows } from '../database/rows.ts'

type Write = { statement: string | StatementWithRows; values: readonly unknown[] | undefined }

export function gatherWrites(tx: Transaction): { ofNextBook: () => Transaction; send: () => void } {
  const books: Write[][] = []
  return {
    ofNextBook() {
      const writes: Write[] = []
      books.push(writes)
      return { ...tx, write: (statement, values) => void writes.push({ statement, values }) }
    },
    send() {
      for (const writes of books) {
        for (let first = writes.shift(); first !== undefined; first = writes.shift()) {
          const { statement: given, values } = first
          if (typeof given === 'string') tx.write(given, values)
          else tx.write(together([given, ...takeSame(books, writes, given)]))
        }
      }
    },
  }
}

/** Takes the next write of each other book where that is the same statement. */
function takeSame(
  books: readonly Write[][],
  own: readonly Write[],
  { statement }: StatementWithRows,
): StatementWithRows[] {
  return books.flatMap((writes) => {
    const next = writes[0]?.statement
    if (writes === own || typeof next !== 'object' || next.statement !== statement) return []
    writes.shift()
    return [next]
  })
}

function together(writes: readonly StatementWithRows[]): StatementWithRows {
  return { statement: writes[0]!.statement, books: writes.flatMap(({ books }) => books) }
}
