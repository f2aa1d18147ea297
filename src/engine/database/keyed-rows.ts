/**
 * Rows of a book by their keys, each by a descent of its own, whatever the server knows of the table. For `key = any(keys)`
 * a server without statistics takes the book for a small part of the table, and reads all of it.
 */

/** Their keys are the second parameter. A limit keeps the server from joining in another way. */
export function rowsByKey(keys: string, table: string, key: string, columns: string): string {
  return `
    select found.*
    from unnest(${keys}) as asked(key)
    cross join lateral (
      select ${columns}
      from ${table}
      where book_id = $1
        and ${key} = asked.key
      limit 1
    ) as found`
}

// order by fixes the lock order, so overlapping batches queue instead of deadlocking.
// Nothing is joined below the lock: after a wait only the locked row is read again; a joined row would be stale.
export function lockedByKey(
  table: string,
  key: string,
  columns: string,
  { strength = 'update', keys = 'unnest($2::text[])' } = {},
): string {
  return `
    select found.*
    from (select distinct key from ${keys} as asked(key) order by key) as asked
    cross join lateral (
      select ${columns}
      from ${table}
      where book_id = $1
        and ${key} = asked.key
      for ${strength}
    ) as found`
}
