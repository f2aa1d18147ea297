import type { Book } from '../../domain/book.ts'
import type { Customer } from '../../domain/customer.ts'
import { openInterestCertificate } from '../../domain/interest-certificate.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { timeSpan } from '../../engine/database/time-span.ts'
import { letterheadOf } from '../letterhead/changes.ts'
import type { InterestCertificate, InterestCertificateQuery } from './record.ts'
import { readInterestEntries } from './store.ts'

export async function readInterestCertificate(
  service: Pick<Engine, 'db' | 'momentIn'>,
  book: Book,
  { customerId }: Customer,
  span: InterestCertificateQuery,
): Promise<InterestCertificate> {
  const open = openInterestCertificate()
  const pages = readInterestEntries(service.db, book.bookId, customerId, timeSpan(book, span))
  for await (const page of pages) page.forEach(open.add)
  return { ...(await letterheadOf(service, book, customerId)), ...span, ...open.close() }
}
