/** What every letter of a bank begins and ends with. */
import type { Book } from '../../domain/book.ts'
import { holderOf, type Letterhead } from '../../domain/letterhead.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { findSender } from '../callers/store.ts'
import { findCustomer } from '../customers/store.ts'
import { findLastSeal } from '../seals/store.ts'

export async function letterheadOf(
  { db, momentIn }: Pick<Engine, 'db' | 'momentIn'>,
  book: Book,
  customerId: string,
): Promise<Letterhead> {
  const [sender, customer, { today }, seal] = await Promise.all([
    findSender(db, book.callerId),
    findCustomer(db, book.bookId, customerId),
    momentIn(book),
    findLastSeal(db, book.bookId),
  ])
  return { ...sender!, holder: holderOf(customer!), issuedOn: today, seal }
}
