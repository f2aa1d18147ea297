import type { Book, Mode } from '../../domain/book.ts'
import { rowMap, text } from './row-map.ts'

/** Of a row of books and its caller. */
export const bookMap = rowMap<Book>({
  bookId: text('book_id'),
  callerId: text('caller_id'),
  mode: text<Mode>('mode'),
  timeZone: text('time_zone'),
  currency: text('currency'),
})
