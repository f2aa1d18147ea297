/** What verification claims of events: each is about a record that exists. */
import { EVENT_SUBJECT, type Subject } from '../../engine/database/facts.ts'
import { DEPOSIT_PREFIX } from '../deposits/claims.ts'

// In the order of their subjects, so that neighbouring rows are on the same pages. Events of deposits are checked
// with them, by ids that have their prefix.
export const eventSubject: Subject = {
  key: 'subject_id',
  pageKeys: 20_000,
  facts: (within) => `
    select event_id, type, subject_id,
      case split_part(type, '.', 1)
        when 'fixed_deposit' then case when subject_id >= '${DEPOSIT_PREFIX}' then true end
        when 'customer' then (
          select true from customers
          where customers.book_id = $1 and customers.customer_id = events.subject_id)
        when 'account' then (
          select true from accounts
          where accounts.book_id = $1 and accounts.account_number = events.subject_id)
        when 'tax_rules' then (
          select true from documents
          where documents.book_id = $1 and documents.kind = 'TAX_RULES' and documents.version::text = events.subject_id)
        when 'liquidation_rules' then (
          select true from rule_sets
          where rule_sets.book_id = $1 and rule_sets.version::text = events.subject_id)
        else true
      end as has_subject
    from events
    where book_id = $1
      and ${within('subject_id')}`,
  claims: [
    {
      claim: EVENT_SUBJECT,
      ids: ['event_id'],
      differs: 'has_subject is null',
      found: `type || ' ' || subject_id`,
      expected: `'a record'`,
    },
  ],
}
