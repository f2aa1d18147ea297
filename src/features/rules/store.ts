/** Versions of a book's rules. A version is written once and never changed, so it can be cached without limit. */
import { computed, instant, integer, rowMap, text } from '../../engine/database/row-map.ts'
import { membersInBook, ofBook, sql } from '../../engine/database/sql.ts'
import type { StoredVersion, VersionStore } from '../versions/store.ts'

const ruleSet = rowMap<StoredVersion>({
  version: integer('version'),
  effectiveFrom: computed<string | null>(() => null),
  text: text('rules'),
  createdAt: instant('created_at'),
})

const selectRuleSets = `
    select version, rules, created_at
    from rule_sets
    where book_id = $1`

/** The newest first. */
export const listRuleSets = sql`${selectRuleSets}
    order by version desc
    limit $2`.all(ruleSet, (bookId: string, limit: number) => [bookId, limit])

/** The oldest kind of document has a table of its own, and no column of its book names its newest version. */
export const statements = {
  insert: sql`
    insert into rule_sets (book_id, version, rules, created_at)
    values ($1, $2, $3, $4)`.write(membersInBook<StoredVersion>('version', 'text', 'createdAt')),

  find: sql`${selectRuleSets}
      and version = any($2::int4[])`.all(ruleSet, (...asked: [bookId: string, readonly number[]]) => asked),

  findNewest: sql`${selectRuleSets}
    order by version desc
    limit 1`.first(ruleSet, ofBook),
}
export const ruleSetStore: VersionStore = statements
