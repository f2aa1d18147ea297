-- Who made a change, where it was not an API key. A key stays in api_key_id: so rows that keys cause, by far the most, are
-- no larger than before. Names are looked up when an event is read, since events hold nothing personal.
-- Older rows have neither; what their type says of them is enough (src/features/events/store.ts).
alter table events
  add column actor_kind text,
  add column actor_id text;

-- Not valid: checked for new rows alone, so that the table is not read through while nobody can write to it.
alter table events
  add constraint events_actor
  check (
    (actor_kind is null) = (actor_id is null)
    and (actor_kind is null or (actor_kind in ('PERSON', 'OPERATOR', 'JOB') and api_key_id is null))
  ) not valid;
