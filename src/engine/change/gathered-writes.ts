/**
 * The writes of several books in one transaction. The same statement over rows of several books is sent once; each book
 * keeps the order of its own writes.
 */
import type { Transaction } from '../database/database.ts'
import { encodeBooks, type RowsOfBook, textOfBooks } from '../database/rows.ts'

type Write = { text: string; values: Parameters<Transaction['write']>[1] }

export function gatherWrites(tx: Transaction): { ofNextBook: () => Transaction; send: () => void } {
  const books: Write[][] = []
  return {
    ofNextBook() {
      const writes: Write[] = []
      books.push(writes)
      return { ...tx, write: (text, values) => void writes.push({ text, values }) }
    },
    send() {
      for (const writes of books) {
        for (let [first] = writes; first !== undefined; [first] = writes) {
          const { text } = first
          const others = books.filter(([next]) => next?.text === text)
          const together = textOfBooks(text) === undefined ? [writes] : others
          sendAsOne(
            tx,
            text,
            together.map((one) => one.shift()!.values),
          )
        }
      }
    },
  }
}

function sendAsOne(tx: Transaction, text: string, values: Write['values'][]): void {
  if (values.length === 1) tx.write(text, values[0])
  else tx.write(textOfBooks(text)!, encodeBooks(values as RowsOfBook[]))
}
