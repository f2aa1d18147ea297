-- Products and their rate sheets: numbered versions that are written whole and never changed. The ordinal of a product is
-- that of its first version, so that lists keep their order; currency and status are copied from the text for lookups.
create table products (
  book_id text not null references books,
  product_code text not null check (product_code ~ '^[A-Z0-9][A-Z0-9_-]{0,31}$'),
  version int4 not null check (version >= 1),
  ordinal bigint not null,
  status text not null check (status in ('OPEN', 'CLOSED')),
  text text not null,
  created_at timestamptz not null,
  primary key (book_id, product_code, version)
);

create table rate_sheets (
  book_id text not null references books,
  product_code text not null,
  number int4 not null check (number >= 1),
  effective_from date not null,
  text text not null,
  created_at timestamptz not null,
  primary key (book_id, product_code, number)
);

-- What the rules looked up when a part was broken, so that its charge can be computed again: earlier business dates with
-- liquidations. (sheet_now stands beside it since the migration before.)
alter table liquidations add column earlier_days int4 not null default 0;

-- The deposits of a product, and whether there is one.
create index deposits_of_product on deposits (book_id, product_code, ordinal) where product_code is not null;
