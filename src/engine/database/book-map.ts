import type { Book, Mode } from '../../domain/book.ts'
import { rowMap, text } from './row-map.ts'

/** Reads a row of books that was joined to its caller. */
export const bookMap = rowMap<Book>({
  bookId: text('book_id'),
  callerId: text('caller_id'),
  mode: text<Mode>('mode'),
  timeZone: text('time_zone'),
  currency: text('currency'),
})
