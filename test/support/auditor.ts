/**
 * An independent checker of the books. It shares no code with the service, only its tables: the SQL and the arithmetic
 * are its own, so a mistake would have to be made twice to stay hidden.
 */
import type { Queries } from '../../src/engine/database/database.ts'

/** Throws with the first difference: the claim that fails, and its row. */
export async function audit(db: Queries): Promise<void> {
  for await (const { claim, row } of differences(db)) throw new Error(`Not so: ${claim}. ${rowText(row)}`)
}

export type Difference = { claim: string; row: Record<string, unknown> }

/** One difference per claim that fails. */
export async function* differences(db: Queries): AsyncGenerator<Difference> {
  for (const [claim, statement] of Object.entries(statements)) {
    // Without a limit, for which the planner would expect a row soon and compare all rows of a book with each other.
    const [row] = await db.query<Record<string, unknown>>(statement)
    if (row !== undefined) yield { claim, row }
  }
  for (const row of await db.query<InterestRow>(interestPaid)) {
    const expected = interestOf(row)
    if (row.interest_minor !== expected) {
      yield { claim: INTEREST_CLAIM, row: { ...row, expected } }
      return
    }
  }
}

/** Every row of every table in the books, as one hash per table: a refusal leaves all of them as they were. */
export async function digest(db: Queries): Promise<Record<string, string>> {
  const tables = await db.query<{ name: string }>(
    `select table_name::text as name
     from information_schema.columns
     where table_schema = 'public'
       and column_name = 'book_id'
       and table_name <> 'api_keys'
     order by 1`,
  )
  const hashes = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(coalesce(string_agg(t::text, e'\\n' order by t::text), '')) as hash from ${name} t`,
  )
  const rows = await db.query<{ name: string; hash: string }>(hashes.join('\nunion all\n'))
  return Object.fromEntries(rows.map((row) => [row.name, row.hash]))
}

const INTEREST_CLAIM = 'interest paid is that of its principal, rate, dates and pinned rules'

/** Each statement finds the rows for which its claim fails. */
const statements = {
  'the postings of an entry sum to zero': `
    select entry.book_id, entry.entry_id, sum(posting.amount_minor)::text as sum
    from ledger_entries entry
    left join postings posting on posting.book_id = entry.book_id and posting.entry_id = entry.entry_id
    group by entry.book_id, entry.entry_id
    having count(posting.line) < 2 or sum(posting.amount_minor) <> 0`,

  'a deposit is held by its active liens, and by no more than what remains': `
    select deposit.book_id, deposit.deposit_id, deposit.lien_minor, coalesce(sum(lien.amount_minor), 0)::text as held
    from deposits deposit
    left join liens lien
      on lien.book_id = deposit.book_id and lien.deposit_id = deposit.deposit_id and lien.status = 'ACTIVE'
    group by deposit.book_id, deposit.deposit_id
    having deposit.lien_minor <> coalesce(sum(lien.amount_minor), 0) or deposit.lien_minor > deposit.remaining_minor`,

  'a balance equals its postings': `
    select account.book_id, account.account_number, account.balance_minor,
           coalesce(sum(posting.amount_minor), 0)::text as postings
    from accounts account
    left join postings posting
      on posting.book_id = account.book_id
      and posting.account = account.account_number
    group by account.book_id, account.account_number
    having account.balance_minor <> coalesce(sum(posting.amount_minor), 0)`,

  'the principal of a deposit was opened once, and remains or was returned': `
    with moved as (
      select posting.book_id, posting.account, sum(posting.amount_minor) as remaining,
             count(*) filter (where posting.amount_minor > 0 and entry.kind <> 'REVERSAL') as openings,
             coalesce(sum(posting.amount_minor)
               filter (where posting.amount_minor > 0 and entry.kind <> 'REVERSAL'), 0) as opened,
             coalesce(-sum(posting.amount_minor)
               filter (where entry.kind in ('LIQUIDATION', 'REVERSAL')), 0) as liquidated,
             coalesce(-sum(posting.amount_minor)
               filter (where entry.kind = 'MATURITY' and posting.amount_minor < 0), 0) as matured
      from postings posting
      join ledger_entries entry on entry.book_id = posting.book_id and entry.entry_id = posting.entry_id
      group by posting.book_id, posting.account
    ),
    returned as (
      select book_id, deposit_id, sum(principal_minor) as principal
      from liquidations
      where reversed_at is null
      group by book_id, deposit_id
    )
    select deposit.book_id, deposit.deposit_id, deposit.principal_minor, deposit.remaining_minor,
           moved.opened::text, moved.remaining::text, moved.liquidated::text, moved.matured::text,
           returned.principal::text as returned
    from deposits deposit
    left join moved on moved.book_id = deposit.book_id and moved.account = deposit.deposit_id
    left join returned on returned.book_id = deposit.book_id and returned.deposit_id = deposit.deposit_id
    where moved.openings is distinct from 1
       or moved.opened <> deposit.principal_minor
       or moved.remaining <> deposit.remaining_minor
       or moved.liquidated <> coalesce(returned.principal, 0)
       or deposit.principal_minor
          <> deposit.remaining_minor + coalesce(returned.principal, 0) + moved.matured`,

  'a deposit is active exactly while principal remains, and liquidated exactly when one FULL took the rest': `
    select deposit.book_id, deposit.deposit_id, deposit.status, deposit.remaining_minor, deposit.liquidated_at
    from deposits deposit
    left join liquidations taken
      on taken.book_id = deposit.book_id
      and taken.deposit_id = deposit.deposit_id
      and taken.liquidation_type = 'FULL'
      and taken.reversed_at is null
    group by deposit.book_id, deposit.deposit_id
    having (deposit.status = 'ACTIVE') <> (deposit.remaining_minor > 0)
        or count(taken.liquidation_id) <> case deposit.status when 'LIQUIDATED' then 1 else 0 end
        or deposit.liquidated_at is distinct from max(taken.liquidated_at)`,

  'the figures of a liquidation add up, and a charge takes interest only, before maturity only': `
    select taken.book_id, taken.liquidation_id, taken.principal_minor, taken.interest_minor, taken.penal_minor,
           taken.total_minor, taken.business_date
    from liquidations taken
    join deposits deposit on deposit.book_id = taken.book_id and deposit.deposit_id = taken.deposit_id
    where taken.total_minor <> taken.principal_minor + taken.interest_minor - taken.penal_minor
       or taken.principal_minor <= 0
       or taken.penal_minor < 0
       or taken.penal_minor > taken.interest_minor
       or (taken.penal_minor > 0 and taken.business_date >= deposit.maturity_date)
       or taken.penal_minor + taken.waived_minor <> coalesce(taken.assessed_minor, taken.penal_minor)
       or taken.waived_minor < 0
       or taken.tax_minor < 0
       or coalesce(taken.net_minor, taken.total_minor) <> taken.total_minor - taken.tax_minor`,

  'the tax of a liquidation is that of the interest of its day, less what the day bore before': `
    with paid as (
      select taken.*, tax.text::jsonb as rules,
             sum(interest_minor) over day as interest_of_day, sum(penal_minor) over day as penal_of_day,
             sum(tax_minor) over day - tax_minor as borne_before
      from liquidations taken
      left join documents tax
        on tax.book_id = taken.book_id
        and tax.kind = 'TAX_RULES'
        and tax.version = taken.tax_version
      where taken.reversed_at is null
      window day as (partition by taken.book_id, deposit_id, business_date order by remaining_minor desc)
    ),
    due as (
      select paid.*, ${rounded(
        `(interest_of_day - case rules ->> 'base' when 'NET' then penal_of_day else 0 end) * tax_ppm / 1000000.0`,
        `rules ->> 'rounding'`,
      )} as due_of_day
      from paid
    )
    select book_id, liquidation_id, tax_minor, due_of_day::text, borne_before::text
    from due
    where tax_minor <> coalesce(least(greatest(due_of_day - borne_before, 0), total_minor), 0)
       or (rules is null) <> (tax_version is null)
       or business_date < (rules ->> 'effective_from')::date`,

  'what is withheld of a liquidation or a maturity is in one entry of its own': `
    with withheld as (
      select book_id, liquidation_id, deposit_id, account_number as taken_from, tax_minor as due
      from liquidations
      where tax_minor > 0
      union all
      select deposit.book_id, null, deposit.deposit_id,
             case deposit.status when 'MATURED' then deposit.account_number else 'rollover_clearing' end,
             ${rounded(`-posting.amount_minor * deposit.maturity_tax_ppm / 1000000.0`, `tax.text::jsonb ->> 'rounding'`)}
      from deposits deposit
      join documents tax
        on tax.book_id = deposit.book_id
        and tax.kind = 'TAX_RULES'
        and tax.version = deposit.maturity_tax_version
      join ledger_entries entry
        on entry.book_id = deposit.book_id
        and entry.deposit_id = deposit.deposit_id
        and entry.kind = 'MATURITY'
      join postings posting
        on posting.book_id = entry.book_id
        and posting.entry_id = entry.entry_id
        and posting.account = 'interest_expense'
    ),
    posted as (
      select entry.book_id, entry.entry_id, entry.liquidation_id, entry.deposit_id,
             sum(posting.amount_minor) filter (where posting.account = 'tax_payable') as tax,
             min(posting.account) filter (where posting.amount_minor < 0) as taken_from
      from ledger_entries entry
      join postings posting on posting.book_id = entry.book_id and posting.entry_id = entry.entry_id
      where entry.kind = 'WITHHOLDING_TAX'
      group by entry.book_id, entry.entry_id, entry.liquidation_id, entry.deposit_id
    )
    select coalesce(withheld.book_id, posted.book_id) as book_id,
           coalesce(withheld.deposit_id, posted.deposit_id) as deposit_id,
           withheld.due::text, posted.tax::text
    from (select * from withheld where due > 0) as withheld
    full join posted
      on posted.book_id = withheld.book_id
      and posted.deposit_id = withheld.deposit_id
      and coalesce(posted.liquidation_id, '') = coalesce(withheld.liquidation_id, '')
    where posted.tax is distinct from withheld.due
       or posted.taken_from is distinct from withheld.taken_from`,

  'an account has the tax status of its customer': `
    select account.book_id, account.account_number
    from accounts account
    join customers customer
      on customer.book_id = account.book_id
      and customer.customer_id = account.customer_id
    where account.tax_class is distinct from customer.tax_class
       or account.tax_valid_until is distinct from customer.tax_valid_until`,

  'what was waived is what the waiver says': `
    select taken.book_id, taken.liquidation_id, taken.assessed_minor, taken.waived_minor, taken.waiver
    from (
      select *, (waiver::jsonb ->> 'percent_ppm')::numeric * assessed_minor / 1000000 as exact
      from liquidations
    ) as taken
    join deposits deposit on deposit.book_id = taken.book_id and deposit.deposit_id = taken.deposit_id
    join rule_sets rule_set
      on rule_set.book_id = deposit.book_id
      and rule_set.version = deposit.rules_version
    where taken.waived_minor <> coalesce(
      ${rounded('exact', `rule_set.rules::jsonb ->> 'rounding'`)},
      (taken.waiver::jsonb ->> 'amount_minor')::bigint,
      0)`,

  'each liquidation leaves what the one before it left, less its own principal': `
    select book_id, liquidation_id, remaining_minor, expected::text
    from (
      select taken.book_id, taken.liquidation_id, taken.remaining_minor,
             deposit.principal_minor - sum(taken.principal_minor) over (
               partition by taken.book_id, taken.deposit_id
               order by taken.remaining_minor desc) as expected
      from liquidations taken
      join deposits deposit on deposit.book_id = taken.book_id and deposit.deposit_id = taken.deposit_id
      where taken.reversed_at is null
    ) as steps
    where remaining_minor <> expected`,

  'a liquidation has one entry, whose postings are its figures': `
    with posted as (
      select posting.book_id, posting.entry_id, posting.account, sum(posting.amount_minor) as amount
      from postings posting
      group by posting.book_id, posting.entry_id, posting.account
    )
    select taken.book_id, taken.liquidation_id, count(distinct entry.entry_id) as entries
    from liquidations taken
    left join ledger_entries entry
      on entry.book_id = taken.book_id
      and entry.liquidation_id = taken.liquidation_id
      and entry.kind = 'LIQUIDATION'
      and entry.deposit_id = taken.deposit_id
      and entry.account_number = taken.account_number
    left join posted on posted.book_id = entry.book_id and posted.entry_id = entry.entry_id
    group by taken.book_id, taken.liquidation_id
    having count(distinct entry.entry_id) <> 1
        or coalesce(sum(posted.amount) filter (where posted.account = taken.deposit_id), 0)
           <> -taken.principal_minor
        or coalesce(sum(posted.amount) filter (where posted.account = 'interest_expense'), 0)
           <> -taken.interest_minor
        or coalesce(sum(posted.amount) filter (where posted.account = 'penal_income'), 0)
           <> taken.penal_minor + taken.waived_minor
        or coalesce(sum(posted.amount) filter (where posted.account = 'penal_waived'), 0) <> -taken.waived_minor
        or coalesce(sum(posted.amount) filter (where posted.account = taken.account_number), 0)
           <> taken.total_minor`,

  'what a reversed liquidation posted is posted back, and nothing else is': `
    select taken.book_id, taken.liquidation_id, taken.reversed_at, posting.account, sum(posting.amount_minor)::text as sum
    from liquidations taken
    join ledger_entries entry
      on entry.book_id = taken.book_id
      and entry.deposit_id = taken.deposit_id
      and entry.liquidation_id = taken.liquidation_id
    join postings posting on posting.book_id = entry.book_id and posting.entry_id = entry.entry_id
    left join ledger_entries original
      on original.book_id = entry.book_id
      and original.entry_id = entry.reverses
    group by taken.book_id, taken.liquidation_id, posting.account
    having count(*) filter (where entry.kind = 'REVERSAL')
           <> case when taken.reversed_at is null then 0 else count(*) filter (where entry.kind <> 'REVERSAL') end
        or (taken.reversed_at is not null and sum(posting.amount_minor) <> 0)
        or bool_or(entry.kind = 'REVERSAL' and (
             entry.created_at is distinct from taken.reversed_at
             or original.liquidation_id is distinct from taken.liquidation_id
             or original.kind = 'REVERSAL'))`,

  'a maturity pays principal and interest to the account, or opens a successor with all of it but tax': `
    with taxed as (
      select entry.book_id, entry.deposit_id, sum(posting.amount_minor) as tax
      from ledger_entries entry
      join postings posting on posting.book_id = entry.book_id and posting.entry_id = entry.entry_id
      where entry.kind = 'WITHHOLDING_TAX'
        and entry.liquidation_id is null
        and posting.account = 'tax_payable'
      group by entry.book_id, entry.deposit_id
    ),
    posted as (
      select posting.book_id, entry.deposit_id,
             sum(posting.amount_minor) filter (where posting.account = deposit.account_number) as paid,
             sum(posting.amount_minor) filter (where posting.account = 'rollover_clearing') as cleared,
             -sum(posting.amount_minor) filter (where posting.account = 'interest_expense') as interest,
             -sum(posting.amount_minor) filter (where posting.account = deposit.deposit_id) as principal
      from ledger_entries entry
      join postings posting on posting.book_id = entry.book_id and posting.entry_id = entry.entry_id
      join deposits deposit on deposit.book_id = entry.book_id and deposit.deposit_id = entry.deposit_id
      where entry.kind = 'MATURITY'
      group by posting.book_id, entry.deposit_id
    )
    select deposit.book_id, deposit.deposit_id, deposit.status, posted.paid::text, posted.cleared::text
    from deposits deposit
    left join posted on posted.book_id = deposit.book_id and posted.deposit_id = deposit.deposit_id
    left join taxed on taxed.book_id = deposit.book_id and taxed.deposit_id = deposit.deposit_id
    left join deposits successor
      on successor.book_id = deposit.book_id
      and successor.deposit_id = deposit.rolled_over_to
    where (deposit.status in ('MATURED', 'ROLLED_OVER')) <> (posted.deposit_id is not null)
       or (deposit.status = 'MATURED'
         and posted.paid is distinct from posted.principal + coalesce(posted.interest, 0))
       or (deposit.status = 'ROLLED_OVER' and (
         successor.principal_minor is distinct from posted.cleared - coalesce(taxed.tax, 0)
         or posted.cleared is distinct from posted.principal + coalesce(posted.interest, 0)
         or successor.start_date <> deposit.maturity_date
         or successor.account_number <> deposit.account_number))`,

  'nothing rests in clearing': `
    select book_id, sum(amount_minor)::text as sum
    from postings
    where account = 'rollover_clearing'
    group by book_id
    having sum(amount_minor) <> 0`,

  'there is one event per change, and no event without one': `
    with change as (
      select book_id, 'customer.created' as type, customer_id as id from customers
      union all
      select book_id, 'account.created', account_number from accounts
      union all
      select book_id, 'account.credited', entry_id from ledger_entries where kind = 'ACCOUNT_CREDIT'
      union all
      select opened.book_id, 'fixed_deposit.created', opened.deposit_id
      from deposits opened
      left join deposits earlier
        on earlier.book_id = opened.book_id
        and earlier.rolled_over_to = opened.deposit_id
      where earlier.deposit_id is null
      union all
      select book_id,
             case liquidation_type
               when 'FULL' then 'fixed_deposit.liquidated'
               else 'fixed_deposit.partially_liquidated'
             end,
             liquidation_id
      from liquidations
      union all
      select book_id, 'fixed_deposit.liquidation_reversed', liquidation_id from liquidations where reversed_at is not null
      union all
      select book_id, 'fixed_deposit.matured', deposit_id from deposits where status = 'MATURED'
      union all
      select book_id, 'fixed_deposit.rolled_over', deposit_id from deposits where status = 'ROLLED_OVER'
      union all
      select book_id, 'liquidation_rules.updated', version::text from rule_sets where version > 1
      union all
      select book_id, 'tax_rules.updated', version::text from documents where kind = 'TAX_RULES'
    ),
    recorded as (
      select book_id, event_id, type,
             case
               when type = 'account.credited' then data::jsonb ->> 'entry_id'
               when type like 'fixed_deposit.%liquidat%' then data::jsonb ->> 'liquidation_id'
               else subject_id
             end as id
      from events
      where type in (
        'customer.created', 'account.created', 'account.credited', 'fixed_deposit.created',
        'fixed_deposit.liquidated', 'fixed_deposit.partially_liquidated', 'fixed_deposit.liquidation_reversed',
        'fixed_deposit.matured', 'fixed_deposit.rolled_over', 'liquidation_rules.updated', 'tax_rules.updated')
    )
    select coalesce(change.book_id, recorded.book_id) as book_id, coalesce(change.type, recorded.type) as type,
           coalesce(change.id, recorded.id) as id, count(recorded.event_id) as events
    from change
    full join recorded on recorded.book_id = change.book_id and recorded.type = change.type and recorded.id = change.id
    group by 1, 2, 3
    having count(change.id) <> 1 or count(recorded.event_id) <> 1`,

  'the event of a liquidation has its figures': `
    select taken.book_id, taken.liquidation_id, event.event_id
    from liquidations taken
    join events event
      on event.book_id = taken.book_id
      and event.type like 'fixed_deposit.%liquidated'
      and event.data::jsonb ->> 'liquidation_id' = taken.liquidation_id
    where event.subject_id <> taken.deposit_id
       or event.occurred_at <> taken.liquidated_at
       or (event.data::jsonb ->> 'principal_returned')::numeric * 100 <> taken.principal_minor
       or (event.data::jsonb ->> 'interest_paid')::numeric * 100 <> taken.interest_minor
       or (event.data::jsonb ->> 'penal_charge')::numeric * 100 <> taken.penal_minor
       or (event.data::jsonb ->> 'total_credited')::numeric * 100 <> taken.total_minor
       or (event.data::jsonb ->> 'remaining_principal')::numeric * 100 <> taken.remaining_minor
       or (event.data::jsonb ->> 'penal_assessed')::numeric * 100 <> taken.assessed_minor
       or (event.data::jsonb ->> 'penal_waived')::numeric * 100 <> taken.waived_minor
       or (event.data::jsonb ->> 'net_credited')::numeric * 100 <> taken.net_minor
       or event.data::jsonb -> 'waiver' ->> 'reason' is distinct from taken.waiver::jsonb ->> 'reason'
       or event.data ~ '"note"'`,

  'a profile holds what its audit trail says, since when it says': `
    with recorded as (
      select event.book_id, event.subject_id, event.ordinal, event.occurred_at, field.key, field.value
      from events event
      cross join jsonb_each_text(event.changes::jsonb -> 'after') field
      where event.type in ('customer.created', 'customer.updated')
    ),
    latest as (
      select distinct on (book_id, subject_id, key) book_id, subject_id, key, value, occurred_at
      from recorded
      order by book_id, subject_id, key, ordinal desc
    )
    select customer.book_id, customer.customer_id
    from customers customer
    left join latest on latest.book_id = customer.book_id and latest.subject_id = customer.customer_id
    group by customer.book_id, customer.customer_id
    having count(latest.key) <> 5
        or max(latest.occurred_at) <> customer.updated_at
        or bool_or(latest.value <> case latest.key
             when 'first_name' then customer.first_name
             when 'last_name' then customer.last_name
             when 'email' then customer.email
             when 'phone_number' then customer.phone_number
             when 'address' then customer.address
             else ''
           end)`,

  'an idempotency key points to work that exists': `
    with kept as (
      select book_id, idempotency_key, status, answer::jsonb as answer, answer::jsonb -> 'data' as made
      from idempotency_keys
      where answer not like 'sealed:%'
    )
    select kept.book_id, kept.idempotency_key
    from kept
    left join liquidations
      on liquidations.book_id = kept.book_id
      and liquidations.liquidation_id = kept.made ->> 'liquidation_id'
      and liquidations.total_minor = (kept.made ->> 'total_credited')::numeric * 100
    left join ledger_entries entry on entry.book_id = kept.book_id and entry.entry_id = kept.made ->> 'entry_id'
    left join deposits on deposits.book_id = kept.book_id and deposits.deposit_id = kept.made ->> 'deposit_id'
    left join accounts
      on accounts.book_id = kept.book_id
      and accounts.account_number = kept.made ->> 'account_number'
    left join customers
      on customers.book_id = kept.book_id
      and customers.customer_id = kept.made ->> 'customer_id'
    left join (
      select book_id, version from rule_sets
      union
      select book_id, version from documents
    ) as written on written.book_id = kept.book_id and written.version::text = kept.made ->> 'version'
    where kept.status not in (200, 201)
       or kept.answer ->> 'status' <> 'true'
       or (kept.made ->> 'total_credited' is not null and liquidations.liquidation_id is null)
       or (kept.made ->> 'entry_id' is not null and entry.entry_id is null)
       or (kept.made ->> 'deposit_id' is not null and deposits.deposit_id is null)
       or (kept.made ->> 'account_number' is not null and accounts.account_number is null)
       or (kept.made ->> 'customer_id' is not null and customers.customer_id is null)
       or (kept.made ->> 'version' is not null and written.version is null)`,

  'what a row refers to is in its own book': `
    select named.book_id, named.kind, named.id
    from (
      select book_id, 'book' as kind, book_id as id from customers
      union all select book_id, 'book', book_id from rule_sets
      union all select book_id, 'book', book_id from idempotency_keys
      union all select book_id, 'book', book_id from events
      union all select book_id, 'customer', customer_id from accounts
      union all select book_id, 'customer', customer_id from deposits
      union all select book_id, 'account', account_number from deposits
      union all select book_id, 'account', account_number from liquidations
      union all select book_id, 'account', account_number from ledger_entries
      union all select book_id, 'deposit', deposit_id from liquidations
      union all select book_id, 'deposit', deposit_id from ledger_entries
      union all select book_id, 'deposit', rolled_over_to from deposits
      union all select book_id, 'liquidation', liquidation_id from ledger_entries
      union all select book_id, 'entry', entry_id from postings
      union all select book_id, 'rules', rules_version::text from deposits
      union all
      select book_id, case when account like 'fd\\_%' then 'deposit' else 'account' end, account
      from postings
      where account not in ('cash', 'interest_expense', 'penal_income', 'penal_waived', 'rollover_clearing', 'tax_payable')
    ) as named
    left join (
      select book_id, 'book' as kind, book_id as id from books
      union all select book_id, 'customer', customer_id from customers
      union all select book_id, 'account', account_number from accounts
      union all select book_id, 'deposit', deposit_id from deposits
      union all select book_id, 'liquidation', liquidation_id from liquidations
      union all select book_id, 'entry', entry_id from ledger_entries
      union all select book_id, 'rules', version::text from rule_sets
    ) as held on held.book_id = named.book_id and held.kind = named.kind and held.id = named.id
    where named.id is not null
      and held.id is null`,

  'an account, its owner, its deposits and what they paid agree on each other': `
    select deposit.book_id, deposit.deposit_id, taken.liquidation_id
    from deposits deposit
    join accounts account
      on account.book_id = deposit.book_id
      and account.account_number = deposit.account_number
    left join liquidations taken
      on taken.book_id = deposit.book_id
      and taken.deposit_id = deposit.deposit_id
    where deposit.customer_id <> account.customer_id
       or deposit.currency <> account.currency
       or taken.account_number <> deposit.account_number
       or taken.currency <> deposit.currency`,
}

/** An exact number of cents, which is not negative, as whole cents. */
function rounded(exact: string, rounding: string): string {
  return `case
        when ${rounding} = 'DOWN' then trunc(${exact})
        when ${rounding} = 'HALF_EVEN' and ${exact} - trunc(${exact}) = 0.5 then 2 * round(${exact} / 2)
        else round(${exact})
      end`
}

export const claims: readonly string[] = [...Object.keys(statements), INTEREST_CLAIM]

const interestPaid = `
    with paid as (
      -- Parts of one day are one withdrawal, so its sums are looked at after each part.
      select book_id, liquidation_id as id, deposit_id, sum(principal_minor) over day as principal_minor,
             sum(interest_minor) over day as interest_minor, business_date as paid_on
      from liquidations
      where assessed_by = 'DAY'
        and reversed_at is null
      window day as (partition by book_id, deposit_id, business_date order by remaining_minor desc)
      union all
      select book_id, liquidation_id, deposit_id, principal_minor, interest_minor, business_date
      from liquidations
      where assessed_by = 'PART'
      union all
      select book_id, liquidation_id, deposit_id, principal_minor + coalesce(earlier_principal_minor, 0),
             interest_minor + coalesce(earlier_interest_minor, 0), business_date
      from liquidations
      where assessed_by = 'DAY'
        and reversed_at is not null
      union all
      select entry.book_id, entry.entry_id, entry.deposit_id, -principal.amount_minor,
             coalesce(-interest.amount_minor, 0), 'infinity'
      from ledger_entries entry
      join postings principal
        on principal.book_id = entry.book_id
        and principal.entry_id = entry.entry_id
        and principal.account = entry.deposit_id
        and principal.amount_minor < 0
      left join postings interest
        on interest.book_id = entry.book_id
        and interest.entry_id = entry.entry_id
        and interest.account = 'interest_expense'
      where entry.kind = 'MATURITY'
    )
    select paid.book_id, paid.id, paid.principal_minor::bigint, paid.interest_minor::bigint, deposit.annual_rate_ppm,
           deposit.start_date, rule_set.rules, least(paid.paid_on, deposit.maturity_date) as earned_to
    from paid
    join deposits deposit on deposit.book_id = paid.book_id and deposit.deposit_id = paid.deposit_id
    join rule_sets rule_set
      on rule_set.book_id = deposit.book_id
      and rule_set.version = deposit.rules_version
    order by paid.book_id, paid.id`

type InterestRow = {
  book_id: string
  id: string
  principal_minor: bigint
  interest_minor: bigint
  annual_rate_ppm: number
  start_date: string
  earned_to: string
  rules: string
}

/** principal × rate × days ÷ days of a year, as one quotient, rounded once. */
function interestOf(row: InterestRow): bigint {
  const { day_count, rounding } = JSON.parse(row.rules) as { day_count: string; rounding: string }
  const { days, yearDays } = daysAndYear(day_count, row.start_date, row.earned_to)
  const dividend = row.principal_minor * BigInt(row.annual_rate_ppm) * days
  const divisor = 1_000_000n * yearDays
  const whole = dividend / divisor
  const rest = dividend % divisor
  if (rounding === 'DOWN' || 2n * rest < divisor) return whole
  return 2n * rest === divisor && rounding === 'HALF_EVEN' && whole % 2n === 0n ? whole : whole + 1n
}

function daysAndYear(dayCount: string, from: string, to: string): { days: bigint; yearDays: bigint } {
  if (to <= from) return { days: 0n, yearDays: 1n }
  if (dayCount === 'ACT/365F') return { days: BigInt(daysFrom(from, to)), yearDays: 365n }
  if (dayCount === 'ACT/360') return { days: BigInt(daysFrom(from, to)), yearDays: 360n }
  if (dayCount === 'ACT/ACT') {
    let days = 0n
    for (let year = yearOf(from); year <= yearOf(to); year += 1) {
      const first = from > `${year}-01-01` ? from : `${year}-01-01`
      const last = to < `${year + 1}-01-01` ? to : `${year + 1}-01-01`
      const isLeap = daysFrom(`${year}-01-01`, `${year + 1}-01-01`) === 366
      days += BigInt(daysFrom(first, last)) * (isLeap ? 365n : 366n)
    }
    return { days, yearDays: 365n * 366n }
  }
  const [firstYear, firstMonth, firstDay] = from.split('-').map(Number) as [number, number, number]
  const [lastYear, lastMonth, lastDay] = to.split('-').map(Number) as [number, number, number]
  const startDay = firstDay === 31 ? 30 : firstDay
  const endDay = lastDay === 31 && (dayCount === '30E/360' || startDay === 30) ? 30 : lastDay
  const days = (lastYear - firstYear) * 360 + (lastMonth - firstMonth) * 30 + endDay - startDay
  return { days: BigInt(days), yearDays: 360n }
}

function daysFrom(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000
}

function yearOf(date: string): number {
  return Number(date.slice(0, 4))
}

function rowText(row: Record<string, unknown>): string {
  return JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
}
