/**
 * Which external ids of new records are taken. A change reads this where it locks, before it looks for answers and
 * events of its own earlier attempts: whenever it finds a name taken by an attempt, it finds that attempt too. A name
 * that another transaction takes afterwards violates the unique index, and the next attempt finds it here.
 */
import type { OwnReference, TakenNames } from '../../domain/own-reference.ts'
import type { Queries } from './database.ts'
import { rowsByKey } from './keyed-rows.ts'
import { text } from './row-map.ts'
import { idsOfBook, sql } from './sql.ts'

/** The order in which names are taken: batches that share some queue instead of deadlocking. */
export const TAKING_NAMES = 'external_id'

export function takenNamesOf(table: 'customers' | 'accounts' | 'deposits') {
  const find = sql`${rowsByKey('$2::text[]', table, 'external_id', 'external_id')}`.all(
    text('external_id'),
    idsOfBook,
  )
  const findTaken = async (
    tx: Queries,
    bookId: string,
    requests: readonly OwnReference[],
  ): Promise<TakenNames> => {
    const names = requests.flatMap(({ externalId }) => externalId ?? [])
    return new Set(names.length === 0 ? [] : await find(tx, bookId, names))
  }
  return Object.assign(findTaken, { text: find.text })
}
