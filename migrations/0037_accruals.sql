-- Interest that was earned and not paid yet, and interest that was paid and not earned yet, at the close of a business date:
-- what the two accounts of the bank then hold. A day is closed once; a row without entry is a day on which nothing moved.
create table accruals (
  book_id text not null,
  currency text not null,
  business_date date not null,
  interest_payable_minor numeric not null,
  prepaid_interest_minor numeric not null,
  entry_id text,
  primary key (book_id, currency, business_date),
  check (least(interest_payable_minor, prepaid_interest_minor) >= 0)
);
-- The newest version of the accounting document, as those of the others.
alter table books add column accounting_version int4 not null default 0;
