-- People who use the console, and their sessions.
-- A person belongs to a caller and works in its test book, its live book or both. So these tables are part of the small
-- directory beside callers, books and api_keys, and their keys begin with caller_id.
-- Secrets are kept as hashes: a password by argon2id, links and sessions, which are random, by SHA-256.

create table people (
  caller_id text not null references callers,
  person_id text not null,
  ordinal bigint not null,
  name text not null,
  email text not null,
  -- The address as it is compared: two spellings that differ in case are one address.
  email_key text not null,
  role text not null check (role in ('VIEWER', 'CLERK', 'SUPERVISOR', 'ADMINISTRATOR')),
  modes text[] not null check (modes <@ array['test', 'live'] and cardinality(modes) between 1 and 2),
  status text not null check (status in ('INVITED', 'ACTIVE', 'DISABLED')),
  password_hash text,
  -- At most one link is open; a new one replaces it, and its use removes it.
  link_hash text unique,
  link_purpose text check (link_purpose in ('INVITE', 'RESET')),
  link_expires_at timestamptz,
  last_seen_at timestamptz,
  created_at timestamptz not null,
  primary key (caller_id, person_id),
  unique (caller_id, email_key),
  check ((status = 'ACTIVE') = (password_hash is not null)),
  check ((link_hash is null) = (link_purpose is null) and (link_hash is null) = (link_expires_at is null)),
  check (case link_purpose when 'INVITE' then status = 'INVITED' when 'RESET' then status = 'ACTIVE' else true end)
);
create index people_newest on people (caller_id, ordinal);
-- Whoever signs in names an address, not a caller.
create index people_by_email on people (email_key);

-- An ended session stays for a while: a browser that has it is known, so that a stranger who tries passwords of a person
-- does not keep that person out.
create table person_sessions (
  caller_id text not null,
  person_id text not null,
  session_id text not null,
  session_hash text not null unique,
  address text,
  user_agent text,
  started_at timestamptz not null,
  signed_in_at timestamptz not null,
  last_seen_at timestamptz not null,
  ended_at timestamptz,
  primary key (caller_id, person_id, session_id),
  foreign key (caller_id, person_id) references people,
  check (signed_in_at >= started_at)
);
