/** What verification claims of approvals: their votes, their events and what became of them. */
import { failureOf } from '../../engine/database/facts.ts'
import { computed } from '../../engine/database/row-map.ts'
import { ofBook, sql } from '../../engine/database/sql.ts'

export const APPROVAL_STATE =
  'an approval has the votes and the events that its state needs, none of its maker'
export const APPROVAL_RESULT = 'an approved liquidation or reversal was carried out as its result says'

// All of a book at once. What a policy asks for, at most three votes, and whose it counts may have changed meanwhile.
export const findApprovalDifference = sql`
    select approval_id, is_state_right,
      case when is_state_right then result else concat_ws(' ', status, votes, 'votes', own, 'of its maker', reported, 'events') end
        as found,
      case when is_state_right then operation else concat_ws(' ', case when status = 'APPROVED'
        then approvals_needed::text else 'at most 2' end, 'votes, one event for its state') end as expected
    from (
      select approval_id, status, operation, result, approvals_needed, vote.*, event.*,
        own = 0 and asked = 1 and votes >= case when status = 'APPROVED' then approvals_needed else 0 end
        and greatest(of_people, votes - of_people) <= case when status = 'APPROVED' then 3 else 2 end
        and reported = case when status = 'PENDING' then 0 else 1 end
        and ended = reported as is_state_right,
        case
          when status <> 'APPROVED' then true
          when operation = 'liquidateFixedDeposit' then exists (
            select from events
            where events.book_id = $1
              and events.subject_id = approvals.target_id
              and events.occurred_at = approvals.decided_at
              and events.data = approvals.result)
          when operation = 'reverseLiquidation' then exists (
            select from liquidations
            where liquidations.book_id = $1
              and liquidations.liquidation_id = approvals.target_id
              and liquidations.reversed_at = approvals.decided_at)
          else true
        end as is_carried_out
      from approvals
      cross join lateral (
        select count(*) as votes, count(*) filter (where voter = maker) as own, count(*) filter (where voter like 'PERSON %') as of_people
        from approval_votes
        where approval_votes.book_id = $1
          and approval_votes.approval_id = approvals.approval_id
      ) as vote
      cross join lateral (
        select count(*) filter (where type = 'approval.requested') as asked,
          count(*) filter (where type = 'approval.' || lower(approvals.status)) as reported,
          count(*) filter (where type not in ('approval.requested', 'approval.voted')) as ended
        from events
        where events.book_id = $1
          and events.subject_id = approvals.approval_id
      ) as event
      where approvals.book_id = $1
    ) as approval
    where not (is_state_right and is_carried_out)
    order by is_state_right, approval_id
    limit 1`.first(
  computed(({ is_state_right, ...row }) =>
    failureOf(is_state_right ? APPROVAL_RESULT : APPROVAL_STATE).read(row),
  ),
  ofBook,
)
