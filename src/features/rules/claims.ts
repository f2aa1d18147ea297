/** What verification claims of the versions of the rules. */
import { eventsOf, failureOf } from '../../engine/database/facts.ts'
import { ofBook, sql } from '../../engine/database/sql.ts'

export const RULE_VERSIONS =
  'versions of rules are numbered without a gap, with one event for each after the first'

// There are few versions: one for each change of the rules.
export const findRuleDifference = sql`
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
    limit 1`.first(failureOf(RULE_VERSIONS), ofBook)
