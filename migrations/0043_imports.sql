-- Deposits that began in another system, with what was left of them and paid on that when they were taken over. Interest
-- of that time has no row of interest_payments: this is where the payments of this system begin.
create table deposit_imports (
  book_id text not null,
  deposit_id text not null,
  remaining_minor bigint not null,
  paid_minor bigint not null,
  tax_minor bigint not null,
  paid_to date,
  primary key (book_id, deposit_id),
  check (remaining_minor > 0 and tax_minor between 0 and paid_minor)
);
