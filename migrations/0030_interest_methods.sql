-- Deposits by product: how interest is earned and paid, what was agreed, and what was paid so far. Every default means what
-- a deposit without product means, so an instance of 0.2.0 goes on opening and breaking those beside this schema. One that
-- tried to break a deposit that pays interest before maturity, which it does not know, would be refused by the checks:
-- products are sold once all instances are new.

alter table deposits
  add column product_code text,
  add column product_version int4,
  add column sheet_no int4,
  add column bonus_ppm int4 not null default 0,
  add column bonus_codes text[] not null default '{}',
  -- null: tenor_days, the days from start to maturity that came out.
  add column agreed_unit text,
  add column agreed_count int4,
  add column method text not null default 'AT_MATURITY',
  add column every text,
  add column recover boolean not null default false,
  add column paid_minor bigint not null default 0,
  add column tax_minor bigint not null default 0,
  add column paid_to date,
  add column next_interest_date date,
  -- null: by auto_rollover.
  add column instruction text,
  add column rollovers int4 not null default 0,
  add column broken_days int4 not null default 0,
  add column calendar_version int4,
  add column broken_paid_minor bigint,
  add column broken_taxed_minor bigint,
  add column broken_unearned_minor bigint,
  add column broken_taken_minor bigint,
  add column broken_returned_minor bigint;

-- The job finds the interest that is due; a deposit that pays none before maturity is not in it.
create index deposits_interest_due on deposits (book_id, next_interest_date, deposit_id)
where next_interest_date is not null;

create function deposit_is_consistent(
  status text, principal_minor bigint, remaining_minor bigint, lien_minor bigint, expected_interest_minor bigint,
  annual_rate_ppm int4, tenor_days int4, start_date date, maturity_date date, liquidated_at timestamptz,
  rolled_over_to text, external_id text, broken_on date, broken_principal_minor bigint, broken_interest_minor bigint,
  broken_assessed_minor bigint, broken_penal_minor bigint, broken_tax_minor bigint, maturity_tax_version int4,
  maturity_tax_class text, maturity_tax_ppm int4, product_code text, product_version int4, agreed_unit text,
  agreed_count int4, method text, every text, recover boolean, paid_minor bigint, tax_minor bigint, paid_to date,
  next_interest_date date, auto_rollover boolean, instruction text, rollovers int4, broken_days int4,
  broken_paid_minor bigint, broken_taxed_minor bigint, broken_unearned_minor bigint, broken_taken_minor bigint,
  broken_returned_minor bigint
) returns boolean language plpgsql immutable parallel safe as $$ begin return
  principal_minor between 1 and 999999999999999
  and remaining_minor between 0 and principal_minor
  and lien_minor between 0 and remaining_minor
  and expected_interest_minor >= 0
  and annual_rate_ppm between 1 and 1000000
  and tenor_days between 1 and 36600
  and maturity_date = start_date + tenor_days
  and status in ('ACTIVE', 'LIQUIDATED', 'MATURED', 'ROLLED_OVER')
  and (status = 'ACTIVE') = (remaining_minor > 0)
  and (status = 'LIQUIDATED') = (liquidated_at is not null)
  and (status = 'ROLLED_OVER') = (rolled_over_to is not null)
  and length(external_id) between 1 and 64
  and num_nulls(broken_on, broken_principal_minor, broken_interest_minor, broken_assessed_minor) in (0, 4)
  and broken_principal_minor between 1 and principal_minor
  and broken_assessed_minor between 0 and broken_interest_minor
    + case when recover then coalesce(broken_paid_minor, 0) - coalesce(broken_unearned_minor, 0) else 0 end
  and broken_penal_minor between 0 and least(broken_assessed_minor, broken_interest_minor)
  and broken_tax_minor between 0 and broken_interest_minor
  and case
    when maturity_tax_version is null then maturity_tax_ppm is null and maturity_tax_class is null
    else (maturity_tax_ppm between 0 and 1000000) is true
  end
  and least(rollovers, broken_days) >= 0
  and case instruction
    when 'ROLL_OVER_PRINCIPAL' then auto_rollover
    when 'ROLL_OVER' then auto_rollover
    when 'PAY_OUT' then not auto_rollover
    else instruction is null
  end
  and case method
    -- Most deposits have no product, and nothing below to check.
    when 'AT_MATURITY' then every is null
    when 'UPFRONT' then every is null
    when 'COMPOUND' then (every in ('DAY', 'MONTH', 'QUARTER', 'HALF_YEAR', 'YEAR')) is true
    when 'PAYOUT' then (every in ('MONTH', 'QUARTER', 'HALF_YEAR', 'YEAR')) is true
    else false
  end
  and case
    when method in ('AT_MATURITY', 'COMPOUND') then
      paid_minor = 0 and tax_minor = 0 and paid_to is null and next_interest_date is null
    else
      tax_minor between 0 and paid_minor
      and (method = 'PAYOUT' or paid_to is null)
      and (next_interest_date is not null) = (method = 'PAYOUT' and status = 'ACTIVE')
  end
  and case
    when product_code is null then
      product_version is null and method = 'AT_MATURITY' and not recover and agreed_unit is null
    else
      (product_version > 0) is true
      and (agreed_unit in ('DAY', 'MONTH') and agreed_count > 0) is true
      -- null is zero.
      and coalesce(
        least(broken_paid_minor, broken_taxed_minor, broken_unearned_minor, broken_taken_minor, broken_returned_minor),
        0
      ) >= 0
  end; end $$;

alter table deposits drop constraint deposits_consistent;
alter table deposits
  add constraint deposits_consistent check (
    deposit_is_consistent(
      status, principal_minor, remaining_minor, lien_minor, expected_interest_minor, annual_rate_ppm, tenor_days,
      start_date, maturity_date, liquidated_at, rolled_over_to, external_id, broken_on, broken_principal_minor,
      broken_interest_minor, broken_assessed_minor, broken_penal_minor, broken_tax_minor, maturity_tax_version,
      maturity_tax_class, maturity_tax_ppm, product_code, product_version, agreed_unit, agreed_count, method, every,
      recover, paid_minor, tax_minor, paid_to, next_interest_date, auto_rollover, instruction, rollovers, broken_days,
      broken_paid_minor, broken_taxed_minor, broken_unearned_minor, broken_taken_minor, broken_returned_minor
    )
  ) not valid;

drop function deposit_is_consistent(
  text, bigint, bigint, bigint, bigint, int4, int4, date, date, timestamptz, text, text, date, bigint, bigint, bigint,
  bigint, bigint, int4, text, int4
);

-- What a part of a deposit took with it: its share of the interest paid before and of the tax on that, what went back of
-- it and why. paid_to is that of the deposit, for a reversal; sheet_now the rate sheet in force on the day.
alter table liquidations
  add column paid_share_minor bigint not null default 0,
  add column tax_share_minor bigint not null default 0,
  add column unearned_minor bigint not null default 0,
  add column recovered_minor bigint not null default 0,
  add column tax_returned_minor bigint not null default 0,
  add column earlier_paid_minor bigint,
  add column earlier_taxed_minor bigint,
  add column earlier_unearned_minor bigint,
  add column earlier_taken_minor bigint,
  add column earlier_returned_minor bigint,
  add column sheet_now int4,
  add column paid_to date,
  add column approval_id text;

create function liquidation_is_consistent(
  liquidation_type text, principal_minor bigint, interest_minor bigint, penal_minor bigint, total_minor bigint,
  remaining_minor bigint, assessed_by text, assessed_minor bigint, waived_minor bigint, waiver text, tax_minor bigint,
  tax_version int4, tax_class text, tax_ppm int4, net_minor bigint, reference text, reason text,
  earlier_principal_minor bigint, earlier_interest_minor bigint, earlier_assessed_minor bigint,
  earlier_penal_minor bigint, earlier_tax_minor bigint, paid_share_minor bigint, tax_share_minor bigint,
  unearned_minor bigint, recovered_minor bigint, tax_returned_minor bigint
) returns boolean language plpgsql immutable parallel safe as $$ begin return
  liquidation_type = case when remaining_minor = 0 then 'FULL' else 'PARTIAL' end
  and principal_minor > 0
  and least(
    interest_minor, penal_minor, waived_minor, tax_minor, remaining_minor, tax_share_minor, unearned_minor,
    recovered_minor, tax_returned_minor
  ) >= 0
  and total_minor = principal_minor + interest_minor - penal_minor
  and penal_minor <= interest_minor
  -- null in assessed_minor and net_minor is a row of 0.1.0. Without interest paid before there is nothing to take back.
  and case
    when paid_share_minor = 0 then
      penal_minor + waived_minor = coalesce(assessed_minor, penal_minor)
      and penal_minor + waived_minor <= interest_minor
      and unearned_minor + recovered_minor + tax_share_minor = 0
    else
      penal_minor + waived_minor + recovered_minor <= assessed_minor
      and assessed_minor <= interest_minor + paid_share_minor - unearned_minor
      and unearned_minor + recovered_minor <= paid_share_minor
      and tax_share_minor <= paid_share_minor
  end
  and (waived_minor = 0 or waiver is not null)
  and tax_minor <= total_minor
  and net_minor >= 0
  and net_minor = total_minor - unearned_minor - tax_minor - recovered_minor + tax_returned_minor
  and case
    when tax_version is null then
      tax_minor = 0 and tax_returned_minor = 0 and tax_ppm is null and tax_class is null
    else (tax_ppm between 0 and 1000000) is true
  end
  and length(reference) between 1 and 64
  and reason ~ '^[A-Z][A-Z0-9_]{1,31}$'
  and assessed_by in ('PART', 'DAY')
  and (
    num_nulls(
      earlier_principal_minor, earlier_interest_minor, earlier_assessed_minor, earlier_penal_minor, earlier_tax_minor
    ) = 5
    or num_nulls(earlier_principal_minor, earlier_interest_minor, earlier_assessed_minor) in (0, 3)
    and (earlier_principal_minor is null or assessed_by = 'DAY')
    and earlier_principal_minor > 0
    and earlier_assessed_minor >= 0
    and earlier_penal_minor between 0 and least(earlier_assessed_minor, earlier_interest_minor)
    and earlier_tax_minor between 0 and earlier_interest_minor
  ); end $$;

alter table liquidations drop constraint liquidations_consistent;
alter table liquidations
  add constraint liquidations_consistent check (
    liquidation_is_consistent(
      liquidation_type, principal_minor, interest_minor, penal_minor, total_minor, remaining_minor, assessed_by,
      assessed_minor, waived_minor, waiver, tax_minor, tax_version, tax_class, tax_ppm, net_minor, reference, reason,
      earlier_principal_minor, earlier_interest_minor, earlier_assessed_minor, earlier_penal_minor, earlier_tax_minor,
      paid_share_minor, tax_share_minor, unearned_minor, recovered_minor, tax_returned_minor
    )
  ) not valid;

drop function liquidation_is_consistent(
  text, bigint, bigint, bigint, bigint, bigint, text, bigint, bigint, text, bigint, int4, text, int4, bigint, text, text,
  bigint, bigint, bigint, bigint, bigint
);

-- null: the business date of created_at.
alter table ledger_entries add column business_date date;

create or replace function entry_is_consistent(
  kind text, accounts text[], amounts_minor bigint[], reverses text
) returns boolean language plpgsql immutable parallel safe as $$ begin return
  kind in (
    'ACCOUNT_CREDIT', 'DEPOSIT_OPENING', 'LIQUIDATION', 'MATURITY', 'WITHHOLDING_TAX', 'REVERSAL', 'INTEREST_PAYOUT',
    'INTEREST_RECOVERY', 'TAX_RETURN', 'IMPORT', 'ACCRUAL'
  )
  and (kind = 'REVERSAL') = (reverses is not null)
  and cardinality(accounts) between 2 and 8
  and cardinality(accounts) = cardinality(amounts_minor)
  and 0 <> all (amounts_minor)
  and amounts_minor[1] + amounts_minor[2] + coalesce(amounts_minor[3], 0) + coalesce(amounts_minor[4], 0)
    + coalesce(amounts_minor[5], 0) + coalesce(amounts_minor[6], 0) + coalesce(amounts_minor[7], 0)
    + coalesce(amounts_minor[8], 0) = 0; end $$;
