-- Interest paid before maturity, one row for each period. Its entry and its event are written in the same transaction; a
-- payment of 0.00 has no entry. It keeps how it was taxed, so that it can be computed again.

create table interest_payments (
  book_id text not null,
  deposit_id text not null,
  period_to date not null,
  period_from date not null,
  account_number text not null,
  principal_minor bigint not null,
  interest_minor bigint not null,
  tax_minor bigint not null,
  tax_version int4,
  tax_class text,
  tax_ppm int4,
  business_date date not null,
  paid_at timestamptz not null,
  entry_id text,
  primary key (book_id, deposit_id, period_to),
  constraint interest_payments_consistent check (
    period_from < period_to
    and principal_minor > 0
    and tax_minor between 0 and interest_minor
    and (interest_minor > 0) = (entry_id is not null)
    and num_nulls(tax_version, tax_class, tax_ppm) in (0, 3)
    and (tax_minor = 0 or tax_version is not null)
  )
);

-- Exports and reports read the payments of a range of days.
create index interest_payments_of_day on interest_payments (book_id, business_date, deposit_id, period_to);
