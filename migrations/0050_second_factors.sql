-- Second factors of people: an authenticator app, passkeys and recovery codes. People of today have none.

-- Secrets of the service itself. Keys that encrypt what must be read again, such as the secret of an authenticator app,
-- are derived from them, so that every instance has the same.
create table service_keys (
  name text primary key,
  secret text not null,
  created_at timestamptz not null
);

create table person_factors (
  caller_id text not null,
  person_id text not null,
  factor_id text not null,
  kind text not null check (kind in ('TOTP', 'PASSKEY')),
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- Of an authenticator app: its encrypted secret, and the time step of the last code, which is good once.
  encrypted_secret text,
  last_step integer,
  -- Of a passkey. The counter of an authenticator that has one only grows: a copy of it is noticed.
  credential_id text unique,
  public_key text,
  counter bigint,
  primary key (caller_id, person_id, factor_id),
  foreign key (caller_id, person_id) references people,
  check ((kind = 'TOTP') = (encrypted_secret is not null)),
  check ((kind = 'TOTP') = (last_step is not null)),
  check ((kind = 'PASSKEY') = (credential_id is not null)),
  check ((kind = 'PASSKEY') = (public_key is not null)),
  check ((kind = 'PASSKEY') = (counter is not null))
);
-- Two apps would be two secrets to lose.
create unique index person_factors_one_app on person_factors (caller_id, person_id) where kind = 'TOTP';

-- Random codes for a lost telephone, each good once; only the SHA-256 is stored.
create table person_recovery_codes (
  caller_id text not null,
  person_id text not null,
  code_hash text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (caller_id, person_id, code_hash),
  foreign key (caller_id, person_id) references people
);

-- Names of what is good once, such as the challenge of a passkey, until it would have expired anyway.
create table used_once (
  name text primary key,
  until timestamptz not null
);
create index used_once_oldest on used_once (until);

-- The kinds that the person has, so that every page knows what to ask for.
alter table people
  add column factors text[] not null default '{}' check (factors <@ array['TOTP', 'PASSKEY']);
