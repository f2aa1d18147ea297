-- Browsers in which a person signed in. A stranger who tries passwords of a person does not keep these out.
create table person_devices (
  caller_id text not null,
  person_id text not null,
  device_id text not null,
  device_hash text not null unique,
  user_agent text,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  ended_at timestamptz,
  primary key (caller_id, person_id, device_id),
  foreign key (caller_id, person_id) references people
);

-- Wrong tries to sign in, counted for all instances together. A name is the hash of an address, of a network and an
-- address, of a device or of a session. The count falls with time.
create table sign_in_tries (
  name text primary key,
  tries double precision not null check (tries >= 0),
  tried_at timestamptz not null
);
create index sign_in_tries_oldest on sign_in_tries (tried_at);
