/** What verification claims of liens. */
import type { Relation, RowClaim } from '../../engine/database/facts.ts'

export const heldOfDeposits: Relation = {
  as: 'lien',
  rows: (within) => `
    select deposit_id as held_deposit, sum(amount_minor) as held_minor
    from liens
    where book_id = $1
      and ${within('deposit_id')}
      and status = 'ACTIVE'
    group by deposit_id`,
  on: 'lien.held_deposit = deposit.deposit_id',
}

export const heldClaim: RowClaim = {
  claim: 'what is held of a deposit is the sum of its active liens',
  differs: 'lien_minor <> coalesce(held_minor, 0)',
  found: 'lien_minor::text',
  expected: 'coalesce(held_minor, 0)::text',
}
