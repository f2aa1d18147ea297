-- The checks of the rows that a liquidation writes, in one function for each table. PostgreSQL reads every constraint from
-- its stored text again for each statement: for a single liquidation that was half of the write. The body of a function is
-- read once in a session. Each function is the conjunction of the checks it replaces; as in those, null passes.

create function liquidation_is_consistent(
  liquidation_type text, principal_minor bigint, interest_minor bigint, penal_minor bigint, total_minor bigint,
  remaining_minor bigint, assessed_by text, assessed_minor bigint, waived_minor bigint, waiver text, tax_minor bigint,
  tax_version int4, tax_class text, tax_ppm int4, net_minor bigint, reference text, reason text,
  earlier_principal_minor bigint, earlier_interest_minor bigint, earlier_assessed_minor bigint,
  earlier_penal_minor bigint, earlier_tax_minor bigint
) returns boolean language plpgsql immutable parallel safe as $$ begin return
  liquidation_type = case when remaining_minor = 0 then 'FULL' else 'PARTIAL' end
  and principal_minor > 0
  and least(interest_minor, penal_minor, waived_minor, tax_minor, remaining_minor) >= 0
  and total_minor = principal_minor + interest_minor - penal_minor
  -- null in assessed_minor and net_minor is a row of 0.1.0.
  and penal_minor + waived_minor = coalesce(assessed_minor, penal_minor)
  and penal_minor + waived_minor <= interest_minor
  and (waived_minor = 0 or waiver is not null)
  and tax_minor <= total_minor
  and net_minor = total_minor - tax_minor
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
    and earlier_assessed_minor between 0 and earlier_interest_minor
    and earlier_penal_minor between 0 and earlier_assessed_minor
    and earlier_tax_minor between 0 and earlier_interest_minor
  ); end $$;

alter table liquidations
  add constraint liquidations_consistent check (
    liquidation_is_consistent(
      liquidation_type, principal_minor, interest_minor, penal_minor, total_minor, remaining_minor, assessed_by,
      assessed_minor, waived_minor, waiver, tax_minor, tax_version, tax_class, tax_ppm, net_minor, reference, reason,
      earlier_principal_minor, earlier_interest_minor, earlier_assessed_minor, earlier_penal_minor, earlier_tax_minor
    )
  ) not valid;

alter table liquidations
  drop constraint liquidations_assessed_by_check,
  drop constraint liquidations_assessed_check,
  drop constraint liquidations_check,
  drop constraint liquidations_check1,
  drop constraint liquidations_check2,
  drop constraint liquidations_earlier_check,
  drop constraint liquidations_earlier_tax_check,
  drop constraint liquidations_interest_minor_check,
  drop constraint liquidations_liquidation_type_check,
  drop constraint liquidations_net_check,
  drop constraint liquidations_principal_minor_check,
  drop constraint liquidations_reason_check,
  drop constraint liquidations_reference_check,
  drop constraint liquidations_remaining_minor_check,
  drop constraint liquidations_tax_check,
  drop constraint liquidations_tax_class_check,
  drop constraint liquidations_waived_check;

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
  and tenor_days between 1 and 36500
  and maturity_date = start_date + tenor_days
  and status in ('ACTIVE', 'LIQUIDATED', 'MATURED', 'ROLLED_OVER')
  and (status = 'ACTIVE') = (remaining_minor > 0)
  and (status = 'LIQUIDATED') = (liquidated_at is not null)
  and (status = 'ROLLED_OVER') = (rolled_over_to is not null)
  and length(external_id) between 1 and 64
  and num_nulls(broken_on, broken_principal_minor, broken_interest_minor, broken_assessed_minor) in (0, 4)
  and broken_principal_minor between 1 and principal_minor
  and broken_assessed_minor between 0 and broken_interest_minor
  and broken_penal_minor between 0 and broken_assessed_minor
  and broken_tax_minor between 0 and broken_interest_minor
  and case
    when maturity_tax_version is null then maturity_tax_ppm is null and maturity_tax_class is null
    else (maturity_tax_ppm between 0 and 1000000) is true
  end; end $$;

alter table deposits
  add constraint deposits_consistent check (
    deposit_is_consistent(
      status, principal_minor, remaining_minor, lien_minor, expected_interest_minor, annual_rate_ppm, tenor_days,
      start_date, maturity_date, liquidated_at, rolled_over_to, external_id, broken_on, broken_principal_minor,
      broken_interest_minor, broken_assessed_minor, broken_penal_minor, broken_tax_minor, maturity_tax_version,
      maturity_tax_class, maturity_tax_ppm
    )
  ) not valid;

alter table deposits
  drop constraint deposits_annual_rate_ppm_check,
  drop constraint deposits_broken_check,
  drop constraint deposits_broken_tax_check,
  drop constraint deposits_check,
  drop constraint deposits_check1,
  drop constraint deposits_check2,
  drop constraint deposits_check3,
  drop constraint deposits_check4,
  drop constraint deposits_expected_interest_minor_check,
  drop constraint deposits_external_id_check,
  drop constraint deposits_lien_check,
  drop constraint deposits_maturity_tax_check,
  drop constraint deposits_maturity_tax_class_check,
  drop constraint deposits_principal_minor_check,
  drop constraint deposits_status_check,
  drop constraint deposits_tenor_days_check;

create function entry_is_consistent(
  kind text, accounts text[], amounts_minor bigint[], reverses text
) returns boolean language plpgsql immutable parallel safe as $$ begin return
  kind in ('ACCOUNT_CREDIT', 'DEPOSIT_OPENING', 'LIQUIDATION', 'MATURITY', 'WITHHOLDING_TAX', 'REVERSAL')
  and (kind = 'REVERSAL') = (reverses is not null)
  and cardinality(accounts) between 2 and 8
  and cardinality(accounts) = cardinality(amounts_minor)
  and 0 <> all (amounts_minor)
  and amounts_minor[1] + amounts_minor[2] + coalesce(amounts_minor[3], 0) + coalesce(amounts_minor[4], 0)
    + coalesce(amounts_minor[5], 0) + coalesce(amounts_minor[6], 0) + coalesce(amounts_minor[7], 0)
    + coalesce(amounts_minor[8], 0) = 0; end $$;

alter table ledger_entries
  add constraint ledger_entries_consistent check (entry_is_consistent(kind, accounts, amounts_minor, reverses)) not valid;

alter table ledger_entries
  drop constraint ledger_entries_amounts_minor_check,
  drop constraint ledger_entries_check,
  drop constraint ledger_entries_kind_check,
  drop constraint ledger_entries_lines_check,
  drop constraint ledger_entries_reverses_check,
  drop constraint ledger_entries_sum_check;

-- Every credit checks the number again, and a regular expression takes three times as long.
alter table accounts
  add constraint accounts_number_check check (
    octet_length(account_number) = 10 and ltrim(account_number, '0123456789') = ''
  ) not valid;

alter table accounts drop constraint accounts_account_number_check;
