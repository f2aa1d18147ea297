-- What happened in a book, hashed: each seal has the Merkle root of the events and ledger entries whose ordinals lie in its
-- range, and a head over that root and the heads of seals before it. The rows themselves stay as they are: a request pays
-- nothing for it. Numbers begin with 1 and the first range has no beginning, so that it covers what came before the upgrade.
-- The salt keeps old and new personal values from being guessed by their hash.
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
  primary key (book_id, seal_no),
  check (seal_no >= 1),
  check (from_ordinal < to_ordinal),
  check (events >= 0 and entries >= 0 and events + entries > 0)
);
create unique index seals_by_end on seals (book_id, to_ordinal);
