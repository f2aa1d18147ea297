-- Who else a deposit belongs to. One row for each deposit for which they were written; it is replaced whole. The customers
-- and their roles stand in two lists of the same order. They change no money and no right.

create table parties (
  book_id text not null,
  deposit_id text not null,
  mandate text not null check (mandate in ('ANY', 'ALL')),
  customer_ids text[] not null,
  roles text[] not null,
  updated_at timestamptz not null,
  primary key (book_id, deposit_id),
  constraint parties_consistent check (
    cardinality(customer_ids) = cardinality(roles)
    and cardinality(roles) <= 10
    and roles <@ array['JOINT', 'NOMINEE', 'GUARDIAN']
  )
);
