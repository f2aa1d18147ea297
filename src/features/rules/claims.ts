/** What verification claims of the versions of the rules. */
import type { Failed } from '../../domain/claim.ts'
import type { Queries } from '../../engine/database/database.ts'
import { eventsOf } from '../../engine/database/facts.ts'

export const RULE_VERSIONS =
  'versions of rules are numbered without a gap, with one event for each after the first'

export const statements = {
  // There are few versions: one for each change of the rules.
  findRuleDifference: `
    select version::text, recorded as found, expected
    from (
      select version, recorded, case when version = 1 then '0' else '1' end as expected,
        row_number() over (order by version) as position
      from rule_sets
      cross join lateral ${eventsOf('version::text', ['liquidation_rules.updated'])} as event
      where book_id = $1
    ) as rule_set
    where recorded <> expected
       or version <> position
    order by position
    limit 1`,
}

export async function findRuleDifference(db: Queries, bookId: string): Promise<Failed | null> {
  type Row = { version: string; found: string; expected: string }
  const [row] = await db.query<Row>(statements.findRuleDifference, [bookId])
  if (row === undefined) return null
  const { version, found, expected } = row
  return { claim: RULE_VERSIONS, ids: { version }, found, expected }
}
