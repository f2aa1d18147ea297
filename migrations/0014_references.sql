-- A caller's own name of a record, unique in its book and kind, and its own names and values beside it (JSON text; null: none).
-- The indexes hold only records that have such a name, and are created on an empty column, so they cost existing rows nothing.

alter table customers
  add column external_id text,
  add column metadata text,
  add constraint customers_external_id_check check (length(external_id) between 1 and 64) not valid;
create unique index customers_by_external_id on customers (book_id, external_id) where external_id is not null;

alter table accounts
  add column external_id text,
  add column metadata text,
  add constraint accounts_external_id_check check (length(external_id) between 1 and 64) not valid;
create unique index accounts_by_external_id on accounts (book_id, external_id) where external_id is not null;

alter table deposits
  add column external_id text,
  add column metadata text,
  add constraint deposits_external_id_check check (length(external_id) between 1 and 64) not valid;
create unique index deposits_by_external_id on deposits (book_id, external_id) where external_id is not null;
