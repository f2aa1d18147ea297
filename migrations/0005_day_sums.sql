-- Parts of a deposit broken on one business date are one withdrawal. The deposit's row carries what was broken on the
-- last such date, so that a liquidation reads nothing more; a liquidation keeps what the earlier parts of its day had,
-- so that it can be computed again from its own row.
-- assessed_by: PART is how 0.1.0 assessed each part, alone; an instance of 0.1.0 that still runs writes it by default.
-- New checks begin as not valid: they hold for every row written from now on, and the table is not read under lock.

alter table deposits
  add column broken_on date,
  add column broken_principal_minor bigint,
  add column broken_interest_minor bigint,
  add column broken_assessed_minor bigint,
  add constraint deposits_broken_check check (
    num_nulls(broken_on, broken_principal_minor, broken_interest_minor, broken_assessed_minor) in (0, 4)
    and broken_principal_minor between 1 and principal_minor
    and broken_assessed_minor between 0 and broken_interest_minor
  ) not valid;

alter table liquidations
  add column assessed_by text not null default 'PART',
  add column earlier_principal_minor bigint,
  add column earlier_interest_minor bigint,
  add column earlier_assessed_minor bigint,
  add constraint liquidations_assessed_by_check check (assessed_by in ('PART', 'DAY')) not valid,
  add constraint liquidations_earlier_check check (
    num_nulls(earlier_principal_minor, earlier_interest_minor, earlier_assessed_minor) in (0, 3)
    and (earlier_principal_minor is null or assessed_by = 'DAY')
    and earlier_principal_minor > 0
    and earlier_assessed_minor between 0 and earlier_interest_minor
  ) not valid;
