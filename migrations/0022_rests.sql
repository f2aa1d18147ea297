-- What one administrator sets for another person counts in the live book a day later, or when a second administrator
-- confirms it. People of today have neither value: they do not rest.
alter table people
  -- Until then the person decides nothing in the live book.
  add column rests_until timestamptz,
  -- Those whose acts began the rest; none of them may confirm it.
  add column rest_by text[] not null default '{}',
  -- The person who made the open link; null where it was the operator.
  add column link_by text,
  -- Modes of earlier times.
  add column had_modes text[] not null default '{}';

-- What was done to people, shown to them and to the administrators until they have read it. Names are looked up when
-- it is shown.
create table person_notices (
  caller_id text not null,
  person_id text not null,
  ordinal bigint not null,
  act text not null,
  subject_id text not null,
  actor_kind text not null,
  actor_id text not null,
  noted_at timestamptz not null,
  primary key (caller_id, person_id, ordinal),
  foreign key (caller_id, person_id) references people
);

-- The same for keys that an administrator makes for the live book: until then they change nothing.
alter table api_keys
  add column rests_until timestamptz,
  add column rest_by text[] not null default '{}';
