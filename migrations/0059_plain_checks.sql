-- Most deposits have no product, and most liquidations take back no interest: what only the others need is checked by a
-- function of its own, which is not called for them. What is refused stays the same.

create function deposit_is_consistent(
  status text, principal_minor bigint, remaining_minor bigint, lien_minor bigint, expected_interest_minor bigint,
  annual_rate_ppm int4, tenor_days int4, start_date date, maturity_date date, liquidated_at timestamptz,
  rolled_over_to text, external_id text, broken_on date, broken_principal_minor bigint, broken_interest_minor bigint,
  broken_assessed_minor bigint, broken_penal_minor bigint, broken_tax_minor bigint, maturity_tax_version int4,
  maturity_tax_class text, maturity_tax_ppm int4
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
  and broken_assessed_minor >= 0
  and broken_penal_minor between 0 and least(broken_assessed_minor, broken_interest_minor)
  and broken_tax_minor between 0 and broken_interest_minor
  and case
    when maturity_tax_version is null then maturity_tax_ppm is null and maturity_tax_class is null
    else (maturity_tax_ppm between 0 and 1000000) is true
  end; end $$;

create function sold_deposit_is_consistent(
  status text, broken_interest_minor bigint, broken_assessed_minor bigint, product_code text, product_version int4,
  agreed_unit text, agreed_count int4, method text, every text, recover boolean, paid_minor bigint, tax_minor bigint,
  paid_to date, next_interest_date date, auto_rollover boolean, instruction text, broken_paid_minor bigint,
  broken_taxed_minor bigint, broken_unearned_minor bigint, broken_taken_minor bigint, broken_returned_minor bigint
) returns boolean language plpgsql immutable parallel safe as $$ begin return
  broken_assessed_minor <= broken_interest_minor
    + case when recover then coalesce(broken_paid_minor, 0) - coalesce(broken_unearned_minor, 0) else 0 end
  and case instruction
    when 'ROLL_OVER_PRINCIPAL' then auto_rollover
    when 'ROLL_OVER' then auto_rollover
    when 'PAY_OUT' then not auto_rollover
    else instruction is null
  end
  and case method
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
      maturity_tax_class, maturity_tax_ppm
    )
    and least(rollovers, broken_days) >= 0
    and case
      when product_code is null and instruction is null then
        broken_assessed_minor <= broken_interest_minor
        and method = 'AT_MATURITY'
        and not recover
        and paid_minor = 0
        and tax_minor = 0
        and num_nulls(product_version, agreed_unit, every, paid_to, next_interest_date) = 5
      else sold_deposit_is_consistent(
        status, broken_interest_minor, broken_assessed_minor, product_code, product_version, agreed_unit,
        agreed_count, method, every, recover, paid_minor, tax_minor, paid_to, next_interest_date, auto_rollover,
        instruction, broken_paid_minor, broken_taxed_minor, broken_unearned_minor, broken_taken_minor,
        broken_returned_minor
      )
    end
  ) not valid;

create function liquidation_is_consistent(
  liquidation_type text, principal_minor bigint, interest_minor bigint, penal_minor bigint, total_minor bigint,
  remaining_minor bigint, assessed_by text, waived_minor bigint, waiver text, tax_minor bigint, tax_version int4,
  tax_class text, tax_ppm int4, reference text, reason text, earlier_principal_minor bigint,
  earlier_interest_minor bigint, earlier_assessed_minor bigint, earlier_penal_minor bigint, earlier_tax_minor bigint
) returns boolean language plpgsql immutable parallel safe as $$ begin return
  liquidation_type = case when remaining_minor = 0 then 'FULL' else 'PARTIAL' end
  and principal_minor > 0
  and least(interest_minor, penal_minor, waived_minor, tax_minor, remaining_minor) >= 0
  and total_minor = principal_minor + interest_minor - penal_minor
  and penal_minor <= interest_minor
  and (waived_minor = 0 or waiver is not null)
  and tax_minor <= total_minor
  and case
    when tax_version is null then tax_minor = 0 and tax_ppm is null and tax_class is null
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

create function taken_back_is_consistent(
  interest_minor bigint, penal_minor bigint, total_minor bigint, assessed_minor bigint, waived_minor bigint,
  tax_minor bigint, tax_version int4, net_minor bigint, paid_share_minor bigint, tax_share_minor bigint,
  unearned_minor bigint, recovered_minor bigint, tax_returned_minor bigint
) returns boolean language plpgsql immutable parallel safe as $$ begin return
  least(tax_share_minor, unearned_minor, recovered_minor, tax_returned_minor) >= 0
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
  and net_minor >= 0
  and net_minor = total_minor - unearned_minor - tax_minor - recovered_minor + tax_returned_minor
  and (tax_version is not null or tax_returned_minor = 0); end $$;

alter table liquidations drop constraint liquidations_consistent;
alter table liquidations
  add constraint liquidations_consistent check (
    liquidation_is_consistent(
      liquidation_type, principal_minor, interest_minor, penal_minor, total_minor, remaining_minor, assessed_by,
      waived_minor, waiver, tax_minor, tax_version, tax_class, tax_ppm, reference, reason, earlier_principal_minor,
      earlier_interest_minor, earlier_assessed_minor, earlier_penal_minor, earlier_tax_minor
    )
    and case
      when paid_share_minor = 0 and tax_returned_minor = 0 then
        tax_share_minor = 0
        and unearned_minor = 0
        and recovered_minor = 0
        -- null in assessed_minor and net_minor is a row of 0.1.0.
        and penal_minor + waived_minor = coalesce(assessed_minor, penal_minor)
        and penal_minor + waived_minor <= interest_minor
        and net_minor = total_minor - tax_minor
      else taken_back_is_consistent(
        interest_minor, penal_minor, total_minor, assessed_minor, waived_minor, tax_minor, tax_version, net_minor,
        paid_share_minor, tax_share_minor, unearned_minor, recovered_minor, tax_returned_minor
      )
    end
  ) not valid;

drop function deposit_is_consistent(
  text, bigint, bigint, bigint, bigint, int4, int4, date, date, timestamptz, text, text, date, bigint, bigint, bigint,
  bigint, bigint, int4, text, int4, text, int4, text, int4, text, text, boolean, bigint, bigint, date, date, boolean,
  text, int4, int4, bigint, bigint, bigint, bigint, bigint
);
drop function liquidation_is_consistent(
  text, bigint, bigint, bigint, bigint, bigint, text, bigint, bigint, text, bigint, int4, text, int4, bigint, text, text,
  bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint
);
