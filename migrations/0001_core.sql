-- The books of every caller: customers, accounts, deposits, rules, liquidations, the ledger and the events.
-- Each table's key begins with book_id, and so does every index and foreign key: a transaction touches one book,
-- which lets a sharded PostgreSQL keep it on one shard. callers, books and api_keys are the small directory that
-- says which book a request belongs to; a sharded installation keeps them as reference tables.
-- Tables written on every request do not reference books: the check would make all requests share-lock its one row.
-- Nor do rows reference what is written in the same statement or locked by it: nothing is ever deleted, and such keys,
-- checked row by row, were a sixth of the database's work for a liquidation. `verify` checks them as sets.
-- Amounts are minor units. ordinal is made by the service and grows with time: lists are read by it, newest first.

create table callers (
  caller_id text primary key,
  name text not null,
  time_zone text not null,
  currency text not null,
  created_at timestamptz not null
);

create table books (
  book_id text primary key,
  caller_id text not null references callers,
  mode text not null check (mode in ('test', 'live')),
  clock_offset_ms bigint not null check (clock_offset_ms >= 0),
  unique (caller_id, mode),
  check (mode = 'test' or clock_offset_ms = 0)
);

create table api_keys (
  book_id text not null references books,
  api_key_id text not null,
  ordinal bigint not null,
  key_hash text not null unique,
  key_prefix text not null,
  name text,
  scopes text[] not null,
  rate_limit_per_minute int4 check (rate_limit_per_minute >= 0),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  primary key (book_id, api_key_id)
);

create table rule_sets (
  book_id text not null references books,
  version int4 not null check (version >= 1),
  rules text not null,
  created_at timestamptz not null,
  primary key (book_id, version)
);

create table customers (
  book_id text not null references books,
  customer_id text not null,
  ordinal bigint not null,
  first_name text not null,
  last_name text not null,
  email text not null,
  phone_number text not null,
  address text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (book_id, customer_id)
);
create index customers_newest on customers (book_id, ordinal);

create table accounts (
  book_id text not null,
  account_number text not null check (account_number ~ '^[0-9]{10}$'),
  ordinal bigint not null,
  customer_id text not null,
  currency text not null,
  balance_minor bigint not null check (balance_minor between 0 and 999999999999999),
  created_at timestamptz not null,
  primary key (book_id, account_number),
  foreign key (book_id, customer_id) references customers
) with (fillfactor = 90); -- room for the next version of a row on its own page, so that no index hears of the change
create index accounts_newest on accounts (book_id, ordinal);
create index accounts_of_customer on accounts (book_id, customer_id, ordinal);

create table deposits (
  book_id text not null,
  deposit_id text not null,
  ordinal bigint not null,
  customer_id text not null,
  account_number text not null,
  currency text not null,
  status text not null check (status in ('ACTIVE', 'LIQUIDATED', 'MATURED', 'ROLLED_OVER')),
  principal_minor bigint not null check (principal_minor between 1 and 999999999999999),
  remaining_minor bigint not null check (remaining_minor between 0 and principal_minor),
  expected_interest_minor bigint not null check (expected_interest_minor >= 0),
  annual_rate_ppm int4 not null check (annual_rate_ppm between 1 and 1000000),
  tenor_days int4 not null check (tenor_days between 1 and 36500),
  start_date date not null,
  maturity_date date not null check (maturity_date = start_date + tenor_days),
  auto_rollover boolean not null,
  rolled_over_to text,
  rules_version int4 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  liquidated_at timestamptz,
  -- Until the maturity job has seen it. A liquidation leaves it as it is: what no index holds is cheap to change.
  awaits_maturity boolean not null default true,
  primary key (book_id, deposit_id),
  foreign key (book_id, account_number) references accounts,
  foreign key (book_id, rules_version) references rule_sets,
  check ((status = 'ACTIVE') = (remaining_minor > 0)),
  check ((status = 'LIQUIDATED') = (liquidated_at is not null)),
  check ((status = 'ROLLED_OVER') = (rolled_over_to is not null))
) with (fillfactor = 90);
create index deposits_newest on deposits (book_id, ordinal);
create index deposits_of_customer on deposits (book_id, customer_id, ordinal);
create index deposits_of_account on deposits (book_id, account_number, ordinal);
-- The maturity job reads what is due page by page; with the identifier in the index a page begins where the last one
-- ended, even when a million deposits mature on one day.
create index deposits_due on deposits (book_id, maturity_date, deposit_id) where awaits_maturity;

-- Those of a deposit are found by its ledger entries, one for each.
create table liquidations (
  book_id text not null,
  liquidation_id text not null,
  deposit_id text not null,
  liquidation_type text not null check (liquidation_type in ('FULL', 'PARTIAL')),
  principal_minor bigint not null check (principal_minor > 0),
  interest_minor bigint not null check (interest_minor >= 0),
  penal_minor bigint not null check (penal_minor between 0 and interest_minor),
  total_minor bigint not null check (total_minor = principal_minor + interest_minor - penal_minor),
  remaining_minor bigint not null check (remaining_minor >= 0),
  account_number text not null,
  currency text not null,
  business_date date not null,
  liquidated_at timestamptz not null,
  primary key (book_id, liquidation_id),
  check ((liquidation_type = 'FULL') = (remaining_minor = 0))
);

-- One entry is one movement of money, kept in one row with its two to four postings: the first account with the first
-- amount, and so on. Amounts sum to zero: credits are positive, debits negative, so what the bank owes (an account's
-- balance, a deposit's remaining principal) is the plain sum of its postings. Entries are numbered in the order of their
-- making: the key serves the lists, and new rows go where the last ones went, however large the book.
create table ledger_entries (
  book_id text not null,
  entry_id text not null,
  kind text not null check (kind in ('ACCOUNT_CREDIT', 'DEPOSIT_OPENING', 'LIQUIDATION', 'MATURITY')),
  account_number text,
  deposit_id text,
  liquidation_id text,
  narration text,
  created_at timestamptz not null,
  accounts text[] not null check (cardinality(accounts) between 2 and 4),
  amounts_minor bigint[] not null check (0 <> all (amounts_minor)),
  primary key (book_id, entry_id),
  check (cardinality(accounts) = cardinality(amounts_minor)),
  check (
    amounts_minor[1] + amounts_minor[2] + coalesce(amounts_minor[3], 0) + coalesce(amounts_minor[4], 0) = 0
  )
);
create index ledger_entries_of_account on ledger_entries (book_id, account_number, entry_id);
create index ledger_entries_of_deposit on ledger_entries (book_id, deposit_id, entry_id);

-- The postings one by one, for whoever adds them up.
create view postings as
select entry.book_id, entry.entry_id, posting.line::int4 as line, posting.account, posting.amount_minor
from ledger_entries entry
cross join lateral unnest(entry.accounts, entry.amounts_minor) with ordinality
  as posting(account, amount_minor, line);

-- One row per committed change, written in its transaction: the audit trail, and, where announced, the outbox.
-- data is what subscribers may see; changes holds old and new personal values and never leaves the audit log.
create table events (
  book_id text not null,
  event_id text not null,
  ordinal bigint not null,
  type text not null,
  announced boolean not null,
  subject_id text not null,
  api_key_id text,
  request_id text,
  occurred_at timestamptz not null,
  data text not null,
  changes text,
  primary key (book_id, event_id)
);
create index events_newest on events (book_id, ordinal);

-- A key exists if and only if the work it names was committed: both are one transaction.
create table idempotency_keys (
  book_id text not null,
  idempotency_key text not null,
  fingerprint text not null,
  status int4 not null,
  answer text not null,
  created_at timestamptz not null,
  primary key (book_id, idempotency_key)
);
