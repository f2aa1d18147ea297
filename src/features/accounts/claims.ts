/** What verification claims of accounts: balance, tax status and events are those of their lines and their customer. */
import { eventsOf, type Subject } from '../../engine/database/facts.ts'
import { ENTRY_NAMES, sumOfLines } from '../ledger/claims.ts'

export const accountSubject: Subject = {
  key: 'account_number',
  pageKeys: 5_000,
  facts: (within) => `
    select account.*, entry.*
    from (
      select account_number, balance_minor, concat_ws(' ', accounts.tax_class, accounts.tax_valid_until) as tax_status,
        owner.*, event.*
      from accounts
      left join lateral (
        select concat_ws(' ', customers.tax_class, customers.tax_valid_until) as owner_tax_status
        from customers
        where customers.book_id = $1
          and customers.customer_id = accounts.customer_id
        limit 1
      ) as owner on true
      cross join lateral ${eventsOf('accounts.account_number', ['account.created', 'account.credited', 'account.imported'])} as event
      where book_id = $1
        and ${within('account_number')}
    ) as account
    full join (
      select account_number as entry_account, min(entry_id) as entry_id,
        sum(${sumOfLines('account_number')}) as lines_sum, count(*) filter (where kind = 'ACCOUNT_CREDIT') as credits,
        count(*) filter (where kind = 'IMPORT' and deposit_id is null) as imports
      from ledger_entries
      where book_id = $1
        and ${within('account_number')}
      group by account_number
    ) as entry on entry.entry_account = account.account_number`,
  claims: [
    {
      claim: ENTRY_NAMES,
      ids: ['entry_id'],
      differs: 'account_number is null',
      found: 'entry_account',
      expected: `'records that exist'`,
    },
    {
      claim: 'the balance of an account is the sum of its lines',
      differs: 'balance_minor <> coalesce(lines_sum, 0)',
      found: 'balance_minor::text',
      expected: 'coalesce(lines_sum, 0)::text',
    },
    {
      claim: 'an account has the tax status of its customer',
      differs: 'tax_status <> owner_tax_status',
      found: 'tax_status',
      expected: 'owner_tax_status',
    },
    {
      // One that was taken over empty has no entry, but its event.
      claim: 'an account has one event for its opening and one for each credit',
      differs: `recorded <> all (array[
        case when coalesce(imports, 0) = 0 then concat_ws(' ', 1, coalesce(credits, 0), 0) else '' end,
        concat_ws(' ', 0, coalesce(credits, 0), 1)])`,
      found: 'recorded',
      expected: `concat_ws(' ', 1, coalesce(credits, 0), coalesce(imports, 0))`,
    },
  ],
}
