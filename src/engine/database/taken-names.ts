/**
 * Which external ids of new records are taken. A change reads this where it locks, before it looks for answers and
 * events of its own earlier attempts: whenever it finds a name taken by an attempt, it finds that attempt too. A name
 * that another transaction takes afterwards violates the unique index, and the next attempt finds it here.
 */
import type { OwnReference, TakenNames } from '../../domain/own-reference.ts'
import type { Queries } from './database.ts'

/** The order in which names are taken: batches that share some queue instead of deadlocking. */
export const TAKING_NAMES = 'external_id'

export function selectTakenNames(table: 'customers' | 'accounts' | 'deposits'): string {
  return `
    select external_id
    from ${table}
    where book_id = $1
      and external_id = any($2::text[])`
}

export function takenNamesReader(statement: string) {
  return async (tx: Queries, bookId: string, requests: readonly OwnReference[]): Promise<TakenNames> => {
    const names = requests.flatMap(({ externalId }) => externalId ?? [])
    if (names.length === 0) return new Set()
    const rows = await tx.query<{ external_id: string }>(statement, [bookId, names])
    return new Set(rows.map((row) => row.external_id))
  }
}
