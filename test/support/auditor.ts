/**
 * An independent checker of the books. It shares no code with the service, only its tables: the SQL and the arithmetic
 * are its own, so a mistake would have to be made twice to stay hidden.
 */
import type { Queries } from '../../src/engine/database/database.ts'
import { type Difference, INTEREST_CLAIMS, interestDifferences } from './audited-interest.ts'
import { WHOLE_UNIT_CURRENCIES } from './exact-interest.ts'

/** Throws with the first difference: the claim that fails, and its row. */
export async function audit(db: Queries): Promise<void> {
  for await (const { claim, row } of differences(db)) throw new Error(`Not so: ${claim}. ${rowText(row)}`)
}

/** One difference per claim that fails. */
export async function* differences(db: Queries): AsyncGenerator<Difference> {
  for (const [claim, statement] of Object.entries(statements)) {
    // Without a limit, for which the planner would expect a row soon and compare all rows of a book with each other.
    const [row] = await db.query<Record<string, unknown>>(statement)
    if (row !== undefined) yield { claim, row }
  }
  yield* interestDifferences(db)
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
    left join deposit_imports history
      on history.book_id = deposit.book_id and history.deposit_id = deposit.deposit_id
    where moved.openings is distinct from 1
       or moved.opened <> coalesce(history.remaining_minor, deposit.principal_minor)
       or moved.remaining <> deposit.remaining_minor
       or moved.liquidated <> coalesce(returned.principal, 0)
       or coalesce(history.remaining_minor, deposit.principal_minor)
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
       or (taken.penal_minor + taken.recovered_minor > 0 and taken.business_date >= deposit.maturity_date)
       or taken.penal_minor <> least(
            coalesce(taken.assessed_minor, taken.penal_minor) - taken.waived_minor, taken.interest_minor)
       or taken.assessed_minor > taken.interest_minor
          + case when deposit.recover then taken.paid_share_minor - taken.unearned_minor else 0 end
       or taken.recovered_minor <> least(
            coalesce(taken.assessed_minor, taken.penal_minor) - taken.waived_minor - taken.penal_minor,
            taken.total_minor - taken.unearned_minor - taken.tax_minor)
       or taken.unearned_minor + taken.recovered_minor > taken.paid_share_minor
       or least(taken.waived_minor, taken.tax_minor, taken.unearned_minor, taken.recovered_minor,
                taken.tax_returned_minor, taken.paid_share_minor, taken.tax_share_minor) < 0
       or coalesce(taken.net_minor, taken.total_minor) <> taken.total_minor - taken.unearned_minor
          - taken.tax_minor - taken.recovered_minor + taken.tax_returned_minor
       or taken.net_minor < 0`,

  'the tax of a liquidation is that of the parts of its day taxed alike, less what those before it bore': `
    with paid as (
      select taken.*, tax.text::jsonb as rules,
             sum(interest_minor) over alike as interest_of_day, sum(penal_minor) over alike as penal_of_day,
             sum(tax_minor) over alike - tax_minor as borne_before
      from liquidations taken
      left join documents tax
        on tax.book_id = taken.book_id
        and tax.kind = 'TAX_RULES'
        and tax.version = taken.tax_version
      where taken.reversed_at is null
      window alike as (
        partition by taken.book_id, deposit_id, business_date, tax_version, coalesce(tax_class, 'STANDARD')
        order by remaining_minor desc)
    ),
    due as (
      select paid.*, ${rounded(
        `(interest_of_day - case rules ->> 'base' when 'NET' then penal_of_day else 0 end) * tax_ppm / 1000000.0`,
        `rules ->> 'rounding'`,
        'currency',
      )} as due_of_day
      from paid
    )
    select book_id, liquidation_id, tax_minor, due_of_day::text, borne_before::text
    from due
    where tax_minor <> coalesce(least(
            greatest(due_of_day - borne_before, 0), total_minor - unearned_minor,
            interest_minor - case rules ->> 'base' when 'NET' then penal_minor else 0 end), 0)
       or (rules is null) <> (tax_version is null)
       or business_date < (rules ->> 'effective_from')::date`,

  'what is withheld of a payment, a liquidation or a maturity is in one entry of its own': `
    with withheld as (
      select book_id, liquidation_id, deposit_id, account_number as taken_from, tax_minor as due
      from liquidations
      where tax_minor > 0
      union all
      select book_id, null, deposit_id, account_number, tax_minor
      from interest_payments
      union all
      select deposit.book_id, null, deposit.deposit_id,
             -- Interest is taxed where it goes.
             case
               when exists (
                 select
                 from postings credited
                 where credited.book_id = entry.book_id
                   and credited.entry_id = entry.entry_id
                   and credited.account = deposit.account_number)
               then deposit.account_number
               else 'rollover_clearing'
             end,
             ${rounded(
               `-posting.amount_minor * deposit.maturity_tax_ppm / 1000000.0`,
               `tax.text::jsonb ->> 'rounding'`,
               'deposit.currency',
             )}
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
    from (
      select book_id, liquidation_id, deposit_id, taken_from, sum(due) as due, count(*) as entries
      from withheld
      where due > 0
      group by book_id, liquidation_id, deposit_id, taken_from
    ) as withheld
    full join (
      select book_id, liquidation_id, deposit_id, taken_from, sum(tax) as tax, count(*) as entries
      from posted
      group by book_id, liquidation_id, deposit_id, taken_from
    ) as posted
      on posted.book_id = withheld.book_id
      and posted.deposit_id = withheld.deposit_id
      and coalesce(posted.liquidation_id, '') = coalesce(withheld.liquidation_id, '')
      and posted.taken_from = withheld.taken_from
    where posted.tax is distinct from withheld.due
       or posted.entries is distinct from withheld.entries`,

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
    left join products product
      on product.book_id = deposit.book_id
      and product.product_code = deposit.product_code
      and product.version = deposit.product_version
    where taken.waived_minor <> coalesce(
      ${rounded(
        'exact',
        `coalesce(product.text::jsonb -> 'rules' ->> 'rounding', rule_set.rules::jsonb ->> 'rounding')`,
        'deposit.currency',
      )},
      (taken.waiver::jsonb ->> 'amount_minor')::bigint,
      0)`,

  'each liquidation leaves what the one before it left, less its own principal': `
    select book_id, liquidation_id, remaining_minor, expected::text
    from (
      select taken.book_id, taken.liquidation_id, taken.remaining_minor,
             coalesce(history.remaining_minor, deposit.principal_minor) - sum(taken.principal_minor) over (
               partition by taken.book_id, taken.deposit_id
               order by taken.remaining_minor desc) as expected
      from liquidations taken
      join deposits deposit on deposit.book_id = taken.book_id and deposit.deposit_id = taken.deposit_id
      left join deposit_imports history
        on history.book_id = taken.book_id and history.deposit_id = taken.deposit_id
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

  'what went back of paid interest, and of its tax, is in entries of its own': `
    with posted as (
      select entry.book_id, entry.liquidation_id, entry.kind, count(distinct entry.entry_id) as entries,
             sum(posting.amount_minor) filter (where posting.account = entry.account_number) as account,
             sum(posting.amount_minor) filter (where posting.account = 'interest_expense') as interest_expense,
             sum(posting.amount_minor) filter (where posting.account = 'penal_income') as penal_income,
             sum(posting.amount_minor) filter (where posting.account = 'tax_payable') as tax_payable
      from ledger_entries entry
      join postings posting on posting.book_id = entry.book_id and posting.entry_id = entry.entry_id
      where entry.kind in ('INTEREST_RECOVERY', 'TAX_RETURN')
      group by entry.book_id, entry.liquidation_id, entry.kind
    ),
    due as (
      select book_id, liquidation_id, 'INTEREST_RECOVERY' as kind, -unearned_minor - recovered_minor as account,
             nullif(unearned_minor, 0) as interest_expense, nullif(recovered_minor, 0) as penal_income,
             null::bigint as tax_payable
      from liquidations
      where unearned_minor + recovered_minor > 0
      union all
      select book_id, liquidation_id, 'TAX_RETURN', tax_returned_minor, null, null, -tax_returned_minor
      from liquidations
      where tax_returned_minor > 0
    )
    select coalesce(due.book_id, posted.book_id) as book_id, coalesce(due.kind, posted.kind) as kind,
           coalesce(due.liquidation_id, posted.liquidation_id) as liquidation_id, posted.account::text
    from due
    full join posted
      on posted.book_id = due.book_id
      and posted.liquidation_id = due.liquidation_id
      and posted.kind = due.kind
    where posted.entries is distinct from 1
       or posted.account is distinct from due.account
       or posted.interest_expense is distinct from due.interest_expense
       or posted.penal_income is distinct from due.penal_income
       or posted.tax_payable is distinct from due.tax_payable`,

  'a payment of interest has one entry, unless it is of nothing': `
    select coalesce(paid.book_id, entry.book_id) as book_id, coalesce(paid.deposit_id, entry.deposit_id) as deposit_id,
           paid.period_to, entry.entry_id
    from interest_payments paid
    full join (
      select entry.book_id, entry.entry_id, entry.deposit_id, entry.account_number,
             sum(posting.amount_minor) filter (where posting.account = entry.account_number) as account,
             sum(posting.amount_minor) filter (where posting.account = 'interest_expense') as interest_expense
      from ledger_entries entry
      join postings posting on posting.book_id = entry.book_id and posting.entry_id = entry.entry_id
      where entry.kind = 'INTEREST_PAYOUT'
      group by entry.book_id, entry.entry_id
    ) as entry on entry.book_id = paid.book_id and entry.entry_id = paid.entry_id
    where paid.deposit_id is null
       or entry.deposit_id <> paid.deposit_id
       or (paid.interest_minor > 0) <> (entry.entry_id is not null)
       or entry.account_number <> paid.account_number
       or entry.account <> paid.interest_minor
       or entry.interest_expense <> -paid.interest_minor`,

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
      select entry.book_id, entry.deposit_id, -sum(posting.amount_minor) as tax
      from ledger_entries entry
      join postings posting on posting.book_id = entry.book_id and posting.entry_id = entry.entry_id
      where entry.kind = 'WITHHOLDING_TAX'
        and posting.account = 'rollover_clearing'
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
         or posted.cleared + coalesce(posted.paid, 0) is distinct from posted.principal + coalesce(posted.interest, 0)
         or coalesce(posted.paid, 0) not in (0, coalesce(posted.interest, 0))
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
      select account.book_id, coalesce(imported.type, 'account.created'), account.account_number
      from accounts account
      left join events imported
        on imported.book_id = account.book_id
        and imported.subject_id = account.account_number
        and imported.type = 'account.imported'
      union all
      select book_id, 'account.credited', entry_id from ledger_entries where kind = 'ACCOUNT_CREDIT'
      union all
      select opened.book_id,
             case when history.deposit_id is null then 'fixed_deposit.created' else 'fixed_deposit.imported' end,
             opened.deposit_id
      from deposits opened
      left join deposit_imports history
        on history.book_id = opened.book_id
        and history.deposit_id = opened.deposit_id
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
      select book_id, 'fixed_deposit.interest_paid', deposit_id || ' ' || period_to from interest_payments
      union all
      select book_id, 'product.updated', product_code || ' ' || version from products
      union all
      select book_id, 'rate_sheet.added', product_code || ' ' || number from rate_sheets
      union all
      select book_id, 'calendar.updated', version::text from documents where kind = 'CALENDAR'
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
               when type = 'fixed_deposit.interest_paid' then subject_id || ' ' || (data::jsonb ->> 'to')
               when type = 'product.updated' then subject_id || ' ' || (data::jsonb ->> 'version')
               when type = 'rate_sheet.added' then subject_id || ' ' || (data::jsonb ->> 'number')
               else subject_id
             end as id
      from events
      where type in (
        'customer.created', 'account.created', 'account.imported', 'account.credited', 'fixed_deposit.created',
        'fixed_deposit.imported',
        'fixed_deposit.liquidated', 'fixed_deposit.partially_liquidated', 'fixed_deposit.liquidation_reversed',
        'fixed_deposit.matured', 'fixed_deposit.rolled_over', 'liquidation_rules.updated', 'tax_rules.updated',
        'fixed_deposit.interest_paid', 'product.updated', 'rate_sheet.added', 'calendar.updated')
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
       or 100 * (
            select coalesce(sum((adjustment ->> 'amount')::numeric), 0)
            from jsonb_array_elements(event.data::jsonb -> 'adjustments') as adjustment
          ) <> taken.net_minor - taken.total_minor
       or event.data::jsonb -> 'waiver' ->> 'reason' is distinct from taken.waiver::jsonb ->> 'reason'
       or event.data ~ '"note"'`,

  'the event of a payment has its figures': `
    select paid.book_id, paid.deposit_id, paid.period_to, event.event_id
    from interest_payments paid
    join events event
      on event.book_id = paid.book_id
      and event.type = 'fixed_deposit.interest_paid'
      and event.subject_id = paid.deposit_id
      and event.data::jsonb ->> 'to' = paid.period_to::text
    where event.occurred_at <> paid.paid_at
       or event.data::jsonb ->> 'from' <> paid.period_from::text
       or event.data::jsonb ->> 'credited_account' <> paid.account_number
       or (event.data::jsonb ->> 'interest')::numeric * 100 <> paid.interest_minor
       or (event.data::jsonb ->> 'tax')::numeric * 100 <> paid.tax_minor
       or (event.data::jsonb ->> 'net')::numeric * 100 <> paid.interest_minor - paid.tax_minor`,

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
      union all select book_id, 'product', product_code || ' ' || product_version from deposits
      union all select book_id, 'sheet', product_code || ' ' || sheet_no from deposits
      union all
      select taken.book_id, 'sheet', deposit.product_code || ' ' || taken.sheet_now
      from liquidations taken
      join deposits deposit on deposit.book_id = taken.book_id and deposit.deposit_id = taken.deposit_id
      union all select book_id, 'deposit', deposit_id from interest_payments
      union all select book_id, 'entry', entry_id from interest_payments
      union all
      select book_id, case when account like 'fd\\_%' then 'deposit' else 'account' end, account
      from postings
      where account not in ('cash', 'interest_expense', 'penal_income', 'penal_waived', 'rollover_clearing', 'tax_payable',
        'migration_suspense', 'interest_payable', 'prepaid_interest')
    ) as named
    left join (
      select book_id, 'book' as kind, book_id as id from books
      union all select book_id, 'customer', customer_id from customers
      union all select book_id, 'account', account_number from accounts
      union all select book_id, 'deposit', deposit_id from deposits
      union all select book_id, 'liquidation', liquidation_id from liquidations
      union all select book_id, 'entry', entry_id from ledger_entries
      union all select book_id, 'rules', version::text from rule_sets
      union all select book_id, 'product', product_code || ' ' || version from products
      union all select book_id, 'sheet', product_code || ' ' || number from rate_sheets
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

/** An exact number of cents, which is not negative, as whole cents, or as whole units of a currency without cents. */
function rounded(exact: string, rounding: string, currency: string): string {
  const unit = `case when ${currency} in (${WHOLE_UNIT_CURRENCIES.map((code) => `'${code}'`).join(', ')}) then 100 else 1 end`
  const units = `((${exact}) / (${unit}))`
  return `(${unit}) * case
        when ${rounding} = 'DOWN' then trunc(${units})
        when ${rounding} = 'HALF_EVEN' and ${units} - trunc(${units}) = 0.5 then 2 * round(${units} / 2)
        else round(${units})
      end`
}

export const claims: readonly string[] = [...Object.keys(statements), ...INTEREST_CLAIMS]

function rowText(row: Record<string, unknown>): string {
  return JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
}
