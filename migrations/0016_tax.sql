-- Withholding tax. Its rules are documents; the newest version stands in the row of the book, which every transaction reads
-- anyway, so a book without tax rules pays nothing for them. The tax status of a customer is copied to the accounts in
-- one transaction, so that a liquidation reads no further row. A movement keeps the version and the rate it was taxed by.

alter table books add column tax_version int4 not null default 0;

alter table customers
  add column tax_class text,
  add column tax_reference text,
  add column tax_valid_until date;

alter table accounts
  add column tax_class text,
  add column tax_valid_until date;

alter table deposits
  add column broken_penal_minor bigint,
  add column broken_tax_minor bigint,
  add column maturity_tax_version int4,
  add column maturity_tax_ppm int4,
  add constraint deposits_broken_tax_check check (
    broken_penal_minor between 0 and broken_assessed_minor
    and broken_tax_minor between 0 and broken_interest_minor
  ) not valid,
  add constraint deposits_maturity_tax_check check (
    num_nulls(maturity_tax_version, maturity_tax_ppm) in (0, 2)
    and maturity_tax_ppm between 0 and 1000000
  ) not valid;

alter table liquidations
  add column tax_minor bigint not null default 0,
  add column tax_version int4,
  add column tax_ppm int4,
  add column earlier_penal_minor bigint,
  add column earlier_tax_minor bigint,
  add constraint liquidations_tax_check check (
    tax_minor between 0 and total_minor
    and (tax_minor = 0 or tax_version is not null)
    and num_nulls(tax_version, tax_ppm) in (0, 2)
    and tax_ppm between 0 and 1000000
  ) not valid,
  add constraint liquidations_earlier_tax_check check (
    earlier_penal_minor between 0 and earlier_assessed_minor
    and earlier_tax_minor between 0 and earlier_interest_minor
  ) not valid,
  drop constraint liquidations_net_check,
  add constraint liquidations_net_check check (net_minor = total_minor - tax_minor) not valid;
