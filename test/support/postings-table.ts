/** Makes of the view a table of its own, within a transaction, so that a test can break single postings. */
import type { Queries } from '../../src/store/database.ts'

export async function makePostingsTable(tx: Queries): Promise<void> {
  await tx.query('alter view postings rename to postings_of_entries')
  await tx.query('create table postings as select * from postings_of_entries')
}
