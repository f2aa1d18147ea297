-- Generated from migrations/ by `npm run generate`: the schema after all of them. Do not edit.

create table accounts (
  book_id text not null,
  account_number text not null,
  ordinal bigint not null,
  customer_id text not null,
  currency text not null,
  balance_minor bigint not null,
  created_at timestamptz not null,
  external_id text,
  metadata text,
  tax_class text,
  tax_valid_until date,
  constraint accounts_pkey primary key (book_id, account_number),
  constraint accounts_book_id_customer_id_fkey foreign key (book_id, customer_id) references customers(book_id, customer_id),
  constraint accounts_balance_minor_check check (balance_minor >= 0 and balance_minor <= '999999999999999'::bigint),
  constraint accounts_external_id_check check (length(external_id) >= 1 and length(external_id) <= 64) not valid,
  constraint accounts_number_check check (octet_length(account_number) = 10 and ltrim(account_number, '0123456789') = '') not valid
) with (fillfactor=50);
create unique index accounts_by_external_id on accounts (book_id, external_id) where external_id is not null;
create index accounts_by_middle_digits on accounts using gin ((array[substr(account_number, 1, 6), substr(account_number, 2, 6), substr(account_number, 3, 6), substr(account_number, 4, 6), substr(account_number, 5, 6)]));
create index accounts_newest on accounts (book_id, ordinal);
create index accounts_of_customer on accounts (book_id, customer_id, ordinal);

create table accruals (
  book_id text not null,
  currency text not null,
  business_date date not null,
  interest_payable_minor numeric not null,
  prepaid_interest_minor numeric not null,
  entry_id text,
  constraint accruals_pkey primary key (book_id, currency, business_date),
  constraint accruals_check check (least(interest_payable_minor, prepaid_interest_minor) >= 0::numeric)
);

create table api_keys (
  book_id text not null,
  api_key_id text not null,
  ordinal bigint not null,
  key_hash text not null,
  key_prefix text not null,
  name text,
  scopes text[] not null,
  rate_limit_per_minute integer,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  root_key_id text,
  rests_until timestamptz,
  rest_by text[] not null default '{}'[],
  constraint api_keys_pkey primary key (book_id, api_key_id),
  constraint api_keys_key_hash_key unique (key_hash),
  constraint api_keys_book_id_fkey foreign key (book_id) references books(book_id),
  constraint api_keys_rate_limit_per_minute_check check (rate_limit_per_minute >= 0)
);

create table approval_votes (
  book_id text not null,
  approval_id text not null,
  voter text not null,
  actor text not null,
  voted_at timestamptz not null,
  constraint approval_votes_pkey primary key (book_id, approval_id, voter),
  constraint approval_votes_book_id_approval_id_fkey foreign key (book_id, approval_id) references approvals(book_id, approval_id)
);

create table approvals (
  book_id text not null,
  approval_id text not null,
  ordinal bigint not null,
  operation text not null,
  target_id text not null,
  body text not null,
  note text,
  status text not null,
  preview text not null,
  approvals_needed integer not null,
  maker text not null,
  requested_by text not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  decision_reason text,
  result text,
  constraint approvals_pkey primary key (book_id, approval_id),
  constraint approvals_approvals_needed_check check (approvals_needed >= 1 and approvals_needed <= 3),
  constraint approvals_check check ((status = 'PENDING') = (decided_at is null)),
  constraint approvals_check1 check ((status = 'APPROVED') = (result is not null)),
  constraint approvals_check2 check ((status = 'REJECTED') = (decision_reason is not null)),
  constraint approvals_status_check check (status = any (array['PENDING', 'APPROVED', 'REJECTED', 'CANCELLED', 'EXPIRED']))
);
create index approvals_expiring on approvals (book_id, expires_at) where status = 'PENDING';
create index approvals_newest on approvals (book_id, ordinal);
create index approvals_of_target on approvals (book_id, target_id, ordinal);
create unique index approvals_pending on approvals (book_id, operation, target_id) where status = 'PENDING' and operation <> 'openFixedDeposit';

create table batch_lines (
  book_id text not null,
  batch_id text not null,
  line integer not null,
  external_id text,
  outcome text not null,
  made_id text,
  data text,
  error text,
  constraint batch_lines_pkey primary key (book_id, batch_id, line),
  constraint batch_lines_check check ((outcome = 'FAILED') = (error is not null)),
  constraint batch_lines_outcome_check check (outcome = any (array['SUCCEEDED', 'DUPLICATE', 'FAILED', 'SKIPPED']))
);
create index batch_lines_not_carried_out on batch_lines (book_id, batch_id, outcome, line) where outcome = any (array['FAILED', 'DUPLICATE']);

create table batch_parts (
  book_id text not null,
  batch_id text not null,
  part integer not null,
  digest text not null,
  first_line integer not null,
  lines integer not null,
  content text not null,
  file_lines text,
  constraint batch_parts_pkey primary key (book_id, batch_id, part)
);
create index batch_parts_by_line on batch_parts (book_id, batch_id, first_line);

create table batches (
  book_id text not null,
  batch_id text not null,
  ordinal bigint not null,
  operation text not null,
  name text,
  expected_lines integer,
  expected_total_minor bigint,
  status text not null,
  parts integer not null,
  lines integer not null,
  total_minor numeric not null,
  waives boolean not null,
  digest text not null,
  succeeded integer not null,
  duplicates integer not null,
  failed integer not null,
  skipped integer not null,
  started_by text,
  started_as text,
  approved boolean not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  leased_by text,
  leased_until timestamptz,
  constraint batches_pkey primary key (book_id, batch_id),
  constraint batches_check check ((expected_lines is null) = (expected_total_minor is null)),
  constraint batches_check1 check ((succeeded + duplicates + failed + skipped) <= lines),
  constraint batches_check2 check ((status = any (array['DONE', 'CANCELLED'])) = (finished_at is not null)),
  constraint batches_check3 check (finished_at is null or (succeeded + duplicates + failed + skipped) = lines),
  constraint batches_status_check check (status = any (array['UPLOADING', 'RUNNING', 'DONE', 'CANCELLED']))
);
create index batches_newest on batches (book_id, ordinal);
create index batches_open on batches (book_id, status, ordinal) where status = any (array['UPLOADING', 'RUNNING']);

create table books (
  book_id text not null,
  caller_id text not null,
  mode text not null,
  clock_offset_ms bigint not null,
  verified_at timestamptz,
  verified_difference text,
  policy_version integer not null default 0,
  tax_version integer not null default 0,
  clock_moved_from date,
  business_calendar_version integer not null default 0,
  accounting_version integer not null default 0,
  latest_business_date date,
  constraint books_pkey primary key (book_id),
  constraint books_caller_id_mode_key unique (caller_id, mode),
  constraint books_caller_id_fkey foreign key (caller_id) references callers(caller_id),
  constraint books_check check (mode = 'test' or clock_offset_ms = 0),
  constraint books_check1 check (verified_difference is null or verified_at is not null),
  constraint books_clock_offset_ms_check check (clock_offset_ms >= 0),
  constraint books_latest_business_date_check check (mode = 'live' or latest_business_date is null) not valid,
  constraint books_mode_check check (mode = any (array['test', 'live']))
);

create table callers (
  caller_id text not null,
  name text not null,
  time_zone text not null,
  currency text not null,
  created_at timestamptz not null,
  letter_name text,
  letter_address text,
  letter_logo text,
  letter_language text,
  constraint callers_pkey primary key (caller_id)
);

create table customer_words (
  book_id text not null,
  word text not null,
  customer_id text not null,
  constraint customer_words_pkey primary key (book_id, customer_id, word)
);
create index customer_words_by_beginning on customer_words (book_id, word text_pattern_ops, customer_id);

create table customers (
  book_id text not null,
  customer_id text not null,
  ordinal bigint not null,
  first_name text not null,
  last_name text not null,
  email text not null,
  phone_number text not null,
  address text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  contact_changed_at timestamptz,
  email_key text not null default '',
  phone_digits text not null default '',
  phone_digits_reversed text not null default '',
  external_id text,
  metadata text,
  tax_class text,
  tax_reference text,
  tax_valid_until date,
  phone_key text,
  constraint customers_pkey primary key (book_id, customer_id),
  constraint customers_book_id_fkey foreign key (book_id) references books(book_id),
  constraint customers_external_id_check check (length(external_id) >= 1 and length(external_id) <= 64) not valid
) with (fillfactor=90);
create index customers_by_email on customers (book_id, email_key text_pattern_ops);
create unique index customers_by_external_id on customers (book_id, external_id) where external_id is not null;
create index customers_by_last_digits on customers (book_id, phone_digits_reversed text_pattern_ops);
create index customers_by_middle_digits on customers using gin ((array[substr(phone_digits, 1, 6), substr(phone_digits, 2, 6), substr(phone_digits, 3, 6), substr(phone_digits, 4, 6), substr(phone_digits, 5, 6), substr(phone_digits, 6, 6), substr(phone_digits, 7, 6), substr(phone_digits, 8, 6), substr(phone_digits, 9, 6), substr(phone_digits, 10, 6)]));
create index customers_by_phone on customers (book_id, phone_digits text_pattern_ops);
create index customers_by_phone_key on customers (book_id, phone_key text_pattern_ops);
create index customers_newest on customers (book_id, ordinal);

create table database_sizes (
  taken_on date not null,
  bytes bigint not null,
  constraint database_sizes_pkey primary key (taken_on),
  constraint database_sizes_bytes_check check (bytes >= 0)
);

create table deposit_imports (
  book_id text not null,
  deposit_id text not null,
  remaining_minor bigint not null,
  paid_minor bigint not null,
  tax_minor bigint not null,
  paid_to date,
  constraint deposit_imports_pkey primary key (book_id, deposit_id),
  constraint deposit_imports_check check (remaining_minor > 0 and tax_minor >= 0 and tax_minor <= paid_minor)
);

create table deposits (
  book_id text not null,
  deposit_id text not null,
  ordinal bigint not null,
  customer_id text not null,
  account_number text not null,
  currency text not null,
  status text not null,
  principal_minor bigint not null,
  remaining_minor bigint not null,
  expected_interest_minor bigint not null,
  annual_rate_ppm integer not null,
  tenor_days integer not null,
  start_date date not null,
  maturity_date date not null,
  auto_rollover boolean not null,
  rolled_over_to text,
  rules_version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  liquidated_at timestamptz,
  awaits_maturity boolean not null default true,
  broken_on date,
  broken_principal_minor bigint,
  broken_interest_minor bigint,
  broken_assessed_minor bigint,
  lien_minor bigint not null default 0,
  external_id text,
  metadata text,
  broken_penal_minor bigint,
  broken_tax_minor bigint,
  maturity_tax_version integer,
  maturity_tax_ppm integer,
  maturity_tax_class text,
  product_code text,
  product_version integer,
  sheet_no integer,
  bonus_ppm integer not null default 0,
  bonus_codes text[] not null default '{}'[],
  agreed_unit text,
  agreed_count integer,
  method text not null default 'AT_MATURITY',
  every text,
  recover boolean not null default false,
  paid_minor bigint not null default 0,
  tax_minor bigint not null default 0,
  paid_to date,
  next_interest_date date,
  instruction text,
  rollovers integer not null default 0,
  broken_days integer not null default 0,
  calendar_version integer,
  broken_paid_minor bigint,
  broken_taxed_minor bigint,
  broken_unearned_minor bigint,
  broken_taken_minor bigint,
  broken_returned_minor bigint,
  negotiated boolean,
  constraint deposits_pkey primary key (book_id, deposit_id),
  constraint deposits_book_id_account_number_fkey foreign key (book_id, account_number) references accounts(book_id, account_number),
  constraint deposits_book_id_rules_version_fkey foreign key (book_id, rules_version) references rule_sets(book_id, version),
  constraint deposits_consistent check (deposit_is_consistent(status, principal_minor, remaining_minor, lien_minor, expected_interest_minor, annual_rate_ppm, tenor_days, start_date, maturity_date, liquidated_at, rolled_over_to, external_id, broken_on, broken_principal_minor, broken_interest_minor, broken_assessed_minor, broken_penal_minor, broken_tax_minor, maturity_tax_version, maturity_tax_class, maturity_tax_ppm) and least(rollovers, broken_days) >= 0 and case when product_code is null and instruction is null then broken_assessed_minor <= broken_interest_minor and method = 'AT_MATURITY' and not recover and paid_minor = 0 and tax_minor = 0 and num_nulls(product_version, agreed_unit, every, paid_to, next_interest_date) = 5 else sold_deposit_is_consistent(status, broken_interest_minor, broken_assessed_minor, product_code, product_version, agreed_unit, agreed_count, method, every, recover, paid_minor, tax_minor, paid_to, next_interest_date, auto_rollover, instruction, broken_paid_minor, broken_taxed_minor, broken_unearned_minor, broken_taken_minor, broken_returned_minor) end) not valid
) with (fillfactor=45);
create unique index deposits_by_external_id on deposits (book_id, external_id) where external_id is not null;
create index deposits_due on deposits (book_id, maturity_date, deposit_id) where awaits_maturity;
create index deposits_interest_due on deposits (book_id, next_interest_date, deposit_id) where next_interest_date is not null;
create index deposits_newest on deposits (book_id, ordinal);
create index deposits_of_account on deposits (book_id, account_number, ordinal);
create index deposits_of_customer on deposits (book_id, customer_id, ordinal);
create index deposits_of_product on deposits (book_id, product_code, ordinal) where product_code is not null;
create unique index deposits_predecessor on deposits (book_id, rolled_over_to) where rolled_over_to is not null;

create table documents (
  book_id text not null,
  kind text not null,
  version integer not null,
  effective_from date,
  text text not null,
  created_at timestamptz not null,
  constraint documents_pkey primary key (book_id, kind, version),
  constraint documents_book_id_fkey foreign key (book_id) references books(book_id),
  constraint documents_version_check check (version >= 1)
);

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
  actor_kind text,
  actor_id text,
  constraint events_pkey primary key (book_id, event_id),
  constraint events_actor check ((actor_kind is null) = (actor_id is null) and (actor_kind is null or (actor_kind = any (array['PERSON', 'OPERATOR', 'JOB'])) and api_key_id is null)) not valid
);
create index events_newest on events (book_id, ordinal);
create index events_of_subject on events (book_id, subject_id, ordinal);
create index events_of_type on events (book_id, type, ordinal);

create table idempotency_keys (
  book_id text not null,
  idempotency_key text not null,
  fingerprint text not null,
  status integer not null,
  answer text not null,
  created_at timestamptz not null,
  made_id text,
  constraint idempotency_keys_pkey primary key (book_id, idempotency_key)
);

create table interest_payments (
  book_id text not null,
  deposit_id text not null,
  period_to date not null,
  period_from date not null,
  account_number text not null,
  principal_minor bigint not null,
  interest_minor bigint not null,
  tax_minor bigint not null,
  tax_version integer,
  tax_class text,
  tax_ppm integer,
  business_date date not null,
  paid_at timestamptz not null,
  entry_id text,
  constraint interest_payments_pkey primary key (book_id, deposit_id, period_to),
  constraint interest_payments_consistent check (period_from < period_to and principal_minor > 0 and tax_minor >= 0 and tax_minor <= interest_minor and (interest_minor > 0) = (entry_id is not null) and (num_nulls(tax_version, tax_class, tax_ppm) = any (array[0, 3])) and (tax_minor = 0 or tax_version is not null))
);
create index interest_payments_of_day on interest_payments (book_id, business_date, deposit_id, period_to);

create table ledger_entries (
  book_id text not null,
  entry_id text not null,
  kind text not null,
  account_number text,
  deposit_id text,
  liquidation_id text,
  narration text,
  created_at timestamptz not null,
  accounts text[] not null,
  amounts_minor bigint[] not null,
  reverses text,
  business_date date,
  constraint ledger_entries_pkey primary key (book_id, entry_id),
  constraint ledger_entries_consistent check (entry_is_consistent(kind, accounts, amounts_minor, reverses)) not valid
);
create index ledger_entries_of_account on ledger_entries (book_id, account_number, entry_id);
create index ledger_entries_of_deposit on ledger_entries (book_id, deposit_id, entry_id);
create unique index ledger_entries_reversals on ledger_entries (book_id, reverses) where reverses is not null;

create table liens (
  book_id text not null,
  lien_id text not null,
  ordinal bigint not null,
  deposit_id text not null,
  amount_minor bigint not null,
  reason text not null,
  reference text,
  note text,
  status text not null,
  created_at timestamptz not null,
  released_at timestamptz,
  release_reason text,
  constraint liens_pkey primary key (book_id, lien_id),
  constraint liens_amount_minor_check check (amount_minor > 0),
  constraint liens_check check ((status = 'RELEASED') = (released_at is not null) and (released_at is null) = (release_reason is null)),
  constraint liens_status_check check (status = any (array['ACTIVE', 'RELEASED']))
);
create index liens_of_deposit on liens (book_id, deposit_id, ordinal);

create table liquidations (
  book_id text not null,
  liquidation_id text not null,
  deposit_id text not null,
  liquidation_type text not null,
  principal_minor bigint not null,
  interest_minor bigint not null,
  penal_minor bigint not null,
  total_minor bigint not null,
  remaining_minor bigint not null,
  account_number text not null,
  currency text not null,
  business_date date not null,
  liquidated_at timestamptz not null,
  assessed_by text not null default 'PART',
  earlier_principal_minor bigint,
  earlier_interest_minor bigint,
  earlier_assessed_minor bigint,
  assessed_minor bigint,
  waived_minor bigint not null default 0,
  net_minor bigint,
  waiver text,
  reference text,
  reason text,
  reversed_at timestamptz,
  tax_minor bigint not null default 0,
  tax_version integer,
  tax_ppm integer,
  earlier_penal_minor bigint,
  earlier_tax_minor bigint,
  tax_class text,
  taxed_with text not null default 'DAY',
  earlier_taxed_interest_minor bigint,
  earlier_taxed_penal_minor bigint,
  earlier_taxed_tax_minor bigint,
  paid_share_minor bigint not null default 0,
  tax_share_minor bigint not null default 0,
  unearned_minor bigint not null default 0,
  recovered_minor bigint not null default 0,
  tax_returned_minor bigint not null default 0,
  earlier_paid_minor bigint,
  earlier_taxed_minor bigint,
  earlier_unearned_minor bigint,
  earlier_taken_minor bigint,
  earlier_returned_minor bigint,
  sheet_now integer,
  paid_to date,
  approval_id text,
  earlier_days integer not null default 0,
  constraint liquidations_pkey primary key (book_id, liquidation_id),
  constraint liquidations_consistent check (liquidation_is_consistent(liquidation_type, principal_minor, interest_minor, penal_minor, total_minor, remaining_minor, assessed_by, waived_minor, waiver, tax_minor, tax_version, tax_class, tax_ppm, reference, reason, earlier_principal_minor, earlier_interest_minor, earlier_assessed_minor, earlier_penal_minor, earlier_tax_minor) and case when paid_share_minor = 0 and tax_returned_minor = 0 then tax_share_minor = 0 and unearned_minor = 0 and recovered_minor = 0 and (penal_minor + waived_minor) = coalesce(assessed_minor, penal_minor) and (penal_minor + waived_minor) <= interest_minor and net_minor = (total_minor - tax_minor) else taken_back_is_consistent(interest_minor, penal_minor, total_minor, assessed_minor, waived_minor, tax_minor, tax_version, net_minor, paid_share_minor, tax_share_minor, unearned_minor, recovered_minor, tax_returned_minor) end) not valid
);
create index liquidations_by_date on liquidations (book_id, business_date, liquidated_at, liquidation_id);
create index liquidations_of_reference on liquidations (book_id, reference) where reference is not null;
create index liquidations_reversed on liquidations (book_id, liquidation_id) where reversed_at is not null;

create table parties (
  book_id text not null,
  deposit_id text not null,
  mandate text not null,
  customer_ids text[] not null,
  roles text[] not null,
  updated_at timestamptz not null,
  constraint parties_pkey primary key (book_id, deposit_id),
  constraint parties_consistent check (cardinality(customer_ids) = cardinality(roles) and cardinality(roles) <= 10 and roles <@ array['JOINT', 'NOMINEE', 'GUARDIAN']),
  constraint parties_mandate_check check (mandate = any (array['ANY', 'ALL']))
);

create table people (
  caller_id text not null,
  person_id text not null,
  ordinal bigint not null,
  name text not null,
  email text not null,
  email_key text not null,
  role text not null,
  modes text[] not null,
  status text not null,
  password_hash text,
  link_hash text,
  link_purpose text,
  link_expires_at timestamptz,
  last_seen_at timestamptz,
  created_at timestamptz not null,
  rests_until timestamptz,
  rest_by text[] not null default '{}'[],
  link_by text,
  had_modes text[] not null default '{}'[],
  pending_hash text,
  factors text[] not null default '{}'[],
  issuer text,
  subject text,
  break_glass boolean not null default false,
  disabled_reason text,
  constraint people_pkey primary key (caller_id, person_id),
  constraint people_caller_id_email_key_key unique (caller_id, email_key),
  constraint people_link_hash_key unique (link_hash),
  constraint people_caller_id_fkey foreign key (caller_id) references callers(caller_id),
  constraint people_active_check check ( case status when 'ACTIVE' then password_hash is not null or subject is not null else password_hash is null end),
  constraint people_break_glass_check check (not break_glass or status = 'ACTIVE' and password_hash is not null),
  constraint people_check1 check ((link_hash is null) = (link_purpose is null) and (link_hash is null) = (link_expires_at is null)),
  constraint people_check2 check ( case link_purpose when 'INVITE' then status = 'INVITED' when 'RESET' then status = 'ACTIVE' else true end),
  constraint people_disabled_reason_check check (disabled_reason = 'GROUPS'),
  constraint people_disabled_reason_check1 check (disabled_reason is null or status = 'DISABLED'),
  constraint people_factors_check check (factors <@ array['TOTP', 'PASSKEY']),
  constraint people_link_purpose_check check (link_purpose = any (array['INVITE', 'RESET'])),
  constraint people_modes_check check (modes <@ array['test', 'live'] and cardinality(modes) >= 1 and cardinality(modes) <= 2),
  constraint people_role_check check (role = any (array['VIEWER', 'CLERK', 'SUPERVISOR', 'ADMINISTRATOR'])),
  constraint people_status_check check (status = any (array['INVITED', 'ACTIVE', 'DISABLED'])),
  constraint people_subject_check check ((issuer is null) = (subject is null))
);
create index people_by_email on people (email_key);
create unique index people_by_subject on people (caller_id, issuer, subject);
create index people_newest on people (caller_id, ordinal);

create table person_devices (
  caller_id text not null,
  person_id text not null,
  device_id text not null,
  device_hash text not null,
  user_agent text,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  ended_at timestamptz,
  constraint person_devices_pkey primary key (caller_id, person_id, device_id),
  constraint person_devices_device_hash_key unique (device_hash),
  constraint person_devices_caller_id_person_id_fkey foreign key (caller_id, person_id) references people(caller_id, person_id)
);

create table person_factors (
  caller_id text not null,
  person_id text not null,
  factor_id text not null,
  kind text not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  encrypted_secret text,
  last_step integer,
  credential_id text,
  public_key text,
  counter bigint,
  constraint person_factors_pkey primary key (caller_id, person_id, factor_id),
  constraint person_factors_credential_id_key unique (credential_id),
  constraint person_factors_caller_id_person_id_fkey foreign key (caller_id, person_id) references people(caller_id, person_id),
  constraint person_factors_check check ((kind = 'TOTP') = (encrypted_secret is not null)),
  constraint person_factors_check1 check ((kind = 'TOTP') = (last_step is not null)),
  constraint person_factors_check2 check ((kind = 'PASSKEY') = (credential_id is not null)),
  constraint person_factors_check3 check ((kind = 'PASSKEY') = (public_key is not null)),
  constraint person_factors_check4 check ((kind = 'PASSKEY') = (counter is not null)),
  constraint person_factors_kind_check check (kind = any (array['TOTP', 'PASSKEY']))
);
create unique index person_factors_one_app on person_factors (caller_id, person_id) where kind = 'TOTP';

create table person_notices (
  caller_id text not null,
  person_id text not null,
  ordinal bigint not null,
  act text not null,
  subject_id text not null,
  actor_kind text not null,
  actor_id text not null,
  noted_at timestamptz not null,
  constraint person_notices_pkey primary key (caller_id, person_id, ordinal),
  constraint person_notices_caller_id_person_id_fkey foreign key (caller_id, person_id) references people(caller_id, person_id)
);

create table person_recovery_codes (
  caller_id text not null,
  person_id text not null,
  code_hash text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  constraint person_recovery_codes_pkey primary key (caller_id, person_id, code_hash),
  constraint person_recovery_codes_caller_id_person_id_fkey foreign key (caller_id, person_id) references people(caller_id, person_id)
);

create table person_sessions (
  caller_id text not null,
  person_id text not null,
  session_id text not null,
  session_hash text not null,
  address text,
  user_agent text,
  started_at timestamptz not null,
  signed_in_at timestamptz not null,
  last_seen_at timestamptz not null,
  ended_at timestamptz,
  method text not null default 'PASSWORD',
  provider_session text,
  constraint person_sessions_pkey primary key (caller_id, person_id, session_id),
  constraint person_sessions_session_hash_key unique (session_hash),
  constraint person_sessions_caller_id_person_id_fkey foreign key (caller_id, person_id) references people(caller_id, person_id),
  constraint person_sessions_check check (signed_in_at >= started_at),
  constraint person_sessions_method_check check (method = any (array['PASSWORD', 'SSO'])),
  constraint person_sessions_provider_check check (provider_session is null or method = 'SSO')
);

create table products (
  book_id text not null,
  product_code text not null,
  version integer not null,
  ordinal bigint not null,
  status text not null,
  text text not null,
  created_at timestamptz not null,
  constraint products_pkey primary key (book_id, product_code, version),
  constraint products_book_id_fkey foreign key (book_id) references books(book_id),
  constraint products_product_code_check check (product_code ~ '^[A-Z0-9][A-Z0-9_-]{0,31}$'),
  constraint products_status_check check (status = any (array['OPEN', 'CLOSED'])),
  constraint products_version_check check (version >= 1)
);

create table rate_sheets (
  book_id text not null,
  product_code text not null,
  number integer not null,
  effective_from date not null,
  text text not null,
  created_at timestamptz not null,
  constraint rate_sheets_pkey primary key (book_id, product_code, number),
  constraint rate_sheets_book_id_fkey foreign key (book_id) references books(book_id),
  constraint rate_sheets_number_check check (number >= 1)
);

create table request_traces (
  book_id text not null,
  request_id text not null,
  traceparent text not null,
  created_at timestamptz not null,
  constraint request_traces_pkey primary key (book_id, request_id),
  constraint request_traces_traceparent_check check (length(traceparent) = 55)
);

create table rule_sets (
  book_id text not null,
  version integer not null,
  rules text not null,
  created_at timestamptz not null,
  constraint rule_sets_pkey primary key (book_id, version),
  constraint rule_sets_book_id_fkey foreign key (book_id) references books(book_id),
  constraint rule_sets_version_check check (version >= 1)
);

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null,
  constraint schema_migrations_pkey primary key (version)
);

create table seals (
  book_id text not null,
  seal_no integer not null,
  from_ordinal bigint not null,
  to_ordinal bigint not null,
  events integer not null,
  entries integer not null,
  root text not null,
  head text not null,
  salt text not null,
  sealed_at timestamptz not null,
  constraint seals_pkey primary key (book_id, seal_no),
  constraint seals_check check (from_ordinal < to_ordinal),
  constraint seals_check1 check (events >= 0 and entries >= 0 and (events + entries) > 0),
  constraint seals_seal_no_check check (seal_no >= 1)
);
create unique index seals_by_end on seals (book_id, to_ordinal);

create table service_keys (
  name text not null,
  secret text not null,
  created_at timestamptz not null,
  constraint service_keys_pkey primary key (name)
);

create table sign_in_tries (
  name text not null,
  tries double precision not null,
  tried_at timestamptz not null,
  constraint sign_in_tries_pkey primary key (name),
  constraint sign_in_tries_tries_check check (tries >= 0::double precision)
);
create index sign_in_tries_oldest on sign_in_tries (tried_at);

create table sum_locks (
  book_id text not null,
  subject text not null,
  constraint sum_locks_pkey primary key (book_id, subject)
);

create table used_once (
  name text not null,
  until timestamptz not null,
  constraint used_once_pkey primary key (name)
);
create index used_once_oldest on used_once (until);

create table webhook_deliveries (
  book_id text not null,
  webhook_endpoint_id text not null,
  ordinal bigint not null,
  event_id text not null,
  status text not null,
  attempts integer not null,
  next_attempt_at timestamptz,
  last_attempt_at timestamptz,
  last_status_code integer,
  last_error text,
  created_at timestamptz not null,
  constraint webhook_deliveries_pkey primary key (book_id, webhook_endpoint_id, ordinal),
  constraint webhook_deliveries_book_id_event_id_fkey foreign key (book_id, event_id) references events(book_id, event_id),
  constraint webhook_deliveries_attempts_check check (attempts >= 0),
  constraint webhook_deliveries_check check ((status = 'PENDING') = (next_attempt_at is not null)),
  constraint webhook_deliveries_check1 check ((attempts = 0) = (last_attempt_at is null)),
  constraint webhook_deliveries_status_check check (status = any (array['PENDING', 'DELIVERED', 'FAILED']))
);
create index webhook_deliveries_due on webhook_deliveries (book_id, webhook_endpoint_id, next_attempt_at, ordinal) where status = 'PENDING';

create table webhook_endpoints (
  book_id text not null,
  webhook_endpoint_id text not null,
  ordinal bigint not null,
  url text not null,
  event_types text[] not null,
  description text,
  status text not null,
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz,
  created_at timestamptz not null,
  constraint webhook_endpoints_pkey primary key (book_id, webhook_endpoint_id),
  constraint webhook_endpoints_book_id_fkey foreign key (book_id) references books(book_id),
  constraint webhook_endpoints_check check ((previous_secret is null) = (previous_secret_until is null)),
  constraint webhook_endpoints_event_types_check check (cardinality(event_types) > 0),
  constraint webhook_endpoints_status_check check (status = any (array['ENABLED', 'DISABLED']))
);
create index webhook_endpoints_newest on webhook_endpoints (book_id, ordinal);

create view postings as
select entry.book_id, entry.entry_id, posting.line::integer as line, posting.account, posting.amount_minor from ledger_entries entry cross join lateral unnest(entry.accounts, entry.amounts_minor) with ordinality posting(account, amount_minor, line);

create function deposit_is_consistent(status text, principal_minor bigint, remaining_minor bigint, lien_minor bigint, expected_interest_minor bigint, annual_rate_ppm integer, tenor_days integer, start_date date, maturity_date date, liquidated_at timestamp with time zone, rolled_over_to text, external_id text, broken_on date, broken_principal_minor bigint, broken_interest_minor bigint, broken_assessed_minor bigint, broken_penal_minor bigint, broken_tax_minor bigint, maturity_tax_version integer, maturity_tax_class text, maturity_tax_ppm integer) returns boolean as $$ begin return
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

create function entry_is_consistent(kind text, accounts text[], amounts_minor bigint[], reverses text) returns boolean as $$ begin return
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

create function liquidation_is_consistent(liquidation_type text, principal_minor bigint, interest_minor bigint, penal_minor bigint, total_minor bigint, remaining_minor bigint, assessed_by text, waived_minor bigint, waiver text, tax_minor bigint, tax_version integer, tax_class text, tax_ppm integer, reference text, reason text, earlier_principal_minor bigint, earlier_interest_minor bigint, earlier_assessed_minor bigint, earlier_penal_minor bigint, earlier_tax_minor bigint) returns boolean as $$ begin return
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

create function sold_deposit_is_consistent(status text, broken_interest_minor bigint, broken_assessed_minor bigint, product_code text, product_version integer, agreed_unit text, agreed_count integer, method text, every text, recover boolean, paid_minor bigint, tax_minor bigint, paid_to date, next_interest_date date, auto_rollover boolean, instruction text, broken_paid_minor bigint, broken_taxed_minor bigint, broken_unearned_minor bigint, broken_taken_minor bigint, broken_returned_minor bigint) returns boolean as $$ begin return
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

create function taken_back_is_consistent(interest_minor bigint, penal_minor bigint, total_minor bigint, assessed_minor bigint, waived_minor bigint, tax_minor bigint, tax_version integer, net_minor bigint, paid_share_minor bigint, tax_share_minor bigint, unearned_minor bigint, recovered_minor bigint, tax_returned_minor bigint) returns boolean as $$ begin return
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
